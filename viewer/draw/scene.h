/* The scene: a rig's bones as meshes on the GPU, lit, with a soft shadow on the ground. */
#ifndef VIEWER_SCENE_H
#define VIEWER_SCENE_H

#include <raylib.h>
#include <sinew/host.h>

typedef struct scene scene;

/* Needs a window; `low` also makes meshes with few triangles, to be shown while things move.
 * Returns NULL, with a message on standard error, if a shader does not compile. */
scene *scene_create(bool low);
void scene_destroy(scene *s); /* NULL is allowed */

/* Takes the shapes of the host's rig; segments to which the script gave none are drawn as plain
 * bones, one with an empty shape is not drawn. Does nothing without a rig. */
void scene_load(scene *s, sinew_host *host);
/* Takes finer meshes that other threads have finished; true if there was one. */
bool scene_poll(scene *s);
/* Waits for all of them. Returns false, with `error` filled, if one could not be made. */
bool scene_finish(scene *s, sinew_error *error);
/* How many bones are not fine yet. */
int scene_left(const scene *s);

typedef struct scene_options {
  bool grid, axes;
  sinew_segment selected, hovered; /* highlighted; null: none */
  const bool *held;                /* for each segment: a limit holds it back; NULL: none */
  bool no_bones;                   /* something else is drawn in their place */
  bool moving;                     /* coarser meshes are good enough */
  float grain;     /* pixels of the target that become one of the picture, in each direction */
  Rectangle place; /* part of the window; if its width is 0, the whole target */
  /* Draws more into the scene: once with the bones, and once, with `glass`, after everything solid.
   * NULL: nothing. */
  void (*also)(void *user, bool glass);
  /* Draws 2D over a picture of this size, with text scaled by `larger`. NULL: nothing. */
  void (*over)(void *user, int width, int height, float larger);
  /* Draws more shadows, flattened by scene_flatten. NULL: nothing. */
  void (*cast)(void *user);
  BoundingBox seat; /* a box to sit on, drawn and casting a shadow; empty: none */
  /* bounds of everything that casts a shadow, if that is more than the pose; else empty */
  BoundingBox crowd;
  void *user;
} scene_options;

/* Draws the shadow's texture if the pose or the light has changed; call it before scene_draw,
 * outside of raylib's drawing modes. */
void scene_shadow(scene *s, const sinew_pose *pose, Camera3D camera, const scene_options *options);
/* Draws everything into the current target. */
void scene_draw(scene *s, const sinew_pose *pose, Camera3D camera, const scene_options *options);
/* Both, into a texture. */
void scene_paint(scene *s, const sinew_pose *pose, Camera3D camera, const scene_options *options,
                 RenderTexture2D target);

/* Changes whenever a mesh does, so that a picture of the scene is out of date. */
uint32_t scene_version(const scene *s);
/* How often the scene, and its shadow, has been drawn. */
long scene_drawn(const scene *s, long *shadows);

/* For what tools draw. The height in pixels of the picture being drawn, or of the last one. */
float scene_pixels(const scene *s);
/* Sets the uniforms of SHADE_GLSL for that picture. */
void scene_light(const scene *s, Shader shader);
/* Projects points along the light onto the ground; and the size of a pixel of the shadow, in
 * metres. */
Matrix scene_flatten(const scene *s);
float scene_shadow_pixel(const scene *s);
/* The mesh of a segment by its index, in the segment's frame, with unshared vertices; NULL if it is
 * not drawn. Borrowed. */
const Mesh *scene_mesh(const scene *s, int segment);
/* The bones' material in another colour, for the meshes of tools. Borrowed. */
Material scene_material(const scene *s, Color color);

/* The bounds of the pose, or of the segments marked in `only`. */
BoundingBox scene_bounds(const scene *s, const sinew_pose *pose, const bool *only);
/* Points around the pose, eight for each bone that is drawn, or for those marked in `only`; returns
 * how many. With NULL it only counts them. */
int scene_points(const scene *s, const sinew_pose *pose, const bool *only, Vector3 *dest);
/* The first segment that a ray hits, or null. `hit`, which may be NULL, gets the point in the
 * world. */
sinew_segment scene_pick(const scene *s, const sinew_pose *pose, Ray ray, Vector3 *hit);
/* What a click means: the segment that the ray hits, or the nearest one within `tolerance` pixels
 * of it, which also wins where it is clearly in front of what is hit. `pixel` is the size of a
 * pixel at a distance of 1 m. */
sinew_segment scene_pick_near(const scene *s, const sinew_pose *pose, Ray ray, float pixel,
                              float tolerance, Vector3 *hit);
/* How far along a ray a ball of this radius gets before it meets a bone that is not below `from`;
 * INFINITY: it meets none. */
float scene_roll(const scene *s, const sinew_rig *rig, const sinew_pose *pose, Ray ray,
                 float radius, sinew_segment from);

#endif
