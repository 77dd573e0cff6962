// expect: unsafe
// error-line: 22
// level: core
// unknown: impact (a text is memory, which its formulas do not speak of)

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char text[16] = "ab";
  strncat(text, "cdef", 2);
  assert(strcmp(text, "abcd") == 0 && strrchr(text, 'd') == text + 3);
  assert(strstr(text, "bc") == text + 1 && strspn(text, "ba") == 2 && strcspn(text, "d") == 3);
  assert(memchr(text, 'c', 9) == text + 2 && strpbrk(text, "xc") == text + 2);
  assert(atoi(" -42x") == -42 && strtoul("0x1F", 0, 0) == 31);
  char *copy = strdup(text);
  assert(strcasecmp(copy, "ABCD") == 0 && strnlen(copy, 3) == 3);
  free(copy);
  assert(snprintf(text, 4, "%d", 12345) == 5 && strcmp(text, "123") == 0);
  sprintf(text, "%c%s", 'x', "yz");
  assert(strcmp(text, "xyz"));
  return 0;
}
