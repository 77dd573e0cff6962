; expect: unsat
; components
; unknown: spacer-quantified (there are no arrays)
; unknown: gps (bodies with two relations are no program)
; unknown: cra (bodies with two relations are no program)
; unknown: impact (bodies with two relations are no program)
; unknown: predabs (bodies with two relations are no program)
; unknown: la (bodies with two relations are no program)
; The sixth Fibonacci number is eight: its tree has equal parts.
(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(assert (fib 0 0))
(assert (fib 1 1))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (>= n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (forall ((r Int)) (=> (and (fib 6 r) (= r 8)) false)))
(check-sat)
