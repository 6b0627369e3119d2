/* What the files of skinning share. */
#ifndef SI_SKIN_INTERNAL_H
#define SI_SKIN_INTERNAL_H

#include "base/alloc.h"
#include "base/arena.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "compile/rig_internal.h"
#include "math/vector.h"
#include "shape/surface_internal.h"
#include "sinew/skin.h"

enum { SI_SKIN_AUTOMATIC = 4 }; /* automatic weights of a vertex, at most */

/* a twist and its rotation in the current pose */
typedef struct si_twist {
  float origin[3], axis[3], length;
  int segment, source, base; /* base: what the source rotates relative to; -1: the world */
  bool own;
  float degrees;
} si_twist;

/* a dual quaternion, x y z w each, aligned */
typedef struct si_dual {
  _Alignas(16) float real[4], part[4];
} si_dual;

struct sinew_skin {
  const sinew_rig *rig;
  si_watcher watcher;
  int segment_count, vertex_count, weight_count, twist_count;
  float *vertices, *normals; /* at the bind pose */
  uint32_t *segments;
  float *weights, *shares; /* shares: the share of the twist for each weight */
  int *twist_of;           /* of each segment; -1: none */
  si_twist *twists;
  /* for the current pose */
  float *unbind, *moves; /* 16 floats per segment: bind^-1 and M */
  si_dual *duals;
  bool *mirrored;
};

/* skin_bones.c: the bones of an evaluated pose, in the world, for distance queries */
typedef struct si_bone {
  sinew_surface *surface; /* the shape; NULL: lines */
  si_surface_tree *tree;
  const float *from; /* lines start here; NULL: there is no bone */
  const float *to;   /* the ends of the lines; none: the bone is a point */
  int to_count;
  float low[3], high[3];
} si_bone;

typedef struct si_bones {
  si_bone *list; /* one for each segment */
  int count;
  float *points;
} si_bones;

/* `shapes` may be NULL. */
sinew_status si_bones_make(const sinew_pose *bind, const sinew_shape *shapes, si_bones *dest,
                           sinew_error *error);
void si_bones_free(si_bones *bones);
/* The distance to a bone if it is less than `limit`, else `limit`. */
float si_bone_distance(const si_bone *bone, const float *place, float limit);
/* The same; fills `dest` with the nearest point if it is nearer than `limit`. */
float si_bone_nearest(const si_bone *bone, const float *place, float limit, float *dest);
/* The mean position of a segment's children, in the world; false if it has none. */
bool si_bone_end(const sinew_pose *bind, int segment, float *dest);

/* skin_trials.c: how far poses take a rig's segments from each other. */
typedef struct si_trials {
  const si_bones *bones;
  const sinew_rig *rig;
  int count, segments;
  float *moves, *backs; /* for each pose and segment: from the bind pose to it, and back */
} si_trials;

/* Evaluates poses of random DOFs. Free it with si_trials_free, also when it fails. */
sinew_status si_trials_make(const sinew_pose *bind, const si_bones *bones, si_trials *dest,
                            sinew_error *error);
void si_trials_free(si_trials *trials);
/* How far a quarter of the poses take a point that follows one segment from the bone of another, up
 * to `limit`. 0 for a segment and its parent, which share a joint. */
float si_trials_apart(const si_trials *trials, int of, int from, const float *place, float limit);

/* skin_graph.c: a mesh as a graph, in which vertices at the same position are one. */
typedef struct si_graph {
  uint32_t *first;               /* for each vertex: the first one at the same position */
  uint32_t *starts, *neighbours; /* of each first vertex, once for each triangle that they share */
} si_graph;

/* Takes its memory from the arena; false when there is none. */
bool si_graph_make(const sinew_shape *mesh, si_arena *arena, si_graph *dest);

/* skin_weights.c: SI_SKIN_AUTOMATIC segments and weights per vertex. */
sinew_status si_skin_automatic(const sinew_pose *bind, const sinew_skin_desc *desc,
                               uint32_t *segments, float *weights, sinew_error *error);

/* The weights of a vertex while they are computed, in descending order; equal ones by segment. */
enum { SI_SLOTS = 8 };
typedef struct si_slots {
  float weights[SI_SLOTS];
  uint32_t segments[SI_SLOTS];
  int count;
} si_slots;

/* Inserts a weight; if there is no room, *dropped becomes the largest weight that was left out. */
void si_slots_insert(si_slots *slots, int room, uint32_t segment, float weight, float *dropped);
/* Subtracts the dropped weight from all, removes those that become 0, and makes the sum 1. */
void si_slots_settle(si_slots *slots, float dropped);

/* skin_reach.c: the weights of each first vertex by distance through the body. */
sinew_status si_skin_reach(const si_bones *bones, const sinew_skin_desc *desc,
                           const si_graph *graph, si_slots *dest, sinew_error *error);

#endif
