/* Pictures are drawn at twice the size and scaled down, which antialiases them even if the driver
 * does not. */
#include "draw/shot.h"
#include "draw/pixels.h"
#include "draw/png.h"

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

static const struct format {
  const char *ending;
  unsigned char *(*bytes)(Image image, size_t *size);
} formats[] = {
  { ".png", png_bytes }, { ".bmp", bmp_bytes }, { ".qoi", qoi_bytes }, { ".raw", raw_bytes }
};

bool shot_save(Image image, const char *path, sinew_error *error) {
  const struct format *format = NULL;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (IsFileExtension(path, formats[i].ending)) format = &formats[i];
  if (!format) return fail(error, path, "a picture ends with .png, .bmp, .qoi or .raw");
  size_t size = 0;
  Image plain = ImageCopy(image);
  ImageFormat(&plain, PIXELFORMAT_UNCOMPRESSED_R8G8B8);
  unsigned char *bytes = plain.data ? format->bytes(plain, &size) : NULL;
  sinew_error why;
  bool ok = bytes && sinew_file_write(path, bytes, size, &why) >= 0;
  if (!ok) {
    /* "PATH: cannot write: REASON" */
    const char *reason = bytes ? strstr(why.text, "cannot write: ") : NULL;
    fail(error, path, reason ? reason + 14 : bytes ? why.text : "out of memory");
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
