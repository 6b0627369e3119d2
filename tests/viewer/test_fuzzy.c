/* Finding by a few letters of some words. */
#include "plain/fuzzy.h"

#include "minunit.h"

MU_TEST(fuzzy_words_must_all_be_there) {
  static const struct {
    const char *text, *query;
    bool fits;
  } cases[] = { { "Mirror the pose", "mirror", true },
                { "Mirror the pose", "mir po", true },
                { "Mirror the pose", "po mir", true },
                { "Mirror the pose", "mtp", true },
                { "Mirror the pose", "mirrorz", false },
                { "Mirror the pose", "mirror x", false },
                { "Right knee: bend", "knee r", true },
                { "right_knee.flexion", "kneeflex", true },
                { "tibiaRight", "RIGHT", true },
                { "Grid", "", true },
                { "Grid", "  ", true },
                { "", "a", false },
                { "", "", true } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    MU_CHECK_SAY((fuzzy_fit(cases[i].text, cases[i].query) > 0) == cases[i].fits, "%s in %s",
                 cases[i].query, cases[i].text);
}

MU_TEST(fuzzy_order_is_whole_word_start_inside_letters) {
  const char *order[] = { "Key", "Key the pose", "Keyboard here", "Monkey", "Kick every yak" };
  for (size_t i = 1; i < sizeof order / sizeof *order; i++)
    MU_CHECK_SAY(fuzzy_fit(order[i - 1], "key") > fuzzy_fit(order[i], "key"), "%s before %s",
                 order[i - 1], order[i]);
}

MU_SUITE(fuzzy)
