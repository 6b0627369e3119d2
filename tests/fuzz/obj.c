/* Fuzzes the OBJ reader and what surfaces are made into: fuzz-obj [COUNT] [SEED], or with
 * libFuzzer. */
#include "fuzz_obj.h"

FUZZ_PROGRAM(fuzz_obj_kind)
