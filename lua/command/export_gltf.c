/* sinew export RIG rig.glb or rig.gltf: the skeleton with its bones, and motion as animations.
 *
 * A clip is sampled more finely than it is shown, and at its keys; the writer then leaves out what
 * lies on the way between others. A sweep takes one DOF through its range, evenly. */
#include "lua/command/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const float sweep_seconds = 2, sweep_rate = 240, least_step = 1e-4f;
enum { SAMPLES_A_FRAME = 8 };

typedef struct job {
  sinew_host *host;
  sinew_gltf *gltf;
  const char *keys;
  float fps, tolerance; /* 0: not given */
  bool skinned;
} job;

static bool failed(const sinew_error *error) {
  fprintf(stderr, "sinew: %s\n", error->text);
  return false;
}

static bool add_frame(const job *j, float time) {
  sinew_error error;
  sinew_pose *pose = sinew_host_pose(j->host);
  return (sinew_host_eval(j->host, pose, &error) >= 0 &&
          sinew_gltf_add(j->gltf, pose, time, &error) >= 0) ||
         failed(&error);
}

/* --- clips */

static int earlier(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* The moments that are sampled, rising: evenly, and unless a rate was asked for at each key, and
 * just before one that a held value jumps at. malloc'd. */
static float *sample_times(const sinew_clip *clip, float fps, bool at_keys, size_t *count) {
  const size_t even = (size_t)sinew_clip_frame_count(clip, fps);
  size_t room = even + 1, kept = 0;
  for (int c = 0; at_keys && c < sinew_clip_channel_count(clip); c++)
    room += 2 * (size_t)sinew_clip_key_count(clip, c);
  float *times = malloc(room * sizeof *times);
  if (!times) return NULL;
  *count = 0;
  for (size_t f = 0; f < even; f++) times[(*count)++] = (float)((double)f / (double)fps);
  times[(*count)++] = sinew_clip_duration(clip);
  for (int c = 0; at_keys && c < sinew_clip_channel_count(clip); c++)
    for (int k = 0; k < sinew_clip_key_count(clip, c); k++) {
      float time = sinew_clip_key_at(clip, c, k).time;
      times[(*count)++] = time;
      bool jump = k > 0 && sinew_clip_key_at(clip, c, k - 1).interp == SINEW_INTERP_HOLD;
      if (jump && time > least_step) times[(*count)++] = time - least_step;
    }
  qsort(times, *count, sizeof *times, earlier);
  for (size_t i = 0; i < *count; i++)
    if (!kept || times[i] > times[kept - 1]) times[kept++] = times[i];
  *count = kept;
  return times;
}

static bool play(const job *j, const sinew_clip *clip, const char *name) {
  sinew_error error;
  sinew_pose *pose = sinew_host_pose(j->host);
  size_t count;
  float fps = j->fps > 0 ? j->fps : SAMPLES_A_FRAME * sinew_clip_fps(clip);
  if (sinew_clip_frame_count(clip, fps) > SINEW_MOTION_FRAMES) {
    fprintf(stderr, "sinew: %s: more than %d frames at %g a second; --fps asks for fewer\n",
            j->keys, SINEW_MOTION_FRAMES, (double)fps);
    return false;
  }
  float *times = sample_times(clip, fps, !(j->fps > 0), &count);
  if (!times) {
    fprintf(stderr, "sinew: out of memory\n");
    return false;
  }
  /* what the rig lacks is told once */
  if (sinew_clip_apply(clip, pose, 0, &error) > 0) failed(&error);
  bool ok = sinew_gltf_begin(j->gltf, name, &error) >= 0 || failed(&error);
  progress shown = progress_start();
  for (size_t i = 0; i < count && ok; i++) {
    sinew_clip_apply(clip, pose, times[i], NULL);
    ok = add_frame(j, times[i]);
    progress_show(&shown, "baking", (double)i + 1, (double)count);
  }
  progress_end(&shown);
  free(times);
  return ok;
}

static bool add_clip(const job *j) {
  sinew_error error;
  char name[256];
  sinew_clip *clip = sinew_clip_load(j->keys, &error);
  if (!clip) return failed(&error);
  const char *slash = strrchr(j->keys, '/');
  snprintf(name, sizeof name, "%s", slash ? slash + 1 : j->keys);
  char *dot = strrchr(name, '.');
  if (dot && dot > name) *dot = '\0';
  bool ok = play(j, clip, name);
  sinew_clip_destroy(clip);
  return ok;
}

/* --- sweeps */

/* "knee.flexion" or "knee.flexion=0:90"; false with the mistake told */
static bool read_sweep(const sinew_rig *rig, const char *word, sinew_dof *dof, float range[2]) {
  char name[256], *end;
  sinew_error error;
  size_t length = strcspn(word, "=");
  snprintf(name, sizeof name, "%.*s", (int)length, word);
  *dof = sinew_rig_find_dof(rig, name, &error);
  if (!dof->id) return failed(&error);
  sinew_dof_info info = sinew_rig_dof_info(rig, *dof);
  range[0] = info.min;
  range[1] = info.max;
  if (!word[length]) return true;
  const char *at = word + length + 1;
  for (int i = 0; i < 2; i++) {
    range[i] = strtof(at, &end);
    if (end == at || *end != (i ? '\0' : ':')) {
      fprintf(stderr, "sinew: sweep '%s': '%s' is no range such as 0:90\n", name,
              word + length + 1);
      return false;
    }
    if (!(range[i] >= info.min && range[i] <= info.max)) {
      fprintf(stderr, "sinew: sweep '%s': %g is outside its range, %g to %g\n", name,
              (double)range[i], (double)info.min, (double)info.max);
      return false;
    }
    at = end + 1;
  }
  return true;
}

static bool add_sweep(const job *j, sinew_dof dof, const float range[2]) {
  sinew_error error;
  sinew_pose *pose = sinew_host_pose(j->host);
  const float rate = j->fps > 0 ? j->fps : sweep_rate;
  const int steps = (int)fmaxf(1, ceilf(sweep_seconds * rate));
  const char *name = sinew_rig_dof_info(sinew_host_rig(j->host), dof).name;
  bool ok = sinew_gltf_begin(j->gltf, name, &error) >= 0 || failed(&error);
  for (int i = 0; i <= steps && ok; i++) {
    float u = fminf(1, (float)i / (sweep_seconds * rate));
    sinew_pose_set(pose, dof, i == steps ? range[1] : range[0] + u * (range[1] - range[0]), NULL);
    ok = add_frame(j, sweep_seconds * u);
  }
  return ok;
}

/* --- the call */

static bool read_number(const char *text, float most, float *dest) {
  char *end = NULL;
  *dest = text ? strtof(text, &end) : 0;
  return end && !*end && end != text && *dest > 0 && *dest <= most;
}

/* What stands alone is looked at before the rig is: an exit code. */
static int read_options(job *j, int count, char **options) {
  for (int i = 0; i < count; i++) {
    const char *word = options[i], *value = i + 1 < count ? options[i + 1] : NULL;
    if (strcmp(word, "--skinned") == 0) {
      j->skinned = true;
    } else if (strcmp(word, "--fps") == 0) {
      if (!read_number(value, 10000, &j->fps))
        return command_misused(&command_export, "'--fps' wants a number above 0, to 10000");
      i++;
    } else if (strcmp(word, "--tolerance") == 0) {
      if (!read_number(value, 1000, &j->tolerance))
        return command_misused(&command_export, "'--tolerance' wants metres above 0, to 1000");
      i++;
    } else if (strcmp(word, "--keys") == 0) {
      if (!value) return command_misused(&command_export, "'--keys' wants a clip");
      if (j->keys)
        return command_misused(&command_export, "one '--keys' only, not also '%s'", value);
      j->keys = value;
      i++;
    } else if (strcmp(word, "--sweep") == 0) {
      if (!value) return command_misused(&command_export, "'--sweep' wants a DOF");
      i++;
    } else if (!command_is_dof(word)) {
      return command_misused(&command_export, "no option '%s' for glTF", word);
    }
  }
  return EXIT_FINE;
}

static bool has_value(const char *option) {
  return strcmp(option, "--skinned") != 0 && option[0] == '-';
}

/* sets the DOFs that stand among the options */
static bool set_dofs(sinew_host *host, int count, char **options) {
  for (int i = 0; i < count; i++) {
    if (command_is_dof(options[i]) && !command_set_dof(host, options[i])) return false;
    if (has_value(options[i])) i++;
  }
  return true;
}

/* the scene in the pose that the host stands in */
static bool make_scene(job *j) {
  sinew_error error;
  sinew_rig *rig = sinew_host_rig(j->host);
  j->gltf = sinew_gltf_create(sinew_host_pose(j->host), &error);
  if (!j->gltf) return failed(&error);
  sinew_gltf_set_skinned(j->gltf, j->skinned);
  if (j->tolerance > 0) sinew_gltf_set_tolerance(j->gltf, j->tolerance, NULL);
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    sinew_gltf_set_shape(j->gltf, segment, sinew_host_shape(j->host, segment));
  }
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    const char *label = sinew_host_label(j->host, dof);
    if (label && sinew_gltf_set_label(j->gltf, dof, label, &error) < 0) return failed(&error);
  }
  return true;
}

/* the clip, then each sweep, all from the pose that the nodes stand in; an exit code */
static int animate(const job *j, const float *start, int count, char **options) {
  const sinew_rig *rig = sinew_host_rig(j->host);
  const int dofs = sinew_rig_dof_count(rig);
  if (j->keys && !add_clip(j)) return EXIT_RIG;
  for (int i = 0; i < count; i++) {
    if (strcmp(options[i], "--sweep") == 0) {
      sinew_dof dof;
      float range[2];
      if (!read_sweep(rig, options[i + 1], &dof, range)) return EXIT_CALL;
      sinew_pose_set_all(sinew_host_pose(j->host), start, dofs, NULL);
      if (!add_sweep(j, dof, range)) return EXIT_RIG;
    }
    if (has_value(options[i])) i++;
  }
  return EXIT_FINE;
}

static int save(const job *j, const char *path, bool binary) {
  sinew_error error;
  sinew_gltf_counts counts;
  size_t size;
  char *file = sinew_gltf_write(j->gltf, binary, &size, &counts, &error);
  bool ok = (file && sinew_file_write(path, file, size, &error) >= 0) || failed(&error);
  sinew_text_free(file);
  if (!ok) return EXIT_RIG;
  printf("%s: %d nodes, %d meshes, %d animations", path, counts.nodes, counts.meshes,
         counts.animations);
  if (counts.animations) printf(" with %d keys for %d samples", counts.keys, counts.samples);
  printf("\n");
  return EXIT_FINE;
}

static int write_gltf(sinew_host *host, const char *path, int count, char **options) {
  job j = { .host = host };
  int code = read_options(&j, count, options);
  if (code != EXIT_FINE) return code;
  if (!set_dofs(host, count, options)) return EXIT_CALL;
  if (!command_eval_pose(host)) return EXIT_RIG;
  const size_t dofs = (size_t)sinew_rig_dof_count(sinew_host_rig(host));
  float *start = malloc((dofs + 1) * sizeof *start);
  if (start && dofs) memcpy(start, sinew_pose_dofs(sinew_host_pose(host)), dofs * sizeof *start);
  code = start && make_scene(&j) ? animate(&j, start, count, options) : EXIT_RIG;
  size_t length = strlen(path);
  if (code == EXIT_FINE)
    code = save(&j, path, length > 4 && strcasecmp(path + length - 4, ".glb") == 0);
  sinew_gltf_destroy(j.gltf);
  free(start);
  return code;
}

const export_format export_glb = {
  .ending = ".glb",
  .doc = "glTF 2.0: skeleton, bones, DOFs in extras, and motion as animations",
  .options =
      "             joint.dof=value  sets a DOF of the pose that is written; others are at rest\n"
      "             --keys CLIP      an animation of a clip\n"
      "             --sweep DOF[=A:B]  an animation of a DOF from A to B, or through its range, "
      "in\n"
      "                              two seconds; any number of them\n"
      "             --fps N          frames a second that keys are chosen from; else eight for\n"
      "                              each of the clip's and its keys, 240 for sweeps\n"
      "             --tolerance M    metres that leaving out keys may move a point by; else "
      "0.0001\n"
      "             --skinned        one mesh with a skin, instead of one for each bone\n",
  .write = write_gltf,
};

const export_format export_gltf = {
  .ending = ".gltf",
  .doc = "the same as one text, its numbers inside; options as for .glb",
  .options = "",
  .write = write_gltf,
};
