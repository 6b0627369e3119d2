/* The shaders and textures of a crowd, and the level of detail of each character. */
#include "draw/crowd_draw.h"
#include "draw/crowd_mesh.h"
#include "draw/shaders.h"

#include <math.h>
#include <raymath.h>
#include <rlgl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_cast = 1000000 }; /* if a shadow needs more triangles, it uses the coarsest level */
enum { level_count = 5, texels_wide = 4096 }; /* four texels a matrix */

/* tolerance of each level relative to a character's size; the visible error is about a quarter of
 * it */
static const float tolerances[level_count] = { 0, 0.004f, 0.012f, 0.025f, 0.05f };
/* a simplified bone keeps at least this many triangles */
static const int fewest[level_count] = { 0, 12, 12, 8, 6 };

struct crowd_draw {
  Shader shader, flat_shader;
  int at_view[2], at_worlds[2], at_segments[2], at_fall, at_thicker;
  crowd_mesh levels[level_count];
  int segments, characters;
  float size;
  float *worlds, *positions;
  int rows; /* size of the texture */
  unsigned texture, position_buffer;
  float *chosen; /* positions of the characters drawn at one level */
  unsigned char *level;
  long triangles;
};

#define CROWD_VERTEX                                                                               \
  "#version 330\n"                                                                                 \
  "layout(location = 0) in vec3 at; layout(location = 2) in vec3 facing;\n"                        \
  "layout(location = 6) in float segment; layout(location = 7) in vec4 character;\n"               \
  "uniform sampler2D worlds; uniform int segments; uniform mat4 view;\n"                           \
  "mat4 world() {\n"                                                                               \
  "  int i = (int(character.w) * segments + int(segment)) * 4;\n"                                  \
  "  ivec2 p = ivec2(i % 4096, i / 4096);\n"                                                       \
  "  return mat4(texelFetch(worlds, p, 0), texelFetch(worlds, p + ivec2(1, 0), 0),\n"              \
  "              texelFetch(worlds, p + ivec2(2, 0), 0), texelFetch(worlds, p + ivec2(3, 0), "     \
  "0));\n"                                                                                         \
  "}\n"

/* each character has a slightly different shade */
static const char crowd_vertex[] =
    CROWD_VERTEX "out vec3 place; out vec3 normal; flat out vec3 tint;\n"
                 "float number(float x) { return fract(sin(x * 12.9898) * 43758.5453); }\n"
                 "void main() {\n"
                 "  mat4 m = world();\n"
                 "  place = vec3(m * vec4(at, 1.0)) + character.xyz;\n"
                 "  normal = mat3(m) * facing;\n"
                 "  float light = 0.86 + 0.16 * number(character.w);\n"
                 "  float warm = 0.06 * (number(character.w + 0.37) - 0.5);\n"
                 "  tint = vec3(0.914 + warm, 0.875, 0.784 - warm) * light;\n"
                 "  gl_Position = view * vec4(place, 1.0);\n"
                 "}\n";

/* lights both sides, since simplified bones may be flat */
static const char crowd_fragment[] =
    "#version 330\n"
    "in vec3 place; in vec3 normal; flat in vec3 tint; out vec4 color;\n" SHADE_GLSL
    "void main() {\n"
    "  vec3 v = normalize(eye - place);\n"
    "  float turned = dot(normal, v) < 0.0 ? -1.0 : 1.0;\n"
    "  vec3 n = length(normal) > 1e-4 ? turned * normalize(normal) : v;\n"
    "  color = vec4(shade(tint, n, 1.0, vec3(0.0)), 1.0);\n"
    "}\n";

static const char crowd_cast_vertex[] = CROWD_VERTEX
    "uniform mat4 fall; uniform float thicker; out float height;\n"
    "void main() {\n"
    "  vec3 place = vec3(world() * vec4(at + thicker * facing, 1.0)) + character.xyz;\n"
    "  height = place.y;\n"
    "  gl_Position = view * fall * vec4(place, 1.0);\n"
    "}\n";

crowd_draw *crowd_draw_create(void) {
  crowd_draw *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->shader = LoadShaderFromMemory(crowd_vertex, crowd_fragment);
  d->flat_shader = LoadShaderFromMemory(crowd_cast_vertex, cast_fragment);
  if (!IsShaderValid(d->shader) || !IsShaderValid(d->flat_shader)) {
    fprintf(stderr, "sinew-viewer: the crowd's shaders do not compile; OpenGL 3.3 is needed\n");
    crowd_draw_destroy(d);
    return NULL;
  }
  for (int i = 0; i < 2; i++) {
    Shader shader = i ? d->flat_shader : d->shader;
    d->at_view[i] = GetShaderLocation(shader, "view");
    d->at_worlds[i] = GetShaderLocation(shader, "worlds");
    d->at_segments[i] = GetShaderLocation(shader, "segments");
  }
  d->at_fall = GetShaderLocation(d->flat_shader, "fall");
  d->at_thicker = GetShaderLocation(d->flat_shader, "thicker");
  return d;
}

static void unload(crowd_draw *d) {
  for (int i = 0; i < level_count; i++) crowd_mesh_free(&d->levels[i]);
  if (d->texture) rlUnloadTexture(d->texture);
  if (d->position_buffer) rlUnloadVertexBuffer(d->position_buffer);
  free(d->worlds);
  free(d->positions);
  free(d->chosen);
  free(d->level);
  d->worlds = d->positions = d->chosen = NULL;
  d->level = NULL;
  d->texture = d->position_buffer = 0;
  d->characters = 0;
}

void crowd_draw_destroy(crowd_draw *d) {
  if (!d) return;
  unload(d);
  UnloadShader(d->shader);
  UnloadShader(d->flat_shader);
  free(d);
}

bool crowd_draw_load(crowd_draw *d, const scene *s, int segments, int characters, float size) {
  unload(d);
  size_t texels = 4 * (size_t)segments * (size_t)characters;
  d->rows = (int)((texels + texels_wide - 1) / texels_wide);
  d->worlds = calloc((size_t)d->rows * texels_wide, 4 * sizeof(float));
  d->positions = calloc((size_t)characters, 4 * sizeof(float));
  d->chosen = calloc((size_t)characters, 4 * sizeof(float));
  d->level = calloc((size_t)characters, 1);
  if (!d->worlds || !d->positions || !d->chosen || !d->level) return false;
  for (int i = 0; i < level_count; i++)
    d->levels[i] = (crowd_mesh){ .tolerance = tolerances[i] * size, .fewest = fewest[i] };
  if (!crowd_mesh_make(d->levels, level_count, s, segments)) return false;
  d->texture =
      rlLoadTexture(d->worlds, texels_wide, d->rows, RL_PIXELFORMAT_UNCOMPRESSED_R32G32B32A32, 1);
  d->position_buffer = rlLoadVertexBuffer(NULL, characters * 4 * (int)sizeof(float), true);
  d->segments = segments;
  d->characters = characters;
  d->size = size;
  return true;
}

float *crowd_draw_worlds(crowd_draw *d) { return d->worlds; }
float *crowd_draw_positions(crowd_draw *d) { return d->positions; }
long crowd_draw_triangles(const crowd_draw *d) { return d->triangles; }

void crowd_draw_changed(crowd_draw *d) {
  for (int i = 0; i < d->characters; i++) d->positions[4 * i + 3] = (float)i;
  rlUpdateTexture(d->texture, 0, 0, texels_wide, d->rows, RL_PIXELFORMAT_UNCOMPRESSED_R32G32B32A32,
                  d->worlds);
}

/* flushes raylib's batch, and sets the uniforms of both shaders */
static Matrix begin(crowd_draw *d, int which) {
  rlDrawRenderBatchActive();
  Matrix view = MatrixMultiply(rlGetMatrixModelview(), rlGetMatrixProjection());
  int slot = 1;
  rlEnableShader(which ? d->flat_shader.id : d->shader.id);
  rlSetUniformMatrix(d->at_view[which], view);
  rlSetUniform(d->at_segments[which], &d->segments, RL_SHADER_UNIFORM_INT, 1);
  rlSetUniform(d->at_worlds[which], &slot, RL_SHADER_UNIFORM_INT, 1);
  rlActiveTextureSlot(slot);
  rlEnableTexture(d->texture);
  return view;
}

static void end(void) {
  rlDisableTexture();
  rlActiveTextureSlot(0);
  rlDisableShader();
}

/* the level of detail for a character; level_count if it is out of view */
static int level_of(const crowd_draw *d, const float *place, Matrix view, Camera3D camera,
                    float pixels) {
  Vector3 middle = { place[0], place[1] + d->size / 2, place[2] };
  float tall = tanf(camera.fovy / 2 * DEG2RAD);
  float w = view.m3 * middle.x + view.m7 * middle.y + view.m11 * middle.z + view.m15;
  float x = view.m0 * middle.x + view.m4 * middle.y + view.m8 * middle.z + view.m12;
  float y = view.m1 * middle.x + view.m5 * middle.y + view.m9 * middle.z + view.m13;
  float reach = d->size / tall; /* with a margin, also for a wide picture */
  if (w < -d->size || fabsf(x) > w + reach || fabsf(y) > w + reach) return level_count;
  float pixel = 2 * fmaxf(w - d->size / 2, 0.01f) * tall / pixels;
  int level = 0;
  while (level + 1 < level_count && d->levels[level + 1].tolerance < 2 * pixel) level++;
  return level;
}

/* draws the characters of one level */
static void draw_level(crowd_draw *d, int level) {
  int count = 0;
  for (int i = 1; i < d->characters; i++)
    if (d->level[i] == level)
      memcpy(d->chosen + 4 * count++, d->positions + 4 * i, 4 * sizeof(float));
  if (!count) return;
  rlUpdateVertexBuffer(d->position_buffer, d->chosen, count * 4 * (int)sizeof(float), 0);
  crowd_mesh_draw(&d->levels[level], d->position_buffer, count);
  d->triangles += (long)count * d->levels[level].triangles;
}

void crowd_draw_solid(crowd_draw *d, const scene *s, Camera3D camera) {
  d->triangles = 0;
  if (d->characters < 2) return;
  float pixels = scene_pixels(s);
  scene_light(s, d->shader);
  Matrix view = begin(d, 0);
  for (int i = 1; i < d->characters; i++)
    d->level[i] = (unsigned char)level_of(d, d->positions + 4 * i, view, camera, pixels);
  for (int level = 0; level < level_count; level++) draw_level(d, level);
  end();
}

void crowd_draw_cast(crowd_draw *d, const scene *s) {
  if (d->characters < 2) return;
  begin(d, 1);
  float thicker = fmaxf(0, scene_shadow_pixel(s) / 2 - 0.003f * d->size); /* than fine bones are */
  rlSetUniformMatrix(d->at_fall, scene_flatten(s));
  rlSetUniform(d->at_thicker, &thicker, RL_SHADER_UNIFORM_FLOAT, 1);
  int count = d->characters - 1, level = level_count - 1;
  while (level > 2 && (long)count * d->levels[level - 1].triangles < most_cast) level--;
  rlUpdateVertexBuffer(d->position_buffer, d->positions + 4, count * 4 * (int)sizeof(float), 0);
  crowd_mesh_draw(&d->levels[level], d->position_buffer, count);
  end();
}
