/* sinew skin: makes a mesh for a rig that has none, a surface at a distance around its bones. */
#include "lua/command/command.h"

#include <stdlib.h>

static bool save(const sinew_mesh *mesh, const char *out) {
  sinew_error error;
  sinew_surface *surface =
      sinew_surface_create(mesh->vertices, (size_t)mesh->vertex_count, mesh->triangles,
                           (size_t)mesh->triangle_count, &error);
  bool ok = surface && sinew_surface_save_obj(surface, out, &error) >= 0;
  sinew_surface_destroy(surface);
  if (!ok) return command_failed(&error);
  printf("%s: %d vertices, %d triangles\n", out, mesh->vertex_count, mesh->triangle_count);
  return true;
}

static bool make(sinew_host *host, float distance, float cell, const char *out) {
  sinew_error error;
  const sinew_rig *rig = sinew_host_rig(host);
  const int count = sinew_rig_segment_count(rig);
  sinew_shape *shapes = calloc((size_t)count + 1, sizeof *shapes);
  if (!shapes) return command_out_of_memory();
  if (sinew_host_make_shapes(host, &error) < 0) {
    free(shapes);
    return command_failed(&error);
  }
  for (int i = 0; i < count; i++) shapes[i] = sinew_host_shape(host, sinew_rig_segment(rig, i));
  sinew_mesh *mesh = sinew_skin_envelope(sinew_host_pose(host), shapes, distance, cell, &error);
  bool ok = mesh ? save(mesh, out) : command_failed(&error);
  sinew_mesh_destroy(mesh);
  free(shapes);
  return ok;
}

typedef struct call {
  const char *rig, *out;
  float distance, cell;
  command_list dofs;
} call;

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "joint.dof=value", OPTION_DOFS, .offset = offsetof(call, dofs),
    "sets a DOF, to keep limbs apart that would grow together" },
  { "-o BODY.obj", OPTION_TEXT, .offset = offsetof(call, out), "the file to write",
    .required = true },
  { "--distance METRES", OPTION_FLOAT, .offset = offsetof(call, distance),
    "distance from the bones to the surface (0.02)", 1e-9, 1000 },
  { "--cell METRES", OPTION_FLOAT, .offset = offsetof(call, cell),
    "size of the triangles; default: half the distance", 1e-9, 1000 },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { .distance = 0.02f };
  if (!command_read(&command_skin, options, argc, argv, &c)) return EXIT_CALL;
  sinew_host *host = command_open(c.rig);
  if (!host) return EXIT_RIG;
  int code = command_pose(host, &c.dofs);
  if (code == EXIT_FINE && !make(host, c.distance, c.cell > 0 ? c.cell : c.distance / 2, c.out))
    code = EXIT_RIG;
  sinew_host_destroy(host);
  return code;
}

const command command_skin = {
  .name = "skin",
  .doc = "makes a body for a rig: the surface around its bones",
  .options = options,
  .help = "`sinew-viewer RIG --skin BODY.obj` shows the body moving with the rig; give the same\n"
          "DOFs there with --skin-at.\n",
  .example = "sinew skin rigs/knee.lua -o body.obj",
  .run = run,
};
