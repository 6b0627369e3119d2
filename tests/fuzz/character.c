/* Fuzzes the reader and the writer of characters: fuzz-character [COUNT] [SEED], or with libFuzzer.
 */
#include "fuzz_character.h"

FUZZ_PROGRAM(fuzz_character_kind)
