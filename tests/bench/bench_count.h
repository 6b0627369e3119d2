/* Rigs of rigs/ in benchmarks, and counting their instructions. */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include <sinew/host.h>

/* A host with the rig of this script; ends the program when it is wrong. */
sinew_host *bench_load(const char *path);
/* The exit code; see bench_count.c. */
int bench_count(char **paths, int count);

#endif
