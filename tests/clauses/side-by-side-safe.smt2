; expect: sat
; components
; The results of one expression for three inputs: the first two alone show that 3 and 5 are not
; among them.
; unknown: gps (two relations in a body)
; unknown: cra (two relations in a body)
; unknown: impact (two relations in a body)
; unknown: predabs (two relations in a body)
; unknown: la (two relations in a body)
; unknown: bmc (a recursion without bound)
; unknown: spacer-quantified (no arrays)
(set-logic HORN)
(declare-fun e (Int Int Int) Bool)
(assert (e 1 2 7))
(assert (e 2 4 1))
(assert (forall ((a Int) (b Int) (c Int) (x Int) (y Int) (z Int))
  (=> (and (e a b c) (e x y z)) (e (+ a x) (+ b y) (- c z)))))
(assert (forall ((a Int) (b Int) (c Int)) (=> (and (e a b c) (= a 3) (= b 5) (= c 0)) false)))
(check-sat)
