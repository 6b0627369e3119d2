/* Writing base64; see base64.h. */
#include "base/base64.h"

void si_base64_add(si_text *text, const unsigned char *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    const size_t left = size - i;
    uint32_t three = (uint32_t)bytes[i] << 16;
    if (left > 1) three |= (uint32_t)bytes[i + 1] << 8;
    if (left > 2) three |= bytes[i + 2];
    const char four[4] = { digits[three >> 18], digits[three >> 12 & 63],
                           left > 1 ? digits[three >> 6 & 63] : '=',
                           left > 2 ? digits[three & 63] : '=' };
    si_text_add_n(text, four, 4);
  }
}
