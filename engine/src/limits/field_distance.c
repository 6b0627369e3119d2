/* The nearest sample of every node of a grid, exactly [Engell 2012, eq. 2 and 4].
 *
 * Samples can be anywhere in their cells. The separable distance transforms (Felzenszwalb and
 * Huttenlocher, Meijster) are exact only for samples on nodes; snapping would move each sample by
 * up to half a diagonal, as much as epsilon itself. So the samples are stored in a tree of boxes
 * with eight children each. The search for a node of the grid starts with its neighbours' nearest
 * samples as a bound, which leaves only a few boxes to open. Time grows linearly with the number of
 * nodes, and with the logarithm of the number of samples in a cell.
 *
 * A box's distance is computed by the same operations as a sample's. Rounding is monotonic, so no
 * box with a nearer sample is skipped, and the result is that of brute force in floats. */
#include <math.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "base/budget_internal.h"
#include "limits/field_internal.h"
#include "math/vector.h"

enum { WIDE = 8, LEVELS = 11 };

/* Level 0 holds the samples, level k + 1 the boxes around each group of eight of level k. A group
 * is stored axis by axis, eight numbers each: the coordinates of samples, or the lower and then the
 * upper ends of boxes. */
typedef struct tree {
  float *level[LEVELS];
  int top;               /* the level with a single group, where a search starts */
  float place[SI_AXES];  /* the point whose nearest sample is searched for */
  float period[SI_AXES]; /* infinite if an axis does not wrap */
  float best;
  uint32_t found;
  size_t looks; /* groups that were looked at since work was spent */
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

/* Moves the `first` smallest on one axis to the front (Hoare's selection). The pivots are
 * irregular, because samples of motion are periodic, which makes regular ones bad */
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

/* sorts the points so that each group of eight, of eight times eight ... is close together; false:
 * stopped */
static bool gather(float *points, size_t count, int n) {
  if (count <= WIDE) return true;
  if (!si_work(1 + count)) return false;
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
    if (high - low > widest) {
      widest = high - low;
      axis = i;
    }
  }
  divide(points, count, first, axis, n);
  return gather(points, first, n) && gather(points + first * (size_t)n, count - first, n);
}

static void plant(tree *t, const float *points, size_t count, float *scratch, int n) {
  const size_t group = (size_t)n * WIDE;
  t->level[0] = scratch;
  for (size_t k = 0; k < groups_of(count) * WIDE; k++) {
    /* the last group is padded with its last point */
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

/* eight numbers at once */
typedef struct wide {
  si_v4 a, b;
} wide;

/* minimum and maximum, and a bit mask of the eight distances that are below a bound */
#if defined(__SSE__)
static inline si_v4 least4(si_v4 x, si_v4 y) { return (si_v4)_mm_min_ps((__m128)x, (__m128)y); }
static inline si_v4 most4(si_v4 x, si_v4 y) { return (si_v4)_mm_max_ps((__m128)x, (__m128)y); }
static inline uint32_t below(wide d, float bound) {
  __m128 all = _mm_set1_ps(bound);
  return (uint32_t)(_mm_movemask_ps(_mm_cmplt_ps((__m128)d.a, all)) |
                    _mm_movemask_ps(_mm_cmplt_ps((__m128)d.b, all)) << 4);
}
#else
typedef int32_t bits4 __attribute__((vector_size(16)));
static inline si_v4 least4(si_v4 x, si_v4 y) {
  bits4 pick = x < y;
  return (si_v4)(((bits4)x & pick) | ((bits4)y & ~pick));
}
static inline si_v4 most4(si_v4 x, si_v4 y) { return -least4(-x, -y); }
static inline uint32_t below(wide d, float bound) {
  const bits4 each = { 1, 2, 4, 8 };
  bits4 both = ((d.a < si_all(bound)) & each) | ((d.b < si_all(bound)) & each) << 4;
  return (uint32_t)(both[0] | both[1] | both[2] | both[3]);
}
#endif

static inline si_v4 square_to_points(si_v4 point, si_v4 x, si_v4 period) {
  si_v4 d = point - x;
  d = most4(d, -d);
  d = least4(d, period - d);
  return d * d;
}

static inline si_v4 square_to_boxes(si_v4 low, si_v4 high, si_v4 x, si_v4 period) {
  si_v4 a = low - x, b = x - high;
  si_v4 d = least4(most4(most4(a, b), si_all(0)), period + least4(a, b));
  return d * d;
}

/* squared distances to eight points, and to eight boxes */
static inline wide to_points(const tree *t, const float *group, int n) {
  wide sum = { si_all(0), si_all(0) };
  for (int i = 0; i < n; i++, group += WIDE) {
    si_v4 x = si_all(t->place[i]), period = si_all(t->period[i]);
    sum.a += square_to_points(si_load(group), x, period);
    sum.b += square_to_points(si_load(group + 4), x, period);
  }
  return sum;
}

static inline wide to_boxes(const tree *t, const float *group, int n) {
  wide sum = { si_all(0), si_all(0) };
  const float *high = group + WIDE * n;
  for (int i = 0; i < n; i++, group += WIDE, high += WIDE) {
    si_v4 x = si_all(t->place[i]), period = si_all(t->period[i]);
    sum.a += square_to_boxes(si_load(group), si_load(high), x, period);
    sum.b += square_to_boxes(si_load(group + 4), si_load(high + 4), x, period);
  }
  return sum;
}

typedef struct opened {
  _Alignas(16) float distance[WIDE];
  uint32_t group, closed; /* closed: bit mask of the boxes that are not yet opened */
} opened;

/* the next box that is near enough, on this level or farther up; false if there is none */
static inline bool next_box(const tree *t, opened *open, int *level, uint32_t *group) {
  for (; *level <= t->top; ++*level) {
    opened *o = &open[*level];
    while (o->closed) {
      uint32_t at = (uint32_t)__builtin_ctz(o->closed);
      o->closed &= o->closed - 1;
      if (o->distance[at] >= t->best) continue;
      *group = o->group * WIDE + at;
      --*level;
      return true;
    }
  }
  return false;
}

static inline __attribute__((always_inline)) void search(tree *t, int n) {
  opened open[LEVELS];
  int level = t->top;
  uint32_t group = 0;
  do {
    t->looks++;
    if (level == 0) {
      wide d = to_points(t, t->level[0] + (size_t)group * WIDE * (size_t)n, n);
      for (uint32_t near = below(d, t->best); near; near &= near - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(near);
        float distance = k < 4 ? d.a[k] : d.b[k - 4];
        if (distance < t->best) {
          t->best = distance;
          t->found = group * WIDE + k;
        }
      }
      level = 1;
    } else {
      wide d = to_boxes(t, t->level[level] + (size_t)group * WIDE * 2 * (size_t)n, n);
      si_store(open[level].distance, d.a);
      si_store(open[level].distance + 4, d.b);
      open[level].group = group;
      open[level].closed = below(d, t->best);
    }
  } while (next_box(t, open, &level, &group));
}

static inline float distance_to(const tree *t, const float *point, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    float d = fabsf(point[i] - t->place[i]);
    d = d < t->period[i] - d ? d : t->period[i] - d;
    sum += d * d;
  }
  return sum;
}

static inline __attribute__((always_inline)) bool
walk(tree *t, const si_grid *grid, const float *points, uint32_t *nearest, float *distance, int n) {
  int at[SI_AXES] = { 0 };
  for (uint32_t node = 0; node < grid->nodes; node++) {
    if (at[0] == 0) {
      if (!si_work(4 * (size_t)grid->resolution[0] + t->looks + t->looks / 2)) return false;
      t->looks = 0;
    }
    t->best = INFINITY;
    for (int i = 0; i < n; i++) t->place[i] = si_grid_place(grid, i, at[i]);
    for (int i = 0; i < n; i++) {
      if (at[i] == 0) continue;
      uint32_t guess = nearest[node - grid->stride[i]];
      float d = distance_to(t, points + (size_t)guess * (size_t)n, n);
      if (d < t->best) {
        t->best = d;
        t->found = guess;
      }
    }
    search(t, n);
    nearest[node] = t->found;
    if (distance) distance[node] = sqrtf(t->best);
    for (int i = 0; i < n && ++at[i] == grid->resolution[i]; i++) at[i] = 0;
  }
  return true;
}

bool si_nearest_points(const si_grid *grid, float *points, uint32_t count, float *scratch,
                       uint32_t *nearest, float *distance) {
  tree t = { .top = 0 };
  for (int i = 0; i < SI_AXES; i++) t.period[i] = grid->wrap[i] ? grid->period[i] : INFINITY;
  if (!gather(points, count, grid->axis_count) || !si_work(2 * (size_t)count)) return false;
  plant(&t, points, count, scratch, grid->axis_count);
  /* a constant number of axes lets the compiler unroll the inner loops */
  switch (grid->axis_count) {
  case 1: return walk(&t, grid, points, nearest, distance, 1);
  case 2: return walk(&t, grid, points, nearest, distance, 2);
  case 3: return walk(&t, grid, points, nearest, distance, 3);
  default: return walk(&t, grid, points, nearest, distance, grid->axis_count);
  }
}
