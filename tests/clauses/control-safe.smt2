; expect: sat
; unknown: bmc (the unwinding does not end)
; Two truth values are the program counter: the value is doubled once, then only checked.
(set-logic HORN)
(declare-fun state (Bool Bool Int) Bool)
(assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 5)) (state false false x))))
(assert (forall ((a Bool) (b Bool) (x Int) (c Bool) (d Bool) (y Int))
  (=> (and (state a b x)
           (or (and (not a) (not b) c (not d) (= y (* 2 x)))
               (and a (not b) c d (= y x))
               (and a b c d (= y x))))
      (state c d y))))
(assert (forall ((a Bool) (b Bool) (x Int)) (=> (and (state a b x) a (> x 10)) false)))
(check-sat)
