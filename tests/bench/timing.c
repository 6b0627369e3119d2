/* Timing and the table; see bench.h. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static bool smoke;
static FILE *csv;
static int over;

static double read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
static double now(void) { return read_clock(CLOCK_MONOTONIC); }

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
  if (csv) fprintf(csv, "\"%s\",%.3f,%s,\n", name, value, unit);
}

/* repeat for about half a millisecond: long enough for the clock, short enough to avoid most
 * context switches */
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

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void time_turns(clockid_t clock, int count, const char *const *names,
                       void (*const *run)(void *context, int times), void *const *contexts,
                       bench_spent *dest) {
  enum { most = 8, blocks = 201 };
  static double spent[most][blocks];
  int times[most], rounds = smoke ? 1 : blocks;
  if (count > most) abort();
  for (int i = 0; i < count; i++) times[i] = block_size(run[i], contexts[i]);
  for (int block = 0; block < rounds; block++)
    for (int i = 0; i < count; i++) {
      double start = read_clock(clock);
      run[i](contexts[i], times[i]);
      spent[i][block] = (read_clock(clock) - start) / times[i];
    }
  for (int i = 0; i < count; i++) {
    qsort(spent[i], (size_t)rounds, sizeof(double), by_size);
    dest[i] = (bench_spent){ spent[i][0], spent[i][rounds / 2] };
    row(names[i], dest[i].least, "ns");
  }
}

void bench_interleaved(int count, const char *const *names,
                       void (*const *run)(void *context, int times), void *const *contexts,
                       bench_spent *dest) {
  /* blocks may be long here, so do not count the time of other processes */
  time_turns(CLOCK_THREAD_CPUTIME_ID, count, names, run, contexts, dest);
}

void bench_pair_wall(const char *const names[2], void (*const run[2])(void *context, int times),
                     void *const contexts[2], double dest[2]) {
  bench_spent spent[2];
  time_turns(CLOCK_MONOTONIC, 2, names, run, contexts, spent);
  for (int i = 0; i < 2; i++) dest[i] = spent[i].least;
}

void bench_pair(const char *const names[2], void (*const run[2])(void *context, int times),
                void *const contexts[2], double dest[2]) {
  bench_spent spent[2];
  bench_interleaved(2, names, run, contexts, spent);
  for (int i = 0; i < 2; i++) dest[i] = spent[i].least;
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
  if (csv && at_most > 0)
    fprintf(csv, "\"%s\",%.6g,ratio,%g\n", name, ratio, at_most);
  else if (csv)
    fprintf(csv, "\"%s\",%.6g,ratio,\n", name, ratio);
  over += !fine;
}

void bench_of(const char *name, int count, int of, int at_least) {
  bool fine = count >= at_least;
  printf("  %-56s %5d of %-5d", name, count, of);
  if (at_least > 0) printf("   at least %d%s", at_least, fine || smoke ? "" : "   UNDER");
  printf("\n");
  fflush(stdout);
  if (csv && at_least > 0)
    fprintf(csv, "\"%s, missed\",%d,of %d,%d\n", name, of - count, of, of - at_least);
  else if (csv)
    fprintf(csv, "\"%s, missed\",%d,of %d,\n", name, of - count, of);
  over += !fine;
}

void bench_open(const char *csv_path, bool only_smoke) {
  smoke = only_smoke;
  csv = fopen(csv_path, "w");
  if (!csv)
    fprintf(stderr, "bench: cannot write %s; the table is only printed\n", csv_path);
  else
    fprintf(csv, "name,value,unit,at_most\n");
}

int bench_close(void) {
  if (csv) fclose(csv);
  if (over && !smoke) printf("%d figure%s out of bounds\n", over, over == 1 ? "" : "s");
  return over && !smoke;
}
