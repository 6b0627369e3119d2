#include "plain/frame.h"

#include <math.h>

/* the least, usual and greatest size of what is docked at a side */
static const int frame_sizes[frame_sides][3] = { { 200, 240, 360 },
                                                 { 240, 280, 400 },
                                                 { frame_least_bottom, 280, 2000 } };

float frame_size(frame_side side, float size) {
  const int *s = frame_sizes[side];
  return fmaxf((float)s[0], fminf(size > 0 ? size : (float)s[1], (float)s[2]));
}

/* the width of a panel at a side; 0 if it is closed or does not fit into `room` */
static float side_width(const frame_plan *f, frame_side side, float room) {
  const frame_panel *p = &f->sides[side];
  if (!p->open) return 0;
  float least = (float)frame_sizes[side][0] * f->scale;
  float wide = roundf(fmaxf(frame_size(side, p->size), p->least) * f->scale);
  if (wide > room) wide = floorf(room);
  return wide < least ? 0 : wide;
}

/* the heights of the panels at the bottom: what they ask for, less where the room is short; those
 * for which there is no room stay closed */
static void share_bottom(frame_plan *f, float room, float *heights) {
  float asked = 0, least = frame_least_bottom * fminf(f->scale, 1);
  for (int i = 0; i < f->bottom_count; i++) {
    const frame_panel *p = &f->bottoms[i];
    heights[i] = p->open ? roundf(frame_size(FRAME_BOTTOM, p->size) * f->scale) : 0;
    asked += heights[i];
  }
  for (int i = f->bottom_count - 1; i >= 0 && asked > room; i--) {
    float less = fminf(asked - room, fmaxf(heights[i] - least, 0));
    heights[i] -= ceilf(less);
    asked -= ceilf(less);
  }
  for (int i = f->bottom_count - 1; i >= 0 && asked > room; i--) {
    asked -= heights[i];
    heights[i] = 0;
  }
}

/* cuts a panel off the lower end of an area */
static frame_box cut_bottom(frame_box *from, float height) {
  from->height -= height;
  return (frame_box){ from->x, from->y + from->height, from->width, height };
}

void frame_lay_out(frame_plan *f) {
  frame_box area = { 0, 0, f->width, f->height };
  float heights[most_bottoms] = { 0 }, bar = roundf(frame_bar * f->scale);
  f->bar = f->status = (frame_box){ 0, 0, 0, 0 };
  for (int i = 0; i < f->bottom_count; i++) f->bottoms[i].place = (frame_box){ 0, 0, 0, 0 };
  for (int i = 0; i < 2; i++) f->sides[i].place = (frame_box){ 0, 0, 0, 0 };
  if (!f->bare) {
    f->bar = (frame_box){ 0, 0, f->width, bar };
    area.y = bar;
    area.height -= bar;
    f->status = cut_bottom(&area, roundf(frame_status * f->scale));
    share_bottom(f, fmaxf(area.height - f->notice - frame_least_high, 0), heights);
    for (int i = 0; i < f->bottom_count; i++)
      if (f->bottoms[i].whole && heights[i] > 0)
        f->bottoms[i].place = cut_bottom(&area, heights[i]);
    bool narrow = f->width < frame_narrow * f->scale;
    float room = area.width - frame_least_wide;
    for (int k = 0; k < 2; k++) { /* first the one that was opened last */
      frame_side side = (k == 0) == (f->last == FRAME_RIGHT) ? FRAME_RIGHT : FRAME_LEFT;
      frame_side other = side == FRAME_RIGHT ? FRAME_LEFT : FRAME_RIGHT;
      if (k && narrow && f->sides[other].place.width > 0) break;
      float wide = side_width(f, side, room);
      if (wide <= 0) continue;
      f->sides[side].place = (frame_box){ side == FRAME_LEFT ? area.x : area.x + area.width - wide,
                                          area.y, wide, area.height };
      if (side == FRAME_LEFT) area.x += wide;
      area.width -= wide;
      room -= wide;
    }
    for (int i = 0; i < f->bottom_count; i++)
      if (!f->bottoms[i].whole && heights[i] > 0)
        f->bottoms[i].place = cut_bottom(&area, heights[i]);
  }
  /* the strip leaves the least scene, but keeps a line */
  float room = fmaxf(area.height - frame_least_high, frame_notice_line * f->scale);
  float notice = fminf(fminf(f->notice, room), fmaxf(area.height - 16, 0));
  f->strip = (frame_box){ area.x, area.y, area.width, notice };
  area.y += notice;
  area.height -= notice;
  if (area.width < 16) area.width = 16;
  if (area.height < 16) area.height = 16;
  f->scene = area;
}

bool frame_label(frame_box *placed, int *count, frame_box label) {
  for (int i = 0; i < *count; i++) {
    const frame_box *p = &placed[i];
    if (label.x < p->x + p->width && p->x < label.x + label.width && label.y < p->y + p->height &&
        p->y < label.y + label.height)
      return false;
  }
  placed[(*count)++] = label;
  return true;
}
