/* Roots of E(t) = a + b cos t + c sin t + d cos 2t + e sin 2t inside a window, nearest to 0 first.
 *
 * With x = tan(t/2), E (1 + x^2)^2 is a quartic. Its coefficients in Bernstein form bound its
 * values, and their sign changes bound the number of its roots (Descartes): none means no root, one
 * means exactly one. An interval with more is split at its extremum or in two. There are no sines
 * and no sampling, and no root is missed. */
#include "math/contact.h"

#include <string.h>

#define HALF_TURN (3.14159265358979323846 / 360.0)
#define TIE       1e-6

enum { deepest = 24 };

/* cosine and sine of half of 135 degrees, the middle of the second quarter */
static const double middle_cosine = 0.38268343236508977173, middle_sine = 0.92387953251128675613;

static void stretch_set(si_stretch *stretch, double low, double high) {
  /* the quarters overlap, so that rounding cannot lose a root between them */
  static const double middle[] = { 0, 135 }, starts[] = { 0, 89.999 }, ends[] = { 90, 180 };
  for (int i = 0; i < 2; i++) {
    double from = fmax(low, starts[i]), to = fmin(high, ends[i]);
    bool some = from < to && to > 90 * i;
    stretch->from[i] = tan((from - middle[i]) * HALF_TURN);
    stretch->length[i] = some ? tan((to - middle[i]) * HALF_TURN) - stretch->from[i] : 0;
  }
}

void si_window_set(si_window *window, double low, double high) {
  const double ends[] = { low, high };
  for (int i = 0; i < 2; i++) {
    window->end[i][0] = cos(ends[i] * HALF_TURN);
    window->end[i][1] = sin(ends[i] * HALF_TURN);
  }
  stretch_set(&window->side[0], low, high);
  stretch_set(&window->side[1], -high, -low);
}

double si_circle_at(const si_circle *k, double cosine, double sine) {
  double n = 1 / (cosine * cosine + sine * sine);
  double c = (cosine * cosine - sine * sine) * n, s = 2 * cosine * sine * n;
  return k->a + k->b * c + k->c * s + k->d * (c * c - s * s) + k->e * 2 * c * s;
}

/* a quartic on 0..1, and the roots found so far in ascending order */
typedef struct search {
  double q[5];
  double roots[4];
  int count, wanted;
} search;

/* not by Horner's rule: this has a shorter chain of operations */
static inline double value(const double *q, double x) {
  double xx = x * x;
  return (q[0] + q[1] * x) + xx * (q[2] + q[3] * x + q[4] * xx);
}
static inline double slope(const double *q, double x) {
  return (q[1] + 2 * q[2] * x) + x * x * (3 * q[3] + 4 * q[4] * x);
}

/* The one sign change of q between low and high: Newton's method, with bisection where a step
 * leaves the interval. A last step of 1e-6 leaves |q| below 1e-12 times its second derivative */
static double narrow(const double *q, double low, double high, double x, bool rising) {
  double last = high - low;
  for (int i = 0; i < 100; i++) {
    double f = value(q, x), next = x - f / slope(q, x);
    if (f == 0) return x;
    if ((f > 0) == rising)
      high = x;
    else
      low = x;
    if (!(next >= low && next <= high && fabs(next - x) <= 0.5 * last)) next = 0.5 * (low + high);
    last = fabs(next - x);
    x = next;
    if (last < 1e-6) break;
  }
  return x;
}

/* x after a step of Halley's method, which triples its digits; returns whether it had converged
 * before */
static inline bool leap(const double *q, double *x) {
  double f = value(q, *x), f1 = slope(q, *x), f2 = q[2] + 3 * q[3] * *x + 6 * q[4] * *x * *x;
  *x -= f * f1 / (f1 * f1 - f * f2);
  return fabs(f) < 1e-5 * fabs(f1);
}

/* the same as `narrow`, faster if the guess is good, as it mostly is */
static inline double polish(const double *q, double low, double high, double guess, bool rising) {
  double x = guess;
  leap(q, &x);
  return leap(q, &x) && x >= low && x <= high ? x : narrow(q, low, high, guess, rising);
}

static inline unsigned signs(const double *b, int count) {
  unsigned mask = 0;
#pragma GCC unroll 5
  for (int i = 0; i < count; i++) mask |= (unsigned)(b[i] < 0) << i;
  return mask;
}
/* the number of sign changes between neighbours, among five signs or among four */
static inline int changes(unsigned mask, int count) {
  static const unsigned char table[] = { 0, 1, 2, 1, 2, 3, 2, 1, 2, 3, 4, 3, 2, 3, 2, 1,
                                         1, 2, 3, 2, 3, 4, 3, 2, 1, 2, 3, 2, 1, 2, 1, 0 };
  return table[count == 4 ? mask | (mask & 8) << 1 : mask];
}

/* the parameter from 0 to 1 at which the polygon of coefficients first crosses zero */
static double crossing(const double *b, unsigned mask, int count) {
  int i = __builtin_ctz(mask ^ mask >> 1);
  return (i + b[i] / (b[i] - b[i + 1])) / (count - 1);
}

static void found(search *s, double x) {
  if (s->count < s->wanted) s->roots[s->count++] = x;
}

/* finds roots strictly between low and high, where q has Bernstein coefficients b */
static void isolate(search *s, const double *b, double low, double high, int depth) {
  unsigned mask = signs(b, 5);
  int most = changes(mask, 5);
  if (most == 0 || s->count == s->wanted) return;
  if (most == 1) {
    double guess = low + (high - low) * crossing(b, mask, 5);
    found(s, polish(s->q, low, high, guess, mask & 1));
    return;
  }
  double step[4];
  for (int i = 0; i < 4; i++) step[i] = b[i + 1] - b[i];
  unsigned ways = signs(step, 4);
  if (changes(ways, 4) == 1) {
    /* one extremum: at most one root on either side of it */
    const double *q = s->q, dq[5] = { q[1], 2 * q[2], 3 * q[3], 4 * q[4], 0 };
    double at = low + (high - low) * crossing(step, ways, 4);
    at = polish(dq, low, high, at, ways & 1);
    double top = value(q, at), size = 0;
    for (int i = 0; i < 5; i++) size += fabs(q[i]);
    if (fabs(top) <= 1e-15 * size) {
      found(s, at); /* a double root, within rounding */
      return;
    }
    if ((b[0] < 0) != (top < 0)) found(s, polish(q, low, at, 0.5 * (low + at), top > b[0]));
    if ((b[4] < 0) != (top < 0)) found(s, polish(q, at, high, 0.5 * (at + high), b[4] > top));
    return;
  }
  /* not exactly in the middle, where roots are more likely in practice: a double root at a split
   * can be lost to rounding */
  double left[5], right[5], cut = 0.487, middle = low + cut * (high - low);
  memcpy(right, b, sizeof right);
  for (int i = 0; i < 5; i++) {
    left[i] = right[0];
    for (int j = 0; j < 4 - i; j++) right[j] += cut * (right[j + 1] - right[j]);
  }
  if (depth == deepest) {
    /* several roots within rounding of each other */
    found(s, middle);
    return;
  }
  isolate(s, left, low, middle, depth + 1);
  isolate(s, right, middle, high, depth + 1);
}

/* the circle's quartic on one quarter of a side of its window, and its Bernstein coefficients */
static inline void quartic(const si_circle *k, int side, int quarter, double from, double length,
                           double *q, double *bernstein) {
  double b = k->b, c = side ? -k->c : k->c, d = k->d, e = side ? -k->e : k->e;
  if (quarter) {
    /* about 135 degrees */
    const double h = 0.70710678118654752440;
    double b0 = b, d0 = d;
    b = h * (c - b0), c = -h * (c + b0), d = -e, e = d0;
  }
  double q0 = k->a + b + d, q1 = 2 * c + 4 * e, q2 = 2 * k->a - 6 * d, q3 = 2 * c - 4 * e,
         q4 = k->a - b + d;
  if (from != 0) {
    q3 += from * q4, q2 += from * q3, q1 += from * q2, q0 += from * q1;
    q3 += from * q4, q2 += from * q3, q1 += from * q2;
    q3 += from * q4, q2 += from * q3;
    q3 += from * q4;
  }
  double square = length * length;
  q1 *= length, q2 *= square, q3 *= square * length, q4 *= square * square;
  q[0] = q0, q[1] = q1, q[2] = q2, q[3] = q3, q[4] = q4;
  bernstein[0] = q0;
  bernstein[1] = q0 + 0.25 * q1;
  bernstein[2] = q0 + 0.5 * q1 + (1.0 / 6) * q2;
  bernstein[3] = (q0 + 0.75 * q1) + (0.5 * q2 + 0.25 * q3);
  bernstein[4] = (q0 + q1) + (q2 + q3) + q4;
}

/* Finds the roots on a quarter. If rounding loses a root at the far end, that end is still tried as
 * the closest approach */
static void search_quarter(search *s, const double *bernstein) {
  s->count = 0;
  if (bernstein[0] == 0) found(s, 0);
  isolate(s, bernstein, 0, 1, 0);
}

/* the first root on a quarter; INFINITY if there is none */
static inline double first_root(const si_circle *k, int side, int quarter, double from,
                                double length) {
  double q[5], b[5];
  quartic(k, side, quarter, from, length, q, b);
  unsigned mask = signs(b, 5);
  int most = changes(mask, 5);
  if (most == 1 && b[0] != 0) {
    /* a Halley step from 0 needs only coefficients that are known already */
    double guess = -q[0] * q[1] / (q[1] * q[1] - q[0] * q[2]);
    if (!(guess > 0 && guess < 1)) guess = crossing(b, mask, 5);
    return from + length * polish(q, 0, 1, guess, mask & 1);
  }
  if (most == 0 && b[0] != 0) return INFINITY;
  search s = { .q = { q[0], q[1], q[2], q[3], q[4] }, .wanted = 1 };
  search_quarter(&s, b);
  return s.count ? from + length * s.roots[0] : INFINITY;
}

static si_contact contact_at(int side, int quarter, double x) {
  si_contact contact = { 1, x, 0 };
  if (quarter) {
    contact.cosine = middle_cosine - middle_sine * x;
    contact.sine = middle_sine + middle_cosine * x;
  }
  if (side) contact.sine = -contact.sine;
  return contact;
}

/* replaces the best candidate for the closest approach if this one is better */
static void offer(const si_circle *k, si_contact candidate, si_contact *best) {
  double n = 1 / sqrt(candidate.cosine * candidate.cosine + candidate.sine * candidate.sine);
  candidate.cosine *= n, candidate.sine *= n;
  candidate.gap = si_circle_at(k, candidate.cosine, candidate.sine);
  double closer = fabs(best->gap) - fabs(candidate.gap);
  double nearer = fabs(best->sine) - fabs(candidate.sine);
  bool mirrored = fabs(nearer) <= TIE && fabs(best->cosine - candidate.cosine) <= TIE;
  bool better = closer > 0;
  if (fabs(closer) <= (mirrored ? TIE : 1e-12) * (k->a + 1))
    better = mirrored ? candidate.sine > best->sine : nearer > 0;
  if (better) *best = candidate;
}

/* the closest approach: tries the ends of the window, and the zeros of E' inside it */
static si_contact closest(const si_circle *k, const si_window *window) {
  const si_circle steepness = { 0, k->c, -k->b, 2 * k->e, -2 * k->d };
  si_contact best = { 1, 0, INFINITY };
  for (int i = 0; i < 2; i++)
    offer(k, (si_contact){ window->end[i][0], window->end[i][1], 0 }, &best);
  search s = { .wanted = 4 };
  for (int quarter = 0; quarter < 2; quarter++)
    for (int side = 0; side < 2; side++) {
      double from = window->side[side].from[quarter], length = window->side[side].length[quarter];
      if (length <= 0) continue;
      double b[5];
      quartic(&steepness, side, quarter, from, length, s.q, b);
      search_quarter(&s, b);
      for (int i = 0; i < s.count; i++)
        offer(k, contact_at(side, quarter, from + length * s.roots[i]), &best);
    }
  return best;
}

/* the angle in the window nearest to 0 */
static si_contact unturned(const si_circle *k, const si_window *window) {
  const double *low = window->end[0], *high = window->end[1];
  si_contact contact = { 1, 0, 0 };
  if (low[1] > 0) contact = (si_contact){ low[0], low[1], 0 };
  if (high[1] < 0) contact = (si_contact){ high[0], high[1], 0 };
  contact.gap = si_circle_at(k, contact.cosine, contact.sine);
  return contact;
}

si_contact si_circle_contact(const si_circle *k, const si_window *window) {
  /* a + 1 is the mean of |y|^2; below this, rounding of the float inputs hides any effect of the
   * rotation */
  if (fabs(k->b) + fabs(k->c) + fabs(k->d) + fabs(k->e) <= 1e-6 * (k->a + 1))
    return unturned(k, window);
  for (int quarter = 0; quarter < 2; quarter++) {
    double nearest[2] = { INFINITY, INFINITY };
#pragma GCC unroll 2
    for (int side = 0; side < 2; side++) {
      const si_stretch *stretch = &window->side[side];
      if (stretch->length[quarter] > 0)
        nearest[side] =
            first_root(k, side, quarter, stretch->from[quarter], stretch->length[quarter]);
    }
    if (nearest[1] < nearest[0] - TIE) return contact_at(1, quarter, nearest[1]);
    if (nearest[0] < INFINITY) return contact_at(0, quarter, nearest[0]);
  }
  return closest(k, window);
}
