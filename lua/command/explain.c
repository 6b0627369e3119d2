/* sinew explain: what was held back, to which value, and by what. */
#include "lua/command/command.h"

#include <stdlib.h>
#include <string.h>

/* What arrives at a port, in the author's words: a DOF, where nothing but limits and a change of
 * sign (of a mirrored side) lies between; else the component that it comes from. */
typedef struct subject {
  char name[256];
  double sign; /* -1 where the value is minus the subject's */
} subject;

/* whether an output is minus the first input, whatever that is */
static bool negates(const sinew_rig *rig, sinew_source from) {
  char name[128];
  sinew_rig_output_name(rig, from.component, from.output, name, sizeof name);
  const sinew_param *param = sinew_rig_find_param(rig, from.component, name);
  if (!param || param->type != SINEW_PARAM_CURVE) return false;
  for (float x = -200; x <= 200; x += 100)
    if (sinew_curve_eval(param->curve, x, NULL) != -x) return false;
  return true;
}

static subject subject_of(const sinew_rig *rig, sinew_source from) {
  subject s = { .sign = 1 };
  for (bool more = true; more && from.component.id;) {
    sinew_component_info info = sinew_rig_component_info(rig, from.component);
    more = info.input_count == 1 && negates(rig, from);
    if (more) {
      s.sign = -s.sign;
      from = sinew_rig_input(rig, from.component, 0);
      continue;
    }
    for (int i = 0; i < info.input_count && !more; i++) {
      if (sinew_rig_passed_to(rig, from.component, i) != from.output) continue;
      from = sinew_rig_input(rig, from.component, i);
      more = true;
    }
  }
  if (from.dof.id) {
    snprintf(s.name, sizeof s.name, "%s", sinew_rig_dof_info(rig, from.dof).name);
  } else if (from.component.id) {
    char output[128];
    sinew_component_info info = sinew_rig_component_info(rig, from.component);
    sinew_rig_output_name(rig, from.component, from.output, output, sizeof output);
    bool one = info.output_count == 1;
    snprintf(s.name, sizeof s.name, "%s%s%s", info.name, one ? "" : ".", one ? "" : output);
  } else {
    snprintf(s.name, sizeof s.name, "a constant");
  }
  return s;
}

static int input_named(const sinew_rig *rig, sinew_component component, const char *name) {
  char port[128];
  for (int i = 0; i < sinew_rig_component_info(rig, component).input_count; i++) {
    sinew_rig_input_name(rig, component, i, port, sizeof port);
    if (strcmp(port, name) == 0) return i;
  }
  return -1;
}

/* "its limit, at most 65 - 55 fold", "its upper bound at hip.flexion = 110", or what the class says
 */
static void print_cause(const sinew_pose *pose, const sinew_hold *hold) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  const sinew_component_class *cls = sinew_rig_component_info(rig, hold->component).component_class;
  const sinew_param_desc *low = sinew_class_param_marked(cls, SINEW_PARAM_BOUND, NULL);
  const sinew_param_desc *high = low ? sinew_class_param_marked(cls, SINEW_PARAM_BOUND, low) : NULL;
  const sinew_param_desc *bound = hold->amount > 0 ? low : high;
  char formula[512];
  int active = sinew_class_input_marked(cls, SINEW_PORT_BOUNDING);
  if (bound && sinew_rig_formula(rig, hold->component, bound->name, formula, sizeof formula)) {
    printf("%s, at %s %s", hold->doc, hold->amount > 0 ? "least" : "most", formula);
  } else if (active >= 0) {
    subject by = subject_of(rig, sinew_rig_input(rig, hold->component, active));
    printf("its %s bound at %s = %.5g", hold->amount > 0 ? "lower" : "upper", by.name,
           by.sign * (double)*sinew_pose_input(pose, hold->component, active));
  } else {
    printf("%s", hold->doc);
  }
}

/* " ('hip.reach', hip.lua:50)" */
static void print_place(const sinew_rig *rig, sinew_component component) {
  sinew_component_info info = sinew_rig_component_info(rig, component);
  printf(" ('%s'%s%s)\n", info.name, info.origin ? ", " : "", info.origin ? info.origin : "");
}

/* "hip.flexion is held to 95 (110 wanted) by the reach cone ('hip.reach', hip.lua:50)"; false, with
 * nothing printed, where the two numbers read the same */
static bool print_held(const sinew_pose *pose, const sinew_hold *hold, int input, double wanted,
                       double given) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  subject s = subject_of(rig, sinew_rig_input(rig, hold->component, input));
  char to[32], from[32];
  snprintf(to, sizeof to, "%.5g", s.sign * given + 0);
  snprintf(from, sizeof from, "%.5g", s.sign * wanted + 0);
  if (strcmp(to, from) == 0) return false;
  printf("%s is held to %s (%s wanted) by ", s.name, to, from);
  print_cause(pose, hold);
  print_place(rig, hold->component);
  return true;
}

/* what is held elsewhere than at a scalar input: "the swing of 'hip.reach' is held 12 short by the
 * reach cone; moved by hip.flexion" */
static void print_other(const sinew_pose *pose, const sinew_hold *hold) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  double by = hold->amount > 0 ? (double)hold->amount : -(double)hold->amount;
  if (input_named(rig, hold->component, hold->port) >= 0)
    printf("%s is held %.5g short by %s", hold->port, by, hold->doc);
  else
    printf("%s by %.5g", hold->doc, by);
  const char *comma = "; moved by ";
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    if (!sinew_rig_depends(rig, hold->component, sinew_rig_dof(rig, i))) continue;
    printf("%s%s", comma, sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).name);
    comma = ", ";
  }
  print_place(rig, hold->component);
}

static void print_range(const sinew_pose *pose, const sinew_hold *hold) {
  sinew_dof_info dof = sinew_rig_dof_info(sinew_pose_rig(pose), hold->dof);
  double given = (double)sinew_pose_get(pose, hold->dof);
  printf("%s is held to %.5g (%.5g wanted) by its range, %g to %g\n", hold->name, given,
         given - (double)hold->amount, (double)dof.min, (double)dof.max);
}

static const sinew_hold *hold_on(const sinew_rig *rig, const sinew_hold *holds, int count,
                                 int input) {
  for (int i = 0; i < count; i++)
    if (input_named(rig, holds[i].component, holds[i].port) == input) return &holds[i];
  return NULL;
}

/* All holds of one component. Every scalar that passes through it says what became of it; what is
 * held is told by itself only if that told nothing. */
static void print_component(const sinew_pose *pose, const sinew_hold *holds, int count) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  sinew_component c = holds->component;
  int inputs = sinew_rig_component_info(rig, c).input_count;
  bool told = false;
  for (int i = 0; i < inputs; i++) {
    int output = sinew_rig_passed_to(rig, c, i);
    if (output < 0) continue;
    const sinew_hold *own = hold_on(rig, holds, count, i);
    told |= print_held(pose, own ? own : holds, i, (double)*sinew_pose_input(pose, c, i),
                       (double)*sinew_pose_value(pose, c, output));
  }
  for (int h = 0; h < count && !told; h++) {
    int input = input_named(rig, c, holds[h].port);
    sinew_source from = input >= 0 ? sinew_rig_input(rig, c, input) : (sinew_source){ .output = 0 };
    bool scalar =
        from.dof.id || (from.component.id &&
                        sinew_rig_output_kind(rig, from.component, from.output) == SINEW_SCALAR);
    double wanted = scalar ? (double)*sinew_pose_input(pose, c, input) : 0;
    if (!scalar || !print_held(pose, &holds[h], input, wanted, wanted + (double)holds[h].amount))
      print_other(pose, &holds[h]);
  }
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
  for (int i = 0; i < count;) {
    int next = i + 1;
    while (next < count && holds[i].component.id &&
           holds[next].component.id == holds[i].component.id)
      next++;
    if (holds[i].dof.id)
      print_range(pose, &holds[i]);
    else
      print_component(pose, &holds[i], next - i);
    i = next;
  }
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
  .doc = "lists what limits hold back in a pose: to which value, which was wanted, by what",
  .options = options,
  .example = "sinew explain rigs/human.lua right_hip.flexion=110",
  .run = run,
};
