/* The command that opens a line of a script, for editors that say it in different ways. */
#include "plain/editor.h"

#include "minunit.h"

#include <stdio.h>
#include <string.h>

/* the command as one text, with a bar between words; "" if there is none */
static const char *command(const char *editor, const char *terminal) {
  static char joined[512];
  char text[256], *words[editor_most_words];
  int count = editor_command(editor, terminal, "my rig.lua", 12, text, sizeof text, words);
  size_t used = 0;
  joined[0] = '\0';
  for (int i = 0; i < count; i++)
    used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%s", i ? "|" : "", words[i]);
  return joined;
}

MU_TEST(each_editor_is_told_the_line_in_its_own_way) {
  MU_TEXT(command("gedit", NULL), "gedit|+12|my rig.lua");
  MU_TEXT(command("/usr/bin/code --wait", NULL), "/usr/bin/code|--wait|--goto|my rig.lua:12");
  MU_TEXT(command("subl", NULL), "subl|my rig.lua:12");
  MU_TEXT(command("kate", NULL), "kate|-l|12|my rig.lua");
  MU_TEXT(command("idea", NULL), "idea|--line|12|my rig.lua");
}

MU_TEST(an_editor_of_the_terminal_needs_one) {
  MU_TEXT(command("vim", NULL), "");
  MU_TEXT(command("vim -R", "xterm"), "xterm|-e|vim|-R|+12|my rig.lua");
  MU_TEXT(command("emacs -nw", NULL), "");
  MU_TEXT(command("emacs", NULL), "emacs|+12|my rig.lua");
  MU_TEXT(command("a b c d e f g h i j k l m n o p", NULL), "");
}

MU_TEST(a_place_is_a_path_and_a_line) {
  char path[16];
  int line;
  MU_CHECK(editor_place("hip.lua:50", path, sizeof path, &line));
  MU_TEXT(path, "hip.lua");
  MU_INT(line, 50);
  MU_CHECK(editor_place("C:/a.lua:7", path, sizeof path, &line));
  MU_TEXT(path, "C:/a.lua");
  MU_CHECK(editor_place("--cmd=x:7", path, sizeof path, &line));
  MU_TEXT(path, "./--cmd=x");
  static const char *const none[] = { NULL, "",          "hip.lua",   "hip.lua:",
                                      ":3", "hip.lua:x", "hip.lua:0", "a/very/long/path.lua:3" };
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    MU_CHECK_SAY(!editor_place(none[i], path, sizeof path, &line), "%zu", i);
}

MU_SUITE(editor)
