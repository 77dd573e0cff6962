; expect: sat
; unknown: spacer-quantified (there are no arrays)
; unknown: bmc (the unwinding ends, but says nothing of a recursive relation)
; A counter up to ten stays at most ten.
(set-logic HORN)
(declare-fun |inv| (Int) Bool)
(assert (forall ((x Int)) (=> (and (= x 0)) (inv x))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x) (and (<= x 9) (= y (+ x 1)))) (inv y))))
(assert (forall ((x Int)) (=> (and (inv x) (not (<= x 10))) false)))
(check-sat)
