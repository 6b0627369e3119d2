/* The editor of reach cones: boundary points, visible point and twist limits, live on the rig (seed
 * 001, 3.2). */
#ifndef VIEWER_CONE_EDIT_H
#define VIEWER_CONE_EDIT_H

#include "plain/cone_draft.h"
#include "state/state.h"

enum { CONE_NONE = -1, CONE_VISIBLE = -2 }; /* instead of a point */

typedef struct cone_edit {
  sinew_component *cones; /* all of the rig */
  const char **names;
  int count;
  sinew_component id; /* null: none */
  char name[208];     /* it outlives reloads */
  sinew_segment of;   /* the bone that it was chosen for */
  cone_draft draft;
  uint32_t revision; /* of the rig that the draft was read from */
  bool fresh;        /* the draft is what the rig says */
  int chosen, hot;   /* a point from 0, or one of the above */
  int hot_edge;      /* from 0, or CONE_NONE; where, as a share of it */
  float hot_share;
  bool held;                    /* the chosen one follows the mouse */
  bool behind;                  /* on the far side of the sphere */
  char wrong[SINEW_ERROR_TEXT]; /* what could not be, and why */
  float scroll;
  /* the boundary and its points on the graphics card, and what they were made of */
  Mesh line, beads;
  float (*made)[3];
  int made_count, made_room;
  float made_thin; /* of the sphere's radius */
} cone_edit;

/* Applies the draft to the rig; a refused draft is read from the rig again. */
bool cone_edit_settle(state *st, cone_edit *c);
void cone_edit_choose(state *st, cone_edit *c, sinew_component component);
/* Brings cone and draft up to selection and rig. */
void cone_edit_follow(state *st, cone_edit *c);

/* The steps of editing; each is one of undo. */
bool cone_edit_add(state *st, cone_edit *c, int edge, float share);
bool cone_edit_remove(state *st, cone_edit *c, int index);
/* A point, or with CONE_VISIBLE the visible one. */
bool cone_edit_move(state *st, cone_edit *c, int index, const float direction[3]);
bool cone_edit_bake(state *st, cone_edit *c);
/* Where the bone points now, in the cone's frame. */
bool cone_edit_bone(const state *st, const cone_edit *c, float dest[3]);
/* Adds a point there. */
bool cone_edit_add_bone(state *st, cone_edit *c);

/* The sphere's frame, scaled; where a direction on it is in the window. */
bool cone_edit_place(const state *st, const cone_edit *c, float dest[16]);
void cone_edit_direction(const cone_edit *c, int index, float dest[3]);

void cone_edit_prepare(state *st, cone_edit *c); /* makes meshes that are missing or out of date */
void cone_edit_drop(cone_edit *c);               /* unloads them */

/* The tool's calls outside of cone_edit.c. */
void cone_edit_solid(state *st, void *self);
void cone_edit_glass(state *st, void *self);
void cone_edit_flat(state *st, void *self);
void cone_edit_panel(state *st, void *self, Rectangle r);
bool cone_edit_remote(state *st, void *self, const char *verb, char *rest);

#endif
