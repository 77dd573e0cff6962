/* More of <string.h>: what GNU and BSD have, and tokens. */

char *strtok_r(char *s, const char *set, char **rest)
{
  if (!s)
    s = *rest;
  s += strspn(s, set);
  char *end = s + strcspn(s, set);
  *rest = end;
  if (end == s)
    return 0;
  if (*end) {
    *end = 0;
    *rest = end + 1;
  }
  return s;
}

char *strsep(char **rest, const char *set)
{
  char *s = *rest;
  if (!s)
    return 0;
  size_t n = strcspn(s, set);
  *rest = s[n] ? s + n + 1 : 0;
  s[n] = 0;
  return s;
}

char *stpcpy(char *to, const char *from)
{
  size_t n = strlen(from);
  memcpy(to, from, n + 1);
  return to + n;
}

char *stpncpy(char *to, const char *from, size_t count)
{
  strncpy(to, from, count);
  return to + strnlen(from, count);
}

void *mempcpy(void *to, const void *from, size_t count)
{
  return (char *)memcpy(to, from, count) + count;
}

void *memccpy(void *to, const void *from, int c, size_t count)
{
  unsigned char *target = to;
  const unsigned char *source = from;
  for (size_t i = 0; i < count; i++) {
    target[i] = source[i];
    if (source[i] == (unsigned char)c)
      return target + i + 1;
  }
  return 0;
}

void bcopy(const void *from, void *to, size_t count)
{
  memmove(to, from, count);
}

void *memrchr(const void *s, int c, size_t count)
{
  const unsigned char *byte = s;
  while (count-- > 0)
    if (byte[count] == (unsigned char)c)
      return (void *)(byte + count);
  return 0;
}

void *rawmemchr(const void *s, int c)
{
  const unsigned char *byte = s;
  size_t i = 0;
  while (byte[i] != (unsigned char)c)
    i++;
  return (void *)(byte + i);
}

void *memmem(const void *s, size_t count, const void *part, size_t part_count)
{
  const unsigned char *byte = s, *wanted = part;
  for (size_t i = 0; i + part_count <= count; i++) {
    size_t n = 0;
    while (n < part_count && byte[i + n] == wanted[n])
      n++;
    if (n == part_count)
      return (void *)(byte + i);
  }
  return 0;
}

char *strchrnul(const char *s, int c)
{
  size_t i = 0;
  while (s[i] && s[i] != (char)c)
    i++;
  return (char *)(s + i);
}

char *strcasestr(const char *s, const char *part)
{
  for (size_t i = 0;; i++) {
    size_t n = 0;
    while (part[n] && lower((unsigned char)s[i + n]) == lower((unsigned char)part[n]))
      n++;
    if (!part[n])
      return (char *)(s + i);
    if (!s[i + n])
      return 0;
  }
}

/* In the "C" locale a text is its own key. */
size_t strxfrm(char *to, const char *from, size_t size)
{
  size_t n = strlen(from);
  if (n < size)
    memcpy(to, from, n + 1);
  else if (size > 0)
    $other();
  return n;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
  size_t n = strlen(from);
  if (size > 0) {
    size_t copied = n < size ? n : size - 1;
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return n;
}

size_t strlcat(char *to, const char *from, size_t size)
{
  size_t n = strnlen(to, size);
  if (n == size)
    return n + strlen(from);
  return n + strlcpy(to + n, from, size - n);
}
