/* Checks a rig on random poses. */
#ifndef SI_FUZZ_H
#define SI_FUZZ_H

#include "lua/command/command.h"

typedef struct fuzz_options {
  int64_t poses;
  uint64_t seed;
  double jump_degrees,
      jump_metres; /* a larger movement, for an ever smaller step of a DOF, is a jump */
} fuzz_options;

/* Returns false if a check failed; prints the smallest counterexample. */
bool fuzz_rig(sinew_host *host, const fuzz_options *options);

#endif
