/* Rot(x1, a) Rot(x2, b) v = t for a and b (seed 000, 4.6; DESIGN.md, cone).
 *
 * A turn about x1 keeps the height over x1, so u(b) = Rot(x2, b) v must satisfy x1.u = x1.t:
 *   B cos b + C sin b = x1.t - (x1.x2)(x2.v),  B = x1.(v - (x2.v) x2),  C = x1.(x2 x v),
 * which has two solutions, and a is then the azimuth about x1 from u to t. Where the two fall
 * together the arc cosine loses half its digits; damped Newton steps on |F(a, b) - t| bring them
 * back. */
#include "swing.h"

#include "frame.h"
#include "wide.h"

#define NO_EFFECT 1e-6 /* a direction this near to an axis is not moved by a turn about it */
#define REACHED   2e-5 /* radians off the direction that still count as reaching it */
#define END_SLACK                                                                                  \
  0.1 /* degrees beyond a range's end that rounding can make near double solutions */
#define STEPS     4
#define HALF_TURN 3.14159265358979323846

typedef struct problem {
  double axis[2][3], bone[3], target[3];
} problem;

static void widen_unit(const float *v, double *dest) {
  si_wide(v, dest);
  double size = si_wide_length(dest);
  for (int k = 0; k < 3; k++) dest[k] /= size;
}

/* v turned by `angle` radians about the unit axis */
static void turn(const double *axis, double angle, const double *v, double *dest) {
  double c = cos(angle), s = sin(angle), along = si_wide_dot(axis, v) * (1 - c), side[3];
  si_wide_cross(axis, v, side);
  for (int k = 0; k < 3; k++) dest[k] = v[k] * c + side[k] * s + axis[k] * along;
}

/* the turn about `axis` that takes u nearest to t; `*effect` is how far u stands off the axis */
static double azimuth(const double *axis, const double *u, const double *t, double *effect) {
  double side[3];
  si_wide_cross(axis, u, side);
  *effect = si_wide_length(side);
  return atan2(si_wide_dot(side, t),
               si_wide_dot(u, t) - si_wide_dot(axis, u) * si_wide_dot(axis, t));
}

/* how far F(a, b) misses; `columns` gets the derivatives by a and by b, `miss` the vector */
static double residual(const problem *p, const double *angles, double *miss, double columns[2][3]) {
  double u[3], f[3], side[3];
  turn(p->axis[1], angles[1], p->bone, u);
  turn(p->axis[0], angles[0], u, f);
  si_wide_cross(p->axis[0], f, columns[0]);
  si_wide_cross(p->axis[1], u, side);
  turn(p->axis[0], angles[0], side, columns[1]);
  for (int k = 0; k < 3; k++) miss[k] = p->target[k] - f[k];
  return si_wide_length(miss);
}

/* damped Newton steps that only ever come nearer; the final miss */
static double polish(const problem *p, double *angles) {
  double miss[3], columns[2][3], damping = 1e-9;
  double best = residual(p, angles, miss, columns);
  for (int step = 0; step < STEPS && best > 1e-10; step++) {
    /* an angle without effect is left alone */
    for (int i = 0; i < 2; i++)
      if (si_wide_length(columns[i]) < 2 * NO_EFFECT) memset(columns[i], 0, sizeof columns[i]);
    double aa = si_wide_dot(columns[0], columns[0]) + damping,
           ab = si_wide_dot(columns[0], columns[1]);
    double bb = si_wide_dot(columns[1], columns[1]) + damping, det = aa * bb - ab * ab;
    double ra = si_wide_dot(columns[0], miss), rb = si_wide_dot(columns[1], miss);
    if (!(det > 1e-18)) break;
    double trial[2] = { angles[0] + (bb * ra - ab * rb) / det,
                        angles[1] + (aa * rb - ab * ra) / det };
    double next_miss[3], next_columns[2][3];
    double next = residual(p, trial, next_miss, next_columns);
    if (next < best) {
      memcpy(angles, trial, sizeof trial);
      memcpy(miss, next_miss, sizeof miss);
      memcpy(columns, next_columns, sizeof columns);
      best = next;
      damping *= 0.1;
    } else {
      damping *= 1000;
    }
  }
  return best;
}

/* the angle in degrees, shifted by whole turns into the range and nearest to `input`; where none is
 * in range, the nearer end: near double solutions an angle is known to half its digits, so that
 * only the direction it leads to can tell whether an end will do */
static double bring_into_range(const si_swing *swing, int which, double radians, double input) {
  double low = (double)swing->min[which], high = (double)swing->max[which];
  double x = radians / SI_DEG + (double)swing->rest[which];
  x += 360 * round((input - x) / 360);
  if (x > high) x -= 360 * ceil((x - high) / 360);
  if (x < low) x += 360 * ceil((low - x) / 360);
  if (x <= high) return x;
  return x - high < low - (x - 360) ? high : low;
}

typedef struct choice {
  double angles[2], distance;
} choice;

static void to_radians(const si_swing *swing, const double *degrees, double *dest) {
  for (int i = 0; i < 2; i++) dest[i] = (degrees[i] - (double)swing->rest[i]) * SI_DEG;
}

/* the best angle `which` with the other one fixed */
static double aim(const problem *p, const double *radians, int which) {
  double u[3], effect;
  if (which == 0) {
    turn(p->axis[1], radians[1], p->bone, u);
  } else {
    turn(p->axis[0], -radians[0], p->target, u);
  }
  double found = which == 0 ? azimuth(p->axis[0], u, p->target, &effect)
                            : azimuth(p->axis[1], p->bone, u, &effect);
  return effect < NO_EFFECT ? radians[which] : found;
}

static void offer(const si_swing *swing, const problem *p, const double *inputs,
                  const double *radians, choice *best) {
  double trial[2] = { radians[0], radians[1] }, found[2], held[2], miss[3], columns[2][3];
  if (!(polish(p, trial) < REACHED)) return;
  for (int i = 0; i < 2; i++) found[i] = bring_into_range(swing, i, trial[i], inputs[i]);
  to_radians(swing, found, held);
  /* where one was held at an end, the other makes up for it if it can */
  for (int i = 0; i < STEPS && !(residual(p, held, miss, columns) < REACHED); i++) {
    found[i & 1] = bring_into_range(swing, i & 1, aim(p, held, i & 1), inputs[i & 1]);
    to_radians(swing, found, held);
  }
  if (!(residual(p, held, miss, columns) < REACHED)) return;
  double da = found[0] - inputs[0], db = found[1] - inputs[1], distance = da * da + db * db;
  if (distance < best->distance)
    *best = (choice){ .angles = { found[0], found[1] }, .distance = distance };
}

/* parallel axes turn together: what is missing is shared out, as evenly as the ranges allow */
static void offer_parallel(const si_swing *swing, const problem *p, const double *inputs,
                           const double *start, choice *best) {
  double u[3], f[3], effect, sign = si_wide_dot(p->axis[0], p->axis[1]) > 0 ? 1 : -1;
  turn(p->axis[1], start[1], p->bone, u);
  turn(p->axis[0], start[0], u, f);
  double missing = azimuth(p->axis[0], f, p->target, &effect) / SI_DEG;
  double trial[2] = { start[0] + missing * SI_DEG, start[1] }, miss[3], columns[2][3];
  if (!(residual(p, trial, miss, columns) < REACHED)) return;
  double low[2], high[2];
  for (int i = 0; i < 2; i++) {
    low[i] = (double)swing->min[i] - inputs[i];
    high[i] = (double)swing->max[i] - inputs[i];
  }
  for (int round = -1; round <= 1; round++) {
    double all = missing + 360 * round, a = all / 2, b;
    a = fmin(fmax(a, low[0]), high[0]);
    b = fmin(fmax(sign * (all - a), low[1]), high[1]);
    a = fmin(fmax(all - sign * b, low[0]), high[0]);
    double distance = a * a + b * b;
    if (fabs(a + sign * b - all) < 1e-3 && distance < best->distance)
      *best = (choice){ .angles = { inputs[0] + a, inputs[1] + b }, .distance = distance };
  }
}

bool si_swing_solve(const si_swing *swing, const float direction[3], const float given[2],
                    float dest[2]) {
  problem p = { .bone = { 0 } };
  double inputs[2], start[2];
  for (int i = 0; i < 2; i++) {
    widen_unit(swing->axis[i], p.axis[i]);
    inputs[i] = (double)si_clamp(given[i], swing->min[i], swing->max[i]);
  }
  to_radians(swing, inputs, start);
  widen_unit(swing->bone, p.bone);
  widen_unit(direction, p.target);

  const double *x1 = p.axis[0], *x2 = p.axis[1];
  double along = si_wide_dot(x2, p.bone), off[3], side[3];
  for (int k = 0; k < 3; k++) off[k] = p.bone[k] - along * x2[k];
  si_wide_cross(x2, p.bone, side);
  double b = si_wide_dot(x1, off), c = si_wide_dot(x1, side), reach = hypot(b, c);
  double height = si_wide_dot(x1, p.target) - along * si_wide_dot(x1, x2);

  choice best = { .distance = HUGE_VAL };
  bool idle = si_wide_length(off) < NO_EFFECT;
  if (!idle && reach < NO_EFFECT * si_wide_length(off)) {
    offer_parallel(swing, &p, inputs, start, &best);
  } else {
    double ratio = idle ? 0 : height / reach;
    double spread = acos(ratio < -1 ? -1 : ratio > 1 ? 1 : ratio);
    for (int branch = 0; branch < (idle ? 1 : 2); branch++) {
      double radians[2] = { start[0], start[1] };
      if (!idle) radians[1] = atan2(c, b) + (branch ? -spread : spread);
      radians[0] = aim(&p, radians, 0);
      offer(swing, &p, inputs, radians, &best);
    }
  }
  if (best.distance == HUGE_VAL) return false;
  for (int i = 0; i < 2; i++) dest[i] = (float)best.angles[i];
  return true;
}

void si_swing_correct(const float *matrix, const float from[3], const float to[3], float *dest) {
  double a[3], b[3], axis[3];
  widen_unit(from, a);
  widen_unit(to, b);
  si_wide_cross(a, b, axis);
  double size = si_wide_length(axis), angle = atan2(size, si_wide_dot(a, b));
  if (size < 1e-7) {
    /* the same, or opposite: perpendicular to the bone and to the axis it leans on least */
    int least = 0;
    for (int k = 1; k < 3; k++)
      if (fabs(a[k]) < fabs(a[least])) least = k;
    si_wide_cross(a, (double[]){ least == 0, least == 1, least == 2 }, axis);
    size = si_wide_length(axis);
  }
  for (int k = 0; k < 3; k++) axis[k] /= size;
  for (int column = 0; column < 3; column++) {
    const float *m = matrix + 4 * column;
    double v[3] = { (double)m[0], (double)m[1], (double)m[2] }, w[3];
    turn(axis, angle, v, w);
    for (int k = 0; k < 3; k++) dest[4 * column + k] = (float)w[k];
    dest[4 * column + 3] = 0;
  }
  memmove(dest + 12, matrix + 12, 4 * sizeof *dest);
}
