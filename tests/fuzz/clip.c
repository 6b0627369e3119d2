/* Fuzzes the reader of clips: fuzz-clip [COUNT] [SEED], or with libFuzzer. */
#include "fuzz_clip.h"

FUZZ_PROGRAM(fuzz_clip_kind)
