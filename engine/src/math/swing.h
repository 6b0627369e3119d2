/* The two angles of a swing from the direction it must reach, and the shortest arc if no angles
 * reach it. Angles are in degrees, directions are unit vectors. */
#ifndef SI_SWING_H
#define SI_SWING_H

#include <stdbool.h>

/* constants of the fast path in floats, four at a time */
typedef struct si_quick_swing {
  _Alignas(16) float x[4], y[4], z[4]; /* of along, top, left and the first axis */
  float from[4];                       /* added to a, a, spread and -spread */
  float middle, inverse_reach;
  bool works;
} si_quick_swing;

/* Rot(axis[0], a - rest[0]) Rot(axis[1], b - rest[1]) with a and b in [min, max]; the axes need not
 * be orthogonal. Fill in the first five fields, then call si_swing_prepare. */
typedef struct si_swing {
  float axis[2][3];
  float rest[2];
  float min[2], max[2];
  float bone[3]; /* the bone's direction at rest */

  /* In doubles: unit vectors; the bone's circle about the second axis, along + cos(b - base) top +
   * sin(b - base) left with the base in degrees; and its heights along the first axis, middle +
   * reach cos(b - base). */
  double unit_axis[2][3], unit_bone[3];
  double along[3], top[3], left[3];
  double base, middle, inverse_reach;
  si_quick_swing quick;
  bool idle;     /* the second angle has no effect */
  bool parallel; /* both angles have the same effect */
} si_swing;

void si_swing_prepare(si_swing *swing);

/* The angles in range that take the bone to `direction`; of several, those nearest to `inputs`
 * clamped to the ranges (squared distance). An angle without effect keeps its input. False if none
 * are in range or the direction cannot be reached; `dest` is then unchanged. */
bool si_swing_solve(const si_swing *swing, const float direction[3], const float inputs[2],
                    float dest[2]);

/* How the angles that si_swing_solve gave change, in degrees, when the direction moves by `moved`
 * and the inputs by `inputs` degrees. If both angles have the same effect on the bone, as near a
 * double solution, the smallest change. */
void si_swing_rate(const si_swing *swing, const float angles[2], const float moved[3],
                   const float inputs[2], float dest[2]);

/* Rotates `matrix` by the shortest arc from `from` to `to` about its own origin: the translation
 * stays. Between opposite directions the axis is a fixed perpendicular one. `dest` may be
 * `matrix`. */
void si_swing_correct(const float *matrix, const float from[3], const float to[3], float *dest);

/* The derivative of the rotated columns of si_swing_correct (9 numbers, columns four apart) when
 * `from`, `to` and the matrix move; the translation moves as the matrix's does. */
void si_swing_correct_rate(const float *matrix, const float from[3], const float to[3],
                           const float *matrix_moved, const float from_moved[3],
                           const float to_moved[3], float *dest);

#endif
