/* sinew eval: the transforms of a pose, as a table or as JSON. */
#include "lua/command/command.h"

#include "base/alloc.h"
#include "base/text.h"

static void print_row(const sinew_pose *pose, sinew_segment segment) {
  sinew_segment_info info = sinew_rig_segment_info(sinew_pose_rig(pose), segment);
  const float *m = sinew_pose_world(pose, segment);
  command_print("%-24s %10.5f %10.5f %10.5f  ", info.name, (double)m[12], (double)m[13],
                (double)m[14]);
  for (int row = 0; row < 3; row++)
    for (int col = 0; col < 3; col++) command_print(" %9.6f", (double)m[4 * col + row]);
  command_print("\n");
}

static void print_text(const char *text) {
  si_text quoted = { 0 };
  si_text_quoted(&quoted, text);
  command_print("%s", quoted.at ? quoted.at : "\"\"");
  si_free(quoted.at);
}

static void print_json(const sinew_pose *pose, sinew_segment only) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  command_print("{\"rig\":");
  print_text(sinew_rig_name(rig));
  command_print(",\"dofs\":{");
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    if (i) putchar(',');
    print_text(sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).name);
    command_print(":%.9g", (double)sinew_pose_get(pose, sinew_rig_dof(rig, i)));
  }
  command_print("},\"segments\":{");
  bool first = true;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    if (only.id && only.id != segment.id) continue;
    if (!first) putchar(',');
    first = false;
    print_text(sinew_rig_segment_info(rig, segment).name);
    const float *m = sinew_pose_world(pose, segment);
    for (int k = 0; k < 16; k++) command_print("%s%.9g", k ? "," : ":[", (double)m[k]);
    putchar(']');
  }
  command_print("}}\n");
}

/* prints on standard error which DOFs are held by their ranges */
static void note_held(const sinew_pose *pose) {
  sinew_hold holds[64];
  int count = sinew_pose_holds(pose, holds, 64);
  for (int i = 0; i < count && i < 64; i++) {
    if (!holds[i].dof.id) continue;
    sinew_dof_info dof = sinew_rig_dof_info(sinew_pose_rig(pose), holds[i].dof);
    command_tell("sinew: DOF '%s' is held at %g by its range, %g to %g\n", dof.name,
                 (double)sinew_pose_get(pose, holds[i].dof), (double)dof.min, (double)dof.max);
  }
}

typedef struct call {
  const char *rig, *segment;
  bool json;
  command_list dofs;
} call;

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "joint.dof=value", OPTION_DOFS, .offset = offsetof(call, dofs),
    "sets a DOF; the others stay at rest" },
  { "--segment NAME", OPTION_TEXT, .offset = offsetof(call, segment), "prints only this segment" },
  { "--json", OPTION_FLAG, .offset = offsetof(call, json),
    "world matrices as 16 numbers, column-major" },
  { .name = NULL },
};

static int evaluate(sinew_host *host, const call *c) {
  sinew_segment only = { 0 };
  sinew_error error;
  const sinew_rig *rig = sinew_host_rig(host);
  if (c->segment) only = sinew_rig_find_segment(rig, c->segment, &error);
  if (c->segment && !only.id) {
    command_failed(&error);
    return EXIT_CALL;
  }
  int code = command_pose(host, &c->dofs);
  if (code != EXIT_FINE) return code;
  const sinew_pose *pose = sinew_host_pose(host);
  note_held(pose);
  if (c->json) {
    print_json(pose, only);
    return EXIT_FINE;
  }
  command_print("%-24s %10s %10s %10s   %s\n", "segment", "x", "y", "z", "rotation, row by row");
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment s = sinew_rig_segment(rig, i);
    if (!only.id || only.id == s.id) print_row(pose, s);
  }
  return EXIT_FINE;
}

static int run(int argc, char **argv) {
  call c = { 0 };
  if (!command_read(&command_eval, options, argc, argv, &c)) return EXIT_CALL;
  sinew_host *host = command_open(c.rig);
  if (!host) return EXIT_RIG;
  int code = evaluate(host, &c);
  sinew_host_destroy(host);
  return code;
}

const command command_eval = {
  .name = "eval",
  .doc = "prints the world transforms of a pose",
  .options = options,
  .example = "sinew eval rigs/knee.lua knee.flexion=90 --segment tibia",
  .run = run,
};
