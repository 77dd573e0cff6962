; expect: unsat
; unknown: spacer-quantified (there are no arrays)
; unknown: gps (bodies with two relations are no program)
; unknown: cra (bodies with two relations are no program)
; Sums of two derived numbers; seven is the sum of three and four.
(set-logic HORN)
(declare-fun sum (Int) Bool)
(assert (sum 3))
(assert (sum 4))
(assert (forall ((x Int) (y Int)) (=> (and (sum x) (sum y)) (sum (+ x y)))))
(assert (forall ((x Int)) (=> (and (sum x) (= x 10)) false)))
(check-sat)
