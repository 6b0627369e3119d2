/* The clip being worked on: a document, with its file and its undo. */
#ifndef VIEWER_KEYFRAMES_H
#define VIEWER_KEYFRAMES_H

#include "state/state.h"

#include <sinew/clip.h>

typedef struct keyframes {
  sinew_clip *clip;
  char path[document_path]; /* path of its file; "": beside the rig */
  uint64_t print, saved;    /* hashes of the clip, now and in its file */
  bool told;                /* it is that of the command line */
  bool fresh;               /* just opened or restored */
} keyframes;

bool keyframes_create(keyframes *k);
void keyframes_destroy(keyframes *k);

bool keyframes_any(const keyframes *k); /* whether it has keys or pins */
/* Whether the clip has changes that its file does not have. An empty one has none. */
bool keyframes_dirty(const keyframes *k);
/* To change the clip, call keyframes_before, make the change, then pass its result to
 * keyframes_changed, which adds one undo step. `key` as for history_push. */
sinew_clip *keyframes_before(const keyframes *k);
void keyframes_changed(keyframes *k, state *st, sinew_clip *before, const char *label,
                       unsigned key);
/* Files; they return false with `error` filled. A load can be undone. */
bool keyframes_save(keyframes *k, const char *path, sinew_error *error);
bool keyframes_load(keyframes *k, state *st, const char *path, sinew_error *error);

/* The document, of a tool whose state starts with the keyframes. */
extern const document keyframes_document;

#endif
