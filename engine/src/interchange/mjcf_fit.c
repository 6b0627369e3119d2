/* Fitting joints of one axis to a rig. A single DOF moves a segment relative to its parent by D(q).
 * The axis of the first hinge is the principal direction of the rotation vectors of D, and its
 * angles are their twists about that axis; the remainder is fitted again, at most three times. The
 * centre c is a least-squares fit of (I - R) c to the path of the origin, and slides take the
 * remainder. Of the joints that a DOF moves, the one that follows it most linearly represents it
 * (the carrier). The order of the motions of several DOFs is found by swapping pairs. */
#include "compile/rig_internal.h"
#include "interchange/mjcf_internal.h"
#include "math/wide.h"

#include <math.h>
#include <string.h>

static const double least_angle = 1e-3, least_way = 2e-4;

si_move si_move_mul(const si_move *a, const si_move *b) {
  si_move m;
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      m.turn[3 * c + r] = 0;
      for (int k = 0; k < 3; k++) m.turn[3 * c + r] += a->turn[3 * k + r] * b->turn[3 * c + k];
    }
    m.place[r] = a->place[r];
    for (int k = 0; k < 3; k++) m.place[r] += a->turn[3 * k + r] * b->place[k];
  }
  return m;
}

si_move si_move_inverse(const si_move *a) {
  si_move m;
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) m.turn[3 * c + r] = a->turn[3 * r + c];
    m.place[r] = 0;
    for (int k = 0; k < 3; k++) m.place[r] -= a->turn[3 * r + k] * a->place[k];
  }
  return m;
}

static si_move turn_about(const double *n, const double *centre, double angle) {
  const double s = sin(angle), t = 1 - cos(angle);
  si_move m;
  for (int c = 0; c < 3; c++) {
    const int c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    for (int r = 0; r < 3; r++) m.turn[3 * c + r] = t * n[r] * n[c];
    m.turn[3 * c + c] += 1 - t;
    m.turn[3 * c + c1] += s * n[c2];
    m.turn[3 * c + c2] -= s * n[c1];
  }
  for (int r = 0; r < 3; r++) {
    m.place[r] = centre[r];
    for (int k = 0; k < 3; k++) m.place[r] -= m.turn[3 * k + r] * centre[k];
  }
  return m;
}

void si_move_quat(const si_move *move, double *q) {
  si_wide_quat(move->turn, q);
  const double sign = q[3] < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++) q[i] *= sign;
}

double si_polynomial(const double *poly, double x) {
  double y = 0;
  for (int i = SI_MJCF_TERMS; i-- > 0;) y = y * x + poly[i];
  return y;
}

/* solves a symmetric system in place, with pivots kept from zero */
static void solve(double *a, double *b, int n) {
  for (int i = 0; i < n; i++) {
    int pivot = i;
    for (int k = i + 1; k < n; k++)
      if (fabs(a[k * n + i]) > fabs(a[pivot * n + i])) pivot = k;
    for (int k = 0; k < n; k++) {
      double swap = a[i * n + k];
      a[i * n + k] = a[pivot * n + k], a[pivot * n + k] = swap;
    }
    double swap = b[i];
    b[i] = b[pivot], b[pivot] = swap;
    if (fabs(a[i * n + i]) < 1e-300) a[i * n + i] = 1e-300;
    for (int k = i + 1; k < n; k++) {
      double f = a[k * n + i] / a[i * n + i];
      for (int c = i; c < n; c++) a[k * n + c] -= f * a[i * n + c];
      b[k] -= f * b[i];
    }
  }
  for (int i = n; i-- > 0;) {
    for (int k = i + 1; k < n; k++) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
}

/* least-squares fit of y(x) by a polynomial without a constant; returns the largest error */
static double fit_polynomial(const double *x, const double *y, int order, double *dest) {
  double a[16] = { 0 }, b[4] = { 0 }, size = 0, worst = 0;
  for (int k = 0; k < SI_MJCF_SAMPLES; k++) size = fmax(size, fabs(x[k]));
  memset(dest, 0, SI_MJCF_TERMS * sizeof *dest);
  if (size < 1e-12) return INFINITY;
  for (int k = 0; k < SI_MJCF_SAMPLES; k++)
    for (int i = 0; i < order; i++) {
      for (int c = 0; c < order; c++) a[i * order + c] += pow(x[k] / size, i + c + 2);
      b[i] += pow(x[k] / size, i + 1) * y[k];
    }
  for (int i = 0; i < order; i++) a[i * order + i] += 1e-12;
  solve(a, b, order);
  for (int i = 0; i < order; i++) dest[i + 1] = b[i] / pow(size, i + 1);
  for (int k = 0; k < SI_MJCF_SAMPLES; k++)
    worst = fmax(worst, fabs(si_polynomial(dest, x[k]) - y[k]));
  return worst;
}

/* the principal direction of the rotation vectors, by powers of their moments; the largest angle */
static double main_axis(const si_move *moves, double *dest) {
  double moments[9] = { 0 }, most = 0;
  for (int k = 0; k < SI_MJCF_SAMPLES; k++) {
    double q[4];
    si_move_quat(&moves[k], q);
    for (int i = 0; i < 9; i++) moments[i] += q[i / 3] * q[i % 3];
    most = fmax(most, 2 * sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]));
  }
  int largest = moments[0] > moments[4] ? 0 : 4;
  if (moments[8] > moments[largest]) largest = 8;
  memcpy(dest, moments + largest / 4 * 3, 3 * sizeof *dest);
  for (int round = 0; round < 200; round++) {
    double next[3] = { 0 }, length = 0;
    for (int i = 0; i < 9; i++) next[i / 3] += moments[i] * dest[i % 3];
    for (int i = 0; i < 3; i++) length += next[i] * next[i];
    if (!(length > 0)) break;
    for (int i = 0; i < 3; i++) dest[i] = next[i] / sqrt(length);
  }
  /* points to the side about which the far end of the range rotates */
  double q[4];
  si_move_quat(&moves[SI_MJCF_SAMPLES - 1], q);
  if (q[0] * dest[0] + q[1] * dest[1] + q[2] * dest[2] < 0)
    for (int i = 0; i < 3; i++) dest[i] = -dest[i];
  return most;
}

/* least-squares fit of c in (I - R) c = position */
static void fit_centre(const si_move *moves, double *dest) {
  double a[9] = { 0 }, trace = 0;
  memset(dest, 0, 3 * sizeof *dest);
  for (int k = 0; k < SI_MJCF_SAMPLES; k++) {
    double m[9]; /* I - R, column-major */
    for (int i = 0; i < 9; i++) m[i] = (i % 4 == 0) - moves[k].turn[i];
    for (int i = 0; i < 9; i++)
      for (int r = 0; r < 3; r++) a[i] += m[3 * (i / 3) + r] * m[3 * (i % 3) + r];
    for (int i = 0; i < 3; i++)
      for (int r = 0; r < 3; r++) dest[i] += m[3 * i + r] * moves[k].place[r];
  }
  for (int i = 0; i < 9; i += 4) trace += a[i];
  for (int i = 0; i < 9; i += 4) a[i] += 1e-5 * trace + 1e-12;
  solve(a, dest, 3);
}

static si_mjcf_joint *add_joint(si_mjcf *m, si_mjcf_motion *motion, bool hinge) {
  if (!si_grow(&m->joints, &m->joint_room, m->joint_count + 1, sizeof *m->joints))
    return si_memory_null(m->error);
  motion->count++;
  si_mjcf_joint *j = &m->joints[m->joint_count++];
  *j = (si_mjcf_joint){ .hinge = hinge };
  return j;
}

/* unwraps angles: removes full turns between neighbours, starting from the one nearest to rest */
static void unwind(double *angles) {
  const double turn = 2 * acos(-1);
  int rest = 0;
  for (int k = 1; k < SI_MJCF_SAMPLES; k++)
    if (fabs(angles[k]) < fabs(angles[rest])) rest = k;
  for (int k = rest + 1; k < SI_MJCF_SAMPLES; k++)
    angles[k] -= turn * round((angles[k] - angles[k - 1]) / turn);
  for (int k = rest - 1; k >= 0; k--) angles[k] -= turn * round((angles[k] - angles[k + 1]) / turn);
}

/* fits slides, then hinges; overwrites the samples */
static bool fit_motion(si_mjcf *m, si_mjcf_motion *motion, si_move *moves) {
  double centre[3], axis[3], most = main_axis(moves, axis);
  if (most > least_angle)
    fit_centre(moves, centre);
  else
    memset(centre, 0, sizeof centre);
  for (int i = 0; i < 3; i++) {
    double values[SI_MJCF_SAMPLES], far = 0;
    for (int k = 0; k < SI_MJCF_SAMPLES; k++) {
      values[k] = moves[k].place[i] - centre[i];
      for (int c = 0; c < 3; c++) values[k] += moves[k].turn[3 * c + i] * centre[c];
      far = fmax(far, fabs(values[k]));
    }
    if (far < least_way) continue;
    si_mjcf_joint *j = add_joint(m, motion, false);
    if (!j) return false;
    j->axis[i] = 1;
    memcpy(j->values, values, sizeof values);
  }
  for (int round = 0; round < 3 && most > least_angle; round++) {
    si_mjcf_joint *j = add_joint(m, motion, true);
    if (!j) return false;
    memcpy(j->axis, axis, sizeof axis);
    memcpy(j->centre, centre, sizeof centre);
    for (int k = 0; k < SI_MJCF_SAMPLES; k++) {
      double q[4];
      si_move_quat(&moves[k], q);
      j->values[k] = 2 * atan2(q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2], q[3]);
    }
    unwind(j->values);
    for (int k = 0; k < SI_MJCF_SAMPLES; k++) {
      si_move back = turn_about(axis, centre, -j->values[k]);
      moves[k] = si_move_mul(&back, &moves[k]);
    }
    most = main_axis(moves, axis);
  }
  return true;
}

si_move si_mjcf_world(const si_mjcf *m, int segment) {
  const float *from = sinew_pose_worlds(m->pose) + 16 * (size_t)segment;
  si_move w;
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++)
      w.turn[3 * c + r] = (double)from[4 * c + r] * (c == 0 && m->mirrored[segment] ? -1 : 1);
  for (int r = 0; r < 3; r++) w.place[r] = (double)from[12 + r];
  return w;
}

static int parent_of(const si_mjcf *m, int segment) {
  return (int)sinew_rig_segment_info(m->rig, sinew_rig_segment(m->rig, segment)).parent.id - 1;
}

/* the transform of a segment relative to its rest transform in its parent */
static si_move moved(const si_mjcf *m, int segment) {
  si_move world = si_mjcf_world(m, segment), back;
  if (parent_of(m, segment) >= 0) {
    si_move parent = si_mjcf_world(m, parent_of(m, segment));
    back = si_move_inverse(&parent);
    world = si_move_mul(&back, &world);
  }
  back = si_move_inverse(&m->bodies[segment]);
  return si_move_mul(&back, &world);
}

sinew_status si_mjcf_eval(si_mjcf *m) {
  sinew_pose_set_all(m->pose, m->values, m->dof_count, NULL);
  return m->desc.eval ? m->desc.eval(m->pose, m->desc.user, m->error)
                      : sinew_pose_eval(m->pose, m->error);
}

static sinew_dof_info dof_info(const si_mjcf *m, int dof) {
  return sinew_rig_dof_info(m->rig, sinew_rig_dof(m->rig, dof));
}

static double sample_at(const sinew_dof_info *dof, int k) {
  return (double)dof->min + ((double)dof->max - (double)dof->min) * k / (SI_MJCF_SAMPLES - 1);
}

/* whether one of these nodes drives the segment */
static bool is_driven(const si_mjcf *m, size_t segment, const bool *nodes) {
  const si_source driver = m->rig->model.segments[segment].source;
  return driver.kind == SI_FROM_OUTPUT && nodes[m->rig->node_of[driver.id - 1]];
}

/* one DOF over its range, the others at rest: joints of every segment that it drives, for which
 * `reached` has room for the rig's nodes */
static sinew_status fit_dof(si_mjcf *m, int dof, si_move *samples, bool *reached) {
  const sinew_dof_info info = dof_info(m, dof);
  const size_t count = (size_t)m->segment_count;
  si_rig_reach(m->rig, (uint32_t)dof, reached);
  for (int i = 0; i < m->dof_count; i++) m->values[i] = dof_info(m, i).rest;
  for (int k = 0; k < SI_MJCF_SAMPLES; k++) {
    m->values[dof] = (float)sample_at(&info, k);
    sinew_status status = si_mjcf_eval(m);
    if (status < 0) return status;
    for (size_t s = 0; s < count; s++)
      if (is_driven(m, s, reached)) samples[s * SI_MJCF_SAMPLES + (size_t)k] = moved(m, (int)s);
  }
  for (size_t s = 0; s < count; s++) {
    if (!is_driven(m, s, reached)) continue;
    si_mjcf_motion motion = { .segment = (int)s, .dof = dof, .first = m->joint_count };
    if (!fit_motion(m, &motion, samples + s * SI_MJCF_SAMPLES)) return SINEW_ERR_MEMORY;
    if (motion.count == 0) continue;
    if (!si_grow(&m->motions, &m->motion_room, m->motion_count + 1, sizeof motion))
      return si_fail_memory(m->error);
    m->motions[m->motion_count++] = motion;
  }
  return SINEW_OK;
}

/* chooses the joint that follows the DOF most linearly over the widest range, then fits the others
 * as polynomials of its value */
static void choose_carrier(si_mjcf *m, int dof, size_t first) {
  const sinew_dof_info info = dof_info(m, dof);
  double x[SI_MJCF_SAMPLES], poly[SI_MJCF_TERMS], best = -1;
  size_t chosen = first;
  for (int k = 0; k < SI_MJCF_SAMPLES; k++) x[k] = sample_at(&info, k) - (double)info.rest;
  for (size_t i = first; i < m->joint_count; i++) {
    const si_mjcf_joint *j = &m->joints[i];
    double wide = fabs(j->values[SI_MJCF_SAMPLES - 1] - j->values[0]);
    double off = fit_polynomial(x, j->values, 1, poly);
    /* a metre counts as a radian */
    double merit = wide / (1 + 100 * off / (wide + 1e-9));
    if (merit <= best) continue;
    best = merit;
    chosen = i;
  }
  if (first == m->joint_count) return;
  m->joints[chosen].carrier = true;
  m->carried[dof] = chosen + 1;
  fit_polynomial(x, m->joints[chosen].values, 4, m->carriers + SI_MJCF_TERMS * (size_t)dof);
  double carried[SI_MJCF_SAMPLES];
  for (int k = 0; k < SI_MJCF_SAMPLES; k++)
    carried[k] = si_polynomial(m->carriers + SI_MJCF_TERMS * (size_t)dof, x[k]);
  for (size_t i = first; i < m->joint_count; i++)
    fit_polynomial(carried, m->joints[i].values, 4, m->joints[i].poly);
  memset(m->joints[chosen].poly, 0, sizeof poly);
  m->joints[chosen].poly[1] = 1;
}

si_move si_mjcf_product(const si_mjcf *m, const si_mjcf_motion *first, size_t count) {
  static const double origin[3] = { 0, 0, 0 }, any[3] = { 1, 0, 0 };
  si_move all = turn_about(any, origin, 0);
  for (const si_mjcf_motion *motion = first; motion < first + count; motion++) {
    double x = (double)m->values[motion->dof] - (double)dof_info(m, motion->dof).rest;
    double carried = si_polynomial(m->carriers + SI_MJCF_TERMS * (size_t)motion->dof, x);
    for (size_t i = motion->first; i < motion->first + (size_t)motion->count; i++) {
      const si_mjcf_joint *j = &m->joints[i];
      double value = si_polynomial(j->poly, carried);
      si_move one = turn_about(j->axis, j->centre, j->hinge ? value : 0);
      for (int k = 0; k < 3 && !j->hinge; k++) one.place[k] = value * j->axis[k];
      all = si_move_mul(&all, &one);
    }
  }
  return all;
}

/* the error of the product over the trials: metres plus radians times 0.1 m */
static double order_error(si_mjcf *m, const si_mjcf_motion *first, size_t count,
                          const float *trials, const si_move *wanted) {
  double sum = 0;
  for (size_t t = 0; t < SI_MJCF_TRIALS; t++) {
    memcpy(m->values, trials + t * (size_t)m->dof_count, (size_t)m->dof_count * sizeof(float));
    si_move got = si_mjcf_product(m, first, count), back = si_move_inverse(&wanted[t]);
    si_move off = si_move_mul(&back, &got);
    double q[4], place = 0;
    si_move_quat(&off, q);
    for (int k = 0; k < 3; k++) place += off.place[k] * off.place[k];
    sum += sqrt(place) + 0.2 * asin(fmin(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), 1));
  }
  return sum;
}

static void order_motions(si_mjcf *m, si_mjcf_motion *first, size_t count, const float *trials,
                          const si_move *wanted) {
  double best = order_error(m, first, count, trials, wanted);
  bool better = count > 1;
  for (int round = 0; better && round < 8; round++) {
    better = false;
    for (size_t i = 0; i + 1 < count; i++)
      for (size_t k = i + 1; k < count; k++) {
        si_mjcf_motion swap = first[i];
        first[i] = first[k], first[k] = swap;
        double error = order_error(m, first, count, trials, wanted);
        if (error < best - 1e-9) {
          best = error;
          better = true;
          continue;
        }
        swap = first[i];
        first[i] = first[k], first[k] = swap;
      }
  }
}

/* groups the motions by segment and finds their best order */
static sinew_status order_all(si_mjcf *m) {
  const size_t dofs = (size_t)m->dof_count, segments = (size_t)m->segment_count;
  float *trials = si_alloc_array(SI_MJCF_TRIALS * dofs + 1, sizeof *trials);
  si_move *wanted = si_alloc_array(SI_MJCF_TRIALS * segments + 1, sizeof *wanted);
  sinew_status status = trials && wanted ? SINEW_OK : si_fail_memory(m->error);
  uint32_t state = 12345;
  for (size_t t = 0; status >= 0 && t < SI_MJCF_TRIALS; t++) {
    for (size_t i = 0; i < dofs; i++) {
      const sinew_dof_info info = dof_info(m, (int)i);
      state = state * 1664525u + 1013904223u;
      m->values[i] = info.min + (info.max - info.min) * (float)(state >> 8) / 16777216.0f;
    }
    memcpy(trials + t * dofs, m->values, dofs * sizeof(float));
    status = si_mjcf_eval(m);
    for (size_t s = 0; status >= 0 && s < segments; s++)
      wanted[s * SI_MJCF_TRIALS + t] = moved(m, (int)s);
  }
  /* they are ordered by DOF: a stable sort by segment */
  for (size_t i = 1; status >= 0 && i < m->motion_count; i++) {
    si_mjcf_motion motion = m->motions[i];
    size_t at = i;
    for (; at > 0 && m->motions[at - 1].segment > motion.segment; at--)
      m->motions[at] = m->motions[at - 1];
    m->motions[at] = motion;
  }
  for (size_t i = 0, next; status >= 0 && i < m->motion_count; i = next) {
    const int segment = m->motions[i].segment;
    for (next = i; next < m->motion_count && m->motions[next].segment == segment;) next++;
    order_motions(m, m->motions + i, next - i, trials, wanted + (size_t)segment * SI_MJCF_TRIALS);
  }
  si_free(trials);
  si_free(wanted);
  return status;
}

sinew_status si_mjcf_fit(si_mjcf *m) {
  static const double origin[3] = { 0, 0, 0 }, any[3] = { 1, 0, 0 };
  for (int i = 0; i < m->dof_count; i++) m->values[i] = dof_info(m, i).rest;
  sinew_status status = si_mjcf_eval(m);
  for (int s = 0; status >= 0 && s < m->segment_count; s++) {
    const float *w = sinew_pose_worlds(m->pose) + 16 * (size_t)s;
    double columns[3][3];
    for (int i = 0; i < 3; i++) si_wide(w + 4 * i, columns[i]);
    m->mirrored[s] = si_wide_triple(columns[0], columns[1], columns[2]) < 0;
    m->bodies[s] = turn_about(any, origin, 0);
  }
  for (int s = 0; status >= 0 && s < m->segment_count; s++) m->bodies[s] = moved(m, s);
  si_move *samples =
      si_alloc_array((size_t)m->segment_count * SI_MJCF_SAMPLES + 1, sizeof *samples);
  bool *reached = si_alloc((size_t)m->rig->node_count + 1);
  if (!samples || !reached) status = si_fail_memory(m->error);
  for (int i = 0; status >= 0 && i < m->dof_count; i++) {
    size_t first = m->joint_count;
    status = fit_dof(m, i, samples, reached);
    if (status >= 0) choose_carrier(m, i, first);
  }
  si_free(samples);
  si_free(reached);
  return status < 0 ? status : order_all(m);
}
