/* Paths through the tree: the inputs and the constants that a component needs to see one segment
 * from another. Parents come before their children, so of two segments the one with the greater id
 * is no ancestor of the other. */
#include "model/path.h"

#include <string.h>

const sinew_port_desc si_path_port = { "path", SINEW_MATRIX, 0,
                                       0,      "",           "what drives a segment on the way" };

/* the two ends of a path; an end of 0 is the world */
typedef struct ends {
  uint32_t base; /* the segment whose rest frame is the base; 0: `from` is the base */
  uint32_t from, to;
} ends;

/* a walk from both ends to their nearest common ancestor, which is not on the way */
typedef struct walk {
  const si_model *model;
  uint32_t up, down; /* the next segment of each way */
  bool rising;       /* the last step was on the way up */
} walk;

static uint32_t parent_of(const si_model *m, uint32_t id) { return m->segments[id - 1].parent; }

/* the next segment on the way; 0 at the common ancestor */
static uint32_t step(walk *w) {
  if (w->up == w->down) return 0;
  w->rising = w->up > w->down;
  uint32_t *end = w->rising ? &w->up : &w->down, left = *end;
  *end = parent_of(w->model, left);
  return left;
}

static bool is_driven(const si_model *m, uint32_t id) { return m->segments[id - 1].driver != NULL; }

/* counts the driven segments of a path, and those on the way up */
static si_path count(const si_model *m, const ends *e) {
  walk w = { m, e->from, e->to, false };
  si_path path = { 0 };
  for (uint32_t id; (id = step(&w)) != 0;) {
    path.count += is_driven(m, id);
    path.up += w.rising && is_driven(m, id);
  }
  return path;
}

static uint32_t segment_in(const si_model *m, const si_component *k, const char *param) {
  const sinew_param *p = si_find_param(k, param);
  bool named = p && (p->type == SINEW_PARAM_TEXT || p->type == SINEW_PARAM_SEGMENT) && p->text;
  return named ? si_find_segment(m, p->text) : 0;
}

/* the ends of the path of a parameter; false if the base is not known */
static bool find_ends(const si_model *m, const si_component *k, const char *param, ends *dest) {
  const unsigned flags = SINEW_PARAM_FROM | SINEW_PARAM_FROM_REST;
  const sinew_param_desc *d = sinew_class_param_marked(k->cls, flags, NULL);
  uint32_t base = d ? segment_in(m, k, d->name) : 0;
  if (!base) return false;
  bool rest = d->flags & SINEW_PARAM_FROM_REST;
  *dest = (ends){ .base = rest ? base : 0, .from = rest ? parent_of(m, base) : base };
  dest->to = si_find_param(k, param) ? segment_in(m, k, param) : parent_of(m, base);
  return true;
}

/* calls for each path of a component, in the order of its table */
#define EACH_PATH(d, k)                                                                            \
  const sinew_param_desc *d = sinew_class_param_marked((k)->cls, SINEW_PARAM_PATH, NULL);          \
  d;                                                                                               \
  d = sinew_class_param_marked((k)->cls, SINEW_PARAM_PATH, d)

uint32_t si_path_inputs(const si_model *m, const si_component *k) {
  uint32_t total = 0;
  ends e;
  for (EACH_PATH(d, k))
    if (find_ends(m, k, d->name, &e)) total += count(m, &e).count;
  return total;
}

/* The next driven segment, and its place among the path's inputs. On the way down the walk goes
 * against the order of the inputs. */
static uint32_t driven_step(walk *w, const si_path *path, uint32_t *ups, uint32_t *downs,
                            uint32_t *place) {
  uint32_t id;
  do {
    id = step(w);
  } while (id && !is_driven(w->model, id));
  if (id) *place = w->rising ? (*ups)++ : path->count - 1 - (*downs)++;
  return id;
}

void si_path_wire(const si_model *m, si_component *k) {
  uint32_t first = k->fixed_inputs;
  ends e;
  for (EACH_PATH(d, k)) {
    if (!find_ends(m, k, d->name, &e)) continue;
    si_path path = count(m, &e);
    walk w = { m, e.from, e.to, false };
    uint32_t ups = 0, downs = 0, place = 0;
    for (uint32_t id; (id = driven_step(&w, &path, &ups, &downs, &place)) != 0;)
      k->inputs[first + place] = m->segments[id - 1].source;
    first += path.count;
  }
}

uint32_t si_path_segment(const si_model *m, const si_component *k, uint32_t input) {
  uint32_t first = k->fixed_inputs;
  ends e;
  for (EACH_PATH(d, k)) {
    if (!find_ends(m, k, d->name, &e)) continue;
    si_path path = count(m, &e);
    walk w = { m, e.from, e.to, false };
    uint32_t ups = 0, downs = 0, place = 0;
    for (uint32_t id; (id = driven_step(&w, &path, &ups, &downs, &place)) != 0;)
      if (first + place == input) return id;
    first += path.count;
  }
  return 0;
}

/* --- constants, in doubles */

static void identity(double *m) {
  for (int i = 0; i < 16; i++) m[i] = i % 5 == 0;
}

/* dest = a b; dest may be either */
static void multiply(const double *a, const double *b, double *dest) {
  double product[16];
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 4; r++) {
      product[4 * c + r] = 0;
      for (int k = 0; k < 4; k++) product[4 * c + r] += a[4 * k + r] * b[4 * c + k];
    }
  memcpy(dest, product, sizeof product);
}

static void widen(const float *m, double *dest) {
  for (int i = 0; i < 16; i++) dest[i] = (double)m[i];
}

/* of an affine matrix: a rest frame is rigid only to 1e-3 */
static void inverse(const double *w, double *dest) {
  double det = 0;
  identity(dest);
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) {
      int c1 = (c + 1) % 3, c2 = (c + 2) % 3, r1 = (r + 1) % 3, r2 = (r + 2) % 3;
      dest[4 * r + c] = w[4 * c1 + r1] * w[4 * c2 + r2] - w[4 * c1 + r2] * w[4 * c2 + r1];
    }
  for (int r = 0; r < 3; r++) det += w[r] * dest[4 * r];
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) dest[4 * c + r] /= det;
  for (int r = 0; r < 3; r++)
    dest[12 + r] = -(dest[r] * w[12] + dest[4 + r] * w[13] + dest[8 + r] * w[14]);
}

static void rest_of(const si_model *m, uint32_t id, double *dest) {
  widen(m->segments[id - 1].rest, dest);
}

static void put_link(double *m, si_link *dest) {
  for (int i = 0; i < 16; i++) {
    dest->m[i] = (float)m[i];
    dest->moves |= dest->m[i] != (float)(i % 5 == 0);
  }
  identity(m);
}

static void fill_links(const si_model *m, const ends *e, const si_path *path, si_link *links) {
  double above[16], below[16], rest[16], back[16];
  uint32_t first = 0, last = path->count;
  identity(above);
  identity(below);
  if (e->base) {
    rest_of(m, e->base, rest);
    inverse(rest, above);
  }
  walk w = { m, e->from, e->to, false };
  for (uint32_t id; (id = step(&w)) != 0;) {
    rest_of(m, id, rest);
    if (w.rising) {
      if (is_driven(m, id)) put_link(above, &links[first++]);
      inverse(rest, back);
      multiply(above, back, above);
    } else {
      if (is_driven(m, id)) put_link(below, &links[last--]);
      multiply(rest, below, below);
    }
  }
  multiply(above, below, above);
  put_link(above, &links[first]);
}

si_path si_path_of(const sinew_setup *setup, const char *param, si_link *links) {
  const si_model *m = setup->model;
  const si_component *k = &m->components[setup->component];
  uint32_t first = k->fixed_inputs;
  ends e;
  for (EACH_PATH(d, k)) {
    if (!find_ends(m, k, d->name, &e)) continue;
    si_path path = count(m, &e);
    path.first = first;
    first += path.count;
    if (strcmp(d->name, param) != 0) continue;
    if (links) fill_links(m, &e, &path, links);
    return path;
  }
  return (si_path){ 0 };
}

void si_path_rest(const si_path *path, const si_link *links, double *dest) {
  double link[16];
  identity(dest);
  for (uint32_t i = 0; i <= path->count; i++) {
    widen(links[i].m, link);
    multiply(dest, link, dest);
  }
}

void si_path_back(const si_path *path, const si_link *links, const double *v, double *dest) {
  double rest[16], back[16];
  si_path_rest(path, links, rest);
  inverse(rest, back);
  for (int i = 0; i < 3; i++) dest[i] = back[i] * v[0] + back[4 + i] * v[1] + back[8 + i] * v[2];
}
