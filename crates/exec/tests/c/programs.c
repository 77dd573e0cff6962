/* Whole small programs: sorting, primes, matrices, hashing, string processing, state machines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void qs(int *a, int lo, int hi) { if (lo >= hi) return; int p = a[(lo + hi) / 2], i = lo, j = hi; while (i <= j) { while (a[i] < p) i++; while (a[j] > p) j--; if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; } } qs(a, lo, j); qs(a, i, hi); }
static unsigned seed = 12345; static unsigned rnd(void) { return seed = seed * 1103515245u + 12345u; }
static unsigned crc(const char *s) { unsigned c = ~0u; while (*s) { c ^= (unsigned char)*s++; for (int i = 0; i < 8; i++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1; } return ~c; }
static unsigned long long fnv(const void *p, size_t n) { const unsigned char *b = p; unsigned long long h = 14695981039346656037ULL; while (n--) { h ^= *b++; h *= 1099511628211ULL; } return h; }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int queens(int n, int row, unsigned cols, unsigned d1, unsigned d2) { if (row == n) return 1; int c = 0; for (int i = 0; i < n; i++) { unsigned a = 1u << i, b = 1u << (row + i), d = 1u << (row - i + n); if (cols & a || d1 & b || d2 & d) continue; c += queens(n, row + 1, cols | a, d1 | b, d2 | d); } return c; }
static void hanoi(int n, int a, int b, int c, int *moves) { if (n) { hanoi(n - 1, a, c, b, moves); ++*moves; hanoi(n - 1, c, b, a, moves); } }
struct T { int k; struct T *l, *r; }; static struct T *ins(struct T *t, int k) { if (!t) { t = malloc(sizeof *t); t->k = k; t->l = t->r = 0; } else if (k < t->k) t->l = ins(t->l, k); else if (k > t->k) t->r = ins(t->r, k); return t; } static int depth(struct T *t) { if (!t) return 0; int a = depth(t->l), b = depth(t->r); return 1 + (a > b ? a : b); } static void walk(struct T *t, long *h) { if (t) { walk(t->l, h); *h = (*h * 31 + t->k) % 1000003; walk(t->r, h); } }
static int words(const char *s) { enum { OUT, IN } st = OUT; int n = 0; for (; *s; s++) { if (*s == ' ' || *s == '\n') st = OUT; else if (st == OUT) { st = IN; n++; } } return n; }
static char *itoa_(int v, char *buf) { char tmp[12]; int n = 0, neg = v < 0; unsigned u = neg ? 0u - v : v; do tmp[n++] = '0' + u % 10; while (u /= 10); if (neg) tmp[n++] = '-'; for (int i = 0; i < n; i++) buf[i] = tmp[n - 1 - i]; buf[n] = 0; return buf; }
static int collatz(long long n) { int c = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; c++; } return c; }
int main(void) {
    int a[50]; for (int i = 0; i < 50; i++) a[i] = rnd() >> 16 & 1023; qs(a, 0, 49); int ok = 1; for (int i = 1; i < 50; i++) ok &= a[i - 1] <= a[i]; printf("%d %d %d\n", ok, a[0], a[49]); char sieve[200]; memset(sieve, 1, sizeof sieve); int primes = 0; for (int i = 2; i < 200; i++) if (sieve[i]) { primes++; for (int j = i * i; j < 200; j += i) sieve[j] = 0; } printf("%d\n", primes);
    double m[3][3] = {{2, 0, 1}, {1, 3, 2}, {1, 1, 1}}, r[3][3] = {{0}}; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) r[i][j] += m[i][k] * m[k][j]; for (int i = 0; i < 3; i++) printf("%g %g %g\n", r[i][0], r[i][1], r[i][2]); printf("%08x %016llx\n", crc("The quick brown fox"), fnv("abc", 3)); printf("%d %d\n", ack(2, 3), queens(6, 0, 0, 0, 0)); int mv = 0; hanoi(6, 1, 2, 3, &mv); printf("%d\n", mv);
    struct T *t = 0; for (int i = 0; i < 100; i++) t = ins(t, rnd() >> 20); long h = 7; walk(t, &h); printf("%d %ld\n", depth(t), h); printf("%d\n", words("  the cat sat\non the   mat ")); char buf[16]; printf("%s %s %s\n", itoa_(0, buf), itoa_(-2147483647 - 1, (char[16]){0}), itoa_(987, (char[16]){0})); int best = 0; for (int i = 1; i < 300; i++) if (collatz(i) > collatz(best ? best : 1)) best = i; printf("%d %d\n", best, collatz(best)); puts("done"); putchar('!'); putchar('\n'); fprintf(stdout, "%d\n", 7); fprintf(stderr, "ignored %d\n", 8);
    exit(3);
}
