/* Clip files: JSON with one line for each channel, and tables of comma separated values (RFC 4180).
 *
 * Pins are written only where there are some: programs that do not know them name the member that
 * they do not know. The JSON reader is strict: unknown members, duplicate channels and keys that
 * are not in order are errors. A table has a heading "time,knee.flexion,..." and a row for each
 * frame; each value becomes a key with linear interpolation. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/file_internal.h"
#include "base/json.h"
#include "base/names.h"
#include "base/scan.h"
#include "base/text.h"
#include "motion/clip_internal.h"
#include "motion/recording_internal.h"

/* a key takes at most four JSON values, a channel one */
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

#define fail(r, at, ...)                                                                           \
  si_fail_at((r)->error, SINEW_ERR_FILE, (r)->name, (at)->line, (at)->column, __VA_ARGS__)

static sinew_status read_key(const reader *r, const si_json_value *value, si_channel *channel) {
  const si_json_value *part = si_json_first(value);
  sinew_key key = { 0 };
  if (value->kind != SI_JSON_LIST || value->count < 2 || value->count > 3)
    return fail(r, value, "a key is [time, value] or [time, value, \"linear\"]");
  float *numbers[] = { &key.time, &key.value };
  for (int i = 0; i < 2; i++, part = si_json_after(&r->json, part)) {
    *numbers[i] = (float)part->number;
    if (part->kind != SI_JSON_NUMBER || !isfinite(*numbers[i]))
      return fail(r, part, "the %s of a key is not a number in the range of a float",
                  i ? "value" : "time");
  }
  char word[16] = "smooth";
  if (value->count == 3 && (part->kind != SI_JSON_STRING ||
                            !si_json_plain(part->text, part->text_length, word, sizeof word) ||
                            !sinew_interp_find(word, &key.interp)))
    return fail(r, part, "the interpolation of a key must be \"smooth\", \"linear\" or \"hold\"");
  if (channel->count > 0 && !(key.time > channel->keys[channel->count - 1].time))
    return fail(r, value, "the key at %g seconds is not after the one at %g", (double)key.time,
                (double)channel->keys[channel->count - 1].time);
  sinew_error why;
  sinew_status status = si_clip_put(r->clip, channel, key, &why);
  return status == SINEW_OK || si_is_lack(status) ? status : fail(r, value, "%s", why.text);
}

static sinew_status read_channel(const reader *r, const si_json_value *list) {
  char name[256];
  si_channel *channel;
  sinew_error why;
  if (!si_json_plain(list->key, list->key_length, name, sizeof name))
    return fail(r, list, "the name of a channel is too long or not valid text");
  if (list->kind != SI_JSON_LIST || list->count == 0)
    return fail(r, list, "channel '%s' must be a list of keys", name);
  if (sinew_clip_find_channel(r->clip, name) >= 0)
    return fail(r, list, "duplicate channel '%s'", name);
  sinew_status status = si_clip_channel(r->clip, name, &channel, &why);
  if (si_is_lack(status)) return status;
  if (status != SINEW_OK) return fail(r, list, "%s", why.text);
  const si_json_value *value = si_json_first(list);
  for (uint32_t i = 0; i < list->count && status == SINEW_OK; i++) {
    status = read_key(r, value, channel);
    value = si_json_after(&r->json, value);
  }
  return status;
}

/* "foot_r": ["turn"], "skull": ["look", x, y, z] */
static sinew_status read_pin(const reader *r, const si_json_value *list) {
  char name[256], word[16] = "";
  float target[3] = { 0 };
  sinew_error why;
  int kind = SINEW_PIN_PLACE;
  if (!si_json_plain(list->key, list->key_length, name, sizeof name))
    return fail(r, list, "the name of a segment is too long or not valid text");
  const si_json_value *part = si_json_first(list);
  if (list->kind != SI_JSON_LIST || list->count == 0 || part->kind != SI_JSON_STRING)
    return fail(r, list, "the pin of '%s' must be a list: [\"place\"]", name);
  si_json_plain(part->text, part->text_length, word, sizeof word);
  while (kind <= SINEW_PIN_LOOK && strcmp(word, sinew_pin_kind_name((sinew_pin_kind)kind)) != 0)
    kind++;
  if (kind > SINEW_PIN_LOOK) return fail(r, part, "a pin must be \"place\", \"turn\" or \"look\"");
  bool looks = kind == SINEW_PIN_LOOK;
  if (list->count != (looks ? 4 : 1))
    return fail(r, list, "the pin of '%s' must be [\"%s\"%s]", name, word,
                looks ? ", x, y, z" : "");
  for (int k = 0; looks && k < 3; k++) {
    part = si_json_after(&r->json, part);
    target[k] = (float)part->number;
    if (part->kind != SI_JSON_NUMBER || !isfinite(target[k]))
      return fail(r, part, "where '%s' looks must be three numbers", name);
  }
  sinew_status status =
      sinew_clip_set_pin(r->clip, name, (sinew_pin_kind)kind, looks ? target : NULL, &why);
  return status == SINEW_OK || si_is_lack(status) ? status : fail(r, list, "%s", why.text);
}

static sinew_status read_member(const reader *r, const si_json_value *value, const char *name) {
  static const char *const known[] = { "sinew_clip", "fps", "loop", "channels", "pins" };
  sinew_error why;
  sinew_status status = SINEW_OK;
  if (strcmp(name, "sinew_clip") == 0) {
    if (value->kind != SI_JSON_NUMBER) return fail(r, value, "the version must be a number");
    if (value->number != VERSION)
      return fail(r, value, "unsupported clip version %g; this program reads version %d",
                  value->number, VERSION);
  } else if (strcmp(name, "fps") == 0) {
    if (value->kind != SI_JSON_NUMBER ||
        sinew_clip_set_fps(r->clip, (float)value->number, &why) != SINEW_OK)
      return fail(r, value, "'fps' must be above 0 and at most 10000");
  } else if (strcmp(name, "loop") == 0) {
    if (value->kind != SI_JSON_TRUE && value->kind != SI_JSON_FALSE)
      return fail(r, value, "'loop' must be true or false");
    r->clip->loop = value->kind == SI_JSON_TRUE;
  } else if (strcmp(name, "channels") == 0) {
    if (value->kind != SI_JSON_OBJECT)
      return fail(r, value, "'channels' must be an object with a list of keys for each DOF");
    const si_json_value *channel = si_json_first(value);
    for (uint32_t i = 0; i < value->count && status == SINEW_OK; i++) {
      status = read_channel(r, channel);
      channel = si_json_after(&r->json, channel);
    }
  } else if (strcmp(name, "pins") == 0) {
    if (value->kind != SI_JSON_OBJECT)
      return fail(r, value, "'pins' must be an object with a list for each segment");
    const si_json_value *pin = si_json_first(value);
    for (uint32_t i = 0; i < value->count && status == SINEW_OK; i++) {
      status = read_pin(r, pin);
      pin = si_json_after(&r->json, pin);
    }
  } else {
    si_nearest near;
    char words[200];
    si_nearest_start(&near, name);
    for (int i = 0; i < 5; i++) si_nearest_offer(&near, known[i]);
    return fail(r, value, "unknown member '%s'%s", name,
                si_nearest_words(&near, words, sizeof words));
  }
  return status;
}

static sinew_status read_clip(const reader *r) {
  static const char *const needed[] = { "sinew_clip", "channels" };
  const si_json_value *whole = r->json.values, *value = si_json_first(whole);
  if (whole->kind != SI_JSON_OBJECT) return fail(r, whole, "a clip must be an object: { ... }");
  sinew_status status = SINEW_OK;
  for (uint32_t i = 0; i < whole->count && status == SINEW_OK; i++) {
    char name[256];
    if (!si_json_plain(value->key, value->key_length, name, sizeof name))
      return fail(r, value, "the name of a member is too long or not valid text");
    if (si_json_find(&r->json, whole, name) != value && si_json_find(&r->json, whole, name))
      return fail(r, value, "duplicate member '%s'", name);
    status = read_member(r, value, name);
    value = si_json_after(&r->json, value);
  }
  for (int i = 0; i < 2 && status == SINEW_OK; i++)
    if (!si_json_find(&r->json, whole, needed[i]))
      status = fail(r, whole, "missing member '%s'", needed[i]);
  return status;
}

/* --- tables */

typedef struct table {
  si_scan scan;
  sinew_clip *clip;
  si_names names; /* of columns, to their indices from 1 */
  char **columns; /* names, in the order of the file */
  size_t count, room;
  int *channels; /* of each column */
} table;

/* The next cell of this line, unquoted and trimmed; `more` says whether a comma follows it. */
static sinew_status next_cell(table *t, bool *more, char *dest, size_t room) {
  si_scan *s = &t->scan;
  size_t used = 0;
  si_scan_line_done(s);
  const bool quoted = s->at < s->end && *s->at == '"';
  if (quoted) s->at++;
  for (bool open = quoted; s->at < s->end && *s->at != '\n' && *s->at != '\r'; s->at++) {
    if (quoted && open && *s->at == '"') {
      open = s->end - s->at > 1 && s->at[1] == '"';
      if (!open) continue;
      s->at++;
    } else if (!open && *s->at == ',') {
      break;
    } else if (quoted && !open) {
      if (*s->at == ' ' || *s->at == '\t') continue;
      return si_scan_fail(s, "'%c' after a quoted cell", *s->at);
    }
    if (used + 1 >= room) return si_scan_fail(s, "a cell is too long");
    dest[used++] = *s->at;
  }
  while (!quoted && used > 0 && strchr(" \t", dest[used - 1])) used--;
  dest[used] = '\0';
  *more = s->at < s->end && *s->at == ',';
  if (*more) s->at++;
  return SINEW_OK;
}

static sinew_status read_heading(table *t) {
  char name[256];
  bool more = true;
  for (int i = 0; more; i++) {
    sinew_status status = next_cell(t, &more, name, sizeof name);
    if (status != SINEW_OK) return status;
    if (i == 0 && !si_word_is((si_word){ name, (int)strlen(name) }, "time"))
      return si_scan_fail(&t->scan, "'%.60s' where 'time' is expected", name);
    if (i == 0) continue;
    if (si_names_find(&t->names, name))
      return si_scan_fail(&t->scan, "duplicate column '%s'", name);
    if (t->count >= SINEW_CLIP_CHANNELS)
      return si_scan_fail(&t->scan, "more than %d columns", SINEW_CLIP_CHANNELS);
    char *copy = si_strdup(name);
    if (!copy || !si_grow(&t->columns, &t->room, t->count + 1, sizeof *t->columns)) {
      si_free(copy);
      return si_fail_memory(t->scan.error);
    }
    t->columns[t->count++] = copy;
    if (!si_names_add(&t->names, copy, (uint32_t)t->count)) return si_fail_memory(t->scan.error);
  }
  return SINEW_OK;
}

/* channels are sorted by name, so their indices are known once all of them exist */
static sinew_status make_channels(table *t) {
  t->channels = si_alloc_array(t->count + 1, sizeof *t->channels);
  if (!t->channels) return si_fail_memory(t->scan.error);
  for (size_t i = 0; i < t->count; i++) {
    si_channel *channel;
    sinew_error why;
    sinew_status status = si_clip_channel(t->clip, t->columns[i], &channel, &why);
    if (si_is_lack(status)) return si_fail_memory(t->scan.error);
    if (status != SINEW_OK) return si_scan_fail(&t->scan, "%s", why.text);
  }
  for (size_t i = 0; i < t->count; i++)
    t->channels[i] = sinew_clip_find_channel(t->clip, t->columns[i]);
  return SINEW_OK;
}

static sinew_status read_row(table *t, double *time) {
  char cell[64];
  bool more = true;
  for (size_t i = 0; more; i++) {
    double value;
    sinew_error why;
    sinew_status status = next_cell(t, &more, cell, sizeof cell);
    if (status != SINEW_OK) return status;
    const char *at = cell;
    if (i > t->count)
      return si_scan_fail(&t->scan, "more cells than the %zu columns", t->count + 1);
    if (!si_number_read(&at, cell + strlen(cell), &value) || *at)
      return si_scan_fail(&t->scan, "'%s' where a number is expected", cell);
    if (i == 0 && !((float)value > (float)*time))
      return si_scan_fail(&t->scan, "the time %s is not after that of the previous row", cell);
    if (i == 0) *time = value;
    if (!more && i < t->count)
      return si_scan_fail(&t->scan, "%zu cells, expected %zu", i + 1, t->count + 1);
    if (i == 0) continue;
    status = si_clip_put(t->clip, &t->clip->channels[t->channels[i - 1]],
                         (sinew_key){ (float)*time, (float)value, SINEW_INTERP_LINEAR }, &why);
    if (si_is_lack(status)) return si_fail_memory(t->scan.error);
    if (status != SINEW_OK) return si_scan_fail(&t->scan, "%s", why.text);
  }
  return SINEW_OK;
}

static sinew_status read_table(table *t) {
  double time = -1, first = 0;
  size_t rows = 0;
  sinew_status status = read_heading(t);
  if (status == SINEW_OK) status = make_channels(t);
  while (status == SINEW_OK && si_scan_line(&t->scan)) {
    if (si_scan_line_done(&t->scan)) continue;
    status = read_row(t, &time);
    if (rows++ == 0) first = time;
  }
  if (status != SINEW_OK) return status;
  if (rows == 0) return si_scan_fail(&t->scan, "the table has no rows");
  if (rows > 1) {
    /* times have only seven digits, so a rate that is nearly whole is rounded */
    double fps = (double)(rows - 1) / (time - first);
    if (fabs(fps - round(fps)) < 1e-3) fps = round(fps);
    if (fps > 0 && fps <= 10000) t->clip->fps = (float)fps;
  }
  return SINEW_OK;
}

static sinew_status read_csv(const char *name, const char *text, size_t size, sinew_clip *dest,
                             sinew_error *error) {
  table t = { .scan = si_scan_start(name, text, size, error), .clip = dest };
  sinew_status status = read_table(&t);
  for (size_t i = 0; i < t.count; i++) si_free(t.columns[i]);
  si_free(t.columns);
  si_free(t.channels);
  si_names_free(&t.names);
  return status;
}

/* --- both formats */

sinew_clip *sinew_clip_parse(const char *name, const char *text, size_t size, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(name && (text || size == 0)))
    return si_fail_null(error, SINEW_ERR_CALL, "clip: no name or no text");
  reader r = { .name = name, .error = error, .clip = sinew_clip_create(error) };
  if (!r.clip) return NULL;
  sinew_status status;
  if (si_ends_with(name, ".csv")) {
    status = read_csv(name, text, size, r.clip, error);
  } else {
    status = si_json_read(name, text, size, VALUE_LIMIT, &r.json, error);
    if (status == SINEW_OK) status = read_clip(&r);
    si_json_free(&r.json);
  }
  if (si_stopped()) status = si_fail_memory(error);
  if (status == SINEW_OK) return r.clip;
  if (si_is_lack(status)) si_fail_memory(error);
  sinew_clip_destroy(r.clip);
  return NULL;
}

sinew_clip *sinew_clip_load(const char *path, sinew_error *error) {
  unsigned char *bytes;
  size_t size;
  sinew_error_clear(error);
  if (!SI_EXPECT(path)) return si_fail_null(error, SINEW_ERR_CALL, "clip: no path");
  if (si_file_read(path, FILE_LIMIT, &bytes, &size, error) != SINEW_OK) return NULL;
  sinew_clip *clip = sinew_clip_parse(path, (const char *)bytes, size, error);
  si_free(bytes);
  return clip;
}

/* quotes a name and puts `escape` before each of the `special` characters */
static void write_quoted(si_text *text, const char *name, const char *special, const char *escape) {
  si_text_add(text, "\"");
  for (; *name; name++) {
    if (strchr(special, *name)) si_text_add(text, escape);
    si_text_add_n(text, name, 1);
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
    write_quoted(&text, c->name, "\"\\", "\\");
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
  si_text_add(&text, clip->count ? "\n  }" : "}");
  for (size_t i = 0; i < clip->pin_count; i++) {
    const si_pin *pin = &clip->pins[i];
    si_text_add(&text, i ? ",\n    " : ",\n  \"pins\": {\n    ");
    write_quoted(&text, pin->segment, "\"\\", "\\");
    si_text_format(&text, ": [\"%s\"", sinew_pin_kind_name(pin->kind));
    for (int k = 0; pin->kind == SINEW_PIN_LOOK && k < 3; k++) {
      si_text_add(&text, ", ");
      si_text_number(&text, pin->target[k]);
    }
    si_text_add(&text, "]");
  }
  si_text_add(&text, clip->pin_count ? "\n  }\n}\n" : "\n}\n");
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

char *sinew_recording_csv(const sinew_recording *r, size_t *size, sinew_error *error) {
  si_text text = { 0 };
  sinew_error_clear(error);
  if (!SI_EXPECT(r)) return NULL;
  si_text_add(&text, "time");
  for (size_t i = 0; i < r->dofs; i++) {
    const char *name = sinew_rig_dof_info(r->rig, sinew_rig_dof(r->rig, (int)i)).name;
    si_text_add(&text, ",");
    if (strpbrk(name, ",\""))
      write_quoted(&text, name, "\"", "\"");
    else
      si_text_add(&text, name);
  }
  si_text_add(&text, "\n");
  for (size_t f = 0; f < r->frames && !text.failed; f++) {
    si_text_number(&text, (float)((double)f / (double)r->rate));
    for (size_t i = 0; i < r->dofs; i++) {
      si_text_add(&text, ",");
      si_text_number(&text, r->values[f * r->dofs + i]);
    }
    si_text_add(&text, "\n");
  }
  return si_text_finish(&text, size, error);
}
