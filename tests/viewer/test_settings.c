/* What the window remembers from one run to the next. */
#include "plain/settings.h"

#include "minunit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

MU_TEST(settings_come_back_from_their_file) {
  char folder[] = "/tmp/sinew-settings-XXXXXX", path[128];
  settings s = { 0 }, back;
  MU_CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/a/viewer", folder);
  settings_read(&s, path); /* there is none yet */
  MU_CHECK(s.count == 0 && !s.changed);
  settings_set(&s, "layout", "rig");
  settings_set_number(&s, "left", 251.5f);
  settings_set(&s, "layout", "animate");
  MU_CHECK(s.changed && s.count == 2);
  MU_CHECK(settings_write(&s, path, NULL) && !s.changed);
  settings_read(&back, path);
  MU_TEXT(settings_text(&back, "layout", ""), "animate");
  MU_CHECK(settings_number(&back, "left", 0) == 251.5f);
  MU_CHECK(settings_number(&back, "right", 7) == 7);
  MU_CHECK(settings_number(&back, "layout", 3) == 3); /* a word is no number */
  settings_set(&back, "left", "251.5");
  MU_CHECK(!back.changed); /* the same value */
  FILE *file = fopen(path, "w");
  MU_CHECK(file != NULL);
  if (file) {
    fputs("\n= nothing\nscale = nan\nhalf\nleft = 12\nx", file);
    fclose(file);
  }
  settings_read(&back, path);
  MU_CHECK(settings_number(&back, "left", 0) == 12);
  MU_CHECK(settings_number(&back, "scale", 1) == 1);
  remove(path);
  *strrchr(path, '/') = '\0';
  rmdir(path);
  rmdir(folder);
}

MU_TEST(settings_have_room_for_so_many) {
  settings s = { 0 };
  char name[32], most[200];
  for (int i = 0; i < 2 * most_settings; i++) {
    snprintf(name, sizeof name, "n%d", i);
    settings_set_number(&s, name, (float)i);
  }
  MU_CHECK(s.count == most_settings);
  memset(most, 'x', sizeof most - 1);
  most[sizeof most - 1] = '\0';
  settings_set(&s, "n0", most);
  MU_CHECK(strlen(settings_text(&s, "n0", "")) == sizeof s.lines[0].value - 1);
}

MU_SUITE(settings)
