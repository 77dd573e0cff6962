; Equal arguments give equal results, whatever the function is.

(declare-fun f (Int) Int)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(assert (! (and (= a b) (= (f a) 3)) :named A))
(assert (! (and (= b c) (< (f c) 3)) :named B))
(get-interpolants A B)
