// expect: safe
// level: core
// unknown: random (cannot prove)

// A record of functions behind a pointer.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct device {
  int (*get)(void);
  int (*put)(void);
};

static int users;
static int get(void) {
  if (users < 3)
    users++;
  return users;
}
static int put(void) {
  if (users > 0)
    users--;
  return users;
}
static const struct device real = {get, put};

static int use(const struct device *device, int which) {
  return which ? device->get() : device->put();
}

int main(void) {
  for (;;) {
    int left = use(&real, __VERIFIER_nondet_int());
    assert(left >= 0 && left <= 3);
  }
}
