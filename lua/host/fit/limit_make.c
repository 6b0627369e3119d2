/* Cones and fields from samples of a joint; see sinew/limits.h.
 *
 * A margin moves each point of a cone's boundary away from the visible point along their great
 * circle, and widens the twist limits. For a field it is added to epsilon. */
#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "lua/base/lua_text.h"
#include "math/angle.h"
#include "math/euler_order.h"
#include "math/matrix.h"
#include "sinew/limits.h"

#include <math.h>

sinew_limits_options sinew_default_limits_options(void) {
  return (sinew_limits_options){
    .size = sizeof(sinew_limits_options), .share = 0.99f, .cells = 24, .order = "xyz"
  };
}

static bool check_margin(const sinew_limits_options *o, sinew_error *error) {
  if (o->margin >= 0 && o->margin <= 90) return true;
  si_fail(error, SINEW_ERR_VALUE, "limits: the margin must be 0 to 90 degrees, not %g",
          (double)o->margin);
  return false;
}

/* the boundary of a cone, to be widened */
typedef struct outline {
  int count;
  float (*points)[3];
  float (*twist)[2]; /* NULL: free */
  float visible[3], rest[3], visible_twist[2];
} outline;

static void free_outline(outline *line) {
  si_free(line->points);
  si_free(line->twist);
}

static bool read_outline(const sinew_cone *cone, outline *line) {
  *line = (outline){ .count = sinew_cone_count(cone) };
  sinew_cone_visible_point(cone, line->visible);
  sinew_cone_rest(cone, line->rest);
  line->points = si_alloc_array((size_t)line->count, sizeof *line->points);
  const bool limited = sinew_cone_point_twist(cone, -1, line->visible_twist);
  if (limited) line->twist = si_alloc_array((size_t)line->count, sizeof *line->twist);
  if (!line->points || (limited && !line->twist)) return false;
  for (int i = 0; i < line->count; i++) {
    sinew_cone_point(cone, i, line->points[i]);
    if (limited) sinew_cone_point_twist(cone, i, line->twist[i]);
  }
  return true;
}

static void widen_pair(float pair[2], float margin) {
  pair[0] = fmaxf(pair[0] - margin, -180);
  pair[1] = fminf(pair[1] + margin, 180);
}

static void widen(outline *line, float margin) {
  for (int i = 0; margin > 0 && i < line->count; i++) {
    CGLM_ALIGN_MAT float turn[16];
    float axis[3], *point = line->points[i];
    si_vec_cross(line->visible, point, axis);
    if (!si_vec_unit(axis, axis)) continue;
    const double off = acos((double)si_clamp(si_vec_dot(line->visible, point), -1, 1)) / SI_DEG;
    si_mat_turn(axis, fminf(margin, fmaxf(0, 179 - (float)off)), turn);
    si_mat_direction(turn, point, point);
    if (line->twist) widen_pair(line->twist[i], margin);
  }
  if (margin > 0 && line->twist) widen_pair(line->visible_twist, margin);
}

static sinew_cone *cone_of(const outline *line, sinew_error *error) {
  sinew_cone_desc desc = sinew_default_cone_desc();
  desc.points = (const float(*)[3])line->points;
  desc.count = line->count;
  memcpy(desc.rest, line->rest, sizeof desc.rest);
  desc.visible_from = SINEW_VISIBLE_GIVEN;
  memcpy(desc.visible, line->visible, sizeof desc.visible);
  desc.twist = (const float(*)[2])line->twist;
  desc.has_visible_twist = line->twist != NULL;
  memcpy(desc.visible_twist, line->visible_twist, sizeof desc.visible_twist);
  return sinew_cone_create(&desc, error);
}

/* fits coarser outlines until one has few enough points */
static sinew_cone *fit(const sinew_limit_samples *s, const sinew_limits_options *o,
                       sinew_cone_fit_report *report, sinew_error *error) {
  sinew_cone_fit want = sinew_default_cone_fit();
  want.samples = (const float(*)[4])s->turns;
  want.count = (int)s->count;
  want.share = o->share;
  want.two_axes = s->two_axes;
  memcpy(want.rest, s->rest, sizeof want.rest);
  memcpy(want.axes, s->axes, sizeof want.axes);
  for (;;) {
    sinew_cone *cone = sinew_cone_create_fit(&want, report, error);
    if (!cone || !o->points || report->points <= o->points) return cone;
    sinew_cone_destroy(cone);
    want.tolerance *= 1.4f;
    if (want.tolerance > 40)
      return si_fail_null(error, SINEW_ERR_VALUE,
                          "limits: no cone of %d points contains the samples", o->points);
  }
}

static char *print_cone(const outline *line, size_t *size, sinew_error *error) {
  si_text text = { 0 };
  si_text_add(&text, "return {\n  rest = ");
  si_print_numbers(&text, line->rest, 3);
  si_text_add(&text, ",\n  visible = ");
  si_print_numbers(&text, line->visible, 3);
  si_text_add(&text, ",\n  points = {\n");
  for (int i = 0; i < line->count; i++) {
    si_text_add(&text, "    ");
    si_print_numbers(&text, line->points[i], 3);
    si_text_add(&text, ",\n");
  }
  si_text_add(&text, "  },\n");
  if (line->twist) {
    si_text_add(&text, "  twist_limits = {\n");
    for (int i = 0; i < line->count; i++) {
      si_text_add(&text, "    ");
      si_text_number(&text, line->twist[i][0]);
      si_text_add(&text, ", ");
      si_text_number(&text, line->twist[i][1]);
      si_text_add(&text, ",\n");
    }
    si_text_add(&text, "  },\n  visible_twist = ");
    si_print_numbers(&text, line->visible_twist, 2);
    si_text_add(&text, ",\n");
  }
  si_text_add(&text, "}\n");
  return si_text_finish(&text, size, error);
}

char *sinew_limits_cone(const sinew_limit_samples *samples, const sinew_limits_options *options,
                        size_t *size, sinew_limits_report *report, sinew_error *error) {
  sinew_cone_fit_report found;
  outline line = { 0 };
  char *text = NULL;
  float unit[3];
  sinew_limits_options whole = sinew_default_limits_options();
  if (!SI_TAKE_DESC(limits_options, options, &whole, error)) return NULL;
  if (!check_margin(options, error)) return NULL;
  if (!samples->turns) {
    si_fail(error, SINEW_ERR_VALUE,
            "limits: a cone needs rotations, and only single angles are known there; "
            "make a field");
    return NULL;
  }
  if (!si_vec_unit(samples->rest, unit)) {
    si_fail(error, SINEW_ERR_VALUE, "limits: the direction of the bone at rest is not known");
    return NULL;
  }
  if (samples->count > INT32_MAX) {
    si_fail(error, SINEW_ERR_LIMIT, "limits: too many samples");
    return NULL;
  }
  sinew_cone *cone = fit(samples, options, &found, error), *wide = NULL;
  if (!cone) return NULL;
  if (!read_outline(cone, &line)) {
    si_fail_memory(error);
  } else {
    widen(&line, options->margin);
    wide = cone_of(&line, error);
    if (wide) text = print_cone(&line, size, error);
  }
  sinew_error_clear(&report->warnings);
  report->samples = samples->count;
  report->kept = (size_t)found.kept;
  report->points = line.count;
  report->area = wide ? sinew_cone_area(wide) : 0;
  report->unvisited = found.unvisited;
  report->nodes = report->feasible_nodes = 0;
  if (text && found.rest_extended)
    si_add(&report->warnings, SINEW_OK,
           "the samples do not contain the rest direction; the cone was extended to it");
  sinew_cone_destroy(wide);
  sinew_cone_destroy(cone);
  free_outline(&line);
  return text;
}

/* the range of an angle in the samples, extended by a cell and the margin */
static void set_range(const float *angles, size_t count, int width, int axis, float margin,
                      sinew_field_axis *dest) {
  float low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    const float x = angles[i * (size_t)width + (size_t)axis];
    low = fminf(low, x);
    high = fmaxf(high, x);
  }
  const float cell = fmaxf((high - low) / (float)(dest->resolution - 1), 0.5f);
  dest->min = floorf(low - 2 * cell - 2 * margin);
  dest->max = ceilf(high + 2 * cell + 2 * margin);
}

/* keeps Euler angles within their period: an outer angle whose range reaches it wraps, the middle
 * angle is clamped */
static void stay_in_circle(int axis, bool proper, sinew_field_axis *dest) {
  if (axis == 1) {
    dest->min = fmaxf(dest->min, proper ? 0 : -90);
    dest->max = fminf(dest->max, proper ? 180 : 90);
  } else if (dest->min < -180 || dest->max > 180) {
    dest->min = -180;
    dest->max = 180;
    dest->wrap = true;
  }
}

/* the Euler angles of the rotations, to find the ranges and to count the samples inside */
static float *angles_of(const sinew_limit_samples *s, const char *order, sinew_error *error) {
  si_euler_order parsed;
  if (!si_order_parse(order, &parsed)) {
    si_fail(error, SINEW_ERR_VALUE, "limits: '%s' is not an Euler order such as 'xyz' or 'zyz'",
            order);
    return NULL;
  }
  float *angles = si_work(20 * s->count) ? si_alloc_array(3 * s->count, sizeof *angles) : NULL;
  if (!angles) si_fail_memory(error);
  for (size_t i = 0; angles && i < s->count; i++) {
    double q[4], three[3];
    for (int k = 0; k < 4; k++) q[k] = (double)s->turns[i][k];
    si_order_angles(&parsed, q, three);
    for (int k = 0; k < 3; k++) angles[3 * i + (size_t)k] = (float)three[k];
  }
  return angles;
}

sinew_field *sinew_limits_field(const sinew_limit_samples *samples,
                                const sinew_limits_options *options, sinew_limits_report *report,
                                sinew_error *error) {
  const bool turns = samples->angle_count == 0;
  const int width = turns ? 3 : samples->angle_count;
  sinew_limits_options whole = sinew_default_limits_options();
  if (!SI_TAKE_DESC(limits_options, options, &whole, error)) return NULL;
  if (!check_margin(options, error)) return NULL;
  if (options->cells < 2 || options->cells > 512) {
    si_fail(error, SINEW_ERR_VALUE, "limits: a field needs 2 to 512 cells on each axis, not %d",
            options->cells);
    return NULL;
  }
  float *angles = turns ? angles_of(samples, options->order, error) : samples->angles;
  if (!angles) return NULL;
  sinew_field_desc desc = sinew_default_field_desc(width);
  float diagonal = 0;
  for (int a = 0; a < width; a++) {
    desc.axes[a].resolution = options->cells;
    set_range(angles, samples->count, width, a, options->margin, &desc.axes[a]);
    if (turns) stay_in_circle(a, options->order[0] == options->order[2], &desc.axes[a]);
    const float cell = (desc.axes[a].max - desc.axes[a].min) / (float)(options->cells - 1);
    diagonal += cell * cell;
  }
  if (turns) desc.orders[0] = options->order;
  if (options->margin > 0) desc.epsilon = sqrtf(diagonal) / 2 + options->margin;
  sinew_field_motion motion = sinew_default_field_motion();
  const sinew_field_clip clip = { turns ? samples->turns[0] : samples->angles, samples->count };
  motion.clips = &clip;
  motion.clip_count = 1;
  motion.quaternions = turns;
  sinew_field_report found;
  sinew_field *field = sinew_field_from_motion(&desc, &motion, &found, error);
  if (field) {
    *report = (sinew_limits_report){ .samples = samples->count,
                                     .nodes = found.nodes,
                                     .feasible_nodes = found.feasible_nodes,
                                     .warnings = found.warnings };
    for (size_t i = 0; i < samples->count; i++)
      report->kept += sinew_field_feasible(field, angles + i * (size_t)width);
  }
  if (turns) si_free(angles);
  return field;
}
