/* sinew motion: what a motion file holds. */
#include "lua/command/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_joints(const sinew_motion *motion) {
  const int count = sinew_motion_joint_count(motion);
  for (int i = 0; i < count; i++) {
    sinew_motion_joint joint = sinew_motion_joint_info(motion, i);
    int depth = 0;
    for (int at = joint.parent; at >= 0; at = sinew_motion_joint_info(motion, at).parent) depth++;
    printf("  %*s%s", 2 * depth, "", joint.name);
    if (!joint.end) printf(" (%d)", joint.channels);
    printf("\n");
  }
}

static void print_markers(const sinew_motion *motion) {
  for (int i = 0; i < sinew_motion_marker_count(motion); i++) {
    size_t gaps = sinew_motion_gaps(motion, i);
    printf("  %s", sinew_motion_marker_name(motion, i));
    if (gaps) printf(", missing in %zu frames", gaps);
    printf("\n");
  }
}

/* the box that all joints or markers stay in: tells a wrong unit at a glance */
static void print_extent(const sinew_motion *motion) {
  const int joints = sinew_motion_joint_count(motion), markers = sinew_motion_marker_count(motion);
  float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
  float *worlds = malloc(16 * sizeof(float) * (size_t)(joints + 1));
  for (int f = 0; worlds && f < sinew_motion_frame_count(motion); f++) {
    if (joints) sinew_motion_worlds(motion, f, worlds);
    const float *points = joints ? worlds + 12 : sinew_motion_markers(motion, f);
    for (int i = 0; i < joints + markers; i++)
      for (int k = 0; k < 3; k++) {
        float x = points[(joints ? 16 : 3) * i + k];
        low[k] = fminf(low[k], x), high[k] = fmaxf(high[k], x);
      }
  }
  free(worlds);
  if (!(low[0] <= high[0])) return;
  printf("from %.3f %.3f %.3f to %.3f %.3f %.3f m\n", (double)low[0], (double)low[1],
         (double)low[2], (double)high[0], (double)high[1], (double)high[2]);
}

static void print_summary(const sinew_motion *motion, bool list) {
  const bool skeleton = sinew_motion_kind_of(motion) == SINEW_MOTION_SKELETON;
  const int frames = sinew_motion_frame_count(motion);
  const double rate = (double)sinew_motion_rate(motion);
  printf("%s: %d %s, %d frames at %.6g a second, %.3f s\n", sinew_motion_format(motion),
         skeleton ? sinew_motion_joint_count(motion) : sinew_motion_marker_count(motion),
         skeleton ? "joints" : "markers", frames, rate, frames / rate);
  printf("a unit of the file is %.6g m\n", (double)sinew_motion_unit(motion));
  print_extent(motion);
  if (!skeleton) {
    size_t gaps = sinew_motion_gaps(motion, -1);
    size_t all = (size_t)frames * (size_t)sinew_motion_marker_count(motion);
    printf("%zu of %zu points are missing\n", gaps, all);
  }
  if (*sinew_motion_warnings(motion)) printf("%s\n", sinew_motion_warnings(motion));
  if (list && skeleton) print_joints(motion);
  if (list && !skeleton) print_markers(motion);
}

static bool read_number(const char *text, float *dest) {
  char *end;
  *dest = strtof(text, &end);
  return end != text && !*end;
}

static int run(int argc, char **argv) {
  const char *path = NULL;
  bool list = false;
  sinew_motion_options options = sinew_default_motion_options();
  for (int i = 0; i < argc; i++) {
    const bool last = i + 1 == argc;
    if (strcmp(argv[i], "--list") == 0) {
      list = true;
    } else if (strcmp(argv[i], "--unit") == 0 || strcmp(argv[i], "--rate") == 0) {
      float *dest = argv[i][2] == 'u' ? &options.unit : &options.rate;
      if (last || !read_number(argv[i + 1], dest))
        return command_misused(&command_motion, "'%s' wants a number", argv[i]);
      i++;
    } else if (strcmp(argv[i], "--skeleton") == 0) {
      if (last) return command_misused(&command_motion, "'--skeleton' wants a file");
      options.skeleton = argv[++i];
    } else if (argv[i][0] == '-') {
      return command_misused(&command_motion, "no option '%s'", argv[i]);
    } else if (path) {
      return command_misused(&command_motion, "one file only, not also '%s'", argv[i]);
    } else {
      path = argv[i];
    }
  }
  if (!path) return command_misused(&command_motion, "which file?");
  sinew_error error;
  sinew_motion *motion = sinew_motion_load(path, &options, &error);
  if (!motion) {
    fprintf(stderr, "sinew: %s\n", error.text);
    return EXIT_RIG;
  }
  print_summary(motion, list);
  sinew_motion_destroy(motion);
  return EXIT_FINE;
}

const command command_motion = {
  .name = "motion",
  .usage = "FILE [--list] [--unit METRES] [--rate FRAMES] [--skeleton ASF]",
  .doc = "says what a motion file holds: BVH, AMC with its ASF, TRC",
  .help = "  --list           every joint with its number of channels, or marker with its gaps\n"
          "  --unit METRES    metres in a unit of the file, where that is not its own business\n"
          "  --rate FRAMES    frames a second, where the file does not say (AMC: 120)\n"
          "  --skeleton ASF   the skeleton of an AMC file; else walk_01.asf or walk.asf beside\n"
          "                   walk_01.amc\n",
  .run = run,
};
