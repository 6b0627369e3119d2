/* Loading the rig of the window: opening, reloading after a save, another value of an option. It
 * runs in the background, so that the window goes on with the rig before. */
#ifndef VIEWER_LOADING_H
#define VIEWER_LOADING_H

#include <sinew/host.h>
#include <stdbool.h>
#include <stddef.h>

struct state;

typedef enum loading_kind {
  LOADING_NOTHING,
  LOADING_FIRST, /* the rig of the command line */
  LOADING_RIG,
  LOADING_CHOICE,
  LOADING_SAVED /* a file of the rig has changed, or its process has ended */
} loading_kind;

typedef struct loading {
  loading_kind kind;
  double since;
  int64_t work;    /* that was done when it was last looked at */
  char what[1024]; /* the rig's path, or "option = value" */
  bool asked;      /* by the remote port, which waits for the end */
  bool keeps;      /* recovery files have what is unsaved of the rig before */
} loading;

/* Loads the rig of the command line before there is a window: RELOADED, FAILED, or LOADING if it
 * takes long and goes on in the background. */
sinew_host_news loading_start(struct state *st, const char *path, sinew_error *error);
/* Opens another rig. False, with the error in the banner, if it has failed at once: the old rig
 * stays. A load that takes long goes on. */
bool loading_open(struct state *st, const char *path);
/* Chooses another value of an option of the rig, which is loaded again. */
bool loading_choose(struct state *st, const char *name, const char *value);
/* Once a frame: takes a rig that was loaded, and reloads it if its files have changed. Returns
 * whether there is something new to see. */
bool loading_poll(struct state *st);
/* Ends the load that runs. */
void loading_stop(struct state *st);

/* Whether a load has run for so long that it is shown; then what it does, as "knee.lua: compiling",
 * and how much of that is done, -1 where it is not known. */
bool loading_shown(const struct state *st);
float loading_words(const struct state *st, char *dest, size_t capacity);

/* Answers a line of the remote port, now or when the load that runs has ended. */
bool loading_answer(struct state *st, bool fine);

/* Sets up scene and tools for the rig that the host has loaded. */
void loading_take(struct state *st);
/* Sets the DOFs of the command line; false, with `error` filled, if one is wrong. */
bool loading_set_asked(struct state *st, sinew_error *error);

#endif
