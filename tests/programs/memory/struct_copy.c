// expect: unsafe
// error-line: 20
// level: core

#include <assert.h>

struct point {
  int x, y;
  char name[4];
};

static struct point flip(struct point p) {
  struct point q = {p.y, p.x, "f"};
  p.x = 99;
  return q;
}

int main(void) {
  struct point a = {1, 2, "ab"}, b = flip(a);
  assert(!(a.x == 1 && b.x == 2 && b.y == 1 && b.name[0] == 'f'));
  return 0;
}
