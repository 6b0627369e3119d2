/* A body around bones: the points at `distance` from the nearest bone. It is the level set of a
 * distance field over x, y and z, extracted by marching tetrahedra.
 *
 * Limbs that touch at rest get a gap between them. A place is in the gap if its nearest bone is
 * nearer than another by less than the gap's width, while poses take it, following the nearest,
 * away from the other by more than three times the distance. The gap is so wide that no triangle
 * crosses it. Where the bones are less than a cell apart it would leave no flesh: it opens there
 * only for limbs that come apart by more than six times the distance, so a finer grid is needed to
 * part fingers. Hollows that are closed all round are filled. */
#include "skin/skin_internal.h"

#include <math.h>

#include "limits/field_internal.h"
#include "shape/mesh_internal.h"

static sinew_status check(float distance, float cell, sinew_error *error) {
  if (!(distance > 0 && isfinite(distance)) || !(cell > 0 && isfinite(cell)))
    return si_fail(error, SINEW_ERR_VALUE, "skin: distance and cell must be above 0");
  if (cell > distance)
    return si_fail(error, SINEW_ERR_VALUE,
                   "skin: cells of %g m are too large for a distance of %g m", (double)cell,
                   (double)distance);
  return SINEW_OK;
}

static sinew_status lay_grid(const si_bones *bones, float distance, float cell,
                             sinew_field_desc *dest, sinew_error *error) {
  double nodes = 1;
  *dest = sinew_default_field_desc(3);
  dest->epsilon = distance;
  for (int k = 0; k < 3; k++) {
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < bones->count; i++) {
      low = fminf(low, bones->list[i].low[k]);
      high = fmaxf(high, bones->list[i].high[k]);
    }
    if (!(low <= high)) return si_fail(error, SINEW_ERR_VALUE, "skin: the rig has no bones");
    low -= distance + cell, high += distance + cell;
    double wide = ceil((double)(high - low) / (double)cell) + 1;
    nodes *= wide;
    if (!(wide <= SINEW_FIELD_RESOLUTION && nodes <= (double)(1 << 24)))
      return si_fail(error, SINEW_ERR_LIMIT, "skin: cells of %g m are too small for this rig",
                     (double)cell);
    dest->axes[k] = (sinew_field_axis){ low, low + (float)(wide - 1) * cell, (int)wide, false };
  }
  dest->memory_limit = (size_t)1 << 30;
  return SINEW_OK;
}

typedef struct body {
  const si_bones *bones;
  const si_trials *trials;
  sinew_field *field;
  uint32_t *nearest; /* for each node: its nearest bone */
  float *cuts;       /* for each node: how far it is inside a gap; below 0: outside */
  float distance, reach, gap;
} body;

static float smooth_step(float x) {
  x = si_clamp(x, 0, 1);
  return x * x * (3 - 2 * x);
}

/* lowers the distance of a node near one bone */
static void measure(body *b, int bone, size_t node, const float *place) {
  float far = si_bone_distance(&b->bones->list[bone], place, b->field->phi[node]);
  if (!(far < b->field->phi[node])) return;
  b->field->phi[node] = far;
  b->nearest[node] = (uint32_t)bone;
}

/* puts a node into the gap between its nearest bone and another */
static void cut(body *b, int bone, size_t node, const float *place) {
  const float near = b->field->phi[node];
  if (b->nearest[node] == (uint32_t)bone || !(near < b->distance + b->gap)) return;
  const float limit = near + b->gap;
  const float more = si_bone_distance(&b->bones->list[bone], place, limit);
  if (!(more < limit)) return;
  float own[3];
  const int nearest = (int)b->nearest[node];
  const float apart = si_trials_apart(b->trials, nearest, bone, place, 8 * b->distance);
  float open = smooth_step(apart / (2 * b->distance) - 3);
  if (open < 1 && apart > 3 * b->distance) {
    si_bone_nearest(&b->bones->list[nearest], place, INFINITY, own);
    const float space = si_bone_distance(&b->bones->list[bone], own, b->gap) / b->gap;
    open = fmaxf(open, smooth_step(2 * space - 1) * smooth_step(apart / b->distance - 3));
  }
  /* a gap that is half open does not reach through all of the flesh */
  const float depth = b->gap * open - b->distance * (1 - open);
  b->cuts[node] = fmaxf(b->cuts[node], depth - (more - near));
}

/* false: stopped */
static bool near_nodes(body *b, int bone, void (*visit)(body *, int, size_t, const float *)) {
  const si_grid *grid = &b->field->grid;
  const si_bone *of = &b->bones->list[bone];
  int from[3], to[3], at[3];
  for (int k = 0; k < 3; k++) {
    float low = (of->low[k] - b->reach - grid->min[k]) / grid->cell[k];
    float high = (of->high[k] + b->reach - grid->min[k]) / grid->cell[k];
    if (!(low <= high)) return true;
    from[k] = (int)si_clamp(floorf(low), 0, (float)(grid->resolution[k] - 1));
    to[k] = (int)si_clamp(ceilf(high), 0, (float)(grid->resolution[k] - 1));
  }
  for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
    for (at[1] = from[1]; at[1] <= to[1]; at[1]++) {
      if (!si_work(2 * (size_t)(to[0] - from[0] + 1))) return false;
      for (at[0] = from[0]; at[0] <= to[0]; at[0]++) {
        float place[3];
        size_t node = 0;
        for (int k = 0; k < 3; k++) {
          place[k] = si_grid_place(grid, k, at[k]);
          node += (size_t)at[k] * grid->stride[k];
        }
        visit(b, bone, node, place);
      }
    }
  return true;
}

/* Fills what cannot be reached from the first node, a corner, which is outside. */
static bool fill_hollows(const body *b) {
  const si_grid *grid = &b->field->grid;
  float *phi = b->field->phi;
  uint32_t *open = si_alloc_array(grid->nodes, sizeof *open);
  unsigned char *outside = si_alloc_array(grid->nodes, 1);
  bool ok = open && outside;
  size_t count = 0, done = 0;
  if (ok) outside[0] = 1, open[count++] = 0;
  while (count && ok) {
    if (++done % 1024 == 0) ok = si_work(4096);
    const uint32_t node = open[--count];
    for (int k = 0; k < 3; k++) {
      const size_t at = node / grid->stride[k] % (size_t)grid->resolution[k];
      for (int side = 0; side < 2; side++) {
        if (side ? at + 1 == (size_t)grid->resolution[k] : at == 0) continue;
        const size_t next = side ? node + grid->stride[k] : node - grid->stride[k];
        if (outside[next] || phi[next] < b->distance) continue;
        outside[next] = 1;
        open[count++] = (uint32_t)next;
      }
    }
  }
  for (size_t i = 0; ok && i < grid->nodes; i++)
    if (!outside[i] && phi[i] >= b->distance) phi[i] = 0.5f * b->distance;
  si_free(open);
  si_free(outside);
  return ok;
}

static bool fill_field(body *b) {
  const size_t nodes = b->field->grid.nodes;
  b->nearest = si_alloc_array(nodes, sizeof *b->nearest);
  b->cuts = si_alloc_array(nodes, sizeof *b->cuts);
  bool ok = b->nearest && b->cuts;
  for (size_t i = 0; ok && i < nodes; i++) {
    b->field->phi[i] = b->reach;
    b->cuts[i] = -b->reach;
  }
  for (int i = 0; ok && i < b->bones->count; i++) ok = near_nodes(b, i, measure);
  for (int i = 0; ok && i < b->bones->count && b->trials->count; i++) ok = near_nodes(b, i, cut);
  for (size_t i = 0; ok && i < nodes; i++)
    b->field->phi[i] = fmaxf(b->field->phi[i], b->distance + b->cuts[i]);
  ok = ok && fill_hollows(b);
  si_free(b->nearest);
  si_free(b->cuts);
  return ok;
}

static sinew_surface *cut_out(const si_bones *bones, const si_trials *trials, float distance,
                              float cell, sinew_error *error) {
  sinew_field_desc desc;
  si_grid grid;
  if (lay_grid(bones, distance, cell, &desc, error) < 0 || !si_field_check(&desc, &grid, error))
    return NULL;
  body b = { bones, trials, .distance = distance, .reach = distance + 2 * cell,
             .gap = 1.75f * cell };
  b.field = si_field_create(&grid, desc.orders, desc.epsilon, error);
  if (!b.field) return NULL;
  sinew_surface *surface =
      fill_field(&b) ? sinew_field_surface(b.field, error) : si_memory_null(error);
  sinew_field_release(b.field);
  return surface;
}

sinew_mesh *sinew_skin_envelope(const sinew_pose *bind, const sinew_shape *shapes, float distance,
                                float cell, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(bind)) return si_fail_null(error, SINEW_ERR_CALL, "skin: no pose");
  si_bones bones = { 0 };
  si_trials trials = { 0 };
  sinew_surface *surface = NULL;
  if (check(distance, cell, error) >= 0 && si_bones_make(bind, shapes, &bones, error) >= 0 &&
      si_trials_make(bind, &bones, &trials, error) >= 0)
    surface = cut_out(&bones, &trials, distance, cell, error);
  si_trials_free(&trials);
  si_bones_free(&bones);
  sinew_mesh *mesh = surface ? si_mesh_of_surface("skin", surface, error) : NULL;
  sinew_surface_destroy(surface);
  return mesh;
}
