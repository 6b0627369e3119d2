/* sinew export RIG rig.glb or rig.gltf: the skeleton with its bones, and motion as animations.
 *
 * A clip is sampled more finely than its frame rate, and at its keyframes; the writer then leaves
 * out every sample that interpolation reproduces. A sweep moves one DOF evenly through its range.
 */
#include "lua/command/body.h"
#include "lua/command/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float sweep_seconds = 2, sweep_rate = 240, least_step = 1e-4f;
enum { SAMPLES_A_FRAME = 8 };

typedef struct job {
  sinew_host *host;
  sinew_gltf *gltf;
  const char *skin;
  body body;
  float fps, tolerance; /* 0: not given */
  bool skinned, bones;
  export_character character;
  command_list dofs, sweeps, clips[2]; /* clips: of --keys and --clip */
} job;

static bool add_frame(const job *j, float time) {
  sinew_error error;
  sinew_pose *pose = sinew_host_pose(j->host);
  return (sinew_host_eval(j->host, pose, &error) >= 0 &&
          sinew_gltf_add(j->gltf, pose, time, &error) >= 0) ||
         command_failed(&error);
}

/* --- clips */

static int earlier(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* the times to sample; from malloc */
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

bool export_clip_open(const char *path, sinew_pose *pose, float fps, int finer, export_clip *dest) {
  sinew_error error;
  *dest = (export_clip){ .clip = sinew_clip_load(path, &error) };
  if (!dest->clip) return command_failed(&error);
  const char *slash = strrchr(path, '/');
  snprintf(dest->name, sizeof dest->name, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(dest->name, '.');
  if (dot && dot > dest->name) *dot = '\0';
  const bool at_keys = finer > 1 && !(fps > 0);
  if (!(fps > 0)) fps = (float)finer * sinew_clip_fps(dest->clip);
  if (sinew_clip_frame_count(dest->clip, fps) > SINEW_MOTION_FRAMES) {
    command_tell("sinew: %s: more than %d frames at %g per second; use a lower --fps\n", path,
                 SINEW_MOTION_FRAMES, (double)fps);
    return false;
  }
  /* missing DOFs are reported only here */
  const int missing = sinew_clip_apply(dest->clip, pose, 0, &error);
  if (missing > 0) command_failed(&error);
  if (missing == sinew_clip_channel_count(dest->clip)) {
    command_tell("sinew: %s: has no channel for a DOF of rig '%s'\n", path,
                 sinew_rig_name(sinew_pose_rig(pose)));
    return false;
  }
  dest->times = sample_times(dest->clip, fps, at_keys, &dest->count);
  return dest->times || command_out_of_memory();
}

void export_clip_close(export_clip *clip) {
  sinew_clip_destroy(clip->clip);
  free(clip->times);
}

static bool play(const job *j, const export_clip *clip) {
  sinew_error error;
  bool ok = sinew_gltf_begin(j->gltf, clip->name, &error) >= 0 || command_failed(&error);
  progress shown = progress_start();
  for (size_t i = 0; i < clip->count && ok; i++) {
    sinew_clip_apply(clip->clip, sinew_host_pose(j->host), clip->times[i], NULL);
    ok = add_frame(j, clip->times[i]);
    progress_show(&shown, "baking", (double)i + 1, (double)clip->count);
  }
  progress_end(&shown);
  return ok;
}

static bool add_clip(const job *j, const char *path) {
  export_clip clip;
  bool ok = export_clip_open(path, sinew_host_pose(j->host), j->fps, SAMPLES_A_FRAME, &clip) &&
            play(j, &clip);
  export_clip_close(&clip);
  return ok;
}

/* --- sweeps */

/* reads "knee.flexion" or "knee.flexion=0:90"; prints a message and returns false if it is wrong */
static bool read_sweep(const sinew_rig *rig, const char *word, sinew_dof *dof, float range[2]) {
  char name[256], *end;
  sinew_error error;
  size_t length = strcspn(word, "=");
  snprintf(name, sizeof name, "%.*s", (int)length, word);
  *dof = sinew_rig_find_dof(rig, name, &error);
  if (!dof->id) return command_failed(&error);
  sinew_dof_info info = sinew_rig_dof_info(rig, *dof);
  range[0] = info.min;
  range[1] = info.max;
  if (!word[length]) return true;
  const char *at = word + length + 1;
  for (int i = 0; i < 2; i++) {
    range[i] = strtof(at, &end);
    if (end == at || *end != (i ? '\0' : ':')) {
      command_tell("sinew: sweep '%s': '%s' is not a range such as 0:90\n", name,
                   word + length + 1);
      return false;
    }
    if (!(range[i] >= info.min && range[i] <= info.max)) {
      command_tell("sinew: sweep '%s': %g is outside its range, %g to %g\n", name, (double)range[i],
                   (double)info.min, (double)info.max);
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
  bool ok = sinew_gltf_begin(j->gltf, name, &error) >= 0 || command_failed(&error);
  for (int i = 0; i <= steps && ok; i++) {
    float u = fminf(1, (float)i / (sweep_seconds * rate));
    sinew_pose_set(pose, dof, i == steps ? range[1] : range[0] + u * (range[1] - range[0]), NULL);
    ok = add_frame(j, sweep_seconds * u);
  }
  return ok;
}

static bool add_skin(job *j) {
  sinew_error error;
  sinew_mesh *mesh = sinew_mesh_load(j->skin, &error);
  if (!mesh) return command_failed(&error);
  if (!body_bind(j->host, mesh, &j->body)) return false;
  const sinew_shape shape = { mesh->vertices, mesh->normals, mesh->triangles, mesh->vertex_count,
                              mesh->triangle_count };
  return sinew_gltf_set_skin(j->gltf, j->body.skin, shape, &error) >= 0 || command_failed(&error);
}

/* the scene in the host's current pose */
static bool make_scene(job *j) {
  sinew_error error;
  sinew_rig *rig = sinew_host_rig(j->host);
  j->gltf = sinew_gltf_create(sinew_host_pose(j->host), &error);
  if (!j->gltf) return command_failed(&error);
  sinew_gltf_set_skinned(j->gltf, j->skinned);
  if (j->tolerance > 0) sinew_gltf_set_tolerance(j->gltf, j->tolerance, NULL);
  if (sinew_host_make_shapes(j->host, &error) < 0) return command_failed(&error);
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    sinew_gltf_set_shape(j->gltf, segment, sinew_host_shape(j->host, segment));
  }
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    const char *label = sinew_host_label(j->host, dof);
    if (label && sinew_gltf_set_label(j->gltf, dof, label, &error) < 0)
      return command_failed(&error);
  }
  return !j->skin || add_skin(j);
}

/* each clip, then each sweep, all starting from the exported pose; returns an exit code */
static int animate(const job *j, const float *start) {
  const sinew_rig *rig = sinew_host_rig(j->host);
  const int dofs = sinew_rig_dof_count(rig);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < j->clips[k].count; i++) {
      sinew_pose_set_all(sinew_host_pose(j->host), start, dofs, NULL);
      if (!add_clip(j, command_item(&j->clips[k], i))) return EXIT_RIG;
    }
  for (int i = 0; i < j->sweeps.count; i++) {
    sinew_dof dof;
    float range[2];
    if (!read_sweep(rig, command_item(&j->sweeps, i), &dof, range)) return EXIT_CALL;
    sinew_pose_set_all(sinew_host_pose(j->host), start, dofs, NULL);
    if (!add_sweep(j, dof, range)) return EXIT_RIG;
  }
  return EXIT_FINE;
}

static int save(const job *j, const char *path, bool binary) {
  sinew_error error;
  sinew_gltf_counts counts;
  size_t size;
  char *file = sinew_gltf_write(j->gltf, binary, &size, &counts, &error);
  bool ok = (file && sinew_file_write(path, file, size, &error) >= 0) || command_failed(&error);
  sinew_text_free(file);
  if (!ok) return EXIT_RIG;
  command_print("%s: %d nodes, %d meshes, %d animations", path, counts.nodes, counts.meshes,
                counts.animations);
  if (counts.animations) command_print(" with %d keys for %d samples", counts.keys, counts.samples);
  command_print("\n");
  const int still = j->clips[0].count + j->clips[1].count + j->sweeps.count - counts.animations;
  if (still > 0) command_tell("sinew: %d animations that move nothing are left out\n", still);
  return EXIT_FINE;
}

static const command_option options[] = {
  { "joint.dof=value", OPTION_DOFS, .offset = offsetof(job, dofs),
    "sets a DOF of the pose that is written; the others stay at rest. Of a\n"
    "character the pose is an animation of one key, unless there is a clip" },
  { "--keys CLIP", OPTION_LIST, .offset = offsetof(job, clips[0]),
    "an animation from a clip; may be repeated" },
  { "--clip CLIP", OPTION_LIST, .offset = offsetof(job, clips[1]), "the same" },
  { "--sweep DOF[=A:B]", OPTION_LIST, .offset = offsetof(job, sweeps),
    "an animation of a DOF from A to B, or through its range, in two\n"
    "seconds; may be repeated" },
  { "--fps N", OPTION_FLOAT, .offset = offsetof(job, fps),
    "samples per second to choose keyframes from; default: eight per frame\n"
    "of the clip and its keyframes, 240 for sweeps",
    1e-6, 10000, .with = "--keys --clip --sweep" },
  { "--tolerance M", OPTION_FLOAT, .offset = offsetof(job, tolerance),
    "error in metres that removing keyframes may cause (0.0001)", 1e-9, 1000,
    .with = "--keys --clip --sweep" },
  { "--skinned", OPTION_FLAG, .offset = offsetof(job, skinned),
    "one mesh with a skin, instead of one mesh for each bone", .without = "--skin" },
  { "--skin MESH", OPTION_TEXT, .offset = offsetof(job, skin),
    "a body that is in this pose, as of `sinew skin`, instead of the bones;\n"
    "each vertex follows up to four of them" },
  { "--bones", OPTION_FLAG, .offset = offsetof(job, bones),
    "of a rig with a character: the rig's bones instead" },
  { "--character FILE", OPTION_TEXT, .offset = offsetof(job, character.file),
    "the character's file; default: as it was bound, beside the rig" },
  { "--rotations", OPTION_FLAG, .offset = offsetof(job, character.rotations),
    "of a character: joints keep their lengths and only rotate, as VRM\n"
    "wants it; the error is reported" },
  { "--clip-alone", OPTION_FLAG, .offset = offsetof(job, character.alone),
    "of a character: only its nodes and the animation" },
  { .name = NULL },
};
static const command_option same_options[] = { { .name = NULL } };

static int write_gltf(sinew_host *host, const char *path, int argc, char **argv) {
  job j = { .host = host };
  if (!command_read(&command_export, options, argc, argv, &j)) return EXIT_CALL;
  int code = command_pose(host, &j.dofs);
  if (code != EXIT_FINE) return code;
  if (sinew_rig_binding(sinew_host_rig(host)) && !j.bones) {
    if (j.skinned || j.skin || j.sweeps.count)
      return command_misused(&command_export, "a character takes no --skinned, --skin or --sweep; "
                                              "--bones writes the rig's bones, which do");
    if (command_ends_with(path, ".gltf"))
      return command_misused(&command_export, "a character is written as .glb or .vrm, not as '%s'",
                             path);
    if ((j.character.alone || j.character.rotations) && !j.clips[0].count && !j.clips[1].count &&
        !j.dofs.count)
      return command_misused(&command_export, "'%s' expects a '--clip CLIP' too",
                             j.character.alone ? "--clip-alone" : "--rotations");
    j.character.clips = j.clips;
    j.character.posed = j.dofs.count > 0;
    j.character.fps = j.fps;
    j.character.tolerance = j.tolerance;
    return export_write_character(host, path, &j.character);
  }
  if ((j.bones && !sinew_rig_binding(sinew_host_rig(host))) || j.character.file ||
      j.character.rotations || j.character.alone || command_ends_with(path, ".vrm"))
    return command_misused(&command_export, "the rig has no character; see sinew bind");
  if (sinew_rig_binding(sinew_host_rig(host)) && export_over_character(host, path)) return EXIT_RIG;
  const size_t dofs = (size_t)sinew_rig_dof_count(sinew_host_rig(host));
  float *start = malloc((dofs + 1) * sizeof *start);
  if (start && dofs) memcpy(start, sinew_pose_dofs(sinew_host_pose(host)), dofs * sizeof *start);
  code = start && make_scene(&j) ? animate(&j, start) : EXIT_RIG;
  if (code == EXIT_FINE) code = save(&j, path, command_ends_with(path, ".glb"));
  sinew_gltf_destroy(j.gltf);
  body_free(&j.body);
  free(start);
  return code;
}

const export_format export_glb = {
  .ending = ".glb",
  .doc = "glTF 2.0: skeleton, bones, DOFs in extras, and motion as animations",
  .options = options,
  .write = write_gltf,
};

const export_format export_vrm = {
  .ending = ".vrm",
  .doc = "a character that is a VRM, with motion; takes the options of .glb",
  .options = same_options,
  .write = write_gltf,
};

const export_format export_gltf = {
  .ending = ".gltf",
  .doc = "the same as text, with the numbers embedded; takes the options of .glb",
  .options = same_options,
  .write = write_gltf,
};
