/* Numbers as text: every bit is restored, the text is the shortest possible, and nothing else is
 * accepted as a number. The same in a locale with a decimal comma. */
#include "base/text.h"

#include "make.h"
#include "minunit.h"

#include <float.h>
#include <locale.h>
#include <stdlib.h>

static float of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* slow check: fewer digits never give the same number */
static bool is_shortest(const char *text, float value) {
  int digits = 0;
  for (const char *at = text; *at && *at != 'e'; at++) digits += *at >= '0' && *at <= '9';
  char shorter[SI_NUMBER_TEXT];
  for (int fewer = 6; fewer < digits && fewer < 9; fewer++) {
    snprintf(shorter, sizeof shorter, "%.*g", fewer, (double)value);
    if (strtof(shorter, NULL) == value && strlen(shorter) < strlen(text)) return false;
  }
  return true;
}

static bool comes_back(float value) {
  char text[SI_NUMBER_TEXT];
  float again = 0;
  int length = si_float_text(value, text);
  return length == (int)strlen(text) && si_text_float(text, (size_t)length, &again) &&
         memcmp(&value, &again, sizeof value) == 0;
}

MU_TEST(every_float_round_trips_to_the_bit) {
  uint32_t seed = 11;
  for (int i = 0; i < mu_rounds(200000); i++) {
    float value = of_bits(make_random(&seed) << 16 ^ make_random(&seed));
    if (isfinite(value)) MU_CHECK_SAY(comes_back(value), "%.9g does not come back", (double)value);
  }
  const float awkward[] = { 0.0f,    -0.0f,       1,      -1,          0.1f, FLT_MAX,     -FLT_MAX,
                            FLT_MIN, FLT_MIN / 2, 1e-45f, 16777216.0f, 1e9f, 123456792.0f };
  for (size_t i = 0; i < sizeof awkward / sizeof *awkward; i++) MU_CHECK(comes_back(awkward[i]));
}

MU_TEST(a_float_is_written_with_the_fewest_digits) {
  char text[SI_NUMBER_TEXT];
  uint32_t seed = 5;
  for (int i = 0; i < mu_rounds(20000); i++) {
    float value = make_between(&seed, -1000, 1000);
    si_float_text(value, text);
    MU_CHECK_SAY(is_shortest(text, value), "'%s' could be shorter", text);
  }
  si_float_text(0.1f, text);
  MU_TEXT(text, "0.1");
  si_float_text(-13.2f, text);
  MU_TEXT(text, "-13.2");
}

MU_TEST(every_double_round_trips_to_the_bit) {
  uint32_t seed = 17;
  char text[SI_NUMBER_TEXT];
  for (int i = 0; i < mu_rounds(50000); i++) {
    uint64_t bits = 0;
    for (int k = 0; k < 4; k++) bits = bits << 16 ^ make_random(&seed);
    double value, again = 0;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    int length = si_double_text(value, text);
    MU_CHECK(si_text_double(text, (size_t)length, &again));
    MU_CHECK_SAY(memcmp(&value, &again, sizeof value) == 0, "%.17g does not come back", value);
  }
}

MU_TEST(decimal_parser_refuses_other_text) {
  static const char *const wrong[] = { "",    "-",   ".",     "e5",    "1e",       "1e+",
                                       "nan", "inf", "0x10",  "1,5",   "1 ",       " 1",
                                       "1f",  "--1", "1.2.3", "1e5.5", "infinity", "1_000" };
  float value;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    MU_CHECK_SAY(!si_text_float(wrong[i], strlen(wrong[i]), &value), "'%s' is taken", wrong[i]);
  static const char *const right[] = { "1", "+1.", ".5", "-0.5E-3", "007", "1e10" };
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    MU_CHECK_SAY(si_text_float(right[i], strlen(right[i]), &value), "'%s' is refused", right[i]);
  MU_CHECK(si_text_float("1e999", 5, &value) && isinf(value));
  MU_CHECK(si_text_float("12345", 2, &value) && value == 12);
  char digits[1000];
  memset(digits, '1', sizeof digits);
  MU_CHECK(!si_text_float(digits, sizeof digits, &value));
}

MU_TEST(a_locale_with_a_comma_changes_nothing) {
  static const char *const names[] = { "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C.UTF-8" };
  char text[SI_NUMBER_TEXT];
  float value = 0;
  size_t i = 0;
  while (i < 4 && !setlocale(LC_NUMERIC, names[i])) i++;
  si_float_text(-1234.5678f, text);
  bool read = si_text_float("0.25", 4, &value), comma = si_text_float("0,25", 4, &(float){ 0 });
  setlocale(LC_NUMERIC, "C");
  MU_TEXT(text, "-1234.5677");
  MU_CHECK(read && value == 0.25f && !comma);
}

MU_TEST(only_whole_numbers_in_range_become_integers) {
  static const struct {
    double value;
    int64_t low, high;
    bool fits;
  } cases[] = {
    { 3, 0, 5, true },
    { 0, 0, 5, true },
    { 5, 0, 5, true },
    { 6, 0, 5, false },
    { -1, 0, 5, false },
    { 2.5, 0, 5, false },
    { NAN, 0, 5, false },
    { INFINITY, 0, 5, false },
    { 3e66, INT64_MIN, INT64_MAX, false },
    { -0x1p63, INT64_MIN, INT64_MAX, true },
    { 0x1p63, INT64_MIN, INT64_MAX, false },
    { -3e66, INT64_MIN, INT64_MAX, false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int64_t whole = 77;
    MU_CHECK_SAY(si_whole(cases[i].value, cases[i].low, cases[i].high, &whole) == cases[i].fits,
                 "%g", cases[i].value);
    MU_CHECK(cases[i].fits ? (double)whole == cases[i].value : whole == 77);
  }
}

MU_SUITE(number)
