/* Variadic functions, lists passed on, copied lists. */
#include <stdarg.h>
#include <stdio.h>
struct P { int x, y; }; struct Q { double d; char name[20]; };
static int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n-- > 0) s += va_arg(ap, int); va_end(ap); return s; }
static double mix(const char *f, ...) { va_list ap; double r = 0; va_start(ap, f); for (; *f; f++) switch (*f) { case 'i': r += va_arg(ap, int); break; case 'd': r += va_arg(ap, double); break; case 'l': r += va_arg(ap, long long); break; case 's': { const char *s = va_arg(ap, char *); while (*s) r += *s++; break; } case 'p': { struct P p = va_arg(ap, struct P); r += p.x * 100 + p.y; break; } case 'q': r += va_arg(ap, struct Q).d; break; case 'u': r += va_arg(ap, unsigned); break; } va_end(ap); return r; }
static int vsum(int n, va_list ap) { int s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, int); return s; }
static int viaList(int n, ...) { va_list ap, aq; va_start(ap, n); va_copy(aq, ap); int a = vsum(n, ap); int b = vsum(n - 1, aq); va_end(aq); va_end(ap); return a * 100 + b; }
static void say(const char *f, ...) { va_list ap; va_start(ap, f); vprintf(f, ap); va_end(ap); }
static int rec(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); va_end(ap); return n == 0 ? x : rec(n - 1, x + n) + x; }
static int ptr(va_list *ap) { return va_arg(*ap, int); }
static int viaPtr(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n--) s = s * 10 + ptr(&ap); va_end(ap); return s; }
int main(void) {
    printf("%d %d %d\n", sum(0), sum(1, 5), sum(5, 1, 2, 3, 4, -5)); char c = 'x'; short s = -3; float f = 1.5f; struct P p = {3, 4}; struct Q q = {2.25, "quux"};
    printf("%g\n", mix("idlspqu", 1, 2.5, 3000000000LL, "ab", p, q, 4000000000u)); printf("%g\n", mix("iid", c, s, f)); printf("%d\n", viaList(4, 1, 2, 3, 4)); say("%d %s %c %g\n", 1, "two", '3', 4.0);
    printf("%d %d\n", rec(4, 1), sum(2, sum(2, 1, 2), sum(3, 1, 1, 1))); printf("%d\n", viaPtr(4, 1, 2, 3, 4)); int (*fp)(int, ...) = sum; printf("%d\n", fp(3, 1, 2, 3));
    printf("%5d|%-5d|%05d|%x|%X|%o|%c|%s|%10s|%-10s|%.2s|%%|%u|%ld|%lld|%hd|%hhd\n", 42, 42, 42, 255, 255, 8, 'c', "str", "right", "left", "trunc", 7u, 8L, 9LL, (short)-1, (signed char)-2);
    return 0;
}
