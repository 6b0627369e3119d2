/* The shadow is drawn once for a pose and a light: bones are flattened onto the ground, drawn into
 * a texture from above, and blurred in two passes. */
#include "draw/ground.h"
#include "draw/shaders.h"

#include <math.h>
#include <raymath.h>
#include <rlgl.h>
#include <stdlib.h>

enum { fewest_pixels = 256, most_pixels = 1024 };
static const float pixel_goal = 0.02f; /* metres of the ground in a pixel of the shadow */
static const float tap_width = 0.024f; /* metres between samples of the blur */

struct ground {
  Shader shader, blur, background;
  Material material;
  Mesh plane;
  RenderTexture2D sharp, shadow; /* sharp: also between the passes */
  Vector3 key;
  Vector2 centre, middle; /* of the shadow's square, and of the figure */
  float side, size;       /* of that square; of the figure */
};

ground *ground_create(void) {
  ground *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->shader = LoadShaderFromMemory(bone_vertex, ground_fragment);
  g->blur = LoadShaderFromMemory(NULL, blur_fragment);
  g->background = LoadShaderFromMemory(NULL, background_fragment);
  if (!IsShaderValid(g->shader) || !IsShaderValid(g->blur) || !IsShaderValid(g->background)) {
    ground_destroy(g);
    return NULL;
  }
  g->material = LoadMaterialDefault();
  g->material.shader = g->shader;
  g->plane = GenMeshPlane(2, 2, 1, 1);
  g->side = g->size = 1;
  g->key = (Vector3){ 0, 1, 0 };
  return g;
}

static void unload_textures(ground *g) {
  if (g->sharp.id) UnloadRenderTexture(g->sharp);
  if (g->shadow.id) UnloadRenderTexture(g->shadow);
}

void ground_destroy(ground *g) {
  if (!g) return;
  unload_textures(g);
  if (g->plane.vaoId) UnloadMesh(g->plane);
  UnloadShader(g->shader);
  UnloadShader(g->blur);
  UnloadShader(g->background);
  MemFree(g->material.maps);
  free(g);
}

static RenderTexture2D load_texture(int side) {
  RenderTexture2D t = LoadRenderTexture(side, side);
  SetTextureFilter(t.texture, TEXTURE_FILTER_BILINEAR);
  SetTextureWrap(t.texture, TEXTURE_WRAP_CLAMP);
  return t;
}

/* as many pixels as the size needs: a crowd's shadow has more than one figure's */
static void fit_textures(ground *g) {
  int pixels = fewest_pixels;
  while (pixels < most_pixels && g->side / (float)pixels > pixel_goal) pixels *= 2;
  if (g->shadow.texture.width == pixels) return;
  unload_textures(g);
  g->sharp = load_texture(pixels);
  g->shadow = load_texture(pixels);
  g->material.maps[MATERIAL_MAP_DIFFUSE].texture = g->shadow.texture;
}

Matrix ground_flatten(const ground *g) {
  Matrix m = MatrixIdentity();
  m.m4 = -g->key.x / g->key.y;
  m.m5 = 1e-4f;
  m.m6 = -g->key.z / g->key.y;
  return m;
}

float ground_pixel(const ground *g) { return g->side / (float)g->shadow.texture.width; }

void ground_cast_begin(ground *g, BoundingBox box, Vector3 key) {
  g->key = key;
  g->middle = (Vector2){ (box.min.x + box.max.x) / 2, (box.min.z + box.max.z) / 2 };
  float wide = hypotf(box.max.x - box.min.x, box.max.z - box.min.z);
  g->size = fmaxf(fmaxf(box.max.y, wide), 0.05f);
  /* the box and its projection */
  Matrix flat = ground_flatten(g);
  float top = fmaxf(box.max.y, 0), x = top * flat.m4, z = top * flat.m6;
  Vector2 low = { box.min.x + fminf(x, 0), box.min.z + fminf(z, 0) };
  Vector2 high = { box.max.x + fmaxf(x, 0), box.max.z + fmaxf(z, 0) };
  g->centre = (Vector2){ (low.x + high.x) / 2, (low.y + high.y) / 2 };
  g->side = fmaxf(high.x - low.x, high.y - low.y) + 10 * tap_width;
  fit_textures(g);
  Camera3D above = { .position = { g->centre.x, 50, g->centre.y },
                     .target = { g->centre.x, 0, g->centre.y },
                     .up = { 0, 0, -1 },
                     .fovy = g->side,
                     .projection = CAMERA_ORTHOGRAPHIC };
  BeginTextureMode(g->sharp);
  ClearBackground(BLANK);
  BeginMode3D(above);
  rlDisableBackfaceCulling();
  rlDisableDepthTest();
  rlSetBlendFactors(RL_ONE, RL_ONE, RL_MAX);
  rlSetBlendMode(RL_BLEND_CUSTOM);
}

/* the texture of `from`, blurred along one axis */
static void blur(ground *g, RenderTexture2D from, RenderTexture2D to, bool across) {
  float side = (float)to.texture.width, tap = fmaxf(tap_width / g->side, 0.8f / side);
  float by[2] = { across ? tap : 0, across ? 0 : tap };
  SetShaderValue(g->blur, GetShaderLocation(g->blur, "tap"), by, SHADER_UNIFORM_VEC2);
  BeginTextureMode(to);
  BeginShaderMode(g->blur);
  rlDisableColorBlend();
  DrawTextureRec(from.texture, (Rectangle){ 0, 0, side, -side }, (Vector2){ 0, 0 }, WHITE);
  EndShaderMode();
  rlEnableColorBlend();
  EndTextureMode();
}

void ground_cast_end(ground *g) {
  rlDrawRenderBatchActive();
  rlSetBlendMode(RL_BLEND_ALPHA);
  rlEnableDepthTest();
  rlEnableBackfaceCulling();
  EndMode3D();
  EndTextureMode();
  blur(g, g->sharp, g->shadow, true);
  blur(g, g->shadow, g->sharp, false);
  RenderTexture2D done = g->sharp;
  g->sharp = g->shadow;
  g->shadow = done;
  g->material.maps[MATERIAL_MAP_DIFFUSE].texture = g->shadow.texture;
}

static void set_float(Shader shader, const char *name, float value) {
  SetShaderValue(shader, GetShaderLocation(shader, name), &value, SHADER_UNIFORM_FLOAT);
}

void ground_background(ground *g, Rectangle place, Rectangle frame, float grain) {
  SetShaderValue(g->background, GetShaderLocation(g->background, "frame"), &frame,
                 SHADER_UNIFORM_VEC4);
  set_float(g->background, "grain", grain);
  BeginShaderMode(g->background);
  DrawRectangleRec(place, WHITE);
  EndShaderMode();
}

void ground_draw(ground *g, bool grid, float grain) {
  float shadow[3] = { g->centre.x, g->centre.y, g->side };
  float unit = powf(10, floorf(log10f(0.6f * g->size)));
  float whole[4] = { g->middle.x, g->middle.y, g->size, unit };
  SetShaderValue(g->shader, GetShaderLocation(g->shader, "shadow"), shadow, SHADER_UNIFORM_VEC3);
  SetShaderValue(g->shader, GetShaderLocation(g->shader, "ground"), whole, SHADER_UNIFORM_VEC4);
  set_float(g->shader, "grid", grid ? 1 : 0);
  set_float(g->shader, "grain", grain);
  float reach = 2 * g->size; /* where the shader has faded it out */
  rlSetBlendMode(RL_BLEND_ALPHA_PREMULTIPLY);
  DrawMesh(
      g->plane, g->material,
      MatrixMultiply(MatrixScale(reach, 1, reach), MatrixTranslate(g->middle.x, 0, g->middle.y)));
  rlSetBlendMode(RL_BLEND_ALPHA);
}
