/* The core: joint sets, a whole spine, a body and the world pass, against the naive loop: a
 * straightforward program with cglm's own functions. */
#include "bench.h"
#include "bench_motion.h"
#include "bench_rigs.h"

static double bench_rig(const char *name, const sinew_rig *rig, void (*run)(void *, int),
                        int moved) {
  motion m = motion_random(rig, moved);
  sinew_pose_eval(m.pose, NULL);
  double ns = bench_time(name, run, &m);
  motion_free(&m);
  return ns;
}

/* against the naive loop, timed in turn; ns of both */
static void bench_against(const char *const names[2], const sinew_rig *rig,
                          void (*run)(void *, int), int segments, int rotations, double dest[2]) {
  motion m = motion_random(rig, 0);
  naive n = naive_make(segments, rotations);
  sinew_pose_eval(m.pose, NULL);
  bench_pair(names, (void (*const[])(void *, int)){ run, naive_run }, (void *[]){ &m, &n }, dest);
  motion_free(&m);
  naive_free(&n);
}

void bench_core(void) {
  sinew_rig *cervical = bench_spine(1, 7), *spine = bench_spine(3, 24);
  sinew_rig *chain = bench_body(75, 1), *body = bench_body(75, 2);
  double turns[2], moves[2], bodies[2], worlds[2];
  bench_rig("cervical spine, 7 vertebrae, 3 DOFs, 21 rotations", cervical, motion_run_all, 0);
  bench_against(
      (const char *[]){ "spine, 72 rotations, all 9 DOFs moved", "naive cglm loop, 72 rotations" },
      spine, motion_run_all, 24, 3, turns);
  motion one = motion_random(spine, 1), all = motion_random(spine, 0);
  sinew_pose_eval(one.pose, NULL);
  bench_pair((const char *[]){ "spine, one DOF of 9 moved", "spine, all 9, in turn with it" },
             (void (*const[])(void *, int)){ motion_run_some, motion_run_all },
             (void *[]){ &one, &all }, moves);
  motion_free(&one);
  motion_free(&all);
  bench_rig("chain of 75 segments, one rotation each", chain, motion_run_all, 0);
  bench_against((const char *[]){ "body75: 75 segments, 150 rotations, all DOFs moved",
                                  "N: naive cglm loop, 150 rotations" },
                body, motion_run_all, 75, 2, bodies);
  bench_rig("body75, one DOF moved", body, motion_run_some, 1);
  bench_against((const char *[]){ "body75, world transforms alone", "N, in turn with it" }, body,
                motion_run_world, 75, 2, worlds);

  bench_ratio("spine, all DOFs / naive loop", turns[0] / turns[1], 1.0);
  /* this one moves 7 of 24 vertebrae; all nine together gain more from products of four */
  bench_ratio("spine, one DOF of nine / all nine", moves[0] / moves[1], 0.55);
  bench_ratio("spine, one DOF of nine / naive loop", moves[0] / turns[1], 0.15);
  bench_ratio("body75 / N", bodies[0] / bodies[1], 0.5);
  bench_ratio("world pass alone / N", worlds[0] / worlds[1], 0.09);
  sinew_rig_destroy(cervical);
  sinew_rig_destroy(spine);
  sinew_rig_destroy(chain);
  sinew_rig_destroy(body);
}
