/* Layout: sizes, offsets, padding, packing, alignment, unions, raw bytes. */
#include <stdio.h>
#include <stddef.h>
#include <string.h>
struct A { char c; int i; char d; }; struct B { char c; double d; short s; }; struct C { long long l; char c; }; struct __attribute__((packed)) D { char c; int i; short s; }; struct E { char c; struct A a; char e[3]; }; union F { char c[5]; int i; short s; }; struct G { _Bool b; void *p; long double ld; }; struct H { char c; _Alignas(16) int x; }; struct I { int n; char tail[]; }; struct __attribute__((aligned(32))) J { int x; }; struct K { char a; long b; char c; long long d; float e; }; enum Small { X, Y }; struct L { enum Small e; char c; wchar_t w; };
struct Z { }; struct Y2 { int x; struct Z z; int y; };
#define S(t) printf("%s %d %d\n", #t, (int)sizeof(t), (int)_Alignof(t))
int main(void) {
    S(struct A); S(struct B); S(struct C); S(struct D); S(struct E); S(union F); S(struct G); S(struct H); S(struct I); S(struct J); S(struct K); S(struct L); S(struct Z); S(struct Y2); S(long double); S(long long); S(double); S(void *); S(int[7]); S(struct A[3]); S(_Bool); S(enum Small);
    printf("%d %d %d %d\n", (int)offsetof(struct B, s), (int)offsetof(struct D, s), (int)offsetof(struct E, e[1]), (int)offsetof(struct K, d)); struct D d = {1, 0x01020304, -2}; unsigned char raw[sizeof d]; memcpy(raw, &d, sizeof d); for (unsigned i = 0; i < sizeof d; i++) printf("%02x ", raw[i]); d.i++; int *unal = &d.i; printf("%d\n", *unal); struct A arr[2]; memset(arr, 0, sizeof arr); arr[1].i = -1; unsigned char *p = (unsigned char *)arr; for (unsigned i = 0; i < sizeof arr; i++) printf("%d", p[i] != 0); printf("\n");
    union F f; memset(&f, 0, sizeof f); f.i = 0x12345678; f.c[4] = 9; f.s++; printf("%x %d\n", f.i, f.c[4]); union F f2 = f; printf("%x %d\n", f2.i, f2.c[4]); long double a[2], b; a[1] = a[0]; b = a[1]; struct G g = {1, 0}; g.p = &g; struct G h = g; printf("%d %d\n", (int)sizeof(b), h.p == &g); struct J j[2]; printf("%d\n", (int)((char *)&j[1] - (char *)&j[0])); struct H hh = {1, 2}; struct H hc = hh; printf("%d %d\n", hc.c, hc.x); return 0;
}
