/* Safe writing of files: a crash leaves the old file or the new one. Several threads may write
 * files at a time; if they write the same path, the last one wins. */
#ifndef SINEW_FILE_H
#define SINEW_FILE_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates or replaces a file. Writes a new file in the same folder, flushes it to the disk and
 * renames it, so the path always holds the old file or the whole new one. Keeps the old file's
 * permissions, which must allow writing; a symbolic link stays a link. Pipes and devices are
 * written to; a pipe that nobody reads is an error after a second. What a program that was killed
 * left of the same file is removed. */
SINEW_API sinew_status sinew_file_write(const char *path, const void *bytes, size_t size,
                                        sinew_error *error);

/* Frees a text that the engine returned, such as that of sinew_clip_format. NULL is allowed. */
SINEW_API void sinew_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
