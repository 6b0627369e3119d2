/* Editing a cone's parameters. */
#include "plain/cone_draft.h"

#include "plain/acting.h"
#include "plain/space.h"

#include <math.h>
#include <stdlib.h>

static bool reserve(cone_draft *d, int count) {
  if (count <= d->room) return true;
  int room = count + count / 2 + 8;
  float(*points)[3] = realloc(d->points, (size_t)room * sizeof *points);
  if (points) d->points = points;
  float(*twist)[2] = realloc(d->twist, (size_t)room * sizeof *twist);
  if (twist) d->twist = twist;
  if (!points || !twist) return false;
  memset(twist + d->room, 0, (size_t)(room - d->room) * sizeof *twist);
  d->room = room;
  return true;
}

void cone_draft_free(cone_draft *d) {
  free(d->points);
  free(d->twist);
  *d = (cone_draft){ 0 };
}

static void take_points(cone_draft *d, const sinew_cone *cone) {
  d->count = sinew_cone_count(cone);
  for (int i = 0; i < d->count; i++) sinew_cone_point(cone, i, d->points[i]);
}

static void read_twist(const sinew_rig *rig, sinew_component component, cone_draft *d) {
  const sinew_param *limits = sinew_rig_find_param(rig, component, "twist_limits");
  const sinew_param *visible = sinew_rig_find_param(rig, component, "visible_twist");
  d->mode = DRAFT_FREE;
  d->has_visible_twist = false;
  if (limits && limits->count == 2) {
    d->mode = DRAFT_ONE;
    memcpy(d->all, limits->numbers, sizeof d->all);
  } else if (limits && limits->count == 2 * d->count) {
    d->mode = DRAFT_EACH;
    memcpy(d->twist, limits->numbers, (size_t)d->count * sizeof *d->twist);
  } else if (visible && visible->count == 2) {
    d->mode = DRAFT_ONE; /* applies to the points too */
    memcpy(d->all, visible->numbers, sizeof d->all);
  }
  if (d->mode == DRAFT_EACH && visible && visible->count == 2) {
    d->has_visible_twist = true;
    memcpy(d->visible_twist, visible->numbers, sizeof d->visible_twist);
  }
}

static void read_ellipse(const sinew_rig *rig, sinew_component component, cone_draft *d) {
  const sinew_param *angles = sinew_rig_find_param(rig, component, "ellipse");
  const sinew_param *right = sinew_rig_find_param(rig, component, "right");
  const sinew_param *count = sinew_rig_find_param(rig, component, "count");
  const float *given = acting_numbers(angles);
  if (!d->ellipse || !given || !right) return;
  d->round = angles->type == SINEW_PARAM_NUMBER || angles->count != 4;
  for (int k = 0; k < 4; k++) d->angles[k] = given[d->round ? 0 : k];
  memcpy(d->right, right->number, sizeof d->right);
  d->given_count = count ? count->number[0] : 0;
}

bool cone_draft_read(const sinew_rig *rig, sinew_component component, cone_draft *d) {
  const sinew_cone *cone = sinew_rig_cone(rig, component);
  const sinew_param *points = sinew_rig_find_param(rig, component, "points");
  const sinew_param *visible = sinew_rig_find_param(rig, component, "visible");
  const sinew_param *smooth = sinew_rig_find_param(rig, component, "smooth");
  d->ellipse = !points;
  if (!reserve(d, points ? points->count : sinew_cone_count(cone))) return false;
  if (points) {
    d->count = points->count;
    memcpy(d->points, points->numbers, (size_t)d->count * sizeof *d->points);
  } else {
    take_points(d, cone);
  }
  sinew_cone_rest(cone, d->rest);
  read_ellipse(rig, component, d);
  d->has_visible = visible != NULL;
  if (visible) memcpy(d->visible, visible->number, sizeof d->visible);
  d->has_smooth = smooth != NULL;
  d->smooth = smooth ? (int)smooth->number[0] : 0;
  read_twist(rig, component, d);
  return true;
}

void cone_draft_write(const cone_draft *d, sinew_param dest[cone_draft_params]) {
  const float *v = d->visible;
  dest[0] = d->ellipse ? sinew_param_none("points")
                       : sinew_param_vectors("points", &d->points[0][0], d->count);
  dest[1] = sinew_param_none("twist_limits");
  if (d->mode == DRAFT_ONE) dest[1] = sinew_param_numbers("twist_limits", d->all, 2);
  if (d->mode == DRAFT_EACH)
    dest[1] = sinew_param_numbers("twist_limits", &d->twist[0][0], 2 * d->count);
  dest[2] = d->has_visible ? sinew_param_vector("visible", v[0], v[1], v[2])
                           : sinew_param_none("visible");
  dest[3] = d->mode == DRAFT_EACH && d->has_visible_twist
                ? sinew_param_numbers("visible_twist", d->visible_twist, 2)
                : sinew_param_none("visible_twist");
  dest[4] = d->has_smooth || d->smooth ? sinew_param_number("smooth", (float)d->smooth)
                                       : sinew_param_none("smooth");
  dest[5] = sinew_param_none("ellipse");
  dest[6] = sinew_param_none("right");
  dest[7] = sinew_param_none("count");
  if (!d->ellipse) return;
  dest[5] = sinew_param_numbers("ellipse", d->angles, d->round ? 1 : 4);
  dest[6] = sinew_param_vector("right", d->right[0], d->right[1], d->right[2]);
  if (d->given_count > 0) dest[7] = sinew_param_number("count", d->given_count);
}

int cone_draft_handles(const cone_draft *d) { return d->ellipse ? 4 : d->count; }

/* the direction across the axis at azimuth 0, 90, 180 or 270 of an ellipse */
static void azimuth(const cone_draft *d, int index, float dest[3]) {
  float up[3];
  space_cross(d->rest, d->right, up);
  space_unit(up);
  if (index % 2 == 0) space_cross(up, d->rest, dest);
  if (index % 2 == 1) memcpy(dest, up, sizeof up);
  for (int k = 0; index > 1 && k < 3; k++) dest[k] = -dest[k];
  space_unit(dest);
}

void cone_draft_handle(const cone_draft *d, int index, float dest[3]) {
  if (!d->ellipse) {
    memcpy(dest, d->points[index], 3 * sizeof *dest);
    space_unit(dest);
    return;
  }
  float out[3], off = d->angles[index] * SPACE_DEG;
  azimuth(d, index, out);
  for (int k = 0; k < 3; k++) dest[k] = cosf(off) * d->rest[k] + sinf(off) * out[k];
  space_unit(dest);
}

void cone_draft_pull(cone_draft *d, int index, const float direction[3]) {
  if (!d->ellipse) {
    memcpy(d->points[index], direction, 3 * sizeof *direction);
    return;
  }
  float out[3];
  azimuth(d, index, out);
  float across = space_dot(direction, out), along = space_dot(direction, d->rest);
  /* beyond the axis the angle stays small; on the far side it goes on to a half turn */
  float angle = across > 0 ? atan2f(across, along) / SPACE_DEG : along > 0 ? 1 : 179;
  angle = fmaxf(1, fminf(roundf(angle * 10) / 10, 179));
  d->angles[index] = angle;
  for (int k = 0; d->round && k < 4; k++) d->angles[k] = angle;
}

void cone_draft_visible(const cone_draft *d, float dest[3]) {
  memcpy(dest, d->has_visible ? d->visible : d->rest, 3 * sizeof *dest);
  space_unit(dest);
}

static int after(const cone_draft *d, int i) { return i + 1 < d->count ? i + 1 : 0; }

int cone_draft_insert(cone_draft *d, int edge, float share) {
  if (!reserve(d, d->count + 1)) return -1;
  float a[3], b[3], made[3], limits[2];
  int next = after(d, edge), at = edge + 1;
  memcpy(a, d->points[edge], sizeof a);
  memcpy(b, d->points[next], sizeof b);
  space_unit(a);
  space_unit(b);
  space_slerp(a, b, share, made);
  for (int k = 0; k < 2; k++)
    limits[k] = (1 - share) * d->twist[edge][k] + share * d->twist[next][k];
  memmove(d->points + at + 1, d->points + at, (size_t)(d->count - at) * sizeof *d->points);
  memmove(d->twist + at + 1, d->twist + at, (size_t)(d->count - at) * sizeof *d->twist);
  memcpy(d->points[at], made, sizeof made);
  memcpy(d->twist[at], limits, sizeof limits);
  d->count++;
  return at;
}

int cone_draft_edge(const cone_draft *d, const float direction[3]) {
  float v[3], best = -1e9f;
  int found = 0;
  cone_draft_visible(d, v);
  for (int i = 0; i < d->count; i++) {
    float here[3], there[3];
    space_cross(v, d->points[i], here);
    space_cross(v, d->points[after(d, i)], there);
    space_unit(here);
    space_unit(there);
    /* how far inside the slice it is: the smaller distance to its two sides */
    float in = fminf(space_dot(here, direction), -space_dot(there, direction));
    if (in > best) {
      best = in;
      found = i;
    }
  }
  return found;
}

void cone_draft_remove(cone_draft *d, int index) {
  size_t behind = (size_t)(d->count - index - 1);
  memmove(d->points + index, d->points + index + 1, behind * sizeof *d->points);
  memmove(d->twist + index, d->twist + index + 1, behind * sizeof *d->twist);
  d->count--;
}

void cone_draft_sum(const cone_draft *d, float dest[3]) {
  float sum[3] = { 0, 0, 0 };
  for (int i = 0; i < d->count; i++) {
    float p[3];
    memcpy(p, d->points[i], sizeof p);
    space_unit(p);
    for (int k = 0; k < 3; k++) sum[k] += p[k];
  }
  space_unit(sum);
  memcpy(dest, sum, sizeof sum);
}

bool cone_draft_mode(cone_draft *d, draft_twist mode) {
  float widest[2] = { -180, 180 };
  if (mode == d->mode) return true;
  if (d->mode == DRAFT_ONE) memcpy(widest, d->all, sizeof widest);
  for (int i = 0; d->mode == DRAFT_EACH && i < d->count; i++) {
    widest[0] = i ? fminf(widest[0], d->twist[i][0]) : d->twist[i][0];
    widest[1] = i ? fmaxf(widest[1], d->twist[i][1]) : d->twist[i][1];
  }
  if (!reserve(d, d->count)) return false;
  if (mode == DRAFT_ONE) memcpy(d->all, widest, sizeof widest);
  for (int i = 0; mode == DRAFT_EACH && i < d->count; i++)
    memcpy(d->twist[i], widest, sizeof widest);
  d->mode = mode;
  d->has_visible_twist = false;
  return true;
}

bool cone_draft_bake(cone_draft *d, const sinew_cone *cone) {
  int count = sinew_cone_count(cone);
  if (!reserve(d, count)) return false;
  float at_v[2];
  if (d->mode == DRAFT_EACH) {
    for (int i = 0; i < count; i++) sinew_cone_point_twist(cone, i, d->twist[i]);
    /* the default, the mean over the points, would change with the new points */
    if (sinew_cone_point_twist(cone, -1, at_v)) {
      memcpy(d->visible_twist, at_v, sizeof at_v);
      d->has_visible_twist = true;
    }
  }
  take_points(d, cone);
  d->ellipse = false;
  d->smooth = 0;
  d->has_smooth = false;
  return true;
}
