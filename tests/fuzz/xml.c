/* Fuzzes the reader of rigs in XML: fuzz-xml [COUNT] [SEED]. */
#include "fuzz_xml.h"

int main(int argc, char **argv) { return fuzz_main(argc, argv, fuzz_xml); }
