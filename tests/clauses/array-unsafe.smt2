; expect: unsat
; unknown: gps (a program has no arrays without bounds)
; unknown: cra (a program has no arrays without bounds)
; unknown: impact (a program has no arrays without bounds)
; unknown: predabs (a program has no arrays without bounds)
; unknown: la (a program has no arrays without bounds)
; A cell is written and then read.
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (=> true (p a 0))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (< i 3)) (p (store a i 7) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (= i 3) (= (select a 1) 7)) false)))
(check-sat)
