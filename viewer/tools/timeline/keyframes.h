/* The clip being worked on: its file, its undo, and a copy in case of a crash. */
#ifndef VIEWER_KEYFRAMES_H
#define VIEWER_KEYFRAMES_H

#include "state/state.h"

#include <sinew/clip.h>

typedef struct keyframes {
  sinew_clip *clip;
  char path[1024]; /* path of its file; "" if it has none */
  bool dirty;      /* has changes that its file does not have */
  bool unkept;     /* has changes that the recovery file does not have */
  double changed;  /* time of the last change */
  char *recovery;  /* the recovery file for this rig; NULL: there is no folder for one */
} keyframes;

bool keyframes_create(keyframes *k);
void keyframes_destroy(keyframes *k);

/* Call it when a rig was loaded: restores what a crash left unsaved, else keeps the clip. */
void keyframes_rig(keyframes *k, state *st);
/* To change the clip, call keyframes_before, make the change, then pass its result to
 * keyframes_changed, which adds one undo step. `key` as for history_push. */
sinew_clip *keyframes_before(const keyframes *k);
void keyframes_changed(keyframes *k, state *st, sinew_clip *before, const char *label,
                       unsigned key);
/* Once a frame: writes the recovery file shortly after the last change. */
void keyframes_keep(keyframes *k, const state *st);

/* Files; they return false with `error` filled. A load can be undone. */
bool keyframes_save(keyframes *k, const char *path, sinew_error *error);
bool keyframes_load(keyframes *k, state *st, const char *path, sinew_error *error);

#endif
