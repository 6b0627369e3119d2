/* The clip being worked on: its file, its undo, and a copy in case of a crash. */
#ifndef VIEWER_KEYFRAMES_H
#define VIEWER_KEYFRAMES_H

#include "state/state.h"

#include <sinew/clip.h>

typedef struct keyframes {
  sinew_clip *clip;
  char path[1024]; /* of its file; "" while it has none */
  bool dirty;      /* not in its file */
  bool unkept;     /* not in the recovery file either */
  double changed;  /* when */
  char *recovery;  /* the recovery file for this rig; NULL: nowhere to put one */
} keyframes;

bool keyframes_create(keyframes *k);
void keyframes_destroy(keyframes *k);

/* A rig was loaded: restores what a crash left unsaved, else keeps the clip. */
void keyframes_rig(keyframes *k, state *st);
/* Changing the clip: keyframes_before, then the change, then keyframes_changed with what
 * keyframes_before gave, which notes one step of undo. `key` as for history_push. */
sinew_clip *keyframes_before(const keyframes *k);
void keyframes_changed(keyframes *k, state *st, sinew_clip *before, const char *label,
                       unsigned key);
/* Once a frame: writes the recovery file, a moment after the last change. */
void keyframes_keep(keyframes *k, const state *st);

/* Files; false with `error` filled. A load can be undone. */
bool keyframes_save(keyframes *k, const char *path, sinew_error *error);
bool keyframes_load(keyframes *k, state *st, const char *path, sinew_error *error);

#endif
