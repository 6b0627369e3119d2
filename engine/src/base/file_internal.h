/* Reading whole files; sinew/file.h writes them. */
#ifndef SI_FILE_INTERNAL_H
#define SI_FILE_INTERNAL_H

#include "base/error_internal.h"
#include "sinew/file.h"

/* Reads a file of at most `limit` bytes into a zero-terminated block that the caller frees. */
sinew_status si_file_read(const char *path, size_t limit, unsigned char **dest, size_t *size,
                          sinew_error *error);

#endif
