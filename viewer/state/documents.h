/* What a person makes with a rig and has not saved: its pose, keys, tuning and so on. Each is the
 * document of a tool (state/tool.h), with a file beside the rig. They are saved, reverted and kept
 * for a crash together, and nothing of them is left without a question. */
#ifndef VIEWER_DOCUMENTS_H
#define VIEWER_DOCUMENTS_H

#include "state/tool.h"

#include <stddef.h>

struct state;

typedef struct documents {
  int lock;                  /* the file that holds the slot for recovery; 0: there is no slot */
  char *slot;                /* the start of the paths of recovery files */
  bool discarded;            /* what is unsaved is not wanted */
  bool offers;               /* recovery files were found, and the question is not answered yet */
  uint64_t kept[most_tools]; /* for each tool: what its recovery file has */
  double kept_at, saved_at;  /* times */
  char *next;                /* the rig to open once the question is answered; NULL: quit */
  char *title;               /* of the window */
} documents;

/* Whether anything is unsaved; which documents, as "pose, keys". */
bool state_unsaved(const struct state *st);
const char *documents_unsaved(const struct state *st, char *dest, size_t capacity);

/* Another rig was loaded: opens the files beside it, and asks whether to restore what an earlier
 * run has left. */
void documents_open(struct state *st);
/* Once a frame: the window's title, and the recovery files, at most a second behind. */
void documents_frame(struct state *st);
/* Writes the recovery files now; whether they have anything. */
bool documents_keep(struct state *st);
/* Ends: recovery files of what is unsaved stay. False, with a message, if they cannot be written.
 */
bool documents_close(struct state *st);
/* Removes the recovery files; with `discard` none are written again. */
void documents_forget(struct state *st);
void documents_discard(struct state *st);

/* Writes what is unsaved and says which files; false, with the reason in the banner, if one cannot
 * be written. `as` asks for the paths. */
bool documents_save(struct state *st);
void documents_save_as(struct state *st);
/* Goes back to the files, as steps of undo. */
void documents_revert(struct state *st);
/* Opens another rig, or with NULL quits, after a question if anything is unsaved. */
void documents_leave(struct state *st, const char *rig);
/* The other rig could not be opened: keeps recovery files again, if the rig was left. */
void documents_stay(struct state *st);

/* The path of a file beside the rig, with an ending instead of the rig's. */
void documents_beside(const struct state *st, const char *ending, char *dest, size_t capacity);

#endif
