/* Fuzzes the reader of clips: fuzz-clip [COUNT] [SEED]. */
#include "fuzz_clip.h"

int main(int argc, char **argv) { return fuzz_main(argc, argv, fuzz_clip); }
