/* Roots of a rotating point on an ellipsoid, against dense sampling with bisection in doubles,
 * which rotates the point and measures, without quartics. */
#include "math/contact.h"
#include "minunit.h"

#include <stdint.h>

static uint64_t state;

static double uniform(double low, double high) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static const double degree = 3.14159265358979323846 / 180;

/* y(t) = m + u cos t + v sin t, where the ellipsoid is the unit sphere */
typedef struct turning {
  double m[3], u[3], v[3];
} turning;

static double measure(const turning *k, double c, double s) {
  double sum = -1;
  for (int i = 0; i < 3; i++) {
    double y = k->m[i] + c * k->u[i] + s * k->v[i];
    sum += y * y;
  }
  return sum;
}
static double measure_at(const turning *k, double degrees) {
  return measure(k, cos(degrees * degree), sin(degrees * degree));
}

static void random_unit(double *dest) {
  double n;
  do {
    n = 0;
    for (int i = 0; i < 3; i++) dest[i] = uniform(-1, 1), n += dest[i] * dest[i];
  } while (n > 1 || n < 0.01);
  for (int i = 0; i < 3; i++) dest[i] /= sqrt(n);
}

static void cross(const double *a, const double *b, double *dest) {
  for (int i = 0; i < 3; i++)
    dest[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* a rotated ellipsoid, a joint near its surface, an axis and a point */
static turning random_turning(void) {
  double e[3][3], radii[3], joint[3], axis[3], point[3], helper[3];
  random_unit(e[0]);
  random_unit(helper);
  cross(e[0], helper, e[1]);
  double n = sqrt(e[1][0] * e[1][0] + e[1][1] * e[1][1] + e[1][2] * e[1][2]);
  for (int i = 0; i < 3; i++) e[1][i] /= n;
  cross(e[0], e[1], e[2]);
  random_unit(axis);
  for (int i = 0; i < 3; i++) {
    radii[i] = exp(uniform(-3, -1));
    joint[i] = uniform(-0.25, 0.25);
    point[i] = uniform(-0.2, 0.2);
  }
  turning k = { .m = { 0 } };
  double along = axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2], parts[3][3];
  cross(axis, point, parts[2]);
  for (int i = 0; i < 3; i++) {
    parts[0][i] = along * axis[i] + joint[i];
    parts[1][i] = point[i] - along * axis[i];
  }
  for (int row = 0; row < 3; row++)
    for (int part = 0; part < 3; part++) {
      double sum = 0;
      for (int i = 0; i < 3; i++) sum += e[row][i] * parts[part][i];
      (part == 0 ? k.m : part == 1 ? k.u : k.v)[row] = sum / radii[row];
    }
  return k;
}

static si_circle circle_of(const turning *k) {
  return si_circle_of((si_dvec){ k->m[0], k->m[1], k->m[2] },
                      (si_dvec){ k->u[0], k->u[1], k->u[2] },
                      (si_dvec){ k->v[0], k->v[1], k->v[2] });
}

static si_contact solve(const turning *k, double low, double high) {
  si_circle circle = circle_of(k);
  si_window window;
  si_window_set(&window, low, high);
  return si_circle_contact(&circle, &window);
}

typedef struct answer {
  double roots[16];
  int count;
  double closest; /* smallest |E| in the window */
  double brink;   /* smallest |E| of the extrema: how close roots are to appearing or vanishing */
} answer;

static double bisect(const turning *k, double low, double high) {
  bool below = measure_at(k, low) < 0;
  for (int i = 0; i < 60; i++) {
    double middle = 0.5 * (low + high);
    if ((measure_at(k, middle) < 0) == below)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

/* the minimum of sign * E between low and high, by ternary search */
static double dip(const turning *k, double low, double high, double sign) {
  for (int i = 0; i < 80; i++) {
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (sign * measure_at(k, a) < sign * measure_at(k, b))
      high = b;
    else
      low = a;
  }
  return 0.5 * (low + high);
}

static void note(answer *found, double root) {
  if (found->count < 16) found->roots[found->count++] = root;
}

/* cosine and sine of whole degrees */
static void table(double out[361][2]) {
  for (int i = 0; i <= 360; i++) {
    out[i][0] = cos((i - 180) * degree);
    out[i][1] = sin((i - 180) * degree);
  }
}

/* every root between two whole degrees */
static answer brute(const turning *k, int low, int high) {
  static double turns[361][2];
  if (turns[0][0] == 0) table(turns);
  answer found = { .closest = INFINITY, .brink = INFINITY };
  double f[363];
  int n = high - low;
  for (int i = 0; i <= n; i++) {
    f[i] = measure(k, turns[low + i + 180][0], turns[low + i + 180][1]);
    found.closest = fmin(found.closest, fabs(f[i]));
  }
  for (int i = 0; i < n; i++)
    if ((f[i] < 0) != (f[i + 1] < 0)) note(&found, bisect(k, low + i, low + i + 1));
  for (int i = 0; i <= n; i++) {
    double sign = f[i] < 0 ? -1 : 1, here = fabs(f[i]);
    if (i > 0 && sign * f[i - 1] < here) continue;
    if (i < n && sign * f[i + 1] < here) continue;
    double from = low + (i > 0 ? i - 1 : i), to = low + (i < n ? i + 1 : i);
    double at = dip(k, from, to, sign), least = sign * measure_at(k, at);
    found.brink = fmin(found.brink, fabs(least));
    found.closest = fmin(found.closest, fabs(least));
    if (least < 0) {
      note(&found, bisect(k, from, at));
      note(&found, bisect(k, at, to));
    }
  }
  if (found.count) found.closest = 0;
  return found;
}

/* the root of smallest |angle|, and how much farther the next one is */
static double nearest(const answer *found, double *margin) {
  double best = INFINITY;
  for (int i = 0; i < found->count; i++)
    if (fabs(found->roots[i]) < fabs(best)) best = found->roots[i];
  *margin = INFINITY;
  for (int i = 0; i < found->count; i++)
    if (found->roots[i] != best) *margin = fmin(*margin, fabs(found->roots[i]) - fabs(best));
  return best;
}

static int compare_with_brute(int rounds, int low, int high, uint64_t seed, int *with_roots) {
  int unclear = 0;
  state = seed;
  *with_roots = 0;
  for (int i = 0; i < rounds; i++) {
    turning k = random_turning();
    answer truth = brute(&k, low, high);
    si_contact got = solve(&k, low, high);
    double angle = si_contact_degrees(&got), margin;
    double at_angle = measure_at(&k, angle), want = nearest(&truth, &margin);
    *with_roots += truth.count > 0;
    if (truth.brink < 1e-9 || margin < 1e-3) {
      unclear++;
      continue;
    }
    if (angle < low - 1e-9 || angle > high + 1e-9 || fabs(at_angle - got.gap) > 1e-9) {
      mu_fail(__FILE__, __LINE__, "case %d: angle %.12g, E %.3g, said to be %.3g", i, angle,
              at_angle, got.gap);
      return rounds;
    }
    bool agrees = truth.count > 0
                      ? got.gap == 0 && fabs(angle - want) < 1e-6 / fmin(1, sqrt(truth.brink))
                      : fabs(fabs(got.gap) - truth.closest) <= 1e-6 * (2 + truth.closest);
    if (!agrees) {
      mu_fail(__FILE__, __LINE__,
              "case %d: angle %.12g with E %.6g; sampling has %d roots, nearest %.12g, closest "
              "approach %.6g",
              i, angle, got.gap, truth.count, want, truth.closest);
      return rounds;
    }
  }
  return unclear;
}

MU_SLOW_TEST(contact_is_the_root_nearest_to_zero) {
  int rounds = mu_rounds(100000), hits;
  int unclear = compare_with_brute(rounds, -90, 90, 1, &hits);
  MU_CHECK_SAY(unclear <= rounds / 1000, "%d of %d cases were not compared", unclear, rounds);
  MU_CHECK_SAY(hits > rounds / 4 && hits < rounds * 9 / 10, "%d of %d had roots", hits, rounds);
}

MU_TEST(contact_stays_within_any_window) {
  static const int windows[][2] = { { -180, 180 }, { -30, 150 }, { -135, 0 },  { 0, 60 },
                                    { 20, 100 },   { -170, -5 }, { 100, 180 }, { -180, -91 } };
  for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
    int rounds = mu_rounds(4000), hits;
    int unclear = compare_with_brute(rounds, windows[i][0], windows[i][1], 77 + i, &hits);
    MU_CHECK_SAY(unclear <= rounds / 100, "window %zu: %d of %d cases were not compared", i,
                 unclear, rounds);
    MU_CHECK(hits > 0);
  }
}

/* a circle of radius 1 about a joint at distance `away` from the centre of the unit sphere */
static turning in_plane(double away, double radius, double start) {
  return (turning){ { -away, 0, 0 },
                    { radius * cos(start * degree), radius * sin(start * degree), 0 },
                    { -radius * sin(start * degree), radius * cos(start * degree), 0 } };
}

MU_TEST(contact_in_a_plane_is_where_circles_meet) {
  /* |y| = 1 where cos(angle + start) = (away^2 + radius^2 - 1) / (2 away radius) */
  for (double start = -80; start <= 80; start += 7) {
    turning k = in_plane(1.2, 0.9, start);
    double meet = acos((1.2 * 1.2 + 0.9 * 0.9 - 1) / (2 * 1.2 * 0.9)) / degree;
    double a = meet - start, b = -meet - start, want = fabs(a) <= fabs(b) ? a : b;
    if (fabs(want) > 90) continue;
    si_contact got = solve(&k, -90, 90);
    MU_NEAR(si_contact_degrees(&got), want, 1e-9);
  }
}

MU_TEST(contact_of_a_tie_is_the_positive_root) {
  turning k = in_plane(1.2, 0.9, 0);
  si_contact got = solve(&k, -90, 90);
  double tie = si_contact_degrees(&got);
  MU_CHECK(tie > 1);
  k = in_plane(1.2, 0.9, 1e-6); /* the negative root is nearer by less than a float can hold */
  got = solve(&k, -90, 90);
  MU_NEAR(si_contact_degrees(&got), tie, 1e-5);
  k = in_plane(1.2, 0.9, -0.01);
  got = solve(&k, -90, 90);
  MU_NEAR(si_contact_degrees(&got), -tie + 0.01, 1e-9);
  /* closest approaches tie too: the far side of a sphere that is too small to reach */
  k = (turning){ { 0, 0, 0 }, { 2, 0, 0 }, { 0, 1.5, 0 } };
  got = solve(&k, -120, 120);
  MU_NEAR(si_contact_degrees(&got), 90, 1e-5);
  MU_NEAR(got.gap, 1.25, 1e-9);
  MU_CHECK(!si_contact_touches(&got));
  k.m[1] = 1e-8;
  got = solve(&k, -120, 120);
  MU_NEAR(si_contact_degrees(&got), 90, 1e-5);
  k.m[1] = 1e-3;
  got = solve(&k, -120, 120);
  MU_CHECK(si_contact_degrees(&got) < -80);
}

/* the circle whose E (1 + x^2)^2 is this quartic in x = tan(t/2) */
static si_circle circle_of_quartic(const double *q) {
  double d = 0.125 * (q[0] + q[4] - q[2]);
  return (si_circle){ 0.5 * (q[0] + q[4]) - d, 0.5 * (q[0] - q[4]), 0.25 * (q[1] + q[3]), d,
                      0.125 * (q[1] - q[3]) };
}

MU_TEST(contact_may_be_a_touch_before_a_crossing) {
  /* (x - a)^2 (x - 3/4) (x + 2), for either sign: touches at a, crosses at 3/4 */
  si_window window;
  si_window_set(&window, -90, 90);
  for (double a = -0.6875; a < 0.7; a += 0.0625) {
    double left[3] = { a * a, -2 * a, 1 }, right[3] = { -1.5, 1.25, 1 };
    for (int sign = -1; sign <= 1; sign += 2) {
      double q[5] = { 0 };
      for (int i = 0; i < 9; i++) q[i / 3 + i % 3] += sign * left[i / 3] * right[i % 3];
      si_circle circle = circle_of_quartic(q);
      si_contact got = si_circle_contact(&circle, &window);
      MU_NEAR(got.sine / got.cosine, a, 1e-7);
    }
  }
}

MU_TEST(contact_is_continuous_at_a_tangency) {
  /* the circle about (away, 0) of radius 1 touches the sphere from outside at away = 2 */
  for (int i = -200; i <= 200; i++) {
    double away = 2 + i * 2e-8;
    turning k = in_plane(away, 1, 30);
    si_contact got = solve(&k, -90, 90);
    MU_CHECK(si_contact_touches(&got));
    MU_NEAR(si_contact_degrees(&got), -30, 0.4); /* sqrt(8e-6) radians and a margin */
    MU_NEAR(measure_at(&k, si_contact_degrees(&got)), 0, 1e-5);
  }
  turning exact = { { -2, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
  si_contact got = solve(&exact, -90, 90);
  MU_NEAR(si_contact_degrees(&got), 0, 1e-6);
  MU_NEAR(got.gap, 0, 1e-12);
  /* from inside, where E is negative everywhere except at that point */
  turning inner = { { 0.5, 0, 0 }, { 0.5, 0, 0 }, { 0, 0.5, 0 } };
  got = solve(&inner, -90, 90);
  MU_NEAR(si_contact_degrees(&got), 0, 1e-6);
  MU_CHECK(si_contact_touches(&got));
}

MU_TEST(contact_is_continuous_at_the_end_of_the_window) {
  double last = 0;
  for (int i = 0; i <= 350; i++) {
    turning k = in_plane(1.2, 0.9, -40 + 0.1 * i); /* the roots move down by 35 degrees */
    si_contact got = solve(&k, -45, 50);
    double angle = si_contact_degrees(&got);
    if (i > 0) MU_CHECK_SAY(fabs(angle - last) < 0.11, "from %.9g to %.9g", last, angle);
    if (!si_contact_touches(&got)) MU_NEAR(angle, -45, 1e-9);
    last = angle;
  }
  MU_NEAR(last, -45, 1e-9);
}

MU_TEST(contact_of_a_miss_is_the_closest_approach) {
  turning far = in_plane(3, 1, 50);
  si_contact got = solve(&far, -90, 90);
  MU_NEAR(si_contact_degrees(&got), -50, 1e-9);
  MU_NEAR(got.gap, 3, 1e-9);
  MU_CHECK(!si_contact_touches(&got));
  got = solve(&far, -20, 90);
  MU_NEAR(si_contact_degrees(&got), -20, 1e-9);
  /* near half a turn the ends of a full window are close, but not the same */
  far = in_plane(3, 1, 179.9);
  got = solve(&far, -180, 180);
  MU_NEAR(si_contact_degrees(&got), -179.9, 1e-6);
  /* entirely inside: then the point nearest to the surface */
  turning deep = { { 0.2, 0, 0 }, { 0, 0.3, 0 }, { 0.3, 0, 0 } };
  got = solve(&deep, -180, 180);
  MU_NEAR(si_contact_degrees(&got), 90, 1e-9);
  MU_NEAR(got.gap, -0.75, 1e-9);
}

MU_TEST(contact_does_not_rotate_a_point_on_the_axis) {
  turning on_axis = { { 0.9, 0.1, 0 }, { 0 }, { 0 } };
  si_contact got = solve(&on_axis, -90, 90);
  MU_NEAR(si_contact_degrees(&got), 0, 0);
  MU_NEAR(got.gap, 0.82 - 1, 1e-12);
  got = solve(&on_axis, 10, 90);
  MU_NEAR(si_contact_degrees(&got), 10, 1e-12);
  got = solve(&on_axis, -90, -7);
  MU_NEAR(si_contact_degrees(&got), -7, 1e-12);
  /* a sphere about the joint, up to rounding: in contact everywhere or nowhere */
  turning round = { { 1e-8, 0, 0 }, { 1, 2e-8, 0 }, { 0, 1 - 3e-8, 0 } };
  got = solve(&round, -90, 90);
  MU_NEAR(si_contact_degrees(&got), 0, 0);
  MU_CHECK(si_contact_touches(&got));
  turning wide = { { 0, 0, 1e-8 }, { 1.5, 0, 0 }, { 2e-8, 1.5, 0 } };
  got = solve(&wide, -90, 90);
  MU_NEAR(si_contact_degrees(&got), 0, 0);
  MU_CHECK(!si_contact_touches(&got));
}

/* E with all four roots at one angle, or three: E = (1 - cos(t - x)) (1 - cos(t - y)) */
MU_TEST(contact_of_multiple_roots_is_their_angle) {
  for (int i = 0; i < 200; i++) {
    double x = -80 + 0.8 * i, gap = i % 4 ? pow(10, -3 * (i % 4)) : 0, y = x + gap;
    double cx = cos(x * degree), sx = sin(x * degree), cy = cos(y * degree), sy = sin(y * degree);
    si_circle circle = { 1 + 0.5 * (cx * cy + sx * sy), -cx - cy, -sx - sy,
                         0.5 * (cx * cy - sx * sy), 0.5 * (sx * cy + cx * sy) };
    si_window window;
    si_window_set(&window, -90, 90);
    si_contact got = si_circle_contact(&circle, &window);
    if (fabs(x) > 89) continue;
    MU_NEAR(si_contact_degrees(&got), x, 0.1); /* 1e-16 to the power 1/4 is 1e-4 radians */
    MU_CHECK(si_contact_touches(&got));
    /* sin(t - x) (1 - cos(t - x)): three */
    circle = (si_circle){ 0, -sx, cx, sx * cx, -0.5 * (cx * cx - sx * sx) };
    got = si_circle_contact(&circle, &window);
    MU_NEAR(si_contact_degrees(&got), x, 0.02);
  }
}

MU_TEST(contact_does_not_depend_on_scale) {
  state = 5;
  for (int i = 0; i < 1000; i++) {
    turning k = random_turning();
    si_circle circle = circle_of(&k), scaled;
    si_window window;
    si_window_set(&window, -90, 90);
    si_contact got = si_circle_contact(&circle, &window);
    if (got.gap != 0) continue;
    double by = i % 2 ? 0x1p-40 : 0x1p60; /* powers of two: no rounding */
    scaled =
        (si_circle){ circle.a * by, circle.b * by, circle.c * by, circle.d * by, circle.e * by };
    si_contact same = si_circle_contact(&scaled, &window);
    if (i % 2 == 0) MU_NEAR(same.sine / same.cosine, got.sine / got.cosine, 0);
    MU_CHECK(isfinite(same.sine) && isfinite(same.cosine));
  }
}

MU_SUITE(contact)
