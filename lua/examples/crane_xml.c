/* The same crane, loaded from crane.xml: a rig that was exported needs no Lua. */
#include "sinew_raylib.h"
int main(void) {
  sinew_error error;
  sinew_rig *rig = sinew_rig_load("crane.xml", &error);
  if (!rig) TraceLog(LOG_FATAL, "%s", error.text);
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_solver *solver = sinew_reach_create(rig, sinew_rig_find_segment(rig, "head", NULL), NULL);
  InitWindow(800, 600, "crane");
  Camera3D camera = { { 5, 3, 4 }, { 0, 1, 1 }, { 0, 1, 0 }, 45, CAMERA_PERSPECTIVE };
  while (!WindowShouldClose()) {
    sinew_reach(solver, pose, SinewVec3(SinewMouse(camera, camera.target)));
    BeginDrawing();
    ClearBackground(RAYWHITE);
    BeginMode3D(camera);
    SinewDrawSkeleton(pose, 0.1f, ORANGE);
    EndMode3D();
    EndDrawing();
  }
}
