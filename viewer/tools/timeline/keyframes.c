/* The clip of the timeline as a document. */
#include "tools/timeline/keyframes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t print_of(const sinew_clip *clip) {
  uint64_t print = print_start;
  float fps = sinew_clip_fps(clip);
  bool loop = sinew_clip_loop(clip);
  print = PRINT(print, fps);
  print = PRINT(print, loop);
  for (int c = 0; c < sinew_clip_channel_count(clip); c++) {
    const char *name = sinew_clip_channel_name(clip, c);
    print = print_bytes(print, name, strlen(name) + 1);
    for (int i = 0; i < sinew_clip_key_count(clip, c); i++) {
      sinew_key key = sinew_clip_key_at(clip, c, i);
      const float values[] = { key.time, key.value, (float)key.interp };
      print = PRINT(print, values);
    }
  }
  for (int i = 0; i < sinew_clip_pin_count(clip); i++) {
    sinew_pin pin = sinew_clip_pin(clip, i);
    print = print_bytes(print, pin.segment, strlen(pin.segment) + 1);
    print = PRINT(print, pin.kind);
    print = PRINT(print, pin.target);
  }
  return print;
}

bool keyframes_create(keyframes *k) {
  *k = (keyframes){ .clip = sinew_clip_create(NULL) };
  if (k->clip) k->print = k->saved = print_of(k->clip);
  return k->clip != NULL;
}

void keyframes_destroy(keyframes *k) { sinew_clip_destroy(k->clip); }

bool keyframes_any(const keyframes *k) {
  return sinew_clip_channel_count(k->clip) > 0 || sinew_clip_pin_count(k->clip) > 0;
}

bool keyframes_dirty(const keyframes *k) { return k->print != k->saved && keyframes_any(k); }

static void put_clip(keyframes *k, sinew_clip *clip) {
  sinew_clip_destroy(k->clip);
  k->clip = clip;
  k->print = print_of(clip);
}

sinew_clip *keyframes_before(const keyframes *k) { return sinew_clip_copy(k->clip, NULL); }

/* an undo state is a copy of the clip */
static bool apply(state *st, const void *saved) {
  sinew_clip *copy = sinew_clip_copy(saved, NULL);
  if (copy) put_clip(tool_state(st, "time"), copy);
  return copy != NULL;
}

static void release(void *saved) { sinew_clip_destroy(saved); }

static const history_kind clip_kind = { apply, release };

void keyframes_changed(keyframes *k, state *st, sinew_clip *before, const char *label,
                       unsigned key) {
  sinew_clip *after = sinew_clip_copy(k->clip, NULL);
  if (before && after) {
    history_push(st->history, &clip_kind, label, key, before, after);
  } else {
    sinew_clip_destroy(before);
    sinew_clip_destroy(after);
  }
  k->print = print_of(k->clip);
}

bool keyframes_save(keyframes *k, const char *path, sinew_error *error) {
  if (sinew_clip_save(k->clip, path, error) < 0) return false;
  if (path != k->path) snprintf(k->path, sizeof k->path, "%s", path);
  k->saved = k->print;
  return true;
}

/* replaces the clip, which can be undone */
static bool take(keyframes *k, state *st, const char *path, sinew_error *error) {
  sinew_clip *clip = path ? sinew_clip_load(path, error) : sinew_clip_create(error);
  if (!clip) return false;
  sinew_clip *before = keyframes_before(k);
  put_clip(k, clip);
  keyframes_changed(k, st, before, "load keys", 0);
  return true;
}

bool keyframes_load(keyframes *k, state *st, const char *path, sinew_error *error) {
  if (!take(k, st, path, error)) return false;
  if (path != k->path) snprintf(k->path, sizeof k->path, "%s", path);
  k->saved = k->print;
  return true;
}

/* --- the document */

static uint64_t unsaved(const state *st, const void *self) {
  const keyframes *k = self;
  (void)st;
  return keyframes_dirty(k) ? k->print | 1 : 0;
}

static void describe(const state *st, const void *self, char *dest, size_t capacity) {
  const keyframes *k = self;
  int keys = 0, channels = sinew_clip_channel_count(k->clip);
  (void)st;
  for (int c = 0; c < channels; c++) keys += sinew_clip_key_count(k->clip, c);
  int pins = sinew_clip_pin_count(k->clip), used;
  used = snprintf(dest, capacity, "%d in %d channel%s", keys, channels, channels == 1 ? "" : "s");
  if (pins && used > 0 && (size_t)used < capacity)
    snprintf(dest + used, capacity - (size_t)used, ", %d pin%s", pins, pins == 1 ? "" : "s");
}

static char *path_of(void *self) { return ((keyframes *)self)->path; }

/* the clip of the command line stays with the first rig */
static bool open_keys(state *st, void *self, const char *path, sinew_error *error) {
  keyframes *k = self;
  bool told = k->told;
  (void)st;
  k->told = false;
  if (told) return true;
  sinew_clip *clip = path ? sinew_clip_load(path, error) : NULL, *empty = NULL;
  if (!clip && !(empty = sinew_clip_create(NULL))) return false;
  put_clip(k, clip ? clip : empty);
  k->saved = k->print;
  k->path[0] = '\0';
  k->fresh = clip != NULL;
  return clip || !path;
}

static bool keep(state *st, void *self, const char *path, sinew_error *error) {
  (void)st;
  return sinew_clip_save(((keyframes *)self)->clip, path, error) >= 0;
}

static bool save(state *st, void *self, const char *path, sinew_error *error) {
  (void)st;
  return keyframes_save(self, path, error);
}

static bool restore(state *st, void *self, const char *path, sinew_error *error) {
  return ((keyframes *)self)->fresh = take(self, st, path, error);
}

static bool revert(state *st, void *self, const char *path, sinew_error *error) {
  keyframes *k = self;
  if (!take(k, st, path, error)) return false;
  k->saved = k->print;
  return true;
}

const document keyframes_document = { .name = "keys",
                                      .ending = ".keys.json",
                                      .unsaved = unsaved,
                                      .describe = describe,
                                      .path = path_of,
                                      .open = open_keys,
                                      .restore = restore,
                                      .keep = keep,
                                      .save = save,
                                      .revert = revert };
