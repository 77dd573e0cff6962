// expect: safe
// level: core
// unknown: random (proves nothing)
// skip: gps* (all its runs decide it; what formulas make of it is another matter)
// skip: cra (as gps)
// unknown: impact (its formulas allow more than the program does)
// unknown: predabs (it does not know memory or bits exactly)

// What is never written (`pad`) is copied with the rest and decides nothing.
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  int pad;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);
  struct node fresh;
  fresh.value = value;
  fresh.next = list;
  *node = fresh;
  return node;
}

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 5; i++)
    list = push(list, i * i);
  int sum = 0;
  while (list) {
    struct node *rest = list->next;
    sum += list->value;
    free(list);
    list = rest;
  }
  assert(sum == 30);
  return 0;
}
