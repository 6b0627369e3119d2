/* Fuzzes the readers of motion files: fuzz-motion [COUNT] [SEED], or with libFuzzer. */
#include "fuzz_motion.h"

FUZZ_PROGRAM(fuzz_motion_kind)
