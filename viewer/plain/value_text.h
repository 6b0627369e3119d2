/* Values as text, by one rule for the whole window: degrees have one digit after the point, metres
 * three, shares are in percent, all else has at most four significant digits. Also formulas. */
#ifndef VIEWER_VALUE_TEXT_H
#define VIEWER_VALUE_TEXT_H

#include <sinew/pose.h>
#include <stdbool.h>
#include <stddef.h>

/* The unit to show a value in: "%" for a value without a unit whose range is within -1 to 1, else
 * its own, which may be NULL. */
const char *value_unit(const char *unit, float min, float max);
/* A number with its unit, "12.5°" or "0.040 m"; then without it. */
void value_number(float value, const char *unit, char *dest, size_t capacity);
void value_plain(float value, const char *unit, char *dest, size_t capacity);
/* Reads such a text; the unit may be left out. False if it is no finite number. */
bool value_read(const char *text, const char *unit, float *dest);

/* A scalar as a number, a vector as three, a matrix as position and angle of rotation. NULL gives
 * "". `unit`, which may be NULL, is that of a scalar. */
void value_short(sinew_kind kind, const float *value, const char *unit, char *dest,
                 size_t capacity);
/* The same; a matrix with its axis of rotation. */
void value_long(sinew_kind kind, const float *value, const char *unit, char *dest, size_t capacity);
/* A sample as wide as almost every short text. */
const char *value_widest(sinew_kind kind);
/* The angle of a rotation in degrees, and its unit axis; z if the angle is 0. */
float value_rotation(const float matrix[16], float axis[3]);

/* What a component computes, where that is a formula, with the names of its sources: "= 0.5 flexion
 * + 10", or "at least 10, at most 65 - 55 fold". Returns false, with "" in `dest`, for other
 * components. */
bool formula_text(const sinew_rig *rig, sinew_component component, char *dest, size_t capacity);
/* The same for the bound that held a value, "at most 65 - 55 fold". */
bool bound_text(const sinew_rig *rig, const sinew_hold *hold, char *dest, size_t capacity);

/* A message, its files by their paths relative to a folder; what names its place ("FILE:LINE:", at
 * the start of a line) and lies elsewhere by its name. */
void message_short(const char *text, const char *folder, char *dest, size_t capacity);
/* What is wrong, without "FILE:LINE: component 'NAME': " before it: for panels of that component.
 */
const char *message_reason(const char *text);

#endif
