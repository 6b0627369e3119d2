/* What a component draws of itself: lines, arrows and other marks. A scripted component gives them
 * by its function `draw` (sinew_host_draw). Marks are plain data: they belong to who asked, on any
 * thread. */
#ifndef SINEW_MARKS_H
#define SINEW_MARKS_H

#include <sinew/types.h>

typedef enum sinew_mark_kind {
  SINEW_MARK_LINE,
  SINEW_MARK_ARROW,
  SINEW_MARK_DISC,
  SINEW_MARK_ELLIPSOID,
  SINEW_MARK_CONE,
  SINEW_MARK_TEXT
} sinew_mark_kind;

enum {
  SINEW_MARKS = 1024,        /* the most that one component may draw */
  SINEW_MARK_COLOR = 1 << 24 /* in `color`: one was given; else who draws chooses it */
};

/* Points are in the frame in which the component acts: that of the segment that it drives, where
 * the segment's parent carries it before it is driven. Lengths are metres, angles degrees. */
typedef struct sinew_mark {
  sinew_mark_kind kind;
  uint32_t color; /* 0xRRGGBB, with SINEW_MARK_COLOR; 0: none was given */
  float at[3];    /* the start of a line or arrow, the centre, a cone's apex, a text's place */
  float to[3];    /* the end of a line or arrow; unit: a disc's normal, a cone's axis */
  float size[3];  /* a disc's radius; an ellipsoid's radii; a cone's half angle and length */
  float turn[9];  /* an ellipsoid's axes, one after the other */
  char text[80];
} sinew_mark;

#endif
