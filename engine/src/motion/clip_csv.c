/* DOF curves as a table of comma separated values (RFC 4180): a line "time,knee.flexion,..." and
 * one for each frame. Read back, each value is a key, and keys are joined by straight lines. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "motion/clip_internal.h"
#include "motion/clip_csv.h"
#include "motion/recording_internal.h"
#include "base/scan.h"
#include "base/text.h"

static void write_cell(si_text *text, const char *name) {
  if (!strpbrk(name, ",\"")) {
    si_text_add(text, name);
    return;
  }
  si_text_add(text, "\"");
  for (; *name; name++) si_text_add(text, *name == '"' ? "\"\"" : (const char[2]){ *name, '\0' });
  si_text_add(text, "\"");
}

char *sinew_recording_csv(const sinew_recording *r, size_t *size, sinew_error *error) {
  si_text text = { 0 };
  sinew_error_clear(error);
  if (!SI_EXPECT(r)) return NULL;
  si_text_add(&text, "time");
  for (size_t i = 0; i < r->dofs; i++) {
    si_text_add(&text, ",");
    write_cell(&text, sinew_rig_dof_info(r->rig, sinew_rig_dof(r->rig, (int)i)).name);
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

typedef struct reader {
  si_scan scan;
  sinew_clip *clip;
  si_names names; /* of the columns, to their places from 1 */
  char **columns; /* in the order of the file */
  size_t count, room;
  int *channels; /* of the columns */
} reader;

/* the next cell of this line without quotes, blanks around it left out; false behind the last.
 * `more` says whether a comma stood behind it, and starts true */
static sinew_status next_cell(reader *r, bool *more, char *dest, size_t room) {
  si_scan *s = &r->scan;
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
      return si_scan_fail(s, "'%c' behind a quoted cell", *s->at);
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

static sinew_status read_heading(reader *r) {
  char name[256];
  bool more = true;
  for (int i = 0; more; i++) {
    sinew_status status = next_cell(r, &more, name, sizeof name);
    if (status != SINEW_OK) return status;
    if (i == 0 && !si_word_is((si_word){ name, (int)strlen(name) }, "time"))
      return si_scan_fail(&r->scan, "'%.60s' where 'time' is expected", name);
    if (i == 0) continue;
    if (si_names_find(&r->names, name)) return si_scan_fail(&r->scan, "'%s' stands twice", name);
    if (r->count >= SINEW_CLIP_CHANNELS)
      return si_scan_fail(&r->scan, "more than %d columns", SINEW_CLIP_CHANNELS);
    void *items = r->columns;
    if (!si_grow(&items, &r->room, r->count + 1, sizeof *r->columns))
      return si_fail_memory(r->scan.error);
    r->columns = items;
    char *copy = si_strdup(name);
    if (!copy) return si_fail_memory(r->scan.error);
    r->columns[r->count++] = copy;
    if (!si_names_add(&r->names, copy, (uint32_t)r->count)) return si_fail_memory(r->scan.error);
  }
  return SINEW_OK;
}

/* channels stand by name, so that their places are known once all of them are there */
static sinew_status make_channels(reader *r) {
  r->channels = si_alloc_array(r->count + 1, sizeof *r->channels);
  if (!r->channels) return si_fail_memory(r->scan.error);
  for (size_t i = 0; i < r->count; i++) {
    si_channel *channel;
    sinew_error why;
    sinew_status status = si_clip_channel(r->clip, r->columns[i], &channel, &why);
    if (status == SINEW_ERR_MEMORY) return si_fail_memory(r->scan.error);
    if (status != SINEW_OK) return si_scan_fail(&r->scan, "%s", why.text);
  }
  for (size_t i = 0; i < r->count; i++)
    r->channels[i] = sinew_clip_find_channel(r->clip, r->columns[i]);
  return SINEW_OK;
}

static sinew_status read_row(reader *r, double *time) {
  char cell[64];
  bool more = true;
  for (size_t i = 0; more; i++) {
    double value;
    sinew_error why;
    sinew_status status = next_cell(r, &more, cell, sizeof cell);
    if (status != SINEW_OK) return status;
    const char *at = cell;
    if (i > r->count)
      return si_scan_fail(&r->scan, "more cells than the %zu columns", r->count + 1);
    if (!si_number_read(&at, cell + strlen(cell), &value) || *at)
      return si_scan_fail(&r->scan, "'%s' where a number is expected", cell);
    if (i == 0 && !((float)value > (float)*time))
      return si_scan_fail(&r->scan, "the time %s does not come after the row before", cell);
    if (i == 0) *time = value;
    if (!more && i < r->count)
      return si_scan_fail(&r->scan, "%zu cells, expected %zu", i + 1, r->count + 1);
    if (i == 0) continue;
    status = si_clip_put(r->clip, &r->clip->channels[r->channels[i - 1]],
                         (sinew_key){ (float)*time, (float)value, SINEW_INTERP_LINEAR }, &why);
    if (status == SINEW_ERR_MEMORY) return si_fail_memory(r->scan.error);
    if (status != SINEW_OK) return si_scan_fail(&r->scan, "%s", why.text);
  }
  return SINEW_OK;
}

static sinew_status read_table(reader *r) {
  double time = -1, first = 0;
  size_t rows = 0;
  sinew_status status = read_heading(r);
  if (status == SINEW_OK) status = make_channels(r);
  while (status == SINEW_OK && si_scan_line(&r->scan)) {
    if (si_scan_line_done(&r->scan)) continue;
    status = read_row(r, &time);
    if (rows++ == 0) first = time;
  }
  if (status != SINEW_OK) return status;
  if (rows == 0) return si_scan_fail(&r->scan, "the table has no rows");
  if (rows > 1) {
    /* rounded where that is what was meant: times have but seven digits */
    double fps = (double)(rows - 1) / (time - first);
    if (fabs(fps - round(fps)) < 1e-3) fps = round(fps);
    if (fps > 0 && fps <= 10000) r->clip->fps = (float)fps;
  }
  return SINEW_OK;
}

sinew_status si_clip_csv_read(const char *name, const char *text, size_t size, sinew_clip *dest,
                              sinew_error *error) {
  reader r = { .scan = si_scan_start(name, text, size, error), .clip = dest };
  sinew_status status = read_table(&r);
  for (size_t i = 0; i < r.count; i++) si_free(r.columns[i]);
  si_free(r.columns);
  si_free(r.channels);
  si_names_free(&r.names);
  return status;
}
