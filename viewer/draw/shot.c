/* Pictures are drawn at twice the size and scaled down, which antialiases them even if the driver
 * does not. */
#include "draw/shot.h"
#include "draw/png.h"

#include <errno.h>
#include <sinew/file.h>
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

static bool fail(sinew_error *error, const char *path, const char *why) {
  sinew_error_clear(error);
  error->status = SINEW_ERR_FILE;
  snprintf(error->text, sizeof error->text, "cannot write '%.1000s': %.1000s", path, why);
  return false;
}

/* raylib writes some formats by itself, and does not notice a full disk */
static bool same_pixels(Image image, const char *path) {
  Image back = LoadImage(path);
  bool same = back.data && back.width == image.width && back.height == image.height;
  if (same) ImageFormat(&back, image.format);
  size_t bytes = (size_t)GetPixelDataSize(image.width, image.height, image.format);
  same = same && memcmp(back.data, image.data, bytes) == 0;
  UnloadImage(back);
  return same;
}

static bool save_aside(Image image, const char *path, const char *ending, sinew_error *error) {
  size_t room = strlen(path) + 16;
  char *aside = malloc(room);
  if (!aside) return fail(error, path, "out of memory");
  snprintf(aside, room, "%s.part%s", path, ending);
  errno = 0;
  bool ok = ExportImage(image, aside) && same_pixels(image, aside) && rename(aside, path) == 0;
  if (!ok) {
    fail(error, path, errno ? strerror(errno) : "it could not be written whole");
    remove(aside);
  }
  free(aside);
  return ok;
}

bool shot_save(Image image, const char *path, sinew_error *error) {
  const char *dot = strrchr(path, '.');
  if (!dot || strchr(dot, '/')) return fail(error, path, "it needs an ending such as .png");
  bool png = strcmp(dot, ".png") == 0, raw = strcmp(dot, ".raw") == 0;
  if (!png && !raw) return save_aside(image, path, dot, error);
  size_t size = (size_t)GetPixelDataSize(image.width, image.height, image.format);
  Image plain = ImageCopy(image);
  if (png) ImageFormat(&plain, PIXELFORMAT_UNCOMPRESSED_R8G8B8);
  unsigned char *bytes = png ? png_bytes(plain, &size) : NULL;
  sinew_error why;
  bool ok = (raw || bytes) && sinew_file_write(path, raw ? image.data : bytes, size, &why) >= 0;
  if (!ok) {
    /* "PATH: cannot write: REASON" */
    const char *reason = raw || bytes ? strstr(why.text, "cannot write: ") : NULL;
    fail(error, path, reason ? reason + 14 : raw || bytes ? why.text : "out of memory");
  }
  free(bytes);
  UnloadImage(plain);
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
