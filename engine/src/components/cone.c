/* cone: a reach cone that limits a joint's swing and twist [Shao 2003, 4.6; Wilhelms 2001].
 *
 * The swing takes the bone's rest direction to v. If v is outside the cone, it moves to the first
 * exit of the path from rest to v. If the two rotations that make the swing are given, their angles
 * are solved for that direction, so that their centres move correctly. Otherwise the swing is
 * rotated by the shortest arc about its own origin. The twist input is clamped to the limits there,
 * and
 *   transform = swing Rot(rest, twist). */
#include "base/error_internal.h"
#include "components/cone_joint.h"

static const char *const rotation_names[] = { "rotation1", "rotation2" };
static const char *const angle_names[] = { "angle1", "angle2" };

static const sinew_cone *cone_in(const void *data) {
  const joint *j = data;
  return (const sinew_cone *)((const char *)j + j->cone_at);
}

static size_t round_up(size_t bytes) { return (bytes + 31) / 32 * 32; }

/* number of points after smoothing; 0 if the parameters are invalid, which setup reports */
static int final_count(const sinew_setup *setup) {
  int count;
  sinew_setup_list(setup, "points", &count);
  float smooth = sinew_setup_number(setup, "smooth");
  if (sinew_setup_has(setup, "ellipse")) {
    float points = sinew_setup_number(setup, "count");
    return points <= SINEW_CONE_MAX_POINTS ? (int)points : 0;
  }
  return smooth <= 16 && count <= SINEW_CONE_MAX_POINTS >> (int)smooth ? count << (int)smooth : 0;
}

static bool find_rotation(const sinew_setup *setup, int which, sinew_setup *dest) {
  const sinew_component_class *cls;
  return sinew_setup_peer(setup, rotation_names[which], dest, &cls) && cls == &si_rotation;
}

static size_t size(const sinew_setup *setup) {
  size_t bytes = round_up(sizeof(joint)) + round_up(si_cone_size(final_count(setup)));
  for (int i = 0; i < 2; i++) {
    sinew_setup peer;
    if (find_rotation(setup, i, &peer)) bytes += round_up(si_rotation_bytes(&peer));
  }
  return bytes;
}

/* (min, max) for all points, or a pair for each */
static bool read_twist(sinew_setup *setup, sinew_cone_desc *desc) {
  int all, at_v;
  const float *limits = sinew_setup_list(setup, "twist_limits", &all);
  const float *visible = sinew_setup_list(setup, "visible_twist", &at_v);
  if (visible && at_v != 2)
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'visible_twist' needs min and max, has %d numbers",
                     at_v);
  bool one = limits && all == 2, each = limits && all == 2 * desc->count;
  if (limits && !one && !each)
    sinew_setup_fail(setup, SINEW_ERR_VALUE,
                     "'twist_limits' needs min and max, or a pair for each of %d points; it has %d "
                     "numbers",
                     desc->count, all);
  if (one && visible)
    sinew_setup_fail(setup, SINEW_ERR_VALUE,
                     "'visible_twist' goes with a pair of 'twist_limits' for each point");
  if (setup->failed) return false;
  if (each && !one) desc->twist = (const float(*)[2])(const void *)limits;
  const float *pair = one ? limits : visible;
  desc->has_visible_twist = pair != NULL;
  if (pair) memcpy(desc->visible_twist, pair, sizeof desc->visible_twist);
  return true;
}

static sinew_cone *make_ellipse(sinew_setup *setup, const sinew_cone_desc *desc,
                                sinew_error *error) {
  int count;
  const float *degrees = sinew_setup_list(setup, "ellipse", &count);
  sinew_cone_ellipse e = sinew_default_cone_ellipse();
  if (count != 4 && count != 1) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'ellipse' needs four half angles, or one; it has %d",
                     count);
    return NULL;
  }
  e.points = (int)sinew_setup_number(setup, "count");
  for (int k = 0; k < 4; k++) e.degrees[k] = degrees[count == 4 ? k : 0];
  memcpy(e.rest, desc->rest, sizeof e.rest);
  memcpy(e.right, sinew_setup_numbers(setup, "right"), sizeof e.right);
  e.has_twist = desc->has_visible_twist;
  memcpy(e.twist, desc->visible_twist, sizeof e.twist);
  return sinew_cone_create_ellipse(&e, error);
}

static sinew_cone *make_cone(sinew_setup *setup) {
  sinew_cone_desc desc = sinew_default_cone_desc();
  const float *points = sinew_setup_list(setup, "points", &desc.count);
  bool ellipse = sinew_setup_has(setup, "ellipse");
  desc.points = (const float(*)[3])(const void *)points;
  desc.smooth = (int)sinew_setup_number(setup, "smooth");
  memcpy(desc.rest, sinew_setup_numbers(setup, "rest"), sizeof desc.rest);
  bool provisional = sinew_setup_number(setup, "provisional") != 0;
  bool visible = sinew_setup_has(setup, "visible");
  if ((points != NULL) == ellipse)
    sinew_setup_fail(setup, points ? SINEW_ERR_VALUE : SINEW_ERR_MISSING,
                     "takes 'points' or 'ellipse'");
  if (ellipse && !sinew_setup_has(setup, "right"))
    sinew_setup_fail(setup, SINEW_ERR_MISSING,
                     "'ellipse' needs 'right', the way of its first half "
                     "angle");
  if (ellipse && (visible || provisional || desc.smooth))
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'ellipse' is smooth, and seen from 'rest' already");
  if (visible && provisional)
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "takes 'visible' or 'provisional', not both");
  if (!read_twist(setup, &desc)) return NULL;
  if (visible) {
    desc.visible_from = SINEW_VISIBLE_GIVEN;
    memcpy(desc.visible, sinew_setup_numbers(setup, "visible"), sizeof desc.visible);
  } else if (provisional) {
    desc.visible_from = SINEW_VISIBLE_SUM;
  }
  sinew_error error;
  sinew_cone *cone =
      ellipse ? make_ellipse(setup, &desc, &error) : sinew_cone_create(&desc, &error);
  if (!cone && !setup->failed) sinew_setup_fail(setup, error.status, "%s", error.text);
  return cone;
}

static void check_wires(sinew_setup *setup, bool rotations) {
  for (int i = 0; i < 2; i++) {
    bool wired = sinew_setup_wired(setup, angle_names[i]) > 0;
    if (rotations && !wired)
      sinew_setup_fail(setup, SINEW_ERR_MISSING, "input '%s' is not wired: the angle of '%s'",
                       angle_names[i], rotation_names[i]);
    if (!rotations && wired)
      sinew_setup_fail(setup, SINEW_ERR_VALUE, "input '%s' goes with 'rotation1' and 'rotation2'",
                       angle_names[i]);
  }
  bool swing = sinew_setup_wired(setup, "swing") > 0;
  if (rotations == swing)
    sinew_setup_fail(setup, swing ? SINEW_ERR_VALUE : SINEW_ERR_MISSING,
                     swing ? "'rotation1' and 'rotation2' make the swing: input 'swing' must stay "
                             "unwired"
                           : "needs input 'swing', or 'rotation1' and 'rotation2'");
}

/* the rotations' own constants, computed again from their parameters */
static bool read_rotations(sinew_setup *setup, joint *j, size_t *used) {
  for (int i = 0; i < 2; i++) {
    sinew_setup peer;
    if (!find_rotation(setup, i, &peer)) return false;
    si_rotation_data *h = (si_rotation_data *)(void *)((char *)j + *used);
    peer.error = NULL; /* it reports its own mistakes */
    si_rotation_setup(&peer, h);
    if (peer.failed) {
      setup->failed = true;
      return false;
    }
    j->rotation_at[i] = (uint32_t)*used;
    *used += round_up(si_rotation_bytes(&peer));
    memcpy(j->swing.axis[i], h->axis, sizeof j->swing.axis[i]);
    j->swing.rest[i] = h->rest;
    j->swing.min[i] = h->low;
    j->swing.max[i] = h->high;
  }
  si_swing_prepare(&j->swing);
  return true;
}

static void fill_twist(joint *j) {
  double x[3], length;
  si_wide(j->swing.bone, x);
  length = si_wide_length(x);
  for (int col = 0; col < 3; col++)
    for (int row = 0; row < 3; row++) {
      double p = x[row] * x[col] / (length * length);
      j->twist[0][4 * col + row] = (float)p;
      j->twist[1][4 * col + row] = (float)((row == col) - p);
      if (row != col)
        j->twist[2][4 * col + row] =
            (float)(((row - col + 3) % 3 == 1 ? x[3 - row - col] : -x[3 - row - col]) / length);
    }
}

static void setup(sinew_setup *setup, void *data) {
  joint *j = data;
  bool given[2];
  for (int i = 0; i < 2; i++) {
    sinew_setup peer;
    given[i] = sinew_setup_has(setup, rotation_names[i]);
    if (given[i] && !find_rotation(setup, i, &peer))
      sinew_setup_fail(setup, SINEW_ERR_TYPE, "'%s' must name a rotation", rotation_names[i]);
  }
  if (given[0] != given[1])
    sinew_setup_fail(setup, SINEW_ERR_MISSING, "has '%s' but not '%s'", rotation_names[given[1]],
                     rotation_names[given[0]]);
  else
    check_wires(setup, given[0]);
  sinew_cone *cone = make_cone(setup);
  if (setup->failed) {
    sinew_cone_destroy(cone);
    return;
  }
  size_t used = round_up(sizeof *j);
  j->cone_at = (uint32_t)used;
  memcpy((char *)j + used, cone, sinew_cone_bytes(cone));
  memcpy(j->swing.bone, cone->rest, sizeof j->swing.bone);
  fill_twist(j);
  j->twists = cone->has_twist || sinew_setup_wired(setup, "twist");
  j->count = cone->count;
  memcpy(j->visible, cone->visible, sizeof j->visible);
  j->sure_cosine = cone->sure_cosine;
  memcpy(j->sure_twist, cone->sure_twist, sizeof j->sure_twist);
  used += round_up(sinew_cone_bytes(cone));
  sinew_cone_destroy(cone);
  j->rotations = given[0] && read_rotations(setup, j, &used);
}

/* cosines and sines of three angles at once; the fourth lane is not used */
static inline __attribute__((always_inline)) void turn_three(si_v4 degrees, si_v4 *sine,
                                                             si_v4 *cosine) {
  if (si_turns_far(degrees)) degrees = si_unwind(degrees);
  si_sincos_four(degrees, sine, cosine);
}

static inline __attribute__((always_inline)) si_frame swing_of(const joint *j, const float *angles,
                                                               si_v4 sine, si_v4 cosine) {
  return si_frame_mul(si_rotation_frame(part(j, j->rotation_at[0]), angles[0], cosine[0], sine[0]),
                      si_rotation_frame(part(j, j->rotation_at[1]), angles[1], cosine[1], sine[1]));
}

/* the bone's direction, made unit if the swing scales */
static inline void direction_of(const joint *j, si_frame swing, float *dest) {
  const float *bone = j->swing.bone;
  si_v4 v = swing.x * si_all(bone[0]) + swing.y * si_all(bone[1]) + swing.z * si_all(bone[2]);
  dest[0] = v[0], dest[1] = v[1], dest[2] = v[2];
  if (j->rotations) return; /* unit already, since the bone is */
  float square = si_vec_dot(dest, dest);
  if (fabsf(square - 1) > 1e-6f && !si_vec_unit(dest, dest))
    memcpy(dest, bone, sizeof j->swing.bone);
}

static float degrees_between(const float *a, const float *b) {
  float c[3];
  si_vec_cross(a, b, c);
  return si_atan2(si_vec_length(c), si_vec_dot(a, b));
}

/* the rotation about the bone at rest, p + cos q + sin x */
static inline si_frame make_twist(const joint *j, float cosine, float sine) {
  si_v4 c = si_all(cosine), s = si_all(sine);
  const float *p = j->twist[0], *q = j->twist[1], *x = j->twist[2];
  return (si_frame){ si_load(p) + c * si_load(q) + s * si_load(x),
                     si_load(p + 4) + c * si_load(q + 4) + s * si_load(x + 4),
                     si_load(p + 8) + c * si_load(q + 8) + s * si_load(x + 8),
                     { 0, 0, 0, 1 } };
}

/* a joint as its inputs want it */
typedef struct wish {
  si_frame swing;
  float angles[2], held[2];
  float twist;
  float twist_sine, twist_cosine;
} wish;

/* Filled in place, here and below: a copy would wait for its parts to be stored. First the angles,
 * clamped to their ranges */
static inline __attribute__((always_inline)) void
want_angles(const joint *j, const sinew_node *node, const float *values, wish *dest) {
  dest->twist = *sinew_node_in(node, values, in_twist);
  for (uint32_t i = 0; i < 2; i++) {
    float wanted = j->rotations ? *sinew_node_in(node, values, in_angle1 + i) : 0;
    dest->angles[i] = j->rotations ? si_clamp(wanted, j->swing.min[i], j->swing.max[i]) : 0;
    dest->held[i] = dest->angles[i] - wanted;
  }
}

/* then the swing, and the sine and cosine of the twist */
static inline __attribute__((always_inline)) void
make_swing_of(const joint *j, const sinew_node *node, const float *values, wish *dest) {
  si_v4 sine, cosine;
  turn_three((si_v4){ dest->angles[0] - j->swing.rest[0], dest->angles[1] - j->swing.rest[1],
                      dest->twist },
             &sine, &cosine);
  dest->twist_sine = sine[2], dest->twist_cosine = cosine[2];
  dest->swing = j->rotations ? swing_of(j, dest->angles, sine, cosine)
                             : si_frame_load(sinew_node_in(node, values, in_swing));
}

static inline __attribute__((always_inline)) void make_wish(const joint *j, const sinew_node *node,
                                                            const float *values, wish *dest) {
  want_angles(j, node, values, dest);
  make_swing_of(j, node, values, dest);
}

/* moves a swing that is outside to the boundary; returns the slice of the exit, and in `*degrees`
 * by how much it moved */
static int hold_swing(const joint *j, const sinew_node *node, const float *values, int slice,
                      float *direction, wish *dest, float *degrees) {
  float target[3];
  slice = si_cone_exit_rest(part(j, j->cone_at), direction, slice, target);
  *degrees = degrees_between(direction, target);
  want_angles(j, node, values, dest);
  bool solved = j->rotations && si_swing_solve(&j->swing, target, dest->angles, dest->angles);
  make_swing_of(j, node, values, dest);
  if (solved) {
    direction_of(j, dest->swing, direction);
  } else {
    CGLM_ALIGN_MAT float turned[16];
    si_frame_store(dest->swing, turned);
    si_swing_correct(turned, direction, target, turned);
    dest->swing = si_frame_load(turned);
    memcpy(direction, target, sizeof target);
  }
  return slice;
}

/* Writes the outputs and holds four at a time; the scalar outputs come right after the transform.
 * `held` is by how much swing and twist were clamped, `inside` whether the swing was inside */
static inline __attribute__((always_inline)) void put_out(const joint *j, const sinew_node *node,
                                                          const wish *w, bool inside,
                                                          const float held[2], float *values) {
  float *dest = sinew_node_out(node, values, out_transform);
  si_v4 scalars = { w->twist, inside, w->angles[0], w->angles[1] };
  si_v4 holds = { held[0], held[1], w->held[0], w->held[1] };
  si_frame_store(j->twists ? si_frame_mul(w->swing, make_twist(j, w->twist_cosine, w->twist_sine))
                           : w->swing,
                 dest);
  si_store(dest + 16, scalars);
  memcpy(sinew_node_hold(node, values, 0), &holds, sizeof holds);
}

/* a joint as wanted, already written to the outputs, and whether it is certainly allowed */
typedef struct prepared {
  float direction[4]; /* the fourth is not used */
  bool twisted, fine;
} prepared;

static inline __attribute__((always_inline)) void prepare(const sinew_node *node, float *values,
                                                          prepared *dest) {
  const joint *j = node->data;
  const sinew_cone *cone = part(j, j->cone_at);
  wish w;
  make_wish(j, node, values, &w);
  put_out(j, node, &w, true, (const float[]){ 0, 0 }, values);
  direction_of(j, w.swing, dest->direction);
  dest->twisted = (w.twist >= j->sure_twist[0]) & (w.twist <= j->sure_twist[1]);
  /* one test settles most cases: certainly inside, or in the slice of the last evaluation */
  bool sure = si_vec_dot(j->visible, dest->direction) > j->sure_cosine;
  int hint = (int)*sinew_node_memo(node, values, 0);
  hint = (unsigned)hint < (unsigned)j->count ? hint : 0;
  dest->fine =
      dest->twisted & (sure | si_cone_slice_holds(si_cone_slices(cone) + hint, dest->direction));
}

/* checks a joint that may not be allowed, and corrects it if so */
static void hold(const sinew_node *node, float *values, prepared *p) {
  const joint *j = node->data;
  const sinew_cone *cone = part(j, j->cone_at);
  float *memo = sinew_node_memo(node, values, 0);
  float wanted = *sinew_node_in(node, values, in_twist), twist = wanted, held = 0;
  si_v4 dots;
  int slice = si_cone_find(cone, p->direction, (int)*memo, &dots);
  bool inside = dots[2] >= 0;
  wish w;
  if (!inside) {
    slice = si_cone_beyond_doubt(dots) ? slice : -1;
    slice = hold_swing(j, node, values, slice, p->direction, &w, &held);
  }
  *memo = (float)slice;
  if (!p->twisted) twist = si_cone_hold_twist(cone, p->direction, slice, wanted);
  if (inside && twist == wanted) return;
  if (inside) make_wish(j, node, values, &w);
  if (twist != wanted) {
    w.twist = twist;
    si_sincos(twist, &w.twist_sine, &w.twist_cosine);
  }
  put_out(j, node, &w, inside, (const float[]){ held, twist - wanted }, values);
}

static void eval(const sinew_node *node, float *values) {
  prepared p;
  prepare(node, values, &p);
  if (!p.fine) hold(node, values, &p);
}

/* First computes all joints as wanted, then corrects those that need it: a mispredicted branch in
 * the second loop does not stall the first */
static void eval_all(const sinew_node *nodes, const uint32_t *which, uint32_t count,
                     float *values) {
  enum { together = 16 };
  prepared p[together];
  for (uint32_t from = 0; from < count; from += together) {
    uint32_t n = count - from < together ? count - from : together;
    for (uint32_t i = 0; i < n; i++) prepare(&nodes[which[from + i]], values, &p[i]);
    for (uint32_t i = 0; i < n; i++)
      if (!p[i].fine) hold(&nodes[which[from + i]], values, &p[i]);
  }
}

void si_cone_bare(const sinew_node *node, float *values) {
  const joint *j = node->data;
  wish w;
  make_wish(j, node, values, &w);
  put_out(j, node, &w, true, (const float[]){ 0, 0 }, values);
}

/* checks the resulting direction against the cone, and the twist against the limits there */
static bool verify(const sinew_node *node, const float *values, sinew_error *why) {
  const joint *j = node->data;
  const sinew_cone *cone = part(j, j->cone_at);
  const float *transform = values + node->ports[node->input_count + out_transform];
  double twist = (double)values[node->ports[node->input_count + out_twist]];
  float rest[3], direction[3], held[3], limits[2];
  sinew_cone_rest(cone, rest);
  si_mat_direction(transform, rest, direction);
  if (sinew_cone_hold(cone, direction, NULL, held)) {
    double off = hypot(hypot((double)(direction[0] - held[0]), (double)(direction[1] - held[1])),
                       (double)(direction[2] - held[2]));
    if (off > 2e-4) {
      si_fail(why, SINEW_ERR_VALUE, "its direction is %g rad outside the cone", off);
      return false;
    }
  }
  if (!sinew_cone_twist(cone, direction, NULL, limits)) return true;
  if (twist >= (double)limits[0] - 0.05 && twist <= (double)limits[1] + 0.05) return true;
  si_fail(why, SINEW_ERR_VALUE, "its twist %g is outside %g to %g", twist, (double)limits[0],
          (double)limits[1]);
  return false;
}

static const sinew_port_desc inputs[] = {
  { "swing", SINEW_MATRIX, SINEW_PORT_OPTIONAL | SINEW_PORT_SWING, 0, "",
    "the rotation of the bone away from rest" },
  { "twist", SINEW_SCALAR,
    SINEW_PORT_OPTIONAL | SINEW_PORT_PASSED | SINEW_PORT_TWIST | SINEW_PORT_NEGATED, 0, "deg",
    "the angle about the bone itself" },
  { "angle1", SINEW_SCALAR, SINEW_PORT_OPTIONAL | SINEW_PORT_PASSED | SINEW_PORT_ROTATION1, 0,
    "deg", "the angle of 'rotation1'" },
  { "angle2", SINEW_SCALAR, SINEW_PORT_OPTIONAL | SINEW_PORT_PASSED | SINEW_PORT_ROTATION2, 0,
    "deg", "the angle of 'rotation2'" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "", "the swing and twist within the limits" },
  { "twist", SINEW_SCALAR, SINEW_PORT_PASSED | SINEW_PORT_NEGATED, 0, "deg",
    "the twist, clamped to its limits" },
  { "inside", SINEW_SCALAR, 0, 0, "", "1 if the swing was inside the cone, else 0" },
  { "angle1", SINEW_SCALAR, SINEW_PORT_PASSED | SINEW_PORT_ROTATION1, 0, "deg",
    "the angle of 'rotation1' for the limited swing" },
  { "angle2", SINEW_SCALAR, SINEW_PORT_PASSED | SINEW_PORT_ROTATION2, 0, "deg",
    "the angle of 'rotation2' for the limited swing" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "rest", SINEW_PARAM_VECTOR, SINEW_PARAM_REQUIRED | SINEW_PARAM_BONE, .mirror = "point",
    .doc = "the bone's direction at rest, inside the cone" },
  { "points", SINEW_PARAM_VECTORS, .mirror = "outline",
    .doc = "directions on the boundary, counter-clockwise seen from outside; three or more" },
  { "ellipse", SINEW_PARAM_NUMBERS, .mirror = "quarters", .min = 0, .max = 180, .unit = "deg",
    .doc = "instead of points: half angles at azimuth 0, 90, 180, 270, or one for all" },
  { "right", SINEW_PARAM_VECTOR, .mirror = "point",
    .doc = "azimuth 0 of the ellipse; 90 is rest x right" },
  { "count", SINEW_PARAM_NUMBER, .fallback = { 24 }, .min = 3, .max = SINEW_CONE_MAX_POINTS,
    .doc = "points of the ellipse" },
  { "visible", SINEW_PARAM_VECTOR, .mirror = "point",
    .doc = "the point from which all of the boundary is seen; the rest direction unless given" },
  { "provisional", SINEW_PARAM_FLAG,
    .doc = "see the boundary from the normalised sum of the points" },
  { "twist_limits", SINEW_PARAM_NUMBERS, .mirror = "outline_windows", .unit = "deg",
    .doc = "min and max of the twist: one pair, or one for each point" },
  { "visible_twist", SINEW_PARAM_NUMBERS, .mirror = "window", .unit = "deg",
    .doc = "min and max at the visible point; the mean of the points' unless given" },
  { "smooth", SINEW_PARAM_NUMBER, .min = 0, .max = 16,
    .doc = "steps of subdivision, each doubling the points" },
  { "rotation1", SINEW_PARAM_COMPONENT, SINEW_PARAM_ROTATION1,
    .doc = "the outer of two rotations that make the swing, solved again where it is held" },
  { "rotation2", SINEW_PARAM_COMPONENT, SINEW_PARAM_ROTATION2, .doc = "the inner one" },
  { 0 },
};

static const sinew_hold_desc holds[] = {
  { "swing", "the reach cone" },
  { "twist", "the twist limits" },
  { "angle1", "the rotation's range" },
  { "angle2", "the rotation's range" },
  { 0 },
};

const sinew_component_class si_cone = {
  .class_size = sizeof(sinew_component_class),
  .name = "cone",
  .doc =
      "Holds a joint's swing inside a reach cone, and its twist inside limits that depend on it.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .holds = holds,
  .memo_count = 1,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = si_cone_tangent,
  .verify = verify,
  .drawing = SINEW_DRAWN_CONE,
  .color = 0x427c46,
  .eval_all = eval_all,
  .cone = cone_in,
  .kernel = SI_KERNEL_CONE,
};
