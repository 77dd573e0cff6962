/* Atomic builtins, on one thread. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static void on_sync(void) {
  int x = 7;
  unsigned char narrow = 250;
  long *p = 0;
  long target = 4;
  printf("%d ", __sync_fetch_and_add(&x, 5));
  printf("%d ", __sync_sub_and_fetch(&x, 20));
  printf("%d ", __sync_fetch_and_or(&x, 64));
  printf("%d ", __sync_and_and_fetch(&x, 0xff));
  printf("%d ", __sync_xor_and_fetch(&x, 3));
  printf("%d ", __sync_fetch_and_nand(&x, 6));
  printf("%d ", x);
  printf("%d\n", __sync_add_and_fetch(&narrow, 10));
  printf("%d ", __sync_bool_compare_and_swap(&x, 1, 2));
  printf("%d ", __sync_val_compare_and_swap(&x, x, 99));
  printf("%d ", __sync_lock_test_and_set(&x, 5));
  __sync_lock_release(&x);
  printf("%d ", x);
  printf("%d ", __sync_bool_compare_and_swap(&p, 0, &target));
  printf("%ld\n", *p);
  __sync_synchronize();
}

static void on_atomic(void) {
  long x = 1, expected = 3, other = 8, old;
  bool flag = false;
  __atomic_store_n(&x, 5, __ATOMIC_SEQ_CST);
  printf("%ld ", __atomic_load_n(&x, __ATOMIC_RELAXED));
  printf("%ld ", __atomic_fetch_sub(&x, 9, __ATOMIC_SEQ_CST));
  printf("%ld ", __atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST));
  printf("%ld ", __atomic_exchange_n(&x, 30, __ATOMIC_SEQ_CST));
  printf("%d ", __atomic_compare_exchange_n(&x, &expected, 9, false, 5, 5));
  printf("%ld ", expected);
  printf("%d ", __atomic_compare_exchange_n(&x, &expected, 9, false, 5, 5));
  printf("%ld ", x);
  __atomic_exchange(&x, &other, &old, __ATOMIC_SEQ_CST);
  printf("%ld %ld %ld ", x, other, old);
  __atomic_load(&x, &old, __ATOMIC_SEQ_CST);
  __atomic_store(&x, &expected, __ATOMIC_SEQ_CST);
  printf("%ld %ld ", old, x);
  printf("%d ", __atomic_test_and_set(&flag, 5));
  printf("%d ", __atomic_test_and_set(&flag, 5));
  __atomic_clear(&flag, 5);
  printf("%d\n", flag);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static _Atomic int counter;

static void on_c11(void) {
  atomic_int x = 3;
  int expected = 4;
  atomic_flag once = ATOMIC_FLAG_INIT;
  counter++;
  counter += 4;
  printf("%d ", atomic_fetch_add(&x, 2));
  printf("%d ", atomic_compare_exchange_strong(&x, &expected, 1));
  printf("%d ", expected);
  printf("%d ", atomic_exchange(&x, 70));
  atomic_store(&counter, atomic_load(&counter) + atomic_load(&x));
  printf("%d ", counter);
  printf("%d ", atomic_flag_test_and_set(&once));
  printf("%d\n", atomic_flag_test_and_set(&once));
}

int main(void) {
  on_sync();
  on_atomic();
  on_c11();
  return 0;
}
