/* Sampling a field over a plane of two angles. */
#include "plain/field_slice.h"

#include <math.h>
#include <string.h>

float field_axis_held(const sinew_field *field, int axis, float angle) {
  sinew_field_axis x = sinew_field_axis_info(field, axis);
  float period = x.max - x.min;
  if (x.wrap) return angle - period * floorf((angle - x.min) / period);
  return fmaxf(x.min, fminf(angle, x.max));
}

float field_axis_share(const sinew_field *field, int axis, float angle) {
  sinew_field_axis x = sinew_field_axis_info(field, axis);
  return (field_axis_held(field, axis, angle) - x.min) / (x.max - x.min);
}

void field_slice(const sinew_field *field, int across, int up, const float *angles, int width,
                 int height, float *dest) {
  float at[SINEW_FIELD_AXES], epsilon = sinew_field_epsilon(field);
  sinew_field_axis x = sinew_field_axis_info(field, across), y = sinew_field_axis_info(field, up);
  memcpy(at, angles, (size_t)sinew_field_axis_count(field) * sizeof *at);
  for (int row = 0; row < height; row++)
    for (int column = 0; column < width; column++) {
      at[up] = y.max + (y.min - y.max) * ((float)row + 0.5f) / (float)height;
      at[across] = x.min + (x.max - x.min) * ((float)column + 0.5f) / (float)width;
      dest[row * width + column] = sinew_field_lookup(field, at, NULL) - epsilon;
    }
}

void field_slice_colors(const float *distances, int width, int height, float step, uint8_t *dest) {
  static const float inside[3] = { 92, 160, 150 }, deep[3] = { 60, 112, 128 };
  static const float outside[3] = { 52, 57, 68 }, line[3] = { 70, 76, 90 };
  for (int row = 0; row < height; row++)
    for (int column = 0; column < width; column++) {
      const float *d = distances + row * width + column;
      float right = column + 1 < width ? d[1] - d[0] : d[0] - d[-(column > 0)];
      float down = row + 1 < height ? d[width] - d[0] : row > 0 ? d[0] - d[-width] : 0;
      float slope = fmaxf(sqrtf(right * right + down * down), 1e-4f);
      float in = fmaxf(0, fminf(1, 0.5f - *d / slope));
      float depth = fminf(1, fmaxf(0, -*d) / (2 * step));
      float ring = fabsf(*d - step * roundf(*d / step)) / slope;
      float ringed = fmaxf(0, 1 - ring);
      uint8_t *pixel = dest + 4 * (row * width + column);
      for (int k = 0; k < 3; k++) {
        float a = outside[k] + ringed * (line[k] - outside[k]);
        float b = inside[k] + depth * (deep[k] - inside[k]);
        pixel[k] = (uint8_t)(a + in * (b - a) + 0.5f);
      }
      pixel[3] = 255;
    }
}
