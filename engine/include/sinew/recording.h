/* Recordings: the frames of an animated rig, to be written as files of other programs. The caller
 * poses and evaluates, frame by frame, so that any way to move a rig can be recorded. */
#ifndef SINEW_RECORDING_H
#define SINEW_RECORDING_H

#include "sinew/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_recording sinew_recording;

/* No frames yet; `rate` is frames a second. The rig must outlive it. NULL when memory is out, for a
 * rate that is not from 1e-6 to 1e6, and for a rig with no segments. */
SINEW_API sinew_recording *sinew_recording_create(const sinew_rig *rig, float rate,
                                                  sinew_error *error);
SINEW_API void sinew_recording_destroy(sinew_recording *recording); /* NULL is allowed */
/* Adds a frame: the DOFs of an evaluated pose of the rig, and where its segments are. Fails for a
 * segment that is mirrored, which no angles can tell. */
SINEW_API sinew_status sinew_recording_add(sinew_recording *recording, const sinew_pose *pose,
                                           sinew_error *error);
SINEW_API int sinew_recording_frame_count(const sinew_recording *recording);

/* The segments as a BVH file: six channels for roots, three for the others, and six for those whose
 * place in their parent's frame changes; such positions stand for the offset, which is their mean.
 * `unit` is metres in a unit of the file, 0 for 1: a hundredth writes centimetres. */
SINEW_API char *sinew_recording_bvh(const sinew_recording *recording, float unit, size_t *size,
                                    sinew_error *error);
/* The DOFs as a table: a line "time,knee.flexion,..." and one for each frame. sinew_clip_load takes
 * it back. Both are freed by sinew_text_free; NULL, with `error` filled, when memory is out. */
SINEW_API char *sinew_recording_csv(const sinew_recording *recording, size_t *size,
                                    sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
