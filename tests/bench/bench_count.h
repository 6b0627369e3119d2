/* Loads rigs of rigs/ for benchmarks, and counts their instructions. */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include <sinew/host.h>

/* A host with the rig of this script; exits with a message if it does not load. */
sinew_host *bench_load(const char *path);
/* Returns the exit code; see bench_count.c. */
int bench_count(char **paths, int count);
/* The same for bench_grow.c; `only` NULL: all that grows. */
int bench_grow(int count, const char *only);

#endif
