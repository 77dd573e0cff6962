/* Bit-fields: layout, signs, truncation, values of assignments. */
#include <stdio.h>
#include <string.h>
struct A { int a : 3; unsigned b : 5; int c : 9; unsigned d : 1; signed e : 14; unsigned f : 32; };
struct B { unsigned char a : 4, b : 4; unsigned short c : 9; int : 0; int d : 7; _Bool e : 1; long long f : 40; unsigned long long g : 24; };
struct C { int x : 31; int : 3; int y : 2; unsigned z : 30; char tail; };
struct __attribute__((packed)) D { char c; int a : 17; unsigned b : 23; short s; long long w : 61; };
union U { unsigned all; struct { unsigned lo : 12, mid : 8, hi : 12; } p; };
static void dump(const char *name, void *p, int n) {
    unsigned char *q = p; printf("%s:", name);
    for (int i = 0; i < n; i++) printf(" %02x", q[i]);
    printf("\n");
}
static struct A ga = {.a = -1, .b = 31, .c = -200, .d = 1, .e = 5000, .f = 0xdeadbeef};
static struct B gb = {1, 2, 300, -5, 1, -123456789LL, 0xabcdef};
static struct D gd = {'x', -60000, 0x7fffff, -2, -1000000000000LL};
int main(void) {
    struct A a; memset(&a, 0xff, sizeof a);
    a.a = 5; printf("%d\n", a.a); a.b = 33; printf("%d\n", a.b);
    int v = (a.c = 300); printf("%d %d\n", v, a.c);
    v = (a.d = 3); printf("%d\n", v); v = (a.e = -8193); printf("%d %d\n", v, a.e);
    unsigned w = (a.f = -1); printf("%u\n", w);
    a.a++; printf("%d\n", a.a); a.a--; a.a--; printf("%d\n", a.a--); 
    printf("%d\n", a.a); printf("%d\n", ++a.b); printf("%d\n", a.b++); a.b += 100; printf("%d\n", a.b); a.c |= 8; printf("%d\n", a.c);
    a.e *= -3; printf("%d\n", a.e); a.d ^= 1; printf("%d\n", a.d); a.f /= 3; printf("%u\n", a.f);
    dump("a", &a, sizeof a); dump("ga", &ga, sizeof ga); dump("gb", &gb, sizeof gb); dump("gd", &gd, sizeof gd);
    printf("%d %d %d %d %d %u\n", ga.a, ga.b, ga.c, ga.d, ga.e, ga.f);
    printf("%d %d %d %d %d %lld %d\n", gb.a, gb.b, gb.c, gb.d, gb.e, (long long)gb.f, (int)gb.g);
    printf("%d %d %d %lld\n", gd.a, gd.b, gd.s, (long long)gd.w);
    gb.f -= 7; gb.g += 1; gb.e = 4; gb.d = 77; gb.c = gb.c * 2; dump("gb", &gb, sizeof gb);
    gd.w = gd.w * 3; gd.a += 5; gd.b = ~gd.b; dump("gd", &gd, sizeof gd);
    struct C c = {0}; c.x = -1; c.y = -2; c.z = 0x3fffffff; c.tail = 7; dump("c", &c, sizeof c);
    printf("%d %d %d %d\n", c.x, c.y, c.z, (int)sizeof c);
    union U u; u.all = 0x12345678; printf("%x %x %x\n", u.p.lo, u.p.mid, u.p.hi); u.p.mid = 0xfff; printf("%x\n", u.all);
    struct A *p = &ga; p->c = p->c + 1; printf("%d\n", p->c); printf("%d\n", p->b < -1);
    printf("%d %d\n", (int)sizeof(struct A), (int)sizeof(struct B));
    struct A loc = {1, 2, 3, 1, -4, 5}; printf("%d %d %d %d %d %u\n", loc.a, loc.b, loc.c, loc.d, loc.e, loc.f);
    struct { _Bool b : 1; unsigned r : 7; } bb; memset(&bb, 0, 1); bb.b = 2; bb.r = 200; dump("bb", &bb, 1); bb.b = 0; bb.r++; dump("bb", &bb, 1);
    struct { enum { X, Y, Z } e : 2; signed s : 1; } ee = {Z, -1}; printf("%d %d\n", ee.e, ee.s);
    if (ga.d) printf("d\n"); while (ga.b-- > 29) printf("b%d\n", ga.b);
    return 0;
}
