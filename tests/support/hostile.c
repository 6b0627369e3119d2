/* See hostile.h. */
#include "hostile.h"
#include "minunit.h"
#include "scratch.h"

#include <dirent.h>
#include <stdlib.h>

static const char mark[] = "--- ";
enum { mark_length = sizeof mark - 1 };

static void take_limit(const char *text, const char *end, const char *name, double *value) {
  const char *at = strstr(text, name);
  if (at && at < end) *value = strtod(at + strlen(name), NULL);
}

/* `name (limits): expected`; false if the line is not like that */
static bool read_head(const char *line, const char *prefix, hostile_case *dest) {
  size_t name = strcspn(line, " :");
  const char *colon = strstr(line + name, ": ");
  if (name == 0 || !colon || !colon[2] || (line[name] == ' ' && line[name + 1] != '('))
    return false;
  snprintf(dest->name, sizeof dest->name, "%s%.*s", prefix, (int)name, line);
  snprintf(dest->expected, sizeof dest->expected, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
  double instructions = 0, seconds = 600, memory = 16 << 20;
  take_limit(line, colon, "instructions=", &instructions);
  take_limit(line, colon, "seconds=", &seconds);
  take_limit(line, colon, "memory=", &memory);
  dest->limits = si_default_sandbox_desc();
  dest->limits.load = dest->limits.eval = (si_sandbox_budget){ (int64_t)instructions, seconds };
  if (instructions == 0) {
    dest->limits.load.instructions = 2000000;
    dest->limits.eval.instructions = 1000000;
  }
  dest->limits.memory = (size_t)memory;
  return true;
}

/* Splits one file. A case's own file starts with the lines before the first case; other cases
 * become empty lines, so that messages have the line numbers of the original file. */
static void split(hostile_list *list, const char *file, const char *prefix) {
  FILE *in = fopen(file, "r"), *out = NULL;
  char line[512], common[4096] = "";
  int number = 0, before = 0;
  while (in && fgets(line, sizeof line, in)) {
    number++;
    bool head = strncmp(line, mark, mark_length) == 0;
    if (head) {
      hostile_case *c = &list->cases[list->count];
      if (list->count == hostile_most || !read_head(line + mark_length, prefix, c)) {
        snprintf(list->wrong, sizeof list->wrong, "%s:%d is not `--- name (limits): expected`",
                 file, number);
        break;
      }
      list->count++;
      snprintf(c->where, sizeof c->where, "%s:%d", file, number);
      char name[128];
      snprintf(name, sizeof name, "%s.lua", c->name + strlen(prefix));
      snprintf(c->path, sizeof c->path, "%s", scratch_path(name));
      if (!before) before = number;
      if (out) fclose(out);
      if (!(out = fopen(c->path, "w"))) break;
      fputs(common, out);
      for (int i = before; i <= number; i++) fputc('\n', out);
    } else if (out) {
      fputs(line, out);
    } else {
      strncat(common, line, sizeof common - strlen(common) - 1);
    }
  }
  if (!before && !*list->wrong)
    snprintf(list->wrong, sizeof list->wrong, "%s has no line `--- name (limits): expected`", file);
  if (out) fclose(out);
  if (in) fclose(in);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const hostile_case *)a)->name, ((const hostile_case *)b)->name);
}

void hostile_open(hostile_list *list, const char *folder, const char *prefix) {
  list->count = 0;
  list->wrong[0] = '\0';
  DIR *open_folder = opendir(folder);
  if (!open_folder || !scratch_open()) return;
  for (struct dirent *entry; (entry = readdir(open_folder)) && !*list->wrong;) {
    char path[256];
    size_t length = strlen(entry->d_name);
    snprintf(path, sizeof path, "%.80s/%.160s", folder, entry->d_name);
    if (length > 4 && strcmp(entry->d_name + length - 4, ".lua") == 0) split(list, path, prefix);
  }
  closedir(open_folder);
  qsort(list->cases, (size_t)list->count, sizeof list->cases[0], by_name);
  for (int i = 1; i < list->count && !*list->wrong; i++)
    if (by_name(&list->cases[i - 1], &list->cases[i]) == 0)
      snprintf(list->wrong, sizeof list->wrong, "%s has the name of another case",
               list->cases[i].where);
}

void hostile_close(void) { scratch_close(); }

void hostile_run(const hostile_list *list, void (*test)(void), const hostile_case **current) {
  int step = list->count ? list->count / mu_rounds(list->count) : 1;
  for (int i = 0; i < list->count; i += step) {
    *current = &list->cases[i];
    mu_run(list->cases[i].name, test);
  }
}
