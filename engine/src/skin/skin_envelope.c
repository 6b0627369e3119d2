/* A body around bones: the points at `distance` from the nearest bone. It is the level set of a
 * distance field over x, y and z, extracted by marching tetrahedra. */
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

/* lowers the distances of the nodes near one bone */
static void measure(sinew_field *field, const si_bone *bone, float reach) {
  const si_grid *grid = &field->grid;
  int from[3], to[3], at[3];
  for (int k = 0; k < 3; k++) {
    float low = (bone->low[k] - reach - grid->min[k]) / grid->cell[k];
    float high = (bone->high[k] + reach - grid->min[k]) / grid->cell[k];
    if (!(low <= high)) return;
    from[k] = (int)si_clamp(floorf(low), 0, (float)(grid->resolution[k] - 1));
    to[k] = (int)si_clamp(ceilf(high), 0, (float)(grid->resolution[k] - 1));
  }
  for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
    for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
      for (at[0] = from[0]; at[0] <= to[0]; at[0]++) {
        float place[3];
        size_t node = 0;
        for (int k = 0; k < 3; k++) {
          place[k] = si_grid_place(grid, k, at[k]);
          node += (size_t)at[k] * grid->stride[k];
        }
        field->phi[node] = si_bone_distance(bone, place, field->phi[node]);
      }
}

static sinew_surface *cut_out(const si_bones *bones, float distance, float cell,
                              sinew_error *error) {
  sinew_field_desc desc;
  si_grid grid;
  if (lay_grid(bones, distance, cell, &desc, error) < 0 || !si_field_check(&desc, &grid, error))
    return NULL;
  sinew_field *field = si_field_create(&grid, desc.orders, desc.epsilon, error);
  if (!field) return NULL;
  const float reach = distance + 2 * cell;
  for (uint32_t i = 0; i < grid.nodes; i++) field->phi[i] = reach;
  for (int i = 0; i < bones->count; i++) measure(field, &bones->list[i], reach);
  sinew_surface *surface = sinew_field_surface(field, error);
  sinew_field_release(field);
  return surface;
}

sinew_mesh *sinew_skin_envelope(const sinew_pose *bind, const sinew_shape *shapes, float distance,
                                float cell, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(bind)) return si_fail_null(error, SINEW_ERR_CALL, "skin: no pose");
  si_bones bones = { 0 };
  sinew_surface *surface = NULL;
  if (check(distance, cell, error) >= 0 && si_bones_make(bind, shapes, &bones, error) >= 0)
    surface = cut_out(&bones, distance, cell, error);
  si_bones_free(&bones);
  sinew_mesh *mesh = surface ? si_mesh_of_surface("skin", surface, error) : NULL;
  sinew_surface_destroy(surface);
  return mesh;
}
