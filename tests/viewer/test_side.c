/* Left and right by name, and names as words. */
#include "plain/side.h"

#include "minunit.h"

#include <stddef.h>
#include <string.h>

MU_TEST(side_of_a_name_is_a_word_or_a_letter) {
  static const char *const left[] = { "left_hand", "femur_l", "l_humerus", "Foot.L",
                                      "hand left", "LeftArm", "arm-L",     "J_Bip_L_UpperArm" };
  static const char *const right[] = { "right_hip", "rib12_r", "r_ulna",
                                       "toe.R",     "Right",   "mixamorig:RightFoot" };
  static const char *const none[] = { "L1",    "skull", "T12",          "r",      "L",     "", "_",
                                      "a_l_b", "lefty", "upright_post", "roller", "pelvis" };
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    MU_CHECK_SAY(side_of_name(left[i]) == SIDE_LEFT, "%s", left[i]);
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    MU_CHECK_SAY(side_of_name(right[i]) == SIDE_RIGHT, "%s", right[i]);
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    MU_CHECK_SAY(side_of_name(none[i]) == SIDE_NONE, "%s", none[i]);
}

MU_TEST(names_become_words) {
  static const struct {
    const char *name, *words;
  } cases[] = { { "right_knee", "Right knee" },
                { "hip_flexion_r", "Right hip flexion" },
                { "l_humerus", "Left humerus" },
                { "LeftArm", "Left arm" },
                { "Foot.L", "Left foot" },
                { "L1", "L1" },
                { "L5_S1", "L5 S1" },
                { "lumbar", "Lumbar" },
                { "knee.flexion", "Knee flexion" },
                { "mtp_angle", "Mtp angle" },
                { "upperLeg", "Upper leg" },
                { "J_Bip_L_UpperArm", "Left J bip upper arm" },
                { "наклон_головы", "Наклон головы" },
                { "ёлка", "Ёлка" },
                { "шея", "Шея" },
                { "ωμος", "Ωμος" },
                { "épaule_g", "Épaule g" },
                { "ćwierć", "Ćwierć" },
                { "łokieć", "Łokieć" },
                { "žebro", "Žebro" },
                { "ıslak", "ıslak" },
                { "右手", "右手" },
                { "", "" } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char words[64];
    name_text(cases[i].name, words, sizeof words);
    MU_TEXT(words, cases[i].words);
  }
  char tight[8];
  name_text("right_shoulder_blade", tight, sizeof tight);
  MU_CHECK(strlen(tight) < sizeof tight);
}

MU_TEST(names_beside_their_side_do_not_repeat_it) {
  char words[64];
  name_text_beside("tibia_l_rotate3", SIDE_LEFT, words, sizeof words);
  MU_TEXT(words, "Tibia rotate3");
  name_text_beside("calcaneus_r_rotate", SIDE_RIGHT, words, sizeof words);
  MU_TEXT(words, "Calcaneus rotate");
  name_text_beside("humerus_r", SIDE_LEFT, words, sizeof words);
  MU_TEXT(words, "Humerus r");
  name_text_beside("left", SIDE_LEFT, words, sizeof words);
  MU_TEXT(words, "Left");
}

MU_SUITE(side)
