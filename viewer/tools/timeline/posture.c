/* A pose is saved as a clip with one key for each DOF that is not at rest, or that was not when it
 * was saved last. The file beside the rig is applied when the rig is opened. */
#include "tools/timeline/posture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct posture {
  char path[document_path];
  sinew_clip *base; /* what is saved: a key for each DOF */
} posture;

/* what is saved of a DOF: its rest value if nothing is */
static float base_of(const posture *p, const sinew_dof_info *info) {
  int channel = p->base ? sinew_clip_find_channel(p->base, info->name) : -1;
  return channel < 0 ? info->rest : sinew_clip_key_at(p->base, channel, 0).value;
}

/* calls `each` for every DOF that is not as it is saved; returns how many there are */
static int changed(const state *st, const posture *p, uint64_t *print) {
  const sinew_rig *rig = state_rig(st);
  int count = 0;
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    sinew_dof_info info = sinew_rig_dof_info(rig, dof);
    float value = sinew_pose_get(state_pose(st), dof);
    if (value == base_of(p, &info)) continue;
    count++;
    *print = PRINT(*print, i);
    *print = PRINT(*print, value);
  }
  return count;
}

static uint64_t unsaved(const state *st, const void *self) {
  uint64_t print = print_start;
  return changed(st, self, &print) ? print | 1 : 0;
}

static void describe(const state *st, const void *self, char *dest, size_t capacity) {
  uint64_t print = print_start;
  int count = changed(st, self, &print);
  snprintf(dest, capacity, "%d DOF%s", count, count == 1 ? "" : "s");
}

static char *path(void *self) { return ((posture *)self)->path; }

/* a clip of the DOFs that are not at rest now or in the file */
static sinew_clip *clip_now(const state *st, const posture *p, sinew_error *error) {
  const sinew_rig *rig = state_rig(st);
  sinew_clip *clip = sinew_clip_create(error);
  for (int i = 0; clip && i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    sinew_dof_info info = sinew_rig_dof_info(rig, dof);
    float value = sinew_pose_get(state_pose(st), dof);
    if (value == info.rest && base_of(p, &info) == info.rest) continue;
    if (sinew_clip_set_key(clip, info.name, 0, value, SINEW_INTERP_SMOOTH, error) >= 0) continue;
    sinew_clip_destroy(clip);
    clip = NULL;
  }
  return clip;
}

static void set_base(posture *p, sinew_clip *clip) {
  sinew_clip_destroy(p->base);
  p->base = clip;
}

static bool keep(state *st, void *self, const char *to, sinew_error *error) {
  sinew_clip *clip = clip_now(st, self, error);
  bool fine = clip && sinew_clip_save(clip, to, error) >= 0;
  sinew_clip_destroy(clip);
  return fine;
}

static bool save(state *st, void *self, const char *to, sinew_error *error) {
  posture *p = self;
  sinew_clip *clip = clip_now(st, p, error);
  if (!clip || sinew_clip_save(clip, to, error) < 0) {
    sinew_clip_destroy(clip);
    return false;
  }
  set_base(p, clip);
  if (to != p->path) snprintf(p->path, sizeof p->path, "%s", to);
  return true;
}

/* all DOFs at rest, except those of the clip; NULL: all */
static void show(state *st, const sinew_clip *clip) {
  history_watch_dofs(st);
  history_pause(st->history);
  sinew_pose_reset(state_pose(st));
  if (clip) sinew_clip_apply(clip, state_pose(st), 0, NULL);
  state_eval(st);
}

static bool restore(state *st, void *self, const char *from, sinew_error *error) {
  (void)self;
  sinew_clip *clip = sinew_clip_load(from, error);
  if (clip) show(st, clip);
  sinew_clip_destroy(clip);
  return clip != NULL;
}

static bool revert(state *st, void *self, const char *from, sinew_error *error) {
  sinew_clip *clip = from ? sinew_clip_load(from, error) : NULL;
  if (from && !clip) return false;
  show(st, clip);
  set_base(self, clip);
  return true;
}

/* DOFs of the command line count instead of the file */
static bool open_pose(state *st, void *self, const char *from, sinew_error *error) {
  posture *p = self;
  p->path[0] = '\0';
  set_base(p, NULL);
  if (!from) return true;
  bool told = st->frames == 0 && st->options.dof_count;
  sinew_clip *clip = sinew_clip_load(from, error);
  if (clip && !told) show(st, clip);
  if (clip) history_forget_dofs(st);
  set_base(p, clip);
  return clip != NULL;
}

void pose_keyed(state *st, const sinew_clip *clip) {
  posture *p = tool_state(st, "pose");
  const sinew_rig *rig = state_rig(st);
  if (!p->base) p->base = sinew_clip_create(NULL);
  for (int c = 0; p->base && c < sinew_clip_channel_count(clip); c++) {
    const char *name = sinew_clip_channel_name(clip, c);
    sinew_dof dof = sinew_rig_find_dof(rig, name, NULL);
    if (dof.id)
      sinew_clip_set_key(p->base, name, 0, sinew_pose_get(state_pose(st), dof), SINEW_INTERP_SMOOTH,
                         NULL);
  }
}

static void destroy(void *self) { sinew_clip_destroy(((posture *)self)->base); }

static const document own = { .name = "pose",
                              .ending = ".pose.json",
                              .unsaved = unsaved,
                              .describe = describe,
                              .path = path,
                              .open = open_pose,
                              .restore = restore,
                              .keep = keep,
                              .save = save,
                              .revert = revert };

const tool tool_pose = { .name = "pose",
                         .doc = "the pose, and its file",
                         .size = sizeof(posture),
                         .destroy = destroy,
                         .document = &own };
