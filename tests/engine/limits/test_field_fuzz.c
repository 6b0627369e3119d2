/* Readers that have no other tests of whole files. */
#include "fuzz/fuzz_field.h"
#include "fuzz/fuzz_obj.h"
#include "fuzzed.h"

FUZZED(field, 4000)

FUZZED(obj, 4000)

MU_SUITE(field_fuzz)
