/* Numbers of a rig that a calibration may change; see knob.h. Their expected deviations: 3 cm for
 * lengths, 10 degrees for angles, 0.15 of their size for axes and other plain numbers, a quarter of
 * their spread for a curve's values. */
#include "lua/host/fit/knob.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/names.h"
#include "math/matrix.h"

#include <math.h>

void si_knob_free(si_knob *k) {
  si_free(k->param);
  si_free(k->start);
  si_free(k->sigma);
  sinew_curve_destroy(k->curve);
  *k = (si_knob){ 0 };
}

static bool make_room(si_knob *k, int count) {
  k->count = count;
  k->start = si_alloc_array((size_t)count, sizeof *k->start);
  k->sigma = si_alloc_array((size_t)count, sizeof *k->sigma);
  return k->start && k->sigma;
}

static float sigma_of(const char *unit, const float *values, int count) {
  float most = 0;
  for (int i = 0; i < count; i++) most = fmaxf(most, fabsf(values[i]));
  if (unit && strcmp(unit, "m") == 0) return 0.03f;
  if (unit && strcmp(unit, "deg") == 0) return 10;
  return 0.15f * (most > 0 ? most : 1);
}

/* the y values of a curve's points, or the coefficients of a curve without points */
static sinew_status take_curve(si_knob *k, const sinew_curve *curve, sinew_error *error) {
  const sinew_curve_desc d = sinew_curve_describe(curve);
  const int count = d.point_count ? d.point_count : d.coefficient_count;
  k->curve = sinew_curve_create(&d, error);
  if (!k->curve) return error ? error->status : SINEW_ERR_MEMORY;
  if (!make_room(k, count)) return si_fail_memory(error);
  float low = INFINITY, high = -INFINITY;
  for (int i = 0; i < count; i++) {
    k->start[i] = d.point_count ? d.points[2 * i + 1] : d.coefficients[i];
    low = fminf(low, k->start[i]);
    high = fmaxf(high, k->start[i]);
  }
  const float spread = high > low ? high - low : fmaxf(fabsf(high), 1e-3f);
  for (int i = 0; i < count; i++) k->sigma[i] = spread / 4;
  return SINEW_OK;
}

static sinew_status take_param(si_knob *k, const sinew_rig *rig, const char *name,
                               sinew_error *error) {
  const sinew_component_info info = sinew_rig_component_info(rig, k->component);
  const sinew_param *given = sinew_rig_find_param(rig, k->component, name);
  const sinew_param_desc *desc = sinew_class_find_param(info.component_class, name);
  if (!given && !desc) {
    char words[256];
    si_nearest nearest;
    si_nearest_start(&nearest, name);
    for (const sinew_param_desc *d = info.component_class->params; d && d->name; d++)
      si_nearest_offer(&nearest, d->name);
    for (int i = 0; i < info.param_count; i++)
      si_nearest_offer(&nearest, sinew_rig_param(rig, k->component, i)->name);
    return si_fail(error, SINEW_ERR_NAME, "component '%s' (%s) has no parameter '%s'%s", info.name,
                   info.component_class->name, name,
                   si_nearest_words(&nearest, words, sizeof words));
  }
  k->given = given != NULL;
  k->type = given ? given->type : desc->type;
  k->param = si_strdup(name);
  if (!k->param) return si_fail_memory(error);
  const float *values = given ? given->number : desc->fallback;
  int count = 0;
  switch (k->type) {
  case SINEW_PARAM_NUMBER: count = 1; break;
  case SINEW_PARAM_VECTOR: count = 3; break;
  case SINEW_PARAM_NUMBERS:
  case SINEW_PARAM_VECTORS:
    if (!given) break;
    values = given->numbers;
    count = given->count * (k->type == SINEW_PARAM_VECTORS ? 3 : 1);
    break;
  case SINEW_PARAM_CURVE:
    if (given) return take_curve(k, given->curve, error);
    break;
  default:
    return si_fail(error, SINEW_ERR_TYPE, "parameter '%s' of '%s' is a %s, which has no numbers",
                   name, info.name, sinew_param_type_name(k->type));
  }
  if (count == 0)
    return si_fail(error, SINEW_ERR_MISSING, "parameter '%s' of '%s' is not given in the rig", name,
                   info.name);
  if (!make_room(k, count)) return si_fail_memory(error);
  memcpy(k->start, values, (size_t)count * sizeof *values);
  for (int i = 0; i < count; i++) k->sigma[i] = sigma_of(desc ? desc->unit : "", k->start, count);
  return SINEW_OK;
}

static sinew_status take_segment(si_knob *k, const sinew_rig *rig, const char *what,
                                 sinew_error *error) {
  static const char *const names[] = { "at", "length", "turn", NULL };
  const sinew_segment_info info = sinew_rig_segment_info(rig, k->segment);
  si_nearest nearest;
  char words[256];
  si_nearest_start(&nearest, what);
  int found = -1;
  for (int i = 0; names[i]; i++) {
    if (strcmp(what, names[i]) == 0) found = i;
    si_nearest_offer(&nearest, names[i]);
  }
  if (found < 0)
    return si_fail(error, SINEW_ERR_NAME,
                   "of segment '%s' 'at', 'length' or 'turn' can be free, "
                   "not '%s'%s",
                   info.name, what, si_nearest_words(&nearest, words, sizeof words));
  k->kind = found == 0 ? SI_KNOB_AT : found == 1 ? SI_KNOB_LENGTH : SI_KNOB_TURN;
  memcpy(k->rest, info.rest, sizeof k->rest);
  if (!make_room(k, found == 1 ? 1 : 3)) return si_fail_memory(error);
  if (k->kind == SI_KNOB_LENGTH) k->start[0] = si_vec_length(info.rest + 12);
  if (k->kind == SI_KNOB_AT) memcpy(k->start, info.rest + 12, 3 * sizeof(float));
  if (k->kind == SI_KNOB_LENGTH && !(k->start[0] > 1e-6f))
    return si_fail(error, SINEW_ERR_VALUE,
                   "segment '%s' is at its parent's origin, and has no "
                   "length; '%s.at' may be free",
                   info.name, info.name);
  for (int i = 0; i < k->count; i++) k->sigma[i] = k->kind == SI_KNOB_TURN ? 10 : 0.03f;
  return SINEW_OK;
}

sinew_status si_knob_find(const sinew_rig *rig, const char *name, si_knob *dest,
                          sinew_error *error) {
  *dest = (si_knob){ 0 };
  const char *dot = strrchr(name, '.');
  if (!dot || dot == name || !dot[1])
    return si_fail(error, SINEW_ERR_NAME,
                   "'%s' is not a parameter such as 'tibia.at' or 'knee.bend.axis'", name);
  char owner[512];
  if ((size_t)(dot - name) >= sizeof owner)
    return si_fail(error, SINEW_ERR_NAME, "name too long: '%.40s...'", name);
  snprintf(owner, sizeof owner, "%.*s", (int)(dot - name), name);
  dest->component = sinew_rig_find_component(rig, owner, NULL);
  if (!dest->component.id) dest->segment = sinew_rig_find_segment(rig, owner, NULL);
  sinew_status status;
  if (dest->component.id) {
    status = take_param(dest, rig, dot + 1, error);
  } else if (dest->segment.id) {
    status = take_segment(dest, rig, dot + 1, error);
  } else {
    char words[256];
    si_nearest nearest;
    si_nearest_start(&nearest, owner);
    for (int i = 0; i < sinew_rig_segment_count(rig); i++)
      si_nearest_offer(&nearest, sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).name);
    for (int i = 0; i < sinew_rig_component_count(rig); i++)
      si_nearest_offer(&nearest, sinew_rig_component_info(rig, sinew_rig_component(rig, i)).name);
    status = si_fail(error, SINEW_ERR_NAME, "no segment or component named '%s'%s", owner,
                     si_nearest_words(&nearest, words, sizeof words));
  }
  if (status < 0) si_knob_free(dest);
  return status;
}

static sinew_status set_rest(const si_knob *k, sinew_host *host, const float *values,
                             sinew_error *error) {
  CGLM_ALIGN_MAT float rest[16], turn[16];
  si_mat_copy(k->rest, rest);
  if (k->kind == SI_KNOB_AT) memcpy(rest + 12, values, 3 * sizeof(float));
  for (int i = 0; k->kind == SI_KNOB_LENGTH && i < 3; i++) rest[12 + i] *= values[0] / k->start[0];
  float axis[3];
  if (k->kind == SI_KNOB_TURN && si_vec_unit(values, axis)) {
    si_mat_turn(axis, si_vec_length(values), turn);
    si_mat_mul(rest, turn, rest);
  }
  return sinew_rig_set_rest(sinew_host_rig(host), k->segment, rest, error);
}

static sinew_status set_curve(const si_knob *k, sinew_host *host, const float *values,
                              sinew_error *error) {
  sinew_curve_desc d = sinew_curve_describe(k->curve);
  float *points = NULL;
  if (d.point_count) {
    points = si_alloc_array(2 * (size_t)d.point_count, sizeof *points);
    if (!points) return si_fail_memory(error);
    memcpy(points, d.points, 2 * (size_t)d.point_count * sizeof *points);
    for (int i = 0; i < d.point_count; i++) points[2 * i + 1] = values[i];
    d.points = points;
  } else {
    d.coefficients = values;
  }
  sinew_curve *curve = sinew_curve_create(&d, error);
  si_free(points);
  if (!curve) return error ? error->status : SINEW_ERR_VALUE;
  const sinew_param param = sinew_param_curve(k->param, curve);
  sinew_status status = sinew_host_set_params(host, k->component, &param, 1, error);
  sinew_curve_destroy(curve);
  return status;
}

sinew_status si_knob_set(const si_knob *k, sinew_host *host, const float *values,
                         sinew_error *error) {
  if (k->kind != SI_KNOB_PARAM) return set_rest(k, host, values, error);
  if (k->curve) return set_curve(k, host, values, error);
  sinew_param param;
  switch (k->type) {
  case SINEW_PARAM_NUMBER: param = sinew_param_number(k->param, values[0]); break;
  case SINEW_PARAM_VECTOR:
    param = sinew_param_vector(k->param, values[0], values[1], values[2]);
    break;
  case SINEW_PARAM_NUMBERS: param = sinew_param_numbers(k->param, values, k->count); break;
  default: param = sinew_param_vectors(k->param, values, k->count / 3);
  }
  return sinew_host_set_params(host, k->component, &param, 1, error);
}

void si_knob_reset(const si_knob *k, sinew_host *host) {
  if (k->kind == SI_KNOB_PARAM && !k->given) {
    const sinew_param none = sinew_param_none(k->param);
    sinew_host_set_params(host, k->component, &none, 1, NULL);
  } else {
    si_knob_set(k, host, k->start, NULL);
  }
}

sinew_status si_knob_note(const si_knob *k, sinew_tuning *tuning, sinew_error *error) {
  if (k->kind == SI_KNOB_PARAM)
    return sinew_tuning_note_param(tuning, k->component, k->param, error);
  return sinew_tuning_note_rest(tuning, k->segment, error);
}
