/* Fuzzes the reader of OpenSim models and the scripts it writes: fuzz-osim [COUNT] [SEED], or with
 * libFuzzer. */
#include "fuzz_osim.h"

FUZZ_PROGRAM(fuzz_osim_kind)
