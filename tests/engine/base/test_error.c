/* The error text: one mistake per line, bounded; and a name for every status. */
#include "base/error_internal.h"

#include "minunit.h"

MU_TEST(error_has_one_mistake_per_line) {
  sinew_error e;
  MU_INT(si_fail(&e, SINEW_ERR_NAME, "no %s named '%s'", "DOF", "kneee"), SINEW_ERR_NAME);
  MU_TEXT(e.text, "no DOF named 'kneee'");
  MU_INT(si_add(&e, SINEW_ERR_TYPE, "second"), SINEW_ERR_TYPE);
  MU_TEXT(e.text, "no DOF named 'kneee'\nsecond");
  MU_INT(e.status, SINEW_ERR_NAME);
  MU_INT(e.count, 2);
  MU_INT(e.shown, 2);
  MU_INT(e.length, strlen(e.text));
  MU_INT(si_fail_memory(&e), SINEW_ERR_MEMORY);
  MU_TEXT(e.text, "out of memory");
  MU_INT(e.count, 1);
  sinew_error_clear(&e);
  MU_TEXT(e.text, "");
  MU_INT(e.status, SINEW_OK);
}

MU_TEST(error_may_be_null_everywhere) {
  sinew_error_clear(NULL);
  MU_INT(si_fail(NULL, SINEW_ERR_FILE, "nobody reads %d", 1), SINEW_ERR_FILE);
  MU_INT(si_add(NULL, SINEW_ERR_FILE, "nobody reads"), SINEW_ERR_FILE);
}

MU_SLOW_TEST(error_counts_lines_that_do_not_fit) {
  for (int width = 1; width < 1200; width += 61) {
    char line[1300];
    memset(line, 'x', sizeof line);
    line[width] = '\0';
    sinew_error e;
    sinew_error_clear(&e);
    for (int i = 0; i < 5000; i++) si_add(&e, SINEW_ERR_VALUE, "%s", line);
    MU_INT(e.count, 5000);
    MU_CHECK(e.shown > 0 && e.shown < 5000);
    MU_CHECK(si_error_full(&e));
    size_t length = strlen(e.text), whole = width > 1023 ? 1023 : (size_t)width;
    MU_CHECK(length < SINEW_ERROR_TEXT);
    MU_INT(e.length, (size_t)e.shown * (whole + 1) - 1);
    char tail[64];
    snprintf(tail, sizeof tail, "\n(and %d more)", 5000 - e.shown);
    MU_TEXT(e.text + e.length, tail);
  }
}

MU_TEST(error_replaces_control_characters) {
  sinew_error e;
  si_fail(&e, SINEW_ERR_NAME, "a\x1b[31mb\tc\nd\x7f");
  MU_TEXT(e.text, "a?[31mb\tc\nd?");
}

MU_TEST(error_replaces_bytes_that_are_not_utf8_and_c1_controls) {
  sinew_error e;
  char cut[1100];
  si_fail(&e, SINEW_ERR_NAME, "caf\xc3\xa9 \xff \xc3( \xc2\x9b m \xed\xa0\x80 \xf0\x9f\xa6\xb4 \xe2\x82");
  MU_TEXT(e.text, "caf\xc3\xa9 ? ?( ? m ??? \xf0\x9f\xa6\xb4 ??");
  memset(cut, 'x', sizeof cut);
  memcpy(cut + 1022, "\xc3\xa9", 3); /* a line ends after 1023 bytes */
  si_fail(&e, SINEW_ERR_NAME, "%s", cut);
  MU_INT(e.length, 1023);
  MU_TEXT(e.text + 1020, "xx?");
}

MU_TEST(every_status_has_a_name_of_its_own) {
  for (int i = SINEW_ERR_CALL; i <= SINEW_CLAMPED; i++) {
    MU_CHECK(strcmp(sinew_status_name((sinew_status)i), "unknown") != 0);
    for (int j = SINEW_ERR_CALL; j < i; j++)
      MU_CHECK(strcmp(sinew_status_name((sinew_status)i), sinew_status_name((sinew_status)j)) != 0);
  }
  MU_TEXT(sinew_status_name((sinew_status)99), "unknown");
  MU_TEXT(sinew_status_name(SINEW_ERR_CYCLE), "cycle");
}

MU_SUITE(error)
