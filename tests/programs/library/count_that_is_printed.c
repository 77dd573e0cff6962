// expect: safe
// level: core
// unknown: gps* (what is printed has no formula)
// unknown: impact (what is printed has no formula)
// unknown: cra (what is printed has no formula)
// unknown: predabs (what is printed has no formula)
// unknown: random (it proves nothing)
// How many bytes are printed is known, and what they are where they go to memory.

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[8] = "";
  assert(printf("%05d\n", -3) == 6);
  assert(snprintf(text, sizeof text, "%03d-%s", 7, "abcdef") == 10);
  assert(strcmp(text, "007-abc") == 0);
  return 0;
}
