/* The derivative of the slide. Let Y(t) be the rotated point in the sphere's space. A point that
 * touches keeps |Y|^2 = 1. One that cannot touch keeps Y.dY/dt = 0, unless it is at the end of the
 * window. The derivative of the angle t follows from that of either equation (implicit function
 * theorem). The angles are those that eval found. */
#include "math/rate.h"
#include "components/slide_glide.h"

/* the rotation of one point: how its equation changes with the angle and with the inputs */
typedef struct contact_rate {
  si_dvec point;        /* the rotated point on the segment */
  si_dvec out, out_ls;  /* Y mapped back to the ellipsoid's segment, and to this one */
  si_dvec axis, side;   /* axis of the rotation; axis x point */
  si_dvec push, turned; /* the same two for A side, for points that do not touch */
  double inverse;       /* 1 / the equation's derivative by the angle; 0: the angle is clamped */
  bool touches;
} contact_rate;

/* a direction of the inputs: derivatives of the frame and of the active points */
typedef struct nudge {
  const float *frame; /* NULL: it does not move */
  si_dvec first, second;
} nudge;

typedef struct response {
  si_dvec spin; /* the angular velocity of the transform, in radians */
  double theta, psi;
} response;

static inline si_dvec apply_back(const si_dvec *columns, si_dvec v) {
  return (si_dvec){ si_dvec_dot(columns[0], v), si_dvec_dot(columns[1], v),
                    si_dvec_dot(columns[2], v) };
}
static inline si_dvec turn_about(si_dvec axis, double s, double c, si_dvec v) {
  return sum(sum(times(c, v), times(s, cross(axis, v))),
             times((1 - c) * si_dvec_dot(axis, v), axis));
}

static bool at_end(const si_window *window, double angle) {
  for (int i = 0; i < 2; i++)
    if (fabs(2 * atan2(window->end[i][1], window->end[i][0]) / SI_DEG - angle) < 1e-4) return true;
  return false;
}

static contact_rate contact_rate_of(const glide *g, const place *p, si_dvec axis, si_dvec point,
                                    int which, double angle, bool touches) {
  contact_rate r = { .point = point, .axis = axis, .side = cross(axis, point) };
  si_dvec y = sum(place_direction(p, point), p->joint), move = place_direction(p, r.side);
  double along = si_dvec_dot(y, move), size = sqrt(si_dvec_dot(y, y) * si_dvec_dot(move, move));
  r.out = apply_back(g->shape, y);
  r.out_ls = apply_back(p->m, y);
  /* if the point only grazes, the angle has no derivative: use that of the closest approach */
  r.touches = touches && fabs(along) > 1e-6 * size;
  r.push = apply_back(g->shape, move);
  r.turned = apply_back(p->m, move);
  double slope = along;
  if (!r.touches) slope = si_dvec_dot(move, move) + si_dvec_dot(r.out_ls, cross(axis, r.side));
  bool held = !touches && at_end(&g->windows[which], angle);
  r.inverse = held || fabs(slope) <= 1e-9 * (size + si_dvec_dot(move, move)) ? 0 : 1 / slope;
  return r;
}

static inline si_dvec frame_direction(const float *f, si_dvec v) {
  return (si_dvec){ (double)f[0] * v.x + (double)f[4] * v.y + (double)f[8] * v.z,
                    (double)f[1] * v.x + (double)f[5] * v.y + (double)f[9] * v.z,
                    (double)f[2] * v.x + (double)f[6] * v.y + (double)f[10] * v.z };
}

/* the change of the angle when the frame changes, and at the same angle the point by `moved` and
 * the axis by `leaned` */
static double answer(const contact_rate *r, const float *frame, si_dvec moved, si_dvec leaned) {
  si_dvec shift = { 0, 0, 0 };
  if (frame)
    shift = sum(frame_direction(frame, r->point),
                (si_dvec){ (double)frame[12], (double)frame[13], (double)frame[14] });
  if (r->touches) return -r->inverse * (si_dvec_dot(r->out, shift) + si_dvec_dot(r->out_ls, moved));
  double change = si_dvec_dot(r->push, shift) + si_dvec_dot(r->turned, moved) +
                  si_dvec_dot(r->out_ls, sum(cross(r->axis, moved), cross(leaned, r->point)));
  if (frame) change += si_dvec_dot(r->out, frame_direction(frame, r->side));
  return -r->inverse * change;
}

/* the part that does not depend on the direction */
typedef struct motion {
  contact_rate first, second;
  si_dvec axis, unit;        /* the second axis before the first rotation */
  double inverse_length;     /* 1 / length of the first point */
  double sine[2], cosine[2]; /* of both angles */
} motion;

static response respond(const motion *m, const nudge *n) {
  response r;
  si_dvec first = turn_about(m->axis, m->sine[0], m->cosine[0], n->first);
  r.theta = answer(&m->first, n->frame, first, (si_dvec){ 0, 0, 0 });
  /* the change of the second axis with the first point, perpendicular to the axis */
  si_dvec lean =
      times(m->inverse_length, sum(n->first, times(-si_dvec_dot(m->unit, n->first), m->unit)));
  si_dvec swerve = sum(times(m->sine[1], lean), times(1 - m->cosine[1], cross(m->unit, lean)));
  r.spin = sum(times(r.theta, m->axis), turn_about(m->axis, m->sine[0], m->cosine[0], swerve));
  si_dvec second = turn_about(m->unit, m->sine[1], m->cosine[1], n->second);
  second = turn_about(m->axis, m->sine[0], m->cosine[0], second);
  si_dvec leaned = sum(times(r.theta, cross(m->axis, m->second.axis)),
                       turn_about(m->axis, m->sine[0], m->cosine[0], lean));
  r.psi = answer(&m->second, n->frame, sum(cross(r.spin, m->second.point), second), leaned);
  r.spin = sum(r.spin, times(r.psi, m->second.axis));
  return r;
}

static void add_response(const sinew_node *node, const float *values, const sinew_rates *rates,
                         uint32_t column, double scale, const nudge *n, const response *r) {
  const float *m = values + node->ports[node->input_count];
  float *dest = rates->outputs[0] + 16 * (size_t)column, spin[3], side[3];
  put(times(scale, r->spin), spin);
  for (int k = 0; k < 3; k++) {
    si_vec_cross(spin, m + 4 * k, side);
    for (int i = 0; i < 3; i++) dest[4 * k + i] += side[i];
  }
  rates->outputs[1][column] += (float)(scale * r->theta / SI_DEG);
  rates->outputs[2][column] += (float)(scale * r->psi / SI_DEG);
  const si_dvec points[] = { n->first, n->second };
  for (int i = 0; i < 2; i++) {
    float *point = rates->outputs[4 + i] + 4 * (size_t)column, moved[3];
    put(times(scale, points[i]), moved);
    for (int k = 0; k < 3; k++) point[k] += moved[k];
  }
}

/* the derivatives of the active points by lift (0) or rotation (1) */
static nudge nudge_by(const glide *g, int which, double l, double r) {
  double slope = which ? g->rotation[1] : g->lift[1], here = which ? r : l;
  nudge n = { .frame = NULL };
  if (here < 0 || here > 1) return n;
  l = fmin(fmax(l, 0), 1), r = fmin(fmax(r, 0), 1);
  double w[3] = { which ? -l : 1 - r, which ? l - 1 : r - 1, which ? 1 : 0 };
  n.first = times(slope, apply(g->firsts, w[0], w[1], w[2]));
  n.second = times(slope, apply(g->seconds, w[0], w[1], w[2]));
  return n;
}

static void prepare(const sinew_node *node, const float *values, motion *m) {
  const glide *g = node->data;
  const uint32_t *out = node->ports + node->input_count;
  const place to_sphere = place_of(g, sinew_node_in(node, values, 0));
  for (int i = 0; i < 2; i++) {
    double angle = (double)values[out[1 + i]] * SI_DEG;
    m->sine[i] = sin(angle), m->cosine[i] = cos(angle);
  }
  const float *p = values + out[4], *q = values + out[5];
  si_dvec p1 = { (double)p[0], (double)p[1], (double)p[2] };
  si_dvec p2 = { (double)q[0], (double)q[1], (double)q[2] };
  double square = si_dvec_dot(p1, p1);
  m->axis = g->axis;
  m->inverse_length = square > 1e-18 ? 1 / sqrt(square) : 0;
  m->unit = times(m->inverse_length, p1);
  m->first =
      contact_rate_of(g, &to_sphere, m->axis, turn_about(m->axis, m->sine[0], m->cosine[0], p1), 0,
                      (double)values[out[1]], values[node->hold] == 0);
  si_dvec axis = turn_about(m->axis, m->sine[0], m->cosine[0], m->unit);
  si_dvec point = turn_about(m->unit, m->sine[1], m->cosine[1], p2);
  point = turn_about(m->axis, m->sine[0], m->cosine[0], point);
  m->second = contact_rate_of(g, &to_sphere, axis, point, 1, (double)values[out[2]],
                              values[node->hold + 1] == 0);
}

sinew_status si_slide_tangent(const sinew_node *node, const float *values, const sinew_rates *rates,
                              sinew_error *error) {
  (void)error;
  const glide *g = node->data;
  motion m;
  prepare(node, values, &m);
  const sinew_input_rates *frame = &rates->inputs[0];
  for (uint32_t k = 0; k < frame->count; k++) {
    nudge n = { .frame = frame->rates + 16 * (size_t)k };
    response r = respond(&m, &n);
    add_response(node, values, rates, frame->columns[k], 1, &n, &r);
  }
  double l = g->lift[0] + g->lift[1] * (double)*sinew_node_in(node, values, 1);
  double r = g->rotation[0] + g->rotation[1] * (double)*sinew_node_in(node, values, 2);
  for (uint32_t i = 0; i < 2; i++) {
    const sinew_input_rates *in = &rates->inputs[1 + i];
    if (!in->count) continue;
    nudge n = nudge_by(g, (int)i, l, r);
    response moved = respond(&m, &n);
    for (uint32_t k = 0; k < in->count; k++)
      add_response(node, values, rates, in->columns[k], (double)in->rates[k], &n, &moved);
  }
  return SINEW_OK;
}
