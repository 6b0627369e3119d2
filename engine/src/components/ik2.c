/* ik2: two bones whose tip reaches a goal, in closed form. Outputs are the driven matrices of both.
 *
 * All is computed in the upper bone's rest frame (world(parent) rest), where the upper bone starts
 * at 0. There a and b are the lengths from the upper bone's origin to the lower's, and from there
 * to the tip; G is the goal, and g = G / |G|. The elbow moves in the plane of goal and pole,
 * towards the direction n of the pole across g. With the bend t of the lower bone, 0 where the limb
 * is straight,
 *
 *   r^2 = a^2 + b^2 + 2 a b cos t            the reach, how far the tip is from the origin
 *   r = |G|, within the reaches at `max_bend` and `min_bend`
 *   elbow direction = (a + b cos t) / r g + b sin t / r n
 *
 * Near the largest reach R, a soft limit of width s replaces |G| > R - s by
 * R - s^2 / (s + |G| - (R - s)): it has the same slope at R - s and never gets to R, so that the
 * elbow slows down where it would snap straight.
 *
 * The hinge axis is fixed in both bones: across them if they are bent at rest, else across the bone
 * and the pole at rest. So the upper matrix takes (bone, hinge) at rest to (elbow direction, n x
 * g), and the lower one rotates about the hinge by the bend less that at rest.
 *
 * Where it jumps: if the goal passes through the upper bone's origin, or the line to it through the
 * pole. There the direction of the tip at rest is taken for g, and that of the elbow at rest for n
 * (or of the tip, if g lies along it). With soft = 0 the bend changes infinitely fast at full
 * stretch; the derivative given there is 0. */
#include "components/frames.h"

#include "components/catalog.h"

static size_t size(const sinew_setup *setup) {
  uint32_t links = si_path_of(setup, "at", NULL).count + si_path_of(setup, "pole_at", NULL).count;
  return sizeof(si_ik2_data) + (links + 2) * sizeof(si_link);
}

static void narrow(const double *v, float *dest) {
  for (int i = 0; i < 3; i++) dest[i] = (float)v[i];
}
static void sum(double x, const double *a, double y, const double *b, double *dest) {
  for (int i = 0; i < 3; i++) dest[i] = x * a[i] + y * b[i];
}
static void turned(const float *m, const double *v, double *dest) {
  for (int i = 0; i < 3; i++)
    dest[i] = (double)m[i] * v[0] + (double)m[4 + i] * v[1] + (double)m[8 + i] * v[2];
}
/* the part of v across the unit vector u, of length 1; false if it has none */
static bool across(const double *v, const double *u, double *dest) {
  double part[3], length = si_wide_length(v);
  sum(1, v, -si_wide_dot(u, v), u, part);
  return si_wide_length(part) > 1e-4 * length && si_wide_unit(part, dest);
}

/* the hinge axis, and the direction in which the elbow points at rest */
static bool setup_hinge(sinew_setup *setup, const double *u, const double *v, si_ik2_data *f,
                        double *axis) {
  double bend[3], pole[3] = { 0 }, tip[3], elbow[3], rest[16];
  bool has_pole = sinew_setup_has(setup, "pole") || sinew_setup_has(setup, "pole_at");
  f->own_pole = !has_pole;
  sum((double)f->a, u, (double)f->b, v, tip);
  if (!si_wide_unit(tip, tip)) memcpy(tip, u, sizeof tip);
  si_wide_cross(u, v, bend);
  bool bent = si_wide_length(bend) > 1e-4;
  if (has_pole) {
    const float *given = sinew_setup_numbers(setup, "pole");
    si_path_rest(&f->pole, f->links + f->pole_link, rest);
    for (int i = 0; i < 3; i++)
      pole[i] = rest[i] * (double)given[0] + rest[4 + i] * (double)given[1] +
                rest[8 + i] * (double)given[2] + rest[12 + i];
    memcpy(f->pole_given, given, sizeof f->pole_given);
  }
  if (bent) {
    si_wide_unit(bend, axis);
    si_wide_cross(tip, axis, elbow);
  } else if (!has_pole || !across(pole, u, elbow)) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE,
                     has_pole
                         ? "the bones are straight at rest, and the pole lies along them: give "
                           "a 'pole' beside them, to which they bend"
                         : "the bones are straight at rest: give a 'pole' to which they bend");
    return false;
  } else {
    si_wide_cross(elbow, u, axis);
  }
  if (!has_pole) narrow(elbow, f->pole_given);
  narrow(tip, f->straight);
  narrow(elbow, f->elbow);
  return true;
}

static void setup_reach(sinew_setup *setup, si_ik2_data *f) {
  double a = (double)f->a, b = (double)f->b;
  double least = (double)sinew_setup_number(setup, "min_bend");
  double most = (double)sinew_setup_number(setup, "max_bend");
  if (least > most) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'min_bend' %g is above 'max_bend' %g", least, most);
    return;
  }
  f->high = (float)sqrt(a * a + b * b + 2 * a * b * cos(least * SI_DEG));
  f->low = (float)sqrt(fmax(0, a * a + b * b + 2 * a * b * cos(most * SI_DEG)));
  f->soft = fminf(sinew_setup_number(setup, "soft"), f->high - f->low);
}

static void setup(sinew_setup *setup, void *data) {
  si_ik2_data *f = data;
  double u[3], v[3], axis[3] = { 0 }, side[3], hinge[3];
  sinew_segment upper = sinew_setup_segment(setup, "upper");
  sinew_segment lower = sinew_setup_segment(setup, "lower");
  f->goal = si_path_of(setup, "at", f->links);
  f->pole_link = f->goal.count + 1;
  f->pole = si_path_of(setup, "pole_at", f->links + f->pole_link);
  if (sinew_setup_parent(setup, lower).id != upper.id) {
    sinew_setup_fail(setup, SINEW_ERR_TREE, "'%s' is no child of '%s'",
                     sinew_setup_text(setup, "lower"), sinew_setup_text(setup, "upper"));
    return;
  }
  if (!sinew_setup_wired(setup, "goal") && !sinew_setup_has(setup, "at"))
    sinew_setup_fail(setup, SINEW_ERR_MISSING, "give a 'goal', or 'at', the segment to reach");
  const float *rest = sinew_setup_rest(setup, lower);
  si_wide(rest + 12, u);
  si_wide(sinew_setup_numbers(setup, "tip"), side);
  turned(rest, side, v);
  f->a = (float)si_wide_length(u), f->b = (float)si_wide_length(v);
  if (f->a < 1e-6f || f->b < 1e-6f) {
    sinew_setup_fail(
        setup, SINEW_ERR_VALUE, "the %s bone has no length: %s", f->a < 1e-6f ? "upper" : "lower",
        f->a < 1e-6f ? "the lower one starts at its origin" : "'tip' is at its origin");
    return;
  }
  si_wide_unit(u, u), si_wide_unit(v, v);
  setup_reach(setup, f);
  if (!setup_hinge(setup, u, v, f, axis)) return;
  si_wide_cross(u, axis, side);
  narrow(u, f->bone), narrow(axis, f->axis), narrow(side, f->side);
  f->cosine = (float)si_wide_dot(u, v), f->sine = (float)-si_wide_dot(side, v);
  for (int i = 0; i < 3; i++)
    hinge[i] = (double)rest[4 * i] * axis[0] + (double)rest[4 * i + 1] * axis[1] +
               (double)rest[4 * i + 2] * axis[2];
  /* in a mirrored frame the axis of the same rotation points the other way */
  double x[3], y[3], z[3];
  si_wide(rest, x), si_wide(rest + 4, y), si_wide(rest + 8, z);
  if (si_wide_triple(x, y, z) < 0) sum(-1, hinge, 0, hinge, hinge);
  si_wide_unit(hinge, hinge);
  narrow(hinge, f->hinge);
}

static void eval(const sinew_node *node, float *values) {
  float wanted = si_ik2_one(node, values);
  for (uint32_t i = SI_IK2_UPPER; i <= SI_IK2_LOWER; i++) {
    float *dest = sinew_node_out(node, values, i);
    dest[3] = dest[7] = dest[11] = 0, dest[15] = 1;
  }
  *sinew_node_hold(node, values, 0) = *sinew_node_out(node, values, SI_IK2_REACH) - wanted;
}

/* what the derivative needs of the value */
typedef struct bent {
  const si_ik2_data *f;
  double g[3], distance;     /* 0: the goal is at the upper bone's origin */
  double n[3], q[3], beside; /* n, the pole or what is taken for it, and its part across g */
  bool backup;               /* the pole lies along g */
  double slope;              /* of the reach by the distance */
  double c, s, x, y, reach;
} bent;

static void find_bent(const sinew_node *node, const float *values, bent *dest) {
  const si_ik2_data *f = node->data;
  const float *given = sinew_node_in(node, values, SI_IK2_GOAL);
  float p[3] = { given[0], given[1], given[2] }, q[3], g[3], n[3], c, s;
  float wanted = si_ik2_plane_one(f, node, values, g, n), reach = si_ik2_reach_one(f, wanted);
  double raw[3];
  *dest = (bent){ .f = f, .distance = (double)wanted, .reach = (double)reach };
  si_path_map_one(&f->goal, f->links, node, values, true, p);
  si_wide(g, dest->g), si_wide(n, dest->n);
  if (wanted > 0) {
    si_wide(p, dest->g);
    si_wide_unit(dest->g, dest->g);
  }
  memcpy(q, f->pole_given, sizeof q);
  if (!f->own_pole) si_path_map_one(&f->pole, f->links + f->pole_link, node, values, true, q);
  si_wide(q, dest->q);
  sum(1, dest->q, -si_wide_dot(dest->g, dest->q), dest->g, raw);
  dest->backup = si_wide_length(raw) < 1e-6;
  if (dest->backup) {
    si_wide(f->elbow, dest->q);
    double lean = si_wide_dot(dest->g, dest->q);
    if (lean * lean > (double)0.8f) si_wide(f->straight, dest->q);
    sum(1, dest->q, -si_wide_dot(dest->g, dest->q), dest->g, raw);
  }
  dest->beside = si_wide_length(raw);
  si_wide_unit(raw, dest->n);
  double soft = (double)f->soft, past = (double)wanted - (double)f->high + soft;
  dest->slope = wanted < f->low ? 0 : 1;
  if (past > 0) dest->slope = f->soft > 0 ? soft * soft / ((soft + past) * (soft + past)) : 0;
  if (reach <= f->low && wanted != reach) dest->slope = 0;
  si_ik2_bend_one(f, reach, &c, &s);
  dest->c = (double)c, dest->s = (double)s;
  dest->x = (double)f->a + (double)f->b * dest->c, dest->y = (double)f->b * dest->s;
}

/* adds the derivatives of all outputs, in column `column`, from those of the goal and of the pole
 */
static void add_rates(const bent *o, const double *goal, const double *pole, uint32_t column,
                      const sinew_node *node, const float *values, const sinew_rates *rates) {
  const si_ik2_data *f = o->f;
  double a = (double)f->a, b = (double)f->b, g[3] = { 0 }, n[3], way = si_wide_dot(o->g, goal);
  double reach = o->slope * way, bend = 0, turn = 0, raw[3], part[3];
  if (o->distance > 0)
    sum(1 / o->distance, goal, -way / o->distance, o->g, g);
  else
    reach = 0;
  if (o->s > 1e-5) bend = -o->reach * reach / (a * b * o->s);
  double square = o->x * o->x + o->y * o->y;
  if (square > 1e-12) turn = (o->x * b * o->c + o->y * b * o->s) * bend / square;
  /* n: the part of q across g */
  double along = si_wide_dot(o->g, o->q), moved = si_wide_dot(g, o->q) + si_wide_dot(o->g, pole);
  for (int i = 0; i < 3; i++) raw[i] = pole[i] - g[i] * along - o->g[i] * moved;
  sum(1 / o->beside, raw, -si_wide_dot(o->n, raw) / o->beside, o->n, n);

  double length = sqrt(square), ca = length > 1e-6 ? o->x / length : 0;
  double sa = length > 1e-6 ? o->y / length : 1, bone[3], axis[3], d_bone[3], d_axis[3], d_side[3];
  si_wide_cross(o->n, o->g, axis);
  for (int i = 0; i < 3; i++) {
    bone[i] = ca * o->g[i] + sa * o->n[i];
    d_bone[i] = turn * (ca * o->n[i] - sa * o->g[i]) + ca * g[i] + sa * n[i];
  }
  si_wide_cross(n, o->g, d_axis);
  si_wide_cross(o->n, g, part);
  sum(1, d_axis, 1, part, d_axis);
  si_wide_cross(d_bone, axis, d_side);
  si_wide_cross(bone, d_axis, part);
  sum(1, d_side, 1, part, d_side);

  float *upper = rates->outputs[SI_IK2_UPPER] + 16 * (size_t)column;
  float *lower = rates->outputs[SI_IK2_LOWER] + 16 * (size_t)column;
  const float *is = values + node->ports[node->input_count + SI_IK2_LOWER];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      int k = (i + 1) % 3, l = (i + 2) % 3;
      upper[4 * j + i] += (float)(d_bone[i] * (double)f->bone[j] + d_axis[i] * (double)f->axis[j] +
                                  d_side[i] * (double)f->side[j]);
      /* hinge x column */
      lower[4 * j + i] += (float)(bend * ((double)f->hinge[k] * (double)is[4 * j + l] -
                                          (double)f->hinge[l] * (double)is[4 * j + k]));
    }
  rates->outputs[SI_IK2_BEND][column] += (float)(bend / SI_DEG);
  rates->outputs[SI_IK2_REACH][column] += (float)reach;
}

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const si_ik2_data *f = node->data;
  const float *p = sinew_node_in(node, values, SI_IK2_GOAL), *q = f->pole_given;
  const si_sight sights[] = {
    { &f->goal, f->links, SI_IK2_GOAL, true, { p[0], p[1], p[2] } },
    { &f->pole, f->links + f->pole_link, UINT32_MAX, true, { q[0], q[1], q[2] } },
  };
  bent o;
  find_bent(node, values, &o);
  for (uint32_t input = 0; input < node->input_count; input++) {
    const sinew_input_rates *in = &rates->inputs[input];
    for (int which = 0; which < 2 && in->count; which++) {
      si_sight_slope slope;
      if (!si_sight_by(&sights[which], node, values, input, &slope)) continue;
      if (which == 1 && (o.backup || f->own_pole)) continue;
      for (uint32_t k = 0; k < in->count; k++) {
        double moved[2][3] = { { 0 } };
        si_sight_rate(&sights[which], &slope, node, values, in->rates + si_sight_floats(&slope) * k,
                      moved[which]);
        add_rates(&o, moved[0], moved[1], in->columns[k], node, values, rates);
      }
    }
  }
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = {
  { "goal", SINEW_VECTOR, SINEW_PORT_OPTIONAL | SINEW_PORT_SEEN, 0, "m",
    "where the tip shall be: a point of 'at', in its frame" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "upper", SINEW_MATRIX, 0, 0, "", "a rotation about the upper segment's origin, to drive it" },
  { "lower", SINEW_MATRIX, 0, 0, "", "a rotation about the lower segment's origin, to drive it" },
  { "bend", SINEW_SCALAR, 0, 0, "deg", "the angle between the two bones, 0 if they are straight" },
  { "reach", SINEW_SCALAR, 0, 0, "m", "how far the tip is from the upper segment's origin" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "upper", SINEW_PARAM_SEGMENT, SINEW_PARAM_REQUIRED | SINEW_PARAM_FROM_REST,
    .doc = "the first of the two segments" },
  { "lower", SINEW_PARAM_SEGMENT, SINEW_PARAM_REQUIRED, .doc = "the second, a child of the first" },
  { "tip", SINEW_PARAM_VECTOR, SINEW_PARAM_REQUIRED, .unit = "m",
    .doc = "what reaches the goal: a point of the lower segment, in its frame", .mirror = "point" },
  { "at", SINEW_PARAM_SEGMENT, SINEW_PARAM_PATH,
    .doc = "the segment whose point is the goal; the parent of the upper one unless given, or the "
           "world if it has none" },
  { "pole", SINEW_PARAM_VECTOR, .unit = "m",
    .doc =
        "the point to which the elbow points, in the frame of 'pole_at'; unless given, the elbow "
        "keeps to the side on which it is at rest",
    .mirror = "point" },
  { "pole_at", SINEW_PARAM_SEGMENT, SINEW_PARAM_PATH,
    .doc = "the segment of the pole; the parent of the upper one unless given, or the world if it "
           "has none" },
  { "soft", SINEW_PARAM_NUMBER, .max = 1e6f, .unit = "m",
    .doc = "over which distance before full stretch the tip falls behind the goal, so that the "
           "elbow does not snap" },
  { "min_bend", SINEW_PARAM_NUMBER, .max = 180, .unit = "deg", .doc = "the least bend" },
  { "max_bend", SINEW_PARAM_NUMBER, .fallback = { 180 }, .max = 180, .unit = "deg",
    .doc = "the greatest bend" },
  { 0 },
};

static const sinew_hold_desc holds[] = {
  { "reach", "the length of the two bones and the range of the bend" },
  { 0 },
};

const sinew_component_class si_ik2 = {
  .class_size = sizeof(sinew_component_class),
  .name = "ik2",
  .doc =
      "Two segments that reach a goal with their tip, in closed form: the matrices that drive "
      "both. The elbow points to the pole. A goal out of reach is approached as far as possible, "
      "and held. It jumps if the goal passes through the upper segment's origin, or the pole "
      "through the line to the goal.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .holds = holds,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY,
  .drawing = SINEW_DRAWN_SIGHT,
  .color = 0x3c9a7a,
  .kernel = SI_KERNEL_IK2,
};
