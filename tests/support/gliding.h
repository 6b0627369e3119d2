/* Slides for tests: their parameters, rigs made from them, and the same geometry in doubles. */
#ifndef GLIDING_H
#define GLIDING_H

#include <sinew/sinew.h>

/* A random number of the sequence that gliding_seed starts. */
void gliding_seed(uint32_t seed);
float gliding_random(float low, float high);

/* The parameters of a slide, and its constant frame. */
typedef struct gliding {
  float pairs[3][6], radii[3], centre[3], axis[3];
  float window[2], lift_range[2], rotation_range[2];
  _Alignas(32) float orientation[16];
  _Alignas(32) float frame[16];
} gliding;

gliding gliding_at_random(void);
/* The right scapula as printed in [Shao 2003], in centimetres, on an ellipsoid that fits it. */
gliding gliding_of_the_paper(void);

enum { gliding_params = 10 };
void gliding_describe(const gliding *g, sinew_param *dest);

/* A rig with only the slide 'glide', driven by the DOFs lift and rotation; NULL if it does not
 * compile. */
sinew_rig *gliding_compile(const sinew_param *params, int count, const float *frame,
                           sinew_error *error);
/* Thorax, clavicle and scapula wired as in Figure 11 of [Shao 2003]; the ellipsoid is the thorax's.
 */
sinew_rig *gliding_shoulder(const gliding *g, sinew_error *error);
extern const float gliding_clavicle_at[3], gliding_scapula_at[3];

/* Adds a DOF, and a component, to a builder before it is compiled. */
void gliding_add_dof(sinew_builder *b, const char *name, float min, float max);
void gliding_add(sinew_builder *b, const char *kind, const char *name, const sinew_wire *wires,
                 int wire_count, const sinew_param *params, int param_count);

/* In doubles: a rotation about an axis of any length, the ellipsoid's function at a point that
 * `frame` maps to its frame, and the active pair. */
void gliding_turn(const double *axis, double degrees, const double *v, double *dest);
double gliding_ellipsoid(const gliding *g, const float *frame, const double *p);
void gliding_blend(const gliding *g, double l, double r, double *dest);

#endif
