/* GNU extensions: statement expressions, typeof, builtins, ranges, labels, attributes. */
#include <stdio.h>
#define max(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
static int calls; static int next(void) { return ++calls; }
static int stmt(int x) { return ({ int s = 0; for (int i = 0; i < x; i++) s += i; s; }) + ({ int t = x; t *= 2; t; }); }
static int early(int x) { int y = ({ if (x > 5) return -1; x * 2; }); return y; }
static int nest(void) { int a[4] = {1, 2, 3, 4}; return ({ int b[2] = {a[1], a[2]}; ({ int c[1] = {b[0] + b[1]}; c[0] * 2; }) + b[1]; }); }
__attribute__((noreturn)) static void die(void) { __builtin_trap(); }
static int safe(int x) { if (x > 1000) die(); if (x > 999) __builtin_unreachable(); return x; }
static inline int old(a, b) int a; char b; { return a * 10 + b; }
int main(void) {
    printf("%d\n", max(next(), 0)); printf("%d\n", calls); printf("%d %d\n", stmt(5), early(3)); printf("%d %d\n", early(6), nest()); int r; unsigned u; long l; signed char sc; unsigned char uc; long long ll; unsigned long long ull;
    printf("%d ", __builtin_add_overflow(2147483647, 1, &r)); printf("%d ", r); printf("%d ", __builtin_sub_overflow(1, 2, &u)); printf("%u ", u); printf("%d ", __builtin_mul_overflow(100000, 100000, &r)); printf("%d\n", r);
    printf("%d ", __builtin_add_overflow(100, 27, &sc)); printf("%d ", sc); printf("%d ", __builtin_add_overflow(100, 28, &sc)); printf("%d ", sc); printf("%d ", __builtin_mul_overflow(-1, 5u, &uc)); printf("%d\n", uc);
    printf("%d ", __builtin_mul_overflow(0xffffffffffffffffULL, 2ULL, &ull)); printf("%llx ", ull); printf("%d ", __builtin_mul_overflow(0xffffffffffffffffULL, 0xffffffffffffffffULL, &ll)); printf("%lld ", ll); printf("%d ", __builtin_add_overflow(-1LL, 1ULL, &u)); printf("%u ", u); printf("%d ", __builtin_sub_overflow(5u, 6u, &l)); printf("%ld\n", l);
    printf("%d %d %d %d %d\n", __builtin_popcount(0xf0f1), __builtin_clz(1), __builtin_ctz(8), __builtin_ffs(0), __builtin_ffs(12)); printf("%d %d %x %llx\n", __builtin_parity(7), __builtin_popcountll(~0ULL), __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(0x1122334455667788ULL)); printf("%d %d\n", __builtin_clzll(1), __builtin_ctzll(1ULL << 40));
    if (__builtin_expect(calls > 0, 1)) printf("likely %d\n", safe(7)); int arr[] = {[0 ... 3] = 5, [5] = 1}; printf("%d %d %d\n", arr[3], arr[4], (int)__builtin_offsetof(struct { char c; int i; }, i)); printf("%d\n", old(4, 300)); printf("%d\n", __builtin_constant_p(3) + __builtin_choose_expr(1, 10, "x")); __auto_type z = 3LL; printf("%d\n", (int)sizeof z); const char *fn = __func__; printf("%s\n", fn); printf("%d\n", __builtin_types_compatible_p(int, signed)); int k = 0; k = ({ lab: if (++k < 3) goto lab; k; }); printf("%d\n", k); printf("%d\n", _Generic(1.0f, float: 1, double: 2, default: 3)); _Static_assert(sizeof(char) == 1, "c"); printf("%d\n", (int)_Alignof(double) > 0); int v = 1; v = v ?: 7; printf("%d\n", v); printf("%d\n", 0b1011); 
    return 0;
}
