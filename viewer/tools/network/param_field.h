/* One parameter in the panel: what its widgets need to know. */
#ifndef VIEWER_PARAM_FIELD_H
#define VIEWER_PARAM_FIELD_H

#include "state/state.h"

enum { most_params = 96 };

typedef struct params {
  char name[208]; /* of the component shown; "" for none */
  sinew_component id;
  float scroll;
  bool open[most_params]; /* unfolded lists, by the index of the parameter */
  char wrong_param[104], wrong[SINEW_ERROR_TEXT]; /* which change was refused, and why */
  float *numbers;                                 /* a list being edited */
  int room;
  const char **components, **segments; /* all names, to choose from */
  int component_count, segment_count;
  int dragged;     /* the point of a curve being dragged, from 0; -1: none */
  Rectangle range; /* the range of that curve's plot, fixed while dragging */
} params;

typedef struct field {
  state *st;
  params *p;
  sinew_component component;
  const sinew_param_desc *desc;
  const char *name;
  const sinew_param *given; /* NULL: not given, the default applies */
  int place;                /* among the parameters */
  char scope[128];          /* of its widgets' ids */
  Rectangle r;              /* the panel's width; y and height of its visible part */
} field;

/* Draws the widgets at y and applies their changes; returns y for the next field. */
float field_draw(field *f, float y);
/* The same for a curve: a plot with points to drag, its kind, and its numbers. */
float field_curve(field *f, Rectangle r);

/* Applies a value; an error is kept, and shown below the field. */
void field_offer(field *f, sinew_param param);
void field_refuse(field *f, const sinew_error *error);
/* Room for a list of floats, with those of `from` in it; NULL when memory is out. */
float *field_numbers(const field *f, const float *from, int count, int more);
/* Whether something at this height is visible. */
bool field_seen(const field *f, float y, float height);
int field_id(const field *f, int number);
/* How much one pixel of dragging changes a number. */
float field_step(const sinew_param_desc *desc, float value);

#endif
