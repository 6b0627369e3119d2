/* All shapes are in one texture, large and with mipmaps, drawn from distances to their edges. */
#include "ui/icons.h"

#include <math.h>
#include <raymath.h>
#include <rlgl.h>
#include <stdlib.h>

enum { cell = 64, margin = 8, inside = cell - 2 * margin };

static Texture2D texture;

static float box(float x, float y, float half_x, float half_y) {
  float dx = fabsf(x) - half_x, dy = fabsf(y) - half_y;
  return hypotf(fmaxf(dx, 0), fmaxf(dy, 0)) + fminf(fmaxf(dx, dy), 0);
}

static float line(float x, float y, float ax, float ay, float bx, float by, float thick) {
  float dx = bx - ax, dy = by - ay;
  float t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
  t = fmaxf(0, fminf(t, 1));
  return hypotf(x - ax - t * dx, y - ay - t * dy) - thick / 2;
}

static float window_edge(float x, float y) { return fabsf(box(x, y, 0.82f, 0.66f) - 0.1f) - 0.09f; }

/* an arrow that turns back to the left */
static float turned(float x, float y) {
  float bow = fabsf(hypotf(x - 0.15f, y - 0.1f) - 0.55f) - 0.11f;
  bow = fmaxf(bow, -(x + 0.0f)); /* its right half */
  float rods = fminf(line(x, y, -0.6f, -0.45f, 0.15f, -0.45f, 0.22f),
                     line(x, y, -0.2f, 0.65f, 0.15f, 0.65f, 0.22f));
  float head = fminf(line(x, y, -0.75f, -0.45f, -0.35f, -0.85f, 0.22f),
                     line(x, y, -0.75f, -0.45f, -0.35f, -0.05f, 0.22f));
  return fminf(fminf(bow, rods), head);
}

/* the distance to the edge of a shape that fills -1 to 1, y down; negative inside */
static float distance(icon which, float x, float y) {
  float diamond = (fabsf(x) + fabsf(y) - 1) * 0.7071f;
  switch (which) {
  case ICON_NONE: break;
  case ICON_DISC: return hypotf(x, y) - 1;
  case ICON_RING: return fabsf(hypotf(x, y) - 0.82f) - 0.18f;
  case ICON_CHEVRON:
    return fminf(line(x, y, -0.4f, -0.8f, 0.4f, 0, 0.36f), line(x, y, 0.4f, 0, -0.4f, 0.8f, 0.36f));
  case ICON_DIAMOND: return diamond;
  case ICON_HOLLOW: return fabsf(diamond + 0.16f) - 0.16f;
  case ICON_SQUARE: return box(x, y, 0.75f, 0.75f);
  case ICON_LOCK: {
    float bow = fmaxf(fabsf(hypotf(x, y + 0.25f) - 0.5f) - 0.13f, y + 0.25f);
    return fminf(box(x, y - 0.4f, 0.65f, 0.45f) - 0.1f, bow);
  }
  case ICON_CHECK:
    return fminf(line(x, y, -0.75f, 0.05f, -0.2f, 0.6f, 0.34f),
                 line(x, y, -0.2f, 0.6f, 0.75f, -0.55f, 0.34f));
  case ICON_MENU:
    return fminf(
        fminf(line(x, y, -0.8f, 0, 0.8f, 0, 0.2f), line(x, y, -0.8f, -0.6f, 0.8f, -0.6f, 0.2f)),
        line(x, y, -0.8f, 0.6f, 0.8f, 0.6f, 0.2f));
  case ICON_UNDO: return turned(x, y);
  case ICON_REDO: return turned(-x, y);
  case ICON_CROSS:
    return fminf(line(x, y, -0.6f, -0.6f, 0.6f, 0.6f, 0.24f),
                 line(x, y, -0.6f, 0.6f, 0.6f, -0.6f, 0.24f));
  case ICON_SIDE_LEFT: return fminf(window_edge(x, y), box(x + 0.5f, y, 0.35f, 0.7f));
  case ICON_SIDE_RIGHT: return fminf(window_edge(x, y), box(x - 0.5f, y, 0.35f, 0.7f));
  case ICON_BELOW: return fminf(window_edge(x, y), box(x, y - 0.4f, 0.85f, 0.3f));
  case ICON_SEARCH:
    return fminf(fabsf(hypotf(x + 0.2f, y + 0.2f) - 0.55f) - 0.11f,
                 line(x, y, 0.25f, 0.25f, 0.85f, 0.85f, 0.26f));
  case ICON_CAMERA: {
    float body = fminf(box(x, y - 0.1f, 0.85f, 0.5f) - 0.08f, box(x, y + 0.5f, 0.35f, 0.25f));
    return fmaxf(body, 0.12f - fabsf(hypotf(x, y - 0.1f) - 0.3f));
  }
  case icon_count: break;
  }
  return 1;
}

bool icons_start(void) {
  const int width = cell * icon_count;
  unsigned char *pixels = malloc((size_t)width * cell * 2);
  if (!pixels) return false;
  for (int y = 0; y < cell; y++)
    for (int x = 0; x < width; x++) {
      float u = ((float)(x % cell) + 0.5f - cell / 2) * 2 / inside;
      float v = ((float)y + 0.5f - cell / 2) * 2 / inside;
      float covered = 0.5f - distance((icon)(x / cell), u, v) * inside / 2;
      pixels[2 * (y * width + x)] = 255;
      pixels[2 * (y * width + x) + 1] = (unsigned char)(255 * fmaxf(0, fminf(covered, 1)));
    }
  Image image = { pixels, width, cell, 1, PIXELFORMAT_UNCOMPRESSED_GRAY_ALPHA };
  texture = LoadTextureFromImage(image);
  free(pixels);
  GenTextureMipmaps(&texture);
  SetTextureFilter(texture, TEXTURE_FILTER_TRILINEAR);
  return texture.id != 0;
}

void icons_end(void) {
  if (texture.id) UnloadTexture(texture);
  texture = (Texture2D){ 0 };
}

void icon_draw_turned(icon which, Vector2 centre, float size, float degrees, Color color) {
  float whole = size * cell / inside;
  DrawTexturePro(texture, (Rectangle){ (float)(cell * (int)which), 0, cell, cell },
                 (Rectangle){ centre.x, centre.y, whole, whole }, (Vector2){ whole / 2, whole / 2 },
                 degrees, color);
}

void icon_draw(icon which, Vector2 centre, float size, Color color) {
  icon_draw_turned(which, centre, size, 0, color);
}

void icon_box(Rectangle r, float radius, Color color) {
  radius = fminf(radius, fminf(r.width, r.height) / 2);
  /* a corner is a quarter of the disc, with the margin that its edge fades in */
  float out = radius * 2 * margin / inside, side = radius + out;
  for (int i = 0; i < 4; i++) {
    bool right = i % 2, low = i / 2;
    Rectangle from = { cell * ICON_DISC + (right ? cell / 2 : 0), low ? cell / 2 : 0, cell / 2,
                       cell / 2 };
    Rectangle to = { right ? r.x + r.width - radius : r.x - out,
                     low ? r.y + r.height - radius : r.y - out, side, side };
    DrawTexturePro(texture, from, to, (Vector2){ 0, 0 }, 0, color);
  }
  DrawRectangleRec((Rectangle){ r.x + radius, r.y, r.width - 2 * radius, r.height }, color);
  Rectangle edge = { r.x, r.y + radius, radius, r.height - 2 * radius };
  DrawRectangleRec(edge, color);
  edge.x = r.x + r.width - radius;
  DrawRectangleRec(edge, color);
}

/* a corner of a band along a line: at a point, so far to the side of the line */
static void put(Vector2 at, Vector2 side, float off, Color color, float alpha) {
  rlColor4ub(color.r, color.g, color.b, (unsigned char)((float)color.a * alpha));
  rlVertex2f(at.x + off * side.x, at.y + off * side.y);
}

/* the line itself, and on both sides a pixel in which it fades */
static void draw_bands(const Vector2 *p, const Vector2 *sides, int count, float thick,
                       Color color) {
  const float full = fmaxf(thick - 1, 0) / 2, out = full + fminf(thick, 1);
  const float offs[] = { -out, -full, full, out }, alphas[] = { 0, 1, 1, 0 };
  rlSetTexture(rlGetTextureIdDefault()); /* that of rectangles, which are then drawn with it */
  rlBegin(RL_QUADS);
  rlTexCoord2f(0.5f, 0.5f);
  for (int i = 0; i + 1 < count; i++)
    for (int band = 0; band < 3; band++) {
      const float *o = offs + band, *a = alphas + band;
      if (o[0] == o[1]) continue; /* a thin line only fades */
      put(p[i + 1], sides[i + 1], o[0], color, a[0]);
      put(p[i], sides[i], o[0], color, a[0]);
      put(p[i], sides[i], o[1], color, a[1]);
      put(p[i + 1], sides[i + 1], o[1], color, a[1]);
    }
  rlEnd();
  rlSetTexture(0);
}

enum { most_points = 128 };

void icon_line(const Vector2 *points, int count, float thick, Color color) {
  Vector2 sides[most_points];
  if (count > most_points) count = most_points;
  bool closed = count > 2 && Vector2Equals(points[0], points[count - 1]);
  for (int i = 0; i < count; i++) {
    int before = i > 0 ? i - 1 : closed ? count - 2 : 0;
    int after = i + 1 < count ? i + 1 : closed ? 1 : i;
    Vector2 along = Vector2Normalize(Vector2Subtract(points[after], points[before]));
    sides[i] = (Vector2){ -along.y, along.x };
  }
  draw_bands(points, sides, count, thick, color);
}

void icon_outline(Rectangle r, float radius, float thick, Color color) {
  enum { steps = 8 };
  Vector2 path[4 * (steps + 1) + 1];
  int count = 0;
  radius = fminf(radius, fminf(r.width, r.height) / 2);
  for (int corner = 0; corner < 4; corner++) { /* clockwise from the upper left one */
    bool right = corner == 1 || corner == 2, low = corner >= 2;
    Vector2 middle = { right ? r.x + r.width - radius : r.x + radius,
                       low ? r.y + r.height - radius : r.y + radius };
    for (int i = 0; i <= steps; i++) {
      float angle = PI * (1 + 0.5f * ((float)corner + (float)i / steps));
      path[count++] = (Vector2){ middle.x + radius * cosf(angle), middle.y + radius * sinf(angle) };
    }
  }
  path[count] = path[0];
  icon_line(path, count + 1, thick, color);
}
