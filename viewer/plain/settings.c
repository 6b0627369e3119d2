#include "plain/settings.h"
#include "plain/recent.h"

#include <limits.h>
#include <math.h>
#include <sinew/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool settings_path(char *dest, int capacity) {
  const char *given = getenv("SINEW_SETTINGS"), *base = getenv("XDG_CONFIG_HOME");
  const char *home = getenv("HOME");
  int length = -1;
  if (given && *given)
    length = snprintf(dest, (size_t)capacity, "%s", given);
  else if (base && *base)
    length = snprintf(dest, (size_t)capacity, "%s/sinew/viewer", base);
  else if (home && *home)
    length = snprintf(dest, (size_t)capacity, "%s/.config/sinew/viewer", home);
  return length > 0 && length < capacity;
}

static int find(const settings *s, const char *name) {
  for (int i = 0; i < s->count; i++)
    if (strcmp(s->lines[i].name, name) == 0) return i;
  return -1;
}

void settings_read(settings *s, const char *path) {
  char line[256], name[48], value[80];
  *s = (settings){ 0 };
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "%47[^ =] = %79[^\r\n]", name, value) == 2) settings_set(s, name, value);
  if (file) fclose(file);
  s->changed = false;
}

bool settings_write(settings *s, const char *path, sinew_error *error) {
  char text[sizeof s->lines + 8 * most_settings], folder[PATH_MAX];
  size_t used = 0;
  for (int i = 0; i < s->count; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s = %s\n", s->lines[i].name,
                             s->lines[i].value);
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  if (slash && slash != folder) {
    *slash = '\0';
    folders_make(folder);
  }
  bool fine = sinew_file_write(path, text, used, error) >= 0;
  if (fine) s->changed = false;
  return fine;
}

const char *settings_text(const settings *s, const char *name, const char *otherwise) {
  int at = find(s, name);
  return at < 0 ? otherwise : s->lines[at].value;
}

float settings_number(const settings *s, const char *name, float otherwise) {
  char *end;
  int at = find(s, name);
  float value = at < 0 ? otherwise : strtof(s->lines[at].value, &end);
  return at >= 0 && (end == s->lines[at].value || !isfinite(value)) ? otherwise : value;
}

void settings_set(settings *s, const char *name, const char *value) {
  int at = find(s, name);
  if (at < 0 && s->count == most_settings) return;
  if (at < 0) {
    at = s->count++;
    snprintf(s->lines[at].name, sizeof s->lines[at].name, "%s", name);
    s->lines[at].value[0] = '\0';
  }
  if (strncmp(s->lines[at].value, value, sizeof s->lines[at].value - 1) == 0) return;
  snprintf(s->lines[at].value, sizeof s->lines[at].value, "%s", value);
  s->changed = true;
}

void settings_set_number(settings *s, const char *name, float value) {
  char text[32];
  snprintf(text, sizeof text, "%g", (double)value);
  settings_set(s, name, text);
}
