/* See slopes.h. */
#include "slopes.h"

#include "make.h"
#include "owned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { samples = 5 };
static const double widths[samples] = { -2, -1, 0, 1, 2 };

void slopes_pose_at_random(sinew_pose *pose, uint32_t *seed) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof_info d = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    sinew_pose_set(pose, sinew_rig_dof(rig, i), make_between(seed, d.min, d.max), NULL);
  }
}

static int numbers_of(sinew_kind kind) {
  return kind == SINEW_SCALAR ? 1 : kind == SINEW_VECTOR ? 3 : 16;
}

/* the last port may be a list */
static const char *output_unit(const sinew_component_class *cls, int output) {
  const sinew_port_desc *port = cls->outputs;
  if (cls->named || !port) return "";
  while (output-- > 0 && port[1].name) port++;
  return port->unit;
}

/* everything that is compared, in one row: world matrices, then outputs */
static int row_length(const sinew_rig *rig) {
  int length = 16 * sinew_rig_segment_count(rig);
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    for (int k = 0; k < sinew_rig_component_info(rig, c).output_count; k++)
      length += numbers_of(sinew_rig_output_kind(rig, c, k));
  }
  return length;
}

static void read_row(const sinew_pose *pose, float *dest) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  int segments = sinew_rig_segment_count(rig);
  memcpy(dest, sinew_pose_worlds(pose), 16 * (size_t)segments * sizeof *dest);
  dest += 16 * segments;
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    for (int k = 0; k < sinew_rig_component_info(rig, c).output_count; k++) {
      int count = numbers_of(sinew_rig_output_kind(rig, c, k));
      memcpy(dest, sinew_pose_value(pose, c, k), (size_t)count * sizeof *dest);
      dest += count;
    }
  }
}

/* compares one matrix or value: `rows` are its samples, `at` its index in them. The difference is
 * relative to its largest derivative, or to float precision if that is larger */
static void compare(const char *name, const char *port, double least, float *const *rows, int at,
                    int count, double h, const float *given, slopes_result *result) {
  double slope[16], size = 0, bend = 0, off = 0, noise = least;
  for (int i = 0; i < count; i++) {
    double f[samples];
    for (int k = 0; k < samples; k++) f[k] = (double)rows[k][at + i];
    double narrow = (f[3] - f[1]) / (2 * h), wide = (f[4] - f[0]) / (4 * h);
    slope[i] = (4 * narrow - wide) / 3;
    size = fmax(size, fabs(slope[i]));
    /* both are of third order if the value is smooth; the second detects a kink in the middle */
    bend = fmax(bend, fabs(narrow - wide));
    bend = fmax(bend, fabs(2 * (f[3] - 2 * f[2] + f[1]) - 0.5 * (f[4] - 2 * f[2] + f[0])) / h);
    noise = fmax(noise, fabs(f[2]));
    off = fmax(off, fabs((given ? (double)given[i] : 0) - slope[i]));
  }
  noise *= 1e-3 / h; /* so that 1e-3 of it is a few units in a float's last place */
  if (bend > 1e-3 * fmax(size, noise)) {
    result->skipped++;
    return;
  }
  result->compared++;
  double relative = off / fmax(size, noise);
  if (relative <= result->worst) return;
  result->worst = relative;
  snprintf(result->where, sizeof result->where, "%s%s%s by %%s: off by %g of %g", name,
           *port ? "." : "", port, off, size);
}

static void compare_all(const sinew_pose *pose, const sinew_tangent *t, int column,
                        float *const *rows, double h, slopes_result *result) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  int at = 0;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++, at += 16) {
    float given[16];
    sinew_segment s = sinew_rig_segment(rig, i);
    sinew_tangent_world(t, s, column, given);
    compare(sinew_rig_segment_info(rig, s).name, "", 0.1, rows, at, 16, h, given, result);
  }
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    sinew_component_info info = sinew_rig_component_info(rig, c);
    for (int k = 0; k < info.output_count; k++) {
      char port[64];
      int count = numbers_of(sinew_rig_output_kind(rig, c, k));
      sinew_rig_output_name(rig, c, k, port, sizeof port);
      /* angles computed from geometry in metres are only precise to 1e-5 degrees */
      bool angle = strcmp(output_unit(info.component_class, k), "deg") == 0;
      compare(info.name, port, angle ? 20 : 0.1, rows, at, count, h,
              sinew_tangent_value(t, c, k, column), result);
      at += count;
    }
  }
}

bool slopes_compare(sinew_pose *pose, const sinew_tangent *t, float parts, slopes_result *result) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  sinew_error error;
  size_t length = (size_t)row_length(rig);
  float *block = malloc(samples * length * sizeof *block), *rows[samples];
  bool ok = block != NULL;
  for (int i = 0; i < samples && ok; i++) rows[i] = block + (size_t)i * length;
  for (int c = 0; c < sinew_tangent_columns(t) && ok; c++) {
    sinew_dof dof = sinew_tangent_dof(t, c);
    sinew_dof_info info = sinew_rig_dof_info(rig, dof);
    float at = sinew_pose_get(pose, dof), h = (info.max - info.min) / parts;
    if (at - 2 * h < info.min || at + 2 * h > info.max) continue;
    for (int i = 0; i < samples && ok; i++) {
      sinew_pose_set(pose, dof, at + (float)widths[i] * h, NULL);
      ok = sinew_pose_eval(pose, &error) >= 0;
      if (ok) read_row(pose, rows[i]);
    }
    sinew_pose_set(pose, dof, at, NULL);
    ok = ok && sinew_pose_eval(pose, &error) >= 0;
    if (!ok) break;
    double worst = result->worst;
    compare_all(pose, t, c, rows, (double)h, result);
    if (result->worst > worst) {
      char text[sizeof result->where];
      memcpy(text, result->where, sizeof text);
      char *mark = strstr(text, "%s");
      *mark = '\0';
      snprintf(result->where, sizeof result->where, "%s%s%s", text, info.name, mark + 2);
    }
  }
  if (!ok) printf("  %s\n", block ? error.text : "out of memory");
  free(block);
  return ok;
}

slopes_result slopes_at_random(const sinew_rig *rig, uint32_t seed, int rounds, float parts) {
  sinew_error error;
  slopes_result result = { 0 };
  OWNED(pose) *pose = sinew_pose_create(rig, &error);
  OWNED(tangent) *t = sinew_tangent_create(rig, NULL, &error);
  for (int i = 0; pose && t && i < rounds; i++) {
    slopes_pose_at_random(pose, &seed);
    sinew_status status = sinew_tangent_eval(t, pose, &error);
    if (status < 0) printf("  %s\n", error.text);
    if (status < 0 || !slopes_compare(pose, t, parts, &result)) {
      result.worst = INFINITY;
      break;
    }
  }
  return result;
}
