/* What can be placed, and reading and writing it: a segment's rest frame in its parent's frame, a
 * rotation's axis and centres in the frame in which it acts, an ellipsoid in its segment's. */
#include "plain/space.h"
#include "tools/edits/edits.h"
#include "tools/limits/limits_tool.h"
#include "tools/place/place.h"

#include <stdio.h>
#include <stdlib.h>

static const char *component_name(const state *st, sinew_component c) {
  return sinew_rig_component_info(state_rig(st), c).name;
}

static void add(place_target *list, int *count, place_target t, const char *what,
                const char *name) {
  if (*count == place_most) return;
  if (t.index >= 0)
    snprintf(t.label, sizeof t.label, "%s %d of %s", what, t.index + 1, name);
  else
    snprintf(t.label, sizeof t.label, "%s of %s", what, name);
  list[(*count)++] = t;
}

static void add_hinge(const state *st, sinew_component c, place_target *list, int *count) {
  acting_hinge h;
  if (!acting_hinge_read(state_rig(st), c, &h)) return;
  place_target t = { .segment = st->selected.segment, .component = c, .index = -1 };
  t.kind = PLACE_AXIS;
  add(list, count, t, "axis", component_name(st, c));
  t.kind = PLACE_CENTRE;
  const sinew_param *centre = acting_param(state_rig(st), c, SINEW_PARAM_CENTRE);
  bool several = centre && centre->type == SINEW_PARAM_VECTORS;
  for (int i = 0; i < (several ? h.centre_count : 1); i++) {
    t.index = several ? i : -1;
    add(list, count, t, "centre", component_name(st, c));
  }
}

int place_find(const state *st, place_target dest[place_most]) {
  const limits *l = limits_of(st);
  const sinew_rig *rig = state_rig(st);
  int count = 0;
  if (!st->selected.segment.id) return 0;
  sinew_segment_info info = sinew_rig_segment_info(rig, st->selected.segment);
  add(dest, &count,
      (place_target){ .kind = PLACE_REST, .segment = st->selected.segment, .index = -1 },
      "rest frame", info.name);
  if (!l->places) return count;
  for (int i = 0; i < l->count; i++)
    if (l->list[i].kind == LIMIT_AXIS && l->list[i].segment.id == st->selected.segment.id)
      add_hinge(st, l->list[i].component, dest, &count);
  for (int i = 0; i < l->count; i++) {
    sinew_component c = l->list[i].component;
    if (l->list[i].kind != LIMIT_ELLIPSOID || !l->list[i].segment.id) continue;
    sinew_joint_set set = sinew_rig_component_info(rig, c).joint_set;
    if (l->list[i].segment.id == st->selected.segment.id || (set.id && set.id == info.joint_set.id))
      add(dest, &count,
          (place_target){ .kind = PLACE_ELLIPSOID,
                          .segment = st->selected.segment,
                          .component = c,
                          .index = -1 },
          "ellipsoid", component_name(st, c));
  }
  return count;
}

unsigned place_has(const place_target *t) {
  switch (t->kind) {
  case PLACE_REST: return PLACE_AT | PLACE_TURN;
  case PLACE_AXIS: return PLACE_DIRECTION;
  case PLACE_CENTRE: return PLACE_AT;
  default: return PLACE_AT | PLACE_TURN | PLACE_RADII;
  }
}

static void read_numbers(const state *st, const place_target *t, unsigned flag, int count,
                         float *dest) {
  const float *from = acting_numbers(acting_param(state_rig(st), t->component, flag));
  if (from) memcpy(dest, from, (size_t)count * sizeof *dest);
}

bool place_read(const state *st, const place_target *t, place_value *dest) {
  *dest = (place_value){ 0 };
  space_identity(dest->turn);
  if (t->kind == PLACE_REST) {
    const float *rest = sinew_rig_segment_info(state_rig(st), t->segment).rest;
    memcpy(dest->turn, rest, 12 * sizeof *rest);
    memcpy(dest->at, rest + 12, sizeof dest->at);
    return true;
  }
  if (t->kind == PLACE_AXIS) {
    read_numbers(st, t, SINEW_PARAM_AXIS, 3, dest->axis);
  } else if (t->kind == PLACE_CENTRE && t->index >= 0) {
    const sinew_param *p = acting_param(state_rig(st), t->component, SINEW_PARAM_CENTRE);
    if (!p || p->type != SINEW_PARAM_VECTORS || t->index >= p->count) return false;
    memcpy(dest->at, p->numbers + 3 * t->index, sizeof dest->at);
  } else { /* a parameter that was not given stays 0 */
    read_numbers(st, t, SINEW_PARAM_CENTRE, 3, dest->at);
    read_numbers(st, t, SINEW_PARAM_RADII, 3, dest->radii);
    read_numbers(st, t, SINEW_PARAM_ORIENTATION, 16, dest->turn);
  }
  return true;
}

bool place_base(const state *st, const place_target *t, float dest[16]) {
  const limits *l = limits_of(st);
  if (t->kind == PLACE_REST) {
    sinew_segment parent = sinew_rig_segment_info(state_rig(st), t->segment).parent;
    space_identity(dest);
    if (parent.id) memcpy(dest, sinew_pose_world(state_pose(st), parent), 16 * sizeof *dest);
    return true;
  }
  if (!l->places || !acting_frame(state_pose(st), l->places, t->component, dest)) return false;
  if (t->kind == PLACE_ELLIPSOID) {
    float to[16];
    int surface =
        sinew_class_input_marked(acting_class(state_rig(st), t->component), SINEW_PORT_SURFACE);
    if (surface < 0) return false;
    space_inverse(sinew_pose_input(state_pose(st), t->component, surface), to);
    space_mul(dest, to, dest);
  }
  return true;
}

/* the name of the parameter, of a target's component, that has this flag and type */
static const char *param_name(const state *st, const place_target *t, unsigned flag,
                              sinew_param_type type) {
  const sinew_component_class *cls = acting_class(state_rig(st), t->component);
  const sinew_param_desc *desc = NULL;
  while ((desc = sinew_class_param_marked(cls, flag, desc)))
    if (desc->type == type) return desc->name;
  return "";
}

static sinew_status apply_centre(state *st, const place_target *t, const float *at,
                                 sinew_error *error) {
  if (t->index < 0) {
    const char *name = param_name(st, t, SINEW_PARAM_CENTRE, SINEW_PARAM_VECTOR);
    sinew_param one = sinew_param_vector(name, at[0], at[1], at[2]);
    return edits_apply(st, edits_of_component(t->component), &one, 1, error);
  }
  const sinew_param *p = acting_param(state_rig(st), t->component, SINEW_PARAM_CENTRE);
  if (p && p->type != SINEW_PARAM_VECTORS) p = NULL;
  float *all = p ? malloc((size_t)p->count * 3 * sizeof *all) : NULL;
  if (!all) {
    snprintf(error->text, sizeof error->text, p ? "out of memory" : "it no longer has centres");
    return error->status = p ? SINEW_ERR_MEMORY : SINEW_ERR_NAME;
  }
  memcpy(all, p->numbers, (size_t)p->count * 3 * sizeof *all);
  memcpy(all + 3 * t->index, at, 3 * sizeof *at);
  sinew_param list = sinew_param_vectors(p->name, all, p->count);
  sinew_status status = edits_apply(st, edits_of_component(t->component), &list, 1, error);
  free(all);
  return status;
}

sinew_status place_apply(state *st, const place_target *t, const place_value *v, unsigned what,
                         sinew_error *error) {
  if (t->kind == PLACE_REST) {
    float rest[16];
    memcpy(rest, v->turn, sizeof rest);
    memcpy(rest + 12, v->at, sizeof v->at);
    sinew_param param = sinew_param_matrix("rest", rest);
    return edits_apply(st, (edits_owner){ .segment = t->segment }, &param, 1, error);
  }
  if (t->kind == PLACE_CENTRE) return apply_centre(st, t, v->at, error);
  sinew_param params[3];
  int count = 0;
  if (what & PLACE_DIRECTION)
    params[count++] = sinew_param_vector(param_name(st, t, SINEW_PARAM_AXIS, SINEW_PARAM_VECTOR),
                                         v->axis[0], v->axis[1], v->axis[2]);
  if (what & PLACE_AT)
    params[count++] = sinew_param_vector(param_name(st, t, SINEW_PARAM_CENTRE, SINEW_PARAM_VECTOR),
                                         v->at[0], v->at[1], v->at[2]);
  if (what & PLACE_TURN)
    params[count++] =
        sinew_param_matrix(param_name(st, t, SINEW_PARAM_ORIENTATION, SINEW_PARAM_MATRIX), v->turn);
  if (what & PLACE_RADII)
    params[count++] =
        sinew_param_numbers(param_name(st, t, SINEW_PARAM_RADII, SINEW_PARAM_NUMBERS), v->radii, 3);
  return edits_apply(st, edits_of_component(t->component), params, count, error);
}

void place_move(const float base[16], const float by[3], place_value *value) {
  float back[16], in[3];
  space_inverse(base, back);
  space_direction(back, by, in);
  for (int k = 0; k < 3; k++) value->at[k] += in[k];
}

void place_turn(const place_target *t, const float base[16], const float axis[3], float degrees,
                place_value *value) {
  float turn[16], back[16], frame[16];
  memcpy(frame, base, sizeof frame);
  memset(frame + 12, 0, 3 * sizeof *frame);
  space_turn(axis, degrees, turn);
  space_inverse(frame, back);
  space_mul(turn, frame, turn);
  space_mul(back, turn, turn);
  if (t->kind == PLACE_AXIS) {
    space_direction(turn, value->axis, value->axis);
    return;
  }
  space_mul(turn, value->turn, value->turn);
  handle_square(value->turn);
}

/* an axis is drawn at the present centre of rotation */
static void axis_at(const state *st, const place_target *t, place_value *v) {
  acting_hinge h;
  if (!acting_hinge_read(state_rig(st), t->component, &h)) return;
  const limits *l = limits_of(st);
  float angle = acting_hinge_angle(state_pose(st), l->places, t->component, &h);
  acting_hinge_centre(&h, angle, v->at);
  memcpy(v->turn + 4, h.axis, sizeof h.axis);
  space_across(h.axis, v->turn);
  space_cross(v->turn, v->turn + 4, v->turn + 8);
}

bool place_handle(const state *st, const place_target *t, bool world, handle *dest) {
  float base[16];
  place_value v;
  if (!place_base(st, t, base) || !place_read(st, t, &v)) return false;
  if (t->kind == PLACE_AXIS) axis_at(st, t, &v);
  *dest = (handle){ .moves = (place_has(t) & PLACE_AT) != 0,
                    .turns = (place_has(t) & (PLACE_TURN | PLACE_DIRECTION)) != 0,
                    .knobs = t->kind == PLACE_ELLIPSOID };
  memcpy(dest->knob, v.radii, sizeof v.radii);
  memcpy(v.turn + 12, v.at, sizeof v.at);
  space_mul(base, v.turn, dest->frame);
  if (world) {
    float at[3];
    memcpy(at, dest->frame + 12, sizeof at);
    space_identity(dest->frame);
    memcpy(dest->frame + 12, at, sizeof at);
    dest->knobs = false; /* radii are along the ellipsoid's own axes */
  }
  const float *o = dest->frame + 12;
  dest->size = 7 * st->ui.size * state_pixel(st, (Vector3){ o[0], o[1], o[2] });
  return true;
}
