/* Undo and redo. An entry is a state before and a state after, of one kind, and a kind knows how to
 * put a state back. States refer to things by name, so that they outlive a reload. */
#ifndef VIEWER_HISTORY_H
#define VIEWER_HISTORY_H

#include <stdbool.h>

struct state;
typedef struct history history;

typedef struct history_kind {
  /* Puts a state back; false, with something said, when what it is about is gone. */
  bool (*apply)(struct state *st, const void *saved);
  void (*release)(void *saved);
} history_kind;

history *history_create(void);
void history_destroy(history *h); /* NULL is allowed */

/* Notes a change that has been made; takes both states. Entries of the same kind and key, which is
 * not 0, in the same gesture (see history_pause) become one: a drag is undone in one step. What was
 * undone before is forgotten. */
void history_push(history *h, const history_kind *kind, const char *label, unsigned key,
                  void *before, void *after);
/* Ends a gesture: the next entry stands for itself. The loop calls it when the mouse is let go. */
void history_pause(history *h);

/* Undoes the last change, or redoes the next. Its label; NULL when there is nothing to do. */
const char *history_step(history *h, struct state *st, bool forward);
/* How many entries can be undone. */
int history_depth(const history *h);

/* The DOFs' own entries: compares with the values last seen and notes what changed, once the mouse
 * is up. Called once a frame. */
void history_watch_dofs(struct state *st);
/* Takes the DOFs as they are without noting it: a clip moved them, or a rig was loaded. */
void history_forget_dofs(struct state *st);

#endif
