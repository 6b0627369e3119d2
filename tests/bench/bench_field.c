/* Signed distance fields: the cost of a lookup with projection does not depend on the field's
 * samples, and building is far faster than in the paper's Table 2 ([Engell 2012]: 8.3 s for thirty
 * fields of 32 x 32 x 32 from 200 samples each). */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

enum { QUERIES = 1024, FIELDS = 30 };

/* a shoulder that swings and twists, in the z-y-z angles of the paper */
static float *motion_make(int count) {
  float *quats = malloc((size_t)count * 4 * sizeof *quats);
  for (int i = 0; i < count; i++) {
    double t = 2 * 3.14159265358979 * i / count, half = 3.14159265358979 / 360;
    double a = (100 * sin(t) + 20 * sin(5 * t)) * half;
    double b = (60 + 40 * cos(2 * t) + 8 * sin(7 * t)) * half;
    double c = 50 * sin(3 * t + 1) * half;
    quats[4 * i] = (float)(sin(b) * sin(c - a));
    quats[4 * i + 1] = (float)(sin(b) * cos(c - a));
    quats[4 * i + 2] = (float)(cos(b) * sin(a + c));
    quats[4 * i + 3] = (float)(cos(b) * cos(a + c));
  }
  return quats;
}

static sinew_field *field_make(const float *quats, int count, int resolution) {
  sinew_field_desc desc = sinew_default_field_desc(3);
  desc.orders[0] = "zyz";
  for (int i = 0; i < 3; i++) {
    desc.axes[i].resolution = resolution;
    desc.axes[i].wrap = i != 1;
  }
  desc.axes[1].min = 0;
  sinew_field_clip clip = { quats, (size_t)count };
  sinew_field_motion motion = sinew_default_field_motion();
  motion.clips = &clip, motion.clip_count = 1, motion.quaternions = true;
  sinew_error error;
  sinew_field *field = sinew_field_from_motion(&desc, &motion, NULL, &error);
  bench_check(field != NULL, &error);
  return field;
}

typedef struct asking {
  const sinew_field *field;
  float angles[QUERIES][3];
} asking;

static void run_project(void *context, int times) {
  asking *a = context;
  float dest[3];
  for (int i = 0; i < times; i++) {
    sinew_field_project(a->field, a->angles[i % QUERIES], dest);
    bench_keep(dest);
  }
}

static void run_lookup(void *context, int times) {
  asking *a = context;
  float gradient[3];
  for (int i = 0; i < times; i++) {
    float phi = sinew_field_lookup(a->field, a->angles[i % QUERIES], gradient);
    bench_keep(&phi);
  }
}

typedef struct building {
  const float *quats;
  int count, resolution, fields;
} building;

static void run_build(void *context) {
  const building *b = context;
  for (int i = 0; i < b->fields; i++)
    sinew_field_release(field_make(b->quats, b->count, b->resolution));
}

static double time_build(const char *name, const float *quats, int count, int resolution,
                         int fields) {
  building b = { quats, count, resolution, fields };
  return bench_once(name, run_build, &b, 7) / fields;
}

void bench_field(void) {
  float *few = motion_make(200), *many = motion_make(200000);
  static asking a;
  for (int i = 0; i < QUERIES; i++)
    for (int k = 0; k < 3; k++) a.angles[i][k] = -180 + 360 * bench_random();
  sinew_field *of_few = field_make(few, 200, 32), *of_many = field_make(many, 200000, 32);
  sinew_field *coarse = field_make(few, 200, 8), *middle = field_make(few, 200, 16);

  a.field = of_few;
  bench_time("field 32^3, lookup and gradient", run_lookup, &a);
  /* interleaved, since a machine's speed drifts while the rows are timed */
  struct {
    const char *name;
    const sinew_field *field;
    double ns;
  } rows[] = {
    { "field 32^3 of 200 samples, lookup and projection", of_few, INFINITY },
    { "field 32^3 of 200,000 samples, lookup and projection", of_many, INFINITY },
    { "field 16^3 of 200 samples, lookup and projection", middle, INFINITY },
    { "field 8^3 of 200 samples, lookup and projection", coarse, INFINITY },
  };
  for (int round = 0; round < (bench_smoke() ? 1 : 3); round++)
    for (int i = 0; i < 4; i++) {
      a.field = rows[i].field;
      rows[i].ns = fmin(rows[i].ns, bench_time(rows[i].name, run_project, &a));
    }
  double with_few = rows[0].ns, with_many = rows[1].ns, at_16 = rows[2].ns, at_8 = rows[3].ns;

  double thirty = time_build("30 fields of 32^3 from 200 samples each", few, 200, 32, FIELDS);
  double finer = time_build("a field of 64^3 from 200 samples", few, 200, 64, 1);
  double dense = time_build("a field of 32^3 from 200,000 samples", many, 200000, 32, 1);

  double low = fmin(with_few, fmin(at_16, at_8)), high = fmax(with_few, fmax(at_16, at_8));
  bench_ratio("projection, 200,000 / 200 samples", with_many / with_few, 1.1);
  bench_ratio("projection, 200 / 200,000 samples", with_few / with_many, 1.1);
  bench_ratio("projection, slowest / quickest of 8, 16 and 32 cells", high / low, 1.5);
  bench_ratio("30 fields of 32^3 / half a second", thirty * FIELDS / 0.5, 1.0);
  bench_ratio("time a node, 64^3 / 32^3", finer / (8 * thirty), 2.0);
  bench_ratio("building, 200,000 / 200 samples (1000 times as many)", dense / thirty, 0);
  sinew_field_release(of_few);
  sinew_field_release(of_many);
  sinew_field_release(coarse);
  sinew_field_release(middle);
  free(few);
  free(many);
}
