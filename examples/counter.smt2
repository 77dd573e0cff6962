; An infeasible trace, one assertion a step; its interpolants are the predicates that refute it.
;
;   1: x := ctr;
;   2: ctr := ctr + 1;
;   3: y := ctr;
;   4: assume(x = m);
;   5: assume(y != m + 1);

(declare-const x1 Int)
(declare-const y1 Int)
(declare-const ctr0 Int)
(declare-const ctr1 Int)
(declare-const m0 Int)
(assert (! (= x1 ctr0) :named s1))
(assert (! (= ctr1 (+ ctr0 1)) :named s2))
(assert (! (= y1 ctr1) :named s3))
(assert (! (= x1 m0) :named s4))
(assert (! (distinct y1 (+ m0 1)) :named s5))
(get-interpolants s1 s2 s3 s4 s5)
