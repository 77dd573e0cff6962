// expect: safe

// Sequence numbers wrap, their difference does not: it is the number of packets
// under way.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned sent = __VERIFIER_nondet_uint();
  unsigned acknowledged = sent;

  while (__VERIFIER_nondet_int()) {
    if (sent - acknowledged < 8 && __VERIFIER_nondet_int()) {
      sent++;
    } else if (sent != acknowledged) {
      acknowledged++;
    }
    assert(sent - acknowledged <= 8);
  }
  return 0;
}
