/* Benchmarks: a table of names with nanoseconds (the least of many blocks after a warm-up), and
 * ratios between rows of the same run, which are what counts on a noisy machine. */
#ifndef BENCH_H
#define BENCH_H

#include <sinew/sinew.h>

#ifdef __cplusplus
extern "C" {
#endif

/* First and last: where the table is written too (name, value, unit, and for a ratio what it must
 * not exceed), and whether everything runs only once; the exit code, 1 where a ratio is over. */
void bench_open(const char *csv_path, bool only_smoke);
int bench_close(void);

/* Times run(context), which does the thing `times` times; gives ns for one. */
double bench_time(const char *name, void (*run)(void *context, int times), void *context);
/* Times up to 8 things in turn, block by block, so that what else the machine does falls on all
 * alike; ns of the quickest block and of the one in the middle. */
typedef struct bench_spent {
  double least, median;
} bench_spent;
void bench_turns(int count, const char *const *names, void (*const *run)(void *context, int times),
                 void *const *contexts, bench_spent *dest);
/* The same for two, for ratios that are close; the quickest alone. */
void bench_pair(const char *const names[2], void (*const run[2])(void *context, int times),
                void *const contexts[2], double dest[2]);
/* The same by the clock on the wall, for what runs on several threads: the others count only the
 * time of the calling one. */
void bench_pair_wall(const char *const names[2], void (*const run[2])(void *context, int times),
                     void *const contexts[2], double dest[2]);
/* The same, for one run that takes long: seconds of the quickest of `rounds`. */
double bench_once(const char *name, void (*run)(void *context), void *context, int rounds);
/* A ratio with what it must not exceed (0: no bound); counted for the exit code. */
void bench_ratio(const char *name, double ratio, double at_most);
/* A few rounds instead of many: only to see that everything runs. */
bool bench_smoke(void);
/* Stops the run with the error's text when `ok` is false. */
void bench_check(bool ok, const sinew_error *error);
/* Keeps the compiler from dropping a result. */
void bench_keep(const void *value);
/* A number from 0 to 1 from a fixed sequence. */
float bench_random(void);

#ifdef __cplusplus
}
#endif
#endif
