/* Presses, releases, movements and characters in the order in which they came, dealt out to frames
 * so that none gets lost: a frame sees the state at its end, so it may get one press at most, and
 * no two changes of which the order matters. */
#ifndef VIEWER_INPUT_QUEUE_H
#define VIEWER_INPUT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum input_kind {
  INPUT_MOVE,
  INPUT_WHEEL,
  INPUT_DOWN,
  INPUT_UP,
  INPUT_REPEAT, /* of a key that is held */
  INPUT_TEXT
} input_kind;

typedef struct input_event {
  input_kind kind;
  int code;       /* of the key; of a button of the mouse, negative */
  float wheel[2]; /* steps to the right and up */
  union {
    double align;
    unsigned char bytes[64]; /* the event of the window system */
  } raw;
} input_event;

typedef struct input_queue {
  input_event *events;
  size_t first, count, room;
} input_queue;

/* False if memory runs out: the event is lost. A movement replaces the one before it, steps of the
 * wheel add up, and a key that repeats counts once until it is handled. */
bool input_queue_add(input_queue *q, const input_event *event);
/* How many of the first events the next frame gets. */
size_t input_queue_batch(const input_queue *q);
/* The first event, removed. The queue must not be empty. */
input_event input_queue_take(input_queue *q);
void input_queue_free(input_queue *q);

#endif
