/* Live changes of the rig that are not saved yet, with old and new values. A reload starts from the
 * script and its tuning file; then the changes are applied again, by name, if they still fit. Every
 * change can be undone. */
#ifndef VIEWER_EDITS_H
#define VIEWER_EDITS_H

#include "state/state.h"

#include <sinew/tuning.h>

typedef struct edit {
  char *owner;       /* the full name of a component, or of a segment */
  bool rest;         /* the segment's rest frame, as a matrix parameter "rest" */
  sinew_param base;  /* value in script and tuning; type SINEW_PARAM_NONE: not given */
  sinew_param value; /* the present value */
  bool tuned;        /* the tuning file has a value for it */
} edit;

/* The tool's own. */
typedef struct edits {
  edit *list;
  int count, room;
  unsigned version; /* of the list, counted up by every change */
  sinew_tuning *tuning;
  sinew_host *host; /* of the tuning */
  char file[document_path];
  char *path;         /* of the rig they belong to */
  char *text;         /* the last result of edits_lua */
  int again, dropped; /* counts of the last reload, not reported yet */
  char lost[256];
  char wrote[512]; /* what was written: the reload that follows says so instead of itself */
} edits;

/* What a change belongs to: a component with its parameters, or a segment, whose rest frame is a
 * matrix parameter called "rest". */
typedef struct edits_owner {
  sinew_component component;
  sinew_segment segment; /* null: it is a component */
} edits_owner;

static inline edits_owner edits_of_component(sinew_component component) {
  return (edits_owner){ .component = component };
}

/* Changes values of the owner with this name, without an undo step. */
sinew_status edits_change(state *st, bool rest, const char *name, const sinew_param *params,
                          int count, sinew_error *error);
void edits_clear(edits *e);

/* Changes parameters together, evaluates, and adds an undo step; changes of one gesture are one
 * step. On failure nothing has changed, and `error` has the reason. */
sinew_status edits_apply(state *st, edits_owner owner, const sinew_param *params, int count,
                         sinew_error *error);
/* Resets a parameter, or with NULL all of them, to its value in script and tuning. */
sinew_status edits_reset(state *st, edits_owner owner, const char *param, sinew_error *error);

/* The change of a parameter, or with NULL the owner's first; NULL if there is none. Borrowed until
 * the next change. */
const edit *edits_find(const state *st, edits_owner owner, const char *param);
/* The owner's changes as Lua for a rig script; if there are none, everything that the script gave
 * it. NULL on failure. Borrowed until the next call. */
const char *edits_lua(state *st, edits_owner owner, sinew_error *error);
/* Writes all changes to the rig's tuning file. */
sinew_status edits_write(state *st, sinew_error *error);

extern const document edits_document;

/* For panels: a row of buttons that copy the owner's changes as Lua, write all changes to the
 * tuning file, and reset the owner. */
void edits_buttons(state *st, const char *scope, edits_owner owner, Rectangle r);
/* Draws an error message, wrapped to the width, and returns its height. */
float edits_refusal(const state *st, const char *text, Rectangle r, float y);
/* The remote verbs `lua` and `reset`. */
bool edits_answer_lua(state *st, edits_owner owner);
bool edits_answer_reset(state *st, edits_owner owner);

#endif
