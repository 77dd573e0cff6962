static unsigned char state;
static int count;
static long total;
int main(void) {
  for (count = 0; count < 100000000; count++) {
    state = state + 3;
    if (state == 7)
      total += count;
  }
  return total % 251;
}
