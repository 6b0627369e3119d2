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

COMMAND_DO(undo, step_history(st, false))
COMMAND_DO(redo, step_history(st, true))
COMMAND_DO(frame_all, state_frame_all(st))
COMMAND_DO(frame_selected, state_frame_selected(st))
COMMAND_DO(look_front, state_look(st, "front"))
COMMAND_DO(look_side, state_look(st, "side"))
COMMAND_DO(look_top, state_look(st, "top"))
COMMAND_DO(look_aslant, state_look(st, "three-quarter"))
COMMAND_DO(grid, st->show_grid = !st->show_grid)
COMMAND_DO(axes, st->show_axes = !st->show_axes)
COMMAND_DO(help, st->show_help = !st->show_help)
COMMAND_DO(find, palette_open(st))
COMMAND_DO(welcome, welcome_open(st))
COMMAND_DO(open_script, state_open_source(st, st->selected))
COMMAND_DO(copy_name, state_copy(st, state_name(st, st->selected), state_name(st, st->selected)))
COMMAND_DO(show_pose, workspace_show(st, LAYOUT_POSE))
COMMAND_DO(show_rig, workspace_show(st, LAYOUT_RIG))
COMMAND_DO(show_animate, workspace_show(st, LAYOUT_ANIMATE))
COMMAND_DO(bare, st->workspace.bare = !st->workspace.bare)
COMMAND_DO(larger, workspace_scale(st, 1))
COMMAND_DO(smaller, workspace_scale(st, -1))
COMMAND_DO(usual_size, workspace_scale(st, 0))
COMMAND_DO(export_picture, export_ask(st, EXPORT_PICTURE))
COMMAND_DO(export_film, export_ask(st, EXPORT_FILM))
COMMAND_DO(export_gltf, export_ask(st, EXPORT_GLTF))
COMMAND_DO(export_xml, export_ask(st, EXPORT_XML))
COMMAND_DO(export_mjcf, export_ask(st, EXPORT_MJCF))
COMMAND_DO(save, documents_save(st))
COMMAND_DO(save_as, documents_save_as(st))
COMMAND_DO(revert, documents_revert(st))
COMMAND_DO(stop, loading_stop(st))
COMMAND_DO(quit, documents_leave(st, NULL))
COMMAND_ASK(loads, loading_shown(st))
COMMAND_ASK(unsaved, state_unsaved(st))
COMMAND_ASK(is_grid, st->show_grid)
COMMAND_ASK(is_axes, st->show_axes)
COMMAND_ASK(is_help, st->show_help)
COMMAND_ASK(is_pose, st->workspace.layout == LAYOUT_POSE)
COMMAND_ASK(is_rig, st->workspace.layout == LAYOUT_RIG)
COMMAND_ASK(is_animate, st->workspace.layout == LAYOUT_ANIMATE)
COMMAND_ASK(is_bare, st->workspace.bare)
COMMAND_ASK(has_selected, *state_name(st, st->selected) != '\0')

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
  { "find", "Find a command, a bone, a DOF", MENU_HELP, .key = KEY_K | WITH_CTRL, .on = ON_SCENE,
    .icon = ICON_SEARCH, .run = find },
  { "undo", "Undo", MENU_EDIT, .key = KEY_Z | WITH_CTRL | KEY_REPEATS, .icon = ICON_UNDO,
    .run = undo },
  { "redo", "Redo", MENU_EDIT, .key = KEY_Z | WITH_CTRL | WITH_SHIFT | KEY_REPEATS,
    .also = KEY_Y | WITH_CTRL, .icon = ICON_REDO, .run = redo },
  { "leave", "Leave: loading, help, a field, the cards, the selection", MENU_EDIT,
    .key = KEY_ESCAPE, .run = leave },
  { "stop", "Stop loading", MENU_FILE, .doc = "the rig before stays", .run = stop,
    .enabled = loads },
  { "rest", "Back to rest", MENU_POSE, .doc = "every DOF that moves what is selected",
    .on = ON_BONE | ON_DOF, .run = rest, .enabled = has_selected },
  { "rest_all", "Everything back to rest", MENU_POSE, .on = ON_SCENE, .run = rest_all },
  { "open_script", "Open the script", MENU_RIG, .doc = "at the line that made it",
    .on = ON_BONE | ON_DOF | ON_BOX, .run = open_script, .enabled = has_selected },
  { "copy_name", "Copy its name", MENU_EDIT, .on = ON_BONE | ON_DOF | ON_BOX, .run = copy_name,
    .enabled = has_selected },
  { "welcome", "Welcome", MENU_HELP, .doc = "five cards to begin with", .run = welcome },
  { "frame", "Frame all", MENU_VIEW, .key = KEY_HOME, .on = ON_SCENE, .run = frame_all },
  { "frame_selected", "Frame the selection", MENU_VIEW, .key = KEY_F,
    .doc = "the bone with what hangs on it; without a selection, everything", .on = ON_BONE,
    .run = frame_selected },
  { "front", "From the front", MENU_VIEW, .key = KEY_ONE, .run = look_front },
  { "side", "From the side", MENU_VIEW, .key = KEY_TWO, .run = look_side },
  { "top", "From above", MENU_VIEW, .key = KEY_THREE, .run = look_top },
  { "three_quarter", "Three-quarter view", MENU_VIEW, .key = KEY_FOUR, .run = look_aslant },
  { "grid", "Grid", MENU_VIEW, .key = KEY_G, .on = ON_SCENE, .run = grid, .checked = is_grid },
  { "axes", "Axes of the bones", MENU_VIEW, .key = KEY_A, .run = axes, .checked = is_axes },
  { "layout_pose", "Layout: pose", MENU_VIEW, .key = KEY_F2, .run = show_pose, .checked = is_pose },
  { "layout_rig", "Layout: rig", MENU_VIEW, .key = KEY_F3, .run = show_rig, .checked = is_rig },
  { "layout_animate", "Layout: animate", MENU_VIEW, .key = KEY_F4, .run = show_animate,
    .checked = is_animate },
  { "bare", "Hide all panels", MENU_VIEW, .key = KEY_SPACE | WITH_CTRL, .run = bare,
    .checked = is_bare },
  { "larger", "Larger text", MENU_VIEW, .key = KEY_EQUAL | WITH_CTRL,
    .also = KEY_KP_ADD | WITH_CTRL, .run = larger },
  { "smaller", "Smaller text", MENU_VIEW, .key = KEY_MINUS | WITH_CTRL,
    .also = KEY_KP_SUBTRACT | WITH_CTRL, .run = smaller },
  { "usual_size", "Text as large as usual", MENU_VIEW, .key = KEY_ZERO | WITH_CTRL,
    .also = KEY_KP_0 | WITH_CTRL, .run = usual_size },
  { "export_picture", "Picture of the scene...", MENU_EXPORT, .run = export_picture },
  { "export_film", "Film (GIF)...", MENU_EXPORT, .run = export_film },
  { "export_gltf", "glTF...", MENU_EXPORT, .run = export_gltf },
  { "export_xml", "XML...", MENU_EXPORT, .run = export_xml },
  { "export_mjcf", "MuJoCo...", MENU_EXPORT, .run = export_mjcf },
  { "picture", "Picture of the window", MENU_EXPORT, .key = KEY_F12, .icon = ICON_CAMERA,
    .run = picture },
  { "help", "Keys and mouse", MENU_HELP, .key = KEY_F1, .also = KEY_SLASH | WITH_SHIFT, .run = help,
    .checked = is_help },
  { "save", "Save", MENU_FILE, .key = KEY_S | WITH_CTRL,
    .doc = "pose, keys and tuning, each to its file beside the rig", .run = save },
  { "save_as", "Save as...", MENU_FILE, .key = KEY_S | WITH_CTRL | WITH_SHIFT, .run = save_as,
    .enabled = unsaved },
  { "revert", "Revert to the files", MENU_FILE, .run = revert, .enabled = unsaved },
  { "quit", "Quit", MENU_FILE, .key = KEY_Q | WITH_CTRL, .run = quit },
  { .name = NULL }
};
