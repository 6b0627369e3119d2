/* sinew fit: fits a rig's DOFs to recorded motion, writes them as a clip, CSV or BVH, and reports
 * the error. */
#include "lua/command/command.h"

#include "base/alloc.h"
#include "base/text.h"

#include <sinew/bind.h>
#include <sinew/fit_map.h>
#include <sinew/tuning.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE_CHAINS, SCALE_UNIFORM, SCALE_NONE };

typedef struct call {
  const char *rig, *motion, *map, *out, *report, *tuned;
  int scale;   /* one of the enum above */
  float limit; /* a frame with a larger RMS error, in metres, has failed */
  sinew_motion_options source;
} call;

typedef struct work {
  const call *call;
  sinew_host *host;
  sinew_motion *motion;
  sinew_fit_map *map;
  sinew_fit_parts *parts;
  sinew_fit *fit;
  float scale;
  sinew_clip *clip;           /* only those that the output format needs */
  sinew_recording *recording; /* NULL if not needed */
  si_text report; /* the table of --report */
  /* error sums over the frames, for each part */
  double *squares;
  float *worst;
  int *worst_frame, *seen;
  float *kept; /* DOF values of a frame that was solved again */
  float *last; /* DOF values of the previous frame */
  double all_squares;
  long all_seen;
  float worst_rms;
  int worst_rms_frame, failed, empty;
} work;

static const char *source_name(const work *w, int part) {
  int source = w->parts->parts[part].source;
  return sinew_motion_kind_of(w->motion) == SINEW_MOTION_SKELETON
             ? sinew_motion_joint_info(w->motion, source).name
             : sinew_motion_marker_name(w->motion, source);
}

/* --- scale */

static bool write_tuning(const work *w, const sinew_segment *segments, int count) {
  sinew_error error;
  sinew_tuning *tuning = sinew_tuning_create(w->host, &error);
  bool ok = tuning != NULL;
  if (count == 0) command_tell("%s: no length of the rig has changed\n", w->call->tuned);
  for (int i = 0; ok && i < count; i++)
    ok = sinew_tuning_note_rest(tuning, segments[i], &error) >= 0;
  if (ok) ok = sinew_tuning_write(tuning, w->call->tuned, &error) >= 0;
  if (!ok) command_failed(&error);
  sinew_tuning_destroy(tuning);
  return ok;
}

static bool take_sizes(work *w) {
  sinew_error error;
  const sinew_fit_parts *p = w->parts;
  w->scale = 1;
  if (w->call->scale == SCALE_NONE || !p->link_count)
    return !w->call->tuned || write_tuning(w, NULL, 0);
  sinew_rig *rig = sinew_host_rig(w->host);
  int room = sinew_rig_segment_count(rig), changed = 0;
  float *ratios = calloc((size_t)p->link_count + 1, sizeof *ratios);
  sinew_segment *segments = calloc((size_t)room + 1, sizeof *segments);
  bool ok = (ratios && segments) || command_out_of_memory();
  if (ok) {
    w->scale = sinew_fit_measure(rig, w->motion, p->parts, p->part_count, p->links, p->link_count,
                                 ratios, &error);
    ok = w->scale > 0;
    if (!ok) command_failed(&error);
  }
  if (ok) command_print("the subject is %.4g times as large as the rig\n", (double)w->scale);
  if (ok && w->call->scale == SCALE_CHAINS) {
    for (int i = 0; i < p->link_count; i++)
      command_print("  %.4g of that from %s to %s\n", (double)ratios[i], source_name(w, p->links[i].from),
             source_name(w, p->links[i].to));
    changed = sinew_fit_stretch(rig, p->parts, p->part_count, p->links, p->link_count, ratios,
                                segments, room, &error);
    ok = changed >= 0;
    if (!ok) command_failed(&error);
  }
  if (ok && w->call->tuned) ok = write_tuning(w, segments, changed < room ? changed : room);
  free(segments);
  free(ratios);
  return ok;
}

/* --- frames */

static bool keep_frame(work *w, const sinew_pose *pose, int frame) {
  sinew_error error;
  if (w->recording && sinew_recording_add(w->recording, pose, &error) < 0)
    return command_failed(&error);
  for (int i = 0; w->clip && i < sinew_fit_dof_count(w->fit); i++) {
    sinew_dof dof = sinew_fit_dof(w->fit, i);
    sinew_dof_info info = sinew_rig_dof_info(sinew_pose_rig(pose), dof);
    double rate = (double)sinew_motion_rate(w->motion);
    float time = (float)(frame / rate), before = (float)((frame - 1) / rate);
    float value = sinew_pose_get(pose, dof), last = w->last[i];
    /* interpolation between frames must not go backwards where a DOF wraps around */
    bool round = frame > 0 && info.max - info.min == 360 && fabsf(value - last) > 180;
    if (sinew_clip_set_key(w->clip, info.name, time, value, SINEW_INTERP_LINEAR, &error) < 0 ||
        (round &&
         sinew_clip_set_key(w->clip, info.name, before, last, SINEW_INTERP_HOLD, &error) < 0))
      return command_failed(&error);
    w->last[i] = value;
  }
  return true;
}

static void note_errors(work *w, int frame, const sinew_fit_result *r) {
  for (int i = 0; i < w->parts->part_count; i++) {
    float off = sinew_fit_error(w->fit, i);
    si_text_format(&w->report, isnan(off) ? "," : ",%.6g", (double)off);
    if (isnan(off)) continue;
    w->squares[i] += (double)off * (double)off;
    w->seen[i]++;
    if (off > w->worst[i]) {
      w->worst[i] = off;
      w->worst_frame[i] = frame;
    }
  }
  si_text_add(&w->report, "\n");
  w->all_squares += (double)r->rms * (double)r->rms * r->seen;
  w->all_seen += r->seen;
  if (r->rms > w->worst_rms) {
    w->worst_rms = r->rms;
    w->worst_rms_frame = frame;
  }
}

/* starts from the previous frame; if the error is too large, also from rest, and keeps the
 * better */
static bool fit_frame(work *w, int frame, bool afresh, sinew_pose *pose, sinew_fit_result *r) {
  sinew_error error;
  const int dofs = sinew_rig_dof_count(sinew_pose_rig(pose));
  if (sinew_fit_frame(w->fit, frame, afresh, pose, r, &error) < 0) return command_failed(&error);
  if (!(r->rms > w->call->limit) || !r->seen) return true;
  sinew_fit_result again;
  memcpy(w->kept, sinew_pose_dofs(pose), (size_t)dofs * sizeof *w->kept);
  if (afresh) sinew_pose_reset(pose);
  if (sinew_fit_frame(w->fit, frame, true, pose, &again, &error) < 0) return command_failed(&error);
  if (again.rms < r->rms) {
    *r = again;
    return true;
  }
  sinew_pose_set_all(pose, w->kept, dofs, NULL);
  return sinew_fit_frame(w->fit, frame, false, pose, r, &error) >= 0 || command_failed(&error);
}

static bool fit_frames(work *w) {
  sinew_pose *pose = sinew_host_pose(w->host);
  const int frames = sinew_motion_frame_count(w->motion);
  const double rate = (double)sinew_motion_rate(w->motion);
  progress shown = progress_start();
  bool afresh = true, ok = true;
  for (int f = 0; f < frames && ok; f++) {
    sinew_fit_result r;
    ok = fit_frame(w, f, afresh, pose, &r) && keep_frame(w, pose, f);
    if (!ok) break;
    si_text_format(&w->report, "%d,%.6g,%d,%.6g,%d", f, f / rate, r.seen, (double)r.rms, r.iterations);
    note_errors(w, f, &r);
    bool bad = r.rms > w->call->limit;
    w->failed += bad;
    w->empty += !r.seen;
    afresh = bad || (afresh && !r.seen);
    progress_show(&shown, "fitting", f + 1, frames);
  }
  progress_end(&shown);
  return ok;
}

/* --- results */

static bool write_out(const work *w) {
  sinew_error error;
  const char *out = w->call->out;
  if (w->clip) return sinew_clip_save(w->clip, out, &error) >= 0 || command_failed(&error);
  size_t size;
  char *text = command_ends_with(out, ".csv") ? sinew_recording_csv(w->recording, &size, &error)
                                              : sinew_recording_bvh(w->recording, 0, &size, &error);
  bool ok = text && sinew_file_write(out, text, size, &error) >= 0;
  if (!ok) command_failed(&error);
  sinew_text_free(text);
  return ok;
}

static void print_summary(const work *w) {
  const int frames = sinew_motion_frame_count(w->motion);
  command_print("%s: %d frames, %d points, %d DOFs\n", w->call->out, frames, w->parts->part_count,
         sinew_fit_dof_count(w->fit));
  double rms = w->all_seen ? sqrt(w->all_squares / (double)w->all_seen) : 0;
  command_print("rms %.2f mm; the worst frame is %d with %.2f mm; %d failed", rms * 1000,
         w->worst_rms_frame, (double)w->worst_rms * 1000, w->failed);
  if (w->empty) command_print("; %d without a point", w->empty);
  command_print("\n\n%-24s %8s %9s %8s %8s\n", "point", "rms mm", "worst mm", "in frame", "missing");
  for (int i = 0; i < w->parts->part_count; i++)
    command_print("%-24s %8.2f %9.2f %8d %8d\n", source_name(w, i),
           w->seen[i] ? sqrt(w->squares[i] / w->seen[i]) * 1000 : 0.0, (double)w->worst[i] * 1000,
           w->worst_frame[i], frames - w->seen[i]);
}

static bool start_output(work *w) {
  sinew_error error;
  const float rate = sinew_motion_rate(w->motion);
  if (command_ends_with(w->call->out, ".json")) {
    w->clip = sinew_clip_create(&error);
    if (!w->clip || sinew_clip_set_fps(w->clip, rate, &error) < 0) return command_failed(&error);
  } else {
    w->recording = sinew_recording_create(sinew_host_rig(w->host), rate, &error);
    if (!w->recording) return command_failed(&error);
  }
  si_text_add(&w->report, "frame,time,seen,rms,iterations");
  for (int i = 0; i < w->parts->part_count; i++) {
    si_text_add(&w->report, ",");
    si_text_add(&w->report, source_name(w, i));
  }
  si_text_add(&w->report, "\n");
  return true;
}

static bool prepare(work *w) {
  sinew_error error, missing;
  w->host = command_open(w->call->rig);
  if (!w->host) return false;
  char made[PATH_MAX];
  const char *path = w->call->map;
  if (!path) {
    const char *dot = strrchr(w->call->out, '.');
    if (snprintf(made, sizeof made, "%.*s.map.lua", (int)(dot - w->call->out), w->call->out) >=
        (int)sizeof made) {
      command_tell("sinew: the path '%s' is too long\n", w->call->out);
      return false;
    }
    if (sinew_match_motion(w->host, w->call->motion, made, &error) < 0)
      return command_failed(&error);
    path = made;
    command_print("%s: the joints of %s on the rig\n", made, w->call->motion);
  }
  w->map = sinew_fit_map_load(path, &error);
  if (!w->map) return command_failed(&error);
  sinew_motion_options source = w->call->source;
  const sinew_map *map = sinew_fit_map_read(w->map);
  if (!(source.unit > 0)) source.unit = map->unit;
  w->motion = sinew_motion_load(w->call->motion, &source, &error);
  if (!w->motion) return command_failed(&error);
  w->parts = sinew_fit_map_apply(w->map, sinew_host_rig(w->host), w->motion, &missing, &error);
  if (!w->parts) return command_failed(&error);
  if (missing.count) command_failed(&missing);
  if (!take_sizes(w)) return false;
  sinew_fit_desc desc = sinew_default_fit_desc();
  desc.parts = w->parts->parts;
  desc.part_count = w->parts->part_count;
  desc.dofs = w->parts->dofs;
  desc.dof_count = w->parts->dof_count;
  desc.scale = w->scale;
  desc.posture = map->posture;
  desc.z_up = map->z_up;
  w->fit = sinew_fit_create(sinew_host_rig(w->host), w->motion, &desc, &error);
  if (!w->fit) return command_failed(&error);
  size_t parts = (size_t)w->parts->part_count;
  w->squares = calloc(parts, sizeof *w->squares);
  w->worst = calloc(parts, sizeof *w->worst);
  w->worst_frame = calloc(parts, sizeof *w->worst_frame);
  w->seen = calloc(parts, sizeof *w->seen);
  w->kept = calloc((size_t)sinew_rig_dof_count(sinew_host_rig(w->host)), sizeof *w->kept);
  w->last = calloc((size_t)sinew_fit_dof_count(w->fit), sizeof *w->last);
  if (w->squares && w->worst && w->worst_frame && w->seen && w->kept && w->last)
    return start_output(w);
  return command_out_of_memory();
}

static bool write_report(work *w) {
  sinew_error error;
  if (!w->call->report) return true;
  if (w->report.failed) return command_out_of_memory();
  if (sinew_file_write(w->call->report, w->report.at, w->report.size, &error) >= 0) return true;
  return command_failed(&error);
}

static int fit(const call *c) {
  work w = { .call = c };
  bool ok = prepare(&w) && fit_frames(&w);
  ok = ok && write_report(&w) && write_out(&w);
  si_free(w.report.at);
  if (ok) print_summary(&w);
  sinew_clip_destroy(w.clip);
  sinew_recording_destroy(w.recording);
  sinew_fit_destroy(w.fit);
  sinew_fit_parts_destroy(w.parts);
  sinew_motion_destroy(w.motion);
  sinew_fit_map_destroy(w.map);
  sinew_host_destroy(w.host);
  free(w.squares);
  free(w.worst);
  free(w.worst_frame);
  free(w.seen);
  free(w.kept);
  free(w.last);
  return ok ? EXIT_FINE : EXIT_RIG;
}

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "MOTION", OPTION_ARGUMENT, .offset = offsetof(call, motion),
    "joints (BVH, AMC with its ASF, glTF) or markers (TRC)" },
  { "--map MAP", OPTION_TEXT, .offset = offsetof(call, map),
    "a table in Lua or JSON: where each joint or marker is on the rig;\n"
    "default: the joints are matched by names and shape, and the map\n"
    "is written as OUT.map.lua" },
  { "-o OUT.json|OUT.csv|OUT.bvh", OPTION_TEXT, .offset = offsetof(call, out),
    "the file to write: a clip of keyframes, DOFs as CSV, or BVH", .required = true },
  { "--scale chains|uniform|none", OPTION_CHOICE, .offset = offsetof(call, scale),
    "chains (default): each link of the map gets the subject's length;\n"
    "uniform: one factor for the whole rig" },
  { "--tuned FILE", OPTION_TEXT, .offset = offsetof(call, tuned),
    "writes the changed lengths of the rig, for --tuning" },
  { "--report FILE", OPTION_TEXT, .offset = offsetof(call, report),
    "writes a table with the rms and the error of every point, in metres,\nfor every frame" },
  { "--limit METRES", OPTION_FLOAT, .offset = offsetof(call, limit),
    "a frame with a larger rms counts as failed (0.1)", 1e-9, 1e6 },
  { "--unit METRES", OPTION_FLOAT, .offset = offsetof(call, source.unit),
    "unit of the motion file in metres; default: the map's", 1e-9, 1e6 },
  { "--rate FRAMES", OPTION_FLOAT, .offset = offsetof(call, source.rate),
    "frames per second, for a file that names none (AMC: 120)", 1e-9, 1e6 },
  { "--animation NAME", OPTION_TEXT, .offset = offsetof(call, source.animation),
    "which animation of a glTF file; default: the first" },
  { "--skeleton ASF", OPTION_TEXT, .offset = offsetof(call, source.skeleton),
    "the skeleton of an AMC file" },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { .limit = 0.1f, .source = sinew_default_motion_options() };
  if (!command_read(&command_fit, options, argc, argv, &c)) return EXIT_CALL;
  if (!command_ends_with(c.out, ".json") && !command_ends_with(c.out, ".csv") &&
      !command_ends_with(c.out, ".bvh"))
    return command_misused(&command_fit, "'-o' expects a file that ends with .json, .csv or .bvh");
  if (!command_source(&command_fit, c.motion, &c.source)) return EXIT_CALL;
  const char *const outputs[] = { c.out, c.tuned, c.report };
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < i; k++)
      if (outputs[i] && outputs[k] && strcmp(outputs[i], outputs[k]) == 0)
        return command_misused(&command_fit, "'%s' would be written twice", outputs[i]);
  return fit(&c);
}

const command command_fit = {
  .name = "fit",
  .doc = "fits a rig to recorded motion, and reports the error",
  .options = options,
  .example = "sinew fit rigs/human.lua walk.bvh --map rigs/maps/cmu.lua -o fitted.json",
  .run = run,
};
