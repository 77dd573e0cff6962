// expect: safe
// level: core

// The failing call stands in a function that nothing calls.
extern void abort(void);
void reach_error(void) { abort(); }

void forgotten(void) { reach_error(); }

int main(void) { return 0; }
