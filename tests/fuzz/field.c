/* Fuzzes the field file: fuzz-field [COUNT] [SEED]. */
#include "fuzz_field.h"

int main(int argc, char **argv) { return fuzz_main(argc, argv, fuzz_field); }
