/* sinew explain: which component held what back, and by how much. */
#include "lua/command/command.h"

#include <stdlib.h>

/* the bound that held a value, if it is a formula; NULL: it is not */
static const char *bound_of(const sinew_rig *rig, const sinew_hold *hold, char *dest,
                            size_t capacity) {
  const sinew_component_class *cls = sinew_rig_component_info(rig, hold->component).component_class;
  const sinew_param_desc *low = sinew_class_param_marked(cls, SINEW_PARAM_BOUND, NULL);
  const sinew_param_desc *high = low ? sinew_class_param_marked(cls, SINEW_PARAM_BOUND, low) : NULL;
  const sinew_param_desc *bound = hold->amount > 0 ? low : high;
  bool said = bound && sinew_rig_formula(rig, hold->component, bound->name, dest, capacity);
  return said ? dest : NULL;
}

static void print_source(const sinew_rig *rig, sinew_source from) {
  if (from.dof.id)
    printf("%s", sinew_rig_dof_info(rig, from.dof).name);
  else if (from.component.id)
    printf("%s", sinew_rig_component_info(rig, from.component).name);
  else
    printf("a constant");
}

/* "wing_r.flap is held to 21 (60 wanted) by its limit, at most 65 - 55 fold" */
static void print_limit(const sinew_pose *pose, const sinew_hold *hold, const char *bound) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  sinew_component_info info = sinew_rig_component_info(rig, hold->component);
  double wanted = (double)*sinew_pose_input(pose, hold->component, 0);
  print_source(rig, sinew_rig_input(rig, hold->component, 0));
  printf(" is held to %g (%g wanted) by %s, at %s %s", wanted + (double)hold->amount, wanted,
         hold->doc, hold->amount > 0 ? "least" : "most", bound);
  if (info.origin) printf(" (%s)", info.origin);
  printf("\n");
}

static void print_hold(const sinew_pose *pose, const sinew_hold *hold) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  const char *way = hold->amount > 0 ? "raised" : "lowered";
  double by = hold->amount > 0 ? (double)hold->amount : -(double)hold->amount;
  if (hold->dof.id) {
    sinew_dof_info dof = sinew_rig_dof_info(rig, hold->dof);
    printf("DOF '%s' is held at %g: %s by %g by its own range, %g to %g\n", hold->name,
           (double)sinew_pose_get(pose, hold->dof), way, by, (double)dof.min, (double)dof.max);
    return;
  }
  char formula[512];
  const char *bound = bound_of(rig, hold, formula, sizeof formula);
  if (bound) {
    print_limit(pose, hold, bound);
    return;
  }
  sinew_component_info info = sinew_rig_component_info(rig, hold->component);
  printf("%s '%s': '%s' was %s by %g, by %s", info.component_class->name, hold->name, hold->port,
         way, by, hold->doc);
  if (info.origin) printf(" (%s)", info.origin);
  const char *comma = "; moved by ";
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    if (!sinew_rig_depends(rig, hold->component, sinew_rig_dof(rig, i))) continue;
    printf("%s%s", comma, sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).name);
    comma = ", ";
  }
  printf("\n");
}

typedef struct call {
  const char *rig;
  command_list dofs;
} call;

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "joint.dof=value", OPTION_DOFS, .offset = offsetof(call, dofs),
    "sets a DOF; the others stay at rest" },
  { .name = NULL },
};

static bool print_holds(const sinew_pose *pose) {
  int count = sinew_pose_holds(pose, NULL, 0);
  sinew_hold *holds = calloc((size_t)count + 1, sizeof *holds);
  if (!holds) return command_out_of_memory();
  sinew_pose_holds(pose, holds, count);
  for (int i = 0; i < count; i++) print_hold(pose, &holds[i]);
  if (count == 0) printf("nothing is held back\n");
  free(holds);
  return true;
}

static int run(int argc, char **argv) {
  call c;
  if (!command_read(&command_explain, options, argc, argv, &c)) return EXIT_CALL;
  sinew_host *host = command_open(c.rig);
  if (!host) return EXIT_RIG;
  int code = command_pose(host, &c.dofs);
  if (code == EXIT_FINE && !print_holds(sinew_host_pose(host))) code = EXIT_RIG;
  sinew_host_destroy(host);
  return code;
}

const command command_explain = {
  .name = "explain",
  .doc = "lists the limits that change a pose: which component, which port, by how much",
  .options = options,
  .run = run,
};
