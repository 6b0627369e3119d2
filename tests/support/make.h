/* Short ways to make rigs in tests, a repeatable random sequence, and matrices in doubles to check
 * the engine's floats against. */
#ifndef MAKE_H
#define MAKE_H

#include <sinew/sinew.h>

/* a repeatable sequence: start with any number */
uint32_t make_random(uint32_t *seed);
float make_between(uint32_t *seed, float low, float high);
/* a number from 0 to below `count` */
int make_index(uint32_t *seed, int count);
/* not normalised, and never short */
void make_axis(uint32_t *seed, float *dest);
/* rigid: the identity, a movement, a turn with a movement, or such a one mirrored */
enum { MAKE_IDENTITY, MAKE_MOVED, MAKE_TURNED, MAKE_MIRRORED, MAKE_FRAMES };
void make_frame(uint32_t *seed, int kind, float *dest);

/* NULL where the description is wrong */
sinew_curve *make_curve(sinew_curve_kind kind, sinew_outside outside, const float *points,
                        int point_count);
sinew_curve *make_line(float x0, float y0, float x1, float y1);
sinew_curve *make_constant(float value);

/* What sinew/add.h has, for tests that name parents, give a joint set by its id, or compose wires
 * as a text. */
sinew_segment make_segment(sinew_builder *b, const char *name, const char *parent, float x, float y,
                           float z);
sinew_segment make_placed(sinew_builder *b, const char *name, const char *parent,
                          const float *rest);
sinew_dof make_dof(sinew_builder *b, sinew_joint_set set, const char *name, float min, float max);
/* `wires` is "input=source input=source"; an "input=#2.5" is given that constant */
sinew_component make_part(sinew_builder *b, sinew_joint_set set, const char *kind, const char *name,
                          const char *wires, const sinew_param *params, int param_count);
#define MAKE_NO_SET ((sinew_joint_set){ 0 })

/* Adds what a text describes to a builder; arguments as for printf. NULL makes a new builder. Lines
 * end at ';' or a line break. A mistake in the text prints its line and ends the run.
 *
 *   dof flexion 0 120 15                         name, min, max, rest (optional)
 *   segment tibia femur 0,-0.4,0                 name, parent and position (both optional)
 *   rotation turn angle=flexion axis=1,0,0       kind, name ("-": none), wires and parameters
 *   map bend x=flexion angle=line:0,0,120,-120   also piecewise:x,y,... and polynomial:a,b,...
 *   translation up y=#2.5                        a constant instead of a wire
 *   drive tibia knee.turn                        a segment that exists, and its driver
 *   set knee                                     a new joint set for the lines that follow
 *   in knee                                      continues an existing joint set; "in": none
 */
sinew_builder *make_lines(sinew_builder *b, const char *format, ...) SINEW_PRINTF(2, 3);
/* The rig of such a text; NULL, with the error printed, if it does not compile. */
#define make_text(...) make_rig(make_lines(NULL, __VA_ARGS__), NULL)

/* sinew_builder_finish, which prints the error where `error` is NULL. */
sinew_rig *make_rig(sinew_builder *b, sinew_error *error);

/* column-major, in doubles */
typedef struct dmat {
  double m[16];
} dmat;

dmat dmat_identity(void);
dmat dmat_of(const float *m);
dmat dmat_mul(dmat a, dmat b);
dmat dmat_move(double x, double y, double z);
/* by Rodrigues' formula; the axis need not be normalised */
dmat dmat_turn(const float *axis, double degrees);
/* of an affine matrix, by its adjugate */
dmat dmat_inverse(dmat a);
/* the largest difference of an entry */
double dmat_off(dmat a, const float *m);

#endif
