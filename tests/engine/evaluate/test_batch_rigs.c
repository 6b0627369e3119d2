/* Every rig of rigs/ in a batch, against poses one by one. */
#include "batch_cases.h"
#include "each_rig.h"
#include "minunit.h"

typedef struct seen {
  uint32_t seed;
  double off;
} seen;

static void visit(const sinew_rig *rig, const char *name, void *context) {
  seen *s = context;
  double here = crowd_all_off(rig, mu_rounds(400), &s->seed);
  if (!(here <= 1e-6)) printf("%s: %g\n", name, here);
  s->off = fmax(s->off, here);
}

MU_SLOW_TEST(batch_of_every_rig_file_is_right) {
  seen s = { .seed = 7200 };
  sinew_error error;
  MU_CHECK(each_rig(visit, &s, &error) >= 8);
  MU_TEXT(error.text, "");
  MU_NEAR(s.off, 0, 1e-6);
}

MU_SUITE(batch_rigs)
