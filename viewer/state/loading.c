#include "state/loading.h"
#include "plain/acting.h"
#include "plain/side.h"
#include "state/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double show_after = 0.3; /* seconds */
enum { wait_at_once = 150 };          /* milliseconds: most rigs are loaded by then */

/* --- a new rig */

static body_side side_of(const sinew_rig *rig, sinew_segment segment) {
  return segment.id ? side_of_name(sinew_rig_segment_info(rig, segment).name) : SIDE_NONE;
}

static void find_sides(state *st) {
  const sinew_rig *rig = state_rig(st);
  int count = sinew_rig_segment_count(rig);
  free(st->sides);
  st->sides = calloc((size_t)count + 1, sizeof *st->sides);
  for (int i = 0; st->sides && i < count; i++) {
    sinew_segment segment = sinew_rig_segment(rig, i);
    body_side side = side_of(rig, segment);
    bool starts = side != side_of(rig, sinew_rig_segment_info(rig, segment).parent);
    if (starts) st->sides[i] = (unsigned char)side;
  }
}

/* what each component moves, to mark what is held */
static void find_moved(state *st) {
  const sinew_rig *rig = state_rig(st);
  size_t components = (size_t)sinew_rig_component_count(rig) + 1;
  free(st->moved_by);
  free(st->held);
  st->moved_by = calloc(components, sizeof *st->moved_by);
  st->held = calloc((size_t)sinew_rig_segment_count(rig) + 1, sizeof *st->held);
  acting_place *places = calloc(components, sizeof *places);
  if (places && st->moved_by) {
    acting_find(rig, places);
    acting_segments(rig, places, st->moved_by);
  }
  free(places);
}

/* shapes, tools, selection by name */
static void set_up(state *st, const selection_names *selected) {
  scene_load(st->scene, st->host);
  find_moved(st);
  find_sides(st);
  st->blocked = (sinew_segment){ 0 };
  st->asked_dof = (sinew_dof){ 0 };
  st->hovered = (sinew_segment){ 0 };
  state_select_names(st, selected);
  st->banner[0] = '\0';
  state_eval(st);
  history_forget_dofs(st);
  tools_loaded(st);
}

/* warnings of compiling go to the terminal, the first also to the status line */
static void say_warnings(state *st) {
  const char *warnings = sinew_rig_warnings(state_rig(st));
  if (!*warnings) return;
  fprintf(stderr, "sinew-viewer: warnings:\n%s\n", warnings);
  state_say(st, "warning: %.*s", (int)strcspn(warnings, "\n"), warnings);
}

static void note_known(state *st) {
  changes_free(st->known);
  st->known = changes_note(state_rig(st));
}

void loading_take(state *st) {
  set_up(st, &(selection_names){ .segment = "" });
  note_known(st);
  say_warnings(st);
  if (!st->waiting) documents_open(st);
}

bool loading_set_asked(state *st, sinew_error *error) {
  for (int i = 0; i < st->options.dof_count; i++) {
    float value;
    sinew_dof dof = state_find_dof(st, st->options.dofs[i], &value, error);
    const sinew_status set =
        dof.id ? sinew_pose_set(state_pose(st), dof, value, error) : SINEW_ERR_NAME;
    if (set < 0) return false;
    if (set != SINEW_CLAMPED) continue;
    const sinew_dof_info info = sinew_rig_dof_info(state_rig(st), dof);
    fprintf(stderr, "sinew-viewer: DOF '%s' is held at %g by its range, %g to %g\n", info.name,
            (double)sinew_pose_get(state_pose(st), dof), (double)info.min, (double)info.max);
  }
  return true;
}

/* The rig came after the window, and lacks what the command line asks for: the program ends, as it
 * does where the load is quick. */
static void end_with(state *st, int code, const sinew_error *error) {
  fprintf(stderr, "sinew-viewer: %s\n", error->text);
  st->exit_code = code;
  st->quit = true;
}

/* The first good load, when the window is there: `saved` if it took a save to make it good. */
static void start_late(state *st, bool saved) {
  sinew_error error;
  st->waiting = false;
  documents_open(st);
  bool found = loading_set_asked(st, &error);
  if (found && st->options.select) {
    selection wanted = { .segment =
                             sinew_rig_find_segment(state_rig(st), st->options.select, &error) };
    found = wanted.segment.id != 0;
    state_select(st, wanted);
  }
  if (!found && saved) state_say(st, "%s", error.text);
  if (!found && !saved) end_with(st, 2, &error);
  state_eval(st);
  state_frame_all(st);
}

/* --- its end */

/* a reload for the tuning that was just saved is no news; the end of the rig's process is */
static void say_reloaded(state *st, double since, const char *ended, const char *what) {
  if (*ended) {
    fprintf(stderr, "sinew-viewer: %s\n", ended);
    state_say(st, "%s", ended);
  } else if (!st->documents.saved_at || since - st->documents.saved_at > 2) {
    state_say(st, "reloaded in %.0f ms: %s", (GetTime() - since) * 1000, what);
  }
}

static void take_another(state *st, const loading *l) {
  st->waiting = false;
  history_clear(st->history);
  state_say(st, "opened %s%s", l->what,
            l->keeps ? "; unsaved changes of the rig before are kept for later" : "");
  loading_take(st);
  state_frame_all(st);
}

static void take_again(state *st, const loading *l, const selection_names *selected,
                       const char *ended) {
  char what[200];
  set_up(st, selected);
  changes_say(st->known, state_rig(st), what, sizeof what);
  note_known(st);
  if (l->kind == LOADING_CHOICE)
    state_say(st, "%s: %s", l->what, what);
  else if (l->kind == LOADING_SAVED)
    say_reloaded(st, l->since, ended, what);
  if (st->waiting) start_late(st, l->kind != LOADING_FIRST);
  say_warnings(st);
}

static void failed(state *st, const loading *l, const sinew_error *error) {
  bool another = l->kind == LOADING_RIG;
  if (l->kind == LOADING_FIRST && st->options.choice_count && error->status != SINEW_ERR_CANCELLED)
    end_with(st, 1, error);
  else if (error->status != SINEW_ERR_CANCELLED)
    state_wrong(st, error->text);
  else if (another || l->kind == LOADING_CHOICE)
    state_say(st, "%s: stopped; the rig before stays", another ? GetFileName(l->what) : l->what);
  else
    state_wrong(st, TextFormat("%s: loading was stopped; the next save loads it again",
                               sinew_host_path(st->host)));
  if (another) documents_stay(st);
}

/* Editors delete a file and create it again; a file that stays away is told. Whether it is new. */
static bool say_missing(state *st, const char *text) {
  double now = GetTime();
  if (st->missing_since == 0) st->missing_since = now;
  const uint64_t print = print_bytes(print_start, text, strlen(text));
  if (now - st->missing_since < 1 || st->missing_told == print) return false;
  st->missing_told = print;
  state_wrong(st, text);
  return true;
}

/* it is there again, as it was */
static bool say_found(state *st) {
  bool told = st->missing_told != 0;
  st->missing_since = 0;
  st->missing_told = 0;
  if (told) state_eval(st); /* which clears the banner */
  return told;
}

bool loading_answer(state *st, bool fine) {
  st->loading.asked = st->loading.kind != LOADING_NOTHING;
  if (st->loading.asked) return true;
  return fine ? tool_answer(true, NULL)
              : tool_answer_text(NULL, st->banner[0] ? st->banner : st->note);
}

/* Acts on news of the host; `since` is when it was asked. Returns whether there is something new to
 * see. */
static bool take_news(state *st, sinew_host_news news, double since,
                      const selection_names *selected, const sinew_error *error) {
  loading l = st->loading;
  if (news == SINEW_HOST_WAITING) return error->text[0] && say_missing(st, error->text);
  if (news == SINEW_HOST_SAME) return st->missing_since != 0 && say_found(st);
  if (!l.kind) l = (loading){ .kind = LOADING_SAVED, .since = since };
  if (news == SINEW_HOST_LOADING) {
    const int64_t work = sinew_host_progress(st->host).work;
    if (work < l.work) l.since = since; /* another save has begun it again */
    l.work = work;
    st->loading = l;
    return loading_shown(st);
  }
  st->loading = (loading){ 0 };
  st->missing_since = 0;
  st->missing_told = 0;
  if (news == SINEW_HOST_FAILED)
    failed(st, &l, error);
  else if (l.kind == LOADING_RIG)
    take_another(st, &l);
  else
    take_again(st, &l, selected, error->text);
  if (l.asked) loading_answer(st, news != SINEW_HOST_FAILED);
  fflush(stdout);
  return true;
}

/* Before another rig may take the place of this one: what was done while it was loaded is kept. A
 * drag and an open question belong to this one and end first. */
static bool may_leave(state *st) {
  loading *l = &st->loading;
  if (l->kind != LOADING_RIG) return true;
  if (!l->asked && (IsMouseButtonDown(MOUSE_BUTTON_LEFT) || question_open(st))) return false;
  l->keeps = documents_keep(st);
  return true;
}

bool loading_poll(state *st) {
  if (!may_leave(st)) return false;
  sinew_error error;
  double now = GetTime();
  selection_names selected = state_selected_names(st);
  return take_news(st, sinew_host_poll(st->host, now, &error), now, &selected, &error);
}

/* --- its beginning */

/* the clock of raylib starts again with the window */
static double seconds(void) { return IsWindowReady() ? GetTime() : 0; }

/* Waits a short while for a load that has begun with `status`. */
static sinew_host_news wait_for(sinew_host *host, sinew_status status, sinew_error *error) {
  if (status < 0) return SINEW_HOST_FAILED;
  for (int i = 0; i < wait_at_once; i++) {
    sinew_host_news news = sinew_host_poll(host, seconds(), error);
    if (news == SINEW_HOST_SAME || news == SINEW_HOST_WAITING) return SINEW_HOST_RELOADED;
    if (news != SINEW_HOST_LOADING) return news;
    nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
  }
  return SINEW_HOST_LOADING;
}

sinew_host_news loading_start(state *st, const char *path, sinew_error *error) {
  sinew_host_news news = wait_for(st->host, sinew_host_load(st->host, path, error), error);
  if (news == SINEW_HOST_LOADING) st->loading.kind = LOADING_FIRST;
  return news;
}

static bool begin(state *st, loading_kind kind, const char *what, sinew_status status,
                  const selection_names *selected, sinew_error *error) {
  double now = GetTime();
  if (st->loading.asked) tool_answer(false, "another rig is loaded instead");
  st->loading = (loading){ .kind = kind, .since = now };
  snprintf(st->loading.what, sizeof st->loading.what, "%s", what);
  sinew_host_news news = wait_for(st->host, status, error);
  take_news(st, news, now, selected, error);
  return news != SINEW_HOST_FAILED;
}

bool loading_open(state *st, const char *path) {
  sinew_error error;
  selection_names selected = { .segment = "" };
  char what[sizeof st->loading.what]; /* the path may be the host's */
  snprintf(what, sizeof what, "%s", path);
  sinew_status status = sinew_host_load(st->host, path, &error);
  return begin(st, LOADING_RIG, what, status, &selected, &error);
}

bool loading_choose(state *st, const char *name, const char *value) {
  sinew_error error;
  char what[200];
  selection_names selected = state_selected_names(st);
  snprintf(what, sizeof what, "%s = %s", name, value); /* both may go with the old rig */
  sinew_status status = sinew_host_choose(st->host, name, value, &error);
  return begin(st, LOADING_CHOICE, what, status, &selected, &error);
}

/* --- meanwhile */

void loading_stop(state *st) {
  if (st->loading.kind) sinew_host_cancel(st->host);
}

bool loading_shown(const state *st) {
  return st->loading.kind && GetTime() - st->loading.since > show_after;
}

float loading_words(const state *st, char *dest, size_t capacity) {
  const loading *l = &st->loading;
  sinew_budget_use use = sinew_host_progress(st->host);
  const char *path = l->kind == LOADING_RIG ? l->what : sinew_host_path(st->host);
  size_t length = (size_t)snprintf(dest, capacity, "%s: %s",
                                   l->kind == LOADING_CHOICE ? l->what : GetFileName(path),
                                   use.step ? use.step : "running the script");
  if (use.fraction >= 0 && length < capacity)
    snprintf(dest + length, capacity - length, ", %.0f %%", (double)use.fraction * 100);
  return use.fraction;
}
