/* Initialisers: designated, nested, partial, strings, static addresses, compound literals. */
#include <stdio.h>
#include <string.h>
struct P { int x, y; };
struct N { char name[8]; int v[4]; struct P p[2]; const char *s; struct N *next; };
static int ga[10] = {[2] = 5, 6, [7] = 9, [0] = 1};
static int gb[] = {1, 2, 3, [6] = 7};
static struct N n1 = {"abc", {1, 2}, {{.y = 3}, {4}}, "hello", 0};
static struct N n2 = {.next = &n1, .p[1].y = 8, .v = {[3] = 4}, .name = {'q', 0}, .s = "wor" "ld"};
static int *pa = &ga[3], **ppa = &pa; static int *end = ga + 10; static char *str = "text" + 1; static char arr[] = "array";
static int (*fp)(const char *, ...) = printf; static const char *const names[] = {"zero", "one", [3] = "three"};
static struct P *lit = &(struct P){11, 12}; static int *la = (int[]){1, 2, 3}; 
static union { int i; char c[4]; } un = {.c = {1, 2}}, un2 = {0x41}; static long diff = (char *)&n1.v[2] - (char *)&n1; static double dd = 1 / 3.0; static _Bool flag = 7; static unsigned char uc = -1; static char deep[2][3][4] = {{{1}, {2, 3}}, {{4, 5, 6, 7}}};
static int sz = sizeof(gb) / sizeof *gb; static float fl = 3; static long long ll = -1; static void *vp = &vp; static int zero[5];
static int counter(void) { static int c = 10; static int *q = &ga[1]; *q += c; return c++; }
static int twice(int k) { static struct P st = {1, 2}; st.x += k; return st.x * st.y; }
int main(void) {
    for (int i = 0; i < 10; i++) printf("%d ", ga[i]); for (int i = 0; i < 7; i++) printf("%d ", gb[i]); printf("%d\n", sz);
    printf("%s %d %d %d %d %d %s\n", n1.name, n1.v[0], n1.v[1], n1.v[2], n1.p[0].y, n1.p[1].x, n1.s);
    printf("%s %d %d %s %s\n", n2.name, n2.v[3], n2.p[1].y, n2.s, n2.next->s);
    printf("%d %d %d %s %s %d\n", *pa, **ppa, end[-3], str, arr, (int)sizeof arr); fp("%s %s %d\n", names[1], names[3], names[2] == 0);
    printf("%d %d %d\n", lit->x + lit->y, la[2], (int)(sizeof names / sizeof *names)); printf("%d %d %ld %.5f %d %d\n", un.i, un2.c[0], diff, dd, flag, uc);
    printf("%d %d %d %d %g %lld %d %d\n", deep[0][1][1], deep[1][0][3], deep[1][2][0], deep[0][0][1], fl, ll, vp == &vp, zero[4]);
    int c1 = counter(), c2 = counter(); printf("%d %d %d\n", c1, c2, ga[1] > 10); printf("%d ", twice(3)); printf("%d\n", twice(4));
    int la1[6] = {1, [4] = 5}; int la2[3] = {la1[0] + 1, la1[4] * 2}; for (int i = 0; i < 6; i++) printf("%d ", la1[i]); printf("%d %d %d\n", la2[0], la2[1], la2[2]);
    char s1[10] = "hi", s2[3] = "abc", s3[] = {'x', 'y', 0}; printf("%s %d %.3s %s %d\n", s1, s1[9], s2, s3, (int)sizeof s3);
    struct N loc = {.v = {1, [2] = 3}, .s = s1, .p = {[1] = {.x = la1[4]}}}; printf("%d %d %d %d %s %d\n", loc.v[0], loc.v[1], loc.v[2], loc.p[1].x, loc.s, loc.next == NULL);
    struct P pts[] = {{1, 2}, {3}, [3] = {.y = 4}}; printf("%d %d %d %d\n", pts[1].y, pts[2].x, pts[3].y, (int)(sizeof pts / sizeof *pts));
    struct P src = {5, 6}; struct { struct P a; int b; struct P c[2]; } mix = {src, 7, {src, {8}}}; printf("%d %d %d %d\n", mix.a.y, mix.b, mix.c[0].x, mix.c[1].x);
    const int table[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}; int t = 0; for (unsigned i = 0; i < sizeof table / sizeof *table; i++) t = t * 3 + table[i]; printf("%d\n", t);
    int big[40] = {1, 2, 3, 4, 5, 6, 7, 8, 9, t, [30] = 31}; printf("%d %d %d %d\n", big[8], big[9] == t, big[29], big[30]);
    int x = {42}; int y = {0}; struct P em = {}; printf("%d %d %d\n", x, y, em.x); int *cl = (int[3]){x, x + 1}; printf("%d %d %d\n", cl[0], cl[1], cl[2]);
    for (int i = 0; i < 3; i++) { int *q = &(int){i}; *q += 5; printf("%d ", *q); struct P z = {i}; z.y += i; printf("%d ", z.y); } printf("\n");
    printf("%d\n", ((struct P){.y = 9}).y); char both[2][4] = {"ab", "cde"}; printf("%s %s\n", both[0], both[1]); const char *list[] = {s1, "lit", both[1]}; printf("%s %s %s\n", list[0], list[1], list[2]);
    int over[3] = {1, 2, 3, [1] = 20, [0] = 10}; printf("%d %d %d\n", over[0], over[1], over[2]); struct N whole = n1; whole.name[0] = 'Z'; printf("%s %s\n", whole.name, n1.name);
    return 0;
}
