/* The viewer's tools: each is a part of the window with its own state, and a row of this table
 * tells the rest of the viewer when to call it. A new one is a file and a line in
 * app/tools_list.h. */
#ifndef VIEWER_TOOL_H
#define VIEWER_TOOL_H

#include <raylib.h>
#include <sinew/types.h>
#include <stdbool.h>

struct state;

/* Where a tool's panel stands while it is open. Those at the left, right and bottom share the side:
 * at the right one at a time is open; at the bottom they stand above each other. */
typedef enum tool_dock { DOCK_NONE, DOCK_LEFT, DOCK_RIGHT, DOCK_BOTTOM } tool_dock;

typedef struct tool {
  const char *name; /* one word, also for the remote port */
  const char *doc;  /* for help and tips: what it shows */
  tool_dock dock;
  float
      share;  /* of the window's width, or height at the bottom, at first; 0: rows of text decide */
  float rows; /* lines of text high, or wide in units of the font's size, where share is 0 */
  int key;    /* opens and closes it; 0: none */
  bool open;  /* at the start */
  bool pictured;           /* what it draws flat over the scene belongs into pictures as well */
  const char *const *keys; /* more lines for the help, ended by NULL; NULL: none */

  /* Any of these may be NULL. `self` has that many bytes of the tool's own, zero at first; a create
   * that returns false ends the program, with memory being out. */
  size_t size;
  bool (*create)(struct state *st, void *self);
  void (*destroy)(void *self);
  /* A rig was loaded or loaded again: ids are new, names may have stayed. */
  void (*loaded)(struct state *st, void *self);
  /* Once a frame, open or not: keys that are its own. Not while text is being typed. */
  void (*keyboard)(struct state *st, void *self);
  /* Once a frame, open or not, before drawing. */
  void (*frame)(struct state *st, void *self);
  /* While it is open and the mouse is over the scene: true when it uses the mouse in this frame, so
   * that neither the camera nor the tools after it do. */
  bool (*mouse)(struct state *st, void *self, Ray ray);
  /* While it is open: into the scene, among the bones; then over them, translucent parts last; then
   * flat over the picture. */
  void (*solid)(struct state *st, void *self);
  void (*glass)(struct state *st, void *self);
  void (*flat)(struct state *st, void *self);
  /* While it is open: what of its solid parts casts a shadow, flattened by scene_fall. */
  void (*cast)(struct state *st, void *self);
  /* What it shows in place of the one pose, with all of its movements; false: the pose alone. */
  bool (*bounds)(const void *self, BoundingBox *dest);
  /* While it is open: its panel. */
  void (*panel)(struct state *st, void *self, Rectangle r);
  /* A line from the remote port: prints one line that starts with `ok` or `error` and returns true
   * when the verb is its own. */
  bool (*remote)(struct state *st, void *self, const char *verb, char *rest);
  const char *remote_help; /* its verbs, as "key TIME | play | stop" */
} tool;

enum { most_tools = 32 };

/* A tool in the viewer's state. */
typedef struct tool_slot {
  const tool *tool;
  void *self;
  bool open;
  Rectangle place; /* of its panel */
} tool_slot;

/* All tools of the viewer, in the order of the table. */
bool tools_create(struct state *st);
void tools_destroy(struct state *st);
void tools_loaded(struct state *st);
void tools_keyboard(struct state *st);
void tools_frame(struct state *st);
bool tools_mouse(struct state *st, Ray ray);
void tools_solid(struct state *st);
void tools_glass(struct state *st);
void tools_cast(struct state *st);
void tools_flat(struct state *st, bool picture); /* for a picture, of those that belong there */
/* Lays the panels out and draws them; before that, tools_layout says what the scene is left. */
Rectangle tools_layout(struct state *st);
void tools_panels(struct state *st);
bool tools_bounds(const struct state *st, BoundingBox *dest); /* false where none has any */
bool tools_remote(struct state *st, const char *verb, char *rest);

/* -1, or false, where none has the name. */
int tool_find(const struct state *st, const char *name);
bool tool_set_open(struct state *st, const char *name, bool open);
bool tool_is_open(const struct state *st, const char *name); /* one that there is */
/* A tool's state by its name, for the few that work on another's. */
void *tool_state(const struct state *st, const char *name);

/* Answers of the remote port: `ok`, or `error` with the reason. Returns true, for `remote` to. */
bool tool_answer(bool fine, const char *error);
/* The same, where `ok` is followed by a text; its lines are joined by '|'. NULL is an error. */
bool tool_answer_text(const char *text, const char *error);

#endif
