/* See input_queue.h. */
#include "plain/input_queue.h"

#include <stdlib.h>
#include <string.h>

enum { most_released = 8, most_text = 12 };

static bool merge(input_event *last, const input_event *event) {
  if (last->kind != event->kind) return false;
  if (event->kind == INPUT_MOVE) {
    *last = *event;
    return true;
  }
  if (event->kind == INPUT_WHEEL) {
    last->wheel[0] += event->wheel[0];
    last->wheel[1] += event->wheel[1];
    return true;
  }
  return event->kind == INPUT_REPEAT && last->code == event->code;
}

/* a key that repeats gives a character each time */
static bool repeats(const input_queue *q, const input_event *event) {
  size_t end = q->first + q->count;
  if (event->kind != INPUT_TEXT || q->count < 2) return false;
  return q->events[end - 1].kind == INPUT_TEXT && q->events[end - 2].kind == INPUT_REPEAT;
}

bool input_queue_add(input_queue *q, const input_event *event) {
  size_t end = q->first + q->count;
  if (q->count && merge(&q->events[end - 1], event)) return true;
  /* a repeat after the character of the repeat before: both are dropped */
  if (event->kind == INPUT_REPEAT && q->count > 1 && q->events[end - 1].kind == INPUT_TEXT &&
      merge(&q->events[end - 2], event))
    return true;
  if (repeats(q, event)) return true;
  if (end == q->room) {
    if (q->first) {
      memmove(q->events, q->events + q->first, q->count * sizeof *q->events);
      q->first = 0;
    } else {
      size_t room = q->room ? 2 * q->room : 64;
      input_event *more = realloc(q->events, room * sizeof *more);
      if (!more) return false;
      q->events = more;
      q->room = room;
    }
  }
  q->events[q->first + q->count++] = *event;
  return true;
}

/* what a frame has got so far */
typedef struct dealt {
  bool moved, wheeled, pressed, button_up;
  int released[most_released], released_count, text;
} dealt;

/* whether the frame may get this event as well */
static bool fits(dealt *d, const input_event *e) {
  if (e->kind == INPUT_TEXT) return d->text++ < most_text;
  if (d->pressed || d->text || d->button_up) return false;
  switch (e->kind) {
  case INPUT_MOVE: return !d->wheeled && !d->released_count;
  case INPUT_WHEEL:
    if (d->wheeled || d->released_count) return false;
    d->wheeled = true;
    return true;
  case INPUT_UP:
    if (e->code < 0)
      d->button_up = true;
    else if (d->released_count < most_released)
      d->released[d->released_count++] = e->code;
    else
      return false;
    return true;
  default:
    for (int i = 0; i < d->released_count; i++)
      if (d->released[i] == e->code) return false; /* the frame would see it held */
    d->pressed = true;
    return true;
  }
}

size_t input_queue_batch(const input_queue *q) {
  dealt d = { 0 };
  size_t count = 0;
  while (count < q->count && fits(&d, &q->events[q->first + count])) count++;
  return count;
}

input_event input_queue_take(input_queue *q) {
  q->count--;
  return q->events[q->first++];
}

void input_queue_free(input_queue *q) {
  free(q->events);
  *q = (input_queue){ 0 };
}
