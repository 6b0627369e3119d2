/* The colours everything is drawn in. */
#ifndef VIEWER_THEME_H
#define VIEWER_THEME_H

#include <raylib.h>

/* text on panels */
static const Color theme_ink = { 232, 234, 238, 255 };
static const Color theme_faint = { 150, 156, 168, 255 };
static const Color theme_title = { 250, 206, 140, 255 };
static const Color theme_panel = { 34, 37, 44, 236 };
/* menus and tooltips, which are above panels */
static const Color theme_float = { 22, 24, 29, 248 };
static const Color theme_trough = { 62, 67, 78, 255 };
static const Color theme_hot = { 78, 86, 102, 255 };
static const Color theme_fill = { 92, 132, 190, 255 };
static const Color theme_held = { 214, 142, 62, 255 }; /* a limit holds something back */
static const Color theme_wrong = { 176, 44, 40, 240 };
/* text on the scene */
static const Vector3 theme_light = { -0.42f, 1.0f, 0.62f }; /* direction to the light */
static const Color theme_dark = { 40, 44, 52, 255 };

#endif
