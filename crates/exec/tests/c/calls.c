/* Calls: old-style definitions, function pointers of all kinds, records through pointers. */
#include <stdio.h>
#include <stdlib.h>
struct P { int x, y; };
struct V { double d[4]; char c; };
struct Ops { int (*bin)(int, int); struct P (*mk)(int); void (*each)(struct P *, int, void (*)(struct P *)); const char *name; };
static int add(int a, int b) { return a + b; }
static struct P mk(int k) { return (struct P){k, -k}; }
static void twice(struct P *p) { p->x *= 2; p->y *= 2; }
static void each(struct P *p, int n, void (*f)(struct P *)) { while (n--) f(p++); }
static const struct Ops ops = {.bin = add, .mk = mk, .each = each, .name = "ops"};
static double total(struct V v, int n) { double s = v.c; for (int i = 0; i < n; i++) s += v.d[i]; v.d[0] = -1; return s; }
static struct V scale(struct V v, double k) { for (int i = 0; i < 4; i++) v.d[i] *= k; return v; }
static double (*totals[2])(struct V, int) = {total, total};
static struct V (*scaler)(struct V, double) = scale;
int old(a, b, c, f) int a; char b; short c; float f; { return a + b * 10 + c * 100 + (int)(f * 4); }
int noproto();
static int (*choose(int k))(int, int) { static int calls; calls += k; return calls > 3 ? 0 : add; }
static int sub(int a, int b) { return a - b; }
typedef int binop(int, int);
static binop *const table[] = {add, sub};
static int fold(binop *f, const int *a, int n, int acc) { return n ? fold(f, a + 1, n - 1, f(acc, *a)) : acc; }
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void sort(void *base, int n, int size, int (*c)(const void *, const void *)) { char *b = base; for (int i = 1; i < n; i++) for (int j = i; j > 0 && c(b + j * size, b + (j - 1) * size) < 0; j--) for (int k = 0; k < size; k++) { char t = b[j * size + k]; b[j * size + k] = b[(j - 1) * size + k]; b[(j - 1) * size + k] = t; } }
static void nothing(void) {}
static void *ident(void *p) { return p; }
static int depth(int n) { int local[4] = {n, n + 1}; if (n == 0) return 0; int r = depth(n - 1); return r + local[1] - local[0]; }
static inline int inl(int x) { return x << 1; }
static struct P chain(struct P p) { p.x++; return p; }
static int sum3(const int m[][3], int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s += m[i][j]; return s; }
static char first(char s[static 1]) { return s[0]; }
int main(void) {
    struct P ps[3] = {{1, 2}, {3, 4}, {5, 6}};
    ops.each(ps, 3, twice); printf("%d %d %d %s\n", ps[0].x, ps[2].y, ops.bin(3, 4), ops.name);
    printf("%d %d\n", ops.mk(5).y, (*ops.mk)(6).x); const struct Ops *o = &ops; printf("%d\n", o->mk(o->bin(1, 1)).x);
    struct V v = {{1, 2, 3, 4}, 5}; printf("%g %g %g\n", total(v, 4), totals[1](v, 2), v.d[0]); printf("%g\n", total(scaler(scale(v, 2), 0.5), 4));
    printf("%d\n", old(1, 300, 70000, 2.5)); printf("%d\n", noproto(3, 4)); int (*f)(int, int) = choose(1); printf("%d %d\n", f(1, 2), choose(5) == 0);
    int a[] = {5, 2, 9, 1}; printf("%d %d\n", fold(table[0], a, 4, 0), fold(table[1], a, 4, 100)); sort(a, 4, sizeof *a, cmp); printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    void (*n)(void) = nothing; n(); (**n)(); (&nothing)(); printf("%d\n", n == nothing && &nothing == nothing); int x = 7; printf("%d %d\n", *(int *)ident(&x), depth(50)); printf("%d\n", inl(inl(3)));
    printf("%d\n", chain(chain(chain(ps[1]))).x); static const int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; printf("%d %c\n", sum3(m, 2), first("zed")); binop *g = x > 5 ? sub : add; printf("%d\n", g(1, 2)); printf("%d\n", (x ? add : sub)(10, 4)); void *raw = (void *)add; printf("%d\n", ((binop *)raw)(8, 9));
    struct { binop *f; int k; } cl[] = {{add, 1}, {sub, 2}}; int acc = 0; for (int i = 0; i < 2; i++) acc = cl[i].f(acc, cl[i].k); printf("%d\n", acc); (void)ident(0); printf("%d\n", abs(-4) + (int)labs(-5L)); return 0;
}
int noproto(int a, int b) { return a * b; }
