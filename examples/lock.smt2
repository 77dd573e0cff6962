; Why no path of this loop reaches lock() with the lock held:
;
;   L = 0;
;   do {
;     lock();                        // error if L != 0, then L = 1
;     old = new;
;     if (*) { unlock(); new++; }    // L = 0
;   } while (new != old);
;
; Two paths to the error, step by step, with a symbol for every value of a variable.

(declare-const L0 Int)
(declare-const L1 Int)
(declare-const L2 Int)
(declare-const old0 Int)
(declare-const new0 Int)
(declare-const new1 Int)

; Once around with unlock() and new++, then lock() again.
(push)
(assert (! (= L0 0) :named start))
(assert (! (and (= L1 1) (= old0 new0)) :named lock))
(assert (! (and (= L2 0) (= new1 (+ new0 1))) :named unlock))
(assert (! (distinct new1 old0) :named again))
(assert (! (distinct L2 0) :named error))
(check-sat)
(get-interpolants start lock unlock again error)
(pop)

; Once around without: the loop should have ended.
(push)
(assert (! (= L0 0) :named start))
(assert (! (and (= L1 1) (= old0 new0)) :named lock))
(assert (! (distinct new0 old0) :named again))
(assert (! (distinct L1 0) :named error))
(check-sat)
(get-interpolants start lock again error)
(pop)
