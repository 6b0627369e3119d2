/* The live changes as a document: the rig's tuning file. A recovery file is a whole tuning file; to
 * restore it, the rig is loaded once more with that file, and its values become live changes. */
#include "tools/edits/edits.h"
#include "plain/param_copy.h"

#include <limits.h>
#include <sinew/modules.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_taken = 64 }; /* parameters of a component */

static uint64_t unsaved(const state *st, const void *self) {
  const edits *e = self;
  (void)st;
  return e->count ? (uint64_t)e->version << 1 | 1 : 0;
}

static void describe(const state *st, const void *self, char *dest, size_t capacity) {
  const edits *e = self;
  (void)st;
  snprintf(dest, capacity, "%d change%s of the rig", e->count, e->count == 1 ? "" : "s");
}

static bool no_tuning(sinew_error *error) {
  snprintf(error->text, sizeof error->text, "out of memory");
  return false;
}

static bool keep(state *st, void *self, const char *path, sinew_error *error) {
  edits *e = self;
  (void)st;
  return e->tuning ? sinew_tuning_write(e->tuning, path, error) >= 0 : no_tuning(error);
}

/* a tuning beside another rig is a copy: this rig's stays unsaved */
static bool save(state *st, void *self, const char *path, sinew_error *error) {
  const char *own = sinew_host_tuning(st->host);
  return own && strcmp(own, path) == 0 ? edits_write(st, error) >= 0 : keep(st, self, path, error);
}

static char *own_path(void *self) {
  edits *e = self;
  const char *own = e->host ? sinew_host_tuning(e->host) : NULL;
  snprintf(e->file, sizeof e->file, "%s", own ? own : "");
  return e->file;
}

/* back to script and tuning file, by an undo step for each owner */
static bool revert(state *st, void *self, const char *path, sinew_error *error) {
  edits *e = self;
  (void)path;
  for (int left = e->count; left > 0; left = e->count) {
    const edit *first = &e->list[0];
    const sinew_rig *rig = state_rig(st);
    edits_owner o = { 0 };
    if (first->rest)
      o.segment = sinew_rig_find_segment(rig, first->owner, error);
    else
      o.component = sinew_rig_find_component(rig, first->owner, error);
    history_pause(st->history);
    if (!o.segment.id && !o.component.id) return false;
    if (edits_reset(st, o, NULL, error) < 0) return false;
    if (e->count >= left) return true; /* cannot be: what is reset is no change */
  }
  return true;
}

/* --- restoring */

/* the rig with its options as they are, and another tuning; NULL with `error` filled */
static sinew_host *open_tuned(const state *st, const char *tuning, sinew_error *error) {
  char folder[PATH_MAX + 32], *chosen[most_choices] = { NULL };
  sinew_host_desc desc = sinew_default_host_desc();
  desc.isolate = state_isolate(st);
  desc.modules = sinew_module_folder(folder, sizeof folder);
  desc.tuning = tuning;
  for (int i = 0; i < sinew_host_option_count(st->host) && i < most_choices; i++) {
    sinew_host_option option = sinew_host_option_info(st->host, i);
    size_t room = strlen(option.name) + strlen(option.value) + 2;
    char *text = malloc(room);
    if (!text) break;
    snprintf(text, room, "%s=%s", option.name, option.value);
    chosen[desc.option_count++] = text;
  }
  desc.options = (const char *const *)chosen;
  sinew_host *host = sinew_host_create(&desc, error);
  if (host && sinew_host_load(host, sinew_host_path(st->host), error) < 0) {
    sinew_host_destroy(host);
    host = NULL;
  }
  for (int i = 0; i < desc.option_count; i++) free(chosen[i]);
  return host;
}

static int add_name(const char **names, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return count;
  if (count < most_taken) names[count++] = name;
  return count;
}

/* the parameters of a component that the tuning has; removed ones are of our rig only */
static int tuned_params(const sinew_rig *from, sinew_component there, const sinew_rig *to,
                        sinew_component here, const sinew_tuning *tuning, sinew_param *dest) {
  const char *names[most_taken];
  int count = 0, taken = 0;
  for (int i = 0; i < sinew_rig_component_info(from, there).param_count; i++)
    count = add_name(names, count, sinew_rig_param(from, there, i)->name);
  for (int i = 0; i < sinew_rig_component_info(to, here).param_count; i++)
    count = add_name(names, count, sinew_rig_param(to, here, i)->name);
  for (int i = 0; i < count; i++) {
    if (!sinew_tuning_has_param(tuning, there, names[i])) continue;
    const sinew_param *given = sinew_rig_find_param(from, there, names[i]);
    dest[taken++] = given ? *given : sinew_param_none(names[i]);
  }
  return taken;
}

static sinew_status take_component(state *st, const sinew_rig *from, sinew_component there,
                                   const sinew_tuning *tuning, sinew_error *error) {
  const char *name = sinew_rig_component_info(from, there).name;
  sinew_component here = sinew_rig_find_component(state_rig(st), name, error);
  sinew_param params[most_taken];
  if (!here.id) return SINEW_ERR_NAME;
  int count = tuned_params(from, there, state_rig(st), here, tuning, params);
  return count ? edits_apply(st, edits_of_component(here), params, count, error) : SINEW_OK;
}

static sinew_status take_rest(state *st, const sinew_rig *from, sinew_segment there,
                              sinew_error *error) {
  sinew_segment_info info = sinew_rig_segment_info(from, there);
  edits_owner owner = { .segment = sinew_rig_find_segment(state_rig(st), info.name, error) };
  if (!owner.segment.id) return SINEW_ERR_NAME;
  sinew_param rest = sinew_param_matrix("rest", info.rest);
  return edits_apply(st, owner, &rest, 1, error);
}

static bool restore(state *st, void *self, const char *path, sinew_error *error) {
  (void)self;
  sinew_host *host = open_tuned(st, path, error);
  sinew_tuning *tuning = host ? sinew_tuning_create(host, error) : NULL;
  sinew_status status = tuning ? SINEW_OK : SINEW_ERR_FILE;
  const sinew_rig *rig = tuning ? sinew_host_rig(host) : NULL;
  for (int i = 0; status >= 0 && i < sinew_rig_component_count(rig); i++) {
    sinew_component one = sinew_rig_component(rig, i);
    if (sinew_tuning_has_param(tuning, one, NULL))
      status = take_component(st, rig, one, tuning, error);
  }
  for (int i = 0; status >= 0 && i < sinew_rig_segment_count(rig); i++) {
    sinew_segment one = sinew_rig_segment(rig, i);
    if (sinew_tuning_has_rest(tuning, one)) status = take_rest(st, rig, one, error);
  }
  sinew_tuning_destroy(tuning);
  sinew_host_destroy(host);
  return status >= 0;
}

const document edits_document = { .name = "tuning",
                                  .ending = ".tuning.lua",
                                  .unsaved = unsaved,
                                  .describe = describe,
                                  .path = own_path,
                                  .restore = restore,
                                  .keep = keep,
                                  .save = save,
                                  .revert = revert };
