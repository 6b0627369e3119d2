/* A few inputs of each fuzzer; the programs in tests/fuzz run millions. They abort if something is
 * wrong. */
#include "fuzz/fuzz_field.h"
#include "fuzz/fuzz_obj.h"
#include "minunit.h"

MU_TEST(mutated_field_files_do_no_harm) {
  long taken = 0, count = mu_rounds(4000);
  for (long i = 0; i < count; i++) taken += fuzz_field((uint32_t)i);
  /* some are accepted and queried, most are refused */
  MU_CHECK(taken > count / 100 && taken < count);
}

MU_TEST(mutated_obj_files_do_no_harm) {
  long taken = 0, count = mu_rounds(4000);
  for (long i = 0; i < count; i++) taken += fuzz_obj((uint32_t)i);
  MU_CHECK(taken > count / 100 && taken < count);
}

MU_TEST(the_corpus_of_obj_is_read_or_refused) {
  MU_CHECK(fuzz_corpus(&fuzz_obj_kind, "tests/fuzz/corpus/obj.pack") > 0);
}

MU_TEST(the_corpus_of_field_is_read_or_refused) {
  MU_CHECK(fuzz_corpus(&fuzz_field_kind, "tests/fuzz/corpus/field.pack") > 0);
}

MU_SUITE(field_fuzz)
