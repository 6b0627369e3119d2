/* The nearest sample of every node of a grid, exactly.
 *
 * Samples stand anywhere in their cells, and the separable transforms (Felzenszwalb and
 * Huttenlocher, Meijster) are exact only for samples on nodes; snapping would move each by up to
 * half a diagonal, as much as epsilon itself. So the samples are put into a tree of boxes, eight to
 * a branch, and each node of the grid starts with its neighbours' nearest samples as a bound, which
 * leaves only the few boxes around the nearest one to be opened. Time grows linearly with the
 * nodes, and with the logarithm of how many samples share a cell.
 *
 * A box's distance is computed by the same operations as a sample's; rounding is monotonic, so no
 * box is left closed that holds a nearer sample, and the result is the one of brute force in
 * floats.
 */
#include <math.h>

#include "field.h"

enum { WIDE = 8, LEVELS = 11 };

/* Level 0 holds the samples, level k + 1 the boxes around each group of eight of level k. A group
 * is stored axis by axis, eight numbers each: a sample's coordinate, or a box's least and then its
 * greatest ones. */
typedef struct tree {
  float *level[LEVELS];
  int top;               /* its one group is where a search starts */
  float place[SI_AXES];  /* where the nearest is sought */
  float period[SI_AXES]; /* infinite where an axis does not wrap */
  float best;
  uint32_t found;
} tree;

static size_t groups_of(size_t count) { return (count + WIDE - 1) / WIDE; }

size_t si_nearest_scratch(const si_grid *grid, uint32_t count) {
  size_t n = (size_t)grid->axis_count, groups = groups_of(count), floats = groups * WIDE * n;
  while (groups > 1) {
    groups = groups_of(groups);
    floats += groups * WIDE * 2 * n;
  }
  return floats;
}

static void swap_points(float *a, float *b, int n) {
  for (int i = 0; i < n; i++) {
    float t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

/* puts the `first` least on one axis in front (Hoare's selection); the pivots jump about, because
 * samples of a motion come in waves that make regular ones bad */
static void divide(float *points, size_t count, size_t first, int axis, int n) {
  ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, at = (ptrdiff_t)first;
  uint32_t jump = 1;
  while (low < high) {
    float pick[3];
    for (int k = 0; k < 3; k++) {
      jump = jump * 1664525u + 1013904223u;
      pick[k] = points[(low + (ptrdiff_t)((jump >> 8) % (size_t)(high - low + 1))) * n + axis];
    }
    float pivot = fmaxf(fminf(pick[0], pick[1]), fminf(fmaxf(pick[0], pick[1]), pick[2]));
    ptrdiff_t i = low, j = high;
    while (i <= j) {
      while (points[i * n + axis] < pivot) i++;
      while (points[j * n + axis] > pivot) j--;
      if (i <= j) swap_points(points + i++ * n, points + j-- * n, n);
    }
    if (at > j && at < i) return;
    if (at <= j)
      high = j;
    else
      low = i;
  }
}

/* orders the points so that each eight, each eight times eight ... lie together */
static void gather(float *points, size_t count, int n) {
  if (count <= WIDE) return;
  size_t unit = WIDE;
  while (unit * WIDE < count) unit *= WIDE;
  size_t first = ((count + unit - 1) / unit + 1) / 2 * unit;
  float widest = -1;
  int axis = 0;
  for (int i = 0; i < n; i++) {
    float low = points[i], high = low;
    for (size_t k = 1; k < count; k++) {
      float x = points[k * (size_t)n + (size_t)i];
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
    if (high - low > widest) widest = high - low, axis = i;
  }
  divide(points, count, first, axis, n);
  gather(points, first, n);
  gather(points + first * (size_t)n, count - first, n);
}

static void plant(tree *t, const float *points, size_t count, float *scratch, int n) {
  const size_t group = (size_t)n * WIDE;
  t->level[0] = scratch;
  for (size_t k = 0; k < groups_of(count) * WIDE; k++) {
    /* the last group is filled up with its last point */
    const float *point = points + (k < count ? k : count - 1) * (size_t)n;
    for (int i = 0; i < n; i++) scratch[k / WIDE * group + (size_t)i * WIDE + k % WIDE] = point[i];
  }
  scratch += groups_of(count) * group;
  for (size_t below = groups_of(count); below > 1; below = groups_of(below)) {
    const float *from = t->level[t->top];
    const bool leaves = t->top == 0;
    t->level[++t->top] = scratch;
    for (size_t k = 0; k < groups_of(below) * WIDE; k++) {
      float *box = scratch + k / WIDE * 2 * group + k % WIDE;
      for (int i = 0; i < n; i++) {
        float low = INFINITY, high = -INFINITY;
        for (int j = 0; j < WIDE && k < below; j++) {
          const float *row = from + k * (leaves ? group : 2 * group) + i * WIDE + j;
          low = fminf(low, row[0]);
          high = fmaxf(high, leaves ? row[0] : row[group]);
        }
        box[i * WIDE] = low;
        box[group + (size_t)i * WIDE] = high;
      }
    }
    scratch += groups_of(below) * 2 * group;
  }
}

static inline float shorter(float a, float b) { return a < b ? a : b; }
static inline float longer(float a, float b) { return a > b ? a : b; }

/* squared distances to eight points, or to eight boxes */
static inline void point_distances(const tree *t, const float *group, float *dest, int n) {
  float sum[WIDE] = { 0 };
  for (int i = 0; i < n; i++) {
    const float x = t->place[i], period = t->period[i];
    for (int k = 0; k < WIDE; k++) {
      float d = fabsf(group[i * WIDE + k] - x);
      d = shorter(d, period - d);
      sum[k] += d * d;
    }
  }
  for (int k = 0; k < WIDE; k++) dest[k] = sum[k];
}

static inline void box_distances(const tree *t, const float *group, float *dest, int n) {
  float sum[WIDE] = { 0 };
  for (int i = 0; i < n; i++) {
    const float x = t->place[i], period = t->period[i];
    for (int k = 0; k < WIDE; k++) {
      float a = group[i * WIDE + k] - x, b = x - group[(n + i) * WIDE + k];
      float d = shorter(longer(longer(a, b), 0), period + shorter(a, b));
      sum[k] += d * d;
    }
  }
  for (int k = 0; k < WIDE; k++) dest[k] = sum[k];
}

static inline void search(tree *t, int n) {
  struct {
    float distance[WIDE];
    uint32_t group;
  } open[LEVELS];
  int level = t->top;
  uint32_t group = 0;
  for (;;) {
    if (level == 0) {
      float d[WIDE];
      point_distances(t, t->level[0] + (size_t)group * WIDE * (size_t)n, d, n);
      for (uint32_t k = 0; k < WIDE; k++)
        if (d[k] < t->best) t->best = d[k], t->found = group * WIDE + k;
      level++;
    } else {
      open[level].group = group;
      box_distances(t, t->level[level] + (size_t)group * WIDE * 2 * (size_t)n, open[level].distance,
                    n);
    }
    /* the nearest box that is still closed, here or farther up */
    for (;; level++) {
      if (level > t->top) return;
      float *distance = open[level].distance, least = t->best;
      uint32_t at = WIDE;
      for (uint32_t k = 0; k < WIDE; k++)
        if (distance[k] < least) least = distance[k], at = k;
      if (at == WIDE) continue;
      distance[at] = INFINITY;
      group = open[level--].group * WIDE + at;
      break;
    }
  }
}

static inline float distance_to(const tree *t, const float *point, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    float d = fabsf(point[i] - t->place[i]);
    d = shorter(d, t->period[i] - d);
    sum += d * d;
  }
  return sum;
}

static inline void walk(tree *t, const si_grid *grid, const float *points, uint32_t *nearest,
                        float *distance, int n) {
  int at[SI_AXES] = { 0 };
  for (uint32_t node = 0; node < grid->nodes; node++) {
    t->best = INFINITY;
    for (int i = 0; i < n; i++) t->place[i] = si_grid_place(grid, i, at[i]);
    for (int i = 0; i < n; i++) {
      if (at[i] == 0) continue;
      uint32_t guess = nearest[node - grid->stride[i]];
      float d = distance_to(t, points + (size_t)guess * (size_t)n, n);
      if (d < t->best) t->best = d, t->found = guess;
    }
    search(t, n);
    nearest[node] = t->found;
    if (distance) distance[node] = sqrtf(t->best);
    for (int i = 0; i < n && ++at[i] == grid->resolution[i]; i++) at[i] = 0;
  }
}

void si_nearest_points(const si_grid *grid, float *points, uint32_t count, float *scratch,
                       uint32_t *nearest, float *distance) {
  tree t = { .top = 0 };
  for (int i = 0; i < SI_AXES; i++) t.period[i] = grid->wrap[i] ? grid->period[i] : INFINITY;
  gather(points, count, grid->axis_count);
  plant(&t, points, count, scratch, grid->axis_count);
  /* a constant number of axes lets the compiler unroll the inner loops */
  switch (grid->axis_count) {
  case 1: walk(&t, grid, points, nearest, distance, 1); break;
  case 2: walk(&t, grid, points, nearest, distance, 2); break;
  case 3: walk(&t, grid, points, nearest, distance, 3); break;
  default: walk(&t, grid, points, nearest, distance, grid->axis_count); break;
  }
}
