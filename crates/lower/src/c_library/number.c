/* Functions of <stdlib.h>, <strings.h> and <math.h> on numbers. */

double fma(double, double, double);
double trunc(double);
double copysign(double, double);
float truncf(float);
float copysignf(float, float);

int ffs(int x)
{
  return __builtin_ffs(x);
}

int ffsl(long x)
{
  return __builtin_ffsl(x);
}

int ffsll(long long x)
{
  return __builtin_ffsll(x);
}

int toascii(int c)
{
  return c & 127;
}

void div(int x, int y, int *to)
{
  to[0] = x / y;
  to[1] = x % y;
}

void ldiv(long x, long y, long *to)
{
  to[0] = x / y;
  to[1] = x % y;
}

void lldiv(long long x, long long y, long long *to)
{
  to[0] = x / y;
  to[1] = x % y;
}

double difftime(long late, long early)
{
  if (late < early)
    return -(double)((unsigned long)early - (unsigned long)late);
  return (unsigned long)late - (unsigned long)early;
}

union bits64 {
  double number;
  unsigned long long bits;
};

union bits32 {
  float number;
  unsigned bits;
};

double nan(const char *payload)
{
  if (*payload)
    $other();
  return __builtin_nan("");
}

float nanf(const char *payload)
{
  return nan(payload);
}

/* x * 2^n, rounded once: by exact steps, and far enough from the subnormal numbers before the last. */
double scalbln(double x, long n)
{
  for (int i = 0; i < 2 && n > 1023; i++, n -= 1023)
    x *= 0x1p1023;
  for (int i = 0; i < 2 && n < -1022; i++, n += 969)
    x *= 0x1p-969;
  n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
  union bits64 power = {0};
  power.bits = (unsigned long long)(n + 1023) << 52;
  return x * power.number;
}

double ldexp(double x, int n)
{
  return scalbln(x, n);
}

/* In a double the product is exact, or rounds to the same zero or infinity. */
float scalblnf(float x, long n)
{
  return scalbln(x, n);
}

float ldexpf(float x, int n)
{
  return scalbln(x, n);
}

double frexp(double x, int *exponent)
{
  union bits64 of = {x};
  int biased = of.bits >> 52 & 0x7ff;
  *exponent = 0;
  if (x == 0 || biased == 0x7ff)
    return x;
  if (!biased) {
    /* A subnormal number is made normal first. */
    of.number = x * 0x1p64;
    biased = (int)(of.bits >> 52 & 0x7ff) - 64;
  }
  *exponent = biased - 1022;
  of.bits = (of.bits & ~(0x7ffULL << 52)) | 1022ULL << 52;
  return of.number;
}

float frexpf(float x, int *exponent)
{
  return frexp(x, exponent);
}

double modf(double x, double *whole)
{
  double towards_zero = trunc(x);
  *whole = towards_zero;
  return copysign(towards_zero == x ? 0 : x - towards_zero, x);
}

float modff(float x, float *whole)
{
  float towards_zero = truncf(x);
  *whole = towards_zero;
  return copysignf(towards_zero == x ? 0 : x - towards_zero, x);
}

int ilogb(double x)
{
  union bits64 of = {x};
  unsigned long long fraction = of.bits << 12;
  int exponent = of.bits >> 52 & 0x7ff;
  if (exponent == 0x7ff && !fraction)
    return 0x7fffffff;
  if (exponent == 0x7ff || (!exponent && !fraction))
    return -0x7fffffff - 1;
  if (exponent)
    return exponent - 1023;
  return -1023 - __builtin_clzll(fraction);
}

int ilogbf(float x)
{
  return ilogb(x);
}

double logb(double x)
{
  if (x == 0)
    return -1 / (x * x);
  if (x - x != 0)
    return x * x;
  return ilogb(x);
}

float logbf(float x)
{
  return logb(x);
}

double nextafter(double x, double y)
{
  union bits64 of = {x};
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0) {
    of.bits = 1;
    return y < 0 ? -of.number : of.number;
  }
  if ((x < y) == (x > 0))
    of.bits++;
  else
    of.bits--;
  return of.number;
}

float nextafterf(float x, float y)
{
  union bits32 of = {x};
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0) {
    of.bits = 1;
    return y < 0 ? -of.number : of.number;
  }
  if ((x < y) == (x > 0))
    of.bits++;
  else
    of.bits--;
  return of.number;
}

/* A power that is a number of the format; every library gives that. */
double pow(double x, double y)
{
  if (y == 0 || x == 1)
    return 1;
  double positive = y < 0 ? -y : y;
  if (!(positive <= 1024))
    $other();
  int n = positive;
  if (n != positive || x - x != 0)
    $other();
  double power = 1;
  for (int i = 0; i < n; i++) {
    double next = power * x;
    if (next - next != 0 || fma(power, x, -next) != 0 || (x != 0 && next * next < 0x1p-1000))
      $other();
    power = next;
  }
  if (y > 0)
    return power;
  double inverse = 1 / power;
  if (power == 0 || fma(inverse, power, -1.0) != 0)
    $other();
  return inverse;
}

/* A decimal number of few digits: both it and the power of ten are exact, so that one operation
   rounds. */
double strtod(const char *text, char **end)
{
  const unsigned char *s = (const unsigned char *)text;
  size_t i = 0;
  while (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r'))
    i++;
  int is_negative = s[i] == '-';
  if (s[i] == '-' || s[i] == '+')
    i++;
  if (lower(s[i]) == 'i' || lower(s[i]) == 'n' || (s[i] == '0' && lower(s[i + 1]) == 'x'))
    $other();
  unsigned long long digits = 0;
  int exponent = 0, is_fraction = 0, is_number = 0;
  for (;; i++) {
    if (s[i] == '.' && !is_fraction) {
      is_fraction = 1;
      continue;
    }
    if (s[i] < '0' || s[i] > '9')
      break;
    is_number = 1;
    digits = digits * 10 + (s[i] - '0');
    exponent -= is_fraction;
    if (digits >= 1ULL << 53 || exponent < -22)
      $other();
  }
  if (!is_number) {
    if (end)
      *end = (char *)text;
    return 0;
  }
  if (lower(s[i]) == 'e') {
    size_t at = i + 1;
    int below = s[at] == '-';
    if (s[at] == '-' || s[at] == '+')
      at++;
    if (s[at] >= '0' && s[at] <= '9') {
      int given = 0;
      for (; s[at] >= '0' && s[at] <= '9'; at++) {
        given = given * 10 + (s[at] - '0');
        if (given > 1000)
          $other();
      }
      exponent += below ? -given : given;
      i = at;
    }
  }
  if (end)
    *end = (char *)text + i;
  double value = digits, power = 1;
  if (digits && (exponent < -22 || exponent > 22))
    $other();
  for (int k = exponent < 0 ? -exponent : exponent; digits && k > 0; k--)
    power *= 10;
  value = exponent < 0 ? value / power : value * power;
  return is_negative ? -value : value;
}

double atof(const char *s)
{
  return strtod(s, 0);
}
