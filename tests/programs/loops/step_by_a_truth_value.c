// expect: safe
// level: core
// unknown: random (cannot prove)
// skip: predabs (what it decides is a matter of time)
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  _Bool up = __VERIFIER_nondet_bool();
  int sum = 60;
  for (int i = 0; i < 40; i += 2)
    sum += up - 2;
  if (sum != 20 && sum != 40)
    reach_error();
  return 0;
}
