/* See field_cases.h. */
#include "field_cases.h"

#include <math.h>
#include <stdlib.h>

static uint32_t state = 1;

void case_seed(uint32_t seed) { state = seed * 2654435761u + 1; }

static uint32_t next(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

float case_random(float low, float high) {
  return low + (high - low) * ((float)(next() >> 8) / 16777216.0f);
}

int case_pick(int low, int high) { return low + (int)(next() % (uint32_t)(high - low + 1)); }

void case_path(const sinew_field_desc *desc, int count, float *dest) {
  float phase[SI_AXES];
  int waves[SI_AXES];
  for (int k = 0; k < desc->axis_count; k++) phase[k] = case_random(0, 6.28f), waves[k] = 1 + k;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < desc->axis_count; k++) {
      float middle = 0.5f * (desc->axes[k].min + desc->axes[k].max);
      float wide = 0.4f * (desc->axes[k].max - desc->axes[k].min);
      float turn = 6.2831853f * (float)i / (float)count;
      *dest++ = middle + wide * sinf((float)waves[k] * turn + phase[k]);
    }
}

sinew_field_desc case_desc(int axes, int nodes) {
  sinew_field_desc desc = sinew_default_field_desc(axes);
  int most = (int)pow(nodes, 1.0 / axes);
  for (int i = 0; i < axes; i++) {
    sinew_field_axis *axis = &desc.axes[i];
    axis->min = case_random(-200, 50);
    axis->max = axis->min + case_random(20, 360);
    axis->wrap = case_pick(0, 1);
    axis->resolution = case_pick(2, most < 3 ? 3 : most);
  }
  return desc;
}

sinew_field *case_field(const sinew_field_desc *desc, const float *samples, size_t count) {
  sinew_field_clip clip = { samples, count };
  sinew_field_motion motion = {
    .size = sizeof motion, .clips = &clip, .clip_count = 1, .depth = 0
  };
  return sinew_field_from_motion(desc, &motion, NULL, NULL);
}

void case_node(const si_grid *grid, uint32_t node, double *dest) {
  for (int i = 0; i < grid->axis_count; i++) {
    uint32_t n = (uint32_t)grid->resolution[i];
    double range = (double)grid->max[i] - (double)grid->min[i];
    dest[i] = (double)grid->min[i] + node % n * range / (grid->wrap[i] ? n : n - 1);
    node /= n;
  }
}

double case_distance(const si_grid *grid, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < grid->axis_count; i++) {
    double d = b[i] - a[i];
    if (grid->wrap[i]) d = remainder(d, (double)grid->max[i] - (double)grid->min[i]);
    sum += d * d;
  }
  return sqrt(sum);
}

double case_nearest(const si_grid *grid, const double *place, const float *samples, size_t count) {
  double best = INFINITY, sample[SI_AXES];
  for (size_t k = 0; k < count; k++) {
    for (int i = 0; i < grid->axis_count; i++) sample[i] = (double)*samples++;
    best = fmin(best, case_distance(grid, place, sample));
  }
  return best;
}

typedef struct failing {
  int left;
} failing;

static void *fail_in_time(size_t bytes, size_t align, void *user) {
  failing *f = user;
  return f->left-- > 0 ? aligned_alloc(align, (bytes + align - 1) / align * align) : NULL;
}

static void give_back(void *block, void *user) {
  (void)user;
  free(block);
}

bool case_survives_failing_memory(bool (*make)(void *context), void *context) {
  failing f = { 0 };
  const sinew_allocator hooks = { fail_in_time, give_back, &f };
  const size_t before = sinew_live_blocks();
  bool done = false;
  for (int n = 0; n < 1000 && !done; n++) {
    f.left = n;
    sinew_set_allocator(&hooks);
    done = make(context);
    sinew_set_allocator(NULL);
    if (sinew_live_blocks() != before) return false;
  }
  return done;
}
