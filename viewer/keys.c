/* Unsaved work is kept in the state folder, in a file named after the rig's path; saving removes
 * it, and opening the rig again finds it. */
#include "keys.h"
#include "recent.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool keys_create(keys *k) {
  *k = (keys){ .clip = sinew_clip_create(NULL) };
  return k->clip != NULL;
}

void keys_destroy(keys *k) {
  sinew_clip_destroy(k->clip);
  free(k->recovery);
}

static char *recovery_path(const char *rig) {
  char folder[PATH_MAX], path[PATH_MAX + 64];
  char *full = realpath(rig, NULL);
  uint64_t hash = 14695981039346656037u;
  for (const char *c = full ? full : rig; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  free(full);
  if (!state_folder(folder, sizeof folder)) return NULL;
  snprintf(path, sizeof path, "%s/unsaved-%016llx.json", folder, (unsigned long long)hash);
  return strdup(path);
}

static void put_clip(keys *k, sinew_clip *clip) {
  sinew_clip_destroy(k->clip);
  k->clip = clip;
}

void keys_rig(keys *k, app *a) {
  char *path = recovery_path(sinew_host_path(a->host));
  bool same = path && k->recovery && strcmp(path, k->recovery) == 0;
  free(k->recovery);
  k->recovery = path;
  if (same || !path || a->options.render || access(path, R_OK) != 0) return;
  sinew_error error;
  sinew_clip *clip = sinew_clip_load(path, &error);
  if (!clip) {
    state_say(a, "unsaved keys cannot be read: %s", error.text);
    return;
  }
  put_clip(k, clip);
  k->dirty = true;
  state_say(a, "found keys that were not saved; Ctrl+S saves them");
}

sinew_clip *keys_before(const keys *k) { return sinew_clip_copy(k->clip, NULL); }

/* a state of undo is a copy of the clip */
static bool apply(app *a, const void *state) {
  keys *k = tool_state(a, "time");
  sinew_clip *copy = sinew_clip_copy(state, NULL);
  if (!copy) return false;
  put_clip(k, copy);
  k->dirty = k->unkept = true;
  k->changed = GetTime();
  return true;
}

static void release(void *state) { sinew_clip_destroy(state); }

static const history_kind clip_kind = { apply, release };

void keys_changed(keys *k, app *a, sinew_clip *before, const char *label, unsigned key) {
  sinew_clip *after = sinew_clip_copy(k->clip, NULL);
  if (before && after) {
    history_push(a->history, &clip_kind, label, key, before, after);
  } else {
    sinew_clip_destroy(before);
    sinew_clip_destroy(after);
  }
  k->dirty = k->unkept = true;
  k->changed = GetTime();
}

void keys_keep(keys *k, const app *a) {
  if (!k->unkept || !k->recovery || a->options.render || GetTime() - k->changed < 0.5) return;
  sinew_clip_save(k->clip, k->recovery, NULL);
  k->unkept = false;
}

static void forget_recovery(keys *k) {
  if (k->recovery) unlink(k->recovery);
  k->dirty = k->unkept = false;
}

bool keys_save(keys *k, const char *path, sinew_error *error) {
  if (sinew_clip_save(k->clip, path, error) < 0) return false;
  snprintf(k->path, sizeof k->path, "%s", path);
  forget_recovery(k);
  return true;
}

bool keys_load(keys *k, app *a, const char *path, sinew_error *error) {
  sinew_clip *clip = sinew_clip_load(path, error);
  if (!clip) return false;
  sinew_clip *before = keys_before(k);
  put_clip(k, clip);
  keys_changed(k, a, before, "load keys", 0);
  snprintf(k->path, sizeof k->path, "%s", path);
  forget_recovery(k);
  return true;
}
