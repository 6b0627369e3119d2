/* A temporary folder for a test's files. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stddef.h>

/* Makes a new folder; returns its path, without a final slash, or NULL on failure. */
const char *scratch_open(void);
/* The path of `name` in it; the last eight results stay valid. */
const char *scratch_path(const char *name);
/* Writes a whole file. */
void scratch_write(const char *name, const char *text, size_t length);
void scratch_text(const char *name, const char *text);
void scratch_folder(const char *name);
/* Removes the folder and everything in it. */
void scratch_close(void);

#endif
