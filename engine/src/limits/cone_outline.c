/* The outline of fewest points in a corridor about V.
 *
 * A great circle that does not pass through V has cot(polar) = A cos(azimuth) + B sin(azimuth).
 * With the cotangent as the height c, an edge that starts at azimuth p is c(q) = c(p) cos(q - p) +
 * m sin(q - p). Each border that it passes restricts the slope m to a range, and all of them
 * together to an interval. So one sweep from a start finds all edges that stay in the corridor. The
 * outline is a shortest closed path over borders, at the inner side of the corridor, its middle or
 * its outer side. */
#include "limits/cone_outline.h"

#include "base/alloc.h"
#include "base/budget_internal.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 3 };

#define TURN       (2 * 3.14159265358979323846)
#define WIDEST     (170.0 / 360 * TURN) /* largest width of an edge, in azimuth */
#define LEVEL_COST 1e-3                 /* of two outlines with as many points, the tighter wins */

typedef struct corridor {
  int count;
  const double *heights; /* cot of each border at each level */
  const double *sines, *cosines;
} corridor;

typedef struct step {
  double cost;
  int from; /* previous node of the path, or -1 */
} step;

/* follows all edges from a node: lowers the cost of the nodes they reach, up to position `end`,
 * which is the start again and must be at `end_level` */
static int relax(const corridor *c, int start, int position, int level, int end, int end_level,
                 step *steps) {
  const double *heights = c->heights;
  int border = (start + position) % c->count, longest = 0;
  double here = heights[border * LEVELS + level], low = -HUGE_VAL, high = HUGE_VAL;
  double cost = steps[position * LEVELS + level].cost;
  for (int gone = 1; position + gone <= end && low <= high; gone++) {
    if (gone * TURN / c->count > WIDEST) break;
    const double *there = heights + (border + gone) % c->count * LEVELS;
    double base = here * c->cosines[gone], scale = 1 / c->sines[gone];
    for (int k = 0; k < LEVELS; k++) {
      double slope = (there[k] - base) * scale, total = cost + 1 + k * LEVEL_COST;
      if (slope < low || slope > high || (position + gone == end && k != end_level)) continue;
      step *next = &steps[(position + gone) * LEVELS + k];
      if (total < next->cost) *next = (step){ total, position * LEVELS + level };
      longest = gone;
    }
    low = fmax(low, (there[LEVELS - 1] - base) * scale);
    high = fmin(high, (there[0] - base) * scale);
  }
  return longest;
}

static double close_walk(const corridor *c, int start, int level, step *steps) {
  for (int i = 0; i < (c->count + 1) * LEVELS; i++) steps[i] = (step){ HUGE_VAL, -1 };
  steps[level].cost = 0;
  for (int position = 0; position < c->count && si_work(80); position++)
    for (int k = 0; k < LEVELS; k++)
      if (steps[position * LEVELS + k].cost < HUGE_VAL)
        relax(c, start, position, k, c->count, level, steps);
  return steps[c->count * LEVELS + level].cost;
}

/* the longest edge anywhere; a closed path has a point in every run of as many borders */
static int longest_edge(const corridor *c, step *steps) {
  int longest = 1;
  for (int border = 0; border < c->count; border++)
    for (int k = 0; k < LEVELS; k++) {
      for (int i = 0; i < (c->count + 1) * LEVELS; i++) steps[i] = (step){ HUGE_VAL, -1 };
      steps[k].cost = 0;
      int reached = relax(c, border, 0, k, c->count - 1, 0, steps);
      if (reached > longest) longest = reached;
    }
  return longest;
}

static int walk_back(const corridor *c, int start, int level, const step *steps, double polars[],
                     si_outline_point *dest) {
  int count = 0;
  for (int node = steps[c->count * LEVELS + level].from; node >= 0; node = steps[node].from) {
    int border = (start + node / LEVELS) % c->count;
    dest[count++] = (si_outline_point){ border, polars[border * LEVELS + node % LEVELS] };
  }
  /* the path is found from its end; rotates the lowest azimuth to the front */
  int lowest = 0;
  for (int i = 0; i < count / 2; i++) {
    si_outline_point swap = dest[i];
    dest[i] = dest[count - 1 - i];
    dest[count - 1 - i] = swap;
  }
  for (int i = 1; i < count; i++)
    if (dest[i].border < dest[lowest].border) lowest = i;
  for (; lowest > 0; lowest--) {
    si_outline_point first = dest[0];
    memmove(dest, dest + 1, (size_t)(count - 1) * sizeof *dest);
    dest[count - 1] = first;
  }
  return count;
}

int si_outline_fewest(const double *inner, int count, double tolerance, double widest,
                      si_outline_point *dest) {
  size_t n = (size_t)count;
  double *numbers = si_alloc_array(2 * n * LEVELS + 2 * n, sizeof *numbers);
  step *steps = si_alloc_array(2 * (n + 1) * LEVELS, sizeof *steps);
  int found = -1;
  if (numbers && steps) {
    double *heights = numbers, *polars = numbers + n * LEVELS, *sines = polars + n * LEVELS;
    double *cosines = sines + n;
    for (int i = 0; i < count; i++) {
      sines[i] = sin(i * TURN / count);
      cosines[i] = cos(i * TURN / count);
      for (int k = 0; k < LEVELS; k++) {
        double polar = fmin(inner[i] + tolerance * k / (LEVELS - 1), fmax(widest, inner[i]));
        polars[i * LEVELS + k] = polar;
        heights[i * LEVELS + k] = cos(polar) / sin(polar);
      }
    }
    corridor c = { count, heights, sines, cosines };
    step *best = steps + (n + 1) * LEVELS;
    double least = HUGE_VAL;
    int window = longest_edge(&c, steps), best_start = 0, best_level = 0;
    for (int start = 0; start < window; start++)
      for (int k = 0; k < LEVELS; k++) {
        double cost = close_walk(&c, start, k, steps);
        if (cost >= least) continue;
        least = cost, best_start = start, best_level = k;
        memcpy(best, steps, (n + 1) * LEVELS * sizeof *steps);
      }
    if (!si_stopped()) found = walk_back(&c, best_start, best_level, best, polars, dest);
  }
  si_free(numbers);
  si_free(steps);
  return found;
}
