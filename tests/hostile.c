/* See hostile.h. */
#include "hostile.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

si_sandbox_desc hostile_desc(void) {
  si_sandbox_desc desc = si_default_sandbox_desc();
  desc.load = (si_sandbox_budget){ 2000000, 600 };
  desc.eval = (si_sandbox_budget){ 1000000, 600 };
  desc.memory = 16 << 20;
  return desc;
}

static void take_limit(const char *line, const char *name, double *value) {
  const char *at = strstr(line, name);
  if (at) *value = strtod(at + strlen(name), NULL);
}

/* the expected part of the message, and a second line `-- limits: name=value ...` if there is one
 */
bool hostile_head(const char *path, char *dest, size_t room, si_sandbox_desc *desc) {
  static const char mark[] = "-- expect: ", limits[] = "-- limits: ";
  char line[256] = "", second[256] = "";
  FILE *file = fopen(path, "r");
  if (!file) return false;
  bool got = fgets(line, sizeof line, file) && strncmp(line, mark, sizeof mark - 1) == 0;
  got = got && fgets(second, sizeof second, file);
  fclose(file);
  if (!got) return false;
  line[strcspn(line, "\n")] = '\0';
  snprintf(dest, room, "%s", line + sizeof mark - 1);
  if (strncmp(second, limits, sizeof limits - 1) == 0) {
    double instructions = 0, seconds = desc->load.seconds, memory = (double)desc->memory;
    take_limit(second, "instructions=", &instructions);
    take_limit(second, "seconds=", &seconds);
    take_limit(second, "memory=", &memory);
    if (instructions > 0) desc->load.instructions = desc->eval.instructions = (int64_t)instructions;
    desc->load.seconds = desc->eval.seconds = seconds;
    desc->memory = (size_t)memory;
  }
  return true;
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

void hostile_find(hostile_list *list, const char *folder) {
  list->count = 0;
  DIR *open_folder = opendir(folder);
  if (!open_folder) return;
  for (struct dirent *entry; (entry = readdir(open_folder)) && list->count < hostile_most;) {
    size_t length = strlen(entry->d_name);
    if (length > 4 && length < hostile_name && strcmp(entry->d_name + length - 4, ".lua") == 0)
      memcpy(list->names[list->count++], entry->d_name, length + 1);
  }
  closedir(open_folder);
  qsort(list->names, (size_t)list->count, sizeof list->names[0], by_name);
}
