/* Pictures are drawn at twice the size and scaled down, which antialiases them even if the driver
 * does not. */
#include "draw/shot.h"
#include "draw/png.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { finer = 2 };

Image shot_take(scene *s, const sinew_pose *pose, const orbit *view, int width, int height,
                scene_options options) {
  RenderTexture2D target = LoadRenderTexture(finer * width, finer * height);
  options.grain = finer;
  scene_paint(s, pose, orbit_camera(view), &options, target);
  BeginTextureMode(target);
  if (options.over) options.over(options.user, finer * width, finer * height, finer);
  EndTextureMode();
  Image image = LoadImageFromTexture(target.texture);
  UnloadRenderTexture(target);
  ImageFlipVertical(&image);
  ImageFormat(&image, PIXELFORMAT_UNCOMPRESSED_R8G8B8);
  ImageResize(&image, width, height);
  return image;
}

bool shot_save(Image image, const char *path) {
  size_t room = strlen(path) + 16;
  char *aside = malloc(room);
  if (!aside) return false;
  const char *dot = strrchr(path, '.');
  if (!dot || strchr(dot, '/')) {
    fprintf(stderr, "sinew-viewer: '%s' needs a file extension such as .png\n", path);
    free(aside);
    return false;
  }
  snprintf(aside, room, "%s.part%s", path, dot);
  bool png = strcmp(dot, ".png") == 0 && image.format == PIXELFORMAT_UNCOMPRESSED_R8G8B8;
  bool ok = (png ? png_write(image, aside) : ExportImage(image, aside)) && rename(aside, path) == 0;
  if (!ok) fprintf(stderr, "sinew-viewer: cannot write '%s': %s\n", path, strerror(errno));
  free(aside);
  return ok;
}

/* both pictures have the same size and three bytes per pixel */
static double mean_difference(Image a, Image b) {
  const unsigned char *p = a.data, *q = b.data;
  size_t count = (size_t)a.width * (size_t)a.height * 3;
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += p[i] > q[i] ? p[i] - q[i] : q[i] - p[i];
  return sum / (double)count;
}

double shot_difference(const char *one, const char *other) {
  SetTraceLogLevel(LOG_ERROR);
  Image a = LoadImage(one), b = LoadImage(other);
  double result = -1;
  if (!a.data || !b.data)
    fprintf(stderr, "sinew-viewer: cannot read '%s'\n", a.data ? other : one);
  else if (a.width != b.width || a.height != b.height)
    fprintf(stderr, "sinew-viewer: '%s' is %dx%d, '%s' %dx%d\n", one, a.width, a.height, other,
            b.width, b.height);
  else {
    ImageFormat(&a, PIXELFORMAT_UNCOMPRESSED_R8G8B8);
    ImageFormat(&b, PIXELFORMAT_UNCOMPRESSED_R8G8B8);
    result = mean_difference(a, b);
  }
  UnloadImage(a);
  UnloadImage(b);
  return result;
}
