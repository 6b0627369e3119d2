/* What the process of a rig tells is read as what a stranger sends. */
#include "minunit.h"

#if !defined(_WIN32)

#include "fuzz/fuzz_isolate.h"

/* a few inputs of the fuzzer, which aborts if something is wrong */
MU_TEST(mutated_reports_of_a_process_do_no_harm) {
  long taken = 0, count = mu_rounds(2000);
  for (long i = 0; i < count; i++) taken += fuzz_isolate((uint32_t)i);
  MU_CHECK(taken > 0 && taken < count);
}

MU_TEST(every_prefix_of_a_report_is_refused) {
  const si_wire *report = fuzz_isolate_report();
  for (size_t size = 0; size < report->size; size += 7) {
    si_report read;
    unsigned char *message = si_alloc(size + 1);
    MU_CHECK(message);
    memcpy(message, report->at, size);
    bool whole = si_report_read(message, size, &read);
    si_report_free(&read);
    MU_CHECK_SAY(!whole, "the first %zu bytes are taken", size);
  }
}

#endif

MU_SUITE(isolate_report)
