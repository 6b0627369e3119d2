/* Copies a rig without its inner limits, to measure their cost: a cone over two rotations becomes
 * their product with the twist, and a bounding dependency passes its input through. */
#include "bench.h"
#include "bench_rigs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_wires = 32, most_params = 64, room = 256 };

typedef struct copying {
  const sinew_rig *rig;
  sinew_builder *b;
  sinew_joint_set sets[64];
} copying;

static bool is_kind(const sinew_rig *rig, sinew_component c, const char *kind) {
  return strcmp(sinew_rig_component_info(rig, c).component_class->name, kind) == 0;
}

static int find_input(const sinew_rig *rig, sinew_component c, const char *wanted) {
  char name[64];
  for (int i = 0; i < sinew_rig_component_info(rig, c).input_count; i++) {
    sinew_rig_input_name(rig, c, i, name, sizeof name);
    if (strcmp(name, wanted) == 0) return i;
  }
  return -1;
}

static const char *text_param(const sinew_rig *rig, sinew_component c, const char *wanted) {
  for (int i = 0; i < sinew_rig_component_info(rig, c).param_count; i++) {
    const sinew_param *p = sinew_rig_param(rig, c, i);
    if (strcmp(p->name, wanted) == 0) return p->text;
  }
  return NULL;
}

static bool has_param(const sinew_rig *rig, sinew_component c, const char *wanted) {
  for (int i = 0; i < sinew_rig_component_info(rig, c).param_count; i++)
    if (strcmp(sinew_rig_param(rig, c, i)->name, wanted) == 0) return true;
  return false;
}

static bool is_cone(const sinew_rig *rig, sinew_component c) {
  return is_kind(rig, c, "cone") && has_param(rig, c, "rotation1");
}

static bool only_bounds(const sinew_rig *rig, sinew_component c) {
  return is_kind(rig, c, "dependency") &&
         (has_param(rig, c, "lower") || has_param(rig, c, "upper"));
}

/* the source of a value in the copy, past any limits */
static sinew_source behind(const sinew_rig *rig, sinew_source s) {
  while (s.component.id) {
    char output[64];
    sinew_rig_output_name(rig, s.component, s.output, output, sizeof output);
    int input = only_bounds(rig, s.component) ? find_input(rig, s.component, "passive")
                : is_cone(rig, s.component)   ? find_input(rig, s.component, output)
                                              : -1;
    if (input < 0) return s;
    s = sinew_rig_input(rig, s.component, input);
  }
  return s;
}

/* its full name in the copy */
static const char *source_name(const sinew_rig *rig, sinew_source s, char *dest) {
  char output[64];
  s = behind(rig, s);
  if (s.dof.id) {
    snprintf(dest, room, ".%s", sinew_rig_dof_info(rig, s.dof).name);
  } else if (is_cone(rig, s.component)) {
    snprintf(dest, room, ".%s", sinew_rig_component_info(rig, s.component).name);
  } else {
    sinew_rig_output_name(rig, s.component, s.output, output, sizeof output);
    snprintf(dest, room, ".%s.%s", sinew_rig_component_info(rig, s.component).name, output);
  }
  return dest;
}

static const char *last_name(const char *full) {
  const char *dot = strrchr(full, '.');
  return dot ? dot + 1 : full;
}

static void add(const copying *c, const sinew_component_desc *desc) {
  sinew_error error;
  bench_check(sinew_builder_add_component(c->b, desc, &error).id != 0, &error);
}

static void copy_cone(const copying *c, sinew_component from) {
  sinew_component_info info = sinew_rig_component_info(c->rig, from);
  sinew_joint_set set = info.joint_set.id ? c->sets[info.joint_set.id - 1] : info.joint_set;
  char names[3][room], twist[room], twisting[room];
  sinew_wire wires[3];
  for (int i = 0; i < 2; i++) {
    const char *rotation = text_param(c->rig, from, i ? "rotation2" : "rotation1");
    const char *prefix = info.joint_set.id ? sinew_rig_joint_set_name(c->rig, info.joint_set) : "";
    bool full = strchr(rotation, '.') != NULL;
    snprintf(names[i], room, ".%s%s%s", full ? "" : prefix, full || !*prefix ? "" : ".", rotation);
    wires[i] = sinew_wire_name("matrix", names[i]);
  }
  int input = find_input(c->rig, from, "twist"), factors = 2;
  sinew_source turned = behind(c->rig, sinew_rig_input(c->rig, from, input));
  if (turned.dof.id || turned.component.id) {
    const float *rest = (const float[]){ 0, 1, 0 };
    for (int i = 0; i < info.param_count; i++) {
      const sinew_param *p = sinew_rig_param(c->rig, from, i);
      if (strcmp(p->name, "rest") == 0) rest = p->number;
    }
    snprintf(twisting, room, "%s twist", last_name(info.name));
    sinew_param axis = sinew_param_vector("axis", rest[0], rest[1], rest[2]);
    sinew_wire wire = sinew_wire_name("angle", source_name(c->rig, turned, twist));
    add(c, &(sinew_component_desc){ .size = sizeof(sinew_component_desc),
                                    .kind = "rotation",
                                    .name = twisting,
                                    .joint_set = set,
                                    .wires = &wire,
                                    .wire_count = 1,
                                    .params = &axis,
                                    .param_count = 1 });
    wires[factors++] = sinew_wire_name("matrix", twisting);
  }
  add(c, &(sinew_component_desc){ .size = sizeof(sinew_component_desc),
                                  .kind = "multiply",
                                  .name = last_name(info.name),
                                  .joint_set = set,
                                  .wires = wires,
                                  .wire_count = factors });
}

/* the port of an input; items of a list are the list's name and a number */
static const sinew_port_desc *port_of(const sinew_port_desc *ports, const char *name) {
  for (; ports[1].name; ports++) {
    size_t length = strlen(ports->name);
    if (strcmp(ports->name, name) == 0) break;
    if ((ports->flags & SINEW_PORT_LIST) && strncmp(ports->name, name, length) == 0) break;
  }
  return ports;
}

static void copy_component(const copying *c, sinew_component from) {
  sinew_component_info info = sinew_rig_component_info(c->rig, from);
  sinew_wire wires[most_wires];
  sinew_param params[most_params];
  char inputs[most_wires][64], names[most_wires][room];
  int used = 0;
  if (only_bounds(c->rig, from)) return;
  if (is_cone(c->rig, from)) {
    copy_cone(c, from);
    return;
  }
  const sinew_port_desc *ports = info.component_class->inputs;
  for (int i = 0; i < info.input_count && used < most_wires; i++) {
    sinew_source s = sinew_rig_input(c->rig, from, i);
    const float *constant = sinew_rig_constant(c->rig, from, i);
    sinew_rig_input_name(c->rig, from, i, inputs[used], sizeof inputs[used]);
    const sinew_port_desc *port = port_of(ports, inputs[used]);
    snprintf(inputs[used], sizeof inputs[used], "%s", port->name);
    wires[used] = (sinew_wire){ .input = inputs[used] };
    if (s.dof.id || s.component.id) {
      wires[used].from = source_name(c->rig, s, names[used]);
    } else if (constant) {
      static const size_t numbers[] = { 1, 3, 16 };
      memcpy(wires[used].constant, constant, numbers[port->kind] * sizeof *constant);
    } else {
      continue;
    }
    used++;
  }
  for (int i = 0; i < info.param_count && i < most_params; i++)
    params[i] = *sinew_rig_param(c->rig, from, i);
  add(c, &(sinew_component_desc){ .size = sizeof(sinew_component_desc),
                                  .kind = info.component_class->name,
                                  .name = last_name(info.name),
                                  .joint_set = info.joint_set.id ? c->sets[info.joint_set.id - 1]
                                                                 : info.joint_set,
                                  .wires = wires,
                                  .wire_count = used,
                                  .params = params,
                                  .param_count = info.param_count });
}

sinew_rig *bench_without_limits(const sinew_rig *rig) {
  sinew_error error;
  copying c = { .rig = rig, .b = sinew_builder_create(sinew_rig_name(rig), &error) };
  for (int i = 0; i < sinew_rig_joint_set_count(rig) && i < 64; i++)
    c.sets[i] = sinew_builder_add_joint_set(
        c.b, sinew_rig_joint_set_name(rig, sinew_rig_joint_set(rig, i)), NULL, &error);
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof_info info = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    sinew_dof_desc desc = { .size = sizeof desc,
                            .name = last_name(info.name),
                            .min = info.min,
                            .max = info.max,
                            .rest = info.rest,
                            .rest_given = true,
                            .unit = info.unit };
    if (info.joint_set.id) desc.joint_set = c.sets[info.joint_set.id - 1];
    bench_check(sinew_builder_add_dof(c.b, &desc, &error).id != 0, &error);
  }
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment_info info = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    sinew_segment_desc desc = { .size = sizeof desc, .name = info.name };
    if (info.parent.id) desc.parent = sinew_rig_segment_info(rig, info.parent).name;
    memcpy(desc.rest, info.rest, sizeof desc.rest);
    bench_check(sinew_builder_add_segment(c.b, &desc, &error).id != 0, &error);
  }
  for (int i = 0; i < sinew_rig_component_count(rig); i++)
    copy_component(&c, sinew_rig_component(rig, i));
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment_info info = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    char name[room];
    sinew_source driver = { .component = info.driver, .output = info.driver_output };
    if (!info.driver.id) continue;
    bench_check(sinew_builder_drive(c.b, sinew_rig_segment(rig, i),
                                    source_name(rig, driver, name) + 1, NULL, &error) >= 0,
                &error);
  }
  sinew_rig *free_rig = sinew_builder_compile(c.b, &error);
  bench_check(free_rig != NULL, &error);
  sinew_builder_destroy(c.b);
  return free_rig;
}
