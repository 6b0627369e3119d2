/* Creating a solver: one block with all working memory, and the tangent for its DOFs and
 * segments. */
#include "solve/solve_internal.h"

#include "base/error_internal.h"
#include "compile/rig_internal.h"

#include <string.h>

static bool moves_a_goal(const sinew_rig *rig, const sinew_solver_desc *desc, sinew_dof dof) {
  for (int g = 0; g < desc->goal_count; g++)
    for (int which = 0; which < 2; which++) {
      uint32_t at = which ? desc->goals[g].other.id : desc->goals[g].segment.id;
      for (; at; at = rig->model.segments[at - 1].parent) {
        si_source driver = rig->model.segments[at - 1].source;
        if (driver.kind == SI_FROM_OUTPUT &&
            sinew_rig_depends(rig, (sinew_component){ driver.id }, dof))
          return true;
      }
    }
  return false;
}

static void lay_out(sinew_solver *s, si_carver *c) {
  size_t n = (size_t)s->columns, m = (size_t)s->rows, small = n < m ? n : m;
  s->goals = si_carve(c, (size_t)s->goal_count, sizeof *s->goals, 16);
  s->dofs = si_carve(c, n, sizeof *s->dofs, 16);
  s->settles = si_carve(c, (size_t)s->settle_count, sizeof *s->settles, 16);
  s->asked_least = si_carve(c, n, sizeof(float), 16);
  s->asked_most = si_carve(c, n, sizeof(float), 16);
  s->least = si_carve(c, n, sizeof(float), 16);
  s->most = si_carve(c, n, sizeof(float), 16);
  s->range = si_carve(c, n, sizeof(float), 16);
  s->value = si_carve(c, n, sizeof(float), 16);
  s->best = si_carve(c, n, sizeof(float), 16);
  s->start = si_carve(c, n, sizeof(float), 16);
  s->outward = si_carve(c, n, sizeof(float), 16);
  s->jacobian = si_carve(c, n * m, sizeof(float), 16);
  s->spare = si_carve(c, n * 6, sizeof(float), 16);
  s->residual = si_carve(c, m, sizeof(double), 16);
  s->trial_residual = si_carve(c, m, sizeof(double), 16);
  s->low = si_carve(c, n, sizeof(double), 16);
  s->high = si_carve(c, n, sizeof(double), 16);
  s->wish = si_carve(c, n, sizeof(double), 16);
  s->step = si_carve(c, n, sizeof(double), 16);
  s->first_step = si_carve(c, n, sizeof(double), 16);
  s->promised = si_carve(c, m, sizeof(double), 16);
  s->matrix = si_carve(c, small * small, sizeof(double), 16);
  s->gram = si_carve(c, n * n, sizeof(double), 16);
  s->vector = si_carve(c, n + 2 * m, sizeof(double), 16);
  s->fixed = si_carve(c, n, sizeof(bool), 1);
}

/* fills `dest` with the DOFs of the desc, or those that move a goal; returns how many, or -1 with
 * `error` filled */
static int choose_dofs(const sinew_rig *rig, const sinew_solver_desc *desc, sinew_dof *dest,
                       sinew_error *error) {
  int count = 0, all = (int)rig->model.dof_count;
  if (!desc->dofs) {
    for (int i = 0; i < all; i++) {
      sinew_dof dof = { (uint32_t)i + 1 };
      if (moves_a_goal(rig, desc, dof)) dest[count++] = dof;
    }
    return count;
  }
  for (int i = 0; i < desc->dof_count; i++) {
    if (!desc->dofs[i].id || (int)desc->dofs[i].id > all) {
      si_fail(error, SINEW_ERR_NAME, "DOF %d of the solver does not belong to the rig", i + 1);
      return -1;
    }
    for (int k = 0; k < count; k++)
      if (dest[k].id == desc->dofs[i].id) {
        si_fail(error, SINEW_ERR_VALUE, "duplicate DOF '%s'",
                rig->model.dofs[desc->dofs[i].id - 1].name);
        return -1;
      }
    dest[count++] = desc->dofs[i];
  }
  return count;
}

static sinew_tangent *make_tangent(const sinew_rig *rig, const sinew_solver_desc *desc,
                                   const sinew_dof *dofs, int count, sinew_error *error) {
  int used = 0;
  sinew_segment *segments = si_alloc_array((size_t)desc->goal_count * 2, sizeof *segments);
  if (!segments) return si_memory_null(error);
  for (int g = 0; g < desc->goal_count; g++) {
    segments[used++] = desc->goals[g].segment;
    if (desc->goals[g].other.id) segments[used++] = desc->goals[g].other;
  }
  sinew_tangent_desc asked = { .size = sizeof asked,
                               .dofs = dofs,
                               .dof_count = count,
                               .segments = segments,
                               .segment_count = used };
  sinew_tangent *tangent = sinew_tangent_create(rig, &asked, error);
  si_free(segments);
  return tangent;
}

static void fill(sinew_solver *s, const sinew_solver_desc *desc, const sinew_dof *dofs) {
  memcpy(s->goals, desc->goals, (size_t)s->goal_count * sizeof *s->goals);
  memcpy(s->dofs, dofs, (size_t)s->columns * sizeof *s->dofs);
  for (int i = 0; i < s->columns; i++) {
    s->asked_least[i] = -INFINITY;
    s->asked_most[i] = INFINITY;
  }
}

static sinew_solver *make(const sinew_rig *rig, const sinew_solver_desc *desc, sinew_dof *dofs,
                          uint32_t *column_of, sinew_error *error) {
  int count = choose_dofs(rig, desc, dofs, error);
  if (count < 0) return NULL;
  if (count == 0)
    return si_fail_null(error, SINEW_ERR_VALUE, "no DOF moves what the goals are about");
  for (uint32_t i = 0; i < rig->model.dof_count; i++) column_of[i] = UINT32_MAX;
  for (int i = 0; i < count; i++) column_of[dofs[i].id - 1] = (uint32_t)i;
  sinew_solver plan = { .rig = rig, .columns = count, .goal_count = desc->goal_count };
  for (int g = 0; g < desc->goal_count; g++) plan.rows += si_goal_rows(desc->goals[g].kind);
  plan.settle_count = si_settle_find(rig, column_of, NULL);

  si_carver carver = { 0 };
  si_carve(&carver, 1, sizeof plan, SI_ALIGN);
  lay_out(&plan, &carver);
  sinew_solver *s = si_alloc(carver.used);
  if (!s) return si_memory_null(error);
  carver = (si_carver){ .base = (unsigned char *)s };
  si_carve(&carver, 1, sizeof plan, SI_ALIGN);
  *s = plan;
  lay_out(s, &carver);
  fill(s, desc, dofs);
  si_settle_find(rig, column_of, s->settles);
  s->tangent = make_tangent(rig, desc, dofs, count, error);
  if (!s->tangent) {
    si_free(s);
    return NULL;
  }
  return s;
}

sinew_solver_desc sinew_default_solver_desc(void) {
  return (sinew_solver_desc){ .size = sizeof(sinew_solver_desc) };
}

sinew_solver *sinew_solver_create(const sinew_rig *rig, const sinew_solver_desc *desc,
                                  sinew_error *error) {
  sinew_error local;
  if (!error) error = &local;
  sinew_error_clear(error);
  if (!SI_EXPECT(rig && desc)) return NULL;
  sinew_solver_desc whole = sinew_default_solver_desc();
  if (!SI_TAKE_DESC(solver_desc, desc, &whole, error)) return NULL;
  if (desc->goal_count < 1 || !desc->goals)
    return si_fail_null(error, SINEW_ERR_VALUE, "a solver needs a goal");
  for (int g = 0; g < desc->goal_count; g++)
    if (!si_goal_check(rig, &desc->goals[g], g, error)) return NULL;
  size_t room = (size_t)(desc->dofs ? desc->dof_count : 0) + rig->model.dof_count + 1;
  sinew_dof *dofs = si_alloc_array(room, sizeof *dofs);
  uint32_t *column_of = si_alloc_array(rig->model.dof_count + 1, sizeof *column_of);
  sinew_solver *s = NULL;
  if (dofs && column_of)
    s = make(rig, desc, dofs, column_of, error);
  else
    si_fail_memory(error);
  si_free(dofs);
  si_free(column_of);
  return s;
}

sinew_solver *sinew_reach_create(const sinew_rig *rig, sinew_segment bone, sinew_error *error) {
  sinew_goal goal = sinew_default_goal(SINEW_GOAL_POINT, bone);
  sinew_solver_desc desc = sinew_default_solver_desc();
  desc.goals = &goal;
  desc.goal_count = 1;
  return sinew_solver_create(rig, &desc, error);
}

void sinew_solver_destroy(sinew_solver *s) {
  if (!s) return;
  sinew_tangent_destroy(s->tangent);
  si_free(s);
}

int sinew_solver_dof_count(const sinew_solver *s) { return SI_EXPECT(s) ? s->columns : 0; }

sinew_dof sinew_solver_dof(const sinew_solver *s, int index) {
  if (!SI_EXPECT(s)) return (sinew_dof){ 0 };
  return SI_EXPECT(index >= 0 && index < s->columns) ? s->dofs[index] : (sinew_dof){ 0 };
}

int sinew_solver_goal_count(const sinew_solver *s) { return SI_EXPECT(s) ? s->goal_count : 0; }

sinew_goal sinew_solver_goal(const sinew_solver *s, int index) {
  if (!SI_EXPECT(s)) return (sinew_goal){ 0 };
  return SI_EXPECT(index >= 0 && index < s->goal_count) ? s->goals[index] : (sinew_goal){ 0 };
}

sinew_status sinew_solver_set_goal(sinew_solver *s, int index, const sinew_goal *goal,
                                   sinew_error *error) {
  sinew_error local;
  if (!error) error = &local;
  sinew_error_clear(error);
  if (!SI_EXPECT(s && goal && index >= 0 && index < s->goal_count)) return SINEW_ERR_CALL;
  const sinew_goal *old = &s->goals[index];
  if (goal->kind != old->kind || goal->segment.id != old->segment.id ||
      goal->other.id != old->other.id)
    return si_fail(error, SINEW_ERR_VALUE,
                   "goal %d keeps its kind and segments for as long as the solver", index + 1);
  if (!si_goal_check(s->rig, goal, index, error)) return error->status;
  s->goals[index] = *goal;
  return SINEW_OK;
}

sinew_status sinew_solver_set_range(sinew_solver *s, int index, float min, float max,
                                    sinew_error *error) {
  if (!SI_EXPECT(s && index >= 0 && index < s->columns)) return SINEW_ERR_CALL;
  const si_dof *dof = &s->rig->model.dofs[s->dofs[index].id - 1];
  float least = fmaxf(min, dof->min), most = fminf(max, dof->max);
  if (isnan(min) || isnan(max) || !(least <= most))
    return si_fail(error, SINEW_ERR_VALUE, "DOF '%s': nothing of %g to %g is in its range",
                   dof->name, (double)min, (double)max);
  s->asked_least[index] = min;
  s->asked_most[index] = max;
  return SINEW_OK;
}
