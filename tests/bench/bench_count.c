/* Counts the instructions of one evaluation of each rig with callgrind: sinew-bench --count RIG...
 * under valgrind --tool=callgrind --instr-atstart=no. Loading a rig is not counted. Writes one dump
 * per rig, named after it, with the instructions of `rounds` evaluations. */
#include "bench_count.h"

#include "bench.h"
#include "bench_motion.h"

#include <sinew/host.h>
#include <sinew/modules.h>
#include <stdio.h>

#if defined __has_include && !defined __cppcheck__
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif

sinew_host *bench_load(const char *path) {
  char folder[4096];
  sinew_error error;
  sinew_host_desc desc = sinew_default_host_desc();
  desc.modules = sinew_module_folder(folder, sizeof folder);
  desc.load_seconds = 600; /* valgrind is slow */
  sinew_host *host = sinew_host_create(&desc, &error);
  bench_check(host && sinew_host_load(host, path, &error) >= 0, &error);
  return host;
}

#ifdef CALLGRIND_START_INSTRUMENTATION
int bench_count(char **paths, int count) {
  for (int i = 0; i < count; i++) {
    sinew_host *host = bench_load(paths[i]);
    const sinew_rig *rig = sinew_host_rig(host);
    motion m = motion_random(rig, 0);
    motion_run_all(&m, 1);
    if (!sinew_rig_can_fail(rig)) { /* a script's own work is Lua's */
      CALLGRIND_START_INSTRUMENTATION;
      motion_run_all(&m, motion_steps);
      CALLGRIND_STOP_INSTRUMENTATION;
      CALLGRIND_DUMP_STATS_AT(paths[i]);
      printf("%s %d evaluations\n", paths[i], motion_steps);
    }
    motion_free(&m);
    sinew_host_destroy(host);
  }
  return 0;
}
#else
int bench_count(char **paths, int count) {
  (void)paths, (void)count;
  fprintf(stderr, "bench: built without valgrind's headers, so that nothing can be counted\n");
  return 3;
}
#endif
