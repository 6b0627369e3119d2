/* A game loop on the engine alone, without Lua and without a window: a robot arm follows a ball
 * that goes round, in fixed steps, and twice a second its grip is printed. A game would draw its
 * meshes with the same matrices. The arm cannot turn to the place right behind it. Build it with
 * `cc core.c $(pkg-config --cflags --libs sinew) -o core`. */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  sinew_error error;
  sinew_builder *b = sinew_builder_create("arm", NULL);
  sinew_segment base = sinew_add_bone(b, SINEW_ROOT, "base", (sinew_vec3){ 0, 0.5f, 0 });
  sinew_segment upper = sinew_add_bone(b, base, "upper", (sinew_vec3){ 0, 0.2f, 0 });
  sinew_segment lower = sinew_add_bone(b, upper, "lower", (sinew_vec3){ 0, 0, 0.8f });
  sinew_segment grip = sinew_add_bone(b, lower, "grip", (sinew_vec3){ 0, 0, 0.7f });
  sinew_add_hinge(b, base, "arm.turn", SINEW_Y, -170, 170);
  sinew_add_hinge(b, upper, "arm.lift", SINEW_X, -80, 30);
  sinew_add_hinge(b, lower, "arm.bend", SINEW_X, 0, 140);
  sinew_rig *rig = sinew_builder_finish(b, &error); /* const from here on: all arms share it */
  sinew_pose *pose = rig ? sinew_pose_create(rig, &error) : NULL;
  sinew_solver *solver = pose ? sinew_reach_create(rig, grip, &error) : NULL;
  if (!solver) {
    fprintf(stderr, "%s\n", error.text);
    return EXIT_FAILURE;
  }

  const int rate = 60; /* steps a second */
  for (int step = 0; step <= 2 * rate; step++) {
    float angle = 3.14159265f * (float)step / (float)rate; /* the ball goes round in 2 seconds */
    sinew_vec3 ball = { sinf(angle), 0.8f, cosf(angle) };
    float away =
        sinew_reach(solver, pose, ball); /* sets the DOFs and evaluates; allocates nothing */
    if (step % (rate / 2) != 0) continue;
    const float *m = sinew_pose_world(pose, grip); /* column-major: 12 to 14 is the position */
    printf("%.1f s  grip %6.3f %6.3f %6.3f  %.3f m from the ball\n", (double)step / rate,
           (double)m[12], (double)m[13], (double)m[14], (double)away);
  }
  sinew_solver_destroy(solver);
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
  return EXIT_SUCCESS;
}
