/* The window's scene in a texture, for renderers in software: it is drawn again only when it has
 * changed, and once more, with smooth edges, when it is still. */
#ifndef VIEWER_CANVAS_H
#define VIEWER_CANVAS_H

#include "draw/scene.h"

typedef struct canvas {
  RenderTexture2D target;
  uint64_t print; /* hash of what it shows */
  double changed; /* when it was last drawn again, in seconds */
  bool smooth;
} canvas;

void canvas_unload(canvas *c);
/* Brings the texture up to date for options->place; `print` is a hash of everything that is drawn.
 * Not inside of a drawing mode. Returns false as long as it is not smooth. */
bool canvas_update(canvas *c, scene *s, const sinew_pose *pose, Camera3D camera,
                   const scene_options *options, uint64_t print);
/* Draws the texture into the window. */
void canvas_show(const canvas *c, Rectangle place);

#endif
