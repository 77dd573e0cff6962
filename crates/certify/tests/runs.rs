//! Proofs by all runs: those that hold, and those that say too much.

use base::{Budget, Diagnostics, SourceMap};
use certify::{Outcome, Proof, ProofError, ReasonKind, Runs, Verdict, judge};
use cfront::types::DataModel;
use exec::all_runs::{Options, RunsOutcome, all_runs};
use program::ir::Program;
use std::time::Duration;

const HEAD: &str = "extern void abort(void);\nvoid reach_error(void) { abort(); }\n\
                    extern unsigned char __VERIFIER_nondet_uchar(void);\n\
                    extern int __VERIFIER_nondet_int(void);\nextern int other(void);\n\
                    extern void *malloc(unsigned long);\n";

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let text = format!("{HEAD}{text}").into_bytes();
    let file = sources.add("test.c", text).expect("a short text fits");
    let mut diagnostics = Diagnostics::new();
    let front = cfront::Options {
        model: DataModel::Lp64,
    };
    let ast = cfront::parse(&mut sources, &[file], &front, &mut diagnostics);
    let options = lower::Options::default();
    let program = lower::lower(&ast, &options, &mut diagnostics);
    program.unwrap_or_else(|| panic!("{:?}", diagnostics.iter().collect::<Vec<_>>()))
}

/// A proof that claims to know a program.
fn claimed(bits: u8, runs: u64) -> Runs {
    Runs {
        bits,
        runs,
        steps: 100_000,
    }
}

fn check(text: &str, proof: &Runs) -> Result<(), ProofError> {
    proof.check(&program(text), &Budget::unlimited())
}

const SQUARES: &str = "int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); \
                       if (c * c % 8 > 4) reach_error(); }";

#[test]
fn what_was_made_is_made_again() {
    let found = all_runs(
        &program(SQUARES),
        &Options {
            bits: 8,
            steps: 100_000,
        },
        &Budget::unlimited(),
    );
    assert_eq!((&found.found, found.runs), (&RunsOutcome::NoViolation, 256));
    let proof = Runs {
        bits: 8,
        runs: found.runs,
        steps: found.steps,
    };
    assert_eq!(check(SQUARES, &proof), Ok(()));
    // One step less is too few, another number of runs is another proof.
    let hasty = Runs {
        steps: found.steps - 2,
        ..proof.clone()
    };
    assert!(matches!(
        check(SQUARES, &hasty),
        Err(ProofError::NotAllRuns(_))
    ));
    let counted = Runs { runs: 255, ..proof };
    assert!(matches!(
        check(SQUARES, &counted),
        Err(ProofError::NotAllRuns(_))
    ));
}

#[test]
fn runs_that_depend_on_what_is_not_known_prove_nothing() {
    for text in [
        // A local and a byte without a value.
        "int main(void) { int x; if (x == 77) reach_error(); }",
        "int main(void) { char *p = malloc(2); p[0] = 0; if (p[1]) reach_error(); }",
        // A byte between the members.
        "struct s { char c; int i; }; int main(void) { struct s a; a.c = 0; a.i = 0; \
         if (((char *)&a)[2]) reach_error(); }",
        // Addresses as numbers.
        "int main(void) { int x; if ((unsigned long)&x % 4096 == 4092) reach_error(); }",
        "int main(void) { int x, y; int *p = &x, *q = &y; if (p > q) reach_error(); }",
        // The value of a function that is not there.
        "int main(void) { if (other()) reach_error(); }",
        // An input of too many values, and one that is not tried.
        "int main(void) { if (__VERIFIER_nondet_int() == 1) reach_error(); }",
        SQUARES,
        // A run that is too long.
        "int main(void) { for (unsigned i = 0; i < 4000000; i++) { } }",
        // What is not modelled.
        "int main(void) { __asm__(\"hlt\" : : : \"memory\"); *(int *)64 = 1; }",
    ] {
        for runs in [1, 2] {
            let refused = check(text, &claimed(0, runs));
            assert!(
                matches!(
                    refused,
                    Err(ProofError::NotAllRuns(_) | ProofError::ErrorReached(..))
                ),
                "{text}: {refused:?}"
            );
        }
    }
}

#[test]
fn copies_of_what_is_not_known_are_no_reads() {
    for text in [
        "struct s { char c; int i; int j; }; int main(void) { struct s a, b; a.i = 3; b = a; \
         struct s c = b; if (c.i != 3) reach_error(); }",
        "int id(int x) { return x; } int main(void) { int x; int y = id(x) + 1; y = 4; \
         if (y != 4) reach_error(); }",
    ] {
        assert_eq!(check(text, &claimed(0, 1)), Ok(()), "{text}");
    }
}

#[test]
fn a_violation_is_no_proof_and_no_time_is_no_verdict() {
    let fails = "int main(void) { reach_error(); }";
    let refused = check(fails, &claimed(0, 1));
    assert!(matches!(refused, Err(ProofError::ErrorReached(..))));
    let proof = Outcome::Safe(Proof::Runs(claimed(8, 256)));
    let budget = Budget::unlimited().with_timeout(Duration::ZERO);
    match judge(&program(SQUARES), proof, &budget) {
        Verdict::Unknown(reason) => assert_eq!(reason.kind, ReasonKind::Timeout),
        other => panic!("{other:?}"),
    }
}
