/* While things move, a pixel has one sample and bones are coarse; then it gets four samples of the
 * fine bones. */
#include "draw/canvas.h"

#include <math.h>
#include <rlgl.h>

enum { finer = 2 };
static const double still_after = 0.2; /* seconds without a change */

void canvas_unload(canvas *c) {
  if (c->target.id) UnloadRenderTexture(c->target);
  c->target = (RenderTexture2D){ 0 };
  c->print = 0;
}

static void fit(canvas *c, Rectangle place) {
  float scale = (float)GetRenderWidth() / (float)GetScreenWidth();
  int width = (int)ceilf(place.width * scale), height = (int)ceilf(place.height * scale);
  if (c->target.texture.width == width && c->target.texture.height == height) return;
  canvas_unload(c);
  c->target = LoadRenderTexture(width, height);
}

/* copies a texture, upside down as raylib has them; filtered if the sizes differ */
static void copy(Texture2D from, Rectangle to) {
  Rectangle all = { 0, 0, (float)from.width, -(float)from.height };
  rlDrawRenderBatchActive();
  rlDisableColorBlend(); /* what was drawn through glass has left its alpha */
  DrawTexturePro(from, all, to, (Vector2){ 0, 0 }, 0, WHITE);
  rlDrawRenderBatchActive();
  rlEnableColorBlend();
}

static void paint_smooth(canvas *c, scene *s, const sinew_pose *pose, Camera3D camera,
                         scene_options options) {
  int width = c->target.texture.width, height = c->target.texture.height;
  RenderTexture2D large = LoadRenderTexture(finer * width, finer * height);
  SetTextureFilter(large.texture, TEXTURE_FILTER_BILINEAR);
  options.grain = finer;
  options.moving = false;
  scene_paint(s, pose, camera, &options, large);
  BeginTextureMode(c->target);
  copy(large.texture, (Rectangle){ 0, 0, (float)width, (float)height });
  EndTextureMode();
  UnloadRenderTexture(large);
}

bool canvas_update(canvas *c, scene *s, const sinew_pose *pose, Camera3D camera,
                   const scene_options *options, uint64_t print) {
  double now = GetTime();
  fit(c, options->place);
  if (print != c->print) {
    c->print = print;
    c->changed = now;
    c->smooth = false;
    scene_paint(s, pose, camera, options, c->target);
  } else if (!c->smooth && now - c->changed > still_after) {
    c->smooth = true;
    paint_smooth(c, s, pose, camera, *options);
  }
  return c->smooth;
}

void canvas_show(const canvas *c, Rectangle place) { copy(c->target.texture, place); }
