/* Runs the program on all its inputs, in one process, and prints what happened.
 *
 * It is compiled without sanitizers and takes the place of their libraries' reports: undefined
 * behaviour ends the run and is counted by kind and statement. Inputs are enumerated like the paths
 * of a tree: each call of truth_pick has a range, and the last choice that can grow does.
 *
 * If there is a second compilation of the program, by another compiler, it repeats each run. The run
 * ends at the first undefined behaviour that either reports; until there both must do the same.
 *
 * Lines: "N runs", "E kind statement runs inputs…", "P probe runs values…"; "G why" if it gives up. */

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64, RUNS = 5000, FUEL = 20000, WORK = 20000000, SLOTS = 1 << 14, WIDTH = 4, EVENTS = 4096, STEPS = 1 << 17 };
enum kind { NONE = -1, OVERFLOW, DIVISION, SHIFT, DEREF, OTHER, INVARIANT, KINDS };
static const char *const names[KINDS] = {"overflow", "division", "shift", "deref", "other", "invariant"};

extern int truth_main(void);
extern int truth_second(void) __attribute__((weak));

static jmp_buf end;
static long fuel;
static long work;
static int statement;
static long long choice[DEPTH], low[DEPTH], high[DEPTH];
static int drawn, known;
static int given;

static struct tuple { int probe, count, last; long long values[WIDTH]; } tuples[SLOTS];
static int filled, run;
static struct event { int kind, statement, count, length; long long inputs[DEPTH]; } events[EVENTS];
static int event_count;

static void give_up(const char *why) { printf("G %s\n", why); exit(0); }
static void finish(void) { longjmp(end, 1); }

/* What the first compilation did in this run, and how it ended. */
enum what { AT, CHECK, PICK, PROBE };
static struct step { int what, number; long long values[WIDTH]; } steps[STEPS];
static int taken, taken_first;
static struct ending { int kind, statement; } ending, ending_first;
static int is_second;

static void disagree(void) { give_up("disagreement"); }
static void step(enum what what, int number, long long a, long long b, long long c, long long d) {
  struct step new = {what, number, {a, b, c, d}};
  if (!is_second) {
    if (taken == STEPS) give_up("steps");
    steps[taken++] = new;
    return;
  }
  if (taken == taken_first) {
    if (ending_first.kind == NONE) disagree();
    finish();
  }
  if (memcmp(&steps[taken++], &new, sizeof new)) disagree();
}
static void happened(int kind) {
  ending.kind = kind; ending.statement = statement;
  finish();
}

void truth_at(int number) {
  step(AT, number, 0, 0, 0, 0);
  statement = number;
  if (--fuel < 0) give_up("fuel");
}
void truth_end(void) { finish(); }
void truth_check(int holds) {
  step(CHECK, 0, holds, 0, 0, 0);
  if (!holds) happened(INVARIANT);
}
long long truth_pick(long long from, long long to) {
  step(PICK, 0, from, to, 0, 0);
  if (drawn == DEPTH) give_up("depth");
  if (drawn == known) {
    if (given) give_up("inputs");
    choice[drawn] = low[drawn] = from; high[drawn] = to; known++;
  }
  return choice[drawn++];
}
void truth_probe(int probe, long long a, long long b, long long c, long long d) { step(PROBE, probe, a, b, c, d); }

struct type { unsigned short kind, info; char name[1]; };
struct place { const char *file; unsigned line, column; };
struct binary { struct place place; const struct type *type; };
static int is_zero(const struct type *type, unsigned long value) {
  unsigned bits = 1u << (type->info >> 1);
  if (bits > 8 * sizeof value) return *(unsigned long long *)value == 0;
  return value == 0;
}
struct shift { struct place place; const struct type *left, *right; };
static long long amount(const struct type *type, unsigned long value) {
  unsigned bits = 1u << (type->info >> 1);
  if (bits > 8 * sizeof value) return *(long long *)value;
  if (!(type->info & 1)) return value;
  unsigned unused = 8 * sizeof value - bits;
  return (long)(value << unused) >> unused;
}
#define HANDLER(name, kind) void __ubsan_handle_##name(void) { happened(kind); }
HANDLER(add_overflow, OVERFLOW)
HANDLER(sub_overflow, OVERFLOW)
HANDLER(mul_overflow, OVERFLOW)
HANDLER(negate_overflow, OVERFLOW)
HANDLER(out_of_bounds, DEREF)
HANDLER(type_mismatch_v1, DEREF)
HANDLER(builtin_unreachable, OTHER)
HANDLER(missing_return, OTHER)
HANDLER(vla_bound_not_positive, OTHER)
HANDLER(float_cast_overflow, OTHER)
HANDLER(load_invalid_value, OTHER)
HANDLER(invalid_builtin, OTHER)
HANDLER(nonnull_arg, OTHER)
HANDLER(nonnull_return_v1, OTHER)
HANDLER(pointer_overflow, OTHER)
void __ubsan_handle_divrem_overflow(const struct binary *data, unsigned long left, unsigned long right) {
  (void)left; happened(is_zero(data->type, right) ? DIVISION : OVERFLOW);
}
void __ubsan_handle_shift_out_of_bounds(const struct shift *data, unsigned long left, unsigned long right) {
  (void)left;
  long long by = amount(data->right, right);
  happened(by < 0 || by >= 1 << (data->left->info >> 1) ? SHIFT : OVERFLOW);
}
#define REPORT(what) void __asan_report_##what(void *at) { (void)at; happened(DEREF); }
#define REPORTS(size) REPORT(load##size) REPORT(store##size)
REPORTS(1) REPORTS(2) REPORTS(4) REPORTS(8) REPORTS(16)
void __asan_report_load_n(void *at, size_t size) { (void)at; (void)size; happened(DEREF); }
void __asan_report_store_n(void *at, size_t size) { (void)at; (void)size; happened(DEREF); }
const char *__asan_default_options(void) { return "detect_leaks=0:detect_stack_use_after_return=0"; }

static void seen(int probe, const long long *values) {
  unsigned long long hash = probe;
  for (int i = 0; i < WIDTH; i++) hash = (hash ^ (unsigned long long)values[i]) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
  unsigned slot = hash % SLOTS;
  while (tuples[slot].count && (tuples[slot].probe != probe || memcmp(tuples[slot].values, values, sizeof tuples->values))) slot = (slot + 1) % SLOTS;
  struct tuple *t = tuples + slot;
  if (!t->count) {
    if (++filled > SLOTS / 2) give_up("states");
    t->probe = probe; memcpy(t->values, values, sizeof t->values); t->last = -1;
  }
  if (t->last != run) t->count++, t->last = run;
}
static void ended(struct ending how) {
  struct event *e = events;
  if (how.kind == NONE) return;
  while (e < events + event_count && (e->kind != how.kind || e->statement != how.statement)) e++;
  if (e == events + event_count) {
    if (++event_count > EVENTS) give_up("events");
    e->kind = how.kind; e->statement = how.statement; e->length = drawn;
    memcpy(e->inputs, choice, sizeof choice);
  }
  e->count++;
}
static void run_by(int (*compiled)(void)) {
  drawn = taken = 0; fuel = FUEL; ending.kind = NONE;
  if (!setjmp(end)) compiled();
}
static void run_both(void) {
  run_by(truth_main);
  work += FUEL - fuel;
  if (truth_second) {
    taken_first = taken; ending_first = ending;
    is_second = 1; run_by(truth_second); is_second = 0;
    if (taken < taken_first && ending.kind == NONE) disagree();
    /* Of two reports between the same steps both may be the first one. */
    if (taken == taken_first && memcmp(&ending, &ending_first, sizeof ending)) ended(ending_first);
  }
  ended(ending);
  for (struct step *s = steps; s < steps + taken; s++)
    if (s->what == PROBE) seen(s->number, s->values);
}

static int next(void) {
  while (known > 0 && choice[known - 1] == high[known - 1]) known--;
  if (known == 0) return 0;
  choice[known - 1]++;
  return 1;
}
int main(int argc, char **argv) {
  if (argc > 1) { given = 1; for (int i = 1; i < argc && i <= DEPTH; i++) choice[known++] = atoll(argv[i]); }
  do {
    run_both();
    if (++run > RUNS || work > WORK) give_up("runs");
    if (known > drawn) known = drawn;
  } while (!given && next());
  printf("N %d\n", run);
  for (struct event *e = events; e < events + event_count; e++) {
    printf("E %s %d %d", names[e->kind], e->statement, e->count);
    for (int i = 0; i < e->length; i++) printf(" %lld", e->inputs[i]);
    printf("\n");
  }
  for (struct tuple *t = tuples; t < tuples + SLOTS; t++)
    if (t->count) {
      printf("P %d %d", t->probe, t->count);
      for (int i = 0; i < WIDTH; i++) printf(" %lld", t->values[i]);
      printf("\n");
    }
  return 0;
}
