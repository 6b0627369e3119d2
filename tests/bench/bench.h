/* Benchmarks: a table of names with nanoseconds (the minimum of many blocks after a warm-up), and
 * ratios between rows of the same run. On a noisy machine only the ratios mean something. */
#ifndef BENCH_H
#define BENCH_H

#include <sinew/sinew.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Call first and last. bench_open takes the CSV file to write (name, value, unit, and the bound of
 * a ratio) and whether everything runs only once. bench_close returns the exit code: 1 if a
 * figure is out of its bound. */
void bench_open(const char *csv_path, bool only_smoke);
int bench_close(void);

/* Times run(context, times), which repeats the work `times` times. Returns ns per repetition. */
double bench_time(const char *name, void (*run)(void *context, int times), void *context);
/* Times up to 8 things in turn, block by block, so that other load on the machine affects all of
 * them equally. Gives the ns of the fastest and of the median block. */
typedef struct bench_spent {
  double least, median;
} bench_spent;
void bench_interleaved(int count, const char *const *names,
                       void (*const *run)(void *context, int times), void *const *contexts,
                       bench_spent *dest);
/* The same for two things whose ratio is close to its bound; gives the fastest block only. */
void bench_pair(const char *const names[2], void (*const run[2])(void *context, int times),
                void *const contexts[2], double dest[2]);
/* The same by wall clock, for work on several threads: the other functions count only the CPU time
 * of the calling thread. */
void bench_pair_wall(const char *const names[2], void (*const run[2])(void *context, int times),
                     void *const contexts[2], double dest[2]);
/* The same for one long run: seconds of the fastest of `rounds`. */
double bench_once(const char *name, void (*run)(void *context), void *context, int rounds);
/* Reports a ratio and its bound (0: none); a ratio over its bound sets the exit code. */
void bench_ratio(const char *name, double ratio, double at_most);
/* Reports how many `of` so many went well, and the least that is wanted (0: no bound); fewer set
 * the exit code. The CSV has those that went wrong, and the most of them. */
void bench_of(const char *name, int count, int of, int at_least);
/* Whether only a few rounds run, to see that everything works. */
bool bench_smoke(void);
/* Prints the error and exits if `ok` is false. */
void bench_check(bool ok, const sinew_error *error);
/* Keeps the compiler from optimising a result away. */
void bench_keep(const void *value);
/* A number from 0 to 1 from a fixed sequence. */
float bench_random(void);

#ifdef __cplusplus
}
#endif
#endif
