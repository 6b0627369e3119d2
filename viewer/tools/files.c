/* Opens rigs: from the folder of the current one, from rigs/ and rigs/joints, recent ones, or a
 * typed path. */
#include "plain/recent.h"
#include "state/state.h"
#include "ui/theme.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct files {
  recent recent;
  char typed[512];
  float scroll;
  char *now;   /* the full path of the current rig */
  bool opened; /* in the last frame, in this layout */
  layout_kind layout;
  FilePathList beside, rigs, joints; /* read when the panel opens or a rig is loaded */
} files;

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* only this folder: subfolders have parts and data */
static FilePathList scripts_in(const char *folder) {
  FilePathList list = LoadDirectoryFilesEx(folder, ".lua;.xml;.osim", false);
  qsort(list.paths, list.count, sizeof *list.paths, by_name);
  return list;
}

/* files of tunings and of golden poses end like scripts */
static bool is_rig(const char *path) {
  return !strstr(path, ".tuning.lua") && !strstr(path, ".test.lua");
}

/* whether its name has what is typed, unless that is a path */
static bool matches(const files *f, const char *path) {
  char name[256], typed[sizeof f->typed];
  if (strchr(f->typed, '/')) return true;
  snprintf(name, sizeof name, "%s", TextToLower(GetFileName(path)));
  snprintf(typed, sizeof typed, "%s", TextToLower(f->typed));
  return strstr(name, typed) != NULL;
}

static void drop_lists(files *f) {
  if (f->beside.paths) UnloadDirectoryFiles(f->beside);
  if (f->rigs.paths) UnloadDirectoryFiles(f->rigs);
  if (f->joints.paths) UnloadDirectoryFiles(f->joints);
  f->beside = f->rigs = f->joints = (FilePathList){ 0 };
}

/* the scripts in a folder, none if it is the one beside or not there */
static FilePathList scripts_elsewhere(const char *folder, const char *beside) {
  struct stat here, there;
  bool same = stat(beside, &here) == 0 && stat(folder, &there) == 0 &&
              here.st_dev == there.st_dev && here.st_ino == there.st_ino;
  if (same || !DirectoryExists(folder)) return (FilePathList){ 0 };
  return scripts_in(folder);
}

static void read_lists(const state *st, files *f) {
  char folder[PATH_MAX];
  drop_lists(f);
  state_folder(st, folder, sizeof folder);
  f->beside = scripts_in(folder);
  f->rigs = scripts_elsewhere("rigs", folder);
  f->joints = scripts_elsewhere("rigs/joints", folder);
}

static bool create(state *st, void *self) {
  (void)st;
  recent_read(&((files *)self)->recent);
  return true;
}

static void destroy(void *self) {
  files *f = self;
  drop_lists(f);
  recent_free(&f->recent);
  free(f->now);
}

static void loaded(state *st, void *self) {
  files *f = self;
  sinew_error error = { 0 };
  if (!st->options.render && !recent_add(&f->recent, sinew_host_path(st->host), &error))
    fprintf(stderr, "sinew-viewer: the list of recent rigs: %s\n", error.text);
  free(f->now);
  f->now = realpath(sinew_host_path(st->host), NULL);
  read_lists(st, f);
}

static float list(state *st, const files *f, const char *head, char *const *paths, int count,
                  Rectangle r, float y) {
  float row = ui_row(&st->ui);
  bool empty = true, recents = paths == f->recent.paths;
  const char *name = GetFileName(sinew_host_path(st->host));
  for (int i = 0; i < count; i++) {
    if (!is_rig(paths[i]) || !matches(f, paths[i])) continue;
    if (empty) ui_label(&st->ui, head, r.x + ui_px(&st->ui, 12), y, theme_hint);
    if (empty) y += row;
    empty = false;
    Rectangle line = { r.x + ui_px(&st->ui, 8), y, r.width - ui_px(&st->ui, 16), row };
    bool shown = strcmp(paths[i], sinew_host_path(st->host)) == 0 ||
                 (f->now && strcmp(paths[i], f->now) == 0) ||
                 (paths == f->beside.paths && strcmp(GetFileName(paths[i]), name) == 0);
    if (ui_hot(&st->ui, line)) ui_tip(&st->ui, "%s", paths[i]);
    char text[300];
    snprintf(text, sizeof text, "%s", GetFileName(paths[i]));
    if (recents) /* with the folder, since several may have one name */
      snprintf(text, sizeof text, "%.140s   %.140s", GetFileName(paths[i]),
               GetFileName(GetDirectoryPath(paths[i])));
    if (ui_item(&st->ui, ui_id(paths[i], recents ? 8 : 7), line, text, shown)) {
      documents_leave(st, paths[i]);
      return -1; /* the lists may have been replaced */
    }
    y += row;
  }
  return empty ? y : y + row / 2;
}

/* what is typed when it has been opened is a name */
static void frame(state *st, void *self) {
  files *f = self;
  bool open = tool_is_open(st, "files"), same = st->workspace.layout == f->layout;
  int field = ui_id("files", 1);
  if (!open && st->ui.focus == field) st->ui.focus = 0;
  if (open && !f->opened && same) {
    st->ui.focus = field;
    st->ui.anchor = 0;
    st->ui.cursor = (int)strlen(f->typed);
  }
  f->opened = open;
  f->layout = st->workspace.layout;
}

/* what is typed: a path, or else the first of the lists that has it in its name */
static const char *meant(const files *f) {
  const FilePathList lists[] = { f->beside, f->rigs, f->joints };
  if (strchr(f->typed, '/') || FileExists(f->typed)) return f->typed;
  for (int k = 0; k < 3; k++)
    for (unsigned i = 0; i < lists[k].count; i++)
      if (is_rig(lists[k].paths[i]) && matches(f, lists[k].paths[i])) return lists[k].paths[i];
  for (int i = 0; i < f->recent.count; i++)
    if (matches(f, f->recent.paths[i])) return f->recent.paths[i];
  return f->typed;
}

static void panel(state *st, void *self, Rectangle r) {
  files *f = self;
  float row = ui_row(&st->ui);
  Rectangle field = { r.x + ui_px(&st->ui, 12), r.y + ui_px(&st->ui, 6),
                      r.width - ui_px(&st->ui, 24) - ui_px(&st->ui, 62), row };
  int id = ui_id("files", 1);
  bool had = st->ui.focus == id;
  ui_input(&st->ui, id, field, "Name or path", f->typed, sizeof f->typed);
  bool enter = had && st->ui.focus != id && (IsKeyPressed(KEY_ENTER) || IsKeyPressed(KEY_KP_ENTER));
  bool click =
      ui_button(&st->ui, ui_id("files", 2),
                (Rectangle){ field.x + field.width + 6, field.y, ui_px(&st->ui, 56), row }, "Open");
  if ((enter || click) && *f->typed) {
    documents_leave(st, meant(f));
    return;
  }
  float top = field.y + row + 8;
  Rectangle area = { r.x, top, r.width, r.y + r.height - top };
  float y = ui_scroll_begin(&st->ui, area, &f->scroll), start = y;
  y = list(st, f, "Same folder", f->beside.paths, (int)f->beside.count, area, y);
  if (y >= 0) y = list(st, f, "Rigs", f->rigs.paths, (int)f->rigs.count, area, y);
  if (y >= 0) y = list(st, f, "Joints", f->joints.paths, (int)f->joints.count, area, y);
  if (y >= 0) y = list(st, f, "Recent", f->recent.paths, f->recent.count, area, y);
  ui_scroll_end(&st->ui, area, y >= 0 ? y - start : 0, &f->scroll);
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  (void)st;
  (void)rest;
  const files *f = self;
  if (strcmp(verb, "recent") == 0) {
    printf("ok");
    for (int i = 0; i < f->recent.count; i++) printf(" %s", f->recent.paths[i]);
    printf("\n");
    return true;
  }
  if (strcmp(verb, "rigs") != 0) return false;
  const FilePathList lists[] = { f->beside, f->rigs, f->joints };
  printf("ok");
  for (int k = 0; k < 3; k++)
    for (unsigned i = 0; i < lists[k].count; i++)
      if (is_rig(lists[k].paths[i])) printf(" %s", lists[k].paths[i]);
  printf("\n");
  return true;
}

const tool tool_files = { .name = "files",
                          .title = "Open a rig",
                          .doc = "open another rig",
                          .dock = DOCK_RIGHT,
                          .key = KEY_O | WITH_CTRL,
                          .size = sizeof(files),
                          .create = create,
                          .destroy = destroy,
                          .loaded = loaded,
                          .frame = frame,
                          .panel = panel,
                          .remote = remote,
                          .remote_help = "recent | rigs" };
