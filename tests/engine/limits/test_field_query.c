/* Lookup and gradient against slow interpolation and finite differences; projection at random and
 * awkward points against brute force over the samples. */
#include "field_cases.h"
#include "minunit.h"
#include "owned.h"

enum { COUNT = 300 };

static float samples[COUNT * SI_AXES];

/* by recursion over the axes, in doubles */
static double slow_lookup(const sinew_field *field, const float *angles, int axis, uint32_t node) {
  const si_grid *g = &field->grid;
  if (axis == g->axis_count) return (double)field->phi[node];
  int n = g->resolution[axis], cells = g->wrap[axis] ? n : n - 1;
  double u = ((double)angles[axis] - (double)g->min[axis]) /
             ((double)g->max[axis] - (double)g->min[axis]) * cells;
  u = g->wrap[axis] ? u - n * floor(u / n) : fmin(fmax(u, 0), cells);
  int i = (int)fmin(floor(u), cells - 1), k = (i + 1) % n;
  double a = slow_lookup(field, angles, axis + 1, node + (uint32_t)i * g->stride[axis]);
  double b = slow_lookup(field, angles, axis + 1, node + (uint32_t)k * g->stride[axis]);
  return a + (u - i) * (b - a);
}

static sinew_field *some_field(int axes, int round) {
  sinew_field_desc desc = case_desc(axes, 3000);
  for (int i = 0; i < axes; i++)
    if (desc.axes[i].resolution < 4) desc.axes[i].resolution = 4;
  case_path(&desc, COUNT, samples);
  if (round % 3 == 1)
    for (int i = 0; i < COUNT * axes; i++) {
      const sinew_field_axis *axis = &desc.axes[i % axes];
      samples[i] = case_random(axis->min, axis->max);
    }
  return case_field(&desc, samples, COUNT);
}

static void anywhere(const sinew_field *field, float *dest) {
  const si_grid *g = &field->grid;
  for (int i = 0; i < g->axis_count; i++) {
    float wide = g->max[i] - g->min[i];
    dest[i] = case_random(g->min[i] - 0.5f * wide, g->max[i] + 0.5f * wide);
  }
}

MU_TEST(lookup_agrees_with_slow_interpolation) {
  case_seed(20);
  for (int round = 0; round < 18; round++) {
    OWNED(field) *field = MU_MADE(some_field(1 + round % SI_AXES, round));
    for (int k = 0; k < mu_rounds(1000); k++) {
      float p[SI_AXES];
      anywhere(field, p);
      MU_NEAR(sinew_field_lookup(field, p, NULL), slow_lookup(field, p, 0, 0), 2e-3);
    }
  }
}

MU_TEST(lookup_at_a_node_is_its_stored_distance) {
  case_seed(21);
  for (int axes = 1; axes <= SI_AXES; axes++) {
    OWNED(field) *field = some_field(axes, 0);
    for (uint32_t k = 0; k < field->grid.nodes; k++) {
      double place[SI_AXES];
      float p[SI_AXES];
      case_node(&field->grid, k, place);
      for (int i = 0; i < axes; i++) p[i] = (float)place[i];
      MU_NEAR(sinew_field_lookup(field, p, NULL), field->phi[k], 1e-3);
    }
  }
}

MU_TEST(gradient_agrees_with_finite_differences) {
  case_seed(22);
  for (int round = 0; round < 18; round++) {
    int axes = 1 + round % SI_AXES;
    OWNED(field) *field = some_field(axes, round);
    const si_grid *g = &field->grid;
    for (int k = 0; k < mu_rounds(500); k++) {
      float p[SI_AXES], gradient[SI_AXES];
      const float h = 0.01f * g->smallest;
      for (int i = 0; i < axes; i++) {
        /* away from cell faces, where the slope jumps */
        int cells = g->resolution[i] - !g->wrap[i];
        float u = (float)case_pick(0, cells - 1) + case_random(0.05f, 0.95f);
        p[i] = g->min[i] + u * g->cell[i];
      }
      sinew_field_lookup(field, p, gradient);
      for (int i = 0; i < axes; i++) {
        float q[SI_AXES];
        for (int j = 0; j < axes; j++) q[j] = p[j];
        q[i] = p[i] + h;
        double up = slow_lookup(field, q, 0, 0);
        double wide = (double)q[i];
        q[i] = p[i] - h;
        wide -= (double)q[i];
        MU_NEAR(gradient[i], (up - slow_lookup(field, q, 0, 0)) / wide, 1e-3);
      }
    }
  }
}

/* Phi of one sample is the distance to it, so that its gradient has the length 1 away from it */
MU_TEST(gradient_of_a_distance_has_the_length_one) {
  case_seed(26);
  sinew_field_desc desc = sinew_default_field_desc(3);
  for (int i = 0; i < 3; i++) desc.axes[i] = (sinew_field_axis){ -100, 100, 41, false };
  OWNED(field) *field = MU_MADE(case_field(&desc, (float[]){ 1, -2, 3 }, 1));
  for (int k = 0; k < mu_rounds(3000); k++) {
    float p[3], g[3];
    for (int i = 0; i < 3; i++) p[i] = case_random(-95, 95);
    double far =
        sqrt((double)((p[0] - 1) * (p[0] - 1) + (p[1] + 2) * (p[1] + 2) + (p[2] - 3) * (p[2] - 3)));
    if (far < 40) continue;
    sinew_field_lookup(field, p, g);
    MU_NEAR(sqrt((double)(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])), 1, 0.06);
  }
}

MU_TEST(lookup_clamps_at_plain_ends_and_wraps_at_others) {
  sinew_field_desc desc = sinew_default_field_desc(2);
  desc.axes[0] = (sinew_field_axis){ -180, 180, 24, true };
  desc.axes[1] = (sinew_field_axis){ 0, 100, 11, false };
  const float at[] = { 170, 30 };
  OWNED(field) *field = MU_MADE(case_field(&desc, at, 1));
  float here = sinew_field_lookup(field, (float[]){ -100, 20 }, NULL);
  for (int turn = -3; turn <= 3; turn++)
    MU_NEAR(sinew_field_lookup(field, (float[]){ -100 + 360 * (float)turn, 20 }, NULL), here, 1e-3);
  float end = sinew_field_lookup(field, (float[]){ 33, 100 }, NULL);
  MU_NEAR(sinew_field_lookup(field, (float[]){ 33, 5000 }, NULL), end, 0);
  /* the distance is the shorter one across the seam */
  MU_NEAR(sinew_field_lookup(field, (float[]){ -180, 30 }, NULL), 10, 1e-3);
  MU_CHECK(!sinew_field_feasible(field, (float[]){ 170, -1 }));
}

MU_TEST(hundred_thousand_projections_are_feasible_and_near) {
  case_seed(23);
  const int fields = 24, each = mu_rounds(100000) / 24 + 1;
  for (int round = 0; round < fields; round++) {
    int axes = 1 + round % SI_AXES;
    OWNED(field) *field = some_field(axes, round);
    const si_grid *g = &field->grid;
    const double half = (double)g->half_diagonal;
    MU_CHECK(field);
    for (int k = 0; k < each; k++) {
      float p[SI_AXES], q[SI_AXES], again[SI_AXES];
      anywhere(field, p);
      bool was = sinew_field_feasible(field, p);
      float moved = sinew_field_project(field, p, q);
      MU_CHECK(sinew_field_feasible(field, q));
      MU_CHECK(sinew_field_lookup(field, q, NULL) <= field->epsilon + 1e-4f * g->half_diagonal);
      /* a feasible point is unchanged; projecting again changes nothing */
      MU_CHECK((moved == 0) == was);
      MU_NEAR(sinew_field_project(field, q, again), 0, 0);
      double from[SI_AXES], to[SI_AXES], held[SI_AXES], sum = 0;
      for (int i = 0; i < axes; i++) {
        if (was) MU_NEAR(q[i], p[i], 0);
        MU_NEAR(again[i], q[i], 0);
        from[i] = (double)p[i], to[i] = (double)q[i];
        held[i] = g->wrap[i] ? from[i] : fmin(fmax(from[i], (double)g->min[i]), (double)g->max[i]);
        sum += (to[i] - from[i]) * (to[i] - from[i]);
      }
      MU_NEAR(moved, sqrt(sum), 1e-3 * (1 + sqrt(sum)));
      if (k % 20) continue;
      /* at most epsilon and half a diagonal from a sample, unless it is enclosed */
      double d = case_nearest(g, to, samples, COUNT);
      MU_CHECK(d <= (double)field->epsilon + half + 1e-3 ||
               sinew_field_lookup(field, q, NULL) < 0 || d <= 3 * half);
      /* and the displacement is at most the distance to the nearest sample, plus a cell */
      MU_CHECK(case_distance(g, held, to) <= case_nearest(g, held, samples, COUNT) + 3 * half);
    }
  }
}

MU_TEST(projection_of_extreme_points_is_finite_and_feasible) {
  static const float absurd[] = { 1e30f, -1e30f, 3e38f, -3.4e38f, INFINITY, -INFINITY, NAN, 1e6f };
  case_seed(29);
  for (int round = 0; round < 24; round++) {
    const int axes = 1 + round % SI_AXES;
    OWNED(field) *field = some_field(axes, round);
    for (size_t k = 0; k < sizeof absurd / sizeof *absurd; k++)
      for (int axis = 0; axis < axes; axis++) {
        float p[SI_AXES], q[SI_AXES];
        anywhere(field, p);
        p[axis] = absurd[k];
        MU_CHECK(isfinite(sinew_field_project(field, p, q)));
        for (int i = 0; i < axes; i++) MU_CHECK(isfinite(q[i]));
        MU_CHECK(sinew_field_feasible(field, q));
      }
  }
}

/* The rule in doubles: at most two steps of Phi grad / |grad|^2, else the point stored at the
 * nearest node. Central differences at the nodes, interpolated, equal those of the interpolation
 * over one cell to each side. False if rounding decides, or a plain end is near. */
static bool slow_target(const sinew_field *field, const float *from, double *dest) {
  const si_grid *g = &field->grid;
  const int n = g->axis_count;
  const double accept = (double)field->accept;
  double phi = slow_lookup(field, from, 0, 0);
  float at[SI_AXES];
  for (int i = 0; i < n; i++) at[i] = from[i];
  for (int round = 0; round < 2 && phi > accept; round++) {
    double gradient[SI_AXES], square = 0;
    for (int i = 0; i < n; i++) {
      float q[SI_AXES];
      for (int j = 0; j < n; j++) q[j] = at[j];
      if (!g->wrap[i] && (at[i] < g->min[i] + g->cell[i] || at[i] > g->max[i] - g->cell[i]))
        return false;
      q[i] = at[i] + g->cell[i];
      double up = slow_lookup(field, q, 0, 0);
      q[i] = at[i] - g->cell[i];
      gradient[i] = (up - slow_lookup(field, q, 0, 0)) / (2 * (double)g->cell[i]);
      square += gradient[i] * gradient[i];
    }
    if (fabs(square - 0.25) < 0.01) return false;
    if (square < 0.25) break;
    for (int i = 0; i < n; i++) at[i] = (float)((double)at[i] - phi / square * gradient[i]);
    for (int i = 0; i < n; i++)
      if (!g->wrap[i] && (at[i] < g->min[i] || at[i] > g->max[i])) return false;
    phi = slow_lookup(field, at, 0, 0);
    if (fabs(phi - accept) < 0.02 * (double)g->smallest) return false;
  }
  uint32_t node = 0;
  for (int i = 0; i < n; i++) {
    double u = ((double)from[i] - (double)g->min[i]) / (double)g->cell[i];
    if (fabs(u - floor(u) - 0.5) < 0.01) return false;
    int near = (int)floor(u + 0.5) % g->resolution[i];
    node += (uint32_t)near * g->stride[i];
  }
  for (int i = 0; i < n; i++) {
    dest[i] = (double)at[i];
    if (phi > accept) dest[i] = (double)field->nearest[node * (uint32_t)n + (uint32_t)i];
    if (!g->wrap[i]) continue;
    double turn = (double)g->period[i];
    dest[i] = (double)from[i] + remainder(dest[i] - (double)from[i], turn);
    if (fabs(fabs(dest[i] - (double)from[i]) - 0.5 * turn) < 0.1) return false;
  }
  return true;
}

MU_TEST(projection_follows_the_rule_and_stops_at_the_first_feasible_point) {
  case_seed(25);
  int checked = 0, on_border = 0, wanted = mu_rounds(3000);
  for (int round = 0; round < 30; round++) {
    OWNED(field) *field = some_field(1 + round % 4, round);
    const si_grid *g = &field->grid;
    const int n = g->axis_count;
    for (int k = 0; k < wanted / 10; k++) {
      float p[SI_AXES], q[SI_AXES];
      double target[SI_AXES], way = 0, along = 0, off = 0;
      for (int i = 0; i < n; i++) p[i] = case_random(g->min[i], g->max[i]);
      if (sinew_field_feasible(field, p) || !slow_target(field, p, target)) continue;
      sinew_field_project(field, p, q);
      for (int i = 0; i < n; i++) {
        double w = target[i] - (double)p[i], d = (double)q[i] - (double)p[i];
        way += w * w, along += w * d;
      }
      along /= way;
      MU_CHECK(along > 0 && along <= 1.0001);
      for (int i = 0; i < n; i++) {
        double d = (double)q[i] - (double)p[i] - along * (target[i] - (double)p[i]);
        off += d * d;
      }
      MU_NEAR(sqrt(off), 0, 0.02 * (double)g->smallest + 1e-3 * sqrt(way));
      checked++;
      /* on the border, but for a few that six rounds do not bring there */
      double short_of = (double)field->epsilon - slow_lookup(field, q, 0, 0);
      on_border += short_of < 0.02 * (double)g->smallest;
    }
  }
  MU_CHECK(checked > wanted / 2);
  MU_CHECK_SAY(on_border > 0.95 * checked, "%d of %d stop at the border", on_border, checked);
}

static size_t ring(float radius, float *dest) {
  for (int i = 0; i < COUNT; i++) {
    float turn = 6.2831853f * (float)i / COUNT;
    dest[2 * i] = radius * cosf(turn), dest[2 * i + 1] = radius * sinf(turn);
  }
  return COUNT;
}

/* equations (6) and (7) as printed, twice: Phi grad, not divided by |grad|^2 */
static void printed_projection(const sinew_field *field, float *p) {
  const int n = field->grid.axis_count;
  for (int round = 0; round < 2; round++) {
    float phi = sinew_field_lookup(field, p, NULL), gradient[SI_AXES];
    for (int i = 0; i < n; i++) {
      const float at = p[i], cell = field->grid.cell[i];
      p[i] = at + cell;
      float above = sinew_field_lookup(field, p, NULL);
      p[i] = at - cell;
      gradient[i] = (above - sinew_field_lookup(field, p, NULL)) / (2 * cell);
      p[i] = at;
    }
    for (int i = 0; i < n; i++) p[i] -= phi * gradient[i];
  }
}

MU_TEST(printed_step_leaves_infeasible_inputs_and_projection_does_not) {
  case_seed(31);
  int outside = 0, printed = 0, ours = 0;
  for (int round = 0; round < 10; round++) {
    OWNED(field) *field = MU_MADE(some_field(3, round));
    for (int k = 0; k < mu_rounds(2000); k++) {
      float p[SI_AXES], q[SI_AXES];
      for (int i = 0; i < 3; i++) p[i] = case_random(field->grid.min[i], field->grid.max[i]);
      if (sinew_field_feasible(field, p)) continue;
      outside++;
      sinew_field_project(field, p, q);
      ours += !sinew_field_feasible(field, q);
      printed_projection(field, p);
      printed += !sinew_field_feasible(field, p);
    }
  }
  MU_CHECK(outside > 100);
  MU_INT(ours, 0);
  MU_CHECK_SAY(10 * printed > outside, "%d of %d", printed, outside);
}

MU_TEST(a_point_that_leaves_the_region_does_not_jump) {
  sinew_field_desc desc = sinew_default_field_desc(2);
  for (int i = 0; i < 2; i++) desc.axes[i].resolution = 32;
  OWNED(field) *field = MU_MADE(case_field(&desc, samples, ring(70, samples)));
  for (int k = 0; k < 360; k++) {
    float s = sinf((float)k * 0.0174533f), c = cosf((float)k * 0.0174533f);
    float before[2] = { 0, 0 }, now[2];
    for (float r = 0; r < 170; r += 0.25f) {
      sinew_field_project(field, (float[]){ r * c, r * s }, now);
      float jump = hypotf(now[0] - before[0], now[1] - before[1]);
      MU_CHECK_SAY(jump < 1.5f, "from (%g %g) to (%g %g) at %g", (double)before[0],
                   (double)before[1], (double)now[0], (double)now[1], (double)r);
      before[0] = now[0], before[1] = now[1];
    }
    /* on the border, to a hundredth of a cell */
    MU_NEAR(sinew_field_lookup(field, now, NULL), field->epsilon, 0.012f * field->grid.smallest);
  }
}

MU_TEST(projection_on_a_medial_axis_is_the_nearest_sample) {
  sinew_field_desc desc = sinew_default_field_desc(1);
  desc.axes[0] = (sinew_field_axis){ 0, 360, 37, true };
  /* two samples opposite each other; the flood starts at 90, and 270 is equally far, so inside */
  const float two[] = { 0, 180 };
  sinew_field *field = MU_MADE(case_field(&desc, two, 2));
  for (float at = 0; at < 360; at += 0.5f) {
    float dest;
    sinew_field_project(field, &at, &dest);
    MU_CHECK(sinew_field_feasible(field, &dest));
  }
  sinew_field_release(field);

  desc = sinew_default_field_desc(2);
  const float four[] = { -100, -100, 100, -100, 100, 100, -100, 100 };
  field = case_field(&desc, four, 4);
  float middle[2] = { 0, 0 }, gradient[2], dest[2];
  MU_NEAR(sinew_field_lookup(field, middle, gradient), 132, 12);
  MU_NEAR(hypotf(gradient[0], gradient[1]), 0, 1e-4);
  sinew_field_project(field, middle, dest);
  MU_NEAR(fabsf(dest[0]), 100, 16);
  MU_NEAR(fabsf(dest[1]), 100, 16);
  MU_CHECK(sinew_field_feasible(field, dest));
  sinew_field_release(field);
}

MU_TEST(a_wrapped_angle_keeps_its_number_of_turns) {
  sinew_field_desc desc = sinew_default_field_desc(1);
  desc.axes[0] = (sinew_field_axis){ -180, 180, 36, true };
  const float two[] = { 150, 179 };
  sinew_field_clip clip = { two, 2 };
  sinew_field_motion motion = {
    .size = sizeof motion, .clips = &clip, .clip_count = 1, .depth = -1
  };
  OWNED(field) *field = MU_MADE(sinew_field_from_motion(&desc, &motion, NULL, NULL));
  for (int turn = -10; turn <= 10; turn++) {
    float in = 200 + 360 * (float)turn, out;
    float moved = sinew_field_project(field, &in, &out);
    MU_NEAR(out, 184 + 360 * (float)turn, 1);
    MU_NEAR(moved, 16, 1);
    in = 165 + 360 * (float)turn;
    MU_NEAR(sinew_field_project(field, &in, &in), 0, 0);
    MU_NEAR(in, 165 + 360 * (float)turn, 0);
  }
}

MU_TEST(huge_angles_are_projected_and_stay_finite) {
  static const float absurd[] = {
    1e9f, -1e9f, 3e38f, -3e38f, INFINITY, -INFINITY, NAN, 0.0f, -0.0f
  };
  case_seed(24);
  for (int axes = 1; axes <= SI_AXES; axes++) {
    OWNED(field) *field = some_field(axes, 0);
    for (int k = 0; k < 2000; k++) {
      float p[SI_AXES], q[SI_AXES], g[SI_AXES];
      anywhere(field, p);
      for (int i = 0; i < axes; i++)
        if (case_pick(0, 1)) p[i] = absurd[case_pick(0, 8)];
      sinew_field_lookup(field, p, g);
      sinew_field_project(field, p, q);
      MU_CHECK(sinew_field_feasible(field, q));
    }
  }
}

MU_SUITE(field_query)
