/* Fuzzes the reader of OpenSim models and the scripts it writes: fuzz-osim [COUNT] [SEED]. */
#include "fuzz_osim.h"

int main(int argc, char **argv) { return fuzz_main(argc, argv, fuzz_osim); }
