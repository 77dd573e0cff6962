/* Records by value: parameters, results, assignment, nesting, arrays in records, unions. */
#include <stdio.h>
struct P { int x, y; };
struct S { char c; struct P p; double d; short a[3]; };
struct Big { int v[50]; };
struct E1 { char c; };
union V { int i; unsigned char b[4]; struct { short lo, hi; } h; float f; };
static struct P mk(int x, int y) { struct P p = {x, y}; return p; }
static struct P add(struct P a, struct P b) { a.x += b.x; a.y += b.y; return a; }
static struct S mks(int k) { struct S s = {.c = k, .p = mk(k, k + 1), .d = k / 2.0, .a = {k, k * 2, k * 3}}; return s; }
static int sum(struct Big b) { int s = 0; for (int i = 0; i < 50; i++) { s += b.v[i]; b.v[i] = 0; } return s; }
static struct Big fill(int k) { struct Big b; for (int i = 0; i < 50; i++) b.v[i] = i * k; return b; }
static struct E1 e1(struct E1 e) { e.c++; return e; }
static struct P glob = {7, 8};
static struct P swap(struct P *p) { struct P r = *p; int t = p->x; p->x = p->y; p->y = t; return r; }
static struct P rec(int n) { if (n == 0) return mk(0, 1); struct P q = rec(n - 1); return mk(q.y, q.x + q.y); }
int main(void) {
    struct P a = mk(1, 2), b = add(a, mk(10, 20)); printf("%d %d %d %d\n", a.x, a.y, b.x, b.y);
    b = add(b, b); printf("%d %d\n", b.x, b.y); a = b = mk(3, 4); printf("%d %d %d %d\n", a.x, a.y, b.x, b.y);
    printf("%d %d\n", add(mk(1, 1), add(mk(2, 2), mk(3, 3))).y, mk(5, 6).x);
    struct S s = mks(5), t; t = s; t.p.x = 99; t.a[1] = -1; printf("%d %d %d %g %d %d %d\n", s.c, s.p.x, s.p.y, s.d, s.a[0], s.a[1], s.a[2]);
    printf("%d %d %d\n", t.p.x, t.a[1], mks(7).a[2]);
    struct Big big = fill(2); printf("%d %d\n", sum(big), sum(big)); big = fill(3); printf("%d\n", sum(big)); printf("%d\n", sum(fill(1)));
    struct E1 e = {'a'}; printf("%c\n", e1(e1(e)).c);
    struct P *q = &glob; struct P old = swap(q); printf("%d %d %d %d\n", old.x, old.y, glob.x, glob.y); glob = swap(&glob); printf("%d %d\n", glob.x, glob.y);
    *q = *q; printf("%d\n", q->x); struct P arr[3] = {{1, 2}, {3, 4}, {5, 6}}; arr[0] = arr[2]; arr[2] = mk(-1, -2); printf("%d %d %d\n", arr[0].x, arr[1].y, arr[2].y);
    union V v; v.i = 0x01020304; printf("%d %d %d %x\n", v.b[0], v.b[3], v.h.lo, v.h.hi); v.b[1] = 0xff; printf("%x\n", v.i); v.f = 1.0f; printf("%x\n", v.i);
    union V w = v; w.h.hi = 0; printf("%x %x\n", w.i, v.i);
    printf("%d\n", (1 ? a : b).x); struct P z = a.x > 2 ? mk(8, 9) : b; printf("%d\n", z.y); z = (b = a, mk(b.x, 1)); printf("%d %d\n", z.x, z.y);
    printf("%d %d\n", rec(10).x, rec(20).y);
    struct { struct { int in[2][3]; } n; int t; } nest = {{{{1, 2, 3}, {4, 5, 6}}}, 7}; int (*row)[3] = nest.n.in; printf("%d %d %d\n", row[1][2], *row[1], nest.t); 
    struct { int a; union { int b; char c[4]; }; struct { int d; }; } an = {1, {2}, {3}}; an.c[1] = 1; printf("%d %d %d\n", an.a, an.b, an.d);
    struct Flex { int n; int data[]; } *fl; char buf[sizeof(struct Flex) + 3 * sizeof(int)] __attribute__((aligned(8))); fl = (struct Flex *)buf; fl->n = 3; for (int i = 0; i < 3; i++) fl->data[i] = i * i; printf("%d %d\n", fl->data[2], (int)sizeof(struct Flex));
    struct P copy = ({ struct P tmp = {41, 42}; tmp.x++; tmp; }); printf("%d %d\n", copy.x, copy.y);
    struct P cl = *&(struct P){6, 7}; cl.y += (struct P){1, 2}.y; printf("%d %d\n", cl.x, cl.y);
    return 0;
}
