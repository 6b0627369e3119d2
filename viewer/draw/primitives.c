/* Drawing primitives: meshes of revolution, a lit shader, and a glass shader that colours a
 * value. */
#include "draw/primitives.h"
#include "ui/theme.h"
#include "draw/light.h"
#include "draw/space_draw.h"
#include "plain/cone_mesh.h"
#include "ui/theme.h"

#include <math.h>
#include <raymath.h>
#include <rlgl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct primitives {
  Shader lit, glass;
  Material lit_material, glass_material;
  int lit_eye, lit_light, eye, light, range, marked, strength;
  Mesh ball, rod, tip, axes[2];
  float solid;
};

static const char vertex[] =
    "#version 330\n"
    "in vec3 vertexPosition; in vec3 vertexNormal; in vec4 vertexColor;\n"
    "in vec2 vertexTexCoord; in vec2 vertexTexCoord2;\n"
    "uniform mat4 mvp; uniform mat4 matModel; uniform mat4 matNormal;\n"
    "out vec3 place; out vec3 normal; out vec4 tint; out vec2 value; out vec2 inner;\n"
    "void main() {\n"
    "  place = vec3(matModel * vec4(vertexPosition, 1.0));\n"
    "  normal = normalize(vec3(matNormal * vec4(vertexNormal, 0.0)));\n"
    "  tint = vertexColor; value = vertexTexCoord; inner = vertexTexCoord2;\n"
    "  gl_Position = mvp * vec4(vertexPosition, 1.0);\n"
    "}\n";

static const char lit_fragment[] =
    "#version 330\n"
    "in vec3 place; in vec3 normal; in vec4 tint; out vec4 color;\n"
    "uniform vec4 colDiffuse; uniform vec3 light; uniform vec3 eye;\n"
    "void main() {\n"
    "  vec3 v = normalize(eye - place), n = normalize(normal), l = normalize(light);\n"
    "  if (dot(n, v) < 0.0) n = -n;\n"
    "  float key = max(0.0, (dot(n, l) + 0.4) / 1.4);\n"
    "  float shine = pow(max(dot(n, normalize(l + v)), 0.0), 40.0);\n"
    "  vec4 base = colDiffuse * tint;\n"
    "  color = vec4(base.rgb * (0.58 + 0.5 * key) + vec3(0.16) * shine, base.a);\n"
    "}\n";

static const char glass_fragment[] =
    "#version 330\n"
    "in vec3 place; in vec3 normal; in vec2 value; in vec2 inner; out vec4 color;\n"
    "uniform vec4 colDiffuse; uniform vec3 light; uniform vec3 eye;\n"
    "uniform vec3 range; uniform float marked; uniform float strength;\n"
    "uniform vec3 stops[4]; /* cone_mesh_stops */\n"
    "vec3 shade(float s) { /* cone_mesh_shade */\n"
    "  float x = clamp(s, 0.0, 1.0) * 3.0; int i = min(int(x), 2);\n"
    "  return mix(stops[i], stops[i + 1], x - float(i));\n"
    "}\n"
    "void main() {\n"
    "  vec3 v = normalize(eye - place), n = normalize(normal), l = normalize(light);\n"
    "  if (dot(n, v) < 0.0) n = -n;\n"
    "  float rim = pow(1.0 - max(dot(n, v), 0.0), 2.5);\n"
    "  float shine = pow(max(dot(n, normalize(l + v)), 0.0), 60.0);\n"
    "  float key = 0.80 + 0.25 * max(dot(n, l), 0.0);\n"
    "  vec3 base = range.z > 0.5 ? shade((value.x - range.x) / max(range.y - range.x, 1e-3))\n"
    "                            : colDiffuse.rgb;\n"
    "  float alpha = 0.26 + 0.34 * rim;\n"
    "  float width = fwidth(inner.y);\n"
    "  float off = min(inner.y, 1.0 - inner.y) / max(width, 1e-5);\n"
    "  float border = (1.0 - smoothstep(0.4, 1.6, off)) * smoothstep(0.02, 0.25, inner.x)\n"
    "                 * (1.0 - smoothstep(0.05, 0.25, width)) * step(0.0, marked);\n"
    "  bool here = marked >= 0.0 && abs(value.y - marked) < 0.5;\n"
    "  if (here) { base = mix(base, vec3(1.0), 0.45); alpha += 0.22; }\n"
    "  base = mix(base, here ? vec3(1.0) : vec3(0.10, 0.12, 0.18), border * (here ? 1.0 : 0.35));\n"
    "  alpha = mix(alpha, here ? 0.95 : alpha + 0.10, border);\n"
    "  color = vec4(base * key + vec3(0.35) * shine, clamp(alpha * strength, 0.0, 1.0));\n"
    "}\n";

Color primitives_shade(float share) {
  float c[3];
  cone_mesh_shade(share, c);
  return ColorFromNormalized((Vector4){ c[0], c[1], c[2], 1 });
}

/* a mesh being built: triangles with their own vertices */
typedef struct shape {
  float *places, *normals;
  unsigned char *colors;
  int count, room;
} shape;

static bool shape_room(shape *s, int vertices) {
  s->room = vertices;
  s->places = MemAlloc((unsigned)vertices * 3 * (unsigned)sizeof(float));
  s->normals = MemAlloc((unsigned)vertices * 3 * (unsigned)sizeof(float));
  return s->places && s->normals;
}

static void shape_add(shape *s, Vector3 place, Vector3 normal) {
  if (s->count == s->room) return;
  memcpy(s->places + 3 * s->count, &place, sizeof place);
  memcpy(s->normals + 3 * s->count, &normal, sizeof normal);
  s->count++;
}

static Mesh shape_mesh(shape *s) {
  Mesh mesh = { .vertexCount = s->count,
                .triangleCount = s->count / 3,
                .vertices = s->places,
                .normals = s->normals,
                .colors = s->colors };
  UploadMesh(&mesh, false);
  return mesh;
}

/* four corners, counter-clockwise */
static void shape_quad(shape *s, const Vector3 places[4], const Vector3 normals[4]) {
  static const int order[] = { 0, 1, 2, 0, 2, 3 };
  for (int i = 0; i < 6; i++) shape_add(s, places[order[i]], normals[order[i]]);
}

typedef struct profile {
  float radius, height, out, up; /* a point and its normal */
} profile;

/* revolves a profile, from bottom to top, about y */
static void lathe(shape *s, const profile *p, int count, int sides) {
  for (int k = 0; k + 1 < count; k++)
    for (int i = 0; i < sides; i++) {
      Vector3 places[4], normals[4];
      for (int c = 0; c < 4; c++) {
        const profile *q = &p[k + (c == 2 || c == 3)];
        float angle = -2 * PI * (float)(i + (c == 1 || c == 2)) / (float)sides;
        places[c] = (Vector3){ q->radius * cosf(angle), q->height, q->radius * sinf(angle) };
        normals[c] = (Vector3){ q->out * cosf(angle), q->up, q->out * sinf(angle) };
      }
      shape_quad(s, places, normals);
    }
}

enum { ball_rings = 32, ball_sides = 48, rod_sides = 12 };

static void lathe_ball(shape *s, int rings, int sides) {
  profile p[ball_rings + 1];
  for (int i = 0; i <= rings; i++) {
    float angle = PI * ((float)i / (float)rings - 0.5f);
    p[i] = (profile){ cosf(angle), sinf(angle), cosf(angle), sinf(angle) };
  }
  lathe(s, p, rings + 1, sides);
}

static Mesh lathe_mesh(const profile *p, int count) {
  shape s = { 0 };
  if (!shape_room(&s, 6 * rod_sides * (count - 1))) return (Mesh){ 0 };
  lathe(&s, p, count, rod_sides);
  return shape_mesh(&s);
}

static Mesh ball_mesh(void) {
  shape s = { 0 };
  if (!shape_room(&s, 6 * ball_rings * ball_sides)) return (Mesh){ 0 };
  lathe_ball(&s, ball_rings, ball_sides);
  return shape_mesh(&s);
}

/* an arrow along y, from -1/2 to 1/2, with a ball in its middle: plain, or for a centre in quarters
 * that look the same along the axis and across it */
static Mesh axis_mesh(bool centre) {
  enum { rings = 12, sides = 16 };
  static const profile arrow[] = { { 0, -0.5f, 0, -1 },           { 0.009f, -0.5f, 0, -1 },
                                   { 0.009f, -0.5f, 1, 0 },       { 0.009f, 0.44f, 1, 0 },
                                   { 0.009f, 0.44f, 0, -1 },      { 0.024f, 0.44f, 0, -1 },
                                   { 0.024f, 0.44f, 0.9f, 0.4f }, { 0, 0.5f, 0.9f, 0.4f } };
  enum { corners = sizeof arrow / sizeof *arrow };
  shape s = { 0 };
  if (!shape_room(&s, 6 * (rod_sides * (corners - 1) + rings * sides))) return (Mesh){ 0 };
  s.colors = MemAlloc((unsigned)s.room * 4);
  if (!s.colors) return (Mesh){ 0 };
  lathe(&s, arrow, corners, rod_sides);
  int first = s.count;
  lathe_ball(&s, rings, sides);
  for (int i = 0; i < s.count; i++) {
    const float *t = s.places + 9 * (i / 3);
    bool odd = (t[0] + t[3] + t[6] > 0) ^ (t[1] + t[4] + t[7] > 0) ^ (t[2] + t[5] + t[8] > 0);
    Color c = theme_centre[!odd];
    if (!centre) c = theme_path;
    if (i < first) c = theme_axis;
    memcpy(s.colors + 4 * i, &c, 4);
  }
  for (int i = 3 * first; i < 3 * s.count; i++) s.places[i] *= centre ? 0.03f : 0.018f;
  return shape_mesh(&s);
}

primitives *primitives_create(void) {
  primitives *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->lit = LoadShaderFromMemory(vertex, lit_fragment);
  m->glass = LoadShaderFromMemory(vertex, glass_fragment);
  m->lit_eye = GetShaderLocation(m->lit, "eye");
  m->lit_light = GetShaderLocation(m->lit, "light");
  m->eye = GetShaderLocation(m->glass, "eye");
  m->light = GetShaderLocation(m->glass, "light");
  m->range = GetShaderLocation(m->glass, "range");
  m->marked = GetShaderLocation(m->glass, "marked");
  m->strength = GetShaderLocation(m->glass, "strength");
  SetShaderValueV(m->glass, GetShaderLocation(m->glass, "stops"), cone_mesh_stops,
                  SHADER_UNIFORM_VEC3, cone_mesh_stop_count);
  m->lit_material = LoadMaterialDefault();
  m->glass_material = LoadMaterialDefault();
  m->lit_material.shader = m->lit;
  m->glass_material.shader = m->glass;
  static const profile rod[] = { { 0, 0, 0, -1 }, { 1, 0, 0, -1 }, { 1, 0, 1, 0 },
                                 { 1, 1, 1, 0 },  { 1, 1, 0, 1 },  { 0, 1, 0, 1 } };
  static const profile tip[] = {
    { 0, 0, 0, -1 }, { 1, 0, 0, -1 }, { 1, 0, 0.9f, 0.43f }, { 0, 1, 0.9f, 0.43f }
  };
  m->ball = ball_mesh();
  for (int i = 0; i < 2; i++) m->axes[i] = axis_mesh(i == 1);
  m->rod = lathe_mesh(rod, 6);
  m->tip = lathe_mesh(tip, 4);
  m->solid = 1;
  if (!IsShaderValid(m->lit) || !IsShaderValid(m->glass) || !m->ball.vaoId || !m->axes[1].vaoId) {
    fprintf(stderr, "sinew-viewer: the shaders for primitives do not compile\n");
    primitives_destroy(m);
    return NULL;
  }
  return m;
}

void primitives_destroy(primitives *m) {
  if (!m) return;
  const Mesh meshes[] = { m->ball, m->rod, m->tip, m->axes[0], m->axes[1] };
  for (int i = 0; i < 5; i++) UnloadMesh(meshes[i]);
  UnloadShader(m->lit);
  UnloadShader(m->glass);
  MemFree(m->lit_material.maps);
  MemFree(m->glass_material.maps);
  free(m);
}

void primitives_look(primitives *m, Camera3D camera, float solid) {
  Vector3 eye = camera.position, key = light_key(camera);
  m->solid = solid;
  SetShaderValue(m->lit, m->lit_eye, &eye, SHADER_UNIFORM_VEC3);
  SetShaderValue(m->lit, m->lit_light, &key, SHADER_UNIFORM_VEC3);
  SetShaderValue(m->glass, m->eye, &eye, SHADER_UNIFORM_VEC3);
  SetShaderValue(m->glass, m->light, &key, SHADER_UNIFORM_VEC3);
}

/* scales the mesh, then rotates its y axis to a direction */
static Matrix along(Vector3 at, Vector3 direction, float across, float length) {
  Vector3 y = Vector3Normalize(direction);
  Vector3 lean = fabsf(y.y) < 0.9f ? (Vector3){ 0, 1, 0 } : (Vector3){ 1, 0, 0 };
  Vector3 x = Vector3Normalize(Vector3CrossProduct(lean, y)), z = Vector3CrossProduct(x, y);
  x = Vector3Scale(x, across);
  y = Vector3Scale(y, length);
  z = Vector3Scale(z, across);
  return (Matrix){ x.x, y.x, z.x, at.x, x.y, y.y, z.y, at.y, x.z, y.z, z.z, at.z, 0, 0, 0, 1 };
}

void primitives_mesh(primitives *m, Mesh mesh, Matrix place, Color color) {
  m->lit_material.maps[MATERIAL_MAP_DIFFUSE].color = Fade(color, m->solid * (float)color.a / 255);
  DrawMesh(mesh, m->lit_material, place);
}

void primitives_ball(primitives *m, Vector3 at, float radius, Color color) {
  primitives_mesh(m, m->ball, along(at, (Vector3){ 0, 1, 0 }, radius, radius), color);
}

void primitives_rod(primitives *m, Vector3 from, Vector3 to, float radius, Color color) {
  float length = Vector3Distance(from, to);
  if (length > 1e-6f)
    primitives_mesh(m, m->rod, along(from, Vector3Subtract(to, from), radius, length), color);
}

void primitives_arrow(primitives *m, Vector3 from, Vector3 to, float radius, Color color) {
  float length = Vector3Distance(from, to), tip = fminf(7 * radius, length / 2);
  Vector3 neck = Vector3Lerp(to, from, length > 0 ? tip / length : 0);
  primitives_rod(m, from, neck, radius, color);
  if (length > 1e-6f)
    primitives_mesh(m, m->tip, along(neck, Vector3Subtract(to, from), 2.6f * radius, tip), color);
}

void primitives_arc(primitives *m, const float *frame, const float *from, const float *to,
                    float radius, Color color) {
  int steps = 2 + (int)(space_degrees_between(from, to) / 9);
  Vector3 last = placed(frame, from);
  for (int i = 1; i <= steps; i++) {
    float on[3];
    space_slerp(from, to, (float)i / (float)steps, on);
    Vector3 next = placed(frame, on);
    primitives_rod(m, last, next, radius, color);
    last = next;
  }
}

void primitives_axis(primitives *m, Vector3 at, Vector3 axis, float length, bool centre) {
  primitives_mesh(m, m->axes[centre], along(at, axis, length, length), WHITE);
}

void primitives_draw_glass(primitives *m, Mesh mesh, Matrix place, const primitives_glass *glass) {
  float range[3] = { glass->low, glass->high, glass->shaded ? 1.0f : 0.0f };
  SetShaderValue(m->glass, m->range, range, SHADER_UNIFORM_VEC3);
  SetShaderValue(m->glass, m->marked, &glass->marked, SHADER_UNIFORM_FLOAT);
  SetShaderValue(m->glass, m->strength, &glass->strength, SHADER_UNIFORM_FLOAT);
  m->glass_material.maps[MATERIAL_MAP_DIFFUSE].color = glass->color;
  bool mirrored = MatrixDeterminant(place) < 0;
  rlEnableBackfaceCulling();
  rlDisableDepthMask();
  rlSetCullFace(mirrored ? RL_CULL_FACE_BACK : RL_CULL_FACE_FRONT);
  DrawMesh(mesh, m->glass_material, place);
  rlSetCullFace(mirrored ? RL_CULL_FACE_FRONT : RL_CULL_FACE_BACK);
  DrawMesh(mesh, m->glass_material, place);
  rlSetCullFace(RL_CULL_FACE_BACK);
  rlEnableDepthMask();
}

Mesh primitives_unit_ball(const primitives *m) { return m->ball; }

enum { tube_sides = 8, bead_rings = 6, bead_sides = 8 };

/* a ring of vertices around a point of the line, which is not the origin */
static void tube_ring(Vector3 before, Vector3 at, Vector3 after, float radius, Vector3 *places,
                      Vector3 *normals) {
  Vector3 ahead = Vector3Normalize(Vector3Subtract(after, before));
  Vector3 up = Vector3Normalize(at), side = Vector3Normalize(Vector3CrossProduct(ahead, up));
  up = Vector3CrossProduct(side, ahead);
  for (int i = 0; i < tube_sides; i++) {
    float angle = 2 * PI * (float)i / tube_sides;
    normals[i] = Vector3Add(Vector3Scale(up, cosf(angle)), Vector3Scale(side, sinf(angle)));
    places[i] = Vector3Add(at, Vector3Scale(normals[i], radius));
  }
}

static void add_tube(shape *s, const float *line, int count, float radius) {
  Vector3 places[2][tube_sides], normals[2][tube_sides];
  for (int k = 0; count && k <= count; k++) {
    Vector3 *p = places[k & 1], *n = normals[k & 1];
    tube_ring(vector(line + 3 * ((k + count - 1) % count)), vector(line + 3 * (k % count)),
              vector(line + 3 * ((k + 1) % count)), radius, p, n);
    const Vector3 *q = places[~k & 1], *o = normals[~k & 1];
    for (int i = 0, j = 1; k > 0 && i < tube_sides; i++, j = (i + 1) % tube_sides)
      shape_quad(s, (Vector3[]){ q[i], q[j], p[j], p[i] }, (Vector3[]){ o[i], o[j], n[j], n[i] });
  }
}

Mesh primitives_outline(const float *line, int count, const float *points, int point_count,
                        float radius) {
  shape s = { 0 };
  if (!shape_room(&s, 6 * (count * tube_sides + point_count * bead_rings * bead_sides)))
    return (Mesh){ 0 };
  add_tube(&s, line, count, radius);
  for (int k = 0; k < point_count; k++) {
    int first = s.count;
    lathe_ball(&s, bead_rings, bead_sides);
    for (int i = first; i < s.count; i++)
      for (int c = 0; c < 3; c++)
        s.places[3 * i + c] = points[3 * k + c] + 2.4f * radius * s.places[3 * i + c];
  }
  return shape_mesh(&s);
}
