/* 128-bit integers, which only 64-bit targets have. */
#include <stdio.h>
typedef unsigned __int128 u128; typedef __int128 i128;
static void put(const char *n, u128 x) { printf("%s %016llx%016llx\n", n, (unsigned long long)(x >> 64), (unsigned long long)x); }
static u128 fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static u128 g = (u128)1 << 100; static i128 neg = -5;
struct W { char c; u128 v; } gw = {1, 7};
int main(void) {
    put("fact", fact(30)); u128 a = fact(25), b = 12345678901234567ULL; put("add", a + b); put("sub", b - a); put("mul", a * b); put("div", a / b); put("mod", a % b); put("shl", a << 37); put("shr", a >> 37); put("and", a & b << 60); put("not", ~a);
    i128 s = neg; put("neg", s); put("s*", s * 1000000007); put("s/", s * (i128)1e18 / 7); put("s>>", s >> 3); put("s%", s % 3); printf("%d %d %d\n", s < 0, s < a, a > b); s++; s--; s += 3; put("s+", s); g++; put("g", g); put("gw", gw.v); gw.v--; put("gw", gw.v);
    put("cast", (u128)(i128)(int)-1); put("ucast", (unsigned)-1); long long ll = (long long)(a >> 3); printf("%lld %d\n", ll, (int)a); double d = (double)((u128)1 << 90); printf("%g\n", d); u128 fd = 1e25; put("fd", fd); if (a) printf("true\n"); printf("%d\n", !s); u128 arr[3] = {1, a}; put("arr", arr[1] + arr[0] + arr[2]); switch ((int)(a % 7)) { case 0: printf("zero\n"); }
    for (u128 i = (u128)0xffffffffffffffffULL - 1; i < ((u128)1 << 64) + 2; i++) put("i", i); return 0;
}
