/* Messages between a program and the process of its rig: numbers and texts one after the other.
 * What is read is checked, since the other side may send anything: after the first fault all reads
 * give 0 or NULL, and `failed` is set. */
#ifndef SI_ISOLATE_WIRE_H
#define SI_ISOLATE_WIRE_H

#include "sinew/types.h"

enum {
  SI_WIRE_MESSAGE = 160 << 20, /* maximum size of a message */
  SI_WIRE_HEAD = 8             /* bytes before a message: its kind and its size */
};

/* Starts as { 0 }; si_wire_free. */
typedef struct si_wire {
  unsigned char *at;
  size_t size, room;
  bool failed; /* memory ran out, or it is too large */
} si_wire;

void si_wire_bytes(si_wire *w, const void *bytes, size_t size);
void si_wire_int(si_wire *w, int64_t value);
void si_wire_number(si_wire *w, double value);
void si_wire_floats(si_wire *w, const float *values, size_t count);
void si_wire_text(si_wire *w, const char *text); /* NULL is allowed */
void si_wire_text_n(si_wire *w, const char *text, size_t length);
void si_wire_param(si_wire *w, const sinew_param *param);
void si_wire_free(si_wire *w);

typedef struct si_unwire {
  unsigned char *at; /* the bytes stay with the caller; texts are made plain in place */
  size_t left;
  bool failed;
} si_unwire;

/* A whole number from `low` to `high`; anything else is a fault, and gives `low`. */
int64_t si_unwire_int(si_unwire *r, int64_t low, int64_t high);
/* A finite number. */
double si_unwire_number(si_unwire *r);
void si_unwire_floats(si_unwire *r, float *dest, size_t count);
/* The text as it was sent, or without what must not reach a terminal; it lies in the message. NULL
 * if that was sent, or is wrong. */
const char *si_unwire_text_raw(si_unwire *r, size_t *length);
const char *si_unwire_text(si_unwire *r);
/* A text that must be there; "" after a fault. */
const char *si_unwire_name(si_unwire *r);
/* A parameter; what it points to is in `room`, to be freed with si_unwire_param_free. */
typedef struct si_unwire_room {
  float *numbers;
  sinew_curve *curve;
} si_unwire_room;
void si_unwire_param(si_unwire *r, sinew_param *dest, si_unwire_room *room);
void si_unwire_param_free(si_unwire_room *room);
/* Whether nothing is wrong and nothing is left. */
bool si_unwire_done(const si_unwire *r);

#endif
