/* Every rig of rigs/ in a batch, against poses one by one. */
#include "batch_cases.h"
#include "make.h"
#include "minunit.h"
#include "patient.h"
#include "sinew/host.h"
#include "sinew/modules.h"

#include <dirent.h>
#include <stdlib.h>

MU_TEST(batch_of_every_rig_of_the_folder_is_right) {
  char folder[4096], path[8192];
  MU_CHECK(sinew_module_folder(folder, sizeof folder));
  snprintf(path, sizeof path, "%s/../rigs", folder);
  DIR *rigs = opendir(path);
  MU_CHECK(rigs);
  uint32_t seed = 7200;
  int count = 0, scripted = 0;
  double off = 0;
  sinew_error error;
  sinew_error_clear(&error);
  for (struct dirent *entry; (entry = readdir(rigs)) != NULL;) {
    const char *dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".lua") != 0) continue;
    sinew_host_desc desc = patient_host_desc();
    desc.modules = folder;
    desc.eval_instructions = INT64_MAX; /* of a whole batch */
    sinew_host *host = sinew_host_create(&desc, &error);
    snprintf(path, sizeof path, "%s/../rigs/%s", folder, entry->d_name);
    if (sinew_host_load(host, path, &error) >= 0) {
      const sinew_rig *rig = sinew_host_rig(host);
      double here = crowd_all_off(rig, mu_rounds(sinew_rig_can_fail(rig) ? 60 : 400), &seed);
      if (!(here <= 1e-6)) printf("%s: %g\n", entry->d_name, here);
      off = fmax(off, here), count++;
      scripted += sinew_rig_can_fail(rig);
    }
    sinew_host_destroy(host);
  }
  closedir(rigs);
  MU_TEXT(error.text, "");
  MU_CHECK(count >= 8 && scripted >= 1);
  MU_NEAR(off, 0, 1e-6);
}

void suite_batch_rigs(void) { MU_RUN(batch_of_every_rig_of_the_folder_is_right); }
