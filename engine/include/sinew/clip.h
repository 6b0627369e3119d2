/* Clips: keyframes of DOFs, by their full names, interpolated by curves.
 *
 * A clip is independent of any rig: it is applied to a pose of any rig, and channels that the rig
 * has no DOF for are skipped. Channels are sorted by name, keys by time. Sampling and applying
 * allocate nothing. A clip belongs to one thread at a time. */
#ifndef SINEW_CLIP_H
#define SINEW_CLIP_H

#include "sinew/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_CLIP_CHANNELS 4096      /* at most */
#define SINEW_CLIP_KEYS     (1 << 20) /* in all channels together */
#define SINEW_CLIP_SECONDS  1e6f      /* the latest time of a key */
#define SINEW_CLIP_PINS     256       /* at most */

typedef struct sinew_clip sinew_clip;

/* How a channel is interpolated from a key to the next one. */
typedef enum sinew_interp {
  SINEW_INTERP_SMOOTH, /* a smooth cubic that stays between the values of the two keys */
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
/* Returns false, and leaves `dest` as it is, for any other name. */
SINEW_API bool sinew_interp_find(const char *name, sinew_interp *dest);

/* No channels, 30 frames a second, not looping. Both return NULL when memory runs out; the caller
 * owns the clip. */
SINEW_API sinew_clip *sinew_clip_create(sinew_error *error);
SINEW_API sinew_clip *sinew_clip_copy(const sinew_clip *clip, sinew_error *error);
SINEW_API void sinew_clip_destroy(sinew_clip *clip); /* NULL is allowed */

/* Sets a key of the DOF `name` ("knee.flexion"). Replaces a key at exactly this time, and adds the
 * channel if there is none. On failure nothing has changed. */
SINEW_API sinew_status sinew_clip_set_key(sinew_clip *clip, const char *name, float time,
                                          float value, sinew_interp interp, sinew_error *error);
/* Moves key `key` of a channel to another time and value. Replaces a key at that time. If `dest` is
 * not NULL, it receives the key's new index. */
SINEW_API sinew_status sinew_clip_move_key(sinew_clip *clip, int channel, int key, float time,
                                           float value, int *dest, sinew_error *error);
/* Removes a key. A channel that loses its last key is removed too, and later channels move up. */
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
/* How many frames the clip has, from 0 to its end, at `fps` frames a second: at least one. */
SINEW_API int sinew_clip_frame_count(const sinew_clip *clip, float fps);
/* Frames a second: the grid of a timeline. Keys may be at any time. Above 0, at most 10000. */
SINEW_API float sinew_clip_fps(const sinew_clip *clip);
SINEW_API sinew_status sinew_clip_set_fps(sinew_clip *clip, float fps, sinew_error *error);
/* Whether time wraps around after the duration. A channel with keys of equal value at both ends is
 * then smooth across the wrap. */
SINEW_API bool sinew_clip_loop(const sinew_clip *clip);
SINEW_API void sinew_clip_set_loop(sinew_clip *clip, bool loop);

/* What a tool that poses with a solver keeps in place, by the names of segments: a foot where it
 * stands, a head that looks at a point. A clip only stores pins: playing it does not use them. */
typedef enum sinew_pin_kind {
  SINEW_PIN_NONE,
  SINEW_PIN_PLACE, /* the segment's origin stays */
  SINEW_PIN_TURN,  /* its origin and its orientation stay */
  SINEW_PIN_LOOK   /* it looks at `target` */
} sinew_pin_kind;

typedef struct sinew_pin {
  const char *segment; /* borrowed until the pins change */
  sinew_pin_kind kind;
  float target[3]; /* in the world; only for SINEW_PIN_LOOK */
} sinew_pin;

/* "none", "place", "turn" or "look". */
SINEW_API const char *sinew_pin_kind_name(sinew_pin_kind kind);
/* Adds or replaces the pin of a segment; the kind SINEW_PIN_NONE removes it. `target` is NULL for
 * kinds without one. On failure nothing has changed. */
SINEW_API sinew_status sinew_clip_set_pin(sinew_clip *clip, const char *segment,
                                          sinew_pin_kind kind, const float target[3],
                                          sinew_error *error);
/* Pins are sorted by name. */
SINEW_API int sinew_clip_pin_count(const sinew_clip *clip);
SINEW_API sinew_pin sinew_clip_pin(const sinew_clip *clip, int index);

/* The value of a channel at any time. Before the first key and after the last one it is that key's
 * value. */
SINEW_API float sinew_clip_sample(const sinew_clip *clip, int channel, float time);
/* Sets the DOFs of a pose to their values at a time. Call sinew_pose_eval afterwards. DOFs that
 * have no channel keep their values. Returns how many channels the rig has no DOF for; `error`,
 * which may be NULL, names them. */
SINEW_API int sinew_clip_apply(const sinew_clip *clip, sinew_pose *pose, float time,
                               sinew_error *error);

/* Reads and writes a clip as JSON:
 *   { "sinew_clip": 1, "fps": 30, "loop": false,
 *     "channels": { "knee.flexion": [[0, 12.5], [0.5, 60, "linear"]] } }
 * A key is its time, its value and, unless it is smooth, the name of its interpolation. A clip with
 * pins also has "pins": { "foot_r": ["turn"], "skull": ["look", 0, 1.5, 2] }. Numbers are read back
 * to the bit. A .csv file is read as a table: a line "time,knee.flexion,..." and one for
 * each frame, whose values become linear keys. Returns NULL, with file, line and column in `error`,
 * for a file that cannot be parsed. */
SINEW_API sinew_clip *sinew_clip_load(const char *path, sinew_error *error);
/* Writes JSON with sinew_file_write. */
SINEW_API sinew_status sinew_clip_save(const sinew_clip *clip, const char *path,
                                       sinew_error *error);
/* The same from and to memory. Messages use `name` as the path. The caller frees the text with
 * sinew_text_free. It ends with a zero, which `size` does not count; `size` may be NULL. */
SINEW_API sinew_clip *sinew_clip_parse(const char *name, const char *text, size_t size,
                                       sinew_error *error);
SINEW_API char *sinew_clip_format(const sinew_clip *clip, size_t *size, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
