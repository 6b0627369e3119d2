/* A script host with long time limits, for tests that are not about its clock: valgrind and busy
 * machines are slow. */
#ifndef TEST_PATIENT_H
#define TEST_PATIENT_H

#include "minunit.h"
#include "scarce.h"

#include <sinew/host.h>

static inline sinew_host_desc patient_host_desc(void) {
  sinew_host_desc desc = sinew_default_host_desc();
  desc.load_seconds = desc.eval_seconds = 3600;
  return desc;
}

/* Loads a rig with the n-th allocation failing, for every n until it succeeds, and writes it to
 * `written` unless that is NULL. False, with `why` filled, where something else than memory fails.
 */
static inline bool patient_host_survives(const sinew_host_desc *desc, const char *path,
                                         const char *written, sinew_error *why) {
  bool done = false;
  long tries = 0, step = mu_rounds(20) < 20 ? 37 : 1;
  for (; tries < 20000 && !done; tries += step) {
    scarce_memory(tries);
    sinew_error_clear(why);
    sinew_host *made = sinew_host_create(desc, why);
    done = made && sinew_host_load(made, path, why) == SINEW_OK &&
           (!written || sinew_host_save_xml(made, written, false, why) == SINEW_OK);
    sinew_host_destroy(made);
    if (!done && !strstr(why->text, "memory")) break;
  }
  plenty_of_memory();
  return done && tries > 50;
}

#endif
