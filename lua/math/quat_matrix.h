/* Quaternions (x, y, z, w), matrices and Euler angles: products and conversions. Computed in
 * doubles, so that results are accurate to the last bit of a float. dest may be any of the
 * inputs. */
#ifndef SI_QUAT_MATRIX_H
#define SI_QUAT_MATRIX_H

#include <stdbool.h>

/* The rotation by `degrees` about a unit axis. */
void si_quat_from_axis(const float axis[3], float degrees, float dest[4]);
/* The product of rotations about coordinate axes (0, 1, 2) in list order, as in the euler
 * component. */
void si_quat_from_euler(const int order[3], const float degrees[3], float dest[4]);
/* The shortest rotation from one direction to another; both have unit length. */
void si_quat_between(const float from[3], const float to[3], float dest[4]);
/* a * b: b acts first */
void si_quat_mul(const float a[4], const float b[4], float dest[4]);
/* Interpolates along the shorter arc; the result has unit length, and t may be outside 0 to 1.
 * Returns false if the length of a quat is 0 or not finite, as do the next two. */
bool si_quat_slerp(const float a[4], const float b[4], float t, float dest[4]);
bool si_quat_unit(const float q[4], float dest[4]);
bool si_quat_rotate(const float q[4], const float v[3], float dest[3]);

/* The rotation of a matrix, ignoring the lengths of its columns. Returns false if there is none:
 * for a matrix that mirrors or shears, or has a column of length 0. w of the quat is not
 * negative. */
bool si_quat_from_mat4(const float m[16], float dest[4]);
/* The angles from which si_quat_from_euler makes this rotation. The middle one is in [-90, 90], or
 * in [0, 180] if the first and third axis are the same. At its ends, where only the sum or
 * difference of the others matters, the third is 0. */
bool si_mat4_angles(const float m[16], const int order[3], float dest[3]);

/* m * p as a point, divided by the fourth coordinate if the last row is not 0 0 0 1. */
void si_mat4_point(const float m[16], const float p[3], float dest[3]);
/* The inverse of any matrix, and its determinant; either may be NULL. Returns false if the matrix
 * is singular within the precision of its floats. */
bool si_mat4_inverse(const float m[16], float *dest, double *determinant);

#endif
