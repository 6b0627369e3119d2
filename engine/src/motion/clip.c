/* Clips: sorted channels of sorted keys.
 *
 * A smooth interval is the cubic Hermite of its two keys with the slopes of Fritsch and Butland
 * (1984): with the secants s0, s1 on either side of a key and their widths h0, h1,
 *   m = (w0 + w1) / (w0 / s0 + w1 / s1),  w0 = 2 h1 + h0,  w1 = h1 + 2 h0,
 * and 0 where the secants differ in sign. Such slopes stay below three times either secant, so that
 * the cubic is monotone and does not overshoot. The slope is 0 at both ends of a channel and next
 * to a hold. */
#include "motion/clip_internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "math/vector.h"
#include "base/names.h"

static const char *const interp_names[] = { "smooth", "linear", "hold" };
enum { interp_count = 3 };

const char *sinew_interp_name(sinew_interp interp) {
  return (unsigned)interp < interp_count ? interp_names[interp] : "unknown";
}

bool sinew_interp_find(const char *name, sinew_interp *dest) {
  if (!SI_EXPECT(name && dest)) return false;
  for (int i = 0; i < interp_count; i++)
    if (strcmp(name, interp_names[i]) == 0) {
      *dest = (sinew_interp)i;
      return true;
    }
  return false;
}

sinew_clip *sinew_clip_create(sinew_error *error) {
  sinew_error_clear(error);
  sinew_clip *clip = si_alloc(sizeof *clip);
  if (!clip) return si_memory_null(error);
  clip->fps = 30;
  return clip;
}

void sinew_clip_destroy(sinew_clip *clip) {
  if (!clip) return;
  for (size_t i = 0; i < clip->count; i++) {
    si_free(clip->channels[i].name);
    si_free(clip->channels[i].keys);
  }
  for (size_t i = 0; i < clip->pin_count; i++) si_free(clip->pins[i].segment);
  si_free(clip->pins);
  si_free(clip->channels);
  si_free(clip);
}

sinew_clip *sinew_clip_copy(const sinew_clip *clip, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(clip)) return NULL;
  sinew_clip *copy = sinew_clip_create(error);
  if (!copy) return NULL;
  copy->channels = si_alloc_array(clip->count, sizeof *copy->channels);
  bool ok = copy->channels != NULL;
  copy->room = ok ? clip->count : 0;
  for (size_t i = 0; ok && i < clip->count; i++) {
    const si_channel *from = &clip->channels[i];
    si_channel *to = &copy->channels[copy->count++];
    to->name = si_strdup(from->name);
    to->keys = si_alloc_array(from->count, sizeof *to->keys);
    ok = to->name && to->keys;
    if (!ok) break;
    memcpy(to->keys, from->keys, from->count * sizeof *to->keys);
    to->count = to->room = from->count;
  }
  for (size_t i = 0; ok && i < clip->pin_count; i++) {
    const si_pin *pin = &clip->pins[i];
    ok = sinew_clip_set_pin(copy, pin->segment, pin->kind, pin->target, NULL) == SINEW_OK;
  }
  if (!ok) {
    sinew_clip_destroy(copy);
    return si_memory_null(error);
  }
  copy->keys = clip->keys;
  copy->fps = clip->fps;
  copy->duration = clip->duration;
  copy->loop = clip->loop;
  return copy;
}

/* the index of `name` among the sorted channels, or where to insert it */
static size_t place_of(const sinew_clip *clip, const char *name) {
  size_t low = 0, high = clip->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (strcmp(clip->channels[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int sinew_clip_find_channel(const sinew_clip *clip, const char *name) {
  if (!SI_EXPECT(clip && name)) return -1;
  size_t at = place_of(clip, name);
  return at < clip->count && strcmp(clip->channels[at].name, name) == 0 ? (int)at : -1;
}

/* the full name of a DOF is "name" or "set.name" */
static const char *name_fault(const char *name) {
  char part[128];
  const char *dot = strchr(name, '.');
  if (!dot) return si_name_fault(name);
  size_t length = (size_t)(dot - name);
  if (length >= sizeof part) return "is too long";
  memcpy(part, name, length);
  part[length] = '\0';
  const char *fault = si_name_fault(part);
  return fault ? fault : si_name_fault(dot + 1);
}

sinew_status si_clip_channel(sinew_clip *clip, const char *name, si_channel **dest,
                             sinew_error *error) {
  size_t at = place_of(clip, name);
  if (at < clip->count && strcmp(clip->channels[at].name, name) == 0) {
    *dest = &clip->channels[at];
    return SINEW_OK;
  }
  const char *fault = name_fault(name);
  char shown[SI_NAME_SHOWN];
  if (fault)
    return si_fail(error, SINEW_ERR_NAME, "clip: '%s' is not a valid DOF name: it %s",
                   si_name_show(name, shown), fault);
  if (clip->count >= SINEW_CLIP_CHANNELS)
    return si_fail(error, SINEW_ERR_LIMIT, "clip: has more than %d channels", SINEW_CLIP_CHANNELS);
  char *copy = si_strdup(name);
  if (!copy || !si_grow(&clip->channels, &clip->room, clip->count + 1, sizeof *clip->channels)) {
    si_free(copy);
    return si_fail_memory(error);
  }
  si_channel *channel = clip->channels + at;
  memmove(channel + 1, channel, (clip->count - at) * sizeof *channel);
  *channel = (si_channel){ .name = copy };
  clip->count++;
  *dest = channel;
  return SINEW_OK;
}

/* the index of the first key at or after `time` */
static size_t key_place(const si_channel *channel, float time) {
  size_t low = 0, high = channel->count;
  if (high > 0 && channel->keys[high - 1].time < time) return high;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (channel->keys[middle].time < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static sinew_status check_key(const si_channel *channel, sinew_key key, sinew_error *error) {
  if (!(key.time >= 0 && key.time <= SINEW_CLIP_SECONDS))
    return si_fail(error, isfinite(key.time) ? SINEW_ERR_VALUE : SINEW_ERR_NOT_FINITE,
                   "clip: channel '%s': the time %g is not from 0 to %g seconds", channel->name,
                   (double)key.time, (double)SINEW_CLIP_SECONDS);
  if (!isfinite(key.value))
    return si_fail(error, SINEW_ERR_NOT_FINITE, "clip: channel '%s': the value %g is not finite",
                   channel->name, (double)key.value);
  if ((unsigned)key.interp >= interp_count)
    return si_fail(error, SINEW_ERR_VALUE, "clip: channel '%s': unknown interpolation %d",
                   channel->name, (int)key.interp);
  return SINEW_OK;
}

sinew_status si_clip_put(sinew_clip *clip, si_channel *channel, sinew_key key, sinew_error *error) {
  sinew_status status = check_key(channel, key, error);
  if (status != SINEW_OK) return status;
  key.time += 0.0f; /* -0 becomes 0 */
  size_t at = key_place(channel, key.time);
  if (at == channel->count || channel->keys[at].time != key.time) {
    if (clip->keys >= SINEW_CLIP_KEYS)
      return si_fail(error, SINEW_ERR_LIMIT, "clip: has more than %d keys", SINEW_CLIP_KEYS);
    if (!si_grow(&channel->keys, &channel->room, channel->count + 1, sizeof *channel->keys))
      return si_fail_memory(error);
    si_work((channel->count - at) / 32); /* who sets many stops */
    memmove(channel->keys + at + 1, channel->keys + at,
            (channel->count - at) * sizeof *channel->keys);
    channel->count++;
    clip->keys++;
  }
  channel->keys[at] = key;
  if (key.time > clip->duration) clip->duration = key.time;
  return SINEW_OK;
}

static si_channel *channel_of(const sinew_clip *clip, int channel) {
  return SI_EXPECT(clip && channel >= 0 && (size_t)channel < clip->count) ? &clip->channels[channel]
                                                                          : NULL;
}

static bool is_key(const si_channel *channel, int key) {
  return channel && SI_EXPECT(key >= 0 && (size_t)key < channel->count);
}

static void drop_channel(sinew_clip *clip, si_channel *channel) {
  clip->keys -= channel->count;
  si_free(channel->name);
  si_free(channel->keys);
  size_t behind = (size_t)(clip->channels + clip->count - (channel + 1));
  memmove(channel, channel + 1, behind * sizeof *channel);
  clip->count--;
}

static void measure(sinew_clip *clip) {
  clip->duration = 0;
  for (size_t i = 0; i < clip->count; i++)
    clip->duration =
        fmaxf(clip->duration, clip->channels[i].keys[clip->channels[i].count - 1].time);
}

sinew_status sinew_clip_set_key(sinew_clip *clip, const char *name, float time, float value,
                                sinew_interp interp, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(clip && name)) return si_fail(error, SINEW_ERR_CALL, "clip: no clip or no name");
  si_channel *channel;
  sinew_status status = si_clip_channel(clip, name, &channel, error);
  if (status != SINEW_OK) return status;
  status = si_clip_put(clip, channel, (sinew_key){ time, value, interp }, error);
  if (channel->count == 0) drop_channel(clip, channel);
  return status;
}

static void take_out(sinew_clip *clip, si_channel *channel, size_t key) {
  si_work((channel->count - key) / 32); /* who takes many out stops */
  memmove(channel->keys + key, channel->keys + key + 1,
          (channel->count - key - 1) * sizeof *channel->keys);
  channel->count--;
  clip->keys--;
}

sinew_status sinew_clip_move_key(sinew_clip *clip, int channel, int key, float time, float value,
                                 int *dest, sinew_error *error) {
  sinew_error_clear(error);
  si_channel *c = channel_of(clip, channel);
  if (!is_key(c, key)) return si_fail(error, SINEW_ERR_CALL, "clip: no such key");
  sinew_key moved = { time, value, c->keys[key].interp };
  sinew_status status = check_key(c, moved, error);
  if (status != SINEW_OK) return status;
  take_out(clip, c, (size_t)key);
  si_clip_put(clip, c, moved, NULL); /* cannot fail: a key was just removed */
  measure(clip);
  if (dest) *dest = (int)key_place(c, moved.time);
  return SINEW_OK;
}

void sinew_clip_remove_key(sinew_clip *clip, int channel, int key) {
  si_channel *c = channel_of(clip, channel);
  if (!is_key(c, key)) return;
  take_out(clip, c, (size_t)key);
  if (c->count == 0) drop_channel(clip, c);
  measure(clip);
}

void sinew_clip_remove_channel(sinew_clip *clip, int channel) {
  si_channel *c = channel_of(clip, channel);
  if (!c) return;
  drop_channel(clip, c);
  measure(clip);
}

int sinew_clip_channel_count(const sinew_clip *clip) {
  return SI_EXPECT(clip) ? (int)clip->count : 0;
}

const char *sinew_clip_channel_name(const sinew_clip *clip, int channel) {
  const si_channel *c = channel_of(clip, channel);
  return c ? c->name : "";
}

int sinew_clip_key_count(const sinew_clip *clip, int channel) {
  const si_channel *c = channel_of(clip, channel);
  return c ? (int)c->count : 0;
}

sinew_key sinew_clip_key_at(const sinew_clip *clip, int channel, int key) {
  const si_channel *c = channel_of(clip, channel);
  return is_key(c, key) ? c->keys[key] : (sinew_key){ 0 };
}

float sinew_clip_duration(const sinew_clip *clip) { return SI_EXPECT(clip) ? clip->duration : 0; }

int sinew_clip_frame_count(const sinew_clip *clip, float fps) {
  if (!SI_EXPECT(clip)) return 0;
  /* the last key may be just before its frame because of rounding */
  double frames = floor((double)clip->duration * (double)fps + 1e-3) + 1;
  return frames < INT_MAX ? (int)fmax(frames, 0) : INT_MAX;
}

float sinew_clip_fps(const sinew_clip *clip) { return SI_EXPECT(clip) ? clip->fps : 0; }
bool sinew_clip_loop(const sinew_clip *clip) { return SI_EXPECT(clip) ? clip->loop : false; }
void sinew_clip_set_loop(sinew_clip *clip, bool loop) {
  if (SI_EXPECT(clip)) clip->loop = loop;
}

sinew_status sinew_clip_set_fps(sinew_clip *clip, float fps, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(clip)) return SINEW_ERR_CALL;
  if (!(fps > 0 && fps <= 10000))
    return si_fail(error, SINEW_ERR_VALUE, "clip: fps is %g, must be above 0 and at most 10000",
                   (double)fps);
  clip->fps = fps;
  return SINEW_OK;
}

static double width(const sinew_key *k) { return (double)k[1].time - (double)k[0].time; }
static double secant(const sinew_key *k) {
  return k->interp == SINEW_INTERP_HOLD ? 0 : ((double)k[1].value - (double)k[0].value) / width(k);
}

/* at the key shared by the intervals that begin at `before` and `after` */
static double slope(const sinew_key *before, const sinew_key *after) {
  double s0 = secant(before), s1 = secant(after), h0 = width(before), h1 = width(after);
  if (!(s0 * s1 > 0)) return 0;
  double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / s0 + w1 / s1);
}

/* whether the channel of a looping clip ends with the value it starts with */
static bool goes_round(const sinew_clip *clip, const si_channel *c) {
  const sinew_key *first = c->keys, *last = c->keys + c->count - 1;
  return clip->loop && c->count > 2 && first->time == 0 && last->time == clip->duration &&
         first->value == last->value;
}

/* keeps rounding errors within the range of the two keys */
static float between(const sinew_key *k, float value) {
  return si_clamp(value, fminf(k[0].value, k[1].value), fmaxf(k[0].value, k[1].value));
}

static float straight(const sinew_key *k, float time) {
  double passed = (double)time - (double)k->time;
  return between(k, (float)((double)k->value + passed * secant(k)));
}

static float smooth(const sinew_clip *clip, const si_channel *c, size_t i, float time) {
  const sinew_key *k = c->keys + i, *last = c->keys + c->count - 2;
  bool round = goes_round(clip, c);
  double m0 = 0, m1 = 0;
  if (i > 0 || round) m0 = slope(i > 0 ? k - 1 : last, k);
  if (k < last || round) m1 = slope(k, k < last ? k + 1 : c->keys);
  double h = width(k), s = secant(k), t = (double)time - (double)k->time;
  double a = (3 * s - 2 * m0 - m1) / h, b = (m0 + m1 - 2 * s) / (h * h);
  float value = (float)((double)k->value + t * (m0 + t * (a + t * b)));
  return between(k, value);
}

float sinew_clip_sample(const sinew_clip *clip, int channel, float time) {
  const si_channel *c = channel_of(clip, channel);
  if (!c) return 0;
  if (clip->loop && clip->duration > 0 && (time < 0 || time > clip->duration)) {
    time = fmodf(time, clip->duration);
    if (time < 0) time += clip->duration;
  }
  /* also for NaN */
  if (!(time > c->keys[0].time)) return c->keys[0].value;
  size_t at = key_place(c, time);
  if (at == c->count) return c->keys[at - 1].value;
  const sinew_key *k = c->keys + at;
  if (k->time == time) return k->value;
  switch (k[-1].interp) {
  case SINEW_INTERP_HOLD: return k[-1].value;
  case SINEW_INTERP_LINEAR: return straight(k - 1, time);
  default: return smooth(clip, c, at - 1, time);
  }
}

int sinew_clip_apply(const sinew_clip *clip, sinew_pose *pose, float time, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(clip && pose)) return 0;
  const sinew_rig *rig = sinew_pose_rig(pose);
  int unknown = 0;
  si_work(5 * clip->count); /* it cannot fail; who plays it stops */
  for (size_t i = 0; i < clip->count; i++) {
    sinew_error why;
    sinew_dof dof = sinew_rig_find_dof(rig, clip->channels[i].name, error ? &why : NULL);
    if (dof.id) {
      sinew_pose_set(pose, dof, sinew_clip_sample(clip, (int)i, time), NULL);
    } else {
      unknown++;
      if (error) si_add(error, SINEW_ERR_NAME, "clip: %s", why.text);
    }
  }
  return unknown;
}

/* --- pins */

static const char *const pin_names[] = { "none", "place", "turn", "look" };

const char *sinew_pin_kind_name(sinew_pin_kind kind) {
  return (unsigned)kind <= SINEW_PIN_LOOK ? pin_names[kind] : "unknown";
}

sinew_status sinew_clip_set_pin(sinew_clip *clip, const char *segment, sinew_pin_kind kind,
                                const float target[3], sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(clip && segment && (unsigned)kind <= SINEW_PIN_LOOK))
    return si_fail(error, SINEW_ERR_CALL, "clip: no segment, or no such kind of pin");
  const bool looks = kind == SINEW_PIN_LOOK;
  const char *fault = si_name_fault(segment);
  if (fault) return si_fail(error, SINEW_ERR_NAME, "the name of a segment %s", fault);
  for (int k = 0; looks && k < 3; k++)
    if (!target || !isfinite(target[k]))
      return si_fail(error, SINEW_ERR_VALUE, "a pin of the kind 'look' needs a point");
  size_t at = 0;
  while (at < clip->pin_count && strcmp(clip->pins[at].segment, segment) < 0) at++;
  bool there = at < clip->pin_count && strcmp(clip->pins[at].segment, segment) == 0;
  if (kind == SINEW_PIN_NONE) {
    if (!there) return SINEW_OK;
    si_free(clip->pins[at].segment);
    memmove(clip->pins + at, clip->pins + at + 1, (--clip->pin_count - at) * sizeof *clip->pins);
    return SINEW_OK;
  }
  if (!there) {
    if (clip->pin_count >= SINEW_CLIP_PINS)
      return si_fail(error, SINEW_ERR_VALUE, "more than %d pins", SINEW_CLIP_PINS);
    char *name = si_strdup(segment);
    if (!name || !si_grow(&clip->pins, &clip->pin_room, clip->pin_count + 1, sizeof *clip->pins)) {
      si_free(name);
      return si_fail_memory(error);
    }
    memmove(clip->pins + at + 1, clip->pins + at, (clip->pin_count++ - at) * sizeof *clip->pins);
    clip->pins[at] = (si_pin){ .segment = name };
  }
  clip->pins[at].kind = kind;
  for (int k = 0; k < 3; k++) clip->pins[at].target[k] = looks ? target[k] : 0;
  return SINEW_OK;
}

int sinew_clip_pin_count(const sinew_clip *clip) {
  return SI_EXPECT(clip) ? (int)clip->pin_count : 0;
}

sinew_pin sinew_clip_pin(const sinew_clip *clip, int index) {
  if (!SI_EXPECT(clip && index >= 0 && (size_t)index < clip->pin_count)) return (sinew_pin){ 0 };
  const si_pin *pin = &clip->pins[index];
  sinew_pin dest = { .segment = pin->segment, .kind = pin->kind };
  memcpy(dest.target, pin->target, sizeof dest.target);
  return dest;
}
