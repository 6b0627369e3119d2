/* The data of a glTF scene. */
#ifndef SI_GLTF_WRITE_H
#define SI_GLTF_WRITE_H

#include "base/text.h"
#include "compile/rig_internal.h"
#include "sinew/gltf.h"

/* a segment in its parent's frame: a position, and a rotation as x, y, z, w */
typedef struct si_placing_trs {
  float place[3], turn[4];
} si_placing_trs;

typedef struct si_gltf_node {
  int parent;    /* -1: none */
  bool mirrored; /* has a scale of -1 along x */
  si_placing_trs rest;
  double world[12]; /* at rest: three columns and the position */
  sinew_shape shape;
  float radius; /* of the shape around the segment's origin */
} si_gltf_node;

/* an animation: frames as they were given */
typedef struct si_gltf_take {
  char *name;
  float *times;
  si_placing_trs *placings; /* frame by frame */
  size_t frames, time_room, placing_room;
} si_gltf_take;

struct sinew_gltf {
  const sinew_rig *rig;
  si_watcher watcher;
  size_t segments, dofs;
  si_gltf_node *nodes;
  float *values; /* of the DOFs in the pose of the nodes */
  char **labels;
  si_gltf_take *takes;
  size_t take_count, take_room;
  float tolerance;
  bool skinned;
  const sinew_skin *skin; /* NULL: shapes are written */
  sinew_shape body;       /* what the skin was made of */
};

/* flags: which tracks of a segment have a key at a frame */
enum { SI_GLTF_PLACE = 1, SI_GLTF_TURN = 2 };

/* The 3x4 matrix of a placing under that of its parent (NULL: none). */
void si_gltf_world(const double *parent, const si_placing_trs *placing, bool mirrored,
                   double dest[12]);

/* gltf_tracks.c: chooses the keyframes of a take; `kept` has a byte for each frame and segment, in
 * the order of the placings. A track without keys keeps the transform of its node. */
sinew_status si_gltf_choose_keys(const sinew_gltf *gltf, const si_gltf_take *take,
                                 unsigned char *kept, sinew_error *error);

/* gltf_extras.c: the members of `extras` of the root and of a segment's node. */
void si_gltf_rig_extras(const sinew_gltf *gltf, si_text *dest);
/* `seen` has a byte for each component of the rig, `sources` for each node and DOF. */
void si_gltf_segment_extras(const sinew_gltf *gltf, int segment, unsigned char *seen, bool *sources,
                            si_text *dest);

#endif
