/* Left and right by name. */
#include "plain/side.h"

#include "minunit.h"

#include <stddef.h>

MU_TEST(side_of_a_name_is_a_word_or_a_letter_at_an_end) {
  static const char *const left[] = { "left_hand", "femur_l",      "l_humerus", "Foot.L",
                                      "hand left", "LeftArm_left", "arm-L" };
  static const char *const right[] = { "right_hip", "rib12_r", "r_ulna", "toe.R", "Right" };
  static const char *const none[] = { "L1",     "skull",  "T12",    "r",     "L",
                                      "",       "_",      "a_l_b",  "lefty", "upright_post",
                                      "roller", "pelvis", "LeftArm" };
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    MU_CHECK_SAY(side_of_name(left[i]) == SIDE_LEFT, "%s", left[i]);
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    MU_CHECK_SAY(side_of_name(right[i]) == SIDE_RIGHT, "%s", right[i]);
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    MU_CHECK_SAY(side_of_name(none[i]) == SIDE_NONE, "%s", none[i]);
}

MU_SUITE(side)
