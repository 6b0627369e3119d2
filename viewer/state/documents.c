/* Recovery files are in the user's state folder: "unsaved-HASH-N.keys.json" with a hash of the
 * rig's path and a number, the slot. Each viewer holds a slot by a lock on "unsaved-HASH-N.lock",
 * which the system drops when the program dies; so what lies in a slot without a lock was left
 * behind, and two viewers of one rig keep apart. */
#include "state/documents.h"
#include "plain/recent.h"
#include "state/state.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { most_slots = 16 };

#define EACH                                                                                       \
  for (tool_slot *s = st->tools, *end = s + st->tool_count; s < end; s++)                          \
    if (s->tool->document && s->self)

static uint64_t unsaved(const state *st, const tool_slot *s) {
  return s->tool->document && s->self ? s->tool->document->unsaved(st, s->self) : 0;
}

bool state_unsaved(const state *st) {
  for (int i = 0; i < st->tool_count; i++)
    if (unsaved(st, &st->tools[i])) return true;
  return false;
}

const char *documents_unsaved(const state *st, char *dest, size_t capacity) {
  size_t used = 0;
  *dest = '\0';
  for (int i = 0; i < st->tool_count && used < capacity; i++)
    if (unsaved(st, &st->tools[i]))
      used += (size_t)snprintf(dest + used, capacity - used, "%s%s", used ? ", " : "",
                               st->tools[i].tool->document->name);
  return dest;
}

void documents_beside(const state *st, const char *ending, char *dest, size_t capacity) {
  const char *rig = sinew_host_path(st->host), *dot = strrchr(rig, '.');
  int length = dot && !strchr(dot, '/') ? (int)(dot - rig) : (int)strlen(rig);
  snprintf(dest, capacity, "%.*s%s", length, rig, ending);
}

/* the path that a document is saved to */
static void path_of(const state *st, const tool_slot *s, char dest[document_path]) {
  const document *d = s->tool->document;
  const char *own = d->path ? d->path(s->self) : "";
  if (own && *own)
    snprintf(dest, document_path, "%s", own);
  else
    documents_beside(st, d->ending, dest, document_path);
}

/* --- recovery */

static void recovery_path(const char *slot, const tool_slot *s, char dest[PATH_MAX]) {
  snprintf(dest, PATH_MAX, "%s%s", slot, s->tool->document->ending);
}

/* the newest of the recovery files of a slot; 0: there is none */
static time_t left_in(state *st, const char *slot) {
  char path[PATH_MAX];
  struct stat info;
  time_t newest = 0;
  EACH {
    recovery_path(slot, s, path);
    if (stat(path, &info) == 0 && info.st_size > 0 && info.st_mtime > newest)
      newest = info.st_mtime;
  }
  return newest;
}

static int lock_slot(const char *slot) {
  char path[PATH_MAX];
  struct stat info;
  snprintf(path, sizeof path, "%s.lock", slot);
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &info) == 0 &&
      info.st_nlink > 0) /* not one that its owner has just removed */
    return file;
  if (file >= 0) close(file);
  return 0;
}

static void drop_slot(documents *d) {
  char path[PATH_MAX];
  if (d->lock) {
    snprintf(path, sizeof path, "%s.lock", d->slot);
    unlink(path);
    close(d->lock);
  }
  free(d->slot);
  d->slot = NULL;
  d->lock = 0;
  memset(d->kept, 0, sizeof d->kept);
}

/* takes a slot in which something was left, or else, or if `clean`, an empty one */
static void take_slot(state *st, bool clean) {
  documents *d = &st->documents;
  char folder[PATH_MAX - 128], slot[PATH_MAX - 64];
  drop_slot(d);
  d->offers = d->discarded = false;
  char *full = realpath(sinew_host_path(st->host), NULL);
  uint64_t hash = full ? print_bytes(print_start, full, strlen(full)) : 0;
  free(full);
  if (!hash || !user_folder(folder, sizeof folder)) return;
  for (int pass = clean; pass < 2 && !d->lock; pass++)
    for (int n = 1; n <= most_slots && !d->lock; n++) {
      snprintf(slot, sizeof slot, "%s/unsaved-%016llx-%d", folder, (unsigned long long)hash, n);
      bool left = left_in(st, slot) != 0;
      if (left == (pass == 0)) d->lock = lock_slot(slot);
      if (!d->lock) continue;
      d->slot = strdup(slot);
      d->offers = left;
      if (!d->slot) drop_slot(d);
    }
}

/* writes what has changed since, and removes what has been saved; false if that fails */
static bool keep(state *st, sinew_error *error) {
  documents *d = &st->documents;
  char path[PATH_MAX];
  bool fine = d->slot != NULL;
  if (!fine) snprintf(error->text, sizeof error->text, "there is no folder for unsaved changes");
  if (d->offers) return true;
  EACH {
    uint64_t now = unsaved(st, s), *kept = &d->kept[s - st->tools];
    if (!d->slot || now == *kept) continue;
    recovery_path(d->slot, s, path);
    d->kept_at = GetTime();
    if (!now)
      unlink(path);
    else if (!s->tool->document->keep(st, s->self, path, error)) {
      fine = false; /* and is tried again in a second */
      continue;
    }
    *kept = now;
  }
  return fine;
}

void documents_forget(state *st) {
  documents *d = &st->documents;
  char path[PATH_MAX];
  if (d->slot) EACH {
      recovery_path(d->slot, s, path);
      unlink(path);
      d->kept[s - st->tools] = 0;
    }
  d->offers = false;
}

void documents_discard(state *st) {
  st->documents.discarded = true;
  documents_forget(st);
  drop_slot(&st->documents);
}

static void name_title(state *st) {
  documents *d = &st->documents;
  const char *rig = sinew_host_path(st->host);
  const char *title =
      TextFormat("Sinew: %s%s", rig ? GetFileName(rig) : "no rig", state_unsaved(st) ? " *" : "");
  if (d->title && strcmp(d->title, title) == 0) return;
  free(d->title);
  d->title = strdup(title);
  SetWindowTitle(title);
}

bool documents_keep(state *st) {
  sinew_error error = { 0 };
  if (st->options.render || !st->documents.slot) return false;
  if (keep(st, &error)) return state_unsaved(st);
  state_say(st, "unsaved changes cannot be kept: %s", error.text);
  return false;
}

void documents_frame(state *st) {
  if (st->options.render) return;
  name_title(st);
  if (GetTime() - st->documents.kept_at >= 1) documents_keep(st);
}

bool documents_close(state *st) {
  documents *d = &st->documents;
  sinew_error error = { 0 };
  bool wanted = d->slot || (state_unsaved(st) && !d->discarded && !st->options.render);
  bool fine = !wanted || keep(st, &error);
  if (!fine) fprintf(stderr, "sinew-viewer: unsaved changes cannot be kept: %s\n", error.text);
  drop_slot(d);
  free(d->next);
  free(d->title);
  d->next = d->title = NULL;
  return fine;
}

void documents_stay(state *st) {
  if (!st->documents.slot) take_slot(st, true);
}

/* --- restoring */

static void restore(state *st) {
  documents *d = &st->documents;
  char path[PATH_MAX], aside[PATH_MAX + 16], said[200] = "";
  sinew_error error = { 0 };
  bool fine = true;
  d->offers = false;
  EACH {
    recovery_path(d->slot, s, path);
    if (access(path, R_OK) != 0) continue;
    history_pause(st->history);
    if (s->tool->document->restore(st, s->self, path, &error)) {
      d->kept[s - st->tools] = unsaved(st, s);
      continue;
    }
    fine = false;
    snprintf(aside, sizeof aside, "%s.unread", path);
    rename(path, aside);
    state_wrong(st, TextFormat("the %s cannot be restored: %s\nthe file stays as %s",
                               s->tool->document->name, error.text, aside));
  }
  if (fine) state_say(st, "restored: %s; Ctrl+S saves", documents_unsaved(st, said, sizeof said));
}

static void restore_answered(state *st, int answer) {
  if (answer == 0) {
    restore(st);
  } else if (answer == 1) {
    documents_forget(st);
    state_say(st, "discarded what was left unsaved");
  } else {
    take_slot(st, true); /* leaves the files to the next start */
  }
}

static void offer(state *st) {
  static const char *const answers[] = { "Restore", "Discard", "Decide later" };
  documents *d = &st->documents;
  char text[700], path[PATH_MAX], when[64];
  time_t at = left_in(st, d->slot);
  struct tm *local = localtime(&at);
  if (!local || !strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", local)) *when = '\0';
  size_t used = (size_t)snprintf(text, sizeof text, "%.300s was left on %s with changes of its ",
                                 sinew_host_path(st->host), when);
  const char *before = "";
  EACH {
    recovery_path(d->slot, s, path);
    if (access(path, R_OK) != 0 || used >= sizeof text) continue;
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s%s", before, s->tool->document->name);
    before = ", ";
  }
  question_ask(st, "Restore unsaved changes?", text, answers, 3, restore_answered);
}

void documents_open(state *st) {
  char path[document_path];
  sinew_error error = { 0 }, wrong = { 0 };
  if (st->options.render) return;
  EACH {
    const document *d = s->tool->document;
    documents_beside(st, d->ending, path, sizeof path);
    if (d->open && !d->open(st, s->self, access(path, R_OK) == 0 ? path : NULL, &error))
      wrong = error;
  }
  if (*wrong.text) state_wrong(st, wrong.text); /* now that the pose is evaluated */
  take_slot(st, false);
  if (st->documents.offers) offer(st);
}

/* --- saving */

/* adds a file to the words of a message */
static size_t name_file(char *dest, size_t capacity, size_t used, const char *path) {
  if (used >= capacity) return used;
  return used +
         (size_t)snprintf(dest + used, capacity - used, "%s%s", used ? ", " : "saved ", path);
}

/* saves a document, or says why not */
static bool save_one(state *st, const tool_slot *s, const char *path) {
  sinew_error error = { 0 };
  st->documents.saved_at = GetTime();
  if (s->tool->document->save(st, s->self, path, &error)) return true;
  state_wrong(st, error.text);
  state_say(st, "not saved: %s", error.text);
  return false;
}

bool documents_save(state *st) {
  char path[document_path], said[sizeof st->note] = "";
  size_t used = 0;
  bool fine = true;
  EACH {
    if (!unsaved(st, s)) continue;
    path_of(st, s, path);
    if (save_one(st, s, path))
      used = name_file(said, sizeof said, used, path);
    else
      fine = false;
  }
  if (!used && fine) snprintf(said, sizeof said, "nothing to save: the files have everything");
  if (fine) state_say(st, "%s", said);
  return fine;
}

static void save_as_answered(state *st, int answer) {
  question asked = st->question;
  char said[sizeof st->note] = "";
  size_t used = 0;
  bool fine = true;
  if (answer != 0) return;
  int i = 0;
  EACH {
    if (i == asked.field_count) break;
    if (strcmp(asked.fields[i].label, s->tool->document->name) != 0) continue;
    const question_field *f = &asked.fields[i++];
    if (!f->used || !*f->text) continue;
    if (save_one(st, s, f->text))
      used = name_file(said, sizeof said, used, f->text);
    else
      fine = false;
  }
  if (fine) state_say(st, "%s", used ? said : "nothing was chosen to save");
}

void documents_save_as(state *st) {
  static const char *const answers[] = { "Save", "Cancel" };
  char path[document_path];
  question *q = question_ask(st, "Save as", "", answers, 2, save_as_answered);
  q->ticks = true;
  EACH {
    path_of(st, s, path);
    if (!unsaved(st, s)) continue;
    question_field_add(q, s->tool->document->name, path);
  }
  if (q->field_count) return;
  q->count = 0;
  state_say(st, "nothing to save: the files have everything");
}

void documents_revert(state *st) {
  char path[document_path], said[200];
  sinew_error error = { 0 };
  bool fine = true;
  documents_unsaved(st, said, sizeof said);
  history_watch_dofs(st);
  EACH {
    if (!unsaved(st, s)) continue;
    path_of(st, s, path);
    history_pause(st->history);
    if (s->tool->document->revert(st, s->self, access(path, R_OK) == 0 ? path : NULL, &error))
      continue;
    state_wrong(st, error.text);
    fine = false;
  }
  if (fine && *said) state_say(st, "reverted: %s; Ctrl+Z brings it back", said);
  if (!*said) state_say(st, "nothing to revert: the files have everything");
}

/* --- leaving */

static void leave(state *st) {
  documents *d = &st->documents;
  char *next = d->next;
  d->next = NULL;
  if (next)
    loading_open(st, next);
  else
    st->quit = true;
  free(next);
}

static void leave_answered(state *st, int answer) {
  sinew_error error = { 0 };
  bool fine = true;
  if (answer == 0) fine = documents_save(st);
  if (answer == 1) {
    documents_discard(st);
    if (st->documents.next) { /* which may be the same rig */
      documents_revert(st);
      documents_stay(st); /* what is done until it is loaded is kept */
    }
  }
  if (answer == 2 && !keep(st, &error)) {
    state_wrong(st, error.text);
    fine = false;
  }
  if (answer < 3 && fine) leave(st);
}

void documents_leave(state *st, const char *rig) {
  static const char *const answers[] = { "Save", "Discard", "Keep for later", "Cancel" };
  documents *d = &st->documents;
  char text[1200], path[document_path], what[160];
  size_t used = 0;
  free(d->next);
  d->next = rig ? strdup(rig) : NULL;
  if (!state_unsaved(st)) {
    leave(st);
    return;
  }
  EACH {
    if (!unsaved(st, s) || used >= sizeof text) continue;
    *what = '\0';
    if (s->tool->document->describe) s->tool->document->describe(st, s->self, what, sizeof what);
    path_of(st, s, path);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s: %s%sto %s\n",
                             s->tool->document->name, what, *what ? ", " : "", path);
  }
  question_ask(st, TextFormat("Save the changes of %s?", GetFileName(sinew_host_path(st->host))),
               text, answers, 4, leave_answered);
}
