/* Name tables, valid and invalid names, and nearest names against a plain recursive edit distance.
 */
#include "base/names.h"

#include "make.h"
#include "minunit.h"

MU_TEST(table_finds_what_was_added_and_nothing_else) {
  enum { count = 5000 };
  static char text[count][16];
  si_names names = { 0 };
  MU_INT(si_names_find(&names, "early"), 0);
  for (uint32_t i = 0; i < count; i++) {
    snprintf(text[i], sizeof text[i], "n%u", i * 7);
    MU_CHECK(si_names_add(&names, text[i], i + 1));
  }
  bool right = true;
  char key[16];
  for (uint32_t i = 0; i < count * 7; i++) {
    snprintf(key, sizeof key, "n%u", i);
    right &= si_names_find(&names, key) == (i % 7 ? 0 : i / 7 + 1);
  }
  MU_CHECK(right);
  MU_INT(si_names_find_n(&names, "n14.port", 3), 3);
  MU_INT(si_names_find_n(&names, "n14", 2), 0);
  MU_CHECK(si_names_add(&names, "n14", 999));
  MU_INT(si_names_find(&names, "n14"), 3);
  si_names_set(&names, "n14", 999);
  MU_INT(si_names_find(&names, "n14"), 999);
  MU_INT(names.count, count);
  si_names_free(&names);
  MU_INT(si_names_find(&names, "n14"), 0);
}

MU_TEST(bad_names_are_refused_with_a_reason) {
  char long_name[102];
  memset(long_name, 'a', 101);
  long_name[101] = '\0';
  MU_TEXT(si_name_fault(long_name), "is longer than 100 bytes");
  long_name[100] = '\0';
  MU_CHECK(!si_name_fault(long_name));
  MU_CHECK(!si_name_fault("left knee"));
  MU_CHECK(!si_name_fault("élévation"));
  MU_TEXT(si_name_fault(""), "is empty");
  MU_TEXT(si_name_fault(NULL), "is empty");
  MU_TEXT(si_name_fault("a.b"), "has a dot");
  MU_TEXT(si_name_fault(" a"), "begins or ends with a space");
  MU_TEXT(si_name_fault("a\n"), "has a control character");
  MU_TEXT(si_name_fault("a\xc2\x9b"), "has a control character");
  MU_TEXT(si_name_fault("a\xe2\x80\xae"
                        "b"),
          "has a control character"); /* turns to the left */
  MU_TEXT(si_name_fault("a\xff"), "is not UTF-8");
  MU_TEXT(si_name_fault("a\xc3"), "is not UTF-8");
}

MU_TEST(a_wrong_name_is_shown_in_one_line_and_cut) {
  char shown[SI_NAME_SHOWN], long_name[5000];
  MU_TEXT(si_name_show("a\nb\tc", shown), "a?b?c");
  memset(long_name, 'x', sizeof long_name - 1);
  long_name[201] = '\0';
  MU_TEXT(si_name_show(long_name, shown), long_name);
  long_name[201] = 'x';
  long_name[sizeof long_name - 1] = '\0';
  MU_INT((int)strlen(si_name_show(long_name, shown)), SI_NAME_SHOWN - 1);
  MU_TEXT(shown + SI_NAME_SHOWN - 5, "x...");
}

static const char *nearest(const char *wanted, const char *const *names, char *dest) {
  si_nearest n;
  si_nearest_start(&n, wanted);
  for (; *names; names++) si_nearest_offer(&n, *names);
  return si_nearest_words(&n, dest, 200);
}

MU_TEST(nearest_names_are_offered_in_order) {
  static const char *const names[] = { "knee", "ankle", "knees", "kneel", "hip", "flexion", NULL };
  char words[200];
  MU_TEXT(nearest("kneee", names, words), " (did you mean 'knee' or 'knees' or 'kneel'?)");
  MU_TEXT(nearest("Ankle", names, words), " (did you mean 'ankle'?)");
  MU_TEXT(nearest("anlke", names, words), " (did you mean 'ankle'?)");
  MU_TEXT(nearest("hop", names, words), " (did you mean 'hip'?)");
  MU_TEXT(nearest("flex", names, words), " (did you mean 'flexion'?)");
  MU_TEXT(nearest("shoulder", names, words), "");
  MU_TEXT(nearest("hi", names, words), " (did you mean 'hip'?)");
}

MU_TEST(nearest_finds_a_member_without_its_joint_set) {
  static const char *const names[] = { "knee.flexion", "hip.abduction", NULL };
  char words[200];
  MU_TEXT(nearest("flexion", names, words), " (did you mean 'knee.flexion'?)");
  MU_TEXT(nearest("knee.flexoin", names, words), " (did you mean 'knee.flexion'?)");
}

MU_TEST(nearest_leaves_out_names_that_do_not_fit) {
  static const char *const names[] = { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL };
  si_nearest n;
  si_nearest_start(&n, names[0]);
  si_nearest_offer(&n, names[0]);
  for (size_t room = 1; room < 70; room++) {
    char words[80];
    memset(words, '!', sizeof words);
    si_nearest_words(&n, words, room);
    MU_CHECK(strlen(words) < room);
    MU_INT(words[room], '!');
  }
}

/* edit distance with swaps of neighbours, by plain recursion */
static int slow_edits(const char *a, const char *b) {
  if (!*a) return (int)strlen(b);
  if (!*b) return (int)strlen(a);
  int best = slow_edits(a + 1, b + 1) + (*a != *b);
  int drop = slow_edits(a + 1, b) + 1, put = slow_edits(a, b + 1) + 1;
  if (drop < best) best = drop;
  if (put < best) best = put;
  if (a[1] && b[1] && a[0] == b[1] && a[1] == b[0]) {
    int swap = slow_edits(a + 2, b + 2) + 1;
    if (swap < best) best = swap;
  }
  return best;
}

MU_TEST(nearest_agrees_with_plain_edit_distance) {
  uint32_t seed = 7;
  for (int round = 0; round < mu_rounds(2000); round++) {
    char a[8], b[8];
    int m = 3 + make_index(&seed, 4), n = 3 + make_index(&seed, 4);
    for (int i = 0; i < m; i++) a[i] = (char)('a' + make_index(&seed, 3));
    for (int i = 0; i < n; i++) b[i] = (char)('a' + make_index(&seed, 3));
    a[m] = b[n] = '\0';
    si_nearest near;
    si_nearest_start(&near, a);
    si_nearest_offer(&near, b);
    int most = m < 4 ? 1 : 2, slow = slow_edits(a, b);
    bool prefix = strncmp(a, b, (size_t)m) == 0;
    MU_CHECK_SAY((near.best[0].name != NULL) == (slow <= most || prefix), "%s and %s: %d", a, b,
                 slow);
    if (slow <= most) MU_INT(near.best[0].distance, slow);
  }
}

MU_SUITE(names)
