/* Random networks in all ways of evaluation (see network.h), for hours:
 *   fuzz-network [COUNT] [SEED]           COUNT networks, the first with this seed
 *   fuzz-network --seconds N [--seed S]   for N seconds
 *   fuzz-network --seed S                 this network only
 * Stops at the first failure: prints a reduced network as a Lua script, and exits with code 1. */
#include "network.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* the current network, to be printed after a crash */
static volatile uint32_t trying;

static void say_crash(void) {
  fprintf(stderr, "network %u crashed; again: ./dev fuzz network --seed %u\n", trying, trying);
}
static void crashed(int which) {
  say_crash();
  signal(which, SIG_DFL);
  raise(which);
}
/* the sanitizers exit without a signal */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* whether all ways agree; scripts are loaded for one in eight, since that is slow */
static bool try_one(uint32_t seed, bool alone, double start) {
  trying = seed;
  network_size size = network_any_size(seed);
  network n = network_create(seed, &size);
  network_finding found;
  unsigned ways = alone || seed % 8 == 0 ? NETWORK_ALL : NETWORK_ALL & ~NETWORK_LUA;
  bool right = network_check(&n, ways, &found);
  if (!right) {
    printf("found after %.1f s\n", seconds_now() - start);
    network_report(&n, &found);
    printf("again: ./dev fuzz network --seed %u\n", seed);
  }
  network_destroy(&n);
  return right;
}

static int usage(const char *program) {
  fprintf(stderr, "usage: %s [COUNT] [SEED] | --seconds N | --seed S\n", program);
  return 2;
}

int main(int argc, char **argv) {
  long count = 20000, numbers = 0;
  double seconds = 0;
  uint32_t seed = 1;
  bool seeded = false;
  for (int i = 1; i < argc; i++) {
    bool last = i + 1 >= argc;
    char *end = argv[i];
    if (strcmp(argv[i], "--seconds") == 0 && !last) {
      seconds = strtod(argv[++i], &end);
      if (!(seconds > 0)) return usage(argv[0]);
    } else if (strcmp(argv[i], "--seed") == 0 && !last) {
      seed = (uint32_t)strtoul(argv[++i], &end, 10);
      seeded = true;
    } else if (numbers < 2) {
      long number = strtol(argv[i], &end, 10);
      if (numbers++ == 0)
        count = number;
      else
        seed = (uint32_t)number;
    }
    if (end == argv[i] || *end || count <= 0) return usage(argv[0]);
  }
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(say_crash);
  else
    signal(SIGSEGV, crashed), signal(SIGABRT, crashed), signal(SIGFPE, crashed);
  bool alone = seeded && seconds == 0 && numbers == 0;
  double start = seconds_now();
  long done = 0;
  bool right = true;
  while (right && (alone ? done < 1 : seconds > 0 ? seconds_now() - start < seconds : done < count))
    right = try_one(seed + (uint32_t)done++, alone, start);
  network_fields_free();
  printf("%ld networks from seed %u in %.1f s: %s\n", done, seed, seconds_now() - start,
         right ? "all ways agree" : "the last one differs");
  return right ? 0 : 1;
}
