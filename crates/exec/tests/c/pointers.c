/* Pointers, arrays, function pointers, VLAs, casts, string functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; } static int mul(int a, int b) { return a * b; }
typedef int (*op)(int, int); static op table[] = {add, &sub, mul}; static op pick(int i) { return table[i]; } static int apply(op f, int a, int b) { return f(a, b) + (*f)(a, b) + (**f)(a, b); }
static void inc(int *p) { ++*p; } static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } static int *maxp(int *a, int n) { int *m = a; for (int *p = a; p < a + n; p++) if (*p > *m) m = p; return m; }
static int vla(int n) { int a[n], b[n][n + 1], s = 0; for (int i = 0; i < n; i++) { a[i] = i; for (int j = 0; j <= n; j++) b[i][j] = i * j; } for (int i = 0; i < n; i++) s += a[i] + b[i][n]; return s * 1000 + (int)(sizeof a + sizeof b / sizeof b[0]); }
static int mat(int r, int c, int m[r][c]) { int s = 0; for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) s = s * 3 + m[i][j]; return s; }
struct L { int v; struct L *next; }; static struct L *push(struct L *l, int v) { struct L *n = malloc(sizeof *n); n->v = v; n->next = l; return n; } static struct L *rev(struct L *l) { struct L *r = NULL; while (l) { struct L *t = l->next; l->next = r; r = l; l = t; } return r; }
static int g = 3; static int *gp = &g; static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } static int even(int); static int odd(int n) { return n == 0 ? 0 : even(n - 1); } static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int main(void) {
    int a[5] = {3, 1, 4, 1, 5}; int *p = a, *q = a + 5; printf("%d %d %d\n", (int)(q - p), p[4], *(q - 2)); printf("%d %d %d\n", p < q, p == a, &a[2] - &a[4] < 0); inc(&a[1]); swap(a, a + 4); for (p = a; p != q; ++p) printf("%d ", *p); printf("%d\n", *maxp(a, 5)); printf("%d\n", 2[a]);
    printf("%d %d %d %d\n", pick(0)(7, 3), pick(1)(7, 3), table[2](7, 3), apply(sub, 9, 4)); op f = g > 2 ? add : sub; printf("%d %d\n", f(1, 2), f == add); *gp += 4; printf("%d %d\n", g, *gp); int **pp = &gp; **pp = 10; printf("%d\n", g);
    printf("%d %d\n", vla(3), vla(6)); int m[2][3] = {{1, 2, 0}, {2, 1, 1}}; printf("%d\n", mat(2, 3, m)); int (*row)[3] = m + 1; printf("%d %d\n", (*row)[0], row[-1][1]); int *flat = &m[0][0]; printf("%d\n", flat[2]);
    struct L *l = NULL; for (int i = 0; i < 6; i++) l = push(l, i * i); l = rev(l); int s = 0; for (struct L *t = l; t; t = t->next) s = s * 7 + t->v; printf("%d\n", s); while (l) { struct L *t = l->next; free(l); l = t; } printf("%d %d %d\n", fib(15), even(10), odd(7));
    char buf[32]; strcpy(buf, "hello"); strcat(buf, ", world"); printf("%s %d %d %d\n", buf, (int)strlen(buf), strcmp(buf, "hello") > 0, strncmp(buf, "help", 3)); printf("%s %d\n", strchr(buf, 'w'), strchr(buf, 'z') == NULL); memset(buf, '-', 3); memmove(buf + 1, buf, 6); printf("%s %d\n", buf, memcmp("abc", "abd", 3) < 0); strncpy(buf, "xy", 4); printf("%s %d\n", buf, buf[3]);
    int *h = calloc(4, sizeof(int)); h[2] = 5; h = realloc(h, 10 * sizeof(int)); h[9] = 1; printf("%d %d %d\n", h[0], h[2], h[9]); free(h); free(NULL); unsigned char *bytes = (unsigned char *)&g; printf("%d %d\n", bytes[0], bytes[3]); uintptr_t u = (uintptr_t)a; printf("%d %d\n", (int *)u == a, *(int *)(u + sizeof(int))); void *v = a; printf("%d\n", ((int *)v)[1]); char *cp = (char *)a; cp += sizeof(int); printf("%d\n", *(int *)cp);
    const char *strs[] = {"a", "bb", "ccc"}; size_t total = 0; for (const char **sp = strs; sp < strs + 3; sp++) total += strlen(*sp); printf("%d\n", (int)total); int x = 5; int *px = &x; int y = *&x + *&*px; printf("%d\n", y); long d = (char *)&a[3] - (char *)&a[0]; printf("%ld\n", d); short sh[4] = {1, 2, 3, 4}; uint64_t w; memcpy(&w, sh, 8); printf("%llx\n", (unsigned long long)w); printf("%d\n", !p == 0 && !!px); if (px) printf("px\n"); while (*cp) { cp++; break; }
    return 0;
}
