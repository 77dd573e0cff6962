; expect: unsat
; components
; The results of one expression for three inputs: one plus the other is 3, 6 and 6.
; unknown: gps (two relations in a body)
; unknown: cra (two relations in a body)
; unknown: impact (two relations in a body)
; unknown: predabs (two relations in a body)
; unknown: la (two relations in a body)
; unknown: spacer-quantified (no arrays)
(set-logic HORN)
(declare-fun e (Int Int Int) Bool)
(assert (e 1 2 7))
(assert (e 2 4 1))
(assert (forall ((a Int) (b Int) (c Int) (x Int) (y Int) (z Int))
  (=> (and (e a b c) (e x y z)) (e (+ a x) (+ b y) (- c z)))))
(assert (forall ((a Int) (b Int) (c Int)) (=> (and (e a b c) (= a 3) (= b 6) (= c 6)) false)))
(check-sat)
