/* Runs the benchmarks: sinew-bench [FILTER] [--csv FILE] [--smoke]. */
#include "bench.h"
#include "bench_count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *filter;

static bool wanted(const char *group) { return !filter || strstr(group, filter) != NULL; }

#define BENCH(name) void bench_##name(void);
#include "benches.h"
#undef BENCH

static int usage(FILE *to, int code) {
  fprintf(to, "sinew-bench [GROUP] [--csv FILE] [--smoke]\n"
              "  GROUP       only groups whose name has this in it:");
#define BENCH(name) fprintf(to, " " #name);
#include "benches.h"
#undef BENCH
  fprintf(to, "\n  --csv FILE  where the table is written too (build/bench.csv)\n"
              "  --smoke     run everything once, only to see that it runs\n"
              "sinew-bench --count RIG...\n"
              "  evaluates each rig for callgrind to count; see tests/e2e/test_ceilings.sh\n"
              "sinew-bench --grow COUNT [CLASS]\n"
              "  makes and evaluates rigs of COUNT, twice and four times as many components of each\n"
              "  class, in chains, fans and trees; prints seconds, or is counted by callgrind\n");
  return code;
}

int main(int argc, char **argv) {
  const char *csv_path = "build/bench.csv";
  bool smoke = false;
  if (argc > 2 && strcmp(argv[1], "--count") == 0) return bench_count(argv + 2, argc - 2);
  if (argc > 2 && strcmp(argv[1], "--grow") == 0)
    return bench_grow(atoi(argv[2]), argc > 3 ? argv[3] : NULL);
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) return usage(stdout, 0);
    if (strcmp(argv[i], "--smoke") == 0)
      smoke = true;
    else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc)
      csv_path = argv[++i];
    else if (argv[i][0] != '-' && !filter)
      filter = argv[i];
    else
      return usage(stderr, 2);
  }
  bench_open(csv_path, smoke);
#define BENCH(name)                                                                                \
  if (wanted(#name)) {                                                                             \
    printf("%s\n", #name);                                                                         \
    bench_##name();                                                                                \
  }
#include "benches.h"
#undef BENCH
  return bench_close();
}
