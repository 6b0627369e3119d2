/* Clips as JSON, one line for each channel. Nothing in a file is passed over: a member that is not
 * known is a mistake, and so is a channel that stands twice or a key that is not behind the last.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "motion/clip_internal.h"
#include "motion/clip_csv.h"
#include "base/file_internal.h"
#include "base/json.h"
#include "base/names.h"
#include "base/scan.h"
#include "base/text.h"

/* a key takes four values at most, a channel one */
enum {
  VERSION = 1,
  FILE_LIMIT = 256 << 20,
  VALUE_LIMIT = 4 * SINEW_CLIP_KEYS + SINEW_CLIP_CHANNELS + 16
};

typedef struct reader {
  const char *name;
  si_json json;
  sinew_clip *clip;
  sinew_error *error;
} reader;

static sinew_status fail(const reader *r, const si_json_value *at, const char *format, ...)
    SI_PRINTF(3, 4);

static sinew_status fail(const reader *r, const si_json_value *at, const char *format, ...) {
  char text[700];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return si_fail(r->error, SINEW_ERR_FILE, "%s:%lu:%lu: %s", r->name, (unsigned long)at->line,
                 (unsigned long)at->column, text);
}

static sinew_status read_key(const reader *r, const si_json_value *value, si_channel *channel) {
  const si_json_value *part = si_json_first(value);
  sinew_key key = { 0 };
  if (value->kind != SI_JSON_LIST || value->count < 2 || value->count > 3)
    return fail(r, value, "a key is [time, value] or [time, value, \"linear\"]");
  float *numbers[] = { &key.time, &key.value };
  for (int i = 0; i < 2; i++, part = si_json_after(&r->json, part)) {
    *numbers[i] = (float)part->number;
    if (part->kind != SI_JSON_NUMBER || !isfinite(*numbers[i]))
      return fail(r, part, "the %s of a key is no number that a float holds", i ? "value" : "time");
  }
  char word[16] = "smooth";
  if (value->count == 3 && (part->kind != SI_JSON_STRING ||
                            !si_json_plain(part->text, part->text_length, word, sizeof word) ||
                            !sinew_interp_find(word, &key.interp)))
    return fail(r, part, "after time and value stands \"smooth\", \"linear\" or \"hold\"");
  if (channel->count > 0 && !(key.time > channel->keys[channel->count - 1].time))
    return fail(r, value, "a key at %g seconds does not come after the one at %g", (double)key.time,
                (double)channel->keys[channel->count - 1].time);
  sinew_error why;
  sinew_status status = si_clip_put(r->clip, channel, key, &why);
  return status == SINEW_OK || status == SINEW_ERR_MEMORY ? status : fail(r, value, "%s", why.text);
}

static sinew_status read_channel(const reader *r, const si_json_value *list) {
  char name[256];
  si_channel *channel;
  sinew_error why;
  if (!si_json_plain(list->key, list->key_length, name, sizeof name))
    return fail(r, list, "the name of a channel is too long or no text");
  if (list->kind != SI_JSON_LIST || list->count == 0)
    return fail(r, list, "channel '%s' is no list of keys", name);
  if (sinew_clip_find_channel(r->clip, name) >= 0)
    return fail(r, list, "channel '%s' stands twice", name);
  sinew_status status = si_clip_channel(r->clip, name, &channel, &why);
  if (status == SINEW_ERR_MEMORY) return status;
  if (status != SINEW_OK) return fail(r, list, "%s", why.text);
  const si_json_value *value = si_json_first(list);
  for (uint32_t i = 0; i < list->count && status == SINEW_OK; i++) {
    status = read_key(r, value, channel);
    value = si_json_after(&r->json, value);
  }
  return status;
}

static sinew_status read_member(const reader *r, const si_json_value *value, const char *name) {
  static const char *const known[] = { "sinew_clip", "fps", "loop", "channels" };
  sinew_error why;
  sinew_status status = SINEW_OK;
  if (strcmp(name, "sinew_clip") == 0) {
    if (value->kind != SI_JSON_NUMBER || value->number != VERSION)
      return fail(r, value, "this is no clip of version %d", VERSION);
  } else if (strcmp(name, "fps") == 0) {
    if (value->kind != SI_JSON_NUMBER ||
        sinew_clip_set_fps(r->clip, (float)value->number, &why) != SINEW_OK)
      return fail(r, value, "'fps' is no number of frames a second (0 to 10000)");
  } else if (strcmp(name, "loop") == 0) {
    if (value->kind != SI_JSON_TRUE && value->kind != SI_JSON_FALSE)
      return fail(r, value, "'loop' is neither true nor false");
    r->clip->loop = value->kind == SI_JSON_TRUE;
  } else if (strcmp(name, "channels") == 0) {
    if (value->kind != SI_JSON_OBJECT)
      return fail(r, value, "'channels' is no object with a list of keys for each DOF");
    const si_json_value *channel = si_json_first(value);
    for (uint32_t i = 0; i < value->count && status == SINEW_OK; i++) {
      status = read_channel(r, channel);
      channel = si_json_after(&r->json, channel);
    }
  } else {
    si_nearest near;
    char words[200];
    si_nearest_start(&near, name);
    for (int i = 0; i < 4; i++) si_nearest_offer(&near, known[i]);
    return fail(r, value, "a clip has no member '%s'%s", name,
                si_nearest_words(&near, words, sizeof words));
  }
  return status;
}

static sinew_status read_clip(const reader *r) {
  static const char *const needed[] = { "sinew_clip", "channels" };
  const si_json_value *whole = r->json.values, *value = si_json_first(whole);
  if (whole->kind != SI_JSON_OBJECT) return fail(r, whole, "a clip is an object: { ... }");
  for (int i = 0; i < 2; i++)
    if (!si_json_find(&r->json, whole, needed[i]))
      return fail(r, whole, "a clip needs the member '%s'", needed[i]);
  sinew_status status = SINEW_OK;
  for (uint32_t i = 0; i < whole->count && status == SINEW_OK; i++) {
    char name[256];
    if (!si_json_plain(value->key, value->key_length, name, sizeof name))
      return fail(r, value, "the name of a member is too long or no text");
    if (si_json_find(&r->json, whole, name) != value && si_json_find(&r->json, whole, name))
      return fail(r, value, "the member '%s' stands twice", name);
    status = read_member(r, value, name);
    value = si_json_after(&r->json, value);
  }
  return status;
}

static bool is_table(const char *name) {
  const size_t length = strlen(name);
  return length >= 4 && si_word_is((si_word){ name + length - 4, 4 }, ".csv");
}

sinew_clip *sinew_clip_parse(const char *name, const char *text, size_t size, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(name && (text || size == 0))) {
    si_fail(error, SINEW_ERR_CALL, "clip: no name or no text");
    return NULL;
  }
  reader r = { .name = name, .error = error, .clip = sinew_clip_create(error) };
  if (!r.clip) return NULL;
  sinew_status status;
  if (is_table(name)) {
    status = si_clip_csv_read(name, text, size, r.clip, error);
  } else {
    status = si_json_read(name, text, size, VALUE_LIMIT, &r.json, error);
    if (status == SINEW_OK) status = read_clip(&r);
    si_json_free(&r.json);
  }
  if (status == SINEW_OK) return r.clip;
  if (status == SINEW_ERR_MEMORY) si_fail_memory(error);
  sinew_clip_destroy(r.clip);
  return NULL;
}

sinew_clip *sinew_clip_load(const char *path, sinew_error *error) {
  unsigned char *bytes;
  size_t size;
  sinew_error_clear(error);
  if (!SI_EXPECT(path)) {
    si_fail(error, SINEW_ERR_CALL, "clip: no path");
    return NULL;
  }
  if (si_file_read(path, FILE_LIMIT, &bytes, &size, error) != SINEW_OK) return NULL;
  sinew_clip *clip = sinew_clip_parse(path, (const char *)bytes, size, error);
  si_free(bytes);
  return clip;
}

/* DOF names have no control characters */
static void write_name(si_text *text, const char *name) {
  char c[3] = { 0 };
  si_text_add(text, "\"");
  for (; *name; name++) {
    bool escape = *name == '"' || *name == '\\';
    c[0] = escape ? '\\' : *name;
    c[1] = escape ? *name : '\0';
    si_text_add(text, c);
  }
  si_text_add(text, "\"");
}

char *sinew_clip_format(const sinew_clip *clip, size_t *size, sinew_error *error) {
  si_text text = { 0 };
  sinew_error_clear(error);
  if (!SI_EXPECT(clip)) return NULL;
  si_text_format(&text, "{\n  \"sinew_clip\": %d,\n  \"fps\": ", VERSION);
  si_text_number(&text, clip->fps);
  si_text_format(&text, ",\n  \"loop\": %s,\n  \"channels\": {", clip->loop ? "true" : "false");
  for (size_t i = 0; i < clip->count; i++) {
    const si_channel *c = &clip->channels[i];
    si_text_add(&text, i ? ",\n    " : "\n    ");
    write_name(&text, c->name);
    si_text_add(&text, ": [");
    for (size_t k = 0; k < c->count; k++) {
      si_text_add(&text, k ? ", [" : "[");
      si_text_number(&text, c->keys[k].time);
      si_text_add(&text, ", ");
      si_text_number(&text, c->keys[k].value);
      if (c->keys[k].interp != SINEW_INTERP_SMOOTH)
        si_text_format(&text, ", \"%s\"", sinew_interp_name(c->keys[k].interp));
      si_text_add(&text, "]");
    }
    si_text_add(&text, "]");
  }
  si_text_add(&text, clip->count ? "\n  }\n}\n" : "}\n}\n");
  return si_text_finish(&text, size, error);
}

sinew_status sinew_clip_save(const sinew_clip *clip, const char *path, sinew_error *error) {
  size_t size;
  if (!SI_EXPECT(clip && path)) return si_fail(error, SINEW_ERR_CALL, "clip: nothing to save");
  char *text = sinew_clip_format(clip, &size, error);
  if (!text) return SINEW_ERR_MEMORY;
  sinew_status status = sinew_file_write(path, text, size, error);
  sinew_text_free(text);
  return status;
}
