// expect: unsafe
// error-line: 35
// level: core

// GNU C: the last array of a record behind a pointer may have more elements than declared.
#include <assert.h>
#include <stdlib.h>

struct open {
    int count;
    int values[];
};

struct one {
    int count;
    int values[1];
};

struct none {
    int count;
    int values[0];
};

int main(void)
{
    struct open *open = malloc(sizeof *open + 4 * sizeof(int));
    struct one *one = malloc(sizeof *one + 4 * sizeof(int));
    struct none *none = malloc(sizeof *none + 4 * sizeof(int));
    int at = 3, table[2][3] = {{0}};
    open->values[at] = 1;
    one->values[at] = 2;
    none->values[at] = 3;
    int *end = &table[1][at];
    assert(end == table[0] + 6);
    assert(open->values[3] + one->values[3] + none->values[3] != 6);
    return 0;
}
