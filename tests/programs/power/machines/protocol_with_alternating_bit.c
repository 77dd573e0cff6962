// expect: safe

// The bit expected by the receiver is the sender's, or the message has arrived
// already.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int sender = 0, receiver = 0, delivered = 0, confirmed = 0;

  while (confirmed < 1000) {
    if (__VERIFIER_nondet_int() && sender == receiver) {
      receiver = 1 - receiver;
      delivered++;
    }
    if (__VERIFIER_nondet_int() && sender != receiver) {
      sender = 1 - sender;
      confirmed++;
    }
    assert(delivered - confirmed == (sender != receiver));
  }
  return 0;
}
