/* The map's constants, for its evaluation one by one and in lanes. */
#ifndef SI_MAP_TABLE_H
#define SI_MAP_TABLE_H

#include "curve.h"

#include <stdbool.h>
#include <stddef.h>

/* the data: the curves, then this, then its arrays */
typedef struct si_map_table {
  uint32_t knots; /* 0: the curves differ */
  uint32_t lanes; /* the number of curves, filled up to fours */
  bool clamps;    /* outside the points; else they extend */
  bool straight;  /* c and d are 0 */
  /* knots; then a, b, c and d of all curves for what lies below the points, for each interval, and
   * for what lies beyond */
  _Alignas(16) float data[];
} si_map_table;

static inline size_t si_map_round_up(size_t bytes) { return (bytes + 15) / 16 * 16; }
static inline uint32_t si_map_fours(uint32_t count) { return (count + 3) / 4 * 4; }
static inline const si_map_table *si_map_shared(const void *data, uint32_t count) {
  size_t at = si_map_round_up(count * sizeof(const sinew_curve *));
  return (const si_map_table *)(const void *)((const char *)data + at);
}

#endif
