//! Certificates that hold are believed; forged ones are not.

mod common;

use base::{Budget, Id};
use certify::{
    Outcome, Proof, ProofError, Reached, ReasonKind, ReplayError, Trace, Verdict, judge, replay,
};
use common::program;
use exec::{End, UndefinedKind};
use logic::{IntType, IntValue};
use program::expr::Constant;
use program::ir::{LocationId, ProcId, Program, SiteId};

/// Fails if `10 / n + n` is 7 (n is 5 or 2), is undefined for 0.
fn division() -> Program {
    program(
        r#"program ptr 8 entry main
        site n0: nondet i32 "__VERIFIER_nondet_int"
        proc p0 main() -> i32 entry l0 exit l1 {
          local v0 n: i32
          l0:
            e0: havoc n n0 -> l2
          l2:
            e1: assume 10i32 / n + n == 7i32 -> l3
            e2: assume 10i32 / n + n != 7i32 -> l4
          l3: error assertion "assertion failed"
          l4:
            e3: return 0i32 -> l1
          l1:
        }"#,
    )
}

/// `main` calls `f`, whose error location is after a false assumption.
fn harmless() -> Program {
    program(
        r#"program ptr 8 entry main
        proc p0 main() -> i32 entry l0 exit l1 {
          l0:
            e0: call f() -> l2
          l2:
            e1: return 0i32 -> l1
          l1:
        }
        proc p1 f() entry l0 exit l1 {
          l0:
            e0: assume false -> l2
            e1: assume true -> l3
          l2: error assertion "assertion failed"
          l3:
            e2: return -> l1
          l1:
        }"#,
    )
}

fn int(value: i128) -> Constant {
    Constant::Int(IntValue::wrap(IntType::I32, value))
}

fn site(index: usize) -> SiteId {
    SiteId::from_index(index)
}

fn at(proc: usize, location: usize) -> (ProcId, LocationId) {
    (ProcId::from_index(proc), LocationId::from_index(location))
}

fn trace(inputs: Vec<(SiteId, Constant)>, error: (ProcId, LocationId)) -> Trace {
    Trace::new(inputs, error)
}

/// The error location of the first program, whatever its number is.
fn error_of(program: &Program) -> (ProcId, LocationId) {
    for (proc, procedure) in program.procs.iter_enumerated() {
        for (location, row) in procedure.locations.iter_enumerated() {
            if row.error.is_some() {
                return (proc, location);
            }
        }
    }
    panic!("the program should have an error location")
}

#[test]
fn a_trace_is_replayed() {
    let program = division();
    let error = error_of(&program);
    for good in [5, 2] {
        let trace = trace(vec![(site(0), int(good))], error);
        let replayed = replay(&program, &trace, &Budget::unlimited()).unwrap();
        assert_eq!(replayed.run.inputs, trace.inputs);
        assert_eq!(replayed.violation.message, "assertion failed");
        let outcome = Outcome::Unsafe(trace);
        let verdict = judge(&program, outcome, &Budget::unlimited());
        assert!(matches!(verdict, Verdict::Unsafe(_)));
    }
}

#[test]
fn forged_traces_are_refused() {
    let program = division();
    let error = error_of(&program);
    let refuse = |inputs: Vec<(SiteId, Constant)>, error| {
        let trace = trace(inputs, error);
        let found = replay(&program, &trace, &Budget::unlimited()).unwrap_err();
        let verdict = judge(&program, Outcome::Unsafe(trace), &Budget::unlimited());
        match verdict {
            Verdict::Unknown(reason) => assert_eq!(reason.kind, ReasonKind::Internal),
            Verdict::Safe(_) | Verdict::Unsafe(_) => panic!("believed a forged trace"),
        }
        found
    };
    // Does not get there.
    assert_eq!(
        refuse(vec![(site(0), int(1))], error),
        ReplayError::EndedOtherwise(End::Exited(0))
    );
    // Undefined behaviour on the way; also when the value is left out, which means zero.
    for inputs in [vec![(site(0), int(0))], Vec::new()] {
        match refuse(inputs, error) {
            ReplayError::EndedOtherwise(End::Undefined(undefined)) => {
                assert_eq!(undefined.kind, UndefinedKind::DivisionByZero);
            }
            other => panic!("{other}"),
        }
    }
    // Overflow on the way: nothing may be concluded from a wrapped sum.
    assert!(matches!(
        refuse(vec![(site(0), int(i128::from(i32::MIN)))], error),
        ReplayError::EndedOtherwise(_)
    ));
    let good = vec![(site(0), int(5))];
    // Names another place.
    let entry = program.procs[program.entry].entry;
    assert_eq!(
        refuse(good.clone(), (program.entry, entry)),
        ReplayError::NoSuchError(program.entry, entry)
    );
    assert!(matches!(
        refuse(good, at(7, 0)),
        ReplayError::NoSuchError(..)
    ));
    // Values that are none.
    assert_eq!(
        refuse(vec![(site(9), int(5))], error),
        ReplayError::NoSuchSite(site(9))
    );
    assert_eq!(
        refuse(vec![(site(0), Constant::Bool(true))], error),
        ReplayError::WrongType(site(0))
    );
}

#[test]
fn a_replay_without_time_gives_no_verdict() {
    let program = program(
        r#"program ptr 8 entry main
        proc p0 main() entry l0 exit l1 {
          l0:
            e0: skip -> l0
          l1:
          l2: error assertion "never"
        }"#,
    );
    let budget = Budget::unlimited().with_timeout(std::time::Duration::from_millis(20));
    let trace = trace(Vec::new(), error_of(&program));
    match judge(&program, Outcome::Unsafe(trace), &budget) {
        Verdict::Unknown(reason) => assert_eq!(reason.kind, ReasonKind::Timeout),
        Verdict::Safe(_) | Verdict::Unsafe(_) => panic!("an endless run proves nothing"),
    }
}

#[test]
fn a_closed_set_is_a_proof() {
    let program = harmless();
    let error = error_of(&program);
    let mut reached = Vec::new();
    for (proc, procedure) in program.procs.iter_enumerated() {
        reached.extend(procedure.locations.ids().map(|location| (proc, location)));
    }
    let all = reached.clone();
    reached.retain(|&place| place != error);
    let proof = Reached {
        locations: reached.clone(),
    };
    assert_eq!(proof.check(&program), Ok(()));
    let outcome = Outcome::Safe(Proof::Reached(proof));
    let verdict = judge(&program, outcome, &Budget::unlimited());
    assert!(matches!(verdict, Verdict::Safe(_)));

    let refuse = |reached: Vec<(ProcId, LocationId)>| {
        let proof = Reached { locations: reached };
        let error = proof.check(&program).unwrap_err();
        let outcome = Outcome::Safe(Proof::Reached(proof));
        match judge(&program, outcome, &Budget::unlimited()) {
            Verdict::Unknown(reason) => assert_eq!(reason.kind, ReasonKind::Internal),
            Verdict::Safe(_) | Verdict::Unsafe(_) => panic!("believed a forged proof"),
        }
        error
    };
    assert_eq!(refuse(Vec::new()), ProofError::EntryMissing);
    assert_eq!(refuse(all), ProofError::ErrorReached(error.0, error.1));
    assert!(matches!(
        refuse(vec![at(9, 9)]),
        ProofError::NoSuchLocation(..)
    ));
    // Leaving out any one location breaks it.
    for missing in 0..reached.len() {
        let mut forged = reached.clone();
        let gone = forged.remove(missing);
        match refuse(forged) {
            ProofError::EntryMissing => {
                assert_eq!(gone, at(0, program.procs[program.entry].entry.index()))
            }
            ProofError::NotClosed(_, _, to) => assert_eq!(to, gone.1),
            other => panic!("{other}"),
        }
    }
}

/// The checker looks at the edges themselves, not at the lists of them.
#[test]
fn a_proof_may_not_rely_on_a_forgotten_edge() {
    let mut program = division();
    let error = error_of(&program);
    let reached: Vec<_> = program.procs[program.entry]
        .locations
        .ids()
        .map(|location| (program.entry, location))
        .filter(|&place| place != error)
        .collect();
    for location in program.procs[error.0].locations.iter_mut() {
        location.out.clear();
    }
    assert!(matches!(
        Reached { locations: reached }.check(&program),
        Err(ProofError::NotClosed(..))
    ));
}

#[test]
fn unsupported_ops_and_pointer_calls_are_not_overlooked() {
    let unsupported = program(
        r#"program ptr 8 entry main
        proc p0 main() entry l0 exit l1 {
          l0:
            e0: unsupported "asm" -> l2
          l2:
            e1: return -> l1
          l1:
        }"#,
    );
    let reached = vec![at(0, 0), at(0, 1), at(0, 2)];
    assert!(matches!(
        Reached { locations: reached }.check(&unsupported),
        Err(ProofError::UnsupportedReached(..))
    ));
    let pointer = program(
        r#"program ptr 8 entry main
        proc p0 main() entry l0 exit l1 {
          local v0 f: ptr
          l0:
            e0: f := &bad -> l2
          l2:
            e1: call *(f)() -> l3
          l3:
            e2: return -> l1
          l1:
        }
        proc p1 bad() entry l0 exit l1 {
          l0:
            e0: skip -> l2
          l2: error assertion "assertion failed"
          l1:
        }"#,
    );
    let main = ProcId::from_index(0);
    let reached = pointer.procs[main]
        .locations
        .ids()
        .map(|location| (main, location))
        .collect();
    assert!(matches!(
        Reached { locations: reached }.check(&pointer),
        Err(ProofError::NotClosed(..))
    ));
}
