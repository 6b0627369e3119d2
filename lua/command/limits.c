/* sinew limits: a reach cone or a distance field out of what a joint did. */
#include "lua/command/command.h"

#include <sinew/limits.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct call {
  const char *rig, *motion, *joint, *as, *out, *segment;
  float unit, fps;
  sinew_limits_options options;
} call;

static bool ends_with(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static bool failed(const sinew_error *error) {
  fprintf(stderr, "sinew: %s\n", error->text);
  return false;
}

static bool read_samples(const call *c, sinew_host *host, sinew_limit_samples *dest) {
  sinew_error error;
  if (ends_with(c->motion, ".json") || ends_with(c->motion, ".csv")) {
    sinew_clip *clip = sinew_clip_load(c->motion, &error);
    if (!clip) return failed(&error);
    if (sinew_clip_apply(clip, sinew_host_pose(host), 0, &error) > 0) failed(&error);
    sinew_status status = sinew_limits_from_clip(host, clip, c->fps, c->joint, dest, &error);
    sinew_clip_destroy(clip);
    return status < 0 ? failed(&error) : true;
  }
  sinew_segment segment = { 0 };
  const sinew_rig *rig = sinew_host_rig(host);
  if (c->segment) {
    segment = sinew_rig_find_segment(rig, c->segment, &error);
    if (!segment.id) return failed(&error);
  }
  sinew_motion_options options = sinew_default_motion_options();
  options.unit = c->unit;
  sinew_motion *motion = sinew_motion_load(c->motion, &options, &error);
  if (!motion) return failed(&error);
  sinew_status status = sinew_limits_from_motion(motion, c->joint, rig, segment, dest, &error);
  sinew_motion_destroy(motion);
  return status < 0 ? failed(&error) : true;
}

/* the field goes to a file beside: arm.field for arm.lua */
static bool write_field(const call *c, const sinew_limit_samples *samples,
                        sinew_limits_report *report) {
  sinew_error error;
  char path[4096], text[4608];
  const char *slash = strrchr(c->out, '/');
  const int stem = (int)(strlen(c->out) - strlen(".lua"));
  if (snprintf(path, sizeof path, "%.*s.field", stem, c->out) >= (int)sizeof path) {
    fprintf(stderr, "sinew: the path '%s' is too long\n", c->out);
    return false;
  }
  sinew_field *field = sinew_limits_field(samples, &c->options, report, &error);
  if (!field) return failed(&error);
  const char *order = sinew_field_order(field, 0);
  const int length =
      snprintf(text, sizeof text,
               "-- %s; joint_set:field takes it as its parameter `field`\n"
               "return require(\"sinew\").load_field \"%s\"\n",
               order ? order : "plain angles", slash ? path + (slash + 1 - c->out) : path);
  bool ok = sinew_field_save(field, path, &error) >= 0 &&
            sinew_file_write(c->out, text, (size_t)length, &error) >= 0;
  sinew_field_release(field);
  if (!ok) return failed(&error);
  printf("%zu of %zu samples inside, %zu of %zu nodes feasible\n", report->kept, report->samples,
         report->feasible_nodes, report->nodes);
  printf("%s and %s\n", c->out, path);
  return true;
}

static bool write_cone(const call *c, const sinew_limit_samples *samples,
                       sinew_limits_report *report) {
  sinew_error error;
  size_t size;
  char *text = sinew_limits_cone(samples, &c->options, &size, report, &error);
  if (!text) return failed(&error);
  bool ok = true;
  if (c->out)
    ok = sinew_file_write(c->out, text, size, &error) >= 0;
  else
    fwrite(text, 1, size, stdout);
  sinew_text_free(text);
  if (!ok) return failed(&error);
  FILE *to = c->out ? stdout : stderr;
  fprintf(to, "%zu of %zu samples inside a cone of %d points, %.3f sr, %.0f%% of it unvisited\n",
          report->kept, report->samples, report->points, (double)report->area,
          (double)report->unvisited * 100);
  if (c->out) printf("%s\n", c->out);
  return true;
}

static bool read_number(const char *text, float low, float high, float *dest) {
  char *end;
  *dest = strtof(text, &end);
  return end != text && !*end && *dest >= low && *dest <= high;
}

/* NULL: fine, else what the option wants */
static const char *set_option(call *c, const char *name, const char *value) {
  const struct {
    const char *name;
    const char **text;
    float *number;
    int *whole;
    float low, high;
    const char *wants;
  } known[] = {
    { "--joint", &c->joint, NULL, NULL, 0, 0, "a name" },
    { "--as", &c->as, NULL, NULL, 0, 0, "'cone' or 'field'" },
    { "-o", &c->out, NULL, NULL, 0, 0, "a file" },
    { "--segment", &c->segment, NULL, NULL, 0, 0, "a segment of the rig" },
    { "--order", &c->options.order, NULL, NULL, 0, 0, "an Euler order" },
    { "--margin", NULL, &c->options.margin, NULL, 0, 90, "0 to 90 degrees" },
    { "--share", NULL, &c->options.share, NULL, 0.51f, 1, "0.51 to 1" },
    { "--unit", NULL, &c->unit, NULL, 1e-9f, 1e4f, "metres" },
    { "--fps", NULL, &c->fps, NULL, 1e-3f, 1e4f, "frames a second" },
    { "--points", NULL, NULL, &c->options.points, 3, 10000, "3 to 10000" },
    { "--cells", NULL, NULL, &c->options.cells, 2, 512, "2 to 512" },
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(name, known[i].name) != 0) continue;
    if (!value) return known[i].wants;
    float number = 0;
    if (known[i].text) {
      *known[i].text = value;
      return NULL;
    }
    if (!read_number(value, known[i].low, known[i].high, &number)) return known[i].wants;
    if (known[i].number)
      *known[i].number = number;
    else
      *known[i].whole = (int)number;
    return NULL;
  }
  return "";
}

static int run(int argc, char **argv) {
  call c = { .options = sinew_default_limits_options() };
  for (int i = 0; i < argc; i++) {
    if (argv[i][0] == '-') {
      const char *wants = set_option(&c, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
      if (wants && !*wants) return command_misused(&command_limits, "no option '%s'", argv[i]);
      if (wants) return command_misused(&command_limits, "'%s' wants %s", argv[i], wants);
      i++;
    } else if (!c.rig) {
      c.rig = argv[i];
    } else if (!c.motion) {
      c.motion = argv[i];
    } else {
      return command_misused(&command_limits, "one rig and one motion, not also '%s'", argv[i]);
    }
  }
  if (!c.motion) return command_misused(&command_limits, c.rig ? "which motion?" : "which rig?");
  if (!c.joint) return command_misused(&command_limits, "which joint? --joint NAME");
  const bool cone = c.as && strcmp(c.as, "cone") == 0;
  if (!cone && !(c.as && strcmp(c.as, "field") == 0))
    return command_misused(&command_limits, "'--as' wants 'cone' or 'field'");
  if (c.out && !ends_with(c.out, ".lua"))
    return command_misused(&command_limits, "'-o' wants a file that ends with .lua");
  if (!cone && !c.out) return command_misused(&command_limits, "a field goes to files: -o OUT.lua");
  sinew_host *host = command_open(c.rig);
  if (!host) return EXIT_RIG;
  sinew_limit_samples samples;
  sinew_limits_report report;
  bool ok = read_samples(&c, host, &samples);
  if (ok) {
    ok = cone ? write_cone(&c, &samples, &report) : write_field(&c, &samples, &report);
    if (ok && report.warnings.count) fprintf(stderr, "sinew: %s\n", report.warnings.text);
    sinew_limits_free(&samples);
  }
  sinew_host_destroy(host);
  return ok ? EXIT_FINE : EXIT_RIG;
}

const command command_limits = {
  .name = "limits",
  .usage = "RIG MOTION --joint NAME --as cone|field [-o OUT.lua] [--segment SEGMENT] ...",
  .doc = "makes a reach cone or a distance field of what a joint did, as Lua for a rig",
  .help =
      "  MOTION           BVH or AMC: NAME is a joint of it, and its turns against its parent\n"
      "                   count; or a clip (.json, .csv) of the rig's DOFs: NAME is a component\n"
      "                   whose angles count as they arrive, or a segment\n"
      "  --as cone        the table that joint_set:cone takes; without -o it is printed\n"
      "  --as field       OUT.field, and OUT.lua that loads it\n"
      "  --segment NAME   turns from the rest pose of this segment of the rig, in its frame; else\n"
      "                   from the motion's zero pose in the motion's axes\n"
      "  --margin DEGREES let the limit stand off so far\n"
      "  --points N       a cone of at most so many points\n"
      "  --share S        of the samples that a cone holds, 0.99 unless given\n"
      "  --cells N        of a field on each axis, 24 unless given\n"
      "  --order XYZ      Euler order of a field of a skeleton's joint, xyz unless given\n"
      "  --fps N          samples of a clip a second; else its own\n"
      "  --unit METRES    metres in a unit of the motion file\n",
  .run = run,
};
