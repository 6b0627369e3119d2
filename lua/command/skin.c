/* sinew skin: a body for a rig that has none, the surface at a distance around its bones. */
#include "lua/command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool failed(const sinew_error *error) {
  fprintf(stderr, "sinew: %s\n", error->text);
  return false;
}

static bool save(const sinew_mesh *mesh, const char *out) {
  sinew_error error;
  sinew_surface *surface =
      sinew_surface_create(mesh->vertices, (size_t)mesh->vertex_count, mesh->triangles,
                           (size_t)mesh->triangle_count, &error);
  bool ok = surface && sinew_surface_save_obj(surface, out, &error) >= 0;
  sinew_surface_destroy(surface);
  if (!ok) return failed(&error);
  printf("%s: %d vertices, %d triangles\n", out, mesh->vertex_count, mesh->triangle_count);
  return true;
}

static bool make(sinew_host *host, float distance, float cell, const char *out) {
  sinew_error error;
  const sinew_rig *rig = sinew_host_rig(host);
  const int count = sinew_rig_segment_count(rig);
  sinew_shape *shapes = calloc((size_t)count + 1, sizeof *shapes);
  if (!shapes) {
    fprintf(stderr, "sinew: out of memory\n");
    return false;
  }
  for (int i = 0; i < count; i++) shapes[i] = sinew_host_shape(host, sinew_rig_segment(rig, i));
  sinew_mesh *mesh = sinew_skin_envelope(sinew_host_pose(host), shapes, distance, cell, &error);
  bool ok = mesh ? save(mesh, out) : failed(&error);
  sinew_mesh_destroy(mesh);
  free(shapes);
  return ok;
}

static int run(int argc, char **argv) {
  const char *rig = NULL, *out = NULL;
  float distance = 0.02f, cell = 0;
  for (int i = 0; i < argc; i++) {
    const bool last = i + 1 == argc;
    char *end = NULL;
    if (strcmp(argv[i], "-o") == 0) {
      if (last) return command_misused(&command_skin, "'-o' wants a file");
      out = argv[++i];
    } else if (strcmp(argv[i], "--distance") == 0 || strcmp(argv[i], "--cell") == 0) {
      float value = last ? 0 : strtof(argv[i + 1], &end);
      if (!end || *end || end == argv[i + 1] || !(value > 0 && value <= 1000))
        return command_misused(&command_skin, "'%s' wants metres above 0", argv[i]);
      *(argv[i][2] == 'd' ? &distance : &cell) = value;
      i++;
    } else if (argv[i][0] == '-') {
      return command_misused(&command_skin, "no option '%s'", argv[i]);
    } else if (command_is_dof(argv[i])) {
      continue;
    } else if (rig) {
      return command_misused(&command_skin, "one rig, not also '%s'", argv[i]);
    } else {
      rig = argv[i];
    }
  }
  if (!rig) return command_misused(&command_skin, "which rig?");
  if (!out) return command_misused(&command_skin, "'-o' wants a file");
  sinew_host *host = command_open(rig);
  if (!host) return EXIT_RIG;
  bool ok = true;
  for (int i = 0; ok && i < argc; i++)
    if (command_is_dof(argv[i])) ok = command_set_dof(host, argv[i]);
  ok = ok && command_eval_pose(host) && make(host, distance, cell > 0 ? cell : distance / 2, out);
  sinew_host_destroy(host);
  return ok ? EXIT_FINE : EXIT_RIG;
}

const command command_skin = {
  .name = "skin",
  .usage = "RIG [joint.dof=value ...] -o BODY.obj [--distance METRES] [--cell METRES]",
  .doc = "makes a body for a rig: the surface around its bones",
  .help = "  -o BODY.obj        what to write; an old file is replaced whole\n"
          "  --distance METRES  how far it stands off the bones (0.02)\n"
          "  --cell METRES      the size of its triangles; else half the distance\n\n"
          "DOFs keep limbs apart that would grow together. `sinew-viewer RIG --skin BODY.obj`\n"
          "shows it moving with the rig; --skin-at names the same DOFs there.\n",
  .run = run,
};
