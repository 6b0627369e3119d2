/* Fuzzes the glTF reader: fuzz-gltf [COUNT] [SEED], or with libFuzzer. */
#include "fuzz_gltf.h"

FUZZ_PROGRAM(fuzz_gltf_kind)
