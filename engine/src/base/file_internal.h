/* Reading whole files; sinew/file.h writes them. */
#ifndef SI_FILE_INTERNAL_H
#define SI_FILE_INTERNAL_H

#include "base/error_internal.h"
#include "sinew/file.h"

/* Reads a file of at most `limit` bytes into a zero-terminated block that the caller frees. */
sinew_status si_file_read(const char *path, size_t limit, unsigned char **dest, size_t *size,
                          sinew_error *error);

/* A name beside the file for what is to become it, to be freed by si_file_aside_free; NULL if
 * memory runs out. Removes what programs that were killed left under such names of the same file.
 * An interrupted program removes it (si_interrupt_tell). */
char *si_file_aside(const char *target);
void si_file_aside_free(char *aside); /* NULL is allowed */

/* 1 if `path` exists and is inside `folder`, with links resolved, 0 if it does not exist, -1 if it
 * is outside. */
int si_path_where(const char *folder, const char *path);

#endif
