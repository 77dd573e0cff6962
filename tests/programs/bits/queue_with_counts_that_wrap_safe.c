// expect: safe
// level: core
// property: valid-deref
// skip: random (proves nothing)
// skip: impact (it unwinds a loop that never ends, and finds no label to cover it)
// skip: predabs (as impact)
// skip: gps-paper (as impact)
// skip: gps-nogas-nosum (as impact)

// Counts of what was put in and taken out wrap; their remainders are places.

extern int __VERIFIER_nondet_int(void);

#define PLACES 5

static unsigned char items[PLACES];
static unsigned char in, out;

static void put(unsigned char item) {
  if ((unsigned char)(in - out) < PLACES)
    items[in++ % PLACES] = item;
}

static unsigned char take(void) {
  return in == out ? 0 : items[out++ % PLACES];
}

int main(void) {
  for (;;) {
    int command = __VERIFIER_nondet_int();
    if (command == 0)
      put((unsigned char)(in ^ out));
    else if (command == 1)
      put(take());
    else if (command == 2)
      return take();
  }
}
