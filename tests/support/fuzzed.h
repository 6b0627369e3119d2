/* A few inputs of a reader's fuzzer, which aborts if something is wrong, and its corpus; the
 * programs in tests/fuzz run millions. Some inputs are taken, most are refused. */
#ifndef FUZZED_H
#define FUZZED_H

#include "minunit.h"

#define FUZZED(reader, rounds)                                                                     \
  MU_TEST(mutated_##reader##_files_do_no_harm) {                                                   \
    long taken = 0, count = mu_rounds(rounds);                                                     \
    for (long i = 0; i < count; i++) taken += fuzz_##reader((uint32_t)i);                          \
    MU_CHECK(taken > count / 100 && taken < count);                                                \
  }                                                                                                \
  MU_TEST(the_corpus_of_##reader##_is_read_or_refused) {                                           \
    MU_CHECK(fuzz_corpus(&fuzz_##reader##_kind, "tests/fuzz/corpus/" #reader ".pack") > 0);        \
  }

#endif
