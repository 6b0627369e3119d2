/* Draws a rig: its bones, with marks for what is selected, under the mouse or held by a limit. */
#include "draw/scene.h"
#include "draw/bones.h"
#include "draw/ground.h"
#include "draw/light.h"
#include "draw/orbit.h"
#include "draw/shaders.h"
#include "draw/space_draw.h"
#include "plain/limbs.h"
#include "plain/print.h"
#include "ui/theme.h"

#include <math.h>
#include <raymath.h>
#include <rlgl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* light added to the edges of what is selected and what is under the mouse */
static const float marked_glow[3] = { 0.9f, 0.45f, 0.1f }, mouse_glow[3] = { 0.35f, 0.35f, 0.35f };
static const float no_glow[3] = { 0 };
static const float outline_pixels = 2;

struct scene {
  bones bones;
  long drawn, shadows;
  ground *ground;
  Shader bone_shader, cast_shader, outline_shader;
  int at_glow, at_hatch;
  Material bone_material, cast_material, outline_material;
  Mesh cube;          /* of side 1, for boxes */
  uint64_t shadow_of; /* hash of what the shadow was drawn of */
  BoundingBox box;    /* of what was drawn last */
  Camera3D camera;
  float pixels;
};

static Matrix world_of(const sinew_pose *pose, int i) {
  return matrix(sinew_pose_worlds(pose) + 16 * (size_t)i);
}

static Material material_of(Shader shader) {
  Material material = LoadMaterialDefault();
  material.shader = shader;
  return material;
}

scene *scene_create(bool low) {
  scene *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->bone_shader = LoadShaderFromMemory(bone_vertex, bone_fragment);
  s->cast_shader = LoadShaderFromMemory(cast_vertex, cast_fragment);
  s->outline_shader = LoadShaderFromMemory(outline_vertex, outline_fragment);
  s->ground = ground_create();
  if (!IsShaderValid(s->bone_shader) || !IsShaderValid(s->cast_shader) ||
      !IsShaderValid(s->outline_shader) || !s->ground || !bones_start(&s->bones, low)) {
    fprintf(stderr, "sinew-viewer: the shaders do not compile; OpenGL 3.3 is needed\n");
    scene_destroy(s);
    return NULL;
  }
  s->cube = GenMeshCube(1, 1, 1);
  s->at_glow = GetShaderLocation(s->bone_shader, "glow");
  s->at_hatch = GetShaderLocation(s->bone_shader, "hatch");
  s->bone_material = material_of(s->bone_shader);
  s->cast_material = material_of(s->cast_shader);
  s->outline_material = material_of(s->outline_shader);
  return s;
}

void scene_destroy(scene *s) {
  if (!s) return;
  bones_end(&s->bones);
  ground_destroy(s->ground);
  const Material materials[] = { s->bone_material, s->cast_material, s->outline_material };
  for (int i = 0; i < 3; i++) MemFree(materials[i].maps);
  if (s->cube.vaoId) UnloadMesh(s->cube);
  UnloadShader(s->bone_shader);
  UnloadShader(s->cast_shader);
  UnloadShader(s->outline_shader);
  free(s);
}

void scene_load(scene *s, sinew_host *host) { bones_load(&s->bones, host); }
bool scene_poll(scene *s) { return bones_poll(&s->bones); }
bool scene_finish(scene *s, sinew_error *error) { return bones_finish(&s->bones, error); }
int scene_left(const scene *s) { return bone_maker_left(s->bones.maker); }

/* the mesh to draw: while things move, a coarser one is enough */
static const Mesh *shown_mesh(const bone *b, bool moving) {
  return moving && b->low.vertexCount ? &b->low : &b->mesh;
}

BoundingBox scene_bounds(const scene *s, const sinew_pose *pose, const bool *only) {
  BoundingBox box = { { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f } };
  bool any = false;
  for (int i = 0; i < s->bones.count; i++) {
    if (only && !only[i]) continue;
    any = true;
    Matrix m = world_of(pose, i);
    int vertices = s->bones.list[i].there ? s->bones.list[i].mesh.vertexCount : 1;
    for (int k = 0; k < vertices; k += 3) {
      Vector3 p = { 0, 0, 0 };
      if (s->bones.list[i].there) memcpy(&p, s->bones.list[i].mesh.vertices + 3 * k, sizeof p);
      p = Vector3Transform(p, m);
      box.min = Vector3Min(box.min, p);
      box.max = Vector3Max(box.max, p);
    }
  }
  return any ? box : (BoundingBox){ { -1, 0, -1 }, { 1, 2, 1 } };
}

int scene_points(const scene *s, const sinew_pose *pose, const bool *only, Vector3 *dest) {
  int count = 0;
  for (int i = 0; i < s->bones.count; i++) {
    if (!s->bones.list[i].there || (only && !only[i])) continue;
    if (dest) {
      orbit_corners(s->bones.list[i].box, dest + count);
      for (int k = 0; k < 8; k++)
        dest[count + k] = Vector3Transform(dest[count + k], world_of(pose, i));
    }
    count += 8;
  }
  return count;
}

/* bounds all boxes of bones: slightly too large, but cheap */
static BoundingBox rough_bounds(const scene *s, const sinew_pose *pose) {
  BoundingBox all = { { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f } };
  for (int i = 0; i < s->bones.count; i++) {
    if (!s->bones.list[i].there) continue;
    BoundingBox b = s->bones.list[i].box;
    Vector3 half = Vector3Scale(Vector3Subtract(b.max, b.min), 0.5f);
    Matrix m = world_of(pose, i);
    Vector3 middle = Vector3Transform(Vector3Add(b.min, half), m);
    Vector3 reach = { fabsf(m.m0) * half.x + fabsf(m.m4) * half.y + fabsf(m.m8) * half.z,
                      fabsf(m.m1) * half.x + fabsf(m.m5) * half.y + fabsf(m.m9) * half.z,
                      fabsf(m.m2) * half.x + fabsf(m.m6) * half.y + fabsf(m.m10) * half.z };
    all.min = Vector3Min(all.min, Vector3Subtract(middle, reach));
    all.max = Vector3Max(all.max, Vector3Add(middle, reach));
  }
  return all.min.x <= all.max.x ? all : (BoundingBox){ { -1, 0, -1 }, { 1, 2, 1 } };
}

/* a ray of the world in the frame of a bone */
static Ray ray_in(Matrix world, Ray ray) {
  Matrix back = MatrixInvert(world);
  Vector3 from = Vector3Transform(ray.position, back);
  Vector3 to = Vector3Transform(Vector3Add(ray.position, ray.direction), back);
  return (Ray){ from, Vector3Normalize(Vector3Subtract(to, from)) };
}

/* whether a ray in a bone's frame passes its box within a distance, which grows with the depth */
static bool passes_box(const bone *b, Ray ray, float distance, float growth) {
  Vector3 middle = Vector3Scale(Vector3Add(b->box.min, b->box.max), 0.5f);
  float depth = Vector3Distance(ray.position, middle) + Vector3Distance(b->box.max, middle);
  float by = distance + growth * depth;
  BoundingBox wide = { Vector3SubtractValue(b->box.min, by), Vector3AddValue(b->box.max, by) };
  return GetRayCollisionBox(ray, wide).hit;
}

sinew_segment scene_pick(const scene *s, const sinew_pose *pose, Ray ray, Vector3 *hit) {
  sinew_segment found = { 0 };
  float nearest = 1e9f;
  for (int i = 0; i < s->bones.count; i++) {
    if (!s->bones.list[i].there) continue;
    const bone *b = &s->bones.list[i];
    Matrix world = world_of(pose, i);
    Ray own = ray_in(world, ray); /* a frame is rigid: lengths are as in the world */
    if (!passes_box(b, own, 0, 0)) continue;
    for (int k = 0; k + 2 < b->mesh.vertexCount; k += 3) {
      Vector3 corner[3];
      memcpy(corner, b->mesh.vertices + 3 * (size_t)k, sizeof corner);
      RayCollision met = GetRayCollisionTriangle(own, corner[0], corner[1], corner[2]);
      if (!met.hit || met.distance >= nearest) continue;
      nearest = met.distance;
      if (hit) *hit = Vector3Transform(met.point, world);
      found.id = (uint32_t)i + 1;
    }
  }
  return found;
}

/* the squared distance from the ray's line to an edge, as a share of the depth, and the nearest
 * point of the edge */
static float edge_apart(Ray ray, Vector3 a, Vector3 b, Vector3 *dest) {
  Vector3 way = Vector3Subtract(b, a), from = Vector3Subtract(a, ray.position);
  float e = Vector3DotProduct(way, way), f = Vector3DotProduct(way, ray.direction);
  float g = Vector3DotProduct(way, from), c = Vector3DotProduct(ray.direction, from);
  float wide = e - f * f;
  float t = wide > 1e-12f ? Clamp((f * c - g) / wide, 0, 1) : 0;
  *dest = Vector3Add(a, Vector3Scale(way, t));
  Vector3 to = Vector3Subtract(*dest, ray.position);
  float depth = Vector3DotProduct(to, ray.direction);
  if (depth <= 0) return 1e9f;
  return (Vector3DotProduct(to, to) - depth * depth) / (depth * depth);
}

/* Whether a triangle is surely farther from the ray than `least`, as edge_apart counts: its first
 * corner is so far that no other point of it can be nearer. */
static bool surely_apart(Ray ray, const Vector3 corner[3], float least) {
  Vector3 to = Vector3Subtract(corner[0], ray.position);
  float reach =
      fmaxf(Vector3DistanceSqr(corner[0], corner[1]), Vector3DistanceSqr(corner[0], corner[2]));
  float depth = Vector3DotProduct(to, ray.direction);
  float aside = Vector3DotProduct(to, to) - depth * depth;
  return aside > 2 * reach + 4 * least * (depth * depth + reach);
}

sinew_segment scene_pick_near(const scene *s, const sinew_pose *pose, Ray ray, float pixel,
                              float tolerance, Vector3 *hit) {
  Vector3 at = { 0 }, near = { 0 };
  sinew_segment found = scene_pick(s, pose, ray, &at), beside = { 0 };
  float least = pixel * tolerance * pixel * tolerance;
  float front = found.id ? Vector3Distance(at, ray.position) : 1e9f;
  front -= 20 * pixel * front; /* clearly in front of the hit */
  for (int i = 0; i < s->bones.count; i++) {
    const bone *b = &s->bones.list[i];
    Matrix world = world_of(pose, i);
    Ray own = ray_in(world, ray); /* a frame is rigid: lengths are as in the world */
    if (!b->there || !passes_box(b, own, 0, pixel * tolerance)) continue;
    for (int k = 0; k + 2 < b->mesh.vertexCount; k += 3) {
      Vector3 corner[3], on;
      memcpy(corner, b->mesh.vertices + 3 * (size_t)k, sizeof corner);
      if (surely_apart(own, corner, least)) continue;
      for (int c = 0; c < 3; c++) {
        float apart = edge_apart(own, corner[c], corner[(c + 1) % 3], &on);
        if (apart >= least || Vector3Distance(on, own.position) > front) continue;
        least = apart;
        near = Vector3Transform(on, world);
        beside.id = (uint32_t)i + 1;
      }
    }
  }
  if (beside.id && beside.id != found.id) {
    found = beside;
    at = near;
  }
  if (found.id && hit) *hit = at;
  return found;
}

float scene_roll(const scene *s, const sinew_rig *rig, const sinew_pose *pose, Ray ray,
                 float radius, sinew_segment from) {
  float nearest = INFINITY;
  for (int i = 0; i < s->bones.count; i++) {
    const bone *b = &s->bones.list[i];
    Ray own = ray_in(world_of(pose, i), ray);
    if (!b->there || !passes_box(b, own, radius, 0)) continue;
    if (limb_below(rig, sinew_rig_segment(rig, i), from)) continue;
    for (int k = 0; k + 2 < b->mesh.vertexCount; k += 3) {
      Vector3 corner[3], on;
      memcpy(corner, b->mesh.vertices + 3 * (size_t)k, sizeof corner);
      RayCollision met = GetRayCollisionTriangle(own, corner[0], corner[1], corner[2]);
      if (met.hit) nearest = fminf(nearest, met.distance - radius);
      for (int c = 0; c < 3; c++) {
        edge_apart(own, corner[c], corner[(c + 1) % 3], &on);
        Vector3 to = Vector3Subtract(on, own.position);
        float depth = Vector3DotProduct(to, own.direction);
        float room = radius * radius - (Vector3DotProduct(to, to) - depth * depth);
        if (depth > 0 && room > 0) nearest = fminf(nearest, depth - sqrtf(room));
      }
    }
  }
  return fmaxf(nearest, 0);
}

uint32_t scene_version(const scene *s) { return s->bones.version; }

long scene_drawn(const scene *s, long *shadows) {
  *shadows = s->shadows;
  return s->drawn;
}

float scene_shadow_pixel(const scene *s) { return ground_pixel(s->ground); }

Matrix scene_flatten(const scene *s) { return ground_flatten(s->ground); }

static bool has_seat(const scene_options *options) {
  return options->seat.max.x > options->seat.min.x;
}

/* the place of the cube */
static Matrix seat_place(const scene_options *options) {
  Vector3 size = Vector3Subtract(options->seat.max, options->seat.min);
  Vector3 at = Vector3Scale(Vector3Add(options->seat.max, options->seat.min), 0.5f);
  return MatrixMultiply(MatrixScale(size.x, size.y, size.z), MatrixTranslate(at.x, at.y, at.z));
}

void scene_shadow(scene *s, const sinew_pose *pose, Camera3D camera, const scene_options *options) {
  Vector3 key = light_key(camera);
  const int turned[2] = { (int)roundf(4096 * key.x), (int)roundf(4096 * key.z) };
  bool crowd = options->cast && options->crowd.max.x > options->crowd.min.x;
  uint64_t print = PRINT(PRINT(print_start, turned), s->bones.version);
  print = PRINT(print, options->no_bones);
  print = PRINT(print, options->seat);
  print = print_bytes(print, sinew_pose_worlds(pose), 16 * (size_t)s->bones.count * sizeof(float));
  if (print == s->shadow_of && !crowd) return;
  s->shadow_of = print;
  s->shadows++;
  s->box = crowd ? options->crowd : rough_bounds(s, pose);
  BoundingBox all = s->box;
  if (has_seat(options)) {
    all.min = Vector3Min(all.min, options->seat.min);
    all.max = Vector3Max(all.max, options->seat.max);
  }
  ground_cast_begin(s->ground, all, key);
  for (int i = 0; i < s->bones.count && !options->no_bones; i++)
    if (s->bones.list[i].there)
      DrawMesh(*shown_mesh(&s->bones.list[i], true), s->cast_material,
               MatrixMultiply(world_of(pose, i), ground_flatten(s->ground)));
  if (has_seat(options))
    DrawMesh(s->cube, s->cast_material,
             MatrixMultiply(seat_place(options), ground_flatten(s->ground)));
  if (options->cast) options->cast(options->user);
  ground_cast_end(s->ground);
}

/* the place in pixels of the target, from its lower left corner */
static Rectangle frame_of(Rectangle place) {
  if (place.width <= 0)
    return (Rectangle){ 0, 0, (float)rlGetFramebufferWidth(), (float)rlGetFramebufferHeight() };
  float scale = (float)GetRenderWidth() / (float)GetScreenWidth();
  float below = (float)GetScreenHeight() - place.y - place.height;
  return (Rectangle){ place.x * scale, below * scale, place.width * scale, place.height * scale };
}

/* like BeginMode3D, but in a part of the window */
static void begin_space(Camera3D camera, Rectangle place, Rectangle frame) {
  BeginMode3D(camera);
  if (place.width <= 0) return;
  rlViewport((int)frame.x, (int)frame.y, (int)frame.width, (int)frame.height);
  double top = rlGetCullDistanceNear() * tan(camera.fovy * 0.5 * (double)DEG2RAD);
  double right = top * (double)(place.width / place.height);
  rlMatrixMode(RL_PROJECTION);
  rlLoadIdentity();
  rlFrustum(-right, right, -top, top, rlGetCullDistanceNear(), rlGetCullDistanceFar());
  rlMatrixMode(RL_MODELVIEW);
}

static void end_space(Rectangle place) {
  EndMode3D();
  if (place.width > 0) rlViewport(0, 0, GetRenderWidth(), GetRenderHeight());
}

float scene_pixels(const scene *s) { return s->pixels; }

const Mesh *scene_mesh(const scene *s, int segment) {
  return segment < s->bones.count && s->bones.list[segment].there ? &s->bones.list[segment].mesh
                                                                  : NULL;
}

Material scene_material(const scene *s, Color color) {
  Material material = s->bone_material;
  material.maps[MATERIAL_MAP_DIFFUSE].color = color;
  return material;
}

void scene_light(const scene *s, Shader shader) {
  Vector3 key = light_key(s->camera), fill = light_fill(s->camera), eye = s->camera.position;
  Vector3 ahead = Vector3Normalize(Vector3Subtract(s->camera.target, eye));
  /* how far the box reaches towards the eye and away from it */
  Vector3 half = Vector3Scale(Vector3Subtract(s->box.max, s->box.min), 0.5f);
  Vector3 middle = Vector3Add(s->box.min, half);
  float deep = fabsf(ahead.x) * half.x + fabsf(ahead.y) * half.y + fabsf(ahead.z) * half.z + 1e-3f;
  float away = Vector3DotProduct(Vector3Subtract(middle, eye), ahead);
  float cue[2] = { away - 0.2f * deep, away + 2.2f * deep };
  SetShaderValue(shader, GetShaderLocation(shader, "key"), &key, SHADER_UNIFORM_VEC3);
  SetShaderValue(shader, GetShaderLocation(shader, "fill"), &fill, SHADER_UNIFORM_VEC3);
  SetShaderValue(shader, GetShaderLocation(shader, "eye"), &eye, SHADER_UNIFORM_VEC3);
  SetShaderValue(shader, GetShaderLocation(shader, "cue"), cue, SHADER_UNIFORM_VEC2);
}

static Color color_of(const scene *s, int i, const scene_options *options) {
  Color color = theme_bone;
  bool crowd = options->crowd.max.x > options->crowd.min.x; /* whose others have no sides */
  if (s->bones.sides && !crowd && s->bones.list[i].side)
    color = s->bones.list[i].side == SIDE_LEFT ? theme_bone_left : theme_bone_right;
  return (uint32_t)i + 1 == options->selected.id ? ColorLerp(color, theme_selected, 0.55f) : color;
}

static void mark_bone(const scene *s, const float *glow, bool held) {
  Vector4 hatch = ColorNormalize(held ? theme_held : BLANK);
  SetShaderValue(s->bone_shader, s->at_glow, glow, SHADER_UNIFORM_VEC3);
  SetShaderValue(s->bone_shader, s->at_hatch, &hatch, SHADER_UNIFORM_VEC4);
}

static void draw_bones(scene *s, const sinew_pose *pose, const scene_options *options) {
  for (int i = 0; i < s->bones.count; i++) {
    if (!s->bones.list[i].there) continue;
    uint32_t id = (uint32_t)i + 1;
    const float *glow = id == options->hovered.id ? mouse_glow : no_glow;
    if (id == options->selected.id) glow = marked_glow;
    bool held = options->held && options->held[i], marked = held || glow != no_glow;
    if (marked) mark_bone(s, glow, held);
    s->bone_material.maps[MATERIAL_MAP_DIFFUSE].color = color_of(s, i, options);
    DrawMesh(*shown_mesh(&s->bones.list[i], options->moving), s->bone_material, world_of(pose, i));
    if (marked) mark_bone(s, no_glow, false);
  }
}

/* a line around the selected bone: what is selected differs by more than its colour */
static void draw_outline(scene *s, const sinew_pose *pose, const scene_options *options,
                         Rectangle frame) {
  int i = (int)options->selected.id - 1;
  if (i < 0 || i >= s->bones.count || !s->bones.list[i].there) return;
  float line = 2 * outline_pixels * options->grain;
  float width[2] = { line / frame.width, line / frame.height };
  Matrix world = world_of(pose, i);
  SetShaderValue(s->outline_shader, GetShaderLocation(s->outline_shader, "width"), width,
                 SHADER_UNIFORM_VEC2);
  s->outline_material.maps[MATERIAL_MAP_DIFFUSE].color = theme_selected;
  rlEnableBackfaceCulling();
  rlSetCullFace(MatrixDeterminant(world) < 0 ? RL_CULL_FACE_BACK : RL_CULL_FACE_FRONT);
  DrawMesh(*shown_mesh(&s->bones.list[i], options->moving), s->outline_material, world);
  rlSetCullFace(RL_CULL_FACE_BACK);
  rlDisableBackfaceCulling();
}

void scene_draw(scene *s, const sinew_pose *pose, Camera3D camera, const scene_options *options) {
  Rectangle frame = frame_of(options->place);
  Rectangle whole = { 0, 0, frame.width, frame.height };
  float away = Vector3Distance(camera.position, camera.target);
  s->drawn++;
  s->camera = camera;
  s->pixels = frame.height;
  scene_light(s, s->bone_shader);
  SetShaderValue(s->bone_shader, GetShaderLocation(s->bone_shader, "grain"), &options->grain,
                 SHADER_UNIFORM_FLOAT);
  ground_background(s->ground, options->place.width > 0 ? options->place : whole, frame,
                    options->grain);
  rlSetClipPlanes((double)Clamp(away / 200, 0.05f, 2), (double)fmaxf(1000, 10 * away));
  begin_space(camera, options->place, frame);
  rlDisableBackfaceCulling(); /* mirroring reverses the winding */
  if (!options->no_bones) draw_bones(s, pose, options);
  if (!options->no_bones) draw_outline(s, pose, options, frame);
  if (options->also) options->also(options->user, false);
  ground_draw(s->ground, options->grid, options->grain);
  rlEnableBackfaceCulling();
  if (has_seat(options)) { /* what is in it and behind it shows through, since it can be grabbed */
    mark_bone(s, no_glow, false);
    DrawMesh(s->cube, scene_material(s, theme_seat), seat_place(options));
  }
  const Vector3 ends[3] = { { 0.3f, 0, 0 }, { 0, 0.3f, 0 }, { 0, 0, 0.3f } };
  for (int i = 0; options->axes && i < 3; i++) DrawLine3D(Vector3Zero(), ends[i], theme_axes[i]);
  if (options->also) options->also(options->user, true);
  end_space(options->place);
}

void scene_paint(scene *s, const sinew_pose *pose, Camera3D camera, const scene_options *options,
                 RenderTexture2D target) {
  scene_options shown = *options;
  shown.place = (Rectangle){ 0 };
  scene_shadow(s, pose, camera, &shown);
  BeginTextureMode(target);
  ClearBackground(BLACK);
  scene_draw(s, pose, camera, &shown);
  EndTextureMode();
}
