/* The clip being worked on: its file, its undo, and a copy in case of a crash. */
#ifndef VIEWER_KEYS_H
#define VIEWER_KEYS_H

#include "state/state.h"

#include <sinew/clip.h>

typedef struct keys {
  sinew_clip *clip;
  char path[1024]; /* of its file; "" while it has none */
  bool dirty;      /* not in its file */
  bool unkept;     /* not in the recovery file either */
  double changed;  /* when */
  char *recovery;  /* the recovery file for this rig; NULL: nowhere to put one */
} keys;

bool keys_create(keys *k);
void keys_destroy(keys *k);

/* Another rig: what was left unsaved of it by a crash comes back, else the clip stays. */
void keys_rig(keys *k, state *st);
/* Changing the clip: keys_before, then the change, then keys_changed with what keys_before gave,
 * which notes one step of undo. `key` as for history_push. */
sinew_clip *keys_before(const keys *k);
void keys_changed(keys *k, state *st, sinew_clip *before, const char *label, unsigned key);
/* Once a frame: keeps a copy of unsaved work, a moment after the last change. */
void keys_keep(keys *k, const state *st);

/* Files; false with `error` filled. A load can be undone. */
bool keys_save(keys *k, const char *path, sinew_error *error);
bool keys_load(keys *k, state *st, const char *path, sinew_error *error);

#endif
