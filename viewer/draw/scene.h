/* The scene: a rig's bones as meshes on the graphics card, lit, with a soft shadow on the ground.
 */
#ifndef VIEWER_SCENE_H
#define VIEWER_SCENE_H

#include <raylib.h>
#include <sinew/host.h>

typedef struct scene scene;

/* Needs a window. NULL, with a message on standard error, when the shaders do not compile. */
scene *scene_create(void);
void scene_destroy(scene *s); /* NULL is allowed */

/* Takes the shapes of the host's rig; a segment without one gets a plain bone towards its
 * children. Does nothing without a rig. */
void scene_load(scene *s, const sinew_host *host);

typedef struct scene_options {
  bool grid, axes;
  sinew_segment selected, hovered; /* drawn in another colour; null: none */
  Rectangle place;                 /* in the window; of no width: all of the target */
  /* Draws more in the same space: once among the bones, and once, with `glass`, after everything
   * solid. NULL: nothing. */
  void (*also)(void *user, bool glass);
  /* Draws 2D over a picture of this size, with texts scaled by `larger`. NULL: nothing. */
  void (*over)(void *user, int width, int height, float larger);
  /* Draws more of what casts a shadow, flattened by scene_fall. NULL: nothing. */
  void (*cast)(void *user);
  BoundingBox crowd; /* bounds of what casts a shadow, if more than the pose; else empty */
  void *user;
} scene_options;

/* Draws the texture of the shadow, outside of other raylib modes. */
void scene_shadow(scene *s, const sinew_pose *pose, const scene_options *options);
/* How large a pixel of its texture is, in metres. */
float scene_shadow_pixel(const scene *s);
/* The projection of points along the light to the ground. */
Matrix scene_fall(void);
/* Draws everything but the background into the current target. */
void scene_draw(scene *s, const sinew_pose *pose, Camera3D camera, const scene_options *options);
/* The background: a gradient of this size. */
void scene_background(int width, int height);

/* The height in pixels of the picture that is or was last drawn. */
float scene_pixels(const scene *s);
/* The mesh of a segment, from 0, in its frame, each triangle with its own vertices; NULL where it
 * is not drawn. Borrowed. */
const Mesh *scene_mesh(const scene *s, int segment);
/* The material of bones in another colour, for the meshes of tools. Borrowed. */
Material scene_material(const scene *s, Color color);

/* The bounds of the pose, or of the segments marked in `only`. */
BoundingBox scene_bounds(const scene *s, const sinew_pose *pose, const bool *only);
/* The first segment that a ray hits, and the point in the world (`hit` may be NULL); null if none.
 */
sinew_segment scene_pick(const scene *s, const sinew_pose *pose, Ray ray, Vector3 *hit);

#endif
