/* The tool that shows limits: reach cones, ellipsoids, axes and centres, distance fields, lines to
 * what bones aim at, and what scripted components draw. */
#ifndef VIEWER_LIMITS_H
#define VIEWER_LIMITS_H

#include "draw/field_view.h"
#include "draw/primitives.h"
#include "plain/acting.h"
#include "plain/screw_axis.h"
#include "state/state.h"

/* in the order of sinew_drawing */
typedef enum limit_kind {
  LIMIT_CONE,
  LIMIT_ELLIPSOID,
  LIMIT_AXIS,
  LIMIT_FIELD,
  LIMIT_SIGHT,
  LIMIT_MARKS
} limit_kind;
enum { limit_kinds = 6 };

typedef struct limit {
  sinew_component component;
  limit_kind kind;
  sinew_segment segment; /* the segment that it moves; null: unknown */
  bool shown;
  bool held;
  char state[96];
  float size; /* length of that bone, in metres */
  /* a cone's surface and boundary on the GPU, and the cone they were made from */
  Mesh surface, outline;
  void *made_from;
  float narrowest, widest; /* twist range */
  field_view *field;
  sinew_mark *marks; /* what a scripted component draws in this frame */
  int mark_count;
  uint64_t marks_print;
} limit;

typedef struct limits {
  primitives *primitives;
  limit *list;
  int count;
  acting_place *places; /* for each of the rig's components */
  bool *upstream;       /* which of them move the selected segment */
  sinew_segment upstream_of;
  bool kinds[limit_kinds], all;
  unsigned revealed; /* the selection that the list was scrolled to */
  screw_axis screw;
  float *values; /* the DOFs in the last frame */
  sinew_dof moved;
  bool failed; /* the banner shows an error of a script's `draw` */
  float scroll;
} limits;

static inline limits *limits_of(const state *st) { return tool_state(st, "limits"); }

/* Before drawing: builds meshes and pictures that are missing or out of date. */
void limits_prepare(state *st, limits *l);
/* The tool's callbacks that draw into the scene, and over it. */
void limits_draw_solid(state *st, void *self);
void limits_draw_glass(state *st, void *self);
void limits_draw_flat(state *st, void *self);
/* In the panel, below the list: the legend, and the pictures of fields. Returns the lower end. */
float limits_draw_below(state *st, limits *l, float x, float y, float width);
/* The centres of a rotation that has several, and the path between them. */
void limits_draw_centres(primitives *k, const float *frame, const acting_hinge *h, float ball,
                         float rod);
/* Frees them. */
void limits_drop(limit *one);
/* The limit of a component; NULL if it is not one. */
limit *limits_find(limits *l, sinew_component component);
/* A cone: its frame, at the bone's joint and scaled to the bone; building its surface if missing or
 * out of date; drawing the surface, shaded between two widths of the twist range. */
bool limits_cone_place(const state *st, const limits *l, const limit *one, float dest[16]);
void limits_prepare_cone(limit *one, const sinew_cone *cone);
void limits_cone_glass(state *st, limits *l, const limit *one, float low, float high);
/* What scripted components draw: asks them, and shows an error in the banner; then the solid parts,
 * the glass, and the texts over the scene. */
void limits_prepare_marks(state *st, limits *l);
void limits_marks_solid(const state *st, const limits *l, const limit *one);
void limits_marks_glass(const state *st, const limits *l, const limit *one);
void limits_marks_flat(state *st, const limits *l, const limit *one);
/* The frame of its marks; false if the segment is unknown. */
bool limits_marks_frame(const state *st, const limits *l, const limit *one, float dest[16]);
/* The matrix that maps the unit ball to an ellipsoid. */
bool limits_ellipsoid(const state *st, const limits *l, const limit *one, float dest[16]);

#endif
