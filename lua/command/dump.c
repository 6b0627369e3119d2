/* sinew dump: the compiled program, a line for each component in the order of evaluation. */
#include "base/text.h"
#include "lua/command/command.h"

static void print_source(const sinew_rig *rig, sinew_source source) {
  char name[128];
  if (source.dof.id) {
    command_print("%s", sinew_rig_dof_info(rig, source.dof).name);
  } else if (source.component.id) {
    sinew_rig_output_name(rig, source.component, source.output, name, sizeof name);
    command_print("%s.%s", sinew_rig_component_info(rig, source.component).name, name);
  } else {
    command_print("constant");
  }
}

static const command_option options[] = { { "RIG", OPTION_ARGUMENT, .offset = 0 },
                                          { .name = NULL } };

static int run(int argc, char **argv) {
  const char *path;
  if (!command_read(&command_dump, options, argc, argv, &path)) return EXIT_CALL;
  sinew_host *host = command_open(path);
  if (!host) return EXIT_RIG;
  const sinew_rig *rig = sinew_host_rig(host);
  const int segments = sinew_rig_segment_count(rig), dofs = sinew_rig_dof_count(rig);
  const int components = sinew_rig_component_count(rig);
  command_print("rig '%s': %d segment%s, %d DOF%s, %d component%s; %zu bytes, %zu for each pose\n",
                sinew_rig_name(rig), segments, si_plural(segments), dofs, si_plural(dofs),
                components, si_plural(components), sinew_rig_bytes(rig), sinew_rig_pose_bytes(rig));
  command_list_options(host, "");
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component id = sinew_rig_order(rig, i);
    sinew_component_info c = sinew_rig_component_info(rig, id);
    command_print("%4d  %-12s %-28s", i + 1, c.component_class->name, c.name);
    for (int k = 0; k < c.input_count; k++) {
      char input[128];
      sinew_rig_input_name(rig, id, k, input, sizeof input);
      command_print(" %s=", input);
      print_source(rig, sinew_rig_input(rig, id, k));
    }
    command_print("\n");
  }
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment_info s = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    command_print("segment %-28s", s.name);
    if (s.parent.id) command_print(" in %s", sinew_rig_segment_info(rig, s.parent).name);
    if (s.driver.id) {
      command_print(" driven by ");
      print_source(rig, (sinew_source){ .component = s.driver, .output = s.driver_output });
    }
    command_print("\n");
  }
  sinew_host_destroy(host);
  return EXIT_FINE;
}

const command command_dump = {
  .name = "dump",
  .doc = "prints the compiled program: components in order, and what drives each segment",
  .options = options,
  .example = "sinew dump rigs/knee.lua",
  .run = run,
};
