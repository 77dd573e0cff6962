int main(void) {
  int s = 0;
  for (int i = 0; i < 100000000; i++)
    s += i & 7;
  return s % 251;
}
