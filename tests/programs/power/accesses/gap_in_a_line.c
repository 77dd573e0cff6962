// expect: safe
// property: valid-deref

// Elements are moved up by one from the end; the index stays within the array.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int line[20] = {0};
  int place = __VERIFIER_nondet_int();

  if (place < 0 || place >= 20) {
    return 0;
  }
  for (int i = 19; i > place; i--) {
    line[i] = line[i - 1];
  }
  line[place] = 1;
  return 0;
}
