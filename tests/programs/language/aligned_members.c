// expect: safe
// level: core

#include <assert.h>
#include <stddef.h>

struct inner { int x; };
typedef int wide __attribute__((aligned(16)));
struct tagged { char c; struct inner __attribute__((aligned(64))) in; };
struct named { char c; wide w; char d; };
struct tight { char c; wide w; } __attribute__((packed));
struct pointers { char c; char *__attribute__((aligned(32))) p; };
struct __attribute__((aligned(64))) last { char c; } __attribute__((aligned(2)));

int main(void) {
  assert(sizeof(struct tagged) == 128 && offsetof(struct tagged, in) == 64);
  assert(offsetof(struct named, w) == 16 && sizeof(struct named) == 32);
  assert(sizeof(struct tight) == 5 && _Alignof(wide) == 16);
  assert(offsetof(struct pointers, p) == 32);
  assert(sizeof(struct last) == 2);
  return 0;
}
