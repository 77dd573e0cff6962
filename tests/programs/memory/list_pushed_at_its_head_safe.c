// expect: safe
// level: core
// unknown: random (proves nothing)
// unknown: auto (a fact about all nodes of a list of any length)
// unknown: gps* (as auto)
// unknown: impact (as auto)
// unknown: cra (as auto)
// unknown: predabs (as auto)

// A list of any length, each node one more than the next.

#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *head = 0, *node;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    if (!(node = malloc(sizeof *node)))
      abort();
    node->value = i;
    node->next = head;
    head = node;
  }
  for (node = head; node && node->next; node = node->next)
    assert(node->value == node->next->value + 1);
  return 0;
}
