/* Types that use a compiled rig: poses, crowds, clips, recorded motion and solvers. */
#ifndef SI_PLAY_LUA_H
#define SI_PLAY_LUA_H

#include "lua/rig/rig_lua.h"

extern const si_lua_type si_pose_type, si_pose_view_type, si_crowd_type, si_clip_type,
    si_motion_type, si_solver_type, si_character_type;

/* Each adds its types and functions to the module's table, which is on top of the stack; the first
 * two supply rig:pose() and rig:crowd(n), so they follow si_open_rig. */
void si_open_pose(lua_State *L);
void si_open_crowd(lua_State *L);
void si_open_clip(lua_State *L);
void si_open_motion(lua_State *L);
void si_open_solver(lua_State *L);
void si_open_nodes(lua_State *L);
void si_open_character(lua_State *L);

/* The state of the evaluation of a pose or a crowd. */
typedef struct si_progress {
  bool running; /* being evaluated: a scripted component may try to use it */
  bool failed;  /* the last evaluation failed, and nothing was set since */
  int revision; /* version of the program's parameters at the last evaluation */
} si_progress;

/* Whether evaluating again would only fail again; then the last good transforms are read. */
static inline bool si_progress_stuck(const si_progress *progress, const si_program *program) {
  return progress->failed && progress->revision == program->revision;
}

/* Raises while it is being evaluated; `what` is "pose" or "crowd". */
void si_progress_check(lua_State *L, const si_progress *progress, const char *what);

/* Evaluates a pose of the program, with scripted components running on this thread. */
sinew_status si_program_eval(lua_State *L, si_program *program, sinew_pose *pose,
                             sinew_error *error);
/* The pose at `index`, to be changed; raises for anything else, if it was closed, and while it is
 * being evaluated. */
sinew_pose *si_pose_change(lua_State *L, int index);
/* The program of the pose at `index`, whose rig is pushed; raises if the pose was closed. */
si_program *si_pose_program(lua_State *L, int index);
/* The pose at `index`, to be read; raises for anything else, and for one that was closed. */
const sinew_pose *si_pose_open(lua_State *L, int index);
/* The pose at `index`, evaluated if something was set; raises as reading a matrix of it does. */
const sinew_pose *si_pose_evaluated(lua_State *L, int index);
/* The world matrices of all characters of the crowd at `index`, evaluated in the same way. */
const float *si_crowd_worlds(lua_State *L, int index, const sinew_rig **rig, int *count);
/* The number at `index` for a DOF; raises for anything else, and for what is not finite. */
float si_pose_value_check(lua_State *L, const sinew_rig *rig, sinew_dof dof, int index);
/* Pushes the view of the joint set whose name is at 2, of the pose at 1; false, with nothing
 * pushed, where there is none. Views are kept in the table at `keep`, under the set's name. */
bool si_pose_view_push(lua_State *L, const sinew_rig *rig, int keep);
/* The same for reading its DOFs, at any time. */
const sinew_pose *si_pose_read(lua_State *L, int index);
/* Methods of a pose, in pose_pack.c. */
int si_pose_blend(lua_State *L);  /* pose:blend(other, t): DOF by DOF, t of the way to the other */
int si_pose_carry(lua_State *L);  /* pose:carry(other): by name, of any rig; how many DOFs */
int si_pose_put(lua_State *L);    /* pose:put(numbers of DOFs, values): whether none was held */
int si_pose_pack(lua_State *L);   /* pose:pack([32 or 16]): a string */
int si_pose_unpack(lua_State *L); /* pose:unpack(string): the pose, or nil and why */
/* Pushes the list of what a component draws for the evaluated pose, in marks_lua.c; returns 1. */
int si_marks_push(lua_State *L, const sinew_pose *pose, sinew_component component);
/* Runs `work`, which leaves the pose at `index` evaluated, with scripted components running on this
 * thread. Raises if it fails, and if the pose is not of the program from which `what` was made. */
typedef sinew_status si_pose_job(sinew_pose *pose, void *context, sinew_error *error);
void si_pose_work(lua_State *L, int index, const si_program *program, const char *what,
                  si_pose_job *work, void *context);

#endif
