/* Rot(x1, a) Rot(x2, b) v = t for a and b (seed 000, 4.6; DESIGN.md, cone).
 *
 * A turn about x1 keeps the height over x1, so u(b) = Rot(x2, b) v must satisfy x1.u = x1.t:
 *   B cos b + C sin b = x1.t - (x1.x2)(x2.v),  B = x1.(v - (x2.v) x2),  C = x1.(x2 x v),
 * which has two solutions, and a is then the azimuth about x1 from u to t. It is done in doubles,
 * and with sines and cosines alone as far as possible. Where the two solutions fall together an
 * angle is known to half its digits only; there, and at the end of a range, damped Newton steps on
 * |F(a, b) - t| that keep to the ranges decide. */
#include "swing.h"

#include "frame.h"
#include "wide.h"

#define NO_EFFECT 1e-6 /* a direction this near to an axis is not moved by a turn about it */
#define REACHED   2e-5 /* radians off the direction that still count as reaching it */
#define EXACT     1e-7 /* radians off that need no polish */
#define STEPS     8

typedef struct problem {
  double axis[2][3], bone[3], target[3];
  double inputs[2]; /* degrees, in range */
} problem;

typedef struct choice {
  double angles[2], distance;
} choice;

static void widen_unit(const float *v, double *dest) {
  si_wide(v, dest);
  double scale = 1 / si_wide_length(dest);
  for (int k = 0; k < 3; k++) dest[k] *= scale;
}

/* v turned about the unit axis by the angle of this cosine and sine */
static void turn(const double *axis, double c, double s, const double *v, double *dest) {
  double along = si_wide_dot(axis, v) * (1 - c), side[3];
  si_wide_cross(axis, v, side);
  for (int k = 0; k < 3; k++) dest[k] = v[k] * c + side[k] * s + axis[k] * along;
}

/* how far the angles (degrees) miss, the vector missing, and the derivatives by both in radians; an
 * angle without effect has none */
static double residual(const si_swing *swing, const problem *p, const double *angles, double *miss,
                       double columns[2][3]) {
  double u[3], f[3], side[3], a[2];
  for (int i = 0; i < 2; i++) a[i] = (angles[i] - (double)swing->rest[i]) * SI_DEG;
  double c = cos(a[0]), s = sin(a[0]);
  turn(p->axis[1], cos(a[1]), sin(a[1]), p->bone, u);
  turn(p->axis[0], c, s, u, f);
  si_wide_cross(p->axis[0], f, columns[0]);
  si_wide_cross(p->axis[1], u, side);
  turn(p->axis[0], c, s, side, columns[1]);
  for (int k = 0; k < 3; k++) miss[k] = p->target[k] - f[k];
  for (int i = 0; i < 2; i++)
    if (si_wide_length(columns[i]) < NO_EFFECT) memset(columns[i], 0, sizeof columns[i]);
  return si_wide_length(miss);
}

/* damped Newton steps inside the ranges that only ever come nearer; the final miss */
static double polish(const si_swing *swing, const problem *p, double *angles) {
  double miss[3], columns[2][3], damping = 1e-9;
  double best = residual(swing, p, angles, miss, columns);
  for (int step = 0; step < STEPS && best > EXACT; step++) {
    double pull[2], move[2], trial[2];
    for (int i = 0; i < 2; i++) {
      pull[i] = si_wide_dot(columns[i], miss);
      /* an angle that is pushed against its end stays there */
      bool stuck =
          pull[i] > 0 ? angles[i] >= (double)swing->max[i] : angles[i] <= (double)swing->min[i];
      if (stuck) memset(columns[i], 0, sizeof columns[i]);
      if (stuck) pull[i] = 0;
    }
    double aa = si_wide_dot(columns[0], columns[0]) + damping;
    double bb = si_wide_dot(columns[1], columns[1]) + damping;
    double ab = si_wide_dot(columns[0], columns[1]), det = aa * bb - ab * ab;
    move[0] = (bb * pull[0] - ab * pull[1]) / det;
    move[1] = (aa * pull[1] - ab * pull[0]) / det;
    for (int i = 0; i < 2; i++)
      trial[i] =
          fmin(fmax(angles[i] + move[i] / SI_DEG, (double)swing->min[i]), (double)swing->max[i]);
    double next_miss[3], next_columns[2][3];
    double next = residual(swing, p, trial, next_miss, next_columns);
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

/* The angle in degrees, shifted by whole turns into the range and nearest to the input. Where none
 * is in range, the nearer end, and `*held` says so: only the direction it leads to can tell whether
 * the end will do. */
static double bring_into_range(const si_swing *swing, const problem *p, int which, double degrees,
                               bool *held) {
  double low = (double)swing->min[which], high = (double)swing->max[which];
  double x = degrees + (double)swing->rest[which], far = p->inputs[which] - x;
  if (fabs(far) > 180) x += 360 * round(far / 360);
  if (x > high) x -= 360 * ceil((x - high) / 360);
  if (x < low) x += 360 * ceil((low - x) / 360);
  if (x <= high) return x;
  *held = true;
  return x - high < low - (x - 360) ? high : low;
}

/* `miss` is how far the closed form is off */
static void offer(const si_swing *swing, const problem *p, const double *degrees, double miss,
                  choice *best) {
  double angles[2], distance = 0;
  bool held = false;
  for (int i = 0; i < 2; i++) angles[i] = bring_into_range(swing, p, i, degrees[i], &held);
  if ((held || miss > EXACT) && !(polish(swing, p, angles) < REACHED)) return;
  for (int i = 0; i < 2; i++) distance += (angles[i] - p->inputs[i]) * (angles[i] - p->inputs[i]);
  if (distance < best->distance)
    *best = (choice){ .angles = { angles[0], angles[1] }, .distance = distance };
}

/* parallel axes turn together: what is missing is shared out, as evenly as the ranges allow */
static void offer_parallel(const si_swing *swing, const problem *p, choice *best) {
  double miss[3], columns[2][3], sign = si_wide_dot(p->axis[0], p->axis[1]) > 0 ? 1 : -1;
  residual(swing, p, p->inputs, miss, columns);
  double f[3], side[3], low[2], high[2];
  for (int k = 0; k < 3; k++) f[k] = p->target[k] - miss[k];
  si_wide_cross(p->axis[0], f, side);
  double lift = si_wide_dot(p->axis[0], f), aim = si_wide_dot(p->axis[0], p->target);
  if (fabs(asin(fmin(1, fmax(-1, lift))) - asin(fmin(1, fmax(-1, aim)))) > REACHED) return;
  double missing =
      atan2(si_wide_dot(side, p->target), si_wide_dot(f, p->target) - lift * aim) / SI_DEG;
  for (int i = 0; i < 2; i++) {
    low[i] = (double)swing->min[i] - p->inputs[i];
    high[i] = (double)swing->max[i] - p->inputs[i];
  }
  for (int round = -1; round <= 1; round++) {
    double all = missing + 360 * round;
    double a = fmin(fmax(all / 2, low[0]), high[0]);
    double b = fmin(fmax(sign * (all - a), low[1]), high[1]);
    a = fmin(fmax(all - sign * b, low[0]), high[0]);
    double distance = a * a + b * b;
    if (fabs(a + sign * b - all) < REACHED / SI_DEG && distance < best->distance)
      *best = (choice){ .angles = { p->inputs[0] + a, p->inputs[1] + b }, .distance = distance };
  }
}

/* the solution for one b, given by its cosine and sine, or with b at its input where it is idle */
static void offer_branch(const si_swing *swing, const problem *p, bool idle, double c, double s,
                         choice *best) {
  const double *x1 = p->axis[0];
  double u[3], side[3], degrees[2];
  if (idle)
    degrees[1] = p->inputs[1] - (double)swing->rest[1];
  else
    degrees[1] = (double)atan2f((float)s, (float)c) / SI_DEG;
  turn(p->axis[1], c, s, p->bone, u);
  si_wide_cross(x1, u, side);
  double lift = si_wide_dot(x1, u), aim = si_wide_dot(x1, p->target);
  double off = si_wide_dot(side, side), target_off = 1 - aim * aim;
  double across = si_wide_dot(side, p->target), along = si_wide_dot(u, p->target) - lift * aim;
  if (off < NO_EFFECT * NO_EFFECT)
    degrees[0] = p->inputs[0] - (double)swing->rest[0];
  else
    degrees[0] = (double)atan2f((float)across, (float)along) / SI_DEG;
  /* the azimuths agree, so that only the heights can differ */
  double out = sqrt(off) - sqrt(target_off > 0 ? target_off : 0);
  offer(swing, p, degrees, sqrt((lift - aim) * (lift - aim) + out * out), best);
}

bool si_swing_solve(const si_swing *swing, const float direction[3], const float given[2],
                    float dest[2]) {
  problem p;
  widen_unit(swing->axis[0], p.axis[0]);
  widen_unit(swing->axis[1], p.axis[1]);
  widen_unit(swing->bone, p.bone);
  widen_unit(direction, p.target);
  for (int i = 0; i < 2; i++)
    p.inputs[i] = (double)si_clamp(given[i], swing->min[i], swing->max[i]);

  const double *x1 = p.axis[0], *x2 = p.axis[1];
  double along = si_wide_dot(x2, p.bone), off[3], side[3];
  for (int k = 0; k < 3; k++) off[k] = p.bone[k] - along * x2[k];
  si_wide_cross(x2, p.bone, side);
  double b = si_wide_dot(x1, off), c = si_wide_dot(x1, side), reach = sqrt(b * b + c * c);
  double height = si_wide_dot(x1, p.target) - along * si_wide_dot(x1, x2);

  choice best = { .distance = HUGE_VAL };
  double moved = si_wide_length(off);
  if (moved < NO_EFFECT) {
    offer_branch(swing, &p, true, 1, 0, &best);
  } else if (reach < NO_EFFECT * moved) {
    offer_parallel(swing, &p, &best);
  } else {
    /* cos(base +- spread) and sin(base +- spread), with cos(spread) = height / reach */
    double cb = b / reach, sb = c / reach, cs = height / reach;
    cs = cs < -1 ? -1 : cs > 1 ? 1 : cs;
    double ss = sqrt(1 - cs * cs);
    offer_branch(swing, &p, false, cb * cs - sb * ss, sb * cs + cb * ss, &best);
    offer_branch(swing, &p, false, cb * cs + sb * ss, sb * cs - cb * ss, &best);
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
  double s = si_wide_length(axis), c = si_wide_dot(a, b), size = s;
  if (s < 1e-7) {
    /* the same, or opposite: perpendicular to the bone and to the axis it leans on least */
    int least = 0;
    for (int k = 1; k < 3; k++)
      if (fabs(a[k]) < fabs(a[least])) least = k;
    si_wide_cross(a, (double[]){ least == 0, least == 1, least == 2 }, axis);
    size = si_wide_length(axis);
  }
  for (int k = 0; k < 3; k++) axis[k] /= size;
  for (int column = 0; column < 3; column++) {
    double v[3], w[3];
    si_wide(matrix + 4 * column, v);
    turn(axis, c, s, v, w);
    for (int k = 0; k < 3; k++) dest[4 * column + k] = (float)w[k];
    dest[4 * column + 3] = 0;
  }
  memmove(dest + 12, matrix + 12, 4 * sizeof *dest);
}
