/* The quadratic program against the conditions that mark the minimum of a convex function, checked
 * in doubles by a slow method: no feasible point nearby, along random directions and along the
 * constraints, is lower; and where it reports that nothing is feasible, a slow search finds nothing
 * either. */
#include "solve/solve_internal.h"

#include "make.h"
#include "minunit.h"

#include <string.h>

enum { most = 12, most_cuts = 8 };

typedef struct task {
  int n, cut_count;
  double matrix[most * most], gradient[most], low[most], high[most];
  double cuts[most_cuts * most], cut_most[most_cuts];
} task;

static double between(uint32_t *seed, double low, double high) {
  return (double)make_between(seed, (float)low, (float)high);
}

/* `feasible`: all cuts have a common point inside the box */
static task make_task(uint32_t *seed, bool feasible) {
  task t = { .n = 1 + (int)make_index(seed, most), .cut_count = (int)make_index(seed, most_cuts) };
  double inside[most], a[most * most] = { 0 };
  int rows = 1 + (int)make_index(seed, most);
  double damping = pow(10, between(seed, -5, 0));
  for (int i = 0; i < rows * t.n; i++) a[i] = make_index(seed, 6) ? between(seed, -1, 1) : 0;
  for (int i = 0; i < t.n; i++)
    for (int k = 0; k < t.n; k++) {
      double sum = i == k ? damping : 0;
      for (int j = 0; j < rows; j++) sum += a[j * t.n + i] * a[j * t.n + k];
      t.matrix[i * t.n + k] = sum;
    }
  for (int i = 0; i < t.n; i++) {
    t.gradient[i] = between(seed, -1, 1);
    t.low[i] = make_index(seed, 4) ? between(seed, -0.6, 0) : 0;
    t.high[i] = make_index(seed, 4) ? between(seed, 0, 0.6) : 0;
    inside[i] = t.low[i] + between(seed, 0, 1) * (t.high[i] - t.low[i]);
  }
  for (int k = 0; k < t.cut_count; k++) {
    double at = 0;
    for (int i = 0; i < t.n; i++) {
      t.cuts[k * t.n + i] = make_index(seed, 3) ? between(seed, -1, 1) : 0;
      at += t.cuts[k * t.n + i] * inside[i];
    }
    /* some are copies of another, some pass through the point */
    t.cut_most[k] = at + (make_index(seed, 4) ? between(seed, 0, 0.3) : 0);
    if (k && !make_index(seed, 5)) {
      memcpy(t.cuts + k * t.n, t.cuts, (size_t)t.n * sizeof *t.cuts);
      t.cut_most[k] = t.cut_most[0];
    }
    if (!feasible) t.cut_most[k] -= between(seed, 0, 1);
  }
  return t;
}

static bool solve(const task *t, double *d) {
  double matrix[most * most], basis[most * most], r[most * most], multiplier[most + 1];
  double vector[3 * most];
  int active[most + 1];
  memcpy(matrix, t->matrix, sizeof matrix);
  si_qp q = { .n = t->n,
              .cut_count = t->cut_count,
              .matrix = matrix,
              .gradient = t->gradient,
              .low = t->low,
              .high = t->high,
              .cuts = t->cuts,
              .cut_most = t->cut_most,
              .basis = basis,
              .r = r,
              .multiplier = multiplier,
              .vector = vector,
              .active = active };
  return si_qp_solve(&q, d);
}

static double cost(const task *t, const double *d) {
  double sum = 0;
  for (int i = 0; i < t->n; i++) {
    sum += t->gradient[i] * d[i];
    for (int k = 0; k < t->n; k++) sum += 0.5 * t->matrix[i * t->n + k] * d[i] * d[k];
  }
  return sum;
}

/* the largest violation of a constraint */
static double violation(const task *t, const double *d) {
  double worst = 0;
  for (int i = 0; i < t->n; i++) worst = fmax(worst, fmax(t->low[i] - d[i], d[i] - t->high[i]));
  for (int k = 0; k < t->cut_count; k++) {
    double at = -t->cut_most[k];
    for (int i = 0; i < t->n; i++) at += t->cuts[k * t->n + i] * d[i];
    worst = fmax(worst, at);
  }
  return worst;
}

/* moves a point into all constraints by cyclic projections; false if it does not get there */
static bool project(const task *t, double *d) {
  for (int round = 0; round < 20000; round++) {
    for (int i = 0; i < t->n; i++) d[i] = fmax(t->low[i], fmin(t->high[i], d[i]));
    for (int k = 0; k < t->cut_count; k++) {
      const double *a = t->cuts + k * t->n;
      double at = -t->cut_most[k], square = 0;
      for (int i = 0; i < t->n; i++) at += a[i] * d[i], square += a[i] * a[i];
      if (at <= 0 || square == 0) continue;
      for (int i = 0; i < t->n; i++) d[i] -= a[i] * at / square;
    }
    if (violation(t, d) < 1e-9) return true;
  }
  return false;
}

MU_TEST(program_finds_the_minimum_inside_box_and_cuts) {
  uint32_t seed = 11;
  int on_cuts = 0, on_box = 0;
  for (int i = 0; i < mu_rounds(2000); i++) {
    task t = make_task(&seed, true);
    double d[most], best;
    MU_CHECK_SAY(solve(&t, d), "case %d: no solution", i);
    MU_CHECK_SAY(violation(&t, d) < 1e-8, "case %d is %g outside", i, violation(&t, d));
    best = cost(&t, d);
    /* convexity: the minimum is lower than every feasible point, near or far */
    for (int k = 0; k < 60; k++) {
      double other[most], reach = pow(10, between(&seed, -4, 0));
      for (int j = 0; j < t.n; j++) other[j] = d[j] + reach * between(&seed, -1, 1);
      if (!project(&t, other)) continue;
      MU_CHECK_SAY(cost(&t, other) >= best - 1e-7, "case %d: %.12g, a point nearby has %.12g", i,
                   best, cost(&t, other));
    }
    for (int k = 0; k < t.cut_count; k++) {
      double at = -t.cut_most[k];
      for (int j = 0; j < t.n; j++) at += t.cuts[k * t.n + j] * d[j];
      on_cuts += at > -1e-9;
    }
    for (int j = 0; j < t.n; j++) on_box += t.low[j] < t.high[j] && d[j] == t.low[j];
  }
  MU_CHECK(on_cuts && on_box);
}

MU_TEST(program_says_when_nothing_is_feasible) {
  uint32_t seed = 12;
  int refused = 0;
  for (int i = 0; i < mu_rounds(500); i++) {
    task t = make_task(&seed, false);
    double d[most], other[most] = { 0 };
    bool found = solve(&t, d), exists = project(&t, other);
    if (found)
      MU_CHECK_SAY(violation(&t, d) < 1e-8, "case %d is %g outside", i, violation(&t, d));
    else
      MU_CHECK_SAY(!exists, "case %d has a feasible point", i);
    refused += !found;
  }
  MU_CHECK(refused);
}

MU_TEST(program_refuses_a_matrix_that_is_not_positive) {
  task t = { .n = 2, .matrix = { 1, 2, 2, 1 }, .high = { 1, 1 } };
  double d[2];
  MU_CHECK(!solve(&t, d));
  t.matrix[0] = NAN;
  MU_CHECK(!solve(&t, d));
}

MU_SUITE(solve_qp)
