// expect: safe

// Fields of a struct that change together in a loop.

#include <assert.h>

struct account {
  int deposits;
  int balance;
};

int main(void) {
  struct account mine = {0, 0};

  for (int i = 0; i < 1000; i++) {
    mine.deposits++;
    mine.balance += 10;
  }
  assert(mine.balance == 10 * mine.deposits);
  return 0;
}
