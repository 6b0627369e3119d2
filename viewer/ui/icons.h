/* Small shapes with smooth edges, also where the driver does not smooth any. */
#ifndef VIEWER_ICONS_H
#define VIEWER_ICONS_H

#include <raylib.h>
#include <stdbool.h>

typedef enum icon {
  ICON_NONE,
  ICON_DISC,
  ICON_RING,
  ICON_CHEVRON, /* points right */
  ICON_DIAMOND,
  ICON_HOLLOW, /* a diamond's outline */
  ICON_SQUARE,
  ICON_LOCK,
  ICON_CHECK,
  ICON_MENU,
  ICON_UNDO,
  ICON_REDO,
  ICON_CROSS,
  ICON_SIDE_LEFT, /* panels of a window */
  ICON_SIDE_RIGHT,
  ICON_BELOW,
  ICON_SEARCH,
  ICON_CAMERA,
  icon_count
} icon;

bool icons_start(void); /* needs a window */
void icons_end(void);
/* `size` is the width of the whole shape. */
void icon_draw(icon which, Vector2 centre, float size, Color color);
void icon_draw_turned(icon which, Vector2 centre, float size, float degrees, Color color);
/* A rectangle with round corners, and its outline. */
void icon_box(Rectangle r, float radius, Color color);
void icon_outline(Rectangle r, float radius, float thick, Color color);
/* A line through points, up to 128. */
void icon_line(const Vector2 *points, int count, float thick, Color color);

#endif
