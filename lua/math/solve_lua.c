/* Equations inside a component: sinew.root, sinew.newton and sinew.contact. On plain numbers they
 * are solved in doubles; on duals the derivative follows from the equation (implicit function);
 * while eval is recorded they become one operation of its program. */
#include "lua/math/recording.h"

#include "math/contact.h"
#include "math/tape.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { default_root_steps = 24, default_newton_steps = 12, plain_steps = 200 };

static double value_at(lua_State *L, int index, const char *what) {
  si_dual x;
  if (!si_dual_read(L, index, &x) || x.count != 1)
    luaL_error(L, "%s must be a number, not %s", what, si_lua_typename(L, index));
  return x.is[0];
}

/* --- plain numbers: the function is at 1 */

/* f at some numbers; results are values, and with `rates` also their rates */
static void call(lua_State *L, const double *x, int count, int moving, double *dest,
                 double *rates) {
  int top = lua_gettop(L);
  lua_pushvalue(L, 1);
  for (int i = 0; i < count; i++)
    si_dual_push(L, &(si_dual){ .count = 1, .moves = i == moving, .is = { x[i] }, .by = { 1 } });
  lua_call(L, count, count);
  for (int i = 0; i < count; i++) {
    dest[i] = value_at(L, top + 1 + i, "a result of the function");
    si_dual result;
    if (rates && si_dual_read(L, top + 1 + i, &result)) rates[i] = result.by[0];
  }
  lua_settop(L, top);
}

static double call1(lua_State *L, double x) {
  double y;
  call(L, &x, 1, -1, &y, NULL);
  return y;
}

/* the sign change between low and high: secants, and halves where they do not help */
static double find_root(lua_State *L, double low, double high) {
  double at_low = call1(L, low), at_high = call1(L, high);
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  if ((at_low < 0) == (at_high < 0)) return high;
  for (int i = 0; i < plain_steps; i++) {
    double middle = 0.5 * (low + high);
    double x = low - at_low * (high - low) / (at_high - at_low);
    if (i % 3 == 2 || !(x > fmin(low, high) && x < fmax(low, high))) x = middle;
    if (!(middle > fmin(low, high) && middle < fmax(low, high))) break;
    double y = call1(L, x);
    if (y == 0) return x;
    if ((y < 0) == (at_low < 0)) {
      low = x;
      at_low = y;
    } else {
      high = x;
      at_high = y;
    }
  }
  return fabs(at_low) <= fabs(at_high) ? low : high;
}

static bool solve_linear(double m[3][4], int n) {
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int i = c + 1; i < n; i++)
      if (fabs(m[i][c]) > fabs(m[best][c])) best = i;
    if (!(fabs(m[best][c]) > 0)) return false;
    for (int k = 0; k <= n; k++) {
      double swap = m[c][k];
      m[c][k] = m[best][k];
      m[best][k] = swap;
    }
    for (int i = 0; i < n; i++) {
      double share = i == c ? 0 : m[i][c] / m[c][c];
      for (int k = c; k <= n; k++) m[i][k] -= share * m[c][k];
    }
  }
  for (int i = 0; i < n; i++) m[i][n] /= m[i][i];
  return true;
}

static double norm(const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += y[i] * y[i];
  return sum;
}

/* fills the columns of the Jacobian by differences */
static void differences(lua_State *L, const double *x, int n, double m[3][4]) {
  for (int c = 0; c < n; c++) {
    double moved[3], above[3], below[3], h = 1e-6 * (1 + fabs(x[c]));
    memcpy(moved, x, (size_t)n * sizeof *x);
    moved[c] = x[c] + h;
    call(L, moved, n, -1, above, NULL);
    moved[c] = x[c] - h;
    call(L, moved, n, -1, below, NULL);
    for (int i = 0; i < n; i++) m[i][c] = (above[i] - below[i]) / (2 * h);
  }
}

/* as many steps as in a program, so that both give the same where there is no zero */
static void find_zeros(lua_State *L, int n, double *x) {
  double y[3], m[3][4];
  for (int step = 0; step < default_newton_steps; step++) {
    call(L, x, n, -1, y, NULL);
    if (norm(y, n) == 0) return;
    differences(L, x, n, m);
    for (int i = 0; i < n; i++) m[i][n] = -y[i];
    if (!solve_linear(m, n)) return;
    double moved = 0, size = 0;
    for (int i = 0; i < n; i++) {
      if (!isfinite(m[i][n])) return;
      moved = fmax(moved, fabs(m[i][n]));
      size = fmax(size, fabs(x[i]));
    }
    for (int i = 0; i < n; i++) x[i] += m[i][n];
    if (moved <= 2.3e-16 * size) return;
  }
}

/* Pushes the zeros x. What the function captured may be dual: with rates p of the results at x, and
 * those of the results as x moves, m, the zeros have the rates -p / m. */
static int push_zeros(lua_State *L, const double *x, int n) {
  double y[3], still[3] = { 0 }, m[3][4];
  call(L, x, n, -1, y, still);
  bool moves = norm(still, n) > 0;
  for (int c = 0; moves && c < n; c++) {
    double rates[3] = { 0 };
    call(L, x, n, c, y, rates);
    for (int i = 0; i < n; i++) m[i][c] = rates[i] - still[i];
  }
  for (int i = 0; i < n; i++) m[i][n] = -still[i];
  if (moves && !solve_linear(m, n)) moves = false;
  for (int i = 0; i < n; i++)
    si_dual_push(
        L, &(si_dual){ .count = 1, .moves = moves, .is = { x[i] }, .by = { moves ? m[i][n] : 0 } });
  return n;
}

/* --- recorded */

static uint32_t steps_at(lua_State *L, int index, int usual) {
  if (lua_isnoneornil(L, index)) return (uint32_t)usual;
  return (uint32_t)si_lua_check_int(L, index, 1, SI_GRAPH_STEPS);
}

/* the function is at 1, its bounds or starts from 2 on */
static int record(lua_State *L, si_recording *r, si_many_kind kind, int unknowns, uint32_t steps) {
  si_value args[3], zeros[3], dest[3];
  int arg_count = kind == SI_MANY_ROOT ? 2 : unknowns;
  for (int i = 0; i < arg_count; i++) args[i] = si_recorded_want(L, 2 + i, 1).v[0];
  int depth = si_graph_iterate(&r->graph);
  if (depth < 0)
    return si_recording_refuse(L, "more than %d equations inside each other", SI_GRAPH_DEPTH);
  lua_settop(L, 1);
  for (int i = 0; i < unknowns; i++)
    si_recorded_push_number(L, si_graph_unknown(&r->graph, depth, (uint32_t)i));
  si_leaf leaf;
  si_recording_join(L, r, 1, &leaf);
  if (leaf.results < unknowns) luaL_error(L, "the function must return %d numbers", unknowns);
  for (int i = 0; i < unknowns; i++) {
    if (leaf.shape[i] != 1) luaL_error(L, "the function must return numbers");
    zeros[i] = leaf.v[i];
  }
  if (!si_graph_solved(&r->graph, depth, kind, (uint32_t)unknowns, steps, args, zeros, dest))
    return si_recording_refuse(L, "more than %d equations, or %d operations", SI_GRAPH_ITERATIONS,
                               SI_GRAPH_MOST);
  for (int i = 0; i < unknowns; i++) si_recorded_push_number(L, dest[i]);
  return unknowns;
}

/* --- the functions */

/* sinew.root(f, low, high [, steps]) */
static int root(lua_State *L) {
  si_recording *r = si_recording_of(L);
  luaL_checktype(L, 1, LUA_TFUNCTION);
  uint32_t steps = steps_at(L, 4, default_root_steps);
  if (r) return record(L, r, SI_MANY_ROOT, 1, steps);
  double low = value_at(L, 2, "the lower bound"), high = value_at(L, 3, "the upper bound");
  lua_settop(L, 1);
  double x = find_root(L, low, high);
  return push_zeros(L, &x, 1);
}

/* sinew.newton(f, x, y [, z]) */
static int newton(lua_State *L) {
  si_recording *r = si_recording_of(L);
  double x[3] = { 0 };
  luaL_checktype(L, 1, LUA_TFUNCTION);
  int n = lua_gettop(L) - 1;
  if (n != 2 && n != 3)
    return luaL_error(L, "sinew.newton takes a function and two or three starts; for one unknown "
                         "use sinew.root");
  if (r) return record(L, r, SI_MANY_NEWTON, n, default_newton_steps);
  for (int i = 0; i < n; i++) x[i] = value_at(L, 2 + i, "a start");
  lua_settop(L, 1);
  find_zeros(L, n, x);
  return push_zeros(L, x, n);
}

static int record_contact(lua_State *L, si_recording *r) {
  si_value args[7], dest[3];
  for (int i = 0; i < 7; i++) args[i] = si_recorded_want(L, 1 + i, 1).v[0];
  for (int i = 5; i < 7; i++)
    if (args[i] && si_graph_at(&r->graph, args[i])->stage > 1)
      return si_recording_refuse(L, "the window of sinew.contact may depend on parameters only");
  if (!si_graph_contact(&r->graph, args, dest))
    return si_recording_refuse(L, "more than %d equations", SI_GRAPH_ITERATIONS);
  for (int i = 0; i < 3; i++) si_recorded_push_number(L, dest[i]);
  return 3;
}

/* sinew.contact(a, b, c, d, e, low, high) */
static int contact(lua_State *L) {
  si_recording *r = si_recording_of(L);
  if (r) return record_contact(L, r);
  si_dual k[5];
  for (int i = 0; i < 5; i++)
    if (!si_dual_read(L, 1 + i, &k[i]) || k[i].count != 1)
      return luaL_argerror(L, 1 + i, "number expected");
  double low = luaL_checknumber(L, 6), high = luaL_checknumber(L, 7);
  if (!(low < high && low >= -180 && high <= 180))
    return luaL_error(L, "the window of sinew.contact must be within -180 to 180, and not empty");
  const si_circle circle = { k[0].is[0], k[1].is[0], k[2].is[0], k[3].is[0], k[4].is[0] };
  si_window window;
  si_window_set(&window, low, high);
  si_contact found = si_circle_contact(&circle, &window);
  double size = found.cosine * found.cosine + found.sine * found.sine;
  double c = (found.cosine * found.cosine - found.sine * found.sine) / size;
  double s = 2 * found.cosine * found.sine / size;
  double coefficients[5], rates[5], moved[3];
  bool moves = false;
  for (int i = 0; i < 5; i++) {
    coefficients[i] = k[i].is[0];
    rates[i] = k[i].by[0];
    moves |= k[i].moves;
  }
  si_tape_contact_rate(coefficients, c, s, found.gap, rates, moved);
  const double is[3] = { c, s, found.gap };
  for (int i = 0; i < 3; i++)
    si_dual_push(L, &(si_dual){ .count = 1,
                                .moves = moves,
                                .is = { is[i] },
                                .by = { isfinite(moved[i]) ? moved[i] : 0 } });
  return 3;
}

void si_open_solve(lua_State *L) {
  static const luaL_Reg functions[] = {
    { "root", root }, { "newton", newton }, { "contact", contact }, { NULL, NULL }
  };
  luaL_setfuncs(L, functions, 0);
}
