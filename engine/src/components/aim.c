/* aim: rotates a bone about its origin so that a direction of it points at a point of another
 * segment.
 *
 * Let p be that point, seen from the bone's rest frame (world(parent) rest), and d = p / |p|.
 * Without an up direction the rotation is the smallest one that takes `along` to d. With one it
 * takes along to d, and up as near as it can to its reference r: with s = along x up and
 * m = d x r, both of length 1, it takes the frame (along, s, s x along) to (d, m, m x d).
 *
 * r is up itself, carried by the bone's parent, or by the segment `up_of`: where up is at rest in
 * the frame of that segment.
 *
 * Where it jumps: if the point passes through the bone's origin (closer than 1e-6 m, along stays as
 * it is); without an up direction, if d is opposite to along, where any axis across along would do
 * and a fixed one is taken; with one, if r lies along d, where the smallest rotation is taken. */
#include "components/frames.h"

#include "components/catalog.h"

void si_across(const double *v, double *dest) {
  int least = 0;
  double axis[3] = { 0 };
  for (int i = 1; i < 3; i++)
    if (fabs(v[i]) < fabs(v[least])) least = i;
  axis[least] = 1;
  si_wide_cross(v, axis, dest);
  si_wide_unit(dest, dest);
}

void si_least_make(const double *from, si_least *dest) {
  double side[3];
  si_across(from, side);
  for (int j = 0; j < 3; j++) {
    dest->from[j] = (float)from[j];
    dest->side[j] = (float)side[j];
    for (int i = 0; i < 3; i++) dest->half[j][i] = (float)(2 * from[i] * from[j] - (i == j));
  }
}

static size_t size(const sinew_setup *setup) {
  uint32_t links = si_path_of(setup, "at", NULL).count + si_path_of(setup, "up_of", NULL).count;
  return sizeof(si_aim_data) + (links + 2) * sizeof(si_link);
}

static void setup_up(sinew_setup *setup, const double *along, si_aim_data *f) {
  double up[3], across[3], upward[3], given[3];
  si_wide(sinew_setup_numbers(setup, "up"), up);
  f->upright = sinew_setup_has(setup, "up");
  if (!f->upright && sinew_setup_has(setup, "up_of"))
    sinew_setup_fail(setup, SINEW_ERR_MISSING, "'up_of' needs 'up', the direction that it carries");
  if (!f->upright) return;
  if (!si_wide_unit(up, up)) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'up' has no length");
    return;
  }
  si_wide_cross(along, up, across);
  if (si_wide_length(across) < 1e-3 || !si_wide_unit(across, across)) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'up' lies along 'along'");
    return;
  }
  si_wide_cross(across, along, upward);
  si_path_back(&f->up, f->links + f->up_link, up, given);
  si_wide_unit(given, given);
  for (int i = 0; i < 3; i++) {
    f->up_given[i] = (float)given[i];
    f->across[i] = (float)across[i];
    f->upward[i] = (float)upward[i];
  }
}

static void setup(sinew_setup *setup, void *data) {
  si_aim_data *f = data;
  double along[3];
  f->at = si_path_of(setup, "at", f->links);
  f->up_link = f->at.count + 1;
  f->up = si_path_of(setup, "up_of", f->links + f->up_link);
  si_wide(sinew_setup_numbers(setup, "along"), along);
  if (!si_wide_unit(along, along)) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'along' has no length");
    return;
  }
  si_least_make(along, &f->least);
  setup_up(setup, along, f);
}

static void eval(const sinew_node *node, float *values) {
  float *dest = sinew_node_out(node, values, 0);
  si_aim_one(node, values);
  dest[3] = dest[7] = dest[11] = 0, dest[15] = 1;
}

/* what the derivative needs of the value */
typedef struct aimed {
  const si_aim_data *f;
  double d[3], distance;   /* 0: the point is at the joint */
  double h[3], half;       /* of the smallest rotation; |along + d| */
  double r[3], m[3], wide; /* reference, m and |d x r|; 0: the smallest rotation is taken */
} aimed;

static void find_aimed(const sinew_node *node, const float *values, aimed *dest) {
  const si_aim_data *f = node->data;
  const float *given = sinew_node_in(node, values, SI_AIM_POINT);
  float p[3] = { given[0], given[1], given[2] };
  float r[3] = { f->up_given[0], f->up_given[1], f->up_given[2] };
  double sum[3];
  *dest = (aimed){ .f = f };
  si_path_map_one(&f->at, f->links, node, values, true, p);
  si_wide(p, dest->d);
  dest->distance = si_wide_length(dest->d);
  if (dest->distance < 1e-6) dest->distance = 0;
  if (dest->distance > 0)
    si_wide_unit(dest->d, dest->d);
  else
    si_wide(f->least.from, dest->d);
  for (int i = 0; i < 3; i++) sum[i] = (double)f->least.from[i] + dest->d[i];
  dest->half = si_wide_length(sum);
  if (dest->half >= 1e-6) si_wide_unit(sum, dest->h);
  if (!f->upright) return;
  si_path_map_one(&f->up, f->links + f->up_link, node, values, false, r);
  si_wide(r, dest->r);
  si_wide_cross(dest->d, dest->r, dest->m);
  dest->wide = si_wide_length(dest->m);
  if (dest->wide < 1e-6) dest->wide = 0;
  if (dest->wide > 0) si_wide_unit(dest->m, dest->m);
}

/* the derivative of v / |v|, from that of v; `unit` is v / |v| */
static void unit_rate(const double *unit, double length, const double *rate, double *dest) {
  double along = si_wide_dot(unit, rate);
  for (int i = 0; i < 3; i++) dest[i] = (rate[i] - along * unit[i]) / length;
}

/* dest += the derivative of the result, from those of d and r */
static void add_rate(const aimed *a, const double *d_rate, const double *r_rate, float *dest) {
  const si_aim_data *f = a->f;
  if (a->wide > 0) {
    double one[3], two[3], m[3], upward[3];
    si_wide_cross(d_rate, a->r, one);
    si_wide_cross(a->d, r_rate, two);
    for (int i = 0; i < 3; i++) one[i] += two[i];
    unit_rate(a->m, a->wide, one, m);
    si_wide_cross(m, a->d, one);
    si_wide_cross(a->m, d_rate, two);
    for (int i = 0; i < 3; i++) upward[i] = one[i] + two[i];
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++)
        dest[4 * j + i] += (float)(d_rate[i] * (double)f->least.from[j] +
                                   m[i] * (double)f->across[j] + upward[i] * (double)f->upward[j]);
  } else if (a->half >= 1e-6) {
    double h[3];
    unit_rate(a->h, a->half, d_rate, h);
    for (int j = 0; j < 3; j++) {
      double w[3], along, moved;
      si_wide(f->least.half[j], w);
      along = si_wide_dot(a->h, w), moved = si_wide_dot(h, w);
      for (int i = 0; i < 3; i++) dest[4 * j + i] += (float)(2 * (h[i] * along + a->h[i] * moved));
    }
  }
}

static sinew_status tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                            sinew_error *error) {
  (void)error;
  const si_aim_data *f = node->data;
  const float *p = sinew_node_in(node, values, SI_AIM_POINT), *u = f->up_given;
  const si_sight sights[] = {
    { &f->at, f->links, SI_AIM_POINT, true, { p[0], p[1], p[2] } },
    { &f->up, f->links + f->up_link, UINT32_MAX, false, { u[0], u[1], u[2] } },
  };
  aimed a;
  find_aimed(node, values, &a);
  for (uint32_t input = 0; input < node->input_count; input++) {
    const sinew_input_rates *in = &rates->inputs[input];
    for (int which = 0; which < 1 + f->upright && in->count; which++) {
      si_sight_slope slope;
      if (!si_sight_by(&sights[which], node, values, input, &slope)) continue;
      for (uint32_t k = 0; k < in->count; k++) {
        double v[3], moved[2][3] = { { 0 } };
        si_sight_rate(&sights[which], &slope, node, values, in->rates + si_sight_floats(&slope) * k,
                      v);
        if (which == 0 && a.distance > 0) unit_rate(a.d, a.distance, v, moved[0]);
        if (which == 1) memcpy(moved[1], v, sizeof v);
        add_rate(&a, moved[0], moved[1], rates->outputs[0] + 16 * (size_t)in->columns[k]);
      }
    }
  }
  return SINEW_OK;
}

static const sinew_port_desc inputs[] = {
  { "point", SINEW_VECTOR, SINEW_PORT_OPTIONAL | SINEW_PORT_SEEN, 0, "m",
    "the point of 'at', in its frame" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "", "a rotation about the segment's origin, to drive it" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "segment", SINEW_PARAM_SEGMENT, SINEW_PARAM_REQUIRED | SINEW_PARAM_FROM_REST,
    .doc = "the segment that is aimed" },
  { "at", SINEW_PARAM_SEGMENT, SINEW_PARAM_REQUIRED | SINEW_PARAM_PATH,
    .doc = "the segment that it aims at" },
  { "along", SINEW_PARAM_VECTOR, SINEW_PARAM_BONE, .fallback = { 0, 1, 0 },
    .doc = "the direction that points at it, in the segment's rest frame", .mirror = "point" },
  { "up", SINEW_PARAM_VECTOR,
    .doc = "a direction in the same frame that stays as near to where it is at rest as aiming "
           "allows; without it the rotation is the smallest one",
    .mirror = "point" },
  { "up_of", SINEW_PARAM_SEGMENT, SINEW_PARAM_PATH,
    .doc = "the segment that carries 'up'; the parent unless given" },
  { 0 },
};

const sinew_component_class si_aim = {
  .class_size = sizeof(sinew_component_class),
  .name = "aim",
  .doc =
      "Rotates a segment about its origin so that a direction of it points at a point of another "
      "segment. It jumps if that point passes through the origin; without 'up' also where the "
      "point is straight behind, and with 'up' where up points at it or away from it.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = tangent,
  .without = SINEW_WITHOUT_VERIFY,
  .drawing = SINEW_DRAWN_SIGHT,
  .color = 0x3c9a7a,
  .kernel = SI_KERNEL_AIM,
};
