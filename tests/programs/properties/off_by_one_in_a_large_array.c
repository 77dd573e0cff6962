// expect: unsafe
// error-line: 11
// level: core
// property: valid-deref
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

int main(void) {
  int a[1000];
  for (int i = 0; i <= 1000; i++)
    a[i] = 0;
  return 0;
}
