/* The script host: runs a rig script that somebody else wrote, and keeps the last good rig. A rig
 * in XML (a file that ends with .xml, see sinew/xml.h) is taken in a script's place; the modules of
 * its scripted components are found as for a script beside it.
 *
 * Each load has a Lua state of its own with safe libraries only and a budget; the new rig replaces
 * the old once it has loaded, compiled and evaluated, and DOF values carry over by name. Otherwise
 * the error names file and line, and the old rig stays. One host belongs to one thread. */
#ifndef SINEW_HOST_H
#define SINEW_HOST_H

#include <sinew/mesh.h>
#include <sinew/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_host sinew_host;

typedef struct sinew_host_desc {
  /* The folder with the helper modules in Lua, `sinew/mirror.lua` and so on; NULL: none. */
  const char *modules;
  /* The rig's tuning, a file with a table of other values that rig:tune takes. NULL: the one beside
   * the script, human.tuning.lua for human.lua, where there is one; "": none; else this one. */
  const char *tuning;
  /* What a script may use to load, and for each evaluation: all of sinew_host_eval, and each call
   * of a scripted component where the program evaluates by itself (sinew_pose_eval,
   * sinew_solver_solve, sinew_batch_eval and so on). */
  double load_seconds, eval_seconds;
  int64_t load_instructions, eval_instructions;
  size_t memory;
  /* Takes what a script prints, one call for each print; NULL drops it. */
  void (*print)(const char *text, size_t length, void *user);
  void *user;
} sinew_host_desc;

/* At most five seconds and 100 million instructions to load, one second and 10 million to evaluate,
 * 128 MB, nothing printed. */
SINEW_API sinew_host_desc sinew_default_host_desc(void);

/* NULL when memory is out. The desc is copied. */
SINEW_API sinew_host *sinew_host_create(const sinew_host_desc *desc, sinew_error *error);
SINEW_API void sinew_host_destroy(sinew_host *host); /* NULL is allowed */

/* Loads a rig script, a rig in XML (.xml) or an OpenSim model (.osim). On failure the rig that was
 * there before goes on. */
SINEW_API sinew_status sinew_host_load(sinew_host *host, const char *path, sinew_error *error);

typedef enum sinew_host_news {
  SINEW_HOST_SAME,     /* nothing changed */
  SINEW_HOST_WAITING,  /* a file is being written, or it is missing: then `error` names it */
  SINEW_HOST_RELOADED, /* rig and pose are new */
  SINEW_HOST_FAILED    /* a file changed, but the script is wrong now: see `error` */
} sinew_host_news;

/* Looks at the files the rig was made of and loads it again when one has changed. `now` is in
 * seconds, of any clock that does not run backwards. After FAILED the next change is tried again.
 */
SINEW_API sinew_host_news sinew_host_poll(sinew_host *host, double now, sinew_error *error);

/* The rig and its pose; NULL before the first good load. Both are replaced by a reload: a pose of
 * one's own of the old rig may only be destroyed then. */
SINEW_API sinew_rig *sinew_host_rig(const sinew_host *host);
SINEW_API sinew_pose *sinew_host_pose(const sinew_host *host);
/* Evaluates the host's pose, or another pose of its rig, within the budget. */
SINEW_API sinew_status sinew_host_eval(sinew_host *host, sinew_pose *pose, sinew_error *error);

/* As sinew_rig_set_params on the host's rig, also for a scripted component, which keeps its
 * parameters in a table of its own. */
SINEW_API sinew_status sinew_host_set_params(sinew_host *host, sinew_component component,
                                             const sinew_param *params, int count,
                                             sinew_error *error);

/* What the script gave a segment to draw; without vertices where it gave none. Borrowed until the
 * next reload. */
SINEW_API sinew_shape sinew_host_shape(const sinew_host *host, sinew_segment segment);
/* The label the script gave a DOF, or NULL. Borrowed likewise. */
SINEW_API const char *sinew_host_label(const sinew_host *host, sinew_dof dof);

/* Writes the rig as XML, with shapes and labels; each field inside the file or in one beside it. A
 * shape in a file is told by its name where the XML goes to the script's own folder, else by its
 * mesh. */
SINEW_API sinew_status sinew_host_save_xml(sinew_host *host, const char *path, bool fields_beside,
                                           sinew_error *error);

/* Where the rig's tuning is, or would be; NULL where there shall be none, and before the first
 * load.
 */
SINEW_API const char *sinew_host_tuning(const sinew_host *host);
/* The script's path as it was given, and every file the rig came from. */
SINEW_API const char *sinew_host_path(const sinew_host *host);
SINEW_API int sinew_host_file_count(const sinew_host *host);
SINEW_API const char *sinew_host_file(const sinew_host *host, int index);

#ifdef __cplusplus
}
#endif
#endif
