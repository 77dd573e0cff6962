; expect: unsat
; unknown: spacer-quantified (there are no arrays)
; unknown: gps (a program has no real numbers)
; unknown: cra (a program has no real numbers)
; Z3's format: a half, doubled, is more than three after three steps.
(declare-rel p (Real))
(declare-rel bad ())
(declare-var x Real)
(rule (p 0.5))
(rule (=> (p x) (p (* 2.0 x))))
(rule (=> (and (p x) (> x 3.0)) bad))
(query bad)
