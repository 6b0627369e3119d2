/* The list of live changes, its undo, and its way through a reload and into the tuning file. */
#include "edits.h"
#include "param_copy.h"

#include <sinew/tuning.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct edits {
  edit *list;
  int count, room;
  sinew_tuning *tuning;
  char *path;         /* of the rig they belong to */
  char *text;         /* handed out last */
  int again, dropped; /* by the last reload, not said yet */
  char lost[256];
} edits;

/* one parameter of one component, for the history */
typedef struct param_state {
  char *component;
  sinew_param value;
} param_state;

static edits *state_of(const app *a) { return tool_state(a, "edits"); }

static sinew_status no_memory(sinew_error *error) {
  if (error) {
    sinew_error_clear(error);
    error->status = SINEW_ERR_MEMORY;
    snprintf(error->text, sizeof error->text, "out of memory");
  }
  return SINEW_ERR_MEMORY;
}

static char *copy_text(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  if (copy) strcpy(copy, text);
  return copy;
}

static sinew_param value_now(const sinew_rig *rig, sinew_component component, const char *name) {
  int count = sinew_rig_component_info(rig, component).param_count;
  for (int i = 0; i < count; i++) {
    const sinew_param *p = sinew_rig_param(rig, component, i);
    if (strcmp(p->name, name) == 0) return *p;
  }
  return sinew_param_none(name);
}

static int find(const edits *e, const char *component, const char *param) {
  for (int i = 0; i < e->count; i++)
    if (strcmp(e->list[i].component, component) == 0 &&
        (!param || strcmp(e->list[i].value.name, param) == 0))
      return i;
  return -1;
}

static void drop(edits *e, int index) {
  free(e->list[index].component);
  param_drop(&e->list[index].base);
  param_drop(&e->list[index].value);
  memmove(e->list + index, e->list + index + 1, (size_t)(e->count - index - 1) * sizeof *e->list);
  e->count--;
}

static void clear(edits *e) {
  while (e->count) drop(e, e->count - 1);
}

static bool add(edits *e, const char *component, const sinew_param *base, bool tuned) {
  if (e->count == e->room) {
    int room = e->room ? e->room * 2 : 16;
    edit *more = realloc(e->list, (size_t)room * sizeof *more);
    if (!more) return false;
    e->list = more;
    e->room = room;
  }
  edit *it = &e->list[e->count];
  *it = (edit){ .component = copy_text(component), .tuned = tuned };
  bool kept = param_keep(base, &it->base);
  if (it->component && kept && param_keep(base, &it->value)) {
    e->count++;
    return true;
  }
  free(it->component);
  param_drop(&it->base);
  return false;
}

/* sets it on the rig and evaluates; what cannot be evaluated is put back */
static sinew_status set(app *a, sinew_component component, const sinew_param *param,
                        sinew_error *error) {
  sinew_param old, now = value_now(app_rig(a), component, param->name);
  if (!param_keep(&now, &old)) return no_memory(error);
  bool was_fine = !a->banner[0];
  sinew_status status = sinew_host_set_params(a->host, component, param, 1, error);
  if (status >= 0) {
    app_eval(a);
    sinew_error why;
    sinew_status evaluated =
        was_fine && a->banner[0] ? sinew_host_eval(a->host, app_pose(a), &why) : SINEW_OK;
    if (evaluated < 0) {
      sinew_host_set_params(a->host, component, &old, 1, NULL);
      app_eval(a);
      if (error) *error = why;
      status = evaluated;
    }
  }
  param_drop(&old);
  return status;
}

/* brings list and tuning up to what the rig says after a change */
static bool note(app *a, sinew_component component, const sinew_param *before, const char *name) {
  edits *e = state_of(a);
  const char *owner = sinew_rig_component_info(app_rig(a), component).name;
  sinew_param now = value_now(app_rig(a), component, name);
  int at = find(e, owner, name);
  if (at < 0) {
    bool tuned = e->tuning && sinew_tuning_has_param(e->tuning, component, name);
    if (!add(e, owner, before, tuned)) return false;
    at = e->count - 1;
  }
  edit *it = &e->list[at];
  sinew_param value;
  if (!param_keep(&now, &value)) return false;
  param_drop(&it->value);
  it->value = value;
  bool back = param_same(&it->base, &it->value);
  if (e->tuning && back && !it->tuned)
    sinew_tuning_forget_param(e->tuning, component, name);
  else if (e->tuning && !back)
    sinew_tuning_note_param(e->tuning, component, name, NULL);
  if (back) drop(e, at);
  return true;
}

static sinew_status change(app *a, sinew_component component, const sinew_param *param,
                           sinew_error *error) {
  sinew_param now = value_now(app_rig(a), component, param->name), before;
  if (!param_keep(&now, &before)) return no_memory(error);
  sinew_status status = set(a, component, param, error);
  if (status >= 0 && !note(a, component, &before, param->name)) {
    set(a, component, &before, NULL);
    status = no_memory(error);
  }
  param_drop(&before);
  return status;
}

static void release(void *state) {
  param_state *s = state;
  if (!s) return;
  free(s->component);
  param_drop(&s->value);
  free(s);
}

static bool apply(app *a, const void *state) {
  const param_state *s = state;
  sinew_error error;
  sinew_component component = sinew_rig_find_component(app_rig(a), s->component, &error);
  if (component.id && change(a, component, &s->value, &error) >= 0) return true;
  app_say(a, "%s", error.text);
  return false;
}

static const history_kind param_kind = { apply, release };

static param_state *keep_state(const char *component, const sinew_param *value) {
  param_state *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->component = copy_text(component);
  if (s->component && param_keep(value, &s->value)) return s;
  s->value = (sinew_param){ 0 };
  release(s);
  return NULL;
}

static unsigned key_of(const char *component, const char *param) {
  unsigned hash = 2166136261u;
  for (; *component; component++) hash = (hash ^ (unsigned char)*component) * 16777619u;
  for (hash *= 31; *param; param++) hash = (hash ^ (unsigned char)*param) * 16777619u;
  return hash | 1;
}

sinew_status edits_apply_param(app *a, sinew_component component, const sinew_param *param,
                               sinew_error *error) {
  const char *owner = sinew_rig_component_info(app_rig(a), component).name;
  sinew_param now = value_now(app_rig(a), component, param->name);
  if (param_same(&now, param)) return SINEW_OK;
  param_state *before = keep_state(owner, &now), *after = keep_state(owner, param);
  sinew_status status = before && after ? change(a, component, param, error) : no_memory(error);
  if (status < 0) {
    release(before);
    release(after);
    return status;
  }
  char label[96];
  snprintf(label, sizeof label, "%s of %s", param->name, owner);
  history_push(a->history, &param_kind, label, key_of(owner, param->name), before, after);
  return status;
}

sinew_status edits_reset_param(app *a, sinew_component component, const char *param,
                               sinew_error *error) {
  const edit *it = edits_find(a, component, param);
  if (!it) return SINEW_OK;
  sinew_param base;
  if (!param_keep(&it->base, &base)) return no_memory(error);
  sinew_status status = edits_apply_param(a, component, &base, error);
  param_drop(&base);
  return status;
}

const edit *edits_list(const app *a, int *count) {
  const edits *e = state_of(a);
  *count = e->count;
  return e->list;
}

const edit *edits_find(const app *a, sinew_component component, const char *param) {
  const edits *e = state_of(a);
  if (!e->count) return NULL;
  int at = find(e, sinew_rig_component_info(app_rig(a), component).name, param);
  return at < 0 ? NULL : &e->list[at];
}

const char *edits_lua(app *a, sinew_component component, sinew_error *error) {
  edits *e = state_of(a);
  if (!e->tuning) {
    no_memory(error);
    return NULL;
  }
  const char *owner = sinew_rig_component_info(app_rig(a), component).name;
  if (find(e, owner, NULL) < 0) return sinew_tuning_param_text(e->tuning, component, NULL, error);
  size_t used = 0;
  free(e->text);
  e->text = NULL;
  for (int i = 0; i < e->count; i++) {
    if (strcmp(e->list[i].component, owner) != 0) continue;
    const char *one = sinew_tuning_param_text(e->tuning, component, e->list[i].value.name, error);
    char *more = one ? realloc(e->text, used + strlen(one) + 4) : NULL;
    if (!more) return one ? (no_memory(error), NULL) : NULL;
    e->text = more;
    used += (size_t)sprintf(e->text + used, "%s%s", used ? ",\n" : "", one);
  }
  return e->text;
}

sinew_status edits_write(app *a, sinew_error *error) {
  edits *e = state_of(a);
  if (!e->tuning) return no_memory(error);
  sinew_status status = sinew_tuning_write(e->tuning, NULL, error);
  if (status >= 0) clear(e); /* the file has them now */
  return status;
}

/* makes the changes again on a rig that was loaded anew; they are in the old one's words */
static void apply_again(app *a, edits *e) {
  edit *old = e->list;
  int count = e->count;
  e->list = NULL;
  e->count = e->room = 0;
  e->again = e->dropped = 0;
  for (int i = 0; i < count; i++) {
    sinew_error error;
    sinew_component component = sinew_rig_find_component(app_rig(a), old[i].component, &error);
    bool fits = component.id && change(a, component, &old[i].value, &error) >= 0;
    if (fits)
      e->again++;
    else if (!e->dropped++)
      snprintf(e->lost, sizeof e->lost, "%.250s", error.text);
    free(old[i].component);
    param_drop(&old[i].base);
    param_drop(&old[i].value);
  }
  free(old);
}

static void loaded(app *a, void *self) {
  edits *e = self;
  const char *path = sinew_host_path(a->host);
  if (!e->path || strcmp(e->path, path) != 0) {
    clear(e);
    free(e->path);
    e->path = copy_text(path);
    sinew_tuning_destroy(e->tuning);
    e->tuning = NULL;
  }
  if (!e->tuning)
    e->tuning = sinew_tuning_create(a->host, NULL);
  else
    sinew_tuning_clear(e->tuning, NULL);
  apply_again(a, e);
}

/* after what the reload itself had to say */
static void frame(app *a, void *self) {
  edits *e = self;
  char said[sizeof a->note];
  if (!e->again && !e->dropped) return;
  snprintf(said, sizeof said, "%s", a->note);
  if (e->dropped)
    app_say(a, "%.200s; %d changes made again, %d no longer fit: %.200s", said, e->again,
            e->dropped, e->lost);
  else
    app_say(a, "%.200s; %d change%s made again", said, e->again, e->again == 1 ? "" : "s");
  e->again = e->dropped = 0;
}

static void *create(app *a) {
  (void)a;
  return calloc(1, sizeof(edits));
}

static void destroy(app *a, void *self) {
  (void)a;
  edits *e = self;
  clear(e);
  free(e->list);
  sinew_tuning_destroy(e->tuning);
  free(e->path);
  free(e->text);
  free(e);
}

static void print_line(const char *text) {
  for (; *text; text++) putchar(*text == '\n' ? '|' : *text);
  putchar('\n');
}

static bool remote(app *a, void *self, const char *verb, char *rest) {
  edits *e = self;
  sinew_error error;
  (void)rest;
  if (strcmp(verb, "edits") == 0) {
    printf("ok %d", e->count);
    for (int i = 0; i < e->count; i++)
      printf(" %s.%s", e->list[i].component, e->list[i].value.name);
    printf("\n");
  } else if (strcmp(verb, "edits_lua") == 0) {
    const char *text = e->tuning ? sinew_tuning_text(e->tuning, &error) : NULL;
    printf(text ? "ok " : "error ");
    print_line(text ? text : "no tuning");
  } else if (strcmp(verb, "edits_write") == 0) {
    if (edits_write(a, &error) >= 0)
      printf("ok %s\n", sinew_host_tuning(a->host));
    else
      printf("error %s\n", error.text);
  } else {
    return false;
  }
  return true;
}

const tool tool_edits = { .name = "edits",
                          .doc = "live changes that are in no file yet",
                          .create = create,
                          .destroy = destroy,
                          .loaded = loaded,
                          .frame = frame,
                          .remote = remote,
                          .remote_help = "edits | edits_lua | edits_write" };
