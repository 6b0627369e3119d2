/* Sinew in a raylib program, header only: matrices in raylib's order, the place of a bone, and
 * drawing. Include it after nothing else; it brings in sinew.h, raylib.h and raymath.h. Draw
 * between BeginMode3D and EndMode3D, in the thread that has the window.
 *
 *   cc game.c -Iengine/include -Iviewer -lsinew-solve -lsinew-interchange -lsinew -lexpat -lraylib
 */
#ifndef SINEW_RAYLIB_H
#define SINEW_RAYLIB_H

#include <raylib.h>
#include <raymath.h>
#include <sinew/sinew.h>

/* A matrix of Sinew (16 floats, column-major), for DrawMesh and the functions of raymath.h. raylib
 * has the same matrix, but its struct lists the entries row by row. */
static inline Matrix SinewMatrix(const float *m) {
  Matrix result;
  result.m0 = m[0], result.m4 = m[4], result.m8 = m[8], result.m12 = m[12];
  result.m1 = m[1], result.m5 = m[5], result.m9 = m[9], result.m13 = m[13];
  result.m2 = m[2], result.m6 = m[6], result.m10 = m[10], result.m14 = m[14];
  result.m3 = m[3], result.m7 = m[7], result.m11 = m[11], result.m15 = m[15];
  return result;
}

/* A vector of raylib for Sinew. */
static inline sinew_vec3 SinewVec3(Vector3 v) {
  sinew_vec3 result = { v.x, v.y, v.z };
  return result;
}

/* The origin of a bone in the world, as of the last evaluation. */
static inline Vector3 SinewPosition(const sinew_pose *pose, sinew_segment bone) {
  const float *m = sinew_pose_world(pose, bone);
  Vector3 result = { m[12], m[13], m[14] };
  return result;
}

/* The point under the mouse that is as deep in the picture as `point`: for dragging. */
static inline Vector3 SinewMouse(Camera3D camera, Vector3 point) {
  Ray ray = GetScreenToWorldRay(GetMousePosition(), camera);
  Vector3 forward = Vector3Subtract(camera.target, camera.position);
  float depth = Vector3DotProduct(Vector3Subtract(point, ray.position), forward);
  float length = depth / Vector3DotProduct(ray.direction, forward);
  return Vector3Add(ray.position, Vector3Scale(ray.direction, length));
}

/* Draws every bone: a ball at its origin, and a rod to it from its parent's. `radius` in metres. */
static inline void SinewDrawSkeleton(const sinew_pose *pose, float radius, Color color) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment bone = sinew_rig_segment(rig, i);
    sinew_segment parent = sinew_rig_segment_info(rig, bone).parent;
    Vector3 at = SinewPosition(pose, bone);
    DrawSphere(at, radius, color);
    if (!parent.id) continue;
    DrawCylinderEx(SinewPosition(pose, parent), at, 0.7f * radius, 0.4f * radius, 12, color);
  }
}

/* A model of a shape, in the frame of its bone; a sinew_mesh has the same five fields. Copied to
 * the graphics card: unload it with UnloadModel. A shape without normals is not lit. */
static inline Model SinewModel(sinew_shape shape) {
  Mesh mesh = { 0 };
  mesh.triangleCount = shape.triangle_count;
  mesh.vertexCount = 3 * shape.triangle_count;
  unsigned bytes = 3 * (unsigned)sizeof(float) * (unsigned)mesh.vertexCount;
  mesh.vertices = (float *)MemAlloc(bytes);
  if (shape.normals) mesh.normals = (float *)MemAlloc(bytes);
  /* one vertex for each corner: indices of raylib end at 65535 */
  for (int i = 0; i < mesh.vertexCount; i++)
    for (int k = 0; k < 3; k++) {
      mesh.vertices[3 * i + k] = shape.vertices[3 * shape.triangles[i] + k];
      if (shape.normals) mesh.normals[3 * i + k] = shape.normals[3 * shape.triangles[i] + k];
    }
  UploadMesh(&mesh, false);
  return LoadModelFromMesh(mesh);
}

/* Draws the model of a bone where the pose has it. */
static inline void SinewDrawModel(Model model, const sinew_pose *pose, sinew_segment bone,
                                  Color tint) {
  Vector3 origin = { 0, 0, 0 };
  model.transform = SinewMatrix(sinew_pose_world(pose, bone));
  DrawModel(model, origin, 1, tint);
}

#endif
