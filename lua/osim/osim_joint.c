/* Converts the joints of an OpenSim file to products of rotations, translations and constant
 * matrices.
 *
 * CustomJoint: T(t1 u1 + t2 u2 + t3 u3) R(a1, q1) R(a2, q2) R(a3, q3), all axes of length 1.
 * EllipsoidJoint: with R = Rx(a) Ry(b) Rz(c) and S the radii, the child frame is rotated by R, with
 * its origin at S R ez, on the ellipsoid. ScapulothoracicJoint (Seth et al. 2016): Rz(90) E Rz(-90)
 * W, with E the ellipsoid joint of radii y, x, z and W the winging, a rotation about an axis in the
 * scapula's plane. */
#include "lua/osim/osim_model.h"

#include "base/alloc.h"
#include "math/wide.h"

#include <math.h>

static const double turn_axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

/* joints without functions: how many coordinates, and which of them only translate */
static const struct joint_kind {
  const char *name;
  int coordinates;
  unsigned translations; /* bits */
} joint_kinds[] = {
  { "WeldJoint", 0, 0 },      { "PinJoint", 1, 0 },
  { "SliderJoint", 1, 1 },    { "UniversalJoint", 2, 0 },
  { "BallJoint", 3, 0 },      { "GimbalJoint", 3, 0 },
  { "EllipsoidJoint", 3, 0 }, { "PlanarJoint", 3, 6 },
  { "FreeJoint", 6, 0x38 },   { "ScapulothoracicJoint", 4, 0 },
};

static const struct joint_kind *kind_of(const char *name) {
  for (size_t i = 0; i < sizeof joint_kinds / sizeof *joint_kinds; i++)
    if (strcmp(joint_kinds[i].name, name) == 0) return &joint_kinds[i];
  return NULL;
}

/* --- coordinates */

static sinew_status add_coordinate(si_osim_model *m, int joint, const char *name,
                                   si_osim_node *node) {
  si_osim_joint *j = &m->joints[joint];
  const si_osim_node *where = node ? node : j->node;
  if (j->coordinate_count == SI_OSIM_ARGUMENTS)
    return si_osim_fail(m, where, "joint '%s' has more than %d coordinates", j->name,
                        SI_OSIM_ARGUMENTS);
  if (m->coordinate_count == SI_OSIM_COORDINATES)
    return si_osim_fail(m, where, "there are more than %d coordinates", SI_OSIM_COORDINATES);
  si_osim_coordinate c = { .node = node, .joint = joint, .min = -10, .max = 10 };
  c.rotational = true;
  c.name = *name ? name : si_osim_format(m, "%.80s_coord_%d", j->key, j->coordinate_count);
  if (!c.name || !si_grow((void **)&m->coordinates, &m->coordinate_room, m->coordinate_count + 1,
                          sizeof *m->coordinates))
    return si_fail_memory(m->error);
  c.key = si_osim_unique(m, &m->coordinate_keys, c.name, "coordinate", "coordinate");
  if (!c.key || !si_names_add(&m->coordinate_names, c.name, (uint32_t)m->coordinate_count + 1))
    return si_fail_memory(m->error);
  j->coordinates[j->coordinate_count++] = (int)m->coordinate_count;
  m->coordinates[m->coordinate_count++] = c;
  return SINEW_OK;
}

static void read_motion_type(si_osim_model *m, si_osim_coordinate *c) {
  const si_osim_node *type = si_osim_property(m, c->node, "motion_type");
  if (!type) return;
  c->told = strcmp(type->text, "rotational") == 0 || strcmp(type->text, "translational") == 0;
  if (c->told) c->rotational = type->text[0] == 'r';
}

static sinew_status read_coordinate(si_osim_model *m, si_osim_coordinate *c) {
  double range[2] = { c->min, c->max };
  read_motion_type(m, c);
  sinew_status status = si_osim_numbers(m, c->node, "range", 2, range);
  if (status == SINEW_OK) status = si_osim_numbers(m, c->node, "default_value", 1, &c->rest);
  if (status == SINEW_OK) status = si_osim_flag(m, c->node, "clamped", &c->clamped);
  if (status == SINEW_OK) status = si_osim_flag(m, c->node, "locked", &c->locked);
  if (status != SINEW_OK) return status;
  if (range[0] > range[1] && c->clamped)
    return si_osim_fail(m, c->node, "coordinate '%s': its range is reversed: %g to %g", c->name,
                        range[0], range[1]);
  c->min = fmin(range[0], range[1]);
  c->max = fmax(range[0], range[1]);
  return SINEW_OK;
}

sinew_status si_osim_joint_coordinates(si_osim_model *m, int joint) {
  si_osim_joint *j = &m->joints[joint];
  si_osim_node *list = si_osim_child(j->node, "coordinates"); /* version 4 */
  si_osim_node *set = si_osim_child(j->node, "CoordinateSet");
  if (!list) list = si_osim_child(set, "objects");
  if (set) set->seen = true;
  if (list) list->seen = true;
  for (si_osim_node *node = list ? list->child : NULL; node; node = node->next) {
    if (!si_osim_is(node, "Coordinate")) continue;
    node->seen = true;
    sinew_status status = add_coordinate(m, joint, node->name, node);
    if (status == SINEW_OK) status = read_coordinate(m, &m->coordinates[m->coordinate_count - 1]);
    if (status != SINEW_OK) return status;
  }
  const struct joint_kind *kind = kind_of(j->kind);
  if (!kind) return SINEW_OK;
  while (j->coordinate_count < kind->coordinates) {
    sinew_status status = add_coordinate(m, joint, "", NULL);
    if (status != SINEW_OK) return status;
  }
  for (int i = 0; i < kind->coordinates; i++)
    m->coordinates[j->coordinates[i]].rotational = !(kind->translations >> i & 1);
  return SINEW_OK;
}

static int find_coordinate(const si_osim_model *m, int joint, const char *name, size_t length) {
  const si_osim_joint *j = joint >= 0 ? &m->joints[joint] : NULL;
  for (int i = 0; j && i < j->coordinate_count; i++) {
    const char *own = m->coordinates[j->coordinates[i]].name;
    if (strncmp(own, name, length) == 0 && own[length] == '\0') return j->coordinates[i];
  }
  return (int)si_names_find_n(&m->coordinate_names, name, length) - 1;
}

sinew_status si_osim_arguments(si_osim_model *m, const si_osim_node *node, int joint,
                               si_osim_value *value) {
  static const char blanks[] = " \t\r\n";
  for (const char *at = node->text + strspn(node->text, blanks); *at; at += strspn(at, blanks)) {
    size_t length = strcspn(at, blanks);
    if (value->count == SI_OSIM_ARGUMENTS)
      return si_osim_fail(m, node, "'%s' names more than %d coordinates", node->tag,
                          SI_OSIM_ARGUMENTS);
    int found = find_coordinate(m, joint, at, length);
    if (found < 0 && joint >= 0) { /* a custom joint creates the coordinates that its axes name */
      const char *name = si_arena_text(&m->tree.arena, at, length);
      if (!name) return si_fail_memory(m->error);
      sinew_status status = add_coordinate(m, joint, name, NULL);
      if (status != SINEW_OK) return status;
      found = (int)m->coordinate_count - 1;
    }
    if (found < 0)
      return si_osim_fail(m, node, "'%s': no coordinate named '%.*s'", node->tag,
                          length > 80 ? 80 : (int)length, at);
    value->coordinates[value->count++] = found;
    at += length;
  }
  return SINEW_OK;
}

/* --- factors */

static si_osim_value coordinate_value(const si_osim_joint *j, int i) {
  return (si_osim_value){ .coordinates = { j->coordinates[i] }, .count = 1, .scale = 1 };
}

static si_osim_factor *add_factor(si_osim_joint *j, si_osim_act act) {
  si_osim_factor *f = &j->factors[j->factor_count++];
  *f = (si_osim_factor){ .act = act, .fixed = si_osim_identity, .label = "" };
  return f;
}

static void add_turn(si_osim_joint *j, int axis, double sign, int coordinate) {
  si_osim_factor *f = add_factor(j, SI_OSIM_TURN);
  for (int i = 0; i < 3; i++) f->axis[i] = sign * turn_axes[axis][i];
  f->values[0] = coordinate_value(j, coordinate);
}

static void add_fixed(si_osim_joint *j, const si_osim_place *place) {
  if (!si_osim_is_identity(place)) add_factor(j, SI_OSIM_FIXED)->fixed = *place;
}

/* a translation with x, y and z from these coordinates; -1: 0 */
static void add_move(si_osim_joint *j, int x, int y, int z) {
  const int from[3] = { x, y, z };
  si_osim_factor *f = add_factor(j, SI_OSIM_MOVE);
  for (int i = 0; i < 3; i++)
    if (from[i] >= 0) f->values[i] = coordinate_value(j, from[i]);
}

static sinew_status add_ellipsoid(si_osim_model *m, si_osim_joint *j, const double radii[3]) {
  for (int i = 0; i < 3; i++)
    if (!(radii[i] > 0))
      return si_osim_fail(m, j->node, "joint '%s': its radii must be above 0", j->name);
  si_osim_factor *f = add_factor(j, SI_OSIM_ROLL);
  memcpy(f->radii, radii, sizeof f->radii);
  for (int i = 0; i < 3; i++) f->values[i] = coordinate_value(j, i);
  return SINEW_OK;
}

static sinew_status read_ellipsoid(si_osim_model *m, si_osim_joint *j) {
  double radii[3] = { 0 };
  sinew_status status = si_osim_numbers(m, j->node, "radii_x_y_z", 3, radii);
  return status == SINEW_OK ? add_ellipsoid(m, j, radii) : status;
}

static sinew_status read_scapulothoracic(si_osim_model *m, si_osim_joint *j) {
  double radii[3] = { 0 }, origin[2] = { 0 }, direction = 0;
  const double quarter[3] = { 0, 0, M_PI_2 }, nowhere[3] = { 0 };
  sinew_status status = si_osim_numbers(m, j->node, "thoracic_ellipsoid_radii_x_y_z", 3, radii);
  if (status == SINEW_OK)
    status = si_osim_numbers(m, j->node, "scapula_winging_axis_origin", 2, origin);
  if (status == SINEW_OK)
    status = si_osim_numbers(m, j->node, "scapula_winging_axis_direction", 1, &direction);
  if (status != SINEW_OK) return status;
  si_osim_place turned = si_osim_offset(quarter, nowhere), back = si_osim_inverse(&turned);
  add_fixed(j, &turned);
  const double swapped[3] = { radii[1], radii[0], radii[2] };
  if ((status = add_ellipsoid(m, j, swapped)) != SINEW_OK) return status;
  add_fixed(j, &back);
  add_turn(j, 0, 1, 3);
  si_osim_factor *winging = &j->factors[j->factor_count - 1];
  winging->axis[0] = -sin(direction);
  winging->axis[1] = cos(direction);
  winging->axis[2] = 0;
  memcpy(winging->centre, origin, sizeof origin);
  return SINEW_OK;
}

/* one of the six axes of a custom joint */
static sinew_status read_axis(si_osim_model *m, int joint, si_osim_node *node, double axis[3],
                              si_osim_value *value) {
  static const char *const properties[] = { "coordinates", "coordinate", "axis", NULL };
  static const char *const none[] = { NULL };
  const char *name = m->joints[joint].name;
  node->seen = true;
  *value = (si_osim_value){ .scale = 1 };
  sinew_status status = si_osim_numbers(m, node, "axis", 3, axis);
  if (status != SINEW_OK) return status;
  const si_osim_node *arguments = si_osim_property(m, node, "coordinates");
  if (arguments && (status = si_osim_arguments(m, arguments, joint, value)) != SINEW_OK)
    return status;
  if (!si_wide_unit(axis, axis))
    return si_osim_fail(m, node, "joint '%s': the axis of '%s' has no direction", name, node->name);
  si_osim_node *function = si_osim_object(node, properties);
  if (function && si_osim_is(function, "function")) {
    function->seen = true;
    function = si_osim_object(function, none);
  }
  if (!function) {
    if (value->count > 1)
      return si_osim_fail(m, node, "joint '%s': '%s' has several coordinates and no function", name,
                          node->name);
    return SINEW_OK;
  }
  const char *what = si_osim_format(m, "joint '%.80s', %.80s", name, node->name);
  return what ? si_osim_function_read(m, function, what, value) : si_fail_memory(m->error);
}

static bool is_zero(const si_osim_value *value) { return !value->count && value->constant == 0; }

/* the coordinate axis that an axis is parallel to; -1 if it is oblique */
static int axis_number(const double axis[3]) {
  for (int i = 0; i < 3; i++)
    if (fabs(fabs(axis[i]) - 1) < 1e-12) return i;
  return -1;
}

/* a rotation that takes x to `axis` */
static si_osim_place towards(const double axis[3]) {
  double helper[3] = { 0 }, y[3], length = 0;
  helper[fabs(axis[0]) < 0.7 ? 0 : 1] = 1;
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    y[i] = axis[k] * helper[l] - axis[l] * helper[k];
    length += y[i] * y[i];
  }
  si_osim_place p = si_osim_identity;
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    p.r[3 * i] = axis[i];
    p.r[3 * i + 1] = y[i] / sqrt(length);
    p.r[3 * i + 2] = (axis[k] * y[l] - axis[l] * y[k]) / sqrt(length);
  }
  return p;
}

/* adds translations along any axes: those along x, y and z as one, each other one as R T(t, 0, 0)
 * R^-1 */
static void add_translations(si_osim_joint *j, double axes[3][3], const si_osim_value values[3]) {
  static const char *const names[3] = { "translation1", "translation2", "translation3" };
  int straight = -1;
  for (int i = 0; i < 3; i++) {
    int to = axis_number(axes[i]);
    if (is_zero(&values[i])) continue;
    if (to < 0) {
      si_osim_place along = towards(axes[i]), back = si_osim_inverse(&along);
      add_fixed(j, &along);
      si_osim_factor *move = add_factor(j, SI_OSIM_MOVE);
      move->values[0] = values[i];
      move->label = names[i];
      add_fixed(j, &back);
      continue;
    }
    if (straight < 0) {
      straight = j->factor_count;
      add_factor(j, SI_OSIM_MOVE);
    }
    si_osim_value *value = &j->factors[straight].values[to];
    if (value->count > 0 || value->constant != 0) { /* two translations along one axis */
      straight = j->factor_count;
      value = &add_factor(j, SI_OSIM_MOVE)->values[to];
    }
    *value = values[i];
    if (axes[i][to] < 0) {
      value->scale *= -1;
      value->constant *= -1;
    }
  }
}

/* decides which coordinates are angles if the file does not say: those that rotate something,
 * unless one is also a plain translation along an axis */
static void guess_units(si_osim_model *m, const si_osim_value values[6]) {
  for (int pass = 0; pass < 3; pass++) {
    for (int i = 5; i >= 0; i--) {
      const si_osim_value *v = &values[i];
      bool plain = !v->function || (v->function->kind == SI_OSIM_LINEAR && v->count == 1 &&
                                    fabs(v->function->numbers[0]) == 1);
      /* passes: translations, then rotations, then plain coordinates */
      bool skipped = !plain;
      if (pass == 0) skipped = i < 3;
      if (pass == 1) skipped = i > 2;
      if (skipped) continue;
      for (int k = 0; k < v->count; k++) {
        si_osim_coordinate *c = &m->coordinates[v->coordinates[k]];
        if (!c->told) c->rotational = i < 3;
      }
    }
  }
}

static sinew_status read_custom(si_osim_model *m, int joint) {
  static const char *const names[6] = { "rotation1",    "rotation2",    "rotation3",
                                        "translation1", "translation2", "translation3" };
  si_osim_node *transform = si_osim_child(m->joints[joint].node, "SpatialTransform");
  double axes[6][3];
  si_osim_value values[6] = { 0 };
  for (int i = 0; i < 6; i++) memcpy(axes[i], turn_axes[i % 3], sizeof axes[i]);
  if (transform) transform->seen = true;
  for (si_osim_node *node = transform ? transform->child : NULL; node; node = node->next) {
    if (!si_osim_is(node, "TransformAxis")) continue;
    for (int i = 0; i < 6; i++) {
      if (strcmp(node->name, names[i]) != 0) continue;
      sinew_status status = read_axis(m, joint, node, axes[i], &values[i]);
      if (status != SINEW_OK) return status;
    }
  }
  guess_units(m, values);
  si_osim_joint *j = &m->joints[joint];
  add_translations(j, axes + 3, values + 3);
  for (int i = 0; i < 3; i++) {
    if (is_zero(&values[i])) continue;
    si_osim_factor *f = add_factor(j, SI_OSIM_TURN);
    memcpy(f->axis, axes[i], sizeof f->axis);
    f->values[0] = values[i];
    f->label = names[i];
  }
  return SINEW_OK;
}

sinew_status si_osim_joint_factors(si_osim_model *m, int joint) {
  si_osim_joint *j = &m->joints[joint];
  const struct joint_kind *kind = kind_of(j->kind);
  if (strcmp(j->kind, "CustomJoint") == 0) return read_custom(m, joint);
  if (!kind) return si_osim_lose_named(m, "joints, rigid instead", "%s '%s'", j->kind, j->name);
  switch (kind->coordinates) {
  case 0: break;
  case 1:
    if (kind->translations)
      add_move(j, 0, -1, -1);
    else
      add_turn(j, 2, 1, 0);
    break;
  case 2:
    add_turn(j, 0, 1, 0);
    add_turn(j, 1, 1, 1);
    break;
  case 3:
    if (strcmp(j->kind, "EllipsoidJoint") == 0) return read_ellipsoid(m, j);
    if (kind->translations) {
      add_move(j, 1, 2, -1);
      add_turn(j, 2, 1, 0);
    } else {
      for (int i = 0; i < 3; i++) add_turn(j, i, 1, i);
    }
    break;
  case 4: return read_scapulothoracic(m, j);
  default:
    add_move(j, 3, 4, 5);
    for (int i = 0; i < 3; i++) add_turn(j, i, 1, i);
  }
  return SINEW_OK;
}
