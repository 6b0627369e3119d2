/* Export from the window: a picture, a film, and the rig in other formats, each by the functions
 * that the command line uses. Asks for the path; what went wrong is in the banner. */
#include "app/app.h"
#include "film/film.h"
#include "tools/timeline/keyframes.h"

#include <limits.h>
#include <sinew/file.h>
#include <sinew/gltf.h>
#include <sinew/mjcf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { samples_a_frame = 8 }; /* of a clip, before samples that are not needed are left out */

typedef bool export_function(state *st, const char *path, sinew_error *error);

/* the clip of the timeline; NULL if it has no keys */
static const sinew_clip *clip_of(const state *st) {
  const keyframes *k = tool_state(st, "time");
  return sinew_clip_channel_count(k->clip) ? k->clip : NULL;
}

/* waits for the fine bones; false if that was stopped or has failed */
static bool finish_scene(state *st, sinew_error *error) {
  for (int all = scene_left(st->scene), left = all; left > 0; left = scene_left(st->scene)) {
    if (!progress_go_on(st, 1 - (float)left / (float)all)) return false;
    if (!scene_poll(st->scene)) nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
  }
  return scene_finish(st->scene, error);
}

static bool write_picture(state *st, const char *path, sinew_error *error) {
  if (!finish_scene(st, error)) return false;
  Image image = shot_take(st->scene, state_pose(st), &st->view, (int)st->place.width,
                          (int)st->place.height, state_shown(st));
  bool fine = shot_save(image, path, error);
  UnloadImage(image);
  return fine;
}

/* the keys, else a sweep of the selected DOF, else once around the rig */
static bool write_film(state *st, const char *path, sinew_error *error) {
  char look[64];
  options before = st->options;
  orbit view = st->view;
  const sinew_clip *clip = clip_of(st);
  if (!clip && st->selected.dof.id) {
    st->options.sweeps[0] = sinew_rig_dof_info(state_rig(st), st->selected.dof).name;
    st->options.sweep_count = 1;
  }
  snprintf(look, sizeof look, "%.2f,%.2f", (double)view.yaw, (double)view.pitch);
  st->options.render = path;
  st->options.cameras[0] = look;
  st->options.camera_count = 1;
  st->options.width = 640;
  st->options.height = 480;
  int dofs = sinew_rig_dof_count(state_rig(st));
  float *pose = malloc(((size_t)dofs + 1) * sizeof *pose);
  if (pose) memcpy(pose, sinew_pose_dofs(state_pose(st)), (size_t)dofs * sizeof *pose);
  bool fine = pose && finish_scene(st, error) && film_render(st, clip, progress_go_on) == 0;
  if (!fine && !*error->text)
    snprintf(error->text, sizeof error->text, "%.4000s", pose ? film_error() : "out of memory");
  st->options = before;
  st->view = view;
  st->caption = NULL;
  if (pose) sinew_pose_set_all(state_pose(st), pose, dofs, NULL);
  state_eval(st);
  free(pose);
  return fine;
}

static bool add_motion(state *st, sinew_gltf *gltf, const sinew_clip *clip, sinew_error *error) {
  float fps = samples_a_frame * sinew_clip_fps(clip);
  int count = sinew_clip_frame_count(clip, fps);
  sinew_pose *pose = state_pose(st);
  bool fine = sinew_gltf_begin(gltf, "keys", error) >= 0;
  for (int i = 0; fine && i < count; i++) {
    float time = (float)i / fps;
    sinew_clip_apply(clip, pose, time, NULL);
    fine = progress_go_on(st, (float)i / (float)count) &&
           sinew_host_eval(st->host, pose, error) >= 0 &&
           sinew_gltf_add(gltf, pose, time, error) >= 0;
  }
  return fine;
}

static bool write_gltf(state *st, const char *path, sinew_error *error) {
  const sinew_rig *rig = state_rig(st);
  int dofs = sinew_rig_dof_count(rig);
  float *before = malloc(((size_t)dofs + 1) * sizeof *before);
  sinew_gltf *gltf = sinew_gltf_create(state_pose(st), error);
  bool fine = before && gltf && sinew_host_make_shapes(st->host, error) >= 0;
  if (before) memcpy(before, sinew_pose_dofs(state_pose(st)), (size_t)dofs * sizeof *before);
  for (int i = 0; fine && i < sinew_rig_segment_count(rig); i++) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    sinew_gltf_set_shape(gltf, segment, sinew_host_shape(st->host, segment));
  }
  if (fine && clip_of(st)) fine = add_motion(st, gltf, clip_of(st), error);
  if (before) sinew_pose_set_all(state_pose(st), before, dofs, NULL);
  state_eval(st);
  size_t size = 0;
  const char *dot = strrchr(path, '.');
  char *file =
      fine ? sinew_gltf_write(gltf, !dot || strcmp(dot, ".gltf") != 0, &size, NULL, error) : NULL;
  fine = file && sinew_file_write(path, file, size, error) >= 0;
  sinew_text_free(file);
  sinew_gltf_destroy(gltf);
  free(before);
  return fine;
}

static bool write_xml(state *st, const char *path, sinew_error *error) {
  return sinew_host_save_xml(st->host, path, false, error) >= 0;
}

static sinew_status evaluate(sinew_pose *pose, void *user, sinew_error *error) {
  state *st = user;
  return progress_go_on(st, -1) ? sinew_host_eval(st->host, pose, error) : SINEW_ERR_CANCELLED;
}

static bool write_mjcf(state *st, const char *path, sinew_error *error) {
  sinew_mjcf_desc desc = sinew_default_mjcf_desc();
  desc.eval = evaluate;
  desc.user = st;
  size_t size = 0;
  char *report = NULL;
  char *text = sinew_mjcf_format(state_rig(st), &desc, &size, &report, error);
  bool fine = text && sinew_file_write(path, text, size, error) >= 0;
  sinew_text_free(text);
  sinew_text_free(report);
  return fine;
}

static const struct {
  const char *title, *ending, *doc;
  export_function *write;
} formats[] = {
  { "Export a picture", ".png", "the scene as it is, without the panels", write_picture },
  { "Export a film", ".gif", "the keys, else a sweep of the selected DOF, else once around",
    write_film },
  { "Export glTF", ".glb", "the bones in this pose, with the keys as an animation", write_gltf },
  { "Export XML", ".xml", "the whole rig with its changes; it opens like a script", write_xml },
  { "Export to MuJoCo", ".mjcf", "bodies, joints and couplings; not every joint has its like",
    write_mjcf },
};

static int asked_for;
static char asked_path[PATH_MAX]; /* to be written after this frame; empty: nothing */

/* the button says when a file would be replaced */
static void watch(state *st) {
  st->question.answers[0] = FileExists(st->question.fields[0].text) ? "Replace" : "Export";
}

static void answered(state *st, int answer) {
  if (answer == 0) snprintf(asked_path, sizeof asked_path, "%s", st->question.fields[0].text);
}

void export_run(state *st) {
  sinew_error error = { 0 };
  char path[sizeof asked_path];
  if (!*asked_path) return;
  memcpy(path, asked_path, sizeof path);
  asked_path[0] = '\0';
  history_watch_dofs(st);
  progress_begin(formats[asked_for].title);
  bool fine = formats[asked_for].write(st, path, &error);
  history_forget_dofs(st);
  const bool stopped = !progress_end(st) && !fine;
  if (!fine && !stopped) state_wrong(st, error.text);
  state_say(st, fine ? "wrote %s" : stopped ? "stopped: %s was not written" : "%s was not written",
            path);
}

void export_ask(state *st, export_kind kind) {
  static const char *const answers[] = { "Export", "Cancel" };
  char path[PATH_MAX], name[256];
  snprintf(name, sizeof name, "%s", GetFileNameWithoutExt(sinew_host_path(st->host)));
  snprintf(path, sizeof path, "%s%s", name, formats[kind].ending); /* in the start folder */
  asked_for = (int)kind;
  question *q = question_ask(st, formats[kind].title, formats[kind].doc, answers, 2, answered);
  question_field_add(q, "File", path);
  q->watch = watch;
}
