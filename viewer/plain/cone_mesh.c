/* The fan from the visible point V: with E(t) on the edge from P(i) to P(i+1), a vertex is on the
 * great circle from V to E(t), which star-shape keeps inside the cone [Wilhelms 2001, 3.1]. */
#include "plain/cone_mesh.h"

#include "plain/space.h"

#include <stdlib.h>

static const float grain = 6; /* largest angle between neighbouring vertices, in degrees */

const float cone_mesh_stops[cone_mesh_stop_count][3] = {
  { 0.62f, 0.08f, 0.22f }, { 0.90f, 0.42f, 0.18f }, { 0.42f, 0.72f, 0.46f }, { 0.45f, 0.80f, 0.98f }
};

void cone_mesh_shade(float share, float dest[3]) {
  const int last = cone_mesh_stop_count - 2;
  float x = fminf(fmaxf(share, 0), 1) * (float)(last + 1);
  int i = x < (float)last ? (int)x : last;
  const float *a = cone_mesh_stops[i], *b = cone_mesh_stops[i + 1];
  for (int k = 0; k < 3; k++) dest[k] = a[k] + (x - (float)i) * (b[k] - a[k]);
}

static int stride_of(const sinew_cone *cone) {
  return (sinew_cone_count(cone) + cone_mesh_most_slices - 1) / cone_mesh_most_slices;
}

typedef struct slice {
  float from[3], to[3];
  int index; /* index of its first point */
  int across, outwards;
} slice;

static slice slice_at(const sinew_cone *cone, const float *visible, int index) {
  int count = sinew_cone_count(cone), next = index + stride_of(cone);
  slice s = { .index = index };
  sinew_cone_point(cone, index, s.from);
  sinew_cone_point(cone, next < count ? next : 0, s.to);
  float far = fmaxf(space_degrees_between(visible, s.from), space_degrees_between(visible, s.to));
  s.across = (int)ceilf(space_degrees_between(s.from, s.to) / grain);
  s.outwards = (int)ceilf(far / grain);
  if (s.across < 1) s.across = 1;
  if (s.outwards < 1) s.outwards = 1;
  return s;
}

typedef struct maker {
  const sinew_cone *cone;
  cone_mesh *mesh;
  float visible[3];
  int hint;
} maker;

static void add_vertex(maker *k, const slice *s, int outwards, int across) {
  cone_mesh *m = k->mesh;
  float edge[3], limits[2];
  float share = (float)outwards / (float)s->outwards, along = (float)across / (float)s->across;
  float *place = m->places + 3 * m->vertex_count, *value = m->values + 2 * m->vertex_count;
  space_slerp(s->from, s->to, along, edge);
  space_slerp(k->visible, edge, share, place);
  bool limited = sinew_cone_twist(k->cone, place, &k->hint, limits);
  value[0] = limited ? limits[1] - limits[0] : -1;
  value[1] = (float)s->index;
  m->inner[2 * m->vertex_count] = share;
  m->inner[2 * m->vertex_count + 1] = along;
  m->narrowest = m->vertex_count ? fminf(m->narrowest, value[0]) : value[0];
  m->widest = m->vertex_count ? fmaxf(m->widest, value[0]) : value[0];
  m->vertex_count++;
}

static void add_slice(maker *k, const slice *s) {
  for (int o = 0; o < s->outwards; o++)
    for (int a = 0; a < s->across; a++) {
      add_vertex(k, s, o, a);
      add_vertex(k, s, o + 1, a);
      add_vertex(k, s, o + 1, a + 1);
      if (o == 0) continue;
      add_vertex(k, s, o, a);
      add_vertex(k, s, o + 1, a + 1);
      add_vertex(k, s, o, a + 1);
    }
}

bool cone_mesh_make(const sinew_cone *cone, cone_mesh *dest) {
  *dest = (cone_mesh){ 0 };
  maker k = { .cone = cone, .mesh = dest, .hint = -1 };
  sinew_cone_visible_point(cone, k.visible);
  size_t vertices = 0;
  for (int i = 0; i < sinew_cone_count(cone); i += stride_of(cone)) {
    slice s = slice_at(cone, k.visible, i);
    vertices += 3 * (size_t)s.across * (2 * (size_t)s.outwards - 1);
  }
  dest->places = malloc(vertices * 3 * sizeof(float));
  dest->values = malloc(vertices * 2 * sizeof(float));
  dest->inner = malloc(vertices * 2 * sizeof(float));
  if (!dest->places || !dest->values || !dest->inner) {
    cone_mesh_free(dest);
    return false;
  }
  for (int i = 0; i < sinew_cone_count(cone); i += stride_of(cone)) {
    slice s = slice_at(cone, k.visible, i);
    add_slice(&k, &s);
  }
  return true;
}

void cone_mesh_free(cone_mesh *mesh) {
  free(mesh->places);
  free(mesh->values);
  free(mesh->inner);
  *mesh = (cone_mesh){ 0 };
}

int cone_mesh_outline(const sinew_cone *cone, float **dest) {
  float visible[3];
  size_t total = 0;
  sinew_cone_visible_point(cone, visible);
  for (int i = 0; i < sinew_cone_count(cone); i += stride_of(cone))
    total += (size_t)slice_at(cone, visible, i).across;
  float *line = malloc(total * 3 * sizeof(float));
  if (!line) return 0;
  int used = 0;
  for (int i = 0; i < sinew_cone_count(cone); i += stride_of(cone)) {
    slice s = slice_at(cone, visible, i);
    for (int a = 0; a < s.across; a++)
      space_slerp(s.from, s.to, (float)a / (float)s.across, line + 3 * used++);
  }
  *dest = line;
  return used;
}
