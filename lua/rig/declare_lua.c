/* The declaration of a scripted component. A port is a text, of which all but the name may be left
 * out:
 *
 *   name (unit or kind) = default: doc          "slack (m) = 0: how far it gives"
 *   name: unit or kind                          "frame: matrix", the same as "frame (matrix)"
 *   name (segment) from other                   its frame, seen from the segment in `other`
 *
 * A parameter is its default, or a table with more: { 0.2, unit = "m", min = 0, doc = "..." }. Its
 * type is that of the default, or `kind`: without a default it must be given. */
#include "lua/rig/declare_lua.h"

#include "base/text.h"
#include "lua/math/options.h"
#include "lua/shape/shape_lua.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *si_lay(si_layout *l, size_t bytes, size_t align) {
  size_t at = (l->used + align - 1) / align * align;
  l->used = at + bytes;
  if (l->base && l->used > l->room)
    luaL_error(l->L, "sinew.component: its tables changed while being read");
  return l->base ? l->base + at : NULL;
}

const char *si_lay_text(si_layout *l, const char *text, size_t length) {
  char *copy = si_lay(l, length + 1, 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

static int wrong(const si_layout *l, const char *what) {
  return luaL_error(l->L, "%s: %s", l->who, what);
}

/* --- ports */

typedef struct span {
  const char *at;
  size_t length;
} span;

static span trimmed(const char *from, size_t length) {
  while (length && (*from == ' ' || *from == '\n')) from++, length--;
  while (length && (from[length - 1] == ' ' || from[length - 1] == '\n')) length--;
  return (span){ from, length };
}

static bool is(span s, const char *word) {
  return strlen(word) == s.length && memcmp(s.at, word, s.length) == 0;
}

/* a port's text in parts; those that are missing have no address */
typedef struct port_text {
  const char *text, *field; /* for messages: the whole, and "inputs" or "outputs" */
  span name, kind, from, fallback, doc;
} port_text;

static int wrong_port(const si_layout *l, const port_text *p, const char *what) {
  return wrong(l, lua_pushfstring(l->L, "'%s' in '%s': %s", p->text, p->field, what));
}

static void split_port(const si_layout *l, port_text *p) {
  size_t length = strcspn(p->text, "(=:");
  const char *at = p->text + length;
  p->name = trimmed(p->text, length);
  bool bracket = *at == '(';
  if (bracket) {
    length = strcspn(at, ")");
    if (!at[length]) wrong_port(l, p, "')' is missing");
    p->kind = trimmed(at + 1, length - 1);
    at += length + 1;
    length = strcspn(at, "=:");
    span after = trimmed(at, length);
    if (after.length > 5 && memcmp(after.at, "from ", 5) == 0)
      p->from = trimmed(after.at + 5, after.length - 5);
    else if (after.length)
      wrong_port(l, p, "after ')' comes '= default', ': doc' or the end");
    at += length;
  }
  if (*at == '=') {
    length = strcspn(at, ":");
    p->fallback = trimmed(at + 1, length - 1);
    at += length;
  }
  if (*at != ':') return;
  p->doc = trimmed(at + 1, strlen(at + 1));
  /* "angle: rad"; a single word is no doc, so that a wrong kind is found */
  if (bracket || memchr(p->doc.at, ' ', p->doc.length)) return;
  p->kind = p->doc;
  p->doc = (span){ NULL, 0 };
}

/* a word of the brackets: a kind, or a unit */
static void read_word(const si_layout *l, const port_text *p, span word, sinew_port_desc *dest,
                      si_port_more *more) {
  if (more && is(word, "segment")) {
    more->segment = true;
    dest->kind = SINEW_MATRIX;
    return;
  }
  for (int kind = SINEW_SCALAR; kind <= SINEW_MATRIX; kind++)
    if (is(word, sinew_kind_name((sinew_kind)kind))) {
      dest->kind = (sinew_kind)kind;
      return;
    }
  lua_pushlstring(l->L, word.at ? word.at : "", word.length);
  const char *name = lua_tostring(l->L, -1);
  const si_unit *unit = *name ? si_unit_find(name) : NULL;
  if (!unit) {
    wrong_port(l, p,
               lua_pushfstring(l->L,
                               "the kind must be scalar, vector or matrix%s, or a "
                               "unit: %s",
                               more ? " (or segment)" : "", si_unit_unknown_push(l->L, name)));
    return;
  }
  dest->unit = unit->name;
  lua_pop(l->L, 1);
}

static void read_kind(const si_layout *l, const port_text *p, sinew_port_desc *dest,
                      si_port_more *more) {
  if (!p->kind.at) return;
  const char *comma = memchr(p->kind.at, ',', p->kind.length);
  size_t first = comma ? (size_t)(comma - p->kind.at) : p->kind.length;
  read_word(l, p, trimmed(p->kind.at, first), dest, more);
  if (comma) read_word(l, p, trimmed(comma + 1, p->kind.length - first - 1), dest, more);
  double size = si_unit_find(dest->unit)->size;
  if (size != 1 && (!more || l->builds || dest->kind != SINEW_SCALAR))
    wrong_port(l, p,
               lua_pushfstring(l->L, "only %s of an eval are converted; write %s",
                               more && !l->builds ? "scalar inputs" : "inputs",
                               si_unit_find(dest->unit)->carried));
  if (more) more->scale = 1 / size;
}

/* the numbers of "0, 0, 1"; false if there are not that many, or other text */
static bool read_numbers(span text, int count, double *dest) {
  for (int i = 0; i < count; i++) {
    const char *comma = i + 1 < count ? memchr(text.at, ',', text.length) : NULL;
    if (i + 1 < count && !comma) return false;
    size_t length = comma ? (size_t)(comma - text.at) : text.length;
    span number = trimmed(text.at, length);
    if (!si_text_double(number.at, number.length, &dest[i]) || !isfinite((float)dest[i]))
      return false;
    if (comma) text = (span){ comma + 1, text.length - length - 1 };
  }
  return true;
}

static void read_fallback(const si_layout *l, const port_text *p, sinew_port_desc *dest,
                          si_port_more *more) {
  double numbers[3] = { 0 };
  if (!p->fallback.at) return;
  if (!more || more->segment)
    wrong_port(l, p, more ? "a segment has no default" : "an output has no default");
  if (dest->kind == SINEW_MATRIX && !is(p->fallback, "identity"))
    wrong_port(l, p, "the default of a matrix can only be 'identity'");
  if (dest->kind == SINEW_VECTOR && !read_numbers(p->fallback, 3, numbers))
    wrong_port(l, p, "the default must be three numbers, such as 0, 0, 1");
  if (dest->kind == SINEW_SCALAR && !read_numbers(p->fallback, 1, numbers))
    wrong_port(l, p, "the default must be a number");
  for (int i = 0; i < 3; i++) more->fallback[i] = (float)numbers[i];
  dest->fallback = dest->kind == SINEW_SCALAR ? (float)(numbers[0] / more->scale) : 0;
  more->optional = true;
  /* the engine knows no other vector than 0, so the binding wires these as constants */
  if (dest->kind != SINEW_VECTOR || (numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 0))
    dest->flags |= SINEW_PORT_OPTIONAL;
}

static sinew_port_desc read_port(si_layout *l, const char *text, si_port_more *more) {
  lua_State *L = l->L;
  sinew_port_desc port = { .kind = SINEW_SCALAR, .unit = "" };
  port_text p = { .text = text, .field = more ? "inputs" : "outputs" };
  split_port(l, &p);
  lua_pushlstring(L, p.name.at, p.name.length);
  const char *fault = si_name_fault(lua_tostring(L, -1));
  if (fault) wrong_port(l, &p, lua_pushfstring(L, "the name %s", fault));
  lua_pop(L, 1);
  read_kind(l, &p, &port, more);
  read_fallback(l, &p, &port, more);
  if (p.from.at && !(more && more->segment))
    wrong_port(l, &p, "only a segment is seen 'from' another");
  if (p.from.at) more->from = si_lay_text(l, p.from.at, p.from.length);
  port.name = si_lay_text(l, p.name.at, p.name.length);
  port.doc = si_lay_text(l, p.doc.at ? p.doc.at : "", p.doc.length);
  return port;
}

sinew_port_desc *si_declare_ports(si_layout *l, int list, int count, si_port_more *more) {
  lua_State *L = l->L;
  const char *field = more ? "inputs" : "outputs";
  sinew_port_desc *ports = si_lay(l, ((size_t)count + 1) * sizeof *ports, 16);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      wrong(l, lua_pushfstring(L, "'%s' must be a table of names, such as {\"angle\"}", field));
    if (more) more[i] = (si_port_more){ .scale = 1 };
    sinew_port_desc port = read_port(l, lua_tostring(L, -1), more ? &more[i] : NULL);
    lua_pop(L, 1);
    if (!ports) continue;
    ports[i] = port;
    for (int k = 0; k < i; k++)
      if (strcmp(ports[k].name, port.name) == 0)
        wrong(l, lua_pushfstring(L, "duplicate '%s' in '%s'", port.name, field));
  }
  return ports;
}

static bool named(const sinew_port_desc *ports, const char *name) {
  for (; ports && ports->name; ports++)
    if (strcmp(ports->name, name) == 0) return true;
  return false;
}

void si_declare_check(const si_layout *l, const sinew_port_desc *inputs, const si_port_more *more,
                      const sinew_param_desc *params) {
  for (int i = 0; inputs[i].name; i++) {
    const char *from = more[i].from;
    bool found = !from;
    for (int k = 0; !found && inputs[k].name; k++)
      found = k != i && more[k].segment && strcmp(inputs[k].name, from) == 0;
    for (int k = 0; !found && params[k].name; k++)
      found = params[k].type == SINEW_PARAM_SEGMENT && strcmp(params[k].name, from) == 0;
    if (!found)
      wrong(l, lua_pushfstring(l->L,
                               "input '%s': 'from %s' names neither another input nor a parameter "
                               "that is a segment",
                               inputs[i].name, from));
  }
}

/* --- parameters */

typedef struct description {
  const char *kind, *unit, *doc;
  float min, max;
} description;
static const si_option description_options[] = {
  SI_OPTION(description, kind, TEXT),  SI_OPTION(description, unit, TEXT),
  SI_OPTION(description, doc, TEXT),   SI_OPTION(description, min, NUMBER),
  SI_OPTION(description, max, NUMBER), SI_OPTION_END_OF_LIST,
};

/* whether the value on top of the stack is a table with more than a default */
static bool describes(lua_State *L) {
  bool found = false;
  for (int i = 0; lua_istable(L, -1) && description_options[i].name; i++) {
    si_raw_field(L, lua_gettop(L), description_options[i].name);
    found |= !lua_isnil(L, -1);
    lua_pop(L, 1);
  }
  return found;
}

void si_declare_push_default(lua_State *L) {
  if (describes(L))
    lua_rawgeti(L, -1, 1);
  else
    lua_pushvalue(L, -1);
}

/* the type of the default on top of the stack, and its fallback where the engine has one */
static sinew_param_type type_of(const si_layout *l, const char *name, float fallback[3]) {
  lua_State *L = l->L;
  float vector[3];
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    *fallback = (float)lua_tonumber(L, -1);
    if (!isfinite(*fallback))
      wrong(l, lua_pushfstring(L, "the default of '%s' is not finite", name));
    return SINEW_PARAM_NUMBER;
  case LUA_TBOOLEAN: *fallback = (float)lua_toboolean(L, -1); return SINEW_PARAM_FLAG;
  case LUA_TSTRING: return SINEW_PARAM_TEXT;
  default: break;
  }
  if (si_curve_test(L, -1)) return SINEW_PARAM_CURVE;
  if (si_mat4_test(L, -1)) return SINEW_PARAM_MATRIX;
  if (si_lua_test(L, -1, &si_cone_type) || si_lua_test(L, -1, &si_field_type))
    return SINEW_PARAM_OBJECT;
  if (si_vec3_read(L, -1, fallback)) {
    if (!isfinite(fallback[0]) || !isfinite(fallback[1]) || !isfinite(fallback[2]))
      wrong(l, lua_pushfstring(L, "the default of '%s' is not finite", name));
    return SINEW_PARAM_VECTOR;
  }
  if (!lua_istable(L, -1))
    wrong(l,
          lua_pushfstring(L, "the default of '%s' cannot be a %s", name, si_lua_typename(L, -1)));
  lua_rawgeti(L, -1, 1);
  bool vectors = si_vec3_read(L, -1, vector);
  lua_pop(L, 1);
  return vectors ? SINEW_PARAM_VECTORS : SINEW_PARAM_NUMBERS;
}

/* the unit of a parameter that is an object says its class */
static const char *object_word(lua_State *L) {
  return si_lua_test(L, -1, &si_cone_type) ? "a cone" : "a field";
}

static const struct {
  const char *word;
  sinew_param_type type;
  const char *unit; /* of an object */
} kinds[] = {
  { "number", SINEW_PARAM_NUMBER, "" },       { "flag", SINEW_PARAM_FLAG, "" },
  { "text", SINEW_PARAM_TEXT, "" },           { "vector", SINEW_PARAM_VECTOR, "" },
  { "matrix", SINEW_PARAM_MATRIX, "" },       { "numbers", SINEW_PARAM_NUMBERS, "" },
  { "vectors", SINEW_PARAM_VECTORS, "" },     { "curve", SINEW_PARAM_CURVE, "" },
  { "segment", SINEW_PARAM_SEGMENT, "" },     { "cone", SINEW_PARAM_OBJECT, "a cone" },
  { "field", SINEW_PARAM_OBJECT, "a field" }, { NULL, SINEW_PARAM_NONE, "" },
};

/* a kind as an index of `kinds`; -1: not given */
static int find_kind(lua_State *L, const char *word, const char *who) {
  if (!word) return -1;
  si_nearest nearest;
  si_nearest_start(&nearest, word);
  for (int i = 0; kinds[i].word; i++) {
    if (strcmp(kinds[i].word, word) == 0) return i;
    si_nearest_offer(&nearest, kinds[i].word);
  }
  char words[160];
  return luaL_error(L, "%s: there is no kind '%s'%s", who, word,
                    si_nearest_words(&nearest, words, sizeof words));
}

/* { 0.2, kind =, unit =, doc =, min =, max = }, on top of the stack */
static void read_description(si_layout *l, const char *name, sinew_param_desc *dest) {
  lua_State *L = l->L;
  int at = lua_gettop(L);
  description d = { .min = -INFINITY, .max = INFINITY };
  const char *who = lua_pushfstring(L, "%s: parameter '%s'", l->who, name);
  const unsigned given = si_options_read(L, at, who, description_options, &d);
  const bool low = given & 8, high = given & 16;
  int kind = find_kind(L, d.kind, who);
  dest->min = d.min;
  dest->max = d.max;
  if (d.unit) dest->unit = si_lay_text(l, d.unit, strlen(d.unit));
  if (d.doc) dest->doc = si_lay_text(l, d.doc, strlen(d.doc));
  lua_rawgeti(L, at, 1);
  if (!lua_isnil(L, -1)) dest->type = type_of(l, name, dest->fallback);
  if (kind >= 0 && (lua_isnil(L, -1) || kinds[kind].type == SINEW_PARAM_SEGMENT))
    dest->type = kinds[kind].type;
  if (kind >= 0 && kinds[kind].type == SINEW_PARAM_NUMBERS) dest->type = SINEW_PARAM_NUMBERS;
  if (kind >= 0 && dest->type != kinds[kind].type)
    luaL_error(L, "%s: its default is a %s, not a %s", who, sinew_param_type_name(dest->type),
               kinds[kind].word);
  if (lua_isnil(L, -1)) {
    if (kind < 0) luaL_error(L, "%s: give a default, or 'kind'", who);
    dest->flags |= SINEW_PARAM_REQUIRED;
  }
  if (dest->type == SINEW_PARAM_OBJECT) {
    dest->unit = lua_isnil(L, -1) && kind >= 0 ? kinds[kind].unit : object_word(L);
    if (kind >= 0 && strcmp(dest->unit, kinds[kind].unit) != 0)
      luaL_error(L, "%s: its default is %s, not %s", who, dest->unit, kinds[kind].unit);
  }
  bool ranged = dest->type == SINEW_PARAM_NUMBER || dest->type == SINEW_PARAM_NUMBERS;
  if ((low || high) && !ranged) luaL_error(L, "%s: 'min' and 'max' are only for numbers", who);
  if (!(dest->min < dest->max)) luaL_error(L, "%s: 'min' must be less than 'max'", who);
  if (!low && !high) dest->min = dest->max = 0;
  if (lua_type(L, -1) == LUA_TNUMBER && ranged && (low || high) &&
      (dest->fallback[0] < dest->min || dest->fallback[0] > dest->max))
    luaL_error(L, "%s: its default is outside its range", who);
  lua_settop(L, at);
}

static int compare_params(const void *a, const void *b) {
  return strcmp(((const sinew_param_desc *)a)->name, ((const sinew_param_desc *)b)->name);
}

sinew_param_desc *si_declare_params(si_layout *l, int table, const sinew_port_desc *inputs) {
  lua_State *L = l->L;
  size_t count = 0, at = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) lua_pop(L, 1), count++;
  sinew_param_desc *params = si_lay(l, (count + 2) * sizeof *params, 16);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      wrong(l, "'params' must be given by name, such as { stiffness = 1 }");
    size_t length;
    const char *name = lua_tolstring(L, -2, &length);
    if (strcmp(name, "self") == 0 || strcmp(name, "name") == 0)
      wrong(l, lua_pushfstring(L, "a parameter cannot be named '%s'", name));
    if (named(inputs, name))
      wrong(l, lua_pushfstring(L, "'%s' is both an input and a parameter", name));
    const char *copy = si_lay_text(l, name, length);
    sinew_param_desc d = { .name = copy, .unit = "", .doc = "a parameter of the script's" };
    if (describes(L)) {
      read_description(l, name, &d);
    } else {
      d.type = type_of(l, name, d.fallback);
      if (d.type == SINEW_PARAM_OBJECT) d.unit = object_word(L);
    }
    if (params && at < count) params[at++] = d;
    lua_pop(L, 1);
  }
  if (!params) return NULL;
  qsort(params, at, sizeof *params, compare_params);
  params[at] = (sinew_param_desc){ .name = "self",
                                   .type = SINEW_PARAM_OBJECT,
                                   .unit = "the script's own",
                                   .doc = "the instance in Lua" };
  return params;
}

/* --- holds */

static int compare_holds(const void *a, const void *b) {
  return strcmp(((const sinew_hold_desc *)a)->port, ((const sinew_hold_desc *)b)->port);
}

sinew_hold_desc *si_declare_holds(si_layout *l, int table, const sinew_port_desc *inputs,
                                  const sinew_port_desc *outputs, int *count) {
  lua_State *L = l->L;
  int at = 0;
  *count = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) ++*count;
  if (*count > 2 * SI_SCRIPT_PORTS) wrong(l, "more holds than ports");
  sinew_hold_desc *holds = si_lay(l, ((size_t)*count + 1) * sizeof *holds, 16);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
      wrong(l, "'holds' must say by what each port is held, such as { length = \"its range\" }");
    size_t length, words;
    const char *port = lua_tolstring(L, -2, &length), *doc = lua_tolstring(L, -1, &words);
    if (holds && !named(inputs, port) && !named(outputs, port)) {
      si_nearest nearest;
      char near[160];
      si_nearest_start(&nearest, port);
      for (const sinew_port_desc *p = inputs; p->name; p++) si_nearest_offer(&nearest, p->name);
      for (const sinew_port_desc *p = outputs; p->name; p++) si_nearest_offer(&nearest, p->name);
      wrong(l, lua_pushfstring(L, "'holds': there is no input or output '%s'%s", port,
                               si_nearest_words(&nearest, near, sizeof near)));
    }
    sinew_hold_desc hold = { si_lay_text(l, port, length), si_lay_text(l, doc, words) };
    if (holds && at < *count) holds[at++] = hold;
  }
  if (holds) qsort(holds, (size_t)at, sizeof *holds, compare_holds);
  return holds;
}
