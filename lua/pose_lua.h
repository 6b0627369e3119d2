/* What poses and crowds share: how far their evaluation is. */
#ifndef SI_POSE_LUA_H
#define SI_POSE_LUA_H

#include "binding.h"

typedef struct si_progress {
  bool running; /* being evaluated: a scripted component may be asking */
  bool failed;  /* the last evaluation failed, and nothing was set since */
  int revision; /* of the program's parameters at the last evaluation */
} si_progress;

/* Whether evaluating again would only fail again: then the last good transforms are read. */
static inline bool si_progress_stuck(const si_progress *progress, const si_program *program) {
  return progress->failed && progress->revision == program->revision;
}

/* Raises while it is being evaluated; `what` is "pose" or "crowd". */
void si_progress_check(lua_State *L, const si_progress *progress, const char *what);

#endif
