static unsigned a[1024];
int main(void) {
  unsigned s = 0;
  for (int i = 0; i < 100000000; i++) {
    a[i & 1023] = s;
    s = a[(i * 7u) & 1023] + i;
  }
  return s % 251;
}
