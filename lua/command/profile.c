/* sinew profile: the time of an evaluation by kind of component and by joint set. Every step of the
 * compiled program is timed separately, many times, on random poses. */
#include "lua/command/command.h"

#include "base/platform.h"

#include <stdlib.h>
#include <string.h>

enum { poses = 16, blocks = 7 };

typedef struct row {
  const char *name;
  int components, steps;
  double ns;
} row;

typedef struct table {
  row *rows;
  int count;
} table;

typedef struct subject {
  sinew_host *host;
  const sinew_rig *rig;
  sinew_pose *poses[poses];
  uint32_t seed;
  bool failed; /* an evaluation failed; nothing is printed */
} subject;

static double now(void) { return (double)si_clock_of_thread(); }

static void scatter(subject *s, sinew_pose *pose) {
  for (int i = 0; i < sinew_rig_dof_count(s->rig); i++) {
    sinew_dof dof = sinew_rig_dof(s->rig, i);
    sinew_dof_info info = sinew_rig_dof_info(s->rig, dof);
    s->seed = s->seed * 1664525u + 1013904223u;
    float share = (float)(s->seed >> 8) / 16777216.0f;
    sinew_pose_set(pose, dof, info.min + (info.max - info.min) * share, NULL);
  }
}

static bool begin(subject *s) {
  sinew_error error;
  for (int i = 0; i < poses; i++) {
    s->poses[i] = sinew_pose_create(s->rig, &error);
    if (s->poses[i]) scatter(s, s->poses[i]);
    if (!s->poses[i] || sinew_host_eval(s->host, s->poses[i], &error) < 0)
      return command_failed(&error);
  }
  return true;
}

static void note_failure(subject *s, sinew_status status, const sinew_error *error) {
  if (status < 0 && !s->failed) command_failed(error);
  s->failed |= status < 0;
}

/* nanoseconds for one run of the steps: the minimum of several blocks. Without steps: the overhead
 * of the call */
static double time_run(subject *s, int first, int count, int rounds) {
  double least = 1e300;
  sinew_error error;
  for (int block = 0; block < blocks && !s->failed; block++) {
    double start = now();
    for (int r = 0; r < rounds && !s->failed; r++)
      for (int i = 0; i < poses; i++)
        note_failure(s, sinew_pose_repeat_steps(s->poses[i], first, count, &error), &error);
    double spent = (now() - start) / (rounds * poses);
    if (spent < least) least = spent;
  }
  return least;
}

/* times a whole evaluation; the DOFs are set before the clock starts */
static double time_whole(subject *s, int rounds) {
  double least = 1e300;
  sinew_error error;
  for (int block = 0; block < blocks && !s->failed; block++) {
    double spent = 0;
    for (int r = 0; r < rounds && !s->failed; r++) {
      for (int i = 0; i < poses; i++) scatter(s, s->poses[i]);
      double start = now();
      for (int i = 0; i < poses; i++)
        note_failure(s, sinew_host_eval(s->host, s->poses[i], &error), &error);
      spent += (now() - start) / (rounds * poses);
    }
    if (spent < least) least = spent;
  }
  return least;
}

static row *row_of(table *t, const char *name) {
  for (int i = 0; i < t->count; i++)
    if (strcmp(t->rows[i].name, name) == 0) return &t->rows[i];
  t->rows[t->count] = (row){ .name = name };
  return &t->rows[t->count++];
}

static const char *set_name(const sinew_rig *rig, sinew_component component) {
  sinew_joint_set set = sinew_rig_component_info(rig, component).joint_set;
  return set.id ? sinew_rig_joint_set_name(rig, set) : "(no joint set)";
}

static void count_components(const sinew_rig *rig, table *kinds, table *sets) {
  for (int i = 0; i < sinew_rig_component_count(rig); i++) {
    sinew_component c = sinew_rig_component(rig, i);
    row_of(kinds, sinew_rig_component_info(rig, c).component_class->name)->components++;
    row_of(sets, set_name(rig, c))->components++;
  }
}

/* how many steps, starting at `first`, run together */
static int run_length(const sinew_rig *rig, int first) {
  int steps = sinew_rig_step_count(rig), end = first + 1;
  if (first == steps || !sinew_rig_step(rig, first).turns) return 1;
  while (end < steps && sinew_rig_step(rig, end).turns == sinew_rig_step(rig, first).turns) end++;
  return end - first;
}

static void time_steps(subject *s, int rounds, table *kinds, table *sets) {
  double nothing = time_run(s, 0, 0, rounds);
  int steps = sinew_rig_step_count(s->rig);
  progress shown = progress_start();
  for (int first = 0, count; first <= steps && !s->failed; first += count) {
    count = run_length(s->rig, first);
    double ns = (time_run(s, first, count, rounds) - nothing) / count;
    for (int i = first; i < first + count; i++) {
      const char *kind = "(world transforms)", *set = kind;
      if (i < steps) {
        sinew_component c = sinew_rig_step(s->rig, i).component;
        kind = sinew_rig_component_info(s->rig, c).component_class->name;
        set = set_name(s->rig, c);
      }
      row *rows[] = { row_of(kinds, kind), row_of(sets, set) };
      for (int k = 0; k < 2; k++) {
        rows[k]->ns += ns > 0 ? ns : 0;
        rows[k]->steps += i < steps;
      }
    }
    progress_show(&shown, "timing", first, steps);
  }
  progress_end(&shown);
}

static int slower_first(const void *a, const void *b) {
  double x = ((const row *)a)->ns, y = ((const row *)b)->ns;
  return (x < y) - (x > y);
}

static void print_table(table *t, const char *title) {
  double sum = 0;
  for (int i = 0; i < t->count; i++) sum += t->rows[i].ns;
  qsort(t->rows, (size_t)t->count, sizeof *t->rows, slower_first);
  command_print("\n%-24s %10s %6s  %8s %6s\n", title, "components", "steps", "ns", "share");
  for (int i = 0; i < t->count; i++) {
    const row *r = &t->rows[i];
    command_print("%-24s %10d %6d  %8.1f %5.1f%%\n", r->name, r->components, r->steps, r->ns,
                  sum > 0 ? 100 * r->ns / sum : 0);
  }
}

static void profile(subject *s, int rounds, table *kinds, table *sets) {
  const sinew_rig *rig = s->rig;
  count_components(rig, kinds, sets);
  time_steps(s, rounds, kinds, sets);
  double whole = time_whole(s, rounds / 4 + 1);
  if (s->failed) return;
  command_print("rig '%s': one evaluation with all DOFs at random takes %.2f us\n",
                sinew_rig_name(rig), whole * 1e-3);
  command_print("%d components run as %d steps: rotations are part of their product, and %d "
                "unused ones wait until they are read\n",
                sinew_rig_component_count(rig), sinew_rig_step_count(rig),
                sinew_rig_unused_count(rig));
  print_table(kinds, "kind");
  print_table(sets, "joint set");
}

typedef struct call {
  const char *rig;
  bool quick;
} call;

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "--quick", OPTION_FLAG, .offset = offsetof(call, quick),
    "runs only a few rounds, for a quick estimate" },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { 0 };
  if (!command_read(&command_profile, options, argc, argv, &c)) return EXIT_CALL;
  subject s = { .host = command_open(c.rig), .seed = 1 };
  if (!s.host) return EXIT_RIG;
  s.rig = sinew_host_rig(s.host);
  size_t most = (size_t)sinew_rig_component_count(s.rig) + 2;
  table kinds = { .rows = calloc(most, sizeof(row)) }, sets = { .rows = calloc(most, sizeof(row)) };
  bool ok = kinds.rows && sets.rows ? begin(&s) : command_out_of_memory();
  if (ok) profile(&s, c.quick ? 2 : 200, &kinds, &sets);
  ok = ok && !s.failed;
  for (int i = 0; i < poses; i++) sinew_pose_destroy(s.poses[i]);
  free(kinds.rows);
  free(sets.rows);
  sinew_host_destroy(s.host);
  return ok ? EXIT_FINE : EXIT_RIG;
}

const command command_profile = {
  .name = "profile",
  .doc = "times an evaluation, by kind of component and by joint set",
  .options = options,
  .example = "sinew profile rigs/knee.lua",
  .run = run,
};
