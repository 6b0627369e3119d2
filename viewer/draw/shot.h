/* Pictures: a pose drawn into an image, without the panels. */
#ifndef VIEWER_SHOT_H
#define VIEWER_SHOT_H

#include "draw/orbit.h"
#include "draw/scene.h"

/* Draws an image of that size, three bytes per pixel, antialiased. `options` says what else is
 * drawn; its `place` is ignored. The caller unloads it. */
Image shot_take(scene *s, const sinew_pose *pose, const orbit *view, int width, int height,
                scene_options options);
/* Writes an image by its ending; on failure, false with `error` filled, the old file is still
 * there.
 */
bool shot_save(Image image, const char *path, sinew_error *error);

/* The difference of two pictures: the mean absolute difference of their pixel values, from 0 to
 * 255. Negative, with a message, if one cannot be read or their sizes differ. */
double shot_difference(const char *a, const char *b);

#endif
