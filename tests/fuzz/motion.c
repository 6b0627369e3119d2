/* Fuzzes the readers of motion files: fuzz-motion [COUNT] [SEED]. */
#include "fuzz_motion.h"

int main(int argc, char **argv) { return fuzz_main(argc, argv, fuzz_motion); }
