/* A camera crane whose head follows the mouse. */
#include "sinew_raylib.h"

int main(void) {
  sinew_error error;
  sinew_builder *b = sinew_builder_create("crane", NULL);
  sinew_segment boom = sinew_add_bone(b, SINEW_ROOT, "boom", (sinew_vec3){ 0, 1, 0 });
  sinew_segment arm = sinew_add_bone(b, boom, "arm", (sinew_vec3){ 0, 0, 1.6f });
  sinew_segment head = sinew_add_bone(b, arm, "head", (sinew_vec3){ 0, 0, 0.8f });
  sinew_add_hinge(b, boom, "crane.pan", SINEW_Y, -180, 180);
  sinew_add_hinge(b, boom, "crane.lift", SINEW_X, -75, 20);
  sinew_add_hinge(b, arm, "crane.fold", SINEW_X, 0, 130);
  sinew_add_slider(b, head, "crane.reach", SINEW_Z, 0, 0.6f);
  sinew_rig *rig = sinew_builder_finish(b, &error);
  if (!rig) TraceLog(LOG_FATAL, "%s", error.text);
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_solver *solver = sinew_reach_create(rig, head, NULL);
  InitWindow(800, 600, "crane");
  Camera3D camera = { { 5, 3, 4 }, { 0, 1, 1 }, { 0, 1, 0 }, 45, CAMERA_PERSPECTIVE };
  while (!WindowShouldClose()) {
    Vector3 target = SinewMouse(camera, camera.target);
    sinew_reach(solver, pose, SinewVec3(target));
    BeginDrawing();
    ClearBackground(RAYWHITE);
    BeginMode3D(camera);
    DrawGrid(10, 1);
    SinewDrawSkeleton(pose, 0.1f, ORANGE);
    EndMode3D();
    EndDrawing();
  }
  sinew_solver_destroy(solver);
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
  CloseWindow();
}
