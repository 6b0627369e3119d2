/* Undo and redo. An entry has the state before and after a change; its kind knows how to restore a
 * state. States refer to things by name, so that they survive a reload. */
#ifndef VIEWER_HISTORY_H
#define VIEWER_HISTORY_H

#include <stdbool.h>

struct state;
typedef struct history history;

typedef struct history_kind {
  /* Restores a state; returns false, with a message shown, if that fails. */
  bool (*apply)(struct state *st, const void *saved);
  void (*release)(void *saved);
} history_kind;

history *history_create(void);
void history_destroy(history *h); /* NULL is allowed */
void history_clear(history *h);   /* another rig was opened */

/* Adds a change that has been made; takes ownership of both states. Entries with the same kind and
 * key, which is not 0, in the same gesture (see history_pause) are merged, so that a drag is one
 * step. Entries that could be redone are dropped. */
void history_push(history *h, const history_kind *kind, const char *label, unsigned key,
                  void *before, void *after);
/* Ends a gesture: the next entry is a new one. The loop calls it when the mouse is released. */
void history_pause(history *h);

/* Undoes the last change, or redoes the next. Returns its label; NULL if there is nothing to do. */
const char *history_step(history *h, struct state *st, bool forward);
/* How many entries can be undone. */
int history_depth(const history *h);

/* Adds an entry if DOFs changed since the last call and the mouse is up. Called once a frame. */
void history_watch_dofs(struct state *st);
/* Accepts the present DOFs without an entry: a clip moved them, or a rig was loaded. */
void history_forget_dofs(struct state *st);

#endif
