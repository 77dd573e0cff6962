static void put(int *p, int v) { *p = v + 1; }
int main(void) {
  int s = 0;
  for (int i = 0; i < 30000000; i++) {
    int x;
    put(&x, i & 3);
    s += x;
  }
  return s % 251;
}
