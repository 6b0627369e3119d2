/* The map component's constants and kernel, shared with the fused program.
 *
 * Most maps have the same points for all curves, as those of a spine do. Then one search finds the
 * interval for all, and its cubics stand side by side, four at a time. */
#ifndef SI_MAP_H
#define SI_MAP_H

#include "math/curve_internal.h"

/* the data: the curves, then this, then its arrays */
typedef struct si_map_table {
  uint32_t knots;  /* 0: the curves differ */
  uint32_t lanes;  /* the number of curves, filled up to fours */
  float low, high; /* x is clamped to them, as a curve's */
  bool clamps;     /* to the points; else the curves extend */
  bool straight;   /* c and d are 0 */
  /* knots, filled up to fours with NaNs; then a, b, c and d of all curves for what lies below the
   * points, for each interval, and for what lies beyond */
  _Alignas(16) float data[];
} si_map_table;

static inline const si_map_table *si_map_table_of(const void *data, uint32_t count) {
  size_t at = (count * sizeof(const sinew_curve *) + 15) / 16 * 16;
  return (const si_map_table *)(const void *)((const char *)data + at);
}

/* The outputs of a map stand one after the other, and what fills them up to fours is nobody's. */
static inline void si_map_eval(const si_map_table *m, float x, float *dest) {
  const float *knots = m->data;
  uint32_t count = m->knots, width = m->lanes;
  x = si_clamp(x, m->low, m->high);
  uint32_t i = si_passed(knots, count, x);
  const float *at = m->data + (count + 3) / 4 * 4 + 4 * (size_t)i * width;
  si_v4 t = si_all(x - knots[i - (i > 0)]);
  if (m->straight) {
    for (uint32_t k = 0; k < width; k += 4)
      si_store(dest + k, si_line_four(si_load(at + k), si_load(at + width + k), t));
    return;
  }
  for (uint32_t k = 0; k < width; k += 4)
    si_store(dest + k, si_cubic_four(si_load(at + k), si_load(at + width + k),
                                     si_load(at + 2 * width + k), si_load(at + 3 * width + k), t));
}

#endif
