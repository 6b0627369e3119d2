/* Building fields from motion: exact distances, signs, gap filling, parts, limits and bad input. */
#include "field_cases.h"
#include "fixture.h"
#include "limits/field_samples.h"
#include "minunit.h"

#include <stdlib.h>

enum { MOST = 4096 };

static float samples[MOST * SI_AXES];

static si_grid grid_of(const sinew_field_desc *desc) {
  si_grid grid = { 0 };
  si_field_check(desc, &grid, NULL);
  return grid;
}

MU_TEST(distances_agree_with_brute_force) {
  case_seed(10);
  for (int round = 0; round < mu_rounds(120); round++) {
    int axes = 1 + round % SI_AXES;
    sinew_field_desc desc = case_desc(axes, 500);
    size_t count = (size_t)case_pick(1, round % 3 ? 40 : 700);
    bool path = round % 2;
    if (path) case_path(&desc, (int)count, samples);
    for (size_t i = 0; i < count * (size_t)axes && !path; i++) {
      const sinew_field_axis *axis = &desc.axes[i % (size_t)axes];
      samples[i] = case_random(axis->min, axis->max);
      if (round % 5 == 0) samples[i] = axis->min; /* all at one point, or on a plane */
    }
    OWNED(field) *field = MU_MADE(case_field(&desc, samples, count));
    for (uint32_t node = 0; node < field->grid.nodes; node++) {
      double place[SI_AXES], found[SI_AXES];
      case_node(&field->grid, node, place);
      double d = case_nearest(&field->grid, place, samples, count);
      MU_NEAR(fabsf(field->phi[node]), d, 1e-4);
      for (int i = 0; i < axes; i++)
        found[i] = (double)field->nearest[node * (uint32_t)axes + (uint32_t)i];
      MU_NEAR(case_distance(&field->grid, place, found), d, 1e-4);
    }
  }
}

/* slow flood: passes "outside" on to neighbours until nothing changes */
static void oracle_flood(const si_grid *grid, const float *phi, bool *outside) {
  uint32_t farthest = 0;
  bool all_wrap = true, changed = true;
  for (int i = 0; i < grid->axis_count; i++) all_wrap &= grid->wrap[i];
  for (uint32_t k = 0; k < grid->nodes; k++)
    if (fabsf(phi[k]) > fabsf(phi[farthest])) farthest = k;
  for (uint32_t k = 0; k < grid->nodes; k++) {
    int at[SI_AXES];
    si_grid_indices(grid, k, at);
    outside[k] = all_wrap && k == farthest;
    for (int i = 0; i < grid->axis_count; i++)
      outside[k] |= !grid->wrap[i] && (at[i] == 0 || at[i] == grid->resolution[i] - 1);
    outside[k] &= fabsf(phi[k]) > grid->half_diagonal;
  }
  while (changed) {
    changed = false;
    for (uint32_t a = 0; a < grid->nodes; a++)
      for (uint32_t b = 0; b < grid->nodes; b++) {
        if (!outside[a] || outside[b] || !(fabsf(phi[b]) > grid->half_diagonal)) continue;
        int at[SI_AXES], to[SI_AXES], apart = 0;
        si_grid_indices(grid, a, at);
        si_grid_indices(grid, b, to);
        for (int i = 0; i < grid->axis_count; i++) {
          int d = abs(at[i] - to[i]);
          if (grid->wrap[i] && d == grid->resolution[i] - 1) d = 1;
          apart += d;
        }
        if (apart == 1) outside[b] = changed = true;
      }
  }
}

MU_TEST(signs_agree_with_a_slow_flood) {
  bool outside[400];
  uint32_t inside = 0;
  case_seed(11);
  for (int round = 0; round < mu_rounds(60); round++) {
    int axes = 1 + round % 3;
    sinew_field_desc desc = case_desc(axes, 300);
    for (int i = 0; i < axes; i++) desc.axes[i].wrap = round % 4 == 0 || (round >> i & 1);
    size_t count = (size_t)case_pick(2, 300);
    case_path(&desc, (int)count, samples);
    OWNED(field) *field = MU_MADE(case_field(&desc, samples, count));
    oracle_flood(&field->grid, field->phi, outside);
    for (uint32_t k = 0; k < field->grid.nodes; k++) {
      bool barrier = fabsf(field->phi[k]) <= field->grid.half_diagonal;
      MU_INT(field->phi[k] < 0, !outside[k] && !barrier);
      inside += field->phi[k] < 0;
    }
  }
  MU_CHECK(inside > 100 || mu_rounds(60) < 60);
}

/* a ring around (x, y) */
static size_t ring(float x, float y, float radius, float part, float *dest) {
  const size_t count = 400;
  for (size_t i = 0; i < count; i++) {
    float turn = 6.2831853f * part * (float)i / (float)count;
    dest[2 * i] = x + radius * cosf(turn);
    dest[2 * i + 1] = y + radius * sinf(turn);
  }
  return count;
}

static sinew_field_desc plane(bool wrap) {
  sinew_field_desc desc = sinew_default_field_desc(2);
  for (int i = 0; i < 2; i++) desc.axes[i] = (sinew_field_axis){ -180, 180, 36, wrap };
  return desc;
}

MU_TEST(a_closed_ring_encloses_its_disk_and_an_open_one_nothing) {
  sinew_field_desc desc = plane(false);
  size_t count = ring(20, -10, 90, 1, samples);
  OWNED(field) *closed = case_field(&desc, samples, count);
  count = ring(20, -10, 90, 0.8f, samples);
  OWNED(field) *open = case_field(&desc, samples, count);
  MU_CHECK(closed && open);
  for (uint32_t k = 0; k < closed->grid.nodes; k++) {
    double p[2];
    case_node(&closed->grid, k, p);
    double d = hypot(p[0] - 20, p[1] + 10) - 90;
    if (fabs(d) > (double)closed->grid.half_diagonal + 1) MU_NEAR(closed->phi[k], d, 0.1);
    MU_CHECK(open->phi[k] >= 0);
  }
  MU_CHECK(sinew_field_feasible(closed, (float[]){ 20, -10 }));
  MU_CHECK(!sinew_field_feasible(open, (float[]){ 20, -10 }));
}

MU_TEST(a_ring_across_the_seam_of_wrapping_axes_encloses_its_disk) {
  sinew_field_desc desc = plane(true);
  size_t count = ring(180, 175, 60, 1, samples);
  OWNED(field) *field = MU_MADE(case_field(&desc, samples, count));
  const double middle[2] = { 180, 175 };
  for (uint32_t k = 0; k < field->grid.nodes; k++) {
    double p[2];
    case_node(&field->grid, k, p);
    double d = case_distance(&field->grid, p, middle) - 60;
    if (fabs(d) > (double)field->grid.half_diagonal + 1) MU_CHECK((field->phi[k] < 0) == (d < 0));
  }
}

static sinew_status collect(const sinew_field_desc *desc, const sinew_field_motion *motion,
                            si_samples *dest) {
  si_grid grid = grid_of(desc);
  *dest = (si_samples){ .limit = 1 << 20 };
  return si_samples_collect(desc, &grid, motion, dest, NULL);
}

MU_TEST(straight_gaps_are_filled_to_half_the_smallest_cell) {
  case_seed(12);
  for (int round = 0; round < mu_rounds(100); round++) {
    sinew_field_desc desc = case_desc(1 + round % SI_AXES, 300);
    si_grid grid = grid_of(&desc);
    const int n = desc.axis_count, count = 6;
    case_path(&desc, count, samples);
    sinew_field_clip clip = { samples, (size_t)count };
    sinew_field_motion motion = {
      .size = sizeof motion, .clips = &clip, .clip_count = 1, .depth = -1
    };
    si_samples s;
    MU_INT(collect(&desc, &motion, &s), SINEW_OK);
    int given = 0;
    for (size_t i = 0; i < s.count; i++) {
      double a[SI_AXES], b[SI_AXES], from[SI_AXES], to[SI_AXES];
      for (int k = 0; k < n; k++) {
        a[k] = (double)s.points[i * (size_t)n + (size_t)k];
        b[k] = i ? (double)s.points[(i - 1) * (size_t)n + (size_t)k] : a[k];
        from[k] = (double)samples[(given ? given - 1 : 0) * n + k];
        to[k] = (double)samples[given * n + k];
      }
      MU_CHECK(case_distance(&grid, a, b) <= 0.5 * (double)grid.smallest + 1e-4);
      /* each is on the straight line between two given samples */
      double around = case_distance(&grid, from, a) + case_distance(&grid, a, to);
      MU_NEAR(around, case_distance(&grid, from, to), 1e-3);
      if (given < count - 1 && case_distance(&grid, a, to) < 1e-4) given++;
    }
    MU_INT(given, count - 1);
    si_free(s.points);
  }
}

static void quat_of(const char *order, double a, double b, double c, float *dest) {
  si_euler_order o;
  double q[4];
  si_order_parse(order, &o);
  si_order_quat(&o, (const double[]){ a, b, c }, q);
  for (int i = 0; i < 4; i++) dest[i] = (float)q[i];
}

static sinew_field_desc turns(const char *order, int resolution) {
  sinew_field_desc desc = sinew_default_field_desc(3);
  desc.orders[0] = order;
  bool proper = order[0] == order[2];
  for (int i = 0; i < 3; i++) desc.axes[i] = (sinew_field_axis){ -180, 180, resolution, i != 1 };
  desc.axes[1].min = proper ? 0 : -90;
  desc.axes[1].max = proper ? 180 : 90;
  return desc;
}

MU_TEST(gaps_of_orientations_are_filled_along_the_great_arc) {
  static const char *const orders[] = { "zyz", "xyz", "yzx", "xzx" };
  case_seed(13);
  for (int round = 0; round < mu_rounds(80); round++) {
    const char *order = orders[round % 4];
    sinew_field_desc desc = turns(order, 16);
    si_euler_order o;
    si_order_parse(order, &o);
    float q[8];
    for (int k = 0; k < 2; k++)
      quat_of(order, (double)case_random(-170, 170), (double)case_random(15, 75),
              (double)case_random(-170, 170), q + 4 * k);
    sinew_field_clip clip = { q, 2 };
    sinew_field_motion motion = {
      .size = sizeof motion, .clips = &clip, .clip_count = 1, .quaternions = true, .depth = -1
    };
    si_samples s;
    MU_INT(collect(&desc, &motion, &s), SINEW_OK);
    double whole = 0;
    for (int i = 0; i < 4; i++) whole += (double)q[i] * (double)q[4 + i];
    whole = acos(fmin(1, fabs(whole)));
    for (size_t k = 0; k < s.count; k++) {
      double p[4], to[2] = { 0, 0 };
      const double angles[3] = { (double)s.points[3 * k], (double)s.points[3 * k + 1],
                                 (double)s.points[3 * k + 2] };
      MU_CHECK(order[0] != order[2] || (angles[1] >= 0 && angles[1] <= 180));
      si_order_quat(&o, angles, p);
      for (int i = 0; i < 4; i++) {
        to[0] += p[i] * (double)q[i];
        to[1] += p[i] * (double)q[4 + i];
      }
      MU_NEAR(acos(fmin(1, fabs(to[0]))) + acos(fmin(1, fabs(to[1]))), whole, 2e-3);
    }
    si_free(s.points);
  }
}

MU_TEST(a_path_through_the_singular_rest_pose_of_zyz_is_filled) {
  sinew_field_desc desc = turns("zyz", 32);
  float q[8];
  quat_of("xyz", 30, 0, 0, q);
  quat_of("xyz", -30, 1e-4, 0, q + 4);
  sinew_field_clip clip = { q, 2 };
  sinew_field_motion motion = {
    .size = sizeof motion, .clips = &clip, .clip_count = 1, .quaternions = true, .depth = 20
  };
  si_samples s;
  MU_INT(collect(&desc, &motion, &s), SINEW_OK);
  MU_CHECK(s.count >= 12 && s.count < 100);
  for (size_t k = 0; k < s.count; k++)
    MU_CHECK(s.points[3 * k + 1] >= 0 && s.points[3 * k + 1] <= 31);
  si_free(s.points);
}

MU_TEST(euler_angles_and_quaternions_make_the_same_field) {
  sinew_field_desc desc = turns("zyz", 12);
  float angles[30], q[40];
  for (int i = 0; i < 10; i++) {
    angles[3 * i] = -150 + 25 * (float)i, angles[3 * i + 1] = 40 + 3 * (float)i;
    angles[3 * i + 2] = 10 * sinf((float)i);
    quat_of("zyz", (double)angles[3 * i], (double)angles[3 * i + 1], (double)angles[3 * i + 2],
            q + 4 * i);
  }
  sinew_field_clip a = { angles, 10 }, b = { q, 10 };
  sinew_field_motion one = { .size = sizeof one, .clips = &a, .clip_count = 1, .depth = -1 };
  sinew_field_motion two = {
    .size = sizeof two, .clips = &b, .clip_count = 1, .depth = -1, .quaternions = true
  };
  OWNED(field) *f = sinew_field_from_motion(&desc, &one, NULL, NULL);
  OWNED(field) *g = sinew_field_from_motion(&desc, &two, NULL, NULL);
  MU_CHECK(f && g);
  for (uint32_t k = 0; k < f->grid.nodes; k++) MU_NEAR(f->phi[k], g->phi[k], 0.02);
  MU_TEXT(sinew_field_order(f, 0), "zyz");
  MU_CHECK(sinew_field_order(f, 1) == NULL);
}

MU_TEST(a_hip_with_a_knee_takes_quaternions_and_an_angle) {
  sinew_field_desc desc = sinew_default_field_desc(4);
  desc.orders[0] = "zyz";
  desc.axes[1] = (sinew_field_axis){ 0, 180, 8, false };
  desc.axes[3] = (sinew_field_axis){ 0, 140, 8, false };
  float q[10];
  quat_of("zyz", 10, 40, 20, q);
  quat_of("zyz", 60, 90, -40, q + 5);
  q[4] = 5, q[9] = 120;
  sinew_field_clip clip = { q, 2 };
  sinew_field_motion motion = {
    .size = sizeof motion, .clips = &clip, .clip_count = 1, .quaternions = true, .depth = -1
  };
  OWNED(field) *field = MU_MADE(sinew_field_from_motion(&desc, &motion, NULL, NULL));
  MU_CHECK(sinew_field_feasible(field, (float[]){ 10, 40, 20, 5 }));
  MU_CHECK(sinew_field_feasible(field, (float[]){ 60, 90, -40, 120 }));
  MU_CHECK(!sinew_field_feasible(field, (float[]){ 60, 90, -40, 5 }));
}

MU_TEST(separate_clips_give_separate_parts_and_joined_ones_give_one) {
  sinew_field_desc desc = plane(false);
  const float a[] = { -120, -100, -60, -100 }, b[] = { 60, 90, 120, 90 };
  const sinew_field_clip clips[] = { { a, 2 }, { NULL, 0 }, { b, 2 } };
  sinew_field_motion motion = {
    .size = sizeof motion, .clips = clips, .clip_count = 3, .depth = -1
  };
  sinew_field_report report;
  OWNED(field) *apart = MU_MADE(sinew_field_from_motion(&desc, &motion, &report, NULL));
  MU_INT(report.components, 2);
  MU_INT(sinew_field_components(apart), 2);
  MU_INT(report.warnings.count, 1);
  MU_HAS(report.warnings.text, "the feasible set falls apart into 2 parts");
  motion.join = true;
  OWNED(field) *joined = MU_MADE(sinew_field_from_motion(&desc, &motion, &report, NULL));
  MU_INT(report.components, 1);
  MU_INT(report.warnings.count, 0);
  MU_INT(report.samples_given, 4);
  MU_CHECK(report.samples_used > 50);
  MU_CHECK(!sinew_field_feasible(apart, (float[]){ 0, 0 }));
  MU_CHECK(sinew_field_feasible(joined, (float[]){ 0, -5 }));
}

MU_TEST(parts_are_counted_across_wrapping_axes) {
  const float two[] = { -178, 0, 178, 0 };
  sinew_field_desc desc = plane(false);
  sinew_field *field = case_field(&desc, two, 2);
  MU_INT(sinew_field_components(field), 2);
  sinew_field_release(field);
  desc = plane(true);
  field = case_field(&desc, two, 2);
  MU_INT(sinew_field_components(field), 1);
  sinew_field_release(field);
}

MU_TEST(epsilon_defaults_to_half_a_diagonal_and_a_smaller_one_warns) {
  for (int axes = 1; axes <= SI_AXES; axes++) {
    sinew_field_desc desc = sinew_default_field_desc(axes);
    for (int i = 0; i < axes; i++) desc.axes[i] = (sinew_field_axis){ 0, 50, 6, false };
    float middle[SI_AXES] = { 25, 25, 25, 25, 25, 25 };
    sinew_field_clip clip = { middle, 1 };
    sinew_field_motion motion = {
      .size = sizeof motion, .clips = &clip, .clip_count = 1, .depth = -1
    };
    sinew_field_report report;
    sinew_field *field = MU_MADE(sinew_field_from_motion(&desc, &motion, &report, NULL));
    MU_NEAR(sinew_field_epsilon(field), sqrt(axes) / 2 * 10, 1e-5);
    MU_INT(report.warnings.count, 0);
    /* at the centre of a cell the interpolated distance equals epsilon */
    MU_NEAR(sinew_field_lookup(field, middle, NULL), sqrt(axes) / 2 * 10, 1e-4);
    MU_CHECK(sinew_field_feasible(field, middle));
    sinew_field_release(field);

    desc.epsilon = (float)sqrt(axes) / 2 * 9;
    field = sinew_field_from_motion(&desc, &motion, &report, NULL);
    MU_CHECK(field);
    MU_HAS(report.warnings.text, "is less than half a cell's diagonal");
    MU_HAS(report.warnings.text, "no sample is feasible");
    sinew_field_release(field);
  }
}

MU_TEST(with_a_small_epsilon_stored_points_are_feasible_samples) {
  sinew_field_desc desc = sinew_default_field_desc(2);
  for (int i = 0; i < 2; i++) desc.axes[i] = (sinew_field_axis){ 0, 50, 6, false };
  desc.epsilon = 3;
  /* the first is on a node, the second at the centre of a cell */
  const float two[] = { 10, 10, 35, 35 };
  OWNED(field) *field = MU_MADE(case_field(&desc, two, 2));
  for (uint32_t k = 0; k < 2 * field->grid.nodes; k++) MU_NEAR(field->nearest[k], 10, 0);
}

MU_TEST(memory_is_estimated_first_and_a_limit_is_enforced) {
  static const int resolutions[] = { 0, 4096, 256, 32, 12, 8, 6 };
  for (int axes = 1; axes <= SI_AXES; axes++) {
    sinew_field_desc desc = sinew_default_field_desc(axes);
    for (int i = 0; i < axes; i++) desc.axes[i].resolution = resolutions[axes];
    size_t said = sinew_field_memory(&desc, NULL), before = sinew_live_bytes();
    double nodes = pow(resolutions[axes], axes);
    MU_CHECK((double)said >= nodes * 4 * (1 + axes) &&
             (double)said < nodes * 4 * (1 + axes) + 1024);
    const float rest[SI_AXES] = { 0 };
    sinew_field *field = MU_MADE(case_field(&desc, rest, 1));
    MU_INT(sinew_field_bytes(field), said);
    MU_INT(sinew_live_bytes() - before, said);
    MU_INT(sinew_field_nodes(field), nodes);
    sinew_field_release(field);

    sinew_field_clip clip = { rest, 1 };
    sinew_field_motion motion = {
      .size = sizeof motion, .clips = &clip, .clip_count = 1, .depth = -1
    };
    desc.memory_limit = said - 1;
    MU_CHECK(!sinew_field_from_motion(&desc, &motion, NULL, &error));
    MU_FAILS(error.status, SINEW_ERR_LIMIT, "the limit is");
  }
}

MU_TEST(a_memory_limit_includes_gap_filling_samples) {
  sinew_field_desc desc = sinew_default_field_desc(1);
  desc.axes[0].resolution = 4096;
  desc.memory_limit = sinew_field_memory(&desc, NULL) + 4096 * 5 + 4096;
  const float two[] = { -170, 170 };
  sinew_field_clip clip = { two, 2 };
  sinew_field_motion motion = {
    .size = sizeof motion, .clips = &clip, .clip_count = 1, .depth = -1
  };
  MU_CHECK(!sinew_field_from_motion(&desc, &motion, NULL, &error));
  MU_FAILS(error.status, SINEW_ERR_LIMIT, "clip 1 sample 2: more than");
}

MU_TEST(wrong_descs_are_reported_with_their_axis) {
  const struct {
    int axes;
    sinew_field_axis second;
    const char *order;
    float epsilon;
    const char *text;
  } wrong[] = {
    { 0, { 0, 1, 2, 0 }, NULL, -1, "0 axes, expected 1 to 6" },
    { 7, { 0, 1, 2, 0 }, NULL, -1, "7 axes, expected 1 to 6" },
    { 2, { 5, 5, 2, 0 }, NULL, -1, "axis 2: range 5 to 5" },
    { 2, { 5, -5, 2, 0 }, NULL, -1, "axis 2: range 5 to -5" },
    { 2, { NAN, 5, 2, 0 }, NULL, -1, "axis 2: its range is not finite" },
    { 2, { 0, 1e9f, 2, 0 }, NULL, -1, "axis 2: range 0 to" },
    { 2, { 0, 5, 1, 0 }, NULL, -1, "axis 2: resolution 1 is not between 2 and 4096" },
    { 2, { 0, 5, 5000, 0 }, NULL, -1, "axis 2: resolution 5000" },
    { 2, { 0, 5, 5, 0 }, "zyz", -1, "the order 'zyz' needs axes 1 to 3, there are 2" },
    { 3, { 0, 5, 5, 0 }, "zzy", -1, "'zzy' is not an Euler order" },
    { 3, { 0, 180, 5, 1 }, "xyz", -1, "axis 2: wraps after 180 degrees" },
    { 3, { 0, 180, 5, 0 }, NULL, NAN, "epsilon is not finite" },
    { 6, { 0, 180, 4096, 0 }, NULL, -1, "nodes; take fewer" },
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sinew_field_desc desc = sinew_default_field_desc(wrong[i].axes);
    desc.axes[1] = wrong[i].second;
    desc.orders[0] = wrong[i].order;
    desc.epsilon = wrong[i].epsilon;
    if (wrong[i].axes == 6) desc.axes[0].resolution = desc.axes[2].resolution = 4096;
    MU_INT(sinew_field_memory(&desc, &error), 0);
    MU_HAS(error.text, wrong[i].text);
  }
}

MU_TEST(bad_samples_are_reported_with_clip_and_index) {
  sinew_field_desc desc = sinew_default_field_desc(3);
  float angles[] = { 0, 0, 0, 1, 2, 3, 4, NAN, 6 }, quats[] = { 0, 0, 0, 1, 0, 0, 0.5f, 0 };
  sinew_field_clip clips[] = { { angles, 1 }, { angles, 3 } };
  sinew_field_motion motion = {
    .size = sizeof motion, .clips = clips, .clip_count = 2, .depth = -1
  };
  MU_CHECK(!sinew_field_from_motion(&desc, &motion, NULL, &error));
  MU_FAILS(error.status, SINEW_ERR_NOT_FINITE, "clip 2 sample 3: number 2 is not finite");

  motion.quaternions = true;
  clips[1] = (sinew_field_clip){ quats, 2 };
  motion.clips = clips + 1, motion.clip_count = 1;
  MU_REFUSED(sinew_field_from_motion(&desc, &motion, NULL, &error),
             "quaternions need an Euler order");
  desc.orders[0] = "zyz";
  MU_REFUSED(sinew_field_from_motion(&desc, &motion, NULL, &error),
             "clip 1 sample 2: the quaternion (0 0 0.5 0) has length 0.5");

  motion.clip_count = 0;
  MU_REFUSED(sinew_field_from_motion(&desc, &motion, NULL, &error), "no samples given");
  motion.depth = 21;
  MU_REFUSED(sinew_field_from_motion(&desc, &motion, NULL, &error), "depth 21");
}

MU_TEST(samples_beyond_the_range_are_left_out_and_counted) {
  sinew_field_desc desc = sinew_default_field_desc(1);
  desc.axes[0] = (sinew_field_axis){ 0, 100, 11, false };
  const float angles[] = { -50, 50, 3e38f };
  sinew_field_clip clip = { angles, 3 };
  sinew_field_motion motion = {
    .size = sizeof motion, .clips = &clip, .clip_count = 1, .depth = -1
  };
  sinew_field_report report;
  sinew_field *field = MU_MADE(sinew_field_from_motion(&desc, &motion, &report, &error));
  MU_INT(report.samples_given, 3);
  MU_INT(report.samples_beyond, 2);
  MU_HAS(report.warnings.text,
         "2 of 3 samples lie outside the range and are left out, the first is "
         "clip 1 sample 1, beyond axis 1's 0 to 100");
  /* the path from -50 counts from the border on */
  MU_CHECK(sinew_field_feasible(field, (float[]){ 2 }));
  sinew_field_release(field);
  clip.count = 1;
  MU_REFUSED(sinew_field_from_motion(&desc, &motion, &report, &error),
             "none of the 1 samples lies inside the range");
}

MU_TEST(field_references_are_counted) {
  sinew_field_desc desc = sinew_default_field_desc(1);
  size_t before = sinew_live_blocks();
  sinew_field *field = case_field(&desc, (float[]){ 0 }, 1);
  MU_CHECK(sinew_field_retain(field) == field);
  sinew_field_class.retain(field);
  sinew_field_release(field);
  sinew_field_class.release(field);
  MU_INT(sinew_live_blocks(), before + 1);
  sinew_field_release(field);
  MU_INT(sinew_live_blocks(), before);
  sinew_field_release(NULL);
  MU_CHECK(sinew_field_retain(NULL) == NULL);
}

static bool build_some(void *context) {
  (void)context;
  sinew_field_desc desc = turns("zyz", 6);
  float q[8];
  quat_of("zyz", 10, 20, 30, q);
  quat_of("zyz", 60, 120, -30, q + 4);
  sinew_field_clip clip = { q, 2 };
  sinew_field_motion motion = {
    .size = sizeof motion, .clips = &clip, .clip_count = 1, .quaternions = true, .depth = -1
  };
  sinew_field *field = sinew_field_from_motion(&desc, &motion, NULL, &error);
  bool ok = field || error.status == SINEW_ERR_MEMORY;
  if (!ok) abort();
  sinew_field_release(field);
  return field != NULL;
}

MU_TEST(building_survives_failing_memory) {
  MU_CHECK(case_survives_failing_memory(build_some, NULL));
}

MU_SUITE(field_build)
