/* A skin: a mesh bound to a pose, with weights given or automatic, and twist spread along bones. */
#include "compile/rig_internal.h"
#include "math/matrix.h"
#include "skin/skin_internal.h"

#include <math.h>
#include <string.h>

sinew_skin_desc sinew_default_skin_desc(void) {
  return (sinew_skin_desc){ .size = sizeof(sinew_skin_desc), .falloff = 0.06f, .smoothing = 5 };
}

static sinew_status check_mesh(const sinew_skin_desc *d, int segment_count, sinew_error *error) {
  const sinew_shape *m = &d->mesh;
  if (m->vertex_count <= 0 || !m->vertices || !m->normals || m->triangle_count < 0 ||
      (m->triangle_count > 0 && !m->triangles))
    return si_fail(error, SINEW_ERR_VALUE, "skin: the mesh has no vertices");
  if (m->vertex_count > SINEW_MESH_VERTICES || m->triangle_count > SINEW_MESH_TRIANGLES)
    return si_fail(error, SINEW_ERR_LIMIT,
                   "skin: the mesh has more than %d vertices or %d triangles", SINEW_MESH_VERTICES,
                   SINEW_MESH_TRIANGLES);
  if (!si_finite(m->vertices, 3 * (size_t)m->vertex_count) ||
      !si_finite(m->normals, 3 * (size_t)m->vertex_count))
    return si_fail(error, SINEW_ERR_NOT_FINITE, "skin: a vertex or normal is not finite");
  for (size_t i = 0; i < 3 * (size_t)m->triangle_count; i++)
    if (m->triangles[i] >= (uint32_t)m->vertex_count)
      return si_fail(error, SINEW_ERR_VALUE, "skin: triangle %zu has vertex %u, there are %d",
                     i / 3, m->triangles[i], m->vertex_count);
  if (segment_count == 0)
    return si_fail(error, SINEW_ERR_VALUE, "skin: the rig has no segments to follow");
  if (d->weights && (d->weight_count < 1 || d->weight_count > SINEW_SKIN_WEIGHTS || !d->segments))
    return si_fail(error, SINEW_ERR_VALUE, "skin: %d weights a vertex, they are 1 to %d",
                   d->weight_count, SINEW_SKIN_WEIGHTS);
  if (!d->weights && !(d->falloff > 0 && isfinite(d->falloff)))
    return si_fail(error, SINEW_ERR_VALUE, "skin: the falloff must be above 0");
  if (!d->weights && (d->smoothing < 0 || d->smoothing > 100))
    return si_fail(error, SINEW_ERR_VALUE, "skin: smoothed 0 to 100 times, not %d", d->smoothing);
  return SINEW_OK;
}

static void lay_out(sinew_skin *s, si_carver *c) {
  const size_t v = (size_t)s->vertex_count, g = (size_t)s->segment_count;
  const size_t w = v * (size_t)s->weight_count;
  s->vertices = si_carve(c, 3 * v, sizeof(float), 4);
  s->normals = si_carve(c, 3 * v, sizeof(float), 4);
  s->segments = si_carve(c, w, sizeof(uint32_t), 4);
  s->weights = si_carve(c, w, sizeof(float), 4);
  s->shares = si_carve(c, w, sizeof(float), 4);
  s->twist_of = si_carve(c, g, sizeof(int), 4);
  s->twists = si_carve(c, (size_t)s->twist_count, sizeof(si_twist), 8);
  s->unbind = si_carve(c, 16 * g, sizeof(float), SI_ALIGN);
  s->moves = si_carve(c, 16 * g, sizeof(float), SI_ALIGN);
  s->duals = si_carve(c, g, sizeof(si_dual), 16);
  s->mirrored = si_carve(c, g, sizeof(bool), 1);
}

/* sorts weights in descending order and normalises their sum to 1 */
static sinew_status take_weights(sinew_skin *s, const sinew_skin_desc *d, sinew_error *error) {
  const int n = d->weight_count;
  for (int v = 0; v < s->vertex_count; v++) {
    if (v % 256 == 0 && !si_work(256 * (1 + (size_t)n / 2))) return si_fail_memory(error);
    const float *from = d->weights + (size_t)v * (size_t)n;
    const uint32_t *of = d->segments + (size_t)v * (size_t)n;
    float *weights = s->weights + (size_t)v * (size_t)n;
    uint32_t *segments = s->segments + (size_t)v * (size_t)n;
    double sum = 0;
    int kept = 0;
    for (int i = 0; i < n; i++) {
      if (!(from[i] >= 0 && isfinite(from[i])))
        return si_fail(error, SINEW_ERR_VALUE, "skin: vertex %d has a weight of %g", v,
                       (double)from[i]);
      if (from[i] == 0) continue;
      if (of[i] >= (uint32_t)s->segment_count)
        return si_fail(error, SINEW_ERR_VALUE, "skin: vertex %d follows segment %u, there are %d",
                       v, of[i], s->segment_count);
      int at = kept++;
      for (; at > 0 && weights[at - 1] < from[i]; at--) {
        weights[at] = weights[at - 1];
        segments[at] = segments[at - 1];
      }
      weights[at] = from[i], segments[at] = of[i];
      sum += (double)from[i];
    }
    if (kept == 0) return si_fail(error, SINEW_ERR_VALUE, "skin: vertex %d has no weight", v);
    for (int i = 0; i < kept; i++) weights[i] = (float)((double)weights[i] / sum);
  }
  return SINEW_OK;
}

static sinew_status take_twists(sinew_skin *s, const sinew_pose *bind, const sinew_skin_desc *d,
                                sinew_error *error) {
  for (int i = 0; i < s->segment_count; i++) s->twist_of[i] = -1;
  for (int i = 0; i < d->twist_count; i++) {
    si_twist *t = &s->twists[i];
    const sinew_skin_twist *from = &d->twists[i];
    float end[3], way[3];
    t->segment = (int)from->segment.id - 1;
    t->source = (int)from->source.id - 1;
    if (t->segment < 0 || t->segment >= s->segment_count || t->source < 0 ||
        t->source >= s->segment_count)
      return si_fail(error, SINEW_ERR_VALUE, "skin: twist %d is of no segment", i + 1);
    sinew_segment_info info = sinew_rig_segment_info(s->rig, from->segment);
    sinew_segment_info source = sinew_rig_segment_info(s->rig, from->source);
    t->own = t->segment == t->source;
    t->base = t->own ? (int)info.parent.id - 1 : t->segment;
    if (!t->own && source.parent.id != from->segment.id)
      return si_fail(error, SINEW_ERR_VALUE,
                     "skin: the twist of '%s' comes from itself or a child, '%s' is neither",
                     info.name, source.name);
    if (s->twist_of[t->segment] >= 0)
      return si_fail(error, SINEW_ERR_VALUE, "skin: '%s' has two twists", info.name);
    if (!si_bone_end(bind, t->segment, end))
      return si_fail(error, SINEW_ERR_VALUE,
                     "skin: '%s' has no child that its twist could reach to", info.name);
    memcpy(t->origin, sinew_pose_world(bind, from->segment) + 12, sizeof t->origin);
    for (int k = 0; k < 3; k++) way[k] = end[k] - t->origin[k];
    t->length = si_vec_length(way);
    if (!si_vec_unit(way, t->axis))
      return si_fail(error, SINEW_ERR_VALUE, "skin: the bone of '%s' has no length", info.name);
    s->twist_of[t->segment] = i;
  }
  for (size_t i = 0; i < (size_t)s->vertex_count * (size_t)s->weight_count; i++) {
    if (i % 1024 == 0 && !si_work(256)) return si_fail_memory(error);
    const float *p = s->vertices + i / (size_t)s->weight_count * 3;
    if (s->weights[i] == 0 || s->twist_of[s->segments[i]] < 0) continue;
    const si_twist *t = &s->twists[s->twist_of[s->segments[i]]];
    const float from[3] = { p[0] - t->origin[0], p[1] - t->origin[1], p[2] - t->origin[2] };
    float along = si_clamp(si_vec_dot(from, t->axis) / t->length, 0, 1);
    s->shares[i] = t->own ? along - 1 : along;
  }
  return SINEW_OK;
}

sinew_skin *sinew_skin_create(const sinew_pose *bind, const sinew_skin_desc *desc,
                              sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(bind && desc))
    return si_fail_null(error, SINEW_ERR_CALL, "skin: no pose or no desc");
  sinew_skin_desc whole = sinew_default_skin_desc();
  if (!SI_TAKE_DESC(skin_desc, desc, &whole, error) || !SI_EXPECT(desc->twist_count >= 0))
    return NULL;
  sinew_skin head = { .rig = sinew_pose_rig(bind),
                      .vertex_count = desc->mesh.vertex_count,
                      .weight_count = desc->weights ? desc->weight_count : SI_SKIN_AUTOMATIC,
                      .twist_count = desc->twist_count };
  head.segment_count = sinew_rig_segment_count(head.rig);
  if (check_mesh(desc, head.segment_count, error) < 0) return NULL;
  si_carver carver = { NULL, 0 };
  si_carve(&carver, 1, sizeof head, SI_ALIGN);
  lay_out(&head, &carver);
  sinew_skin *s = si_alloc(carver.used);
  if (!s) return si_memory_null(error);
  carver = (si_carver){ (unsigned char *)s, 0 };
  si_carve(&carver, 1, sizeof head, SI_ALIGN);
  *s = head;
  lay_out(s, &carver);
  memcpy(s->vertices, desc->mesh.vertices, 3 * (size_t)s->vertex_count * sizeof(float));
  for (size_t i = 0; i < 3 * (size_t)s->vertex_count; i += 3) {
    if (i % 3072 == 0 && !si_work(1024)) break; /* what follows fails, too */
    if (!si_vec_unit(desc->mesh.normals + i, s->normals + i))
      memcpy(s->normals + i, desc->mesh.normals + i, 3 * sizeof(float));
  }
  for (size_t i = 0; i < (size_t)s->segment_count; i++)
    si_mat_inverse_rigid(sinew_pose_worlds(bind) + 16 * i, s->unbind + 16 * i);
  sinew_status status = desc->weights
                            ? take_weights(s, desc, error)
                            : si_skin_automatic(bind, desc, s->segments, s->weights, error);
  if (status >= 0) status = take_twists(s, bind, desc, error);
  if (status < 0) {
    si_free(s);
    return NULL;
  }
  si_rig_watch(s->rig, &s->watcher, "skin");
  return s;
}

void sinew_skin_destroy(sinew_skin *skin) {
  if (skin) si_rig_unwatch(skin->rig, &skin->watcher);
  si_free(skin);
}

sinew_status sinew_skin_take_joints(const sinew_rig *rig, const sinew_mesh *mesh, uint32_t *dest,
                                    sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(rig && mesh && dest)) return si_fail(error, SINEW_ERR_CALL, "skin: no mesh");
  if (!mesh->weight_count)
    return si_fail(error, SINEW_ERR_MISSING, "skin: the mesh has no weights of its own");
  const size_t count = (size_t)mesh->vertex_count * (size_t)mesh->weight_count;
  uint32_t *segments = si_alloc_array((size_t)mesh->joint_count, sizeof *segments);
  if (!segments) return si_fail_memory(error);
  sinew_status status = SINEW_OK;
  for (size_t i = 0; status >= 0 && i < count; i++) {
    dest[i] = 0;
    if (i % 1024 == 0 && !si_work(1024)) {
      status = si_fail_memory(error);
      break;
    }
    if (mesh->weights[i] == 0) {
      if (i % (size_t)mesh->weight_count == 0 && mesh->weights[i + 1] == 0 &&
          mesh->weights[i + 2] == 0 && mesh->weights[i + 3] == 0)
        status = si_fail(error, SINEW_ERR_MISSING, "skin: vertex %zu of the mesh follows no joint",
                         i / (size_t)mesh->weight_count);
      continue;
    }
    uint32_t *segment = &segments[mesh->joints[i]];
    if (*segment == 0)
      *segment =
          sinew_rig_find_segment(rig, sinew_mesh_joint_name(mesh, (int)mesh->joints[i]), error).id;
    if (*segment == 0)
      status = SINEW_ERR_NAME;
    else
      dest[i] = *segment - 1;
  }
  si_free(segments);
  return status;
}

int sinew_skin_vertex_count(const sinew_skin *skin) {
  return SI_EXPECT(skin) ? skin->vertex_count : 0;
}

int sinew_skin_weight_count(const sinew_skin *skin) {
  return SI_EXPECT(skin) ? skin->weight_count : 0;
}

const float *sinew_skin_weights(const sinew_skin *skin) {
  return SI_EXPECT(skin) ? skin->weights : NULL;
}

const uint32_t *sinew_skin_segments(const sinew_skin *skin) {
  return SI_EXPECT(skin) ? skin->segments : NULL;
}
