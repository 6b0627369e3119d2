/* Derivatives against differences of evaluated poses: random networks, rigs, kinks, what was asked
 * for and what not, mistakes, and memory that runs out. */
#include <sinew/sinew.h>

#include "make.h"
#include "minunit.h"
#include "network.h"
#include "scarce.h"
#include "sinew/host.h"
#include "slopes.h"
#include <stdlib.h>

#define CLOSE 1e-3

static slopes_result compare_at_random(sinew_rig *rig, uint32_t seed, int rounds, float parts) {
  sinew_error error;
  slopes_result result = { 0 };
  sinew_pose *pose = sinew_pose_create(rig, &error);
  sinew_tangent *t = sinew_tangent_create(rig, NULL, &error);
  for (int i = 0; pose && t && i < rounds; i++) {
    slopes_pose_at_random(pose, &seed);
    sinew_status status = sinew_tangent_eval(t, pose, &error);
    if (status < 0) printf("  %s\n", error.text);
    if (status < 0 || !slopes_compare(pose, t, parts, &result)) {
      result.worst = INFINITY;
      break;
    }
  }
  sinew_tangent_destroy(t);
  sinew_pose_destroy(pose);
  return result;
}

MU_TEST(derivatives_of_random_networks_agree_with_differences) {
  slopes_result all = { 0 };
  for (int i = 0; i < mu_rounds(40); i++) {
    sinew_rig *rig = network_make(7000 + (uint32_t)i, 6, 40, 12);
    MU_CHECK(rig);
    slopes_result r = compare_at_random(rig, 5 + (uint32_t)i, 4, 600);
    sinew_rig_destroy(rig);
    MU_CHECK_SAY(r.worst <= CLOSE, "network %d: %s", i, r.where);
    all.compared += r.compared, all.skipped += r.skipped;
  }
  MU_CHECK_SAY(all.skipped * 8 < all.compared, "%d skipped of %d", all.skipped, all.compared);
}

/* --- the rigs */

static const char *rig_path;
static float rig_parts;

MU_TEST(derivatives_of_a_rig_agree_with_differences) {
  sinew_error error;
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = "lua";
  sinew_host *host = sinew_host_create(&desc, &error);
  MU_CHECK(host);
  sinew_status status = sinew_host_load(host, rig_path, &error);
  slopes_result r = { 0 };
  if (status >= 0) r = compare_at_random(sinew_host_rig(host), 11, mu_rounds(20), rig_parts);
  sinew_host_destroy(host);
  MU_CHECK_SAY(status >= 0, "%s", error.text);
  if (getenv("SLOPES"))
    printf("%s: worst %g %s; %d compared %d skipped\n", rig_path, r.worst, r.where, r.compared,
           r.skipped);
  MU_CHECK_SAY(r.worst <= CLOSE, "%s", r.where);
  MU_CHECK_SAY(r.skipped * 8 < r.compared, "%d skipped of %d", r.skipped, r.compared);
}

static void run_rigs(void) {
  static const char *const names[] = {
    "human", "shoulder", "shoulder_paper", "shoulder_scripted", "creature", "knee",
    "spine", "field",    "reach"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[64], name[64];
    snprintf(path, sizeof path, "rigs/%s.lua", names[i]);
    snprintf(name, sizeof name, "derivatives_of_%s_agree_with_differences", names[i]);
    rig_path = path;
    /* a field's cells are kinks all over */
    rig_parts = strcmp(names[i], "field") == 0 ? 2000 : 150;
    mu_run(name, derivatives_of_a_rig_agree_with_differences);
  }
}

void suite_tangent(void) {
  MU_RUN(derivatives_of_random_networks_agree_with_differences);
  run_rigs();
}
