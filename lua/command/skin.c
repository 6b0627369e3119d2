/* sinew skin: makes a mesh for a rig that has none, a surface at a distance around its bones; or
 * moves such a mesh, or one of the user's own, with the rig. */
#include "lua/command/body.h"

#include <stdlib.h>

typedef struct call {
  const char *rig, *out, *mesh;
  float distance, cell;
  bool linear;
  command_list dofs, to;
} call;

static bool save(const sinew_mesh *mesh, const float *vertices, const char *out) {
  sinew_error error;
  sinew_surface *surface = sinew_surface_create(
      vertices, (size_t)mesh->vertex_count, mesh->triangles, (size_t)mesh->triangle_count, &error);
  bool ok = surface && sinew_surface_save_obj(surface, out, &error) >= 0;
  sinew_surface_destroy(surface);
  if (!ok) return command_failed(&error);
  command_print("%s: %d vertices, %d triangles\n", out, mesh->vertex_count, mesh->triangle_count);
  return true;
}

static sinew_mesh *make(sinew_host *host, const call *c) {
  sinew_error error;
  sinew_shape *shapes = c->mesh ? NULL : body_shapes(host);
  const float cell = c->cell > 0 ? c->cell : c->distance / 2;
  if (!c->mesh && !shapes) return NULL;
  sinew_mesh *mesh =
      c->mesh ? sinew_mesh_load(c->mesh, &error)
              : sinew_skin_envelope(sinew_host_pose(host), shapes, c->distance, cell, &error);
  if (!mesh) command_failed(&error);
  free(shapes);
  return mesh;
}

/* the exit code */
static int move(sinew_host *host, const call *c, const body *b) {
  int code = command_pose(host, &c->to);
  if (code != EXIT_FINE) return code;
  float *moved = malloc(3 * (size_t)b->mesh->vertex_count * sizeof *moved);
  if (!moved) return command_out_of_memory(), EXIT_RIG;
  sinew_skin_deform(b->skin, sinew_host_pose(host),
                    c->linear ? SINEW_SKIN_LINEAR : SINEW_SKIN_DUAL_QUATERNION, moved, NULL);
  code = save(b->mesh, moved, c->out) ? EXIT_FINE : EXIT_RIG;
  free(moved);
  return code;
}

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "joint.dof=value", OPTION_DOFS, .offset = offsetof(call, dofs),
    "sets a DOF, to keep limbs apart that would grow together" },
  { "-o BODY.obj", OPTION_TEXT, .offset = offsetof(call, out), "the file to write",
    .required = true },
  { "--distance METRES", OPTION_FLOAT, .offset = offsetof(call, distance),
    "distance from the bones to the surface (0.02)", 1e-9, 1000, .without = "--mesh" },
  { "--cell METRES", OPTION_FLOAT, .offset = offsetof(call, cell),
    "size of the triangles; default: half the distance", 1e-9, 1000, .without = "--mesh" },
  { "--mesh MESH", OPTION_TEXT, .offset = offsetof(call, mesh),
    "takes a mesh that is in this pose, instead of making one" },
  { "--to DOF=VALUE", OPTION_LIST, .offset = offsetof(call, to),
    "writes the body as it is after this DOF has moved; may be repeated" },
  { "--linear", OPTION_FLAG, .offset = offsetof(call, linear),
    "moves it by linear blend skinning, not by dual quaternions", .with = "--to" },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { .distance = 0.02f };
  if (!command_read(&command_skin, options, argc, argv, &c)) return EXIT_CALL;
  if (!command_ends_with(c.out, ".obj"))
    return command_misused(&command_skin, "'-o' expects a file that ends with .obj");
  sinew_host *host = command_open(c.rig);
  if (!host) return EXIT_RIG;
  int code = command_pose(host, &c.dofs);
  body b = { 0 };
  if (code == EXIT_FINE) code = body_bind(host, make(host, &c), &b) ? move(host, &c, &b) : EXIT_RIG;
  body_free(&b);
  sinew_host_destroy(host);
  return code;
}

const command command_skin = {
  .name = "skin",
  .doc = "makes a body for a rig: the surface around its bones",
  .options = options,
  .help = "Limbs that touch are parted where poses take them apart; what stays fused is reported.\n"
          "`sinew-viewer RIG --skin BODY.obj` shows the body moving with the rig; give the same\n"
          "DOFs there with --skin-at. `sinew export RIG BODY.glb --skin BODY.obj` writes it with\n"
          "its weights.\n",
  .example = "sinew skin rigs/knee.lua -o body.obj",
  .run = run,
};
