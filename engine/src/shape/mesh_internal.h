/* A mesh while it is read: arrays that grow piece by piece. */
#ifndef SI_MESH_INTERNAL_H
#define SI_MESH_INTERNAL_H

#include "base/error_internal.h"
#include "sinew/mesh.h"
#include "sinew/surface.h"

typedef struct si_mesh_parts {
  float *vertices, *normals; /* normals of zero are computed from the triangles at the end */
  uint32_t *triangles;
  size_t vertex_count, triangle_count;
  size_t vertex_room, normal_room, triangle_room; /* in numbers */
  /* four joints and weights for each vertex, if there are joints; may be shorter, then 0 */
  uint32_t *joints;
  float *weights;
  char *names; /* SINEW_MESH_NAME bytes for each joint */
  size_t joint_count, joint_room, weight_room, name_room;
} si_mesh_parts;

/* Adds zeroed vertices and triangles. Messages start with `name`. */
sinew_status si_mesh_add(si_mesh_parts *parts, const char *name, size_t vertices, size_t triangles,
                         sinew_error *error);

/* A mesh with room for this many, all zero. */
sinew_mesh *si_mesh_make(size_t vertices, size_t triangles, bool occlusion, sinew_error *error);

/* A mesh of a surface's triangles, with smooth normals. */
sinew_mesh *si_mesh_of_surface(const char *name, const sinew_surface *surface, sinew_error *error);

/* gltf_read.c: adds what a .glb or a .gltf holds. */
sinew_status si_gltf_read(const char *name, const unsigned char *bytes, size_t size, bool binary,
                          si_mesh_parts *dest, sinew_error *error);

#endif
