/* Writes the parts of the Lua source: numbers, names, comments, transforms and curves.
 *
 * Functions of a file are in radians, curves of a rig in degrees: where f is the file's, the rig
 * has g(u) = out f(u / in), with `in` and `out` 180 / pi for angles and 1 for lengths. This scaling
 * keeps the kind of every curve. */
#include "lua/osim/osim_write.h"

#include <math.h>

void si_osim_put_number(si_osim_writer *w, double number) {
  if (fabs(number) < 1e-12) number = 0;
  if (!isfinite((float)number)) w->huge = true;
  si_text_number(&w->text, (float)number);
}

void si_osim_put_vector(si_osim_writer *w, const double v[3]) {
  for (int i = 0; i < 3; i++) {
    si_text_add(&w->text, i ? ", " : "{ ");
    si_osim_put_number(w, v[i]);
  }
  si_text_add(&w->text, " }");
}

void si_osim_put_comment(si_osim_writer *w, const char *lead, const char *text) {
  enum { width = 96 };
  static const char blanks[] = " \t\r\n";
  si_text_format(&w->text, *lead ? "-- %s" : "--%s ", lead);
  size_t column = strlen(lead);
  for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
    size_t length = strcspn(text, blanks);
    if (column > 0 && column + 1 + length > width) {
      si_text_add(&w->text, "\n--  ");
      column = 1;
    }
    if (column > 0) {
      si_text_add(&w->text, " ");
      column++;
    }
    /* skips control characters; XML allows only these and DEL */
    for (size_t i = 0; i < length; i++) si_text_format(&w->text, "%c", text[i]);
    column += length;
    text += length;
  }
  si_text_add(&w->text, "\n");
}

static bool is_turned(const si_osim_place *a) {
  for (int i = 0; i < 9; i++)
    if (fabs(a->r[i] - si_osim_identity.r[i]) > 1e-12) return true;
  return false;
}

/* body-fixed rotations about x, y and z, as in the file */
static void put_turn(si_osim_writer *w, const si_osim_place *a) {
  const double *r = a->r, deg = si_osim_unit(true);
  double angles[3];
  angles[1] = atan2(r[2], hypot(r[0], r[1]));
  bool locked = hypot(r[0], r[1]) < 1e-9;
  angles[0] = locked ? atan2(r[7], r[4]) : atan2(-r[5], r[8]);
  angles[2] = locked ? 0 : atan2(-r[1], r[0]);
  si_text_add(&w->text, "sinew.quat.euler(\"xyz\"");
  for (int i = 0; i < 3; i++) {
    si_text_add(&w->text, ", ");
    si_osim_put_number(w, deg * angles[i]);
  }
  si_text_add(&w->text, ")");
}

static bool is_moved(const si_osim_place *a) {
  return fabs(a->p[0]) > 1e-12 || fabs(a->p[1]) > 1e-12 || fabs(a->p[2]) > 1e-12;
}

size_t si_osim_column(const si_osim_writer *w) {
  size_t start = w->text.size;
  while (start > 0 && w->text.at[start - 1] != '\n') start--;
  return w->text.size - start;
}

static void put_mass(si_osim_writer *w, const si_osim_frame *body) {
  static const double nowhere[3];
  si_text_add(&w->text, ",\n  mass = ");
  si_osim_put_number(w, body->mass);
  if (memcmp(body->mass_at, nowhere, sizeof nowhere) == 0) return;
  si_text_add(&w->text, ", mass_at = ");
  si_osim_put_vector(w, body->mass_at);
}

void si_osim_put_segment(si_osim_writer *w, const si_osim_frame *frame, const char *parent,
                         const si_osim_place *place) {
  si_print_field(&w->text, "body", frame->key);
  si_text_add(&w->text, " = rig:segment(");
  si_print_string(&w->text, frame->key);
  si_text_add(&w->text, ", { parent = ");
  si_print_field(&w->text, "body", parent);
  const size_t start = w->text.size;
  for (bool tall = is_turned(place);; tall = true) {
    if (is_moved(place)) {
      si_text_add(&w->text, tall ? ",\n  at = " : ", at = ");
      si_osim_put_vector(w, place->p);
    }
    if (tall || si_osim_column(w) + 3 <= 100 || w->text.failed) break;
    w->text.size = start; /* too long for a line: write it again on several lines */
  }
  if (is_turned(place)) {
    si_text_add(&w->text, ",\n  turn = ");
    put_turn(w, place);
  }
  if (frame->mass > 0) put_mass(w, frame);
  si_text_add(&w->text, " })\n");
}

void si_osim_put_matrix(si_osim_writer *w, const si_osim_place *a, int indent) {
  if (!is_turned(a)) {
    si_text_add(&w->text, "sinew.mat4.translation ");
    si_osim_put_vector(w, a->p);
    return;
  }
  si_text_add(&w->text, "sinew.mat4.from(");
  put_turn(w, a);
  if (is_moved(a)) {
    si_text_format(&w->text, ",\n%*s", indent + 2, "");
    si_osim_put_vector(w, a->p);
  }
  si_text_add(&w->text, ")");
}

static double in_unit(const si_osim_model *m, const si_osim_value *value, int argument) {
  return si_osim_unit(m->coordinates[value->coordinates[argument]].rotational);
}

/* slope in the argument, in the rig's units, of a linear value */
static double slope(const si_osim_model *m, const si_osim_value *value, bool angle, int argument) {
  double own = value->function ? value->function->numbers[argument] : 1;
  return own * value->scale * si_osim_unit(angle) / in_unit(m, value, argument);
}

static double intercept(const si_osim_value *value, bool angle) {
  const si_osim_function *f = value->function;
  return f ? f->numbers[f->count - 1] * value->scale * si_osim_unit(angle) : 0;
}

static bool is_linear(const si_osim_value *value) {
  return !value->function || value->function->kind == SI_OSIM_LINEAR;
}

bool si_osim_is_plain(const si_osim_model *m, const si_osim_value *value, bool angle) {
  return value->count == 1 && is_linear(value) && fabs(slope(m, value, angle, 0) - 1) < 1e-12 &&
         intercept(value, angle) == 0;
}

static void put_line(si_osim_writer *w, double at_zero, double rise) {
  si_text_add(&w->text, "sinew.polynomial { ");
  si_osim_put_number(w, at_zero);
  si_text_add(&w->text, ", ");
  si_osim_put_number(w, rise);
  si_text_add(&w->text, " }");
}

static void put_points(si_osim_writer *w, const si_osim_value *value, double in, double out,
                       int indent) {
  const si_osim_function *f = value->function;
  const size_t width = 98;
  si_text_add(&w->text, f->kind == SI_OSIM_SIMM ? "sinew.simm {" : "sinew.piecewise {");
  size_t line = width; /* so that the first point starts a new line */
  for (int i = 0; i < f->count; i += 2) {
    if (line + 30 > width) {
      si_text_format(&w->text, "\n%*s", indent + 2, "");
      line = (size_t)indent + 2;
    } else {
      si_text_add(&w->text, " ");
      line++;
    }
    size_t before = w->text.size;
    si_text_add(&w->text, "{ ");
    si_osim_put_number(w, in * f->numbers[i]);
    si_text_add(&w->text, ", ");
    si_osim_put_number(w, out * f->numbers[i + 1]);
    si_text_add(&w->text, " },");
    line += w->text.size - before;
  }
  si_text_format(&w->text, "\n%*s", indent, "");
  si_text_add(&w->text, f->kind == SI_OSIM_SIMM ? "}" : "  outside = \"extend\" }");
}

void si_osim_put_curve(si_osim_writer *w, const si_osim_value *value, bool angle, int indent) {
  const si_osim_function *f = value->function;
  const double in = in_unit(w->m, value, 0), out = value->scale * si_osim_unit(angle);
  if (is_linear(value)) {
    put_line(w, intercept(value, angle), slope(w->m, value, angle, 0));
  } else if (f->kind == SI_OSIM_POLYNOMIAL) {
    double power = out;
    si_text_add(&w->text, "sinew.polynomial {");
    for (int i = f->count; i-- > 0; power /= in) {
      si_text_add(&w->text, " ");
      /* do not round to 0: a small number times a high power may be large */
      if (!isfinite((float)(f->numbers[i] * power))) w->huge = true;
      si_text_number(&w->text, (float)(f->numbers[i] * power));
      si_text_add(&w->text, i ? "," : " }");
    }
  } else {
    put_points(w, value, in, out, indent);
  }
}

void si_osim_put_sum(si_osim_writer *w, const si_osim_value *value, bool angle, const char *joint,
                     const char *name) {
  for (int i = 0; i < value->count; i++) {
    si_text_format(&w->text, "  %s%s = ", i ? "" : "local ", name);
    si_print_field(&w->text, "joint", joint);
    si_text_add(&w->text, i ? ":dependency { " : ":map { ");
    si_print_field(&w->text, "coordinate", w->m->coordinates[value->coordinates[i]].key);
    if (i) si_text_format(&w->text, ", %s", name);
    si_text_add(&w->text, i ? ", offset = " : ", value = ");
    put_line(w, i ? 0 : intercept(value, angle), slope(w->m, value, angle, i));
    si_text_add(&w->text, " }.value\n");
  }
}
