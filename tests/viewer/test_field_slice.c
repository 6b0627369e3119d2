/* Slices through distance fields, as the viewer draws them, and the border surface that it draws
 * for three angles. */
#include "plain/field_slice.h"

#include "field_cases.h"
#include "minunit.h"
#include "owned.h"

#include <stdlib.h>

static sinew_field *ring(int axes, int resolution) {
  enum { count = 80 };
  float samples[count * 3];
  sinew_field_desc desc = sinew_default_field_desc(axes);
  for (int i = 0; i < axes; i++) desc.axes[i] = (sinew_field_axis){ -90, 90, resolution, false };
  for (int i = 0; i < count; i++)
    for (int k = 0; k < axes; k++)
      samples[axes * i + k] = 50 * cosf(6.2831853f * (float)i / count + 1.5707963f * (float)k);
  return case_field(&desc, samples, count);
}

MU_TEST(field_slice_shows_the_feasible_region) {
  enum { side = 61 };
  static float distances[side * side];
  static uint8_t pixels[4 * side * side];
  OWNED(field) *f = ring(2, 41);
  float angles[2] = { 0, 0 };
  MU_CHECK(f);
  field_slice(f, 0, 1, angles, side, side, distances);
  field_slice_colors(distances, side, side, 15, pixels);
  int inside = 0, wrong = 0;
  const uint8_t *corner = pixels;
  for (int row = 0; row < side; row++)
    for (int column = 0; column < side; column++) {
      float at[2] = { -90 + 180 * ((float)column + 0.5f) / side,
                      90 - 180 * ((float)row + 0.5f) / side };
      float d = distances[row * side + column];
      const uint8_t *p = pixels + 4 * (row * side + column);
      bool feasible = sinew_field_feasible(f, at);
      inside += feasible;
      if (fabsf(d) > 1e-3f && feasible != (d < 0)) wrong++;
      /* green is the feasible region */
      if (fabsf(d) > 5 && feasible != (p[1] > 90)) wrong++;
    }
  MU_INT(wrong, 0);
  MU_CHECK(inside > side * side / 8 && inside < side * side / 2);
  MU_INT(corner[3], 255);
}

MU_TEST(field_axes_are_clamped_and_wrapped) {
  sinew_field_desc desc = sinew_default_field_desc(2);
  float sample[2] = { 10, 10 };
  desc.axes[0] = (sinew_field_axis){ -180, 180, 36, true };
  desc.axes[1] = (sinew_field_axis){ -40, 60, 20, false };
  OWNED(field) *f = MU_MADE(case_field(&desc, sample, 1));
  MU_NEAR(field_axis_held(f, 0, 190), -170, 1e-4);
  MU_NEAR(field_axis_held(f, 0, -540), -180, 1e-4);
  MU_NEAR(field_axis_held(f, 1, 90), 60, 0);
  MU_NEAR(field_axis_share(f, 1, 10), 0.5, 1e-6);
  MU_NEAR(field_axis_share(f, 0, 450), 0.75, 1e-6);
}

MU_TEST(field_border_is_where_the_distance_is_epsilon) {
  enum { count = 400 };
  float samples[3 * count];
  sinew_field_desc desc = sinew_default_field_desc(3);
  for (int i = 0; i < 3; i++) desc.axes[i] = (sinew_field_axis){ -90, 90, 25, false };
  for (int i = 0; i < count; i++) {
    float z = 2 * ((float)i + 0.5f) / count - 1, r = sqrtf(1 - z * z), at = 2.4f * (float)i;
    samples[3 * i] = 50 * r * cosf(at), samples[3 * i + 1] = 40 * r * sinf(at);
    samples[3 * i + 2] = 45 * z;
  }
  OWNED(field) *f = case_field(&desc, samples, count);
  OWNED(surface) *s = f ? sinew_field_surface(f, NULL) : NULL;
  size_t vertices = s ? sinew_surface_vertex_count(s) : 0;
  double worst = 0;
  for (size_t i = 0; i < vertices; i++) {
    float d = sinew_field_lookup(f, sinew_surface_vertices(s) + 3 * i, NULL);
    worst = fmax(worst, fabs((double)(d - sinew_field_epsilon(f))));
  }
  float cell = 180.0f / 24;
  MU_CHECK(vertices > 100);
  MU_CHECK_SAY(worst < 0.5 * (double)cell, "a vertex is off by %g degrees", worst);
}

MU_SUITE(field_slice)
