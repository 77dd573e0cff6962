// expect: safe
// level: slow
// unknown: random (cannot prove)

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct range {
  int low, high;
};

static void order(struct range *r) {
  if (r->low > r->high) {
    int low = r->low;
    r->low = r->high;
    r->high = low;
  }
}

static int largest(const int *a, int n) {
  int best = a[0];
  for (int i = 1; i < n; i++)
    if (a[i] > best)
      best = a[i];
  return best;
}

int main(void) {
  int a[3] = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), 5};
  struct range r = {a[0], a[1]};
  order(&r);
  int top = largest(a, 3);
  assert(r.low <= r.high);
  assert(top >= r.high && top >= 5);
  return 0;
}
