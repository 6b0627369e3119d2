/* From a desc to primitives: checks everything, then turns elements into balls, cones, lines,
 * wedges and ellipsoids. */
#include "shape/solid_internal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum {
  spans = 4,       /* pieces of a tube between two points */
  flat_spans = 12, /* of a flat one, whose pieces would show */
  most_smooth = 3
};

/* --- checking */

bool si_all_small(const float *numbers, int count) {
  for (int i = 0; i < count; i++)
    if (!(fabsf(numbers[i]) < 1e4f)) return false;
  return true;
}

static bool in_range(int first, int count, int all) {
  return first >= 0 && count >= 0 && first <= all && count <= all - first;
}

sinew_status si_solid_check_point(const sinew_solid_desc *d, int i, sinew_error *error) {
  const sinew_solid_point *p = &d->points[i];
  if (si_all_small(p->at, 3) && p->radius >= 0 && si_all_small(&p->radius, 1)) return SINEW_OK;
  return si_fail(error, SINEW_ERR_VALUE, "solid: point %d has a number out of range", i + 1);
}

sinew_status si_solid_check_element(const sinew_solid_desc *d, int i, sinew_error *error) {
  static const int least[] = { 1, 2, 3, 2, 1, 1 }, most[] = { 1, 2, 3, 1 << 20, 1, 1 };
  const sinew_solid_element *e = &d->elements[i];
  if ((unsigned)e->kind >= SINEW_SOLID_KIND_COUNT)
    return si_fail(error, SINEW_ERR_VALUE, "solid: element %d has no such kind", i + 1);
  if (!in_range(e->first, e->count, d->index_count) || e->count < least[e->kind] ||
      e->count > most[e->kind])
    return si_fail(error, SINEW_ERR_VALUE, "solid: element %d has %d points", i + 1, e->count);
  for (int k = 0; k < e->count; k++)
    if (!in_range(d->indices[e->first + k], 1, d->point_count))
      return si_fail(error, SINEW_ERR_VALUE, "solid: element %d has no point %d", i + 1,
                     d->indices[e->first + k]);
  bool round = e->kind == SINEW_SOLID_ELLIPSOID || e->kind == SINEW_SOLID_DRUM;
  for (int k = 0; round && k < 3; k++)
    if (!(e->radii[k] > 0))
      return si_fail(error, SINEW_ERR_VALUE, "solid: element %d needs positive radii", i + 1);
  if (!si_all_small(e->radii, 3) || !si_all_small(e->turn, 3) || !si_all_small(e->across, 3) ||
      !si_all_small(&e->flat, 1) || e->flat < 0)
    return si_fail(error, SINEW_ERR_VALUE, "solid: element %d has a number out of range", i + 1);
  return SINEW_OK;
}

sinew_status si_solid_check_part(const sinew_solid_desc *d, int i, sinew_error *error) {
  const sinew_solid_part *p = &d->parts[i];
  if (!in_range(p->first, p->count, d->element_count) || p->count < 1)
    return si_fail(error, SINEW_ERR_VALUE, "solid: part %d has no elements", i + 1);
  if (!(p->blend >= 0 && p->inner >= 0) || !si_all_small(&p->blend, 1) ||
      !si_all_small(&p->inner, 1))
    return si_fail(error, SINEW_ERR_VALUE, "solid: part %d needs a blend of 0 or more", i + 1);
  if (p->smooth < 0 || p->smooth > most_smooth)
    return si_fail(error, SINEW_ERR_VALUE, "solid: part %d: smooth is 0 to %d", i + 1, most_smooth);
  return SINEW_OK;
}

static sinew_status too_many(sinew_error *error) {
  return si_fail(error, SINEW_ERR_LIMIT, "solid: has more than %d elements", SINEW_SOLID_ELEMENTS);
}

sinew_status si_recipe_check(const sinew_solid_desc *d, sinew_error *error) {
  bool adds = false;
  int used = 0; /* elements of all parts, which may share them */
  sinew_status status = SINEW_OK;
  if (d->element_count > SINEW_SOLID_ELEMENTS) return too_many(error);
  for (int i = 0; i < d->point_count && status >= 0; i++)
    status = si_solid_check_point(d, i, error);
  for (int i = 0; i < d->element_count && status >= 0; i++)
    status = si_solid_check_element(d, i, error);
  for (int i = 0; i < d->part_count && status >= 0; i++) {
    status = si_solid_check_part(d, i, error);
    if (status < 0) break;
    used += d->parts[i].count;
    if (used > SINEW_SOLID_ELEMENTS) return too_many(error);
    adds = adds || !d->parts[i].cut;
  }
  if (status < 0) return status;
  if (!adds) return si_fail(error, SINEW_ERR_VALUE, "solid: there is no part that adds anything");
  if (!(d->fold >= 0 && d->cell >= 0) || !si_all_small(&d->fold, 1) || !si_all_small(&d->cell, 1))
    return si_fail(error, SINEW_ERR_VALUE, "solid: fold and cell are lengths of 0 or more");
  return SINEW_OK;
}

/* --- primitives */

typedef struct maker {
  const sinew_solid_desc *desc;
  si_prim *prims;
  size_t room;
  int count;
  uint16_t part, element;
  sinew_error *error;
} maker;

static void difference(const float *a, const float *b, float dest[3]) {
  for (int k = 0; k < 3; k++) dest[k] = a[k] - b[k];
}

static bool too_many_prims(maker *m) {
  return si_fail_false(m->error, SINEW_ERR_LIMIT,
                       "solid: more than %d primitives; use fewer points", SI_SOLID_PRIMS);
}

static si_prim *add_prim(maker *m, si_prim_kind kind, const sinew_solid_point *a) {
  if (m->count >= SI_SOLID_PRIMS) return too_many_prims(m), NULL;
  if (!si_grow(&m->prims, &m->room, (size_t)m->count + 1, sizeof *m->prims)) {
    si_fail_memory(m->error);
    return NULL;
  }
  si_prim *p = &m->prims[m->count++];
  *p = (si_prim){ .kind = (uint8_t)kind, .part = m->part, .element = m->element, .steep = 1 };
  memcpy(p->a, a->at, sizeof p->a);
  p->ra = a->radius;
  return p;
}

/* a ball, where one holds the other, or a line or cone */
static si_prim *add_line(maker *m, si_prim_kind kind, const sinew_solid_point *a,
                         const sinew_solid_point *b) {
  float way[3];
  difference(b->at, a->at, way);
  float length = si_length3(way), slope = fabsf(a->radius - b->radius);
  bool inside = kind == SI_PRIM_CONE ? length <= slope * 1.0001f : false;
  if (inside || length < 1e-7f) return add_prim(m, SI_PRIM_BALL, a->radius > b->radius ? a : b);
  si_prim *p = add_prim(m, kind, a);
  if (!p) return NULL;
  memcpy(p->b, way, sizeof way);
  p->rb = b->radius;
  p->inverse = 1 / (length * length);
  if (kind != SI_PRIM_CONE) p->steep = 1 + slope / length;
  return p;
}

static bool add_wedge(maker *m, const sinew_solid_point *a, const sinew_solid_point *b,
                      const sinew_solid_point *c) {
  float u[3], v[3], n[3];
  difference(b->at, a->at, u);
  difference(c->at, a->at, v);
  n[0] = u[1] * v[2] - u[2] * v[1];
  n[1] = u[2] * v[0] - u[0] * v[2];
  n[2] = u[0] * v[1] - u[1] * v[0];
  float longest = fmaxf(si_length3(u), si_length3(v)), high = si_length3(n) / (longest + 1e-12f);
  if (high < 1e-3f * longest || longest < 1e-7f) /* no area: its edges are all there is */
    return add_line(m, SI_PRIM_LINE, a, b) && add_line(m, SI_PRIM_LINE, b, c) &&
           add_line(m, SI_PRIM_LINE, c, a);
  si_prim *p = add_prim(m, SI_PRIM_WEDGE, a);
  if (!p) return false;
  memcpy(p->b, u, sizeof u);
  memcpy(p->c, v, sizeof v);
  p->rb = b->radius;
  p->rc = c->radius;
  float slope = fabsf(b->radius - a->radius) + fabsf(c->radius - a->radius);
  p->steep = 1 + slope / high;
  return true;
}

static float along_curve(float a, float b, float c, float d, float t) {
  return 0.5f * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t +
                 (3 * b - a - 3 * c + d) * t * t * t);
}

static sinew_solid_point curve_point(const sinew_solid_point *const p[4], float t) {
  sinew_solid_point dest;
  for (int k = 0; k < 3; k++)
    dest.at[k] = along_curve(p[0]->at[k], p[1]->at[k], p[2]->at[k], p[3]->at[k], t);
  dest.radius = along_curve(p[0]->radius, p[1]->radius, p[2]->radius, p[3]->radius, t);
  /* a curve through radii may swing below them */
  float least = 0.5f * fminf(p[1]->radius, p[2]->radius);
  if (dest.radius < least) dest.radius = least;
  return dest;
}

static bool add_tube(maker *m, const sinew_solid_element *e) {
  const sinew_solid_desc *d = m->desc;
  const int *index = d->indices + e->first;
  const bool flat = e->flat > 0 && e->flat != 1 && si_length3(e->across) > 0;
  const int pieces = flat ? flat_spans : spans;
  for (int s = 0; s + 1 < e->count; s++) {
    const sinew_solid_point *p[4] = { &d->points[index[s ? s - 1 : 0]], &d->points[index[s]],
                                      &d->points[index[s + 1]],
                                      &d->points[index[s + 2 < e->count ? s + 2 : s + 1]] };
    for (int i = 0; i < pieces; i++) {
      sinew_solid_point a = curve_point(p, (float)i / (float)pieces);
      sinew_solid_point b = curve_point(p, (float)(i + 1) / (float)pieces);
      si_prim *made = add_line(m, flat ? SI_PRIM_FLAT : SI_PRIM_LINE, &a, &b);
      if (!made) return false;
      if (made->kind != SI_PRIM_FLAT) continue;
      /* `across`, made perpendicular to the piece */
      float part = 0, size;
      for (int k = 0; k < 3; k++) part += e->across[k] * made->b[k];
      for (int k = 0; k < 3; k++) made->c[k] = e->across[k] - part * made->inverse * made->b[k];
      size = si_length3(made->c);
      for (int k = 0; k < 3; k++) made->c[k] /= size > 1e-6f ? size : 1;
      made->flat = size > 1e-6f ? e->flat : 1;
      if (made->flat < 1) made->steep /= made->flat;
    }
  }
  return true;
}

/* rows of `dest`: the axes of a frame turned by a rotation vector in degrees (Rodrigues) */
static void turned_axes(const float turn[3], float dest[9]) {
  float angle = si_length3(turn), u[3] = { 0, 0, 0 };
  for (int k = 0; k < 3 && angle > 0; k++) u[k] = turn[k] / angle;
  float radians = angle * 0.017453292519943295f, c = cosf(radians), s = sinf(radians);
  for (int row = 0; row < 3; row++)
    for (int k = 0; k < 3; k++) {
      /* column `row` of the rotation matrix */
      float cross = row == k ? 0 : ((k - row + 3) % 3 == 1 ? u[(k + 1) % 3] : -u[(row + 1) % 3]);
      dest[3 * row + k] = (row == k ? c : 0) + s * cross + (1 - c) * u[row] * u[k];
    }
}

static bool add_round(maker *m, const sinew_solid_element *e) {
  const sinew_solid_point *centre = &m->desc->points[m->desc->indices[e->first]];
  si_prim *p = add_prim(m, e->kind == SINEW_SOLID_DRUM ? SI_PRIM_DRUM : SI_PRIM_ELLIPSOID, centre);
  if (!p) return false;
  memcpy(p->b, e->radii, sizeof p->b);
  p->ra = fminf(fminf(e->radii[0], e->radii[1]), e->radii[2]);
  turned_axes(e->turn, p->m);
  /* the first-order distance is steeper than 1 between the axes of a long one */
  float longest = fmaxf(fmaxf(e->radii[0], e->radii[1]), e->radii[2]);
  p->steep = 1 + 0.5f * (longest / p->ra - 1);
  return true;
}

static bool add_element(maker *m, const sinew_solid_element *e) {
  const int *index = m->desc->indices + e->first;
  const sinew_solid_point *p = m->desc->points;
  switch (e->kind) {
  case SINEW_SOLID_BALL: return add_prim(m, SI_PRIM_BALL, &p[index[0]]) != NULL;
  case SINEW_SOLID_CONE: return add_line(m, SI_PRIM_CONE, &p[index[0]], &p[index[1]]) != NULL;
  case SINEW_SOLID_WEDGE: return add_wedge(m, &p[index[0]], &p[index[1]], &p[index[2]]);
  case SINEW_SOLID_TUBE: return add_tube(m, e);
  case SINEW_SOLID_ELLIPSOID:
  case SINEW_SOLID_DRUM: return add_round(m, e);
  case SINEW_SOLID_KIND_COUNT: break;
  }
  return false;
}

static bool add_sheet(maker *m, const si_sheet *sheet) {
  for (int t = 0; t < sheet->triangle_count; t++) {
    const int *c = sheet->triangles[t];
    if (!add_wedge(m, &sheet->points[c[0]], &sheet->points[c[1]], &sheet->points[c[2]]))
      return false;
  }
  return true;
}

/* the wedges of a part with `smooth`, subdivided, as one element */
static bool add_smooth(maker *m, const sinew_solid_part *part) {
  si_sheet sheet = { 0 };
  const sinew_solid_desc *d = m->desc;
  bool good = true;
  for (int i = part->first; good && i < part->first + part->count; i++)
    if (d->elements[i].kind == SINEW_SOLID_WEDGE)
      good = si_sheet_add(&sheet, d->points, d->indices + d->elements[i].first);
  /* each step makes four of one, and takes long if there are many */
  bool few = sheet.triangle_count <= SI_SOLID_PRIMS >> 2 * part->smooth;
  for (int k = 0; good && few && k < part->smooth; k++) good = si_sheet_subdivide(&sheet);
  if (!good) si_fail_memory(m->error);
  good = good && (few ? add_sheet(m, &sheet) : too_many_prims(m));
  si_sheet_free(&sheet);
  return good;
}

static bool add_parts(maker *m) {
  const sinew_solid_desc *d = m->desc;
  for (int i = 0; i < d->part_count; i++) {
    const sinew_solid_part *part = &d->parts[i];
    m->part = (uint16_t)i;
    m->element++;
    if (part->smooth && !add_smooth(m, part)) return false;
    for (int k = part->first; k < part->first + part->count; k++) {
      if (part->smooth && d->elements[k].kind == SINEW_SOLID_WEDGE) continue;
      m->element++;
      if (!add_element(m, &d->elements[k])) return false;
    }
  }
  return true;
}

/* --- recipes */

void si_prim_bound(si_prim *p) {
  const bool line = p->kind == SI_PRIM_CONE || p->kind == SI_PRIM_LINE || p->kind == SI_PRIM_FLAT;
  float ends[3][3], radii[3] = { p->ra, p->rb, p->rc }, corners = 1;
  if (line) corners = 2;
  if (p->kind == SI_PRIM_WEDGE) corners = 3;
  for (int k = 0; k < 3; k++) {
    ends[0][k] = p->a[k];
    ends[1][k] = p->a[k] + p->b[k];
    ends[2][k] = p->a[k] + p->c[k];
    p->middle[k] = 0;
    for (int i = 0; i < (int)corners; i++) p->middle[k] += ends[i][k] / corners;
  }
  p->size = 0;
  for (int i = 0; i < (int)corners; i++) {
    float way[3];
    difference(ends[i], p->middle, way);
    p->size = fmaxf(p->size, si_length3(way) + radii[i]);
  }
  bool near = p->kind == SI_PRIM_FLAT || p->kind == SI_PRIM_ELLIPSOID || p->kind == SI_PRIM_DRUM;
  if (near) p->size = 1e9f;
}

static uint64_t hash_recipe(const si_recipe *r) {
  uint64_t hash = SI_HASH_START;
  const int version = SI_SOLID_VERSION;
  const float numbers[3] = { r->mirror ? 1 : 0, r->fold, r->cell };
  hash = si_hash(hash, &version, sizeof version);
  hash = si_hash(hash, numbers, sizeof numbers);
  for (int i = 0; i < r->prim_count; i++) {
    const si_prim *p = &r->prims[i];
    const uint16_t places[3] = { p->kind, p->element, p->part };
    /* all that was given */
    hash = si_hash(hash, p, offsetof(si_prim, middle));
    hash = si_hash(hash, places, sizeof places);
  }
  for (int i = 0; i < r->part_count; i++) {
    const float part[3] = { r->parts[i].blend, r->parts[i].inner, r->parts[i].cut ? 1 : 0 };
    hash = si_hash(hash, part, sizeof part);
  }
  return hash ? hash : 1;
}

/* grows the box of a recipe by a ball, on both sides if it is mirrored */
static void take_ball(si_recipe *r, const float *at, float radius) {
  for (int k = 0; k < 3; k++) {
    float low = at[k] - radius, high = at[k] + radius;
    if (k == 0 && r->mirror) {
      float wide = fmaxf(fabsf(low), fabsf(high));
      low = -wide;
      high = wide;
    }
    r->low[k] = fminf(r->low[k], low);
    r->high[k] = fmaxf(r->high[k], high);
  }
}

static void take_bounds(si_recipe *r) {
  for (int k = 0; k < 3; k++) r->low[k] = 1e9f, r->high[k] = -1e9f;
  float swell = 0, biggest = 0;
  for (int i = 0; i < r->prim_count; i++) {
    const si_prim *p = &r->prims[i];
    if (r->parts[p->part].cut) continue;
    float end[3];
    if (p->kind == SI_PRIM_ELLIPSOID || p->kind == SI_PRIM_DRUM) {
      take_ball(r, p->a, si_length3(p->b));
      continue;
    }
    float wider = p->kind == SI_PRIM_FLAT ? fmaxf(1, p->flat) : 1;
    take_ball(r, p->a, p->ra * wider);
    for (int k = 0; k < 3; k++) end[k] = p->a[k] + p->b[k];
    if (p->kind != SI_PRIM_BALL) take_ball(r, end, p->rb * wider);
    for (int k = 0; k < 3; k++) end[k] = p->a[k] + p->c[k];
    if (p->kind == SI_PRIM_WEDGE) take_ball(r, end, p->rc);
  }
  /* a blend swells by a quarter of k at most; several add up, but not in one place */
  for (int i = 0; i < r->part_count; i++)
    if (!r->parts[i].cut) swell = fmaxf(swell, 0.5f * fmaxf(r->parts[i].blend, r->parts[i].inner));
  for (int k = 0; k < 3; k++) {
    r->low[k] -= swell;
    r->high[k] += swell;
    biggest = fmaxf(biggest, r->high[k] - r->low[k]);
  }
  if (!(r->cell > 0)) r->cell = biggest / 64;
}

void si_recipe_release(si_recipe *r) {
  if (!r || atomic_fetch_sub(&r->references, 1) != 1) return;
  for (int i = 0; i < SINEW_SOLID_LEVEL_COUNT; i++) sinew_mesh_destroy(r->made[i]);
  pthread_mutex_destroy(&r->lock);
  si_free((void *)(uintptr_t)r->desc.points);
  si_free(r->prims);
  si_free(r);
}

/* copies an array to *at, which moves on; all of them hold numbers of four bytes */
static const void *keep(unsigned char **at, const void *from, size_t bytes) {
  void *kept = memcpy(*at, from, bytes);
  *at += bytes;
  return kept;
}

/* copies the arrays into one block, which starts with the points; false if memory runs out */
static bool keep_desc(const sinew_solid_desc *d, sinew_solid_desc *dest) {
  const size_t points = (size_t)d->point_count * sizeof *d->points,
               indices = (size_t)d->index_count * sizeof *d->indices,
               elements = (size_t)d->element_count * sizeof *d->elements,
               parts = (size_t)d->part_count * sizeof *d->parts;
  unsigned char *at = si_alloc(points + indices + elements + parts);
  *dest = *d;
  dest->size = sizeof *dest;
  dest->points = NULL;
  if (!at) return false;
  dest->points = keep(&at, d->points, points);
  dest->indices = keep(&at, d->indices, indices);
  dest->elements = keep(&at, d->elements, elements);
  dest->parts = keep(&at, d->parts, parts);
  return true;
}

si_recipe *si_recipe_create(const sinew_solid_desc *d, sinew_error *error) {
  maker m = { .desc = d, .error = error };
  si_recipe *r = si_alloc(sizeof *r);
  sinew_solid_desc kept = { .points = NULL };
  bool room = r && keep_desc(d, &kept);
  if (!room) si_fail_memory(error);
  if (!room || !add_parts(&m)) {
    si_free(r);
    si_free((void *)(uintptr_t)kept.points);
    si_free(m.prims);
    return NULL;
  }
  *r = (si_recipe){ .desc = kept,
                    .prims = m.prims,
                    .parts = kept.parts,
                    .prim_count = m.count,
                    .part_count = d->part_count,
                    .mirror = d->mirror,
                    .fold = d->fold,
                    .cell = d->cell };
  atomic_init(&r->references, 1);
  pthread_mutex_init(&r->lock, NULL);
  take_bounds(r);
  for (int i = 0; i < r->prim_count; i++) si_prim_bound(&r->prims[i]);
  r->hash = hash_recipe(r);
  return r;
}
