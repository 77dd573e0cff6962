// expect: safe

// Each message has at most three retries: sent <= 4 * messages.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int messages = 0, sent = 0;

  while (messages < 1000) {
    int retries = 0;
    sent++;
    while (retries < 3 && __VERIFIER_nondet_int()) {
      retries++;
      sent++;
    }
    messages++;
    assert(sent <= 4 * messages);
  }
  return 0;
}
