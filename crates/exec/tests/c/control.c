/* Control flow: switch, goto, Duff's device, computed goto, loops, breaks. */
#include <stdio.h>
static int sw(int x) { switch (x) { case 1: return 10; case 2: case 3: x += 5; case 4: x *= 2; break; default: return -1; case 10 ... 19: return x - 10; case -5: { int y = x; return y * y; } } return x; }
static int sw2(unsigned char c) { int r = 0; switch (c) { case 'a' ... 'f': r = c - 'a' + 10; break; case '0' ... '9': r = c - '0'; break; } return r; }
static int sw3(long long v) { switch (v) { case 0x100000000LL: return 1; case -1: return 2; case 5: return 3; } return 0; }
static void copy(char *to, const char *from, int count) { int n = (count + 7) / 8; switch (count % 8) { case 0: do { *to++ = *from++; case 7: *to++ = *from++; case 6: *to++ = *from++; case 5: *to++ = *from++; case 4: *to++ = *from++; case 3: *to++ = *from++; case 2: *to++ = *from++; case 1: *to++ = *from++; } while (--n > 0); } }
static int gotos(int n) { int s = 0; again: if (n <= 0) goto done; s += n--; if (s > 20) goto out; goto again; out: s += 1000; done: return s; }
static int into(int k) { int r = 0; if (k) goto in; { int a[3]; a[0] = 1; in: a[1] = k; a[2] = a[1] + 1; r = a[2]; } return r; }
static int loops(void) { int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; for (int j = 0; ; j++) { if (j > i) break; if (j % 2) continue; s += j; } if (i == 8) break; } do { s++; if (s % 7 == 0) break; } while (s < 1000); while (1) { if (s++ > 50) break; } return s; }
static int interp(const unsigned char *code) { static void *const ops[] = {&&halt, &&inc, &&dbl, &&jnz}; int acc = 0, n = 4; const unsigned char *pc = code; goto *ops[*pc++]; inc: acc++; goto *ops[*pc++]; dbl: acc *= 2; goto *ops[*pc++]; jnz: if (--n) pc = code; goto *ops[*pc++]; halt: return acc; }
static int nested(int x) { switch (x & 3) { case 0: switch (x >> 2) { case 0: x = 100; break; case 1: x = 200; default: x++; } x += 5; break; case 1: for (;;) { if (x > 30) break; x *= 3; if (x == 15) continue; } break; case 2: while (x-- > 0) switch (x) { case 3: goto end; default: continue; } } end: return x; }
static int scope(void) { int x = 1, s = 0; { int x = 2; s += x; { int x = 3; s += x * 10; } s += x * 100; } s += x * 1000; for (int x = 7; x < 8; x++) { int x = 9; s += x * 10000; } return s; }
static int frames(void) { int *keep = 0, s = 0; for (int i = 0; i < 5; i++) { int v = i * i; int *p = &v; if (i == 2) continue; if (i == 4) break; s += *p; keep = &s; } return *keep; }
static int back(void) { int i = 0, s = 0; top:; int v[2] = {i, i + 1}; s += v[0] * 10 + v[1]; if (++i < 4) goto top; return s; }
static int empty(int x) { if (x) ; else x = 5; for (; x < 3; x++) ; while (0) x = 9; do ; while (0); switch (x) { } switch (x) case 5: x = 6; return x; }
static int in_switch(int k) { int r = 0; switch (k) { int t; case 1: t = 5; r = t; break; case 2: t = 7; { int u[2]; case 3: u[0] = k; u[1] = u[0] * 2; r = u[1]; } break; } return r; }
int main(void) {
    for (int i = -6; i < 21; i++) printf("%d ", sw(i)); printf("\n"); printf("%d %d %d %d\n", sw2('c'), sw2('7'), sw2('z'), sw2(200)); printf("%d %d %d %d\n", sw3(0x100000000LL), sw3(-1), sw3(5), sw3(0));
    for (int n = 1; n < 20; n += 5) { char b[24] = {0}; copy(b, "abcdefghijklmnopqrstuvw", n); printf("%s ", b); } printf("\n");
    printf("%d %d %d\n", gotos(3), gotos(10), gotos(0)); printf("%d %d\n", into(0), into(5)); printf("%d\n", loops()); unsigned char code[] = {1, 2, 1, 3, 0}; printf("%d\n", interp(code));
    for (int i = 0; i < 9; i++) printf("%d ", nested(i)); printf("\n"); printf("%d %d %d %d %d\n", scope(), frames(), back(), empty(0), empty(1)); printf("%d %d %d %d\n", in_switch(0), in_switch(1), in_switch(2), in_switch(3));
    return 0;
}
