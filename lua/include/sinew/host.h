/* The script host: runs an untrusted rig script, and keeps the last good rig. It also loads a rig
 * in XML (.xml, see sinew/xml.h); the modules of its scripted components are found as for a script
 * in the same folder.
 *
 * Each load creates a new Lua state with safe libraries only and a budget. When the new rig has
 * loaded, compiled and evaluated, it replaces the old one; DOF values carry over by name, unless it
 * is of another path. Otherwise the error names file and line, and the old rig stays. A host, its
 * rig and its poses belong to one thread; several threads may each have a host. */
#ifndef SINEW_HOST_H
#define SINEW_HOST_H

#include <sinew/budget.h>
#include <sinew/marks.h>
#include <sinew/pose.h>
#include <sinew/solid.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_host sinew_host;

typedef struct sinew_host_desc {
  size_t size; /* filled by sinew_default_host_desc */
  /* A folder with helper modules in Lua, `sinew/mirror.lua` and so on, that are used instead of
   * those inside the library; NULL: none. */
  const char *modules;
  /* The rig's tuning: the path of a file with a table of changed values, as rig:tune takes it.
   * NULL: human.tuning.lua for human.lua, in the same folder, if it exists; "": none. */
  const char *tuning;
  /* What is chosen of the options that the script declares (sinew.options), as "name=value"; others
   * have their defaults. */
  const char *const *options;
  int option_count;
  /* The budget of a script for loading (reading, running and compiling; also for writing the rig,
   * and for each shape that is made later), and for each evaluation: for a whole sinew_host_eval,
   * or for each call of a scripted component if the program evaluates by itself (sinew_pose_eval,
   * sinew_solver_solve, sinew_batch_eval and so on). Work of the engine counts as instructions of
   * about 10 ns. */
  double load_seconds, eval_seconds;
  int64_t load_instructions, eval_instructions;
  size_t memory;
  /* Receives what a script prints, one call for each print, up to 1 MB for each load; NULL discards
   * it. */
  void (*print)(const char *text, size_t length, void *user);
  void *user;
  /* A folder that keeps meshes of solids (sinew_solid_options), or NULL. */
  const char *cache;
  /* The program that runs the script, in a process of its own for each load: the path of `sinew`,
   * or of the program itself if its main calls sinew_host_serve. NULL: the script runs in this
   * process.
   *
   * The other process may only read the rig's folder and the modules, and compute (seccomp and
   * Landlock on Linux, setrlimit elsewhere; not available on Windows). It gives the rig as XML;
   * recorded components run here, and each of the others costs a call of the other process for each
   * evaluation. If it crashes, hangs or breaks the protocol, evaluations that need it fail with
   * SINEW_ERR_SCRIPT, and sinew_host_poll starts it again. Scripted components are then
   * differentiated by differences unless they are recorded, and cannot be given objects. */
  const char *isolate;
  /* Loads run on a thread of their own, so that the program goes on with the rig before:
   * sinew_host_load and sinew_host_choose return at once, and sinew_host_poll says
   * SINEW_HOST_LOADING until it says how the load has ended. A load that begins while another one
   * runs ends that. `print` is called on that thread. */
  bool background;
} sinew_host_desc;

/* At most five seconds and 100 million instructions to load, one second and 10 million to evaluate,
 * 128 MB, nothing printed. */
SINEW_API sinew_host_desc sinew_default_host_desc(void);
/* Lets a load take this many seconds, 1e7 at most, and instructions in proportion. */
SINEW_API void sinew_host_desc_load_time(sinew_host_desc *desc, double seconds);

/* For programs that are the `isolate` of their own hosts: call it first in main. In the process of
 * a rig it serves that, and does not return; otherwise it returns -1, and on failure an exit
 * code. */
SINEW_API int sinew_host_serve(int argc, char **argv);

/* Returns NULL when memory runs out. The desc is copied. */
SINEW_API sinew_host *sinew_host_create(const sinew_host_desc *desc, sinew_error *error);
SINEW_API void sinew_host_destroy(sinew_host *host); /* NULL is allowed */

/* Loads a rig script, a rig in XML (.xml) or an OpenSim model (.osim). On failure the previous rig
 * stays in use, with its path and its files. Options that were chosen count for the first path;
 * another one has its defaults. */
SINEW_API sinew_status sinew_host_load(sinew_host *host, const char *path, sinew_error *error);
/* Gives a host whose first load has failed, or still runs, an empty rig to go on with. After a
 * failure it watches the files of that load, so that sinew_host_poll loads the rig when they are
 * mended. */
SINEW_API sinew_status sinew_host_wait(sinew_host *host, sinew_error *error);

/* Stops what the host does now on another thread: loading, evaluating, making a shape, writing. It
 * fails with SINEW_ERR_CANCELLED, and the rig before stays in use. Does nothing when it does
 * nothing. Any thread may call this while the host lives. */
SINEW_API void sinew_host_cancel(sinew_host *host);
/* How far that has come, for a progress bar. Any thread may ask while the host lives. */
SINEW_API sinew_budget_use sinew_host_progress(const sinew_host *host);

typedef enum sinew_host_news {
  SINEW_HOST_SAME,     /* nothing changed */
  SINEW_HOST_WAITING,  /* a file is being written, or it is missing: then `error` names it */
  SINEW_HOST_RELOADED, /* rig and pose are new; if the rig's process had ended, `error` says so */
  SINEW_HOST_FAILED,   /* a file changed, but the script is wrong now: see `error` */
  SINEW_HOST_LOADING   /* a load runs in the background */
} sinew_host_news;

/* Checks the files that the rig was made from, and reloads it if one has changed. `now` is in
 * seconds, of any monotonic clock. After FAILED, the next change causes another try. A load in the
 * background that is cancelled has failed with SINEW_ERR_CANCELLED.
 *
 * If the rig's process has ended (sinew_host_desc.isolate), the rig is loaded again, three times in
 * ten seconds at most; after that, when a DOF of the host's pose or a file changes. */
SINEW_API sinew_host_news sinew_host_poll(sinew_host *host, double now, sinew_error *error);

/* The rig and its pose; NULL before the first good load. Both are replaced by a reload: other poses
 * of the old rig may then only be destroyed (sinew_rig_detach). */
SINEW_API sinew_rig *sinew_host_rig(const sinew_host *host);
SINEW_API sinew_pose *sinew_host_pose(const sinew_host *host);
/* Evaluates the host's pose, or another pose of its rig, within the budget. */
SINEW_API sinew_status sinew_host_eval(sinew_host *host, sinew_pose *pose, sinew_error *error);

/* Like sinew_rig_set_params on the host's rig, but also for scripted components, which keep their
 * parameters in a Lua table. */
SINEW_API sinew_status sinew_host_set_params(sinew_host *host, sinew_component component,
                                             const sinew_param *params, int count,
                                             sinew_error *error);

/* How a scripted component of the host's rig runs: how many operations its program has, with `why`
 * NULL; or -1, with why it runs in Lua, which is "" if it was not to be recorded. -1 and NULL for
 * another component. `why` is valid until the host changes. */
SINEW_API int sinew_host_recorded(const sinew_host *host, sinew_component component,
                                  const char **why);

/* What a scripted component draws of itself by its function `draw`, within the budget of an
 * evaluation: fills `dest`, which has room for SINEW_MARKS, and `count`. A component without that
 * function draws nothing. The host's pose, or another pose of its rig, must be evaluated. If the
 * function fails, `error` says why and nothing is drawn. */
SINEW_API sinew_status sinew_host_draw(sinew_host *host, const sinew_pose *pose,
                                       sinew_component component, sinew_mark *dest, int *count,
                                       sinew_error *error);

/* An option that the script declared. */
typedef struct sinew_host_option {
  const char *name, *value;
  const char *initial; /* its default */
  const char *allowed; /* "true|false", "full|simple", "1 to 2", "a number" */
  const char *doc;     /* NULL: none */
  bool number;         /* else one of the words of `allowed` */
} sinew_host_option;

/* The options of the current rig. Borrowed until the next reload. */
SINEW_API int sinew_host_option_count(const sinew_host *host);
SINEW_API sinew_host_option sinew_host_option_info(const sinew_host *host, int index);
/* Chooses a value for the next load, and loads the rig again. If that fails, the choice is as it
 * was and the old rig stays. */
SINEW_API sinew_status sinew_host_choose(sinew_host *host, const char *name, const char *value,
                                         sinew_error *error);

/* The shape that the script gave a segment; without vertices if it gave none. The mesh of a solid
 * is made here, the first time. Borrowed until the next reload. */
SINEW_API sinew_shape sinew_host_shape(sinew_host *host, sinew_segment segment);
/* The solid that the script gave a segment as its shape, for who makes the mesh otherwise (on
 * another thread, coarser); NULL if it gave none, or a mesh. Borrowed until the next reload, unless
 * retained. */
SINEW_API sinew_solid *sinew_host_solid(const sinew_host *host, sinew_segment segment);
/* Makes the meshes of all solids, as sinew_host_shape does, and reports what fails. */
SINEW_API sinew_status sinew_host_make_shapes(sinew_host *host, sinew_error *error);
/* The label that the script gave a DOF, or NULL. Borrowed until the next reload. */
SINEW_API const char *sinew_host_label(const sinew_host *host, sinew_dof dof);

/* Writes the rig as XML, with shapes and labels; each field inside the file, or with
 * `fields_beside` in a file of its own in the same folder. A shape that came from a file is written
 * as the file's name if the XML goes to the script's folder, else as a mesh. A solid stays one. */
SINEW_API sinew_status sinew_host_save_xml(sinew_host *host, const char *path, bool fields_beside,
                                           sinew_error *error);

/* The path of the rig's tuning, whether the file exists or not; NULL if the desc says none, and
 * before the first load. */
SINEW_API const char *sinew_host_tuning(const sinew_host *host);
/* The script's path as it was given, and every file the rig came from. */
SINEW_API const char *sinew_host_path(const sinew_host *host);
SINEW_API int sinew_host_file_count(const sinew_host *host);
SINEW_API const char *sinew_host_file(const sinew_host *host, int index);

#ifdef __cplusplus
}
#endif
#endif
