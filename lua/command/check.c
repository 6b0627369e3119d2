/* sinew check: compiles a rig and lists it; with --fuzz N tries N random poses. */
#include "lua/command/fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void list(const sinew_rig *rig) {
  printf("rig '%s': %d segments, %d DOFs, %d components in %d joint sets\n", sinew_rig_name(rig),
         sinew_rig_segment_count(rig), sinew_rig_dof_count(rig), sinew_rig_component_count(rig),
         sinew_rig_joint_set_count(rig));
  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment_info s = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    printf("  segment   %-28s %s%s%s\n", s.name, s.parent.id ? "in " : "root",
           s.parent.id ? sinew_rig_segment_info(rig, s.parent).name : "",
           s.driver.id ? "" : ", undriven");
  }
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof_info d = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    printf("  DOF       %-28s %g to %g %s, rest %g\n", d.name, (double)d.min, (double)d.max, d.unit,
           (double)d.rest);
  }
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component_info c = sinew_rig_component_info(rig, sinew_rig_component(rig, i));
    bool scripted = c.component_class->try_eval != NULL, dual = c.component_class->tangent != NULL;
    printf("  component %-28s %s%s\n", c.name, c.component_class->name,
           !scripted ? ""
           : dual    ? ", scripted, derivative by dual numbers"
                     : ", scripted, derivative by differences");
  }
  if (*sinew_rig_warnings(rig)) printf("warnings:\n%s\n", sinew_rig_warnings(rig));
}

static bool number_after(int argc, char **argv, int *i, double low, double high, double *dest) {
  if (*i + 1 >= argc) return false;
  char *end;
  *dest = strtod(argv[++*i], &end);
  return *end == '\0' && end != argv[*i] && *dest >= low && *dest <= high;
}

static bool count_after(int argc, char **argv, int *i, double low, double high, double *dest) {
  return number_after(argc, argv, i, low, high, dest) && *dest == floor(*dest);
}

static const char *wanted(const char *option) {
  if (strcmp(option, "--fuzz") == 0) return "a whole number from 1 on";
  if (strcmp(option, "--seed") == 0) return "a whole number from 0 on";
  return strcmp(option, "--jump") == 0 ? "degrees from 0 to 180" : "metres from 0 on";
}

static int run(int argc, char **argv) {
  const char *path = NULL;
  bool quiet = false;
  fuzz_options options = { .poses = 0, .seed = 1, .jump_degrees = 1, .jump_metres = 0.002 };
  for (int i = 0; i < argc; i++) {
    const char *option = argv[i];
    double number = 0;
    bool fine = true;
    if (strcmp(option, "--quiet") == 0)
      quiet = true;
    else if (strcmp(option, "--fuzz") == 0)
      fine = count_after(argc, argv, &i, 1, 1e12, &number), options.poses = (long)number;
    else if (strcmp(option, "--seed") == 0)
      fine = count_after(argc, argv, &i, 0, 1e15, &number), options.seed = (uint64_t)number;
    else if (strcmp(option, "--jump") == 0)
      fine = number_after(argc, argv, &i, 0, 180, &number), options.jump_degrees = number;
    else if (strcmp(option, "--jump-length") == 0)
      fine = number_after(argc, argv, &i, 0, 1e30, &number), options.jump_metres = number;
    else if (option[0] == '-')
      return command_misused(&command_check, "no option '%s'", option);
    else if (path)
      return command_misused(&command_check, "one rig only, not also '%s'", option);
    else
      path = option;
    if (!fine) return command_misused(&command_check, "'%s' wants %s", option, wanted(option));
  }
  if (!path) return command_misused(&command_check, "which rig?");
  sinew_host *host = command_open(path);
  if (!host) return EXIT_RIG;
  if (!quiet) list(sinew_host_rig(host));
  bool fine = !options.poses || fuzz_rig(host, &options);
  sinew_host_destroy(host);
  return fine ? EXIT_FINE : EXIT_RIG;
}

const command command_check = {
  .name = "check",
  .usage = "RIG [--fuzz N] [--seed S] [--jump DEGREES] [--jump-length METRES] [--quiet]",
  .doc = "compiles a rig and lists what it is made of; with --fuzz tries random poses",
  .help =
      "  --fuzz N              evaluates N random poses and checks in each that everything is "
      "finite,\n"
      "                        every limit is held, the same DOFs give the same bits again, and a\n"
      "                        small step of a DOF makes no jump; prints the smallest "
      "counter-example\n"
      "  --seed S              another sequence of poses (1)\n"
      "  --jump DEGREES        how far a segment may turn at once: by a step of a DOF, however "
      "small\n"
      "                        that is made (1)\n"
      "  --jump-length METRES  and how far it may move (0.002)\n"
      "  --quiet               no list\n",
  .run = run,
};
