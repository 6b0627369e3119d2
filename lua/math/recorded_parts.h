/* What the files with methods of recorded values share. */
#ifndef SI_RECORDED_PARTS_H
#define SI_RECORDED_PARTS_H

#include "lua/math/record.h"

/* Ends a method that gives a value: writes it to the recorded value at `index`, or pushes it as a
 * new one if there is none. */
int si_recorded_give(lua_State *L, int index, const si_recorded *value);
/* Ends a method that changes its object. */
int si_recorded_store(lua_State *L, const si_recorded *value);
/* a vec3 or table at `index`, or three numbers from there on */
si_recorded si_recorded_vector(lua_State *L, int index);

/* Whether one of the arguments of a function is recorded. */
bool si_recorded_any(lua_State *L);
/* Calls what the function replaces, its first upvalue, with all its arguments. */
int si_recorded_call_plain(lua_State *L);
/* __concat */
int si_recorded_concat(lua_State *L);

si_value si_rec_length(si_recording *r, const si_value *v, int count);
void si_rec_unit(si_recording *r, const si_value *v, int count, si_value *dest);
void si_rec_cross(si_recording *r, const si_value *a, const si_value *b, si_value *dest);
si_value si_rec_sin(si_recording *r, si_value degrees);
si_value si_rec_cos(si_recording *r, si_value degrees);

/* quats */
void si_rec_rotate(si_recording *r, const si_value *q, const si_value *v, si_value *dest);
void si_rec_quat_mul(si_recording *r, const si_value *a, const si_value *b, si_value *dest);
int si_recorded_quat_invert(lua_State *L, bool in_place);
void si_rec_quat_matrix(si_recording *r, const si_value *q, si_value *dest);

/* matrices */
void si_rec_point(si_recording *r, const si_value *m, const si_value *p, si_value *dest);
void si_rec_direction(si_recording *r, const si_value *m, const si_value *v, si_value *dest);
/* sinew.rotate and sinew.translate */
int si_recorded_rotate(lua_State *L);
int si_recorded_translated(lua_State *L);
int si_recorded_new_mat4(lua_State *L);
int si_recorded_angles(lua_State *L);
int si_recorded_get(lua_State *L);
int si_recorded_inverse(lua_State *L);
int si_recorded_invert(lua_State *L);
int si_recorded_determinant(lua_State *L);
int si_recorded_place(lua_State *L);
int si_recorded_position(lua_State *L);
int si_recorded_premul(lua_State *L);
int si_recorded_rigid(lua_State *L);
int si_recorded_rotation(lua_State *L);
int si_recorded_translate(lua_State *L);
int si_recorded_transpose(lua_State *L);
int si_recorded_transposed(lua_State *L);
int si_recorded_turn_by(lua_State *L);

#endif
