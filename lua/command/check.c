/* sinew check: compiles a rig and lists it; with --fuzz N tries N random poses. */
#include "base/names.h"
#include "lua/command/fuzz.h"

#include "base/text.h"

#include <string.h>

/* the unit in which wires carry what is declared in another */
static const char *carried(const char *unit) {
  if (strcmp(unit, "rad") == 0) return " deg";
  return strcmp(unit, "cm") == 0 || strcmp(unit, "mm") == 0 ? " m" : "";
}

static void list_ports(const sinew_port_desc *ports, const char *what) {
  for (; ports && ports->name; ports++) {
    command_print("    %-9s %s", what, ports->name);
    if (ports->kind != SINEW_SCALAR) command_print(" (%s)", sinew_kind_name(ports->kind));
    if (*ports->unit) command_print(" (%s)", ports->unit);
    if (ports->flags & SINEW_PORT_OPTIONAL && ports->kind == SINEW_SCALAR)
      command_print(" = %g%s", (double)ports->fallback, carried(ports->unit));
    command_print("%s%s\n", *ports->doc ? ": " : "", ports->doc);
  }
}

/* what a script says of a kind that it defines */
static void list_kind(const sinew_component_class *cls) {
  command_print("  kind      %-28s %s\n", cls->name, cls->doc);
  list_ports(cls->inputs, "input");
  list_ports(cls->outputs, "output");
  for (const sinew_param_desc *p = cls->params; p && p->name; p++) {
    if (strcmp(p->name, "self") == 0) continue; /* the object behind it */
    command_print("    parameter %s", p->name);
    if (*p->unit && p->type != SINEW_PARAM_OBJECT) command_print(" (%s)", p->unit);
    command_print(": %s, %s\n", sinew_param_type_name(p->type), p->doc);
  }
  for (const sinew_hold_desc *h = cls->holds; h && h->port; h++)
    command_print("    holds     %s: %s\n", h->port, h->doc);
}

static void list_kinds(const sinew_rig *rig) {
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    const sinew_component_class *cls =
        sinew_rig_component_info(rig, sinew_rig_component(rig, i)).component_class;
    bool seen = sinew_catalog_has(cls);
    for (int k = 0; k < i && !seen; k++)
      seen = sinew_rig_component_info(rig, sinew_rig_component(rig, k)).component_class == cls;
    if (!seen) list_kind(cls);
  }
}

/* how a scripted component runs: as a program, or in Lua and why */
static void list_recorded(const sinew_host *host, sinew_component component,
                          const sinew_component_class *cls) {
  const char *why;
  int count = sinew_host_recorded(host, component, &why);
  if (count >= 0) command_print(", recorded: %d operation%s", count, si_plural(count));
  if (!why) return;
  command_print(", scripted, derivative by %s%s%s",
                cls->try_tangent ? "dual numbers" : "differences", *why ? ", not recorded: " : "",
                why);
}

static void list(const sinew_host *host) {
  const sinew_rig *rig = sinew_host_rig(host);
  const int segments = sinew_rig_segment_count(rig), dofs = sinew_rig_dof_count(rig);
  const int components = sinew_rig_component_count(rig), sets = sinew_rig_joint_set_count(rig);
  double mass = 0;
  for (int i = 0; i < segments; i++)
    mass += (double)sinew_rig_segment_info(rig, sinew_rig_segment(rig, i)).mass;
  command_print("rig '%s': %d segment%s, %d DOF%s, %d component%s in %d joint set%s",
                sinew_rig_name(rig), segments, si_plural(segments), dofs, si_plural(dofs),
                components, si_plural(components), sets, si_plural(sets));
  if (mass > 0) command_print(", %.6g kg", mass);
  command_print("\n");
  command_list_options(host, "  ");
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment_info s = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    command_print("  segment   %-28s %s%s%s", s.name, s.parent.id ? "in " : "root",
                  s.parent.id ? sinew_rig_segment_info(rig, s.parent).name : "",
                  s.driver.id ? "" : ", undriven");
    if (s.mass > 0) command_print(", %.4g kg", (double)s.mass);
    command_print("\n");
  }
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof_info d = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    command_print("  DOF       %-28s %g to %g %s, rest %g", d.name, (double)d.min, (double)d.max,
                  d.unit, (double)d.rest);
    if (d.stiffness > 0) command_print(", stiffness %g", (double)d.stiffness);
    command_print("\n");
  }
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component_info c = sinew_rig_component_info(rig, sinew_rig_component(rig, i));
    command_print("  component %-28s %s", c.name, c.component_class->name);
    list_recorded(host, sinew_rig_component(rig, i), c.component_class);
    command_print("\n");
  }
  list_kinds(rig);
  if (*sinew_rig_warnings(rig)) command_print("warnings:\n%s\n", sinew_rig_warnings(rig));
}

typedef struct call {
  const char *rig;
  bool quiet;
  fuzz_options fuzz;
} call;

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "--fuzz N", OPTION_INT64, .offset = offsetof(call, fuzz.poses),
    "evaluates N random poses and checks each: all values are finite, every\n"
    "limit holds, the same DOFs give the same bits again, and a small step of\n"
    "a DOF causes no jump; prints the smallest counterexample",
    1, 1e12 },
  { "--seed S", OPTION_INT64, .offset = offsetof(call, fuzz.seed), "seed of the random poses (1)",
    0, 1e15, .with = "--fuzz" },
  { "--jump DEGREES", OPTION_DOUBLE, .offset = offsetof(call, fuzz.jump_degrees),
    "a jump is a larger rotation of a segment, however small the step (1)", 0, 180,
    .with = "--fuzz" },
  { "--jump-length METRES", OPTION_DOUBLE, .offset = offsetof(call, fuzz.jump_metres),
    "or a larger movement of its origin (0.002)", 0, 1e30, .with = "--fuzz" },
  { "--quiet", OPTION_FLAG, .offset = offsetof(call, quiet), "does not list the parts of the rig" },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { .fuzz = { .seed = 1, .jump_degrees = 1, .jump_metres = 0.002 } };
  if (!command_read(&command_check, options, argc, argv, &c)) return EXIT_CALL;
  sinew_host *host = command_open(c.rig);
  if (!host) return EXIT_RIG;
  if (!c.quiet) list(host);
  bool fine = !c.fuzz.poses || fuzz_rig(host, &c.fuzz);
  sinew_host_destroy(host);
  return fine ? EXIT_FINE : EXIT_RIG;
}

const command command_check = {
  .name = "check",
  .doc = "compiles a rig and lists its parts; with --fuzz tries random poses",
  .options = options,
  .example = "sinew check rigs/knee.lua --fuzz 1000",
  .run = run,
};
