/* A list of changes with a position: undo goes back, redo forward, a new change drops what follows.
 * The oldest are dropped beyond a limit. */
#include "state/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_entries = 1000 };

typedef struct entry {
  const history_kind *kind;
  unsigned key, gesture;
  char label[96];
  void *before, *after;
} entry;

typedef struct dof_state {
  int count;
  char *names; /* all strings in a row, each terminated by a zero */
  float *values;
} dof_state;

struct history {
  entry entries[most_entries];
  int count, place;
  unsigned gesture;
  dof_state *seen; /* the DOFs at the last call */
};

history *history_create(void) { return calloc(1, sizeof(history)); }

static void release(entry *e) {
  e->kind->release(e->before);
  e->kind->release(e->after);
}

static void drop_ahead(history *h) {
  while (h->count > h->place) release(&h->entries[--h->count]);
}

static void dofs_release(void *saved) {
  dof_state *s = saved;
  if (!s) return;
  free(s->names);
  free(s->values);
  free(s);
}

void history_clear(history *h) {
  h->place = 0;
  drop_ahead(h);
}

void history_destroy(history *h) {
  if (!h) return;
  history_clear(h);
  dofs_release(h->seen);
  free(h);
}

void history_push(history *h, const history_kind *kind, const char *label, unsigned key,
                  void *before, void *after) {
  drop_ahead(h);
  entry *last = h->place ? &h->entries[h->place - 1] : NULL;
  if (last && key && last->kind == kind && last->key == key && last->gesture == h->gesture) {
    kind->release(last->after);
    kind->release(before);
    last->after = after;
    return;
  }
  if (h->count == most_entries) {
    release(&h->entries[0]);
    memmove(h->entries, h->entries + 1, (most_entries - 1) * sizeof *h->entries);
    h->count--;
  }
  entry *e = &h->entries[h->count++];
  *e = (entry){ .kind = kind, .key = key, .gesture = h->gesture, .before = before, .after = after };
  snprintf(e->label, sizeof e->label, "%s", label);
  h->place = h->count;
}

void history_pause(history *h) { h->gesture++; }

int history_depth(const history *h) { return h->place; }

const char *history_step(history *h, state *st, bool forward) {
  history_watch_dofs(st);
  if (h->place == (forward ? h->count : 0)) return NULL;
  const entry *e = &h->entries[forward ? h->place++ : --h->place];
  e->kind->apply(st, forward ? e->after : e->before);
  history_forget_dofs(st);
  history_pause(h);
  return e->label;
}

static dof_state *dofs_now(const state *st) {
  const sinew_rig *rig = state_rig(st);
  int count = sinew_rig_dof_count(rig);
  size_t bytes = 1;
  for (int i = 0; i < count; i++)
    bytes += strlen(sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).name) + 1;
  dof_state *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->names = malloc(bytes);
  s->values = malloc(((size_t)count + 1) * sizeof *s->values);
  if (!s->names || !s->values) {
    dofs_release(s);
    return NULL;
  }
  char *at = s->names;
  for (int i = 0; i < count; i++) {
    const char *name = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i)).name;
    memcpy(at, name, strlen(name) + 1);
    at += strlen(name) + 1;
  }
  memcpy(s->values, sinew_pose_dofs(state_pose(st)), (size_t)count * sizeof *s->values);
  s->count = count;
  return s;
}

static bool dofs_apply(state *st, const void *saved) {
  const dof_state *s = saved;
  const char *name = s->names;
  for (int i = 0; i < s->count; i++, name += strlen(name) + 1) {
    sinew_dof dof = sinew_rig_find_dof(state_rig(st), name, NULL);
    if (dof.id) sinew_pose_set(state_pose(st), dof, s->values[i], NULL);
  }
  state_eval(st);
  return true;
}

static const history_kind dofs_kind = { dofs_apply, dofs_release };

void history_forget_dofs(state *st) {
  dofs_release(st->history->seen);
  st->history->seen = dofs_now(st);
}

void history_watch_dofs(state *st) {
  history *h = st->history;
  const sinew_rig *rig = state_rig(st);
  int count = sinew_rig_dof_count(rig), moved = 0, which = 0;
  if (!h->seen || h->seen->count != count) {
    history_forget_dofs(st);
    return;
  }
  const float *values = sinew_pose_dofs(state_pose(st));
  for (int i = 0; i < count; i++)
    if (values[i] != h->seen->values[i]) {
      moved++;
      which = i;
    }
  if (!moved || IsMouseButtonDown(MOUSE_BUTTON_LEFT)) return;
  dof_state *before = h->seen, *after = dofs_now(st);
  h->seen = dofs_now(st);
  if (!after) {
    dofs_release(before);
    return;
  }
  char label[96];
  if (moved == 1)
    snprintf(label, sizeof label, "%s", sinew_rig_dof_info(rig, sinew_rig_dof(rig, which)).name);
  else
    snprintf(label, sizeof label, "%d DOFs", moved);
  history_push(h, &dofs_kind, label, moved == 1 ? (unsigned)which + 1 : 0, before, after);
}
