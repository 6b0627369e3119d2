/* The pose's block of memory. */
#ifndef SI_POSE_INTERNAL_H
#define SI_POSE_INTERNAL_H

#include "compile/rig_internal.h"
#include "sinew/pose.h"

struct sinew_pose {
  si_watcher watcher; /* first, so that a pointer to it is one to the pose */
  const sinew_rig *rig;
  float *values;          /* the rig's value array; DOFs first */
  float *world;           /* 16 floats a segment, in the rig's order */
  float *held;            /* for each DOF: given value minus wanted value */
  float *good;            /* the last good values: all of them if good_whole, else only the DOFs */
  float *sines, *cosines; /* of the fused program's turns */
  uint64_t *marks;        /* dirty nodes, then dirty slots of the tree */
  uint64_t *moved;        /* DOFs that changed since the last evaluation */
  uint32_t moved_count;
  uint32_t revision;
  bool fresh; /* everything must be evaluated */
  bool good_whole;
  bool plain;     /* evaluate node by node, without the fused program */
  bool overflown; /* a product of the fused program was not finite */
  bool lazy;      /* the nodes that are left aside were not evaluated yet */
};

/* The value array with every output and hold of the last good evaluation. Read node values through
 * this function only, since the fused program leaves some of them aside. */
const float *si_pose_values(const sinew_pose *pose);

/* Evaluates a node that may fail. */
sinew_status si_pose_run(sinew_pose *pose, const sinew_node *node, sinew_error *error);

/* Marks everything that reads a DOF that moved. */
void si_marks_moved(sinew_pose *pose, const uint32_t *dof_first, const uint32_t *list);
static inline void si_marks_add(uint64_t *marks, const uint32_t *list, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) marks[list[i] / 64] |= UINT64_C(1) << list[i] % 64;
}
/* The bits of a word of marks that belong to items below `count`. */
static inline uint64_t si_marks_below(uint32_t count, uint32_t word) {
  uint32_t here = count - word * 64;
  return here >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << here) - 1;
}

#endif
