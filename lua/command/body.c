/* Binds a mesh to a rig, and reports what is wrong with it. */
#include "lua/command/body.h"

#include <stdlib.h>

sinew_shape *body_shapes(sinew_host *host) {
  sinew_error error;
  const sinew_rig *rig = sinew_host_rig(host);
  const int count = sinew_rig_segment_count(rig);
  if (sinew_host_make_shapes(host, &error) < 0) {
    command_failed(&error);
    return NULL;
  }
  sinew_shape *shapes = calloc((size_t)count + 1, sizeof *shapes);
  if (!shapes) command_out_of_memory();
  for (int i = 0; shapes && i < count; i++)
    shapes[i] = sinew_host_shape(host, sinew_rig_segment(rig, i));
  return shapes;
}

static bool report_fused(const sinew_rig *rig, const body *b, const sinew_pose *bind,
                         const sinew_skin_desc *desc) {
  sinew_skin_fusion most[3];
  sinew_error error;
  int count;
  if (sinew_skin_find_fused(b->skin, bind, desc, most, 3, &count, &error) < 0)
    return command_failed(&error);
  if (count == 0) return true;
  command_tell("sinew: limbs that move apart are one piece of the mesh: ");
  for (int i = 0; i < count && i < 3; i++)
    command_tell("%s%s and %s (%d edges)", i ? ", " : "",
                 sinew_rig_segment_info(rig, most[i].first).name,
                 sinew_rig_segment_info(rig, most[i].second).name, most[i].edges);
  if (count > 3) command_tell(" and %d more", count - 3);
  command_tell("; smaller cells, or DOFs that keep them apart, part them\n");
  return true;
}

bool body_bind(sinew_host *host, sinew_mesh *mesh, body *dest) {
  sinew_error error;
  const sinew_rig *rig = sinew_host_rig(host);
  const sinew_pose *bind = sinew_host_pose(host);
  *dest = (body){ .mesh = mesh };
  if (!mesh) return false;
  sinew_shape *shapes = body_shapes(host);
  sinew_skin_desc desc = sinew_default_skin_desc();
  desc.mesh = (sinew_shape){ mesh->vertices, mesh->normals, mesh->triangles, mesh->vertex_count,
                             mesh->triangle_count };
  desc.shapes = shapes;
  uint32_t *segments = NULL;
  bool ok = shapes != NULL;
  if (ok && mesh->weight_count) {
    segments = malloc((size_t)mesh->vertex_count * (size_t)mesh->weight_count * sizeof *segments);
    ok = segments
             ? sinew_skin_take_joints(rig, mesh, segments, &error) >= 0 || command_failed(&error)
             : command_out_of_memory();
    desc.weight_count = mesh->weight_count;
    desc.segments = segments;
    desc.weights = mesh->weights;
  }
  if (ok) {
    dest->skin = sinew_skin_create(bind, &desc, &error);
    ok = dest->skin != NULL || command_failed(&error);
    if (ok && !desc.weights) ok = report_fused(rig, dest, bind, &desc);
  }
  free(segments);
  free(shapes);
  return ok;
}

void body_free(body *b) {
  sinew_skin_destroy(b->skin);
  sinew_mesh_destroy(b->mesh);
}
