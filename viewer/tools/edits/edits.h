/* Live changes of the rig that are in no file yet: which, what they were, and what they are now. A
 * reload starts from the script and its tuning; then they are made again, by name, where they still
 * fit. Every change can be undone. */
#ifndef VIEWER_EDITS_H
#define VIEWER_EDITS_H

#include "state/state.h"

#include <sinew/tuning.h>

typedef struct edit {
  char *owner;       /* the full name of a component, or of a segment */
  bool rest;         /* the segment's rest frame, as a matrix called "rest" */
  sinew_param base;  /* as script and tuning say it; of type SINEW_PARAM_NONE where they do not */
  sinew_param value; /* as it is now */
  bool tuned;        /* the tuning file has a value of its own */
} edit;

/* The tool's own. */
typedef struct edits {
  edit *list;
  int count, room;
  sinew_tuning *tuning;
  char *path;         /* of the rig they belong to */
  char *text;         /* handed out last */
  int again, dropped; /* by the last reload, not said yet */
  char lost[256];
} edits;

/* Changes values of what has the name now, without a note for undo. */
sinew_status edits_change(state *st, bool rest, const char *name, const sinew_param *params,
                          int count, sinew_error *error);
void edits_clear(edits *e);

/* Changes a parameter, evaluates and notes it for undo; changes of one gesture are one step. On
 * failure nothing has changed, and `error` says why. */
sinew_status edits_apply_param(state *st, sinew_component component, const sinew_param *param,
                               sinew_error *error);
/* The same for several that only go together. */
sinew_status edits_apply_params(state *st, sinew_component component, const sinew_param *params,
                                int count, sinew_error *error);
/* The same for a segment's rest frame: 16 floats. */
sinew_status edits_apply_rest(state *st, sinew_segment segment, const float rest[16],
                              sinew_error *error);
/* Back to what script and tuning say; with NULL, all parameters of the component. */
sinew_status edits_reset_param(state *st, sinew_component component, const char *param,
                               sinew_error *error);
sinew_status edits_reset_rest(state *st, sinew_segment segment, sinew_error *error);

/* All of them; borrowed until the next change. */
const edit *edits_list(const state *st, int *count);
/* That of one parameter, or with NULL the first of the component; NULL where there is none. */
const edit *edits_find(const state *st, sinew_component component, const char *param);
const edit *edits_find_rest(const state *st, sinew_segment segment);

/* The changes of one component in the words of a rig script; without any, all it was given. NULL
 * when that fails. Borrowed until the next call. */
const char *edits_lua(state *st, sinew_component component, sinew_error *error);
/* A segment's rest frame likewise, changed or not. */
const char *edits_rest_lua(state *st, sinew_segment segment, sinew_error *error);
/* Writes all changes to the rig's tuning file. */
sinew_status edits_write(state *st, sinew_error *error);

/* For panels: a row of buttons to copy, write and reset. Writing is done by itself; the others are
 * told, and only what is changed can be reset. */
typedef enum edits_act { EDITS_NOTHING, EDITS_COPY, EDITS_RESET } edits_act;
edits_act edits_buttons(state *st, const char *scope, Rectangle r, bool changed);
/* Draws why something was refused, wrapped to the width, and returns the height. */
float edits_refusal(const state *st, const char *text, Rectangle r, float y);
/* Prints a text of several lines as one line of the remote port. */
void edits_print(const char *text);

#endif
