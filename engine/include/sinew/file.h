/* Files written so that a crash loses nothing, for all that the engine and its tools save. */
#ifndef SINEW_FILE_H
#define SINEW_FILE_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Replaces a file, or makes it: all goes to a new file in the same folder, which is brought to the
 * disk and then renamed. Whatever happens, the path holds the old file or the whole new one. The
 * old one's permissions stay, and a symbolic link stays one. */
SINEW_API sinew_status sinew_file_write(const char *path, const void *bytes, size_t size,
                                        sinew_error *error);

/* Gives back a text that the engine made, such as sinew_clip_format's. NULL is allowed. */
SINEW_API void sinew_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
