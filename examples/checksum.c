/* A CRC-32 of a fixed text: bit operations and memory, but one run only. */
#include <assert.h>
#include <string.h>

static unsigned crc32(const char *text, unsigned long size) {
  unsigned crc = ~0u;
  for (unsigned long i = 0; i < size; i++) {
    crc ^= (unsigned char)text[i];
    for (int bit = 0; bit < 8; bit++)
      crc = (crc >> 1) ^ (0xEDB88320u & -(crc & 1u));
  }
  return ~crc;
}

int main(void) {
  const char *text = "123456789";
  assert(crc32(text, strlen(text)) == 0xCBF43926u);
  return 0;
}
