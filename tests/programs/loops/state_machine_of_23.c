// expect: unsafe
// error-line: 64
// level: slow
// skip: gps-nogas* (without gas no choice has to make progress)
// skip: random (one sequence of 23 inputs fails)
// skip: cra (finds no violations)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

// Each right input is a step on; the last step fails.
int main(void) {
  int state = 0;
  while (1) {
    int key = __VERIFIER_nondet_int();
    if (state == 0 && key == 17)
      state = 1;
    else if (state == 1 && key == 4)
      state = 2;
    else if (state == 2 && key == 230)
      state = 3;
    else if (state == 3 && key == 99)
      state = 4;
    else if (state == 4 && key == 51)
      state = 5;
    else if (state == 5 && key == 8)
      state = 6;
    else if (state == 6 && key == 73)
      state = 7;
    else if (state == 7 && key == 140)
      state = 8;
    else if (state == 8 && key == 6)
      state = 9;
    else if (state == 9 && key == 201)
      state = 10;
    else if (state == 10 && key == 33)
      state = 11;
    else if (state == 11 && key == 58)
      state = 12;
    else if (state == 12 && key == 12)
      state = 13;
    else if (state == 13 && key == 190)
      state = 14;
    else if (state == 14 && key == 77)
      state = 15;
    else if (state == 15 && key == 45)
      state = 16;
    else if (state == 16 && key == 3)
      state = 17;
    else if (state == 17 && key == 161)
      state = 18;
    else if (state == 18 && key == 88)
      state = 19;
    else if (state == 19 && key == 29)
      state = 20;
    else if (state == 20 && key == 210)
      state = 21;
    else if (state == 21 && key == 64)
      state = 22;
    else if (state == 22 && key == 5)
      state = 23;
    assert(state < 23);
  }
}
