/* Fuzzes the reader of what the process of a rig tells: fuzz-isolate [COUNT] [SEED]. */
#include "fuzz_isolate.h"

int main(int argc, char **argv) { return fuzz_main(argc, argv, fuzz_isolate); }
