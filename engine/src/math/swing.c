/* Solves Rot(x1, a) Rot(x2, b) v = t for a and b [Shao 2003, 4.6]. PAPERS.md lists our choices.
 *
 * A rotation about x1 keeps the height along x1, so u(b) = Rot(x2, b) v must satisfy x1.u = x1.t:
 *   B cos b + C sin b = x1.t - (x1.x2)(x2.v),  B = x1.(v - (x2.v) x2),  C = x1.(x2 x v).
 * This has two solutions, and a is then the azimuth about x1 from u to t. It is computed in
 * doubles, and with sines and cosines alone as far as possible. Near a double solution an angle is
 * known to half its digits only; there, and at the end of a range, damped Newton steps on |F(a, b)
 * - t| within the ranges decide. */
#include "math/swing.h"

#include "math/angle.h"
#include "math/wide.h"

#define NO_EFFECT 1e-6 /* a direction this near to an axis is not moved by a rotation about it */
#define REACHED   2e-5 /* radians off the direction that still count as reaching it */
#define EXACT     1e-7 /* radians off that need no Newton steps */
#define END_SLACK 2    /* degrees beyond a range that rounding can cause near a double solution */
#define STEPS     8

typedef struct problem {
  double target[3];
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

/* rotates v about the unit axis by the angle of this cosine and sine */
static void rotate(const double *axis, double c, double s, const double *v, double *dest) {
  double along = si_wide_dot(axis, v) * (1 - c), side[3];
  si_wide_cross(axis, v, side);
  for (int k = 0; k < 3; k++) dest[k] = v[k] * c + side[k] * s + axis[k] * along;
}

/* the remaining distance at these angles (degrees), its vector, and its derivatives by both angles
 * in radians; 0 for an angle without effect */
static double residual(const si_swing *swing, const problem *p, const double *angles, double *miss,
                       double columns[2][3]) {
  double u[3], f[3], side[3], a[2];
  for (int i = 0; i < 2; i++) a[i] = (angles[i] - (double)swing->rest[i]) * SI_DEG;
  double c = cos(a[0]), s = sin(a[0]);
  rotate(swing->unit_axis[1], cos(a[1]), sin(a[1]), swing->unit_bone, u);
  rotate(swing->unit_axis[0], c, s, u, f);
  si_wide_cross(swing->unit_axis[0], f, columns[0]);
  si_wide_cross(swing->unit_axis[1], u, side);
  rotate(swing->unit_axis[0], c, s, side, columns[1]);
  for (int k = 0; k < 3; k++) miss[k] = p->target[k] - f[k];
  for (int i = 0; i < 2; i++)
    if (si_wide_length(columns[i]) < NO_EFFECT) memset(columns[i], 0, sizeof columns[i]);
  return si_wide_length(miss);
}

/* damped Newton steps inside the ranges, each of which must reduce the distance; returns the final
 * one */
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
      if (!stuck) continue;
      memset(columns[i], 0, sizeof columns[i]);
      pull[i] = 0;
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

/* The angle in degrees, shifted by full turns into the range and nearest to the input. If none is
 * in range, the nearer end, and `*over` is how far it was beyond. */
static double bring_into_range(const si_swing *swing, const problem *p, int which, double degrees,
                               double *over) {
  double low = (double)swing->min[which], high = (double)swing->max[which];
  double x = degrees + (double)swing->rest[which];
  x += 360 * round((p->inputs[which] - x) / 360);
  if (x > high) x -= 360 * ceil((x - high) / 360);
  if (x < low) x += 360 * ceil((low - x) / 360);
  if (x <= high) return x;
  double above = x - high, below = low - (x - 360);
  *over = fmax(*over, fmin(above, below));
  return above < below ? high : low;
}

/* `over` is how far an angle was clamped, `miss` how far the closed form is off */
static void offer(const si_swing *swing, const problem *p, double *angles, double over, double miss,
                  choice *best) {
  if (over > END_SLACK) return;
  if ((over > 0 || miss > EXACT) && !(polish(swing, p, angles) < REACHED)) return;
  double da = angles[0] - p->inputs[0], db = angles[1] - p->inputs[1], distance = da * da + db * db;
  if (distance < best->distance)
    *best = (choice){ .angles = { angles[0], angles[1] }, .distance = distance };
}

/* parallel axes have the same effect: the missing angle is divided between them, as evenly as the
 * ranges allow */
static void offer_parallel(const si_swing *swing, const problem *p, choice *best) {
  double miss[3], columns[2][3],
      sign = si_wide_dot(swing->unit_axis[0], swing->unit_axis[1]) > 0 ? 1 : -1;
  residual(swing, p, p->inputs, miss, columns);
  double f[3], side[3], low[2], high[2];
  for (int k = 0; k < 3; k++) f[k] = p->target[k] - miss[k];
  si_wide_cross(swing->unit_axis[0], f, side);
  double lift = si_wide_dot(swing->unit_axis[0], f),
         aim = si_wide_dot(swing->unit_axis[0], p->target);
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

/* The solution for one b, in degrees from rest; c and s are the cosine and sine of b - base. */
static void offer_branch(const si_swing *swing, const problem *p, double b, double c, double s,
                         choice *best) {
  const double *x1 = swing->unit_axis[0];
  double u[3], side[3], angles[2] = { p->inputs[0], p->inputs[1] }, over = 0;
  for (int k = 0; k < 3; k++) u[k] = swing->along[k] + c * swing->top[k] + s * swing->left[k];
  si_wide_cross(x1, u, side);
  double lift = si_wide_dot(x1, u), aim = si_wide_dot(x1, p->target), off = si_wide_length(side);
  if (off >= NO_EFFECT) {
    double a = atan2(si_wide_dot(side, p->target), si_wide_dot(u, p->target) - lift * aim);
    angles[0] = bring_into_range(swing, p, 0, a / SI_DEG, &over);
  }
  if (!swing->idle) angles[1] = bring_into_range(swing, p, 1, b, &over);
  /* the azimuths agree, so that only the heights can differ */
  double out = off - sqrt(fmax(0, 1 - aim * aim));
  offer(swing, p, angles, over, sqrt((lift - aim) * (lift - aim) + out * out), best);
}

/* b = base +- spread with cos(spread) = (height - middle) / reach; or b at its input if it has no
 * effect */
static void offer_both(const si_swing *swing, const problem *p, choice *best) {
  double cs = (si_wide_dot(swing->unit_axis[0], p->target) - swing->middle) * swing->inverse_reach;
  cs = fmin(1, fmax(-1, cs));
  double ss = sqrt(1 - cs * cs), spread = atan2(ss, cs) / SI_DEG;
  offer_branch(swing, p, swing->base + spread, cs, ss, best);
  if (!swing->idle) offer_branch(swing, p, swing->base - spread, cs, -ss, best);
}

/* The same in floats, four angles at once: a and b of both solutions. False if floats are not
 * precise enough, or if the nearer solution is outside the ranges. */
static bool solve_quickly(const si_swing *swing, const float *t, const float *inputs, float *dest) {
  const si_quick_swing *q = &swing->quick;
  si_v4 x = si_load(q->x), y = si_load(q->y), z = si_load(q->z);
  si_v4 on_t = x * si_all(t[0]) + y * si_all(t[1]) + z * si_all(t[2]);
  float aim = on_t[3], cs = (aim - q->middle) * q->inverse_reach;
  if (!(fabsf(cs) < 0.995f && fabsf(aim) < 0.995f)) return false;
  /* one full turn more or less must be enough */
  for (int i = 0; i < 2; i++)
    if (!(fabsf(inputs[i] - q->from[2 * i]) <= 360)) return false;
  float ss = sqrtf(1 - cs * cs), g[3];
  si_vec_cross(t, swing->axis[0], g);
  si_v4 on_g = x * si_all(g[0]) + y * si_all(g[1]) + z * si_all(g[2]);
  /* u.t and (x1 x u).t = u.(t x x1) for u = along + cs top +- ss left */
  float right = on_t[0] + cs * on_t[1] - aim * aim, up = on_g[0] + cs * on_g[1];
  float right_ss = ss * on_t[2], up_ss = ss * on_g[2];
  si_v4 angles = si_atan2_four((si_v4){ up + up_ss, up - up_ss, ss, -ss },
                               (si_v4){ right + right_ss, right - right_ss, cs, cs });
  angles += si_load(q->from);
  si_v4 wanted = { inputs[0], inputs[0], inputs[1], inputs[1] }, far = wanted - angles;
  const si_v4 none = si_all(0), turn = si_all(360), half = si_all(180);
  angles += si_pick_four(far > half, turn, none) - si_pick_four(far < -half, turn, none);
  far = wanted - angles;
  si_v4 square = far * far;
  int i = square[1] + square[3] < square[0] + square[2];
  dest[0] = angles[i], dest[1] = angles[2 + i];
  return dest[0] >= swing->min[0] && dest[0] <= swing->max[0] && dest[1] >= swing->min[1] &&
         dest[1] <= swing->max[1];
}

void si_swing_prepare(si_swing *swing) {
  double *x1 = swing->unit_axis[0], *x2 = swing->unit_axis[1], off[3], side[3];
  widen_unit(swing->axis[0], x1);
  widen_unit(swing->axis[1], x2);
  widen_unit(swing->bone, swing->unit_bone);
  double along = si_wide_dot(x2, swing->unit_bone);
  for (int k = 0; k < 3; k++) {
    swing->along[k] = along * x2[k];
    off[k] = swing->unit_bone[k] - along * x2[k];
  }
  si_wide_cross(x2, swing->unit_bone, side);
  double b = si_wide_dot(x1, off), c = si_wide_dot(x1, side), moved = si_wide_length(off);
  double reach = sqrt(b * b + c * c);
  swing->middle = along * si_wide_dot(x1, x2);
  swing->idle = moved < NO_EFFECT;
  swing->parallel = !swing->idle && reach < NO_EFFECT * moved;
  bool plain = !swing->idle && !swing->parallel;
  swing->inverse_reach = plain ? 1 / reach : 0;
  double cos_base = plain ? b / reach : 1, sin_base = plain ? c / reach : 0;
  swing->base = atan2(sin_base, cos_base) / SI_DEG;

  si_quick_swing *q = &swing->quick;
  float *rows[3] = { q->x, q->y, q->z };
  for (int k = 0; k < 3; k++) {
    swing->top[k] = cos_base * off[k] + sin_base * side[k];
    swing->left[k] = cos_base * side[k] - sin_base * off[k];
    rows[k][0] = (float)swing->along[k];
    rows[k][1] = (float)swing->top[k];
    rows[k][2] = (float)swing->left[k];
    rows[k][3] = swing->axis[0][k] = (float)x1[k];
  }
  q->middle = (float)swing->middle;
  q->inverse_reach = (float)swing->inverse_reach;
  q->works = plain && reach > 0.1;
  q->from[0] = q->from[1] = swing->rest[0];
  q->from[2] = q->from[3] = (float)(swing->base + (double)swing->rest[1]);
}

bool si_swing_solve(const si_swing *swing, const float direction[3], const float given[2],
                    float dest[2]) {
  float inputs[2], quick[2];
  for (int i = 0; i < 2; i++) inputs[i] = si_clamp(given[i], swing->min[i], swing->max[i]);
  if (swing->quick.works && solve_quickly(swing, direction, inputs, quick)) {
    dest[0] = quick[0], dest[1] = quick[1];
    return true;
  }
  problem p = { .inputs = { (double)inputs[0], (double)inputs[1] } };
  choice best = { .distance = HUGE_VAL };
  widen_unit(direction, p.target);
  if (swing->parallel)
    offer_parallel(swing, &p, &best);
  else
    offer_both(swing, &p, &best);
  if (best.distance == HUGE_VAL) return false;
  for (int i = 0; i < 2; i++) dest[i] = (float)best.angles[i];
  return true;
}

/* solves the two columns for the wanted motion by damped least squares; an angle without effect
 * follows its input */
void si_swing_rate(const si_swing *swing, const float angles[2], const float moved[3],
                   const float inputs[2], float dest[2]) {
  problem p = { .target = { 0 } };
  double miss[3], c[2][3], wanted[3], at[2] = { (double)angles[0], (double)angles[1] };
  residual(swing, &p, at, miss, c);
  double aa = si_wide_dot(c[0], c[0]), bb = si_wide_dot(c[1], c[1]), ab = si_wide_dot(c[0], c[1]);
  bool works[2] = { aa > 0, bb > 0 };
  double given[2] = { (double)inputs[0] * SI_DEG, (double)inputs[1] * SI_DEG };
  /* with parallel axes both share the motion that the inputs' own change leaves, unless one is at
   * the end of its range */
  bool share = swing->parallel && works[0] && works[1];
  for (int i = 0; i < 2; i++) {
    bool free_to_move = angles[i] > swing->min[i] && angles[i] < swing->max[i];
    if (share && !free_to_move) {
      works[i] = false;
      given[i] = 0;
    }
    dest[i] = (float)(given[i] / SI_DEG);
  }
  for (int k = 0; k < 3; k++) {
    wanted[k] = (double)moved[k];
    if (share) wanted[k] -= given[0] * c[0][k] + given[1] * c[1][k];
  }
  double pull[2] = { si_wide_dot(c[0], wanted), si_wide_dot(c[1], wanted) };
  double change[2] = { 0, 0 }, damping = 1e-12;
  if (works[0] && works[1]) {
    double det = (aa + damping) * (bb + damping) - ab * ab;
    change[0] = ((bb + damping) * pull[0] - ab * pull[1]) / det;
    change[1] = ((aa + damping) * pull[1] - ab * pull[0]) / det;
  } else {
    for (int i = 0; i < 2; i++)
      if (works[i]) change[i] = pull[i] / (i ? bb : aa);
  }
  for (int i = 0; i < 2; i++)
    if (works[i]) dest[i] = (float)((change[i] + (share ? given[i] : 0)) / SI_DEG);
}

void si_swing_correct(const float *matrix, const float from[3], const float to[3], float *dest) {
  double a[3], b[3], axis[3];
  widen_unit(from, a);
  widen_unit(to, b);
  si_wide_cross(a, b, axis);
  double s = si_wide_length(axis), c = si_wide_dot(a, b), size = s;
  if (s < 1e-7) {
    /* the same or opposite directions: perpendicular to the bone and to the coordinate axis it is
     * least parallel to */
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
    rotate(axis, c, s, v, w);
    for (int k = 0; k < 3; k++) dest[4 * column + k] = (float)w[k];
    dest[4 * column + 3] = 0;
  }
  memmove(dest + 12, matrix + 12, 4 * sizeof *dest);
}

/* with w = a x b and c = a.b the rotation is c v + w x v + w (w.v) / (1 + c) */
void si_swing_correct_rate(const float *matrix, const float from[3], const float to[3],
                           const float *matrix_moved, const float from_moved[3],
                           const float to_moved[3], float *dest) {
  double a[3], b[3], da[3], db[3], w[3], dw[3], part[3];
  widen_unit(from, a);
  widen_unit(to, b);
  si_wide(from_moved, da);
  si_wide(to_moved, db);
  si_wide_cross(a, b, w);
  si_wide_cross(da, b, dw);
  si_wide_cross(a, db, part);
  for (int k = 0; k < 3; k++) dw[k] += part[k];
  double c = si_wide_dot(a, b), dc = si_wide_dot(da, b) + si_wide_dot(a, db);
  /* between opposite directions the axis is arbitrary, and is treated as constant */
  double scale = 1 + c > 1e-9 ? 1 / (1 + c) : 0;
  for (int column = 0; column < 3; column++) {
    double v[3], dv[3], side[3], side_moved[3];
    si_wide(matrix + 4 * column, v);
    si_wide(matrix_moved + 4 * column, dv);
    si_wide_cross(w, dv, side);
    si_wide_cross(dw, v, side_moved);
    double along = si_wide_dot(w, v) * scale;
    double along_moved = (si_wide_dot(dw, v) + si_wide_dot(w, dv)) * scale - along * dc * scale;
    for (int k = 0; k < 3; k++)
      dest[4 * column + k] = (float)(dc * v[k] + c * dv[k] + side[k] + side_moved[k] +
                                     dw[k] * along + w[k] * along_moved);
  }
}
