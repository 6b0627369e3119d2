/* Every part is a solid of revolution: a bone that is widest near its joint, a ball, a plate. */
#include "draw/plain_bones.h"
#include "plain/space.h"

#include <sinew/pose.h>
#include <stdio.h>
#include <stdlib.h>

enum { ball_rings = 8, most_dots = 40 };

/* of how many parts a shape has the full number of sides; more are drawn with few */
enum { most_fine = 5000 };

typedef struct fineness {
  int sides, rings, dot_sides, dot_rings, plate_sides;
} fineness;
static const fineness fine = { 12, ball_rings, 8, 4, 48 }, coarse = { 4, 2, 3, 2, 4 };

/* a point of a profile: along the axis and away from it */
typedef struct corner {
  float along, out;
} corner;

typedef struct solid {
  float *vertices, *normals; /* NULL: only counts */
  int count;
  const fineness *by;
} solid;

/* a line from a point, and two directions across it, all in the segment's frame */
typedef struct axes {
  float at[3], along[3], x[3], y[3];
} axes;

static axes axes_of(const float *from, const float *to) {
  axes a;
  for (int k = 0; k < 3; k++) {
    a.at[k] = from[k];
    a.along[k] = to[k] - from[k];
  }
  space_unit(a.along);
  if (space_length(a.along) == 0) a.along[1] = 1;
  space_across(a.along, a.x);
  space_cross(a.along, a.x, a.y);
  return a;
}

static void add_vertex(solid *s, const axes *a, corner at, corner normal, float angle) {
  float x = cosf(angle), y = sinf(angle), length = hypotf(normal.along, normal.out);
  for (int k = 0; s->vertices && k < 3; k++) {
    float out = x * a->x[k] + y * a->y[k];
    s->vertices[3 * s->count + k] = a->at[k] + at.along * a->along[k] + at.out * out;
    s->normals[3 * s->count + k] = (normal.along * a->along[k] + normal.out * out) / length;
  }
  s->count++;
}

/* turns a profile about the axis. Its stretches are straight, or parts of a ball around `centre`.
 */
static void lathe(solid *s, const axes *a, const corner *profile, int count, int around,
                  const float *centre) {
  for (int i = 0; i + 1 < count; i++) {
    corner ends[2] = { profile[i], profile[i + 1] }, normals[2];
    for (int e = 0; e < 2; e++)
      normals[e] = centre ? (corner){ ends[e].along - *centre, ends[e].out }
                          : (corner){ ends[0].out - ends[1].out, ends[1].along - ends[0].along };
    if (hypotf(ends[1].along - ends[0].along, ends[1].out - ends[0].out) <= 0) continue;
    for (int k = 0; k < around; k++) {
      static const int triangles[2][3][2] = { { { 0, 0 }, { 0, 1 }, { 1, 1 } },
                                              { { 0, 0 }, { 1, 1 }, { 1, 0 } } };
      for (int t = 0; t < 2; t++) {
        if (ends[t].out <= 0) continue; /* a triangle without area, at a tip */
        for (int c = 0; c < 3; c++) {
          int e = triangles[t][c][0], turn = k + triangles[t][c][1];
          add_vertex(s, a, ends[e], normals[e], 2 * PI * (float)turn / (float)around);
        }
      }
    }
  }
}

static void add_ball(solid *s, const float *at, float radius, int rings, int around) {
  corner profile[ball_rings + 1];
  const float centre = 0;
  axes a = axes_of(at, (float[3]){ at[0], at[1] + 1, at[2] });
  for (int i = 0; i <= rings; i++) {
    float angle = PI * (float)i / (float)rings;
    profile[i] = (corner){ -radius * cosf(angle), i % rings ? radius * sinf(angle) : 0 };
  }
  lathe(s, &a, profile, rings + 1, around, &centre);
}

static void add_dots(solid *s, const plan_part *p) {
  float length = space_distance(p->from, p->to);
  int count = (int)(length / (4 * p->radius));
  count = count < 2 ? 2 : count > most_dots ? most_dots : count;
  for (int i = 0; i < count; i++) {
    float at[3], share = ((float)i + 0.5f) / (float)count;
    for (int k = 0; k < 3; k++) at[k] = p->from[k] + share * (p->to[k] - p->from[k]);
    add_ball(s, at, fminf(p->radius, 0.3f * length / (float)count), s->by->dot_rings,
             s->by->dot_sides);
  }
}

static void add_part(solid *s, const plan_part *p) {
  axes a = axes_of(p->from, p->to);
  float length = space_distance(p->from, p->to), r = p->radius;
  const corner bone[] = { { 0, 0 },
                          { 0.06f * length, 0.75f * r },
                          { 0.16f * length, r },
                          { 0.94f * length, 0.35f * r },
                          { length, 0 } };
  const corner drum[] = { { 0, 0 }, { 0, r }, { length, r }, { length, 0 } };
  switch (p->kind) {
  case PLAN_BONE: lathe(s, &a, bone, 5, s->by->sides, NULL); break;
  case PLAN_DOTS: add_dots(s, p); break;
  case PLAN_BALL: add_ball(s, p->from, r, s->by->rings, s->by->sides); break;
  case PLAN_PLATE: lathe(s, &a, drum, 4, s->by->plate_sides, NULL); break;
  case PLAN_POST: lathe(s, &a, drum, 4, s->by->sides, NULL); break;
  }
}

static void add_parts(solid *s, const plan_part *parts, int count) {
  s->count = 0;
  for (int i = 0; i < count; i++) add_part(s, &parts[i]);
}

/* of the parts of one segment */
static Mesh mesh_of(const plan_part *parts, int count, const fineness *by) {
  solid s = { .by = by };
  add_parts(&s, parts, count); /* counts */
  if (!s.count) return (Mesh){ 0 };
  s.vertices = MemAlloc((unsigned)s.count * 3 * (unsigned)sizeof(float));
  s.normals = MemAlloc((unsigned)s.count * 3 * (unsigned)sizeof(float));
  if (!s.vertices || !s.normals) {
    MemFree(s.vertices);
    MemFree(s.normals);
    return (Mesh){ 0 };
  }
  add_parts(&s, parts, count);
  Mesh mesh = { .vertexCount = s.count,
                .triangleCount = s.count / 3,
                .vertices = s.vertices,
                .normals = s.normals };
  UploadMesh(&mesh, false);
  return mesh;
}

Mesh *plain_bones_make(const sinew_rig *rig, const plan_look *looks) {
  int count = sinew_rig_segment_count(rig);
  sinew_pose *rest = sinew_pose_create(rig, NULL);
  int *parents = calloc((size_t)count + 1, sizeof *parents);
  float *rests = calloc((size_t)count + 1, 16 * sizeof *rests);
  Mesh *meshes = calloc((size_t)count + 1, sizeof *meshes);
  bone_plan plan = { 0 };
  bool made = rest && parents && rests && meshes && sinew_pose_eval(rest, NULL) >= 0;
  for (int i = 0; made && i < count; i++) {
    sinew_segment_info info = sinew_rig_segment_info(rig, sinew_rig_segment(rig, i));
    parents[i] = (int)info.parent.id - 1;
    memcpy(rests + 16 * (size_t)i, info.rest, 16 * sizeof *rests);
  }
  plan_rig at_rest = { count, parents, made ? sinew_pose_worlds(rest) : NULL, rests, looks };
  made = made && bone_plan_make(&at_rest, &plan);
  const fineness *by = plan.count > most_fine ? &coarse : &fine;
  if (made && by == &coarse)
    fprintf(stderr, "sinew-viewer: %d segments: their plain bones are drawn simplified\n", count);
  for (int i = 0, from = 0, to = 0; made && i < count; i++, from = to) {
    while (to < plan.count && plan.parts[to].segment == i) to++;
    meshes[i] = mesh_of(plan.parts + from, to - from, by);
  }
  bone_plan_free(&plan);
  sinew_pose_destroy(rest);
  free(parents);
  free(rests);
  if (made) return meshes;
  free(meshes);
  return NULL;
}
