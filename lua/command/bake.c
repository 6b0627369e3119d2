/* sinew bake: plays a clip on a rig and writes the frames as BVH, or the DOFs as CSV. */
#include "lua/command/command.h"

/* records every frame of the clip */
static bool play(sinew_host *host, const sinew_clip *clip, float fps, sinew_recording *recording) {
  sinew_error error;
  sinew_pose *pose = sinew_host_pose(host);
  const int frames = sinew_clip_frame_count(clip, fps);
  progress shown = progress_start();
  /* report missing DOFs only once */
  const int missing = sinew_clip_apply(clip, pose, 0, &error);
  if (missing > 0) command_failed(&error);
  if (missing > 0 && missing == sinew_clip_channel_count(clip)) return false;
  for (int f = 0; f < frames; f++) {
    sinew_clip_apply(clip, pose, (float)((double)f / (double)fps), NULL);
    if (sinew_host_eval(host, pose, &error) < 0 ||
        sinew_recording_add(recording, pose, &error) < 0) {
      progress_end(&shown);
      return command_failed(&error);
    }
    progress_show(&shown, "baking", f + 1, frames);
  }
  progress_end(&shown);
  return true;
}

static bool bake(sinew_host *host, const sinew_clip *clip, float fps, float unit, const char *out) {
  sinew_error error;
  size_t size;
  char *text = NULL;
  sinew_recording *recording = sinew_recording_create(sinew_host_rig(host), fps, &error);
  bool ok = recording ? play(host, clip, fps, recording) : command_failed(&error);
  if (ok) {
    text = command_ends_with(out, ".csv") ? sinew_recording_csv(recording, &size, &error)
                                          : sinew_recording_bvh(recording, unit, &size, &error);
    ok = text && sinew_file_write(out, text, size, &error) >= 0;
    if (!ok) command_failed(&error);
  }
  if (ok) command_print("%s: %d frames\n", out, sinew_recording_frame_count(recording));
  sinew_text_free(text);
  sinew_recording_destroy(recording);
  return ok;
}

typedef struct call {
  const char *rig, *clip, *out;
  float fps, unit;
} call;

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "CLIP", OPTION_ARGUMENT, .offset = offsetof(call, clip),
    "keyframes (.json), or DOFs as CSV (.csv)" },
  { "-o OUT.bvh|OUT.csv", OPTION_TEXT, .offset = offsetof(call, out), "the file to write",
    .required = true },
  { "--fps N", OPTION_FLOAT, .offset = offsetof(call, fps),
    "frames per second; default: the clip's", 1e-6, 10000 },
  { "--unit METRES", OPTION_FLOAT, .offset = offsetof(call, unit),
    "unit of the BVH in metres (1); 0.01 writes centimetres", 1e-9, 10000 },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { 0 };
  if (!command_read(&command_bake, options, argc, argv, &c)) return EXIT_CALL;
  if (!command_ends_with(c.out, ".bvh") && !command_ends_with(c.out, ".csv"))
    return command_misused(&command_bake, "'-o' expects a file that ends with .bvh or .csv");
  if (c.unit > 0 && !command_ends_with(c.out, ".bvh"))
    return command_misused(&command_bake, "'--unit' is for BVH: a CSV has the rig's units");
  sinew_host *host = command_open(c.rig);
  if (!host) return EXIT_RIG;
  sinew_error error;
  sinew_clip *clip = sinew_clip_load(c.clip, &error);
  bool ok = clip ? bake(host, clip, c.fps > 0 ? c.fps : sinew_clip_fps(clip), c.unit, c.out)
                 : command_failed(&error);
  sinew_clip_destroy(clip);
  sinew_host_destroy(host);
  return ok ? EXIT_FINE : EXIT_RIG;
}

const command command_bake = {
  .name = "bake",
  .doc = "plays a clip on a rig and writes its frames as BVH, or its DOFs as CSV",
  .options = options,
  .example = "sinew bake rigs/human.lua walk.json -o baked.bvh --fps 30",
  .run = run,
};
