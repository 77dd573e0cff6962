/* Library functions that are written in C, and those that are asked of the compiler. */
#define _GNU_SOURCE
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void texts(void) {
  char line[] = ";a;bc;;d;", copy[] = "x,,y", buffer[16];
  for (char *word = strtok(line, ";"); word; word = strtok(0, ";"))
    printf("%s|", word);
  char *rest, other[] = "  k  v ";
  for (char *word = strtok_r(other, " ", &rest); word; word = strtok_r(0, " ", &rest))
    printf("%s|", word);
  char *at = copy, *word;
  while ((word = strsep(&at, ",")))
    printf("[%s]", word);
  printf("\n%d ", (int)(stpcpy(buffer, "abc") - buffer));
  printf("%d ", (int)(stpncpy(buffer, "wxyz", 3) - buffer));
  printf("%d ", (int)((char *)mempcpy(buffer, "pq", 2) - buffer));
  printf("%s ", buffer);
  printf("%d ", (int)((char *)memccpy(buffer, "one:two", ':', 7) - buffer));
  printf("%d ", memccpy(buffer, "one:two", 'z', 7) == 0);
  bcopy("hello", buffer, 6);
  printf("%s %s ", buffer, (char *)memrchr(buffer, 'l', 5));
  printf("%s ", (char *)memmem(buffer, 5, "ell", 3));
  printf("%d %d ", memmem(buffer, 5, "elx", 3) == 0, memmem(buffer, 2, "hello", 5) == 0);
  printf("%s|%s ", strchrnul(buffer, 'l'), strchrnul(buffer, 'z'));
  printf("%s %d ", strcasestr("A Big Word", "bIG"), strcasestr("abc", "cd") == 0);
  printf("%s ", (char *)rawmemchr(buffer, 'o'));
  printf("%d\n", (int)strxfrm(buffer, "key", sizeof buffer));
}

static void numbers(void) {
  div_t a = div(-17, 5);
  ldiv_t b = ldiv(17L, -5L);
  lldiv_t c = lldiv(1LL << 40, 7);
  printf("%d %d %ld %ld %lld %lld ", a.quot, a.rem, b.quot, b.rem, c.quot, c.rem);
  printf("%d %d %d %d %d ", ffs(0), ffs(40), ffsl(-1L), ffsll(1LL << 35), toascii(200));
  printf("%d %d %d\n", __builtin_add_overflow_p(100, 28, (signed char)0),
         __builtin_mul_overflow_p(1 << 16, 1 << 15, 0), __builtin_sub_overflow_p(3u, 4, 0u));
  double numbers[] = {0.0, -0.0, 1.0, -1.5, 1234567.875, 1e308, 4.9e-324, 2.3e-310, 0.1, INFINITY, -INFINITY};
  int count = sizeof numbers / sizeof *numbers;
  for (int i = 0; i < count; i++) {
    double x = numbers[i];
    printf("%.17g %.17g %.17g ", nextafter(x, 2.0), nextafter(x, -INFINITY), logb(x));
    printf("%.17g %.17g %.17g ", ldexp(x, 3), scalbn(x, -1070), scalbln(x, 2000L));
    printf("%.17g %.17g ", (double)ldexpf((float)x, -140), (double)nextafterf((float)x, 9.0f));
    printf("%d %d ", ilogb(x), ilogbf((float)x));
    int exponent;
    double whole, fraction = frexp(x, &exponent);
    printf("%.17g %d ", fraction, exponent);
    fraction = frexpf((float)x, &exponent);
    printf("%.17g %d ", fraction, exponent);
    fraction = modf(x, &whole);
    float single, part = modff((float)x, &single);
    printf("%.17g %.17g %.9g %.9g\n", fraction, whole, part, single);
  }
  printf("%.17g %.17g %.17g ", ldexp(3.0, -1075), ldexp(0x1.fffffffffffffp0, -1023), ldexp(1.0, -1076));
  printf("%d %d ", isnan(nan("")) != 0, isnan(nextafter(nan(""), 1.0)) != 0);
  printf("%d %d\n", __builtin_isinf(-INFINITY) != 0, __builtin_isinf_sign(-INFINITY));
  printf("%.17g %.17g %.17g %.17g ", pow(2.0, 10.0), pow(-3.0, 3.0), pow(2.0, -3.0), pow(1.5, 2.0));
  printf("%.17g %.17g ", pow(7.0, 0.0), pow(10.0, 15.0));
  printf("%.17g %.17g %.17g\n", DBL_MAX, DBL_MIN, DBL_EPSILON);
  char *end, text[] = " -12.5e2x";
  printf("%.17g ", strtod(text, &end));
  printf("%d ", (int)(end - text));
  printf("%.17g %.17g %.17g %.17g ", strtod("0.1", 0), atof("3"), atof("-.5e-3junk"), atof("1e22"));
  printf("%.17g ", strtod("e5", &end));
  printf("%c ", *end);
  printf("%.17g ", strtod("1e+", &end));
  printf("%c %.17g\n", *end, strtod("-0", 0));
}

static int format(char *to, size_t size, const char *text, ...) {
  va_list list;
  va_start(list, text);
  int count = vsnprintf(to, size, text, list);
  va_end(list);
  return count;
}

static int all(char *to, const char *text, ...) {
  va_list list;
  va_start(list, text);
  int count = vsprintf(to, text, list);
  va_end(list);
  return count;
}

static int started;
__attribute__((constructor)) static void start(void) { started = 42; }

static int original(int x) { return x + started; }
static int other_name(int x) __attribute__((alias("original")));

static void jump(int which) {
  static void *const places[] = {&&first, &&second, &&third};
  goto *places[which];
first:
  printf("first ");
second:
  printf("second ");
third:
  printf("third ");
}

int main(void) {
  char buffer[32];
  texts();
  numbers();
  printf("%d ", format(buffer, 6, "%d-%s", 12, "abcdef"));
  printf("%s ", buffer);
  printf("%d ", all(buffer, "%x%c", 255, 'y'));
  printf("%s\n", buffer);
  void *aligned = 0;
  printf("%d ", posix_memalign(&aligned, 32, 10));
  printf("%d ", posix_memalign(&aligned, 3, 10));
  int *many = reallocarray(0, 3, sizeof *many);
  many[2] = 5;
  printf("%d %d\n", many[2], other_name(1));
  free(many);
  jump(0);
  jump(2);
  int i = 0;
  goto inside;
  while (i < 10) {
    i += 2;
  inside:
    i++;
  }
  printf("%d\n", i);
  __asm__ volatile("nop" : "+r"(i));
  return i;
}
