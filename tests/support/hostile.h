/* Scripts that try to do harm, as named cases in a few files; the head of each file describes the
 * format. */
#ifndef HOSTILE_H
#define HOSTILE_H

#include "lua/host/sandbox/sandbox.h"

enum { hostile_most = 400 };

typedef struct hostile_case {
  char name[128];         /* with the prefix */
  char expected[256];     /* part of the message */
  char where[256];        /* FILE:LINE of the case */
  char path[512];         /* its script in a separate file, with the same line numbers */
  si_sandbox_desc limits; /* small; only `seconds=` shortens the time */
} hostile_case;

typedef struct hostile_list {
  int count;
  char wrong[512]; /* mistakes in the files of cases, or empty */
  hostile_case cases[hostile_most];
} hostile_list;

/* Reads every case of a folder's files, by name, and writes each to a new scratch folder. */
void hostile_open(hostile_list *list, const char *folder, const char *prefix);
/* Removes the scratch folder. */
void hostile_close(void);
/* Runs `test` on every case, or in a quick run on one in twenty, under the case's name. */
void hostile_run(const hostile_list *list, void (*test)(void), const hostile_case **current);

#endif
