/* qsort, bsearch, and handlers that run at the end. */
#include <stdio.h>
#include <stdlib.h>

struct entry {
  char name;
  int key;
  short rest[3];
};

static int by_number(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int downwards(const void *a, const void *b) { return by_number(b, a); }

static int by_key(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return by_number(&x->key, &y->key);
}

static int by_byte(const void *a, const void *b) {
  return *(const unsigned char *)a - *(const unsigned char *)b;
}

static int by_double(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void sort(void *base, size_t count, size_t size,
                 int (*compare)(const void *, const void *)) {
  void (*through)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;
  through(base, count, size, compare);
}

static void show(const int *values, int count) {
  for (int i = 0; i < count; i++)
    printf("%d ", values[i]);
  printf("\n");
}

static int ended;
static void last(void) { printf("last %d\n", ended++); }
static void middle(void) { printf("middle %d\n", ended++); }
static void first(void) { printf("first %d\n", ended++); }

int main(void) {
  int values[] = {5, -3, 9, 0, 9, 2147483647, -2147483647, 1, 4};
  int count = sizeof values / sizeof values[0];
  atexit(last);
  qsort(values, count, sizeof values[0], by_number);
  show(values, count);
  for (int key = -3; key < 10; key++) {
    int *found = bsearch(&key, values, count, sizeof values[0], by_number);
    printf("%d ", found ? (int)(found - values) : -1);
  }
  printf("\n");
  sort(values, count, sizeof values[0], downwards);
  show(values, count);
  qsort(values, 0, sizeof values[0], by_number);
  qsort(values + 2, 3, sizeof values[0], by_number);
  show(values, count);

  struct entry entries[4] = {{'a', 7, {1, 2, 3}}, {'b', 2, {4, 5, 6}}, {'c', 5, {7, 8, 9}}, {'d', -1, {0, 0, 1}}};
  qsort(entries, 4, sizeof entries[0], by_key);
  for (int i = 0; i < 4; i++)
    printf("%c%d%d ", entries[i].name, entries[i].key, entries[i].rest[2]);
  printf("\n");

  char text[] = "callbacks";
  qsort(text, sizeof text - 1, 1, by_byte);
  puts(text);
  double numbers[] = {2.5, -1.0, 1e10, 0.125};
  qsort(numbers, 4, sizeof(double), by_double);
  printf("%g %g %g %g\n", numbers[0], numbers[1], numbers[2], numbers[3]);
  atexit(middle);
  if (!atexit(first))
    exit(7);
  return 0;
}
