/* How the loads of a host begin and end. One in the background runs on a thread of its own, which
 * touches nothing of the host but its desc; the rest is done by the thread of the host, when that
 * polls. */
#include "lua/host/host_internal.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/file_internal.h"
#include "base/names.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
  restarts_at_most = 3,
  restarts_in = 10,         /* seconds */
  interruptions = 3,        /* loads in a row that a save may end, so that one comes to its end */
  stack_of_a_load = 8 << 20 /* bytes: as the main thread has on most systems */
};

/* --- on any thread */

static void make(si_loading *l) {
  sinew_budget *before = sinew_budget_enter(l->host->load_budget);
  l->status = si_load_make(&l->load, &l->host->desc, l->path, &l->chosen, &l->error);
  sinew_budget_leave(before);
}

static void *make_aside(void *user) {
  si_loading *l = user;
  make(l);
  atomic_store(&l->done, true);
  return NULL;
}

/* --- on the host's thread */

static void free_loading(sinew_host *host, si_loading *l) {
  atomic_store(&host->loads, false);
  si_load_drop(&l->load);
  si_chosen_free(&l->chosen);
  si_free(l->path);
  si_free(l);
}

/* Waits for the thread, which ends soon. */
static si_loading *take(sinew_host *host) {
  si_loading *l = host->loading;
  host->loading = NULL;
  pthread_join(l->thread, NULL);
  return l;
}

void si_loading_give_up(sinew_host *host) {
  if (!host->loading) return;
  sinew_budget_cancel(host->load_budget);
  free_loading(host, take(host));
}

static void carry_dofs(const sinew_pose *from, sinew_pose *to) {
  if (!from) return;
  const sinew_rig *old = sinew_pose_rig(from), *fresh = sinew_pose_rig(to);
  for (int i = 0; i < sinew_rig_dof_count(fresh); i++) {
    sinew_dof dof = sinew_rig_dof(fresh, i);
    sinew_dof before = sinew_rig_find_dof(old, sinew_rig_dof_info(fresh, dof).name, NULL);
    if (before.id) sinew_pose_set(to, dof, sinew_pose_get(from, before), NULL);
  }
}

/* a process that crashed while it loaded could not tell its files: then what is known of before */
static size_t add_known(const sinew_host *host, const char *path, si_watch_file *dest) {
  size_t count = host->path && strcmp(host->path, path) == 0 ? si_watch_count(host->watch) : 0;
  for (size_t i = 0; dest && i < count; i++) {
    dest[i] = si_watch_at(host->watch, i);
    dest[i].stamp = si_file_look(dest[i].path);
  }
  if (dest && !count) *dest = (si_watch_file){ path, si_file_look(path), false };
  return count ? count : 1;
}

/* watches every file of this load, also after a failure: an edit of any of them may fix the rig */
static sinew_status watch_files(sinew_host *host, const char *path, const si_load *l,
                                sinew_error *error) {
  const bool unknown = !l->sandbox && !l->report.file_count;
  size_t count = unknown      ? add_known(host, path, NULL)
                 : l->sandbox ? si_sandbox_file_count(l->sandbox)
                              : (size_t)l->report.file_count;
  si_watch_file *files = si_alloc_array(count + 1, sizeof *files);
  if (!files) return si_fail_memory(error);
  if (unknown) add_known(host, path, files);
  bool own = l->tuning && !host->desc.tuning, met = false;
  for (size_t i = 0; i < count; i++) {
    if (!unknown) files[i] = l->sandbox ? *si_sandbox_file(l->sandbox, i) : l->report.files[i];
    files[i].optional = own && strcmp(files[i].path, l->tuning) == 0;
    met |= files[i].optional;
  }
  /* also watch the tuning if it does not exist yet, or if the script failed before it was read */
  if (own && !met) files[count++] = (si_watch_file){ l->tuning, si_file_look(l->tuning), true };
  sinew_status status = si_watch_set(host->watch, files, count, error);
  si_free(files);
  return status;
}

/* takes the rig that was made, or keeps the old one */
static sinew_status finish(sinew_host *host, si_loading *l, sinew_error *error) {
  const bool same = host->path && strcmp(host->path, l->path) == 0;
  sinew_status status = l->status;
  *error = l->error;
  if (status >= 0) {
    if (same) carry_dofs(host->good.pose, l->load.pose);
    sinew_budget *before = sinew_budget_enter(host->load_budget);
    status = si_load_eval(&l->load, l->load.pose, error);
    sinew_budget_leave(before);
  }
  /* when another rig fails, the one before stays, with its path and files */
  bool stays = status < 0 && !same &&
               (host->loaded || (status == SINEW_ERR_CANCELLED && host->good.program));
  sinew_error watching;
  if (!stays && (l->load.sandbox || host->desc.isolate) &&
      watch_files(host, l->path, &l->load, &watching) < 0 && status >= 0) {
    status = watching.status;
    *error = watching;
    stays = !same && host->loaded;
  }
  if (status >= 0 || (!same && !stays)) {
    char *path = host->path;
    si_chosen chosen = host->chosen;
    host->path = l->path;
    host->chosen = l->chosen;
    l->path = path;
    l->chosen = chosen;
  }
  if (status >= 0) {
    si_load before = host->good;
    host->good = l->load;
    host->loaded = true;
    l->load = before;
    host->restarts = 0;
  }
  free_loading(host, l);
  return status;
}

static bool begin_thread(si_loading *l) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  bool fine = pthread_attr_setstacksize(&attributes, stack_of_a_load) == 0 &&
              pthread_create(&l->thread, &attributes, make_aside, l) == 0;
  pthread_attr_destroy(&attributes);
  return fine;
}

/* Begins a load with these choices, which are copied; `ended` as in si_loading. Without threads, or
 * where none is to be had, it also ends here. */
static sinew_status begin(sinew_host *host, const char *path, const si_chosen *chosen,
                          const char *ended, sinew_error *error) {
  si_loading *l = si_alloc(sizeof *l);
  if (!l) return si_fail_memory(error);
  l->host = host;
  l->path = si_strdup(path);
  if (!l->path || !si_chosen_copy(&l->chosen, chosen)) {
    free_loading(host, l);
    return si_fail_memory(error);
  }
  snprintf(l->ended, sizeof l->ended, "%s", ended);
  path = l->path; /* what the arguments belong to may go now */
  si_loading_give_up(host);
  sinew_budget_renew(host->load_budget);
  atomic_store(&host->loads, true);
  if (!host->path && !(host->path = si_strdup(path))) {
    free_loading(host, l);
    return si_fail_memory(error);
  }
  /* the first load tells its files when it ends; until then the script itself is watched */
  si_watch_file script = { path, si_file_look(path), false };
  sinew_status status =
      si_watch_count(host->watch) ? SINEW_OK : si_watch_set(host->watch, &script, 1, error);
  if (status < 0) {
    free_loading(host, l);
    return status;
  }
  if (host->desc.background && begin_thread(l)) {
    host->loading = l;
    return SINEW_OK;
  }
  make(l);
  return finish(host, l, error);
}

sinew_status sinew_host_load(sinew_host *host, const char *path, sinew_error *error) {
  SI_OWN_ERROR(error);
  static const si_chosen none;
  if (!SI_EXPECT(host && path)) return SINEW_ERR_CALL;
  if (si_ends_with(path, ".glb") || si_ends_with(path, ".gltf") || si_ends_with(path, ".vrm"))
    return si_fail(error, SINEW_ERR_FILE,
                   "%s: is a character and no rig; `sinew bind rigs/human.lua %s -o hero.lua` "
                   "writes a rig that it follows",
                   path, path);
  const bool another = host->path && strcmp(host->path, path) != 0;
  host->interrupted = 0;
  return begin(host, path, another ? &none : &host->chosen, "", error);
}

sinew_status sinew_host_wait(sinew_host *host, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(host)) return SINEW_ERR_CALL;
  return host->good.program ? SINEW_OK : si_load_empty(&host->good, &host->desc, error);
}

sinew_status sinew_host_choose(sinew_host *host, const char *name, const char *value,
                               sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(host && name && value && host->path)) return SINEW_ERR_CALL;
  si_chosen changed = { 0 };
  size_t size = strlen(name) + strlen(value) + 2;
  char *text = si_alloc(size);
  if (text) snprintf(text, size, "%s=%s", name, value);
  host->interrupted = 0;
  sinew_status status =
      text && si_chosen_copy(&changed, &host->chosen) && si_chosen_add(&changed, text)
          ? begin(host, host->path, &changed, "", error)
          : si_fail_memory(error);
  si_chosen_free(&changed);
  si_free(text);
  return status;
}

/* --- polling */

static void tell_absent(const char *path, sinew_error *error) {
  errno = 0;
  const bool there = si_file_look(path).exists;
  if (there)
    si_fail(error, SINEW_ERR_FILE, "%s: file is empty", path);
  else
    si_fail(error, SINEW_ERR_FILE, "%s: cannot open: %s", path,
            errno ? strerror(errno) : "it is not there");
}

/* the DOFs of the pose in short */
static uint64_t dofs_of(const sinew_pose *pose) {
  size_t count = (size_t)sinew_rig_dof_count(sinew_pose_rig(pose));
  return si_hash(SI_HASH_START, sinew_pose_dofs(pose), count * sizeof(float));
}

/* Whether to start the rig's process again. What ends all the time is tried again when a DOF has
 * moved, since an evaluation may be what ends it. */
static bool may_restart(sinew_host *host, double now) {
  uint64_t dofs = dofs_of(host->good.pose);
  if (host->restarts > restarts_at_most) {
    if (dofs == host->restart_dofs || now - host->restarted_at < 1) return false;
    host->restarts = restarts_at_most - 1; /* once */
  } else if (host->restarts && now - host->restarting_since > restarts_in) {
    host->restarts = 0;
  }
  if (!host->restarts) host->restarting_since = now;
  host->restarted_at = now;
  host->restart_dofs = dofs;
  return true;
}

/* what a load says that has ended, or begun in the background */
static sinew_host_news news_of(const sinew_host *host, sinew_status status) {
  if (status < 0) return SINEW_HOST_FAILED;
  return host->loading ? SINEW_HOST_LOADING : SINEW_HOST_RELOADED;
}

/* after a restart the counting goes on */
static sinew_host_news restarted(sinew_host *host, int restarts, sinew_status status,
                                 const char *why, sinew_error *error) {
  sinew_host_news news = news_of(host, status);
  host->restarts = restarts;
  if (news == SINEW_HOST_RELOADED)
    si_fail(error, SINEW_ERR_SCRIPT, "%s: %s, and was started again", host->path, why);
  return news;
}

static sinew_host_news restart(sinew_host *host, const char *ended, double now,
                               sinew_error *error) {
  if (!may_restart(host, now)) return SINEW_HOST_SAME;
  char why[200];
  snprintf(why, sizeof why, "%s", ended);
  int restarts = host->restarts + 1;
  if (restarts > restarts_at_most) {
    host->restarts = restarts;
    si_fail(error, SINEW_ERR_SCRIPT,
            "%s: %s %d times; it is started again when a DOF or a file changes", host->path, why,
            restarts);
    return SINEW_HOST_FAILED;
  }
  sinew_status status = begin(host, host->path, &host->chosen, why, error);
  return restarted(host, restarts, status, why, error);
}

/* a load in the background: its end, or another beginning if a file was saved meanwhile */
static sinew_host_news poll_loading(sinew_host *host, double now, sinew_error *error) {
  si_loading *l = host->loading;
  const bool same = host->path && strcmp(host->path, l->path) == 0;
  if (!atomic_load(&l->done)) {
    if (!same || host->interrupted >= interruptions || !si_watch_count(host->watch) ||
        si_watch_poll(host->watch, now) != SI_WATCH_CHANGED)
      return SINEW_HOST_LOADING;
    host->interrupted++;
    return news_of(host, begin(host, l->path, &l->chosen, l->ended, error));
  }
  char why[sizeof l->ended];
  snprintf(why, sizeof why, "%s", l->ended);
  int restarts = host->restarts;
  host->interrupted = 0;
  sinew_status status = finish(host, take(host), error);
  return *why ? restarted(host, restarts, status, why, error) : news_of(host, status);
}

sinew_host_news sinew_host_poll(sinew_host *host, double now, sinew_error *error) {
  SI_OWN_ERROR(error);
  if (!SI_EXPECT(host) || (!host->path && !host->loading)) return SINEW_HOST_SAME;
  if (host->loading) return poll_loading(host, now, error);
  const char *ended = host->good.process ? si_isolate_ended(host->good.process) : NULL;
  switch (si_watch_poll(host->watch, now)) {
  case SI_WATCH_SAME: return ended ? restart(host, ended, now, error) : SINEW_HOST_SAME;
  case SI_WATCH_WAITING:
    if (si_watch_is_absent(host->watch)) tell_absent(si_watch_path(host->watch), error);
    return SINEW_HOST_WAITING;
  case SI_WATCH_CHANGED: break;
  }
  return news_of(host, begin(host, host->path, &host->chosen, "", error));
}
