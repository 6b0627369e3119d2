/* Where the parts of the window go: a bar at the top, the status line, panels at the sides and at
 * the bottom, a strip for an error, and the scene in what is left. */
#ifndef VIEWER_FRAME_H
#define VIEWER_FRAME_H

#include <stdbool.h>

/* In pixels; the lengths are multiplied with the scale, the least scene is not. */
enum { frame_bar = 40, frame_status = 24, frame_notice_line = 36, frame_narrow = 1000 };
enum { frame_least_wide = 320, frame_least_high = 240, frame_least_bottom = 96, most_bottoms = 8 };
typedef enum frame_side { FRAME_LEFT, FRAME_RIGHT, FRAME_BOTTOM, frame_sides } frame_side;

typedef struct frame_box {
  float x, y, width, height;
} frame_box;

/* A panel: the size that is asked for at scale 1, and the least that it is used with. */
typedef struct frame_panel {
  bool open;
  bool whole; /* at the bottom: as wide as the window, below the sides */
  float size, least;
  frame_box place; /* the result; its width is 0 if there is no room */
} frame_panel;

typedef struct frame_plan {
  float width, height, scale;
  float notice;         /* the height of the strip above the scene, in pixels; 0: none */
  bool bare;            /* without panels and bars */
  frame_side last;      /* the side that was opened last: in a narrow window the other waits */
  frame_panel sides[2]; /* at the left and at the right */
  frame_panel bottoms[most_bottoms];
  int bottom_count;
  frame_box bar, status, strip, scene; /* results */
} frame_plan;

void frame_lay_out(frame_plan *f);
/* A size at scale 1 within what the side takes. */
float frame_size(frame_side side, float size);
/* Whether a label fits beside those that are placed; then it is the next of them. `placed` has room
 * for it. */
bool frame_label(frame_box *placed, int *count, frame_box label);

#endif
