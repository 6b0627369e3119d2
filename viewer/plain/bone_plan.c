/* A segment has a bone towards each child. A child that lies beside the bone to another one, as a
 * patella beside the shin, is an offset: it is reached by dots from that bone. A leaf goes on in
 * the direction it was reached in. */
#include "plain/bone_plan.h"
#include "plain/space.h"

#include <stdlib.h>

/* lengths by that of a bone, or by the rig's size */
static const float width = 0.08f, thinnest = 0.008f; /* of a bone, by its length and the size */
static const float ball = 0.015f;                    /* radius of a joint, by the size */
static const float beside = 0.15f; /* a child this close to another bone is an offset */
static const float same = 0.004f;  /* joints closer than this, by the size, are one */
static const float leaf = 0.9f;    /* of what reaches it */
static const float single = 0.25f; /* a leaf in a rig of one point, by its height */
static const float low = 0.1f;     /* lower than this, by the size, is on the ground */
static const float foot = 0.4f;    /* a leaf with less room than this above the ground lies on it */
static const float plate_radius = 0.06f, plate_high = 0.012f;

enum { most_bones = 256 }; /* of one segment that are compared with each child */

/* a child, for sorting */
typedef struct in_order {
  int index;
  bool leaf;
  float away;
} in_order;

typedef struct planner {
  const plan_rig *rig;
  int *parents;      /* the nearest ancestor that is not hidden, or -1 */
  int *first, *next; /* children of each segment as lists; -1 ends them */
  bool *offset;      /* it is reached by dots */
  float *reach;      /* length of what reaches it: a bone, or dots */
  float *longest;    /* its own longest bone */
  float (*ends)[3];  /* of leaves */
  float (*close)[3]; /* of offsets: the point of a bone that they are dotted to */
  in_order *order;   /* for sorting */
  int feet;          /* leaves on the ground */
  float size, least; /* of the rig; the least length of a bone */
  bone_plan *plan;
  int room;
} planner;

static const float *origin(const planner *p, int i) { return p->rig->worlds + 16 * (size_t)i + 12; }

static bool finite_matrix(const float *m) {
  for (int k = 0; k < 16; k++)
    if (!isfinite(m[k])) return false;
  return true;
}

static bool usable(const planner *p, int i) {
  return p->rig->looks[i] != PLAN_HIDDEN && finite_matrix(p->rig->worlds + 16 * (size_t)i);
}

/* a point of the world in a segment's frame */
static void to_local(const planner *p, int segment, const float *point, float *dest) {
  float back[16];
  space_inverse(p->rig->worlds + 16 * (size_t)segment, back);
  space_point(back, point, dest);
}

static void add(planner *p, plan_kind kind, int segment, const float *from, const float *to,
                float radius) {
  if (p->rig->looks[segment] != PLAN_PLAIN || p->plan->count == p->room) return;
  plan_part *part = &p->plan->parts[p->plan->count++];
  *part = (plan_part){ .kind = kind, .segment = segment, .radius = radius };
  to_local(p, segment, from, part->from);
  to_local(p, segment, to, part->to);
}

static void add_bone(planner *p, int segment, const float *from, const float *to) {
  float across = fmaxf(width * space_distance(from, to), thinnest * p->size);
  add(p, PLAN_BONE, segment, from, to, across / 2);
}

/* the point of a line from `a` to `b` that is nearest to `to` */
static void nearest_on(const float *a, const float *b, const float *to, float *dest) {
  float along[3], away[3];
  for (int k = 0; k < 3; k++) {
    along[k] = b[k] - a[k];
    away[k] = to[k] - a[k];
  }
  float square = space_dot(along, along), t = square > 0 ? space_dot(away, along) / square : 0;
  t = fmaxf(0, fminf(t, 1));
  for (int k = 0; k < 3; k++) dest[k] = a[k] + t * along[k];
}

/* children get their bones in this order: those that lead on first, then the farthest */
static int by_order(const void *one, const void *other) {
  const in_order *a = one, *b = other;
  if (a->leaf != b->leaf) return a->leaf ? 1 : -1;
  if (a->away != b->away) return a->away > b->away ? -1 : 1;
  return a->index < b->index ? -1 : 1;
}

static void sort_children(planner *p, int s) {
  int count = 0, *link = &p->first[s];
  for (int c = p->first[s]; c >= 0; c = p->next[c])
    p->order[count++] = (in_order){ .index = c,
                                    .leaf = p->first[c] < 0,
                                    .away = space_distance(origin(p, s), origin(p, c)) };
  qsort(p->order, (size_t)count, sizeof *p->order, by_order);
  for (int i = 0; i < count; i++) {
    *link = p->order[i].index;
    link = &p->next[*link];
  }
  *link = -1;
}

/* Which children of a segment it has bones to, and which are offsets: these are near a bone that
 * was made before. Of a fan of thousands only the first bones are looked at. */
static void reach_children(planner *p, int s) {
  int bones[most_bones], count = 0;
  sort_children(p, s);
  for (int child = p->first[s]; child >= 0; child = p->next[child]) {
    const float *from = origin(p, s), *to = origin(p, child);
    float gap = INFINITY, away = space_distance(from, to), on[3];
    for (int i = 0; i < count; i++) {
      nearest_on(from, origin(p, bones[i]), to, on);
      if (space_distance(on, to) >= gap) continue;
      gap = space_distance(on, to);
      memcpy(p->close[child], on, sizeof on);
    }
    p->offset[child] = away >= p->least && gap < beside * away;
    p->reach[child] = p->offset[child] ? gap : away;
    if (p->offset[child]) continue;
    p->longest[s] = fmaxf(p->longest[s], away);
    if (away >= p->least && count < most_bones) bones[count++] = child;
  }
}

static bool on_ground(const planner *p, int s) {
  float y = origin(p, s)[1];
  return y >= -p->least && y < low * p->size;
}

static bool is_foot(const planner *p, int i) {
  return usable(p, i) && p->first[i] < 0 && on_ground(p, i);
}

/* a root on the ground is not a part of what stands there on feet, only its place */
static bool only_a_place(const planner *p, int s) {
  return p->parents[s] < 0 && on_ground(p, s) && p->feet - is_foot(p, s) > 1;
}

static void add_children(planner *p, int s) {
  bool place = only_a_place(p, s);
  for (int c = p->first[s]; c >= 0; c = p->next[c]) {
    if (p->reach[c] < p->least) continue;
    if (!p->offset[c] && place && !on_ground(p, c))
      add(p, PLAN_DOTS, s, origin(p, s), origin(p, c), ball * p->size / 4);
    else if (!p->offset[c])
      add_bone(p, s, origin(p, s), origin(p, c));
    else
      add(p, PLAN_DOTS, s, p->close[c], origin(p, c), ball * p->size / 4);
  }
}

/* turns a direction of the world as what drives a segment turns it at rest */
static void drive(const planner *p, int s, float *way) {
  int parent = p->rig->parents[s];
  float back[16], local[3];
  if (!p->rig->rests || parent < 0 || !finite_matrix(p->rig->rests + 16 * (size_t)s) ||
      !finite_matrix(p->rig->worlds + 16 * (size_t)parent))
    return;
  space_inverse(p->rig->worlds + 16 * (size_t)parent, back);
  space_direction(back, way, local);
  space_inverse(p->rig->rests + 16 * (size_t)s, back);
  space_direction(back, local, local);
  space_direction(p->rig->worlds + 16 * (size_t)s, local, way);
  space_unit(way);
}

/* the direction in which a leaf goes on: from the nearest ancestor that is elsewhere */
static bool direction_of(const planner *p, int s, float *dest, int *from) {
  for (*from = s; p->parents[*from] >= 0; *from = p->parents[*from]) {
    const float *a = origin(p, p->parents[*from]), *b = origin(p, s);
    if (space_distance(a, b) < p->least) continue;
    for (int k = 0; k < 3; k++) dest[k] = b[k] - a[k];
    space_unit(dest);
    drive(p, s, dest);
    return true;
  }
  return false;
}

/* the mean length of the siblings' own bones, or 0; of thousands only the first are looked at */
static float siblings_length(const planner *p, int s) {
  float sum = 0;
  int count = 0;
  if (p->parents[s] < 0) return 0;
  int left = most_bones;
  for (int c = p->first[p->parents[s]]; c >= 0 && left-- > 0; c = p->next[c]) {
    if (c == s || p->longest[c] <= 0) continue;
    sum += p->longest[c];
    count++;
  }
  return count ? sum / (float)count : 0;
}

/* the end of a bone that has no child to lead to */
static void leaf_end(planner *p, int s, float *dest) {
  float way[3] = { 0, 1, 0 }, length, beside_it = siblings_length(p, s);
  const float *at = origin(p, s);
  int from = s;
  if (direction_of(p, s, way, &from))
    length = leaf * p->reach[from];
  else
    length = beside_it > 0 ? beside_it : single * p->size;
  if (beside_it > 0 && !p->offset[s]) length = sqrtf(length * beside_it);
  length = fmaxf(length, 2 * p->least);
  /* not through the ground: up to it, or where that is near, as a foot on it */
  float down = -way[1] * length;
  if (at[1] > 0 && down > at[1]) {
    if (at[1] >= foot * down) {
      length *= at[1] / down;
    } else {
      way[0] = way[1] = 0;
      way[2] = 1;
      length *= 0.6f;
    }
  }
  for (int k = 0; k < 3; k++) dest[k] = at[k] + length * way[k];
  p->longest[s] = length;
}

static void add_plate(planner *p, int s) {
  float from[3], to[3], high = plate_high * p->size, radius = plate_radius * p->size;
  memcpy(from, origin(p, s), sizeof from);
  float top = from[1];
  bool ground = on_ground(p, s);
  from[1] = ground ? 0 : top - high - ball * p->size / 2;
  memcpy(to, from, sizeof to);
  to[1] += high;
  if (ground && !only_a_place(p, s)) radius *= 2;
  add(p, PLAN_PLATE, s, from, to, radius);
  if (ground && top > to[1] + high) add(p, PLAN_POST, s, to, origin(p, s), ball * p->size * 0.7f);
}

/* balls are as large as the rig allows, yet smaller than the bones between them */
static void add_ball(planner *p, int s) {
  const float *at = origin(p, s);
  int parent = p->parents[s];
  float radius = ball * p->size;
  if (p->longest[s] > 0) radius = fminf(radius, 0.2f * p->longest[s]);
  if (parent >= 0 && p->reach[s] > p->least) radius = fminf(radius, 0.25f * p->reach[s]);
  bool twice = parent >= 0 && p->rig->looks[parent] == PLAN_PLAIN &&
               space_distance(at, origin(p, parent)) < p->least;
  if (!twice) add(p, PLAN_BALL, s, at, at, radius);
}

static void grow(float *least, float *most, const float *point) {
  for (int k = 0; k < 3; k++) {
    least[k] = fminf(least[k], point[k]);
    most[k] = fmaxf(most[k], point[k]);
  }
}

/* the largest extent of joints, and of the ends of leaves once they are known */
static void measure(planner *p, bool leaves) {
  float least[3] = { INFINITY, INFINITY, INFINITY }, most[3] = { -INFINITY, -INFINITY, -INFINITY };
  float away = 0, size = 0;
  for (int i = 0; i < p->rig->count; i++) {
    if (!usable(p, i)) continue;
    grow(least, most, origin(p, i));
    if (leaves && p->first[i] < 0) grow(least, most, p->ends[i]);
    away = fmaxf(away, space_length(origin(p, i)));
  }
  for (int k = 0; k < 3; k++) size = fmaxf(size, most[k] - least[k]);
  p->size = size > 1e-6f * away && size > 0 ? size : away > 0 ? away : 1; /* else it is one point */
  p->least = same * p->size;
}

static bool start(planner *p) {
  const int *parents = p->rig->parents;
  size_t n = (size_t)p->rig->count + 1;
  p->parents = malloc(n * sizeof *p->parents);
  p->first = malloc(n * sizeof *p->first);
  p->next = malloc(n * sizeof *p->next);
  p->offset = calloc(n, sizeof *p->offset);
  p->reach = calloc(n, sizeof *p->reach);
  p->longest = calloc(n, sizeof *p->longest);
  p->ends = calloc(n, sizeof *p->ends);
  p->close = calloc(n, sizeof *p->close);
  p->order = calloc(n, sizeof *p->order);
  p->room = 5 * p->rig->count + 1;
  p->plan->parts = malloc((size_t)p->room * sizeof *p->plan->parts);
  if (!p->parents || !p->first || !p->next || !p->offset || !p->reach || !p->longest || !p->ends ||
      !p->close || !p->order || !p->plan->parts)
    return false;
  for (int i = 0; i < p->rig->count; i++) p->first[i] = p->next[i] = -1;
  for (int i = 0; i < p->rig->count; i++) {
    int parent = parents[i]; /* which comes before its children */
    p->parents[i] = parent < 0 || usable(p, parent) ? parent : p->parents[parent];
  }
  for (int i = p->rig->count - 1; i >= 0; i--) {
    int parent = p->parents[i];
    if (parent < 0 || !usable(p, i)) continue;
    p->next[i] = p->first[parent];
    p->first[parent] = i;
  }
  return true;
}

static void lay_out(planner *p) {
  measure(p, false);
  for (int i = 0; i < p->rig->count; i++)
    if (usable(p, i)) reach_children(p, i);
  for (int i = 0; i < p->rig->count; i++)
    if (usable(p, i) && p->first[i] < 0) leaf_end(p, i, p->ends[i]);
  measure(p, true);
  for (int i = 0; i < p->rig->count; i++) p->feet += is_foot(p, i);
  for (int i = 0; i < p->rig->count; i++) {
    if (!usable(p, i)) continue;
    add_children(p, i);
    if (p->first[i] < 0) add_bone(p, i, origin(p, i), p->ends[i]);
    add_ball(p, i);
    if (p->parents[i] < 0) add_plate(p, i);
  }
}

bool bone_plan_make(const plan_rig *rig, bone_plan *dest) {
  planner p = { .rig = rig, .plan = dest };
  *dest = (bone_plan){ 0 };
  bool made = start(&p);
  if (made) lay_out(&p);
  dest->size = p.size;
  free(p.parents);
  free(p.first);
  free(p.next);
  free(p.offset);
  free(p.reach);
  free(p.longest);
  free(p.ends);
  free(p.close);
  free(p.order);
  if (!made) bone_plan_free(dest);
  return made;
}

void bone_plan_free(bone_plan *plan) {
  free(plan->parts);
  *plan = (bone_plan){ 0 };
}
