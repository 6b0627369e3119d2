/* Recipes of solids for tests: by hand, or random. */
#ifndef SOLID_CASES_H
#define SOLID_CASES_H

#include "fixture.h"
#include "make.h"

#include <string.h>

enum { MOST_POINTS = 36, MOST_ELEMENTS = 12, MOST_PARTS = 4 };

typedef struct recipe {
  sinew_solid_point points[MOST_POINTS];
  sinew_solid_element elements[MOST_ELEMENTS];
  sinew_solid_part parts[MOST_PARTS];
  int indices[64];
  sinew_solid_desc desc;
} recipe;

static inline void start(recipe *r) {
  memset(r, 0, sizeof *r);
  r->desc = sinew_default_solid_desc();
  r->desc.points = r->points;
  r->desc.indices = r->indices;
  r->desc.elements = r->elements;
  r->desc.parts = r->parts;
}

static inline int add_point(recipe *r, float x, float y, float z, float radius) {
  r->points[r->desc.point_count] = (sinew_solid_point){ { x, y, z }, radius };
  return r->desc.point_count++;
}

/* an element of the last `count` points */
static inline sinew_solid_element *add_element(recipe *r, sinew_solid_kind kind, int count) {
  sinew_solid_element *e = &r->elements[r->desc.element_count++];
  *e = (sinew_solid_element){ .kind = kind, .first = r->desc.index_count, .count = count };
  for (int i = 0; i < count; i++)
    r->indices[r->desc.index_count++] = r->desc.point_count - count + i;
  return e;
}

/* a part of the last `count` elements */
static inline sinew_solid_part *add_part(recipe *r, int count, float blend) {
  sinew_solid_part *p = &r->parts[r->desc.part_count++];
  *p = (sinew_solid_part){ .first = r->desc.element_count - count, .count = count, .blend = blend };
  return p;
}

static inline void add_random_element(recipe *r, uint32_t *seed) {
  sinew_solid_kind kind = (sinew_solid_kind)make_index(seed, SINEW_SOLID_KIND_COUNT);
  const int counts[] = { 1, 2, 3, 3, 1, 1 };
  for (int i = 0; i < counts[kind]; i++)
    add_point(r, make_between(seed, -0.1f, 0.1f), make_between(seed, -0.1f, 0.1f),
              make_between(seed, -0.1f, 0.1f), make_between(seed, 0.01f, 0.03f));
  sinew_solid_element *e = add_element(r, kind, counts[kind]);
  for (int k = 0; k < 3; k++) {
    e->radii[k] = make_between(seed, 0.01f, 0.05f);
    e->turn[k] = make_between(seed, -90, 90);
  }
  if (make_index(seed, 2)) e->flat = make_between(seed, 0.5f, 3);
  make_axis(seed, e->across);
}

static inline sinew_solid *random_solid(uint32_t *seed, bool cuts) {
  recipe r;
  start(&r);
  r.desc.mirror = make_index(seed, 2);
  r.desc.fold = make_between(seed, 0, 0.005f);
  r.desc.cell = 0.006f;
  int parts = 1 + make_index(seed, MOST_PARTS);
  for (int p = 0; p < parts; p++) {
    int count = 1 + make_index(seed, 3);
    for (int i = 0; i < count; i++) add_random_element(&r, seed);
    sinew_solid_part *part = add_part(&r, count, make_between(seed, 0, 0.03f));
    part->inner = make_index(seed, 2) ? make_between(seed, 0, 0.02f) : 0;
    part->smooth = make_index(seed, 3);
    part->cut = cuts && p > 0 && make_index(seed, 3) == 0;
  }
  return sinew_solid_create(&r.desc, &error);
}

#endif
