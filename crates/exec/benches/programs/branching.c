int main(void) {
  int a = 0, b = 0, c = 0;
  for (int i = 0; i < 100000000; i++) {
    if (i % 3 == 0)
      a++;
    else if ((i & 15) > 7)
      b++;
    else
      c += 2;
  }
  return (a + b + c) % 251;
}
