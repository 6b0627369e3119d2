/* Draws a rig. For the shadow, bones are projected along the light onto y = 0, drawn into a
 * texture, and blurred by the ground's shader. */
#include "draw/scene.h"
#include "draw/plain_bones.h"
#include "draw/shaders.h"
#include "draw/space_draw.h"
#include "ui/theme.h"

#include <math.h>
#include <raymath.h>
#include <rlgl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Color ivory = { 233, 223, 200, 255 };
static const Color marked = { 255, 176, 72, 255 };
static const Color under_mouse = { 250, 212, 150, 255 };
enum { shadow_pixels = 1024 };

typedef struct bone {
  Mesh mesh;
  BoundingBox box; /* of the mesh, in the segment's frame */
  uint64_t print;  /* hash of the shape; 0: none */
  bool there;
} bone;

struct scene {
  bone *bones;
  int count;
  Shader bone_shader, ground_shader, flat_shader;
  int at_light, at_eye, at_shadow_place, at_shadow_size, at_grid, at_reach;
  Material bone_material, flat_material, ground_material;
  Mesh ground;
  RenderTexture2D shadow;
  Vector3 shadow_centre;
  float pixels;
  float shadow_size, reach; /* radius of the visible ground around the shadow */
};

static Matrix world_of(const sinew_pose *pose, int i) {
  return matrix(sinew_pose_worlds(pose) + 16 * (size_t)i);
}

scene *scene_create(void) {
  scene *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->bone_shader = LoadShaderFromMemory(bone_vertex, bone_fragment);
  s->ground_shader = LoadShaderFromMemory(bone_vertex, ground_fragment);
  s->flat_shader = LoadShaderFromMemory(bone_vertex, flat_fragment);
  if (!IsShaderValid(s->bone_shader) || !IsShaderValid(s->ground_shader) ||
      !IsShaderValid(s->flat_shader)) {
    fprintf(stderr, "sinew-viewer: the shaders do not compile; OpenGL 3.3 is needed\n");
    scene_destroy(s);
    return NULL;
  }
  s->at_light = GetShaderLocation(s->bone_shader, "light");
  s->at_eye = GetShaderLocation(s->bone_shader, "eye");
  s->at_shadow_place = GetShaderLocation(s->ground_shader, "shadowPlace");
  s->at_shadow_size = GetShaderLocation(s->ground_shader, "shadowSize");
  s->at_grid = GetShaderLocation(s->ground_shader, "grid");
  s->at_reach = GetShaderLocation(s->ground_shader, "reach");
  s->bone_material = LoadMaterialDefault();
  s->bone_material.shader = s->bone_shader;
  s->flat_material = LoadMaterialDefault();
  s->flat_material.shader = s->flat_shader;
  s->ground_material = LoadMaterialDefault();
  s->ground_material.shader = s->ground_shader;
  s->ground = GenMeshPlane(20, 20, 1, 1);
  s->shadow = LoadRenderTexture(shadow_pixels, shadow_pixels);
  SetTextureFilter(s->shadow.texture, TEXTURE_FILTER_BILINEAR);
  s->ground_material.maps[MATERIAL_MAP_DIFFUSE].texture = s->shadow.texture;
  return s;
}

static void unload_bones(bone *bones, int count) {
  for (int i = 0; i < count; i++)
    if (bones[i].there) UnloadMesh(bones[i].mesh);
  free(bones);
}

void scene_destroy(scene *s) {
  if (!s) return;
  unload_bones(s->bones, s->count);
  if (s->ground.vaoId) UnloadMesh(s->ground);
  if (s->shadow.id) UnloadRenderTexture(s->shadow);
  UnloadShader(s->bone_shader);
  UnloadShader(s->ground_shader);
  UnloadShader(s->flat_shader);
  MemFree(s->bone_material.maps);
  MemFree(s->flat_material.maps);
  MemFree(s->ground_material.maps);
  free(s);
}

/* a hash of a shape, never 0: bones that a reload does not change keep their mesh */
static uint64_t print_of(const sinew_shape *shape) {
  uint64_t hash = 14695981039346656037u;
  const uint32_t *words[3] = { (const uint32_t *)(const void *)shape->vertices,
                               (const uint32_t *)(const void *)shape->normals, shape->triangles };
  int counts[3] = { 3 * shape->vertex_count, 3 * shape->vertex_count, 3 * shape->triangle_count };
  for (int part = 0; part < 3; part++)
    for (int i = 0; i < counts[part]; i++) hash = (hash ^ words[part][i]) * 1099511628211u;
  return hash ? hash : 1;
}

/* reuses an old mesh of the same shape */
static bool take_old(bone *old, int count, int first, uint64_t print, bone *dest) {
  for (int k = 0; k < count; k++) {
    bone *b = &old[(first + k) % count];
    if (!b->there || b->print != print) continue;
    *dest = *b;
    b->there = false;
    return true;
  }
  return false;
}

/* unshared vertices, since raylib's indices have 16 bits */
static Mesh mesh_of(const sinew_shape *shape) {
  Mesh mesh = { .vertexCount = 3 * shape->triangle_count, .triangleCount = shape->triangle_count };
  mesh.vertices = MemAlloc((unsigned)mesh.vertexCount * 3 * (unsigned)sizeof(float));
  mesh.normals = MemAlloc((unsigned)mesh.vertexCount * 3 * (unsigned)sizeof(float));
  for (int i = 0; i < mesh.vertexCount; i++) {
    const uint32_t v = shape->triangles[i];
    memcpy(mesh.vertices + 3 * i, shape->vertices + 3 * v, 3 * sizeof(float));
    memcpy(mesh.normals + 3 * i, shape->normals + 3 * v, 3 * sizeof(float));
  }
  UploadMesh(&mesh, false);
  return mesh;
}

void scene_load(scene *s, sinew_host *host) {
  const sinew_rig *rig = sinew_host_rig(host);
  if (!rig) return;
  bone *old = s->bones;
  int old_count = s->count;
  s->count = 0;
  s->bones = calloc((size_t)sinew_rig_segment_count(rig) + 1, sizeof *s->bones);
  if (s->bones) s->count = sinew_rig_segment_count(rig);
  plan_look *looks = calloc((size_t)s->count + 1, sizeof *looks);
  for (int i = 0; i < s->count; i++) {
    sinew_shape shape = sinew_host_shape(host, sinew_rig_segment(rig, i));
    bone *b = &s->bones[i];
    if (looks && shape.vertices) looks[i] = shape.triangle_count > 0 ? PLAN_SHAPED : PLAN_HIDDEN;
    uint64_t print = shape.triangle_count > 0 ? print_of(&shape) : 0;
    if (!print || take_old(old, old_count, i, print, b)) continue;
    b->there = true;
    b->print = print;
    b->mesh = mesh_of(&shape);
    b->box = GetMeshBoundingBox(b->mesh);
  }
  Mesh *meshes = looks ? plain_bones_make(rig, looks) : NULL;
  for (int i = 0; meshes && i < s->count; i++) {
    if (!meshes[i].vertexCount) continue;
    s->bones[i].there = true;
    s->bones[i].mesh = meshes[i];
    s->bones[i].box = GetMeshBoundingBox(meshes[i]);
  }
  free(meshes);
  free(looks);
  unload_bones(old, old_count);
}

BoundingBox scene_bounds(const scene *s, const sinew_pose *pose, const bool *only) {
  BoundingBox box = { { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f } };
  bool any = false;
  for (int i = 0; i < s->count; i++) {
    if (only && !only[i]) continue;
    any = true;
    Matrix m = world_of(pose, i);
    int vertices = s->bones[i].there ? s->bones[i].mesh.vertexCount : 1;
    for (int k = 0; k < vertices; k += 3) {
      Vector3 p = { 0, 0, 0 };
      if (s->bones[i].there) memcpy(&p, s->bones[i].mesh.vertices + 3 * k, sizeof p);
      p = Vector3Transform(p, m);
      box.min = Vector3Min(box.min, p);
      box.max = Vector3Max(box.max, p);
    }
  }
  return any ? box : (BoundingBox){ { -1, 0, -1 }, { 1, 2, 1 } };
}

/* bounds all boxes of bones: slightly too large, but cheap */
static BoundingBox rough_bounds(const scene *s, const sinew_pose *pose) {
  BoundingBox all = { { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f } };
  for (int i = 0; i < s->count; i++) {
    if (!s->bones[i].there) continue;
    BoundingBox b = s->bones[i].box;
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

/* whether a ray in the world hits the box of a bone */
static bool meets_box(const bone *b, Matrix world, Ray ray) {
  Matrix back = MatrixInvert(world);
  Vector3 from = Vector3Transform(ray.position, back);
  Vector3 to = Vector3Transform(Vector3Add(ray.position, ray.direction), back);
  Ray local = { from, Vector3Normalize(Vector3Subtract(to, from)) };
  return GetRayCollisionBox(local, b->box).hit;
}

sinew_segment scene_pick(const scene *s, const sinew_pose *pose, Ray ray, Vector3 *hit) {
  sinew_segment found = { 0 };
  float nearest = 1e9f;
  for (int i = 0; i < s->count; i++) {
    if (!s->bones[i].there) continue;
    Matrix world = world_of(pose, i);
    if (!meets_box(&s->bones[i], world, ray)) continue;
    RayCollision met = GetRayCollisionMesh(ray, s->bones[i].mesh, world);
    if (!met.hit || met.distance >= nearest) continue;
    nearest = met.distance;
    if (hit) *hit = met.point;
    found.id = (uint32_t)i + 1;
  }
  return found;
}

float scene_shadow_pixel(const scene *s) { return s->shadow_size / shadow_pixels; }

Matrix scene_shadow_matrix(void) {
  Matrix m = MatrixIdentity();
  m.m4 = -theme_light.x / theme_light.y;
  m.m5 = 0.0001f;
  m.m6 = -theme_light.z / theme_light.y;
  return m;
}

void scene_shadow(scene *s, const sinew_pose *pose, const scene_options *options) {
  bool crowd = options->cast && options->crowd.max.x > options->crowd.min.x;
  BoundingBox box = crowd ? options->crowd : rough_bounds(s, pose);
  /* covers the box and its shadow, which is as long as the box is high */
  float fall = fmaxf(box.max.y, 0);
  Vector3 middle = Vector3Scale(Vector3Add(box.min, box.max), 0.5f);
  middle.x -= middle.y * theme_light.x / theme_light.y;
  middle.z -= middle.y * theme_light.z / theme_light.y;
  s->shadow_centre = (Vector3){ middle.x, 0, middle.z };
  s->shadow_size = fmaxf(box.max.x - box.min.x, box.max.z - box.min.z) + fall + 0.5f;
  s->reach = crowd ? hypotf(box.max.x - box.min.x, box.max.z - box.min.z) / 2 + fall : 2;
  Camera3D above = { .position = { middle.x, 50, middle.z },
                     .target = s->shadow_centre,
                     .up = { 0, 0, -1 },
                     .fovy = s->shadow_size,
                     .projection = CAMERA_ORTHOGRAPHIC };
  BeginTextureMode(s->shadow);
  ClearBackground(BLANK);
  BeginMode3D(above);
  rlDisableBackfaceCulling();
  for (int i = 0; i < s->count; i++)
    if (s->bones[i].there)
      DrawMesh(s->bones[i].mesh, s->flat_material,
               MatrixMultiply(world_of(pose, i), scene_shadow_matrix()));
  if (options->cast) options->cast(options->user);
  rlEnableBackfaceCulling();
  EndMode3D();
  EndTextureMode();
}

void scene_background(int width, int height) {
  DrawRectangleGradientV(0, 0, width, height, (Color){ 214, 220, 228, 255 },
                         (Color){ 168, 176, 188, 255 });
}

/* like BeginMode3D, but in a part of the window */
static void begin_space(Camera3D camera, Rectangle place) {
  BeginMode3D(camera);
  if (place.width <= 0) return;
  float scale = (float)GetRenderWidth() / (float)GetScreenWidth();
  float below = (float)GetScreenHeight() - place.y - place.height;
  rlViewport((int)(place.x * scale), (int)(below * scale), (int)(place.width * scale),
             (int)(place.height * scale));
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
  return segment < s->count && s->bones[segment].there ? &s->bones[segment].mesh : NULL;
}

Material scene_material(const scene *s, Color color) {
  Material material = s->bone_material;
  material.maps[MATERIAL_MAP_DIFFUSE].color = color;
  return material;
}

void scene_draw(scene *s, const sinew_pose *pose, Camera3D camera, const scene_options *options) {
  SetShaderValue(s->bone_shader, s->at_light, &theme_light, SHADER_UNIFORM_VEC3);
  SetShaderValue(s->bone_shader, s->at_eye, &camera.position, SHADER_UNIFORM_VEC3);
  float place[2] = { s->shadow_centre.x, s->shadow_centre.z }, grid = options->grid ? 1.0f : 0.0f;
  SetShaderValue(s->ground_shader, s->at_shadow_place, place, SHADER_UNIFORM_VEC2);
  SetShaderValue(s->ground_shader, s->at_shadow_size, &s->shadow_size, SHADER_UNIFORM_FLOAT);
  SetShaderValue(s->ground_shader, s->at_grid, &grid, SHADER_UNIFORM_FLOAT);
  SetShaderValue(s->ground_shader, s->at_reach, &s->reach, SHADER_UNIFORM_FLOAT);
  float away = Vector3Distance(camera.position, camera.target);
  rlSetClipPlanes((double)Clamp(away / 200, 0.05f, 2), (double)fmaxf(1000, 10 * away));
  s->pixels = options->place.width > 0
                  ? options->place.height * (float)GetRenderHeight() / (float)GetScreenHeight()
                  : (float)rlGetFramebufferHeight();
  begin_space(camera, options->place);
  rlDisableBackfaceCulling(); /* mirroring reverses the winding */
  for (int i = 0; i < s->count; i++) {
    if (!s->bones[i].there) continue;
    uint32_t id = (uint32_t)i + 1;
    Color color = id == options->hovered.id ? under_mouse : ivory;
    if (id == options->selected.id) color = marked;
    s->bone_material.maps[MATERIAL_MAP_DIFFUSE].color = color;
    DrawMesh(s->bones[i].mesh, s->bone_material, world_of(pose, i));
  }
  if (options->also) options->also(options->user, false);
  float larger = fmaxf(1, (s->reach + fmaxf(5, s->reach)) / 10); /* the plane is 20 metres wide */
  DrawMesh(s->ground, s->ground_material,
           MatrixMultiply(MatrixScale(larger, 1, larger),
                          MatrixTranslate(s->shadow_centre.x, 0, s->shadow_centre.z)));
  rlEnableBackfaceCulling();
  if (options->axes) {
    DrawLine3D((Vector3){ 0, 0, 0 }, (Vector3){ 0.3f, 0, 0 }, (Color){ 200, 60, 60, 255 });
    DrawLine3D((Vector3){ 0, 0, 0 }, (Vector3){ 0, 0.3f, 0 }, (Color){ 60, 150, 60, 255 });
    DrawLine3D((Vector3){ 0, 0, 0 }, (Vector3){ 0, 0, 0.3f }, (Color){ 60, 90, 210, 255 });
  }
  if (options->also) options->also(options->user, true);
  end_space(options->place);
}
