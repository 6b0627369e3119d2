/* slide: the scapula constraint (seed 000, 4.7). Two points of a segment glide on an ellipsoid.
 *
 * The active points p1, p2 are a blend of three pairs, with weights (1-r)l, (1-r)(1-l) and r for
 * lift l and rotation r. A turn by theta about the axis x1 through the joint brings p1 onto the
 * ellipsoid, then one by psi about the line from the joint to p1 brings p2 there and leaves p1:
 * transform = Rot(x1, theta) Rot(p1, psi), multiplied after what led to `frame`. */
#include "catalog.h"
#include "contact.h"
#include "frame.h"

typedef struct glide {
  double shape[3][3]; /* columns: takes the ellipsoid's segment to where it is the unit sphere */
  double centre[3];   /* of the ellipsoid, there */
  double radii[3];
  double axis[3]; /* x1 */
  double pairs[3][6];
  double lift[2], rotation[2]; /* l = lift[0] + lift[1] * input */
  si_window windows[2];
} glide;

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
                     "'orientation' moves as well as turns; 'centre' says where the ellipsoid is");
  for (int row = 0; row < 3; row++) {
    g->radii[row] = (double)radii[row];
    for (int col = 0; col < 3; col++) {
      double cosine = turn ? (double)turn[4 * row + col] : row == col;
      g->shape[col][row] = cosine / g->radii[row];
      g->centre[row] += g->shape[col][row] * (double)centre[col];
    }
  }
}

static void read_pairs(sinew_setup *setup, glide *g) {
  static const char *const names[] = { "pair1", "pair2", "pair3" };
  static const char *const blends[] = { NULL, "lift", "rotation" };
  for (int i = 0; i < 3; i++) {
    int count;
    const float *pair = sinew_setup_list(setup, names[i], &count);
    if (!pair) {
      memcpy(g->pairs[i], g->pairs[0], sizeof g->pairs[0]);
      continue;
    }
    if (count != 2) {
      sinew_setup_fail(setup, SINEW_ERR_VALUE, "'%s' needs two points, has %d", names[i], count);
      continue;
    }
    if (!(si_vec_length(pair) > 1e-6f))
      sinew_setup_fail(setup, SINEW_ERR_VALUE,
                       "the first point of '%s' is the joint, so there is no line from one to the "
                       "other to turn about",
                       names[i]);
    if (blends[i] && !sinew_setup_wired(setup, blends[i]))
      sinew_setup_fail(setup, SINEW_ERR_MISSING,
                       "has a '%s', but input '%s', which blends it in, is not wired", names[i],
                       blends[i]);
    for (int k = 0; k < 6; k++) g->pairs[i][k] = (double)pair[k];
  }
}

/* a clamped linear map's offset and slope, from the inputs that give 0 and 1 */
static void read_range(sinew_setup *setup, const char *name, double *dest) {
  int count;
  const float *range = sinew_setup_list(setup, name, &count);
  double low = range && count == 2 ? (double)range[0] : 0;
  double high = range && count == 2 ? (double)range[1] : 1;
  if (range && count != 2)
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'%s' needs two numbers, has %d", name, count);
  else if (low == high)
    sinew_setup_fail(setup, SINEW_ERR_VALUE, "'%s' is empty: %g to %g", name, low, high);
  dest[1] = 1 / (high - low);
  dest[0] = -low * dest[1];
}

static void read_window(sinew_setup *setup, const char *name, si_window *dest) {
  int count;
  const float *window = sinew_setup_list(setup, name, &count);
  if (!window) return;
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
  double length = 0;
  for (int i = 0; i < 3; i++) length += (double)axis[i] * (double)axis[i];
  for (int i = 0; i < 3; i++) g->axis[i] = (double)axis[i] / sqrt(length);
  read_ellipsoid(setup, g);
  read_pairs(setup, g);
  read_range(setup, "lift_range", g->lift);
  read_range(setup, "rotation_range", g->rotation);
  si_window_set(&g->windows[0], -90, 90);
  read_window(setup, "window", &g->windows[0]);
  g->windows[1] = g->windows[0];
  read_window(setup, "psi_window", &g->windows[1]);
}

static inline double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void cross(const double *a, const double *b, double *dest) {
  dest[0] = a[1] * b[2] - a[2] * b[1];
  dest[1] = a[2] * b[0] - a[0] * b[2];
  dest[2] = a[0] * b[1] - a[1] * b[0];
}

/* an affine map from the segment to the space of the unit sphere */
typedef struct place {
  double m[3][3], t[3]; /* columns */
} place;

static inline void place_set(place *p, const glide *g, const float *frame) {
  for (int col = 0; col < 4; col++) {
    double x = (double)frame[4 * col], y = (double)frame[4 * col + 1],
           z = (double)frame[4 * col + 2];
    double *dest = col < 3 ? p->m[col] : p->t;
    for (int i = 0; i < 3; i++)
      dest[i] = g->shape[0][i] * x + g->shape[1][i] * y + g->shape[2][i] * z;
  }
  for (int i = 0; i < 3; i++) p->t[i] -= g->centre[i];
}
static inline void place_direction(const place *p, const double *v, double *dest) {
  for (int i = 0; i < 3; i++) dest[i] = p->m[0][i] * v[0] + p->m[1][i] * v[1] + p->m[2][i] * v[2];
}

/* what a point does while it turns about a unit axis: m + cos t u + sin t v, where m comes from its
 * part `along` the axis, u from the rest of it and v from `across` = axis x point */
typedef struct path {
  double m[3], u[3], v[3];
} path;

static inline void path_set(path *way, const place *p, const double *along, const double *point,
                            const double *across) {
  double off[3];
  for (int i = 0; i < 3; i++) off[i] = point[i] - along[i];
  place_direction(p, along, way->m);
  place_direction(p, off, way->u);
  place_direction(p, across, way->v);
  for (int i = 0; i < 3; i++) way->m[i] += p->t[i];
}

/* how far the point stands off the ellipsoid, along the line through its centre; below 0 inside */
static float stand_off(const glide *g, const path *way, const si_contact *at) {
  double n = 1 / (at->cosine * at->cosine + at->sine * at->sine);
  double c = (at->cosine * at->cosine - at->sine * at->sine) * n, s = 2 * at->cosine * at->sine * n;
  double y[3], radius[3];
  for (int i = 0; i < 3; i++) {
    y[i] = way->m[i] + c * way->u[i] + s * way->v[i];
    radius[i] = g->radii[i] * y[i];
  }
  double length = sqrt(dot(y, y));
  if (length < 1e-9) return -(float)fmin(fmin(g->radii[0], g->radii[1]), g->radii[2]);
  return (float)(sqrt(dot(radius, radius)) * (1 - 1 / length));
}

static inline float settle(const glide *g, const path *way, int which, si_contact *dest) {
  si_circle circle;
  si_circle_set(&circle, way->m, way->u, way->v);
  *dest = si_circle_contact(&circle, &g->windows[which]);
  return si_contact_touches(dest) ? 0 : stand_off(g, way, dest);
}

/* Rot(x, first) Rot(n, second), as a product of quaternions */
static void turns(const double *x, const si_contact *first, const double *n,
                  const si_contact *second, float *dest) {
  double ss = first->sine * second->sine, sc = first->sine * second->cosine,
         cs = first->cosine * second->sine;
  double q[3], w = first->cosine * second->cosine - ss * dot(x, n);
  cross(x, n, q);
  for (int i = 0; i < 3; i++) q[i] = cs * n[i] + sc * x[i] + ss * q[i];
  double k = 2 / (w * w + dot(q, q));
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    dest[5 * i] = (float)(1 - k * (q[j] * q[j] + q[l] * q[l]));
    dest[4 * i + j] = (float)(k * (q[i] * q[j] + w * q[l]));
    dest[4 * i + l] = (float)(k * (q[i] * q[l] - w * q[j]));
    dest[4 * i + 3] = dest[12 + i] = 0;
  }
  dest[15] = 1;
}

static void eval(const sinew_node *node, float *values) {
  const glide *g = node->data;
  const float *frame = sinew_node_in(node, values, 0);
  double l = g->lift[0] + g->lift[1] * (double)*sinew_node_in(node, values, 1);
  double r = g->rotation[0] + g->rotation[1] * (double)*sinew_node_in(node, values, 2);
  l = fmin(fmax(l, 0), 1), r = fmin(fmax(r, 0), 1);
  double p[6], weight[3] = { (1 - r) * l, (1 - r) * (1 - l), r };
  for (int i = 0; i < 6; i++)
    p[i] = weight[0] * g->pairs[0][i] + weight[1] * g->pairs[1][i] + weight[2] * g->pairs[2][i];
  place to_sphere;
  place_set(&to_sphere, g, frame);

  const double *x = g->axis;
  double along[3], across[3], reach = dot(x, p);
  path way;
  si_contact first, second;
  for (int i = 0; i < 3; i++) along[i] = reach * x[i];
  cross(x, p, across);
  path_set(&way, &to_sphere, along, p, across);
  float gap1 = settle(g, &way, 0, &first);

  /* the second axis and point, both turned by theta */
  double n = 1 / (first.cosine * first.cosine + first.sine * first.sine);
  double c = (first.cosine * first.cosine - first.sine * first.sine) * n;
  double s = 2 * first.cosine * first.sine * n;
  double axis[3], turned[3], point[3], length = sqrt(dot(p, p));
  double unit = length > 1e-9 ? 1 / length : 0; /* a blend may meet the joint: then psi is idle */
  double reach2 = (1 - c) * dot(x, p + 3);
  cross(x, p + 3, point);
  for (int i = 0; i < 3; i++) {
    axis[i] = p[i] * unit;
    turned[i] = (along[i] + c * (p[i] - along[i]) + s * across[i]) * unit;
    point[i] = c * p[3 + i] + s * point[i] + reach2 * x[i];
  }
  double along_second = dot(turned, point);
  for (int i = 0; i < 3; i++) along[i] = unit > 0 ? along_second * turned[i] : point[i];
  cross(turned, point, across);
  path_set(&way, &to_sphere, along, point, across);
  float gap2 = settle(g, &way, 1, &second);

  turns(x, &first, axis, &second, sinew_node_out(node, values, 0));
  *sinew_node_out(node, values, 1) = (float)si_contact_degrees(&first);
  *sinew_node_out(node, values, 2) = (float)si_contact_degrees(&second);
  *sinew_node_out(node, values, 3) = si_contact_touches(&first) && si_contact_touches(&second);
  for (int i = 0; i < 3; i++) {
    sinew_node_out(node, values, 4)[i] = (float)p[i];
    sinew_node_out(node, values, 5)[i] = (float)p[3 + i];
  }
  *sinew_node_hold(node, values, 0) = gap1;
  *sinew_node_hold(node, values, 1) = gap2;
}

static const sinew_port_desc inputs[] = {
  { "frame", SINEW_MATRIX, 0, 0, "",
    "from the segment, after compensation and turn, to the ellipsoid's segment" },
  { "lift", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 0, "", "blends from 'pair2' to 'pair1'" },
  { "rotation", SINEW_SCALAR, SINEW_PORT_OPTIONAL, 0, "", "blends to 'pair3'" },
  { 0 },
};

static const sinew_port_desc outputs[] = {
  { "transform", SINEW_MATRIX, 0, 0, "", "both turns; goes right of what led to 'frame'" },
  { "theta", SINEW_SCALAR, 0, 0, "deg", "the turn about 'axis'" },
  { "psi", SINEW_SCALAR, 0, 0, "deg", "the turn about the line from the joint to 'first'" },
  { "contact", SINEW_SCALAR, 0, 0, "", "1 where both points touch the ellipsoid, else 0" },
  { "first", SINEW_VECTOR, 0, 0, "m", "the first active point, on the segment" },
  { "second", SINEW_VECTOR, 0, 0, "m", "the second active point, on the segment" },
  { 0 },
};

static const sinew_param_desc params[] = {
  { .name = "radii",
    .type = SINEW_PARAM_NUMBERS,
    .flags = SINEW_PARAM_REQUIRED,
    .unit = "m",
    .doc = "the ellipsoid's three radii" },
  { .name = "centre",
    .type = SINEW_PARAM_VECTOR,
    .unit = "m",
    .doc = "the ellipsoid's centre in its segment's frame" },
  { .name = "orientation",
    .type = SINEW_PARAM_MATRIX,
    .doc = "the turn of the ellipsoid's axes in its segment's frame; none unless given" },
  { .name = "axis",
    .type = SINEW_PARAM_VECTOR,
    .flags = SINEW_PARAM_REQUIRED,
    .doc = "the first axis, through the joint; any length but zero" },
  { .name = "pair1",
    .type = SINEW_PARAM_VECTORS,
    .flags = SINEW_PARAM_REQUIRED,
    .unit = "m",
    .doc = "two points of the segment that touch when it is lifted" },
  { .name = "pair2",
    .type = SINEW_PARAM_VECTORS,
    .unit = "m",
    .doc = "those that touch when it is lowered; 'pair1' unless given" },
  { .name = "pair3",
    .type = SINEW_PARAM_VECTORS,
    .unit = "m",
    .doc = "those that touch when it is fully rotated; 'pair1' unless given" },
  { .name = "lift_range",
    .type = SINEW_PARAM_NUMBERS,
    .doc = "the lift at which 'pair2' and at which 'pair1' acts; 0 and 1 unless given" },
  { .name = "rotation_range",
    .type = SINEW_PARAM_NUMBERS,
    .doc = "the rotation at which 'pair3' starts to act and at which it acts alone; 0 and 1 unless "
           "given" },
  { .name = "window",
    .type = SINEW_PARAM_NUMBERS,
    .min = -180,
    .max = 180,
    .unit = "deg",
    .doc = "lowest and highest angle of both turns, or one number for both ways; 90 unless given" },
  { .name = "psi_window",
    .type = SINEW_PARAM_NUMBERS,
    .min = -180,
    .max = 180,
    .unit = "deg",
    .doc = "the same for the second turn alone; 'window' unless given" },
  { 0 },
};

static const sinew_hold_desc holds[] = {
  { "theta", "the first point misses the ellipsoid by this much" },
  { "psi", "the second point misses the ellipsoid by this much" },
  { 0 },
};

const sinew_component_class si_slide = {
  .name = "slide",
  .doc = "Glides two points of a segment on an ellipsoid, as the scapula does on the rib cage.",
  .inputs = inputs,
  .outputs = outputs,
  .params = params,
  .holds = holds,
  .size = size,
  .setup = setup,
  .eval = eval,
};
