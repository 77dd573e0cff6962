// expect: unsafe
// error-line: 28
// level: core

#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 5; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = i;
    fresh->next = list;
    list = fresh;
  }
  int sum = 0;
  while (list) {
    struct node *next = list->next;
    sum = sum * 10 + list->value;
    free(list);
    list = next;
  }
  assert(sum != 43210);
  return 0;
}
