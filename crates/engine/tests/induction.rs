//! Loops that never end: what an iteration keeps is proved, what a late one breaks is not.

#[path = "common/c.rs"]
mod c;

use base::Budget;
use certify::{Induction, Outcome, Proof, Verdict, judge};
use engine::Engine;
use engine::induction::K_INDUCTION;

/// A queue whose counts wrap, and a byte that comes out three iterations after it came in.
const HOLDS: &str = "
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
unsigned char items[5], in, out;
void put(unsigned char item) { if ((unsigned char)(in - out) < 5) items[in++ % 5] = item; }
void take(unsigned char *item) { if (in != out) *item = items[out++ % 5]; }
int main(void) {
  unsigned char first = 0, second = 0, third = 0, item = 0;
  for (;;) {
    if (third & 0x21) reach_error();
    third = second;
    second = first;
    first = __VERIFIER_nondet_uchar() & 0x5a;
    if (first & 2) put(first); else take(&item);
    if ((unsigned char)(in - out) > 5) reach_error();
  }
}";

/// What breaks it: no bound, which takes six iterations to be seen, and a count that jumps after 200.
const FAILS: [(&str, &str); 2] = [
    ("if ((unsigned char)(in - out) < 5)", ""),
    ("if (in != out)", "if (in == 200) out = 100; if (in != out)"),
];

fn outcome(text: &str) -> (Outcome, engine::Task) {
    let (task, _) = c::task(text.as_bytes().to_vec());
    let budget = Budget::unlimited().with_effort(50_000_000);
    (K_INDUCTION.run(&task, &budget), task)
}

fn inductions(outcome: &Outcome) -> Option<&[Induction]> {
    match outcome {
        Outcome::Proved(proof) => match &**proof {
            Proof::Unwound(proof) => Some(&proof.inductions),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn what_iterations_keep_is_proved_and_checked_again() {
    let (outcome, task) = outcome(HOLDS);
    let found = inductions(&outcome).expect("it should be proved by unwinding");
    assert_eq!(found.len(), 1, "the loop of main alone: {found:?}");
    assert!(found[0].depth > 1, "a byte comes out late");
    let Outcome::Proved(proof) = &outcome else {
        unreachable!("it was proved");
    };
    let again = (**proof)
        .clone()
        .checked(&task.program, &Budget::unlimited());
    assert!(again.is_ok());
    let verdict = judge(&task.program, outcome, &Budget::unlimited());
    assert!(matches!(verdict, Verdict::Safe(_)));
}

#[test]
fn what_a_late_iteration_breaks_is_not_proved() {
    for (right, wrong) in FAILS {
        assert!(HOLDS.contains(right));
        let (outcome, _) = outcome(&HOLDS.replace(right, wrong));
        assert!(matches!(outcome, Outcome::Unknown(_)), "{wrong}");
    }
}
