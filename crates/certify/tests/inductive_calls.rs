//! Proofs by labels of programs with calls.

mod common;

use base::Budget;
use certify::{Inductive, ProofError};
use common::{empty, failing_runs, program, proof_of};
use program::ir::Program;
use program::pass::inline::{InlineLimit, inline_calls};

fn check(program: &Program, proof: &Inductive) -> Result<(), ProofError> {
    proof.check(program, &Budget::unlimited())
}

type Label<'t> = (usize, usize, &'t str);

#[track_caller]
fn accepted(program: &Program, labels: &[Label<'_>]) {
    assert_eq!(check(program, &proof_of(program, labels, &[])), Ok(()));
}

#[track_caller]
fn rejected(program: &Program, labels: &[Label<'_>]) {
    match check(program, &proof_of(program, labels, &[])) {
        Err(ProofError::NotInductive(_)) => {}
        other => panic!("{other:?}"),
    }
}

/// `f` fails unless its argument and `g` are positive, writes `g`, and calls itself.
const RECURSIVE: &str = r#"program ptr 8 entry main
    site n0: nondet i32 "int"
    global v0 g: i32 = 1i32
    global v1 h: i32 = 5i32
    proc p0 main() entry l0 exit l1 {
      local v2 r: i32
      l0:
        e0: r := call f(3i32) -> l2
      l2:
        e1: assume h == 5i32 -> l3
        e2: assume h != 5i32 -> l4
      l3:
        e3: return -> l1
      l4: error assertion "h == 5"
      l1:
    }
    proc p1 f(v3 n: i32) -> i32 entry l0 exit l1 {
      local v4 m: i32
      l0:
        e0: assume (n > 0i32) & (g > 0i32) -> l3
        e1: assume !((n > 0i32) & (g > 0i32)) -> l2
      l2: error assertion "n > 0 && g > 0"
      l3:
        e2: g := g + 1i32 -> l4
      l4:
        e3: assume n > 1i32 -> l5
        e4: assume n <= 1i32 -> l6
      l5:
        e5: m := call f(n - 1i32) -> l6
      l6:
        e6: return n -> l1
      l1:
    }"#;

#[test]
fn the_label_of_a_callee_must_hold_at_calls() {
    let program = program(RECURSIVE);
    let label = "(and (> n 0) (> g 0))";
    accepted(&program, &[(1, 0, label)]);
    rejected(&program, &[]);
    rejected(&program, &[(1, 0, "(> n 0)")]);
    rejected(&program, &[(1, 0, "(and (> n 1) (> g 0))")]);
    rejected(&program, &[(1, 0, "(and (> n 0) (> g 1))")]);
    // Who calls it has to show it, though nothing else of the callers has changed.
    let stronger = proof_of(&program, &[(1, 0, "(and (> n 1) (> g 0))")], &[]);
    let (&place, _) = stronger.labels.first_key_value().expect("one label");
    let near = stronger.check_label(&program, place, &Budget::unlimited());
    assert!(matches!(near, Err(ProofError::NotInductive(_))), "{near:?}");
    // What `f` does not write stays; what it writes is not known.
    accepted(&program, &[(1, 0, label), (0, 2, "(= h 5)")]);
    rejected(&program, &[(1, 0, label), (0, 2, "(= g 1)")]);
    rejected(&program, &[(1, 0, label), (0, 2, "(= r 3)")]);
    // The callee's own local may have any value.
    rejected(&program, &[(1, 0, "(and (> n 0) (> g 0) (= m 0))")]);
}

#[test]
fn each_activation_has_its_own_ghosts() {
    let program = program(RECURSIVE);
    let ghost = ("n0", "n", &[][..]);
    let label = "(and (> n 0) (> g 0) (= n n0))";
    let later = "(and (= n n0) (> n 1) (> g 0))";
    let labels = [(1, 0, label), (1, 5, later)];
    let proof = proof_of(&program, &labels, &[(1, ghost)]);
    assert_eq!(check(&program, &proof), Ok(()));
    // After a call the ghost is what it was: the call's was another.
    let labels = [(1, 0, label), (1, 6, "(= n n0)")];
    let proof = proof_of(&program, &labels, &[(1, ghost)]);
    assert_eq!(check(&program, &proof), Ok(()));
    let wrong = ("n0", "(+ n 1)", &[][..]);
    let proof = proof_of(&program, &labels, &[(1, wrong)]);
    assert!(matches!(
        check(&program, &proof),
        Err(ProofError::NotInductive(_))
    ));
}

#[test]
fn calls_through_pointers_may_go_anywhere() {
    let text = |argument: &str| {
        program(&format!(
            r#"program ptr 8 entry main
            global v0 g: i32 = 0i32
            proc p0 main() entry l0 exit l1 {{
              local v1 f: ptr
              l0:
                e0: f := &a -> l2
              l2:
                e1: call *(f)({argument}) -> l3
              l3:
                e2: assume g >= 0i32 -> l4
                e3: assume g < 0i32 -> l5
              l4:
                e4: return -> l1
              l5: error assertion "g >= 0"
              l1:
            }}
            proc p1 a(v2 n: i32) entry l0 exit l1 {{
              l0:
                e0: assume n == 1i32 -> l2
                e1: assume n != 1i32 -> l3
              l2:
                e2: return -> l1
              l3: error assertion "n == 1"
              l1:
            }}
            proc p2 b() entry l0 exit l1 {{
              l0:
                e0: g := -1i32 -> l2
              l2:
                e1: return -> l1
              l1:
            }}
            "#
        ))
    };
    accepted(&text("1i32"), &[(1, 0, "(= n 1)")]);
    rejected(&text("2i32"), &[(1, 0, "(= n 1)")]);
    rejected(&text("1i32"), &[]);
    // As soon as the address of the other one is taken, it may be called.
    let mut both = text("1i32");
    let main = both.entry;
    let edge = both.procs[main].edges.ids().next().unwrap();
    let other = both.procs.ids().nth(2).unwrap();
    both.procs[main].edges[edge].op = program::ir::Op::Assign(
        program::ir::Place::Var(both.vars.ids().nth(1).unwrap()),
        program::expr::Expr::Select(
            Box::new(program::expr::Expr::bool(true)),
            Box::new(program::expr::Expr::Proc(both.procs.ids().nth(1).unwrap())),
            Box::new(program::expr::Expr::Proc(other)),
        ),
    );
    rejected(&both, &[(1, 0, "(= n 1)")]);
}

#[test]
fn the_checker_inlines_by_itself() {
    let text = r#"program ptr 8 entry main
        global v0 g: u32 = 0u32
        proc p0 main() entry l0 exit l1 {
          l0:
            e0: call f(g) -> l2
          l2:
            e1: assume g <= 10u32 -> l0
            e2: assume g > 10u32 -> l3
          l3:
            e3: assume g == 11u32 -> l4
            e4: assume g != 11u32 -> l5
          l4:
            e5: return -> l1
          l5: error assertion "g == 11"
          l1:
        }
        proc p1 f(v1 n: u32) entry l0 exit l1 {
          l0:
            e0: g := n + 1u32 -> l2
          l2:
            e1: return -> l1
          l1:
        }"#;
    let program = program(text);
    let limit = InlineLimit::default();
    let (inlined, _) = inline_calls(&program, limit);
    let labels = [(0, 0, "(<= g 10)")];
    let mut proof = proof_of(&inlined, &labels, &[]);
    // Without inlining the call forgets what it writes.
    assert!(matches!(
        check(&program, &proof),
        Err(ProofError::Malformed(_))
    ));
    proof.inlined = Some(limit);
    assert_eq!(check(&program, &proof), Ok(()));
    proof.inlined = Some(InlineLimit {
        edges: 0,
        ..InlineLimit::default()
    });
    assert!(check(&program, &proof).is_err());
    rejected(&program, &labels);
}

/// Programs with everything that the IR has: what is proved without labels, no run contradicts.
#[test]
fn nothing_that_runs_do_contradicts_a_proof() {
    let (mut proved, mut violated) = (0, 0);
    for seed in 0..250 {
        let program = testkit::random::program(seed, 6);
        let found = check(&program, &empty(&program));
        if let Err(error) = &found {
            assert!(
                matches!(
                    error,
                    ProofError::NotInductive(_) | ProofError::Undecided(..)
                ),
                "seed {seed}: {error}"
            );
        }
        proved += usize::from(found.is_ok());
        let failing = failing_runs(&program, 10);
        violated += failing;
        assert!(found.is_err() || failing == 0, "seed {seed}");
    }
    assert!(proved > 20 && violated > 20, "{proved} {violated}");
}
