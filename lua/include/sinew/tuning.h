/* Writing live changes of a host's rig as Lua: the table that rig:tune takes, and that the host
 * reads from the file beside the script. A tuning collects what was changed, by name, and prints
 * the values that the rig has by then; so it outlives a reload. What the rig's tuning file says
 * already is among it. */
#ifndef SINEW_TUNING_H
#define SINEW_TUNING_H

#include <sinew/host.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_tuning sinew_tuning;

/* NULL when memory is out. The host must have a rig, and outlive it. */
SINEW_API sinew_tuning *sinew_tuning_create(const sinew_host *host, sinew_error *error);
SINEW_API void sinew_tuning_destroy(sinew_tuning *tuning); /* NULL is allowed */

/* Says that something of the host's rig has a value of its own: a component's parameter (also one
 * that is not given any more) or an input's constant, by its name; a segment's rest frame; a DOF's
 * range and rest value. Once is enough. Fails for an unknown name, and for what Lua has no words
 * for: fields and other objects. */
SINEW_API sinew_status sinew_tuning_note_param(sinew_tuning *tuning, sinew_component component,
                                               const char *param, sinew_error *error);
SINEW_API sinew_status sinew_tuning_note_rest(sinew_tuning *tuning, sinew_segment segment,
                                              sinew_error *error);
SINEW_API sinew_status sinew_tuning_note_dof(sinew_tuning *tuning, sinew_dof dof,
                                             sinew_error *error);
/* Takes a note back, as after an undo; nothing where there is none. */
SINEW_API void sinew_tuning_forget_param(sinew_tuning *tuning, sinew_component component,
                                         const char *param);
SINEW_API void sinew_tuning_forget_rest(sinew_tuning *tuning, sinew_segment segment);
SINEW_API void sinew_tuning_forget_dof(sinew_tuning *tuning, sinew_dof dof);
/* Whether there is a note; of a component, with `param` NULL, whether there is any. */
SINEW_API bool sinew_tuning_has_param(const sinew_tuning *tuning, sinew_component component,
                                      const char *param);
SINEW_API bool sinew_tuning_has_rest(const sinew_tuning *tuning, sinew_segment segment);
SINEW_API bool sinew_tuning_has_dof(const sinew_tuning *tuning, sinew_dof dof);
SINEW_API int sinew_tuning_count(const sinew_tuning *tuning);
/* Back to what the tuning file of the host's rig says. */
SINEW_API sinew_status sinew_tuning_clear(sinew_tuning *tuning, sinew_error *error);

/* The whole file as text. What the rig has no more is left out; the order is the rig's. This and
 * the next three are borrowed until one of them is called again; NULL, with `error` filled, when
 * memory is out or a value cannot be written. */
SINEW_API const char *sinew_tuning_text(sinew_tuning *tuning, sinew_error *error);
/* One thing of the rig as its script would give it, noted or not: `axis = {1, 0, 0}`, with `param`
 * NULL all that was given, one a line; `at = {0, 0.1, 0}, turn = {0, 0, 0, 1}`; `min = 0, max =
 * 120, rest = 5`. */
SINEW_API const char *sinew_tuning_param_text(sinew_tuning *tuning, sinew_component component,
                                              const char *param, sinew_error *error);
SINEW_API const char *sinew_tuning_rest_text(sinew_tuning *tuning, sinew_segment segment,
                                             sinew_error *error);
SINEW_API const char *sinew_tuning_dof_text(sinew_tuning *tuning, sinew_dof dof,
                                            sinew_error *error);

/* Writes the text to a file, aside first and then renamed: a crash leaves the old or the new one
 * whole. `path` NULL is where the host reads the rig's tuning; the host then sees it as changed. */
SINEW_API sinew_status sinew_tuning_write(sinew_tuning *tuning, const char *path,
                                          sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
