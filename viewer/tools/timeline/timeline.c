/* The timeline: keyframes of DOFs, a ruler to scrub, play and loop, a row for each channel. */
#include "plain/side.h"
#include "plain/value_text.h"
#include "tools/timeline/posture.h"
#include "tools/timeline/keyframes.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct timeline {
  keyframes keys; /* the first member: keyframes.c finds it as the tool's state */
  float time;
  bool playing, automatic;
  float scroll;
  unsigned revealed; /* the selection that the rows were scrolled to */
  char chosen[256];  /* channel of the selected key; "": none */
  int chosen_key;
  sinew_clip *pulled; /* the clip before a key was dragged */
} timeline;

static float length_of(const timeline *t) { return fmaxf(sinew_clip_duration(t->keys.clip), 1); }

static bool near(float a, float b) { return fabsf(a - b) < 1e-4f; }

static void show(state *st, timeline *t) {
  sinew_clip_apply(t->keys.clip, state_pose(st), t->time, NULL);
  state_eval(st);
  history_forget_dofs(st);
  pose_keyed(st, t->keys.clip);
}

/* Keys that come without a pose are shown as they are at the current time: else the figure would
 * stand at rest, as if its pose were lost. */
static void show_fresh(state *st, timeline *t) {
  const sinew_rig *rig = state_rig(st);
  bool rest = !st->options.crowd && !st->options.render;
  for (int i = 0; i < sinew_rig_dof_count(rig) && rest; i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    rest = sinew_pose_get(state_pose(st), dof) == sinew_rig_dof_info(rig, dof).rest;
  }
  if (rest) show(st, t);
  t->keys.fresh = false;
}

static void go_to(state *st, timeline *t, float time) {
  float fps = sinew_clip_fps(t->keys.clip);
  t->time = fmaxf(0, roundf(time * fps) / fps);
  show(st, t);
}

/* the key of a channel at a time, or -1 */
static int key_at(const sinew_clip *clip, int channel, float time) {
  for (int i = 0; i < sinew_clip_key_count(clip, channel); i++)
    if (near(sinew_clip_key_at(clip, channel, i).time, time)) return i;
  return -1;
}

/* sets a key on every DOF that has a channel or is not at rest; returns the count */
static int set_keys(state *st, timeline *t) {
  const sinew_rig *rig = state_rig(st);
  sinew_clip *clip = t->keys.clip, *before = keyframes_before(&t->keys);
  int count = 0;
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    sinew_dof_info info = sinew_rig_dof_info(rig, dof);
    float value = sinew_pose_get(state_pose(st), dof);
    int channel = sinew_clip_find_channel(clip, info.name);
    if (channel < 0 && value == info.rest) continue;
    /* a new channel starts with the rest value at time 0 */
    if (channel < 0 && t->time > 0)
      sinew_clip_set_key(clip, info.name, 0, info.rest, SINEW_INTERP_SMOOTH, NULL);
    count += sinew_clip_set_key(clip, info.name, t->time, value, SINEW_INTERP_SMOOTH, NULL) >= 0;
  }
  if (count) {
    keyframes_changed(&t->keys, st, before, "keys", 0);
    pose_keyed(st, clip);
    state_say(st, "%d key%s at %.2f s", count, count == 1 ? "" : "s", (double)t->time);
  } else {
    sinew_clip_destroy(before);
    state_say(st, "every DOF is at rest: no keys to set");
  }
  return count;
}

/* removes the chosen key, or every key at the current time; returns the count */
static int remove_keys(state *st, timeline *t) {
  sinew_clip *clip = t->keys.clip, *before = keyframes_before(&t->keys);
  int count = 0, chosen = *t->chosen ? sinew_clip_find_channel(clip, t->chosen) : -1;
  if (chosen >= 0 && t->chosen_key < sinew_clip_key_count(clip, chosen)) {
    sinew_clip_remove_key(clip, chosen, t->chosen_key);
    count = 1;
  } else {
    for (int c = sinew_clip_channel_count(clip) - 1; c >= 0; c--) {
      int key = key_at(clip, c, t->time);
      if (key < 0) continue;
      sinew_clip_remove_key(clip, c, key);
      count++;
    }
  }
  t->chosen[0] = '\0';
  if (count)
    keyframes_changed(&t->keys, st, before, "remove keys", 0);
  else
    sinew_clip_destroy(before);
  return count;
}

/* the button; Ctrl+S saves all documents */
static void save(state *st, timeline *t) {
  char beside[document_path];
  sinew_error error;
  if (!keyframes_any(&t->keys)) {
    state_say(st, "there are no keys to save");
    return;
  }
  documents_beside(st, keyframes_document.ending, beside, sizeof beside);
  if (keyframes_save(&t->keys, *t->keys.path ? t->keys.path : beside, &error))
    state_say(st, "saved %s", t->keys.path);
  else
    state_wrong(st, error.text);
}

/* --- frames and keys */

static bool create(state *st, void *self) {
  timeline *t = self;
  sinew_error error;
  if (!keyframes_create(&t->keys)) return false;
  if (!st->options.keys || st->options.render) return true;
  t->keys.told = keyframes_load(&t->keys, st, st->options.keys, &error);
  if (!t->keys.told) state_wrong(st, error.text);
  return true;
}

static void destroy(void *self) {
  timeline *t = self;
  keyframes_destroy(&t->keys);
  sinew_clip_destroy(t->pulled);
}

static void advance(state *st, timeline *t) {
  st->posing = t->playing;
  if (!t->playing) return;
  float end = sinew_clip_duration(t->keys.clip);
  t->time += GetFrameTime();
  if (t->time > end) {
    t->playing = sinew_clip_loop(t->keys.clip) && end > 0;
    t->time = t->playing ? fmodf(t->time, end) : end;
  }
  show(st, t);
}

static void play(state *st, timeline *t, bool on) {
  if (st->options.crowd) { /* plays the clip by itself */
    if (on) state_say(st, "the crowd plays the clip; Space pauses and resumes it");
    return;
  }
  if (on && t->time >= sinew_clip_duration(t->keys.clip)) t->time = 0;
  t->playing = on && sinew_clip_duration(t->keys.clip) > 0;
  st->posing = t->playing;
}

/* --- commands */

static void go_by(state *st, timeline *t, float frames) {
  go_to(st, t, t->time + frames / sinew_clip_fps(t->keys.clip));
}

/* the first keys bring up the timeline */
static void do_key(state *st, void *self) {
  if (set_keys(st, self)) tool_set_open(st, "time", true);
}

COMMAND_DO(do_unkey, remove_keys(st, self))
COMMAND_DO(do_play, play(st, self, !((timeline *)self)->playing))
COMMAND_DO(do_back, go_by(st, self, -1))
COMMAND_DO(do_on, go_by(st, self, 1))
COMMAND_ASK(plays, ((const timeline *)self)->playing)
COMMAND_ASK(alone, !st->options.crowd) /* which plays by itself */

static const command commands[] = {
  { "key", "Key the pose", MENU_ANIMATE, .key = KEY_K, .run = do_key },
  { "unkey", "Remove keys", MENU_ANIMATE, .key = KEY_DELETE,
    .doc = "the chosen key, or all at this time", .on = ON_KEY, .run = do_unkey },
  { "play", "Play", MENU_ANIMATE, .key = KEY_SPACE, .run = do_play, .enabled = alone,
    .checked = plays },
  { "frame_back", "One frame back", MENU_ANIMATE, .key = KEY_COMMA | KEY_REPEATS, .run = do_back },
  { "frame_on", "One frame on", MENU_ANIMATE, .key = KEY_PERIOD | KEY_REPEATS, .run = do_on },
  { .name = NULL }
};

/* --- the panel */

static float x_of(const timeline *t, Rectangle ruler, float time) {
  return ruler.x + ruler.width * time / length_of(t);
}

static float time_at(const timeline *t, Rectangle ruler, float x) {
  float time = (x - ruler.x) / ruler.width * length_of(t), fps = sinew_clip_fps(t->keys.clip);
  return fmaxf(0, roundf(time * fps) / fps);
}

/* the curve after a key shows in its shape: smooth a diamond, linear a hollow one, a step a square;
 * the chosen one has a ring */
static void draw_key(const state *st, Vector2 at, sinew_interp interp, bool chosen) {
  static const icon shapes[] = { ICON_DIAMOND, ICON_HOLLOW, ICON_SQUARE };
  icon_draw(shapes[interp], at, ui_px(&st->ui, 12), chosen ? theme_selected : theme_text);
  if (chosen) icon_draw(ICON_RING, at, ui_px(&st->ui, 20), theme_selected);
}

static void draw_ruler(state *st, timeline *t, Rectangle r) {
  static const float steps[] = { 0.1f, 0.2f, 0.5f, 1, 2, 5, 10, 30, 60 };
  float step = steps[8];
  for (int i = 8; i >= 0; i--)
    if (r.width * steps[i] / length_of(t) > st->ui.size * 4) step = steps[i];
  DrawRectangleRec(r, theme_window);
  for (int i = 0; (float)i * step <= length_of(t) + 1e-3f && i < 1000; i++) {
    float x = x_of(t, r, (float)i * step);
    DrawLineEx((Vector2){ x, r.y }, (Vector2){ x, r.y + r.height }, 1, theme_line);
    ui_label_as(&st->ui, theme_note, TextFormat("%g", (double)((float)i * step)), x + 4, r.y,
                r.width, theme_hint);
  }
  int id = ui_id("time ruler", 0);
  ui_pressed(&st->ui, id, r);
  if (st->ui.active == id) {
    t->playing = st->posing = false;
    go_to(st, t, fminf(time_at(t, r, GetMousePosition().x), length_of(t) * 1.5f));
  }
}

/* a DOF's value as text, by its unit */
static const char *value_of(const state *st, const char *name, float value) {
  static char text[48];
  sinew_dof dof = sinew_rig_find_dof(state_rig(st), name, NULL);
  sinew_dof_info info = { .unit = NULL };
  if (dof.id) info = sinew_rig_dof_info(state_rig(st), dof);
  value_number(value, value_unit(info.unit, info.min, info.max), text, sizeof text);
  return text;
}

/* a channel: its curve, and its keys, which can be selected and dragged */
static void draw_channel(state *st, timeline *t, int channel, Rectangle r) {
  const sinew_clip *clip = t->keys.clip;
  const char *name = sinew_clip_channel_name(clip, channel);
  float least = INFINITY, most = -INFINITY;
  int count = sinew_clip_key_count(clip, channel);
  for (int i = 0; i < count; i++) {
    float value = sinew_clip_key_at(clip, channel, i).value;
    least = fminf(least, value);
    most = fmaxf(most, value);
  }
  float range = most > least ? most - least : 1;
  Vector2 last = { 0 };
  for (float x = r.x; x <= r.x + r.width; x += 4) {
    float value = sinew_clip_sample(clip, channel, (x - r.x) / r.width * length_of(t));
    Vector2 at = { x, r.y + r.height - 4 - (r.height - 8) * (value - least) / range };
    if (x > r.x) icon_line((Vector2[]){ last, at }, 2, 1.2f, theme_action);
    last = at;
  }
  for (int i = 0; i < count; i++) {
    sinew_key key = sinew_clip_key_at(clip, channel, i);
    Vector2 at = { x_of(t, r, key.time), r.y + r.height / 2 };
    Rectangle box = { at.x - 6, r.y, 12, r.height };
    int id = ui_id(name, 100 + i);
    bool mine = strcmp(t->chosen, name) == 0 && t->chosen_key == i;
    if (ui_hot(&st->ui, box))
      ui_tip(&st->ui, "%s %s at %.2f s, %s\ndrag to move, Delete removes, double click: next curve",
             name, value_of(st, name, key.value), (double)key.time, sinew_interp_name(key.interp));
    if (ui_pressed(&st->ui, id, box)) {
      snprintf(t->chosen, sizeof t->chosen, "%s", name);
      t->chosen_key = i;
      sinew_dof dof = sinew_rig_find_dof(state_rig(st), name, NULL);
      if (dof.id) state_select(st, (selection){ .dof = dof });
      sinew_clip_destroy(t->pulled);
      t->pulled = keyframes_before(&t->keys);
      if (ui_double_clicked(&st->ui, id)) {
        sinew_clip *before = keyframes_before(&t->keys);
        sinew_clip_set_key(t->keys.clip, name, key.time, key.value,
                           (sinew_interp)((key.interp + 1) % 3), NULL);
        keyframes_changed(&t->keys, st, before, "curve of a key", 0);
      }
    }
    draw_key(st, at, key.interp, mine);
  }
}

/* moves a dragged key; releasing it adds one undo step */
static void drag_key(state *st, timeline *t, Rectangle ruler) {
  int channel = *t->chosen ? sinew_clip_find_channel(t->keys.clip, t->chosen) : -1;
  if (!t->pulled || channel < 0) return;
  int id = ui_id(t->chosen, 100 + t->chosen_key);
  if (st->ui.active == id && GetMouseDelta().x != 0) {
    sinew_key key = sinew_clip_key_at(t->keys.clip, channel, t->chosen_key);
    float time = time_at(t, ruler, GetMousePosition().x);
    /* not onto another key, which would replace it */
    int there = key_at(t->keys.clip, channel, time), place;
    if (there < 0 && sinew_clip_move_key(t->keys.clip, channel, t->chosen_key, time, key.value,
                                         &place, NULL) >= 0) {
      t->chosen_key = place;
      st->ui.active = ui_id(t->chosen, 100 + place);
      show(st, t);
    }
  }
  if (IsMouseButtonDown(MOUSE_BUTTON_LEFT)) return;
  sinew_key was = { 0 }, is = sinew_clip_key_at(t->keys.clip, channel, t->chosen_key);
  int old = sinew_clip_find_channel(t->pulled, t->chosen);
  if (old >= 0 && t->chosen_key < sinew_clip_key_count(t->pulled, old))
    was = sinew_clip_key_at(t->pulled, old, t->chosen_key);
  if (was.time != is.time) {
    keyframes_changed(&t->keys, st, t->pulled, "move a key", 0);
    t->pulled = NULL;
  }
}

/* the place of the next button, as wide as its text needs; `extra` is for a box beside it */
static Rectangle take(const ui *u, Rectangle *rest, const char *text, float extra) {
  Rectangle r = *rest;
  r.width = roundf(ui_text_width(u, text) + ui_px(u, theme_s4) + extra);
  rest->x += r.width + ui_px(u, theme_s1);
  rest->width -= r.width + ui_px(u, theme_s1);
  return r;
}

/* the file of the keys, with buttons to save and load it */
static void draw_file(state *st, timeline *t, Rectangle rest) {
  ui *u = &st->ui;
  const char *words[] = { keyframes_dirty(&t->keys) ? "Save *" : "Save", "Load" };
  float gap = ui_px(u, theme_s1), wide[2], both = 0;
  for (int i = 0; i < 2; i++)
    both += wide[i] = roundf(ui_text_width(u, words[i]) + ui_px(u, theme_s4));
  Rectangle field = rest;
  field.width = fminf(rest.width - both - 2 * gap, ui_px(u, 320));
  if (field.width < ui_px(u, 60)) return; /* no room: Ctrl+S saves */
  field.x = rest.x + rest.width - both - 2 * gap - field.width;
  ui_input(u, ui_id("time", 6), field, "keys.json", t->keys.path, sizeof t->keys.path);
  Rectangle b = { field.x + field.width + gap, rest.y, wide[0], rest.height };
  if (ui_button(u, ui_id("time", 7), b, words[0])) save(st, t);
  b.x += wide[0] + gap;
  b.width = wide[1];
  if (!ui_button(u, ui_id("time", 8), b, words[1])) return;
  sinew_error error;
  char path[sizeof t->keys.path];
  snprintf(path, sizeof path, "%s", t->keys.path);
  if (!keyframes_load(&t->keys, st, path, &error))
    state_wrong(st, error.text);
  else
    show(st, t);
}

static void draw_buttons(state *st, timeline *t, Rectangle r) {
  ui *u = &st->ui;
  float pad = ui_px(u, theme_s3), box = ui_row(u);
  Rectangle rest = { r.x + pad, r.y + ui_px(u, 6), r.width - 2 * pad, ui_row(u) };
  if (ui_button(u, ui_id("time", 1), take(u, &rest, "Play", 0), t->playing ? "Stop" : "Play"))
    play(st, t, !t->playing);
  if (ui_button(u, ui_id("time", 2), take(u, &rest, "Key", 0), "Key")) set_keys(st, t);
  if (ui_button(u, ui_id("time", 3), take(u, &rest, "Delete", 0), "Delete")) remove_keys(st, t);
  bool loop = sinew_clip_loop(t->keys.clip);
  if (ui_toggle(u, ui_id("time", 4), take(u, &rest, "Loop", box), "Loop", &loop)) {
    sinew_clip *before = keyframes_before(&t->keys);
    sinew_clip_set_loop(t->keys.clip, loop);
    keyframes_changed(&t->keys, st, before, "loop", 0);
  }
  Rectangle toggle = take(u, &rest, "Auto", box);
  ui_toggle(u, ui_id("time", 5), toggle, "Auto", &t->automatic);
  if (ui_hot(u, toggle)) ui_tip(u, "sets a key at the current time whenever a DOF changes");
  char now[32];
  value_number(t->time, "s", now, sizeof now);
  ui_label(u, now, rest.x, rest.y, theme_text);
  take(u, &rest, "00.00 s", 0);
  draw_file(st, t, rest);
}

/* a channel's DOF, which a click selects */
static void draw_name(state *st, const char *name, Rectangle r) {
  selection what = { .dof = sinew_rig_find_dof(state_rig(st), name, NULL) };
  char words[400];
  if (!what.dof.id) {
    name_text(name, words, sizeof words);
    ui_label_in(&st->ui, words, r.x, r.y, r.width, theme_hint);
    if (ui_hot(&st->ui, r)) ui_tip(&st->ui, "%s\nthis rig has no such DOF", name);
    return;
  }
  bool mine = state_shows_dof(st, what.dof);
  state_words(st, what, true, words, sizeof words);
  if (mine) ui_box(&st->ui, (Rectangle){ r.x - 8, r.y + 4, 3, r.height - 8 }, theme_selected);
  state_link(st, ui_id(name, 99), r, words, what, mine ? theme_selected : theme_second);
}

/* scrolls once to the first channel of what was selected last */
static void reveal(const state *st, timeline *t, const char *name, Rectangle area, Rectangle r) {
  if (t->revealed == st->selections) return;
  sinew_dof dof = sinew_rig_find_dof(state_rig(st), name, NULL);
  if (!dof.id || !state_shows_dof(st, dof)) return;
  ui_reveal(area, r, &t->scroll);
  t->revealed = st->selections;
}

static void panel(state *st, void *self, Rectangle r) {
  timeline *t = self;
  float row = ui_row(&st->ui), names = st->ui.size * 11, pad = ui_px(&st->ui, theme_s3);
  draw_buttons(st, t, r);
  Rectangle ruler = { r.x + pad + names, r.y + ui_px(&st->ui, 10) + row, r.width - 3 * pad - names,
                      row };
  draw_ruler(st, t, ruler);
  float top = ruler.y + row + 2;
  Rectangle area = { r.x, top, r.width, r.y + r.height - top };
  float y = ui_scroll_begin(&st->ui, area, &t->scroll), start = y;
  for (int c = 0; c < sinew_clip_channel_count(t->keys.clip); c++, y += row) {
    const char *name = sinew_clip_channel_name(t->keys.clip, c);
    reveal(st, t, name, area, (Rectangle){ r.x, y, r.width, row });
    if (y < top - row || y > area.y + area.height) continue;
    draw_name(st, name, (Rectangle){ r.x + pad, y, names - 6, row });
    draw_channel(st, t, c, (Rectangle){ ruler.x, y, ruler.width, row });
  }
  if (!sinew_clip_channel_count(t->keys.clip))
    ui_label(&st->ui, "Pose the rig, then K sets keys; Space plays", ruler.x + pad, y, theme_hint);
  drag_key(st, t, ruler);
  t->revealed = st->selections;
  ui_scroll_end(&st->ui, area, y - start, &t->scroll);
  float x = x_of(t, ruler, fminf(t->time, length_of(t)));
  DrawLineEx((Vector2){ x, ruler.y }, (Vector2){ x, r.y + r.height }, 2, theme_action);
}

/* with `auto`, sets keys for a moved DOF when the mouse is released */
static void key_moved(state *st, timeline *t) {
  if (!t->automatic || t->playing || IsMouseButtonDown(MOUSE_BUTTON_LEFT)) return;
  const sinew_rig *rig = state_rig(st);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    sinew_dof_info info = sinew_rig_dof_info(rig, dof);
    int channel = sinew_clip_find_channel(t->keys.clip, info.name);
    float now = channel < 0 ? info.rest : sinew_clip_sample(t->keys.clip, channel, t->time);
    if (fabsf(now - sinew_pose_get(state_pose(st), dof)) > 1e-4f * (info.max - info.min)) {
      set_keys(st, t);
      return;
    }
  }
}

static void frame(state *st, void *self) {
  timeline *t = self;
  if (t->keys.fresh) show_fresh(st, t);
  advance(st, self);
  key_moved(st, self);
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  timeline *t = self;
  sinew_error error;
  if (strcmp(verb, "time") == 0) {
    if (*rest) go_to(st, t, strtof(rest, NULL));
    printf("ok %g\n", (double)t->time);
  } else if (strcmp(verb, "key") == 0) {
    if (*rest) t->time = fmaxf(0, strtof(rest, NULL));
    printf("ok %d\n", set_keys(st, t));
  } else if (strcmp(verb, "unkey") == 0) {
    printf("ok %d\n", remove_keys(st, t));
  } else if (strcmp(verb, "keys") == 0) {
    int count = 0, channels = sinew_clip_channel_count(t->keys.clip);
    for (int c = 0; c < channels; c++) count += sinew_clip_key_count(t->keys.clip, c);
    printf("ok %d in %d channels, %g s%s\n", count, channels,
           (double)sinew_clip_duration(t->keys.clip), keyframes_dirty(&t->keys) ? ", unsaved" : "");
  } else if (strcmp(verb, "play") == 0 || strcmp(verb, "stop") == 0) {
    play(st, t, verb[0] == 'p');
    printf("ok %s\n", t->playing ? "playing" : "still");
  } else if (strcmp(verb, "loop") == 0) {
    sinew_clip *before = keyframes_before(&t->keys);
    sinew_clip_set_loop(t->keys.clip, strcmp(rest, "off") != 0);
    keyframes_changed(&t->keys, st, before, "loop", 0);
    printf("ok\n");
  } else if (strcmp(verb, "savekeys") == 0 || strcmp(verb, "loadkeys") == 0) {
    bool fine = verb[0] == 's' ? keyframes_save(&t->keys, rest, &error)
                               : keyframes_load(&t->keys, st, rest, &error);
    tool_answer(fine, error.text);
  } else {
    return false;
  }
  return true;
}

const tool tool_time = { .name = "time",
                         .title = "Timeline",
                         .doc = "keyframes",
                         .dock = DOCK_BOTTOM,
                         .room = 176,
                         .whole = true,
                         .layouts = IN_ANIMATE,
                         .key = KEY_T,
                         .commands = commands,
                         .size = sizeof(timeline),
                         .create = create,
                         .destroy = destroy,
                         .frame = frame,
                         .panel = panel,
                         .document = &keyframes_document,
                         .remote = remote,
                         .remote_help =
                             "time [T] | key [T] | unkey | keys | play | stop | loop [off] | "
                             "savekeys FILE | loadkeys FILE" };
