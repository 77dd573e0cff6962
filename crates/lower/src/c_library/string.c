/* Functions of <string.h>, <strings.h> and <stdlib.h> on texts. Each is lowered for one call and
   stands in its place, see c_library.rs. `$any` is any number: of how two texts compare, C fixes
   the sign alone. `$other` is what is not modelled: a run ends there. */

typedef unsigned long size_t;

void *malloc(size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int $any(void);
void $other(void);

static int ordered(int x, int y)
{
  int any = $any();
  if (x < y)
    return any < 0 ? any : -1;
  return any > 0 ? any : 1;
}

static int lower(int c)
{
  return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

size_t strlen(const char *s)
{
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t strnlen(const char *s, size_t most)
{
  size_t n = 0;
  while (n < most && s[n])
    n++;
  return n;
}

int strncmp(const char *a, const char *b, size_t most)
{
  for (size_t i = 0; i < most; i++) {
    int x = (unsigned char)a[i], y = (unsigned char)b[i];
    if (x != y)
      return ordered(x, y);
    if (!x)
      return 0;
  }
  return 0;
}

int strcmp(const char *a, const char *b)
{
  return strncmp(a, b, -1);
}

int strncasecmp(const char *a, const char *b, size_t most)
{
  for (size_t i = 0; i < most; i++) {
    int x = lower((unsigned char)a[i]), y = lower((unsigned char)b[i]);
    if (x != y)
      return ordered(x, y);
    if (!x)
      return 0;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b)
{
  return strncasecmp(a, b, -1);
}

char *strcpy(char *to, const char *from)
{
  return memcpy(to, from, strlen(from) + 1);
}

char *strncpy(char *to, const char *from, size_t count)
{
  size_t n = strnlen(from, count);
  memcpy(to, from, n);
  memset(to + n, 0, count - n);
  return to;
}

char *strncat(char *to, const char *from, size_t most)
{
  char *end = to + strlen(to);
  size_t n = strnlen(from, most);
  memcpy(end, from, n);
  end[n] = 0;
  return to;
}

char *strcat(char *to, const char *from)
{
  memcpy(to + strlen(to), from, strlen(from) + 1);
  return to;
}

char *strndup(const char *s, size_t most)
{
  size_t n = strnlen(s, most);
  char *new = malloc(n + 1);
  if (!new)
    return 0;
  memcpy(new, s, n);
  new[n] = 0;
  return new;
}

char *strdup(const char *s)
{
  return strndup(s, -1);
}

void *memchr(const void *s, int c, size_t count)
{
  const unsigned char *byte = s;
  for (size_t i = 0; i < count; i++)
    if (byte[i] == (unsigned char)c)
      return (void *)(byte + i);
  return 0;
}

char *strchr(const char *s, int c)
{
  for (size_t i = 0;; i++) {
    if (s[i] == (char)c)
      return (char *)(s + i);
    if (!s[i])
      return 0;
  }
}

char *strrchr(const char *s, int c)
{
  char *last = 0;
  for (size_t i = 0;; i++) {
    if (s[i] == (char)c)
      last = (char *)(s + i);
    if (!s[i])
      return last;
  }
}

char *strstr(const char *s, const char *part)
{
  for (size_t i = 0;; i++) {
    size_t n = 0;
    while (part[n] && s[i + n] == part[n])
      n++;
    if (!part[n])
      return (char *)(s + i);
    if (!s[i + n])
      return 0;
  }
}

static int is_among(char c, const char *set)
{
  size_t i = 0;
  while (set[i] && set[i] != c)
    i++;
  return set[i] != 0;
}

size_t strspn(const char *s, const char *set)
{
  size_t n = 0;
  while (s[n] && is_among(s[n], set))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *set)
{
  size_t n = 0;
  while (s[n] && !is_among(s[n], set))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *set)
{
  size_t n = strcspn(s, set);
  return s[n] ? (char *)(s + n) : 0;
}

void swab(const void *from, void *to, long count)
{
  const unsigned char *source = from;
  unsigned char *target = to;
  for (long i = 0; i + 1 < count; i += 2) {
    unsigned char first = source[i], second = source[i + 1];
    target[i] = second;
    target[i + 1] = first;
  }
}

static int digit(int c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 36;
}

/* The number at the start of a text in so many bits, cut off at the ends of their range, which
   `error` is told: unless the number must fit. */
static unsigned long long number(const char *text, char **end, int base, int *error, int bits,
                                 int is_signed, int must_fit)
{
  const unsigned char *s = (const unsigned char *)text;
  size_t i = 0;
  if (base < 0 || base == 1 || base > 36)
    __builtin_unreachable();
  while (s[i] == ' ' || (s[i] >= '\t' && s[i] <= '\r'))
    i++;
  int is_negative = s[i] == '-';
  if (s[i] == '-' || s[i] == '+')
    i++;
  int is_hex = s[i] == '0' && lower(s[i + 1]) == 'x' && digit(s[i + 2]) < 16;
  if (base == 0)
    base = is_hex ? 16 : s[i] == '0' ? 8 : 10;
  if (base == 16 && is_hex)
    i += 2;
  unsigned long long most = bits == 64 ? -1ULL : (1ULL << 32) - 1;
  if (is_signed)
    most = (most >> 1) + is_negative;
  unsigned long long value = 0;
  int is_large = 0;
  size_t first = i;
  for (; digit(s[i]) < base; i++) {
    unsigned long long next = digit(s[i]);
    if (is_large || value > (most - next) / base)
      is_large = 1;
    else
      value = value * base + next;
  }
  if (end)
    *end = (char *)(i > first ? text + i : text);
  if (is_large) {
    if (must_fit)
      __builtin_unreachable();
    if (error)
      *error = 34;
    if (!is_signed)
      return most;
    value = most;
  }
  return is_negative ? -value : value;
}

int atoi(const char *s)
{
  return number(s, 0, 10, 0, 32, 1, 1);
}

long atol(const char *s)
{
  return number(s, 0, 10, 0, 8 * sizeof(long), 1, 1);
}

long long atoll(const char *s)
{
  return number(s, 0, 10, 0, 64, 1, 1);
}

long strtol(const char *s, char **end, int base, int *error)
{
  return number(s, end, base, error, 8 * sizeof(long), 1, 0);
}

long long strtoll(const char *s, char **end, int base, int *error)
{
  return number(s, end, base, error, 64, 1, 0);
}

unsigned long strtoul(const char *s, char **end, int base, int *error)
{
  return number(s, end, base, error, 8 * sizeof(long), 0, 0);
}

unsigned long long strtoull(const char *s, char **end, int base, int *error)
{
  return number(s, end, base, error, 64, 0, 0);
}
