/* Functions on texts, on all pairs of some. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *texts[] = {"", "a", "b", "ab", "ba", "abc", "aab", "aaab", "ABC", "aBcD", "abcabd", "\xe4z", "Zz"};
static const char *numbers[] = {"", "0", "-0", "+7", " \t-42x", "0x1F", "0X", "0xg", "017", "089", "2147483647", "2147483648",
  "-2147483648", "-2147483649", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
  "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-1", "- 1", "+-1", "zz", "Zz9"};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static int sign(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
static long at(const char *found, const char *s) { return found ? (long)(found - s) : -1; }

static void pairs(void)
{
  for (unsigned i = 0; i < COUNT(texts); i++)
    for (unsigned j = 0; j < COUNT(texts); j++) {
      const char *a = texts[i], *b = texts[j];
      printf("%u %u: %d %d %ld %d %d %ld", i, j, sign(strcmp(a, b)), sign(strcasecmp(a, b)), at(strstr(a, b), a),
             (int)strspn(a, b), (int)strcspn(a, b), at(strpbrk(a, b), a));
      for (int n = 0; n < 4; n++) {
        char to[32] = "__";
        strncat(to, a, n);
        strcat(to, b);
        printf(" %d %d %s", sign(strncmp(a, b, n)), sign(strncasecmp(a, b, n)), to);
      }
      puts("");
    }
}

static void singles(void)
{
  static const char wanted[] = "abzB\0\xe4";
  for (unsigned i = 0; i < COUNT(texts); i++) {
    const char *s = texts[i];
    for (unsigned k = 0; k < sizeof wanted; k++)
      printf("%ld %ld %ld,", at(strchr(s, wanted[k]), s), at(strrchr(s, wanted[k]), s),
             at(memchr(s, wanted[k], strlen(s) + 1), s));
    char *copy = strdup(s), *part = strndup(s, 2), pad[6] = "......", swapped[8] = "";
    strncpy(pad, s, 5);
    swab(s, swapped, strlen(s));
    printf(" %d %d %s %s %s %d%d\n", (int)strnlen(s, 2), (int)strnlen(s, 9), copy, part, swapped, pad[4], pad[5]);
    free(copy);
    free(part);
  }
}

static void to_numbers(void)
{
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  for (unsigned i = 0; i < COUNT(numbers); i++)
    for (unsigned k = 0; k < COUNT(bases); k++) {
      const char *s = numbers[i];
      char *end;
      printf("%s in %d:", s, bases[k]);
#define PRINT(type, format, function)                       \
  do {                                                      \
    errno = 0;                                              \
    type value = function(s, &end, bases[k]);               \
    printf(format " %ld %d;", value, at(end, s), errno);    \
  } while (0)
      PRINT(long, " %ld", strtol);
      PRINT(unsigned long, " %lu", strtoul);
      PRINT(long long, " %lld", strtoll);
      PRINT(unsigned long long, " %llu", strtoull);
      puts("");
    }
  printf("%d %ld %lld\n", atoi("  12a"), atol("-2147483648"), atoll("-9223372036854775808"));
}

int main(void)
{
  pairs();
  singles();
  to_numbers();
  return 0;
}
