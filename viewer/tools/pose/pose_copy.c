/* Whole poses: mirrored across the plane x = 0, and copied as the text of a clip with one key for
 * each DOF, so that a pose and a clip are the same thing. */
#include "plain/side.h"
#include "tools/pose/posing.h"

#include <sinew/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool learn(state *st, pose_tool *p) {
  size_t count = (size_t)sinew_rig_dof_count(state_rig(st));
  if (p->mirror) return true;
  p->mirror = calloc(count + 1, sizeof *p->mirror);
  if (p->mirror && mirror_learn(st->host, p->mirror)) return true;
  free(p->mirror);
  p->mirror = NULL;
  state_say(st, "this rig cannot be mirrored: its poses cannot be evaluated");
  return false;
}

/* the side to copy from: that of the selected bone */
static body_side side_to_copy(const state *st) {
  return st->selected.segment.id
             ? side_of_name(sinew_rig_segment_info(state_rig(st), st->selected.segment).name)
             : SIDE_NONE;
}

bool pose_mirror(state *st, pose_tool *p, bool copy) {
  const sinew_rig *rig = state_rig(st);
  int count = sinew_rig_dof_count(rig), pairs = 0;
  body_side from = side_to_copy(st);
  if (copy && !from) {
    state_say(st, "select a bone of the side to copy from");
    return false;
  }
  float *values = malloc(((size_t)count + 1) * sizeof *values);
  if (!values || !learn(st, p)) {
    free(values);
    return false;
  }
  const float *now = sinew_pose_dofs(state_pose(st));
  int left = mirror_values(rig, p->mirror, now, values);
  for (int i = 0; i < count; i++) {
    body_side side = side_of_name(sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).name);
    pairs += p->mirror[i].other != i;
    /* of a copy only the other side changes */
    if (copy && (!side || side == from)) values[i] = now[i];
  }
  if (!pairs) {
    free(values);
    state_say(st, "no DOF of this rig has a counterpart on the other side, by its name");
    return false;
  }
  sinew_pose_set_all(state_pose(st), values, count, NULL);
  state_eval(st);
  free(values);
  const char *what = !copy               ? "the pose is mirrored"
                     : from == SIDE_LEFT ? "the left side is copied to the right"
                                         : "the right side is copied to the left";
  if (left && !copy)
    state_say(st, "%s, but %d DOF%s without a mirror image", what, left, left > 1 ? "s" : "");
  else
    state_say(st, "%s", what);
  return true;
}

sinew_clip *pose_clip(const state *st, sinew_error *error) {
  const sinew_rig *rig = state_rig(st);
  sinew_clip *clip = sinew_clip_create(error);
  bool fine = clip != NULL;
  for (int i = 0; fine && i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    fine = sinew_clip_set_key(clip, sinew_rig_dof_info(rig, dof).name, 0,
                              sinew_pose_get(state_pose(st), dof), SINEW_INTERP_SMOOTH, error) >= 0;
  }
  if (fine) return clip;
  sinew_clip_destroy(clip);
  return NULL;
}

bool pose_copy(state *st, pose_tool *p) {
  sinew_error error;
  sinew_clip *clip = pose_clip(st, &error);
  char *text = clip ? sinew_clip_format(clip, NULL, &error) : NULL;
  sinew_clip_destroy(clip);
  if (text)
    state_copy(st, text, "the pose");
  else
    state_say(st, "%s", error.text);
  sinew_text_free(p->copied);
  p->copied = text;
  return text != NULL;
}

bool pose_take_text(state *st, const char *text) {
  sinew_error error;
  sinew_clip *clip = sinew_clip_parse("clipboard", text, strlen(text), &error);
  if (!clip) {
    state_say(st, "no pose to paste: %s", error.text);
    return false;
  }
  bool fine = pose_take(st, clip, "pasted the pose");
  sinew_clip_destroy(clip);
  return fine;
}

bool pose_take(state *st, const sinew_clip *clip, const char *what) {
  sinew_error error;
  int channels = sinew_clip_channel_count(clip);
  int unknown = sinew_clip_apply(clip, state_pose(st), 0, &error);
  if (channels == 0 || unknown == channels) {
    state_say(st, channels ? "this rig has none of the pose's DOFs" : "that clip has no keys");
    return false;
  }
  state_eval(st);
  if (unknown)
    state_say(st, "%s, without %d DOFs: %.*s", what, unknown, (int)strcspn(error.text, "\n"),
              error.text);
  else
    state_say(st, "%s", what);
  return true;
}

/* Where raylib stands on SDL it gives the first 1020 bytes of a longer text: then, if it begins
 * like what was copied here, it is that. */
bool pose_paste(state *st, const pose_tool *p) {
  const char *text = GetClipboardText();
  size_t length = text ? strlen(text) : 0;
  if (p->copied && length > 1000 && strncmp(text, p->copied, 1000) == 0) text = p->copied;
  if (text && *text) return pose_take_text(st, text);
  state_say(st, "there is no pose to paste");
  return false;
}
