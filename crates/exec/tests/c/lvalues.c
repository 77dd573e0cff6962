/* Places of every kind, and effects inside them. */
#include <stdio.h>
#include <string.h>
struct S { int a[4]; struct { char c; int *p; } in; union { int i; char b[4]; } u; };
struct W { struct S s[2]; }; static struct W w; static int n; static int idx(void) { return n++ & 1; } static struct S *get(void) { n++; return &w.s[0]; } static struct S val(int k) { struct S s; memset(&s, 0, sizeof s); s.a[1] = k; s.u.i = k * 2; return s; }
static int arr[5] = {10, 20, 30, 40, 50}; static int *ap(void) { n++; return arr; }
static void many(void) { volatile int v = 3; v++; v += v; printf("%d\n", v); register int r = 4; r *= r; printf("%d\n", r); const volatile unsigned char cv = 200; printf("%d\n", cv + cv); }
int main(void) {
    w.s[idx()].a[idx()] = 5; printf("%d %d\n", w.s[0].a[1], n); get()->a[2] += 7; get()->a[2] *= 3; printf("%d %d\n", w.s[0].a[2], n); get()->u.b[1]++; printf("%d\n", w.s[0].u.i);
    ap()[1]++; ++ap()[1]; *ap() -= 3; printf("%d %d %d\n", arr[0], arr[1], n); int i = 0; arr[i++] = 100; arr[++i] = 200; printf("%d %d %d\n", arr[0], arr[2], i); int *p = arr; *p++ += 5; *++p = 7; printf("%d %d %d\n", arr[0], arr[2], (int)(p - arr)); 
    printf("%d %d\n", val(3).a[1], val(4).u.i); int x = 1, y = 2; *(x ? &x : &y) = 50; *(0 ? &x : &y) += 60; printf("%d %d\n", x, y);
    struct S s = w.s[0], *q = &s; (*q).in.p = &x; *q->in.p = 9; *(*q).in.p += 1; printf("%d\n", x); q->in.c = 'k'; char *c = &q->in.c; *c += 1; printf("%c\n", s.in.c); struct S t; (t = s).a[0]; t.a[3] = (s = t).a[2]; printf("%d\n", t.a[3]);
    int m[3][4]; for (int r = 0; r < 3; r++) for (int k = 0; k < 4; k++) m[r][k] = r * 10 + k; int (*row)[4] = &m[1]; (*row)[2] = -1; row++; (*row)[0]--; printf("%d %d %d\n", m[1][2], m[2][0], *(*(m + 2) + 3)); int (*whole)[3][4] = &m; printf("%d %d\n", (*whole)[1][1], (int)(sizeof *whole / sizeof **whole)); printf("%c %c\n", "hello"[1], *("world" + 2)); int *pi = &m[0][0]; pi[5] = 77; printf("%d\n", m[1][1]);
    p = &arr[4]; while (p > arr) { *p = *(p - 1); p--; } for (i = 0; i < 5; i++) printf("%d ", arr[i]); printf("\n"); char buf[8]; char *d = buf; const char *src = "abc"; while ((*d++ = *src++)) ; printf("%s %d\n", buf, (int)(d - buf)); int z = (x = y = 3, x + y); printf("%d\n", z); x = y = z = 0; printf("%d\n", x | y | z); unsigned char uc = 255; int big = (uc = 300) + 1; printf("%d %d\n", uc, big); short sh; long l = sh = 70000; printf("%ld\n", l);
    _Bool b; int bi = (b = 42); printf("%d\n", bi); float fl; double db = (fl = 0.1); printf("%.10f\n", db); int e = 1; e <<= 3; e |= 3; e &= ~1; e %= 7; e -= -e; printf("%d\n", e); unsigned u = 1; u <<= 31; u >>= 30; u ^= 5u; printf("%u\n", u); p = arr; p += 2; p -= 1; printf("%d\n", *p); long long ll = 1; ll <<= 40; ll /= 3; printf("%lld\n", ll); many(); char ch = 127; ch = ch + 1; printf("%d\n", ch); int *np = 0; printf("%d %d\n", np == 0, !np); int **pp = &p; (*pp)++; **pp = 1234; printf("%d\n", arr[2]); return 0;
}
