/* Reading a table of DOF curves into a clip that has no channels yet. */
#ifndef SI_CLIP_CSV_H
#define SI_CLIP_CSV_H

#include "base/error_internal.h"
#include "base/names.h"
#include "sinew/clip.h"

/* On failure the clip may be left with channels that have no keys, and is to be destroyed. */
sinew_status si_clip_csv_read(const char *name, const char *text, size_t size, sinew_clip *dest,
                              sinew_error *error);

#endif
