/* Runs every script of tests/lua/hostile in a small sandbox. The first line of each says
 * `-- expect: part of the message`, a second line may change its limits; a script that returns a
 * function means the function. Whatever they try, there is a message, and afterwards nothing is
 * left in memory. */
#include "host/sandbox.h"
#include "minunit.h"

#include <dirent.h>
#include <stdlib.h>

#define FOLDER "tests/lua/hostile"
enum { most_scripts = 400, longest_name = 128 };

static char names[most_scripts][longest_name];
static const char *current;

static si_sandbox_desc small_desc(void) {
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
static bool read_head(const char *path, char *dest, size_t room, si_sandbox_desc *desc) {
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

MU_TEST(run_current) {
  char path[512], expected[256];
  snprintf(path, sizeof path, FOLDER "/%s", current);
  si_sandbox_desc desc = small_desc();
  MU_CHECK_SAY(read_head(path, expected, sizeof expected, &desc),
               "%s has no first line '-- expect: ...'", path);
  size_t before = sinew_live_bytes();
  sinew_error error;
  sinew_error_clear(&error);
  si_sandbox *sandbox = si_sandbox_create(&desc, &error);
  MU_CHECK(sandbox);
  sinew_status status = si_sandbox_load_file(sandbox, path, &error);
  if (status == SINEW_OK) {
    lua_State *L = si_sandbox_state(sandbox);
    si_sandbox_push_result(sandbox);
    if (lua_isfunction(L, -1))
      status = si_sandbox_call(sandbox, 0, 1, &error);
    else
      lua_pop(L, 1);
  }
  size_t held = si_sandbox_memory(sandbox);
  int top = lua_gettop(si_sandbox_state(sandbox));
  si_sandbox_destroy(sandbox);
  MU_CHECK_SAY(status < 0, "%s ended well", path);
  MU_CHECK_SAY(strstr(error.text, expected), "%s says\n    %s\n  without\n    %s", path, error.text,
               expected);
  MU_CHECK_SAY(held <= desc.memory + (64 << 20), "%s held %zu bytes", path, held);
  MU_INT(top, 1);
  MU_INT(sinew_live_bytes() - before, 0);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static int list_scripts(void) {
  DIR *folder = opendir(FOLDER);
  if (!folder) return 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder)) && count < most_scripts;) {
    size_t length = strlen(entry->d_name);
    if (length > 4 && length < longest_name && strcmp(entry->d_name + length - 4, ".lua") == 0)
      memcpy(names[count++], entry->d_name, length + 1);
  }
  closedir(folder);
  qsort(names, (size_t)count, sizeof names[0], by_name);
  return count;
}

static int script_count;

MU_TEST(hostile_scripts_are_there) { MU_CHECK(script_count >= 60); }

void suite_sandbox_hostile(void) {
  script_count = list_scripts();
  MU_RUN(hostile_scripts_are_there);
  /* one in twenty under valgrind */
  for (int i = 0, step = script_count / mu_rounds(script_count); i < script_count; i += step) {
    char name[longest_name + 16];
    snprintf(name, sizeof name, "hostile_%.*s", longest_name, names[i]);
    current = names[i];
    mu_run(name, run_current);
  }
}
