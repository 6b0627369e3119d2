/* Following matrices from components to segments. */
#include "plain/acting.h"

#include "plain/space.h"

#include <stdio.h>

const sinew_component_class *acting_class(const sinew_rig *rig, sinew_component component) {
  return sinew_rig_component_info(rig, component).component_class;
}

const sinew_param *acting_param(const sinew_rig *rig, sinew_component component, unsigned flags) {
  const sinew_component_class *cls = acting_class(rig, component);
  const sinew_param_desc *desc = NULL;
  const sinew_param *found = NULL;
  while (!found && (desc = sinew_class_param_marked(cls, flags, desc)))
    found = sinew_rig_find_param(rig, component, desc->name);
  return found;
}

const float *acting_numbers(const sinew_param *param) {
  if (!param) return NULL;
  return param->numbers ? param->numbers : param->number;
}

/* the rotation component named by a parameter of a cone */
static sinew_component named_rotation(const sinew_rig *rig, sinew_component cone, unsigned flag) {
  const sinew_param *p = acting_param(rig, cone, flag);
  if (!p || !p->text) return (sinew_component){ 0 };
  const char *text = p->text[0] == '.' ? p->text + 1 : p->text;
  /* inside a joint set, its name may be left out */
  sinew_joint_set set = sinew_rig_component_info(rig, cone).joint_set;
  if (set.id && p->text[0] != '.') {
    char full[256];
    snprintf(full, sizeof full, "%s.%s", sinew_rig_joint_set_name(rig, set), text);
    sinew_component found = sinew_rig_find_component(rig, full, NULL);
    if (found.id) return found;
  }
  return sinew_rig_find_component(rig, text, NULL);
}

/* the n-th component, from 0, that a product or a cone reads a matrix from; false past the last */
static bool supplier(const sinew_rig *rig, sinew_component c, int n, int *input,
                     sinew_component *dest) {
  const sinew_component_class *cls = acting_class(rig, c);
  if (cls->product) {
    if (n >= sinew_rig_component_info(rig, c).input_count) return false;
    *input = n;
  } else if (cls->drawing != SINEW_DRAWN_CONE || n > 2) {
    return false;
  } else if (n > 0) {
    *input = n == 1 ? ACTING_ROTATION1 : ACTING_ROTATION2;
    *dest = named_rotation(rig, c, n == 1 ? SINEW_PARAM_ROTATION1 : SINEW_PARAM_ROTATION2);
    return true;
  } else {
    *input = ACTING_SWING;
    n = sinew_class_input_marked(cls, SINEW_PORT_SWING);
  }
  dest->id = n < 0 ? 0 : sinew_rig_input(rig, c, n).component.id;
  return true;
}

/* visits a driver and everything it reads, depth first; `places` links each component back to its
 * reader */
static void visit(const sinew_rig *rig, acting_place *places, sinew_component c,
                  sinew_segment segment) {
  if (!c.id || places[c.id - 1].segment.id) return;
  places[c.id - 1] = (acting_place){ .segment = segment };
  for (int next = 0; c.id;) {
    int input;
    sinew_component from;
    if (!supplier(rig, c, next++, &input, &from)) {
      int done = places[c.id - 1].input;
      c = places[c.id - 1].consumer;
      next = (done < 0 ? -done : done) + 1;
    } else if (from.id && !places[from.id - 1].segment.id) {
      places[from.id - 1] = (acting_place){ .segment = segment, .consumer = c, .input = input };
      c = from;
      next = 0;
    }
  }
}

void acting_find(const sinew_rig *rig, acting_place *dest) {
  memset(dest, 0, (size_t)sinew_rig_component_count(rig) * sizeof *dest);
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    visit(rig, dest, sinew_rig_segment_info(rig, segment).driver, segment);
  }
}

void acting_segments(const sinew_rig *rig, const acting_place *places, sinew_segment *dest) {
  int count = sinew_rig_component_count(rig);
  for (int i = 0; i < count; i++) dest[i] = places[i].segment;
  /* what is read gets the segment of its readers, which are evaluated later */
  for (int i = count - 1; i >= 0; i--) {
    sinew_component c = sinew_rig_order(rig, i);
    uint32_t segment = dest[c.id - 1].id;
    for (int k = 0; segment && k < sinew_rig_component_info(rig, c).input_count; k++) {
      sinew_component read = sinew_rig_input(rig, c, k).component;
      if (!read.id || places[read.id - 1].segment.id) continue;
      uint32_t *known = &dest[read.id - 1].id;
      if (!*known || segment < *known) *known = segment;
    }
  }
}

/* the solved angle of one of a cone's rotations */
static float solved_angle(const sinew_pose *pose, sinew_component cone, unsigned flag) {
  int output = sinew_class_output_marked(acting_class(sinew_pose_rig(pose), cone), flag);
  return output < 0 ? 0 : *sinew_pose_value(pose, cone, output);
}

/* multiplies `dest` from the left by the factors that precede a component in its reader */
static bool put_before(const sinew_pose *pose, acting_place place, float dest[16]) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  if (acting_class(rig, place.consumer)->product) {
    for (int i = place.input - 1; i >= 0; i--)
      space_mul(sinew_pose_input(pose, place.consumer, i), dest, dest);
  } else if (place.input == ACTING_ROTATION2) {
    /* for the second rotation: the first one precedes it, at its solved angle */
    acting_hinge first;
    float turned[16];
    if (!acting_hinge_read(rig, named_rotation(rig, place.consumer, SINEW_PARAM_ROTATION1), &first))
      return false;
    acting_hinge_matrix(&first, solved_angle(pose, place.consumer, SINEW_PORT_ROTATION1), turned);
    space_mul(turned, dest, dest);
  }
  return true;
}

bool acting_frame(const sinew_pose *pose, const acting_place *places, sinew_component component,
                  float dest[16]) {
  acting_place place = places[component.id - 1];
  if (!place.segment.id) return false;
  space_identity(dest);
  for (; place.consumer.id; place = places[place.consumer.id - 1])
    if (!put_before(pose, place, dest)) return false;
  sinew_segment_info info = sinew_rig_segment_info(sinew_pose_rig(pose), place.segment);
  space_mul(info.rest, dest, dest);
  if (info.parent.id) space_mul(sinew_pose_world(pose, info.parent), dest, dest);
  return true;
}

void acting_upstream(const sinew_rig *rig, sinew_component from, bool *marked) {
  if (!from.id) return;
  marked[from.id - 1] = true;
  /* inputs are evaluated before the component that reads them */
  for (int i = sinew_rig_component_count(rig) - 1; i >= 0; i--) {
    sinew_component c = sinew_rig_order(rig, i);
    int inputs = marked[c.id - 1] ? sinew_rig_component_info(rig, c).input_count : 0;
    for (int k = 0; k < inputs; k++) {
      sinew_component read = sinew_rig_input(rig, c, k).component;
      if (read.id) marked[read.id - 1] = true;
    }
  }
}

static float hold(const acting_hinge *h, float angle) {
  if (h->angle_count < 2) return angle;
  return fmaxf(h->angles[0], fminf(angle, h->angles[h->angle_count - 1]));
}

bool acting_hinge_read(const sinew_rig *rig, sinew_component component, acting_hinge *dest) {
  if (!component.id || acting_class(rig, component)->drawing != SINEW_DRAWN_AXIS) return false;
  const sinew_param *axis = acting_param(rig, component, SINEW_PARAM_AXIS);
  const sinew_param *angles = acting_param(rig, component, SINEW_PARAM_RANGE);
  const sinew_param *centre = acting_param(rig, component, SINEW_PARAM_CENTRE);
  const sinew_param *rest = acting_param(rig, component, SINEW_PARAM_REST_ANGLE);
  if (!axis) return false;
  *dest = (acting_hinge){ .angles = acting_numbers(angles),
                          .angle_count = angles ? angles->count : 0,
                          .centres = acting_numbers(centre) };
  if (centre) dest->centre_count = centre->type == SINEW_PARAM_VECTORS ? centre->count : 1;
  memcpy(dest->axis, acting_numbers(axis), sizeof dest->axis);
  space_unit(dest->axis);
  dest->rest = rest ? rest->number[0] : hold(dest, 0);
  return true;
}

float acting_hinge_angle(const sinew_pose *pose, const acting_place *places,
                         sinew_component component, const acting_hinge *h) {
  acting_place place = places[component.id - 1];
  float angle = *sinew_pose_input(pose, component, 0);
  if (place.input == ACTING_ROTATION1)
    angle = solved_angle(pose, place.consumer, SINEW_PORT_ROTATION1);
  if (place.input == ACTING_ROTATION2)
    angle = solved_angle(pose, place.consumer, SINEW_PORT_ROTATION2);
  return hold(h, angle);
}

static void centre_of(const acting_hinge *h, int interval, float *dest) {
  memset(dest, 0, 3 * sizeof *dest);
  if (h->centre_count == 0) return;
  memcpy(dest, h->centres + (h->centre_count > 1 ? 3 * interval : 0), 3 * sizeof *dest);
}

int acting_hinge_centre(const acting_hinge *h, float angle, float dest[3]) {
  int i = 0;
  while (i + 2 < h->angle_count && angle >= h->angles[i + 1]) i++;
  centre_of(h, i, dest);
  return i;
}

/* m = R m, with R the rotation by `degrees` about the axis through c */
static void turn_about(const acting_hinge *h, const float *c, float degrees, float *m) {
  float turn[16], moved[3];
  space_turn(h->axis, degrees, turn);
  space_direction(turn, c, moved);
  for (int k = 0; k < 3; k++) turn[12 + k] = c[k] - moved[k];
  space_mul(turn, m, m);
}

/* [Shao 2003, eq. 1]: the product of the intervals' rotations up to an angle */
static void turns_up_to(const acting_hinge *h, float angle, float *m) {
  space_identity(m);
  for (int i = 0; i == 0 || i + 1 < h->angle_count; i++) {
    float c[3], by = angle;
    centre_of(h, i, c);
    if (h->angle_count > 1)
      by = fmaxf(0, fminf(angle - h->angles[i], h->angles[i + 1] - h->angles[i]));
    turn_about(h, c, by, m);
  }
}

void acting_hinge_matrix(const acting_hinge *h, float angle, float dest[16]) {
  float at_rest[16];
  turns_up_to(h, hold(h, angle), dest);
  turns_up_to(h, h->rest, at_rest);
  space_inverse(at_rest, at_rest);
  space_mul(dest, at_rest, dest);
}

bool acting_cone_directions(const sinew_pose *pose, sinew_component component, float wanted[3],
                            float given[3]) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  const sinew_cone *cone = sinew_rig_cone(rig, component);
  if (!cone) return false;
  float rest[3];
  sinew_cone_rest(cone, rest);
  const sinew_component_class *cls = acting_class(rig, component);
  static const unsigned angles[] = { SINEW_PORT_ROTATION1, SINEW_PORT_ROTATION2 };
  int swing = sinew_class_input_marked(cls, SINEW_PORT_SWING);
  acting_hinge hinges[2];
  if (acting_hinge_read(rig, named_rotation(rig, component, SINEW_PARAM_ROTATION1), &hinges[0]) &&
      acting_hinge_read(rig, named_rotation(rig, component, SINEW_PARAM_ROTATION2), &hinges[1])) {
    memcpy(wanted, rest, sizeof rest);
    for (int i = 1; i >= 0; i--) {
      float turn[16];
      int input = sinew_class_input_marked(cls, angles[i]);
      acting_hinge_matrix(&hinges[i], input < 0 ? 0 : *sinew_pose_input(pose, component, input),
                          turn);
      space_direction(turn, wanted, wanted);
    }
  } else if (swing >= 0) {
    space_direction(sinew_pose_input(pose, component, swing), rest, wanted);
  } else {
    return false;
  }
  space_direction(sinew_pose_value(pose, component, 0), rest, given);
  space_unit(wanted);
  space_unit(given);
  return true;
}

/* a point of a segment, or of the world for a null one, at an input with this flag; else the origin
 */
static void sight_end(const sinew_pose *pose, sinew_component component, unsigned flag,
                      sinew_segment segment, float *dest) {
  const float origin[3] = { 0, 0, 0 };
  int input = sinew_class_input_marked(acting_class(sinew_pose_rig(pose), component), flag);
  const float *point = input < 0 ? origin : sinew_pose_input(pose, component, input);
  if (segment.id)
    space_point(sinew_pose_world(pose, segment), point, dest);
  else
    memcpy(dest, point, sizeof origin);
}

bool acting_sight(const sinew_pose *pose, sinew_component component, float *from, float *to) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  const sinew_component_class *cls = acting_class(rig, component);
  if (cls->drawing != SINEW_DRAWN_SIGHT) return false;
  const sinew_param *base = acting_param(rig, component, SINEW_PARAM_FROM | SINEW_PARAM_FROM_REST);
  const sinew_param_desc *path = sinew_class_param_marked(cls, SINEW_PARAM_PATH, NULL);
  const sinew_param *seen = path ? sinew_rig_find_param(rig, component, path->name) : NULL;
  if (!base) return false;
  sinew_segment eye = sinew_rig_find_segment(rig, base->text, NULL), target;
  target = seen ? sinew_rig_find_segment(rig, seen->text, NULL)
                : sinew_rig_segment_info(rig, eye).parent;
  sight_end(pose, component, SINEW_PORT_EYE, eye, from);
  sight_end(pose, component, SINEW_PORT_SEEN, target, to);
  return true;
}

float acting_screw(const float from[16], const float to[16], float axis[3], float point[3]) {
  float back[16], move[16];
  space_inverse(from, back);
  space_mul(to, back, move);
  float twice[3] = { move[6] - move[9], move[8] - move[2], move[1] - move[4] };
  float sine = space_length(twice) / 2, cosine = (move[0] + move[5] + move[10] - 1) / 2;
  float angle = atan2f(sine, cosine);
  if (!(angle > 1e-4f * SPACE_DEG) || sine < 1e-7f) return 0;
  for (int k = 0; k < 3; k++) axis[k] = twice[k] / (2 * sine);
  /* the movement of the body's origin across the axis is a chord; the centre of rotation is on its
   * perpendicular bisector */
  float shift[3], side[3];
  for (int k = 0; k < 3; k++) shift[k] = to[12 + k] - from[12 + k];
  float along = space_dot(shift, axis);
  for (int k = 0; k < 3; k++) shift[k] -= along * axis[k];
  space_cross(axis, shift, side);
  for (int k = 0; k < 3; k++)
    point[k] =
        from[12 + k] + 0.5f * along * axis[k] + 0.5f * shift[k] + 0.5f * side[k] / tanf(angle / 2);
  return angle / SPACE_DEG;
}
