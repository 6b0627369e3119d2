/* Clips: key frames on DOFs by their full names, with curves between the keys.
 *
 * A clip knows no rig: it is applied to a pose of any rig, and what that rig lacks is passed over.
 * Channels stand in the order of their names, their keys in that of time. Sampling and applying
 * allocate nothing. A clip is one thread's at a time. */
#ifndef SINEW_CLIP_H
#define SINEW_CLIP_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_CLIP_CHANNELS 4096      /* the most of them */
#define SINEW_CLIP_KEYS     (1 << 20) /* in all channels together */
#define SINEW_CLIP_SECONDS  1e6f      /* the latest time of a key */

typedef struct sinew_clip sinew_clip;

/* How a channel goes on from a key to the next one. */
typedef enum sinew_interp {
  SINEW_INTERP_SMOOTH, /* a cubic without a kink that never leaves the range of the two keys */
  SINEW_INTERP_LINEAR,
  SINEW_INTERP_HOLD /* the key's value up to the next key */
} sinew_interp;

typedef struct sinew_key {
  float time;  /* seconds, at least 0 */
  float value; /* in the DOF's unit */
  sinew_interp interp;
} sinew_key;

/* "smooth", "linear" or "hold". */
SINEW_API const char *sinew_interp_name(sinew_interp interp);
/* False, and `dest` untouched, for another word. */
SINEW_API bool sinew_interp_find(const char *name, sinew_interp *dest);

/* No channels, 30 frames a second, not looping. NULL when memory is out. */
SINEW_API sinew_clip *sinew_clip_create(sinew_error *error);
SINEW_API sinew_clip *sinew_clip_copy(const sinew_clip *clip, sinew_error *error);
SINEW_API void sinew_clip_destroy(sinew_clip *clip); /* NULL is allowed */

/* Sets a key of the DOF `name` ("knee.flexion"); one that is there at this very time is replaced,
 * and a channel is made where there is none. On failure nothing has changed. */
SINEW_API sinew_status sinew_clip_set_key(sinew_clip *clip, const char *name, float time,
                                          float value, sinew_interp interp, sinew_error *error);
/* Gives key `key` of a channel another time and value; it replaces what is there at that time.
 * Where `dest` is not NULL it gets the key's new place. */
SINEW_API sinew_status sinew_clip_move_key(sinew_clip *clip, int channel, int key, float time,
                                           float value, int *dest, sinew_error *error);
/* Removes a key; with its last key a channel goes too, and those behind it move up. */
SINEW_API void sinew_clip_remove_key(sinew_clip *clip, int channel, int key);
SINEW_API void sinew_clip_remove_channel(sinew_clip *clip, int channel);

SINEW_API int sinew_clip_channel_count(const sinew_clip *clip);
/* From 0. Borrowed until the channel is removed. */
SINEW_API const char *sinew_clip_channel_name(const sinew_clip *clip, int channel);
/* The channel of that name, or -1. */
SINEW_API int sinew_clip_find_channel(const sinew_clip *clip, const char *name);
SINEW_API int sinew_clip_key_count(const sinew_clip *clip, int channel);
SINEW_API sinew_key sinew_clip_key_at(const sinew_clip *clip, int channel, int key);

/* The time of the last key in seconds, 0 for an empty clip. */
SINEW_API float sinew_clip_duration(const sinew_clip *clip);
/* How many frames show it from 0 to its end at so many a second: at least one. */
SINEW_API int sinew_clip_frame_count(const sinew_clip *clip, float fps);
/* Frames a second: how a timeline is divided; keys may stand anywhere. Above 0, to 10000. */
SINEW_API float sinew_clip_fps(const sinew_clip *clip);
SINEW_API sinew_status sinew_clip_set_fps(sinew_clip *clip, float fps, sinew_error *error);
/* Whether time starts again after the duration. A channel with a key at either end and the same
 * value there then goes round without a kink. */
SINEW_API bool sinew_clip_loop(const sinew_clip *clip);
SINEW_API void sinew_clip_set_loop(sinew_clip *clip, bool loop);

/* The value of a channel at any time; before its first and after its last key, that key's. */
SINEW_API float sinew_clip_sample(const sinew_clip *clip, int channel, float time);
/* Sets the DOFs of a pose to a time; sinew_pose_eval is the caller's. DOFs that have no channel
 * keep their values. Returns how many channels the rig has no DOF for; `error`, which may be NULL,
 * names them. */
SINEW_API int sinew_clip_apply(const sinew_clip *clip, sinew_pose *pose, float time,
                               sinew_error *error);

/* Reads and writes a clip as JSON:
 *   { "sinew_clip": 1, "fps": 30, "loop": false,
 *     "channels": { "knee.flexion": [[0, 12.5], [0.5, 60, "linear"]] } }
 * A key is its time, its value and, unless it is smooth, its word. Numbers come back to the bit.
 * A file that ends with .csv is read as a table: a line "time,knee.flexion,..." and one for each
 * frame, whose values become linear keys. NULL, with file, line and column in `error`, for a file
 * that cannot be understood. */
SINEW_API sinew_clip *sinew_clip_load(const char *path, sinew_error *error);
/* As JSON, by sinew_file_write. */
SINEW_API sinew_status sinew_clip_save(const sinew_clip *clip, const char *path,
                                       sinew_error *error);
/* The same from and to memory; `name` stands for the path in messages. The caller frees the text
 * by sinew_text_free; a zero stands behind it, and `size`, which may be NULL, is without that. */
SINEW_API sinew_clip *sinew_clip_parse(const char *name, const char *text, size_t size,
                                       sinew_error *error);
SINEW_API char *sinew_clip_format(const sinew_clip *clip, size_t *size, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
