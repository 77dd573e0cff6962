/* Complex numbers: arithmetic, conversions, parts as places. */
#include <complex.h>
#include <stdio.h>

static double complex global = 1.5 - 2.0 * I;
static float complex table[2] = {1.0f + 2.0f * I, 3.0f};

static void show(double complex z) { printf("%g%+gi ", creal(z), cimag(z)); }

static double complex twice(double complex z) { return 2 * z; }

struct pair {
  char c;
  double complex z;
};

int main(void) {
  double complex a = 3.0 + 4.0 * I, b = -0.5 + 0.25 * I;
  float complex f = a;
  show(a + b);
  show(a - b);
  show(a * b);
  show(a / 2);
  show(2 - a);
  show(-a);
  show(conj(a));
  show(~b);
  show(twice(a));
  printf("\n");
  show(f * 1.1f);
  show(global);
  show(table[0] * table[1]);
  show(a * I);
  show(1);
  show((_Complex double)2.5f);
  printf("\n%d %d %d %d ", a == b, a != b, a == a, f == 3 + 4 * I);
  printf("%d %d %d\n", a && b, !a, a == 3.0);
  __real__ a = 9;
  __imag__ a += 1.5;
  show(a);
  a += b;
  a *= 2;
  show(a);
  a -= I;
  show(a);
  printf("%g %g ", (double)a, __imag__ 3.5);
  printf("%d %d\n", (int)(a * 10), (_Bool)(a - a));
  struct pair p = {'x', 1 + 2.0 * I}, q = p;
  __imag__ q.z = 7;
  show(p.z);
  show(q.z);
  double complex *at = &q.z;
  show(*at * *at);
  printf("%d %d\n", (int)sizeof f, (int)sizeof a);
  return 0;
}
