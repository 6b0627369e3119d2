/* For test_crane.sh: checks viewer/sinew_raylib.h in a window, or prints a pixel of a picture.
 *
 *   sinew-raylib-check                  what was drawn is where the pose says
 *   sinew-raylib-check FILE X Y ...     the colours of these pixels, as hex digits */
#include "sinew_raylib.h"

#include <rlgl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int failed;

static void check(bool right, const char *what) {
  if (!right) printf("%s\n", what);
  failed += !right;
}

static unsigned color_at(Image image, Vector2 at) {
  Color c = GetImageColor(image, (int)at.x, (int)at.y);
  return (unsigned)c.r << 16 | (unsigned)c.g << 8 | c.b;
}

static Vector3 transformed(const float *m, Vector3 p) {
  return (Vector3){ m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12],
                    m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
                    m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14] };
}

static float apart(Vector3 a, Vector3 b) { return Vector3Distance(a, b); }

int main(int argc, char **argv) {
  SetTraceLogLevel(LOG_WARNING);
  if (argc > 1) {
    Image image = LoadImage(argv[1]);
    for (int i = 2; i + 1 < argc; i += 2)
      printf("%06x ", color_at(image, (Vector2){ (float)atof(argv[i]), (float)atof(argv[i + 1]) }));
    UnloadImage(image);
    return 0;
  }
  sinew_error error;
  sinew_builder *b = sinew_builder_create("check", NULL);
  sinew_segment trunk = sinew_add_bone(b, SINEW_ROOT, "trunk", (sinew_vec3){ 0, 0.3f, 0 });
  sinew_segment arm = sinew_add_bone(b, trunk, "arm", (sinew_vec3){ 0.2f, 0.9f, 0 });
  sinew_add_bone(b, arm, "hand", (sinew_vec3){ 0.8f, 0, 0 });
  sinew_dof lean = sinew_add_hinge(b, trunk, "lean", (sinew_vec3){ 1, 2, 3 }, -90, 90);
  sinew_dof raise = sinew_add_hinge(b, arm, "raise", SINEW_Z, -90, 90);
  sinew_rig *rig = sinew_builder_finish(b, &error);
  sinew_pose *pose = sinew_pose_create(rig, NULL);
  sinew_pose_set(pose, lean, 25, NULL);
  sinew_pose_set(pose, raise, -40, NULL);
  sinew_pose_eval(pose, NULL);

  const Vector3 corners[] = { { 0.1f, 0.6f, 0.1f }, { 0.5f, 0.6f, 0.1f }, { 0.1f, 1, 0.1f } };
  const float vertices[] = { 0.1f, 0.6f, 0.1f, 0.5f, 0.6f, 0.1f, 0.1f, 1, 0.1f };
  const float normals[] = { 0, 0, 1, 0, 0, 1, 0, 0, 1 };
  const uint32_t triangles[] = { 0, 1, 2, 0, 2, 1 }; /* seen from both sides */
  SetConfigFlags(FLAG_WINDOW_HIDDEN);
  InitWindow(640, 480, "check");
  Camera3D camera = { { 1, 2, 4 }, { 0.3f, 0.8f, 0 }, { 0, 1, 0 }, 45, CAMERA_PERSPECTIVE };
  Model model = SinewModel((sinew_shape){ vertices, normals, triangles, 3, 2 });
  BeginDrawing();
  ClearBackground(RAYWHITE);
  BeginMode3D(camera);
  SinewDrawSkeleton(pose, 0.05f, ORANGE);
  SinewDrawModel(model, pose, arm, BLUE);
  EndMode3D();
  rlDrawRenderBatchActive();
  Image shot = LoadImageFromScreen();
  EndDrawing();

  for (int i = 0; i < sinew_rig_segment_count(rig); i++) {
    sinew_segment bone = sinew_rig_segment(rig, i);
    const float *m = sinew_pose_world(pose, bone);
    for (int k = 0; k < 3; k++)
      check(apart(Vector3Transform(corners[k], SinewMatrix(m)), transformed(m, corners[k])) < 1e-6f,
            "a matrix is in another order");
    Vector3 at = SinewPosition(pose, bone);
    check(apart(at, transformed(m, (Vector3){ 0, 0, 0 })) < 1e-6f, "a bone is elsewhere");
    check(color_at(shot, GetWorldToScreen(at, camera)) == 0xffa100, "a bone is not drawn");
  }
  Vector3 middle = { 0, 0, 0 };
  for (int k = 0; k < 3; k++)
    middle = Vector3Add(
        middle, Vector3Scale(transformed(sinew_pose_world(pose, arm), corners[k]), 1 / 3.0f));
  check(color_at(shot, GetWorldToScreen(middle, camera)) == 0x0079f1, "a shape is not drawn");
  check(color_at(shot, (Vector2){ 5, 5 }) == 0xf5f5f5, "the background is not free");

  SetMousePosition(123, 321);
  PollInputEvents();
  Vector3 pulled = SinewMouse(camera, middle),
          forward = Vector3Subtract(camera.target, camera.position);
  Vector2 mouse = GetMousePosition(), seen = GetWorldToScreen(pulled, camera);
  check(fabsf(seen.x - mouse.x) < 0.5f && fabsf(seen.y - mouse.y) < 0.5f,
        "the mouse points elsewhere");
  check(fabsf(Vector3DotProduct(Vector3Subtract(pulled, middle), forward)) < 1e-3f,
        "the mouse is at another depth");
  UnloadImage(shot);
  UnloadModel(model);
  CloseWindow();
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
  printf("%d failed\n", failed);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
