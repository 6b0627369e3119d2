/* Rigs built in C for the benchmarks. */
#ifndef BENCH_RIGS_H
#define BENCH_RIGS_H

#include <sinew/sinew.h>

/* A spine [Shao 2003, fig. 8]: `sets` joint sets of three DOFs each, `vertebrae` in total, three
 * rotations per vertebra about axes and centres of their own. */
sinew_rig *bench_spine(int sets, int vertebrae);
/* A bare body of bench_body.h: `segments` in limbs of 15, with `rotations` rotations each. */
sinew_rig *bench_body(int segments, int rotations);
/* The same rig without cones and bounds. */
sinew_rig *bench_without_limits(const sinew_rig *rig);

#endif
