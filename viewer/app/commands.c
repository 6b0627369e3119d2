/* The commands of the window itself. Those of tools are in the tools. */
#include "app/app.h"

#include <stdio.h>

static void step_history(state *st, bool forward) {
  const char *what = history_step(st->history, st, forward);
  if (what)
    state_say(st, "%s: %s", forward ? "redone" : "undone", what);
  else
    state_say(st, "nothing to %s", forward ? "redo" : "undo");
}

#define RUN(name, call)                                                                            \
  static void name(state *st, void *self) {                                                        \
    (void)self;                                                                                    \
    call;                                                                                          \
  }
#define ASK(name, value)                                                                           \
  static bool name(const state *st, const void *self) {                                            \
    (void)self;                                                                                    \
    return value;                                                                                  \
  }

RUN(undo, step_history(st, false))
RUN(redo, step_history(st, true))
RUN(frame_all, state_frame_all(st))
RUN(frame_selected, state_frame_selected(st))
RUN(look_front, state_look(st, "front"))
RUN(look_side, state_look(st, "side"))
RUN(look_top, state_look(st, "top"))
RUN(look_aslant, state_look(st, "three-quarter"))
RUN(grid, st->show_grid = !st->show_grid)
RUN(axes, st->show_axes = !st->show_axes)
RUN(help, st->show_help = !st->show_help)
RUN(find, palette_open(st))
RUN(welcome, welcome_open(st))
RUN(open_script, state_open_source(st, st->selected))
RUN(copy_name, state_copy(st, state_name(st, st->selected), state_name(st, st->selected)))
RUN(show_pose, workspace_show(st, LAYOUT_POSE))
RUN(show_rig, workspace_show(st, LAYOUT_RIG))
RUN(show_animate, workspace_show(st, LAYOUT_ANIMATE))
RUN(bare, st->workspace.bare = !st->workspace.bare)
RUN(larger, workspace_scale(st, 1))
RUN(smaller, workspace_scale(st, -1))
RUN(usual_size, workspace_scale(st, 0))
RUN(export_picture, export_ask(st, EXPORT_PICTURE))
RUN(export_film, export_ask(st, EXPORT_FILM))
RUN(export_gltf, export_ask(st, EXPORT_GLTF))
RUN(export_xml, export_ask(st, EXPORT_XML))
RUN(export_mjcf, export_ask(st, EXPORT_MJCF))
RUN(save, documents_save(st))
RUN(save_as, documents_save_as(st))
RUN(revert, documents_revert(st))
RUN(stop, loading_stop(st))
RUN(quit, documents_leave(st, NULL))
ASK(loads, loading_shown(st))
ASK(unsaved, state_unsaved(st))
ASK(is_grid, st->show_grid)
ASK(is_axes, st->show_axes)
ASK(is_help, st->show_help)
ASK(is_pose, st->workspace.layout == LAYOUT_POSE)
ASK(is_rig, st->workspace.layout == LAYOUT_RIG)
ASK(is_animate, st->workspace.layout == LAYOUT_ANIMATE)
ASK(is_bare, st->workspace.bare)

/* the nearest thing that Esc ends: a load, help, the focus, the cards, the selection */
static void leave(state *st, void *self) {
  (void)self;
  if (loading_shown(st))
    loading_stop(st);
  else if (st->show_help)
    st->show_help = false;
  else if (st->ui.focus)
    st->ui.focus = 0;
  else if (st->card)
    welcome_leave(st);
  else
    state_select(st, (selection){ .segment = { 0 } });
}

static bool has_selected(const state *st, const void *self) {
  (void)self;
  return *state_name(st, st->selected) != '\0';
}

/* the DOFs that the selection shows, back at rest */
static void rest(state *st, void *self) {
  (void)self;
  const sinew_rig *rig = state_rig(st);
  char words[160];
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof dof = sinew_rig_dof(rig, i);
    if (state_shows_dof(st, dof) || !has_selected(st, NULL))
      sinew_pose_set(state_pose(st), dof, sinew_rig_dof_info(rig, dof).rest, NULL);
  }
  state_eval(st);
  state_words(st, st->selected, true, words, sizeof words);
  state_say(st, *words ? "%s: at rest" : "all DOFs are at rest", words);
}

static void rest_all(state *st, void *self) {
  (void)self;
  sinew_pose_reset(state_pose(st));
  state_eval(st);
  state_say(st, "all DOFs are at rest");
}

static void picture(state *st, void *self) {
  (void)self;
  char path[64];
  int number = 1;
  do snprintf(path, sizeof path, "sinew-%03d.png", number++);
  while (FileExists(path) && number < 1000);
  sinew_error error;
  Image image = LoadImageFromScreen();
  if (shot_save(image, path, &error))
    state_say(st, "wrote %s", path);
  else
    state_wrong(st, error.text);
  UnloadImage(image);
}

const command app_commands[] = {
  { .name = "find",
    .on = ON_SCENE,
    .title = "Find a command, a bone, a DOF",
    .key = KEY_K | WITH_CTRL,
    .menu = MENU_HELP,
    .icon = ICON_SEARCH,
    .run = find },
  { .name = "undo",
    .title = "Undo",
    .key = KEY_Z | WITH_CTRL | KEY_REPEATS,
    .menu = MENU_EDIT,
    .icon = ICON_UNDO,
    .run = undo },
  { .name = "redo",
    .title = "Redo",
    .key = KEY_Z | WITH_CTRL | WITH_SHIFT | KEY_REPEATS,
    .also = KEY_Y | WITH_CTRL,
    .menu = MENU_EDIT,
    .icon = ICON_REDO,
    .run = redo },
  { .name = "leave",
    .title = "Leave: loading, help, a field, the cards, the selection",
    .key = KEY_ESCAPE,
    .menu = MENU_EDIT,
    .run = leave },
  { .name = "stop",
    .title = "Stop loading",
    .doc = "the rig before stays",
    .menu = MENU_FILE,
    .run = stop,
    .enabled = loads },
  { .name = "rest",
    .title = "Back to rest",
    .doc = "every DOF that moves what is selected",
    .menu = MENU_POSE,
    .on = ON_BONE | ON_DOF,
    .run = rest,
    .enabled = has_selected },
  { .name = "rest_all",
    .title = "Everything back to rest",
    .menu = MENU_POSE,
    .on = ON_SCENE,
    .run = rest_all },
  { .name = "open_script",
    .title = "Open the script",
    .doc = "at the line that made it",
    .menu = MENU_RIG,
    .on = ON_BONE | ON_DOF | ON_BOX,
    .run = open_script,
    .enabled = has_selected },
  { .name = "copy_name",
    .title = "Copy its name",
    .menu = MENU_EDIT,
    .on = ON_BONE | ON_DOF | ON_BOX,
    .run = copy_name,
    .enabled = has_selected },
  { .name = "welcome",
    .title = "Welcome",
    .doc = "five cards to begin with",
    .menu = MENU_HELP,
    .run = welcome },
  { .name = "frame",
    .title = "Frame all",
    .key = KEY_HOME,
    .menu = MENU_VIEW,
    .on = ON_SCENE,
    .run = frame_all },
  { .name = "frame_selected",
    .title = "Frame the selection",
    .doc = "the bone with what hangs on it; without a selection, everything",
    .key = KEY_F,
    .menu = MENU_VIEW,
    .on = ON_BONE,
    .run = frame_selected },
  { .name = "front",
    .title = "From the front",
    .key = KEY_ONE,
    .menu = MENU_VIEW,
    .run = look_front },
  { .name = "side", .title = "From the side", .key = KEY_TWO, .menu = MENU_VIEW, .run = look_side },
  { .name = "top", .title = "From above", .key = KEY_THREE, .menu = MENU_VIEW, .run = look_top },
  { .name = "three_quarter",
    .title = "Three-quarter view",
    .key = KEY_FOUR,
    .menu = MENU_VIEW,
    .run = look_aslant },
  { .name = "grid",
    .title = "Grid",
    .key = KEY_G,
    .menu = MENU_VIEW,
    .on = ON_SCENE,
    .run = grid,
    .checked = is_grid },
  { .name = "axes",
    .title = "Axes of the bones",
    .key = KEY_A,
    .menu = MENU_VIEW,
    .run = axes,
    .checked = is_axes },
  { .name = "layout_pose",
    .title = "Layout: pose",
    .key = KEY_F2,
    .menu = MENU_VIEW,
    .run = show_pose,
    .checked = is_pose },
  { .name = "layout_rig",
    .title = "Layout: rig",
    .key = KEY_F3,
    .menu = MENU_VIEW,
    .run = show_rig,
    .checked = is_rig },
  { .name = "layout_animate",
    .title = "Layout: animate",
    .key = KEY_F4,
    .menu = MENU_VIEW,
    .run = show_animate,
    .checked = is_animate },
  { .name = "bare",
    .title = "Hide all panels",
    .key = KEY_SPACE | WITH_CTRL,
    .menu = MENU_VIEW,
    .run = bare,
    .checked = is_bare },
  { .name = "larger",
    .title = "Larger text",
    .key = KEY_EQUAL | WITH_CTRL,
    .also = KEY_KP_ADD | WITH_CTRL,
    .menu = MENU_VIEW,
    .run = larger },
  { .name = "smaller",
    .title = "Smaller text",
    .key = KEY_MINUS | WITH_CTRL,
    .also = KEY_KP_SUBTRACT | WITH_CTRL,
    .menu = MENU_VIEW,
    .run = smaller },
  { .name = "usual_size",
    .title = "Text as large as usual",
    .key = KEY_ZERO | WITH_CTRL,
    .also = KEY_KP_0 | WITH_CTRL,
    .menu = MENU_VIEW,
    .run = usual_size },
  { .name = "export_picture",
    .title = "Picture of the scene...",
    .menu = MENU_EXPORT,
    .run = export_picture },
  { .name = "export_film",
    .title = "Film (GIF)...",
    .menu = MENU_EXPORT,
    .run = export_film },
  { .name = "export_gltf",
    .title = "glTF...",
    .menu = MENU_EXPORT,
    .run = export_gltf },
  { .name = "export_xml",
    .title = "XML...",
    .menu = MENU_EXPORT,
    .run = export_xml },
  { .name = "export_mjcf",
    .title = "MuJoCo...",
    .menu = MENU_EXPORT,
    .run = export_mjcf },
  { .name = "picture",
    .title = "Picture of the window",
    .key = KEY_F12,
    .menu = MENU_EXPORT,
    .icon = ICON_CAMERA,
    .run = picture },
  { .name = "help",
    .title = "Keys and mouse",
    .key = KEY_F1,
    .also = KEY_SLASH | WITH_SHIFT,
    .menu = MENU_HELP,
    .run = help,
    .checked = is_help },
  { .name = "save",
    .title = "Save",
    .doc = "pose, keys and tuning, each to its file beside the rig",
    .key = KEY_S | WITH_CTRL,
    .menu = MENU_FILE,
    .run = save },
  { .name = "save_as",
    .title = "Save as...",
    .key = KEY_S | WITH_CTRL | WITH_SHIFT,
    .menu = MENU_FILE,
    .run = save_as,
    .enabled = unsaved },
  { .name = "revert",
    .title = "Revert to the files",
    .menu = MENU_FILE,
    .run = revert,
    .enabled = unsaved },
  { .name = "quit", .title = "Quit", .key = KEY_Q | WITH_CTRL, .menu = MENU_FILE, .run = quit },
  { .name = NULL }
};
