// expect: safe
// level: core
// unknown: random (proves nothing)
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// A pointer inside a record that is copied byte by byte.

#include <assert.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node a = {1, 0}, b = {2, &a}, c;
  memcpy(&c, &b, sizeof c);
  c.next->value = 9;
  assert(a.value == 9 && b.value == 2);
  return 0;
}
