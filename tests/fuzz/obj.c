/* Fuzzes the OBJ reader and what surfaces are made into: fuzz-obj [COUNT] [SEED]. */
#include "fuzz_obj.h"

int main(int argc, char **argv) { return fuzz_main(argc, argv, fuzz_obj); }
