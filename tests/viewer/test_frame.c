/* Where the parts of the window go. */
#include "plain/frame.h"

#include "minunit.h"
#include "support/cone_cases.h"

static bool inside(frame_box in, frame_box of) {
  return in.x >= of.x && in.y >= of.y && in.x + in.width <= of.x + of.width &&
         in.y + in.height <= of.y + of.height;
}

static bool apart(frame_box a, frame_box b) {
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y ||
         b.y + b.height <= a.y;
}

static frame_plan example(float width, float height, float scale) {
  return (frame_plan){ .width = width,
                       .height = height,
                       .scale = scale,
                       .sides = { { .open = true }, { .open = true } },
                       .bottoms = { { .open = true, .whole = true, .size = 176 },
                                    { .open = true, .size = 280 } },
                       .bottom_count = 2 };
}

MU_TEST(frame_has_the_usual_sizes) {
  frame_plan f = example(1280, 720, 1);
  f.bottom_count = 0;
  frame_lay_out(&f);
  MU_CHECK(f.bar.height == 40 && f.status.height == 24 && f.status.y == 696);
  MU_CHECK(f.sides[0].place.width == 240 && f.sides[1].place.width == 280);
  MU_CHECK(f.scene.x == 240 && f.scene.y == 40 && f.scene.width == 760 && f.scene.height == 656);
  f.bare = true;
  frame_lay_out(&f);
  MU_CHECK(f.scene.width == 1280 && f.scene.height == 720);
}

MU_TEST(frame_docks_one_side_in_a_narrow_window) {
  frame_plan f = example(999, 700, 1);
  f.last = FRAME_LEFT;
  frame_lay_out(&f);
  MU_CHECK(f.sides[0].place.width == 240 && f.sides[1].place.width == 0);
  f.last = FRAME_RIGHT;
  frame_lay_out(&f);
  MU_CHECK(f.sides[0].place.width == 0 && f.sides[1].place.width == 280);
  f.width = 1000;
  frame_lay_out(&f);
  MU_CHECK(f.sides[0].place.width == 240 && f.sides[1].place.width == 280);
  f.scale = 2;
  frame_lay_out(&f);
  MU_CHECK(f.sides[0].place.width == 0 && f.sides[1].place.width == 560);
}

/* any window, with any panels open at any size */
MU_TEST(frame_parts_never_overlap_and_leave_the_scene) {
  dice d = { 77 };
  for (int i = 0; i < 20000; i++) {
    frame_plan f = { .width = (float)(roll_int(&d, 2400) + 200),
                     .height = (float)(roll_int(&d, 1600) + 160),
                     .scale = 1 + (float)roll_int(&d, 5) / 4,
                     .notice = roll_int(&d, 4) ? 0 : (float)roll_int(&d, 400),
                     .last = roll_int(&d, 2) ? FRAME_LEFT : FRAME_RIGHT,
                     .bottom_count = roll_int(&d, 5) };
    for (int k = 0; k < 2; k++) {
      f.sides[k].open = roll_int(&d, 2);
      f.sides[k].size = (float)roll_int(&d, 600);
      f.sides[k].least = roll_int(&d, 2) ? 0 : (float)roll_int(&d, 400);
    }
    for (int k = 0; k < f.bottom_count; k++)
      f.bottoms[k] = (frame_panel){ .open = roll_int(&d, 2),
                                    .whole = roll_int(&d, 2),
                                    .size = (float)roll_int(&d, 900) };
    frame_lay_out(&f);
    frame_box window = { 0, 0, f.width, f.height }, parts[6 + most_bottoms];
    int count = 0;
    parts[count++] = f.bar;
    parts[count++] = f.status;
    parts[count++] = f.strip;
    parts[count++] = f.scene;
    for (int k = 0; k < 2; k++) parts[count++] = f.sides[k].place;
    for (int k = 0; k < f.bottom_count; k++) parts[count++] = f.bottoms[k].place;
    bool room = f.width >= 400 && f.height >= 240 + (64 + frame_notice_line) * f.scale;
    for (int a = 0; room && a < count; a++) {
      MU_CHECK_SAY(inside(parts[a], window), "round %d part %d", i, a);
      for (int b = 0; b < a; b++)
        if (parts[a].width > 0 && parts[b].width > 0 && parts[a].height > 0 && parts[b].height > 0)
          MU_CHECK_SAY(apart(parts[a], parts[b]), "round %d parts %d and %d", i, a, b);
    }
    if (room) MU_CHECK_SAY(f.scene.width >= 320 && f.scene.height >= 240, "round %d", i);
    if (f.width < 1000 * f.scale)
      MU_CHECK(f.sides[0].place.width == 0 || f.sides[1].place.width == 0);
  }
}

MU_TEST(labels_never_overlap_and_the_first_are_kept) {
  enum { most = 60 };
  dice d = { 8 };
  for (int round = 0; round < 200; round++) {
    frame_box placed[most];
    int count = 0;
    for (int i = 0; i < most; i++) {
      frame_box label = { (float)roll_int(&d, 200), (float)roll_int(&d, 100),
                          (float)(5 + roll_int(&d, 30)), 13 };
      bool free = true;
      for (int k = 0; k < count; k++) free &= apart(placed[k], label);
      MU_CHECK(frame_label(placed, &count, label) == free);
      MU_CHECK(i > 0 || count == 1);
    }
    for (int a = 0; a < count; a++)
      for (int b = 0; b < a; b++) MU_CHECK(apart(placed[a], placed[b]));
  }
}

MU_SUITE(frame)
