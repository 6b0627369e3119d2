/* What the subcommands share: see command.h. */
#include "lua/command/command.h"

#include "base/names.h"
#include "base/near_file.h"
#include "base/platform.h"
#include "base/text.h"

#include <sinew/modules.h>

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *command_tuning;
bool command_isolate;
const char *command_load_seconds;
const char *const *command_options;
int command_option_count;

static void print_plain(FILE *to, const char *format, va_list args) {
  char *text = NULL;
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length >= 0) text = malloc((size_t)length + 1);
  if (!text) return;
  vsnprintf(text, (size_t)length + 1, format, args);
  fwrite(text, 1, si_text_make_plain(text, (size_t)length), to);
  free(text);
}

void command_print(const char *format, ...) {
  va_list args;
  va_start(args, format);
  print_plain(stdout, format, args);
  va_end(args);
}

void command_tell(const char *format, ...) {
  va_list args;
  va_start(args, format);
  print_plain(stderr, format, args);
  va_end(args);
}

static void print_text(const char *text, size_t length, void *user) {
  (void)user;
  command_tell("%.*s\n", (int)length, text);
}

sinew_host *command_open(const char *path) {
  char folder[PATH_MAX + 32], cache[PATH_MAX], program[PATH_MAX];
  sinew_error error;
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = sinew_module_folder(folder, sizeof folder);
  desc.cache = sinew_solid_cache_folder(cache, sizeof cache);
  desc.print = print_text;
  if (command_isolate) desc.isolate = si_program_again(program, sizeof program) ? program : "sinew";
  if (command_load_seconds) sinew_host_desc_load_time(&desc, strtod(command_load_seconds, NULL));
  desc.tuning = command_tuning;
  desc.options = command_options;
  desc.option_count = command_option_count;
  sinew_host *host = sinew_host_create(&desc, &error);
  if (host && sinew_host_load(host, path, &error) >= 0) return host;
  command_tell("sinew: %s%s\n", error.text, si_near_file(path, folder, sizeof folder));
  sinew_host_destroy(host);
  return NULL;
}

void command_list_options(const sinew_host *host, const char *indent) {
  for (int i = 0; i < sinew_host_option_count(host); i++) {
    sinew_host_option o = sinew_host_option_info(host, i);
    command_print("%soption    %-28s %s, of %s; default %s%s%s\n", indent, o.name, o.value,
                  o.allowed, o.initial, o.doc ? ": " : "", o.doc ? o.doc : "");
  }
}

bool command_failed(const sinew_error *error) {
  command_tell("sinew: %s\n", error->text);
  return false;
}

bool command_out_of_memory(void) {
  command_tell("sinew: out of memory\n");
  return false;
}

bool command_ends_with(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

/* --- options */

static bool is_named(const command_option *option, const char *name) {
  size_t length = strcspn(option->name, " ");
  return strlen(name) == length && strncmp(option->name, name, length) == 0;
}

static bool sets_dof(const char *argument) {
  const char *equals = strchr(argument, '=');
  return equals && !memchr(argument, '/', (size_t)(equals - argument));
}

/* the row for an argument: an option by its name, else the first ARGUMENT or DOFS after `taken`
 * others; NULL: none */
static const command_option *find_option(const command_option *options, const char *argument,
                                         int taken) {
  for (const command_option *o = options; o->name; o++) {
    if (o->kind == OPTION_DOFS && argument[0] != '-' && sets_dof(argument)) return o;
    if (o->kind > OPTION_DOFS && is_named(o, argument)) return o;
  }
  for (const command_option *o = options; o->name && argument[0] != '-'; o++)
    if (o->kind == OPTION_ARGUMENT && taken-- == 0) return o;
  return NULL;
}

static bool takes_value(const command_option *option) { return option->kind > OPTION_FLAG; }

char *command_item(const command_list *list, int n) {
  for (int i = 0; i < list->argc; i++) {
    const command_option *option = find_option(list->options, list->argv[i], 0);
    if (option && takes_value(option)) i++;
    if (option == list->option && n-- == 0) return list->argv[i];
  }
  return NULL;
}

/* stores the index of the word among "--as cone|field" */
static bool read_choice(const char *choices, const char *word, int *dest) {
  size_t length = strlen(word);
  const char *at = strchr(choices, ' ') + 1;
  for (*dest = 0; strcspn(at, "|") != length || strncmp(at, word, length) != 0; ++*dest) {
    at = strchr(at, '|');
    if (!at++) return false;
  }
  return true;
}

static bool read_number(const command_option *option, const char *text, void *dest) {
  char *end;
  double number = strtod(text, &end);
  if (end == text || *end || !(number >= option->low && number <= option->high)) return false;
  bool whole = option->kind == OPTION_INT || option->kind == OPTION_INT64;
  if (whole && number != floor(number)) return false;
  switch (option->kind) {
  case OPTION_FLOAT: *(float *)dest = (float)number; break;
  case OPTION_DOUBLE: *(double *)dest = number; break;
  case OPTION_INT: *(int *)dest = (int)number; break;
  default: *(int64_t *)dest = (int64_t)number;
  }
  return true;
}

static bool store(const command_option *option, char *value, void *dest) {
  switch (option->kind) {
  case OPTION_ARGUMENT:
  case OPTION_TEXT: *(char **)dest = value; return true;
  case OPTION_FLAG: return *(bool *)dest = true;
  case OPTION_CHOICE: return read_choice(option->name, value, dest);
  case OPTION_DOFS:
  case OPTION_LIST: ((command_list *)dest)->count++; return true;
  default: return read_number(option, value, dest);
  }
}

static bool bad_value(const command *self, const command_option *option) {
  const char *value = strchr(option->name, ' ') + 1;
  const int name = (int)(value - 1 - option->name);
  if (option->kind < OPTION_FLOAT)
    command_misused(self, "'%.*s' expects %s", name, option->name, value);
  else
    command_misused(self, "'%.*s' expects a %s from %g to %g", name, option->name,
                    option->kind < OPTION_INT ? "number" : "whole number", option->low,
                    option->high);
  return false;
}

static bool unknown_option(const command *self, const command_option *options, const char *name) {
  si_nearest nearest;
  char words[200], names[32][32];
  si_nearest_start(&nearest, name);
  si_nearest_offer(&nearest, "--tuning");
  si_nearest_offer(&nearest, "--isolate");
  si_nearest_offer(&nearest, "--load-seconds");
  si_nearest_offer(&nearest, "--option");
  for (int i = 0; i < 32 && options[i].name; i++) {
    snprintf(names[i], sizeof names[i], "%.*s", (int)strcspn(options[i].name, " "),
             options[i].name);
    if (names[i][0] == '-') si_nearest_offer(&nearest, names[i]);
  }
  command_misused(self, "unknown option '%s'%s", name,
                  si_nearest_words(&nearest, words, sizeof words));
  return false;
}

/* the first of the names, parted by spaces, that was given; NULL: none */
static const command_option *given(const command_option *options, const char *names,
                                   uint32_t seen) {
  char name[64];
  for (size_t length; *names; names += length + (names[length] == ' ')) {
    length = strcspn(names, " ");
    snprintf(name, sizeof name, "%.*s", (int)length, names);
    for (int i = 0; options[i].name; i++)
      if ((seen >> i & 1) && is_named(&options[i], name)) return &options[i];
  }
  return NULL;
}

/* whether all options that were given go together */
static bool agree(const command *self, const command_option *options, uint32_t seen) {
  for (int i = 0; options[i].name; i++) {
    const command_option *o = &options[i];
    const int name = (int)strcspn(o->name, " ");
    if (!(seen >> i & 1)) continue;
    const command_option *other = o->without ? given(options, o->without, seen) : NULL;
    if (o->with && !given(options, o->with, seen)) {
      const char *more = strchr(o->with, ' ');
      command_misused(self, "'%.*s' needs %s'%s'", name, o->name, more ? "one of " : "", o->with);
      return false;
    }
    if (other) {
      command_misused(self, "'%.*s' and '%.*s' exclude each other", name, o->name,
                      (int)strcspn(other->name, " "), other->name);
      return false;
    }
  }
  return true;
}

bool command_source(const command *self, const char *path, const sinew_motion_options *source) {
  const bool gltf = command_ends_with(path, ".glb") || command_ends_with(path, ".gltf") ||
                    command_ends_with(path, ".vrm");
  const bool amc = command_ends_with(path, ".amc");
  const bool named = command_ends_with(path, ".bvh") || command_ends_with(path, ".trc");
  if (source->animation && !gltf)
    command_misused(self, "'--animation' is for glTF files, not for '%s'", path);
  else if (source->skeleton && !amc)
    command_misused(self, "'--skeleton' is for AMC files, not for '%s'", path);
  else if (source->rate > 0 && named)
    command_misused(self, "'--rate' is for files that name none, not for '%s'", path);
  else
    return true;
  return false;
}

bool command_read(const command *self, const command_option *options, int argc, char **argv,
                  void *dest) {
  uint32_t seen = 0;
  int taken = 0;
  for (const command_option *o = options; o->name; o++)
    if (o->kind == OPTION_DOFS || o->kind == OPTION_LIST)
      *(command_list *)((char *)dest + o->offset) =
          (command_list){ .options = options, .option = o, .argc = argc, .argv = argv };
  for (int i = 0; i < argc; i++) {
    const command_option *option = find_option(options, argv[i], taken);
    if (!option && argv[i][0] == '-') return unknown_option(self, options, argv[i]);
    if (!option) {
      command_misused(self, "unexpected argument '%s'", argv[i]);
      return false;
    }
    if (takes_value(option)) i++;
    if (i == argc || !store(option, argv[i], (char *)dest + option->offset))
      return bad_value(self, option);
    taken += option->kind == OPTION_ARGUMENT;
    if (takes_value(option) && option->kind != OPTION_LIST && (seen >> (option - options) & 1)) {
      command_misused(self, "'%.*s' is given twice", (int)strcspn(option->name, " "), option->name);
      return false;
    }
    seen |= 1u << (option - options);
  }
  for (int i = 0; options[i].name; i++) {
    bool required = options[i].required || options[i].kind == OPTION_ARGUMENT;
    if (required && !(seen >> i & 1)) {
      command_misused(self, "missing %s", options[i].name);
      return false;
    }
  }
  return agree(self, options, seen);
}

static bool set_dof(sinew_host *host, const char *argument) {
  char name[256];
  sinew_error error;
  const char *equals = strchr(argument, '=');
  snprintf(name, sizeof name, "%.*s", (int)(equals - argument), argument);
  char *end;
  float value = strtof(equals + 1, &end);
  sinew_dof dof = sinew_rig_find_dof(sinew_host_rig(host), name, &error);
  if (!dof.id) return command_failed(&error);
  if (end == equals + 1 || *end) {
    command_tell("sinew: '%s': '%s' is not a number\n", name, equals + 1);
    return false;
  }
  return sinew_pose_set(sinew_host_pose(host), dof, value, &error) >= 0 || command_failed(&error);
}

int command_pose(sinew_host *host, const command_list *dofs) {
  sinew_error error;
  for (int i = 0; i < dofs->count; i++)
    if (!set_dof(host, command_item(dofs, i))) return EXIT_CALL;
  if (sinew_host_eval(host, sinew_host_pose(host), &error) >= 0) return EXIT_FINE;
  command_failed(&error);
  return EXIT_RIG;
}

/* --- help */

void command_print_usage(const command *self, FILE *to) {
  bool more = false;
  fprintf(to, "usage: sinew %s", self->name);
  if (self->usage) fprintf(to, " %s", self->usage);
  for (const command_option *o = self->options; o && o->name && !self->usage; o++) {
    if (o->kind == OPTION_DOFS)
      fprintf(to, " [%s ...]", o->name);
    else if (o->kind == OPTION_ARGUMENT || o->required)
      fprintf(to, " %s", o->name);
    else
      more = true;
  }
  fprintf(to, more ? " [options]\n" : "\n");
}

void command_print_options(const command_option *options, int indent) {
  int width = 0;
  for (const command_option *o = options; o->name; o++)
    if (o->doc && (int)strlen(o->name) > width) width = (int)strlen(o->name);
  for (const command_option *o = options; o->name; o++) {
    const char *name = o->name, *line = o->doc;
    while (line) {
      command_print("%*s%-*s  %.*s\n", indent, "", width, name, (int)strcspn(line, "\n"), line);
      name = "";
      line = strchr(line, '\n');
      if (line) line++;
    }
  }
}

int command_misused(const command *self, const char *format, ...) {
  va_list args;
  command_tell("sinew %s: ", self->name);
  va_start(args, format);
  print_plain(stderr, format, args);
  va_end(args);
  command_tell("\n");
  command_print_usage(self, stderr);
  return EXIT_CALL;
}

/* --- progress */

static double seconds(void) { return 1e-9 * (double)si_clock(); }

progress progress_start(void) {
  return (progress){ .started = seconds(), .terminal = si_is_terminal(stderr) };
}

void progress_show(progress *p, const char *what, double done, double total) {
  double now = seconds();
  if (!p->terminal || now - p->started < 1 || now - p->shown < 0.1) return;
  double left = done > 0 ? (now - p->started) * (total - done) / done : 0;
  fprintf(stderr, "\r%s %3.0f%%, %.0f s left  ", what, 100 * done / total, left);
  p->shown = now;
}

void progress_end(progress *p) {
  if (p->shown > 0) fprintf(stderr, "\r%40s\r", "");
}
