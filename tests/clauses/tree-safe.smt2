; expect: sat
; unknown: own (no engine of ours proves trees yet)
; unknown: spacer-quantified (there are no arrays)
; unknown: gps (bodies with two relations are no program)
; unknown: cra (bodies with two relations are no program)
; unknown: bmc (the unwinding does not end)
; Sums of even numbers are even.
(set-logic HORN)
(declare-fun sum (Int) Bool)
(assert (sum 4))
(assert (sum 6))
(assert (forall ((x Int) (y Int)) (=> (and (sum x) (sum y)) (sum (+ x y)))))
(assert (forall ((x Int)) (=> (and (sum x) (<= x 3)) false)))
(check-sat)
