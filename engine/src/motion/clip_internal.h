/* The data of a clip, for readers that fill it. */
#ifndef SI_CLIP_INTERNAL_H
#define SI_CLIP_INTERNAL_H

#include "sinew/clip.h"

typedef struct si_channel {
  char *name;
  sinew_key *keys;
  size_t count, room;
} si_channel;

typedef struct si_pin {
  char *segment;
  sinew_pin_kind kind;
  float target[3];
} si_pin;

struct sinew_clip {
  si_channel *channels; /* sorted by name */
  size_t count, room;
  size_t keys; /* total of all channels */
  si_pin *pins; /* sorted by segment */
  size_t pin_count, pin_room;
  float fps, duration;
  bool loop;
};

/* Finds or adds a channel. Fails if the name is invalid, there are too many, or memory runs out.
 * The pointer is valid until the next channel is added. A channel must not be left without keys. */
sinew_status si_clip_channel(sinew_clip *clip, const char *name, si_channel **dest,
                             sinew_error *error);
/* Adds or replaces a key; adding after the last key is fast. */
sinew_status si_clip_put(sinew_clip *clip, si_channel *channel, sinew_key key, sinew_error *error);

#endif
