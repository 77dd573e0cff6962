// expect: safe
// level: core
// property: valid-memsafety
// unknown: random (proves nothing)
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int value;
} *head;

int main(void) {
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = head;
    node->value = __VERIFIER_nondet_int();
    head = node;
  }
  if (__VERIFIER_nondet_int())
    return 0;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
