/* Finds the folder of the helper modules, starting from the path of the program. */
#include "sinew/modules.h"

#include "base/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sinew_module_folder(char *dest, size_t capacity) {
  const char *given = getenv("SINEW_LUA");
  if (given && *given) {
    snprintf(dest, capacity, "%s", given);
    return dest;
  }
  if (capacity < 16 || !si_program_path(dest, capacity - 16)) return NULL;
  for (int up = 0; up < 5; up++) {
    char *slash = strrchr(dest, '/');
    if (!slash) return NULL;
    size_t here = (size_t)(slash - dest);
    snprintf(slash, capacity - here, "/lua/sinew");
    if (si_file_readable(dest)) {
      snprintf(slash, capacity - here, "/lua");
      return dest;
    }
    *slash = '\0';
  }
  return NULL;
}
