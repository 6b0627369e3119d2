/* MJCF files are read with expat and evaluated by MuJoCo's rules, written here in doubles: the
 * error of each body must be the one that the file states. */
#include "fixture.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"
#include "scarce.h"

#include <expat.h>
#include <stdlib.h>

enum { MOST = 512 };

typedef struct joint {
  char name[128];
  int body;
  bool hinge;
  double axis[3], pos[3], value;
} joint;

typedef struct file {
  struct {
    char name[128];
    int parent, joints;
    double mass, mass_at[3];
    dmat frame, world;
    double millimetres, degrees; /* as stated in the file's comment */
  } bodies[MOST];
  joint joints[MOST];
  struct {
    char first[128], second[128];
    double poly[5];
  } couplings[MOST], dofs[MOST]; /* of a DOF, only of the first joint */
  int body_count, joint_count, coupling_count, dof_count, depth, open[64];
  bool equality, stated;
} file;

static const char *attribute(const char **list, const char *name) {
  for (; *list; list += 2)
    if (strcmp(list[0], name) == 0) return list[1];
  return "";
}

static void numbers(const char *text, int count, double *dest) {
  char *end = (char *)(uintptr_t)text;
  for (int i = 0; i < count; i++) dest[i] = strtod(end, &end);
}

static void start(void *user, const char *name, const char **list) {
  file *f = user;
  if (strcmp(name, "equality") == 0) f->equality = true;
  if (strcmp(name, "body") == 0) {
    double p[3], q[4] = { 1, 0, 0, 0 }; /* w x y z */
    numbers(attribute(list, "pos"), 3, p);
    if (*attribute(list, "quat")) numbers(attribute(list, "quat"), 4, q);
    const float axis[3] = { (float)q[1], (float)q[2], (float)q[3] };
    double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    dmat turn =
        sine > 0 ? dmat_turn(axis, 2 * atan2(sine, q[0]) * 180 / acos(-1)) : dmat_identity();
    int i = f->body_count++;
    snprintf(f->bodies[i].name, 128, "%s", attribute(list, "name"));
    f->bodies[i].frame = dmat_mul(dmat_move(p[0], p[1], p[2]), turn);
    f->bodies[i].parent = f->depth ? f->open[f->depth - 1] : -1;
    f->open[f->depth++] = i;
  } else if (strcmp(name, "inertial") == 0) {
    int i = f->open[f->depth - 1];
    numbers(attribute(list, "mass"), 1, &f->bodies[i].mass);
    numbers(attribute(list, "pos"), 3, f->bodies[i].mass_at);
  } else if (strcmp(name, "joint") == 0 && f->equality) {
    int i = f->coupling_count++;
    snprintf(f->couplings[i].first, 128, "%s", attribute(list, "joint1"));
    snprintf(f->couplings[i].second, 128, "%s", attribute(list, "joint2"));
    numbers(attribute(list, "polycoef"), 5, f->couplings[i].poly);
  } else if (strcmp(name, "joint") == 0) {
    joint *j = &f->joints[f->joint_count++];
    snprintf(j->name, sizeof j->name, "%s", attribute(list, "name"));
    j->body = f->open[f->depth - 1];
    f->bodies[j->body].joints++;
    j->hinge = strcmp(attribute(list, "type"), "hinge") == 0;
    numbers(attribute(list, "axis"), 3, j->axis);
    numbers(attribute(list, "pos"), 3, j->pos);
  } else if (strcmp(name, "numeric") == 0) {
    int i = f->dof_count++;
    snprintf(f->dofs[i].first, 128, "%s", attribute(list, "name") + strlen("dof:"));
    numbers(attribute(list, "data"), 5, f->dofs[i].poly);
  }
}

static void end(void *user, const char *name) {
  file *f = user;
  if (strcmp(name, "body") == 0) f->depth--;
}

/* lines such as "  1.2 mm  0.3 deg  name", which may come before the body */
static char stated[1 << 16];

static void comment(void *user, const char *text) {
  file *f = user;
  if (!f->stated) snprintf(stated, sizeof stated, "%s", text);
  f->stated = true;
}

static bool read_file(const char *text, size_t size, file *dest) {
  memset(dest, 0, sizeof *dest);
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetUserData(parser, dest);
  XML_SetElementHandler(parser, start, end);
  XML_SetCommentHandler(parser, comment);
  bool ok = XML_Parse(parser, text, (int)size, 1) == XML_STATUS_OK;
  XML_ParserFree(parser);
  for (char *line = strtok(stated, "\n"); line; line = strtok(NULL, "\n")) {
    double mm, deg;
    char name[128];
    if (sscanf(line, " %lf mm %lf deg %127s", &mm, &deg, name) != 3) continue;
    for (int i = 0; i < dest->body_count; i++)
      if (strcmp(dest->bodies[i].name, name) == 0)
        dest->bodies[i].millimetres = mm, dest->bodies[i].degrees = deg;
  }
  return ok;
}

static joint *find_joint(file *f, const char *name) {
  for (int i = 0; i < f->joint_count; i++)
    if (strcmp(f->joints[i].name, name) == 0) return &f->joints[i];
  return NULL;
}

static double polynomial(const double *c, double x) {
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

/* joints of one body act in order, each in the frame made by the previous ones: a slide translates
 * along its axis there, a hinge rotates about its axis and keeps its anchor in place */
static void place(file *f) {
  for (int b = 0; b < f->body_count; b++) {
    dmat at = f->bodies[b].frame;
    if (f->bodies[b].parent >= 0) at = dmat_mul(f->bodies[f->bodies[b].parent].world, at);
    for (int i = 0; i < f->joint_count; i++) {
      const joint *j = &f->joints[i];
      if (j->body != b) continue;
      if (!j->hinge) {
        at = dmat_mul(
            at, dmat_move(j->axis[0] * j->value, j->axis[1] * j->value, j->axis[2] * j->value));
        continue;
      }
      const float axis[3] = { (float)j->axis[0], (float)j->axis[1], (float)j->axis[2] };
      double anchor[3], now[3];
      dmat turned = dmat_mul(at, dmat_turn(axis, j->value * 180 / acos(-1)));
      for (int k = 0; k < 3; k++) {
        anchor[k] = at.m[12 + k], now[k] = 0;
        for (int c = 0; c < 3; c++) anchor[k] += at.m[4 * c + k] * j->pos[c];
        for (int c = 0; c < 3; c++) now[k] += turned.m[4 * c + k] * j->pos[c];
      }
      for (int k = 0; k < 3; k++) turned.m[12 + k] = anchor[k] - now[k];
      at = turned;
    }
    f->bodies[b].world = at;
  }
}

static bool set_joints(file *f, const sinew_pose *pose) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  for (int i = 0; i < f->dof_count; i++) {
    sinew_dof dof = sinew_rig_find_dof(rig, f->dofs[i].first, NULL);
    joint *j = find_joint(f, f->dofs[i].first);
    if (!dof.id || !j) return false;
    j->value = polynomial(f->dofs[i].poly, (double)sinew_pose_get(pose, dof) -
                                               (double)sinew_rig_dof_info(rig, dof).rest);
  }
  for (int i = 0; i < f->coupling_count; i++) {
    joint *first = find_joint(f, f->couplings[i].first);
    const joint *second = find_joint(f, f->couplings[i].second);
    if (!first || !second) return false;
    first->value = polynomial(f->couplings[i].poly, second->value);
  }
  place(f);
  return true;
}

/* the error of a body, with the mirroring of its segment removed */
static void compare(const file *f, int body, const float *world, double *mm, double *degrees) {
  dmat want = dmat_of(world), got = f->bodies[body].world;
  const double *w = want.m;
  double volume = w[0] * (w[5] * w[10] - w[6] * w[9]) - w[4] * (w[1] * w[10] - w[2] * w[9]) +
                  w[8] * (w[1] * w[6] - w[2] * w[5]);
  double trace = 0, far = 0;
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++)
      trace += want.m[4 * c + k] * got.m[4 * c + k] * (c == 0 && volume < 0 ? -1 : 1);
  for (int k = 12; k < 15; k++) far += pow(want.m[k] - got.m[k], 2);
  *mm = fmax(*mm, 1000 * sqrt(far));
  *degrees = fmax(*degrees, acos(fmin(fmax((trace - 1) / 2, -1), 1)) * 180 / acos(-1));
}

/* an extra body, for joints that do not fit into one */
static bool is_helper(const file *f, int body) { return strchr(f->bodies[body].name, '/'); }

/* over the writer's own random poses, the worst error of each body must be the stated one; returns
 * the largest of all, negative on failure */
static double check(const sinew_rig *rig, file *f) {
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  static double mm[MOST], degrees[MOST];
  double away = 0; /* metres, for rounding */
  memset(mm, 0, sizeof mm), memset(degrees, 0, sizeof degrees);
  uint32_t state = 99;
  int segments = 0;
  for (int b = 0; b < f->body_count; b++) segments += !is_helper(f, b);
  bool ok = segments == sinew_rig_segment_count(rig);
  for (int t = 0; ok && t < 300; t++) {
    for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
      const sinew_dof_info info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
      state = state * 1664525u + 1013904223u;
      sinew_pose_set(pose, sinew_rig_dof(rig, i),
                     info.min + (info.max - info.min) * (float)(state >> 8) / 16777216.0f, NULL);
    }
    sinew_pose_eval(pose, NULL);
    ok = set_joints(f, pose);
    for (int b = 0; ok && b < f->body_count; b++) {
      if (is_helper(f, b)) continue;
      sinew_segment s = sinew_rig_find_segment(rig, f->bodies[b].name, NULL);
      ok = s.id;
      for (int k = 12; ok && k < 15; k++)
        away = fmax(away, fabs((double)sinew_pose_world(pose, s)[k]));
      if (ok) compare(f, b, sinew_pose_world(pose, s), &mm[b], &degrees[b]);
    }
  }
  double worst = 0;
  for (int b = 0; ok && b < f->body_count; b++) {
    double size = 1 + f->bodies[b].millimetres + away;
    bool same = fabs(mm[b] - f->bodies[b].millimetres) < 0.01 * size &&
                fabs(degrees[b] - f->bodies[b].degrees) < 0.1;
    if (!same)
      printf("%s: found %g mm %g deg, stated %g mm %g deg\n", f->bodies[b].name, mm[b], degrees[b],
             f->bodies[b].millimetres, f->bodies[b].degrees);
    ok = ok && same;
    worst = fmax(worst, fmax(mm[b], degrees[b]));
  }
  return ok ? worst : -1;
}

/* hinges with centres, a slide and a coupled cubic curve in frames of every kind: joints can
 * represent all of it, so the error is nearly zero */
MU_TEST(mjcf_of_hinges_and_slides_is_exact) {
  static file f;
  for (int kind = 0; kind < MAKE_FRAMES; kind++) {
    uint32_t seed = 77;
    float root[16];
    make_frame(&seed, kind, root);
    sinew_builder *b = sinew_builder_create("a <rig> & more", NULL);
    sinew_joint_set set = sinew_builder_add_joint_set(b, "j", NULL, NULL);
    sinew_add_bone_frame(b, SINEW_ROOT, "base", root);
    sinew_segment arm = make_segment(b, "arm", "base", 0.1f, 0.2f, 0.3f);
    sinew_segment rod = make_segment(b, "rod", "arm", 0.3f, 0, 0);
    make_dof(b, set, "bend", -100, 140);
    make_dof(b, set, "out", -0.1f, 0.3f);
    static const float centre[3] = { 0.02f, 0.05f, -0.03f }, angles[2] = { -100, 140 };
    make_part(b, set, "rotation", "turn", "angle=bend",
              SINEW_PARAMS(sinew_param_vector("axis", 1, 2, -1),
                           sinew_param_numbers("angles", angles, 2),
                           sinew_param_vectors("centres", centre, 1)));
    make_part(b, set, "translation", "slide", "y=out", NULL, 0);
    sinew_builder_drive(b, arm, "j.turn", NULL, NULL);
    sinew_builder_drive(b, rod, "j.slide", NULL, NULL);
    OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
    sinew_mjcf_desc desc = sinew_default_mjcf_desc();
    size_t size;
    char *report, *text = sinew_mjcf_format(rig, &desc, &size, &report, &error);
    MU_CHECK_SAY(text, "%s", error.text);
    MU_HAS(text, "a &lt;rig&gt; &amp; more");
    MU_HAS(report, "mm");
    MU_CHECK(read_file(text, size, &f));
    MU_INT(f.joint_count, 2);
    MU_INT(f.coupling_count, 0);
    double worst = check(rig, &f);
    MU_CHECK_SAY(worst >= 0 && worst < 0.05, "worst %g", worst);
    sinew_text_free(text), sinew_text_free(report);
  }
}

/* masses are those of the segments, in the same places of the world, also where a frame mirrors;
 * the placeholders of the others weigh next to nothing */
MU_TEST(mjcf_has_the_masses_of_the_rig) {
  static file f;
  for (int kind = 0; kind < MAKE_FRAMES; kind++) {
    uint32_t seed = 31;
    float root[16];
    make_frame(&seed, kind, root);
    sinew_builder *b = sinew_builder_create("m", NULL);
    sinew_segment base = sinew_add_bone_frame(b, SINEW_ROOT, "base", root);
    sinew_segment arm = sinew_add_bone(b, base, "arm", (sinew_vec3){ 0.1f, 0.2f, 0.3f });
    sinew_add_bone(b, arm, "tip", (sinew_vec3){ 0, 0.2f, 0 });
    sinew_add_hinge(b, arm, "bend", SINEW_Z, -90, 90);
    static const float at[3] = { 0.03f, -0.1f, 0.2f };
    sinew_builder_set_mass(b, base, 5, at, NULL);
    sinew_builder_set_mass(b, arm, 2.5f, at, NULL);
    OWNED(rig) *rig = MU_MADE(make_rig(b, NULL));
    sinew_mjcf_desc desc = sinew_default_mjcf_desc();
    size_t size;
    char *text = MU_MADE_OR(sinew_mjcf_format(rig, &desc, &size, NULL, &error), error.text);
    MU_CHECK(read_file(text, size, &f));
    sinew_text_free(text);
    OWNED(pose) *pose = MU_MADE(sinew_pose_create(rig, NULL));
    sinew_pose_set(pose, sinew_rig_dof(rig, 0), 35, NULL);
    sinew_pose_eval(pose, NULL);
    MU_CHECK(set_joints(&f, pose));
    for (int s = 0; s < 2; s++) {
      dmat world = dmat_of(sinew_pose_world(pose, sinew_rig_segment(rig, s)));
      const double *p = f.bodies[s].mass_at, *q = f.bodies[s].world.m;
      MU_NEAR(f.bodies[s].mass, s ? 2.5 : 5, 1e-6);
      for (int k = 0; k < 3; k++) {
        double want = world.m[12 + k], got = q[12 + k];
        for (int c = 0; c < 3; c++)
          want += world.m[4 * c + k] * (double)at[c], got += q[4 * c + k] * p[c];
        MU_NEAR(got, want, 1e-4);
      }
    }
    MU_CHECK(f.bodies[2].mass > 0 && f.bodies[2].mass < 2e-3);
  }
}

/* for any rig, the stated error is correct */
MU_TEST(mjcf_states_its_errors_correctly) {
  static file f;
  int coupled = 0;
  for (int round = 0; round < mu_rounds(20); round++) {
    OWNED(rig) *rig = MU_MADE(network_make(300 + (uint32_t)round, 4, 10, 6));
    sinew_mjcf_desc desc = sinew_default_mjcf_desc();
    size_t size;
    char *text = MU_MADE_OR(sinew_mjcf_format(rig, &desc, &size, NULL, &error), error.text);
    MU_CHECK(read_file(text, size, &f));
    double worst = check(rig, &f);
    MU_CHECK_SAY(worst >= 0, "rig %d does not hold what it states", round);
    coupled += f.coupling_count;
    for (int b = 0; b < f.body_count; b++) MU_CHECK(f.bodies[b].joints <= 6); /* MuJoCo's maximum */
    sinew_text_free(text);
  }
  MU_CHECK(coupled > 0);
}

MU_TEST(mjcf_survives_failing_allocations) {
  bool done = false;
  for (long allowed = 0; allowed < 2000 && !done; allowed += 3) {
    const size_t before = sinew_live_blocks();
    scarce_memory(1000000);
    sinew_rig *rig = network_make(305, 3, 6, 4);
    scarce_memory(allowed);
    sinew_mjcf_desc desc = sinew_default_mjcf_desc();
    desc.poses = 3;
    size_t size;
    char *report, *text = sinew_mjcf_format(rig, &desc, &size, &report, &error);
    done = text;
    if (!done) MU_HAS(error.text, "memory");
    sinew_text_free(text), sinew_text_free(report);
    sinew_rig_destroy(rig);
    plenty_of_memory();
    MU_INT(sinew_live_blocks(), before);
  }
  MU_CHECK(done);
}

MU_SUITE(mjcf)
