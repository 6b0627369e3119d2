/* The parts, pictures and matrices of a character on the GPU. */
#include "draw/character_draw.h"
#include "draw/shaders.h"

#include <math.h>
#include <raymath.h>
#include <rlgl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { texels_wide = 4096 }; /* four texels a matrix */
enum { AT_PLACE = 0, AT_UV = 1, AT_NORMAL = 2, AT_JOINTS = 6, AT_WEIGHTS = 7, buffer_count = 5 };

typedef struct part {
  sinew_character_part info;
  unsigned array, buffers[buffer_count];
  int corners;
  bool mirrored; /* its matrices reverse the winding */
  Texture2D picture;
} part;

struct character_draw {
  const sinew_character *character;
  Shader shaders[2]; /* to show it, and for shadows */
  part *parts;
  int part_count, matrices, copies, rows, vertices;
  float *nodes, *texels, *raw; /* `raw`: the matrices of one copy in the character's world */
  unsigned texture;
  Matrix back; /* from the character's world to the rig's metres */
  char note[160];
};

#define CHARACTER_VERTEX                                                                           \
  "#version 330\n"                                                                                 \
  "layout(location = 0) in vec3 at; layout(location = 1) in vec2 uv;\n"                            \
  "layout(location = 2) in vec3 facing; layout(location = 6) in vec4 joints;\n"                    \
  "layout(location = 7) in vec4 weights;\n"                                                        \
  "uniform sampler2D worlds; uniform int matrices; uniform mat4 view;\n"                           \
  "mat4 joint(float number) {\n"                                                                   \
  "  int i = (gl_InstanceID * matrices + int(number)) * 4;\n"                                      \
  "  ivec2 p = ivec2(i % 4096, i / 4096);\n"                                                       \
  "  return mat4(texelFetch(worlds, p, 0), texelFetch(worlds, p + ivec2(1, 0), 0),\n"              \
  "              texelFetch(worlds, p + ivec2(2, 0), 0),\n"                                        \
  "              texelFetch(worlds, p + ivec2(3, 0), 0));\n"                                       \
  "}\n"                                                                                            \
  "mat4 blend() {\n"                                                                               \
  "  return weights.x * joint(joints.x) + weights.y * joint(joints.y) +\n"                         \
  "         weights.z * joint(joints.z) + weights.w * joint(joints.w);\n"                          \
  "}\n"

/* normals turn by the cofactors, which also holds for joints of uneven or negative scale */
static const char character_vertex[] =
    CHARACTER_VERTEX "out vec3 place; out vec3 normal; out vec2 spot;\n"
                     "void main() {\n"
                     "  mat4 m = blend();\n"
                     "  mat3 n = mat3(cross(m[1].xyz, m[2].xyz), cross(m[2].xyz, m[0].xyz),\n"
                     "                cross(m[0].xyz, m[1].xyz));\n"
                     "  place = vec3(m * vec4(at, 1.0));\n"
                     "  normal = n * facing;\n"
                     "  spot = uv;\n"
                     "  gl_Position = view * vec4(place, 1.0);\n"
                     "}\n";

static const char character_fragment[] =
    "#version 330\n"
    "in vec3 place; in vec3 normal; in vec2 spot; out vec4 color;\n"
    "uniform sampler2D picture; uniform vec4 tint; uniform float cutoff; uniform float winding;\n"
    "uniform float solid;\n" SHADE_GLSL "void main() {\n"
    "  vec4 base = texture(picture, spot) * tint;\n"
    "  if (base.a < cutoff) discard;\n"
    "  float turned = gl_FrontFacing ? winding : -winding;\n"
    "  vec3 n = length(normal) > 0.0 ? winding * turned * normalize(normal) : normalize(eye - "
    "place);\n"
    "  color = vec4(shade(base.rgb, n, 1.0, vec3(0.0)), max(solid, base.a));\n"
    "}\n";

static const char character_cast_vertex[] =
    CHARACTER_VERTEX "uniform mat4 fall; out float height;\n"
                     "void main() {\n"
                     "  vec4 place = blend() * vec4(at, 1.0);\n"
                     "  height = place.y;\n"
                     "  gl_Position = view * fall * place + 0.0 * vec4(facing.xyz, uv.x);\n"
                     "}\n";

/* --- making it */

static unsigned upload(const float *numbers, int count, int each, int attribute) {
  unsigned id = rlLoadVertexBuffer(numbers, count * each * (int)sizeof *numbers, false);
  rlSetVertexAttribute((unsigned)attribute, each, RL_FLOAT, false, 0, 0);
  rlEnableVertexAttribute((unsigned)attribute);
  return id;
}

/* normals of flat triangles, for parts without any */
static void flat_normals(const float *places, int corners, float *dest) {
  for (int i = 0; i + 2 < corners; i += 3) {
    Vector3 p[3];
    memcpy(p, places + 3 * i, sizeof p);
    Vector3 n = Vector3Normalize(
        Vector3CrossProduct(Vector3Subtract(p[1], p[0]), Vector3Subtract(p[2], p[0])));
    for (int k = 0; k < 3; k++) memcpy(dest + 3 * (i + k), &n, sizeof n);
  }
}

/* one vertex for each corner: indices of raylib end at 65535 */
static bool make_part(part *p) {
  const sinew_character_part *from = &p->info;
  const size_t corners = 3 * (size_t)from->triangle_count;
  float *places = malloc(corners * 16 * sizeof *places + 1);
  if (!places) return false;
  float *uvs = places + 3 * corners, *normals = uvs + 2 * corners, *joints = normals + 3 * corners;
  float *weights = joints + 4 * corners;
  for (size_t i = 0; i < corners; i++) {
    const size_t v = from->triangles[i];
    memcpy(places + 3 * i, from->positions + 3 * v, 3 * sizeof(float));
    for (size_t k = 0; k < 2; k++) uvs[2 * i + k] = from->uvs ? from->uvs[2 * v + k] : 0;
    if (from->normals) memcpy(normals + 3 * i, from->normals + 3 * v, 3 * sizeof(float));
    for (size_t k = 0; k < 4; k++) joints[4 * i + k] = from->joints[4 * v + k];
    memcpy(weights + 4 * i, from->weights + 4 * v, 4 * sizeof(float));
  }
  if (!from->normals) flat_normals(places, (int)corners, normals);
  p->corners = (int)corners;
  p->array = rlLoadVertexArray();
  rlEnableVertexArray(p->array);
  p->buffers[0] = upload(places, p->corners, 3, AT_PLACE);
  p->buffers[1] = upload(uvs, p->corners, 2, AT_UV);
  p->buffers[2] = upload(normals, p->corners, 3, AT_NORMAL);
  p->buffers[3] = upload(joints, p->corners, 4, AT_JOINTS);
  p->buffers[4] = upload(weights, p->corners, 4, AT_WEIGHTS);
  rlDisableVertexArray();
  free(places);
  return true;
}

/* the type of a picture by its first bytes, whatever the file calls it */
static const char *type_of(const sinew_character_image *image) {
  const unsigned char *b = image->bytes;
  if (image->size > 8 && b[0] == 0x89 && b[1] == 'P') return ".png";
  if (image->size > 8 && b[0] == 0xff && b[1] == 0xd8) return ".jpg";
  return NULL;
}

static void load_picture(character_draw *d, part *p) {
  if (p->info.image < 0) return;
  for (part *other = d->parts; other < p; other++)
    if (other->info.image == p->info.image) {
      p->picture = other->picture;
      return;
    }
  const sinew_character_image image = sinew_character_image_info(d->character, p->info.image);
  const char *type = image.bytes ? type_of(&image) : NULL;
  Image pixels = { 0 };
  if (type) pixels = LoadImageFromMemory(type, image.bytes, (int)image.size);
  if (!pixels.data) {
    snprintf(d->note, sizeof d->note, "picture %d (%s) cannot be shown%s", p->info.image,
             *image.type ? image.type : "of unknown type",
             type && type[1] == 'j' ? ": this raylib reads no JPEG" : "");
    return;
  }
  p->picture = LoadTextureFromImage(pixels);
  UnloadImage(pixels);
  GenTextureMipmaps(&p->picture);
  SetTextureFilter(p->picture, TEXTURE_FILTER_TRILINEAR);
  SetTextureWrap(p->picture, TEXTURE_WRAP_REPEAT);
}

static Matrix from_floats(const float *m) {
  return (Matrix){ m[0], m[4], m[8],  m[12], m[1], m[5], m[9],  m[13],
                   m[2], m[6], m[10], m[14], m[3], m[7], m[11], m[15] };
}

static void out_of_memory(sinew_error *error) {
  snprintf(error->text, sizeof error->text, "out of memory");
}

character_draw *character_draw_create(const sinew_character *c, sinew_error *error) {
  character_draw *d = calloc(1, sizeof *d);
  const int parts = sinew_character_part_count(c), nodes = sinew_character_node_count(c);
  if (d) {
    d->character = c;
    d->matrices = sinew_character_matrix_count(c);
    d->back = MatrixInvert(from_floats(sinew_character_place(c)));
    d->parts = calloc((size_t)parts + 1, sizeof *d->parts);
    d->nodes = aligned_alloc(32, 64 * (((size_t)nodes + 1) / 2 * 2 + 2));
    d->raw = aligned_alloc(32, 64 * (((size_t)d->matrices + 1) / 2 * 2 + 2));
  }
  if (!d || !d->parts || !d->nodes || !d->raw) {
    character_draw_destroy(d);
    out_of_memory(error);
    return NULL;
  }
  d->shaders[0] = LoadShaderFromMemory(character_vertex, character_fragment);
  d->shaders[1] = LoadShaderFromMemory(character_cast_vertex, cast_fragment);
  if (!IsShaderValid(d->shaders[0]) || !IsShaderValid(d->shaders[1])) {
    character_draw_destroy(d);
    snprintf(error->text, sizeof error->text,
             "the shaders of characters do not compile; OpenGL 3.3 is needed");
    return NULL;
  }
  sinew_character_worlds(c, NULL, d->nodes);
  sinew_character_matrices(c, d->nodes, d->raw);
  for (int i = 0; i < parts; i++) {
    part *p = &d->parts[i];
    p->info = sinew_character_part_info(c, i);
    if (p->info.vertex_count)
      p->mirrored = MatrixDeterminant(from_floats(d->raw + 16 * (size_t)p->info.joints[0])) < 0;
    if (!make_part(p)) {
      character_draw_destroy(d);
      out_of_memory(error);
      return NULL;
    }
    d->part_count++;
    d->vertices += p->info.vertex_count;
    load_picture(d, p);
  }
  if (character_draw_room(d, 1)) return d;
  character_draw_destroy(d);
  out_of_memory(error);
  return NULL;
}

void character_draw_destroy(character_draw *d) {
  if (!d) return;
  for (int i = 0; i < d->part_count; i++) {
    part *p = &d->parts[i];
    bool shared = false;
    for (int k = 0; k < i; k++) shared |= d->parts[k].picture.id == p->picture.id;
    if (p->picture.id && !shared) UnloadTexture(p->picture);
    rlUnloadVertexArray(p->array);
    for (int k = 0; k < buffer_count; k++) rlUnloadVertexBuffer(p->buffers[k]);
  }
  for (int i = 0; i < 2; i++)
    if (d->shaders[i].id) UnloadShader(d->shaders[i]);
  if (d->texture) rlUnloadTexture(d->texture);
  free(d->parts);
  free(d->nodes);
  free(d->raw);
  free(d->texels);
  free(d);
}

bool character_draw_room(character_draw *d, int copies) {
  if (copies == d->copies) return true;
  const size_t texels = 4 * (size_t)d->matrices * (size_t)copies;
  const int rows = (int)((texels + texels_wide - 1) / texels_wide) + 1;
  float *made = calloc((size_t)rows * texels_wide, 4 * sizeof(float));
  if (!made) return false;
  free(d->texels);
  if (d->texture) rlUnloadTexture(d->texture);
  d->texels = made;
  d->rows = rows;
  d->copies = copies;
  d->texture = rlLoadTexture(made, texels_wide, rows, RL_PIXELFORMAT_UNCOMPRESSED_R32G32B32A32, 1);
  return d->texture != 0;
}

void character_draw_pose(character_draw *d, int copy, const float *segments, const float at[3]) {
  float *dest = d->texels + 16 * (size_t)copy * (size_t)d->matrices;
  sinew_character_worlds(d->character, segments, d->nodes);
  sinew_character_matrices(d->character, d->nodes, d->raw);
  for (int i = 0; i < d->matrices; i++, dest += 16) {
    float16 m = MatrixToFloatV(MatrixMultiply(from_floats(d->raw + 16 * (size_t)i), d->back));
    memcpy(dest, m.v, sizeof m.v);
    for (int k = 0; k < 3; k++) dest[12 + k] += at[k];
  }
}

void character_draw_changed(character_draw *d) {
  rlUpdateTexture(d->texture, 0, 0, texels_wide, d->rows, RL_PIXELFORMAT_UNCOMPRESSED_R32G32B32A32,
                  d->texels);
}

/* --- drawing */

static void set(const character_draw *d, int which, const char *name, const void *value, int type) {
  rlSetUniform(rlGetLocationUniform(d->shaders[which].id, name), value, type, 1);
}

static void begin(const character_draw *d, int which) {
  const int slots[2] = { 0, 1 };
  rlDrawRenderBatchActive();
  rlEnableShader(d->shaders[which].id);
  rlSetUniformMatrix(rlGetLocationUniform(d->shaders[which].id, "view"),
                     MatrixMultiply(rlGetMatrixModelview(), rlGetMatrixProjection()));
  set(d, which, "matrices", &d->matrices, RL_SHADER_UNIFORM_INT);
  set(d, which, "worlds", &slots[1], RL_SHADER_UNIFORM_INT);
  if (!which) set(d, which, "picture", &slots[0], RL_SHADER_UNIFORM_INT);
  rlActiveTextureSlot(1);
  rlEnableTexture(d->texture);
}

static void end(void) {
  rlDisableVertexArray();
  rlActiveTextureSlot(1);
  rlDisableTexture();
  rlActiveTextureSlot(0);
  rlDisableTexture();
  rlDisableShader();
}

static void draw_part(const character_draw *d, const part *p) {
  const sinew_character_part *info = &p->info;
  float tint[4], cutoff = -1;
  /* the factor is linear, pictures and the light's base are as the screen shows them */
  for (int k = 0; k < 3; k++) tint[k] = powf(fmaxf(info->color[k], 0), 1 / 2.2f);
  tint[3] = info->alpha == SINEW_ALPHA_OPAQUE ? 1 : info->color[3];
  if (info->alpha == SINEW_ALPHA_MASK) cutoff = info->cutoff;
  const float winding = p->mirrored ? -1 : 1, solid = info->alpha == SINEW_ALPHA_BLEND ? 0 : 1;
  set(d, 0, "tint", tint, RL_SHADER_UNIFORM_VEC4);
  set(d, 0, "cutoff", &cutoff, RL_SHADER_UNIFORM_FLOAT);
  set(d, 0, "winding", &winding, RL_SHADER_UNIFORM_FLOAT);
  set(d, 0, "solid", &solid, RL_SHADER_UNIFORM_FLOAT);
  rlActiveTextureSlot(0);
  rlEnableTexture(p->picture.id ? p->picture.id : rlGetTextureIdDefault());
  if (info->double_sided)
    rlDisableBackfaceCulling();
  else
    rlEnableBackfaceCulling();
  rlSetCullFace(p->mirrored ? RL_CULL_FACE_FRONT : RL_CULL_FACE_BACK);
  rlEnableVertexArray(p->array);
  rlDrawVertexArrayInstanced(0, p->corners, d->copies);
}

void character_draw_scene(const character_draw *d, const scene *s, bool glass) {
  scene_light(s, d->shaders[0]);
  begin(d, 0);
  if (glass) rlDisableDepthMask();
  for (int i = 0; i < d->part_count; i++)
    if ((d->parts[i].info.alpha == SINEW_ALPHA_BLEND) == glass) draw_part(d, &d->parts[i]);
  rlEnableDepthMask();
  rlSetCullFace(RL_CULL_FACE_BACK);
  if (glass)
    rlEnableBackfaceCulling();
  else
    rlDisableBackfaceCulling(); /* as the scene has it */
  end();
}

void character_draw_cast(const character_draw *d, const scene *s) {
  begin(d, 1);
  rlSetUniformMatrix(rlGetLocationUniform(d->shaders[1].id, "fall"), scene_flatten(s));
  for (int i = 0; i < d->part_count; i++) {
    rlEnableVertexArray(d->parts[i].array);
    rlDrawVertexArrayInstanced(0, d->parts[i].corners, d->copies);
  }
  end();
}

BoundingBox character_draw_bounds(const character_draw *d) {
  BoundingBox box = { { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f } };
  const int step = d->vertices / 4000 + 1;
  for (int i = 0; i < d->part_count; i++) {
    const sinew_character_part *info = &d->parts[i].info;
    for (size_t v = 0; v < (size_t)info->vertex_count; v += (size_t)step) {
      Vector3 at, sum = { 0, 0, 0 };
      memcpy(&at, info->positions + 3 * v, sizeof at);
      for (size_t k = 4 * v; k < 4 * v + 4; k++) {
        Matrix m = from_floats(d->texels + 16 * (size_t)info->joints[k]);
        sum = Vector3Add(sum, Vector3Scale(Vector3Transform(at, m), info->weights[k]));
      }
      box.min = Vector3Min(box.min, sum);
      box.max = Vector3Max(box.max, sum);
    }
  }
  return box;
}

int character_draw_vertices(const character_draw *d) { return d->vertices; }
const char *character_draw_note(const character_draw *d) { return d->note; }
