/* Whole files in and out. */
#ifndef SI_FILE_H
#define SI_FILE_H

#include "error.h"

/* Reads a file of at most `limit` bytes into a block for the caller to free; a zero stands behind
 * its last byte. */
sinew_status si_file_read(const char *path, size_t limit, unsigned char **dest, size_t *size,
                          sinew_error *error);

/* Writes a file aside and renames it, so that nobody sees a half-written one. */
sinew_status si_file_write(const char *path, const void *bytes, size_t size, sinew_error *error);

#endif
