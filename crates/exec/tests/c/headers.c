/* What standard headers expand to: character classes, errno, limits, bool, integer formats. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int hash(int (*f)(int)) { unsigned h = 7; for (int c = -1; c < 256; c++) h = h * 31 + !!f(c); return h; }
int main(void) {
    unsigned h = 1;
    for (int c = -1; c < 256; c++) h = h * 33 + (!!isalpha(c) | !!isdigit(c) << 1 | !!isspace(c) << 2 | !!isupper(c) << 3 | !!islower(c) << 4 | !!isalnum(c) << 5 | !!ispunct(c) << 6 | !!isprint(c) << 7 | !!isgraph(c) << 8 | !!iscntrl(c) << 9 | !!isxdigit(c) << 10 | !!isblank(c) << 11);
    printf("%u\n", h);
    for (int c = 0; c < 256; c++) h = h * 33 + toupper(c) + tolower(c) * 7;
    printf("%u\n", h);
    printf("%d %d %d\n", hash(isdigit), hash(isspace), hash(ispunct));
    char s[] = "Hello, World 42!"; for (char *p = s; *p; p++) *p = isupper((unsigned char)*p) ? tolower(*p) : toupper(*p); puts(s);
    errno = 0; if (errno == 0) errno = ERANGE; printf("%d\n", errno == ERANGE);
    bool b = INT_MAX; printf("%d %d\n", b, true + true); printf("%" PRId64 " %" PRIu32 " %" PRIx64 "\n", INT64_MIN, UINT32_MAX, UINT64_C(0xabcdef0123)); printf("%d %ld %u %d\n", CHAR_MIN, LONG_MAX, UINT_MAX, SHRT_MIN); printf("%d %d\n", EXIT_SUCCESS, (int)sizeof(size_t) == (int)sizeof(void *)); return EXIT_SUCCESS;
}
