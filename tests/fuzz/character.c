/* Fuzzes the reader and the writer of characters: fuzz-character [COUNT] [SEED]. */
#include "fuzz_character.h"

int main(int argc, char **argv) { return fuzz_main(argc, argv, fuzz_character); }
