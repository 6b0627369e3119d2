/* What Lua 5.4 answers without asking: `x == 0` with a recorded x is false, since a userdata and a
 * number are of different types, and `list[x]` is nil. The bytecode of every function that is
 * called while recording is searched for these, and before a line with one runs, its operands are
 * looked at. LuaJIT asks for comparisons; tables with recorded keys show there in the check. */
#include "base/alloc.h"
#include "lua/math/record.h"

#include <string.h>

#if LUA_VERSION_NUM == 501

void si_scan_function(lua_State *L, int function) {
  (void)function;
  lua_pushnil(L);
}

void si_scan_compare(lua_State *L, lua_Debug *frame, const void *scan) {
  (void)L, (void)frame, (void)scan;
}

#else

/* of Lua 5.4's instructions, those that matter here */
enum {
  OP_MOVE = 0,
  OP_LOADI = 1,
  OP_LOADF = 2,
  OP_LOADK = 3,
  OP_LOADFALSE = 5,
  OP_LOADNIL = 8,
  OP_GETUPVAL = 9,
  OP_SETUPVAL = 10,
  OP_GETTABUP = 11,
  OP_GETTABLE = 12,
  OP_GETFIELD = 14,
  OP_SETTABUP = 15,
  OP_SETTABLE = 16,
  OP_SETFIELD = 18,
  OP_NEWTABLE = 19,
  OP_SELF = 20,
  OP_ADDI = 21,
  OP_SHLI = 33,
  OP_ADD = 34,
  OP_SHR = 45,
  OP_MMBIN = 46,
  OP_MMBINK = 48,
  OP_UNM = 49,
  OP_NOT = 51,
  OP_LEN = 52,
  OP_CLOSE = 54,
  OP_JMP = 56,
  OP_EQ = 57,
  OP_EQK = 60,
  OP_EQI = 61,
  OP_TEST = 66,
  OP_TESTSET = 67,
  OP_CALL = 68,
  OP_TAILCALL = 69,
  OP_RETURN1 = 72,
  OP_FORLOOP = 73,
  OP_FORPREP = 74,
  OP_TFORPREP = 75,
  OP_TFORCALL = 76,
  OP_SETLIST = 78,
  OP_CLOSURE = 79,
  OP_VARARG = 80
};

/* what is known of an operand before its line runs */
enum { plain_number, plain_other, may_be, by_values };
enum { most_sources = 6 };

/* a value that decides: a register, or an upvalue as -1 - index; or the field of a table in it */
typedef struct source {
  int16_t at;
  const char *field; /* NULL: the value itself */
  size_t length;
} source;

typedef struct operand {
  uint8_t is, count;
  source from[most_sources];
} operand;

typedef struct comparison {
  int line;
  bool key; /* no comparison: a table is read by `a` */
  operand a, b;
} comparison;

typedef struct scan {
  int count;
  comparison found[];
} scan;

/* --- reading a dumped function */

typedef struct reader {
  const unsigned char *at, *end;
  bool failed;
} reader;

typedef struct dumped {
  const unsigned char *code, *lines, *constants;
  int code_count, constant_count, line_count, first_line, abs_count;
  const unsigned char *abs_lines, *locals;
  int local_count;
} dumped;

static const unsigned char *skip(reader *r, size_t bytes) {
  const unsigned char *at = r->at;
  if (r->failed || bytes > (size_t)(r->end - r->at)) {
    r->failed = true;
    return r->at = r->end;
  }
  r->at += bytes;
  return at;
}

static size_t read_size(reader *r) {
  size_t x = 0;
  unsigned char byte = 0;
  do {
    if (r->at == r->end || x >> 50) {
      r->failed = true;
      return 0;
    }
    byte = *r->at++;
    x = (x << 7) | (byte & 0x7f);
  } while (!(byte & 0x80));
  return x;
}

static void skip_string(reader *r) {
  size_t size = read_size(r);
  if (size > 0) skip(r, size - 1);
}

/* the type of a constant, which is passed */
static int skip_constant(reader *r) {
  int type = *skip(r, 1);
  if (r->failed) return 0;
  if (type == 0x13 || type == 0x03) skip(r, 8);
  if (type == 0x04 || type == 0x14) skip_string(r);
  return type;
}

static void read_function(reader *r, dumped *dest, int depth) {
  skip_string(r);
  dest->first_line = (int)read_size(r);
  read_size(r);
  skip(r, 3);
  dest->code_count = (int)read_size(r);
  dest->code = skip(r, 4 * (size_t)dest->code_count);
  dest->constant_count = (int)read_size(r);
  dest->constants = r->at;
  for (int i = 0; i < dest->constant_count && !r->failed; i++) skip_constant(r);
  skip(r, 3 * read_size(r));
  size_t inner = read_size(r);
  for (size_t i = 0; i < inner && !r->failed; i++) {
    dumped other;
    if (depth > 100) r->failed = true;
    if (!r->failed) read_function(r, &other, depth + 1);
  }
  dest->line_count = (int)read_size(r);
  dest->lines = skip(r, (size_t)dest->line_count);
  dest->abs_count = (int)read_size(r);
  dest->abs_lines = r->at;
  for (int i = 0; i < 2 * dest->abs_count && !r->failed; i++) read_size(r);
  dest->local_count = (int)read_size(r);
  dest->locals = r->at;
  for (int i = 0; i < dest->local_count && !r->failed; i++) {
    skip_string(r);
    read_size(r);
    read_size(r);
  }
  size_t names = read_size(r);
  for (size_t i = 0; i < names && !r->failed; i++) skip_string(r);
}

static uint32_t instruction(const dumped *d, int pc) {
  uint32_t i;
  memcpy(&i, d->code + 4 * (size_t)pc, sizeof i);
  return i;
}
static int op_of(uint32_t i) { return (int)(i & 0x7f); }
static int a_of(uint32_t i) { return (int)(i >> 7 & 0xff); }
static int b_of(uint32_t i) { return (int)(i >> 16 & 0xff); }
static int c_of(uint32_t i) { return (int)(i >> 24 & 0xff); }

static int constant_type(const dumped *d, const unsigned char *end, int index) {
  reader r = { d->constants, end, false };
  for (int i = 0; i < index; i++) skip_constant(&r);
  return skip_constant(&r);
}

/* the text of a constant; NULL if it is none */
static const char *constant_text(const dumped *d, const unsigned char *end, int index,
                                 size_t *length) {
  reader r = { d->constants, end, false };
  for (int i = 0; i < index; i++) skip_constant(&r);
  int type = *skip(&r, 1);
  if (r.failed || (type != 0x04 && type != 0x14)) return NULL;
  *length = read_size(&r) - 1;
  return (const char *)skip(&r, *length);
}

static int line_of(const dumped *d, const unsigned char *end, int pc) {
  int line = d->first_line, from = 0;
  reader r = { d->abs_lines, end, false };
  for (int i = 0; i < d->abs_count; i++) {
    int at = (int)read_size(&r), there = (int)read_size(&r);
    if (at > pc) break;
    line = there;
    from = at + 1;
  }
  for (int i = from; i <= pc && i < d->line_count; i++)
    if ((signed char)d->lines[i] != -0x80) line += (signed char)d->lines[i];
  return line;
}

/* how many registers are variables at an instruction */
static int variables_at(const dumped *d, const unsigned char *end, int pc) {
  reader r = { d->locals, end, false };
  int active = 0;
  for (int i = 0; i < d->local_count; i++) {
    skip_string(&r);
    int from = (int)read_size(&r), to = (int)read_size(&r);
    active += from <= pc && pc < to;
  }
  return active;
}

/* --- operands */

typedef struct search {
  const dumped *d;
  const unsigned char *end;
  int first; /* instruction of the line */
} search;

static void decided_by(operand *dest, source from) {
  if (dest->is == plain_number || dest->is == plain_other) dest->is = by_values;
  if (dest->count == most_sources)
    dest->is = may_be;
  else if (dest->is == by_values)
    dest->from[dest->count++] = from;
}

/* whether the instruction writes a register */
static bool writes(uint32_t i, int reg) {
  int op = op_of(i), a = a_of(i), b = b_of(i), c = c_of(i);
  if (op == OP_LOADNIL) return reg >= a && reg <= a + b;
  if (op == OP_SELF) return reg == a || reg == a + 1;
  if (op == OP_CALL) return reg >= a && (c == 0 || reg < a + c - 1);
  if (op == OP_FORLOOP || op == OP_FORPREP) return reg == a + 3;
  if (op == OP_TFORPREP) return reg >= a + 4;
  if (op == OP_VARARG) return reg >= a;
  if (op == OP_SETUPVAL || (op >= OP_SETTABUP && op <= OP_SETFIELD)) return false;
  if ((op >= OP_MMBIN && op <= OP_MMBINK) || (op >= OP_CLOSE && op <= OP_TEST)) return false;
  if ((op >= OP_TAILCALL && op <= OP_RETURN1) || op == OP_TFORCALL || op == OP_SETLIST ||
      op > OP_VARARG)
    return false;
  return reg == a;
}

static void trace(const search *s, int reg, int pc, operand *dest, int depth);

/* what the instruction at `at` writes to a register */
static void trace_written(const search *s, int reg, int at, operand *dest, int depth) {
  uint32_t i = instruction(s->d, at);
  int op = op_of(i), type = op == OP_LOADK ? constant_type(s->d, s->end, (int)(i >> 15)) : 0x13;
  bool number = op == OP_LEN || op == OP_LOADI || op == OP_LOADF || op == OP_FORLOOP ||
                op == OP_FORPREP || (op == OP_LOADK && (type & 0xf) == 3);
  bool other = op == OP_LOADK || (op >= OP_LOADFALSE && op <= OP_LOADNIL) || op == OP_NEWTABLE ||
               op == OP_NOT || op == OP_CLOSURE;
  bool sum = (op >= OP_ADDI && op <= OP_SHR) || op == OP_UNM || op == OP_MOVE || op == OP_TESTSET;
  source from = { 0 };
  operand table = { 0 };
  if (number) return;
  if (op == OP_TFORPREP) { /* the loop comes back to its line, with a value, before its body */
    decided_by(dest, (source){ .at = (int16_t)reg });
  } else if (other) {
    if (dest->is == plain_number && !dest->count) dest->is = plain_other;
  } else if (op == OP_GETUPVAL) {
    decided_by(dest, (source){ .at = (int16_t)(-1 - b_of(i)) });
  } else if (op == OP_GETTABUP || op == OP_GETFIELD) {
    from.field = constant_text(s->d, s->end, c_of(i), &from.length);
    from.at = (int16_t)(-1 - b_of(i));
    if (op == OP_GETFIELD) {
      trace(s, b_of(i), at, &table, depth + 1);
      bool one = table.is == by_values && table.count == 1 && !table.from[0].field;
      if (one) from.at = table.from[0].at;
      if (!one) from.field = NULL;
    }
    if (from.field)
      decided_by(dest, from);
    else
      dest->is = may_be;
  } else if (sum && depth < 8) {
    trace(s, b_of(i), at, dest, depth + 1);
    if (op >= OP_ADD && op <= OP_SHR) trace(s, c_of(i), at, dest, depth + 1);
  } else {
    dest->is = may_be;
  }
}

/* where the instruction at `pc` may jump to; 0: nowhere, or back */
static int jump_of(const dumped *d, int pc) {
  uint32_t i = instruction(d, pc);
  int op = op_of(i), to = 0;
  if (op == OP_JMP) to = pc + 1 + (int)(i >> 7) - 0xffffff;
  if (op == OP_FORPREP || op == OP_TFORPREP) to = pc + 2 + (int)(i >> 15);
  return to > pc ? to : 0;
}

/* whether a jump in the line leads past the instruction at `at`, to `pc` or before it */
static bool may_be_skipped(const search *s, int at, int pc) {
  for (int i = s->first; i < at; i++) {
    int to = jump_of(s->d, i);
    if (to > at && to <= pc) return true;
  }
  return false;
}

/* what a register may hold before the instruction at `pc`: what its line has written last on each
 * way, and what a variable holds when the line begins or a loop comes back to it */
static void trace(const search *s, int reg, int pc, operand *dest, int depth) {
  bool open = true;
  for (int at = pc - 1; at >= s->first && open && dest->is != may_be; at--)
    if (writes(instruction(s->d, at), reg)) {
      trace_written(s, reg, at, dest, depth);
      open = may_be_skipped(s, at, pc);
    }
  if (dest->is == may_be) return;
  if (reg < variables_at(s->d, s->end, pc))
    decided_by(dest, (source){ .at = (int16_t)reg });
  else if (open)
    dest->is = may_be;
}

static bool read_comparison(search *s, int pc, comparison *dest) {
  uint32_t i = instruction(s->d, pc);
  int op = op_of(i);
  bool key = op == OP_GETTABLE;
  if (op != OP_EQ && op != OP_EQK && op != OP_EQI && !key) return false;
  /* with a text, nil, true or false there is nothing to ask */
  if (op == OP_EQK && (constant_type(s->d, s->end, b_of(i)) & 0xf) != 3) return false;
  *dest = (comparison){ .line = line_of(s->d, s->end, pc), .key = key };
  s->first = pc;
  while (s->first > 0 && line_of(s->d, s->end, s->first - 1) == dest->line) s->first--;
  trace(s, key ? c_of(i) : a_of(i), pc, &dest->a, 0);
  if (op == OP_EQ) trace(s, b_of(i), pc, &dest->b, 0);
  return true;
}

static int write_bytes(lua_State *L, const void *bytes, size_t size, void *user) {
  (void)L;
  si_text_add_n(user, bytes, size);
  return 0;
}

void si_scan_function(lua_State *L, int function) {
  si_text text = { 0 };
  int top = lua_gettop(L);
  luaL_checkstack(L, 8, "bytecode");
  lua_pushvalue(L, function);
  lua_dump(L, write_bytes, &text, 0);
  size_t size = text.size;
  char *copy = text.failed ? NULL : si_arena_text(&si_recording_of(L)->arena, text.at, size);
  si_free(text.at);
  if (!copy) luaL_error(L, "out of memory");
  const unsigned char *bytes = (const void *)copy;
  reader r = { bytes, bytes + size, false };
  /* signature, version, format, data, sizes of instruction, integer and number, two samples, the
   * count of upvalues */
  const unsigned char *head = skip(&r, 32);
  dumped d = { 0 };
  static const unsigned char wanted[] = { 0x1b, 'L',  'u',  'a',  0x54, 0, 0x19, 0x93,
                                          '\r', '\n', 0x1a, '\n', 4,    8, 8 };
  if (r.failed || memcmp(head, wanted, sizeof wanted) != 0) r.failed = true;
  if (!r.failed) read_function(&r, &d, 0);
  if (r.failed) si_recording_refuse(L, "the bytecode of this Lua is not known");
  search s = { &d, r.end, 0 };
  comparison one;
  int count = 0;
  for (int pc = 0; pc < d.code_count; pc++) count += read_comparison(&s, pc, &one);
  if (count) {
    scan *made = lua_newuserdatauv(L, sizeof *made + (size_t)count * sizeof one, 0);
    made->count = 0;
    for (int pc = 0; pc < d.code_count && made->count < count; pc++)
      if (read_comparison(&s, pc, &one)) made->found[made->count++] = one;
    lua_replace(L, top + 1);
  } else {
    lua_pushnil(L);
    lua_replace(L, top + 1);
  }
  lua_settop(L, top + 1);
}

/* --- before a line runs */

enum { is_plain_number, is_plain_other, is_recorded, is_unknown };

/* false if the register is no variable yet: its line sets it later, and is asked again then */
static bool is_set(lua_State *L, lua_Debug *frame, const source *from) {
  const char *name = from->at < 0 ? "" : lua_getlocal(L, frame, from->at + 1);
  if (from->at >= 0 && name) lua_pop(L, 1);
  return name && *name != '(';
}

/* pushes the value of a register or upvalue, or of a field of it; false if it is not known */
static bool push_source(lua_State *L, lua_Debug *frame, const source *from) {
  if (from->at >= 0) {
    if (!lua_getlocal(L, frame, from->at + 1)) return false;
  } else {
    lua_getinfo(L, "f", frame);
    const char *name = lua_getupvalue(L, -1, -from->at);
    lua_remove(L, name ? -2 : -1);
    if (!name) return false;
  }
  if (!from->field) return true;
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  lua_pushlstring(L, from->field, from->length);
  lua_pushvalue(L, -1);
  lua_rawget(L, -3);
  if (lua_isnil(L, -1) && luaL_getmetafield(L, -3, "__index") != LUA_TNIL) {
    bool ours = lua_iscfunction(L, -1);
    lua_pop(L, 2);
    lua_pushvalue(L, -1);
    if (ours)
      lua_gettable(L, -3);
    else
      lua_pop(L, 1);
    lua_pop(L, ours ? 0 : 2);
    if (!ours) return false;
  }
  lua_replace(L, -3);
  lua_pop(L, 1);
  return true;
}

static int state_of(lua_State *L, lua_Debug *frame, const operand *x) {
  if (x->is == plain_number) return is_plain_number;
  if (x->is == plain_other) return is_plain_other;
  if (x->is == may_be) return is_unknown;
  int state = is_plain_number;
  for (int i = 0; i < x->count; i++) {
    if (!is_set(L, frame, &x->from[i])) continue;
    if (!push_source(L, frame, &x->from[i])) {
      if (state != is_recorded) state = is_unknown;
      continue;
    }
    if (si_recorded_test(L, -1))
      state = is_recorded;
    else if (state == is_plain_number && lua_type(L, -1) != LUA_TNUMBER)
      state = is_plain_other;
    lua_pop(L, 1);
  }
  return state;
}

void si_scan_compare(lua_State *L, lua_Debug *frame, const void *user) {
  const scan *s = user;
  lua_getinfo(L, "l", frame);
  luaL_checkstack(L, 8, "comparisons");
  for (int i = 0; i < s->count; i++) {
    const comparison *c = &s->found[i];
    if (c->line != frame->currentline) continue;
    int a = state_of(L, frame, &c->a), b = state_of(L, frame, &c->b);
    if (c->key && a == is_recorded)
      si_recording_refuse(L, "a table is read by a recorded key; use comparisons, or a curve "
                             "parameter");
    if (c->key) continue;
    bool asked = a == is_recorded && b == is_recorded;
    bool possible = a >= is_recorded || b >= is_recorded;
    if (asked || !possible || a == is_plain_other || b == is_plain_other) continue;
    const char *more =
        a == is_unknown || b == is_unknown
            ? "; if it is a plain number, put it into a local variable on a line before"
            : "";
    si_recording_refuse(L,
                        "'==' or '~=' of a recorded value and a number cannot be recorded; use <, "
                        "<=, > or >=, such as 'math.abs(x) < 1e-9'%s",
                        more);
  }
}

#endif
