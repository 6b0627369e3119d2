/* From a recipe to triangles: surface nets (S. Gibson, 1998) on a grid, each vertex moved onto the
 * surface by Newton steps.
 *
 * The grid is filled by descending an octree. In each node only those primitives are kept that can
 * matter there, and a node that is far from the surface is filled with its sign. */
#include "shape/solid_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "shape/solid_net.h"

enum {
  leaf = 2, /* points along an axis */
  most_depth = 16,
  occlusion_samples = 4,
  plain_openness = 215 /* of a mesh with large cells, which is not worth the time: about the mean */
};

typedef struct grid {
  const si_recipe *recipe;
  float cell, low[3];
  int n[3];                           /* points along each axis, a multiple of `leaf` */
  float *values;                      /* of each point */
  uint16_t *room, *stack[most_depth]; /* for lists: one for each depth, and one more */
  bool failed;                        /* memory ran out */
} grid;

static size_t point_at(const grid *g, int i, int j, int k) {
  return ((size_t)k * (size_t)g->n[1] + (size_t)j) * (size_t)g->n[0] + (size_t)i;
}

static void fill_node(grid *g, const int at[3], int size, float value) {
  for (int k = at[2]; k < at[2] + size && k < g->n[2]; k++)
    for (int j = at[1]; j < at[1] + size && j < g->n[1]; j++)
      for (int i = at[0]; i < at[0] + size && i < g->n[0]; i++)
        g->values[point_at(g, i, j, k)] = value;
}

static void place_of(const grid *g, float i, float j, float k, float dest[3]) {
  dest[0] = g->low[0] + i * g->cell;
  dest[1] = g->low[1] + j * g->cell;
  dest[2] = g->low[2] + k * g->cell;
}

static void fill_leaf(grid *g, const int at[3], const uint16_t *list, int count) {
  if (!si_work(8 * (4 + 6 * (size_t)count))) g->failed = true;
  for (int c = 0; c < 8; c++) {
    int i = at[0] + (c & 1), j = at[1] + (c >> 1 & 1), k = at[2] + (c >> 2);
    float p[3];
    place_of(g, (float)i, (float)j, (float)k, p);
    g->values[point_at(g, i, j, k)] = si_recipe_distance_of(g->recipe, list, count, p);
  }
}

static void fill(grid *g, const int at[3], int size, int depth, const uint16_t *list, int count) {
  if (g->failed || at[0] >= g->n[0] || at[1] >= g->n[1] || at[2] >= g->n[2]) return;
  float middle[3], bounds[2], half = 0.5f * (float)(size - 1);
  if (!si_work(5 + 4 * (size_t)count)) g->failed = true;
  place_of(g, (float)at[0] + half, (float)at[1] + half, (float)at[2] + half, middle);
  float reach = 1.733f * half * g->cell; /* to its corners */
  uint16_t *own = g->stack[depth];
  int kept = si_recipe_narrow(g->recipe, list, count, middle, reach, own, bounds);
  if (bounds[1] < 0) {
    fill_node(g, at, size, -1e9f);
  } else if (bounds[0] > 0) {
    return; /* outside, as it was set at first */
  } else if (size == leaf) {
    fill_leaf(g, at, own, kept);
  } else {
    for (int c = 0; c < 8; c++) {
      int next = size / 2;
      int corner[3] = { at[0] + (c & 1) * next, at[1] + (c >> 1 & 1) * next,
                        at[2] + (c >> 2) * next };
      fill(g, corner, next, depth + 1, own, kept);
    }
  }
}

static sinew_status place_grid(grid *g, sinew_error *error) {
  const si_recipe *r = g->recipe;
  double points = 1;
  for (int k = 0; k < 3; k++) {
    double cells = ceil(((double)r->high[k] - (double)r->low[k]) / (double)g->cell) + 4;
    points *= cells + leaf;
    if (!(points <= SINEW_SOLID_CELLS) || !(cells < 30000))
      return si_fail(error, SINEW_ERR_LIMIT,
                     "solid: cells of %g mm are too small for its size of %g mm; at most %d cells",
                     (double)g->cell * 1000, ((double)r->high[k] - (double)r->low[k]) * 1000,
                     SINEW_SOLID_CELLS);
    g->n[k] = ((int)cells + leaf) / leaf * leaf;
    g->low[k] = r->low[k] - 2 * g->cell;
  }
  /* a plane of points in the middle, so that both halves get the same triangles */
  if (r->mirror) {
    int half = g->n[0] / 2;
    g->low[0] = -(float)half * g->cell;
  }
  return SINEW_OK;
}

static bool fill_grid(grid *g) {
  size_t points = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
  g->values = si_alloc_array(points, sizeof *g->values);
  g->room = si_alloc_array((size_t)g->recipe->prim_count * most_depth, sizeof *g->room);
  if (!g->values || !g->room) return false;
  for (size_t i = 0; i < points; i++) g->values[i] = 1e9f;
  for (int d = 0; d < most_depth; d++)
    g->stack[d] = g->room + (size_t)d * (size_t)g->recipe->prim_count;
  int size = leaf, longest = g->n[0] > g->n[1] ? g->n[0] : g->n[1];
  if (g->n[2] > longest) longest = g->n[2];
  while (size < longest) size *= 2;
  const int corner[3] = { 0, 0, 0 };
  fill(g, corner, size, 0, NULL, g->recipe->prim_count);
  return !g->failed;
}

/* --- vertices */

/* what matters around a vertex, within `reach` cells */
typedef struct vicinity {
  const uint16_t *list;
  int count;
} vicinity;

static vicinity around(const grid *g, const float p[3], float reach, uint16_t *room) {
  const si_recipe *r = g->recipe;
  float bounds[2];
  si_work(20 + 2 * (size_t)r->prim_count); /* who adds a vertex stops */
  return (vicinity){ room,
                     si_recipe_narrow(r, NULL, r->prim_count, p, reach * g->cell, room, bounds) };
}

/* the gradient by differences at the corners of a tetrahedron; returns the value */
static float gradient(const grid *g, vicinity near, const float p[3], float dest[3]) {
  static const float corners[4][3] = { { 1, -1, -1 }, { -1, -1, 1 }, { -1, 1, -1 }, { 1, 1, 1 } };
  const float step = 0.05f * g->cell;
  float mean = 0;
  dest[0] = dest[1] = dest[2] = 0;
  for (int c = 0; c < 4; c++) {
    float q[3];
    for (int k = 0; k < 3; k++) q[k] = p[k] + corners[c][k] * step;
    float f = si_recipe_distance_of(g->recipe, near.list, near.count, q);
    for (int k = 0; k < 3; k++) dest[k] += corners[c][k] * f / (4 * step);
    mean += f / 4;
  }
  return mean;
}

/* moves a point onto the surface, by 0.6 cells along each axis at most; else leaves it */
static void settle(const grid *g, float p[3]) {
  const float far = 0.6f * g->cell;
  vicinity near = around(g, p, 1.2f, g->stack[0]);
  float q[3] = { p[0], p[1], p[2] }, n[3];
  for (int step = 0; step < 2; step++) {
    float f = gradient(g, near, q, n), square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (!(square > 0.04f)) return;
    for (int k = 0; k < 3; k++) q[k] -= f / square * n[k];
  }
  for (int k = 0; k < 3; k++)
    if (!(fabsf(q[k] - p[k]) <= far)) return;
  memcpy(p, q, sizeof q);
}

/* the mean of the places where edges of the cell cross the surface */
static void cell_middle(const float corner[8], float dest[3]) {
  int crossings = 0;
  dest[0] = dest[1] = dest[2] = 0;
  for (int s = 0; s < 8; s++)
    for (int axis = 0; axis < 3; axis++) {
      int e = s | 1 << axis;
      if (e == s || (corner[s] < 0) == (corner[e] < 0)) continue;
      float at[3] = { (float)(s & 1), (float)(s >> 1 & 1), (float)(s >> 2) };
      at[axis] = corner[s] / (corner[s] - corner[e]);
      for (int k = 0; k < 3; k++) dest[k] += at[k];
      crossings++;
    }
  for (int k = 0; k < 3; k++) dest[k] /= (float)crossings;
}

/* whether these corners of a cell (a bit each) hang together along its edges */
static bool is_connected(unsigned corners) {
  unsigned found = corners & (~corners + 1), before = 0; /* the lowest one */
  while (found != before) {
    before = found;
    for (int s = 0; s < 8; s++)
      for (int axis = 0; axis < 3; axis++)
        if (found >> s & 1) found |= corners & 1u << (s ^ 1 << axis);
  }
  return found == corners;
}

static bool add_vertex(grid *g, si_net *net, const int at[3], int *dest) {
  float corner[8], p[3];
  unsigned inside = 0;
  for (int s = 0; s < 8; s++) {
    corner[s] = g->values[point_at(g, at[0] + (s & 1), at[1] + (s >> 1 & 1), at[2] + (s >> 2))];
    if (corner[s] < 0) inside |= 1u << s;
  }
  *dest = -1;
  if (inside == 0 || inside == 255) return true;
  if (si_stopped()) return false;
  cell_middle(corner, p);
  for (int k = 0; k < 3; k++) p[k] = g->low[k] + ((float)at[k] + p[k]) * g->cell;
  settle(g, p);
  *dest = net->vertex_count;
  /* two sheets pass through the cell where the corners of one side are apart */
  return si_net_vertex(net, p, !is_connected(inside) || !is_connected(~inside & 255));
}

/* the four cells around an edge of the grid, as a quad that faces outwards */
static bool add_quad(const grid *g, si_net *net, const int *cells, const int at[3], int axis,
                     bool inwards) {
  static const int around[4][2] = { { -1, -1 }, { 0, -1 }, { 0, 0 }, { -1, 0 } };
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  int quad[4];
  for (int c = 0; c < 4; c++) {
    int cell[3] = { at[0], at[1], at[2] };
    cell[u] += around[c][0];
    cell[v] += around[c][1];
    quad[inwards ? 3 - c : c] = cells[point_at(g, cell[0], cell[1], cell[2])];
  }
  return si_net_quad(net, quad);
}

static bool add_surface(grid *g, si_net *net) {
  size_t points = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
  if (!si_work(points)) return false;
  int *cells = si_alloc_array(points, sizeof *cells);
  bool good = cells != NULL;
  for (int k = 0; good && k + 1 < g->n[2]; k++)
    for (int j = 0; good && j + 1 < g->n[1]; j++)
      for (int i = 0; good && i + 1 < g->n[0]; i++) {
        const int at[3] = { i, j, k };
        good = add_vertex(g, net, at, &cells[point_at(g, i, j, k)]);
      }
  for (int k = 1; good && k + 1 < g->n[2]; k++)
    for (int j = 1; good && j + 1 < g->n[1]; j++)
      for (int i = 1; good && i + 1 < g->n[0]; i++) {
        const int at[3] = { i, j, k };
        bool here = g->values[point_at(g, i, j, k)] < 0;
        for (int axis = 0; good && axis < 3; axis++) {
          bool there =
              g->values[point_at(g, i + (axis == 0), j + (axis == 1), k + (axis == 2))] < 0;
          if (here != there) good = add_quad(g, net, cells, at, axis, there);
        }
      }
  si_free(cells);
  return good;
}

/* How open a vertex is to light: the field some way along the normal is as large as the way in the
 * open, and smaller in a hollow (A. Evans, 2006). */
static uint8_t openness(const grid *g, const float *p, const float *n) {
  float shade = 0, weight = 0.5f, way = 1.5f * g->recipe->cell;
  for (int i = 0; i < occlusion_samples; i++, way *= 2, weight *= 0.75f) {
    float q[3];
    for (int k = 0; k < 3; k++) q[k] = p[k] + n[k] * way;
    float hidden = 1 - si_recipe_distance(g->recipe, q) / way;
    if (hidden > 0) shade += weight * fminf(hidden, 1);
  }
  return (uint8_t)(255 * fmaxf(0, 1 - shade) + 0.5f);
}

static sinew_mesh *finish(grid *g, const si_net *net, sinew_error *error) {
  sinew_mesh *mesh =
      si_mesh_make((size_t)net->vertex_count, (size_t)net->triangle_count, true, error);
  if (!mesh) return NULL;
  memcpy(mesh->vertices, net->vertices, 3 * (size_t)net->vertex_count * sizeof(float));
  memcpy(mesh->triangles, net->triangles, 3 * (size_t)net->triangle_count * sizeof(uint32_t));
  for (int i = 0; i < net->vertex_count; i++) {
    float *p = mesh->vertices + 3 * i, *n = mesh->normals + 3 * i;
    if (!si_work(20 * (size_t)g->recipe->prim_count)) {
      sinew_mesh_destroy(mesh);
      return si_memory_null(error);
    }
    gradient(g, around(g, p, 0.1f, g->stack[0]), p, n);
    float length = si_length3(n);
    for (int k = 0; k < 3; k++) n[k] = length > 0 ? n[k] / length : k == 1;
    mesh->occlusion[i] = g->cell > g->recipe->cell ? plain_openness : openness(g, p, n);
  }
  return mesh;
}

sinew_mesh *si_recipe_mesh(const si_recipe *recipe, float cell, float tolerance,
                           sinew_error *error) {
  grid g = { .recipe = recipe, .cell = cell };
  si_net net = { 0 };
  sinew_mesh *mesh = NULL;
  if (place_grid(&g, error) < 0) return NULL;
  if (!fill_grid(&g) || !add_surface(&g, &net) || !si_net_mend(&net) ||
      !si_net_simplify(&net, tolerance))
    si_fail_memory(error);
  else if (net.triangle_count == 0)
    si_fail(error, SINEW_ERR_VALUE,
            "solid: nothing is left of it; its parts are thinner than a "
            "cell of %g mm, or all is cut away",
            (double)cell * 1000);
  else
    mesh = finish(&g, &net, error);
  si_net_free(&net);
  si_free(g.room);
  si_free(g.values);
  return mesh;
}

/* Vertices keep their normals and shades, although they move a little. */
sinew_mesh *si_mesh_fewer(const sinew_mesh *mesh, float tolerance, sinew_error *error) {
  size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
  sinew_mesh *work = si_mesh_make(vertices, triangles, false, error), *dest = NULL;
  int *places = si_alloc_array(vertices + 1, sizeof *places), count = 0;
  int left = -1;
  if (work && places) {
    memcpy(work->vertices, mesh->vertices, 3 * vertices * sizeof(float));
    memcpy(work->triangles, mesh->triangles, 3 * triangles * sizeof(uint32_t));
    left = sinew_mesh_simplify(work->vertices, mesh->vertex_count, work->triangles,
                               mesh->triangle_count, tolerance, 32);
  }
  for (int i = 0; i < 3 * left; i++) places[work->triangles[i]] = 1;
  for (int v = 0; left > 0 && v < mesh->vertex_count; v++) count += places[v];
  if (left > 0) dest = si_mesh_make((size_t)count, (size_t)left, true, error);
  count = 0;
  for (int v = 0; dest && v < mesh->vertex_count; v++) {
    if (!places[v]) continue;
    memcpy(dest->vertices + 3 * count, work->vertices + 3 * v, 3 * sizeof(float));
    memcpy(dest->normals + 3 * count, mesh->normals + 3 * v, 3 * sizeof(float));
    dest->occlusion[count] = mesh->occlusion[v];
    places[v] = count++;
  }
  for (int i = 0; dest && i < 3 * left; i++)
    dest->triangles[i] = (uint32_t)places[work->triangles[i]];
  if (!dest) si_fail_memory(error);
  sinew_mesh_destroy(work);
  si_free(places);
  return dest;
}
