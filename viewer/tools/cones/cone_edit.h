/* The editor of reach cones: boundary points, visible point and twist limits, live on the rig (seed
 * 001, 3.2). */
#ifndef VIEWER_CONE_EDIT_H
#define VIEWER_CONE_EDIT_H

#include "plain/cone_draft.h"
#include "state/state.h"

enum { CONE_NONE = -1, CONE_VISIBLE = -2 }; /* instead of a point */

typedef struct cone_edit {
  sinew_component *cones; /* all cones of the rig */
  const char **names;     /* as words */
  int count;
  sinew_component id; /* null: none */
  char name[208];     /* its name, to find it after a reload */
  unsigned seen;      /* the selection for which it was chosen */
  cone_draft draft;
  uint32_t revision;            /* version of the rig from which the draft was read */
  bool fresh;                   /* the draft is the same as in the rig */
  int chosen, hot;              /* index of a point, CONE_NONE or CONE_VISIBLE */
  int hot_edge;                 /* index of an edge, or CONE_NONE */
  float hot_share;              /* the position on that edge, 0 to 1 */
  bool held;                    /* the chosen point is being dragged */
  bool behind;                  /* the point is on the far side of the sphere */
  char wrong[SINEW_ERROR_TEXT]; /* why the last change was refused or cut short; "": it was not */
  float scroll;
  /* meshes of the boundary and its points, and what they were made from */
  Mesh line, beads;
  float (*made)[3];
  int made_count, made_room;
  float made_thin; /* thickness of lines relative to the sphere's radius */
} cone_edit;

/* Applies the draft to the rig; if it is refused, reads it from the rig again. */
bool cone_edit_settle(state *st, cone_edit *c);
/* Updates cone and draft after a change of selection or rig. */
void cone_edit_follow(state *st, cone_edit *c);

/* Changes; each is one undo step. */
bool cone_edit_add(state *st, cone_edit *c, int edge, float share);
bool cone_edit_remove(state *st, cone_edit *c, int index);
/* A point by its index, or CONE_VISIBLE. */
bool cone_edit_move(state *st, cone_edit *c, int index, const float direction[3]);
bool cone_edit_bake(state *st, cone_edit *c);
/* The bone's present direction, in the cone's frame. */
bool cone_edit_bone(const state *st, const cone_edit *c, float dest[3]);
/* Adds a point in that direction. */
bool cone_edit_add_bone(state *st, cone_edit *c);

/* The scaled frame of the sphere; the unit direction of a point. */
bool cone_edit_place(const state *st, const cone_edit *c, float dest[16]);
void cone_edit_direction(const cone_edit *c, int index, float dest[3]);

void cone_edit_prepare(state *st, cone_edit *c); /* makes meshes that are missing or out of date */
void cone_edit_drop(cone_edit *c);               /* unloads them */

/* The tool's callbacks outside of cone_edit.c. */
void cone_edit_solid(state *st, void *self);
void cone_edit_glass(state *st, void *self);
void cone_edit_flat(state *st, void *self);
void cone_edit_panel(state *st, void *self, Rectangle r);
bool cone_edit_remote(state *st, void *self, const char *verb, char *rest);

#endif
