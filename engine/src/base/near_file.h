/* The file that was meant, where there is none of that name. */
#ifndef SI_NEAR_FILE_H
#define SI_NEAR_FILE_H

#include <stddef.h>

/* " (did you mean 'rigs/knee.lua'?)" if there is no file at `path` but one with nearly that name in
 * its folder, else "". Returns dest. */
const char *si_near_file(const char *path, char *dest, size_t capacity);

#endif
