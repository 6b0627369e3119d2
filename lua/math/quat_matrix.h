/* Quaternions (x, y, z, w), matrices and Euler angles: products, and one made of another. Inside in
 * doubles, so that what comes out is good to the last place of a float. dest may be any of the
 * inputs. */
#ifndef SI_QUAT_MATRIX_H
#define SI_QUAT_MATRIX_H

#include <stdbool.h>

/* The turn by `degrees` about a unit axis. */
void si_quat_from_axis(const float axis[3], float degrees, float dest[4]);
/* The product of turns about coordinate axes (0, 1, 2) in list order, as in the euler component. */
void si_quat_from_euler(const int order[3], const float degrees[3], float dest[4]);
/* The shortest turn from one direction to another; both are of unit length. */
void si_quat_between(const float from[3], const float to[3], float dest[4]);
/* a * b: b acts first */
void si_quat_mul(const float a[4], const float b[4], float dest[4]);
/* Interpolates along the shorter arc, of unit length; t may be outside 0 to 1. False for a quat of
 * length 0 or of no finite length, as in the next two. */
bool si_quat_slerp(const float a[4], const float b[4], float t, float dest[4]);
bool si_quat_unit(const float q[4], float dest[4]);
bool si_quat_rotate(const float q[4], const float v[3], float dest[3]);

/* The rotation of a matrix, ignoring the lengths of its columns. False where there is none: a
 * matrix that mirrors or shears, or has a column of length 0. w of the quat is not negative. */
bool si_quat_from_mat4(const float m[16], float dest[4]);
/* The angles that si_quat_from_euler makes this rotation of. The middle one is in [-90, 90], or in
 * [0, 180] where the first axis comes back; at its ends, where only the sum or difference of the
 * others matters, the third is 0. */
bool si_mat4_angles(const float m[16], const int order[3], float dest[3]);

/* m * p as a point, divided by the fourth coordinate where the last row is not 0 0 0 1. */
void si_mat4_point(const float m[16], const float p[3], float dest[3]);
/* The inverse of any matrix, and its determinant; either may be NULL. False where the matrix is
 * singular to the last places of the floats it is made of. */
bool si_mat4_inverse(const float m[16], float *dest, double *determinant);

#endif
