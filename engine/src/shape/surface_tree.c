/* The nearest point of a surface, and lines that cross it: a bounding volume hierarchy of
 * triangles, split at the median of the longest axis. Distances are computed in doubles, so that
 * thin triangles do no harm. */
#include <math.h>
#include <string.h>

#include "base/budget_internal.h"
#include "math/wide.h"
#include "shape/surface_internal.h"

enum { LEAF = 4 };

typedef struct box {
  double low[3], high[3];
} box;

struct si_surface_tree {
  const sinew_surface *surface;
  uint32_t *order; /* triangles by leaves */
  box *boxes;      /* node i has the children 2i + 1 and 2i + 2 */
};

static size_t box_count(size_t triangles) {
  size_t count = 1;
  for (size_t left = triangles; left > LEAF; left -= left / 2) count = 2 * count + 1;
  return count;
}

static size_t lay_out(si_surface_tree **tree, size_t triangles, unsigned char *base) {
  si_carver carver = { base, 0 };
  si_surface_tree *t = si_carve(&carver, 1, sizeof *t, SI_ALIGN);
  uint32_t *order = si_carve(&carver, triangles, sizeof *order, SI_ALIGN);
  box *boxes = si_carve(&carver, box_count(triangles), sizeof *boxes, SI_ALIGN);
  if (t) {
    t->order = order;
    t->boxes = boxes;
  }
  *tree = t;
  return carver.used;
}

size_t si_surface_tree_bytes(size_t triangle_count) {
  si_surface_tree *unused;
  return lay_out(&unused, triangle_count, NULL);
}

static const float *vertex(const sinew_surface *s, uint32_t triangle, int corner) {
  return s->vertices + 3 * (size_t)s->triangles[3 * (size_t)triangle + (size_t)corner];
}

/* three times the middle of a triangle on one axis */
static float middle(const sinew_surface *s, uint32_t triangle, int axis) {
  return vertex(s, triangle, 0)[axis] + vertex(s, triangle, 1)[axis] + vertex(s, triangle, 2)[axis];
}

/* moves the `first` smallest on one axis to the front (quickselect) */
static void divide(const si_surface_tree *t, uint32_t *order, size_t count, size_t first,
                   int axis) {
  ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, at = (ptrdiff_t)first;
  uint32_t jump = 1;
  while (low < high) {
    jump = jump * 1664525u + 1013904223u;
    ptrdiff_t pick = low + (ptrdiff_t)((jump >> 8) % (size_t)(high - low + 1));
    float pivot = middle(t->surface, order[pick], axis);
    ptrdiff_t i = low, j = high;
    while (i <= j) {
      while (middle(t->surface, order[i], axis) < pivot) i++;
      while (middle(t->surface, order[j], axis) > pivot) j--;
      if (i <= j) {
        uint32_t swapped = order[i];
        order[i++] = order[j];
        order[j--] = swapped;
      }
    }
    if (at > j && at < i) return;
    if (at <= j)
      high = j;
    else
      low = i;
  }
}

/* false: stopped */
static bool build(const si_surface_tree *t, size_t node, uint32_t *order, size_t count) {
  box *b = &t->boxes[node];
  int widest = 0;
  if (!si_work(4 * count)) return false;
  for (int i = 0; i < 3; i++) {
    b->low[i] = INFINITY;
    b->high[i] = -INFINITY;
  }
  for (size_t k = 0; k < count; k++)
    for (int corner = 0; corner < 3; corner++)
      for (int i = 0; i < 3; i++) {
        double x = (double)vertex(t->surface, order[k], corner)[i];
        b->low[i] = fmin(b->low[i], x);
        b->high[i] = fmax(b->high[i], x);
      }
  if (count <= LEAF) return true;
  for (int i = 1; i < 3; i++)
    if (b->high[i] - b->low[i] > b->high[widest] - b->low[widest]) widest = i;
  divide(t, order, count, count / 2, widest);
  return build(t, 2 * node + 1, order, count / 2) &&
         build(t, 2 * node + 2, order + count / 2, count - count / 2);
}

si_surface_tree *si_surface_tree_create(const sinew_surface *surface) {
  si_surface_tree *tree;
  unsigned char *block = si_alloc(si_surface_tree_bytes(surface->triangle_count));
  if (!block) return NULL;
  lay_out(&tree, surface->triangle_count, block);
  tree->surface = surface;
  for (size_t i = 0; i < surface->triangle_count; i++) tree->order[i] = (uint32_t)i;
  if (build(tree, 0, tree->order, surface->triangle_count)) return tree;
  si_free(block);
  return NULL;
}

void si_surface_tree_destroy(si_surface_tree *tree) { si_free(tree); }

static void try_point(const double *place, const double *point, double *best, double *dest,
                      bool *found) {
  double d[3] = { point[0] - place[0], point[1] - place[1], point[2] - place[2] };
  double square = si_wide_dot(d, d);
  if (square < *best) {
    *best = square;
    memcpy(dest, point, 3 * sizeof *dest);
    *found = true;
  }
}

static bool try_triangle(const sinew_surface *s, uint32_t triangle, const double *place,
                         double *best, double *dest) {
  double v[3][3], edge[3][3], out[3][3], normal[3], point[3];
  bool found = false, inside = true;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) v[k][i] = (double)vertex(s, triangle, k)[i];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      edge[k][i] = v[(k + 1) % 3][i] - v[k][i];
      out[k][i] = place[i] - v[k][i];
    }
  si_wide_cross(edge[0], edge[1], normal);
  const double square = si_wide_dot(normal, normal);
  for (int k = 0; k < 3; k++) inside &= si_wide_triple(edge[k], out[k], normal) >= 0;
  if (inside && square > 0) {
    double t = si_wide_dot(normal, out[0]) / square;
    for (int i = 0; i < 3; i++) point[i] = place[i] - t * normal[i];
    try_point(place, point, best, dest, &found);
    return found;
  }
  for (int k = 0; k < 3; k++) {
    double length = si_wide_dot(edge[k], edge[k]),
           t = length > 0 ? si_wide_dot(out[k], edge[k]) / length : 0;
    t = fmin(fmax(t, 0), 1);
    for (int i = 0; i < 3; i++) point[i] = v[k][i] + t * edge[k][i];
    try_point(place, point, best, dest, &found);
  }
  return found;
}

static double box_distance(const box *b, const double *place) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double d = fmax(fmax(b->low[i] - place[i], place[i] - b->high[i]), 0);
    sum += d * d;
  }
  return sum;
}

uint32_t si_surface_tree_nearest(const si_surface_tree *tree, const double place[3], uint32_t guess,
                                 double *best, double dest[3]) {
  struct {
    size_t node, first, count;
    double distance;
  } open[64];
  const sinew_surface *s = tree->surface;
  int depth = 0;
  size_t looks = 1;
  uint32_t nearest = guess;
  try_triangle(s, guess, place, best, dest);
  open[depth].node = open[depth].first = 0;
  open[depth].count = s->triangle_count;
  open[depth++].distance = box_distance(&tree->boxes[0], place);
  while (depth-- > 0) {
    size_t node = open[depth].node, first = open[depth].first, count = open[depth].count;
    if (open[depth].distance >= *best) continue;
    looks++;
    if (count <= LEAF) {
      looks += 4 * count;
      for (size_t k = first; k < first + count; k++)
        if (try_triangle(s, tree->order[k], place, best, dest)) nearest = tree->order[k];
      continue;
    }
    double a = box_distance(&tree->boxes[2 * node + 1], place);
    double b = box_distance(&tree->boxes[2 * node + 2], place);
    /* the nearer child is pushed last, so it is visited first */
    for (int turn = 0; turn < 2; turn++) {
      bool second = (b < a) == (turn == 1);
      open[depth].node = 2 * node + 1 + second;
      open[depth].first = second ? first + count / 2 : first;
      open[depth].count = second ? count - count / 2 : count / 2;
      open[depth++].distance = second ? b : a;
    }
  }
  si_work(looks);
  return nearest;
}

/* where the line enters the box: the last of its entries between pairs of planes; above 1 if it
 * does not */
static double line_meets_box(const box *b, const double *from, const double *way) {
  double first = 0, last = 1;
  for (int i = 0; i < 3; i++) {
    if (way[i] == 0) {
      if (from[i] < b->low[i] || from[i] > b->high[i]) return 2;
      continue;
    }
    double enter = (b->low[i] - from[i]) / way[i], leave = (b->high[i] - from[i]) / way[i];
    first = fmax(first, fmin(enter, leave));
    last = fmin(last, fmax(enter, leave));
  }
  return first <= last ? first : 2;
}

static int line_crosses(const sinew_surface *s, uint32_t triangle, const double *from,
                        const double *way, double *nearest) {
  double v[3][3], volumes[3], normal[3], edge[2][3];
  for (int k = 0; k < 3; k++) {
    bool here = true;
    for (int i = 0; i < 3; i++) {
      v[k][i] = (double)vertex(s, triangle, k)[i] - from[i];
      here &= v[k][i] == 0;
    }
    if (here) return 0;
  }
  for (int i = 0; i < 3; i++) {
    edge[0][i] = v[1][i] - v[0][i];
    edge[1][i] = v[2][i] - v[0][i];
  }
  si_wide_cross(edge[0], edge[1], normal);
  const double slope = si_wide_dot(normal, way), at = si_wide_dot(normal, v[0]) / slope;
  if (!(at > 0 && at < *nearest)) return 0;
  for (int k = 0; k < 3; k++) volumes[k] = si_wide_triple(way, v[k], v[(k + 1) % 3]);
  const bool all_up = volumes[0] >= 0 && volumes[1] >= 0 && volumes[2] >= 0;
  const bool all_down = volumes[0] <= 0 && volumes[1] <= 0 && volumes[2] <= 0;
  if (!all_up && !all_down) return 0;
  *nearest = at;
  return slope > 0 ? 1 : -1;
}

int si_surface_tree_cross(const si_surface_tree *tree, const float from[3], const float way[3],
                          float *at) {
  struct {
    size_t node, first, count;
    double enter;
  } open[64] = { { 0, 0, tree->surface->triangle_count, 0 } };
  const double start[3] = { (double)from[0], (double)from[1], (double)from[2] };
  const double line[3] = { (double)way[0], (double)way[1], (double)way[2] };
  double nearest = 1;
  int found = 0;
  size_t looks = 1;
  for (int depth = 1; depth-- > 0;) {
    const size_t node = open[depth].node, first = open[depth].first, count = open[depth].count;
    if (open[depth].enter > nearest) continue;
    looks += 3;
    if (count <= LEAF) {
      looks += 2 * count;
      for (size_t k = first; k < first + count; k++) {
        int crossed = line_crosses(tree->surface, tree->order[k], start, line, &nearest);
        if (crossed) found = crossed;
      }
      continue;
    }
    double a = line_meets_box(&tree->boxes[2 * node + 1], start, line);
    double b = line_meets_box(&tree->boxes[2 * node + 2], start, line);
    for (int turn = 0; turn < 2; turn++) {
      bool second = (b < a) == (turn == 1); /* the nearer child is visited first */
      if ((second ? b : a) > nearest) continue;
      open[depth].node = 2 * node + 1 + second;
      open[depth].first = second ? first + count / 2 : first;
      open[depth].count = second ? count - count / 2 : count / 2;
      open[depth++].enter = second ? b : a;
    }
  }
  si_work(looks);
  *at = (float)nearest;
  return found;
}
