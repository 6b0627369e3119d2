/* Motions: functions for the readers, and the matrices of frames. A joint's local matrix is
 *   T(offset and positions) * A * R1 * R2 ... * A^-1
 * with its rotations R in the order of its channels, about the axes A (Acclaim's `axis`; the
 * identity for BVH). */
#include "motion/motion_internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "math/matrix.h"
#include "base/names.h"

sinew_motion_options sinew_default_motion_options(void) {
  return (sinew_motion_options){ .size = sizeof(sinew_motion_options),
                                 .positions = SINEW_POSITIONS_GUESS };
}

void sinew_motion_destroy(sinew_motion *motion) {
  if (!motion) return;
  for (size_t i = 0; i < motion->joint_count; i++) si_free(motion->joints[i].name);
  for (size_t i = 0; i < motion->marker_count; i++) si_free(motion->markers[i]);
  si_free(motion->joints);
  si_free(motion->markers);
  si_free(motion->values);
  si_free(motion->warnings);
  si_free(motion);
}

/* makes room in an array of joints or markers and takes `name` over; frees it on failure */
static sinew_status make_room(void *items, size_t *room, size_t count, size_t size, char *name,
                              const char *what, const si_scan *scan) {
  bool fits = count < SINEW_MOTION_JOINTS;
  if (name && fits && si_grow(items, room, count + 1, size)) return SINEW_OK;
  si_free(name);
  if (!name || fits) return si_fail_memory(scan->error);
  return si_scan_fail_as(scan, SINEW_ERR_LIMIT, "more than %d %s", SINEW_MOTION_JOINTS, what);
}

sinew_status si_motion_add_joint(sinew_motion *m, char *name, int parent, si_motion_joint **dest,
                                 const si_scan *scan) {
  sinew_status status = make_room(&m->joints, &m->joint_room, m->joint_count, sizeof *m->joints,
                                  name, "joints", scan);
  if (status != SINEW_OK) return status;
  *dest = &m->joints[m->joint_count++];
  **dest = (si_motion_joint){ .name = name, .parent = parent, .first = m->width };
  return SINEW_OK;
}

sinew_status si_motion_add_end(sinew_motion *m, int parent, const float offset[3],
                               const si_scan *scan) {
  const char *of = m->joints[parent].name;
  const size_t room = strlen(of) + sizeof " end";
  char *name = si_alloc(room);
  if (name) snprintf(name, room, "%s end", of);
  si_motion_joint *end;
  sinew_status status = si_motion_add_joint(m, name, parent, &end, scan);
  if (status != SINEW_OK) return status;
  end->end = true;
  memcpy(end->offset, offset, sizeof end->offset);
  return SINEW_OK;
}

sinew_status si_motion_add_marker(sinew_motion *m, char *name, const si_scan *scan) {
  sinew_status status = make_room(&m->markers, &m->marker_room, m->marker_count, sizeof *m->markers,
                                  name, "markers", scan);
  if (status != SINEW_OK) return status;
  m->markers[m->marker_count++] = name;
  m->width += 3;
  return SINEW_OK;
}

sinew_status si_motion_add_frame(sinew_motion *m, float **dest, const si_scan *scan) {
  const size_t needed = (m->frame_count + 1) * m->width;
  if (m->frame_count >= SINEW_MOTION_FRAMES || needed > SINEW_MOTION_VALUES)
    return si_scan_fail_as(scan, SINEW_ERR_LIMIT, "more than %d frames, or %d numbers in them",
                           SINEW_MOTION_FRAMES, SINEW_MOTION_VALUES);
  if (!si_grow(&m->values, &m->value_room, needed + 1, sizeof *m->values))
    return si_fail_memory(scan->error);
  *dest = m->values + m->frame_count++ * m->width;
  return SINEW_OK;
}

bool si_motion_warn(sinew_motion *m, const char *format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (length < 0) return false;
  const size_t old = m->warnings ? strlen(m->warnings) + 1 : 0;
  char *text = si_alloc(old + sizeof line);
  if (!text) return false;
  snprintf(text, old + sizeof line, "%s%s%s", old ? m->warnings : "", old ? "\n" : "", line);
  si_free(m->warnings);
  m->warnings = text;
  return true;
}

sinew_motion_kind sinew_motion_kind_of(const sinew_motion *m) {
  return SI_EXPECT(m) ? m->kind : (sinew_motion_kind)0;
}

const char *sinew_motion_format(const sinew_motion *m) { return SI_EXPECT(m) ? m->format : ""; }
int sinew_motion_frame_count(const sinew_motion *m) {
  return SI_EXPECT(m) ? (int)m->frame_count : 0;
}

float sinew_motion_rate(const sinew_motion *m) { return SI_EXPECT(m) ? m->rate : 0; }
float sinew_motion_unit(const sinew_motion *m) { return SI_EXPECT(m) ? m->unit : 0; }
const char *sinew_motion_warnings(const sinew_motion *m) {
  return SI_EXPECT(m) && m->warnings ? m->warnings : "";
}

int sinew_motion_joint_count(const sinew_motion *m) {
  return SI_EXPECT(m) ? (int)m->joint_count : 0;
}

int sinew_motion_marker_count(const sinew_motion *m) {
  return SI_EXPECT(m) ? (int)m->marker_count : 0;
}

static bool is_joint(const sinew_motion *m, int joint) {
  return SI_EXPECT(m && joint >= 0 && (size_t)joint < m->joint_count);
}

static bool is_frame(const sinew_motion *m, int frame) {
  return SI_EXPECT(m && frame >= 0 && (size_t)frame < m->frame_count);
}

sinew_motion_joint sinew_motion_joint_info(const sinew_motion *m, int joint) {
  if (!is_joint(m, joint)) return (sinew_motion_joint){ .name = "", .parent = -1 };
  const si_motion_joint *j = &m->joints[joint];
  return (sinew_motion_joint){ .name = j->name,
                               .parent = j->parent,
                               .offset = { j->offset[0], j->offset[1], j->offset[2] },
                               .end = j->end,
                               .channels = j->channel_count };
}

const char *sinew_motion_marker_name(const sinew_motion *m, int marker) {
  return SI_EXPECT(m && marker >= 0 && (size_t)marker < m->marker_count) ? m->markers[marker] : "";
}

int sinew_motion_find(const sinew_motion *m, const char *name, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(m && name)) return -1;
  const bool skeleton = m->kind == SINEW_MOTION_SKELETON;
  const size_t count = skeleton ? m->joint_count : m->marker_count;
  for (size_t i = 0; i < count; i++)
    if (strcmp(skeleton ? m->joints[i].name : m->markers[i], name) == 0) return (int)i;
  if (error) {
    si_nearest near;
    char words[400];
    si_nearest_start(&near, name);
    for (size_t i = 0; i < count; i++)
      si_nearest_offer(&near, skeleton ? m->joints[i].name : m->markers[i]);
    si_fail(error, SINEW_ERR_NAME, "the motion has no %s named '%s'%s",
            skeleton ? "joint" : "marker", name, si_nearest_words(&near, words, sizeof words));
  }
  return -1;
}

/* `dest` is aligned */
static void local_of(const float *frame, const si_motion_joint *j, float *dest) {
  const float *values = frame + j->first;
  CGLM_ALIGN_MAT float axes[16], turn[16];
  float place[3] = { j->offset[0], j->offset[1], j->offset[2] };
  si_mat_identity(axes);
  if (j->turned)
    for (int i = 0; i < 9; i++) axes[i / 3 * 4 + i % 3] = j->axes[i];
  si_mat_copy(axes, dest);
  for (int i = 0; i < j->channel_count; i++) {
    const float value = values[j->places[i]];
    const int axis = j->kinds[i] % 3;
    if (j->kinds[i] < 3) {
      place[axis] = j->replace ? value : place[axis] + value;
    } else {
      si_mat_turn((const float[3]){ axis == 0, axis == 1, axis == 2 }, value, turn);
      si_mat_mul(dest, turn, dest);
    }
  }
  if (j->turned) {
    si_mat_inverse_rigid(axes, axes);
    si_mat_mul(dest, axes, dest);
  }
  memcpy(dest + 12, place, sizeof place);
}

void sinew_motion_joint_local(const sinew_motion *m, int frame, int joint, float *dest) {
  CGLM_ALIGN_MAT float local[16];
  if (!is_joint(m, joint) || !is_frame(m, frame)) return;
  local_of(m->values + (size_t)frame * m->width, &m->joints[joint], local);
  memcpy(dest, local, sizeof local);
}

void sinew_motion_joint_world(const sinew_motion *m, int frame, int joint, float *dest) {
  CGLM_ALIGN_MAT float world[16], local[16];
  if (!is_joint(m, joint) || !is_frame(m, frame)) return;
  const float *values = m->values + (size_t)frame * m->width;
  local_of(values, &m->joints[joint], world);
  for (int at = m->joints[joint].parent; at >= 0; at = m->joints[at].parent) {
    local_of(values, &m->joints[at], local);
    si_mat_mul(local, world, world);
  }
  memcpy(dest, world, sizeof world);
}

void sinew_motion_worlds(const sinew_motion *m, int frame, float *dest) {
  CGLM_ALIGN_MAT float parent[16], local[16];
  if (!is_frame(m, frame)) return;
  const float *values = m->values + (size_t)frame * m->width;
  for (size_t i = 0; i < m->joint_count; i++) {
    local_of(values, &m->joints[i], local);
    if (m->joints[i].parent >= 0) {
      memcpy(parent, dest + 16 * (size_t)m->joints[i].parent, sizeof parent);
      si_mat_mul(parent, local, local);
    }
    memcpy(dest + 16 * i, local, sizeof local);
  }
}

const float *sinew_motion_markers(const sinew_motion *m, int frame) {
  if (!is_frame(m, frame) || !SI_EXPECT(m->kind == SINEW_MOTION_MARKERS)) return NULL;
  return m->values + (size_t)frame * m->width;
}

size_t sinew_motion_gaps(const sinew_motion *m, int marker) {
  if (!SI_EXPECT(m)) return 0;
  size_t gaps = 0;
  for (size_t f = 0; f < m->frame_count; f++)
    for (size_t i = 0; i < m->marker_count; i++)
      if (marker < 0 || (size_t)marker == i) gaps += isnan(m->values[f * m->width + 3 * i]) != 0;
  return gaps;
}
