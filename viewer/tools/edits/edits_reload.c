/* Applies live changes again after a reload; their remote verbs. */
#include "tools/edits/edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* applies all changes of the first one's owner again: together, or else one by one */
static void owner_again(state *st, edits *e, const edit *old, int count) {
  sinew_error error = { 0 };
  sinew_param *values = calloc((size_t)count, sizeof *values);
  int used = 0, fit = 0;
  for (int i = 0; values && i < count; i++)
    if (old[i].rest == old->rest && strcmp(old[i].owner, old->owner) == 0)
      values[used++] = old[i].value;
  if (used && edits_change(st, old->rest, old->owner, values, used, &error) >= 0) {
    e->again += used;
  } else {
    snprintf(e->lost, sizeof e->lost, "%.250s", error.text);
    for (int i = 0; used > 1 && i < used; i++)
      fit += edits_change(st, old->rest, old->owner, &values[i], 1, NULL) >= 0;
    e->again += fit;
    e->dropped += used - fit;
  }
  free(values);
}

/* applies all changes again after a reload */
static void apply_again(state *st, edits *e) {
  edits old = *e;
  e->list = NULL;
  e->count = e->room = 0;
  e->again = e->dropped = 0;
  for (int i = 0; i < old.count; i++) {
    bool first = true;
    for (int k = 0; k < i && first; k++)
      first =
          old.list[k].rest != old.list[i].rest || strcmp(old.list[k].owner, old.list[i].owner) != 0;
    if (first) owner_again(st, e, old.list + i, old.count - i);
  }
  edits_clear(&old);
  free(old.list);
}

static void loaded(state *st, void *self) {
  edits *e = self;
  const char *path = sinew_host_path(st->host);
  if (!e->path || strcmp(e->path, path) != 0) {
    edits_clear(e);
    free(e->path);
    e->path = strdup(path);
    e->host = st->host;
    sinew_tuning_destroy(e->tuning);
    e->tuning = NULL;
  }
  if (!e->tuning)
    e->tuning = sinew_tuning_create(st->host, NULL);
  else
    sinew_tuning_clear(e->tuning, NULL);
  apply_again(st, e);
}

/* appends to the reload message */
static void frame(state *st, void *self) {
  edits *e = self;
  char said[sizeof st->note];
  if (*e->wrote && strncmp(st->note, "reloaded", 8) == 0) {
    state_say(st, "%s", e->wrote);
    e->wrote[0] = '\0';
  }
  if (!e->again && !e->dropped) return;
  snprintf(said, sizeof said, "%s", st->note);
  if (e->dropped)
    state_say(st, "%.200s; %d changes applied again, %d no longer fit: %.200s", said, e->again,
              e->dropped, e->lost);
  else
    state_say(st, "%.200s; %d change%s applied again", said, e->again, e->again == 1 ? "" : "s");
  e->again = e->dropped = 0;
}

static void destroy(void *self) {
  edits *e = self;
  edits_clear(e);
  free(e->list);
  sinew_tuning_destroy(e->tuning);
  free(e->path);
  free(e->text);
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  edits *e = self;
  sinew_error error = { 0 };
  (void)rest;
  if (strcmp(verb, "edits") == 0) {
    printf("ok %d", e->count);
    for (int i = 0; i < e->count; i++) printf(" %s.%s", e->list[i].owner, e->list[i].value.name);
    printf("\n");
    return true;
  }
  if (strcmp(verb, "edits_lua") == 0)
    return tool_answer_text(e->tuning ? sinew_tuning_text(e->tuning, &error) : NULL, error.text);
  if (strcmp(verb, "edits_write") != 0) return false;
  bool written = edits_write(st, &error) >= 0;
  return tool_answer_text(written ? sinew_host_tuning(st->host) : NULL, error.text);
}

const tool tool_edits = { .name = "edits",
                          .doc = "live changes that are not saved yet",
                          .size = sizeof(edits),
                          .destroy = destroy,
                          .loaded = loaded,
                          .frame = frame,
                          .document = &edits_document,
                          .remote = remote,
                          .remote_help = "edits | edits_lua | edits_write" };
