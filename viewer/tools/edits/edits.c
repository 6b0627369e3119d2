/* The list of live changes, its undo, and its texts. */
#include "tools/edits/edits.h"
#include "plain/param_copy.h"
#include "plain/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* values of one owner, for the history */
typedef struct owned_state {
  char *name;
  bool rest;
  int count;
  sinew_param *values;
} owned_state;

static edits *state_of(const state *st) { return tool_state(st, "edits"); }

static sinew_status no_memory(sinew_error *error) {
  if (error) {
    sinew_error_clear(error);
    error->status = SINEW_ERR_MEMORY;
    snprintf(error->text, sizeof error->text, "out of memory");
  }
  return SINEW_ERR_MEMORY;
}

static const char *name_of(const sinew_rig *rig, edits_owner o) {
  return o.segment.id ? sinew_rig_segment_info(rig, o.segment).name
                      : sinew_rig_component_info(rig, o.component).name;
}

/* null if the rig no longer has it */
static edits_owner find_owner(const sinew_rig *rig, bool rest, const char *name,
                              sinew_error *error) {
  if (rest) return (edits_owner){ .segment = sinew_rig_find_segment(rig, name, error) };
  return edits_of_component(sinew_rig_find_component(rig, name, error));
}

static sinew_param value_now(const sinew_rig *rig, edits_owner o, const char *name) {
  if (o.segment.id) return sinew_param_matrix(name, sinew_rig_segment_info(rig, o.segment).rest);
  const sinew_param *given = sinew_rig_find_param(rig, o.component, name);
  return given ? *given : sinew_param_none(name);
}

static int find(const edits *e, bool rest, const char *name, const char *param) {
  for (int i = 0; i < e->count; i++)
    if (e->list[i].rest == rest && strcmp(e->list[i].owner, name) == 0 &&
        (!param || strcmp(e->list[i].value.name, param) == 0))
      return i;
  return -1;
}

static void drop(edits *e, int index) {
  edit *it = &e->list[index];
  free(it->owner);
  param_drop(&it->base);
  param_drop(&it->value);
  memmove(e->list + index, e->list + index + 1, (size_t)(e->count - index - 1) * sizeof *e->list);
  e->count--;
}

void edits_clear(edits *e) {
  while (e->count) drop(e, e->count - 1);
}

static bool add(edits *e, const char *name, bool rest, const sinew_param *base, bool tuned) {
  if (e->count == e->room) {
    int room = e->room ? e->room * 2 : 16;
    edit *more = realloc(e->list, (size_t)room * sizeof *more);
    if (!more) return false;
    e->list = more;
    e->room = room;
  }
  edit *it = &e->list[e->count];
  *it = (edit){ .owner = strdup(name), .rest = rest, .tuned = tuned };
  bool kept = param_keep(base, &it->base);
  if (it->owner && kept && param_keep(base, &it->value)) {
    e->count++;
    return true;
  }
  free(it->owner);
  param_drop(&it->base);
  return false;
}

static void drop_values(sinew_param *values, int count) {
  for (int i = 0; values && i < count; i++) param_drop(&values[i]);
  free(values);
}

/* copies of the owner's values with the names of `like`; NULL if memory runs out */
static sinew_param *keep_now(const sinew_rig *rig, edits_owner o, const sinew_param *like,
                             int count) {
  sinew_param *values = calloc((size_t)count + 1, sizeof *values);
  for (int i = 0; values && i < count; i++) {
    sinew_param now = value_now(rig, o, like[i].name);
    if (param_keep(&now, &values[i])) continue;
    drop_values(values, i);
    return NULL;
  }
  return values;
}

static sinew_status put(state *st, edits_owner o, const sinew_param *params, int count,
                        sinew_error *error) {
  return o.segment.id ? sinew_rig_set_rest(state_rig(st), o.segment, params[0].number, error)
                      : sinew_host_set_params(st->host, o.component, params, count, error);
}

/* sets values on the rig and evaluates; if that fails, restores `old` */
static sinew_status set(state *st, edits_owner o, const sinew_param *params, const sinew_param *old,
                        int count, sinew_error *error) {
  bool was_fine = !st->banner[0];
  sinew_status status = put(st, o, params, count, error);
  if (status < 0) return status;
  state_eval(st);
  sinew_error why;
  sinew_status evaluated =
      was_fine && st->banner[0] ? sinew_host_eval(st->host, state_pose(st), &why) : SINEW_OK;
  if (evaluated >= 0) return status;
  put(st, o, old, count, NULL);
  state_eval(st);
  if (error) *error = why;
  return evaluated;
}

static bool is_tuned(const edits *e, edits_owner o, const char *name) {
  if (!e->tuning) return false;
  return o.segment.id ? sinew_tuning_has_rest(e->tuning, o.segment)
                      : sinew_tuning_has_param(e->tuning, o.component, name);
}

static void tune(edits *e, edits_owner o, const char *name, bool noted) {
  if (!e->tuning) return;
  if (o.segment.id && noted)
    sinew_tuning_note_rest(e->tuning, o.segment, NULL);
  else if (o.segment.id)
    sinew_tuning_forget_rest(e->tuning, o.segment);
  else if (noted)
    sinew_tuning_note_param(e->tuning, o.component, name, NULL);
  else
    sinew_tuning_forget_param(e->tuning, o.component, name);
}

/* updates list and tuning after a change of the rig */
static bool note(state *st, edits_owner o, const sinew_param *before) {
  edits *e = state_of(st);
  const char *name = name_of(state_rig(st), o), *param = before->name;
  bool rest = o.segment.id != 0;
  sinew_param now = value_now(state_rig(st), o, param), value;
  int at = find(e, rest, name, param);
  if (at < 0 && param_same(before, &now)) return true;
  if (at < 0) {
    if (!add(e, name, rest, before, is_tuned(e, o, param))) return false;
    at = e->count - 1;
  }
  edit *it = &e->list[at];
  if (!param_keep(&now, &value)) return false;
  param_drop(&it->value);
  it->value = value;
  e->version++;
  bool back = param_same(&it->base, &it->value);
  if (!back || !it->tuned) tune(e, o, param, !back);
  if (back) drop(e, at);
  return true;
}

static sinew_status change(state *st, edits_owner o, const sinew_param *params, int count,
                           sinew_error *error) {
  sinew_param *before = keep_now(state_rig(st), o, params, count);
  if (!before) return no_memory(error);
  sinew_status status = set(st, o, params, before, count, error);
  for (int i = 0; status >= 0 && i < count; i++)
    if (!note(st, o, &before[i])) {
      set(st, o, before, before, count, NULL);
      status = no_memory(error);
    }
  drop_values(before, count);
  return status;
}

sinew_status edits_change(state *st, bool rest, const char *name, const sinew_param *params,
                          int count, sinew_error *error) {
  edits_owner o = find_owner(state_rig(st), rest, name, error);
  return o.segment.id || o.component.id ? change(st, o, params, count, error) : SINEW_ERR_NAME;
}

static void release(void *saved) {
  owned_state *s = saved;
  if (!s) return;
  free(s->name);
  drop_values(s->values, s->count);
  free(s);
}

static bool apply(state *st, const void *saved) {
  const owned_state *s = saved;
  sinew_error error;
  if (edits_change(st, s->rest, s->name, s->values, s->count, &error) >= 0) return true;
  state_say(st, "%s", error.text);
  return false;
}

static const history_kind owned_kind = { apply, release };

/* the owner's values with the names of `like` */
static owned_state *state_now(const sinew_rig *rig, edits_owner o, const sinew_param *like,
                              int count) {
  owned_state *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  *s = (owned_state){ .name = strdup(name_of(rig, o)),
                      .rest = o.segment.id != 0,
                      .count = count,
                      .values = keep_now(rig, o, like, count) };
  if (s->name && s->values) return s;
  release(s);
  return NULL;
}

sinew_status edits_apply(state *st, edits_owner o, const sinew_param *params, int count,
                         sinew_error *error) {
  const sinew_rig *rig = state_rig(st);
  bool same = true;
  const char *owner = name_of(rig, o);
  uint64_t print = print_bytes(print_start, owner, strlen(owner));
  for (int i = 0; i < count; i++) {
    sinew_param now = value_now(rig, o, params[i].name);
    same &= param_same(&now, &params[i]);
    print = print_bytes(print, params[i].name, strlen(params[i].name) + 1);
  }
  if (same) return SINEW_OK;
  owned_state *before = state_now(rig, o, params, count);
  sinew_status status = before ? change(st, o, params, count, error) : no_memory(error);
  owned_state *after = status >= 0 ? state_now(rig, o, params, count) : NULL;
  if (status >= 0 && !after) {
    change(st, o, before->values, count, NULL);
    status = no_memory(error);
  }
  if (status < 0) {
    release(before);
    return status;
  }
  char label[96];
  snprintf(label, sizeof label, "%s of %s", count == 1 ? params->name : "values", name_of(rig, o));
  history_push(st->history, &owned_kind, label, (unsigned)print | 1, before, after);
  return status;
}

sinew_status edits_reset(state *st, edits_owner o, const char *param, sinew_error *error) {
  const edits *e = state_of(st);
  const char *name = name_of(state_rig(st), o);
  sinew_param *bases = calloc((size_t)e->count + 1, sizeof *bases);
  int count = 0;
  bool fine = bases != NULL;
  for (int i = 0; fine && i < e->count; i++) {
    const edit *it = &e->list[i];
    if (it->rest != (o.segment.id != 0) || strcmp(it->owner, name) != 0 ||
        (param && strcmp(it->value.name, param) != 0))
      continue;
    fine = param_keep(&it->base, &bases[count]);
    count += fine;
  }
  sinew_status status = SINEW_OK;
  if (!fine)
    status = no_memory(error);
  else if (count)
    status = edits_apply(st, o, bases, count, error);
  drop_values(bases, count);
  return status;
}

const edit *edits_find(const state *st, edits_owner o, const char *param) {
  const edits *e = state_of(st);
  if (!e->count) return NULL;
  int at = find(e, o.segment.id != 0, name_of(state_rig(st), o), param);
  return at < 0 ? NULL : &e->list[at];
}

const char *edits_lua(state *st, edits_owner o, sinew_error *error) {
  edits *e = state_of(st);
  if (!e->tuning) {
    no_memory(error);
    return NULL;
  }
  if (o.segment.id) return sinew_tuning_rest_text(e->tuning, o.segment, error);
  const char *name = name_of(state_rig(st), o);
  if (find(e, false, name, NULL) < 0)
    return sinew_tuning_param_text(e->tuning, o.component, NULL, error);
  size_t used = 0;
  free(e->text);
  e->text = NULL;
  for (int i = 0; i < e->count; i++) {
    if (e->list[i].rest || strcmp(e->list[i].owner, name) != 0) continue;
    const char *one = sinew_tuning_param_text(e->tuning, o.component, e->list[i].value.name, error);
    if (!one) return NULL;
    char *more = realloc(e->text, used + strlen(one) + 4);
    if (!more) {
      no_memory(error);
      return NULL;
    }
    e->text = more;
    used += (size_t)sprintf(e->text + used, "%s%s", used ? ",\n" : "", one);
  }
  return e->text;
}

sinew_status edits_write(state *st, sinew_error *error) {
  edits *e = state_of(st);
  if (!e->tuning) return no_memory(error);
  sinew_status status = sinew_tuning_write(e->tuning, NULL, error);
  if (status >= 0) edits_clear(e); /* the file has these changes now */
  return status;
}
