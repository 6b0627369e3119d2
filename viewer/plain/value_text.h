/* Values of ports as text: short in a box, long in a tooltip; and formulas. */
#ifndef VIEWER_VALUE_TEXT_H
#define VIEWER_VALUE_TEXT_H

#include <sinew/pose.h>
#include <stddef.h>

/* A scalar as a number, a vector as three, a matrix as position and angle of rotation. NULL gives
 * "". */
void value_short(sinew_kind kind, const float *value, char *dest, size_t capacity);
/* The same with more digits; a matrix with its axis of rotation. */
void value_long(sinew_kind kind, const float *value, char *dest, size_t capacity);
/* A text as wide as short ones get, nearly always. */
const char *value_widest(sinew_kind kind);
/* The angle of a rotation in degrees, and its axis of unit length: z where there is none. */
float value_turn(const float matrix[16], float axis[3]);

/* What a component computes, where that is a formula, with the names of its sources: "= 0.5 flexion
 * + 10", or "at least 10, at most 65 - 55 fold". Returns false, with "" in `dest`, for other
 * components. */
bool formula_text(const sinew_rig *rig, sinew_component component, char *dest, size_t capacity);
/* The same for the bound that held a value, "at most 65 - 55 fold". */
bool bound_text(const sinew_rig *rig, const sinew_hold *hold, char *dest, size_t capacity);

#endif
