/* sinew export of a rig that a character is bound to: the character's own file with animation on
 * its own joints. */
#include "lua/command/export.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

/* the character's file as the binding names it, in the folder of the rig script; from malloc */
static char *bound_file(const sinew_host *host) {
  const char *text = sinew_rig_binding(sinew_host_rig(host)), *rig = sinew_host_path(host);
  const char *slash = strrchr(rig, '/');
  const size_t folder = slash ? (size_t)(slash - rig) + 1 : 0;
  char name[1024] = "", *path = NULL;
  si_json json;
  if (si_json_read("binding", text, strlen(text), SI_JSON_VALUES, &json, NULL) < 0) return NULL;
  const si_json_value *file = si_json_find(&json, json.values, "file");
  if (file && file->kind == SI_JSON_STRING &&
      si_json_plain(file->text, file->text_length, name, sizeof name))
    path = malloc(folder + strlen(name) + 1);
  if (path) {
    memcpy(path, rig, folder);
    strcpy(path + folder, name);
  }
  si_json_free(&json);
  return path;
}

typedef struct work {
  sinew_host *host;
  const export_character *options;
  sinew_character *character;
  sinew_character_take *take;
  sinew_character_limit *limits;
  int limit_count;
} work;

static bool add_frame(const work *w, float time) {
  sinew_error error;
  sinew_pose *pose = sinew_host_pose(w->host);
  return (sinew_host_eval(w->host, pose, &error) >= 0 &&
          sinew_character_take_add(w->take, pose, time, &error) >= 0) ||
         command_failed(&error);
}

static bool play(work *w) {
  sinew_error error;
  char name[256];
  const char *path = w->options->clip, *slash = strrchr(path, '/');
  sinew_clip *clip = sinew_clip_load(path, &error);
  if (!clip) return command_failed(&error);
  snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
  char *dot = strrchr(name, '.');
  if (dot && dot > name) *dot = '\0';
  const float fps = w->options->fps > 0 ? w->options->fps : sinew_clip_fps(clip);
  size_t count = 0;
  float *times = NULL;
  bool ok = sinew_clip_frame_count(clip, fps) <= SINEW_MOTION_FRAMES;
  if (!ok)
    fprintf(stderr, "sinew: %s: more than %d frames; use a lower --fps\n", path,
            SINEW_MOTION_FRAMES);
  if (ok) {
    times = export_sample_times(clip, fps, false, &count);
    ok = times || command_out_of_memory();
  }
  if (ok) {
    w->take = sinew_character_take_create(w->character, name, &error);
    ok = w->take || command_failed(&error);
  }
  sinew_pose *pose = sinew_host_pose(w->host);
  if (ok && sinew_clip_apply(clip, pose, 0, &error) > 0) command_failed(&error);
  progress shown = progress_start();
  for (size_t i = 0; i < count && ok; i++) {
    sinew_clip_apply(clip, pose, times[i], NULL);
    ok = add_frame(w, times[i]);
    progress_show(&shown, "baking", (double)i + 1, (double)count);
  }
  progress_end(&shown);
  free(times);
  sinew_clip_destroy(clip);
  return ok;
}

static bool measure_limits(work *w) {
  sinew_error error;
  const int room = sinew_character_node_count(w->character);
  if (sinew_rig_can_fail(sinew_host_rig(w->host))) return true; /* scripts run in the host only */
  sinew_pose *pose = sinew_pose_create(sinew_host_rig(w->host), &error);
  w->limits = calloc((size_t)room + 1, sizeof *w->limits);
  if (!pose || !w->limits) {
    sinew_pose_destroy(pose);
    return command_out_of_memory();
  }
  w->limit_count = sinew_character_limits(w->character, pose, 0, w->limits, room, &error);
  sinew_pose_destroy(pose);
  return w->limit_count >= 0 || command_failed(&error);
}

static bool save(work *w, const char *path) {
  sinew_error error;
  size_t size;
  sinew_character_written written;
  sinew_character_write_desc desc = sinew_default_character_write_desc();
  desc.rotations_only = w->options->rotations;
  desc.clip_alone = w->options->alone;
  if (w->options->tolerance > 0) desc.tolerance = w->options->tolerance;
  desc.dofs = sinew_host_pose(w->host);
  desc.limits = w->limits;
  desc.limit_count = w->limit_count;
  char *file = sinew_character_write(w->character, w->take, &desc, &size, &written, &error);
  bool ok = (file && sinew_file_write(path, file, size, &error) >= 0) || command_failed(&error);
  sinew_text_free(file);
  if (!ok) return false;
  printf("%s: %d nodes, %d animations", path, sinew_character_node_count(w->character),
         written.animations);
  if (w->take)
    printf("; %d channels with %d keys, joints within %.3f mm of the rig's (%.3f on average, worst "
           "'%s')",
           written.channels, written.keys, 1000 * (double)written.worst,
           1000 * (double)written.mean,
           sinew_character_node_info(w->character, written.worst_node).name);
  printf("\n");
  if (written.sheared)
    fprintf(stderr, "sinew: %d nodes are sheared, which glTF cannot animate\n", written.sheared);
  return true;
}

int export_write_character(sinew_host *host, const char *path, const export_character *options) {
  sinew_error error;
  work w = { .host = host, .options = options };
  char *own = options->file ? NULL : bound_file(host);
  const char *file = options->file ? options->file : own;
  if (!file) return command_out_of_memory(), EXIT_RIG;
  w.character = sinew_character_load(file, &error);
  bool ok = (w.character && sinew_character_bind(w.character, sinew_host_rig(host), &error) >= 0) ||
            command_failed(&error);
  ok = ok && measure_limits(&w) && (!options->clip || play(&w)) && save(&w, path);
  sinew_character_take_destroy(w.take);
  sinew_character_destroy(w.character);
  free(w.limits);
  free(own);
  return ok ? EXIT_FINE : EXIT_RIG;
}
