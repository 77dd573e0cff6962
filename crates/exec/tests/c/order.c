/* Evaluation order that C fixes: sequence points, side effects in conditions, nested calls. */
#include <stdio.h>
static int log_[64], n;
static int f(int x) { log_[n++] = x; return x; }
static int g;
static int bump(void) { return ++g; }
static void show(const char *s) { printf("%s:", s); for (int i = 0; i < n; i++) printf(" %d", log_[i]); printf("\n"); n = 0; }
int main(void) {
    int a = f(0) && f(1); show("and"); a = f(1) && f(2); show("and"); printf("%d\n", a);
    a = f(0) || f(1); show("or"); a = f(3) || f(2); show("or"); printf("%d\n", a);
    a = f(1) ? f(2) : f(3); show("cond"); a = f(0) ? f(2) : f(3); show("cond"); printf("%d\n", a);
    a = (f(4), f(5), f(6)); show("comma"); printf("%d\n", a);
    a = f(0) ?: f(9); show("elvis"); a = f(8) ?: f(9); show("elvis"); printf("%d\n", a);
    if (f(0) || (f(1) && !f(0))) f(7); else f(8); show("if");
    while (f(n < 4) && f(2)) ; show("while");
    for (int i = f(0); f(i < 3); f(i++)) if (i == 1) continue; show("for");
    int x = 5, y; y = x++ * 2; printf("%d %d\n", x, y); y = ++x * 2; printf("%d %d\n", x, y);
    int arr[5] = {0, 1, 2, 3, 4}, i = 0; int *p = arr;
    y = *p++; printf("%d %d\n", y, (int)(p - arr)); y = *++p; printf("%d %d\n", y, (int)(p - arr)); y = (*p)++; printf("%d %d\n", y, *p); y = -- *p; printf("%d\n", y);
    *p++ = 70; *p-- = 80; printf("%d %d %d\n", arr[2], arr[3], (int)(p - arr));
    i = 1; arr[i] = 10, i = 2; printf("%d %d\n", arr[1], i);
    x = 1; x = (x = 5, x + 1); printf("%d\n", x);
    g = 0; a = bump() && bump() && bump(); printf("%d %d\n", a, g);
    a = (g = 10) && (g = 0) || (g = 7); printf("%d %d\n", a, g);
    int c = 0; (x > 100 && c++) || c--; printf("%d\n", c);
    x = 3; y = x > 2 ? x++ : x--; printf("%d %d\n", x, y);
    return 0;
}
