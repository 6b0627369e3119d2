/* Where a drag meets a limit. The solver never leaves the limits, so nothing is held in the pose
 * itself: the DOF is looked for which the limits allow to move away from the target but not towards
 * it, and the value that it would need is tried on a pose aside. */
#include "plain/side.h"
#include "plain/space.h"
#include "plain/value_text.h"
#include "tools/pose/posing.h"

#include <ctype.h>
#include <sinew/explain.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float least_worth = 0.15f;  /* of the way to the target */
static const float some_of_range = 0.2f; /* a DOF that would need more is not what holds */
static const float most_given = 0.7f;    /* of what is asked: else it is hardly held */
enum { most_explained = 24, most_suspects = 4 };

void pose_unblock(state *st) {
  st->blocked = (sinew_segment){ 0 };
  st->asked_dof = (sinew_dof){ 0 };
}

static bool point_at(state *st, sinew_pose *pose, const sinew_goal *goal, sinew_dof dof,
                     float value, float dest[3]) {
  sinew_pose_set(pose, dof, value, NULL);
  if (sinew_host_eval(st->host, pose, NULL) < 0) return false;
  space_point(sinew_pose_world(pose, goal->segment), goal->point, dest);
  return true;
}

/* how much nearer the DOF could bring the point, in metres, if it were free: 0 if it is free
 * already. `asked` is the value for that. */
static float worth_of(state *st, sinew_pose *pose, const sinew_goal *goal, sinew_dof dof,
                      const float at[3], float *asked) {
  sinew_dof_info info = sinew_rig_dof_info(state_rig(st), dof);
  float value = sinew_pose_get(pose, dof), step = 0.005f * (info.max - info.min);
  float up[3], down[3], error[3];
  if (!point_at(st, pose, goal, dof, value + step, up) ||
      !point_at(st, pose, goal, dof, value - step, down))
    return 0;
  sinew_pose_set(pose, dof, value, NULL);
  for (int k = 0; k < 3; k++) {
    up[k] = (up[k] - at[k]) / step;
    down[k] = (at[k] - down[k]) / step;
    error[k] = goal->target[k] - at[k];
  }
  const float *rate = space_length(up) > space_length(down) ? up : down;
  float size = space_dot(rate, rate), gain = space_dot(rate, error);
  if (size < 1e-12f) return 0;
  const float *towards = gain > 0 ? up : down;
  if (space_dot(towards, error) / gain > 0.5f) return 0;
  float range = info.max - info.min, by = gain / size;
  by = fmaxf(-0.5f * range, fminf(by, 0.5f * range));
  *asked = value + by;
  /* beyond its range only if it is at the end of it: else something else holds it before */
  if (value > info.min + step && value < info.max - step)
    *asked = fmaxf(info.min, fminf(info.max, *asked));
  return fminf(fabsf(*asked - value), some_of_range * range) * sqrtf(size);
}

/* names of DOFs in a message become words: "its limit, at most 65 - 55 right wing: fold" */
static void as_words(const state *st, const char *text, char *dest, size_t capacity) {
  const sinew_rig *rig = state_rig(st);
  size_t used = 0;
  while (*text && used + 170 < capacity) {
    char name[128], words[160];
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' ||
           (text[length] == '.' && isalpha((unsigned char)text[length + 1])))
      length++;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    sinew_dof dof = { 0 };
    if (length && length < sizeof name) dof = sinew_rig_find_dof(rig, name, NULL);
    if (dof.id) {
      state_words(st, (selection){ .dof = dof }, true, words, sizeof words);
      words[0] = (char)tolower((unsigned char)words[0]);
      used += (size_t)snprintf(dest + used, capacity - used, "%s", words);
    } else {
      if (!length) length = 1;
      used += (size_t)snprintf(dest + used, capacity - used, "%.*s", (int)length, text);
    }
    text += length;
  }
  dest[used] = '\0';
}

/* "its lower bound at hip.flexion = 99.931" becomes "its lower bound (two joint muscles) while
 * right hip: leg forward and back is 99.9°"; false for other causes */
static bool bound_words(const state *st, const sinew_explained *e, char *dest, size_t capacity) {
  const char *at = strstr(e->cause, " bound at "), *equals = strrchr(e->cause, '=');
  char name[160], words[160], part[160], number[48];
  if (!at || !equals || equals < at + 11) return false;
  const char *from = at + 10;
  snprintf(name, sizeof name, "%.*s", (int)(equals - from - 1), from);
  float value = strtof(equals + 1, NULL);
  sinew_dof dof = sinew_rig_find_dof(state_rig(st), name, NULL);
  if (dof.id) {
    sinew_dof_info info = sinew_rig_dof_info(state_rig(st), dof);
    state_words(st, (selection){ .dof = dof }, true, words, sizeof words);
    value_number(value, value_unit(info.unit, info.min, info.max), number, sizeof number);
  } else {
    name_text(name, words, sizeof words);
    value_number(value, NULL, number, sizeof number);
  }
  state_words(st, (selection){ .component = e->component }, false, part, sizeof part);
  words[0] = (char)tolower((unsigned char)words[0]);
  part[0] = (char)tolower((unsigned char)part[0]);
  snprintf(dest, capacity, "%.*s bound (%s) while %s is %s", (int)(at - e->cause), e->cause, part,
           words, number);
  return true;
}

/* the bone that a limit holds: the one that its component moves, or that the DOF moves first */
static sinew_segment held_bone(const state *st, sinew_component component, sinew_dof dof) {
  const sinew_rig *rig = state_rig(st);
  if (component.id && st->moved_by[component.id - 1].id) return st->moved_by[component.id - 1];
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment s = sinew_rig_segment(rig, i);
    sinew_component driver = sinew_rig_segment_info(rig, s).driver;
    if (driver.id && sinew_rig_depends(rig, driver, dof)) return s;
  }
  return (sinew_segment){ 0 };
}

/* what holds the DOF at the asked value: its own hold, or else the first that depends on it */
static bool say(state *st, sinew_pose *pose, sinew_dof dof, float now, float asked, bool mark,
                char *dest, size_t capacity) {
  const sinew_rig *rig = state_rig(st);
  sinew_explained *list = calloc(most_explained, sizeof *list), *found = NULL;
  sinew_dof_info info = sinew_rig_dof_info(rig, dof);
  char name[160], cause[700], by[48];
  if (!list) return false;
  sinew_pose_set(pose, dof, asked, NULL);
  int count = sinew_host_eval(st->host, pose, NULL) < 0
                  ? 0
                  : sinew_pose_explain(pose, list, most_explained);
  for (int i = 0; i < count && i < most_explained; i++) {
    bool depends = list[i].component.id && sinew_rig_depends(rig, list[i].component, dof);
    if (list[i].dof.id == dof.id && (!found || found->dof.id != dof.id)) found = &list[i];
    if (depends && !found) found = &list[i];
  }
  state_words(st, (selection){ .dof = dof }, true, name, sizeof name);
  if (found && found->dof.id == dof.id &&
      fabs(found->wanted - found->given) < (double)((1 - most_given) * fabsf(asked - now)))
    found = NULL;
  if (found) {
    bool own = found->dof.id == dof.id && found->wanted != found->given;
    float off = own ? (float)(found->wanted - found->given) : 0;
    if (!bound_words(st, found, cause, sizeof cause))
      as_words(st, found->cause, cause, sizeof cause);
    value_number(fabsf(off), value_unit(info.unit, info.min, info.max), by, sizeof by);
    snprintf(dest, capacity, "%s is held %s%sby %s", name, own ? by : "", own ? " short " : "",
             cause);
    if (mark) {
      st->blocked = held_bone(st, found->component, dof);
      st->asked_dof = dof;
      st->asked = asked;
    }
  }
  free(list);
  return found != NULL;
}

/* a DOF that would bring the point nearer, if it were free */
typedef struct suspect {
  sinew_dof dof;
  float worth, asked;
} suspect;

/* keeps the worst ones, the first the worst */
static void add_suspect(suspect list[most_suspects], suspect one) {
  for (int i = 0; i < most_suspects; i++) {
    if (one.worth <= list[i].worth) continue;
    suspect next = list[i];
    list[i] = one;
    one = next;
  }
}

bool pose_blocked(state *st, pose_tool *p, const sinew_solver *solver, const sinew_goal *goal,
                  char *dest, size_t capacity) {
  const sinew_rig *rig = state_rig(st);
  suspect list[most_suspects] = { { .worth = 0 } };
  float at[3];
  pose_unblock(st);
  *dest = '\0';
  if (!p->trial || goal->kind != SINEW_GOAL_POINT) return false;
  sinew_pose_set_all(p->trial, sinew_pose_dofs(state_pose(st)), sinew_rig_dof_count(rig), NULL);
  space_point(sinew_pose_world(state_pose(st), goal->segment), goal->point, at);
  float off = space_distance(at, goal->target);
  for (int i = 0; i < sinew_solver_dof_count(solver); i++) {
    suspect one = { .dof = sinew_solver_dof(solver, i) };
    one.worth = worth_of(st, p->trial, goal, one.dof, at, &one.asked);
    if (one.worth < least_worth * off) continue;
    one.worth /= sqrtf(sinew_solver_stiffness(solver, i));
    add_suspect(list, one);
  }
  size_t used = 0;
  for (int i = 0, lines = 0; i < most_suspects && lines < 2 && list[i].dof.id; i++) {
    float now = sinew_pose_get(state_pose(st), list[i].dof);
    if (lines && list[i].worth < 0.5f * list[0].worth) break;
    bool told = say(st, p->trial, list[i].dof, now, list[i].asked, !lines, dest + used + lines,
                    capacity - used - (size_t)lines);
    sinew_pose_set(p->trial, list[i].dof, now, NULL);
    if (!told) continue;
    if (lines) dest[used] = '\n';
    used = strlen(dest);
    lines++;
  }
  if (used) return true;
  char by[48];
  value_number(off, "m", by, sizeof by);
  snprintf(dest, capacity, "out of reach by %s", by);
  return false;
}
