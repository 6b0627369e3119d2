/* Names, tree and DOFs of a draft. */
#include "base/budget_internal.h"
#include "build/check.h"

#include "math/matrix.h"
#include "model/path.h"

#include <stdarg.h>
#include <stdio.h>

enum { most_params = 4096 };

void si_mistake(si_check *check, const char *origin, sinew_status status, const char *format, ...) {
  char prefix[256], text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  si_add(check->error, status, "%s%s", si_origin_prefix(origin, prefix, sizeof prefix), text);
}

/* the part of a full name after the joint set's */
static const char *own_name(const si_model *m, uint32_t joint_set, const char *full) {
  return joint_set ? full + strlen(m->joint_sets[joint_set - 1].name) + 1 : full;
}

static bool take_name(si_check *c, si_names *names, const char *what, const char *full,
                      const char *own, const char *origin, uint32_t value) {
  const char *fault = si_name_fault(own);
  char shown[SI_NAME_SHOWN];
  if (!si_work(8)) return false;
  if (fault)
    si_mistake(c, origin, SINEW_ERR_NAME, "%s '%s': its name %s", what, si_name_show(full, shown),
               fault);
  uint32_t before = si_names_find(names, full);
  if (before) {
    const char *other = what;
    if (names == &c->index.points) other = before & SI_POINT_COMPONENT ? "component" : "DOF";
    si_mistake(c, origin, SINEW_ERR_NAME, "%s '%s': there is already a %s of that name", what,
               si_name_show(full, shown), other);
  }
  return si_names_add(names, full, value);
}

static bool check_names(si_check *c) {
  si_model *m = c->model;
  si_names sets = { 0 };
  bool ok = true;
  for (uint32_t i = 0; ok && i < m->joint_set_count; i++) {
    si_joint_set *s = &m->joint_sets[i];
    ok = take_name(c, &sets, "joint set", s->name, s->name, s->origin, i + 1);
  }
  si_names_free(&sets);
  for (uint32_t i = 0; ok && i < m->segment_count; i++) {
    si_segment *s = &m->segments[i];
    ok = take_name(c, &c->index.segments, "segment", s->name, s->name, s->origin, i + 1);
  }
  for (uint32_t i = 0; ok && i < m->dof_count; i++) {
    si_dof *d = &m->dofs[i];
    ok = take_name(c, &c->index.points, "DOF", d->name, own_name(m, d->joint_set, d->name),
                   d->origin, i + 1);
  }
  for (uint32_t i = 0; ok && i < m->component_count; i++) {
    si_component *k = &m->components[i];
    ok = take_name(c, &c->index.points, "component", k->name, own_name(m, k->joint_set, k->name),
                   k->origin, (i + 1) | SI_POINT_COMPONENT);
  }
  return ok;
}

bool si_check_rest(const si_segment *s, sinew_error *error) {
  char prefix[256];
  const char *where = si_origin_prefix(s->origin, prefix, sizeof prefix);
  if (!si_finite(s->rest, 16))
    si_add(error, SINEW_ERR_NOT_FINITE, "%ssegment '%s': its rest frame is not finite", where,
           s->name);
  else if (!si_mat_is_rigid(s->rest, 1e-3f))
    si_add(error, SINEW_ERR_VALUE,
           "%ssegment '%s': its rest frame is not rigid (it may only rotate, mirror and translate)",
           where, s->name);
  else
    return true;
  return false;
}

static void check_mass(si_check *c, const si_segment *s) {
  if (!isfinite(s->mass) || !si_finite(s->mass_at, 3))
    si_mistake(c, s->origin, SINEW_ERR_NOT_FINITE,
               "segment '%s': its mass and the centre of it must be finite", s->name);
  else if (s->mass < 0)
    si_mistake(c, s->origin, SINEW_ERR_VALUE, "segment '%s': its mass %g must not be negative",
               s->name, (double)s->mass);
}

static void check_tree(si_check *c) {
  si_model *m = c->model;
  for (uint32_t i = 0; i < m->segment_count; i++) {
    si_segment *s = &m->segments[i];
    si_check_rest(s, c->error);
    check_mass(c, s);
    if (!s->parent_name) continue;
    uint32_t parent = si_names_find(&c->index.segments, s->parent_name);
    if (strcmp(s->parent_name, s->name) == 0) {
      si_mistake(c, s->origin, SINEW_ERR_TREE, "segment '%s' is its own parent", s->name);
    } else if (!parent) {
      si_nearest near;
      char words[400];
      si_nearest_start(&near, s->parent_name);
      for (uint32_t k = 0; k < m->segment_count && !si_error_full(c->error); k++)
        if (k != i) si_nearest_offer(&near, m->segments[k].name);
      si_mistake(c, s->origin, SINEW_ERR_TREE, "segment '%s': no segment named '%s'%s", s->name,
                 s->parent_name, si_nearest_words(&near, words, sizeof words));
    } else if (parent > i) {
      si_mistake(c, s->origin, SINEW_ERR_TREE,
                 "segment '%s': its parent '%s' comes later; add parents first", s->name,
                 s->parent_name);
    } else {
      s->parent = parent;
    }
    c->broken_tree |= !s->parent;
  }
}

bool si_check_dof(const si_dof *d, sinew_error *error) {
  char prefix[256];
  const char *where = si_origin_prefix(d->origin, prefix, sizeof prefix);
  double min = (double)d->min, max = (double)d->max, rest = (double)d->rest;
  if (!isfinite(min) || !isfinite(max) || !isfinite(rest))
    si_add(error, SINEW_ERR_NOT_FINITE, "%sDOF '%s': min %g, max %g and rest %g must be finite",
           where, d->name, min, max, rest);
  else if (min > max)
    si_add(error, SINEW_ERR_VALUE, "%sDOF '%s': min %g is above max %g", where, d->name, min, max);
  else if (rest < min || rest > max)
    si_add(error, SINEW_ERR_VALUE, "%sDOF '%s': rest %g is outside %g to %g", where, d->name, rest,
           min, max);
  else if (!(d->stiffness >= 0) || isinf(d->stiffness))
    si_add(error, SINEW_ERR_VALUE, "%sDOF '%s': its stiffness %g must be finite and above 0", where,
           d->name, (double)d->stiffness);
  else
    return true;
  return false;
}

static void check_dofs(si_check *c) {
  for (uint32_t i = 0; i < c->model->dof_count; i++) si_check_dof(&c->model->dofs[i], c->error);
}

static void find_class(si_check *c, si_component *k) {
  k->cls = sinew_builder_class(c->builder, k->kind);
  if (k->cls) return;
  si_nearest near;
  char words[400];
  si_nearest_start(&near, k->kind);
  for (size_t i = 0; i < c->builder->class_count; i++)
    si_nearest_offer(&near, c->builder->classes[i]->name);
  for (int i = 0; sinew_catalog(i); i++) si_nearest_offer(&near, sinew_catalog(i)->name);
  si_mistake(c, k->origin, SINEW_ERR_NAME, "component '%s': no kind of component named '%s'%s",
             k->name, k->kind, si_nearest_words(&near, words, sizeof words));
}

bool si_check_model(si_check *c) {
  si_model *m = c->model;
  if (!check_names(c)) return false;
  check_tree(c);
  if (!si_ways_make(m, &c->index)) return false;
  check_dofs(c);
  size_t total = 0;
  for (uint32_t i = 0; i < m->component_count; i++) {
    si_component *k = &m->components[i];
    if (!si_work(10)) return false;
    find_class(c, k);
    if (k->cls && k->param_count > most_params) {
      si_mistake(c, k->origin, SINEW_ERR_LIMIT, "component '%s': %u parameters are more than %d",
                 k->name, k->param_count, most_params);
      k->cls = NULL; /* skips all further checks of it */
    }
    if (k->cls) si_count_ports(m, k);
    total += k->input_count;
  }
  c->inputs = si_alloc_array(total + 1, sizeof *c->inputs);
  c->bad = si_alloc_array((size_t)m->component_count + 1, sizeof *c->bad);
  if (!c->inputs || !c->bad) return false;
  size_t at = 0;
  for (uint32_t i = 0; i < m->component_count; i++) {
    si_component *k = &m->components[i];
    k->inputs = c->inputs + at;
    at += k->input_count;
  }
  if (!si_check_wires(c)) return false;
  for (uint32_t i = 0; i < m->component_count; i++) {
    if (!si_work(10)) return false;
    c->bad[i] = !m->components[i].cls || !si_check_params(&m->components[i], m, c->error);
  }
  return true;
}

void si_check_end(si_check *c) {
  si_names_free(&c->index.segments);
  si_names_free(&c->index.points);
  si_free(c->index.ways);
}
