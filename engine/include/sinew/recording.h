/* Recordings: the frames of an animated rig, to write files for other programs. The caller poses
 * and evaluates, frame by frame, so any kind of motion can be recorded. A recording belongs to one
 * thread at a time. */
#ifndef SINEW_RECORDING_H
#define SINEW_RECORDING_H

#include "sinew/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_recording sinew_recording;

/* Creates a recording without frames; `rate` is frames a second. The rig must outlive it. Returns
 * NULL, with `error` filled, when memory runs out, for a rate outside 1e-6 to 1e6, and for a rig
 * without segments. */
SINEW_API sinew_recording *sinew_recording_create(const sinew_rig *rig, float rate,
                                                  sinew_error *error);
SINEW_API void sinew_recording_destroy(sinew_recording *recording); /* NULL is allowed */
/* Adds a frame: the DOFs and segments of an evaluated pose of the rig. Fails for a segment that is
 * mirrored, since angles cannot express that. */
SINEW_API sinew_status sinew_recording_add(sinew_recording *recording, const sinew_pose *pose,
                                           sinew_error *error);
SINEW_API int sinew_recording_frame_count(const sinew_recording *recording);

/* The segments as a BVH file: six channels for roots and for segments whose position in the
 * parent's frame changes, three for all others. Such positions replace the offset, which is their
 * mean. `unit` is the metres in one unit of the file; 0 means 1, 0.01 writes centimetres. */
SINEW_API char *sinew_recording_bvh(const sinew_recording *recording, float unit, size_t *size,
                                    sinew_error *error);
/* The DOFs as a table: a line "time,knee.flexion,..." and one for each frame. sinew_clip_load reads
 * it. Free both with sinew_text_free. Both return NULL, with `error` filled, when memory runs
 * out. */
SINEW_API char *sinew_recording_csv(const sinew_recording *recording, size_t *size,
                                    sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
