/* Shared by the files that write a model as Lua. */
#ifndef SI_OSIM_WRITE_H
#define SI_OSIM_WRITE_H

#include "lua/base/lua_text.h"
#include "lua/osim/osim_model.h"

typedef struct si_osim_writer {
  const si_osim_model *m;
  si_text text;
  double *rests; /* the coordinates' values at rest; si_osim_put_rig frees them */
  bool huge;     /* a number was too large for a float */
} si_osim_writer;

/* A number as Lua reads it; rounding noise near 0 becomes 0. */
void si_osim_put_number(si_osim_writer *w, double number);
/* { a, b, c } */
void si_osim_put_vector(si_osim_writer *w, const double v[3]);
/* Text as comment lines, the first with `lead` before it. */
void si_osim_put_comment(si_osim_writer *w, const char *lead, const char *text);
/* The statement that adds the segment of a frame, with a rigid rest frame in its parent. */
void si_osim_put_segment(si_osim_writer *w, const si_osim_frame *frame, const char *parent,
                         const si_osim_place *place);
/* A transform as a mat4, in lines indented by `indent`. */
void si_osim_put_matrix(si_osim_writer *w, const si_osim_place *place, int indent);
/* The length of the line being written; lines should stay within 100 characters. */
size_t si_osim_column(const si_osim_writer *w);

/* Computes the coordinates' values at rest; the transform of a factor at these. */
void si_osim_rest_coordinates(si_osim_writer *w);
si_osim_place si_osim_rest_factor(si_osim_writer *w, const si_osim_factor *factor);

/* Whether a value is just a coordinate, in the units of the rig. */
bool si_osim_is_plain(const si_osim_model *m, const si_osim_value *value, bool angle);
/* A curve for a value of one coordinate; `angle` if the result is an angle. */
void si_osim_put_curve(si_osim_writer *w, const si_osim_value *value, bool angle, int indent);
/* A value of several coordinates, as statements that assign it to the local `name`. */
void si_osim_put_sum(si_osim_writer *w, const si_osim_value *value, bool angle, const char *joint,
                     const char *name);
/* A joint, as statements that drive its body. */
void si_osim_put_drive(si_osim_writer *w, const si_osim_frame *body);

/* The whole rig, the markers alone, and the list of losses. */
void si_osim_put_rig(si_osim_writer *w);
void si_osim_put_markers(si_osim_writer *w);
void si_osim_put_losses(si_osim_writer *w);

static inline bool si_osim_is_constant(const si_osim_value *value) { return value->count == 0; }
/* The factor from the file's unit to the rig's: angles are in degrees. */
static inline double si_osim_unit(bool angle) { return angle ? 57.29577951308232 : 1; }

#endif
