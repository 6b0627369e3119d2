/* One damped step with bounds. With W = lambda + posture and c = posture * wish the free unknowns
 * satisfy (J'J + W) d = -J'r + c; with fewer rows than unknowns the same d comes from the smaller
 * (JJ' + W) y = r + J c / W by d = c / W - J'y. Unknowns that the solution moves beyond their
 * bounds are fixed there, which shifts the residual, and the others are solved again. Those that
 * need not be fixed are freed again (block pivoting, after Judice and Pires 1994, and Murty's rule
 * at its end). */
#include "solve/solve_internal.h"

#include <string.h>

/* pivoting many unknowns at once needs few rounds, but may cycle; one at a time it cannot */
enum { together_rounds = 8, most_rounds = 64 };

/* in place, with the diagonal inverted; false if the matrix is not positive definite */
static bool cholesky(double *a, int n) {
  for (int i = 0; i < n; i++) {
    double *row = a + (size_t)i * (size_t)n;
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

/* the residual after moving the fixed unknowns */
static void shifted_residual(const si_step *s, const double *d, double *r) {
  memcpy(r, s->residual, (size_t)s->rows * sizeof *r);
  for (int c = 0; c < s->columns; c++) {
    if (!s->fixed[c] || d[c] == 0) continue;
    const float *column = s->jacobian + (size_t)c * (size_t)s->rows;
    for (int k = 0; k < s->rows; k++) r[k] += (double)column[k] * d[c];
  }
}

static bool solve_rows(const si_step *s, double weight, double *d) {
  int m = s->rows;
  double *a = s->matrix, *y = s->vector, *v = y + m, over = 1 / weight;
  shifted_residual(s, d, y);
  memset(a, 0, (size_t)m * (size_t)m * sizeof *a);
  for (int i = 0; i < m; i++) a[i * m + i] = weight;
  for (int c = 0; c < s->columns; c++) {
    if (s->fixed[c]) continue;
    const float *column = s->jacobian + (size_t)c * (size_t)m;
    double push = s->posture * s->wish[c] * over;
    for (int i = 0; i < m; i++) {
      double *row = a + i * m, x = v[i] = (double)column[i];
      y[i] += x * push;
      for (int k = 0; k <= i; k++) row[k] += x * v[k];
    }
  }
  if (!cholesky(a, m)) return false;
  substitute(a, m, y);
  for (int c = 0; c < s->columns; c++) {
    if (s->fixed[c]) continue;
    const float *column = s->jacobian + (size_t)c * (size_t)m;
    double sum = s->posture * s->wish[c] * over;
    for (int k = 0; k < m; k++) sum -= (double)column[k] * y[k];
    d[c] = sum;
  }
  return true;
}

/* the lower half of J'J, computed once for all dampings and rounds of a Jacobian */
static void take_gram(si_step *s) {
  int m = s->rows, n = s->columns;
  if (s->gram_known) return;
  for (int c = 0; c < n; c++) {
    const float *p = s->jacobian + (size_t)c * (size_t)m;
    for (int e = 0; e <= c; e++) {
      const float *q = s->jacobian + (size_t)e * (size_t)m;
      double sum = 0;
      for (int j = 0; j < m; j++) sum += (double)p[j] * (double)q[j];
      s->gram[c * n + e] = sum;
    }
  }
  s->gram_known = true;
}

static bool solve_columns(si_step *s, double weight, double *d) {
  int m = s->rows, n = 0;
  double *a = s->matrix, *r = s->vector, *b = s->vector + m;
  take_gram(s);
  shifted_residual(s, d, r);
  for (int c = 0; c < s->columns; c++) {
    if (s->fixed[c]) continue;
    const float *column = s->jacobian + (size_t)c * (size_t)m;
    double sum = s->posture * s->wish[c];
    for (int k = 0; k < m; k++) sum -= (double)column[k] * r[k];
    b[n++] = sum;
  }
  for (int c = 0, i = 0; c < s->columns; c++) {
    if (s->fixed[c]) continue;
    const double *row = s->gram + (size_t)c * (size_t)s->columns;
    for (int e = 0, k = 0; e <= c; e++)
      if (!s->fixed[e]) a[i * n + k++] = row[e];
    a[i * n + i] += weight;
    i++;
  }
  if (!cholesky(a, n)) return false;
  substitute(a, n, b);
  for (int c = 0, i = 0; c < s->columns; c++)
    if (!s->fixed[c]) d[c] = b[i++];
  return true;
}

/* whether the gradient pulls a fixed unknown inside; r is the residual after the step */
static bool strains(const si_step *s, double weight, const double *r, const double *d, int c) {
  const float *column = s->jacobian + (size_t)c * (size_t)s->rows;
  double slope = weight * d[c] - s->posture * s->wish[c], size = fabs(slope);
  if (s->low[c] >= s->high[c]) return false;
  for (int k = 0; k < s->rows; k++) {
    slope += (double)column[k] * r[k];
    size += fabs((double)column[k] * r[k]);
  }
  return d[c] == s->low[c] ? slope < -1e-9 * size : slope > 1e-9 * size;
}

/* Fixes unknowns that crossed a bound and frees those that need not be fixed: all of them, or with
 * `alone` only the last one. False if there are none. */
static bool pivot(const si_step *s, double weight, double *d, bool alone) {
  double *r = s->vector;
  bool changed = false;
  for (int c = 0; c < s->columns && !changed; c++)
    changed = s->fixed[c] || d[c] < s->low[c] || d[c] > s->high[c];
  if (!changed) return false;
  changed = false;
  memcpy(r, s->residual, (size_t)s->rows * sizeof *r);
  for (int c = 0; c < s->columns; c++) {
    const float *column = s->jacobian + (size_t)c * (size_t)s->rows;
    for (int k = 0; k < s->rows && d[c] != 0; k++) r[k] += (double)column[k] * d[c];
  }
  for (int c = s->columns - 1; c >= 0 && !(alone && changed); c--) {
    if (s->fixed[c]) {
      if (!strains(s, weight, r, d, c)) continue;
      s->fixed[c] = false;
    } else {
      if (d[c] >= s->low[c] && d[c] <= s->high[c]) continue;
      d[c] = d[c] < s->low[c] ? s->low[c] : s->high[c];
      s->fixed[c] = true;
    }
    changed = true;
  }
  return changed;
}

bool si_step_solve(si_step *s, double lambda, double *d) {
  double weight = lambda + s->posture;
  for (int c = 0; c < s->columns; c++) {
    s->fixed[c] = s->low[c] >= s->high[c];
    d[c] = s->fixed[c] ? s->low[c] : 0;
  }
  for (int round = 0; round < most_rounds; round++) {
    int left = 0;
    for (int c = 0; c < s->columns; c++) left += !s->fixed[c];
    if (left && !(s->rows <= left ? solve_rows(s, weight, d) : solve_columns(s, weight, d)))
      return false;
    if (!pivot(s, weight, d, round >= together_rounds)) return true;
  }
  for (int c = 0; c < s->columns; c++) d[c] = fmax(s->low[c], fmin(s->high[c], d[c]));
  return true;
}
