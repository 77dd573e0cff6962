// expect: safe

// Letters are counted in words: no word is longer than the text.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int length = __VERIFIER_nondet_int();
  int at = 0, longest = 0;

  if (length < 0 || length > 1000000) {
    return 0;
  }
  while (at < length) {
    int word = 0;
    while (at < length && __VERIFIER_nondet_int()) {
      at++;
      word++;
    }
    if (word > longest) {
      longest = word;
    }
    at++;
  }
  assert(longest <= length);
  return 0;
}
