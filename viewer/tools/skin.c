/* A skin over the bones: a mesh that follows the pose, deformed again whenever the pose has
 * changed. Its weights come from a glTF file or are computed; without a file, a mesh is made around
 * the bones. */
#include "state/state.h"
#include "ui/theme.h"

#include <rlgl.h>
#include <sinew/skin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_twists = 64 };

typedef struct skin {
  char path[512]; /* path of the mesh; "" if it was made around the bones, or there is none */
  sinew_mesh *mesh;
  sinew_skin *bound;
  bool dual, spread; /* dual quaternions; twist along long bones */
  float opacity;     /* 0 to 1 */
  Mesh drawn;        /* unshared vertices, since raylib's indices have 16 bits */
  float *vertices, *normals;
  float *worlds; /* world matrices of the pose that is drawn */
  bool stale;
  uint32_t made; /* how many meshes were made so far: each is drawn anew */
} skin;

static void drop_bound(skin *s) {
  sinew_skin_destroy(s->bound);
  if (s->drawn.vaoId) UnloadMesh(s->drawn);
  free(s->vertices);
  free(s->normals);
  free(s->worlds);
  s->bound = NULL;
  s->drawn = (Mesh){ 0 };
  s->vertices = s->normals = s->worlds = NULL;
}

static bool create(state *st, void *self) {
  skin *s = self;
  s->dual = s->spread = true;
  s->opacity = 0.6f;
  snprintf(s->path, sizeof s->path, "%s", st->options.skin ? st->options.skin : "");
  return true;
}

static void destroy(void *self) {
  skin *s = self;
  drop_bound(s);
  sinew_mesh_destroy(s->mesh);
}

/* sets the DOFs of "joint.dof=value,..." */
static bool set_dofs(sinew_pose *pose, const char *text, sinew_error *error) {
  char one[256], *end;
  for (size_t length; *text; text += length + (text[length] == ',')) {
    length = strcspn(text, ",");
    snprintf(one, sizeof one, "%.*s", (int)(length < 255 ? length : 255), text);
    char *value = strchr(one, '=');
    if (!value) {
      snprintf(error->text, sizeof error->text, "expected joint.dof=value, got '%s'", one);
      return false;
    }
    *value++ = '\0';
    const float number = strtof(value, &end);
    if (end == value || *end) {
      snprintf(error->text, sizeof error->text, "'%s': '%s' is not a number", one, value);
      return false;
    }
    sinew_dof dof = sinew_rig_find_dof(sinew_pose_rig(pose), one, error);
    if (!dof.id || sinew_pose_set(pose, dof, number, error) < 0) return false;
  }
  return true;
}

/* the pose that the mesh was made in, evaluated; NULL with `error` filled */
static sinew_pose *rest_pose(state *st, sinew_error *error) {
  sinew_pose *pose = sinew_pose_create(state_rig(st), error);
  if (pose && (!st->options.skin_at || set_dofs(pose, st->options.skin_at, error)) &&
      sinew_host_eval(st->host, pose, error) >= 0)
    return pose;
  sinew_pose_destroy(pose);
  return NULL;
}

/* NULL, with `error` filled, if the mesh of a bone cannot be made */
static sinew_shape *all_shapes(const state *st, sinew_error *error) {
  const int count = sinew_rig_segment_count(state_rig(st));
  if (sinew_host_make_shapes(st->host, error) < 0) return NULL;
  sinew_shape *shapes = calloc((size_t)count + 1, sizeof *shapes);
  for (int i = 0; shapes && i < count; i++)
    shapes[i] = sinew_host_shape(st->host, sinew_rig_segment(state_rig(st), i));
  return shapes;
}

static bool make_drawn(const state *st, skin *s) {
  const size_t numbers = 3 * (size_t)s->mesh->vertex_count;
  const size_t corners = 3 * (size_t)s->mesh->triangle_count;
  s->vertices = malloc(numbers * sizeof(float));
  s->normals = malloc(numbers * sizeof(float));
  s->worlds = malloc(16 * (size_t)sinew_rig_segment_count(state_rig(st)) * sizeof(float));
  if (!s->vertices || !s->normals || !s->worlds) return false;
  s->drawn = (Mesh){ .vertexCount = (int)corners, .triangleCount = s->mesh->triangle_count };
  s->drawn.vertices = MemAlloc((unsigned)(3 * corners * sizeof(float)));
  s->drawn.normals = MemAlloc((unsigned)(3 * corners * sizeof(float)));
  if (!s->drawn.vertices || !s->drawn.normals) return false;
  UploadMesh(&s->drawn, true);
  s->stale = true;
  s->made++;
  return true;
}

/* binds the mesh to the rig at rest */
static bool bind(state *st, skin *s, sinew_error *error) {
  sinew_skin_twist twists[most_twists];
  sinew_skin_desc desc = sinew_default_skin_desc();
  drop_bound(s);
  sinew_pose *rest = rest_pose(st, error);
  sinew_shape *shapes = rest ? all_shapes(st, error) : NULL;
  desc.mesh = (sinew_shape){ s->mesh->vertices, s->mesh->normals, s->mesh->triangles,
                             s->mesh->vertex_count, s->mesh->triangle_count };
  desc.shapes = shapes;
  if (rest && s->spread) {
    desc.twists = twists;
    desc.twist_count = sinew_skin_long_bones(rest, twists, most_twists);
    if (desc.twist_count > most_twists) desc.twist_count = most_twists;
  }
  uint32_t *segments = NULL;
  bool ok = rest && shapes;
  if (ok && s->mesh->weight_count) {
    const size_t count = (size_t)s->mesh->vertex_count * (size_t)s->mesh->weight_count;
    segments = malloc(count * sizeof *segments);
    ok = segments && sinew_skin_take_joints(state_rig(st), s->mesh, segments, error) >= 0;
    desc.weight_count = s->mesh->weight_count;
    desc.segments = segments;
    desc.weights = s->mesh->weights;
  }
  if (ok) s->bound = sinew_skin_create(rest, &desc, error);
  free(segments);
  free(shapes);
  sinew_pose_destroy(rest);
  if (!s->bound) return false;
  if (make_drawn(st, s)) return true;
  drop_bound(s);
  snprintf(error->text, sizeof error->text, "out of memory");
  return false;
}

/* replaces the mesh and takes ownership; NULL keeps the old one */
static bool wear(state *st, skin *s, sinew_mesh *mesh, const char *path, sinew_error *error) {
  if (!mesh) return false;
  sinew_mesh_destroy(s->mesh);
  s->mesh = mesh;
  if (path != s->path) snprintf(s->path, sizeof s->path, "%s", path);
  return bind(st, s, error);
}

static bool wear_envelope(state *st, skin *s, sinew_error *error) {
  sinew_pose *rest = rest_pose(st, error);
  sinew_shape *shapes = rest ? all_shapes(st, error) : NULL;
  sinew_mesh *mesh =
      rest && shapes ? sinew_skin_envelope(rest, shapes, 0.02f, 0.0125f, error) : NULL;
  free(shapes);
  sinew_pose_destroy(rest);
  return wear(st, s, mesh, "", error);
}

static void loaded(state *st, void *self) {
  skin *s = self;
  sinew_error error = { 0 };
  bool first = !s->mesh && s->path[0];
  drop_bound(s);
  if (first) {
    if (!wear(st, s, sinew_mesh_load(s->path, &error), s->path, &error))
      state_wrong(st, error.text);
    tool_set_open(st, "skin", s->bound != NULL);
  } else if (s->mesh && !(s->path[0] ? bind(st, s, &error) : wear_envelope(st, s, &error))) {
    state_wrong(st, error.text);
  }
}

static void expand(const skin *s, const float *from, float *dest) {
  for (size_t i = 0; i < (size_t)s->drawn.vertexCount; i++)
    memcpy(dest + 3 * i, from + 3 * (size_t)s->mesh->triangles[i], 3 * sizeof(float));
}

static void frame(state *st, void *self) {
  skin *s = self;
  const size_t bytes = 16 * (size_t)sinew_rig_segment_count(state_rig(st)) * sizeof(float);
  if (!s->bound || !tool_is_open(st, "skin")) return;
  if (!s->stale && memcmp(s->worlds, sinew_pose_worlds(state_pose(st)), bytes) == 0) return;
  memcpy(s->worlds, sinew_pose_worlds(state_pose(st)), bytes);
  s->stale = false;
  sinew_skin_deform(s->bound, state_pose(st),
                    s->dual ? SINEW_SKIN_DUAL_QUATERNION : SINEW_SKIN_LINEAR, s->vertices,
                    s->normals);
  expand(s, s->vertices, s->drawn.vertices);
  expand(s, s->normals, s->drawn.normals);
  const int size = 3 * s->drawn.vertexCount * (int)sizeof(float);
  UpdateMeshBuffer(s->drawn, 0, s->drawn.vertices, size, 0);
  UpdateMeshBuffer(s->drawn, 2, s->drawn.normals, size, 0);
}

/* depth first, so that only the nearest layer of a translucent skin is visible */
static void glass(state *st, void *self) {
  skin *s = self;
  if (!s->bound || s->opacity <= 0) return;
  Color color = Fade(theme_skin, s->opacity);
  Material material = scene_material(st->scene, color);
  Matrix here = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  rlDrawRenderBatchActive();
  rlColorMask(false, false, false, false);
  DrawMesh(s->drawn, material, here);
  rlColorMask(true, true, true, true);
  DrawMesh(s->drawn, material, here);
}

static void bind_again(state *st, skin *s) {
  sinew_error error = { 0 };
  if (s->mesh && !bind(st, s, &error)) state_wrong(st, error.text);
}

static void panel(state *st, void *self, Rectangle r) {
  skin *s = self;
  ui *u = &st->ui;
  char text[600];
  sinew_error error = { 0 };
  Rectangle rest = { r.x + ui_px(u, 12), r.y + ui_px(u, 6), r.width - ui_px(u, 24), r.height };
  if (s->bound)
    snprintf(text, sizeof text, "%s, %d vertices",
             s->path[0] ? GetFileName(s->path) : "around the bones", s->mesh->vertex_count);
  else
    snprintf(text, sizeof text, "no mesh; --skin MESH loads one");
  ui_label_in(u, text, rest.x, ui_next_row(u, &rest).y, rest.width, theme_second);
  if (ui_toggle(u, ui_id("skin", 0), ui_next_row(u, &rest), "Dual quaternions", &s->dual))
    s->stale = true;
  if (ui_toggle(u, ui_id("skin", 1), ui_next_row(u, &rest), "Twist along long bones", &s->spread))
    bind_again(st, s);
  ui_label(u, "Opacity", rest.x, ui_next_row(u, &rest).y, theme_text);
  const ui_slider opacity = { .min = 0, .max = 1, .rest = 0.6f, .unit = "%" };
  ui_slide(u, ui_id("skin", 2), ui_next_row(u, &rest), &opacity, &s->opacity);
  rest.y += ui_row(u) / 2;
  if (ui_button(u, ui_id("skin", 3), ui_next_row(u, &rest), "Make one around the bones") &&
      !wear_envelope(st, s, &error))
    state_wrong(st, error.text);
}

static void answer_skin(const skin *s) {
  if (!s->bound)
    printf("ok none\n");
  else
    printf("ok %s, %d vertices, twist %s, opacity %.2f\n", s->dual ? "dual" : "linear",
           s->mesh->vertex_count, s->spread ? "spread" : "whole", (double)s->opacity);
}

static void answer_at(state *st, skin *s, const char *rest) {
  char *end;
  long vertex = strtol(rest, &end, 10);
  frame(st, s);
  if (!s->bound || s->stale)
    printf("error no skin is shown\n");
  else if (end == rest || *end || vertex < 0 || vertex >= s->mesh->vertex_count)
    printf("error vertex must be from 0 to %d\n", s->mesh->vertex_count - 1);
  else
    printf("ok %.6f %.6f %.6f\n", (double)s->vertices[3 * vertex],
           (double)s->vertices[3 * vertex + 1], (double)s->vertices[3 * vertex + 2]);
}

static void answer_change(state *st, skin *s, const char *verb, const char *rest) {
  sinew_error error = { 0 };
  const char *wrong = NULL;
  char *end;
  if (strcmp(verb, "skin_method") == 0) {
    bool dual = strcmp(rest, "dual") == 0;
    if (dual || strcmp(rest, "linear") == 0)
      s->dual = dual;
    else
      wrong = "expected skin_method linear or dual";
    s->stale = true;
  } else if (strcmp(verb, "skin_twist") == 0) {
    bool spread = strcmp(rest, "spread") == 0;
    if (spread || strcmp(rest, "whole") == 0)
      s->spread = spread;
    else
      wrong = "expected skin_twist spread or whole";
    if (!wrong) bind_again(st, s);
  } else if (strcmp(verb, "skin_opacity") == 0) {
    float value = strtof(rest, &end);
    if (end != rest && !*end && value >= 0 && value <= 1)
      s->opacity = value;
    else
      wrong = "opacity must be from 0 to 1";
  } else if (!(*rest ? wear(st, s, sinew_mesh_load(rest, &error), rest, &error)
                     : wear_envelope(st, s, &error))) {
    wrong = error.text;
  }
  tool_answer(!wrong, wrong);
}

static bool remote(state *st, void *self, const char *verb, char *rest) {
  static const char *const verbs[] = { "skin_method", "skin_twist", "skin_opacity", "skin_wear" };
  skin *s = self;
  bool change = false;
  for (int i = 0; i < 4; i++) change |= strcmp(verb, verbs[i]) == 0;
  if (strcmp(verb, "skin") == 0)
    answer_skin(s);
  else if (strcmp(verb, "skin_at") == 0)
    answer_at(st, s, rest);
  else if (change)
    answer_change(st, s, verb, rest);
  else
    return false;
  return true;
}

const tool tool_skin = { .name = "skin",
                         .title = "Skin",
                         .doc = "a skin over the bones: a mesh that follows the pose",
                         .dock = DOCK_RIGHT,
                         .room = 300,
                         .key = KEY_S,
                         .size = sizeof(skin),
                         .create = create,
                         .destroy = destroy,
                         .loaded = loaded,
                         .frame = frame,
                         .glass = glass,
                         .panel = panel,
                         .remote = remote,
                         .remote_help = "skin | skin_at VERTEX | skin_method linear|dual | "
                                        "skin_twist spread|whole | skin_opacity 0..1 | "
                                        "skin_wear [MESH]" };
