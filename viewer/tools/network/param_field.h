/* One parameter in the panel: the data that its widgets need. */
#ifndef VIEWER_PARAM_FIELD_H
#define VIEWER_PARAM_FIELD_H

#include "state/state.h"

enum { most_params = 96 };

typedef struct params {
  char name[208]; /* name of the component shown; "": none */
  sinew_component id;
  unsigned seen;     /* the selection that it was chosen for */
  uint32_t revealed; /* the component that the list was scrolled to */
  float scroll;
  bool open[most_params];                         /* unfolded lists, by index of the parameter */
  char wrong_param[104], wrong[SINEW_ERROR_TEXT]; /* the change that was refused, and the reason */
  float *numbers;                                 /* a list being edited */
  int room;
  const char **components, **segments;           /* all names to choose from */
  const char **component_words, **segment_words; /* the same as words; NULL: not needed yet */
  int component_count, segment_count;
  int dragged;     /* index of the point of a curve being dragged; -1: none */
  Rectangle range; /* the range of that curve's plot, fixed while dragging */
} params;

typedef struct field {
  state *st;
  params *p;
  sinew_component component;
  const sinew_param_desc *desc;
  const char *name;
  const sinew_param *given; /* NULL: not given, so the default applies */
  int place;                /* index among the parameters */
  char scope[128];          /* for the ids of its widgets */
  Rectangle r;              /* the panel's width; y and height of its visible part */
} field;

/* Draws the widgets at y and applies their changes; returns y for the next field. */
float field_draw(field *f, float y);
/* The same for a curve: a plot with points to drag, its kind, and its numbers. */
float field_curve(field *f, Rectangle r);

/* Applies a value; an error is kept, and shown below the field. */
void field_offer(field *f, sinew_param param);
void field_refuse(field *f, const sinew_error *error);
/* Memory for a list of floats, starting with those of `from`; NULL if memory runs out. */
float *field_numbers(const field *f, const float *from, int count, int more);
/* Whether something at this height is visible. */
bool field_seen(const field *f, float y, float height);
int field_id(const field *f, int number);
/* How much one pixel of dragging changes a number. */
float field_step(const sinew_param_desc *desc, float value);

#endif
