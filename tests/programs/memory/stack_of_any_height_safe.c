// expect: safe
// level: core
// unknown: random (proves nothing)
// unknown: impact (formulas do not know the nodes)
// unknown: cra (as impact)
// unknown: predabs (as impact)
// unknown: gps-paper (as impact)

// What is pushed is even, so what is popped is; nodes are freed as they are left.

#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct entry {
  unsigned number;
  struct entry *below;
};

static struct entry *push(struct entry *top, unsigned number) {
  struct entry *entry = malloc(sizeof *entry);
  if (!entry)
    abort();
  entry->below = top;
  entry->number = number;
  return entry;
}

int main(void) {
  struct entry *top = 0;
  unsigned number;
  while ((number = __VERIFIER_nondet_uint()) != 0) {
    if (number < 1000)
      top = push(top, 2 * number);
  }
  while (top) {
    struct entry *left = top;
    assert(left->number % 2 == 0 && left->number < 2000);
    top = left->below;
    free(left);
  }
  return 0;
}
