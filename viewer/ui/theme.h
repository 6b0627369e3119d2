/* The design system: all colours, spacings and sizes of type are here, and nowhere else. */
#ifndef VIEWER_THEME_H
#define VIEWER_THEME_H

#include <raylib.h>

#define RGB(hex)                                                                                   \
  { (hex) >> 16 & 255, (hex) >> 8 & 255, (hex)&255, 255 }

/* surfaces: what lies behind (sheets, plots, menus, tips), panels, fields in them */
static const Color theme_window = RGB(0x14161A);
static const Color theme_panel = RGB(0x1B1E24);
static const Color theme_field = RGB(0x262A32);
static const Color theme_hover = RGB(0x303540);
static const Color theme_pressed = RGB(0x1B1E24);
static const Color theme_line = RGB(0x363C48);
/* text; `on_light` is text on a light surface */
static const Color theme_text = RGB(0xE6E9EF);
static const Color theme_second = RGB(0xA3ABB9);
static const Color theme_hint = RGB(0x8B94A3);
static const Color theme_on_light = RGB(0x14161A);
/* states; each also has a shape, since colour alone is not enough: a ring for the focus and the
 * selection, a dot for what was changed, a diamond for what is keyed, a hollow knob and a lock for
 * what a limit holds */
static const Color theme_action = RGB(0x4C8DFF);
static const Color theme_selected = RGB(0xFFB347);
static const Color theme_held = RGB(0xE46BD6);
static const Color theme_error = RGB(0xF0616D);
static const Color theme_good = RGB(0x6CC070);
static const float theme_off = 0.4f; /* opacity of what cannot be used */
/* sides of the body; the words or the letters L and R stand beside them */
static const Color theme_left = RGB(0x5AA9E6);
static const Color theme_right = RGB(0xE57373);

/* in the scene: bones, axes of the world, marks of limits and editors, the skin */
static const Color theme_bone = RGB(0xE9DFC8);
static const Color theme_bone_left = RGB(0xDFDFD6), theme_bone_right = RGB(0xEFDBC3);
static const Color theme_axes[3] = { RGB(0xE0605C), RGB(0x74B65A), RGB(0x5A8CF0) };
static const Color theme_edge = RGB(0xA9B8D6);
static const Color theme_glass = RGB(0x6E96CD);
static const Color theme_mark = RGB(0xF5F7FA);
static const Color theme_under_mouse = RGB(0xFFE082);
static const Color theme_path = RGB(0xE2B93B);
static const Color theme_screw = RGB(0xE0604C);
static const Color theme_border = RGB(0x6CD0BE);            /* of a distance field */
static const Color theme_seat = { 0x5A, 0x62, 0x72, 0xB8 }; /* a box to sit on */
static const Color theme_skin = RGB(0xE2AC94);
/* the ball of a centre, and the arrow of an axis */
static const Color theme_centre[2] = { RGB(0xFFD420), RGB(0x161618) };
static const Color theme_axis = RGB(0x9AA5BC);

/* boxes and wires of the network: wires by kind */
static const Color theme_box = RGB(0x2B303A);
static const Color theme_dof = RGB(0x5A4E2C), theme_dof_text = RGB(0xFFE9A8);
static const Color theme_bone_box = RGB(0xD6D0C2);
static const Color theme_wires[3] = { RGB(0xA8A48E), RGB(0x80B2A8), RGB(0x7E94BE) };

#undef RGB

/* Sizes of type (the em) and lengths, in pixels at scale 1; ui_px scales them. */
enum { theme_note = 11, theme_body = 13, theme_head = 15 };
enum { theme_row = 24, theme_radius = 4, theme_ring = 2, theme_icon = 16 };
enum { theme_s1 = 4, theme_s2 = 8, theme_s3 = 12, theme_s4 = 16, theme_s5 = 24 };

#endif
