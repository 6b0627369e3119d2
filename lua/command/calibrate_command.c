/* sinew calibrate: fits numbers of a rig to a subject's motion and writes them to a tuning file. */
#include "lua/command/command.h"

#include <sinew/calibrate.h>

#include <string.h>

enum { most_free = SINEW_CALIBRATE_NUMBERS };

typedef struct call {
  const char *rig, *motion, *map, *out;
  command_list names; /* as given, separated by commas */
  char *free[most_free];
  int free_count;
  float unit;
  sinew_calibrate_options options;
} call;

static void show(int iteration, int iterations, float rms, void *user) {
  (void)rms;
  progress_show(user, "calibrating", iteration, iterations);
}

static bool print_values(const call *c, sinew_host *host, sinew_tuning *tuning) {
  sinew_error error;
  const sinew_rig *rig = sinew_host_rig(host);
  for (int i = 0; i < c->free_count; i++) {
    char *dot = strrchr(c->free[i], '.');
    *dot = 0;
    const sinew_component component = sinew_rig_find_component(rig, c->free[i], NULL);
    const char *text =
        component.id
            ? sinew_tuning_param_text(tuning, component, dot + 1, &error)
            : sinew_tuning_rest_text(tuning, sinew_rig_find_segment(rig, c->free[i], NULL), &error);
    if (!text) return command_failed(&error);
    command_print("%s: %s\n", c->free[i], text);
    *dot = '.';
  }
  return true;
}

static bool calibrate(call *c, sinew_host *host, const sinew_motion *motion,
                      const sinew_fit_parts *parts) {
  sinew_error error;
  sinew_calibrate_report report;
  progress shown = progress_start();
  sinew_tuning *tuning = sinew_tuning_create(host, &error);
  if (!tuning) return command_failed(&error);
  c->options.progress = show;
  c->options.user = &shown;
  bool ok = sinew_calibrate(host, motion, parts, (const char *const *)c->free, c->free_count,
                            &c->options, tuning, &report, &error) >= 0;
  progress_end(&shown);
  if (!ok) command_failed(&error);
  if (ok && sinew_tuning_write(tuning, c->out, &error) < 0) ok = command_failed(&error);
  if (ok) {
    command_print("%d numbers over %d frames of %d markers: from %.2f mm to %.2f mm RMS in %d "
                  "iterations\n",
                  report.numbers, report.frames, report.markers, (double)report.before * 1000,
                  (double)report.after * 1000, report.iterations);
    ok = print_values(c, host, tuning);
  }
  if (ok) command_print("%s\n", c->out);
  sinew_tuning_destroy(tuning);
  return ok;
}

static bool fit_parts(call *c, sinew_host *host, const sinew_motion *motion,
                      const sinew_fit_map *map) {
  sinew_error error, missing;
  sinew_error_clear(&missing);
  sinew_fit_parts *parts = sinew_fit_map_apply(map, sinew_host_rig(host), motion, &missing, &error);
  if (!parts) return command_failed(&error);
  if (missing.count) command_failed(&missing);
  c->options.z_up = sinew_fit_map_read(map)->z_up;
  bool ok = calibrate(c, host, motion, parts);
  sinew_fit_parts_destroy(parts);
  return ok;
}

static bool start(call *c) {
  sinew_error error;
  sinew_motion *motion = NULL;
  sinew_motion_options options = sinew_default_motion_options();
  sinew_host *host = command_open(c->rig);
  if (!host) return false;
  sinew_fit_map *map = sinew_fit_map_load(c->map, &error);
  if (map) {
    options.unit = c->unit > 0 ? c->unit : sinew_fit_map_read(map)->unit;
    motion = sinew_motion_load(c->motion, &options, &error);
  }
  bool ok = motion ? fit_parts(c, host, motion, map) : command_failed(&error);
  sinew_motion_destroy(motion);
  sinew_fit_map_destroy(map);
  sinew_host_destroy(host);
  return ok;
}

/* splits lists such as tibia_r.at,right_knee.bend.axis in place */
static bool split_names(call *c) {
  for (int i = 0; i < c->names.count; i++)
    for (char *n = strtok(command_item(&c->names, i), ","); n; n = strtok(NULL, ",")) {
      if (c->free_count == most_free) return false;
      c->free[c->free_count++] = n;
    }
  return c->free_count > 0;
}

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "MOTION", OPTION_ARGUMENT, .offset = offsetof(call, motion),
    "BVH, AMC or TRC of the subject at its own size" },
  { "--map MAP", OPTION_TEXT, .offset = offsetof(call, map),
    "where each joint or marker is on the rig, as for `sinew fit`", .required = true },
  { "--free NAMES", OPTION_LIST, .offset = offsetof(call, names),
    "what may change, separated by commas: tibia_r.length, tibia_r.at,\n"
    "tibia_r.turn of a segment; right_knee.bend.axis, a parameter of a\n"
    "component: a number, vector, list, or the values of a curve's points",
    .required = true },
  { "-o OUT.lua", OPTION_TEXT, .offset = offsetof(call, out),
    "the tuning to write; pass it to other commands as --tuning OUT.lua", .required = true },
  { "--frames N", OPTION_INT, .offset = offsetof(call, options.frames),
    "frames of the motion to use, evenly spaced (40)", 1, 10000 },
  { "--prior P", OPTION_FLOAT, .offset = offsetof(call, options.prior),
    "weight of the rig's own values (1); 0 ignores them", 0, 1e6 },
  { "--noise METRES", OPTION_FLOAT, .offset = offsetof(call, options.noise),
    "expected error of a marker (0.001)", 1e-6, 10 },
  { "--iterations N", OPTION_INT, .offset = offsetof(call, options.iterations),
    "maximum number of iterations (25)", 1, 10000 },
  { "--unit METRES", OPTION_FLOAT, .offset = offsetof(call, unit),
    "unit of the motion file in metres; default: the map's", 1e-6, 10 },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { .options = sinew_default_calibrate_options() };
  if (!command_read(&command_calibrate, options, argc, argv, &c)) return EXIT_CALL;
  if (!split_names(&c))
    return command_misused(&command_calibrate, "'--free' expects 1 to %d names", most_free);
  return start(&c) ? EXIT_FINE : EXIT_RIG;
}

const command command_calibrate = {
  .name = "calibrate",
  .doc = "fits numbers of a rig to a subject's motion, and writes them as a tuning",
  .options = options,
  .example = "sinew calibrate rigs/human.lua walk.bvh --map rigs/maps/cmu.lua --free "
             "tibia_r.length -o me.lua",
  .run = run,
};
