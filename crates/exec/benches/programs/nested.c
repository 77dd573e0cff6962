int main(void) {
  unsigned s = 0;
  for (int i = 0; i < 10000; i++)
    for (int j = 0; j < 10000; j++)
      s += i ^ j;
  return s % 251;
}
