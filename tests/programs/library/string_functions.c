// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>
#include <string.h>

int main(void) {
  char text[16];
  strcpy(text, "cairn");
  strcat(text, "s");
  assert(strlen(text) != 6 || strcmp(text, "cairns") != 0 || strchr(text, 'r') != text + 3);
  return 0;
}
