/* Fits a reach cone to motion: splits the samples into directions and twists, finds a visible point
 * in their middle, computes the samples' outline by sectors of azimuth and drops the samples that
 * widen it most, finds the outline of fewest points around it (cone_outline.c), and at its points
 * the twist limits that contain what is left. */
#include "limits/cone_fit.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "math/angle.h"

#define TURN      (2 * 3.14159265358979323846)
#define NARROWEST (0.25 * SI_DEG) /* polar angle that every outline has at least */
#define ROOM      (172 * SI_DEG)  /* largest polar angle of an outline */
#define FLAT      (0.1 * SI_DEG)  /* directions this near to a great circle are those of a hinge */
#define SLACK     (0.01 * SI_DEG) /* against rounding */

enum { MOST_SEARCHED = 4096, FEWEST_SECTORS = 16 };

sinew_cone_fit sinew_default_cone_fit(void) {
  return (
      sinew_cone_fit){ .size = sizeof(sinew_cone_fit), .share = 0.99f, .tolerance = 2, .cell = 5 };
}

/* the k-th smallest value, counted from 0 */
static double select_kth(double *values, int count, int k) {
  int low = 0, high = count - 1;
  while (low < high) {
    double pivot = values[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      double swap = values[i];
      values[i++] = values[j], values[j--] = swap;
    }
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      break;
  }
  return values[k];
}

/* the largest angle of a sample from a direction, not counting those that may be dropped */
static double extent_cost(const void *context, const double *direction) {
  const si_fitting *f = context;
  int step = (f->count + MOST_SEARCHED - 1) / MOST_SEARCHED, n = 0;
  if (!si_work((size_t)(f->count / step))) return 0;
  for (int i = 0; i < f->count; i += step) {
    const float *d = f->samples[i].direction;
    f->scratch[n++] =
        (double)d[0] * direction[0] + (double)d[1] * direction[1] + (double)d[2] * direction[2];
  }
  int spared = (int)((1 - (double)f->fit->share) / 2 * n);
  return -fmin(select_kth(f->scratch, n, spared), si_wide_dot(f->rest, direction));
}

/* the largest distance of a sample from the great circle about a direction, not counting those that
 * may be dropped */
static double flatness_cost(const void *context, const double *direction) {
  const si_fitting *f = context;
  int step = (f->count + MOST_SEARCHED - 1) / MOST_SEARCHED, n = 0;
  if (!si_work((size_t)(f->count / step))) return 0;
  for (int i = 0; i < f->count; i += step) {
    const float *d = f->samples[i].direction;
    f->scratch[n++] = fabs((double)d[0] * direction[0] + (double)d[1] * direction[1] +
                           (double)d[2] * direction[2]);
  }
  return select_kth(f->scratch, n, n - 1 - (int)((1 - (double)f->fit->share) * n));
}

/* minimises `cost` over directions: tries an even grid on the sphere, then ever smaller steps */
static void search_direction(double (*cost)(const void *context, const double *direction),
                             const void *context, double *dest) {
  enum { spread = 500, rounds = 40 };
  double best = HUGE_VAL;
  for (int i = 0; i < spread; i++) {
    double z = 1 - (2.0 * i + 1) / spread, r = sqrt(1 - z * z), at = i * 2.399963229728653;
    double d[3] = { r * cos(at), r * sin(at), z }, here = cost(context, d);
    if (here < best) {
      best = here;
      memcpy(dest, d, sizeof d);
    }
  }
  double reach = 0.15;
  for (int round = 0; round < rounds; round++) {
    double from[3] = { dest[0], dest[1], dest[2] }, e[3], g[3];
    int least = fabs(from[0]) < fabs(from[1]) ? 0 : 1;
    si_wide_cross(from, (double[]){ least == 0, least == 1, 0 }, e);
    double size = si_wide_length(e);
    for (int k = 0; k < 3; k++) e[k] /= size;
    si_wide_cross(from, e, g);
    bool moved = false;
    for (int way = 0; way < 8; way++) {
      double d[3], x = cos(way * TURN / 8) * reach, y = sin(way * TURN / 8) * reach;
      for (int k = 0; k < 3; k++) d[k] = from[k] + x * e[k] + y * g[k];
      size = si_wide_length(d);
      for (int k = 0; k < 3; k++) d[k] /= size;
      double here = cost(context, d);
      if (here < best) {
        best = here;
        memcpy(dest, d, sizeof d);
        moved = true;
      }
    }
    if (!moved) reach /= 2;
  }
}

static sinew_status choose_visible(si_fitting *f, sinew_error *error) {
  double flat[3];
  search_direction(flatness_cost, f, flat);
  if (flatness_cost(f, flat) < FLAT)
    return si_fail(error, SINEW_ERR_VALUE,
                   "cone fit: the samples' directions lie on one great circle to within 0.1 "
                   "degrees: that is a hinge, whose limit is an interval and not a cone");
  search_direction(extent_cost, f, f->visible);
  double reach = acos(fmin(1, fmax(-1, -extent_cost(f, f->visible))));
  double from_rest = acos(fmin(1, fmax(-1, -extent_cost(f, f->rest))));
  if (reach > ROOM)
    return si_fail(error, SINEW_ERR_VALUE,
                   "cone fit: the samples reach all around (%.0f degrees from their middle): no "
                   "room is left for a boundary",
                   reach / SI_DEG);
  /* takes the rest direction itself if it is nearly as good: exits are then radial */
  if (from_rest < 1.25 * reach && from_rest < ROOM) memcpy(f->visible, f->rest, sizeof f->rest);

  const double *v = f->visible;
  int least = fabs(v[0]) < fabs(v[1]) ? 0 : 1;
  si_wide_cross((double[]){ least == 0, least == 1, 0 }, v, f->right);
  double size = si_wide_length(f->right);
  for (int k = 0; k < 3; k++) f->right[k] /= size;
  si_wide_cross(v, f->right, f->up);
  for (int i = 0; i <= f->count; i++) {
    double d[3];
    si_wide(f->samples[i].direction, d);
    double x = si_wide_dot(f->right, d), y = si_wide_dot(f->up, d), at = atan2(y, x);
    f->samples[i].polar = (float)atan2(hypot(x, y), si_wide_dot(v, d));
    f->samples[i].azimuth = (float)(at < 0 ? at + TURN : at);
  }
  return SINEW_OK;
}

static bool by_sector_outermost(const void *first, const void *second) {
  const si_fit_sample *a = first, *b = second;
  return a->group != b->group ? a->group < b->group : a->polar > b->polar;
}

static bool by_point_twist(const void *first, const void *second) {
  const si_fit_sample *a = first, *b = second;
  if (a->dropped != b->dropped) return b->dropped;
  return a->group != b->group ? a->group < b->group : a->twist < b->twist;
}

typedef struct runs {
  const si_fit_sample *samples;
  const int *starts, *sizes;
  int lists; /* of twists: first the highest of each run, then the lowest */
  const int *dropped;
} runs;

/* the area saved by dropping k more of the outermost samples of a sector */
static double area_gain(const void *context, int list, int from, int k) {
  const runs *r = context;
  const si_fit_sample *s = r->samples + r->starts[list];
  double next = from + k < r->sizes[list] ? (double)s[from + k].polar : NARROWEST;
  return cos(fmax(next, NARROWEST)) - cos((double)s[from].polar);
}

static double twist_gain(const void *context, int list, int from, int k) {
  const runs *r = context;
  int run = list / 2, n = r->sizes[list];
  const si_fit_sample *s = r->samples + r->starts[run];
  /* something must remain between both ends */
  if (from + k + r->dropped[list ^ 1] >= n) return 0;
  if (list % 2) return (double)(s[from + k].twist - s[from].twist);
  return (double)(s[n - 1 - from].twist - s[n - 1 - from - k].twist);
}

/* starts and sizes of the groups, in samples sorted by group */
static void find_runs(const si_fit_sample *samples, int count, int groups, int *starts,
                      int *sizes) {
  memset(sizes, 0, (size_t)groups * sizeof *sizes);
  for (int i = 0; i < count && !samples[i].dropped; i++) {
    if (sizes[samples[i].group]++ == 0) starts[samples[i].group] = i;
  }
}

/* the samples' outline at the borders of the sectors; a gap is bridged by an arc */
static void outline_borders(si_fitting *f, const double *reach) {
  int n = f->sectors;
  double width = TURN / n;
  for (int i = 0; i < n; i++) {
    double before = reach[(i + n - 1) % n], after = reach[i];
    f->inner[i] = fmax(before, after);
    if (f->inner[i] > 0) continue;
    int back = 1, on = 1;
    while (back < n && !(fmax(reach[(i + n - back) % n], reach[(i + 2 * n - back - 1) % n]) > 0))
      back++;
    while (on < n && !(fmax(reach[(i + on) % n], reach[(i + on - 1 + n) % n]) > 0)) on++;
    double p = fmax(reach[(i + n - back) % n], reach[(i + 2 * n - back - 1) % n]);
    double q = fmax(reach[(i + on) % n], reach[(i + on - 1) % n]), span = (back + on) * width;
    if (span > 0.47 * TURN) continue;
    double height = (sin(on * width) / tan(p) + sin(back * width) / tan(q)) / sin(span);
    f->inner[i] = atan2(1, height);
  }
  for (int i = 0; i < n; i++) f->inner[i] = fmax(f->inner[i], NARROWEST) + SLACK;
}

static sinew_status fit_outline(si_fitting *f, int budget, sinew_error *error) {
  /* sectors twice as wide as the tolerance, and wide enough to hold several samples each */
  int n = (int)fmin(f->count / 6, 180 / (double)f->fit->tolerance);
  if (n < FEWEST_SECTORS) n = FEWEST_SECTORS;
  if (n > SI_FIT_MOST_SECTORS) n = SI_FIT_MOST_SECTORS;
  f->sectors = n;
  for (int i = 0; i <= f->count; i++) {
    int at = (int)((double)f->samples[i].azimuth / TURN * n);
    f->samples[i].group = at < n ? at : n - 1;
  }
  si_fit_sort(f->samples, f->count, sizeof *f->samples, by_sector_outermost);
  if (si_stopped()) return si_fail_memory(error);
  int starts[SI_FIT_MOST_SECTORS] = { 0 }, sizes[SI_FIT_MOST_SECTORS],
      dropped[SI_FIT_MOST_SECTORS] = { 0 };
  double reach[SI_FIT_MOST_SECTORS] = { 0 };
  find_runs(f->samples, f->count, n, starts, sizes);
  runs r = { f->samples, starts, sizes, n, dropped };
  si_fit_lists lists = { n, sizes, dropped, area_gain, &r };
  si_fit_drop(&lists, budget);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < dropped[i]; k++) f->samples[starts[i] + k].dropped = true;
    if (dropped[i] < sizes[i]) reach[i] = (double)f->samples[starts[i] + dropped[i]].polar;
  }
  const si_fit_sample *rest = f->samples + f->count;
  if ((double)rest->polar > reach[rest->group]) {
    f->rest_extended =
        (double)rest->polar > reach[rest->group] + (double)f->fit->tolerance * SI_DEG;
    reach[rest->group] = (double)rest->polar;
  }
  /* an arc between two borders comes nearer to V than its ends */
  for (int i = 0; i < n; i++)
    if (reach[i] > 0 && reach[i] < TURN / 4) reach[i] = atan2(1, cos(TURN / n / 2) / tan(reach[i]));
  outline_borders(f, reach);
  for (int i = 0; i < n; i++)
    if (f->inner[i] > 178 * SI_DEG)
      return si_fail(
          error, SINEW_ERR_VALUE,
          "cone fit: samples come too near to the direction opposite to their middle: no "
          "room is left for a boundary; a lower share may drop them");
  f->point_count =
      si_outline_fewest(f->inner, n, (double)f->fit->tolerance * SI_DEG, ROOM, f->points);
  return f->point_count < 0 ? si_fail_memory(error) : SINEW_OK;
}

static sinew_cone *make_cone(const si_fitting *f, const float (*twist)[2],
                             const float *visible_twist, sinew_error *error) {
  float points[SI_FIT_MOST_SECTORS][3];
  for (int i = 0; i < f->point_count; i++) {
    double at = f->points[i].border * TURN / f->sectors, polar = f->points[i].polar;
    for (int k = 0; k < 3; k++)
      points[i][k] = (float)(cos(polar) * f->visible[k] +
                             sin(polar) * (cos(at) * f->right[k] + sin(at) * f->up[k]));
  }
  sinew_cone_desc desc = sinew_default_cone_desc();
  desc.points = (const float(*)[3])points;
  desc.count = f->point_count;
  desc.visible_from = SINEW_VISIBLE_GIVEN;
  for (int k = 0; k < 3; k++) {
    desc.visible[k] = (float)f->visible[k];
    desc.rest[k] = (float)f->rest[k];
  }
  desc.twist = twist;
  desc.has_visible_twist = visible_twist != NULL;
  if (visible_twist) memcpy(desc.visible_twist, visible_twist, sizeof desc.visible_twist);
  return sinew_cone_create(&desc, error);
}

/* Widens the limits if they exclude the sample's twist. Only the limits that exclude it move, and
 * only towards the sample's twist: none moves further than some sample needs. */
static void admit(const sinew_cone *cone, const si_fit_sample *s, float (*limits)[2]) {
  si_v4 dots;
  float w[3];
  int slice = si_cone_find(cone, s->direction, -1, &dots);
  int at[3] = { slice, si_cone_next(cone, slice), cone->count };
  si_cone_weights(cone, s->direction, slice, w);
  for (int side = 0; side < 2; side++) {
    float sign = side ? 1 : -1, missing = 0, movable = 0;
    for (int k = 0; k < 3; k++) {
      float short_by = sign * (s->twist - limits[at[k]][side]) * w[k];
      missing += short_by;
      movable += short_by > 0 ? short_by : 0;
    }
    if (!(missing > 0)) continue;
    for (int k = 0; k < 3; k++) {
      float *limit = &limits[at[k]][side], gap = s->twist - *limit;
      if (sign * gap > 0) *limit += gap * missing / movable;
    }
  }
}

/* fits limits at the points, and last at V */
static void fit_twist(si_fitting *f, const sinew_cone *cone, int budget, float (*limits)[2]) {
  int n = cone->count, starts[SI_FIT_MOST_SECTORS + 1] = { 0 }, sizes[SI_FIT_MOST_SECTORS + 1];
  for (int i = 0; i < f->count; i++) {
    si_fit_sample *s = f->samples + i;
    si_v4 dots;
    float w[3];
    int slice = si_cone_find(cone, s->direction, -1, &dots);
    si_cone_weights(cone, s->direction, slice, w);
    s->dropped = !(dots[2] >= 0);
    s->group = w[2] > w[0] && w[2] > w[1] ? n : w[0] > w[1] ? slice : si_cone_next(cone, slice);
  }
  si_fit_sort(f->samples, f->count, sizeof *f->samples, by_point_twist);
  if (si_stopped()) return; /* the caller stops */
  find_runs(f->samples, f->count, n + 1, starts, sizes);
  int doubled[2 * SI_FIT_MOST_SECTORS + 2], dropped[2 * SI_FIT_MOST_SECTORS + 2] = { 0 };
  for (int i = 0; i <= n; i++) doubled[2 * i] = doubled[2 * i + 1] = sizes[i];
  runs r = { f->samples, starts, doubled, 2 * n + 2, dropped };
  si_fit_lists lists = { 2 * n + 2, doubled, dropped, twist_gain, &r };
  si_fit_drop(&lists, budget);

  float all[2] = { 0, 0 };
  int used = 0;
  for (int i = 0; i <= n; i++) {
    if (!sizes[i]) continue;
    si_fit_sample *s = f->samples + starts[i];
    int last = sizes[i] - 1 - dropped[2 * i], first = dropped[2 * i + 1];
    for (int k = 0; k < sizes[i]; k++) s[k].dropped = k < first || k > last;
    limits[i][0] = s[first].twist, limits[i][1] = s[last].twist;
    for (int k = 0; k < 2; k++) all[k] += limits[i][k];
    used++;
  }
  /* a point without samples nearby takes the limits at V, and V without samples the mean of the
   * others */
  for (int k = 0; k < 2 && !sizes[n]; k++) limits[n][k] = used ? all[k] / (float)used : 0;
  for (int i = 0; i < n; i++)
    if (!sizes[i]) memcpy(limits[i], limits[n], sizeof limits[i]);
  for (int i = 0; i < f->count; i++)
    if (!f->samples[i].dropped) admit(cone, f->samples + i, limits);
  float before[2] = { limits[n][0], limits[n][1] };
  admit(cone, f->samples + f->count, limits);
  f->rest_extended |= memcmp(before, limits[n], sizeof before) != 0;
  for (int i = 0; i <= n; i++) {
    limits[i][0] -= 0.01f;
    limits[i][1] += 0.01f;
  }
}

static void count_kept(si_fitting *f, const sinew_cone *cone, sinew_cone_fit_report *report) {
  for (int i = 0; i < f->count; i++) {
    si_fit_sample *s = f->samples + i;
    float limits[2];
    bool inside = sinew_cone_inside(cone, s->direction, NULL);
    sinew_cone_twist(cone, s->direction, NULL, limits);
    bool twisted = s->twist < limits[0] || s->twist > limits[1];
    s->dropped = !inside || twisted;
    report->kept += !s->dropped;
    report->outside_swing += !inside;
    report->outside_twist += inside && twisted;
  }
  report->samples = f->count;
  report->points = cone->count;
  report->rest_extended = f->rest_extended;
}

static sinew_cone *run(si_fitting *f, sinew_cone_fit_report *report, sinew_error *error) {
  if (si_fit_read(f, error) < 0) return NULL;
  int budget = (int)((1 - (double)f->fit->share) * f->count + 1e-6);
  sinew_status status = choose_visible(f, error);
  if (si_stopped() || !si_work(10 * (size_t)f->count)) return si_memory_null(error);
  if (status < 0) return NULL;
  if (fit_outline(f, budget - budget / 2, error) < 0) return NULL;
  sinew_cone *bare = make_cone(f, NULL, NULL, error);
  if (!bare) return NULL;
  float limits[SI_FIT_MOST_SECTORS + 1][2];
  bool going = si_work(10 * (size_t)f->count);
  if (going) fit_twist(f, bare, budget / 2, limits);
  sinew_cone_destroy(bare);
  if (!going || si_stopped() || !si_work(10 * (size_t)f->count)) return si_memory_null(error);
  sinew_cone *cone = make_cone(f, (const float(*)[2])limits, limits[f->point_count], error);
  if (!cone) return NULL;
  count_kept(f, cone, report);
  if (si_fit_report(cone, f->samples, f->count, f->fit->cell, report)) return cone;
  sinew_cone_destroy(cone);
  return si_memory_null(error);
}

static sinew_status check_fit(const sinew_cone_fit *fit, double *rest, sinew_error *error) {
  float unit[3], axis[3];
  if (fit->count < 3 || !fit->samples)
    return si_fail(error, SINEW_ERR_VALUE, "cone fit: at least three samples are needed, not %d",
                   fit->samples ? fit->count : 0);
  if (!(fit->share > 0.5f && fit->share <= 1))
    return si_fail(error, SINEW_ERR_VALUE,
                   "cone fit: the share is %g; it must be above 0.5, up to 1", (double)fit->share);
  if (!(fit->tolerance >= 0.1f && fit->tolerance <= 30))
    return si_fail(error, SINEW_ERR_VALUE,
                   "cone fit: the tolerance is %g degrees; 0.1 to 30 are allowed",
                   (double)fit->tolerance);
  if (!(fit->cell >= 0.5f && fit->cell <= 45))
    return si_fail(error, SINEW_ERR_VALUE,
                   "cone fit: the cell is %g degrees; 0.5 to 45 are allowed", (double)fit->cell);
  if (!si_finite(fit->rest, 3) || !si_vec_unit(fit->rest, unit))
    return si_fail(error, SINEW_ERR_VALUE, "cone fit: the rest direction is zero or not finite");
  for (int i = 0; i < 2 && fit->two_axes; i++)
    if (!si_finite(fit->axes[i], 3) || !si_vec_unit(fit->axes[i], axis))
      return si_fail(error, SINEW_ERR_VALUE, "cone fit: axis %d is zero or not finite", i + 1);
  si_wide(unit, rest);
  return SINEW_OK;
}

sinew_cone *sinew_cone_create_fit(const sinew_cone_fit *fit, sinew_cone_fit_report *report,
                                  sinew_error *error) {
  sinew_cone_fit whole = sinew_default_cone_fit();
  sinew_cone_fit_report told = { .samples = 0 };
  if (report) *report = told;
  if (!SI_EXPECT(fit) || !SI_TAKE_DESC(cone_fit, fit, &whole, error)) return NULL;
  si_fitting *f = NULL;
  double rest[3];
  sinew_cone *cone = NULL;
  if (check_fit(fit, rest, error) == SINEW_OK) {
    size_t n = (size_t)fit->count;
    f = si_alloc(sizeof *f);
    if (f) f->samples = si_alloc_array(n + 1, sizeof *f->samples);
    if (f) f->scratch = si_alloc_array(n < MOST_SEARCHED ? n : MOST_SEARCHED, sizeof(double));
    if (f && f->samples && f->scratch) {
      f->fit = fit;
      f->count = fit->count;
      memcpy(f->rest, rest, sizeof rest);
      cone = run(f, &told, error);
    } else {
      si_fail_memory(error);
    }
  }
  if (f) si_free(f->samples);
  if (f) si_free(f->scratch);
  si_free(f);
  if (report) *report = told;
  return cone;
}
