// expect: safe

// The loop ends at the lesser of two bounds, whichever that is.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int pages = __VERIFIER_nondet_int(), minutes = __VERIFIER_nondet_int();
  int read = 0;

  if (pages < 0 || minutes < 0) {
    return 0;
  }
  while (read < pages && read < minutes) {
    read++;
  }
  assert(read == (pages < minutes ? pages : minutes));
  return 0;
}
