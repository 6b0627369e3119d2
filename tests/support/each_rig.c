/* Walking the folder of rigs. */
#include "each_rig.h"
#include "owned.h"

#include "patient.h"
#include "sinew/modules.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

int each_rig(void (*visit)(const sinew_rig *rig, const char *name, void *context), void *context,
             sinew_error *error) {
  char folder[4096], path[8192];
  int count = 0;
  if (!sinew_module_folder(folder, sizeof folder)) return -1;
  snprintf(path, sizeof path, "%s/../rigs", folder);
  DIR *rigs = opendir(path);
  if (!rigs) return -1;
  sinew_error_clear(error);
  for (struct dirent *entry; (entry = readdir(rigs)) != NULL;) {
    const char *dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".lua") != 0) continue;
    sinew_host_desc desc = patient_host_desc();
    desc.modules = folder;
    desc.eval_instructions = INT64_MAX;
    OWNED(host) *host = sinew_host_create(&desc, error);
    snprintf(path, sizeof path, "%s/../rigs/%s", folder, entry->d_name);
    if (host && sinew_host_load(host, path, error) >= 0) {
      visit(sinew_host_rig(host), entry->d_name, context);
      count++;
    }
  }
  closedir(rigs);
  return count;
}
