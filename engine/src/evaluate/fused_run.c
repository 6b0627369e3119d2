/* Runs the fused program. Products that do not run in fours are here: sines and cosines are
 * computed four at a time, then a kernel for each number of rotations multiplies. A matrix stays in
 * registers until it is finished. */
#include "evaluate/fused_run.h"

#include "components/rotation.h"
#include "limits/cone_internal.h"
#include "math/angle.h"
#include "math/matrix.h"
#include "compile/scalar_steps.h"

/* the angles from rest of four turns, clamped to their ranges */
static inline si_v4 turns_by(const si_fused *f, uint32_t i, const float *values) {
  const uint32_t *at = f->turn_angle + i;
  si_v4 wanted = { values[at[0]], values[at[1]], values[at[2]], values[at[3]] };
  return si_rotation_angle_four(wanted, si_load(f->low + i), si_load(f->high + i)) -
         si_load(f->rest + i);
}

/* Sines and cosines of the turns from `from` up to `to`, rounded up to whole fours. Here and below,
 * a loop copies the fields of rig and pose that it reads to locals, since the compiler must assume
 * that a store changes them */
static void turn_all(const si_fused *fused, uint32_t from, uint32_t to, sinew_pose *pose) {
  const si_fused f = *fused;
  const float *values = pose->values;
  float *sines = pose->sines, *cosines = pose->cosines;
  const si_v4 limit = si_all(SI_SINCOS_LIMIT);
  si_i4 fine = { -1, -1, -1, -1 };
  for (uint32_t i = from; i < to; i += SI_LANES) {
    si_v4 angles = turns_by(&f, i, values), sine, cosine;
    fine &= (angles < limit) & (angles > -limit);
    si_sincos_four(angles, &sine, &cosine);
    si_store(sines + i, sine);
    si_store(cosines + i, cosine);
  }
  if (!si_any(~fine)) return;
  for (uint32_t i = from; i < to; i++)
    si_sincos(turns_by(&f, i / SI_LANES * SI_LANES, values)[i % SI_LANES], &sines[i], &cosines[i]);
}

/* the translation of a turn with several intervals */
static si_v4 turn_move(const sinew_rig *rig, uint32_t i, const sinew_pose *pose) {
  const si_fused *f = rig->fused;
  const si_rotation_data *h = f->rotations[i];
  float angle = si_rotation_angle_one(pose->values[f->turn_angle[i]], h->low, h->high);
  si_v4 move =
      si_rotation_move_four(h, 0, si_all(angle), si_all(pose->cosines[i]), si_all(pose->sines[i]));
  if (f->turn_slot[i] == SI_NONE) return move;
  return si_frame_point(si_frame_load(rig->rest + 16 * (size_t)f->turn_slot[i]), move);
}

static inline si_frame turn_frame(const si_turn *t, float cosine, float sine) {
  si_v4 c = si_all(cosine), s = si_all(sine);
  return (si_frame){ si_rotated_four(t->p, t->q, t->x, 0, 0, c, s),
                     si_rotated_four(t->p, t->q, t->x, 1, 0, c, s),
                     si_rotated_four(t->p, t->q, t->x, 2, 0, c, s),
                     si_rotated_four(t->p, t->q, t->x, 3, 0, c, s) };
}

/* the products of steps `from` up to `to`, with `count` rotations each; 0: first_turn gives the
 * number */
static inline __attribute__((always_inline)) void
products(const sinew_rig *rig, uint32_t from, uint32_t to, uint32_t count, sinew_pose *pose) {
  const si_fused *f = rig->fused;
  const si_turn *turns = f->turns;
  const si_rotation_data *const *rotations = f->rotations;
  const uint32_t *first = f->first_turn, *at = f->product_at;
  const float *cosines = pose->cosines, *sines = pose->sines;
  float *values = pose->values;
  si_v4 sum = si_all(0);
  uint32_t i = first[from - f->early];
  to -= f->early;
  for (uint32_t k = from - f->early; k < to; k++) {
    uint32_t end = count ? i + count : first[k + 1];
    si_frame m = turn_frame(turns + i, cosines[i], sines[i]);
    if (__builtin_expect(rotations[i] != NULL, 0)) m.t = turn_move(rig, i, pose);
    for (i++; i < end; i++) {
      si_frame next = turn_frame(turns + i, cosines[i], sines[i]);
      if (__builtin_expect(rotations[i] != NULL, 0)) next.t = turn_move(rig, i, pose);
      m = si_frame_mul(m, next);
    }
    /* A NaN angle or an overflow reaches the translation. Times zero it is a NaN, and the sum stays
     * NaN */
    sum += m.t * si_all(0);
    si_frame_store(m, values + at[k]);
  }
  pose->overflown |= !(sum[0] + sum[1] + sum[2] == 0);
}

static void products_of_one(const sinew_rig *rig, uint32_t from, uint32_t to, sinew_pose *pose) {
  products(rig, from, to, 1, pose);
}
static void products_of_two(const sinew_rig *rig, uint32_t from, uint32_t to, sinew_pose *pose) {
  products(rig, from, to, 2, pose);
}
static void products_of_three(const sinew_rig *rig, uint32_t from, uint32_t to, sinew_pose *pose) {
  products(rig, from, to, 3, pose);
}
static void products_of_more(const sinew_rig *rig, uint32_t from, uint32_t to, sinew_pose *pose) {
  products(rig, from, to, 0, pose);
}
static void (*const kernels[SI_TURN_GROUPS])(const sinew_rig *rig, uint32_t from, uint32_t to,
                                             sinew_pose *pose) = { products_of_one, products_of_two,
                                                                   products_of_three,
                                                                   products_of_more };

static sinew_status run_steps(sinew_pose *pose, uint32_t from, uint32_t to, sinew_error *error) {
  const sinew_rig *rig = pose->rig;
  const uint32_t *steps = rig->fused->steps;
  sinew_status status = SINEW_OK;
  if (!rig->can_fail)
    for (uint32_t i = from; i < to; i++) {
      const sinew_node *node = &rig->nodes[steps[i]];
      node->eval(node, pose->values);
    }
  else
    for (uint32_t i = from; i < to && status >= 0; i++)
      status = si_pose_run(pose, &rig->nodes[steps[i]], error);
  return status;
}

/* runs early steps; in a rig with components that may fail, through their nodes */
static sinew_status run_scalars(sinew_pose *pose, uint32_t from, uint32_t to, sinew_error *error) {
  if (pose->rig->can_fail) return run_steps(pose, from, to, error);
  si_scalars_run(pose->rig, from, to, pose->values);
  return SINEW_OK;
}

/* Runs products of one group one after the other. turn_all works on whole fours, so it also
 * computes sines of neighbours; those are correct too */
static void run_singly(const sinew_rig *rig, uint32_t from, uint32_t to, uint32_t group,
                       sinew_pose *pose) {
  const si_fused *f = rig->fused;
  uint32_t first = f->first_turn[from - f->early], end = f->first_turn[to - f->early];
  turn_all(f, first / SI_LANES * SI_LANES, end, pose);
  kernels[group](rig, from, to, pose);
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* products `from` up to `to` of one quad, which starts at product `start` */
static bool run_quad(const si_fused *f, const si_quad *quad, uint32_t start, uint32_t from,
                     uint32_t to, uint32_t turns, float *values) {
  enum { few = 2 }; /* so many products are faster one by one */
  bool fine = true;
  if (to - from > few) return si_quad_run(quad, turns, values);
  for (uint32_t i = from; i < to; i++)
    fine &= si_quad_run_one(quad, i - start, turns, f->firsts + (i - f->product_end[0]), values);
  return fine;
}

/* Runs consecutive products of one group, in fours if the group has quads. A quad may also compute
 * products outside the run; their angles are known too, so the results are correct */
static void run_products(const sinew_rig *rig, uint32_t from, uint32_t to, uint32_t group,
                         sinew_pose *pose) {
  const si_fused *f = rig->fused;
  if (group == 0 || group >= SI_QUAD_TURNS) {
    run_singly(rig, from, to, group, pose);
    return;
  }
  const uint32_t *ends = f->product_end;
  const si_quad *quad = si_quads_of(f, group + 1);
  uint32_t start = ends[group - 1] + (from - ends[group - 1]) / 4 * 4;
  quad += (start - ends[group - 1]) / 4;
  for (; start < to; start += 4, quad++) {
    uint32_t end = least(start + 4, to);
    if (quad->works)
      pose->overflown |= !run_quad(f, quad, start, from, end, group + 1, pose->values);
    else
      run_singly(rig, from, end, group, pose);
    from = end;
  }
}

static uint32_t group_of(const si_fused *f, uint32_t product) {
  uint32_t group = 0;
  while (product >= f->product_end[group]) group++;
  return group;
}

static bool marked(const sinew_pose *pose, uint32_t item) {
  return pose->marks[item / 64] >> item % 64 & 1;
}

/* runs step `i`, or if it is a product, also the marked products right after it */
static sinew_status run_from(sinew_pose *pose, uint32_t i, uint32_t *end, sinew_error *error) {
  const si_fused *f = pose->rig->fused;
  *end = i + 1;
  if (i < f->early) return run_scalars(pose, i, i + 1, error);
  if (i >= f->product_end[SI_TURN_GROUPS - 1]) return run_steps(pose, i, i + 1, error);
  uint32_t group = group_of(f, i);
  while (*end < f->product_end[group] && marked(pose, *end)) ++*end;
  run_products(pose->rig, i, *end, group, pose);
  return SINEW_OK;
}

/* runs early steps; a group that lies wholly in the range is evaluated together */
static sinew_status run_early(sinew_pose *pose, uint32_t from, uint32_t to, sinew_error *error) {
  const sinew_rig *rig = pose->rig;
  const si_fused *f = rig->fused;
  sinew_status status = SINEW_OK;
  for (uint32_t run = 0; run < f->group_runs && from < to && status >= 0; run++) {
    uint32_t start = f->groups[2 * run], end = f->groups[2 * run + 1];
    if (from > start || to < end) continue;
    status = run_scalars(pose, from, start, error);
    const sinew_node *first = &rig->nodes[f->steps[start]];
    rig->model.components[first->component - 1].cls->eval_all(rig->nodes, f->steps + start,
                                                              end - start, pose->values);
    from = end;
  }
  return status < 0 ? status : run_scalars(pose, from, to, error);
}

sinew_status si_fused_steps(sinew_pose *pose, uint32_t from, uint32_t to, sinew_error *error) {
  const si_fused *f = pose->rig->fused;
  uint32_t products_end = f->product_end[SI_TURN_GROUPS - 1];
  sinew_status status = run_early(pose, from, least(to, f->early), error);
  if (from < f->early) from = least(to, f->early);
  for (uint32_t group = 0; status >= 0 && from < least(to, products_end); group++) {
    uint32_t end = least(to, f->product_end[group]);
    if (from < end) run_products(pose->rig, from, end, group, pose);
    from = from < end ? end : from;
  }
  return status < 0 ? status : run_steps(pose, from, to, error);
}

sinew_status si_fused_all(sinew_pose *pose, sinew_error *error) {
  return si_fused_steps(pose, 0, pose->rig->fused->step_count, error);
}

sinew_status si_fused_marked(sinew_pose *pose, sinew_error *error) {
  const sinew_rig *rig = pose->rig;
  const si_fused *f = rig->fused;
  si_marks_moved(pose, f->dof_first, f->marks);
  for (uint32_t word = 0; word * 64 < f->step_count; word++) {
    uint64_t here = si_marks_below(f->step_count, word), bits;
    while ((bits = pose->marks[word] & here) != 0) {
      uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(bits), end;
      sinew_status status = run_from(pose, i, &end, error);
      if (status < 0) return status;
      for (; i < end; i++) {
        pose->marks[i / 64] &= ~(UINT64_C(1) << i % 64);
        si_marks_add(pose->marks, f->marks, f->step_first[i], f->step_first[i + 1]);
      }
    }
  }
  return SINEW_OK;
}

void si_fused_aside(sinew_pose *pose) {
  const sinew_rig *rig = pose->rig;
  for (uint32_t i = 0; i < rig->fused->aside_count; i++) {
    const sinew_node *node = &rig->nodes[rig->fused->aside[i]];
    node->eval(node, pose->values);
  }
}
