/* Fuzzes the reader of what the process of a rig tells: fuzz-isolate [COUNT] [SEED], or with
 * libFuzzer. */
#include "fuzz_isolate.h"

FUZZ_PROGRAM(fuzz_isolate_kind)
