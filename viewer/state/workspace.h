/* The parts of the window: which panels each layout shows, where they are, the lines between them
 * that are dragged, and what of this the next run finds again. */
#ifndef VIEWER_WORKSPACE_H
#define VIEWER_WORKSPACE_H

#include "plain/frame.h"
#include "plain/settings.h"
#include "state/tool.h"

typedef struct workspace {
  layout_kind layout;
  bool bare;                    /* all panels and bars are hidden */
  frame_side last;              /* the side that was opened last */
  int covered;                  /* how often a panel took the place of another */
  float sizes[2];               /* of the panels at the left and right, at scale 1; 0: the usual */
  float scale;                  /* that the user chose; 0: as the display has it */
  Rectangle bar, status, strip; /* their places; a width or height of 0: not there */
  float display_scale;          /* what the display asks for; 0: not known yet */
  int display;
  settings settings;
  bool remembers; /* the settings are read and written */
  Rectangle lit;  /* the edge under the mouse */
  float pulled;   /* the size of the panel whose edge is dragged, unrounded */
} workspace;

/* Reads the settings; then workspace_end writes them, if they have changed: false, with a message,
 * if that fails. */
void workspace_start(struct state *st);
bool workspace_end(struct state *st);
/* Sets the size of the widgets, lays the window out, and sets the scene's place. */
void workspace_lay_out(struct state *st);
void workspace_show(struct state *st, layout_kind layout);
/* The next larger or smaller text, or as the display has it. */
void workspace_scale(struct state *st, int step);
const char *layout_name(layout_kind layout);
/* The edges of panels, which can be dragged and get the mouse first; then panels with headers. */
void workspace_splitters(struct state *st);
void workspace_panels(struct state *st);
/* The lines of the banner that fit. */
int workspace_banner_lines(const struct state *st);

#endif
