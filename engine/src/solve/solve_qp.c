/* A small dense quadratic program by the dual active set method [Goldfarb and Idnani 1983]: start
 * at the unconstrained minimum, then add the most violated constraint, dropping others whose
 * multiplier would become negative, until none is violated.
 *
 * With H = L L', the matrix `basis` is L^-T times the rotations of all changes of the active set,
 * so that its first columns span the active normals (times R, upper triangular) and the others the
 * directions that keep them. Constraints are numbered: the low bounds, the high bounds, the
 * cuts. */
#include "base/budget_internal.h"
#include "solve/solve_internal.h"

#include <string.h>

/* in place, lower half; the diagonal is stored inverted; false if not positive definite */
static bool cholesky(double *a, int n) {
  for (int i = 0; i < n; i++) {
    double *row = a + (size_t)i * (size_t)n;
    if (!si_work((size_t)i * (size_t)i / 16)) return false;
    for (int k = 0; k <= i; k++) {
      const double *other = a + (size_t)k * (size_t)n;
      double sum = row[k];
      for (int j = 0; j < k; j++) sum -= row[j] * other[j];
      if (k < i)
        row[k] = sum * other[k];
      else if (!(sum > 0))
        return false;
      else
        row[i] = 1 / sqrt(sum);
    }
  }
  return true;
}

static void substitute(const double *a, int n, double *x) {
  for (int i = 0; i < n; i++) {
    const double *row = a + (size_t)i * (size_t)n;
    double sum = x[i];
    for (int k = 0; k < i; k++) sum -= row[k] * x[k];
    x[i] = sum * row[i];
  }
  for (int i = n - 1; i >= 0; i--) {
    const double *row = a + (size_t)i * (size_t)n;
    x[i] *= row[i];
    for (int k = 0; k < i; k++) x[k] -= row[k] * x[i];
  }
}

/* column k of L^-T, which is upper triangular, goes to row k of `basis` */
static bool make_basis(si_qp *q) {
  int n = q->n;
  const double *l = q->matrix;
  memset(q->basis, 0, (size_t)n * (size_t)n * sizeof *q->basis);
  for (int k = 0; k < n; k++) {
    double *x = q->basis + (size_t)k * (size_t)n;
    if (!si_work((size_t)k * (size_t)k / 8)) return false;
    /* solves L' x = e_k: entries 0 to k */
    x[k] = l[k * n + k];
    for (int i = k - 1; i >= 0; i--) {
      double sum = 0;
      for (int j = i + 1; j <= k; j++) sum += l[j * n + i] * x[j];
      x[i] = -sum * l[i * n + i];
    }
  }
  return true;
}

/* by how much a constraint is satisfied */
static double slack(const si_qp *q, int at, const double *d) {
  int n = q->n;
  if (at < n) return d[at] - q->low[at];
  if (at < 2 * n) return q->high[at - n] - d[at - n];
  const double *a = q->cuts + (size_t)(at - 2 * n) * (size_t)n;
  double sum = q->cut_most[at - 2 * n];
  for (int i = 0; i < n; i++) sum -= a[i] * d[i];
  return sum;
}

/* t = basis' normal, where the constraint is normal . d >= bound */
static void project(const si_qp *q, int at, double *t) {
  int n = q->n;
  for (int k = 0; k < n; k++) {
    const double *column = q->basis + (size_t)k * (size_t)n;
    if (at < n)
      t[k] = column[at];
    else if (at < 2 * n)
      t[k] = -column[at - n];
    else {
      const double *a = q->cuts + (size_t)(at - 2 * n) * (size_t)n;
      double sum = 0;
      for (int i = 0; i < n; i++) sum -= a[i] * column[i];
      t[k] = sum;
    }
  }
}

static double along_normal(const si_qp *q, int at, const double *z) {
  int n = q->n;
  if (at < n) return z[at];
  if (at < 2 * n) return -z[at - n];
  const double *a = q->cuts + (size_t)(at - 2 * n) * (size_t)n;
  double sum = 0;
  for (int i = 0; i < n; i++) sum -= a[i] * z[i];
  return sum;
}

/* rotates columns i and k of the basis */
static void rotate_basis(si_qp *q, int i, int k, double c, double s) {
  double *x = q->basis + (size_t)i * (size_t)q->n, *y = q->basis + (size_t)k * (size_t)q->n;
  for (int j = 0; j < q->n; j++) {
    double p = x[j], r = y[j];
    x[j] = c * p + s * r;
    y[j] = c * r - s * p;
  }
}

/* makes `t` the next column of R: rotates what is below its diagonal to zero */
static bool add_active(si_qp *q, int at, double *t, int *count) {
  int n = q->n, used = *count;
  for (int k = n - 1; k > used; k--) {
    if (t[k] == 0) continue;
    double h = sqrt(t[k - 1] * t[k - 1] + t[k] * t[k]), c = t[k - 1] / h, s = t[k] / h;
    t[k - 1] = h;
    t[k] = 0;
    rotate_basis(q, k - 1, k, c, s);
  }
  if (!(fabs(t[used]) > 1e-12)) return false;
  for (int i = 0; i <= used; i++) q->r[i * n + used] = t[i];
  q->active[used] = at;
  *count = used + 1;
  return true;
}

static void drop_active(si_qp *q, int which, int *count) {
  int n = q->n;
  for (int k = which; k + 1 < *count; k++) {
    q->active[k] = q->active[k + 1];
    q->multiplier[k] = q->multiplier[k + 1];
    for (int i = 0; i < n; i++) q->r[i * n + k] = q->r[i * n + k + 1];
  }
  (*count)--;
  for (int k = which; k < *count; k++) {
    double p = q->r[k * n + k], r = q->r[(k + 1) * n + k], h = sqrt(p * p + r * r);
    if (h == 0) continue;
    double c = p / h, s = r / h;
    for (int j = k; j < *count; j++) {
      double x = q->r[k * n + j], y = q->r[(k + 1) * n + j];
      q->r[k * n + j] = c * x + s * y;
      q->r[(k + 1) * n + j] = c * y - s * x;
    }
    rotate_basis(q, k, k + 1, c, s);
  }
}

static bool is_active(const si_qp *q, int at, int count) {
  for (int k = 0; k < count; k++)
    if (q->active[k] == at) return true;
  return false;
}

/* the most violated constraint, or -1 */
static int most_violated(const si_qp *q, const double *d, int count) {
  int worst = -1, n = q->n;
  double least = -1e-10;
  for (int i = 0; i < n; i++) {
    double low = d[i] - q->low[i], high = q->high[i] - d[i], s = low < high ? low : high;
    int at = low < high ? i : n + i;
    if (!(s < least) || is_active(q, at, count)) continue;
    least = s;
    worst = at;
  }
  for (int at = 2 * n; at < 2 * n + q->cut_count; at++) {
    double s = slack(q, at, d);
    if (!(s < least) || is_active(q, at, count)) continue;
    least = s;
    worst = at;
  }
  return worst;
}

/* moves d to the constraint `at`; false if no point satisfies all */
static bool satisfy(si_qp *q, int at, double *d, int *count, int *steps) {
  int n = q->n;
  double *t = q->vector, *z = t + n, *r = z + n, own = 0;
  while (--*steps > 0 && si_work((size_t)n * (size_t)n / 4)) {
    int used = *count;
    project(q, at, t);
    memset(z, 0, (size_t)n * sizeof *z);
    for (int k = used; k < n; k++) {
      const double *column = q->basis + (size_t)k * (size_t)n;
      for (int i = 0; i < n; i++) z[i] += t[k] * column[i];
    }
    for (int i = used - 1; i >= 0; i--) {
      double sum = t[i];
      for (int k = i + 1; k < used; k++) sum -= q->r[i * n + k] * r[k];
      r[i] = sum / q->r[i * n + i];
    }
    double partial = INFINITY, full = INFINITY, free_part = 0, whole = 0;
    int leaving = -1;
    for (int k = 0; k < used; k++)
      if (r[k] > 1e-14 && q->multiplier[k] / r[k] < partial) {
        partial = q->multiplier[k] / r[k];
        leaving = k;
      }
    for (int k = 0; k < n; k++) {
      whole += t[k] * t[k];
      if (k >= used) free_part += t[k] * t[k];
    }
    double gap = -slack(q, at, d);
    if (free_part > 1e-20 * whole) full = gap / along_normal(q, at, z);
    double step = fmin(partial, full);
    if (isinf(step)) return false;
    for (int k = 0; k < used; k++) q->multiplier[k] -= step * r[k];
    own += step;
    if (!isinf(full))
      for (int i = 0; i < n; i++) d[i] += step * z[i];
    if (step == full) {
      if (!add_active(q, at, t, count)) return false;
      q->multiplier[*count - 1] = own;
      return true;
    }
    drop_active(q, leaving, count);
  }
  return false;
}

bool si_qp_solve(si_qp *q, double *d) {
  int n = q->n, count = 0, steps = 20 * n + 20 * q->cut_count + 100;
  q->indefinite = false;
  if (si_stopped()) return false;
  q->indefinite = !cholesky(q->matrix, n);
  if (q->indefinite || si_stopped()) return false;
  for (int i = 0; i < n; i++) d[i] = -q->gradient[i];
  substitute(q->matrix, n, d);
  for (bool ready = false; steps > 0; ready = true) {
    int worst = most_violated(q, d, count);
    if (worst < 0) {
      /* rounding must not leave the box */
      for (int i = 0; i < n; i++) d[i] = fmax(q->low[i], fmin(q->high[i], d[i]));
      return true;
    }
    if (!ready && !make_basis(q)) return false;
    if (!satisfy(q, worst, d, &count, &steps)) return false;
  }
  return false;
}
