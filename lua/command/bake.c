/* sinew bake: plays a clip on a rig and writes the frames as BVH, or the DOFs as a table. */
#include "lua/command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *path, const char *ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length >= tail && strcmp(path + length - tail, ending) == 0;
}

static bool failed(const sinew_error *error) {
  fprintf(stderr, "sinew: %s\n", error->text);
  return false;
}

/* every frame of the clip into the recording */
static bool play(sinew_host *host, const sinew_clip *clip, float fps, sinew_recording *recording) {
  sinew_error error;
  sinew_pose *pose = sinew_host_pose(host);
  const int frames = sinew_clip_frame_count(clip, fps);
  progress shown = progress_start();
  /* what the rig lacks is told once */
  if (sinew_clip_apply(clip, pose, 0, &error) > 0) failed(&error);
  for (int f = 0; f < frames; f++) {
    sinew_clip_apply(clip, pose, (float)((double)f / (double)fps), NULL);
    if (sinew_host_eval(host, pose, &error) < 0 ||
        sinew_recording_add(recording, pose, &error) < 0) {
      progress_end(&shown);
      return failed(&error);
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
  bool ok = recording ? play(host, clip, fps, recording) : failed(&error);
  if (ok) {
    text = ends_with(out, ".csv") ? sinew_recording_csv(recording, &size, &error)
                                  : sinew_recording_bvh(recording, unit, &size, &error);
    ok = text && sinew_file_write(out, text, size, &error) >= 0;
    if (!ok) failed(&error);
  }
  if (ok) printf("%s: %d frames\n", out, sinew_recording_frame_count(recording));
  sinew_text_free(text);
  sinew_recording_destroy(recording);
  return ok;
}

static int run(int argc, char **argv) {
  const char *rig = NULL, *path = NULL, *out = NULL;
  float fps = 0, unit = 0;
  for (int i = 0; i < argc; i++) {
    const bool last = i + 1 == argc;
    char *end = NULL;
    if (strcmp(argv[i], "-o") == 0) {
      if (last) return command_misused(&command_bake, "'-o' wants a file");
      out = argv[++i];
    } else if (strcmp(argv[i], "--fps") == 0 || strcmp(argv[i], "--unit") == 0) {
      float value = last ? 0 : strtof(argv[i + 1], &end);
      if (!end || *end || end == argv[i + 1] || !(value > 0 && value <= 10000))
        return command_misused(&command_bake, "'%s' wants a number above 0, to 10000", argv[i]);
      *(argv[i][2] == 'f' ? &fps : &unit) = value;
      i++;
    } else if (argv[i][0] == '-') {
      return command_misused(&command_bake, "no option '%s'", argv[i]);
    } else if (!rig) {
      rig = argv[i];
    } else if (!path) {
      path = argv[i];
    } else {
      return command_misused(&command_bake, "one rig and one clip, not also '%s'", argv[i]);
    }
  }
  if (!path) return command_misused(&command_bake, rig ? "which clip?" : "which rig?");
  if (!out || !(ends_with(out, ".bvh") || ends_with(out, ".csv")))
    return command_misused(&command_bake, "'-o' wants a file that ends with .bvh or .csv");
  sinew_host *host = command_open(rig);
  if (!host) return EXIT_RIG;
  sinew_error error;
  sinew_clip *clip = sinew_clip_load(path, &error);
  bool ok =
      clip ? bake(host, clip, fps > 0 ? fps : sinew_clip_fps(clip), unit, out) : failed(&error);
  sinew_clip_destroy(clip);
  sinew_host_destroy(host);
  return ok ? EXIT_FINE : EXIT_RIG;
}

const command command_bake = {
  .name = "bake",
  .usage = "RIG CLIP -o OUT.bvh|OUT.csv [--fps N] [--unit METRES]",
  .doc = "plays a clip on a rig and writes its frames as BVH, or its DOFs as a table",
  .help = "  CLIP             key frames as JSON, or a table of DOF curves (.csv)\n"
          "  -o OUT           what to write, by its ending; an old file is replaced whole\n"
          "  --fps N          frames a second; else the clip's own\n"
          "  --unit METRES    metres in a unit of the BVH: 0.01 writes centimetres; else 1\n",
  .run = run,
};
