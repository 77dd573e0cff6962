// expect: unsafe
// error-line: 24
// level: slow

// Records are sorted by a key, and move as a whole.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct entry {
  int key;
  int value;
};

static int by_key(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return x->key < y->key ? -1 : x->key > y->key;
}

int main(void) {
  struct entry entries[3] = {{3, 30}, {0, 0}, {1, 10}};
  entries[1].key = __VERIFIER_nondet_int();
  qsort(entries, 3, sizeof entries[0], by_key);
  assert(entries[1].value != 0);
  return 0;
}
