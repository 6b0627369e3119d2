/* Fuzzes the reader of JSON: fuzz-json [COUNT] [SEED], or with libFuzzer. */
#include "fuzz_json.h"

FUZZ_PROGRAM(fuzz_json_kind)
