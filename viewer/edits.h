/* Live changes of the rig that are in no file yet: which, what they were, and what they are now. A
 * reload starts from the script and its tuning; then they are made again, by name, where they still
 * fit. Every change can be undone. */
#ifndef VIEWER_EDITS_H
#define VIEWER_EDITS_H

#include "app.h"

typedef struct edit {
  char *component;   /* its full name */
  sinew_param base;  /* as script and tuning say it; of type SINEW_PARAM_NONE where they do not */
  sinew_param value; /* as it is now */
  bool tuned;        /* the tuning file has a value of its own */
} edit;

/* Changes a parameter, evaluates and notes it for undo; changes of one gesture are one step. On
 * failure nothing has changed, and `error` says why. */
sinew_status edits_apply_param(app *a, sinew_component component, const sinew_param *param,
                               sinew_error *error);
/* Back to what script and tuning say. */
sinew_status edits_reset_param(app *a, sinew_component component, const char *param,
                               sinew_error *error);

/* All of them; borrowed until the next change. */
const edit *edits_list(const app *a, int *count);
/* That of one parameter, or with NULL the first of the component; NULL where there is none. */
const edit *edits_find(const app *a, sinew_component component, const char *param);

/* The changes of one component in the words of a rig script; without any, all it was given. NULL
 * when that fails. Borrowed until the next call. */
const char *edits_lua(app *a, sinew_component component, sinew_error *error);
/* Writes all changes to the rig's tuning file. */
sinew_status edits_write(app *a, sinew_error *error);

#endif
