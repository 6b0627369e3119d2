/* Writes a joint as Lua: maps for the curves, then the product that drives the body. */
#include "lua/osim/osim_write.h"

#include <math.h>
#include <stdio.h>

enum { most_factors = SI_OSIM_FACTORS + 3 };

typedef struct product {
  si_osim_factor factors[most_factors];
  int count;
  const char *joint;               /* its key */
  int maps[SI_OSIM_ARGUMENTS + 6]; /* the coordinates that have a map, in order */
  int map_count;
} product;

static void add_fixed(product *p, const si_osim_place *place) {
  if (si_osim_is_identity(place)) return;
  si_osim_factor *last = p->count ? &p->factors[p->count - 1] : NULL;
  if (last && last->act == SI_OSIM_FIXED) {
    last->fixed = si_osim_mul(&last->fixed, place);
    if (si_osim_is_identity(&last->fixed)) p->count--;
    return;
  }
  p->factors[p->count++] = (si_osim_factor){ .act = SI_OSIM_FIXED, .fixed = *place, .label = "" };
}

static void add_inverse(product *p, const si_osim_factor *from) {
  if (from->act == SI_OSIM_FIXED) {
    si_osim_place back = si_osim_inverse(&from->fixed);
    add_fixed(p, &back);
    return;
  }
  si_osim_factor *f = &p->factors[p->count++];
  *f = *from;
  if (f->act == SI_OSIM_ROLL) f->act = SI_OSIM_UNROLL;
  for (int i = 0; i < 3; i++) {
    f->axis[i] = -f->axis[i];
    if (f->act != SI_OSIM_MOVE) continue;
    f->values[i].scale = -f->values[i].scale;
    f->values[i].constant = -f->values[i].constant;
  }
}

/* prepends the inverse of the product at rest, and stores that product in `rest` */
static void rest_product(si_osim_writer *w, product *p, si_osim_place *rest) {
  si_osim_place stand = si_osim_identity;
  for (int i = 0; i < p->count; i++) {
    si_osim_place next = si_osim_rest_factor(w, &p->factors[i]);
    stand = si_osim_mul(&stand, &next);
  }
  *rest = si_osim_mul(rest, &stand);
  if (si_osim_is_identity(&stand)) return;
  const si_osim_place back = si_osim_inverse(&stand);
  if (p->factors[0].act == SI_OSIM_FIXED) {
    p->factors[0].fixed = si_osim_mul(&back, &p->factors[0].fixed);
    if (!si_osim_is_identity(&p->factors[0].fixed)) return;
    memmove(p->factors, p->factors + 1, (size_t)--p->count * sizeof *p->factors);
    return;
  }
  memmove(p->factors + 1, p->factors, (size_t)p->count++ * sizeof *p->factors);
  p->factors[0] = (si_osim_factor){ .act = SI_OSIM_FIXED, .fixed = back, .label = "" };
}

/* makes the factors that move the body from its rest frame, which is its frame in its parent at the
 * coordinates' default values */
static void make_product(si_osim_writer *w, const si_osim_frame *body, product *p,
                         si_osim_place *rest) {
  const si_osim_model *m = w->m;
  const si_osim_joint *j = &m->joints[body->joint];
  const si_osim_place *far = body->inverse ? &j->parent_place : &j->child_place;
  *p = (product){ .joint = j->key };
  *rest = body->inverse ? j->child_place : j->parent_place;
  for (int i = 0; i < j->factor_count; i++) {
    const si_osim_factor *f = &j->factors[i];
    if (body->inverse != j->reverse)
      add_inverse(p, &j->factors[j->factor_count - 1 - i]);
    else if (f->act == SI_OSIM_FIXED)
      add_fixed(p, &f->fixed);
    else
      p->factors[p->count++] = *f;
  }
  const si_osim_place back = si_osim_inverse(far);
  add_fixed(p, &back);
  if (p->count > 0) rest_product(w, p, rest);
}

static int value_count(const si_osim_factor *f) {
  return f->act == SI_OSIM_TURN ? 1 : f->act == SI_OSIM_FIXED ? 0 : 3;
}

static bool is_angle(const si_osim_factor *f) { return f->act != SI_OSIM_MOVE; }

static bool needs_map(const si_osim_model *m, const si_osim_factor *f, int i) {
  const si_osim_value *v = &f->values[i];
  return v->count == 1 && !si_osim_is_plain(m, v, is_angle(f));
}

/* the name of the curve, or the sum, of a value */
static const char *label(const product *p, int factor, int i, char dest[32]) {
  const si_osim_factor *f = &p->factors[factor];
  int before = 0;
  for (int k = 0; k < factor; k++)
    before += p->factors[k].act == SI_OSIM_MOVE && !*p->factors[k].label;
  if (*f->label)
    snprintf(dest, 32, "%s", f->label);
  else if (f->act != SI_OSIM_MOVE)
    snprintf(dest, 32, "turn%d_%d", factor + 1, i + 1);
  else if (before == 0)
    snprintf(dest, 32, "%c", 'x' + i);
  else
    snprintf(dest, 32, "%c%d", 'x' + i, before + 1);
  return dest;
}

static int map_of(const product *p, int coordinate) {
  int at = 0;
  while (at < p->map_count && p->maps[at] != coordinate) at++;
  return at;
}

static void put_map_name(si_osim_writer *w, int map) {
  si_text_add(&w->text, "along");
  if (map) si_text_format(&w->text, "%d", map + 1);
}

static void put_map(si_osim_writer *w, const product *p, int map) {
  char name[32];
  si_text_add(&w->text, "  local ");
  put_map_name(w, map);
  si_text_add(&w->text, " = ");
  si_print_field(&w->text, "joint", p->joint);
  si_text_add(&w->text, ":map { ");
  si_print_field(&w->text, "coordinate", w->m->coordinates[p->maps[map]].key);
  si_text_add(&w->text, ",\n");
  for (int i = 0; i < p->count; i++) {
    const si_osim_factor *f = &p->factors[i];
    for (int k = 0; k < value_count(f); k++) {
      if (!needs_map(w->m, f, k) || f->values[k].coordinates[0] != p->maps[map]) continue;
      si_text_format(&w->text, "    %s = ", label(p, i, k, name));
      si_osim_put_curve(w, &f->values[k], is_angle(f), 4);
      si_text_add(&w->text, ",\n");
    }
  }
  si_text_add(&w->text, "  }\n");
}

/* finds the coordinates that need a map; true if there are local variables to write, for maps or
 * sums */
static bool find_maps(const si_osim_model *m, product *p) {
  bool sums = false;
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < value_count(&p->factors[i]); k++) {
      const si_osim_value *v = &p->factors[i].values[k];
      sums |= v->count > 1;
      if (needs_map(m, &p->factors[i], k) && map_of(p, v->coordinates[0]) == p->map_count)
        p->maps[p->map_count++] = v->coordinates[0];
    }
  return sums || p->map_count > 0;
}

static void put_locals(si_osim_writer *w, const product *p) {
  char name[32];
  for (int i = 0; i < p->map_count; i++) put_map(w, p, i);
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < value_count(&p->factors[i]); k++)
      if (p->factors[i].values[k].count > 1)
        si_osim_put_sum(w, &p->factors[i].values[k], is_angle(&p->factors[i]), p->joint,
                        label(p, i, k, name));
}

static void put_value(si_osim_writer *w, const product *p, int factor, int i) {
  char name[32];
  const si_osim_factor *f = &p->factors[factor];
  const si_osim_value *v = &f->values[i];
  if (si_osim_is_constant(v)) {
    si_osim_put_number(w, v->constant * si_osim_unit(is_angle(f)));
  } else if (v->count > 1) {
    si_text_add(&w->text, label(p, factor, i, name));
  } else if (needs_map(w->m, f, i)) {
    put_map_name(w, map_of(p, v->coordinates[0]));
    si_text_format(&w->text, ".%s", label(p, factor, i, name));
  } else {
    si_print_field(&w->text, "coordinate", w->m->coordinates[v->coordinates[0]].key);
  }
}

/* the axis of a rotation as a letter, x, y or z; 0 if it is another axis or has its own centre */
static char axis_letter(const si_osim_factor *f) {
  if (f->act != SI_OSIM_TURN || f->centre[0] != 0 || f->centre[1] != 0 || f->centre[2] != 0)
    return 0;
  for (int i = 0; i < 3; i++)
    if (f->axis[i] == 1 && f->axis[(i + 1) % 3] == 0 && f->axis[(i + 2) % 3] == 0)
      return (char)('x' + i);
  return 0;
}

/* whether three rotations about coordinate axes start at `at`: one euler component replaces them */
static bool is_euler(const product *p, int at, char order[4]) {
  if (at + 3 > p->count) return false;
  for (int i = 0; i < 3; i++)
    if (!(order[i] = axis_letter(&p->factors[at + i]))) return false;
  order[3] = '\0';
  return order[0] != order[1] && order[1] != order[2];
}

/* separates the arguments of a call: on one line, or each on its own line if `tall` is not 0 */
static void put_break(si_osim_writer *w, const char *sign, int tall) {
  si_text_add(&w->text, sign);
  if (tall)
    si_text_format(&w->text, "\n%*s", tall, "");
  else
    si_text_add(&w->text, " ");
}

static void put_turn(si_osim_writer *w, const product *p, int at, int tall) {
  const si_osim_factor *f = &p->factors[at];
  put_break(w, ":rotation {", tall);
  put_value(w, p, at, 0);
  put_break(w, ",", tall);
  si_text_add(&w->text, "axis = ");
  si_osim_put_vector(w, f->axis);
  if (f->centre[0] != 0 || f->centre[1] != 0 || f->centre[2] != 0) {
    put_break(w, ",", tall);
    si_text_add(&w->text, "centre = ");
    si_osim_put_vector(w, f->centre);
  }
}

static void put_three(si_osim_writer *w, const product *p, int at, const char *order, int tall) {
  put_break(w, order ? ":euler {" : ":translation {", tall);
  for (int i = 0; i < 3; i++) {
    put_value(w, p, order ? at + i : at, order ? 0 : i);
    if (i < 2) put_break(w, ",", tall);
  }
  if (!order) return;
  put_break(w, ",", tall);
  si_text_format(&w->text, "order = \"%s\"", order);
}

/* calls the functions that put_functions writes */
static void put_roll(si_osim_writer *w, const product *p, int at, int indent) {
  const si_osim_factor *f = &p->factors[at];
  si_text_add(&w->text, f->act == SI_OSIM_ROLL ? "on_ellipsoid(" : "off_ellipsoid(");
  si_print_field(&w->text, "joint", p->joint);
  for (int i = 0; i < 3; i++) {
    si_text_format(&w->text, ",\n%*s", indent + 2, "");
    put_value(w, p, at, i);
  }
  si_text_format(&w->text, ",\n%*s", indent + 2, "");
  si_osim_put_vector(w, f->radii);
  si_text_add(&w->text, ")");
}

/* writes the factors from `at` on that make one component; returns how many */
static int put_factor(si_osim_writer *w, const product *p, int at, int indent) {
  const si_osim_factor *f = &p->factors[at];
  char order[4];
  if (f->act == SI_OSIM_FIXED) {
    si_osim_put_matrix(w, &f->fixed, indent);
    return 1;
  }
  const bool euler = is_euler(p, at, order);
  if (f->act == SI_OSIM_ROLL || f->act == SI_OSIM_UNROLL) {
    put_roll(w, p, at, indent);
    return 1;
  }
  si_print_field(&w->text, "joint", p->joint);
  const size_t start = w->text.size;
  for (int tall = 0;; tall = indent + 2) {
    if (f->act == SI_OSIM_TURN && !euler)
      put_turn(w, p, at, tall);
    else
      put_three(w, p, at, euler ? order : NULL, tall);
    if (tall || si_osim_column(w) + 4 <= 100 || w->text.failed) {
      put_break(w, "", tall ? indent : 0);
      break;
    }
    w->text.size = start; /* too long for a line: write it again on several lines */
  }
  si_text_add(&w->text, "}");
  return euler ? 3 : 1;
}

static bool is_one_component(const product *p) {
  char order[4];
  return p->count == 1 || (p->count == 3 && is_euler(p, 0, order));
}

void si_osim_put_drive(si_osim_writer *w, const si_osim_frame *body) {
  product p;
  si_osim_place rest;
  const si_osim_model *m = w->m;
  const si_osim_joint *j = &m->joints[body->joint];
  make_product(w, body, &p, &rest);
  si_osim_put_segment(w, body, m->frames[body->inverse ? j->child : j->parent].key, &rest);
  if (p.count == 0) return;
  const bool locals = find_maps(m, &p);
  const char *indent = locals ? "  " : "";
  if (locals) si_text_add(&w->text, "do\n");
  put_locals(w, &p);
  si_text_add(&w->text, indent);
  si_print_field(&w->text, "body", body->key);
  si_text_add(&w->text, ":drive(");
  if (is_one_component(&p)) {
    put_factor(w, &p, 0, locals ? 2 : 0);
  } else {
    si_print_field(&w->text, "joint", p.joint);
    si_text_add(&w->text, ":multiply {\n");
    for (int i = 0; i < p.count;) {
      si_text_format(&w->text, "%s  ", indent);
      i += put_factor(w, &p, i, locals ? 4 : 2);
      si_text_add(&w->text, ",\n");
    }
    si_text_format(&w->text, "%s}", indent);
  }
  si_text_add(&w->text, locals ? ")\nend\n" : ")\n");
}
