/* The bones of a pose for skinning: the triangles of a segment's shape. If no segment has a shape:
 * the lines from a segment to its children, or a point if it has none. */
#include "skin/skin_internal.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

static int parent_of(const sinew_rig *rig, int i) {
  return (int)sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).parent.id - 1;
}

bool si_bone_end(const sinew_pose *bind, int segment, float *dest) {
  const sinew_rig *rig = sinew_pose_rig(bind);
  double sum[3] = { 0, 0, 0 };
  int children = 0;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    if (parent_of(rig, i) != segment) continue;
    for (int k = 0; k < 3; k++) sum[k] += (double)sinew_pose_worlds(bind)[16 * (size_t)i + 12 + k];
    children++;
  }
  for (int k = 0; children && k < 3; k++) dest[k] = (float)(sum[k] / children);
  return children > 0;
}

int sinew_skin_long_bones(const sinew_pose *bind, sinew_skin_twist *dest, int capacity) {
  if (!SI_EXPECT(bind)) return 0;
  const sinew_rig *rig = sinew_pose_rig(bind);
  const int count = sinew_rig_segment_count(rig);
  float longest = 0;
  int found = 0;
  /* first finds the longest, then those long enough */
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < count && si_work(1 + (size_t)count); i++) {
      sinew_segment segment = sinew_rig_segment(rig, i);
      sinew_segment_info info = sinew_rig_segment_info(rig, segment);
      float end[3];
      if (!info.driver.id || !info.parent.id || !si_bone_end(bind, i, end)) continue;
      for (int k = 0; k < 3; k++) end[k] -= sinew_pose_world(bind, segment)[12 + k];
      float length = si_vec_length(end);
      if (round == 0) longest = fmaxf(longest, length);
      if (round == 0 || !(length > 0) || length < longest / 3) continue;
      if (found < capacity) dest[found] = (sinew_skin_twist){ segment, segment };
      found++;
    }
  return found;
}

static sinew_status make_surface(const float *world, const sinew_shape *shape, si_bone *bone,
                                 sinew_error *error) {
  float *moved = si_work(2 * (size_t)shape->vertex_count)
                     ? si_alloc_array(3 * (size_t)shape->vertex_count, sizeof(float))
                     : NULL;
  if (!moved) return si_fail_memory(error);
  for (size_t i = 0; i < (size_t)shape->vertex_count; i++)
    si_mat_point(world, shape->vertices + 3 * i, moved + 3 * i);
  bone->surface = sinew_surface_create(moved, (size_t)shape->vertex_count, shape->triangles,
                                       (size_t)shape->triangle_count, error);
  si_free(moved);
  if (!bone->surface) return SINEW_ERR_VALUE;
  bone->tree = si_surface_tree_create(bone->surface);
  return bone->tree ? SINEW_OK : si_fail_memory(error);
}

static void grow_box(si_bone *bone, const float *p) {
  for (int k = 0; k < 3; k++) {
    bone->low[k] = fminf(bone->low[k], p[k]);
    bone->high[k] = fmaxf(bone->high[k], p[k]);
  }
}

sinew_status si_bones_make(const sinew_pose *bind, const sinew_shape *shapes, si_bones *dest,
                           sinew_error *error) {
  const sinew_rig *rig = sinew_pose_rig(bind);
  const float *worlds = sinew_pose_worlds(bind);
  bool shaped = false;
  *dest = (si_bones){ .count = sinew_rig_segment_count(rig) };
  const size_t count = (size_t)dest->count;
  dest->list = si_alloc_array(count + 1, sizeof *dest->list);
  dest->points = si_alloc_array(3 * count + 1, sizeof(float));
  if (!dest->list || !dest->points) return si_fail_memory(error);
  for (size_t i = 0; shapes && i < count; i++) shaped |= shapes[i].triangle_count > 0;
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    si_bone *bone = &dest->list[i];
    for (int k = 0; k < 3; k++) {
      bone->low[k] = INFINITY;
      bone->high[k] = -INFINITY;
    }
    if (shaped) {
      if (shapes[i].triangle_count == 0) continue;
      sinew_status status = make_surface(worlds + 16 * i, &shapes[i], bone, error);
      if (status < 0) return status;
      for (size_t k = 0; k < sinew_surface_vertex_count(bone->surface); k++)
        grow_box(bone, sinew_surface_vertices(bone->surface) + 3 * k);
      continue;
    }
    if (!si_work(1 + count)) return si_fail_memory(error);
    bone->from = worlds + 16 * i + 12;
    bone->to = dest->points + used;
    grow_box(bone, bone->from);
    for (size_t k = 0; k < count; k++) {
      if (parent_of(rig, (int)k) != (int)i) continue;
      memcpy(dest->points + used, worlds + 16 * k + 12, 3 * sizeof(float));
      grow_box(bone, dest->points + used);
      used += 3;
      bone->to_count++;
    }
  }
  return SINEW_OK;
}

void si_bones_free(si_bones *bones) {
  for (int i = 0; bones->list && i < bones->count; i++) {
    si_surface_tree_destroy(bones->list[i].tree);
    sinew_surface_destroy(bones->list[i].surface);
  }
  si_free(bones->list);
  si_free(bones->points);
}

/* the nearest point of the line from a to b, and the square of its distance */
static float to_line(const float *p, const float *a, const float *b, float *dest) {
  float way[3], from[3], square = 0, along = 0, length = 0;
  for (int k = 0; k < 3; k++) {
    way[k] = b[k] - a[k];
    from[k] = p[k] - a[k];
  }
  length = si_vec_dot(way, way);
  along = length > 0 ? si_clamp(si_vec_dot(from, way) / length, 0, 1) : 0;
  for (int k = 0; k < 3; k++) {
    dest[k] = a[k] + along * way[k];
    square += (from[k] - along * way[k]) * (from[k] - along * way[k]);
  }
  return square;
}

float si_bone_nearest(const si_bone *bone, const float *place, float limit, float *dest) {
  float beyond = 0;
  for (int k = 0; k < 3; k++) {
    float d = fmaxf(fmaxf(bone->low[k] - place[k], place[k] - bone->high[k]), 0);
    beyond += d * d;
  }
  if (!(beyond < limit * limit)) return limit;
  if (bone->tree) {
    const double at[3] = { (double)place[0], (double)place[1], (double)place[2] };
    double best = (double)limit * (double)limit, nearest[3] = { 0 };
    si_surface_tree_nearest(bone->tree, at, 0, &best, nearest);
    for (int k = 0; k < 3; k++) dest[k] = (float)nearest[k];
    return fminf((float)sqrt(best), limit);
  }
  float best = to_line(place, bone->from, bone->from, dest);
  for (int i = 0; i < bone->to_count; i++) {
    float point[3], square = to_line(place, bone->from, bone->to + 3 * i, point);
    if (square < best) memcpy(dest, point, sizeof point);
    best = fminf(best, square);
  }
  return fminf(sqrtf(best), limit);
}

float si_bone_distance(const si_bone *bone, const float *place, float limit) {
  float unused[3];
  return si_bone_nearest(bone, place, limit, unused);
}
