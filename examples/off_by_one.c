// Copies a text into a buffer and forgets the zero at its end.
//
//   cairn check --property valid-deref examples/off_by_one.c
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  char buffer[8];
  unsigned length = __VERIFIER_nondet_uint();
  if (length > sizeof buffer)
    return 0;
  for (unsigned i = 0; i < length; i++)
    buffer[i] = 'x';
  buffer[length] = 0;
  return 0;
}
