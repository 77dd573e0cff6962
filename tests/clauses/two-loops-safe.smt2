; expect: sat
; unknown: bmc (the unwinding does not end)
; What the first loop counts up, the second counts down.
(set-logic HORN)
(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int) Bool)
(declare-fun bad () Bool)
(assert (forall ((n Int)) (=> (>= n 0) (up 0 n))))
(assert (forall ((x Int) (n Int)) (=> (and (up x n) (< x n)) (up (+ x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (and (up x n) (>= x n)) (down x n))))
(assert (forall ((x Int) (n Int)) (=> (and (down x n) (> x 0)) (down (- x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (and (down x n) (<= x 0) (not (= x 0))) bad)))
(assert (=> bad false))
(check-sat)
