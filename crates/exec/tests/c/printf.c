// Formats of printf: flags, widths, precisions, lengths.
#include <stdio.h>

int main(void) {
  int n = 42, m = -7, z = 0;
  unsigned u = 4000000000u;
  long l = -1234567890L;
  long long ll = -9223372036854775807LL - 1;
  unsigned long long ull = 18446744073709551615ULL;
  char c = 'q';
  short s = -300;
  double d[] = {0.0, -0.0, 1.0, -2.5, 0.1, 123456789.0, 1e100, 1.5e-7, 9.9999995, 0.5, 1.5, 2.5};
  printf("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|\n", n, n, n, n, n, n, n, n, n);
  printf("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%i|\n", m, m, m, m, m, m, m, m, m);
  printf("%.0d|%.d|%+.0d|%5.0d|%x|%#x|%#o|%o\n", z, z, z, z, z, z, z, z);
  printf("%u %x %X %o %#x %#X %#o %08x %-12xX\n", u, u, u, u, u, u, u, u, u);
  printf("%ld %lld %llu %llx %zu %hhd %hd %hu\n", l, ll, ull, ull, sizeof n, 200, 70000, -1);
  printf("%c|%3c|%-3c|%s|%10s|%-10s|%.2s|%5.1s|%%\n", c, c, c, "abc", "abc", "abc", "abc", "abc");
  printf("%*d|%-*d|%.*d|%*.*s|%*d|\n", 6, n, 6, n, 4, n, 6, 2, "xyz", -6, n);
  printf("%hhd %d %p\n", s, s, (void *)0);
  for (unsigned i = 0; i < sizeof d / sizeof *d; i++) {
    printf("%f|%.0f|%.1f|%10.2f|%-10.2f|%+.3f|%010.1f|% f\n", d[i], d[i], d[i], d[i], d[i], d[i],
           d[i], d[i]);
    printf("%e|%.0e|%.3E|%12.2e|%#.0e\n", d[i], d[i], d[i], d[i], d[i]);
    printf("%g|%.0g|%.3g|%12.2g|%#g|%G|%.10g\n", d[i], d[i], d[i], d[i], d[i], d[i], d[i]);
  }
  printf("%f %e %g %F %5.1f|%-8f|%08f\n", 1.0 / 0.0, -1.0 / 0.0, 1.0 / 0.0, 1.0 / 0.0, 1.0 / 0.0,
         1.0 / 0.0, 1.0 / 0.0);
  int printed = printf("four");
  printf(" %d\n", printed);
  return 0;
}
