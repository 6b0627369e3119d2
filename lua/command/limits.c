/* sinew limits: makes a reach cone or a distance field from the motion of a joint. */
#include "lua/command/command.h"

#include <sinew/limits.h>

#include <string.h>

typedef struct call {
  const char *rig, *motion, *joint, *out, *segment;
  int as; /* 0 cone, 1 field */
  float unit, fps;
  sinew_limits_options options;
} call;

static bool read_samples(const call *c, sinew_host *host, sinew_limit_samples *dest) {
  sinew_error error;
  if (command_ends_with(c->motion, ".json") || command_ends_with(c->motion, ".csv")) {
    sinew_clip *clip = sinew_clip_load(c->motion, &error);
    if (!clip) return command_failed(&error);
    if (sinew_clip_apply(clip, sinew_host_pose(host), 0, &error) > 0) command_failed(&error);
    sinew_status status = sinew_limits_from_clip(host, clip, c->fps, c->joint, dest, &error);
    sinew_clip_destroy(clip);
    return status < 0 ? command_failed(&error) : true;
  }
  sinew_segment segment = { 0 };
  const sinew_rig *rig = sinew_host_rig(host);
  if (c->segment) {
    segment = sinew_rig_find_segment(rig, c->segment, &error);
    if (!segment.id) return command_failed(&error);
  }
  sinew_motion_options options = sinew_default_motion_options();
  options.unit = c->unit;
  sinew_motion *motion = sinew_motion_load(c->motion, &options, &error);
  if (!motion) return command_failed(&error);
  sinew_status status = sinew_limits_from_motion(motion, c->joint, rig, segment, dest, &error);
  sinew_motion_destroy(motion);
  return status < 0 ? command_failed(&error) : true;
}

/* the field goes to a file in the same folder: arm.field for arm.lua */
static bool write_field(const call *c, const sinew_limit_samples *samples,
                        sinew_limits_report *report) {
  sinew_error error;
  char path[4096], text[4608];
  const char *slash = strrchr(c->out, '/');
  const int stem = (int)(strlen(c->out) - strlen(".lua"));
  if (snprintf(path, sizeof path, "%.*s.field", stem, c->out) >= (int)sizeof path) {
    command_tell("sinew: the path '%s' is too long\n", c->out);
    return false;
  }
  sinew_field *field = sinew_limits_field(samples, &c->options, report, &error);
  if (!field) return command_failed(&error);
  const char *order = sinew_field_order(field, 0);
  const int length =
      snprintf(text, sizeof text,
               "-- %s; joint_set:field takes it as its parameter `field`\n"
               "return require(\"sinew\").load_field \"%s\"\n",
               order ? order : "plain angles", slash ? path + (slash + 1 - c->out) : path);
  bool ok = sinew_field_save(field, path, &error) >= 0 &&
            sinew_file_write(c->out, text, (size_t)length, &error) >= 0;
  sinew_field_release(field);
  if (!ok) return command_failed(&error);
  command_print("%zu of %zu samples inside, %zu of %zu nodes feasible\n", report->kept,
                report->samples, report->feasible_nodes, report->nodes);
  command_print("%s and %s\n", c->out, path);
  return true;
}

static bool write_cone(const call *c, const sinew_limit_samples *samples,
                       sinew_limits_report *report) {
  sinew_error error;
  size_t size;
  char *text = sinew_limits_cone(samples, &c->options, &size, report, &error);
  if (!text) return command_failed(&error);
  bool ok = true;
  if (c->out)
    ok = sinew_file_write(c->out, text, size, &error) >= 0;
  else
    fwrite(text, 1, size, stdout);
  sinew_text_free(text);
  if (!ok) return command_failed(&error);
  FILE *to = c->out ? stdout : stderr;
  fprintf(to, "%zu of %zu samples inside a cone of %d points, %.3f sr, %.0f%% of it unvisited\n",
          report->kept, report->samples, report->points, (double)report->area,
          (double)report->unvisited * 100);
  if (c->out) command_print("%s\n", c->out);
  return true;
}

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "MOTION", OPTION_ARGUMENT, .offset = offsetof(call, motion),
    "BVH or AMC: NAME is one of its joints, and the limit is made from its\n"
    "rotations relative to its parent; or a clip (.json, .csv) of the rig's\n"
    "DOFs: NAME is a component, whose input angles are used, or a segment" },
  { "--joint NAME", OPTION_TEXT, .offset = offsetof(call, joint), .required = true },
  { "--as cone|field", OPTION_CHOICE, .offset = offsetof(call, as),
    "cone: a table for joint_set:cone, printed unless -o is given\n"
    "field: writes OUT.field, and OUT.lua that loads it",
    .required = true },
  { "-o OUT.lua", OPTION_TEXT, .offset = offsetof(call, out), "the file to write" },
  { "--segment NAME", OPTION_TEXT, .offset = offsetof(call, segment),
    "measures rotations from the rest pose of this segment, in its frame;\n"
    "default: from the motion's zero pose, in the motion's axes" },
  { "--margin DEGREES", OPTION_FLOAT, .offset = offsetof(call, options.margin),
    "widens the limit by this much (0)", 0, 90 },
  { "--points N", OPTION_INT, .offset = offsetof(call, options.points),
    "maximum number of points of a cone", 3, 10000 },
  { "--share S", OPTION_FLOAT, .offset = offsetof(call, options.share),
    "share of the samples that a cone contains (0.99)", 0.51, 1 },
  { "--cells N", OPTION_INT, .offset = offsetof(call, options.cells),
    "cells of a field on each axis (24)", 2, 512 },
  { "--order XYZ", OPTION_TEXT, .offset = offsetof(call, options.order),
    "Euler order of a field made from a BVH or AMC (xyz)" },
  { "--fps N", OPTION_FLOAT, .offset = offsetof(call, fps),
    "samples of a clip per second; default: the clip's", 1e-3, 1e4 },
  { "--unit METRES", OPTION_FLOAT, .offset = offsetof(call, unit),
    "unit of the motion file in metres", 1e-9, 1e4 },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { .options = sinew_default_limits_options() };
  if (!command_read(&command_limits, options, argc, argv, &c)) return EXIT_CALL;
  const bool cone = c.as == 0;
  if (c.out && !command_ends_with(c.out, ".lua"))
    return command_misused(&command_limits, "'-o' expects a file that ends with .lua");
  if (!cone && !c.out) return command_misused(&command_limits, "a field needs -o OUT.lua");
  const sinew_limits_options usual = sinew_default_limits_options();
  if (!cone && (c.options.points != usual.points || c.options.share != usual.share))
    return command_misused(&command_limits, "'--points' and '--share' are for cones");
  if (cone && (c.options.cells != usual.cells || c.options.order != usual.order))
    return command_misused(&command_limits, "'--cells' and '--order' are for fields");
  sinew_host *host = command_open(c.rig);
  if (!host) return EXIT_RIG;
  sinew_limit_samples samples;
  sinew_limits_report report;
  bool ok = read_samples(&c, host, &samples);
  if (ok) {
    ok = cone ? write_cone(&c, &samples, &report) : write_field(&c, &samples, &report);
    if (ok && report.warnings.count) command_tell("sinew: %s\n", report.warnings.text);
    sinew_limits_free(&samples);
  }
  sinew_host_destroy(host);
  return ok ? EXIT_FINE : EXIT_RIG;
}

const command command_limits = {
  .name = "limits",
  .doc = "makes a reach cone or a distance field from the motion of a joint, as Lua for a rig",
  .options = options,
  .example = "sinew limits rigs/human.lua walk.bvh --joint RightUpLeg --as cone -o hip_cone.lua",
  .run = run,
};
