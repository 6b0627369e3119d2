/* Collecting a scene: nodes from a pose, and the frames of animations.
 *
 * A segment's local matrix rest * T is decomposed into translation * rotation * scale, where the
 * scale is 1 or mirrors x. Of the two quaternions of a rotation, the one nearer to the previous
 * frame is used. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "math/matrix.h"
#include "math/vector.h"
#include "interchange/gltf_write.h"
#include "math/wide.h"
#include "sinew/motion.h"
#include "skin/skin_internal.h"

static const double rigid_tolerance = 1e-3;

/* false if the matrix is not rigid */
static bool decompose(const float *rest, const float *driven, bool *mirrored,
                      si_placing_trs *dest) {
  double m[3][3], q[4];
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 3; r++) {
      double sum = c == 3 ? (double)rest[12 + r] : 0;
      for (int k = 0; k < 3; k++) sum += (double)rest[4 * k + r] * (double)driven[4 * c + k];
      if (c < 3)
        m[c][r] = sum;
      else
        dest->place[r] = (float)sum;
    }
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      double dot = si_wide_dot(m[i], m[j]);
      if (!(fabs(dot - (i == j)) <= rigid_tolerance)) return false;
    }
  *mirrored = si_wide_triple(m[0], m[1], m[2]) < 0;
  for (int r = 0; r < 3 && *mirrored; r++) m[0][r] = -m[0][r];
  si_wide_quat(m[0], q);
  for (int i = 0; i < 4; i++) dest->turn[i] = (float)q[i];
  return isfinite(dest->place[0]) && isfinite(dest->place[1]) && isfinite(dest->place[2]);
}

static sinew_status place(const sinew_gltf *g, const sinew_pose *pose, size_t index, bool *mirrored,
                          si_placing_trs *dest, sinew_error *error) {
  sinew_segment segment = sinew_rig_segment(g->rig, (int)index);
  sinew_segment_info info = sinew_rig_segment_info(g->rig, segment);
  if (decompose(info.rest, sinew_pose_local(pose, segment), mirrored, dest)) return SINEW_OK;
  return si_fail(error, SINEW_ERR_VALUE,
                 "glTF: segment '%s' is scaled or sheared; only rotations and mirror images can be "
                 "written",
                 info.name);
}

void si_gltf_world(const double *parent, const si_placing_trs *placing, bool mirrored,
                   double dest[12]) {
  double x = placing->turn[0], y = placing->turn[1], z = placing->turn[2], w = placing->turn[3];
  const double side = mirrored ? -1 : 1;
  const double local[12] = { side * (1 - 2 * (y * y + z * z)),
                             side * 2 * (x * y + z * w),
                             side * 2 * (x * z - y * w),
                             2 * (x * y - z * w),
                             1 - 2 * (x * x + z * z),
                             2 * (y * z + x * w),
                             2 * (x * z + y * w),
                             2 * (y * z - x * w),
                             1 - 2 * (x * x + y * y),
                             placing->place[0],
                             placing->place[1],
                             placing->place[2] };
  if (!parent) {
    memcpy(dest, local, sizeof local);
    return;
  }
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 3; r++)
      dest[3 * c + r] = parent[r] * local[3 * c] + parent[3 + r] * local[3 * c + 1] +
                        parent[6 + r] * local[3 * c + 2] + (c == 3 ? parent[9 + r] : 0);
}

sinew_gltf *sinew_gltf_create(const sinew_pose *pose, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(pose)) return NULL;
  sinew_gltf *g = si_alloc(sizeof *g);
  if (!g) return si_memory_null(error);
  g->rig = sinew_pose_rig(pose);
  si_rig_watch(g->rig, &g->watcher, "glTF scene");
  g->segments = (size_t)sinew_rig_segment_count(g->rig);
  g->dofs = (size_t)sinew_rig_dof_count(g->rig);
  g->tolerance = SINEW_GLTF_TOLERANCE;
  g->nodes = si_alloc_array(g->segments + 1, sizeof *g->nodes);
  g->values = si_alloc_array(g->dofs + 1, sizeof *g->values);
  g->labels = si_alloc_array(g->dofs + 1, sizeof *g->labels);
  sinew_status status = g->nodes && g->values && g->labels ? SINEW_OK : si_fail_memory(error);
  if (status == SINEW_OK && g->dofs)
    memcpy(g->values, sinew_pose_dofs(pose), g->dofs * sizeof *g->values);
  for (size_t i = 0; i < g->segments && status == SINEW_OK; i++) {
    si_gltf_node *n = &g->nodes[i];
    sinew_segment segment = sinew_rig_segment(g->rig, (int)i);
    n->parent = (int)sinew_rig_segment_info(g->rig, segment).parent.id - 1;
    status = place(g, pose, i, &n->mirrored, &n->rest, error);
    si_gltf_world(n->parent < 0 ? NULL : g->nodes[n->parent].world, &n->rest, n->mirrored,
                  n->world);
  }
  if (status == SINEW_OK) return g;
  sinew_gltf_destroy(g);
  return NULL;
}

void sinew_gltf_destroy(sinew_gltf *g) {
  if (!g) return;
  si_rig_unwatch(g->rig, &g->watcher);
  for (size_t i = 0; i < g->take_count; i++) {
    si_free(g->takes[i].name);
    si_free(g->takes[i].times);
    si_free(g->takes[i].placings);
  }
  for (size_t i = 0; g->labels && i < g->dofs; i++) si_free(g->labels[i]);
  si_free(g->takes);
  si_free(g->labels);
  si_free(g->values);
  si_free(g->nodes);
  si_free(g);
}

void sinew_gltf_set_shape(sinew_gltf *g, sinew_segment segment, sinew_shape shape) {
  if (!SI_EXPECT(g && segment.id && segment.id <= g->segments)) return;
  si_gltf_node *n = &g->nodes[segment.id - 1];
  double square = 0;
  if (shape.vertex_count <= 0 || shape.triangle_count <= 0) shape = (sinew_shape){ 0 };
  for (int i = 0; i < shape.vertex_count; i++) {
    const float *v = shape.vertices + 3 * i;
    double x = v[0], y = v[1], z = v[2];
    square = fmax(square, x * x + y * y + z * z);
  }
  n->shape = shape;
  n->radius = (float)sqrt(square);
}

sinew_status sinew_gltf_set_label(sinew_gltf *g, sinew_dof dof, const char *label,
                                  sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(g && dof.id && dof.id <= g->dofs && label))
    return si_fail(error, SINEW_ERR_CALL, "glTF: the label is for a DOF that is not in the rig");
  char *copy = si_strdup(label);
  if (!copy) return si_fail_memory(error);
  si_free(g->labels[dof.id - 1]);
  g->labels[dof.id - 1] = copy;
  return SINEW_OK;
}

void sinew_gltf_set_skinned(sinew_gltf *g, bool skinned) {
  if (SI_EXPECT(g)) g->skinned = skinned;
}

sinew_status sinew_gltf_set_skin(sinew_gltf *g, const sinew_skin *skin, sinew_shape mesh,
                                 sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(g && skin && skin->rig == g->rig &&
                 mesh.vertex_count == sinew_skin_vertex_count(skin) && mesh.triangle_count > 0))
    return si_fail(error, SINEW_ERR_CALL, "glTF: the skin is of another rig or mesh");
  for (size_t i = 0; i < g->segments; i++)
    sinew_gltf_set_shape(g, sinew_rig_segment(g->rig, (int)i), (sinew_shape){ 0 });
  /* how far a segment carries vertices, for the tolerance of its keys */
  const size_t each = (size_t)skin->weight_count;
  for (size_t i = 0; i < each * (size_t)skin->vertex_count; i++) {
    float at[3];
    if (skin->weights[i] == 0) continue;
    si_gltf_node *n = &g->nodes[skin->segments[i]];
    si_mat_point(skin->unbind + 16 * (size_t)skin->segments[i], skin->vertices + 3 * (i / each),
                 at);
    n->radius = fmaxf(n->radius, si_vec_length(at));
  }
  g->skin = skin;
  g->body = mesh;
  g->skinned = true;
  return SINEW_OK;
}

sinew_status sinew_gltf_set_tolerance(sinew_gltf *g, float tolerance, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(g)) return SINEW_ERR_CALL;
  if (!(tolerance > 0 && isfinite(tolerance)))
    return si_fail(error, SINEW_ERR_VALUE, "glTF: the tolerance is %g m, must be above 0",
                   (double)tolerance);
  g->tolerance = tolerance;
  return SINEW_OK;
}

sinew_status sinew_gltf_begin(sinew_gltf *g, const char *name, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(g && name)) return si_fail(error, SINEW_ERR_CALL, "glTF: no name");
  char *copy = si_strdup(name);
  if (!copy || !si_grow(&g->takes, &g->take_room, g->take_count + 1, sizeof *g->takes)) {
    si_free(copy);
    return si_fail_memory(error);
  }
  g->takes[g->take_count++] = (si_gltf_take){ .name = copy };
  return SINEW_OK;
}

sinew_status sinew_gltf_add(sinew_gltf *g, const sinew_pose *pose, float time, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(g && pose && sinew_pose_rig(pose) == g->rig && g->take_count))
    return si_fail(error, SINEW_ERR_CALL,
                   "glTF: the frame is from another rig, or there is no animation");
  si_gltf_take *take = &g->takes[g->take_count - 1];
  const size_t f = take->frames;
  if (!(time >= 0 && isfinite(time)) || (f && !(time > take->times[f - 1])))
    return si_fail(error, SINEW_ERR_VALUE, "glTF: the times of '%s' must increase from 0, got %g",
                   take->name, (double)time);
  if (f >= SINEW_MOTION_FRAMES || (f + 1) * 7 * g->segments > SINEW_MOTION_VALUES)
    return si_fail(error, SINEW_ERR_LIMIT,
                   "glTF: '%s' has more than %d frames, or %d numbers in them", take->name,
                   SINEW_MOTION_FRAMES, SINEW_MOTION_VALUES);
  if (!si_grow(&take->times, &take->time_room, f + 1, sizeof *take->times) ||
      !si_grow(&take->placings, &take->placing_room, (f + 1) * g->segments + 1,
               sizeof *take->placings))
    return si_fail_memory(error);
  si_placing_trs *frame = take->placings + f * g->segments;
  for (size_t i = 0; i < g->segments; i++) {
    bool mirrored;
    sinew_status status = place(g, pose, i, &mirrored, &frame[i], error);
    if (status < 0) return status;
    if (mirrored != g->nodes[i].mirrored)
      return si_fail(error, SINEW_ERR_VALUE, "glTF: segment '%s' becomes mirrored during '%s'",
                     sinew_rig_segment_info(g->rig, sinew_rig_segment(g->rig, (int)i)).name,
                     take->name);
    const float *before = f ? (frame - g->segments)[i].turn : g->nodes[i].rest.turn;
    float dot = 0, *turn = frame[i].turn;
    for (int k = 0; k < 4; k++) dot += before[k] * turn[k];
    for (int k = 0; k < 4 && dot < 0; k++) turn[k] = -turn[k];
  }
  take->times[take->frames++] = time;
  return SINEW_OK;
}
