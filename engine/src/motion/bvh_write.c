/* A recording as a BVH file: the segments as nested joints, then a line for each frame. Joints
 * rotate about z, x and y. BVH has no rest rotations, so these are part of the frames. */
#include "motion/recording_internal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/text.h"

typedef struct joint {
  int parent, child, next; /* -1: none */
  int depth;
  bool moves;      /* has positions */
  float offset[3]; /* metres */
} joint;

typedef struct writer {
  const sinew_recording *r;
  joint *joints;
  int *order; /* depth first */
  float unit;
  si_text text;
} writer;

/* whether a segment moves in its parent by more than a micrometre, and its mean position */
static void measure(const sinew_recording *r, size_t segment, joint *j) {
  double sum[3] = { 0 };
  const si_placing *first = r->placings + segment;
  for (size_t f = 0; f < r->frames; f++)
    for (int k = 0; k < 3; k++) {
      float place = first[f * r->segments].place[k];
      sum[k] += (double)place;
      if (fabsf(place - first->place[k]) > 1e-6f) j->moves = true;
    }
  for (int k = 0; k < 3; k++)
    j->offset[k] = j->moves ? (float)(sum[k] / (double)r->frames) : first->place[k];
}

static void plan(writer *w) {
  const sinew_recording *r = w->r;
  int count = (int)r->segments, at = -1, placed = 0;
  for (int i = count - 1; i >= 0; i--) {
    joint *j = &w->joints[i];
    sinew_segment parent = sinew_rig_segment_info(r->rig, sinew_rig_segment(r->rig, i)).parent;
    j->parent = (int)parent.id - 1;
    j->child = j->next = -1;
    j->moves = j->parent < 0;
    if (r->frames) measure(r, (size_t)i, j);
    if (j->parent < 0) memset(j->offset, 0, sizeof j->offset);
  }
  /* lists of children, each in the rig's order */
  for (int i = count - 1; i >= 0; i--) {
    int parent = w->joints[i].parent;
    if (parent < 0) continue;
    w->joints[i].next = w->joints[parent].child;
    w->joints[parent].child = i;
  }
  for (int root = 0; root < count; root++) {
    if (w->joints[root].parent >= 0) continue;
    for (at = root; at >= 0;) {
      joint *j = &w->joints[at];
      w->order[placed++] = at;
      j->depth = j->parent >= 0 ? w->joints[j->parent].depth + 1 : 0;
      if (j->child >= 0) {
        at = j->child;
        continue;
      }
      while (at >= 0 && at != root && w->joints[at].next < 0) at = w->joints[at].parent;
      at = at == root ? -1 : w->joints[at].next;
    }
  }
}

static void indent(writer *w, int depth) {
  for (int i = 0; i < depth; i++) si_text_add(&w->text, "\t");
}

static void write_offset(writer *w, int depth, const float *offset) {
  indent(w, depth);
  si_text_add(&w->text, "OFFSET");
  for (int k = 0; k < 3; k++) {
    si_text_add(&w->text, " ");
    si_text_number(&w->text, offset[k] / w->unit);
  }
  si_text_add(&w->text, "\n");
}

/* braces in a name would open or close a joint */
static void write_name(writer *w, const char *name) {
  for (; *name; name++)
    si_text_add(&w->text, (const char[2]){ *name == '{' || *name == '}' ? '_' : *name, '\0' });
}

static void close_joints(writer *w, int from, int to) {
  for (int depth = from - 1; depth >= to; depth--) {
    indent(w, depth);
    si_text_add(&w->text, "}\n");
  }
}

static void write_hierarchy(writer *w) {
  static const float tip[3] = { 0 };
  const sinew_rig *rig = w->r->rig;
  int open = 0;
  si_text_add(&w->text, "HIERARCHY\n");
  for (size_t i = 0; i < w->r->segments; i++) {
    const joint *j = &w->joints[w->order[i]];
    close_joints(w, open, j->depth);
    indent(w, j->depth);
    si_text_add(&w->text, j->parent < 0 ? "ROOT " : "JOINT ");
    write_name(w, sinew_rig_segment_info(rig, sinew_rig_segment(rig, w->order[i])).name);
    si_text_add(&w->text, "\n");
    indent(w, j->depth);
    si_text_add(&w->text, "{\n");
    write_offset(w, j->depth + 1, j->offset);
    indent(w, j->depth + 1);
    si_text_add(&w->text, j->moves ? "CHANNELS 6 Xposition Yposition Zposition" : "CHANNELS 3");
    si_text_add(&w->text, " Zrotation Xrotation Yrotation\n");
    open = j->depth + 1;
    if (j->child >= 0) continue;
    indent(w, open);
    si_text_add(&w->text, "End Site\n");
    indent(w, open);
    si_text_add(&w->text, "{\n");
    write_offset(w, open + 1, tip);
    close_joints(w, open + 1, open);
  }
  close_joints(w, open, 0);
}

static void write_frames(writer *w) {
  const sinew_recording *r = w->r;
  si_text_format(&w->text, "MOTION\nFrames: %zu\nFrame Time: ", r->frames);
  si_text_number(&w->text, 1 / r->rate);
  si_text_add(&w->text, "\n");
  for (size_t f = 0; f < r->frames && !w->text.failed; f++)
    for (size_t i = 0; i < r->segments; i++) {
      const si_placing *p = r->placings + f * r->segments + (size_t)w->order[i];
      const bool last = i == r->segments - 1;
      for (int k = 0; k < 3 && w->joints[w->order[i]].moves; k++) {
        si_text_number(&w->text, p->place[k] / w->unit);
        si_text_add(&w->text, " ");
      }
      for (int k = 0; k < 3; k++) {
        si_text_number(&w->text, p->angles[k]);
        si_text_add(&w->text, k == 2 && last ? "\n" : " ");
      }
    }
}

char *sinew_recording_bvh(const sinew_recording *recording, float unit, size_t *size,
                          sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(recording)) return NULL;
  if (!(unit == 0 || (unit >= 1e-9f && unit <= 1e6f)))
    return si_fail_null(error, SINEW_ERR_VALUE,
                        "recording: the unit is %g metres, must be from 1e-9 to 1e6", (double)unit);
  writer w = { .r = recording, .unit = unit > 0 ? unit : 1 };
  w.joints = si_alloc_array(recording->segments, sizeof *w.joints);
  w.order = si_alloc_array(recording->segments, sizeof *w.order);
  char *text = NULL;
  if (w.joints && w.order) {
    plan(&w);
    write_hierarchy(&w);
    write_frames(&w);
    text = si_text_finish(&w.text, size, error);
  } else {
    si_fail_memory(error);
  }
  si_free(w.joints);
  si_free(w.order);
  return text;
}
