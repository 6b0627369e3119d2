/* Editors differ in how they are told the line: a table has those that do not take "+12 file". */
#include "plain/editor.h"

#include <ctype.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef enum way { PLUS, COLON, GOTO, DASH_L, LINE } way; /* how the line is said */

static const struct editor {
  const char *name;
  way way;
  bool terminal; /* it runs in one */
} editors[] = {
  { "vi", PLUS, true },      { "vim", PLUS, true },       { "nvim", PLUS, true },
  { "nano", PLUS, true },    { "micro", PLUS, true },     { "kak", PLUS, true },
  { "joe", PLUS, true },     { "mg", PLUS, true },        { "ne", PLUS, true },
  { "hx", COLON, true },     { "helix", COLON, true },    { "subl", COLON, false },
  { "zed", COLON, false },   { "zeditor", COLON, false }, { "code", GOTO, false },
  { "codium", GOTO, false }, { "cursor", GOTO, false },   { "code-insiders", GOTO, false },
  { "kate", DASH_L, false }, { "kwrite", DASH_L, false }, { "idea", LINE, false },
  { "clion", LINE, false },  { "pycharm", LINE, false },
};

bool editor_place(const char *origin, char *path, size_t capacity, int *line) {
  const char *colon = origin ? strrchr(origin, ':') : NULL;
  *line = colon && isdigit((unsigned char)colon[1]) ? atoi(colon + 1) : 0;
  if (*line <= 0 || colon == origin || (size_t)(colon - origin) >= capacity) return false;
  /* an editor must not take a file's name for an option */
  const char *here = *origin == '-' || *origin == '+' ? "./" : "";
  int length = snprintf(path, capacity, "%s%.*s", here, (int)(colon - origin), origin);
  return length >= 0 && (size_t)length < capacity;
}

/* the words being collected, one after the other in a text */
typedef struct list {
  char *text, **words;
  size_t used, capacity;
  int count;
} list;

static void add(list *l, const char *word, size_t length) {
  if (l->count < 0) return;
  if (l->count + 1 >= editor_most_words || l->used + length + 1 > l->capacity) {
    l->count = -1; /* too long */
    return;
  }
  l->words[l->count++] = memcpy(l->text + l->used, word, length);
  l->text[l->used + length] = '\0';
  l->used += length + 1;
}

static void add_text(list *l, const char *text) { add(l, text, strlen(text)); }

int editor_command(const char *editor, const char *terminal, const char *path, int line, char *text,
                   size_t capacity, char *words[editor_most_words]) {
  list l = { .text = text, .words = words, .capacity = capacity };
  struct editor how = { "", PLUS, strstr(editor, " -nw") || strstr(editor, " -t") };
  size_t length = strcspn(editor, " ");
  const char *name = editor + length;
  while (name > editor && name[-1] != '/') name--;
  for (size_t i = 0; i < sizeof editors / sizeof *editors; i++)
    if (strlen(editors[i].name) == (size_t)(editor + length - name) &&
        strncmp(editors[i].name, name, strlen(editors[i].name)) == 0)
      how = editors[i];
  if (how.terminal && !terminal) return 0;
  if (how.terminal) {
    add_text(&l, terminal);
    add_text(&l, "-e");
  }
  for (const char *at = editor; *at; at += strspn(at, " ")) {
    add(&l, at, strcspn(at, " "));
    at += strcspn(at, " ");
  }
  char said[1100];
  snprintf(said, sizeof said, how.way == PLUS ? "+%d" : "%d", line);
  if (how.way == GOTO) add_text(&l, "--goto");
  if (how.way == DASH_L) add_text(&l, "-l");
  if (how.way == LINE) add_text(&l, "--line");
  if (how.way == COLON || how.way == GOTO) snprintf(said, sizeof said, "%s:%d", path, line);
  add_text(&l, said);
  if (how.way != COLON && how.way != GOTO) add_text(&l, path);
  if (l.count <= 0) return 0;
  words[l.count] = NULL;
  return l.count;
}

/* whether a program is on the path */
static bool there(const char *program) {
  char file[1024];
  const char *at = getenv("PATH");
  if (strchr(program, '/')) return access(program, X_OK) == 0;
  for (size_t length; at && *at; at += length + (at[length] == ':')) {
    length = strcspn(at, ":");
    snprintf(file, sizeof file, "%.*s/%s", (int)length, at, program);
    if (access(file, X_OK) == 0) return true;
  }
  return false;
}

bool editor_start(const char *editor, const char *path, int line) {
  char text[2400], program[256], *words[editor_most_words];
  const char *terminals[] = { getenv("TERMINAL"), "x-terminal-emulator", "xterm" };
  const char *terminal = NULL;
  for (int i = 2; i >= 0; i--)
    if (terminals[i] && *terminals[i] && there(terminals[i])) terminal = terminals[i];
  snprintf(program, sizeof program, "%.*s", (int)strcspn(editor, " "), editor);
  if (!there(program) || !editor_command(editor, terminal, path, line, text, sizeof text, words))
    return false;
  /* a child of a child belongs to nobody, so that nothing has to wait for it */
  pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    pid_t editor_pid;
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    _exit(posix_spawnp(&editor_pid, words[0], NULL, NULL, words, environ) == 0 ? 0 : 1);
  }
  int status = 1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
