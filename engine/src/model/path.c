/* Paths through the tree: the inputs and the constants that a component needs to see one segment
 * from another. Parents come before their children, so of two segments the one with the greater id
 * is no ancestor of the other. */
#include "model/path.h"

#include "base/alloc.h"
#include "base/budget_internal.h"

#include <string.h>

const sinew_port_desc si_path_port = { "path", SINEW_MATRIX, 0,
                                       0,      "",           "what drives a segment on the way" };

/* the two ends of a path; an end of 0 is the world */
typedef struct ends {
  uint32_t base; /* the segment whose rest frame is the base; 0: `from` is the base */
  uint32_t from, to;
} ends;

static uint32_t parent_of(const si_model *m, uint32_t id) { return m->segments[id - 1].parent; }

static bool is_driven(const si_model *m, uint32_t id) { return m->segments[id - 1].driver != NULL; }

/* --- matrices, in doubles */

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

/* --- ways through the tree */

/* The ways of a tree; NULL once the rig is compiled. Then the functions below go from parent to
 * parent, for a few components after an edit. */
static const si_way *ways_of(const si_model *m) { return m->index ? m->index->ways : NULL; }

bool si_ways_make(const si_model *m, si_index *index) {
  si_way *ways = si_alloc_array((size_t)m->segment_count + 1, sizeof *ways);
  if (!ways) return false;
  identity(ways->world);
  for (uint32_t id = 1; id <= m->segment_count; id++) {
    uint32_t parent = parent_of(m, id);
    const si_way *above = &ways[parent], *over = &ways[above->jump];
    bool driven = is_driven(m, id);
    bool skips = above->depth - over->depth == over->depth - ways[over->jump].depth;
    double rest[16];
    ways[id] = (si_way){ .depth = above->depth + 1,
                         .jump = skips ? over->jump : parent,
                         .driven = driven ? id : above->driven,
                         .driven_count = above->driven_count + driven };
    rest_of(m, id, rest);
    multiply(above->world, rest, ways[id].world);
  }
  index->ways = ways;
  return true;
}

uint32_t si_path_top(const si_model *m, uint32_t a, uint32_t b) {
  const si_way *ways = ways_of(m);
  if (!ways) {
    while (a != b) {
      uint32_t *lower = a > b ? &a : &b;
      *lower = parent_of(m, *lower);
    }
    return a;
  }
  if (ways[a].depth < ways[b].depth) {
    uint32_t swapped = a;
    a = b, b = swapped;
  }
  while (ways[a].depth > ways[b].depth)
    a = ways[ways[a].jump].depth >= ways[b].depth ? ways[a].jump : parent_of(m, a);
  while (a != b) {
    bool jumps = ways[a].jump != ways[b].jump;
    a = jumps ? ways[a].jump : parent_of(m, a);
    b = jumps ? ways[b].jump : parent_of(m, b);
  }
  return a;
}

uint32_t si_path_driven(const si_model *m, uint32_t id, uint32_t top) {
  const si_way *ways = ways_of(m);
  if (ways) {
    id = ways[id].driven;
    return ways[id].depth > ways[top].depth ? id : 0;
  }
  while (id != top && !is_driven(m, id)) id = parent_of(m, id);
  return id == top ? 0 : id;
}

uint32_t si_path_driven_count(const si_model *m, uint32_t id, uint32_t top) {
  const si_way *ways = ways_of(m);
  uint32_t total = 0;
  if (ways) return ways[id].driven_count - ways[top].driven_count;
  for (; id != top; id = parent_of(m, id)) total += is_driven(m, id);
  return total;
}

/* counts the driven segments of a path, and those on the way up */
static si_path count(const si_model *m, const ends *e) {
  uint32_t top = si_path_top(m, e->from, e->to);
  si_path path = { .up = si_path_driven_count(m, e->from, top) };
  path.count = path.up + si_path_driven_count(m, e->to, top);
  si_work(path.count + 1); /* who sets up the components stops */
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

void si_path_wire(const si_model *m, si_component *k) {
  uint32_t first = k->fixed_inputs;
  ends e;
  for (EACH_PATH(d, k)) {
    if (!find_ends(m, k, d->name, &e)) continue;
    uint32_t count_of_path = count(m, &e).count, top = si_path_top(m, e.from, e.to), id;
    si_source *up = k->inputs + first, *down = up + count_of_path;
    for (uint32_t at = e.from; (id = si_path_driven(m, at, top)) != 0; at = parent_of(m, id))
      *up++ = m->segments[id - 1].source;
    /* the way down goes against the order of the inputs */
    for (uint32_t at = e.to; (id = si_path_driven(m, at, top)) != 0; at = parent_of(m, id))
      *--down = m->segments[id - 1].source;
    first += count_of_path;
  }
}

uint32_t si_path_segment(const si_model *m, const si_component *k, uint32_t input) {
  uint32_t first = k->fixed_inputs;
  ends e;
  for (EACH_PATH(d, k)) {
    if (!find_ends(m, k, d->name, &e)) continue;
    si_path path = count(m, &e);
    uint32_t top = si_path_top(m, e.from, e.to), end = first + path.count, id;
    if (input >= first && input < end) {
      bool rises = input < first + path.up;
      uint32_t left = rises ? input - first : end - 1 - input;
      uint32_t at = rises ? e.from : e.to;
      while ((id = si_path_driven(m, at, top)) != 0 && left-- > 0) at = parent_of(m, id);
      return id;
    }
    first = end;
  }
  return 0;
}

static void put_link(double *m, si_link *dest) {
  for (int i = 0; i < 16; i++) {
    dest->m[i] = (float)m[i];
    dest->moves |= dest->m[i] != (float)(i % 5 == 0);
  }
  identity(m);
}

/* up to so many rest frames are multiplied one by one; more as their product in the world */
enum { most_frames = 32 };

bool si_path_is_long(const si_model *m, uint32_t top, uint32_t id) {
  const si_way *ways = ways_of(m);
  return ways && ways[id].depth - ways[top].depth > most_frames;
}

/* the product of the rest frames from below `top` to `id`, multiplied in front of `dest` */
static void go_down(const si_model *m, uint32_t top, uint32_t id, double *dest) {
  double frame[16];
  if (si_path_is_long(m, top, id)) {
    multiply(ways_of(m)[id].world, dest, dest);
    inverse(ways_of(m)[top].world, frame);
    multiply(frame, dest, dest);
    return;
  }
  for (; id != top; id = parent_of(m, id)) {
    rest_of(m, id, frame);
    multiply(frame, dest, dest);
  }
}

/* the inverse of that product, multiplied behind `dest` */
static void go_up(const si_model *m, uint32_t top, uint32_t id, double *dest) {
  double rest[16], back[16];
  if (si_path_is_long(m, top, id)) {
    inverse(ways_of(m)[id].world, back);
    multiply(dest, back, dest);
    multiply(dest, ways_of(m)[top].world, dest);
    return;
  }
  for (; id != top; id = parent_of(m, id)) {
    rest_of(m, id, rest);
    inverse(rest, back);
    multiply(dest, back, dest);
  }
}

static void fill_links(const si_model *m, const ends *e, const si_path *path, si_link *links) {
  double above[16], below[16], rest[16];
  uint32_t first = 0, last = path->count, top = si_path_top(m, e->from, e->to), id;
  identity(above);
  identity(below);
  if (e->base) {
    rest_of(m, e->base, rest);
    inverse(rest, above);
  }
  uint32_t at = e->from, next = at;
  for (; (id = si_path_driven(m, next, top)) != 0; at = id, next = parent_of(m, id)) {
    go_up(m, id, at, above);
    put_link(above, &links[first++]);
  }
  go_up(m, top, at, above);
  for (at = next = e->to; (id = si_path_driven(m, next, top)) != 0;
       at = id, next = parent_of(m, id)) {
    go_down(m, id, at, below);
    put_link(below, &links[last--]);
  }
  go_down(m, top, at, below);
  multiply(above, below, above);
  put_link(above, &links[first]);
}

void si_path_rests(const si_model *m, uint32_t top, uint32_t id, float dest[16]) {
  double product[16];
  identity(product);
  go_down(m, top, id, product);
  for (int i = 0; i < 16; i++) dest[i] = (float)product[i];
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
