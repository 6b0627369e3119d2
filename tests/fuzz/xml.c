/* Fuzzes the reader of rigs in XML: fuzz-xml [COUNT] [SEED], or with libFuzzer. */
#include "fuzz_xml.h"

FUZZ_PROGRAM(fuzz_xml_kind)
