/* Short calls on top of the builder: bones, joints, and components with their wires. */
#include "build/builder_internal.h"

#include "base/error_internal.h"
#include "math/vector.h"
#include "sinew/add.h"

#include <stdio.h>
#include <string.h>

sinew_wire sinew_wire_name(const char *input, const char *from) {
  return (sinew_wire){ .input = input, .from = from ? from : "" };
}

sinew_wire sinew_wire_dof(const char *input, sinew_dof dof) {
  return (sinew_wire){ .input = input, .from = "", .dof = dof };
}

sinew_wire sinew_wire_output(const char *input, sinew_component component, const char *output) {
  return (sinew_wire){ .input = input, .from = "", .component = component, .output = output };
}

sinew_wire sinew_wire_numbers(const char *input, const float *values, int count) {
  sinew_wire wire = { .input = input };
  if (SI_EXPECT(values && count >= 0 && count <= 16))
    memcpy(wire.constant, values, (size_t)count * sizeof *values);
  return wire;
}

sinew_wire sinew_wire_number(const char *input, float value) {
  return sinew_wire_numbers(input, &value, 1);
}

/* notes a mistake of the caller */
static void note(sinew_builder *b, const char *call, const char *name, const char *what) {
  sinew_error error;
  si_fail(&error, SINEW_ERR_VALUE, "%s '%s': %s", call, name ? name : "", what);
  si_note(b, &error);
}

/* where a name belongs: "set.own", or "own" in the set `otherwise` */
typedef struct place {
  sinew_joint_set set;
  const char *own;
} place;

static bool place_of(sinew_builder *b, const char *name, uint32_t otherwise, place *dest) {
  const char *dot = name ? strchr(name, '.') : NULL;
  *dest = (place){ { otherwise }, name };
  if (!dot) return true;
  size_t length = (size_t)(dot - name);
  dest->own = dot + 1;
  dest->set.id = si_names_find_n(&b->set_names, name, length);
  if (dest->set.id) return true;
  char set[256];
  snprintf(set, sizeof set, "%.*s", (int)(length < 255 ? length : 255), name);
  dest->set = sinew_builder_add_joint_set(b, set, NULL, NULL);
  return dest->set.id;
}

sinew_segment sinew_add_bone_frame(sinew_builder *b, sinew_segment parent, const char *name,
                                   const float frame[16]) {
  place at;
  if (!b || !SI_EXPECT(frame && parent.id <= b->model.segment_count)) return SINEW_ROOT;
  if (!place_of(b, name, 0, &at)) return SINEW_ROOT;
  sinew_segment_desc desc = sinew_default_segment_desc();
  desc.name = at.own;
  desc.parent = parent.id ? b->model.segments[parent.id - 1].name : NULL;
  desc.joint_set = at.set;
  memcpy(desc.rest, frame, sizeof desc.rest);
  return sinew_builder_add_segment(b, &desc, NULL);
}

sinew_segment sinew_add_bone(sinew_builder *b, sinew_segment parent, const char *name,
                             sinew_vec3 at) {
  const float frame[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, at.x, at.y, at.z, 1 };
  return sinew_add_bone_frame(b, parent, name, frame);
}

static sinew_dof add_dof(sinew_builder *b, const place *at, const char *unit, float min,
                         float max) {
  sinew_dof_desc desc = sinew_default_dof_desc();
  desc.name = at->own;
  desc.joint_set = at->set;
  desc.unit = unit;
  desc.min = min;
  desc.max = max;
  return sinew_builder_add_dof(b, &desc, NULL);
}

sinew_dof sinew_add_dof(sinew_builder *b, const char *name, const char *unit, float min,
                        float max) {
  place at;
  if (!b || !place_of(b, name, 0, &at)) return (sinew_dof){ 0 };
  return add_dof(b, &at, unit, min, max);
}

static sinew_component add_component(sinew_builder *b, const char *kind, const place *at,
                                     const sinew_wire *wires, int wire_count,
                                     const sinew_param *params, int param_count) {
  sinew_component_desc desc = sinew_default_component_desc();
  desc.kind = kind;
  desc.name = at->own;
  desc.joint_set = at->set;
  desc.wires = wires;
  desc.wire_count = wire_count;
  desc.params = params;
  desc.param_count = param_count;
  return sinew_builder_add_component(b, &desc, NULL);
}

sinew_component sinew_add(sinew_builder *b, const char *kind, const char *name,
                          const sinew_wire *wires, int wire_count, const sinew_param *params,
                          int param_count) {
  place at;
  if (!b || !place_of(b, name, 0, &at)) return (sinew_component){ 0 };
  return add_component(b, kind, &at, wires, wire_count, params, param_count);
}

/* the bone that a call is about; NULL where the call does nothing */
static si_segment *bone_of(sinew_builder *b, sinew_segment bone, const char *call,
                           const char *name) {
  if (!b || si_skip(b, bone.id, NULL)) return NULL;
  if (!bone.id) note(b, call, name, "its bone is a null id");
  if (!bone.id || !SI_EXPECT(bone.id <= b->model.segment_count)) return NULL;
  return &b->model.segments[bone.id - 1];
}

void sinew_add_driver(sinew_builder *b, sinew_segment bone, sinew_component component,
                      const char *output) {
  si_segment *s = bone_of(b, bone, "driver of", "");
  if (!s || si_skip(b, component.id, NULL)) return;
  if (!component.id) note(b, "driver of bone", s->name, "is a null id");
  if (!component.id || !SI_EXPECT(component.id <= b->model.component_count)) return;
  s->driven_twice = s->driver != NULL;
  si_drive_by(b, bone.id, component, output, NULL);
}

/* --- joints */

/* a joint that is being added: its bone, and the set of its parts */
typedef struct joint {
  sinew_builder *b;
  sinew_segment bone;
  place at;
} joint;

/* "boom_lift", for the part of a joint of the bone "boom" */
static place part(const joint *j, const char *own, char *dest, size_t capacity) {
  snprintf(dest, capacity, "%s_%s", j->b->model.segments[j->bone.id - 1].name, own ? own : "");
  return (place){ j->at.set, dest };
}

/* Checks everything before anything is added. `fault` is what is wrong with the other arguments, or
 * NULL. With `own_set` the name is that of a joint set. */
static bool begin(joint *j, sinew_builder *b, sinew_segment bone, const char *call,
                  const char *name, bool own_set, const char *fault) {
  char full[256];
  const si_segment *s = bone_of(b, bone, call, name);
  if (!s) return false;
  if (s->driver && !s->driver_given.component)
    fault = "its bone is driven by name already; joints go before a driver";
  if (own_set && name && strchr(name, '.'))
    fault = "its name is that of its joint set, so it has no dot";
  if (fault) {
    note(b, call, name, fault);
    return false;
  }
  snprintf(full, sizeof full, own_set ? "%s." : "%s", name ? name : "");
  *j = (joint){ .b = b, .bone = bone };
  if (!place_of(b, own_set ? full : name, s->joint_set, &j->at)) return false;
  si_segment *joined = &b->model.segments[bone.id - 1];
  if (!joined->joint_set) joined->joint_set = j->at.set.id;
  return true;
}

static bool unit_of(sinew_vec3 v, float dest[3]) {
  const float given[] = { v.x, v.y, v.z };
  return si_finite(given, 3) && si_vec_unit(given, dest);
}

/* Moves the bone by one more matrix. The first one drives it; from the second on, a product
 * does. */
static void attach(const joint *j, sinew_component component, const char *output) {
  sinew_builder *b = j->b;
  const si_segment *s = &b->model.segments[j->bone.id - 1];
  sinew_error error;
  char name[256];
  if (!component.id) return;
  if (!s->driver) {
    si_drive_by(b, j->bone.id, component, output, &error);
    return;
  }
  sinew_component driver = { s->driver_given.component };
  sinew_wire added = sinew_wire_output("matrix", component, output);
  place at = part(j, "motion", name, sizeof name);
  const char *known = b->model.components[driver.id - 1].name;
  const char *own = strrchr(known, '.');
  if (strcmp(own ? own + 1 : known, name) == 0) {
    sinew_builder_connect(b, driver, &added, NULL);
    return;
  }
  const char *port = s->driver_given.port ? s->driver + s->driver_given.port : NULL;
  sinew_component product =
      add_component(b, "multiply", &at,
                    SINEW_WIRES(sinew_wire_output("matrix", driver, port), added), SINEW_NONE);
  if (product.id) si_drive_by(b, j->bone.id, product, NULL, &error);
}

static sinew_component add_rotation(const joint *j, const place *at, sinew_dof dof,
                                    const float axis[3]) {
  return add_component(j->b, "rotation", at, SINEW_WIRES(sinew_wire_dof("angle", dof)),
                       SINEW_PARAMS(sinew_param_vector("axis", axis[0], axis[1], axis[2])));
}

sinew_dof sinew_add_hinge(sinew_builder *b, sinew_segment bone, const char *name, sinew_vec3 axis,
                          float min, float max) {
  joint j;
  char text[256];
  if (!begin(&j, b, bone, "hinge", name, false, NULL)) return (sinew_dof){ 0 };
  sinew_dof dof = add_dof(b, &j.at, "deg", min, max);
  place at = part(&j, j.at.own, text, sizeof text);
  attach(&j, add_rotation(&j, &at, dof, (float[]){ axis.x, axis.y, axis.z }), NULL);
  return dof;
}

/* the movement along an axis that is none of x, y and z: a map gives the three coordinates */
static sinew_component add_oblique(const joint *j, const place *at, sinew_dof dof,
                                   const float axis[3]) {
  static const char *const names[] = { "x", "y", "z" };
  char text[300];
  snprintf(text, sizeof text, "%s_along", at->own);
  place ways = { at->set, text };
  sinew_curve *curves[3] = { NULL };
  sinew_param params[3];
  sinew_error error;
  bool made = true;
  for (int i = 0; i < 3; i++) {
    const float line[] = { 0, 0, 1, axis[i] };
    sinew_curve_desc desc = sinew_default_curve_desc();
    desc.kind = SINEW_CURVE_LINEAR;
    desc.outside = SINEW_OUTSIDE_EXTEND;
    desc.points = line;
    desc.point_count = 2;
    curves[i] = sinew_curve_create(&desc, &error);
    if (!curves[i] && made) si_note(j->b, &error);
    made = made && curves[i];
    params[i] = sinew_param_curve(names[i], curves[i]);
  }
  sinew_component move = { 0 };
  if (made) {
    sinew_component map =
        add_component(j->b, "map", &ways, SINEW_WIRES(sinew_wire_dof("x", dof)), params, 3);
    move = add_component(j->b, "translation", at,
                         SINEW_WIRES(sinew_wire_output("x", map, "x"),
                                     sinew_wire_output("y", map, "y"),
                                     sinew_wire_output("z", map, "z")),
                         SINEW_NONE);
  }
  for (int i = 0; i < 3; i++) sinew_curve_destroy(curves[i]);
  return move;
}

sinew_dof sinew_add_slider(sinew_builder *b, sinew_segment bone, const char *name, sinew_vec3 axis,
                           float min, float max) {
  static const char *const names[] = { "x", "y", "z" };
  joint j;
  char text[256];
  float unit[3];
  const char *fault = unit_of(axis, unit) ? NULL : "its axis is zero or not finite";
  if (!begin(&j, b, bone, "slider", name, false, fault)) return (sinew_dof){ 0 };
  sinew_dof dof = add_dof(b, &j.at, "m", min, max);
  place at = part(&j, j.at.own, text, sizeof text);
  int straight = 0;
  while (straight < 3 && unit[straight] != 1) straight++;
  sinew_component move =
      straight < 3 ? add_component(b, "translation", &at,
                                   SINEW_WIRES(sinew_wire_dof(names[straight], dof)), SINEW_NONE)
                   : add_oblique(&j, &at, dof, unit);
  attach(&j, move, NULL);
  return dof;
}

/* two axes for the swings of a bone along `along`, which is a unit vector */
static void swing_axes(const float along[3], float first[3], float second[3]) {
  int farthest = 0;
  for (int i = 1; i < 3; i++)
    if (fabsf(along[i]) < fabsf(along[farthest])) farthest = i;
  for (int i = 0; i < 3; i++) first[i] = (i == farthest ? 1 : 0) - along[farthest] * along[i];
  si_vec_unit(first, first);
  si_vec_cross(along, first, second);
}

sinew_ball sinew_add_ball(sinew_builder *b, sinew_segment bone, const char *name, sinew_vec3 along,
                          float cone, float twist_min, float twist_max) {
  static const char *const names[] = { "swing1", "swing2", "twist" };
  sinew_ball none = { { 0 }, { 0 }, { 0 } };
  joint j;
  float unit[3], axes[2][3];
  char text[256], rotations[2][256];
  sinew_dof dofs[3];
  const char *fault = NULL;
  if (!unit_of(along, unit)) fault = "its direction 'along' is zero or not finite";
  if (!(cone > 0 && cone < 180)) fault = "its cone must be above 0 and below 180";
  if (!begin(&j, b, bone, "ball", name, true, fault)) return none;
  swing_axes(unit, axes[0], axes[1]);
  for (int i = 0; i < 3; i++) {
    place at = { j.at.set, names[i] };
    dofs[i] = add_dof(b, &at, "deg", i < 2 ? -cone : twist_min, i < 2 ? cone : twist_max);
    if (i == 2) break;
    at = part(&j, names[i], rotations[i], sizeof rotations[i]);
    add_rotation(&j, &at, dofs[i], axes[i]);
  }
  const float twists[] = { twist_min, twist_max };
  place at = part(&j, "cone", text, sizeof text);
  sinew_component limit = add_component(
      b, "cone", &at,
      SINEW_WIRES(sinew_wire_dof("angle1", dofs[0]), sinew_wire_dof("angle2", dofs[1]),
                  sinew_wire_dof("twist", dofs[2])),
      SINEW_PARAMS(sinew_param_vector("rest", unit[0], unit[1], unit[2]),
                   sinew_param_number("ellipse", cone),
                   sinew_param_vector("right", axes[0][0], axes[0][1], axes[0][2]),
                   sinew_param_numbers("twist_limits", twists, 2),
                   sinew_param_text("rotation1", rotations[0]),
                   sinew_param_text("rotation2", rotations[1])));
  attach(&j, limit, "transform");
  return (sinew_ball){ dofs[0], dofs[1], dofs[2] };
}
