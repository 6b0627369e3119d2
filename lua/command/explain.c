/* sinew explain: which component held what back, and by how much. */
#include "lua/command/command.h"

#include <stdio.h>
#include <stdlib.h>

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

static int run(int argc, char **argv) {
  const char *path = NULL;
  for (int i = 0; i < argc; i++) {
    if (command_is_dof(argv[i])) continue;
    if (argv[i][0] == '-') return command_misused(&command_explain, "no option '%s'", argv[i]);
    if (path) return command_misused(&command_explain, "one rig only, not also '%s'", argv[i]);
    path = argv[i];
  }
  if (!path) return command_misused(&command_explain, "which rig?");
  sinew_host *host = command_open(path);
  if (!host) return EXIT_RIG;
  int code = EXIT_FINE;
  for (int i = 0; i < argc && code == EXIT_FINE; i++)
    if (command_is_dof(argv[i]) && !command_set_dof(host, argv[i])) code = EXIT_CALL;
  if (code == EXIT_FINE && !command_eval_pose(host)) code = EXIT_RIG;
  if (code == EXIT_FINE) {
    const sinew_pose *pose = sinew_host_pose(host);
    int count = sinew_pose_holds(pose, NULL, 0);
    sinew_hold *holds = calloc((size_t)count + 1, sizeof *holds);
    if (!holds) fprintf(stderr, "sinew: out of memory\n"), code = EXIT_RIG;
    if (holds) sinew_pose_holds(pose, holds, count);
    for (int i = 0; holds && i < count; i++) print_hold(pose, &holds[i]);
    if (count == 0) printf("nothing is held back\n");
    free(holds);
  }
  sinew_host_destroy(host);
  return code;
}

const command command_explain = {
  .name = "explain",
  .usage = "RIG joint.dof=value ...",
  .doc = "says what holds a pose back: which component, which port, by how much",
  .help = "  joint.dof=value  sets a DOF; the others stay at rest\n",
  .run = run,
};
