/* Input between the window system and raylib. raylib looks once a frame: what is pressed and
 * released between two frames would be lost, and a click would be where the mouse is at the end. So
 * events are caught before raylib gets them, and dealt out to frames in their order. */
#ifndef VIEWER_INPUT_H
#define VIEWER_INPUT_H

#include <stdbool.h>

typedef enum input_end {
  INPUT_GOES_ON,
  INPUT_CLOSED,     /* somebody closed the window */
  INPUT_INTERRUPTED /* the system ends the program */
} input_end;

/* Call it when the window is open, and before it is closed. Without a known window system below
 * raylib nothing is caught, and raylib's own polling stays. */
void input_start(void);
void input_stop(void);
/* Around each call of raylib that polls (EndDrawing, PollInputEvents): passes on what the next
 * frame gets. */
void input_before_poll(void);
void input_after_poll(void);
/* Whether there is more for the frames after this one. */
bool input_waiting(void);
/* Whether the program was asked to end since the last call. */
input_end input_ended(void);

#endif
