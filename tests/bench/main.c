/* Runs the benchmarks: sinew-bench [FILTER] [--csv FILE] [--smoke]. */
#include "bench.h"
#include "bench_count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *filter;
static bool smoke;
static FILE *csv;
static int over;

static double read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
static double now(void) { return read_clock(CLOCK_MONOTONIC); }

static bool wanted(const char *group) { return !filter || strstr(group, filter) != NULL; }
bool bench_smoke(void) { return smoke; }
void bench_keep(const void *value) { __asm__ volatile("" : : "r"(value) : "memory"); }

float bench_random(void) {
  static uint32_t state = 2463534242u;
  state ^= state << 13, state ^= state >> 17, state ^= state << 5;
  return (float)(state >> 8) / 16777216.0f;
}

void bench_check(bool ok, const sinew_error *error) {
  if (ok) return;
  fprintf(stderr, "bench: %s\n", error->text);
  exit(1);
}

static void row(const char *name, double value, const char *unit) {
  printf("%-58s %12.1f %s\n", name, value, unit);
  fflush(stdout);
  if (csv) fprintf(csv, "\"%s\",%.3f,%s\n", name, value, unit);
}

/* how often to run for about half a millisecond: long enough for the clock, short enough to miss a
 * switch */
static int block_size(void (*run)(void *context, int times), void *context) {
  int times = 1;
  for (double spent = 0; spent < 5e5 && times < 1 << 24; times *= 2) {
    double start = now();
    run(context, times);
    spent = now() - start;
    if (smoke) break;
  }
  return times;
}

double bench_time(const char *name, void (*run)(void *context, int times), void *context) {
  int times = block_size(run, context);
  double least = 1e300;
  for (int block = 0; block < (smoke ? 1 : 200); block++) {
    double start = now();
    run(context, times);
    double spent = (now() - start) / times;
    if (spent < least) least = spent;
  }
  row(name, least, "ns");
  return least;
}

void bench_pair(const char *const names[2], void (*const run[2])(void *context, int times),
                void *const contexts[2], double dest[2]) {
  int times[2] = { block_size(run[0], contexts[0]), block_size(run[1], contexts[1]) };
  dest[0] = dest[1] = 1e300;
  for (int block = 0; block < (smoke ? 1 : 200); block++)
    for (int i = 0; i < 2; i++) {
      /* blocks may be long here: leave out what other processes took */
      double start = read_clock(CLOCK_THREAD_CPUTIME_ID);
      run[i](contexts[i], times[i]);
      double spent = (read_clock(CLOCK_THREAD_CPUTIME_ID) - start) / times[i];
      if (spent < dest[i]) dest[i] = spent;
    }
  for (int i = 0; i < 2; i++) row(names[i], dest[i], "ns");
}

double bench_once(const char *name, void (*run)(void *context), void *context, int rounds) {
  double least = 1e300;
  for (int i = 0; i < (smoke ? 1 : rounds); i++) {
    double start = now();
    run(context);
    double spent = now() - start;
    if (spent < least) least = spent;
  }
  row(name, least * 1e-6, "ms");
  return least * 1e-9;
}

void bench_ratio(const char *name, double ratio, double at_most) {
  bool fine = at_most <= 0 || ratio <= at_most;
  printf("  %-56s %12.3f", name, ratio);
  if (at_most > 0) printf("    at most %.3g%s", at_most, fine || smoke ? "" : "   OVER");
  printf("\n");
  if (csv) fprintf(csv, "\"%s\",%.4f,ratio\n", name, ratio);
  over += !fine;
}

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
              "  evaluates each rig for callgrind to count; see tests/e2e/test_ceilings.sh\n");
  return code;
}

int main(int argc, char **argv) {
  const char *csv_path = "build/bench.csv";
  if (argc > 2 && strcmp(argv[1], "--count") == 0) return bench_count(argv + 2, argc - 2);
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
  csv = fopen(csv_path, "w");
  if (!csv)
    fprintf(stderr, "bench: cannot write %s; the table is only printed\n", csv_path);
  else
    fprintf(csv, "name,value,unit\n");
#define BENCH(name)                                                                                \
  if (wanted(#name)) {                                                                             \
    printf("%s\n", #name);                                                                         \
    bench_##name();                                                                                \
  }
#include "benches.h"
#undef BENCH
  if (csv) fclose(csv);
  if (over && !smoke) printf("%d ratio%s over\n", over, over == 1 ? "" : "s");
  return over && !smoke;
}
