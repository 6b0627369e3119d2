/* Where a point that rotates about an axis meets an ellipsoid [Shao 2003, 4.7].
 *
 * In the space in which the ellipsoid is the unit sphere about the origin, the rotating point is
 * y(t) = m + u cos t + v sin t, and E(t) = |y(t)|^2 - 1 = a + b cos t + c sin t + d cos 2t + e sin
 * 2t. Everything here is in doubles: near a tangency the angle has only half the digits of E. */
#ifndef SI_CONTACT_H
#define SI_CONTACT_H

#include <math.h>
#include <stdbool.h>

/* a point with |E| up to this counts as touching */
#define SI_TOUCH 1e-5

typedef struct si_dvec {
  double x, y, z;
} si_dvec;

static inline double si_dvec_dot(si_dvec a, si_dvec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

typedef struct si_circle {
  double a, b, c, d, e;
} si_circle;

/* An interval of angles within 0 to 180, as two quarters. In each, s in 0..1 is mapped by from + s
 * length = tan((angle - middle) / 2), where middle is 0 below 90 degrees and 135 above. */
typedef struct si_stretch {
  double from[2], length[2]; /* a length of 0 or less: an empty quarter */
} si_stretch;

/* The allowed angles: the ends of the window, and the part of it on either side of 0. */
typedef struct si_window {
  double end[2][2]; /* cosine and sine of half of low and high */
  si_stretch side[2];
} si_window;

/* The angle that was found, as cosine and sine of its half, times a common factor. */
typedef struct si_contact {
  double cosine, sine;
  double gap; /* E there; 0 for a root */
} si_contact;

/* low < high, both within -180 to 180 degrees */
void si_window_set(si_window *window, double low, double high);

static inline si_circle si_circle_of(si_dvec m, si_dvec u, si_dvec v) {
  double uu = si_dvec_dot(u, u), vv = si_dvec_dot(v, v);
  return (si_circle){ si_dvec_dot(m, m) - 1 + 0.5 * (uu + vv), 2 * si_dvec_dot(m, u),
                      2 * si_dvec_dot(m, v), 0.5 * (uu - vv), si_dvec_dot(u, v) };
}

/* E at an angle, from cosine and sine of its half times a common factor */
double si_circle_at(const si_circle *circle, double cosine, double sine);

/* The root with the smallest |angle| in the window; of two that agree to 1e-6 the positive one.
 * Without a root, the angle of least |E|, with the same rule for ties. If the rotation has no
 * effect, the allowed angle nearest to 0. */
si_contact si_circle_contact(const si_circle *circle, const si_window *window);

static inline bool si_contact_touches(const si_contact *contact) {
  return fabs(contact->gap) <= SI_TOUCH;
}
static inline double si_contact_degrees(const si_contact *contact) {
  return atan2(contact->sine, contact->cosine) * (360 / 3.14159265358979323846);
}

#endif
