/* Loops whose counters have many types and directions: the last instructions of an iteration
   change a counter and compare it. */
#include <stdio.h>
#include <string.h>

static unsigned char bytes[40];
static int ints[40];
static unsigned unsigneds[40];
static long longs[40];

static unsigned sum(void) {
  unsigned s = 0;
  for (int i = 0; i < 40; i++)
    s = s * 31 + bytes[i] + (unsigned)ints[i] + unsigneds[i] + (unsigned)longs[i];
  return s;
}

static void stores(void) {
  for (int i = 0; i < 40; i++)
    bytes[i] = 7;
  for (unsigned i = 3; i < 33; i += 5)
    bytes[i] = i;
  for (long i = 1; i < 40; i += 3)
    bytes[i] = 1;
  for (size_t i = 2; i < 40; i += 4)
    bytes[i] = 2;
  for (int i = 39; i >= 0; i -= 2)
    ints[i] = i;
  for (int i = 39; i > 1; i--)
    longs[i] = i;
  for (int i = 0; i <= 39; i++)
    unsigneds[i] = i * 3u;
  printf("%u\n", sum());
}

static void chains(int n) {
  int s = 0, k = 5;
  unsigned u = 1;
  for (int i = 0; i < n; i++)
    s += i & 7;
  for (int i = 0; i < n; i++)
    s = k - (s ^ i);
  for (int i = 0; i < n; i++)
    u = u * 3 + i;
  for (int i = 0; i < n; i++)
    s += ints[i];
  for (int i = 0; i < n; i++)
    ints[i & 31] = i;
  for (int i = 0; i < n; i++)
    unsigneds[i] = unsigneds[i] + u;
  for (int i = 0; i < n; i++)
    bytes[i] = bytes[n - 1 - i];
  for (int i = 0; i < n; i++)
    s = (s & 255) + (s & 255);
  printf("%d %u %u\n", s, u, sum());
}

/* The counter, its step and its bound are changed in the body. */
static void tangled(void) {
  int i, step = 1, bound = 50, rounds = 0;
  for (i = 0; i < bound; i += step) {
    bound -= i & 1;
    rounds++;
  }
  printf("%d %d %d\n", i, bound, rounds);
  for (i = 1; i < 1000; i += i)
    step = i;
  printf("%d %d\n", i, step);
  for (i = 0; i < 20; i++)
    i += i & 1;
  printf("%d\n", i);
  for (i = 5; i < i + step - 1 && i < 30; i += step / 100)
    ;
  printf("%d\n", i);
  for (bound = 10; i > bound; bound++)
    step -= bound;
  printf("%d %d\n", bound, step);
}

int main(void) {
  stores();
  chains(0);
  chains(1);
  chains(40);
  tangled();
  return 0;
}
