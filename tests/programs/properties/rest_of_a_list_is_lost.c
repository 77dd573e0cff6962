// expect: unsafe
// error-line: 17
// level: core
// property: valid-memsafety
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

#include <stdlib.h>

struct node {
  struct node *next;
  int value;
} *head;

int main(void) {
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = head;
    node->value = i;
    head = node;
  }
  free(head);
  head = 0;
  return 0;
}
