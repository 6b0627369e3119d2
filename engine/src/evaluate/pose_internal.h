/* The pose's block. */
#ifndef SI_POSE_INTERNAL_H
#define SI_POSE_INTERNAL_H

#include "compile/rig_internal.h"
#include "sinew/pose.h"

struct sinew_pose {
  si_watcher watcher; /* first, so that the pose is found by it */
  const sinew_rig *rig;
  float *values; /* the rig's value array; DOFs first */
  float *world;  /* 16 floats a segment, in the rig's order */
  float *held;   /* for each DOF: what it was given minus what was wanted */
  float *good;   /* the last good values: all of them where good_whole, else the DOFs alone */
  float *sines, *cosines; /* of the fused program's turns */
  uint64_t *marks;        /* dirty nodes, then dirty slots of the tree */
  uint64_t *moved;        /* DOFs that changed since the last evaluation */
  uint32_t moved_count;
  uint32_t revision;
  bool fresh; /* everything must be evaluated */
  bool good_whole;
  bool plain;     /* evaluate node by node, nothing fused */
  bool overflown; /* a product of the fused program was not finite */
  bool lazy;      /* the nodes that the fused program leaves aside were not evaluated */
};

/* The value array with every output and hold as of the last good evaluation. Whoever reads values
 * of nodes asks for it here: the fused program leaves some of them out. */
const float *si_pose_values(const sinew_pose *pose);

/* Evaluates a node that may fail. */
sinew_status si_pose_run(sinew_pose *pose, const sinew_node *node, sinew_error *error);

/* Marks everything that reads a DOF which has moved. */
void si_marks_moved(sinew_pose *pose, const uint32_t *dof_first, const uint32_t *list);
static inline void si_marks_add(uint64_t *marks, const uint32_t *list, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) marks[list[i] / 64] |= UINT64_C(1) << list[i] % 64;
}
/* The bits of a word of marks that stand for items below `count`. */
static inline uint64_t si_marks_below(uint32_t count, uint32_t word) {
  uint32_t here = count - word * 64;
  return here >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << here) - 1;
}

#endif
