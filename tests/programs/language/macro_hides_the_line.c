// expect: unsafe
// error-line: 15
// level: core

#define CHECK(condition) \
  do {                   \
    if (!(condition))    \
      reach_error();     \
  } while (0)
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = 4;
  CHECK(n == 5);
  return 0;
}
