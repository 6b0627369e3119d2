/* OpenSim files written for tests, in the forms of versions 3 and 4, and the formulas of their
 * joints in doubles, from OpenSim's documentation. */
#ifndef OSIM_CASES_H
#define OSIM_CASES_H

#include <stdbool.h>
#include <stddef.h>

/* --- a file, assembled in one static text */

/* Starts a model of version 3 or 4. */
void osim_begin(int version);
/* Adds text; arguments as for printf. */
void osim_add(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A joint from a body (or "ground") to a new body `child`; `inner` is the XML specific to its kind.
 * Each offset is x y z and the angles about x, y and z. */
typedef struct osim_joint_case {
  const char *kind, *name, *parent, *child;
  double in_parent[6], in_child[6];
  const char *coordinates, *inner;
} osim_joint_case;
void osim_joint(const osim_joint_case *joint);
/* Text for a coordinate, and for one of the six axes of a custom joint; valid until the next
 * osim_begin. */
const char *osim_coordinate(const char *name, double min, double max, double rest,
                            const char *flags);
const char *osim_axis(const char *name, const char *coordinates, const char *axis,
                      const char *function);
const char *osim_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Text after the joints: markers, constraints and so on. */
void osim_tail(const char *text);
/* Ends the model; returns the whole text. */
const char *osim_end(void);

/* --- transforms, row by row */

typedef struct osim_mat {
  double m[4][4];
} osim_mat;

osim_mat osim_mul(osim_mat a, osim_mat b);
osim_mat osim_move(double x, double y, double z);
osim_mat osim_turn(double x, double y, double z, double radians);
osim_mat osim_offset(const double offset[6]);
osim_mat osim_rigid_inverse(osim_mat a);
/* The ground's frame in a rig: OpenSim's X is a rig's Z. */
osim_mat osim_ground(void);
/* The largest difference to a column-major matrix of floats. */
double osim_difference(osim_mat expected, const float *actual);

/* SimmSpline by Forsythe, Malcolm and Moler's SPLINE and SEVAL, linear outside; at most 16 points.
 */
double osim_simm(int n, const double *x, const double *y, double at);

#endif
