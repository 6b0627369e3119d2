/* Fuzzes the field file: fuzz-field [COUNT] [SEED], or with libFuzzer. */
#include "fuzz_field.h"

FUZZ_PROGRAM(fuzz_field_kind)
