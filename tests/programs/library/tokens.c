// expect: unsafe
// error-line: 15
// level: core
// unknown: impact (the bytes of a text have no formula)

#include <assert.h>
#include <string.h>

int main(void) {
  char line[] = "a,bc,,d";
  int words = 0, bytes = 0;
  for (char *word = strtok(line, ","); word; word = strtok(0, ",")) {
    words++;
    bytes += strlen(word);
    assert(words < 3 || bytes != 4);
  }
  return 0;
}
