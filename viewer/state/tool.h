/* The viewer's tools: each is a part of the window with its own state, described by this struct of
 * callbacks. To add one, write a file and add a line to app/tools_list.h. */
#ifndef VIEWER_TOOL_H
#define VIEWER_TOOL_H

#include "plain/print.h"
#include "state/command.h"

#include <raylib.h>
#include <sinew/types.h>
#include <stdbool.h>
#include <stdint.h>

struct state;

/* The position of an open tool's panel. At a side, only one is open at a time; at the bottom,
 * panels are stacked. */
typedef enum tool_dock { DOCK_NONE, DOCK_LEFT, DOCK_RIGHT, DOCK_BOTTOM } tool_dock;

/* The layouts of the window: each has its own panels, which the user may open and close. */
typedef enum layout_kind { LAYOUT_POSE, LAYOUT_RIG, LAYOUT_ANIMATE, layout_count } layout_kind;
enum { IN_POSE = 1 << LAYOUT_POSE, IN_RIG = 1 << LAYOUT_RIG, IN_ANIMATE = 1 << LAYOUT_ANIMATE };

/* What a tool keeps in a file beside the rig: saved, reverted and kept for a crash together with
 * the documents of other tools (state/documents.h). An empty document is never unsaved. */
typedef struct document {
  const char *name;   /* "keys" */
  const char *ending; /* of its file, which replaces that of the rig: ".keys.json" */
  /* 0 if the file has everything, else a number that changes whenever the document does. */
  uint64_t (*unsaved)(const struct state *st, const void *self);
  /* "3 keys in 1 channel", for questions; may be NULL. */
  void (*describe)(const struct state *st, const void *self, char *dest, size_t capacity);
  /* The path that it is saved to if it is another than that beside the rig; "" if not. */
  char *(*path)(void *self);
  /* Starts for another rig: reads the file, or is empty if `path` is NULL. */
  bool (*open)(struct state *st, void *self, const char *path, struct sinew_error *error);
  /* Takes what a recovery file has, as unsaved changes that can be undone. */
  bool (*restore)(struct state *st, void *self, const char *path, struct sinew_error *error);
  /* Writes a copy for recovery; writes the file, after which nothing is unsaved. */
  bool (*keep)(struct state *st, void *self, const char *path, struct sinew_error *error);
  bool (*save)(struct state *st, void *self, const char *path, struct sinew_error *error);
  /* Goes back to the file, or to nothing if `path` is NULL, as steps of undo. */
  bool (*revert)(struct state *st, void *self, const char *path, struct sinew_error *error);
} document;

enum { document_path = 1024 }; /* room for a path */

typedef struct tool {
  const char *name;  /* one word, also a verb of the remote port */
  const char *title; /* over its panel, and in menus */
  const char *doc;   /* what it shows, for the help */
  tool_dock dock;
  float room; /* in pixels at scale 1: the least width of a panel at a side, the usual height of one
               * at the bottom; 0: that of the dock */
  bool whole; /* at the bottom: as wide as the window */
  unsigned layouts;        /* IN_POSE and others: those in which its panel is open at first */
  int key;                 /* opens and closes it, as for a command; 0: none */
  bool of_bone;            /* the key, with the mouse over a bone, is for that bone */
  bool open;               /* without a panel: whether it is open at the start */
  bool pictured;           /* rendered pictures include what it draws in `flat` */
  const command *commands; /* ended by one without a name; NULL: none */
  const char *const *keys; /* what the mouse does, for the help; ends with NULL; NULL: none */

  /* The size of the tool's state, `self`, which starts zeroed. Any callback may be NULL. If create
   * returns false, the program ends. */
  size_t size;
  bool (*create)(struct state *st, void *self);
  void (*destroy)(void *self);
  /* A rig was loaded or reloaded: ids have changed, names may be the same. */
  void (*loaded)(struct state *st, void *self);
  /* Once a frame, open or not, before drawing. */
  void (*frame)(struct state *st, void *self);
  /* While it is open and the mouse is over the scene. Returns true if it uses the mouse in this
   * frame; then neither the camera nor the tools after it do. */
  bool (*mouse)(struct state *st, void *self, Ray ray);
  /* While it is open: solid parts in the scene; then translucent ones; then 2D over the scene. */
  void (*solid)(struct state *st, void *self);
  void (*glass)(struct state *st, void *self);
  void (*flat)(struct state *st, void *self);
  /* While it is open: draws what casts a shadow, flattened by scene_flatten. */
  void (*cast)(struct state *st, void *self);
  /* A hash of what these draw, apart from the pose, the rig, the selection and the camera: the
   * scene is drawn again when it changes. NULL: that of the bytes of `self`, so what is behind a
   * pointer does not count. */
  uint64_t (*print)(const void *self);
  /* The bounds of what it shows in addition to the pose, at any time; false: only the pose. */
  bool (*bounds)(const void *self, BoundingBox *dest);
  /* While it is open: its panel. */
  void (*panel)(struct state *st, void *self, Rectangle r);
  /* A line from the remote port. If the verb is its own, prints one line that starts with `ok` or
   * `error`, and returns true. */
  bool (*remote)(struct state *st, void *self, const char *verb, char *rest);
  const document *document; /* NULL: none */
  const char *remote_help;  /* its verbs, as "key TIME | play | stop" */
} tool;

enum { most_tools = 32 };

/* A tool in the viewer's state. */
typedef struct tool_slot {
  const tool *tool;
  void *self;
  bool open;
  bool kept[layout_count];   /* whether it was open in the layouts that are not shown */
  int covered[layout_count]; /* when another panel was opened in its place, counted; 0: none was */
  float size;                /* of a panel at the bottom, at scale 1; 0: as the tool says */
  Rectangle docked;          /* its panel with the header; its width is 0 if that is not shown */
  Rectangle place;           /* the panel below the header */
  command toggle;            /* opens and closes it */
} tool_slot;

/* All tools of the viewer, in the order of the table. */
bool tools_create(struct state *st);
void tools_destroy(struct state *st);
void tools_loaded(struct state *st);
void tools_frame(struct state *st);
bool tools_mouse(struct state *st, Ray ray);
uint64_t tools_print(const struct state *st, uint64_t print);
void tools_solid(struct state *st);
void tools_glass(struct state *st);
void tools_cast(struct state *st);
/* in a rendered picture, only tools with `pictured` */
void tools_flat(struct state *st, bool picture);
/* returns false if no tool has bounds */
bool tools_bounds(const struct state *st, BoundingBox *dest);
bool tools_remote(struct state *st, const char *verb, char *rest);

/* Returns -1, or false, if there is no tool of that name. */
int tool_find(const struct state *st, const char *name);
bool tool_set_open(struct state *st, const char *name, bool open);
void slot_set_open(struct state *st, tool_slot *slot, bool open);
bool tool_is_open(const struct state *st, const char *name); /* the tool must exist */
/* The state of another tool. */
void *tool_state(const struct state *st, const char *name);

/* Answers of the remote port: `ok`, or `error` with the reason. Both return true, so that `remote`
 * can return it. */
bool tool_answer(bool fine, const char *error);
/* The same, with a text after `ok`; its lines are joined by '|'. NULL is an error. */
bool tool_answer_text(const char *text, const char *error);

#endif
