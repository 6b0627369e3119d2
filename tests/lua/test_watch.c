/* The watch, for every way in which an editor saves. The tests set the time and the files'
 * modification times themselves, so that nothing depends on the machine's speed. */
#include "fixture.h"
#include "minunit.h"
#include "scarce.h"
#include "scratch.h"
#include "base/names.h"
#include "lua/base/watch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static si_watch *watch;
static double now;
static long ticks;

/* a later modification time, a microsecond after the last one */
static void tick(const char *name) {
  ticks += 1000;
  struct timespec times[2] = { { 1000, ticks }, { 1000, ticks } };
  utimensat(AT_FDCWD, scratch_path(name), times, 0);
}

static void save(const char *name, const char *text) {
  scratch_text(name, text);
  tick(name);
}

static si_watch_news look(void) {
  now += 0.0625;
  return si_watch_poll(watch, now);
}

/* watches the current contents of a and b */
static bool begin(void) {
  if (!scratch_open()) return false;
  save("a", "return 1");
  save("b", "return 2");
  si_watch_file files[2] = { { scratch_path("a"), { 0 }, false },
                             { scratch_path("b"), { 0 }, false } };
  for (int i = 0; i < 2; i++) files[i].stamp = si_file_look(files[i].path);
  now = 100;
  watch = si_watch_create(0.0625, 1, &error);
  return watch && si_watch_set(watch, files, 2, &error) == SINEW_OK;
}

static void end(void) {
  si_watch_destroy(watch);
  scratch_close();
}

MU_TEST(watch_reports_nothing_when_nothing_changes) {
  MU_CHECK(begin());
  for (int i = 0; i < 10; i++) {
    MU_INT(look(), SI_WATCH_SAME);
    MU_CHECK(!si_watch_path(watch));
  }
  end();
}

MU_TEST(watch_reports_a_save_at_the_second_poll) {
  MU_CHECK(begin());
  MU_INT(look(), SI_WATCH_SAME);
  save("b", "return 3");
  MU_INT(look(), SI_WATCH_WAITING);
  MU_TEXT(si_watch_path(watch), scratch_path("b"));
  MU_CHECK(!si_watch_is_absent(watch));
  MU_INT(look(), SI_WATCH_CHANGED);
  MU_TEXT(si_watch_path(watch), scratch_path("b"));
  MU_INT(look(), SI_WATCH_SAME);
  end();
}

MU_TEST(watch_respects_its_polling_interval) {
  MU_CHECK(begin());
  MU_INT(look(), SI_WATCH_SAME);
  save("a", "return 9");
  for (int i = 0; i < 4; i++) MU_INT(si_watch_poll(watch, now + 0.01 * i), SI_WATCH_SAME);
  MU_INT(look(), SI_WATCH_WAITING);
  MU_INT(si_watch_poll(watch, now + 0.01), SI_WATCH_WAITING);
  MU_INT(look(), SI_WATCH_CHANGED);
  /* a change is reported once */
  MU_INT(si_watch_poll(watch, now + 0.01), SI_WATCH_SAME);
  MU_CHECK(!si_watch_path(watch));
  end();
}

MU_TEST(watch_reports_a_save_during_loading) {
  MU_CHECK(begin());
  save("a", "return 10");
  MU_INT(look(), SI_WATCH_WAITING);
  MU_INT(look(), SI_WATCH_CHANGED);
  end();
}

MU_TEST(watch_reports_a_rename_with_the_same_time_and_size) {
  MU_CHECK(begin());
  MU_INT(look(), SI_WATCH_SAME);
  struct stat about;
  MU_INT(stat(scratch_path("a"), &about), 0);
  scratch_text("new", "return 7");
  struct timespec times[2] = { about.st_mtim, about.st_mtim };
  MU_INT(utimensat(AT_FDCWD, scratch_path("new"), times, 0), 0);
  MU_INT(rename(scratch_path("new"), scratch_path("a")), 0);
  MU_INT(look(), SI_WATCH_WAITING);
  MU_INT(look(), SI_WATCH_CHANGED);
  end();
}

MU_TEST(watch_reports_a_change_of_one_nanosecond) {
  MU_CHECK(begin());
  struct stat about;
  MU_INT(stat(scratch_path("a"), &about), 0);
  struct timespec times[2] = { about.st_mtim, about.st_mtim };
  times[1].tv_nsec++;
  MU_INT(utimensat(AT_FDCWD, scratch_path("a"), times, 0), 0);
  MU_INT(look(), SI_WATCH_WAITING);
  MU_INT(look(), SI_WATCH_CHANGED);
  end();
}

MU_TEST(watch_waits_while_a_file_is_written_in_pieces) {
  MU_CHECK(begin());
  char text[64] = "";
  for (int i = 0; i < 10; i++) {
    strcat(text, "a=1 ");
    save("a", text);
    MU_INT(look(), SI_WATCH_WAITING);
  }
  MU_INT(look(), SI_WATCH_CHANGED);
  end();
}

MU_TEST(watch_stops_waiting_after_a_second) {
  MU_CHECK(begin());
  int waited = 0;
  for (;; waited++) {
    save("a", waited % 2 ? "return 1" : "return 11");
    if (look() == SI_WATCH_CHANGED) break;
    MU_CHECK(waited < 100);
  }
  MU_CHECK(waited >= 15 && waited <= 17);
  end();
}

MU_TEST(watch_waits_for_a_deleted_file_without_limit) {
  MU_CHECK(begin());
  unlink(scratch_path("a"));
  for (int i = 0; i < 100; i++) {
    MU_INT(look(), SI_WATCH_WAITING);
    MU_CHECK(si_watch_is_absent(watch));
    MU_TEXT(si_watch_path(watch), scratch_path("a"));
  }
  /* a file that reappears must first stay unchanged, however long it was away */
  save("a", "return");
  MU_INT(look(), SI_WATCH_WAITING);
  save("a", "return 4");
  MU_INT(look(), SI_WATCH_WAITING);
  MU_INT(look(), SI_WATCH_CHANGED);
  MU_INT(look(), SI_WATCH_SAME);
  end();
}

MU_TEST(watch_waits_for_an_empty_file) {
  MU_CHECK(begin());
  save("a", "");
  for (int i = 0; i < 30; i++) MU_INT(look(), SI_WATCH_WAITING);
  MU_CHECK(si_watch_is_absent(watch));
  save("a", "return 5");
  MU_INT(look(), SI_WATCH_WAITING);
  MU_INT(look(), SI_WATCH_CHANGED);
  end();
}

MU_TEST(watch_forgets_a_file_that_is_deleted_and_no_longer_needed) {
  MU_CHECK(begin());
  unlink(scratch_path("b"));
  save("a", "return 'without b'");
  int looks = 0;
  while (look() == SI_WATCH_WAITING) MU_CHECK(++looks < 100);
  MU_TEXT(si_watch_path(watch), scratch_path("a"));
  MU_CHECK(looks >= 15 && looks <= 18);
  MU_INT(look(), SI_WATCH_SAME);
  end();
}

MU_TEST(watch_reports_a_missing_file_that_appears) {
  MU_CHECK(begin());
  si_watch_file files[2] = { { scratch_path("a"), si_file_look(scratch_path("a")), false },
                             { scratch_path("later"), { 0 }, false } };
  MU_INT(si_watch_set(watch, files, 2, &error), SINEW_OK);
  for (int i = 0; i < 5; i++) MU_INT(look(), SI_WATCH_SAME);
  save("later", "return 6");
  MU_INT(look(), SI_WATCH_WAITING);
  MU_INT(look(), SI_WATCH_CHANGED);
  MU_TEXT(si_watch_path(watch), scratch_path("later"));
  end();
}

static int version_read(void) {
  char text[64] = "";
  FILE *file = fopen(scratch_path("a"), "r");
  if (!file) return -1;
  size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  int version = -1, end = 0;
  sscanf(text, "version %d whole%n", &version, &end);
  return end > 0 && (size_t)end == length ? version : -1;
}

/* one step of one of the ways to save; true if the save is complete */
static bool save_step(int way, int step, const char *text) {
  char half[64];
  snprintf(half, sizeof half, "%.9s", text);
  switch (way) {
  case 0: save("a", text); return true;
  case 1: /* rename over */
    save("new", step == 0 ? half : text);
    if (step == 0) return false;
    rename(scratch_path("new"), scratch_path("a"));
    return true;
  case 2: /* delete and create anew */
    if (step == 0) {
      unlink(scratch_path("a"));
      return false;
    }
    save("a", text);
    return true;
  case 3: /* empty, in pieces */
    save("a", step == 0 ? "" : step == 1 ? half : text);
    return step == 2;
  default: /* a backup is left */
    if (step == 0) {
      rename(scratch_path("a"), scratch_path("a~"));
      return false;
    }
    save("a", text);
    return true;
  }
}

MU_TEST(watch_reports_two_hundred_saves_and_none_half_written) {
  MU_CHECK(begin());
  srand(4);
  int seen = 0, changes = 0;
  for (int version = 1; version <= 200; version++) {
    char text[64];
    snprintf(text, sizeof text, "version %d whole", version);
    int way = rand() % 5;
    bool whole = false;
    for (int step = 0; !whole; step++) {
      whole = save_step(way, step, text);
      /* some steps come faster than the polls */
      if (rand() % 2 == 0 && look() == SI_WATCH_CHANGED) {
        seen = version_read();
        changes++;
        MU_CHECK_SAY(seen > 0, "version %d was read by halves", version);
      }
    }
    int pause = rand() % 4;
    for (int i = 0; i < pause; i++)
      if (look() == SI_WATCH_CHANGED) {
        changes++;
        seen = version_read();
        MU_INT(seen, version);
      }
    if (pause >= 2) MU_INT(seen, version);
  }
  for (int i = 0; i < 2; i++)
    if (look() == SI_WATCH_CHANGED) seen = version_read();
  MU_INT(seen, 200);
  MU_CHECK(changes > 80);
  end();
}

MU_TEST(watch_survives_every_failing_allocation) {
  size_t before = sinew_live_blocks();
  si_watch_file files[2] = { { "x", { 0 }, false }, { "y", { 0 }, false } };
  bool done = false;
  int tries = 0;
  for (; tries < 20 && !done; tries++) {
    scarce_memory(tries);
    si_watch *made = si_watch_create(0.05, 1, &error);
    done = made && si_watch_set(made, files, 2, &error) == SINEW_OK &&
           si_watch_set(made, files, 1, &error) == SINEW_OK &&
           si_watch_poll(made, 0) == SI_WATCH_SAME;
    if (!done && error.status != SINEW_ERR_MEMORY) break;
    si_watch_destroy(made);
  }
  plenty_of_memory();
  MU_CHECK(done && tries > 5);
  MU_INT(sinew_live_blocks() - before, 0);
}

MU_TEST(watch_sees_an_edit_of_the_same_size_and_time) {
  MU_CHECK(begin());
  save("a", "return 1");
  const long saved = ticks;
  while (look() != SI_WATCH_CHANGED) {
  }
  si_file_info was = si_file_look(scratch_path("a")), is;
  do { /* the clock of files is slow */
    scratch_text("a", "return 3");
    ticks = saved - 1000;
    tick("a");
    is = si_file_look(scratch_path("a"));
  } while (is.changed == was.changed);
  MU_CHECK(is.modified == was.modified && is.size == was.size);
  MU_INT(look(), SI_WATCH_WAITING);
  MU_INT(look(), SI_WATCH_CHANGED);
  end();
}

/* As if the file had been read before an edit that left its stamp as it was: the same tick of the
 * file system's clock. `changed`: what the system tells of the times */
static void read_before_an_edit(const char *read, int64_t changed) {
  si_file_info stamp = si_file_look(scratch_path("a"));
  stamp.content = si_hash(SI_HASH_START, read, strlen(read));
  if (!changed) stamp.changed = 0;
  si_watch_file file = { scratch_path("a"), stamp, false };
  MU_INT(si_watch_set(watch, &file, 1, &error), SINEW_OK);
}

static int looks_until_changed(int most) {
  int looks = 1;
  while (looks <= most && look() != SI_WATCH_CHANGED) looks++;
  return looks;
}

MU_TEST(watch_compares_the_content_a_second_after_it_was_read) {
  MU_CHECK(begin());
  read_before_an_edit("return 0", 1); /* a has "return 1" */
  MU_CHECK(looks_until_changed(40) <= 20);
  MU_TEXT(si_watch_path(watch), scratch_path("a"));
  MU_INT(looks_until_changed(40), 41);
  read_before_an_edit("return 1", 1);
  MU_INT(looks_until_changed(40), 41);
  end();
}

MU_TEST(watch_compares_the_content_each_second_where_times_are_coarse) {
  MU_CHECK(begin());
  read_before_an_edit("return 1", 0);
  MU_INT(looks_until_changed(60), 61);
  si_file_info was = si_file_look(scratch_path("a"));
  read_before_an_edit("return 1", 0);
  MU_INT(looks_until_changed(60), 61);
  struct timespec times[2] = { { 1000, ticks - 1000 }, { 1000, ticks - 1000 } };
  scratch_text("a", "return 3");
  MU_INT(utimensat(AT_FDCWD, scratch_path("a"), times, 0), 0);
  MU_INT(si_file_look(scratch_path("a")).modified, was.modified);
  MU_CHECK(looks_until_changed(60) <= 40);
  end();
}

MU_SUITE(watch)
