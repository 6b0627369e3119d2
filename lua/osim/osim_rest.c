/* The pose of a model with every coordinate at its default value, which becomes the rig's rest
 * pose. */
#include "lua/osim/osim_write.h"

#include "base/alloc.h"
#include "sinew/curve.h"

#include <math.h>

static double polynomial(const si_osim_function *f, double x) {
  double sum = 0;
  for (int i = 0; i < f->count; i++) sum = sum * x + f->numbers[i];
  return sum;
}

/* evaluates the engine's curve; NaN if it cannot be created, which the writer then reports */
static double at_points(si_osim_writer *w, const si_osim_function *f, double x) {
  sinew_error error;
  float *points = si_alloc_array((size_t)f->count, sizeof *points);
  sinew_curve_desc desc = sinew_default_curve_desc();
  desc.kind = f->kind == SI_OSIM_SIMM ? SINEW_CURVE_SIMM : SINEW_CURVE_PIECEWISE;
  desc.outside = SINEW_OUTSIDE_EXTEND;
  desc.points = points;
  desc.point_count = f->count / 2;
  for (int i = 0; points && i < f->count; i++) points[i] = (float)f->numbers[i];
  sinew_curve *curve = points ? sinew_curve_create(&desc, &error) : NULL;
  double value = curve ? (double)sinew_curve_eval(curve, (float)x, NULL) : NAN;
  if (!points || (!curve && error.status == SINEW_ERR_MEMORY)) w->text.failed = true;
  sinew_curve_destroy(curve);
  si_free(points);
  return value;
}

static double eval(si_osim_writer *w, const si_osim_value *v) {
  const si_osim_function *f = v->function;
  if (v->count == 0) return v->constant;
  double x = w->rests[v->coordinates[0]];
  if (!f) return v->scale * x;
  if (f->kind == SI_OSIM_POLYNOMIAL) return v->scale * polynomial(f, x);
  if (f->kind != SI_OSIM_LINEAR) return v->scale * at_points(w, f, x);
  double sum = f->numbers[v->count];
  for (int i = 0; i < v->count; i++) sum += f->numbers[i] * w->rests[v->coordinates[i]];
  return v->scale * sum;
}

void si_osim_rest_coordinates(si_osim_writer *w) {
  const si_osim_model *m = w->m;
  w->rests = si_alloc_array(m->coordinate_count + 1, sizeof *w->rests);
  if (!w->rests) {
    w->text.failed = true;
    return;
  }
  for (size_t i = 0; i < m->coordinate_count; i++) {
    const si_osim_coordinate *c = &m->coordinates[m->coordinate_order[i]];
    w->rests[m->coordinate_order[i]] = c->coupled ? eval(w, &c->coupling) : c->rest;
  }
}

/* Rodrigues' rotation about a unit axis through a centre */
static si_osim_place turn(const double a[3], const double centre[3], double angle) {
  const double s = sin(angle), c = cos(angle), d = 1 - c;
  si_osim_place p = {
    .r = { c + d * a[0] * a[0], d * a[0] * a[1] - s * a[2], d * a[0] * a[2] + s * a[1],
           d * a[1] * a[0] + s * a[2], c + d * a[1] * a[1], d * a[1] * a[2] - s * a[0],
           d * a[2] * a[0] - s * a[1], d * a[2] * a[1] + s * a[0], c + d * a[2] * a[2] }
  };
  for (int i = 0; i < 3; i++)
    p.p[i] = centre[i] - p.r[3 * i] * centre[0] - p.r[3 * i + 1] * centre[1] -
             p.r[3 * i + 2] * centre[2];
  return p;
}

si_osim_place si_osim_rest_factor(si_osim_writer *w, const si_osim_factor *f) {
  if (f->act == SI_OSIM_FIXED) return f->fixed;
  if (f->act == SI_OSIM_TURN) {
    double angle = eval(w, &f->values[0]);
    return angle == 0 ? si_osim_identity : turn(f->axis, f->centre, angle);
  }
  double v[3];
  for (int i = 0; i < 3; i++) v[i] = eval(w, &f->values[i]);
  if (f->act == SI_OSIM_MOVE) {
    si_osim_place move = si_osim_identity;
    memcpy(move.p, v, sizeof v);
    return move;
  }
  const double nowhere[3] = { 0 };
  si_osim_place roll = si_osim_offset(v, nowhere);
  for (int i = 0; i < 3; i++) roll.p[i] = f->radii[i] * roll.r[3 * i + 2];
  return f->act == SI_OSIM_ROLL ? roll : si_osim_inverse(&roll);
}
