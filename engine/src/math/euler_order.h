/* Euler angles of a rotation, for any of the twelve axis orders; 'xyz' is Rx Ry Rz. */
#ifndef SI_EULER_ORDER_H
#define SI_EULER_ORDER_H

#include <stdbool.h>

typedef struct si_euler_order {
  int axis[3]; /* 0 x, 1 y, 2 z */
  bool proper; /* the first and the last axis are the same */
} si_euler_order;

/* Reads an order such as "zyz" or "xyz"; false for anything that is not one of the twelve. */
bool si_order_parse(const char *order, si_euler_order *dest);

/* Angles in degrees of the rotation by the unit quaternion x y z w. The outer angles are in (-180,
 * 180]; the middle one is in [0, 180] for a proper order, else in [-90, 90]. At a singularity the
 * last angle is 0. */
void si_order_angles(const si_euler_order *order, const double quat[4], double dest[3]);

/* The unit quaternion x y z w of three angles in degrees. */
void si_order_quat(const si_euler_order *order, const double angles[3], double dest[4]);

#endif
