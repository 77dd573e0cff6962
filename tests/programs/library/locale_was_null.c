// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>
#include <locale.h>
int main(void) {
  char *locale = setlocale(LC_ALL, 0);
  assert(locale == 0);
  return 0;
}
