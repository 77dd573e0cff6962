// expect: unsafe
// error-line: 15
// level: core

// Four inputs in the right order; each right one is rewarded by a new branch.
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { abort(); }

int main(void) {
  if (__VERIFIER_nondet_uchar() == 'l')
    if (__VERIFIER_nondet_uchar() == 'o')
      if (__VERIFIER_nondet_uchar() == 'c')
        if (__VERIFIER_nondet_uchar() == 'k')
          reach_error();
  return 0;
}
