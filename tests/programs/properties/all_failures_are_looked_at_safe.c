// expect: safe
// level: core
// property: valid-memsafety
// failing-alloc: all
// unknown: random (proves nothing)
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// All allocations may fail; nothing is used then that is not there, and nothing is lost.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct text {
  char *bytes;
  size_t size;
};

static int grow(struct text *text) {
  char *bytes = realloc(text->bytes, text->size * 2);
  if (!bytes)
    return errno == ENOMEM;
  text->bytes = bytes;
  text->size *= 2;
  bytes[text->size - 1] = 0;
  return 0;
}

int main(void) {
  struct text text = {strdup("one"), 4};
  if (!text.bytes)
    return 1;
  int failed = grow(&text);
  text.bytes[text.size - 1] = 'e';
  free(text.bytes);
  return failed;
}
