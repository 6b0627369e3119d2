/* Fuzzes the glTF reader: fuzz-gltf [COUNT] [SEED]. */
#include "fuzz_gltf.h"

int main(int argc, char **argv) { return fuzz_main(argc, argv, fuzz_gltf); }
