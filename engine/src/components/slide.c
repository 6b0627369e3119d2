/* slide: the scapula constraint [Shao 2003, 4.7]. Two points of a segment glide on an ellipsoid.
 *
 * The active points p1, p2 are a blend of three pairs, with weights (1-r)l, (1-r)(1-l) and r for
 * lift l and rotation r. A rotation by theta about the axis x1 through the joint brings p1 onto the
 * ellipsoid. Then a rotation by psi about the line from the joint to p1 brings p2 there and leaves
 * p1: transform = Rot(x1, theta) Rot(p1, psi), to be multiplied after the transform that gives
 * `frame`. */
#include "components/slide_glide.h"
#include "math/angle.h"
#include "math/vector.h"

static size_t size(const sinew_setup *setup) {
  (void)setup;
  return sizeof(glide);
}

static void read_ellipsoid(sinew_setup *setup, glide *g) {
  int count;
  const float *radii = sinew_setup_list(setup, "radii", &count);
  const float *centre = sinew_setup_numbers(setup, "centre");
  const float *turn =
      sinew_setup_has(setup, "orientation") ? sinew_setup_numbers(setup, "orientation") : NULL;
  if (count != 3) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'radii' needs three, has %d", count);
    return;
  }
  for (int i = 0; i < 3; i++)
    if (!(radii[i] >= 1e-6f))
      sinew_setup_fail(setup, SINEW_ERR_VALUE, "radius %d is %g, not positive", i + 1,
                       (double)radii[i]);
  if (turn && si_vec_length(turn + 12) > 0)
    sinew_setup_fail(setup, SINEW_ERR_VALUE,
                     "'orientation' must not translate; use 'centre' for the ellipsoid's position");
  float columns[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  for (int i = 0; i < 3; i++) {
    g->radii[i] = (double)radii[i];
    if (turn) memcpy(columns[i], turn + 4 * i, sizeof columns[i]);
  }
  double back[3] = { 0, 0, 0 };
  for (int i = 0; i < 3; i++) {
    g->shape[i] =
        (si_dvec){ (double)columns[0][i] / g->radii[0], (double)columns[1][i] / g->radii[1],
                   (double)columns[2][i] / g->radii[2] };
    back[0] -= g->shape[i].x * (double)centre[i];
    back[1] -= g->shape[i].y * (double)centre[i];
    back[2] -= g->shape[i].z * (double)centre[i];
  }
  g->offset = (si_dvec){ back[0], back[1], back[2] };
}

static void read_pairs(sinew_setup *setup, glide *g) {
  static const char *const names[] = { "pair1", "pair2", "pair3" };
  static const char *const blends[] = { NULL, "lift", "rotation" };
  for (int i = 0; i < 3; i++) {
    int count;
    const float *pair = sinew_setup_list(setup, names[i], &count);
    if (!sinew_setup_has(setup, names[i])) {
      g->firsts[i] = g->firsts[0], g->seconds[i] = g->seconds[0];
      continue;
    }
    if (count != 2) {
      sinew_setup_fail(setup, SINEW_ERR_VALUE, "'%s' needs two points, has %d", names[i], count);
      continue;
    }
    if (!(si_vec_length(pair) > 1e-6f))
      sinew_setup_fail(setup, SINEW_ERR_VALUE,
                       "the first point of '%s' is the joint, so there is no line from one to the "
                       "other to rotate about",
                       names[i]);
    if (blends[i] && !sinew_setup_wired(setup, blends[i]))
      sinew_setup_fail(setup, SINEW_ERR_MISSING,
                       "has a '%s', but input '%s', which blends it in, is not wired", names[i],
                       blends[i]);
    g->firsts[i] = (si_dvec){ (double)pair[0], (double)pair[1], (double)pair[2] };
    g->seconds[i] = (si_dvec){ (double)pair[3], (double)pair[4], (double)pair[5] };
  }
}

/* offset and slope of a clamped linear map, from the inputs that give 0 and 1 */
static void read_range(sinew_setup *setup, const char *name, double *dest) {
  int count;
  const float *range = sinew_setup_list(setup, name, &count);
  double low = count == 2 ? (double)range[0] : 0, high = count == 2 ? (double)range[1] : 1;
  if (sinew_setup_has(setup, name) && count != 2)
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'%s' needs two numbers, has %d", name, count);
  else if (low == high)
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'%s' is empty: %g to %g", name, low, high);
  dest[1] = 1 / (high - low);
  dest[0] = -low * dest[1];
}

static void read_window(sinew_setup *setup, const char *name, si_window *dest) {
  int count;
  const float *window = sinew_setup_list(setup, name, &count);
  if (!sinew_setup_has(setup, name)) return;
  if (count != 1 && count != 2) {
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'%s' takes one number or two, has %d", name, count);
    return;
  }
  double high = (double)window[count - 1], low = count == 2 ? (double)window[0] : -high;
  if (!(low < high))
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'%s' is empty: %g to %g", name, low, high);
  else
    si_window_set(dest, low, high);
}

static void setup(sinew_setup *setup, void *data) {
  glide *g = data;
  const float *axis = sinew_setup_numbers(setup, "axis");
  float unit[3];
  if (!si_vec_unit(axis, unit)) sinew_setup_fail(setup, SINEW_ERR_VALUE, "'axis' is zero");
  /* in doubles, since a float axis is off by 1e-8 */
  g->axis = (si_dvec){ (double)axis[0], (double)axis[1], (double)axis[2] };
  double length = sqrt(si_dvec_dot(g->axis, g->axis));
  g->axis = (si_dvec){ g->axis.x / length, g->axis.y / length, g->axis.z / length };
  read_ellipsoid(setup, g);
  read_pairs(setup, g);
  read_range(setup, "lift_range", g->lift);
  read_range(setup, "rotation_range", g->rotation);
  si_window_set(&g->windows[0], -90, 90);
  read_window(setup, "window", &g->windows[0]);
  g->windows[1] = g->windows[0];
  read_window(setup, "psi_window", &g->windows[1]);
}

/* a point that rotates about an axis through the joint: m + cos t u + sin t v */
typedef struct path {
  si_dvec m, u, v;
} path;

/* `along` is the point's projection onto the unit axis, `across` is axis x point */
static inline path path_of(const place *p, si_dvec along, si_dvec point, si_dvec across) {
  return (path){ sum(place_direction(p, along), p->joint),
                 place_direction(p, sum(point, times(-1, along))), place_direction(p, across) };
}

/* the distance of the point from the ellipsoid, along the line through its centre; negative
 * inside */
static float stand_off(const glide *g, const path *way, const si_contact *at) {
  double n = 1 / (at->cosine * at->cosine + at->sine * at->sine);
  double c = (at->cosine * at->cosine - at->sine * at->sine) * n, s = 2 * at->cosine * at->sine * n;
  si_dvec y = sum(way->m, sum(times(c, way->u), times(s, way->v)));
  si_dvec out = { g->radii[0] * y.x, g->radii[1] * y.y, g->radii[2] * y.z };
  double length = sqrt(si_dvec_dot(y, y));
  if (length < 1e-9) return -(float)fmin(fmin(g->radii[0], g->radii[1]), g->radii[2]);
  return (float)(sqrt(si_dvec_dot(out, out)) * (1 - 1 / length));
}

/* the rotation that brings the point to the ellipsoid, or as near as possible; returns the distance
 * that remains */
static inline float settle(const glide *g, const path *way, int which, si_contact *dest) {
  si_circle circle = si_circle_of(way->m, way->u, way->v);
  *dest = si_circle_contact(&circle, &g->windows[which]);
  return si_contact_touches(dest) ? 0 : stand_off(g, way, dest);
}

/* Rot(x, first) Rot(n, second), as a product of quaternions */
static inline void turns(si_dvec x, const si_contact *first, si_dvec n, const si_contact *second,
                         float *dest) {
  double ss = first->sine * second->sine;
  double w = first->cosine * second->cosine - ss * si_dvec_dot(x, n);
  si_dvec q = sum(times(ss, cross(x, n)), sum(times(first->cosine * second->sine, n),
                                              times(first->sine * second->cosine, x)));
  double k = 2 / (w * w + si_dvec_dot(q, q));
  si_dvec p = times(k, q);
  double xx = p.x * q.x, yy = p.y * q.y, zz = p.z * q.z, xy = p.x * q.y, yz = p.y * q.z,
         zx = p.z * q.x;
  p = times(w, p);
  dest[0] = (float)(1 - yy - zz), dest[1] = (float)(xy + p.z), dest[2] = (float)(zx - p.y);
  dest[4] = (float)(xy - p.z), dest[5] = (float)(1 - zz - xx), dest[6] = (float)(yz + p.x);
  dest[8] = (float)(zx + p.y), dest[9] = (float)(yz - p.x), dest[10] = (float)(1 - xx - yy);
  dest[3] = dest[7] = dest[11] = dest[12] = dest[13] = dest[14] = 0;
  dest[15] = 1;
}

/* both angles in degrees, from their halves */
static inline void put_degrees(const si_contact *first, const si_contact *second, float *theta,
                               float *psi) {
  si_v4 sines = { (float)first->sine, (float)second->sine };
  si_v4 cosines = { (float)first->cosine, (float)second->cosine };
  si_v4 halves = si_atan2_four(sines, cosines);
  *theta = 2 * halves[0], *psi = 2 * halves[1];
}
static void eval(const sinew_node *node, float *values) {
  const glide *g = node->data;
  const place to_sphere = place_of(g, sinew_node_in(node, values, 0));
  double l = g->lift[0] + g->lift[1] * (double)*sinew_node_in(node, values, 1);
  double r = g->rotation[0] + g->rotation[1] * (double)*sinew_node_in(node, values, 2);
  l = l < 0 ? 0 : l > 1 ? 1 : l;
  r = r < 0 ? 0 : r > 1 ? 1 : r;
  si_dvec p1 = apply(g->firsts, (1 - r) * l, (1 - r) * (1 - l), r);
  si_dvec p2 = apply(g->seconds, (1 - r) * l, (1 - r) * (1 - l), r);

  si_dvec x = g->axis, along = times(si_dvec_dot(x, p1), x), across = cross(x, p1);
  path way = path_of(&to_sphere, along, p1, across);
  si_contact first, second;
  *sinew_node_hold(node, values, 0) = settle(g, &way, 0, &first);

  /* the second axis and point, both rotated by theta */
  double n = 1 / (first.cosine * first.cosine + first.sine * first.sine);
  double s = 2 * first.cosine * first.sine * n, t = 2 * first.sine * first.sine * n; /* 1 - cos */
  si_dvec turned = sum(p1, sum(times(s, across), times(t, sum(along, times(-1, p1)))));
  si_dvec along2 = times(si_dvec_dot(x, p2), x);
  si_dvec point = sum(p2, sum(times(s, cross(x, p2)), times(t, sum(along2, times(-1, p2)))));
  double square = si_dvec_dot(p1, p1);
  double unit = square > 1e-18 ? 1 / sqrt(square) : 0;
  turned = times(unit, turned);
  /* a blended point may coincide with the joint: then there is no second axis, and the second
   * rotation has no effect */
  along2 = unit > 0 ? times(si_dvec_dot(turned, point), turned) : point;
  way = path_of(&to_sphere, along2, point, cross(turned, point));
  *sinew_node_hold(node, values, 1) = settle(g, &way, 1, &second);

  turns(x, &first, times(unit, p1), &second, sinew_node_out(node, values, 0));
  put_degrees(&first, &second, sinew_node_out(node, values, 1), sinew_node_out(node, values, 2));
  *sinew_node_out(node, values, 3) = si_contact_touches(&first) && si_contact_touches(&second);
  put(p1, sinew_node_out(node, values, 4));
  put(p2, sinew_node_out(node, values, 5));
}

static const sinew_port_desc inputs[] = {
  { "frame", SINEW_MATRIX, SINEW_PORT_SURFACE, 0, "",
    "from the segment, after its compensation and rotation, to the ellipsoid's segment" },
  { "lift", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 0, "", "blends from 'pair2' to 'pair1'" },
  { "rotation", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 0, "", "blends to 'pair3'" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "",
    "both rotations; multiply it to the right of the product in 'frame'" },
  { "theta", SINEW_SCALAR, 0, 0, "deg", "the angle about 'axis'" },
  { "psi", SINEW_SCALAR, SINEW_PORT_NEGATED, 0, "deg",
    "the angle about the line from the joint to 'first'" },
  { "contact", SINEW_SCALAR, SINEW_PORT_CONTACT, 0, "",
    "1 if both points touch the ellipsoid, else 0" },
  { "first", SINEW_VECTOR, SINEW_PORT_TOUCHING, 0, "m", "the first active point, on the segment" },
  { "second", SINEW_VECTOR, SINEW_PORT_TOUCHING, 0, "m",
    "the second active point, on the segment" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { "radii", SINEW_PARAM_NUMBERS, SINEW_PARAM_REQUIRED | SINEW_PARAM_RADII, .unit = "m",
    .doc = "the ellipsoid's three radii" },
  { "centre", SINEW_PARAM_VECTOR, SINEW_PARAM_CENTRE, .mirror = "point", .unit = "m",
    .doc = "the ellipsoid's centre in its segment's frame" },
  { "orientation", SINEW_PARAM_MATRIX, SINEW_PARAM_ORIENTATION, .mirror = "matrix",
    .doc = "the rotation of the ellipsoid's axes in its segment's frame; none unless given" },
  { "axis", SINEW_PARAM_VECTOR, SINEW_PARAM_REQUIRED | SINEW_PARAM_AXIS, .mirror = "axis",
    .doc = "the first axis, through the joint; any length except zero" },
  { "pair1", SINEW_PARAM_VECTORS, SINEW_PARAM_REQUIRED | SINEW_PARAM_POINTS, .mirror = "points",
    .unit = "m", .doc = "two points of the segment that touch when it is lifted" },
  { "pair2", SINEW_PARAM_VECTORS, SINEW_PARAM_POINTS, .mirror = "points", .like = "pair1",
    .unit = "m", .doc = "those that touch when it is lowered; 'pair1' unless given" },
  { "pair3", SINEW_PARAM_VECTORS, SINEW_PARAM_POINTS, .mirror = "points", .like = "pair1",
    .unit = "m", .doc = "those that touch when it is fully rotated; 'pair1' unless given" },
  { "lift_range", SINEW_PARAM_NUMBERS,
    .doc = "the lift at which 'pair2' and at which 'pair1' acts; 0 and 1 unless given" },
  { "rotation_range", SINEW_PARAM_NUMBERS,
    .doc = "the rotation at which 'pair3' starts to act and at which it acts alone; 0 and 1 unless "
           "given" },
  { "window", SINEW_PARAM_NUMBERS, .min = -180, .max = 180, .unit = "deg",
    .doc = "smallest and largest angle of both rotations, or one number for both directions; 90 "
           "unless given" },
  { "psi_window", SINEW_PARAM_NUMBERS, .mirror = "window", .like = "window", .min = -180,
    .max = 180, .unit = "deg",
    .doc = "the same for the second rotation only; 'window' unless given" },
  { 0 },
};

static const sinew_hold_desc holds[] = {
  { "theta", "the first point misses the ellipsoid" },
  { "psi", "the second point misses the ellipsoid" },
  { 0 },
};

const sinew_component_class si_slide = {
  .class_size = sizeof(sinew_component_class),
  .name = "slide",
  .doc = "Glides two points of a segment on an ellipsoid, as the scapula does on the rib cage.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .holds = holds,
  .size = size,
  .setup = setup,
  .eval = eval,
  .tangent = si_slide_tangent,
  .without = SINEW_WITHOUT_VERIFY,
  .drawing = SINEW_DRAWN_ELLIPSOID,
  .color = 0x964670,
  .kernel = SI_KERNEL_SLIDE,
};
