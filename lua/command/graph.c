/* sinew graph: the network as Graphviz, joint set by joint set, as figures 8 to 11 of [Shao 2003]
 * draw it. */
#include "lua/command/command.h"

#include <string.h>

static void label(const char *text) {
  for (size_t length; *text; text += length) {
    if (*text == '"' || *text == '\\') command_print("\\%c", *text++);
    length = strcspn(text, "\"\\");
    command_print("%.*s", (int)length, text);
  }
}

static const char *own_part(const char *full) {
  const char *dot = full;
  for (const char *p = full; *p; p++)
    if (*p == '.') dot = p + 1;
  return dot;
}

static void print_set(const sinew_rig *rig, uint32_t set) {
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    if (dof.joint_set.id != set) continue;
    command_print("    d%d [shape=oval, style=filled, fillcolor=\"#ffe9a8\", label=\"", i + 1);
    label(own_part(dof.name));
    command_print("\\n%g .. %g\"];\n", (double)dof.min, (double)dof.max);
  }
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component_info c = sinew_rig_component_info(rig, sinew_rig_component(rig, i));
    if (c.joint_set.id != set) continue;
    command_print("    c%d [label=\"", i + 1);
    label(own_part(c.name));
    command_print("\\n%s\"];\n", c.component_class->name);
  }
}

static void print_wires(const sinew_rig *rig) {
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component id = sinew_rig_component(rig, i);
    sinew_component_info c = sinew_rig_component_info(rig, id);
    for (int k = 0; k < c.input_count; k++) {
      sinew_source source = sinew_rig_input(rig, id, k);
      char input[128], output[128];
      sinew_rig_input_name(rig, id, k, input, sizeof input);
      if (source.dof.id) {
        command_print("  d%u -> c%d [label=\"", source.dof.id, i + 1);
      } else if (source.component.id) {
        sinew_rig_output_name(rig, source.component, source.output, output, sizeof output);
        command_print("  c%u -> c%d [label=\"", source.component.id, i + 1);
        label(output);
        command_print(" > ");
      } else {
        continue;
      }
      label(input);
      command_print("\"];\n");
    }
  }
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment_info s = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    if (!s.driver.id) continue;
    command_print("  s%d [shape=box3d, style=filled, fillcolor=\"#e8e4da\", label=\"", i + 1);
    label(s.name);
    command_print("\"];\n  c%u -> s%d [style=bold];\n", s.driver.id, i + 1);
  }
}

static const command_option options[] = { { "RIG", OPTION_ARGUMENT, .offset = 0 },
                                          { .name = NULL } };

static int run(int argc, char **argv) {
  const char *path;
  if (!command_read(&command_graph, options, argc, argv, &path)) return EXIT_CALL;
  sinew_host *host = command_open(path);
  if (!host) return EXIT_RIG;
  const sinew_rig *rig = sinew_host_rig(host);
  command_print("digraph \"");
  label(sinew_rig_name(rig));
  command_print("\" {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n"
                "  edge [fontname=\"sans-serif\", fontsize=9];\n");
  print_set(rig, 0);
  for (int i = 0; i < sinew_rig_joint_set_count(rig); i++) {
    command_print("  subgraph cluster_%d {\n    label=\"", i + 1);
    label(sinew_rig_joint_set_name(rig, sinew_rig_joint_set(rig, i)));
    command_print("\";\n");
    print_set(rig, (uint32_t)i + 1);
    command_print("  }\n");
  }
  print_wires(rig);
  command_print("}\n");
  sinew_host_destroy(host);
  return EXIT_FINE;
}

const command command_graph = {
  .name = "graph",
  .doc = "prints the network for Graphviz",
  .options = options,
  .example = "sinew graph rigs/knee.lua > knee.dot",
  .run = run,
};
