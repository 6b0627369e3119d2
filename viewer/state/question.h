/* A question in the middle of the window, with fields to fill in. Until it is answered nothing else
 * gets input. */
#ifndef VIEWER_QUESTION_H
#define VIEWER_QUESTION_H

#include <stdbool.h>
#include <stddef.h>

struct state;

enum { most_answers = 5, most_fields = 6 };

typedef struct question_field {
  char label[64];
  char text[1024];
  bool used; /* the box before it is ticked */
} question_field;

typedef struct question {
  char title[200];
  char text[1500]; /* lines */
  const char *answers[most_answers];
  int count; /* 0: nothing is asked */
  question_field fields[most_fields];
  int field_count;
  bool ticks; /* fields have boxes to tick */
  int focus;  /* the widget that had the keyboard; 0: to be given to the first */
  /* Gets the index of the answer; the last one is also that of Escape. The question may be asked
   * again in it. */
  void (*answered)(struct state *st, int answer);
  /* Once a frame, for what depends on the fields; NULL: nothing. */
  void (*watch)(struct state *st);
} question;

/* Asks; fields may be added to the result. Replaces a question that was open. */
question *question_ask(struct state *st, const char *title, const char *text,
                       const char *const *answers, int count,
                       void (*answered)(struct state *st, int answer));
void question_field_add(question *q, const char *label, const char *text);
bool question_open(const struct state *st);
/* Its text as it is shown, files by their paths from the rig's folder. */
void question_text(const struct state *st, char *dest, size_t capacity);
void question_draw(struct state *st);
/* Answers it by the word on a button; false if there is none. */
bool question_answer(struct state *st, const char *answer);

#endif
