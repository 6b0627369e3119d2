/* Orders bodies as a tree from the ground along the joints, and coordinates so that each comes
 * before those that are coupled to it. */
#include "lua/osim/osim_model.h"

#include "base/alloc.h"

#include <math.h>

/* places a body relative to another by this joint, from child to parent if `inverse` */
static void place_body(si_osim_model *m, int body, int joint, bool inverse) {
  m->frames[body].joint = joint;
  m->frames[body].inverse = inverse;
  m->body_order[m->body_order_count++] = body;
}

/* one pass over the joints; each joint places at most one body */
static bool grow_tree(si_osim_model *m, bool *placed, bool *used, bool inverse) {
  bool grown = false;
  for (size_t i = 0; i < m->joint_count; i++) {
    const si_osim_joint *j = &m->joints[i];
    int from = inverse ? j->child : j->parent, to = inverse ? j->parent : j->child;
    if (used[i] || !placed[from] || placed[to]) continue;
    place_body(m, to, (int)i, inverse);
    placed[to] = used[i] = grown = true;
    if (inverse) return true; /* then continue with forward joints */
  }
  return grown;
}

static sinew_status order_bodies(si_osim_model *m) {
  bool *flags = si_alloc(m->body_count + m->joint_count + 1);
  m->body_order = si_alloc_array(m->body_count, sizeof *m->body_order);
  if (!flags || !m->body_order) {
    si_free(flags);
    return si_fail_memory(m->error);
  }
  bool *used = flags + m->body_count;
  flags[0] = true;
  while (grow_tree(m, flags, used, false) || grow_tree(m, flags, used, true)) continue;
  sinew_status status = SINEW_OK;
  for (size_t i = 1; i < m->body_count && status == SINEW_OK; i++) {
    if (flags[i]) continue;
    place_body(m, (int)i, -1, false);
    status = si_osim_lose_named(m, "bodies without a joint; placed at the origin of the ground",
                                "%s", m->frames[i].name);
  }
  for (size_t i = 0; i < m->joint_count && status == SINEW_OK; i++)
    if (!used[i])
      status = si_osim_lose_named(m, "joints that close a loop", "%s '%s'", m->joints[i].kind,
                                  m->joints[i].name);
  si_free(flags);
  return status;
}

static bool is_ready(const bool *done, const si_osim_coordinate *c) {
  for (int i = 0; c->coupled && i < c->coupling.count; i++)
    if (!done[c->coupling.coordinates[i]]) return false;
  return true;
}

static sinew_status order_coordinates(si_osim_model *m) {
  const size_t count = m->coordinate_count;
  bool *done = si_alloc(count + 1);
  m->coordinate_order = si_alloc_array(count + 1, sizeof *m->coordinate_order);
  if (!done || !m->coordinate_order) {
    si_free(done);
    return si_fail_memory(m->error);
  }
  sinew_status status = SINEW_OK;
  for (size_t ordered = 0; ordered < count && status == SINEW_OK;) {
    size_t before = ordered, waiting = count;
    for (size_t i = 0; i < count; i++) {
      if (done[i]) continue;
      if (is_ready(done, &m->coordinates[i])) {
        m->coordinate_order[ordered++] = (int)i;
        done[i] = true;
      } else if (waiting == count) {
        waiting = i;
      }
    }
    if (ordered == before) { /* a cycle of couplings: drop one of them */
      m->coordinates[waiting].coupled = false;
      status =
          si_osim_lose_named(m, "circular couplings", "that of '%s'", m->coordinates[waiting].name);
    }
  }
  si_free(done);
  return status;
}

/* gives every coordinate a finite range and a default inside it, as a DOF needs */
static sinew_status settle_ranges(si_osim_model *m) {
  sinew_status status = SINEW_OK;
  for (size_t i = 0; i < m->coordinate_count && status == SINEW_OK; i++) {
    si_osim_coordinate *c = &m->coordinates[i];
    if (c->coupled) continue;
    if (c->locked) {
      c->free_min = c->min;
      c->free_max = c->max;
      c->min = c->max = c->rest;
      continue;
    }
    /* replace an unlimited range by 360 degrees each way, or 100 m */
    const double widest = c->rotational ? 2 * M_PI : 100;
    if (c->max > widest || c->min < -widest) {
      status = si_osim_lose_named(m, "ranges, narrower here", "%s", c->key);
      c->min = fmin(fmax(c->min, -widest), widest);
      c->max = fmax(fmin(c->max, widest), -widest);
    }
    if (!c->clamped && status == SINEW_OK) {
      status = si_osim_lose_named(m, "motion outside the range (not clamped); clamped here", "%s",
                                  c->key);
      c->min = fmin(c->min, c->rest);
      c->max = fmax(c->max, c->rest);
    } else if ((c->rest < c->min || c->rest > c->max) && status == SINEW_OK) {
      status = si_osim_lose_named(m, "default values outside the range", "%s", c->key);
      c->rest = fmin(fmax(c->rest, c->min), c->max);
    }
  }
  return status;
}

sinew_status si_osim_order(si_osim_model *m) {
  sinew_status status = order_bodies(m);
  if (status == SINEW_OK) status = order_coordinates(m);
  return status == SINEW_OK ? settle_ranges(m) : status;
}
