/* Creating a solver: which DOFs it moves and how stiff they are, one block with all working memory,
 * and the tangents for its goals and for the limits on the way. */
#include "solve/solve_internal.h"

#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "compile/fuse.h"
#include "compile/rig_internal.h"
#include "evaluate/tangent_internal.h"
#include "math/vector.h"

#include <string.h>

/* working memory while a solver is made */
typedef struct draft {
  sinew_dof *dofs; /* that were chosen */
  int count;
  float *stiffness;
  int *moves;       /* segments that each chosen DOF moves */
  float *weights;   /* of segments, see weigh_segments */
  double weight;    /* their sum */
  bool *moved;      /* segments that the current DOF moves */
  bool *goal_moved; /* goals whose segment a chosen DOF moves */
  bool *reached;    /* nodes that the current DOF reaches */
  bool *any;        /* nodes that a chosen DOF reaches */
  bool floats;      /* see find_floating */
} draft;

/* --- what a DOF carries */

/* How much of the rig each segment is: by mass where the rig has masses, else by the cube of its
 * length. Filled for the whole rig; returns the sum. */
static double weigh_segments(const sinew_rig *rig, float *dest) {
  const si_model *m = &rig->model;
  double sum = 0;
  for (uint32_t i = 0; i < m->segment_count; i++) sum += (double)(dest[i] = m->segments[i].mass);
  if (sum > 0) return sum;
  for (uint32_t i = 0; i < m->segment_count; i++) {
    float length = si_vec_length(m->segments[i].rest + 12), cube = length * length * length;
    uint32_t parent = m->segments[i].parent;
    dest[parent ? parent - 1 : i] += cube;
    sum += (double)cube;
  }
  return sum;
}

static bool descends(const sinew_rig *rig, uint32_t segment, uint32_t from) {
  while (segment && segment != from) segment = rig->model.segments[segment - 1].parent;
  return segment != 0;
}

/* what a DOF moves */
typedef struct load {
  bool goal;     /* a goal's segment */
  bool all;      /* every segment of the rig; where some have a mass, every one that has */
  float carried; /* share of the rig that moves along but is neither on the way to the goal nor
                    beyond it; the least over the goals */
} load;

/* the share of the rig's mass that a DOF must move to be used for balance */
static const double least_balance = 0.02;

static load load_of(const sinew_rig *rig, const sinew_solver_desc *desc, sinew_dof dof,
                    const draft *d) {
  load l = { .all = true, .carried = 1 };
  uint32_t count = rig->model.segment_count;
  bool *moved = d->moved, massive = si_rig_has_mass(rig);
  if (!si_work(rig->node_count + 2 * (size_t)count)) return l; /* the caller stops */
  si_rig_reach(rig, dof.id - 1, d->reached);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = rig->slots[k].segment, parent = rig->slots[k].parent;
    si_source driver = rig->model.segments[i].source;
    moved[i] = (parent != SI_NONE && moved[parent]) ||
               (driver.kind == SI_FROM_OUTPUT && d->reached[rig->node_of[driver.id - 1]]);
    l.all &= moved[i] || (massive && !(rig->model.segments[i].mass > 0));
  }
  double share = 0;
  for (uint32_t i = 0; i < count; i++) share += moved[i] ? (double)d->weights[i] : 0;
  for (int g = 0; g < desc->goal_count; g++) {
    const sinew_goal *goal = &desc->goals[g];
    const uint32_t ids[] = { goal->segment.id, goal->other.id, goal->end.id };
    if (goal->kind == SINEW_GOAL_BALANCE && share > least_balance * d->weight) {
      l.goal = true;
      l.carried = fminf(l.carried, 0.1f);
    }
    for (int which = 0; which < 3; which++) {
      if (!ids[which] || !moved[ids[which] - 1] || !si_work(5 * (size_t)count)) continue;
      double carried = 0;
      for (uint32_t i = 0; i < count; i++)
        if (moved[i] && !descends(rig, i + 1, ids[which]) && !descends(rig, ids[which], i + 1))
          carried += (double)d->weights[i];
      l.goal = true;
      l.carried = fminf(l.carried, d->weight > 0 ? (float)(carried / d->weight) : 0);
    }
  }
  return l;
}

/* Notes whether the rig floats: more than three DOFs move all of it, as those of a free joint do
 * and those of a robot's first joint do not, and other DOFs move every goal. */
static void find_floating(const sinew_rig *rig, const sinew_solver_desc *desc, draft *d) {
  int count = 0;
  for (uint32_t i = 1; i <= rig->model.dof_count; i++) {
    bool all = load_of(rig, desc, (sinew_dof){ i }, d).all;
    count += all;
    for (int g = 0; !all && g < desc->goal_count; g++)
      d->goal_moved[g] |= d->moved[desc->goals[g].segment.id - 1];
  }
  d->floats = count > 3;
  for (int g = 0; g < desc->goal_count; g++) {
    d->floats &= d->goal_moved[g];
    d->goal_moved[g] = false;
  }
}

static const float mostly = 0.25f; /* of the rig */

/* a DOF that moves the whole rig, which floats, or of which most has nothing to do with the goals
 */
static bool is_root(const draft *d, const load *l) {
  return l->all && (d->floats || l->carried > mostly);
}

static float default_stiffness(const sinew_rig *rig, const draft *d, sinew_dof dof, const load *l) {
  float given = rig->model.dofs[dof.id - 1].stiffness;
  if (given > 0) return given;
  if (is_root(d, l)) return 10 * (1 + 1000 * fmaxf(l->carried, mostly));
  return 1 + 1000 * l->carried;
}

static void lay_out(sinew_solver *s, si_carver *c) {
  size_t n = (size_t)s->columns, m = (size_t)s->rows, limits = (size_t)s->limit_count;
  size_t goals = (size_t)s->goal_count, cuts = si_most_cuts;
  s->goals = si_carve(c, goals, sizeof *s->goals, 16);
  s->kept_goals = si_carve(c, goals, sizeof *s->kept_goals, 16);
  s->scale = si_carve(c, goals, sizeof *s->scale, 16);
  s->tried_target = si_carve(c, goals * 3, sizeof(float), 16);
  s->dofs = si_carve(c, n, sizeof *s->dofs, 16);
  s->limits = si_carve(c, limits, sizeof *s->limits, 16);
  s->held = si_carve(c, limits, sizeof *s->held, 16);
  s->cuts = si_carve(c, cuts, sizeof *s->cuts, 16);
  s->free = si_carve(c, n, sizeof *s->free, 16);
  s->moved = si_carve(c, n, sizeof *s->moved, 16);
  s->active = si_carve(c, n + 1, sizeof *s->active, 16);
  float **const floats[] = { &s->asked_least, &s->asked_most, &s->least, &s->most, &s->range,
                             &s->stiffness,   &s->value,      &s->best,  &s->rate };
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    *floats[i] = si_carve(c, n, sizeof(float), 16);
  s->jacobian = si_carve(c, n * m, sizeof(float), 16);
  s->spare = si_carve(c, n * 6, sizeof(float), 16);
  s->residual = si_carve(c, m, sizeof(double), 16);
  s->trial_residual = si_carve(c, m, sizeof(double), 16);
  double **const columns[] = { &s->x,        &s->base,      &s->anchor,    &s->pull_to,
                               &s->low,      &s->high,      &s->step,      &s->gradient,
                               &s->free_low, &s->free_high, &s->free_step, &s->press,
                               &s->frame,    &s->way,       &s->start,     &s->start_aside };
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
    *columns[i] = si_carve(c, n, sizeof(double), 16);
  double **const squares[] = { &s->gram, &s->curvature, &s->matrix, &s->basis, &s->r };
  for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
    *squares[i] = si_carve(c, n * n, sizeof(double), 16);
  s->multiplier = si_carve(c, n + 1, sizeof(double), 16);
  s->vector = si_carve(c, 3 * n, sizeof(double), 16);
  s->cut_normals = si_carve(c, cuts * n, sizeof(double), 16);
  s->free_cuts = si_carve(c, cuts * n, sizeof(double), 16);
  s->free_most = si_carve(c, cuts, sizeof(double), 16);
}

/* adds the DOF that load_of looked at last */
static void choose(const sinew_rig *rig, const sinew_solver_desc *desc, draft *d, sinew_dof dof,
                   const load *l) {
  d->stiffness[d->count] = default_stiffness(rig, d, dof, l);
  d->dofs[d->count++] = dof;
  d->moves[d->count - 1] = 0;
  for (uint32_t i = 0; i < rig->model.segment_count; i++) d->moves[d->count - 1] += d->moved[i];
  for (uint32_t n = 0; n < rig->node_count; n++) d->any[n] |= d->reached[n];
  for (int g = 0; g < desc->goal_count; g++)
    d->goal_moved[g] |= d->moved[desc->goals[g].segment.id - 1];
}

/* the DOFs that move a goal. Those that move the whole rig come last, and only if they were asked
 * for or some goal is moved by no other. */
static void choose_movers(const sinew_rig *rig, const sinew_solver_desc *desc, draft *d) {
  bool root = desc->root;
  for (int pass = 0; pass < 2; pass++) {
    for (int g = 0; pass && g < desc->goal_count; g++) root |= !d->goal_moved[g];
    for (uint32_t i = 1; i <= rig->model.dof_count && (!pass || root); i++) {
      sinew_dof dof = { i };
      load l = load_of(rig, desc, dof, d);
      if (l.goal && is_root(d, &l) == (pass == 1)) choose(rig, desc, d, dof, &l);
    }
  }
}

/* the DOFs of the desc, or those that move a goal; false with `error` filled */
static bool choose_dofs(const sinew_rig *rig, const sinew_solver_desc *desc, draft *d,
                        sinew_error *error) {
  d->weight = weigh_segments(rig, d->weights);
  find_floating(rig, desc, d);
  if (!desc->dofs) choose_movers(rig, desc, d);
  for (int i = 0; desc->dofs && i < desc->dof_count; i++) {
    sinew_dof dof = desc->dofs[i];
    if (!dof.id || dof.id > rig->model.dof_count)
      return si_fail_false(error, SINEW_ERR_NAME, "DOF %d of the solver does not belong to the rig",
                           i + 1);
    for (int k = 0; k < d->count; k++)
      if (d->dofs[k].id == dof.id)
        return si_fail_false(error, SINEW_ERR_VALUE, "duplicate DOF '%s'",
                             rig->model.dofs[dof.id - 1].name);
    load l = load_of(rig, desc, dof, d);
    choose(rig, desc, d, dof, &l);
  }
  return d->count > 0 ||
         si_fail_false(error, SINEW_ERR_VALUE, "no DOF moves what the goals are about");
}

static sinew_tangent *make_tangent(const sinew_rig *rig, const sinew_solver_desc *desc,
                                   const sinew_dof *dofs, int count, sinew_error *error) {
  int used = 0;
  sinew_segment *segments = si_alloc_array(rig->model.segment_count, sizeof *segments);
  if (!segments) return si_memory_null(error);
  for (uint32_t id = 1; id <= rig->model.segment_count; id++)
    if (si_goals_watch(rig, desc->goals, desc->goal_count, (sinew_segment){ id }))
      segments[used++] = (sinew_segment){ id };
  sinew_tangent_desc asked = { .size = sizeof asked,
                               .dofs = dofs,
                               .dof_count = count,
                               .segments = segments,
                               .segment_count = used };
  sinew_tangent *tangent = sinew_tangent_create(rig, &asked, error);
  si_free(segments);
  return tangent;
}

static void fill(sinew_solver *s, const sinew_solver_desc *desc, const draft *d) {
  memcpy(s->goals, desc->goals, (size_t)s->goal_count * sizeof *s->goals);
  memcpy(s->dofs, d->dofs, (size_t)s->columns * sizeof *s->dofs);
  memcpy(s->stiffness, d->stiffness, (size_t)s->columns * sizeof *s->stiffness);
  memcpy(s->moved, d->moves, (size_t)s->columns * sizeof *s->moved);
  for (int i = 0; i < s->columns; i++) {
    s->asked_least[i] = -INFINITY;
    s->asked_most[i] = INFINITY;
  }
  si_limits_find(s->rig, desc, d->any, s->limits);
  for (uint32_t k = 0; k < s->rig->fused->aside_count; k++)
    for (int i = 0; i < s->limit_count; i++)
      s->lazy_limits |= s->limits[i].goal < 0 && !s->limits[i].turn &&
                        s->limits[i].node == s->rig->fused->aside[k];
}

static bool make_limit_tangent(sinew_solver *s, sinew_error *error) {
  int used = 0;
  sinew_component *parts = si_alloc_array((size_t)s->limit_count + 1, sizeof *parts);
  if (!parts) return si_memory_null(error) != NULL;
  for (int i = 0; i < s->limit_count; i++)
    if (s->limits[i].goal < 0) parts[used++].id = s->rig->nodes[s->limits[i].node].component;
  if (used)
    s->limit_tangent = si_tangent_create_holds(s->rig, s->dofs, s->columns, parts, used, error);
  si_free(parts);
  return !used || s->limit_tangent;
}

static sinew_solver *make(const sinew_rig *rig, const sinew_solver_desc *desc, draft *d,
                          sinew_error *error) {
  bool chosen = choose_dofs(rig, desc, d, error);
  if (si_stopped()) return si_memory_null(error);
  if (!chosen) return NULL;
  sinew_solver plan = { .rig = rig, .columns = d->count, .goal_count = desc->goal_count };
  for (int g = 0; g < desc->goal_count; g++) plan.rows += si_goal_rows(desc->goals[g].kind);
  plan.limit_count = si_limits_find(rig, desc, d->any, NULL);

  si_carver carver = { 0 };
  si_carve(&carver, 1, sizeof plan, SI_ALIGN);
  lay_out(&plan, &carver);
  sinew_solver *s = si_alloc(carver.used);
  if (!s) return si_memory_null(error);
  carver = (si_carver){ .base = (unsigned char *)s };
  si_carve(&carver, 1, sizeof plan, SI_ALIGN);
  *s = plan;
  lay_out(s, &carver);
  fill(s, desc, d);
  s->tangent = make_tangent(rig, desc, d->dofs, d->count, error);
  if (s->tangent && make_limit_tangent(s, error)) return s;
  sinew_solver_destroy(s);
  return NULL;
}

sinew_solver_desc sinew_default_solver_desc(void) {
  return (sinew_solver_desc){ .size = sizeof(sinew_solver_desc) };
}

sinew_solver *sinew_solver_create(const sinew_rig *rig, const sinew_solver_desc *desc,
                                  sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(rig && desc)) return NULL;
  sinew_solver_desc whole = sinew_default_solver_desc();
  if (!SI_TAKE_DESC(solver_desc, desc, &whole, error)) return NULL;
  if (desc->goal_count < 1 || !desc->goals)
    return si_fail_null(error, SINEW_ERR_VALUE, "a solver needs a goal");
  for (int g = 0; g < desc->goal_count; g++)
    if (!si_goal_check(rig, &desc->goals[g], g, error)) return NULL;
  size_t room = (size_t)(desc->dofs ? desc->dof_count : 0) + rig->model.dof_count + 1;
  size_t segments = rig->model.segment_count;
  size_t goals = (size_t)desc->goal_count, nodes = (size_t)rig->node_count + 1;
  draft d = { .dofs = si_alloc_array(room, sizeof *d.dofs),
              .stiffness = si_alloc_array(room, sizeof *d.stiffness),
              .moves = si_alloc_array(room, sizeof *d.moves),
              .weights = si_alloc_array(segments, sizeof *d.weights),
              .moved = si_alloc_array(segments, sizeof *d.moved),
              .goal_moved = si_alloc_array(goals, sizeof *d.goal_moved),
              .reached = si_alloc_array(nodes, sizeof *d.reached),
              .any = si_alloc_array(nodes, sizeof *d.any) };
  sinew_solver *s = NULL;
  if (d.dofs && d.stiffness && d.moves && d.weights && d.moved && d.goal_moved && d.reached &&
      d.any)
    s = make(rig, desc, &d, error);
  else
    si_fail_memory(error);
  si_free(d.dofs);
  si_free(d.stiffness);
  si_free(d.moves);
  si_free(d.weights);
  si_free(d.moved);
  si_free(d.goal_moved);
  si_free(d.reached);
  si_free(d.any);
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
  sinew_tangent_destroy(s->limit_tangent);
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
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(s && goal && index >= 0 && index < s->goal_count)) return SINEW_ERR_CALL;
  const sinew_goal *old = &s->goals[index];
  if (goal->kind != old->kind || goal->segment.id != old->segment.id ||
      goal->other.id != old->other.id || goal->end.id != old->end.id)
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

void sinew_solver_range(const sinew_solver *s, int index, float *dest_min, float *dest_max) {
  if (!SI_EXPECT(s && dest_min && dest_max && index >= 0 && index < s->columns)) return;
  *dest_min = s->asked_least[index];
  *dest_max = s->asked_most[index];
}

float sinew_solver_stiffness(const sinew_solver *s, int index) {
  if (!SI_EXPECT(s)) return 0;
  return SI_EXPECT(index >= 0 && index < s->columns) ? s->stiffness[index] : 0;
}

sinew_status sinew_solver_set_stiffness(sinew_solver *s, int index, float stiffness,
                                        sinew_error *error) {
  if (!SI_EXPECT(s && index >= 0 && index < s->columns)) return SINEW_ERR_CALL;
  if (!(stiffness > 0) || isinf(stiffness))
    return si_fail(error, SINEW_ERR_VALUE, "DOF '%s': a stiffness must be above 0, not %g",
                   s->rig->model.dofs[s->dofs[index].id - 1].name, (double)stiffness);
  s->stiffness[index] = stiffness;
  return SINEW_OK;
}
