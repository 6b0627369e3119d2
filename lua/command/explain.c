/* sinew explain: what was held back, to which value, and by what. */
#include "lua/command/command.h"

#include <sinew/explain.h>
#include <stdlib.h>

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
  int count = sinew_pose_explain(pose, NULL, 0);
  sinew_explained *list = count < 0 ? NULL : calloc((size_t)count + 1, sizeof *list);
  if (!list) return command_out_of_memory();
  sinew_pose_explain(pose, list, count);
  for (int i = 0; i < count; i++) command_print("%s\n", list[i].text);
  if (count == 0) command_print("nothing is held back\n");
  free(list);
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
