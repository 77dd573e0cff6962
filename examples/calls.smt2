; A tree: two calls of a function, each summarised by its own interpolant, below the caller.
;
;   int inc(int a) { return a + 1; }
;   r = inc(n); s = inc(r); assert(s == n + 2);

(declare-const n Int)
(declare-const r Int)
(declare-const s Int)
(declare-const a1 Int)
(declare-const a2 Int)
(define-fun inc ((from Int) (to Int)) Bool (= to (+ from 1)))
(assert (! (and (= a1 n) (inc a1 r)) :named first))
(assert (! (and (= a2 r) (inc a2 s)) :named second))
(assert (! (distinct s (+ n 2)) :named main))
(get-interpolants first (second) main)
