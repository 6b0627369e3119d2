/* The one selection of the window: a bone, a DOF or a component. Whatever shows one of them, in the
 * scene, in a panel or in the network, chooses it here and follows what is chosen elsewhere. */
#ifndef VIEWER_SELECT_H
#define VIEWER_SELECT_H

#include <raylib.h>
#include <sinew/types.h>
#include <stdbool.h>
#include <stddef.h>

struct state;

typedef struct selection {
  sinew_segment segment; /* of a DOF or component: the bone that it moves; null: none */
  sinew_dof dof;         /* null: no DOF in particular */
  sinew_component component;
} selection;

/* Names outlive a reload, ids do not. */
typedef struct selection_names {
  char segment[128], dof[256], component[256];
} selection_names;

/* Chooses a component, or else a DOF, or else a bone, or nothing. A component or DOF brings the
 * bone that it moves, unless the caller says which. */
void state_select(struct state *st, selection what);
selection_names state_selected_names(const struct state *st);
void state_select_names(struct state *st, const selection_names *names);

/* Whether it is selected: itself, or with a bone alone, whether it moves that bone; with a
 * component, whether it reaches that component. */
bool state_shows_dof(const struct state *st, sinew_dof dof);

/* As words: "Right hip: reach", "Leg forward and back", "Right femur". A DOF is without the words
 * of its joint set unless `whole`. */
void state_words(const struct state *st, selection what, bool whole, char *dest, size_t capacity);
/* Its name in the script, and the place that made it, "hip.lua:50"; "" if unknown. */
const char *state_name(const struct state *st, selection what);
const char *state_origin(const struct state *st, selection what);

/* Opens that place in the user's editor, $VISUAL or $EDITOR; without one copies it. */
void state_open_source(struct state *st, selection what);
/* Opens it on Ctrl and a click, else selects: what a click on a name does. */
void state_follow_link(struct state *st, selection what);
/* A name as a link; returns whether it was clicked. `ink` is its colour at rest. */
bool state_link(struct state *st, int id, Rectangle r, const char *text, selection what, Color ink);
/* The tooltip of a link, after text of the caller's own, which may be "". */
void state_link_tip(struct state *st, const char *text, selection what);

#endif
