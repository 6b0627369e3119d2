/* Writing a rig as MJCF. A body has the rest transform of its segment, and its joints are applied
 * in the order in which they are written: a hinge rotates about an axis through a point of the
 * body, a slide translates along an axis. A quaternion cannot represent a mirrored segment, so the
 * x axis of such a segment is flipped. */
#include "interchange/mjcf_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "interchange/xml_out.h"
#include "sinew/file.h"

typedef struct off {
  double millimetres, degrees;
  int segment;
} off;

sinew_mjcf_desc sinew_default_mjcf_desc(void) {
  return (sinew_mjcf_desc){ .size = sizeof(sinew_mjcf_desc), .poses = 300 };
}

/* a name in a comment, which two dashes would end */
static void add_comment_name(si_text *t, const char *name) {
  char plain[128];
  snprintf(plain, sizeof plain - 1, "%s", name);
  si_text_make_plain(plain, strlen(plain));
  for (char *c = plain; *c; c++)
    if (*c == '-' || *c == '?') *c = '_';
  si_text_add(t, plain);
}

static void add_numbers(si_text *t, const double *numbers, int count) {
  for (int i = 0; i < count; i++) {
    double x = fabs(numbers[i]) < 1e-12 ? 0 : numbers[i];
    si_text_add(t, i ? " " : "");
    si_text_number(t, (float)x);
  }
}

static sinew_segment_info segment_info(const si_mjcf *m, int segment) {
  return sinew_rig_segment_info(m->rig, sinew_rig_segment(m->rig, segment));
}

static sinew_dof_info dof_info(const si_mjcf *m, int dof) {
  return sinew_rig_dof_info(m->rig, sinew_rig_dof(m->rig, dof));
}

/* the carrier of a DOF has its name; other joints are named segment/DOF/number */
static void add_joint_name(const si_mjcf *m, const si_mjcf_motion *motion, size_t joint,
                           si_text *t) {
  if (!m->joints[joint].carrier) {
    si_out_escaped(t, segment_info(m, motion->segment).name);
    si_text_add(t, "/");
  }
  si_out_escaped(t, dof_info(m, motion->dof).name);
  if (!m->joints[joint].carrier) si_text_format(t, "/%d", (int)(joint - motion->first) + 1);
}

static void add_joint(const si_mjcf *m, const si_mjcf_motion *motion, size_t joint, si_text *t) {
  const si_mjcf_joint *j = &m->joints[joint];
  si_text_add(t, "<joint name=\"");
  add_joint_name(m, motion, joint, t);
  si_text_add(t, j->hinge ? "\" type=\"hinge\" axis=\"" : "\" type=\"slide\" axis=\"");
  add_numbers(t, j->axis, 3);
  if (j->hinge) {
    si_text_add(t, "\" pos=\"");
    add_numbers(t, j->centre, 3);
  }
  if (j->carrier) {
    const sinew_dof_info info = dof_info(m, motion->dof);
    const double *poly = m->carriers + SI_MJCF_TERMS * (size_t)motion->dof;
    const double from = si_polynomial(poly, (double)info.min - (double)info.rest);
    const double to = si_polynomial(poly, (double)info.max - (double)info.rest);
    const double range[2] = { fmin(from, to), fmax(from, to) };
    if (range[1] > range[0]) {
      si_text_add(t, "\" limited=\"true\" range=\"");
      add_numbers(t, range, 2);
    }
  }
  si_text_add(t, "\"/>\n");
}

static void indent(si_text *t, int depth) {
  for (int i = 0; i < depth + 2; i++) si_text_add(t, "  ");
}

/* capsules to the child bodies, to make the skeleton visible */
static void add_geoms(const si_mjcf *m, int segment, int depth, si_text *t) {
  for (int i = segment + 1; i < m->segment_count; i++) {
    if ((int)segment_info(m, i).parent.id - 1 != segment) continue;
    const double *to = m->bodies[i].place;
    if (to[0] * to[0] + to[1] * to[1] + to[2] * to[2] < 1e-4) continue;
    indent(t, depth);
    si_text_add(t, "<geom type=\"capsule\" size=\"0.005\" contype=\"0\" conaffinity=\"0\" "
                   "fromto=\"0 0 0 ");
    add_numbers(t, to, 3);
    si_text_add(t, "\"/>\n");
  }
}

static int joints_of(const si_mjcf *m, int segment) {
  int count = 0;
  for (size_t i = 0; i < m->motion_count; i++)
    if (m->motions[i].segment == segment) count += m->motions[i].count;
  return count;
}

/* how many extra bodies a segment needs: MuJoCo allows six joints in each */
static int helpers_of(const si_mjcf *m, int segment) {
  int joints = joints_of(m, segment);
  return joints > 6 ? (joints - 1) / 6 : 0;
}

/* The mass of the segment, at its centre. MuJoCo wants an inertia too, and not a small one: that of
 * a ball as dense as water, or 0.0001. Bodies without a mass get a placeholder, which is light
 * where others have real ones. */
static void add_inertial(const si_mjcf *m, int segment, bool last, si_text *t) {
  const sinew_segment_info info = segment_info(m, segment);
  bool real = last && info.mass > 0;
  double mass = real ? (double)info.mass : m->massive ? 1e-3 : 0.1;
  double at[3] = { 0, 0, 0 }, radius = cbrt(3 * mass / (4 * acos(-1) * 1000));
  double inertia = fmax(0.4 * mass * radius * radius, 1e-4);
  for (int i = 0; real && i < 3; i++) at[i] = (double)info.mass_at[i];
  if (m->mirrored[segment]) at[0] = -at[0];
  si_text_add(t, "<inertial pos=\"");
  add_numbers(t, at, 3);
  si_text_add(t, "\" mass=\"");
  add_numbers(t, &mass, 1);
  si_text_add(t, "\" diaginertia=\"");
  add_numbers(t, (double[]){ inertia, inertia, inertia }, 3);
  si_text_add(t, "\"/>\n");
}

/* the first body of a segment has its transform, the last has its name */
static void start_body(const si_mjcf *m, int segment, int number, int depth, si_text *t) {
  indent(t, depth - 1);
  si_text_add(t, "<body name=\"");
  si_out_escaped(t, segment_info(m, segment).name);
  if (number < helpers_of(m, segment)) si_text_format(t, "/%d", number + 1);
  if (number == 0) {
    double q[4];
    si_move_quat(&m->bodies[segment], q);
    const double first[4] = { q[3], q[0], q[1], q[2] }; /* MuJoCo has w first */
    si_text_add(t, "\" pos=\"");
    add_numbers(t, m->bodies[segment].place, 3);
    si_text_add(t, "\" quat=\"");
    add_numbers(t, first, 4);
  }
  si_text_add(t, "\">\n");
  indent(t, depth);
  add_inertial(m, segment, number == helpers_of(m, segment), t);
}

static void open_body(const si_mjcf *m, int segment, int depth, si_text *t) {
  int written = 0;
  start_body(m, segment, 0, depth, t);
  for (size_t i = 0; i < m->motion_count; i++) {
    const si_mjcf_motion *motion = &m->motions[i];
    if (motion->segment != segment) continue;
    for (size_t k = motion->first; k < motion->first + (size_t)motion->count; k++, written++) {
      if (written && written % 6 == 0) start_body(m, segment, written / 6, depth, t);
      indent(t, depth);
      add_joint(m, motion, k, t);
    }
  }
  add_geoms(m, segment, depth, t);
}

/* writes nested bodies depth first, without recursion */
static void add_bodies(const si_mjcf *m, si_text *t) {
  int at = -1, depth = 0, from = 0;
  while (!t->failed) {
    int child = from;
    while (child < m->segment_count && (int)segment_info(m, child).parent.id - 1 != at) child++;
    if (child < m->segment_count) {
      open_body(m, child, ++depth, t);
      at = child;
      from = child + 1;
      continue;
    }
    if (at < 0) return;
    indent(t, --depth);
    for (int i = helpers_of(m, at); i >= 0; i--) si_text_add(t, i ? "</body>" : "</body>\n");
    from = at + 1;
    at = (int)segment_info(m, at).parent.id - 1;
  }
}

static void add_couplings(const si_mjcf *m, si_text *t) {
  si_text_add(t, "  <equality>\n");
  for (size_t i = 0; i < m->motion_count; i++) {
    const si_mjcf_motion *motion = &m->motions[i];
    for (size_t k = motion->first; k < motion->first + (size_t)motion->count; k++) {
      if (m->joints[k].carrier) continue;
      si_text_add(t, "    <joint joint1=\"");
      add_joint_name(m, motion, k, t);
      si_text_add(t, "\" joint2=\"");
      si_out_escaped(t, dof_info(m, motion->dof).name);
      si_text_add(t, "\" polycoef=\"");
      add_numbers(t, m->joints[k].poly, SI_MJCF_TERMS);
      si_text_add(t, "\"/>\n");
    }
  }
  si_text_add(t, "  </equality>\n  <custom>\n");
  for (int i = 0; i < m->dof_count; i++) {
    if (!m->carried[i]) continue;
    si_text_format(t, "    <numeric name=\"dof:");
    si_out_escaped(t, dof_info(m, i).name);
    si_text_format(t, "\" size=\"%d\" data=\"", SI_MJCF_TERMS);
    add_numbers(t, m->carriers + SI_MJCF_TERMS * (size_t)i, SI_MJCF_TERMS);
    si_text_add(t, "\"/>\n");
  }
  si_text_add(t, "  </custom>\n");
}

static void place_bodies(si_mjcf *m) {
  size_t at = 0;
  for (int s = 0; s < m->segment_count; s++) {
    size_t first = at;
    while (at < m->motion_count && m->motions[at].segment == s) at++;
    si_move turned = si_mjcf_product(m, m->motions + first, at - first);
    int parent = (int)segment_info(m, s).parent.id - 1;
    m->worlds[s] = si_move_mul(&m->bodies[s], &turned);
    if (parent >= 0) m->worlds[s] = si_move_mul(&m->worlds[parent], &m->worlds[s]);
  }
}

/* the largest error of each body over random poses */
static sinew_status measure(si_mjcf *m, off *dest) {
  uint32_t state = 99;
  for (int s = 0; s < m->segment_count; s++) dest[s] = (off){ 0, 0, s };
  for (int t = 0; t < m->desc.poses; t++) {
    for (int i = 0; i < m->dof_count; i++) {
      const sinew_dof_info info = dof_info(m, i);
      state = state * 1664525u + 1013904223u;
      m->values[i] = info.min + (info.max - info.min) * (float)(state >> 8) / 16777216.0f;
    }
    sinew_status status = si_mjcf_eval(m);
    if (status < 0) return status;
    place_bodies(m);
    for (int s = 0; s < m->segment_count; s++) {
      si_move want = si_mjcf_world(m, s), back = si_move_inverse(&want);
      si_move gap = si_move_mul(&back, &m->worlds[s]);
      double q[4], place = 0;
      si_move_quat(&gap, q);
      for (int k = 0; k < 3; k++) place += gap.place[k] * gap.place[k];
      double turn = 2 * atan2(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), q[3]);
      dest[s].millimetres = fmax(dest[s].millimetres, 1000 * sqrt(place));
      dest[s].degrees = fmax(dest[s].degrees, turn * 180 / acos(-1));
    }
  }
  return SINEW_OK;
}

static void add_errors(const si_mjcf *m, const off *errors, si_text *t) {
  for (int i = 0; i < m->segment_count; i++) {
    si_text_format(t, "    %9.3f mm %8.3f deg  ", errors[i].millimetres, errors[i].degrees);
    add_comment_name(t, segment_info(m, errors[i].segment).name);
    si_text_add(t, "\n");
  }
}

static void sort_errors(off *errors, int count) {
  for (int i = 1; i < count; i++) {
    off one = errors[i];
    int at = i;
    for (; at > 0 && errors[at - 1].millimetres < one.millimetres; at--)
      errors[at] = errors[at - 1];
    errors[at] = one;
  }
}

static void write_all(const si_mjcf *m, const off *errors, si_text *t) {
  si_text_add(t, "<mujoco model=\"");
  si_out_escaped(t, sinew_rig_name(m->rig) ? sinew_rig_name(m->rig) : "");
  si_text_add(t,
              "\">\n  <!-- Made by Sinew. An approximation: the worst that each body is off in the "
              "world, over\n");
  si_text_format(t, "    %d random poses:\n", m->desc.poses);
  add_errors(m, errors, t);
  for (int i = 0; i < m->dof_count; i++) {
    if (m->carried[i]) continue;
    si_text_add(t, "    the DOF ");
    add_comment_name(t, dof_info(m, i).name);
    si_text_add(t, " moves nothing by itself and is left out\n");
  }
  si_text_add(t,
              "    Inertias stand in for real ones, and so do masses where a segment has none. A "
              "numeric\n    dof:NAME is the polynomial that leads from a DOF, less its rest value, "
              "to the joint of\n    its name. -->\n");
  si_text_add(t,
              "  <compiler angle=\"radian\"/>\n  <option gravity=\"0 -9.81 0\"/>\n  <worldbody>\n");
  add_bodies(m, t);
  si_text_add(t, "  </worldbody>\n");
  add_couplings(m, t);
  si_text_add(t, "</mujoco>\n");
}

static sinew_status prepare(si_mjcf *m) {
  const size_t s = (size_t)m->segment_count + 1, d = (size_t)m->dof_count + 1;
  m->pose = sinew_pose_create(m->rig, m->error);
  m->mirrored = si_arena_take(&m->arena, s * sizeof *m->mirrored);
  m->bodies = si_arena_take(&m->arena, s * sizeof *m->bodies);
  m->worlds = si_arena_take(&m->arena, s * sizeof *m->worlds);
  m->carriers = si_arena_take(&m->arena, SI_MJCF_TERMS * d * sizeof *m->carriers);
  m->carried = si_arena_take(&m->arena, d * sizeof *m->carried);
  m->values = si_arena_take(&m->arena, d * sizeof *m->values);
  return m->pose && m->mirrored && m->bodies && m->worlds && m->carriers && m->carried && m->values
             ? SINEW_OK
             : si_fail_memory(m->error);
}

char *sinew_mjcf_format(const sinew_rig *rig, const sinew_mjcf_desc *desc, size_t *size,
                        char **report, sinew_error *error) {
  sinew_error_clear(error);
  if (report) *report = NULL;
  if (!SI_EXPECT(rig && desc && size))
    return si_fail_null(error, SINEW_ERR_CALL, "mjcf: no rig, desc or size");
  sinew_mjcf_desc whole = sinew_default_mjcf_desc();
  if (!SI_TAKE_DESC(mjcf_desc, desc, &whole, error)) return NULL;
  si_mjcf m = { .rig = rig,
                .desc = *desc,
                .segment_count = sinew_rig_segment_count(rig),
                .dof_count = sinew_rig_dof_count(rig),
                .error = error };
  si_text text = { 0 }, lines = { 0 };
  off *errors = si_alloc_array((size_t)m.segment_count + 1, sizeof *errors);
  for (int i = 0; i < m.segment_count; i++) m.massive |= segment_info(&m, i).mass > 0;
  sinew_status status = errors ? prepare(&m) : si_fail_memory(error);
  if (status >= 0) status = si_mjcf_fit(&m);
  if (status >= 0) status = measure(&m, errors);
  char *done = NULL;
  if (status >= 0) {
    sort_errors(errors, m.segment_count);
    write_all(&m, errors, &text);
    done = si_text_finish(&text, size, error);
  }
  if (done && report) {
    size_t length;
    si_text_add(&lines, "");
    add_errors(&m, errors, &lines);
    *report = si_text_finish(&lines, &length, error);
    if (!*report) {
      sinew_text_free(done);
      done = NULL;
    }
  }
  si_free(errors);
  sinew_pose_destroy(m.pose);
  si_free(m.joints);
  si_free(m.motions);
  si_arena_free(&m.arena);
  return done;
}
