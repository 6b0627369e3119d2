/* vec3, quat, mat4, curves and buffers of floats as userdata, for the rest of the binding.
 *
 * What a function here gives points into the userdata and lives as long as it does. A vec3 and a
 * quat are four floats aligned to 16 bytes (the fourth of a vec3 is 0 and stays so), a mat4 is 16
 * floats, column-major, and it and a buffer are aligned to 32 bytes, although Lua aligns userdata
 * to 8 only: cglm may load and store them directly. */
#ifndef SI_MATH_LUA_H
#define SI_MATH_LUA_H

#include "lua/base/type.h"

#include <sinew/sinew.h>

extern const si_lua_type si_vec3_type, si_quat_type, si_mat4_type, si_buffer_type, si_curve_type;

/* Each adds its constructors to the module's table, which is on top of the stack: vec3, quat, mat4,
 * buffer; and the functions of angles in degrees: sin, cos, tan, asin, acos, atan2. */
void si_lua_open_vec3(lua_State *L);
void si_lua_open_quat(lua_State *L);
void si_lua_open_mat4(lua_State *L);
void si_lua_open_buffer(lua_State *L);
void si_lua_open_degrees(lua_State *L);
/* All of them; then the constructors of curves. */
void si_lua_open_math(lua_State *L);
void si_open_curve(lua_State *L);

/* Push: a new one, (0, 0, 0), the identity quat, the identity matrix. */
float *si_vec3_push(lua_State *L);
float *si_quat_push(lua_State *L);
float *si_mat4_push(lua_State *L);

/* Test: NULL where the value is something else. Check: raises then. */
float *si_vec3_test(lua_State *L, int index);
float *si_quat_test(lua_State *L, int index);
float *si_mat4_test(lua_State *L, int index);
float *si_vec3_check(lua_State *L, int index);
float *si_quat_check(lua_State *L, int index);
float *si_mat4_check(lua_State *L, int index);

/* Read: from such a userdata, or from a table of three, four or sixteen numbers, by position or, up
 * to four, by x, y, z, w. False, and dest untouched, for anything else. Tables are read raw. */
bool si_vec3_read(lua_State *L, int index, float dest[3]);
bool si_quat_read(lua_State *L, int index, float dest[4]);
bool si_mat4_read(lua_State *L, int index, float dest[16]);
/* The same, but raises "vec3 or a table of three numbers expected, got ...". */
void si_vec3_want(lua_State *L, int index, float dest[3]);
void si_quat_want(lua_State *L, int index, float dest[4]);
void si_mat4_want(lua_State *L, int index, float dest[16]);

/* For a result whose last argument may be a userdata to write to: that one, pushed, or a new one
 * where there is nil or nothing. Raises for anything else. */
float *si_vec3_dest(lua_State *L, int index);
float *si_quat_dest(lua_State *L, int index);
float *si_mat4_dest(lua_State *L, int index);

/* The matrix of a turn, without translation. False, and dest untouched, for a quat of length 0 or
 * of no finite length. */
bool si_quat_to_mat4(const float q[4], float dest[16]);

enum { SI_BUFFER_MOST = 1 << 28 }; /* numbers in one buffer */
/* A buffer of zeros. Raises where there is no memory for it. */
float *si_buffer_push(lua_State *L, size_t count);
float *si_buffer_test(lua_State *L, int index, size_t *count);
float *si_buffer_check(lua_State *L, int index, size_t *count);
/* Pushes a list of numbers: into the table or buffer at `index`, or into a new table. */
int si_numbers_push(lua_State *L, int index, const float *numbers, size_t count);

/* NULL if it is not a curve; raises for a closed one. */
const sinew_curve *si_curve_test(lua_State *L, int index);
/* Whether the script said what the curve at `index` does outside its points. */
bool si_curve_outside_said(lua_State *L, int index);
void si_curve_push_copy(lua_State *L, const sinew_curve *curve);

/* A vec3 or table, brought to length 1. Raises for one without a direction. */
void si_lua_want_unit(lua_State *L, int index, float dest[3]);
/* One of the twelve axis orders, such as "xyz", into 0, 1, 2. Raises for anything else. */
void si_lua_check_order(lua_State *L, int index, int dest[3]);

#endif
