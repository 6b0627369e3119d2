/* TRC marker files: three lines of heading, a line of marker names, one of axis names, then a row
 * for each frame. Cells are separated by tabs; an empty cell or "NaN" is a marker that was not
 * visible. Lines without tabs are split at blanks. */
#include "motion/motion_internal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/text.h"

typedef struct reader {
  si_scan scan;
  sinew_motion *motion;
  bool tabs, over; /* over: the line has no more cells */
  int64_t frames, markers;
} reader;

/* at the start of a line: finds out how it is split */
static void open_line(reader *r) {
  const char *at = r->scan.at;
  while (at < r->scan.end && *at != '\n' && *at != '\r' && *at != '\t') at++;
  r->tabs = at < r->scan.end && *at == '\t';
  r->over = false;
}

static bool next_cell(reader *r, si_word *dest) {
  si_scan *s = &r->scan;
  if (!r->tabs) return si_scan_word(s, dest);
  if (r->over) return false;
  const char *start = s->at;
  while (s->at < s->end && *s->at != '\t' && *s->at != '\n' && *s->at != '\r') s->at++;
  const char *last = s->at;
  r->over = s->at == s->end || *s->at != '\t';
  if (!r->over) s->at++;
  while (start < last && (*start == ' ' || *start == '\0')) start++;
  while (last > start && (last[-1] == ' ' || last[-1] == '\0')) last--;
  *dest = (si_word){ start, last - start < 4096 ? (int)(last - start) : 4096 };
  return true;
}

/* moves to the next line that is not blank */
static sinew_status next_line(reader *r, const char *what) {
  do
    if (!si_scan_line(&r->scan))
      return si_scan_fail(&r->scan, "the text ends where %s is expected", what);
  while (si_scan_line_done(&r->scan) && r->scan.at < r->scan.end);
  return SINEW_OK;
}

/* back to the start of the line, since leading blanks may be cells */
static void rewind_line(reader *r, const char *text) {
  while (r->scan.at > text && r->scan.at[-1] != '\n' && r->scan.at[-1] != '\r') r->scan.at--;
  open_line(r);
}

static sinew_status read_unit(reader *r, si_word word, const sinew_motion_options *options) {
  static const struct {
    const char *name;
    float metres;
  } units[] = { { "mm", 1e-3f },   { "cm", 1e-2f },       { "dm", 1e-1f },  { "m", 1 },
                { "in", 0.0254f }, { "inches", 0.0254f }, { "ft", 0.3048f } };
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (si_word_is(word, units[i].name)) r->motion->unit = units[i].metres;
  if (options->unit > 0) r->motion->unit = options->unit;
  if (r->motion->unit > 0) return SINEW_OK;
  return si_scan_fail(&r->scan, "unknown Units '%.*s'; expected mm, cm, m or in", SI_SHOWN(word));
}

/* the values below the labels of the second line, in any order */
static sinew_status read_heading(reader *r, const char *text, const sinew_motion_options *options) {
  enum { MOST = 16 };
  si_word labels[MOST], word;
  int count = 0;
  double value = 0;
  si_scan_word(&r->scan, &word);
  if (!si_word_is(word, "PathFileType"))
    return si_scan_fail(&r->scan, "a TRC file begins with 'PathFileType'");
  sinew_status status = next_line(r, "the line 'DataRate ...'");
  if (status != SINEW_OK) return status;
  rewind_line(r, text);
  while (count < MOST && next_cell(r, &labels[count])) count++;
  status = next_line(r, "the line with the data rate");
  if (status != SINEW_OK) return status;
  rewind_line(r, text);
  for (int i = 0; i < count && status == SINEW_OK && next_cell(r, &word); i++) {
    if (si_word_is(labels[i], "Units")) {
      status = read_unit(r, word, options);
    } else if (si_word_is(labels[i], "DataRate")) {
      status = si_scan_value(&r->scan, word, "the DataRate", &value);
      r->motion->rate = (float)value;
    } else if (si_word_is(labels[i], "NumFrames") || si_word_is(labels[i], "NumMarkers")) {
      int64_t *told = si_word_is(labels[i], "NumFrames") ? &r->frames : &r->markers;
      status = si_scan_value(&r->scan, word, "NumFrames or NumMarkers", &value);
      if (status == SINEW_OK && !si_whole(value, 0, (int64_t)SI_SCAN_MOST, told))
        status = si_scan_fail(&r->scan, "%.*s is %g, must be a whole number from 0",
                              SI_SHOWN(labels[i]), value);
    }
  }
  if (status != SINEW_OK) return status;
  if (!(r->motion->rate >= 1e-6f && r->motion->rate <= 1e6f))
    return si_scan_fail(&r->scan, "the DataRate is %g, not from 1e-6 to 1e6",
                        (double)r->motion->rate);
  return r->motion->unit > 0 ? SINEW_OK : si_scan_fail(&r->scan, "the heading has no Units");
}

static sinew_status read_names(reader *r, const char *text) {
  si_word word;
  sinew_status status = next_line(r, "the line of marker names");
  if (status != SINEW_OK) return status;
  rewind_line(r, text);
  for (int i = 0; status == SINEW_OK && next_cell(r, &word); i++) {
    if (i == 0 && !si_word_is(word, "Frame#") && !si_word_is(word, "Frame"))
      return si_scan_fail(&r->scan, "'%.*s' where 'Frame#' is expected", SI_SHOWN(word));
    if (i == 1 && !si_word_is(word, "Time"))
      return si_scan_fail(&r->scan, "'%.*s' where 'Time' is expected", SI_SHOWN(word));
    if (i < 2 || word.length == 0) continue;
    if (word.length > 200) return si_scan_fail(&r->scan, "a marker's name is too long");
    status = si_motion_add_marker(r->motion, si_word_copy(word), &r->scan);
  }
  if (status == SINEW_OK && r->motion->marker_count == 0)
    return si_scan_fail(&r->scan, "there are no markers");
  return status;
}

static bool missing(si_word word) { return word.length == 0 || si_word_is(word, "nan"); }

static sinew_status read_row(reader *r) {
  sinew_motion *m = r->motion;
  si_word word;
  float *values = NULL;
  double value;
  sinew_status status = si_motion_add_frame(m, &values, &r->scan);
  for (size_t i = 0; status == SINEW_OK && i < m->width; i++) values[i] = NAN;
  for (size_t i = 0; status == SINEW_OK && next_cell(r, &word); i++) {
    if (i >= m->width + 2 && !missing(word))
      return si_scan_fail(&r->scan, "frame %zu has more than the %zu values of %zu markers",
                          m->frame_count, m->width, m->marker_count);
    if (i >= m->width + 2 || missing(word)) continue;
    status =
        si_scan_value(&r->scan, word, i < 2 ? "a frame's number or time" : "a coordinate", &value);
    if (status == SINEW_OK && i >= 2) values[i - 2] = (float)(value * (double)m->unit);
  }
  /* a marker with a missing coordinate counts as missing */
  for (size_t i = 0; status == SINEW_OK && i < m->width; i += 3)
    if (isnan(values[i]) || isnan(values[i + 1]) || isnan(values[i + 2]))
      values[i] = values[i + 1] = values[i + 2] = NAN;
  return status;
}

static sinew_status read_rows(reader *r, const char *text) {
  sinew_motion *m = r->motion;
  sinew_status status = SINEW_OK;
  bool first = true;
  while (status == SINEW_OK && si_scan_line(&r->scan)) {
    if (si_scan_line_done(&r->scan)) continue;
    /* the first line may hold the names of the axes */
    const bool axes = first && (*r->scan.at == 'X' || *r->scan.at == 'x');
    first = false;
    if (axes) continue;
    rewind_line(r, text);
    status = read_row(r);
  }
  if (status != SINEW_OK) return status;
  bool told = true;
  if (r->frames >= 0 && r->frames != (int64_t)m->frame_count)
    told = si_motion_warn(m, "NumFrames says %ld, there are %zu frames", (long)r->frames,
                          m->frame_count);
  if (told && r->markers >= 0 && r->markers != (int64_t)m->marker_count)
    told = si_motion_warn(m, "NumMarkers says %ld, there are %zu names", (long)r->markers,
                          m->marker_count);
  return told ? SINEW_OK : si_fail_memory(r->scan.error);
}

sinew_status si_trc_read(const char *name, const void *text, size_t size,
                         const sinew_motion_options *options, sinew_motion *dest,
                         sinew_error *error) {
  reader r = {
    .scan = si_scan_start(name, text, size, error), .motion = dest, .frames = -1, .markers = -1
  };
  dest->kind = SINEW_MOTION_MARKERS;
  dest->format = "TRC";
  if (si_scan_line_done(&r.scan))
    return si_scan_fail(&r.scan, "a TRC file begins with 'PathFileType'");
  sinew_status status = read_heading(&r, text, options);
  if (status == SINEW_OK) status = read_names(&r, text);
  if (status == SINEW_OK) status = read_rows(&r, text);
  return si_stopped() ? si_fail_memory(error) : status;
}
