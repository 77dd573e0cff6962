// expect: safe
// level: slow
// skip: random (proves nothing)
// skip: gps* (a fact about two nodes, of which the second comes first, takes long)
// skip: impact (formulas do not know the nodes, unless a strategy numbers them)
// skip: cra (as impact)
// skip: predabs (as impact)
// skip: la (as impact)
// skip: bmc (a list of any length)
// skip: finite (as bmc)

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
