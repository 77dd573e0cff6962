/* Lifetimes: blocks, jumps between them, VLAs, compound literals, recursion with addresses. */
#include <stdio.h>
#include <alloca.h>
static int sum(const int *a, int n) { int s = 0; while (n-- > 0) s += *a++; return s; }
static int vlas(int n) { int t = 0; for (int i = 1; i <= n; i++) { int a[i]; for (int j = 0; j < i; j++) a[j] = j; t += sum(a, i); if (i % 3 == 0) continue; { int b[i][2]; b[i - 1][1] = i; t += b[i - 1][1]; if (i == 7) goto out; } } out: return t; }
static int typed(int n) { typedef int row[n]; row r, *pr = &r; n = 100; for (unsigned i = 0; i < sizeof r / sizeof *r; i++) (*pr)[i] = i; int (*m)[n] = alloca(sizeof(int[3][n])); m[2][1] = 5; pr++; return (int)((char *)pr - (char *)&r) + m[2][1] + (int)sizeof(*m); }
static int jump(int k) { int s = 0; for (int i = 0; i < 4; i++) { int a[2] = {i, k}; int *p = a; if (i == k) goto inner; if (0) { int b[3]; inner: b[0] = 100; b[1] = *p; s += b[0] + b[1]; } s += p[1]; { int c[1] = {s}; if (c[0] > 205) goto end; } } end: return s; }
static int *stash[3]; static int lits(void) { int s = 0; for (int i = 0; i < 3; i++) { int *p = (int[]){i, i * i, i * i * i}; p[0] += 10; stash[i] = p; s += sum(p, 3); } return s; }
static int rec(int n, int *prev) { int here = n; if (prev) *prev += here; if (n == 0) return here; int r = rec(n - 1, &here); return r + here; }
static int loop(void) { int count = 0; again: { int x[2] = {count, 1}; int *p = &x[1]; count += *p; if (count < 5) goto again; } return count; }
static int sw(int k) { int r = 0; switch (k) { case 0: { int a[2] = {1, 2}; r = a[1]; break; } case 1: for (r = 0; r < 30; r++) { int b[1]; b[0] = r; case 2: b[0] = 10; r += b[0]; if (r > 25) break; } break; default: { int c = k; int *p = &c; r = *p; } } return r; }
static int cond(int k) { int r = 0; while (k-- > 0) { int a = k, *p = &a; if (*p == 5) continue; if (*p == 2) break; r += *p; } do { int b = r, *p = &b; if (*p > 100) break; r *= 2; } while (r < 300); return r; }
static int stmt(int k) { int s = 0; for (int i = 0; i < k; i++) s += ({ int a[2] = {i, i + 1}; int r = 0; for (int j = 0; j < 2; j++) { if (a[j] == 3) continue; r += a[j]; } r; }); return s; }
static int early(int k) { for (int i = 0; i < 10; i++) { int v[3] = {i}; if (v[0] == k) return v[0] * 2; } return -1; }
static int shadow(int x) { int *p = &x; { int x = 5; int *q = &x; *p += *q; } return x; }
int main(void) { printf("%d %d %d\n", vlas(5), vlas(12), typed(4)); for (int k = 0; k < 6; k++) printf("%d ", jump(k)); printf("\n%d %d %d %d\n", lits(), rec(6, 0), loop(), shadow(3)); for (int k = 0; k < 5; k++) printf("%d ", sw(k)); printf("%d %d %d\n", cond(9), stmt(6), early(4)); return 0; }
