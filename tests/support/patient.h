/* A script host with long time limits, for tests that are not about its clock: valgrind and busy
 * machines are slow. */
#ifndef TEST_PATIENT_H
#define TEST_PATIENT_H

#include <sinew/host.h>

static inline sinew_host_desc patient_host_desc(void) {
  sinew_host_desc desc = sinew_default_host_desc();
  desc.load_seconds = desc.eval_seconds = 3600;
  return desc;
}

#endif
