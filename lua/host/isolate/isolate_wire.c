/* Writing and reading messages; see isolate_wire.h. Both ends are the same program on the same
 * machine, so numbers are sent as they lie in memory. */
#include "lua/host/isolate/isolate_wire.h"

#include "base/alloc.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

void si_wire_bytes(si_wire *w, const void *bytes, size_t size) {
  if (w->failed || !size) return;
  if (size > (size_t)SI_WIRE_MESSAGE - w->size || !si_grow(&w->at, &w->room, w->size + size, 1)) {
    w->failed = true;
    return;
  }
  memcpy(w->at + w->size, bytes, size);
  w->size += size;
}

void si_wire_int(si_wire *w, int64_t value) { si_wire_bytes(w, &value, sizeof value); }
void si_wire_number(si_wire *w, double value) { si_wire_bytes(w, &value, sizeof value); }

void si_wire_floats(si_wire *w, const float *values, size_t count) {
  si_wire_bytes(w, values, count * sizeof *values);
}

void si_wire_text_n(si_wire *w, const char *text, size_t length) {
  si_wire_int(w, text ? (int64_t)length : -1);
  if (!text) return;
  si_wire_bytes(w, text, length);
  si_wire_bytes(w, "", 1);
}

void si_wire_text(si_wire *w, const char *text) {
  si_wire_text_n(w, text, text ? strlen(text) : 0);
}

void si_wire_param(si_wire *w, const sinew_param *p) {
  si_wire_text(w, p->name);
  si_wire_int(w, p->type);
  size_t each = p->type == SINEW_PARAM_VECTORS ? 3 : p->type == SINEW_PARAM_NUMBERS ? 1 : 0;
  si_wire_int(w, each ? p->count : 0);
  si_wire_floats(w, p->number, 16);
  si_wire_floats(w, p->numbers, each * (size_t)p->count);
  si_wire_text(w, p->text);
  if (p->type != SINEW_PARAM_CURVE) return;
  sinew_curve_desc d = sinew_curve_describe(p->curve);
  si_wire_int(w, d.kind);
  si_wire_int(w, d.outside);
  si_wire_floats(w, &d.scale, 1);
  si_wire_floats(w, &d.offset, 1);
  si_wire_int(w, d.point_count);
  si_wire_floats(w, d.points, 2 * (size_t)d.point_count);
  si_wire_int(w, d.coefficient_count);
  si_wire_floats(w, d.coefficients, (size_t)d.coefficient_count);
}

void si_wire_free(si_wire *w) {
  si_free(w->at);
  *w = (si_wire){ .at = NULL };
}

/* --- reading */

static bool take(si_unwire *r, void *dest, size_t size) {
  if (r->failed || size > r->left) {
    r->failed = true;
    return false;
  }
  memcpy(dest, r->at, size);
  r->at += size;
  r->left -= size;
  return true;
}

int64_t si_unwire_int(si_unwire *r, int64_t low, int64_t high) {
  int64_t value;
  if (!take(r, &value, sizeof value)) return low;
  if (value >= low && value <= high) return value;
  r->failed = true;
  return low;
}

double si_unwire_number(si_unwire *r) {
  double value;
  if (!take(r, &value, sizeof value)) return 0;
  if (isfinite(value)) return value;
  r->failed = true;
  return 0;
}

void si_unwire_floats(si_unwire *r, float *dest, size_t count) {
  if (count > r->left / sizeof *dest || !take(r, dest, count * sizeof *dest)) {
    r->failed = true;
    count = count > 16 ? 0 : count; /* longer ones are made after a look at what is left */
    memset(dest, 0, count * sizeof *dest);
    return;
  }
  for (size_t i = 0; i < count; i++)
    if (!isfinite(dest[i])) {
      dest[i] = 0;
      r->failed = true;
    }
}

static char *take_text(si_unwire *r, size_t *length) {
  int64_t size = si_unwire_int(r, -1, SI_WIRE_MESSAGE);
  *length = 0;
  if (r->failed || size < 0) return NULL;
  char *text = (char *)r->at;
  if ((size_t)size >= r->left || text[size] || memchr(text, '\0', (size_t)size)) {
    r->failed = true;
    return NULL;
  }
  r->at += size + 1;
  r->left -= (size_t)size + 1;
  *length = (size_t)size;
  return text;
}

const char *si_unwire_text_raw(si_unwire *r, size_t *length) { return take_text(r, length); }

const char *si_unwire_text(si_unwire *r) {
  size_t length;
  char *text = take_text(r, &length);
  if (text) si_text_make_plain(text, length);
  return text;
}

const char *si_unwire_name(si_unwire *r) {
  const char *text = si_unwire_text(r);
  if (text) return text;
  r->failed = true;
  return "";
}

static int list_of(si_unwire *r, size_t each, float **dest) {
  int64_t count = si_unwire_int(r, 0, SI_WIRE_MESSAGE / 16);
  if (r->failed || (size_t)count > r->left / (each * sizeof **dest)) {
    r->failed = true;
    return 0;
  }
  *dest = si_alloc_array((size_t)count * each + 1, sizeof **dest);
  if (!*dest) {
    r->failed = true;
    return 0;
  }
  si_unwire_floats(r, *dest, (size_t)count * each);
  return (int)count;
}

static void read_curve(si_unwire *r, sinew_param *dest, si_unwire_room *room) {
  float *points = NULL, *coefficients = NULL;
  sinew_curve_desc d = sinew_default_curve_desc();
  d.kind = (sinew_curve_kind)si_unwire_int(r, 0, SINEW_CURVE_KIND_COUNT - 1);
  d.outside = (sinew_outside)si_unwire_int(r, 0, SINEW_OUTSIDE_REPEAT);
  si_unwire_floats(r, &d.scale, 1);
  si_unwire_floats(r, &d.offset, 1);
  d.point_count = list_of(r, 2, &points);
  d.coefficient_count = list_of(r, 1, &coefficients);
  d.points = points;
  d.coefficients = coefficients;
  dest->curve = room->curve = r->failed ? NULL : sinew_curve_create(&d, NULL);
  if (!room->curve) r->failed = true;
  si_free(points);
  si_free(coefficients);
}

void si_unwire_param(si_unwire *r, sinew_param *dest, si_unwire_room *room) {
  *room = (si_unwire_room){ NULL, NULL };
  *dest = (sinew_param){ .name = si_unwire_name(r) };
  dest->type = (sinew_param_type)si_unwire_int(r, 0, SINEW_PARAM_NONE);
  int64_t count = si_unwire_int(r, 0, SI_WIRE_MESSAGE / 16);
  si_unwire_floats(r, dest->number, 16);
  size_t each = dest->type == SINEW_PARAM_VECTORS ? 3 : dest->type == SINEW_PARAM_NUMBERS ? 1 : 0;
  if (each && (size_t)count <= r->left / (each * sizeof *dest->numbers)) {
    room->numbers = si_alloc_array((size_t)count * each + 1, sizeof *room->numbers);
    if (room->numbers) si_unwire_floats(r, room->numbers, (size_t)count * each);
    dest->numbers = room->numbers;
    dest->count = (int)count;
  }
  if (each && !room->numbers) r->failed = true;
  dest->text = si_unwire_text(r);
  bool texts = dest->type >= SINEW_PARAM_CHOICE && dest->type <= SINEW_PARAM_TEXT;
  if (dest->type == SINEW_PARAM_OBJECT || (texts && !dest->text)) r->failed = true;
  if (dest->type == SINEW_PARAM_CURVE) read_curve(r, dest, room);
}

void si_unwire_param_free(si_unwire_room *room) {
  si_free(room->numbers);
  sinew_curve_destroy(room->curve);
  *room = (si_unwire_room){ NULL, NULL };
}

bool si_unwire_done(const si_unwire *r) { return !r->failed && !r->left; }
