/* Formulas: random ones against a slow evaluation in doubles, at every width, with derivatives;
 * mistakes in the text; the component, its bounds and its holds. */
#include "make.h"
#include "math/formula_code.h"
#include "minunit.h"
#include "owned.h"

#include <stdio.h>
#include <stdlib.h>

enum { inputs = 5, room = 2048 };

/* a value, its derivative by each input, and the size of the largest term on the way */
typedef struct dual {
  double x, d[inputs], most;
} dual;

typedef struct writer {
  uint32_t seed;
  const double *at;
  char text[room];
  int used;
  bool kink; /* two sides of a min, max or abs are so near that floats may take the other */
} writer;

static void say(writer *w, const char *words) {
  w->used += snprintf(w->text + w->used, (size_t)(room - w->used), "%s", words);
}

static dual larger(dual a, double most) {
  a.most = fmax(a.most, fmax(most, fabs(a.x)));
  return a;
}

static dual mixed(dual a, double ka, dual b, double kb, double x) {
  dual r = { .x = x, .most = fmax(a.most, b.most) };
  for (int i = 0; i < inputs; i++) r.d[i] = ka * a.d[i] + kb * b.d[i];
  return larger(r, 0);
}

static dual chosen(writer *w, bool first, dual a, dual b) {
  double scale = fmax(a.most, b.most);
  w->kink |= fabs(a.x - b.x) < 1e-4 * scale;
  return larger(first ? a : b, scale);
}

/* writes a random expression and gives its value at w->at */
static dual any(writer *w, int depth) {
  char words[64];
  int what = make_index(&w->seed, depth > 0 ? 10 : 2);
  dual a, b;
  if (what == 0) {
    float k = make_between(&w->seed, -3, 3);
    snprintf(words, sizeof words, k < 0 ? "(%.9g)" : "%.9g", (double)k);
    say(w, words);
    return (dual){ .x = (double)k, .most = fabs((double)k) };
  }
  if (what == 1) {
    int i = make_index(&w->seed, inputs);
    snprintf(words, sizeof words, "x%d", i + 1);
    say(w, words);
    a = (dual){ .x = w->at[i], .most = fabs(w->at[i]) };
    a.d[i] = 1;
    return a;
  }
  static const char *const before[] = { "", "", "(", "(", "(", "(-", "(", "min(", "max(", "abs(" };
  static const char *const between[] = { "", "", " + ", " - ", "*", "", "/(4 + abs(", ", ", ", " };
  static const char *const after[] = { "", "", ")", ")", ")", ")", ")))", ")", ")", ")" };
  say(w, before[what]);
  a = any(w, depth - 1);
  if (what != 5 && what != 9) {
    say(w, between[what]);
    b = any(w, depth - 1);
  } else {
    b = (dual){ 0 };
  }
  say(w, after[what]);
  switch (what) {
  case 2: return mixed(a, 1, b, 1, a.x + b.x);
  case 3: return mixed(a, 1, b, -1, a.x - b.x);
  case 4: return larger(mixed(a, b.x, b, a.x, a.x * b.x), a.most * b.most);
  case 5: return mixed(a, -1, b, 0, -a.x);
  case 6: {
    double under = 4 + fabs(b.x);
    w->kink |= fabs(b.x) < 1e-4 * b.most;
    return larger(mixed(a, 1 / under, b, -a.x / under / under * (b.x < 0 ? -1 : 1), a.x / under),
                  a.most * fmax(1, b.most));
  }
  case 7: return chosen(w, a.x <= b.x, a, b);
  case 8: return chosen(w, a.x >= b.x, a, b);
  default: w->kink |= fabs(a.x) < 1e-4 * a.most; return mixed(a, a.x < 0 ? -1 : 1, b, 0, fabs(a.x));
  }
}

MU_TEST(formulas_of_all_kinds_give_what_doubles_give) {
  sinew_error error;
  double worst = 0, worst_rate = 0;
  int rates = 0, shapes[SI_SHAPE_PROGRAM + 1] = { 0 };
  for (uint32_t k = 0; k < 10000; k++) {
    writer w = { .seed = 77 * k + 5 };
    double at[inputs];
    for (int i = 0; i < inputs; i++) at[i] = (double)make_between(&w.seed, -4, 4);
    w.at = at;
    dual right = any(&w, 1 + (int)(k % 5));
    si_formula_draft draft;
    MU_OK(si_formula_parse(w.text, inputs, &draft, &error));
    _Alignas(16) char block[sizeof(si_formula_code) + SI_FORMULA_REGISTERS * 32];
    si_formula_code *f = (void *)block;
    si_formula_make(&draft, f);
    _Alignas(16) float one[SI_FORMULA_REGISTERS];
    si_v4 d[SI_FORMULA_REGISTERS];
    for (int i = 0; i < inputs; i++) one[i] = (float)at[i];
    float value = si_formula_run(f, one);
    if (f->shape < SI_SHAPE_SUM)
      MU_CHECK_SAY(value == si_formula_shaped_one(f, one[f->at[0]], one[f->at[1]]), "%s", w.text);
    shapes[f->shape]++;
    double off = fabs((double)value - right.x) / fmax(right.most, 1e-6);
    worst = fmax(worst, off);
    MU_CHECK_SAY(off < 2e-5, "%s gives %g, not %g", w.text, (double)value, right.x);
    if (w.kink) continue;
    for (int first = 0; first < inputs; first += 4) {
      for (int i = 0; i < inputs; i++) {
        d[i] = si_all(0);
        if (i / 4 == first / 4) d[i][i % 4] = 1;
      }
      si_v4 rate = si_formula_rates(f, one, d);
      for (int i = first; i < inputs && i < first + 4; i++, rates++) {
        double away = fabs((double)rate[i % 4] - right.d[i]) / fmax(right.most, 1);
        worst_rate = fmax(worst_rate, away);
        MU_CHECK_SAY(away < 1e-4, "%s by x%d gives %g, not %g", w.text, i + 1, (double)rate[i % 4],
                     right.d[i]);
      }
    }
  }
  MU_CHECK_SAY(rates > 10000, "only %d derivatives", rates);
  for (int i = 0; i <= SI_SHAPE_PROGRAM; i++)
    MU_CHECK_SAY(shapes[i] > 15, "only %d of shape %d", shapes[i], i);
}

static const char *refusal(const char *text) {
  static sinew_error error;
  static si_formula_draft draft;
  error.text[0] = '\0';
  si_formula_parse(text, 2, &draft, &error);
  return error.text;
}

MU_TEST(formulas_refuse_mistakes_with_their_place) {
  MU_TEXT(refusal("1 + x2"), "");
  MU_TEXT(refusal(""), "'', character 1: a number or an input such as x1 expected, but the formula "
                       "ends");
  MU_TEXT(refusal("1 + x3"), "'1 + x3', character 5: there is no x3: it has 2 inputs");
  MU_TEXT(refusal("1 + fold"),
          "'1 + fold', character 5: 'fold' is neither an input (x1, x2 ...) nor "
          "a function (min, max, abs)");
  MU_TEXT(refusal("55 x1"), "'55 x1', character 4: an operator (+ - * /) expected, not 'x'");
  MU_TEXT(refusal("(x1"), "'(x1', character 4: ')' expected, but the formula ends");
  MU_TEXT(refusal("min(x1)"), "'min(x1)', character 4: min takes two numbers or more");
  MU_TEXT(refusal("x1/(2 - 2)"), "'x1/(2 - 2)', character 11: this divides by zero");
  MU_TEXT(refusal("1e30*1e30*x1"),
          "'1e30*1e30*x1', character 13: the numbers up to here become too large");
  MU_HAS(refusal("x1 + $"), "expected, not '$'");
  MU_HAS(refusal("x0"), "'x0' is neither");
  char deep[400];
  memset(deep, '(', sizeof deep - 1);
  deep[sizeof deep - 1] = '\0';
  MU_HAS(refusal(deep), "too many parentheses");
  FREED char *wide = calloc(1, 40000);
  strcpy(wide, "x1");
  for (int i = 0; i < 900; i++) snprintf(wide + strlen(wide), 40, "*(x1 - %d*x2)", i + 2);
  MU_HAS(refusal(wide), "too long");
  memset(wide, '-', 39000);
  MU_HAS(refusal(wide), "expected, but the formula ends");
}

/* texts of words that formulas have, in any order: refused, or evaluated without harm */
MU_TEST(formulas_survive_rubbish) {
  static const char *const words[] = { "x1",  "x2", "x9", "min(", "max(", "abs(", "(",
                                       ")",   ",",  "+",  "-",    "*",    "/",    "1",
                                       "1e9", ".5", " ",  "e",    "\xff" };
  uint32_t seed = 3;
  int fine = 0;
  for (int k = 0; k < 50000; k++) {
    char text[256] = "";
    for (int i = make_index(&seed, 12); i >= 0; i--)
      strcat(text, words[make_index(&seed, sizeof words / sizeof *words)]);
    si_formula_draft draft;
    sinew_error error;
    if (si_formula_parse(text, 2, &draft, &error) < 0) {
      MU_CHECK(strlen(error.text) > 10);
      continue;
    }
    _Alignas(16) char block[sizeof(si_formula_code) + SI_FORMULA_REGISTERS * 32];
    _Alignas(16) float r[SI_FORMULA_REGISTERS] = { 2, -3 };
    si_formula_make(&draft, (void *)block);
    si_formula_run((void *)block, r);
    fine++;
  }
  MU_CHECK_SAY(fine > 500, "only %d were formulas", fine);
}

MU_TEST(formulas_fold_to_few_operations) {
  static const struct {
    const char *text;
    int ops;
    si_formula_shape shape;
  } cases[] = { { "x1", 0, SI_SHAPE_PLANE },
                { "3*2 - 1", 0, SI_SHAPE_PLANE },
                { "65 - 55*x1", 1, SI_SHAPE_PLANE },
                { "-(x1 - 2*x2)/4 + 3", 1, SI_SHAPE_PLANE },
                { "x1 - x1", 0, SI_SHAPE_PLANE },
                { "x1 + x2 + x1 - 2*x2 + x2", 1, SI_SHAPE_PLANE },
                { "x1*1 + 0*x2", 0, SI_SHAPE_PLANE },
                { "max(3, min(x1 + x2, 5))", 2, SI_SHAPE_CLAMPED },
                { "min(max(x1, 3), 5, 4)", 1, SI_SHAPE_CLAMPED },
                { "x1*x2", 1, SI_SHAPE_PAIR },
                { "max(2*x1 + 1, -x2)", 3, SI_SHAPE_PAIR },
                { "abs(x1 - 3)", 2, SI_SHAPE_PAIR },
                { "x1 - x2 + 2*x3", 2, SI_SHAPE_SUM },
                { "2*x1*x2 + 3", 2, SI_SHAPE_PROGRAM },
                { "abs(x1) + abs(x1)", 2, SI_SHAPE_PROGRAM },
                { "max(x1, -x1, 3)", 3, SI_SHAPE_PROGRAM } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sinew_error error;
    si_formula_draft draft;
    _Alignas(16) char block[sizeof(si_formula_code) + SI_FORMULA_REGISTERS * 32];
    MU_OK(si_formula_parse(cases[i].text, 3, &draft, &error));
    si_formula_make(&draft, (void *)block);
    MU_CHECK_SAY(draft.ops == cases[i].ops, "%s has %d operations", cases[i].text, draft.ops);
    MU_CHECK_SAY(((si_formula_code *)(void *)block)->shape == cases[i].shape, "%s", cases[i].text);
  }
}

static sinew_rig *wing(const char *min, const char *max, sinew_error *error) {
  sinew_builder *b = make_lines(NULL, "segment wing\nset wing_r\ndof flap -90 90\ndof fold 0 1");
  sinew_joint_set set = { 1 };
  sinew_param params[2];
  int count = 0;
  if (min) params[count++] = sinew_param_text("min", min);
  if (max) params[count++] = sinew_param_text("max", max);
  make_part(b, set, "formula", "flap_limit", "x=flap x=fold", params, count);
  make_part(b, set, "rotation", "turn", "angle=flap_limit",
            SINEW_PARAMS(sinew_param_vector("axis", 0, 0, 1)));
  sinew_builder_drive(b, (sinew_segment){ 1 }, "wing_r.turn", NULL, NULL);
  return make_rig(b, error);
}

MU_TEST(formula_limits_and_reports_what_it_held) {
  OWNED(rig) *rig = wing("-40 + 34*x2", "65 - 55*x2", NULL);
  MU_MADE(rig);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_component limit = { 1 };
  sinew_dof flap = { 1 }, fold = { 2 };
  for (int plain = 0; plain < 2; plain++) {
    sinew_pose_set_plain(pose, plain);
    for (float by = 0; by <= 1; by += 0.125f)
      for (float x = -90; x <= 90; x += 7.5f) {
        float low = -40 + 34 * by, high = 65 - 55 * by, right = x < low ? low : x > high ? high : x;
        sinew_pose_set(pose, flap, x, NULL), sinew_pose_set(pose, fold, by, NULL);
        MU_CHECK(sinew_pose_eval(pose, NULL) == SINEW_OK);
        MU_NEAR(*sinew_pose_value(pose, limit, 0), right, 1e-5);
        sinew_hold hold;
        int held = sinew_pose_holds(pose, &hold, 1);
        MU_INT(held, x < low || x > high);
        if (held) MU_NEAR(hold.amount, right - x, 1e-5);
        if (held) MU_TEXT(hold.port, "x1");
      }
  }
}

MU_TEST(formula_says_itself_with_the_names_of_its_sources) {
  OWNED(rig) *rig = wing("-40", "65 - 55*x2*x2", NULL);
  MU_MADE(rig);
  char text[64];
  MU_CHECK(sinew_rig_formula(rig, (sinew_component){ 1 }, "max", text, sizeof text));
  MU_TEXT(text, "65 - 55 fold*fold");
  MU_CHECK(sinew_rig_formula(rig, (sinew_component){ 1 }, "min", text, sizeof text));
  MU_TEXT(text, "-40");
  MU_CHECK(!sinew_rig_formula(rig, (sinew_component){ 1 }, "text", text, sizeof text));
  MU_TEXT(text, "");
  MU_CHECK(!sinew_rig_formula(rig, (sinew_component){ 2 }, "axis", text, sizeof text));
}

MU_TEST(formula_refuses_what_makes_no_sense) {
  sinew_error error;
  MU_CHECK(!wing(NULL, NULL, &error));
  MU_HAS(error.text, "component 'wing_r.flap_limit': takes 'text', or 'min' and 'max', which bound "
                     "x1");
  MU_CHECK(!wing("10", "4 + 5", &error));
  MU_HAS(error.text, "'min' 10 is above 'max' 9");
  MU_CHECK(!wing("10", "4 + x3", &error));
  MU_HAS(error.text, "parameter 'max' '4 + x3', character 5: there is no x3: it has 2 inputs");
}

MU_TEST(formula_can_be_changed_in_a_compiled_rig) {
  OWNED(rig) *rig = wing(NULL, "65 - 55*x2", NULL);
  MU_MADE(rig);
  OWNED(pose) *pose = sinew_pose_create(rig, NULL);
  sinew_component limit = { 1 };
  sinew_error error;
  sinew_pose_set(pose, (sinew_dof){ 1 }, 80, NULL);
  MU_CHECK(sinew_pose_eval(pose, NULL) == SINEW_OK);
  MU_NEAR(*sinew_pose_value(pose, limit, 0), 65, 0);
  sinew_param longer = sinew_param_text("max", "min(50 - 55*x2, 3*x1*x1, 70, abs(x1) + 12)");
  MU_OK(sinew_rig_set_param(rig, limit, &longer, &error));
  MU_CHECK(sinew_pose_eval(pose, NULL) == SINEW_OK);
  MU_NEAR(*sinew_pose_value(pose, limit, 0), 50, 0);
  sinew_param wrong = sinew_param_text("max", "min(50");
  MU_FAILS(sinew_rig_set_param(rig, limit, &wrong, &error), SINEW_ERR_VALUE, "expected");
  sinew_param other[] = { sinew_param_none("max"), sinew_param_text("text", "x1/4") };
  MU_OK(sinew_rig_set_params(rig, limit, other, 2, &error));
  MU_CHECK(sinew_pose_eval(pose, NULL) == SINEW_OK);
  MU_NEAR(*sinew_pose_value(pose, limit, 0), 20, 0);
  MU_INT(sinew_pose_holds(pose, NULL, 0), 0);
}

MU_SUITE(formula)
