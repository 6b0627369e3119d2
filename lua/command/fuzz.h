/* Checks a rig on random poses. */
#ifndef SI_FUZZ_H
#define SI_FUZZ_H

#include "lua/command/command.h"

typedef struct fuzz_options {
  int64_t poses;
  uint64_t seed;
  double jump_degrees, jump_metres; /* a movement that stays larger for ever smaller steps */
} fuzz_options;

/* Returns false if a check failed; prints the smallest counterexample. */
bool fuzz_rig(sinew_host *host, const fuzz_options *options);

#endif
