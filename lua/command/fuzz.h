/* Trying random poses of a rig. */
#ifndef SI_FUZZ_H
#define SI_FUZZ_H

#include "lua/command/command.h"

typedef struct fuzz_options {
  long poses;
  uint64_t seed;
  double jump_degrees, jump_metres; /* most for a step of a DOF, however small it is made */
} fuzz_options;

/* True when nothing was found; else the smallest counter-example is printed. */
bool fuzz_rig(sinew_host *host, const fuzz_options *options);

#endif
