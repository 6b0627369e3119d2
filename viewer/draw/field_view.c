/* Pictures of distance fields [Engell 2012, fig. 3]: the border where the distance is epsilon. */
#include "draw/field_view.h"
#include "plain/field_slice.h"
#include "plain/print.h"
#include "ui/fonts.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <raymath.h>
#include <rlgl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_regions = 3, region_pixels = 192, cut_pixels = 64, finer = 2 };

struct field_view {
  const sinew_field *field;
  int axes;
  /* three angles */
  Mesh border;
  RenderTexture2D target;
  float yaw, pitch;
  uint64_t print; /* hash of what the target shows */
  /* regions of two angles */
  int region_count;
  int across[most_regions], up[most_regions];
  Texture2D regions[most_regions];
  float cut_at[SINEW_FIELD_AXES]; /* the angles they were cut at */
  bool cut;
};

/* maps angles to a box around the origin whose longest side is 1 */
static Vector3 box_half(const sinew_field *f) {
  float side[3], most = 0;
  for (int i = 0; i < 3; i++) {
    sinew_field_axis x = sinew_field_axis_info(f, i);
    side[i] = x.max - x.min;
    most = fmaxf(most, side[i]);
  }
  return (Vector3){ 0.5f * side[0] / most, 0.5f * side[1] / most, 0.5f * side[2] / most };
}

static Vector3 box_place(const sinew_field *f, const float *angles) {
  Vector3 half = box_half(f);
  return (Vector3){ half.x * (2 * field_axis_share(f, 0, angles[0]) - 1),
                    half.y * (2 * field_axis_share(f, 1, angles[1]) - 1),
                    half.z * (2 * field_axis_share(f, 2, angles[2]) - 1) };
}

/* vertex normals as the mean of the faces, weighted by area, then smoothed a few times over the
 * neighbours: a learned field is rough at the size of its cells */
static bool smooth_normals(const Vector3 *places, size_t count, const uint32_t *triangles,
                           size_t triangle_count, Vector3 *dest) {
  enum { rounds = 4 };
  Vector3 *last = calloc(count + 1, sizeof *last);
  if (!last) return false;
  for (int round = 0; round <= rounds; round++) {
    memcpy(last, dest, count * sizeof *dest);
    memset(dest, 0, count * sizeof *dest);
    for (size_t t = 0; t < triangle_count; t++) {
      const uint32_t *v = triangles + 3 * t;
      Vector3 n = round ? Vector3Add(last[v[0]], Vector3Add(last[v[1]], last[v[2]]))
                        : Vector3CrossProduct(Vector3Subtract(places[v[1]], places[v[0]]),
                                              Vector3Subtract(places[v[2]], places[v[0]]));
      for (int k = 0; k < 3; k++) dest[v[k]] = Vector3Add(dest[v[k]], n);
    }
    for (size_t i = 0; i < count; i++) dest[i] = Vector3Normalize(dest[i]);
  }
  free(last);
  return true;
}

static bool make_border(field_view *v) {
  sinew_surface *s = sinew_field_surface(v->field, NULL);
  if (!s) return false;
  size_t count = sinew_surface_vertex_count(s), triangles = sinew_surface_triangle_count(s);
  const uint32_t *corners = sinew_surface_triangles(s);
  Vector3 *places = malloc((count + 1) * sizeof *places);
  Vector3 *normals = calloc(count + 1, sizeof *normals);
  Mesh mesh = { .vertexCount = (int)(3 * triangles), .triangleCount = (int)triangles };
  mesh.vertices = MemAlloc((unsigned)(9 * triangles + 1) * (unsigned)sizeof(float));
  mesh.normals = MemAlloc((unsigned)(9 * triangles + 1) * (unsigned)sizeof(float));
  bool ok = places && normals && mesh.vertices && mesh.normals && triangles > 0;
  if (ok) {
    Vector3 half = box_half(v->field);
    float middle[3], scale[3];
    for (int k = 0; k < 3; k++) {
      sinew_field_axis x = sinew_field_axis_info(v->field, k);
      middle[k] = (x.min + x.max) / 2;
      scale[k] = 2 * (&half.x)[k] / (x.max - x.min);
    }
    for (size_t i = 0; i < count; i++) {
      const float *p = sinew_surface_vertices(s) + 3 * i;
      places[i] = (Vector3){ (p[0] - middle[0]) * scale[0], (p[1] - middle[1]) * scale[1],
                             (p[2] - middle[2]) * scale[2] };
    }
    ok = smooth_normals(places, count, corners, triangles, normals);
    for (size_t i = 0; i < 3 * triangles; i++) {
      memcpy(mesh.vertices + 3 * i, &places[corners[i]], sizeof *places);
      memcpy(mesh.normals + 3 * i, &normals[corners[i]], sizeof *normals);
    }
  }
  if (ok) {
    UploadMesh(&mesh, false);
    v->border = mesh;
  } else {
    MemFree(mesh.vertices);
    MemFree(mesh.normals);
  }
  free(places);
  free(normals);
  sinew_surface_destroy(s);
  return ok;
}

field_view *field_view_create(const sinew_field *field) {
  field_view *v = calloc(1, sizeof *v);
  if (!v) return NULL;
  v->field = sinew_field_retain(field);
  v->axes = sinew_field_axis_count(field);
  v->yaw = 35;
  v->pitch = 20;
  if (v->axes == 3 && !make_border(v)) {
    field_view_destroy(v);
    return NULL;
  }
  v->region_count = v->axes == 3 ? 0 : (v->axes + 1) / 2;
  for (int i = 0; i < v->region_count; i++) {
    if (v->axes == 1) break; /* both are 0 */
    v->across[i] = 2 * i + 1 < v->axes ? 2 * i : v->axes - 2;
    v->up[i] = v->across[i] + 1;
  }
  return v;
}

void field_view_destroy(field_view *v) {
  if (!v) return;
  if (v->border.vaoId) UnloadMesh(v->border);
  if (v->target.id) UnloadRenderTexture(v->target);
  for (int i = 0; i < v->region_count; i++)
    if (v->regions[i].id) UnloadTexture(v->regions[i]);
  sinew_field_release(v->field);
  free(v);
}

const sinew_field *field_view_field(const field_view *v) { return v->field; }

static Camera3D camera_of(const field_view *v) {
  float yaw = v->yaw * DEG2RAD, pitch = v->pitch * DEG2RAD;
  Vector3 back = { sinf(yaw) * cosf(pitch), sinf(pitch), cosf(yaw) * cosf(pitch) };
  float around = Vector3Length(box_half(v->field));
  return (Camera3D){ .position = Vector3Scale(back, 4.7f * around),
                     .up = { 0, 1, 0 },
                     .fovy = 28,
                     .projection = CAMERA_PERSPECTIVE };
}

static void draw_box(primitives *m, Vector3 half) {
  for (int axis = 0; axis < 3; axis++)
    for (int corner = 0; corner < 4; corner++) {
      float from[3], to[3], *h = &half.x;
      int a = (axis + 1) % 3, b = (axis + 2) % 3;
      from[axis] = -h[axis];
      to[axis] = h[axis];
      from[a] = to[a] = corner & 1 ? h[a] : -h[a];
      from[b] = to[b] = corner & 2 ? h[b] : -h[b];
      primitives_rod(m, (Vector3){ from[0], from[1], from[2] }, (Vector3){ to[0], to[1], to[2] },
                     0.003f, theme_hint);
    }
}

/* the current point, the wanted point, and a line down to the floor */
static void draw_point(primitives *m, const field_view *v, const field_point *point) {
  Vector3 half = box_half(v->field), given = box_place(v->field, point->given);
  Vector3 floor = { given.x, -half.y, given.z };
  primitives_rod(m, given, floor, 0.004f, Fade(theme_path, 0.6f));
  primitives_ball(m, floor, 0.012f, Fade(theme_path, 0.6f));
  if (point->held) {
    Vector3 wanted = box_place(v->field, point->wanted);
    primitives_rod(m, wanted, given, 0.007f, theme_held);
    primitives_ball(m, wanted, 0.028f, theme_held);
  }
  primitives_ball(m, given, 0.03f, theme_path);
}

static void draw_space(field_view *v, primitives *m, const field_point *point, int pixels) {
  int side = finer * pixels;
  if (v->target.id && v->target.texture.width != side) {
    UnloadRenderTexture(v->target);
    v->target.id = 0;
  }
  if (!v->target.id) {
    v->target = LoadRenderTexture(side, side);
    SetTextureFilter(v->target.texture, TEXTURE_FILTER_BILINEAR);
    v->print = 0;
  }
  Camera3D camera = camera_of(v);
  uint64_t print = PRINT(PRINT(print_start, point->wanted), point->given);
  print = PRINT(PRINT(print, point->held), camera);
  if (print == v->print) return;
  v->print = print;
  primitives_glass glass = { .color = theme_border, .marked = -1, .strength = 1.9f };
  BeginTextureMode(v->target);
  ClearBackground(theme_window);
  BeginMode3D(camera);
  draw_box(m, box_half(v->field));
  primitives_look(m, camera, 1);
  draw_point(m, v, point);
  primitives_draw_glass(m, v->border, MatrixIdentity(), &glass);
  /* back faces first, so that the inside shows through */
  rlDisableDepthTest();
  primitives_look(m, camera, 0.45f);
  draw_point(m, v, point);
  rlEnableDepthTest();
  EndMode3D();
  EndTextureMode();
}

/* redraws the pictures of regions if the other angles have changed */
static void draw_regions(field_view *v, const field_point *point) {
  bool same = v->cut;
  for (int i = 0; i < v->axes && v->axes > 3; i++)
    if (fabsf(v->cut_at[i] - point->given[i]) > 0.05f) same = false;
  if (same) return;
  int side = v->axes > 3 ? cut_pixels : region_pixels;
  float *distances = malloc((size_t)(side * side) * sizeof *distances);
  uint8_t *pixels = malloc((size_t)(side * side) * 4);
  for (int i = 0; distances && pixels && i < v->region_count; i++) {
    sinew_field_axis x = sinew_field_axis_info(v->field, v->across[i]);
    field_slice(v->field, v->across[i], v->up[i], point->given, side, side, distances);
    field_slice_colors(distances, side, side, (x.max - x.min) / 12, pixels);
    if (!v->regions[i].id) {
      Image image = { pixels, side, side, 1, PIXELFORMAT_UNCOMPRESSED_R8G8B8A8 };
      v->regions[i] = LoadTextureFromImage(image);
      SetTextureFilter(v->regions[i], TEXTURE_FILTER_BILINEAR);
    } else {
      UpdateTexture(v->regions[i], pixels);
    }
  }
  free(distances);
  free(pixels);
  memcpy(v->cut_at, point->given, sizeof v->cut_at);
  v->cut = true;
}

void field_view_prepare(field_view *v, primitives *m, const field_point *point, int pixels) {
  if (v->axes == 3)
    draw_space(v, m, point, pixels);
  else
    draw_regions(v, point);
}

float field_view_width(const field_view *v, float height) {
  return v->region_count > 1 ? height * (float)v->region_count : height;
}

static float small_size(const ui *u) { return u->size * theme_note / theme_body; }

static void draw_small(const ui *u, const char *text, float x, float y, Color color) {
  font_draw(text, (Vector2){ x, y }, small_size(u), color);
}

static void draw_names(const field_view *v, const ui *u, Rectangle r, const char *const *names) {
  Vector3 half = box_half(v->field);
  Camera3D camera = camera_of(v);
  float size = small_size(u);
  for (int axis = 0; axis < 3; axis++) {
    sinew_field_axis x = sinew_field_axis_info(v->field, axis);
    for (int k = 0; k < 3; k++) { /* the ends of the range, and the name between them */
      float out = 1.09f;
      Vector3 p = { -half.x * out, -half.y * out, half.z * out };
      if (axis == 0) p = (Vector3){ 0, -half.y * out, half.z * out };
      if (axis == 2) p = (Vector3){ half.x * out, -half.y * out, 0 };
      (&p.x)[axis] = (float)(k - 1) * (&half.x)[axis] * (axis == 1 ? 1 : 0.82f);
      Vector2 at = GetWorldToScreenEx(p, camera, (int)r.width, (int)r.height);
      const char *text = k == 1 ? names[axis] : TextFormat("%g", (double)(k ? x.max : x.min));
      float wide = font_width(text, size);
      float left = Clamp(at.x - wide / 2, 4, r.width - wide - 4);
      draw_small(u, text, r.x + left, r.y + at.y - size / 2, k == 1 ? theme_text : theme_second);
    }
  }
}

static Vector2 region_place(const field_view *v, int region, Rectangle r, const float *angles) {
  float up = v->axes == 1 ? 0.5f : field_axis_share(v->field, v->up[region], angles[v->up[region]]);
  return (Vector2){ r.x + r.width * field_axis_share(v->field, v->across[region],
                                                     angles[v->across[region]]),
                    r.y + r.height * (1 - up) };
}

static void draw_region(const field_view *v, const ui *u, int region, Rectangle r,
                        const char *const *names, const field_point *point) {
  const Texture2D *t = &v->regions[region];
  sinew_field_axis x = sinew_field_axis_info(v->field, v->across[region]);
  sinew_field_axis y = sinew_field_axis_info(v->field, v->up[region]);
  bool bar = v->axes == 1;
  float below = ui_row(u);
  Rectangle in = { r.x + ui_px(u, 10), r.y, r.width - ui_px(u, 20), r.height - below };
  if (bar) {
    in.y += in.height * 0.35f;
    in.height *= 0.3f;
  }
  DrawTexturePro(*t, (Rectangle){ 0, 0, (float)t->width, (float)t->height }, in, (Vector2){ 0, 0 },
                 0, WHITE);
  DrawRectangleLinesEx(in, 1, theme_hint);
  ui_clip_push((ui *)u, in);
  Vector2 given = region_place(v, region, in, point->given);
  if (point->held) {
    Vector2 wanted = region_place(v, region, in, point->wanted);
    icon_line((Vector2[]){ wanted, given }, 2, 2, theme_held);
    icon_draw(ICON_DISC, wanted, u->size * 0.72f, theme_held);
  }
  icon_draw(ICON_DISC, given, u->size * 0.84f, theme_window);
  icon_draw(ICON_DISC, given, u->size * 0.68f, theme_path);
  ui_clip_pop((ui *)u);
  float size = small_size(u), line = in.y + in.height + 2;
  draw_small(u, TextFormat("%g", (double)x.min), in.x, line, theme_second);
  const char *text = TextFormat("%g", (double)x.max);
  draw_small(u, text, in.x + in.width - font_width(text, size), line, theme_second);
  const char *name = names[v->across[region]];
  float wide = font_width(name, size);
  draw_small(u, name, in.x + (in.width - wide) / 2, line, theme_text);
  if (bar) return;
  draw_small(u, TextFormat("%g", (double)y.max), in.x + 4, in.y + 3, theme_second);
  draw_small(u, TextFormat("%g", (double)y.min), in.x + 4, in.y + in.height - size - 2,
             theme_second);
  name = names[v->up[region]];
  wide = font_width(name, size);
  font_draw_up(name, (Vector2){ in.x + 4, in.y + (in.height + wide) / 2 }, size, theme_text);
}

void field_view_draw(field_view *v, ui *u, Rectangle r, const char *title, const char *const *names,
                     const field_point *point) {
  ui_float(u, r);
  ui_label_in(u, title, r.x + ui_px(u, 10), r.y + 2, r.width - ui_px(u, 20), theme_text);
  Rectangle in = { r.x, r.y + ui_row(u), r.width, r.height - ui_row(u) };
  if (ui_hot(u, r)) u->wants_mouse = true;
  if (v->axes != 3) {
    for (int i = 0; i < v->region_count; i++) {
      Rectangle part = { in.x + in.width * (float)i / (float)v->region_count, in.y,
                         in.width / (float)v->region_count, in.height };
      if (v->regions[i].id) draw_region(v, u, i, part, names, point);
    }
    return;
  }
  int id = ui_id("field view", (int)v->target.id);
  ui_pressed(u, id, in);
  if (u->active == id) {
    v->yaw -= GetMouseDelta().x * 0.5f;
    v->pitch = Clamp(v->pitch + GetMouseDelta().y * 0.5f, -85, 85);
  }
  float side = fminf(in.width, in.height);
  Rectangle square = { in.x + (in.width - side) / 2, in.y, side, side };
  if (!v->target.id) return;
  DrawTexturePro(
      v->target.texture,
      (Rectangle){ 0, 0, (float)v->target.texture.width, -(float)v->target.texture.height }, square,
      (Vector2){ 0, 0 }, 0, WHITE);
  draw_names(v, u, square, names);
}
