/* Poses with names, in a file beside the rig: RIG.poses.json.
 *   { "sinew_poses": 1, "poses": { "seated": { "body.y": -0.4, "right_knee.flexion": 90 } } }
 * Each is kept as a clip with one key for each DOF. The file is read again when it has changed. */
#include "base/alloc.h"
#include "base/file_internal.h"
#include "base/json.h"
#include "base/platform.h"
#include "base/text.h"
#include "tools/pose/posing.h"
#include "ui/theme.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sinew/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_poses = 256, most_bytes = 16 << 20 };

typedef struct named_pose {
  char name[64];
  sinew_clip *clip;
} named_pose;

typedef struct library {
  named_pose list[most_poses];
  int count;
  char path[PATH_MAX + 16];
  si_file_info seen; /* the file when it was read */
  char name[64];
  float scroll;
} library;

static void forget(library *l) {
  for (int i = 0; i < l->count; i++) sinew_clip_destroy(l->list[i].clip);
  l->count = 0;
}

static int find(const library *l, const char *name) {
  for (int i = 0; i < l->count; i++)
    if (strcmp(l->list[i].name, name) == 0) return i;
  return -1;
}

/* adds a pose or replaces the one of that name; takes the clip */
static bool put(library *l, const char *name, sinew_clip *clip) {
  int at = find(l, name);
  if (at < 0 && l->count < most_poses) {
    at = l->count++;
    snprintf(l->list[at].name, sizeof l->list[at].name, "%s", name);
    l->list[at].clip = NULL;
  }
  if (at >= 0) {
    sinew_clip_destroy(l->list[at].clip);
    l->list[at].clip = clip;
  } else {
    sinew_clip_destroy(clip);
  }
  return at >= 0;
}

#define fail(value, ...)                                                                           \
  (si_fail_at(error, SINEW_ERR_FILE, l->path, (value)->line, (value)->column, __VA_ARGS__) ==      \
   SINEW_OK)

static bool read_pose(library *l, const si_json *json, const si_json_value *pose,
                      sinew_error *error) {
  char name[64], dof[256];
  sinew_error why;
  if (!si_json_plain(pose->key, pose->key_length, name, sizeof name) || !*name)
    return fail(pose, "the name of a pose is empty or too long");
  if (pose->kind != SI_JSON_OBJECT) return fail(pose, "pose '%s' must be an object", name);
  sinew_clip *clip = sinew_clip_create(error);
  bool fine = clip != NULL;
  const si_json_value *value = si_json_first(pose);
  for (uint32_t i = 0; fine && i < pose->count; i++, value = si_json_after(json, value)) {
    fine = value->kind == SI_JSON_NUMBER &&
           si_json_plain(value->key, value->key_length, dof, sizeof dof) &&
           sinew_clip_set_key(clip, dof, 0, (float)value->number, SINEW_INTERP_SMOOTH, &why) >= 0;
    if (!fine)
      (void)fail(value, "a value of pose '%s' must be a number with the name of a DOF", name);
  }
  if (fine && put(l, name, clip)) return true;
  if (fine) return fail(pose, "more than %d poses", most_poses);
  sinew_clip_destroy(clip);
  return false;
}

static bool read_text(library *l, const char *text, size_t size, sinew_error *error) {
  si_json json = { 0 };
  forget(l);
  bool fine = si_json_read(l->path, text, size, SI_JSON_VALUES, &json, error) == SINEW_OK;
  const si_json_value *whole = json.values;
  const si_json_value *version = fine ? si_json_find(&json, whole, "sinew_poses") : NULL;
  const si_json_value *poses = fine ? si_json_find(&json, whole, "poses") : NULL;
  if (fine && (!version || version->kind != SI_JSON_NUMBER || version->number != 1))
    fine = fail(whole, "not a file of poses: \"sinew_poses\": 1 is missing");
  if (fine && (!poses || poses->kind != SI_JSON_OBJECT))
    fine = fail(whole, "\"poses\" must be an object with the values of each pose");
  const si_json_value *pose = fine ? si_json_first(poses) : NULL;
  for (uint32_t i = 0; fine && i < poses->count; i++, pose = si_json_after(&json, pose))
    fine = read_pose(l, &json, pose, error);
  si_json_free(&json);
  return fine;
}

static bool has_changed(const library *l) {
  const si_file_info now = si_file_look(l->path), *seen = &l->seen;
  return now.exists != seen->exists || now.size != seen->size || now.modified != seen->modified ||
         now.changed != seen->changed || now.inode != seen->inode;
}

/* false if there is a file that cannot be read; then there are no poses */
static bool read_file(state *st, library *l) {
  sinew_error error;
  unsigned char *bytes = NULL;
  size_t size = 0;
  l->seen = si_file_look(l->path);
  forget(l);
  if (!l->seen.exists) return true;
  bool fine = si_file_read(l->path, most_bytes, &bytes, &size, &error) == SINEW_OK &&
              read_text(l, (const char *)bytes, size, &error);
  if (!fine) {
    forget(l);
    state_wrong(st, error.text);
  }
  si_free(bytes);
  return fine;
}

static void add_string(si_text *text, const char *s) {
  si_text_add(text, "\"");
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') si_text_add(text, "\\");
    if ((unsigned char)*s >= ' ') si_text_add_n(text, s, 1);
  }
  si_text_add(text, "\"");
}

static char *write_text(const library *l, size_t *size, sinew_error *error) {
  si_text text = { 0 };
  si_text_add(&text, "{\n  \"sinew_poses\": 1,\n  \"poses\": {");
  for (int i = 0; i < l->count; i++) {
    const sinew_clip *clip = l->list[i].clip;
    si_text_add(&text, i ? ",\n    " : "\n    ");
    add_string(&text, l->list[i].name);
    si_text_add(&text, ": {");
    for (int c = 0; c < sinew_clip_channel_count(clip); c++) {
      si_text_add(&text, c ? ", " : " ");
      add_string(&text, sinew_clip_channel_name(clip, c));
      si_text_add(&text, ": ");
      si_text_number(&text, sinew_clip_key_at(clip, c, 0).value);
    }
    si_text_add(&text, " }");
  }
  si_text_add(&text, "\n  }\n}\n");
  return si_text_finish(&text, size, error);
}

/* an undo state is the text of the file; "" if there is none */
static bool put_file(state *st, const char *text) {
  library *l = tool_state(st, "poses");
  sinew_error error;
  bool fine = true;
  if (*text) {
    fine = sinew_file_write(l->path, text, strlen(text), &error) >= 0;
  } else if (FileExists(l->path) && remove(l->path) != 0) {
    snprintf(error.text, sizeof error.text, "%.2000s: cannot remove: %s", l->path, strerror(errno));
    fine = false;
  }
  if (!fine) {
    state_wrong(st, error.text);
    state_say(st, "not saved: %s", error.text);
    return false;
  }
  return read_file(st, l);
}

static bool apply(state *st, const void *saved) { return put_file(st, saved); }

static const history_kind library_kind = { apply, free };

/* writes the list as one step of undo */
static bool save(state *st, library *l, const char *label) {
  sinew_error error;
  char *was = FileExists(l->path) ? LoadFileText(l->path) : NULL;
  char *before = strdup(was ? was : ""), *text = write_text(l, NULL, &error);
  char *after = text ? strdup(text) : NULL;
  UnloadFileText(was);
  sinew_text_free(text);
  if (!before || !after || !put_file(st, after)) {
    free(before);
    free(after);
    return false;
  }
  history_push(st->history, &library_kind, label, 0, before, after);
  return true;
}

static bool keep(state *st, library *l, const char *name) {
  sinew_error error;
  sinew_clip *clip = *name ? pose_clip(st, &error) : NULL;
  if (!*name) state_say(st, "a pose needs a name");
  if (!clip) return false;
  /* what others have written meanwhile; a file that cannot be read is not replaced */
  if (!read_file(st, l)) {
    state_say(st, "%s cannot be read, so it is not replaced", l->path);
    sinew_clip_destroy(clip);
    return false;
  }
  if (!put(l, name, clip)) {
    state_say(st, "there are %d poses already", most_poses);
    return false;
  }
  if (!save(st, l, "keep a pose")) return false;
  state_say(st, "kept '%s' in %s", name, l->path);
  return true;
}

static bool use(state *st, const library *l, int index) {
  char what[96];
  snprintf(what, sizeof what, "pose '%s'", l->list[index].name);
  return pose_take(st, l->list[index].clip, what);
}

static bool drop(state *st, library *l, int index) {
  char name[64];
  snprintf(name, sizeof name, "%s", l->list[index].name);
  sinew_clip_destroy(l->list[index].clip);
  memmove(l->list + index, l->list + index + 1, (size_t)(--l->count - index) * sizeof *l->list);
  if (!save(st, l, "remove a pose")) return false;
  state_say(st, "removed '%s'", name);
  return true;
}

static void loaded(state *st, void *self) {
  library *l = self;
  documents_beside(st, ".poses.json", l->path, sizeof l->path);
  read_file(st, l);
}

static void frame(state *st, void *self) {
  library *l = self;
  if (!tool_is_open(st, "poses") || !*l->path) return;
  if (has_changed(l)) read_file(st, l);
}

static void destroy(void *self) { forget(self); }

static void panel(state *st, void *self, Rectangle r) {
  library *l = self;
  ui *u = &st->ui;
  float row = ui_row(u), pad = ui_px(u, theme_s3), wide = ui_px(u, 64);
  Rectangle rest = { r.x + pad, r.y + ui_px(u, theme_s2), r.width - 2 * pad, r.height };
  Rectangle line = ui_next_row(u, &rest);
  ui_input(u, ui_id("poses", 1),
           (Rectangle){ line.x, line.y, line.width - wide - ui_px(u, theme_s1), row },
           "Name of this pose", l->name, sizeof l->name);
  Rectangle button = { line.x + line.width - wide, line.y, wide, row };
  if (ui_button(u, ui_id("poses", 2), button, "Keep") && keep(st, l, l->name)) l->name[0] = '\0';
  if (ui_hot(u, button)) ui_tip(u, "keeps the pose in\n%s", l->path);
  Rectangle list = { r.x, rest.y + ui_px(u, theme_s2), r.width, r.y + r.height - rest.y };
  float y = ui_scroll_begin(u, list, &l->scroll), top = y;
  int used = -1, dropped = -1;
  for (int i = 0; i < l->count; i++, y += row) {
    Rectangle item = { r.x + pad, y, r.width - 2 * pad - wide, row };
    Rectangle off = { item.x + item.width, y, wide, row };
    if (ui_item(u, ui_id("pose", i), item, l->list[i].name, false)) used = i;
    if (ui_button(u, ui_id("drop pose", i), off, "Remove")) dropped = i;
  }
  if (!l->count) ui_label(u, "None yet: give this one a name", r.x + pad, y, theme_hint);
  ui_scroll_end(u, list, y - top + row, &l->scroll);
  if (used >= 0) use(st, l, used);
  if (dropped >= 0) drop(st, l, dropped);
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  library *l = self;
  int at = find(l, rest);
  if (strcmp(verb, "poses") == 0) {
    printf("ok %d", l->count);
    for (int i = 0; i < l->count; i++) printf("%s %s", i ? "," : "", l->list[i].name);
    printf("\n");
    return true;
  }
  bool kept = strcmp(verb, "keeppose") == 0, used = strcmp(verb, "usepose") == 0;
  if (!kept && !used && strcmp(verb, "droppose") != 0) return false;
  if (!kept && at < 0) return tool_answer(false, "no pose of that name; `poses` lists them");
  bool fine = kept ? keep(st, l, rest) : used ? use(st, l, at) : drop(st, l, at);
  return tool_answer_text(fine ? st->note : NULL, st->note);
}

const tool tool_poses = { .name = "poses",
                          .title = "Poses",
                          .doc = "poses kept beside the rig, by name",
                          .dock = DOCK_RIGHT,
                          .layouts = IN_ANIMATE,
                          .key = KEY_O,
                          .size = sizeof(library),
                          .destroy = destroy,
                          .loaded = loaded,
                          .frame = frame,
                          .panel = panel,
                          .remote = remote,
                          .remote_help = "poses | keeppose NAME | usepose NAME | droppose NAME" };
