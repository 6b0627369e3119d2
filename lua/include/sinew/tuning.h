/* Writes live changes of a host's rig as Lua: the table that rig:tune takes, and that the host
 * reads from the file beside the script. A tuning collects the names of what was changed, and
 * writes the rig's current values, so it survives a reload. It starts with what the rig's tuning
 * file has. A tuning belongs to its host's thread. */
#ifndef SINEW_TUNING_H
#define SINEW_TUNING_H

#include <sinew/host.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_tuning sinew_tuning;

/* Returns NULL when memory runs out. The host must have a rig, and must outlive the tuning. */
SINEW_API sinew_tuning *sinew_tuning_create(const sinew_host *host, sinew_error *error);
SINEW_API void sinew_tuning_destroy(sinew_tuning *tuning); /* NULL is allowed */

/* Notes that something in the host's rig was changed: a component's parameter (also one that was
 * removed) or an input's constant, by its name; a segment's rest frame; a DOF's range and rest
 * value. Noting it once is enough. Fails for an unknown name, and for values that Lua cannot
 * express: fields and other objects. */
SINEW_API sinew_status sinew_tuning_note_param(sinew_tuning *tuning, sinew_component component,
                                               const char *param, sinew_error *error);
SINEW_API sinew_status sinew_tuning_note_rest(sinew_tuning *tuning, sinew_segment segment,
                                              sinew_error *error);
SINEW_API sinew_status sinew_tuning_note_dof(sinew_tuning *tuning, sinew_dof dof,
                                             sinew_error *error);
/* Removes a note, for example after an undo. Does nothing if there is none. */
SINEW_API void sinew_tuning_forget_param(sinew_tuning *tuning, sinew_component component,
                                         const char *param);
SINEW_API void sinew_tuning_forget_rest(sinew_tuning *tuning, sinew_segment segment);
SINEW_API void sinew_tuning_forget_dof(sinew_tuning *tuning, sinew_dof dof);
/* Whether there is a note. With `param` NULL: whether the component has any. */
SINEW_API bool sinew_tuning_has_param(const sinew_tuning *tuning, sinew_component component,
                                      const char *param);
SINEW_API bool sinew_tuning_has_rest(const sinew_tuning *tuning, sinew_segment segment);
SINEW_API bool sinew_tuning_has_dof(const sinew_tuning *tuning, sinew_dof dof);
SINEW_API int sinew_tuning_count(const sinew_tuning *tuning);
/* Resets to the values in the tuning file of the host's rig. */
SINEW_API sinew_status sinew_tuning_clear(sinew_tuning *tuning, sinew_error *error);

/* The whole file as text. What the rig no longer has is left out; the order is the rig's. This text
 * and the next three are borrowed until one of the four functions is called again. They return
 * NULL, with `error` filled, if memory runs out or a value cannot be written. */
SINEW_API const char *sinew_tuning_text(sinew_tuning *tuning, sinew_error *error);
/* One item of the rig as its script would write it, noted or not: `axis = {1, 0, 0}`, or with
 * `param` NULL all parameters that were given, one per line; `at = {0, 0.1, 0}, turn = {0, 0, 0,
 * 1}`; `min = 0, max = 120, rest = 5`. */
SINEW_API const char *sinew_tuning_param_text(sinew_tuning *tuning, sinew_component component,
                                              const char *param, sinew_error *error);
SINEW_API const char *sinew_tuning_rest_text(sinew_tuning *tuning, sinew_segment segment,
                                             sinew_error *error);
SINEW_API const char *sinew_tuning_dof_text(sinew_tuning *tuning, sinew_dof dof,
                                            sinew_error *error);

/* Writes the text with sinew_file_write: a crash leaves the old file or the whole new one. `path`
 * NULL is where the host reads the rig's tuning; the host then sees the file as changed. */
SINEW_API sinew_status sinew_tuning_write(sinew_tuning *tuning, const char *path,
                                          sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
