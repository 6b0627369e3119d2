/* Values as text: one rule for numbers in the whole window, and what is shown can be
 * typed again. */
#include "make.h"
#include "minunit.h"

#include "plain/value_text.h"

static const char *short_text(sinew_kind kind, const float *value, const char *unit) {
  static char text[160];
  value_short(kind, value, unit, text, sizeof text);
  return text;
}

MU_TEST(numbers_have_one_rule) {
  static const struct {
    float value;
    const char *unit, *text;
  } cases[] = {
    { 12.34f, "deg", "12.3\u00b0" }, { -0.04f, "deg", "0.0\u00b0" },
    { -0.06f, "deg", "-0.1\u00b0" }, { 180, "deg", "180.0\u00b0" },
    { 0.0404f, "m", "0.040 m" },     { 12.5f, "m", "12.500 m" },
    { -0.0004f, "m", "0.000 m" },    { 0.355f, "%", "36 %" },
    { -1, "%", "-100 %" },           { -0.001f, "%", "0 %" },
    { 1.204f, "s", "1.20 s" },       { 3.25f, "mm", "3.2 mm" },
    { 2.5f, "N", "2.5 N" },          { 0, "", "0" },
    { -0.00001f, NULL, "0" },        { 12.5f, NULL, "12.5" },
    { -123.456f, NULL, "-123.5" },   { 0.0123f, NULL, "0.0123" },
    { 3e9f, NULL, "3e+09" },
  };
  char text[48];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    value_number(cases[i].value, cases[i].unit, text, sizeof text);
    MU_TEXT(text, cases[i].text);
    MU_TEXT(short_text(SINEW_SCALAR, &cases[i].value, cases[i].unit), cases[i].text);
  }
  MU_TEXT(short_text(SINEW_VECTOR, (const float[]){ 0.1f, -0.25f, 30 }, "m"),
          "0.100 -0.250 30.000");
  MU_TEXT(short_text(SINEW_SCALAR, NULL, "m"), "");
  float m[16] = { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.5f, 0, -0.002f, 1 };
  MU_TEXT(short_text(SINEW_MATRIX, m, NULL), "0.500 0.000 -0.002  90.0\u00b0");
}

MU_TEST(messages_name_files_relative_to_the_rig) {
  static const struct {
    const char *text, *words;
  } cases[] = {
    { "/home/a/rigs/arm.lua:5: no port", "arm.lua:5: no port" },
    { "/home/a/rigs/parts/hand.lua:5: no port", "parts/hand.lua:5: no port" },
    { "/usr/share/sinew/joint.lua:5: no port", "joint.lua:5: no port" },
    { "...ong/way/to/rigs/arm.lua:5: no port", "arm.lua:5: no port" },
    { "cannot open '/home/a/rigs/data/x.json': no", "cannot open 'data/x.json': no" },
    { "cannot open '/usr/x.json'", "cannot open '/usr/x.json'" },
    { "two:\n/home/a/rigs/arm.lua:5: a\n  5 | b / c", "two:\narm.lua:5: a\n  5 | b / c" },
    { "/home/a/rigs2/arm.lua:x", "/home/a/rigs2/arm.lua:x" },
    { "", "" },
  };
  char text[200], tight[8];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    message_short(cases[i].text, "/home/a/rigs", text, sizeof text);
    MU_TEXT(text, cases[i].words);
  }
  MU_TEXT(message_reason("a.lua:5: component 'arm.reach': reach cone: edge 1"),
          "reach cone: edge 1");
  MU_TEXT(message_reason("a.lua:5: component 'arm' input 'b': no"),
          "a.lua:5: component 'arm' input 'b': no");
  MU_TEXT(message_reason("190 is outside"), "190 is outside");
  message_short("rigs/arm.lua:5: a", "rigs", text, sizeof text);
  MU_TEXT(text, "arm.lua:5: a");
  message_short("arm.lua:5: a", ".", text, sizeof text);
  MU_TEXT(text, "arm.lua:5: a");
  message_short("/home/a/rigs/arm.lua:5", "/home/a/rigs", tight, sizeof tight);
  MU_TEXT(tight, "arm.lua");
}

MU_TEST(a_value_without_unit_within_one_is_a_share) {
  MU_TEXT(value_unit("", -1, 1), "%");
  MU_TEXT(value_unit(NULL, 0, 1), "%");
  MU_TEXT(value_unit("", 0, 5), "");
  MU_TEXT(value_unit("", 0, 0), "");
  MU_TEXT(value_unit("m", 0, 1), "m");
}

MU_TEST(what_is_shown_can_be_typed) {
  static const struct {
    const char *text, *unit;
    float value;
  } good[] = { { "12.5", "deg", 12.5f }, { "12.5\u00b0", "deg", 12.5f },
               { "-3 deg", "deg", -3 },  { "0.04 m", "m", 0.04f },
               { "35 %", "%", 0.35f },   { "35%", "%", 0.35f },
               { "35", "%", 0.35f },     { "7", NULL, 7 },
               { "2 N", "N", 2 } };
  static const struct {
    const char *text, *unit;
  } bad[] = { { "", "deg" },  { "12x", "deg" }, { "12 m", "deg" },
              { "nan", "m" }, { "1 %", "m" },   { "inf", NULL } };
  float value;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    MU_CHECK(value_read(good[i].text, good[i].unit, &value));
    MU_NEAR(value, good[i].value, 1e-6);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    MU_CHECK(!value_read(bad[i].text, bad[i].unit, &value));
  /* and gives back the same text */
  static const char *const units[] = { "deg", "m", "%", "s", "mm", "N", NULL };
  uint32_t seed = 5;
  for (int round = 0; round < mu_rounds(2000); round++) {
    const char *unit = units[round % 7];
    char text[48], again[48];
    value_number(make_between(&seed, -3, 3), unit, text, sizeof text);
    MU_CHECK(value_read(text, unit, &value));
    value_number(value, unit, again, sizeof again);
    MU_TEXT(again, text);
  }
}

MU_TEST(values_show_the_rotation_of_a_matrix_also_at_180_degrees) {
  static const float axes[][3] = {
    { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0.6f, 0, -0.8f }, { 0.48f, 0.64f, 0.6f }
  };
  static const double angles[] = { 0.1, 1, 30, 90, 150, 179, 179.999, 180 };
  for (size_t a = 0; a < sizeof axes / sizeof *axes; a++)
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
      float m[16], axis[3];
      dmat turn = dmat_turn(axes[a], angles[k]);
      for (int i = 0; i < 16; i++) m[i] = (float)turn.m[i];
      MU_NEAR(value_rotation(m, axis), angles[k], 0.01);
      float along = axis[0] * axes[a][0] + axis[1] * axes[a][1] + axis[2] * axes[a][2];
      /* 180 degrees is the same about the opposite axis */
      MU_NEAR(angles[k] > 179.99 ? fabsf(along) : along, 1, 1e-3);
    }
}

MU_SUITE(value_text)
