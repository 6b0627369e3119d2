#include "minunit.h"

#include "plain/input_queue.h"

enum { letter_a = 4, letter_b = 5, control = 224, button = -2 };

static void put(input_queue *q, input_kind kind, int code) {
  MU_CHECK(input_queue_add(q, &(input_event){ .kind = kind, .code = code }));
}

/* takes a batch; how many there were */
static size_t deal(input_queue *q) {
  size_t count = input_queue_batch(q);
  for (size_t i = 0; i < count; i++) input_queue_take(q);
  return count;
}

MU_TEST(a_click_takes_two_frames) {
  input_queue q = { 0 };
  put(&q, INPUT_MOVE, 0);
  put(&q, INPUT_DOWN, button);
  put(&q, INPUT_UP, button);
  MU_CHECK(deal(&q) == 2); /* pressed where the mouse is */
  MU_CHECK(deal(&q) == 1);
  MU_CHECK(deal(&q) == 0);
  input_queue_free(&q);
}

MU_TEST(a_button_is_released_before_the_mouse_moves_on) {
  input_queue q = { 0 };
  put(&q, INPUT_UP, button);
  put(&q, INPUT_MOVE, 0);
  put(&q, INPUT_DOWN, button);
  MU_CHECK(deal(&q) == 1);
  MU_CHECK(deal(&q) == 2);
  input_queue_free(&q);
}

MU_TEST(typing_takes_a_frame_for_each_letter) {
  input_queue q = { 0 };
  put(&q, INPUT_DOWN, letter_a);
  put(&q, INPUT_TEXT, 0);
  put(&q, INPUT_UP, letter_a);
  put(&q, INPUT_DOWN, letter_b);
  put(&q, INPUT_TEXT, 0);
  put(&q, INPUT_UP, letter_b);
  put(&q, INPUT_DOWN, letter_b); /* the frame that sees it up must come before */
  MU_CHECK(deal(&q) == 2);
  MU_CHECK(deal(&q) == 3);
  MU_CHECK(deal(&q) == 1);
  MU_CHECK(deal(&q) == 1);
  input_queue_free(&q);
}

MU_TEST(a_key_is_pressed_while_control_is_down) {
  input_queue q = { 0 };
  put(&q, INPUT_DOWN, control);
  put(&q, INPUT_DOWN, letter_a);
  put(&q, INPUT_UP, letter_a);
  put(&q, INPUT_UP, control);
  put(&q, INPUT_DOWN, letter_b);
  MU_CHECK(deal(&q) == 1);
  MU_CHECK(deal(&q) == 1);
  MU_CHECK(deal(&q) == 3); /* control is up when the next key goes down */
  input_queue_free(&q);
}

MU_TEST(the_wheel_adds_up_and_a_held_key_does_not) {
  input_queue q = { 0 };
  for (int i = 0; i < 3; i++)
    MU_CHECK(input_queue_add(&q, &(input_event){ .kind = INPUT_WHEEL, .wheel = { 0, 1 } }));
  MU_CHECK(q.count == 1);
  MU_CHECK(input_queue_take(&q).wheel[1] == 3);
  for (int i = 0; i < 5; i++) {
    put(&q, INPUT_REPEAT, letter_a);
    put(&q, INPUT_TEXT, 0);
  }
  MU_CHECK(q.count == 2);
  put(&q, INPUT_UP, letter_a);
  MU_CHECK(deal(&q) == 2);
  MU_CHECK(deal(&q) == 1);
  input_queue_free(&q);
}

MU_TEST(a_long_queue_keeps_its_order) {
  input_queue q = { 0 };
  int taken = 0;
  for (int i = 0; i < 1000; i++) {
    put(&q, INPUT_DOWN, i);
    if (i % 3 == 0) MU_CHECK(input_queue_take(&q).code == taken++);
  }
  while (q.count) MU_CHECK(input_queue_take(&q).code == taken++);
  MU_CHECK(taken == 1000);
  input_queue_free(&q);
}

MU_SUITE(input_queue)
