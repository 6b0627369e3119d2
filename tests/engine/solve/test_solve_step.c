/* The bounded step against slow coordinate descent in doubles, which for a strictly convex function
 * in a box converges to its only minimum. */
#include "solve/solve_internal.h"

#include "make.h"
#include "minunit.h"

#include <stdlib.h>

enum { most = 14 };

typedef struct task {
  int rows, columns;
  float jacobian[most * most];
  double residual[most], low[most], high[most], wish[most], posture, lambda;
} task;

static double between(uint32_t *seed, double low, double high) {
  return (double)make_between(seed, (float)low, (float)high);
}

static task make_task(uint32_t *seed, int rows, int columns) {
  task t = { .rows = rows, .columns = columns };
  t.posture = make_index(seed, 2) ? between(seed, 0, 0.3) : 0;
  t.lambda = pow(10, between(seed, -5, 0));
  for (int i = 0; i < rows * columns; i++)
    t.jacobian[i] = make_index(seed, 6) ? make_between(seed, -1, 1) : 0;
  for (int k = 0; k < rows; k++) t.residual[k] = between(seed, -1, 1);
  for (int c = 0; c < columns; c++) {
    t.low[c] = make_index(seed, 3) ? between(seed, -0.6, 0) : 0;
    t.high[c] = make_index(seed, 3) ? between(seed, 0, 0.6) : 0;
    t.wish[c] = between(seed, -1, 1);
    /* some start outside and must be clamped */
    if (!make_index(seed, 12)) t.low[c] = t.high[c] * between(seed, 0, 1);
  }
  return t;
}

static double cost(const task *t, const double *d) {
  double sum = 0;
  for (int k = 0; k < t->rows; k++) {
    double r = t->residual[k];
    for (int c = 0; c < t->columns; c++) r += (double)t->jacobian[c * t->rows + k] * d[c];
    sum += r * r;
  }
  for (int c = 0; c < t->columns; c++)
    sum += t->lambda * d[c] * d[c] + t->posture * (d[c] - t->wish[c]) * (d[c] - t->wish[c]);
  return sum;
}

/* minimises along each unknown in turn, clamped to its bounds, until nothing changes */
static void descend(const task *t, double *d) {
  double r[most];
  for (int c = 0; c < t->columns; c++) d[c] = fmax(t->low[c], fmin(t->high[c], 0));
  for (int k = 0; k < t->rows; k++) {
    r[k] = t->residual[k];
    for (int c = 0; c < t->columns; c++) r[k] += (double)t->jacobian[c * t->rows + k] * d[c];
  }
  for (int round = 0; round < 200000; round++) {
    double moved = 0;
    for (int c = 0; c < t->columns; c++) {
      const float *column = t->jacobian + c * t->rows;
      double square = t->lambda + t->posture, slope = t->posture * t->wish[c] - square * d[c];
      for (int k = 0; k < t->rows; k++) {
        square += (double)column[k] * (double)column[k];
        slope -= (double)column[k] * r[k];
      }
      double to = fmax(t->low[c], fmin(t->high[c], d[c] + slope / square)), by = to - d[c];
      for (int k = 0; k < t->rows; k++) r[k] += (double)column[k] * by;
      d[c] = to;
      moved = fmax(moved, fabs(by));
    }
    if (moved < 1e-13) return;
  }
}

static bool solve(const task *t, double *d) {
  double matrix[most * most], vector[3 * most], gram[most * most];
  bool fixed[most];
  si_step step = { .rows = t->rows,
                   .columns = t->columns,
                   .jacobian = t->jacobian,
                   .residual = t->residual,
                   .low = t->low,
                   .high = t->high,
                   .wish = t->wish,
                   .posture = t->posture,
                   .matrix = matrix,
                   .vector = vector,
                   .gram = gram,
                   .fixed = fixed };
  return si_step_solve(&step, t->lambda, d);
}

static bool inside(const task *t, const double *d) {
  for (int c = 0; c < t->columns; c++)
    if (!(d[c] >= t->low[c] && d[c] <= t->high[c])) return false;
  return true;
}

MU_TEST(step_in_a_box_is_its_minimum) {
  uint32_t seed = 11;
  int wide = 0, tall = 0, held = 0;
  for (int i = 0; i < mu_rounds(1500); i++) {
    task t = make_task(&seed, 1 + make_index(&seed, most), 1 + make_index(&seed, most));
    double d[most], best[most];
    MU_CHECK(solve(&t, d));
    MU_CHECK_SAY(inside(&t, d), "case %d leaves its box", i);
    descend(&t, best);
    MU_CHECK_SAY(cost(&t, d) <= cost(&t, best) + 1e-9, "case %d: %.12g, the least is %.12g", i,
                 cost(&t, d), cost(&t, best));
    wide += t.rows <= t.columns, tall += t.rows > t.columns;
    for (int c = 0; c < t.columns; c++) held += d[c] == t.low[c] || d[c] == t.high[c];
  }
  MU_CHECK(wide && tall && held);
}

MU_TEST(step_frees_variables_that_need_not_be_fixed) {
  /* without bounds both go far to the right; with the second one fixed, the first goes to the left
   */
  task t = { .rows = 2,
             .columns = 2,
             .jacobian = { 1, 0, -0.9f, 0.1f },
             .residual = { -0.1, -1 },
             .low = { -1, -1 },
             .high = { 0.5, 0.1 },
             .lambda = 1e-6 };
  double d[2], best[2];
  MU_CHECK(solve(&t, d));
  descend(&t, best);
  MU_NEAR(d[0], best[0], 1e-9);
  MU_NEAR(d[1], best[1], 1e-9);
  MU_NEAR(d[0], 0.19, 1e-5);
}

MU_TEST(step_with_all_variables_fixed_is_zero) {
  uint32_t seed = 3;
  task t = make_task(&seed, 3, 7);
  double d[most];
  for (int c = 0; c < t.columns; c++) t.low[c] = t.high[c] = 0;
  MU_CHECK(solve(&t, d));
  for (int c = 0; c < t.columns; c++) MU_NEAR(d[c], 0, 0);
  for (int c = 0; c < t.columns; c++) t.low[c] = t.high[c] = 0.25;
  MU_CHECK(solve(&t, d));
  for (int c = 0; c < t.columns; c++) MU_NEAR(d[c], 0.25, 0);
}

MU_TEST(step_without_damping_is_refused_or_zero_on_zero_columns) {
  task t = { .rows = 3,
             .columns = 2,
             .residual = { 1, 1, 1 },
             .low = { -1, -1 },
             .high = { 1, 1 },
             .lambda = 1e-9 };
  double d[2];
  MU_CHECK(solve(&t, d));
  MU_NEAR(d[0], 0, 1e-12);
  t.lambda = 0;
  MU_CHECK(!solve(&t, d));
}

MU_SUITE(solve_step)
