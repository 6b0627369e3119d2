/* A C program that embeds the engine and the script host: loads a rig, sets DOFs, prints the
 * positions of the segments and, with --watch, reloads the script whenever it is saved.
 *
 *   sinew-embed lua/examples/rig.lua left_arm.raise=60 --watch */
#include <sinew/host.h>
#include <sinew/modules.h>
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int fail(const sinew_error *error) {
  fprintf(stderr, "%s\n", error->text);
  return EXIT_FAILURE;
}

static sinew_status print_pose(sinew_host *host, sinew_error *error) {
  const sinew_rig *rig = sinew_host_rig(host);
  const sinew_pose *pose = sinew_host_pose(host);
  if (sinew_host_eval(host, sinew_host_pose(host), error) < 0) return error->status;
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    const float *m = sinew_pose_world(pose, segment); /* column-major: 12 to 14 is the position */
    printf("%-24s %10.5f %10.5f %10.5f\n", sinew_rig_segment_info(rig, segment).name, (double)m[12],
           (double)m[13], (double)m[14]);
  }
  fflush(stdout);
  return SINEW_OK;
}

int main(int argc, char **argv) {
  sinew_error error;
  sinew_host_desc desc = sinew_default_host_desc();
  char modules[1024];
  desc.modules = sinew_module_folder(modules, sizeof modules); /* for bones, expressions, mirrors */
  sinew_host *host = sinew_host_create(&desc, &error);
  if (!host) return fail(&error);
  if (argc < 2 || sinew_host_load(host, argv[1], &error) < 0) {
    if (argc < 2) fprintf(stderr, "usage: sinew-embed RIG [joint.dof=value ...] [--watch]\n");
    sinew_host_destroy(host);
    return argc < 2 ? 2 : fail(&error);
  }
  bool watch = false;
  for (int i = 2; i < argc; i++) {
    char *equals = strchr(argv[i], '=');
    watch |= strcmp(argv[i], "--watch") == 0;
    if (!equals && strcmp(argv[i], "--watch") == 0) continue;
    if (equals) *equals = '\0';
    sinew_dof dof = sinew_rig_find_dof(sinew_host_rig(host), argv[i], &error);
    if (!equals || !dof.id) {
      fprintf(stderr, equals ? "%s\n" : "%s is neither joint.dof=value nor --watch\n",
              equals ? error.text : argv[i]);
      sinew_host_destroy(host);
      return 2;
    }
    sinew_pose_set(sinew_host_pose(host), dof, strtof(equals + 1, NULL), NULL);
  }
  sinew_status status = print_pose(host, &error);
  while (watch && status >= 0) {
    switch (sinew_host_poll(host, seconds(), &error)) {
    case SINEW_HOST_RELOADED: status = print_pose(host, &error); break;
    case SINEW_HOST_FAILED: fail(&error); break;
    case SINEW_HOST_LOADING: /* only with `background` of the desc */
    case SINEW_HOST_SAME:
    case SINEW_HOST_WAITING: break;
    }
    nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL); /* a game would draw a frame */
  }
  sinew_host_destroy(host);
  return status < 0 ? fail(&error) : EXIT_SUCCESS;
}
