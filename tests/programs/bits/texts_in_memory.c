// expect: safe
// level: core
// skip: gps* (it does not know memory exactly)
// skip: cra (it does not know memory exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know memory exactly)

#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
  char *text = malloc(4);
  for (int i = 0; i < 3; i++)
    text[i] = __VERIFIER_nondet_char();
  text[3] = 0;
  size_t length = strlen(text);
  assert(length <= 3);
  text = realloc(text, 8);
  strcat(text, "end");
  assert(strlen(text) == length + 3);
  char *end = strchr(text, 0);
  assert(end == text + length + 3 && strcmp(end - 3, "end") == 0);
  char copy[6];
  strncpy(copy, text, sizeof copy);
  assert(strncmp(copy, text, sizeof copy) == 0);
  assert(length > 2 || copy[5] == 0);
  free(text);
  return 0;
}
