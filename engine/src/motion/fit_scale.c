/* The size of a subject: mean distances between joints of a motion, compared with the rig at rest.
 */
#include "motion/fit_internal.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "math/matrix.h"
#include "compile/rig_internal.h"
#include "math/wide.h"

bool si_fit_check(const sinew_rig *rig, const sinew_motion *motion, const sinew_fit_part *parts,
                  int count, sinew_error *error) {
  bool joints = sinew_motion_kind_of(motion) == SINEW_MOTION_SKELETON;
  int sources = joints ? sinew_motion_joint_count(motion) : sinew_motion_marker_count(motion);
  for (int i = 0; i < count; i++) {
    const sinew_fit_part *p = &parts[i];
    if (p->source < 0 || p->source >= sources)
      return si_fail_false(error, SINEW_ERR_NAME, "part %d of the fit is not a %s of the motion",
                           i + 1, joints ? "joint" : "marker");
    if (!p->segment.id || p->segment.id > rig->model.segment_count)
      return si_fail_false(error, SINEW_ERR_NAME, "part %d of the fit has no segment of the rig",
                           i + 1);
    if (!si_finite(p->point, 3) || !isfinite(p->weight) || p->weight < 0)
      return si_fail_false(
          error, SINEW_ERR_VALUE,
          "part %d of the fit, on '%s', needs a finite point and a weight of 0 or more", i + 1,
          rig->model.segments[p->segment.id - 1].name);
  }
  return true;
}

size_t si_fit_room(const sinew_motion *motion) {
  bool joints = sinew_motion_kind_of(motion) == SINEW_MOTION_SKELETON;
  return joints ? 16 * (size_t)sinew_motion_joint_count(motion) : 0;
}

const float *si_fit_points(const sinew_motion *motion, int frame, float *room) {
  if (sinew_motion_kind_of(motion) == SINEW_MOTION_MARKERS)
    return sinew_motion_markers(motion, frame);
  int count = sinew_motion_joint_count(motion);
  sinew_motion_worlds(motion, frame, room);
  /* compacted in place, front to back: a position is read before it is overwritten */
  for (int i = 0; i < count; i++) memmove(room + 3 * i, room + 16 * i + 12, 3 * sizeof *room);
  return room;
}

/* the sum of each link's length over the frames where both ends are visible, and their number;
 * false: stopped */
static bool sum_lengths(const sinew_motion *motion, const sinew_fit_part *parts,
                        const sinew_fit_link *links, int count, float *room, double *sums,
                        int *seen) {
  const size_t work = (size_t)count + 20 * (size_t)sinew_motion_joint_count(motion);
  for (int f = 0; f < sinew_motion_frame_count(motion); f++) {
    if (!si_work(1 + work)) return false;
    const float *points = si_fit_points(motion, f, room);
    for (int i = 0; i < count; i++) {
      const float *a = points + 3 * parts[links[i].from].source;
      const float *b = points + 3 * parts[links[i].to].source;
      double length = si_wide_distance(a, b);
      if (!isfinite(length)) continue;
      sums[i] += length;
      seen[i]++;
    }
  }
  return true;
}

static double rest_length(const sinew_pose *rest, const sinew_fit_part *a,
                          const sinew_fit_part *b) {
  float from[3], to[3];
  si_mat_point(sinew_pose_world(rest, a->segment), a->point, from);
  si_mat_point(sinew_pose_world(rest, b->segment), b->point, to);
  return si_wide_distance(from, to);
}

float sinew_fit_measure(const sinew_rig *rig, const sinew_motion *motion,
                        const sinew_fit_part *parts, int part_count, const sinew_fit_link *links,
                        int link_count, float *ratios, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(rig && motion && parts && links)) return 0;
  if (!si_fit_check(rig, motion, parts, part_count, error)) return 0;
  for (int i = 0; i < link_count; i++)
    if (links[i].from < 0 || links[i].from >= part_count || links[i].to < 0 ||
        links[i].to >= part_count) {
      si_fail(error, SINEW_ERR_VALUE, "link %d of the fit is not between two parts", i + 1);
      return 0;
    }
  size_t count = (size_t)link_count;
  double *sums = si_alloc_array(count + 1, sizeof *sums);
  int *seen = si_alloc_array(count + 1, sizeof *seen);
  float *room = si_alloc_array(si_fit_room(motion) + 1, sizeof *room);
  sinew_pose *rest = sums && seen && room ? sinew_pose_create(rig, error) : NULL;
  double subject = 0, own = 0;
  if (!sums || !seen || !room) si_fail_memory(error);
  if (rest && sinew_pose_eval(rest, error) >= 0) {
    memset(sums, 0, count * sizeof *sums);
    memset(seen, 0, count * sizeof *seen);
    bool summed = sum_lengths(motion, parts, links, link_count, room, sums, seen);
    for (int i = 0; i < link_count; i++) {
      double length = rest_length(rest, &parts[links[i].from], &parts[links[i].to]);
      if (!seen[i] || !(length > 1e-4)) continue;
      subject += sums[i] / seen[i];
      own += length;
    }
    if (!summed)
      si_fail_memory(error);
    else if (!(subject > 1e-6))
      si_fail(error, SINEW_ERR_VALUE, "no length of the motion can be measured");
    for (int i = 0; i < link_count && ratios && subject > 1e-6; i++) {
      double length = rest_length(rest, &parts[links[i].from], &parts[links[i].to]);
      bool known = seen[i] && length > 1e-4;
      ratios[i] = known ? (float)(sums[i] / seen[i] / length * own / subject) : 1;
    }
  }
  sinew_pose_destroy(rest);
  si_free(room);
  si_free(seen);
  si_free(sums);
  return error->count ? 0 : (float)(subject / own);
}

static bool is_above(const sinew_rig *rig, sinew_segment above, sinew_segment below) {
  uint32_t at = below.id;
  while (at && at != above.id) at = rig->model.segments[at - 1].parent;
  return at != 0;
}

int sinew_fit_stretch(sinew_rig *rig, const sinew_fit_part *parts, int part_count,
                      const sinew_fit_link *links, int link_count, const float *ratios,
                      sinew_segment *dest, int capacity, sinew_error *error) {
  int changed = 0;
  if (!SI_EXPECT(rig && parts && links && ratios)) return -1;
  for (int i = 0; i < link_count; i++) {
    if (!SI_EXPECT(links[i].from >= 0 && links[i].from < part_count && links[i].to >= 0 &&
                   links[i].to < part_count))
      return -1;
    sinew_segment top = parts[links[i].from].segment, at = parts[links[i].to].segment;
    if (is_above(rig, at, top)) {
      sinew_segment swap = top;
      top = at;
      at = swap;
    }
    if (!is_above(rig, top, at) || ratios[i] == 1) continue;
    for (; at.id != top.id; at.id = rig->model.segments[at.id - 1].parent) {
      float rest[16];
      si_mat_copy(rig->model.segments[at.id - 1].rest, rest);
      for (int k = 12; k < 15; k++) rest[k] *= ratios[i];
      if (sinew_rig_set_rest(rig, at, rest, error) < 0) return -1;
      if (dest && changed < capacity) dest[changed] = at;
      changed++;
    }
  }
  return changed;
}
