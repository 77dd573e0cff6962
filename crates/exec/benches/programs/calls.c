static int f(int x, int y) { return (x & 3) + y; }
int main(void) {
  int s = 0;
  for (int i = 0; i < 100000000; i++)
    s = f(i, s);
  return s % 251;
}
