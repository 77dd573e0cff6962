; A number that is doubled is even, so it never meets an odd one.

(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (! (= y (* 2 x)) :named doubled))
(assert (! (= (mod z 4) 3) :named odd))
(assert (! (= y z) :named meet))
(get-interpolants doubled (odd) meet)
(get-interpolants doubled (and odd meet))
