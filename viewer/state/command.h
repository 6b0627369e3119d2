/* Commands: all that a person can ask for by a key, a menu, the palette, or `do NAME` from the
 * remote port, in tables that all of these read. Every tool has a table (tool.h), the app has one,
 * and each tool that has a panel or a key is opened and closed by a command of its own name. */
#ifndef VIEWER_COMMAND_H
#define VIEWER_COMMAND_H

#include "state/select.h"
#include "ui/icons.h"

#include <stdbool.h>
#include <stddef.h>

struct state;

/* Added to a key of raylib. */
enum {
  WITH_CTRL = 1 << 12, /* or Cmd on a Mac */
  WITH_SHIFT = 1 << 13,
  WITH_ALT = 1 << 14,
  KEY_REPEATS = 1 << 15, /* the command runs again while the key is held down */
  key_alone = WITH_CTRL - 1
};

/* The menu that a command stands in, which is also its heading in the help. */
typedef enum command_menu {
  MENU_NONE, /* only in the palette */
  MENU_FILE,
  MENU_EDIT,
  MENU_VIEW,
  MENU_POSE,
  MENU_RIG,
  MENU_ANIMATE,
  MENU_EXPORT,
  MENU_PANELS,
  MENU_HELP,
  menu_count
} command_menu;

/* The things whose context menu shows a command; it works on the one that is selected. */
enum { ON_BONE = 1, ON_DOF = 2, ON_KEY = 4, ON_BOX = 8, ON_SCENE = 16 };

typedef struct command {
  const char *name;  /* one word, as "mirror_pose"; NULL ends a table */
  const char *title; /* in menus, in the help and in tips: "Mirror the pose" */
  command_menu menu;
  const char *doc; /* more words for the tip; NULL: none */
  int key, also;   /* as KEY_Z | WITH_CTRL; 0: none */
  unsigned on;     /* ON_BONE and others */
  icon icon;       /* ICON_NONE: none */
  /* What runs it, and whether it can run now and is switched on now; NULL: always and never. Of
   * several commands with one key, the first that is enabled runs. `self` is the tool's state. */
  void (*run)(struct state *st, void *self);
  bool (*enabled)(const struct state *st, const void *self);
  bool (*checked)(const struct state *st, const void *self);
} command;

/* A command with the tool that it belongs to. */
typedef struct command_at {
  const command *command;
  void *self;
} command_at;

/* The functions of a table in a line: what a command does, and whether it can run or is on. */
#define COMMAND_DO(name, call)                                                                     \
  static void name(struct state *st, void *self) {                                                 \
    (void)st, (void)self;                                                                          \
    call;                                                                                          \
  }
#define COMMAND_ASK(name, value)                                                                   \
  static bool name(const struct state *st, const void *self) {                                     \
    (void)st, (void)self;                                                                          \
    return value;                                                                                  \
  }

enum { most_commands = 256, most_menu_lines = 64 };

/* All commands. */
typedef struct command_list {
  command_at all[most_commands];
  int count;
} command_list;

/* A menu that is open: at the mouse, or below a button. */
typedef struct command_popup {
  command_at lines[most_menu_lines];
  int count;
  char title[200]; /* "": none */
  float x, y, scroll;
  bool open;
  bool fresh;   /* opened in this frame */
  bool pressed; /* the mouse was pressed since then: releasing it chooses */
} command_popup;

/* Adds the commands of a table. */
void commands_add(struct state *st, const command *table, void *self);
const command_at *command_find(const struct state *st, const char *name); /* NULL: none */
/* Commands that may be NULL cannot run. */
bool command_enabled(const struct state *st, const command_at *c);
bool command_checked(const struct state *st, const command_at *c);
/* Runs it; false if it cannot run now. */
bool command_run(struct state *st, const command_at *c);
/* Once a frame: the keys that were pressed. Keys that a widget with the focus uses are left to it.
 */
void commands_keyboard(struct state *st);
/* "Ctrl+Shift+Z"; "" for none. */
const char *key_text(int key, char *dest, size_t capacity);
/* The tip of a command: its title with its key, and its doc. */
void command_tip(struct state *st, const command *c);
const char *menu_title(command_menu menu);

/* A context menu, or a menu below a button: opens an empty one at a place of the window. Then come
 * its lines: commands one by one, all that are for a kind of thing (ON_BONE), or all of a menu. It
 * runs what is clicked, and closes. */
void popup_open(struct state *st, const char *title, float x, float y);
void popup_add_one(struct state *st, const command *c, void *self);
void popup_add_on(struct state *st, unsigned on);
void popup_add_menu(struct state *st, command_menu menu);
/* A right click on a thing that is drawn at a place: selects it, and opens the menu for its kind.
 */
bool popup_context(struct state *st, Rectangle r, unsigned on, selection what);
/* After all other widgets: draws it, and takes its clicks. */
void popup_draw(struct state *st);

#endif
