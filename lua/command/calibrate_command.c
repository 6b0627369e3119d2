/* sinew calibrate: fits numbers of a rig to a subject's motion and writes them as a tuning. */
#include "lua/command/command.h"

#include <sinew/calibrate.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_free = SINEW_CALIBRATE_NUMBERS };

typedef struct call {
  const char *rig, *motion, *map, *out;
  char *free[most_free];
  int free_count;
  float unit;
  sinew_calibrate_options options;
} call;

static bool failed(const sinew_error *error) {
  fprintf(stderr, "sinew: %s\n", error->text);
  return false;
}

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
    if (!text) return failed(&error);
    printf("%s: %s\n", c->free[i], text);
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
  if (!tuning) return failed(&error);
  c->options.progress = show;
  c->options.user = &shown;
  bool ok = sinew_calibrate(host, motion, parts, (const char *const *)c->free, c->free_count,
                            &c->options, tuning, &report, &error) >= 0;
  progress_end(&shown);
  if (!ok) failed(&error);
  if (ok && sinew_tuning_write(tuning, c->out, &error) < 0) ok = failed(&error);
  if (ok) {
    printf("%d numbers over %d frames of %d markers: from %.2f mm to %.2f mm RMS in %d "
           "iterations\n",
           report.numbers, report.frames, report.markers, (double)report.before * 1000,
           (double)report.after * 1000, report.iterations);
    ok = print_values(c, host, tuning);
  }
  if (ok) printf("%s\n", c->out);
  sinew_tuning_destroy(tuning);
  return ok;
}

static bool fit_parts(call *c, sinew_host *host, const sinew_motion *motion,
                      const sinew_fit_map *map) {
  sinew_error error, missing;
  sinew_error_clear(&missing);
  sinew_fit_parts *parts = sinew_fit_map_apply(map, sinew_host_rig(host), motion, &missing, &error);
  if (!parts) return failed(&error);
  if (missing.count) failed(&missing);
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
  bool ok = motion ? fit_parts(c, host, motion, map) : failed(&error);
  sinew_motion_destroy(motion);
  sinew_fit_map_destroy(map);
  sinew_host_destroy(host);
  return ok;
}

/* takes a list such as tibia_r.at,right_knee.bend.axis apart, in place */
static bool add_free(call *c, char *list) {
  for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
    if (c->free_count == most_free) return false;
    c->free[c->free_count++] = name;
  }
  return true;
}

static bool read_number(const char *text, float low, float high, float *dest) {
  char *end = NULL;
  *dest = text ? strtof(text, &end) : 0;
  return end && end != text && !*end && *dest >= low && *dest <= high;
}

static int run(int argc, char **argv) {
  call c = { .options = sinew_default_calibrate_options() };
  for (int i = 0; i < argc; i++) {
    const char *name = argv[i];
    char *value = i + 1 < argc ? argv[i + 1] : NULL;
    float number = 0;
    if (name[0] != '-') {
      if (c.motion)
        return command_misused(&command_calibrate, "one rig and one motion, not '%s'", name);
      *(c.rig ? &c.motion : &c.rig) = name;
      continue;
    }
    i++;
    if (strcmp(name, "--map") == 0 || strcmp(name, "-o") == 0) {
      if (!value) return command_misused(&command_calibrate, "'%s' wants a file", name);
      *(name[1] == 'o' ? &c.out : &c.map) = value;
    } else if (strcmp(name, "--free") == 0) {
      if (!value || !add_free(&c, value))
        return command_misused(&command_calibrate, "'--free' wants names of parameters");
    } else if (strcmp(name, "--frames") == 0 || strcmp(name, "--iterations") == 0) {
      if (!read_number(value, 1, 10000, &number))
        return command_misused(&command_calibrate, "'%s' wants 1 to 10000", name);
      *(name[2] == 'f' ? &c.options.frames : &c.options.iterations) = (int)number;
    } else if (strcmp(name, "--prior") == 0) {
      if (!read_number(value, 0, 1e6f, &c.options.prior))
        return command_misused(&command_calibrate, "'--prior' wants a number from 0 on");
    } else if (strcmp(name, "--noise") == 0 || strcmp(name, "--unit") == 0) {
      if (!read_number(value, 1e-6f, 10, &number))
        return command_misused(&command_calibrate, "'%s' wants metres", name);
      *(name[2] == 'n' ? &c.options.noise : &c.unit) = number;
    } else {
      return command_misused(&command_calibrate, "no option '%s'", name);
    }
  }
  if (!c.motion) return command_misused(&command_calibrate, c.rig ? "which motion?" : "which rig?");
  if (!c.map) return command_misused(&command_calibrate, "which markers? --map MAP");
  if (!c.free_count) return command_misused(&command_calibrate, "what may change? --free NAMES");
  if (!c.out) return command_misused(&command_calibrate, "where to? -o OUT.lua");
  return start(&c) ? EXIT_FINE : EXIT_RIG;
}

const command command_calibrate = {
  .name = "calibrate",
  .usage = "RIG MOTION --map MAP --free NAMES -o OUT.lua [--frames N] [--prior P] ...",
  .doc = "fits numbers of a rig to a subject's motion, and writes them as a tuning",
  .help =
      "  MOTION           BVH, AMC or TRC of the subject in its own size\n"
      "  --map MAP        which joint or marker is where on the rig, as for `sinew fit`\n"
      "  --free NAMES     what may change, with commas: tibia_r.length, tibia_r.at, tibia_r.turn\n"
      "                   of a segment; right_knee.bend.axis, a parameter of a component: number,\n"
      "                   vector, list, or the values of a curve's points\n"
      "  -o OUT.lua       the tuning: `--tuning OUT.lua` of every command takes it\n"
      "  --frames N       of the motion, spread evenly; 40 unless given\n"
      "  --prior P        how strongly the rig's own values hold; 1, and 0 not at all\n"
      "  --noise METRES   that a marker is expected to be off; 0.001\n"
      "  --iterations N   at most; 25\n"
      "  --unit METRES    metres in a unit of the motion file\n",
  .run = run,
};
