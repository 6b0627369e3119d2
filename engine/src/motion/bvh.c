/* BVH (Biovision hierarchy): HIERARCHY with ROOT, JOINT and End Site, then MOTION with a line for
 * each frame. A joint may have any of the six channels in any order; its rotations are multiplied
 * in that order, the first leftmost. */
#include "motion/motion_internal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"

typedef struct reader {
  si_scan scan;
  sinew_motion *motion;
  const sinew_motion_options *options;
  long frames;
} reader;

static sinew_status expect(reader *r, const char *text) {
  si_word word;
  if (!si_scan_any(&r->scan, &word))
    return si_scan_fail(&r->scan, "the text ends where '%s' is expected", text);
  if (!si_word_is(word, text))
    return si_scan_fail(&r->scan, "'%.*s' where '%s' is expected", SI_SHOWN(word), text);
  return SINEW_OK;
}

static sinew_status read_offset(reader *r, float dest[3]) {
  for (int i = 0; i < 3; i++) {
    double value;
    sinew_status status = si_scan_number(&r->scan, "a coordinate of an OFFSET", &value);
    if (status != SINEW_OK) return status;
    dest[i] = (float)(value * (double)r->motion->unit);
  }
  return SINEW_OK;
}

static sinew_status read_channels(reader *r, si_motion_joint *joint) {
  static const char *const names[SI_CHANNELS] = { "Xposition", "Yposition", "Zposition",
                                                  "Xrotation", "Yrotation", "Zrotation" };
  long count = 0;
  if (joint->channel_count > 0)
    return si_scan_fail(&r->scan, "joint '%.60s' has CHANNELS twice", joint->name);
  sinew_status status = si_scan_whole(&r->scan, "the number of CHANNELS", 0, SI_CHANNELS, &count);
  for (long i = 0; i < count && status == SINEW_OK; i++) {
    si_word word;
    unsigned char kind = 0;
    if (!si_scan_word(&r->scan, &word))
      return si_scan_fail(&r->scan, "joint '%.60s' has %ld channels, expected %ld", joint->name, i,
                          count);
    while (kind < SI_CHANNELS && !si_word_is(word, names[kind])) kind++;
    if (kind == SI_CHANNELS)
      return si_scan_fail(&r->scan,
                          "unknown channel '%.*s'; expected one such as Xposition or Zrotation",
                          SI_SHOWN(word));
    /* a rotation may occur twice, as in Z X Z; a position may not */
    for (long k = 0; k < i; k++)
      if (joint->kinds[k] == kind && kind < 3)
        return si_scan_fail(&r->scan, "joint '%.60s' has %s twice", joint->name, names[kind]);
    joint->kinds[i] = kind;
    joint->places[i] = (unsigned char)i;
  }
  if (status != SINEW_OK) return status;
  if (!si_scan_line_done(&r->scan))
    return si_scan_fail(&r->scan, "joint '%.60s' has more than %ld channels", joint->name, count);
  joint->channel_count = (int)count;
  joint->first = r->motion->width;
  r->motion->width += (size_t)count;
  return SINEW_OK;
}

/* a name ends with its line or before the opening brace, which is left to be read */
static sinew_status add_joint(reader *r, int parent, int *dest) {
  si_word name = si_scan_rest(&r->scan);
  if (name.length > 0 && name.at[name.length - 1] == '{') {
    r->scan.at = name.at + --name.length;
    while (name.length > 0 && strchr(" \t", name.at[name.length - 1])) name.length--;
  }
  if (name.length == 0 || name.length > 200)
    return si_scan_fail(&r->scan, "a joint's name is %s", name.length ? "too long" : "missing");
  si_motion_joint *joint;
  sinew_status status =
      si_motion_add_joint(r->motion, si_word_copy(name), parent, &joint, &r->scan);
  if (status != SINEW_OK) return status;
  *dest = (int)r->motion->joint_count - 1;
  return expect(r, "{");
}

static sinew_status read_end_site(reader *r, int parent) {
  float offset[3];
  sinew_status status = expect(r, "Site");
  if (status == SINEW_OK) status = expect(r, "{");
  if (status == SINEW_OK) status = expect(r, "OFFSET");
  if (status == SINEW_OK) status = read_offset(r, offset);
  if (status == SINEW_OK) status = expect(r, "}");
  if (status == SINEW_OK) status = si_motion_add_end(r->motion, parent, offset, &r->scan);
  return status;
}

/* all roots and their joints, up to the word MOTION; `at` is the open joint */
static sinew_status read_hierarchy(reader *r) {
  sinew_status status = expect(r, "HIERARCHY");
  for (int at = -1; status == SINEW_OK;) {
    si_word word;
    if (!si_scan_any(&r->scan, &word))
      return si_scan_fail(&r->scan, "the text ends inside its HIERARCHY");
    si_motion_joint *joint = at >= 0 ? &r->motion->joints[at] : NULL;
    if (!joint && si_word_is(word, "ROOT"))
      status = add_joint(r, -1, &at);
    else if (!joint && si_word_is(word, "MOTION"))
      break;
    else if (!joint)
      status =
          si_scan_fail(&r->scan, "'%.*s' where 'ROOT' or 'MOTION' is expected", SI_SHOWN(word));
    else if (si_word_is(word, "OFFSET"))
      status = read_offset(r, joint->offset);
    else if (si_word_is(word, "CHANNELS"))
      status = read_channels(r, joint);
    else if (si_word_is(word, "JOINT"))
      status = add_joint(r, at, &at);
    else if (si_word_is(word, "End"))
      status = read_end_site(r, at);
    else if (si_word_is(word, "}"))
      at = joint->parent;
    else
      status = si_scan_fail(&r->scan,
                            "'%.*s' in joint '%.60s', where OFFSET, CHANNELS, JOINT, End Site or "
                            "'}' is expected",
                            SI_SHOWN(word), joint->name);
  }
  if (status == SINEW_OK && r->motion->joint_count == 0)
    return si_scan_fail(&r->scan, "there is no ROOT before MOTION");
  return status;
}

/* "Frames: 12" and "Frame Time: .0083", with or without blanks around the colon */
static sinew_status read_label(reader *r, const char *const *words) {
  for (int i = 0; words[i]; i++) {
    si_word word;
    const int length = (int)strlen(words[i]);
    if (!si_scan_any(&r->scan, &word))
      return si_scan_fail(&r->scan, "the text ends where '%s' is expected", words[i]);
    if (word.length > length) {
      r->scan.at = word.at + length;
      word.length = length;
    }
    if (!si_word_is(word, words[i]))
      return si_scan_fail(&r->scan, "'%.*s' where '%s' is expected", SI_SHOWN(word), words[i]);
  }
  return SINEW_OK;
}

static sinew_status read_frame(reader *r) {
  const size_t width = r->motion->width;
  float *values = NULL;
  sinew_status status = si_motion_add_frame(r->motion, &values, &r->scan);
  for (size_t i = 0; i < width && status == SINEW_OK; i++) {
    si_word word;
    double value;
    if (!si_scan_word(&r->scan, &word))
      return si_scan_fail(&r->scan, "frame %zu has %zu values, expected %zu",
                          r->motion->frame_count, i, width);
    status = si_scan_value(&r->scan, word, "a value of a frame", &value);
    if (status == SINEW_OK) values[i] = (float)value;
  }
  if (status == SINEW_OK && !si_scan_line_done(&r->scan))
    return si_scan_fail(&r->scan, "frame %zu has more than %zu values", r->motion->frame_count,
                        width);
  return status;
}

static sinew_status read_frames(reader *r) {
  static const char *const frames[] = { "Frames", ":", NULL };
  static const char *const time[] = { "Frame", "Time", ":", NULL };
  double seconds = 0;
  sinew_status status = read_label(r, frames);
  if (status == SINEW_OK)
    status = si_scan_whole(&r->scan, "the number of Frames", 0, SINEW_MOTION_FRAMES, &r->frames);
  if (status == SINEW_OK) status = read_label(r, time);
  if (status == SINEW_OK) status = si_scan_number(&r->scan, "the Frame Time", &seconds);
  if (status != SINEW_OK) return status;
  if (!(seconds >= 1e-6 && seconds <= 1e6) && (r->frames > 1 || seconds != 0))
    return si_scan_fail(&r->scan, "the Frame Time is %g seconds, not from 1e-6 to 1e6", seconds);
  if (!si_scan_line_done(&r->scan))
    return si_scan_fail(&r->scan, "unexpected words after the Frame Time");
  /* a file with one frame may give a time of 0 */
  r->motion->rate = seconds > 0 ? (float)(1 / seconds) : 30;
  while (status == SINEW_OK && si_scan_line(&r->scan)) {
    if (si_scan_line_done(&r->scan)) continue;
    if ((long)r->motion->frame_count == r->frames)
      return si_scan_fail(&r->scan, "more frames than 'Frames: %ld'", r->frames);
    status = read_frame(r);
  }
  if (status == SINEW_OK && r->motion->width == 0)
    return si_scan_fail(&r->scan, "no joint has any CHANNELS");
  if (status == SINEW_OK && (long)r->motion->frame_count < r->frames)
    return si_scan_fail(&r->scan, "the text ends after %zu frames, expected 'Frames: %ld'",
                        r->motion->frame_count, r->frames);
  return status;
}

/* Converts lengths to metres, and guesses whether positions replace the offset or are added to it:
 * the choice that leaves less motion, by the sum of squares. */
static void settle(reader *r) {
  sinew_motion *m = r->motion;
  for (size_t j = 0; j < m->joint_count; j++) {
    si_motion_joint *joint = &m->joints[j];
    double added = 0, replaced = 0;
    for (int i = 0; i < joint->channel_count; i++) {
      if (joint->kinds[i] >= 3) continue;
      const double offset = joint->offset[joint->kinds[i]];
      for (size_t f = 0; f < m->frame_count; f++) {
        float *value = &m->values[f * m->width + joint->first + joint->places[i]];
        *value *= m->unit;
        added += (double)*value * (double)*value;
        replaced += ((double)*value - offset) * ((double)*value - offset);
      }
    }
    const sinew_motion_positions rule = r->options->positions;
    joint->replace =
        rule == SINEW_POSITIONS_REPLACE || (rule == SINEW_POSITIONS_GUESS && replaced < added);
  }
}

sinew_status si_bvh_read(const char *name, const void *text, size_t size,
                         const sinew_motion_options *options, sinew_motion *dest,
                         sinew_error *error) {
  reader r = { .scan = si_scan_start(name, text, size, error), .motion = dest, .options = options };
  dest->kind = SINEW_MOTION_SKELETON;
  dest->format = "BVH";
  dest->unit = options->unit > 0 ? options->unit : 1;
  sinew_status status = read_hierarchy(&r);
  if (status == SINEW_OK) status = read_frames(&r);
  if (si_stopped()) return si_fail_memory(error);
  if (status == SINEW_OK) settle(&r);
  return status;
}
