/* What a rig costs by its size: sinew-bench --grow COUNT makes rigs of every class and shape
 * (network_grow.h) with COUNT, twice and four times as many components, and goes through their
 * life. Under valgrind --tool=callgrind it writes a dump for each stage, from
 * which tests/e2e/test_growth.sh sees whether twice the size costs twice as much. Without it,
 * prints the seconds of each stage, for sizes of 100,000 and more. */
#include "bench_count.h"

#include "bench.h"
#include "network_grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined __has_include && !defined __cppcheck__
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_ZERO_STATS
#define RUNNING_ON_VALGRIND           0
#define CALLGRIND_ZERO_STATS          (void)0
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#endif

typedef struct life {
  sinew_builder *builder;
  sinew_rig *rig;
  sinew_pose *pose;
} life;

static void compile(life *l) {
  sinew_error error;
  l->rig = sinew_builder_finish(l->builder, &error);
  bench_check(l->rig != NULL, &error);
}

static void evaluate(life *l) {
  sinew_error error;
  l->pose = sinew_pose_create(l->rig, &error);
  bench_check(l->pose && sinew_pose_eval(l->pose, &error) >= 0, &error);
  const int dofs = sinew_rig_dof_count(l->rig);
  for (int i = 0; i < dofs; i++) sinew_pose_set(l->pose, sinew_rig_dof(l->rig, i), 500, NULL);
  sinew_pose_eval(l->pose, NULL);
  sinew_pose_explain(l->pose, NULL, 0);
  sinew_pose_verify(l->pose, NULL);
  if (dofs) sinew_pose_set(l->pose, sinew_rig_dof(l->rig, dofs / 2), 1, NULL);
  sinew_pose_eval(l->pose, NULL);
  sinew_batch_desc desc = sinew_default_batch_desc();
  sinew_batch *batch = sinew_batch_create(l->rig, &desc, &error);
  bench_check(batch || sinew_rig_can_fail(l->rig), &error);
  sinew_batch_destroy(batch);
}

static void write_and_read(life *l) {
  sinew_error error;
  char *text;
  size_t size;
  /* kinds of a program's own cannot be written, and texts over the limit cannot be read */
  if (sinew_xml_write(l->rig, NULL, &text, &size, &error) >= 0) {
    sinew_xml *xml = sinew_xml_parse("grown.xml", text, size, &error);
    bench_check(xml != NULL || error.status == SINEW_ERR_LIMIT, &error);
    sinew_xml_destroy(xml);
    sinew_text_free(text);
  }
  sinew_pose_destroy(l->pose);
  sinew_rig_destroy(l->rig);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void live(const char *what, network_shape shape, int count) {
  static void (*const stages[])(life *) = { compile, evaluate, write_and_read };
  static const char *const names[] = { "compile", "evaluate", "write" };
  life l = { 0 };
  double from = seconds();
  l.builder = network_grow(what, shape, count);
  if (!l.builder) exit(1);
  if (!RUNNING_ON_VALGRIND)
    printf("%s %s %d: build %.4f", what, network_shape_names[shape], count, seconds() - from);
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    from = seconds();
    stages[i](&l);
    if (!RUNNING_ON_VALGRIND) printf(" %s %.4f", names[i], seconds() - from);
  }
  if (!RUNNING_ON_VALGRIND) printf("\n");
}

int bench_grow(int count, const char *only) {
  const char *what;
  char name[160];
  if (count <= 0) return 2;
  for (int k = 0; (what = network_grown(k)) != NULL; k++)
    for (int times = 1; times <= 4 && (!only || strcmp(only, what) == 0); times *= 2) {
      CALLGRIND_ZERO_STATS;
      for (int shape = 0; shape < NETWORK_SHAPES; shape++)
        live(what, (network_shape)shape, times * count);
      snprintf(name, sizeof name, "%s %d", what, times);
      CALLGRIND_DUMP_STATS_AT(name);
    }
  network_fields_free();
  return 0;
}
