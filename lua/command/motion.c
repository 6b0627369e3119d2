/* sinew motion: describes a motion file. */
#include "lua/command/command.h"

#include <math.h>
#include <stdlib.h>

static void print_joints(const sinew_motion *motion) {
  const int count = sinew_motion_joint_count(motion);
  for (int i = 0; i < count; i++) {
    sinew_motion_joint joint = sinew_motion_joint_info(motion, i);
    int depth = 0;
    for (int at = joint.parent; at >= 0; at = sinew_motion_joint_info(motion, at).parent) depth++;
    command_print("  %*s%s", 2 * depth, "", joint.name);
    if (!joint.end) command_print(" (%d)", joint.channels);
    command_print("\n");
  }
}

static void print_markers(const sinew_motion *motion) {
  for (int i = 0; i < sinew_motion_marker_count(motion); i++) {
    size_t gaps = sinew_motion_gaps(motion, i);
    command_print("  %s", sinew_motion_marker_name(motion, i));
    if (gaps) command_print(", missing in %zu frames", gaps);
    command_print("\n");
  }
}

/* the bounding box of all joints or markers, which shows a wrong unit at a glance */
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
        low[k] = fminf(low[k], x);
        high[k] = fmaxf(high[k], x);
      }
  }
  free(worlds);
  if (!(low[0] <= high[0])) return;
  command_print("from %.3f %.3f %.3f to %.3f %.3f %.3f m\n", (double)low[0], (double)low[1],
                (double)low[2], (double)high[0], (double)high[1], (double)high[2]);
}

static void print_summary(const sinew_motion *motion, bool list) {
  const bool skeleton = sinew_motion_kind_of(motion) == SINEW_MOTION_SKELETON;
  const int frames = sinew_motion_frame_count(motion);
  const double rate = (double)sinew_motion_rate(motion);
  command_print("%s: %d %s, %d frames at %.6g a second, %.3f s\n", sinew_motion_format(motion),
                skeleton ? sinew_motion_joint_count(motion) : sinew_motion_marker_count(motion),
                skeleton ? "joints" : "markers", frames, rate, frames / rate);
  command_print("a unit of the file is %.6g m\n", (double)sinew_motion_unit(motion));
  print_extent(motion);
  if (!skeleton) {
    size_t gaps = sinew_motion_gaps(motion, -1);
    size_t all = (size_t)frames * (size_t)sinew_motion_marker_count(motion);
    command_print("%zu of %zu points are missing\n", gaps, all);
  }
  if (*sinew_motion_warnings(motion)) command_print("%s\n", sinew_motion_warnings(motion));
  if (list && skeleton) print_joints(motion);
  if (list && !skeleton) print_markers(motion);
}

typedef struct call {
  const char *path;
  bool list;
  sinew_motion_options options;
} call;

static const command_option options[] = {
  { "FILE", OPTION_ARGUMENT, .offset = offsetof(call, path) },
  { "--list", OPTION_FLAG, .offset = offsetof(call, list),
    "every joint with its number of channels, or marker with its gaps" },
  { "--unit METRES", OPTION_FLOAT, .offset = offsetof(call, options.unit),
    "unit of the file in metres; default: the one the file names", 1e-9, 1e4 },
  { "--rate FRAMES", OPTION_FLOAT, .offset = offsetof(call, options.rate),
    "frames per second, for a file that names none (AMC: 120)", 1e-6, 1e6 },
  { "--animation NAME", OPTION_TEXT, .offset = offsetof(call, options.animation),
    "which animation of a glTF file; default: the first" },
  { "--skeleton ASF", OPTION_TEXT, .offset = offsetof(call, options.skeleton),
    "the skeleton of an AMC file; default: walk_01.asf or walk.asf beside\nwalk_01.amc" },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { .options = sinew_default_motion_options() };
  if (!command_read(&command_motion, options, argc, argv, &c)) return EXIT_CALL;
  if (!command_source(&command_motion, c.path, &c.options)) return EXIT_CALL;
  sinew_error error;
  sinew_motion *motion = sinew_motion_load(c.path, &c.options, &error);
  if (!motion) {
    command_failed(&error);
    return EXIT_RIG;
  }
  print_summary(motion, c.list);
  sinew_motion_destroy(motion);
  return EXIT_FINE;
}

const command command_motion = {
  .name = "motion",
  .doc = "describes a motion file: BVH, AMC with its ASF, TRC",
  .options = options,
  .example = "sinew motion walk.bvh --list",
  .run = run,
};
