/* The map component's constants and value, shared with the fused program.
 *
 * In most maps, such as that of a spine, all curves have the same points. Then one search finds the
 * interval for all of them, and the cubics of an interval are stored side by side, four at a
 * time. */
#ifndef SI_MAP_H
#define SI_MAP_H

#include "math/curve_internal.h"

/* the data: the curves, then this, then its arrays */
typedef struct si_map_table {
  uint32_t knots;  /* 0: the curves have different points */
  uint32_t lanes;  /* the number of curves, padded to a multiple of four */
  float low, high; /* x is clamped to these, as in a curve */
  bool clamps;     /* the curves clamp x to the points; else they extend */
  bool straight;   /* c and d are 0 */
  /* knots, padded to fours with NaNs; then a, b, c and d of all curves: for x below the points, for
   * each interval, and for x beyond the points */
  _Alignas(16) float data[];
} si_map_table;

static inline const si_map_table *si_map_table_of(const void *data, uint32_t count) {
  size_t at = (count * sizeof(const sinew_curve *) + 15) / 16 * 16;
  return (const si_map_table *)(const void *)((const char *)data + at);
}

/* Writes whole fours. The outputs of a map are consecutive and padded to a multiple of four. */
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
