/* sinew export of a rig that a character is bound to: the character's own file with animation on
 * its own joints. */
#include "lua/command/export.h"

#include "base/platform.h"

#include <stdlib.h>
#include <string.h>

/* whether both are there and the same file */
static bool is_same(const char *a, const char *b) {
  const si_file_info one = si_file_look(a), other = si_file_look(b);
  return one.exists && other.exists && one.inode == other.inode && one.device == other.device;
}

bool export_over_character(const sinew_host *host, const char *path) {
  char *own = sinew_character_file(sinew_host_rig(host), sinew_host_path(host), NULL);
  const bool over = own && is_same(own, path);
  if (over) command_tell("sinew: %s: is the character itself, with its meshes\n", path);
  sinew_text_free(own);
  return over;
}

typedef struct work {
  sinew_host *host;
  const export_character *options;
  sinew_character *character;
  sinew_character_take **takes;
  int take_count;
  sinew_character_limit *limits;
  int limit_count;
} work;

static bool add_frame(const work *w, float time) {
  sinew_error error;
  sinew_pose *pose = sinew_host_pose(w->host);
  return (sinew_host_eval(w->host, pose, &error) >= 0 &&
          sinew_character_take_add(w->takes[w->take_count - 1], pose, time, &error) >= 0) ||
         command_failed(&error);
}

static bool begin(work *w, const char *name) {
  sinew_error error;
  sinew_character_take *take = sinew_character_take_create(w->character, name, &error);
  if (!take) return command_failed(&error);
  w->takes[w->take_count++] = take;
  return true;
}

static bool play(work *w, const char *path) {
  export_clip clip;
  sinew_pose *pose = sinew_host_pose(w->host);
  bool ok = export_clip_open(path, pose, w->options->fps, 1, &clip) && begin(w, clip.name);
  progress shown = progress_start();
  for (size_t i = 0; ok && i < clip.count; i++) {
    sinew_clip_apply(clip.clip, pose, clip.times[i], NULL);
    ok = add_frame(w, clip.times[i]);
    progress_show(&shown, "baking", (double)i + 1, (double)clip.count);
  }
  progress_end(&shown);
  export_clip_close(&clip);
  return ok;
}

/* each clip, all starting from the given pose; or that pose */
static bool take_all(work *w) {
  const command_list *clips = w->options->clips;
  sinew_pose *pose = sinew_host_pose(w->host);
  const int dofs = sinew_rig_dof_count(sinew_host_rig(w->host));
  w->takes = calloc((size_t)(clips[0].count + clips[1].count) + 1, sizeof *w->takes);
  float *start = malloc(((size_t)dofs + 1) * sizeof *start);
  bool ok = (w->takes && start) || command_out_of_memory();
  if (ok && dofs) memcpy(start, sinew_pose_dofs(pose), (size_t)dofs * sizeof *start);
  for (int k = 0; k < 2; k++)
    for (int i = 0; ok && i < clips[k].count; i++) {
      sinew_pose_set_all(pose, start, dofs, NULL);
      ok = play(w, command_item(&clips[k], i));
    }
  if (ok && w->options->posed && !w->take_count) ok = begin(w, "pose") && add_frame(w, 0);
  free(start);
  return ok;
}

static bool measure_limits(work *w) {
  sinew_error error;
  const int room = sinew_character_node_count(w->character);
  if (sinew_rig_can_fail(sinew_host_rig(w->host))) {
    command_tell("sinew: the rig has components in Lua: the file gets no limits for physics\n");
    return true;
  }
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
  char *file = sinew_character_write(w->character, (const sinew_character_take *const *)w->takes,
                                     w->take_count, &desc, &size, &written, &error);
  bool ok = (file && sinew_file_write(path, file, size, &error) >= 0) || command_failed(&error);
  sinew_text_free(file);
  if (!ok) return false;
  command_print("%s: %d nodes, %d animations", path, sinew_character_node_count(w->character),
                written.animations);
  if (w->take_count)
    command_print(
        "; %d channels with %d keys, joints within %.3f mm of the rig's (%.3f on average, worst "
        "'%s')",
        written.channels, written.keys, 1000 * (double)written.worst, 1000 * (double)written.mean,
        sinew_character_node_info(w->character, written.worst_node).name);
  command_print("\n");
  if (written.sheared)
    command_tell("sinew: %d nodes are sheared, which glTF cannot animate\n", written.sheared);
  return true;
}

/* what was repaired or left out while reading, line by line */
static void print_warnings(const char *file, const char *text) {
  while (*text) {
    const size_t length = strcspn(text, "\n");
    command_tell("sinew: %s: %.*s\n", file, (int)length, text);
    text += length + (text[length] != '\0');
  }
}

int export_write_character(sinew_host *host, const char *path, const export_character *options) {
  sinew_error error;
  work w = { .host = host, .options = options };
  char *own = options->file
                  ? NULL
                  : sinew_character_file(sinew_host_rig(host), sinew_host_path(host), &error);
  const char *file = options->file ? options->file : own;
  if (!file) return command_failed(&error), EXIT_RIG;
  const bool vrm = command_ends_with(path, ".vrm");
  const bool wrong = vrm && (options->alone || !command_ends_with(file, ".vrm"));
  if (wrong) command_tell("sinew: %s: only the whole of a .vrm is written as .vrm\n", path);
  if (wrong || (options->alone && export_over_character(host, path))) {
    sinew_text_free(own);
    return EXIT_RIG;
  }
  w.character = sinew_character_load(file, &error);
  bool ok = (w.character && sinew_character_bind(w.character, sinew_host_rig(host), &error) >= 0) ||
            command_failed(&error);
  if (ok) print_warnings(file, sinew_character_warnings(w.character));
  ok = ok && measure_limits(&w) && take_all(&w) && save(&w, path);
  for (int i = 0; i < w.take_count; i++) sinew_character_take_destroy(w.takes[i]);
  sinew_character_destroy(w.character);
  free(w.takes);
  free(w.limits);
  sinew_text_free(own);
  return ok ? EXIT_FINE : EXIT_RIG;
}
