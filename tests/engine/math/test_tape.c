/* Tapes against a slow evaluation of the same graphs: values in doubles and floats, derivatives
 * against differences, iterations against closed forms, texts that are no programs. */
#include "math/tape.h"

#include "base/alloc.h"
#include "minunit.h"
#include "random_graph.h"

#include <stdlib.h>

typedef struct made {
  si_graph_text text;
  si_tapes tapes;
} made;

static bool make(const char *text, made *dest) {
  sinew_error error;
  sinew_error_clear(&error);
  *dest = (made){ 0 };
  bool good = si_graph_read(text, &dest->text, &error) >= 0 &&
              si_tapes_make(&dest->text, &dest->tapes, &error) >= 0;
  if (!good) printf("%s\n", error.text);
  return good;
}

static void release(made *m) {
  si_tapes_free(&m->tapes);
  si_graph_text_free(&m->text);
}

/* the numbers of the graph's parameters in the order in which its text names them */
static void order_params(const made *m, const double *all, double *dest) {
  for (uint32_t i = 0; i < m->text.desc.param_count; i++)
    dest[i] = all[m->text.desc.params[i].entry];
}

static void run_exact(const made *m, const double *all, const double *inputs, double *outs) {
  double params[graph_params];
  uint32_t fail;
  order_params(m, all, params);
  si_tapes_exact(&m->tapes, params, NULL, inputs, outs, &fail, NULL);
}

/* runs the pose's tape in floats, with the derivative in the direction `by` if it is given */
static void run_float(const made *m, const double *all, const double *inputs, const double *by,
                      float *outs, float *rates) {
  _Alignas(16) float r[SI_TAPE_REGISTERS], d[SI_TAPE_REGISTERS];
  const si_tape *tape = &m->tapes.pose;
  double params[graph_params], *results = malloc((tape->constant_count + 1) * sizeof *results);
  float *k = aligned_alloc(16, (tape->constant_count + 4) * sizeof *k);
  order_params(m, all, params);
  si_tape_params(&m->tapes.params, params, NULL, results, NULL);
  si_tape_fill(tape, results, k);
  si_tape_aids aids = { .registers = tape->registers };
  for (uint32_t i = 0; i < tape->load_count; i++) {
    r[tape->loads[i].reg] = (float)inputs[tape->loads[i].number];
    if (by) d[tape->loads[i].reg] = (float)by[tape->loads[i].number];
  }
  si_tape_run(tape->ops, k, &aids, r);
  if (by) si_tape_rate(tape->ops, k, &aids, r, d);
  for (uint32_t i = 0; i < tape->store_count; i++)
    for (uint32_t n = 0; n < si_move_numbers(&tape->stores[i]); n++) {
      uint32_t at = si_move_offset(n);
      outs[tape->stores[i].number + n] = r[tape->stores[i].reg + at];
      if (by) rates[tape->stores[i].number + n] = d[tape->stores[i].reg + at];
    }
  free(results);
  free(k);
}

MU_TEST(random_tapes_give_what_their_graphs_give) {
  uint32_t seed = 7;
  long compared = 0;
  for (int round = 0; round < mu_rounds(1000); round++) {
    random_graph r;
    made m;
    graph_random_make(&seed, &r);
    char *text = graph_text(&r);
    MU_CHECK(text && make(text, &m));
    for (int i = 0; i < 100; i++) {
      graph_case at = graph_random_case(&seed);
      graph_number slow[12];
      double exact[12];
      float outs[12];
      if (!graph_slowly(&r, &at, slow)) continue;
      run_exact(&m, r.params, at.inputs, exact);
      run_float(&m, r.params, at.inputs, NULL, outs, NULL);
      for (int n = 0; n < 12; n++) {
        MU_NEAR(exact[n], slow[n].is, 1e-9 * (1 + slow[n].size) + 1e-6 * slow[n].off);
        MU_NEAR(outs[n], slow[n].is, 4 * slow[n].off + 1e-6);
      }
      compared++;
    }
    si_free(text);
    release(&m);
    graph_random_free(&r);
  }
  MU_CHECK(compared > 50l * mu_rounds(1000));
}

/* at kinks, steps and where a slope is steep, differences say nothing */
MU_TEST(derivatives_of_random_tapes_equal_differences) {
  uint32_t seed = 11;
  long compared = 0, overflown = 0;
  for (int round = 0; round < mu_rounds(400); round++) {
    random_graph r;
    made m;
    graph_random_make(&seed, &r);
    char *text = graph_text(&r);
    MU_CHECK(text && make(text, &m));
    const si_tape *tape = &m.tapes.pose;
    double *block = malloc(2 * (tape->registers + tape->constant_count + 8) * sizeof *block);
    double *k = block + tape->registers, *d = k + tape->constant_count;
    for (int i = 0; i < 50; i++) {
      graph_case at = graph_random_case(&seed), low = at, high = at, near = at, past = at;
      double by[graph_inputs], below[12], above[12], nearer[12], beyond[12], params[graph_params];
      double results[4096];
      const double h = 1e-5;
      for (int n = 0; n < graph_inputs; n++) {
        by[n] = graph_random(&seed) * 2 - 1;
        low.inputs[n] -= h * by[n], high.inputs[n] += h * by[n];
        near.inputs[n] -= 2 * h * by[n], past.inputs[n] += 2 * h * by[n];
      }
      run_exact(&m, r.params, low.inputs, below);
      run_exact(&m, r.params, high.inputs, above);
      run_exact(&m, r.params, near.inputs, nearer);
      run_exact(&m, r.params, past.inputs, beyond);
      order_params(&m, r.params, params);
      si_tape_params(&m.tapes.params, params, NULL, results, NULL);
      si_tape_fill_exact(tape, results, k);
      si_tape_aids aids = { .registers = tape->registers };
      for (uint32_t n = 0; n < tape->load_count; n++) {
        block[tape->loads[n].reg] = at.inputs[tape->loads[n].number];
        d[tape->loads[n].reg] = by[tape->loads[n].number];
      }
      si_tape_run_exact(tape->ops, k, &aids, block);
      si_tape_rate_exact(tape->ops, k, &aids, block, d);
      float outs[12], rates[12];
      run_float(&m, r.params, at.inputs, by, outs, rates);
      for (uint32_t s = 0; s < tape->store_count; s++) {
        /* one that overflows takes its column with it */
        const double *column = d + tape->stores[s].reg;
        double all = 0;
        uint32_t numbers = si_move_numbers(&tape->stores[s]);
        for (uint32_t i2 = 0; i2 < numbers; i2++) all += column[si_move_offset(i2)];
        if (!isfinite(all)) {
          overflown++;
          continue;
        }
        for (uint32_t row = 0; row < numbers; row++) {
          uint32_t n = tape->stores[s].number + row;
          double one = (above[n] - below[n]) / (2 * h), two = (beyond[n] - nearer[n]) / (4 * h);
          double smooth = (4 * one - two) / 3, rate = column[si_move_offset(row)];
          if (!(fabs(one - two) < 1e-6 * (1 + fabs(one)))) continue;
          MU_NEAR(rate, smooth, 1e-6 * (1 + fabs(smooth)));
          compared++;
        }
      }
    }
    free(block);
    si_free(text);
    release(&m);
    graph_random_free(&r);
  }
  MU_CHECK(compared > 400l * mu_rounds(400) && overflown < compared / 100);
}

/* a unit vector, a cross product with it and a matrix times that: few operations */
MU_TEST(vectors_are_computed_as_vectors) {
  static const char text[] =
      "takes vector vector matrix\ngives vector\n"
      "input 0\ninput 1\ninput 2\n"                             /* 1 to 3: a */
      "input 3\ninput 4\ninput 5\n"                             /* 4 to 6: b */
      "mul 1 1\nmul 2 2\nmul 3 3\nadd 7 8\nadd 10 9\nsqrt 11\n" /* 12: |a| */
      "div 1 12\ndiv 2 12\ndiv 3 12\n"                          /* 13 to 15: u */
      "mul 14 6\nmul 15 5\nsub 16 17\nmul 15 4\nmul 13 6\nsub 19 20\nmul 13 5\nmul 14 4\n"
      "sub 22 23\n" /* 18, 21, 24: u x b */
      "input 6\ninput 9\ninput 12\ninput 7\ninput 10\ninput 13\ninput 8\ninput 11\ninput 14\n"
      "mul 25 18\nmul 26 21\nadd 34 35\nmul 27 24\nadd 36 37\n"
      "mul 28 18\nmul 29 21\nadd 39 40\nmul 30 24\nadd 41 42\n"
      "mul 31 18\nmul 32 21\nadd 44 45\nmul 33 24\nadd 46 47\nout 38 43 48\n";
  made m;
  MU_CHECK(make(text, &m));
  /* dot, root, quotient, cross, three for the matrix */
  MU_INT((int)m.tapes.pose.op_count, 7);
  release(&m);
}

/* --- iterations */

static const char root_text[] = /* u^3 + u = x between -10 and 10 */
    "takes scalar\ngives scalar\ninput 0\nunknown 0 0\nmul 2 2\nmul 3 2\nadd 4 2\nsub 5 1\n"
    "number -10\nnumber 10\nroot 0 0 1 40 7 8 6\nout 9\n";

MU_TEST(roots_are_roots_with_their_derivative) {
  made m;
  MU_CHECK(make(root_text, &m));
  const si_tape *tape = &m.tapes.pose;
  si_tape_aids aids = { .registers = tape->registers };
  for (int i = -40; i <= 40; i++) {
    double x = 3.7 * i, u, d[64] = { 0 }, r[64] = { 0 }, k[64];
    uint32_t fail;
    MU_CHECK(si_tapes_exact(&m.tapes, NULL, NULL, &x, &u, &fail, NULL) >= 0);
    MU_NEAR(u * u * u + u, x, 1e-9);
    si_tape_fill_exact(tape, NULL, k);
    r[tape->loads[0].reg] = x;
    d[tape->loads[0].reg] = 1;
    si_tape_run_exact(tape->ops, k, &aids, r);
    si_tape_rate_exact(tape->ops, k, &aids, r, d);
    MU_NEAR(d[tape->stores[0].reg], 1 / (3 * u * u + 1), 1e-9);
    _Alignas(16) float fr[64], fk[64], fd[64];
    si_tape_fill(tape, NULL, fk);
    fr[tape->loads[0].reg] = (float)x;
    fd[tape->loads[0].reg] = 1;
    si_tape_run(tape->ops, fk, &aids, fr);
    si_tape_rate(tape->ops, fk, &aids, fr, fd);
    MU_NEAR(fr[tape->stores[0].reg], u, 3e-6 * (1 + fabs(u)));
    MU_NEAR(fd[tape->stores[0].reg], 1 / (3 * u * u + 1), 2e-6);
  }
  release(&m);
}

/* each contact needs the one before it: cos t = x, again and again, in windows that narrow */
MU_TEST(contacts_that_need_each_other_keep_their_windows) {
  enum { links = 40 };
  si_text text = { 0 };
  int last = 1, made_values = 3;
  si_text_add(&text, "takes scalar\ngives scalar\ninput 0\nnumber 0\nnumber 1\n");
  for (int i = 0; i < links; i++) {
    si_text_format(&text, "neg %d\nnumber %d\ncontact 0 0 0 0 %d 3 2 2 2 2 %d\n", last, 90 - i,
                   made_values + 1, made_values + 2);
    made_values += 3;
    last = made_values;
  }
  si_text_format(&text, "out %d\n", last);
  made m;
  MU_CHECK(!text.failed && make(text.at, &m));
  MU_INT((int)m.tapes.pose.window_count, links);
  for (int i = 0; i < links; i++) {
    const uint32_t *window = m.tapes.pose.windows[i];
    MU_NEAR(m.tapes.pose.constants[window[1]].literal, 90 - i, 0);
  }
  double in = 0.9, out;
  uint32_t fail;
  MU_CHECK(si_tapes_exact(&m.tapes, NULL, NULL, &in, &out, &fail, NULL) >= 0);
  MU_NEAR(out, 0.9, 1e-4);
  si_free(text.at);
  release(&m);
}

MU_TEST(newton_solves_two_equations_with_their_derivative) {
  /* u^2 + v^2 = x, u v = y: from u = 2, v = 1 */
  made m;
  MU_CHECK(make("takes scalar scalar\ngives scalar scalar\ninput 0\ninput 1\nunknown 0 0\n"
                "unknown 0 1\nmul 3 3\nmul 4 4\nadd 5 6\nsub 7 1\nmul 3 4\nsub 9 2\n"
                "number 2\nnumber 1\nnewton 0 0 2 30 11 12 8 10\nnewton 1 0 2 30 11 12 8 10\n"
                "out 13 14\n",
                &m));
  for (int i = 0; i < 50; i++) {
    double in[2] = { 5 + 0.02 * i, 2 - 0.01 * i }, out[2], moved[2], h = 1e-6;
    uint32_t fail;
    si_tapes_exact(&m.tapes, NULL, NULL, in, out, &fail, NULL);
    MU_NEAR(out[0] * out[0] + out[1] * out[1], in[0], 1e-9);
    MU_NEAR(out[0] * out[1], in[1], 1e-9);
    const si_tape *tape = &m.tapes.pose;
    si_tape_aids aids = { .registers = tape->registers };
    double d[64] = { 0 }, r[64] = { 0 }, k[64];
    si_tape_fill_exact(tape, NULL, k);
    for (int n = 0; n < 2; n++) r[tape->loads[n].reg] = in[tape->loads[n].number];
    for (int n = 0; n < 2; n++) d[tape->loads[n].reg] = tape->loads[n].number == 1;
    si_tape_run_exact(tape->ops, k, &aids, r);
    si_tape_rate_exact(tape->ops, k, &aids, r, d);
    in[1] += h;
    si_tapes_exact(&m.tapes, NULL, NULL, in, moved, &fail, NULL);
    for (int n = 0; n < 2; n++) MU_NEAR(d[tape->stores[n].reg], (moved[n] - out[n]) / h, 1e-4);
  }
  release(&m);
}

MU_TEST(texts_that_are_no_programs_are_refused_with_their_line) {
  static const struct {
    const char *text, *says;
  } cases[] = {
    { "", "'out'" },
    { "takes scalar\ngives scalar\ninput 0\nfoo 1\nout 1\n", "program:4: 'foo' is no operation" },
    { "takes scalar\ngives scalar\ninput 1\nout 1\n", "there is no input 1" },
    { "takes scalar\ngives scalar\ninput 0\nadd 1 2\nout 1\n", "there is no value 2" },
    { "takes scalar\ngives matrix\ninput 0\nout 1\n", "12 results expected, not 1" },
    { "takes scalar\ngives scalar\ninput 0\nunknown 0 0\nout 2\n", "depends on an unknown" },
    { "takes cube\ngives scalar\ninput 0\nout 1\n", "'cube' is no kind" },
    { "takes scalar\ngives scalar\ninput 0\nsin 1 1\nout 2\n", "too many arguments" },
    { "takes scalar\ngives scalar\nnumber x\nout 1\n", "'x' is not a number" },
    { "takes scalar\ngives scalar\ninput 0\nout 1\nsin 1\n", "after 'out'" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    si_graph_text text = { 0 };
    sinew_error error;
    sinew_error_clear(&error);
    MU_CHECK(si_graph_read(cases[i].text, &text, &error) < 0);
    MU_HAS(error.text, cases[i].says);
    si_graph_text_free(&text);
  }
}

/* written and read again, a graph has the same text */
MU_TEST(texts_survive_reading_and_writing) {
  uint32_t seed = 3;
  for (int round = 0; round < mu_rounds(100); round++) {
    random_graph r;
    graph_random_make(&seed, &r);
    char *text = graph_text(&r);
    si_graph_text read = { 0 };
    si_text again = { 0 };
    MU_CHECK(si_graph_read(text, &read, NULL) >= 0);
    si_graph_write(&read.graph, &read.desc, &again);
    MU_TEXT(again.at, text);
    si_free(again.at);
    si_free(text);
    si_graph_text_free(&read);
    graph_random_free(&r);
  }
}

MU_SUITE(tape)
