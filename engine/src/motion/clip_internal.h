/* The inside of a clip, for those who fill it in bulk. */
#ifndef SI_CLIP_INTERNAL_H
#define SI_CLIP_INTERNAL_H

#include "sinew/clip.h"

typedef struct si_channel {
  char *name;
  sinew_key *keys;
  size_t count, room;
} si_channel;

struct sinew_clip {
  si_channel *channels; /* by name */
  size_t count, room;
  size_t keys; /* in all channels */
  float fps, duration;
  bool loop;
};

/* The channel of that name, made where there is none. Fails where the name is bad, there are too
 * many, or memory is out. Good until the next one is made; one without keys must not stay. */
sinew_status si_clip_channel(sinew_clip *clip, const char *name, si_channel **dest,
                             sinew_error *error);
/* Adds or replaces a key: quick behind the last one. */
sinew_status si_clip_put(sinew_clip *clip, si_channel *channel, sinew_key key, sinew_error *error);

#endif
