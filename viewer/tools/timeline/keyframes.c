/* Unsaved keyframes are kept in a recovery file in the state folder, named by a hash of the rig's
 * path; saving removes it, and opening the rig finds it. */
#include "tools/timeline/keyframes.h"
#include "plain/recent.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool keyframes_create(keyframes *k) {
  *k = (keyframes){ .clip = sinew_clip_create(NULL) };
  return k->clip != NULL;
}

void keyframes_destroy(keyframes *k) {
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
  if (!user_folder(folder, sizeof folder)) return NULL;
  snprintf(path, sizeof path, "%s/unsaved-%016llx.json", folder, (unsigned long long)hash);
  return strdup(path);
}

static void put_clip(keyframes *k, sinew_clip *clip) {
  sinew_clip_destroy(k->clip);
  k->clip = clip;
}

void keyframes_rig(keyframes *k, state *st) {
  char *path = recovery_path(sinew_host_path(st->host));
  bool same = path && k->recovery && strcmp(path, k->recovery) == 0;
  free(k->recovery);
  k->recovery = path;
  if (same || !path || st->options.render || access(path, R_OK) != 0) return;
  sinew_error error;
  sinew_clip *clip = sinew_clip_load(path, &error);
  if (!clip) {
    state_say(st, "cannot read the unsaved keyframes: %s", error.text);
    return;
  }
  put_clip(k, clip);
  k->dirty = true;
  state_say(st, "restored keyframes that were not saved; Ctrl+S saves them");
}

sinew_clip *keyframes_before(const keyframes *k) { return sinew_clip_copy(k->clip, NULL); }

/* an undo state is a copy of the clip */
static bool apply(state *st, const void *saved) {
  keyframes *k = tool_state(st, "time");
  sinew_clip *copy = sinew_clip_copy(saved, NULL);
  if (!copy) return false;
  put_clip(k, copy);
  k->dirty = k->unkept = true;
  k->changed = GetTime();
  return true;
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
  k->dirty = k->unkept = true;
  k->changed = GetTime();
}

void keyframes_keep(keyframes *k, const state *st) {
  if (!k->unkept || !k->recovery || st->options.render || GetTime() - k->changed < 0.5) return;
  sinew_clip_save(k->clip, k->recovery, NULL);
  k->unkept = false;
}

static void forget_recovery(keyframes *k) {
  if (k->recovery) unlink(k->recovery);
  k->dirty = k->unkept = false;
}

bool keyframes_save(keyframes *k, const char *path, sinew_error *error) {
  if (sinew_clip_save(k->clip, path, error) < 0) return false;
  snprintf(k->path, sizeof k->path, "%s", path);
  forget_recovery(k);
  return true;
}

bool keyframes_load(keyframes *k, state *st, const char *path, sinew_error *error) {
  sinew_clip *clip = sinew_clip_load(path, error);
  if (!clip) return false;
  sinew_clip *before = keyframes_before(k);
  put_clip(k, clip);
  keyframes_changed(k, st, before, "load keys", 0);
  snprintf(k->path, sizeof k->path, "%s", path);
  forget_recovery(k);
  return true;
}
