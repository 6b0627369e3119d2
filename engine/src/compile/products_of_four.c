/* Computes the constants of products that run four at a time; see products_of_four.h.
 * evaluate/products_run.c runs them. */
#include "compile/products_of_four.h"

#include "components/rotation.h"

/* an affine matrix in doubles: rotation by rows, and translation */
typedef struct wide_frame {
  double m[3][3], t[3];
} wide_frame;

/* an angle as its cosine and sine */
typedef struct angle {
  double c, s;
} angle;

static angle add_angles(angle a, angle b) {
  return (angle){ a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s };
}

static uint32_t quads_of(uint32_t products) { return (products + 3) / 4; }

void si_quads_carve(const uint32_t *product_end, si_carver *carver, si_fused *fused) {
  uint32_t twos = product_end[1] - product_end[0], threes = product_end[2] - product_end[1];
  fused->quads = si_carve(carver, (size_t)quads_of(twos) + quads_of(threes), sizeof(si_quad), 64);
  fused->firsts = si_carve(carver, (size_t)twos + threes, sizeof(si_turn), 64);
}

static void multiply(const wide_frame *a, const wide_frame *b, wide_frame *dest) {
  wide_frame r;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      r.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    r.t[i] = a->m[i][0] * b->t[0] + a->m[i][1] * b->t[1] + a->m[i][2] * b->t[2] + a->t[i];
  }
  *dest = r;
}

/* the rotation about a coordinate axis: Rz or Rx */
static wide_frame rotation_about(int axis, angle a) {
  int j = (axis + 1) % 3, k = (axis + 2) % 3;
  wide_frame f = { { { 0 } }, { 0 } };
  f.m[axis][axis] = 1;
  f.m[j][j] = f.m[k][k] = a.c;
  f.m[k][j] = a.s, f.m[j][k] = -a.s;
  return f;
}

/* a frame with the rotation's axis as z, without translation */
static wide_frame frame_of(const si_rotation_data *h) {
  double z[3], x[3], length = 0;
  int least = 0;
  for (int i = 0; i < 3; i++) {
    length += (double)h->axis[i] * (double)h->axis[i];
    if (fabsf(h->axis[i]) < fabsf(h->axis[least])) least = i;
  }
  for (int i = 0; i < 3; i++) z[i] = (double)h->axis[i] / sqrt(length);
  for (int i = 0; i < 3; i++) x[i] = (i == least) - z[least] * z[i];
  length = sqrt(1 - z[least] * z[least]);
  for (int i = 0; i < 3; i++) x[i] /= length;
  wide_frame f = { { { 0 } }, { 0 } };
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    f.m[i][0] = x[i], f.m[i][2] = z[i], f.m[i][1] = z[j] * x[k] - z[k] * x[j];
  }
  return f;
}

/* the constant transform between two rotations, as Rz(a) T(v) Rx(b) Rz(c) */
typedef struct link {
  angle a, b, c;
  double v[3];
} link;

static link take_apart(const wide_frame *f) {
  double slant = sqrt(f->m[0][2] * f->m[0][2] + f->m[1][2] * f->m[1][2]);
  link l = { .a = { f->m[0][0], f->m[1][0] }, .b = { f->m[2][2], slant } };
  /* if z maps to z, then a takes the whole angle and c is 0 */
  if (slant > 1e-15) l.a = (angle){ -f->m[1][2] / slant, f->m[0][2] / slant };
  /* c is what remains after Rz(a) and Rx(b), so that it also absorbs their rounding errors */
  wide_frame back = rotation_about(2, (angle){ l.a.c, -l.a.s }),
             rest = rotation_about(0, (angle){ l.b.c, -l.b.s });
  multiply(&rest, &back, &rest);
  multiply(&rest, f, &rest);
  double length = sqrt(rest.m[0][0] * rest.m[0][0] + rest.m[1][0] * rest.m[1][0]);
  l.c = (angle){ rest.m[0][0] / length, rest.m[1][0] / length };
  for (int i = 0; i < 3; i++)
    l.v[i] = back.m[i][0] * f->t[0] + back.m[i][1] * f->t[1] + back.m[i][2] * f->t[2];
  return l;
}

/* a rotation is T(p) C Rz C^-1 T(q); this is the constant transform from it to the next one, or
 * after the last */
static link link_after(const si_rotation_data *h, const si_rotation_data *next) {
  wide_frame here = frame_of(h), between = { { { 0 } }, { 0 } };
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) between.m[i][j] = here.m[j][i];
    for (int j = 0; j < 3; j++)
      between.t[i] +=
          here.m[j][i] * ((double)h->moves[0].q[j] + (next ? (double)next->moves[0].p[j] : 0));
  }
  if (next) {
    wide_frame there = frame_of(next);
    multiply(&between, &there, &between);
  }
  return take_apart(&between);
}

static wide_frame widen(const float *m) {
  wide_frame f;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) f.m[i][j] = (double)m[4 * j + i];
    f.t[i] = (double)m[12 + i];
  }
  return f;
}

/* rest T(p) C Rz(t) Rz(a) T(v) Rx(b), from its values at 0, 90 and 180 degrees */
static void fill_first(si_quad *q, uint32_t lane, const si_rotation_data *h, const float *rest,
                       const link *l) {
  static const angle quarters[3] = { { 1, 0 }, { 0, 1 }, { -1, 0 } };
  wide_frame start = frame_of(h), at[3];
  for (int i = 0; i < 3; i++) start.t[i] = (double)h->moves[0].p[i];
  if (rest) {
    wide_frame before = widen(rest);
    multiply(&before, &start, &start);
  }
  wide_frame end = rotation_about(0, l->b);
  for (int i = 0; i < 3; i++) end.t[i] = l->v[i];
  for (int k = 0; k < 3; k++) {
    wide_frame z = rotation_about(2, add_angles(quarters[k], l->a));
    multiply(&start, &z, &at[k]);
    multiply(&at[k], &end, &at[k]);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      double f[3];
      for (int k = 0; k < 3; k++) f[k] = j < 3 ? at[k].m[i][j] : at[k].t[i];
      double p = (f[0] + f[2]) / 2;
      q->first[i][j][0][lane] = (float)p;
      q->first[i][j][1][lane] = (float)(f[0] - p);
      q->first[i][j][2][lane] = (float)(f[1] - p);
    }
}

static void put_angle(angle a, float (*dest)[4], uint32_t lane) {
  dest[0][lane] = (float)a.c, dest[1][lane] = (float)a.s;
}

static void fill_lane(const sinew_rig *rig, si_quad *q, uint32_t lane, uint32_t product,
                      uint32_t turns) {
  const si_fused *f = rig->fused;
  uint32_t first = f->first_turn[product], slot = f->turn_slot[first];
  angle before = { 1, 0 };
  q->at[lane] = f->product_at[product];
  for (uint32_t j = 0; j < turns; j++) {
    uint32_t turn = first + j;
    const si_rotation_data *h = si_turn_constants(rig, turn);
    const si_rotation_data *next = j + 1 < turns ? si_turn_constants(rig, turn + 1) : NULL;
    link l = link_after(h, next);
    if (j == 0) fill_first(q, lane, h, slot == SI_NONE ? NULL : rig->rest + 16 * (size_t)slot, &l);
    put_angle(add_angles(before, l.a), q->phase[j], lane);
    before = l.c;
    for (int i = 0; i < 3; i++) q->link[j][i][lane] = (float)l.v[i];
    put_angle(l.b, q->link[j] + 3, lane);
    q->low[j][lane] = h->low, q->high[j][lane] = h->high, q->rest[j][lane] = h->rest;
    q->angle[j][lane] = f->turn_angle[turn];
    q->works &= h->intervals == 1;
  }
  put_angle(before, q->last, lane);
}

/* the same constants for one product alone, in columns */
static void fill_single(const si_quad *q, uint32_t lane, si_turn *dest) {
  float *parts[3] = { dest->p, dest->q, dest->x };
  for (int k = 0; k < 3; k++)
    for (int j = 0; j < 4; j++) {
      for (int i = 0; i < 3; i++) parts[k][4 * j + i] = q->first[i][j][k][lane];
      parts[k][4 * j + 3] = j == 3 && k == 0;
    }
}

void si_quads_refresh(sinew_rig *rig) {
  const si_fused *f = rig->fused;
  si_turn *first = f->firsts;
  for (uint32_t turns = 2; turns <= SI_QUAD_TURNS; turns++) {
    si_quad *q = si_quads_of(f, turns);
    uint32_t from = f->product_end[turns - 2] - f->early, to = f->product_end[turns - 1] - f->early;
    for (uint32_t i = from; i < to; i += 4, q++) {
      q->works = true;
      for (uint32_t lane = 0; lane < 4; lane++)
        fill_lane(rig, q, lane, i + lane < to ? i + lane : to - 1, turns);
      for (uint32_t lane = 0; i + lane < to && lane < 4; lane++) fill_single(q, lane, first++);
    }
  }
}
