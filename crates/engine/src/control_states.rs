//! Recognises state machines with many control states: programs in which a variable says what is
//! done next.
//!
//! Such a program loops, compares a variable with constants, and assigns it another one. Loop
//! summaries say little about it, as there is nothing to sum up, and each test gets only one state
//! further; but a few predicates per state tell the states apart. So a portfolio may ask here which
//! engine to start with.
//!
//! # Invariants
//! - Affects effort only: no verdict rests on it.

use encode::on_variables::OnVariables;
use program::expr::{BinaryOp, Constant, Expr};
use program::ir::{Program, VarId};
use program::pass::loops::LoopNest;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// How many states a machine has at least.
const STATES: usize = 8;

/// What is done with a variable.
#[derive(Default)]
struct Uses {
    /// The constants that it is compared with for equality.
    compared: FxHashSet<Constant>,
    /// The constants that it is given.
    given: FxHashSet<Constant>,
}

/// Whether a procedure with loops has a variable that is compared with many constants and is given
/// many.
pub fn has_many(program: &Program) -> bool {
    let with_loops = program
        .procs
        .iter()
        .filter(|proc| !LoopNest::new(proc).loops.is_empty());
    let mut uses: BTreeMap<VarId, Uses> = BTreeMap::new();
    for edge in with_loops.flat_map(|proc| proc.edges.iter()) {
        match OnVariables::of(&edge.op) {
            Some(OnVariables::Assign(var, value)) => {
                if let Some(constant) = constant(value) {
                    uses.entry(var).or_default().given.insert(constant);
                }
            }
            Some(OnVariables::Assume(condition)) => {
                for (var, constant) in comparisons(condition) {
                    uses.entry(var).or_default().compared.insert(constant);
                }
            }
            Some(OnVariables::Skip | OnVariables::Havoc(..)) | None => {}
        }
    }
    let mut uses = uses.values();
    uses.any(|row| row.compared.len() >= STATES && row.given.len() >= STATES / 2)
}

/// The variables that a condition compares with constants for equality.
fn comparisons(condition: &Expr) -> Vec<(VarId, Constant)> {
    let mut found = Vec::new();
    condition.visit(&mut |part| {
        if let Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, _, left, right) = part {
            let sides = [(left, right), (right, left)];
            let pairs = sides.map(|(one, other)| Some((variable(one)?, constant(other)?)));
            found.extend(pairs.into_iter().flatten());
        }
    });
    found
}

fn variable(expr: &Expr) -> Option<VarId> {
    match expr {
        Expr::Var(var) => Some(*var),
        Expr::Cast(_, inner) => variable(inner),
        _ => None,
    }
}

fn constant(expr: &Expr) -> Option<Constant> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Cast(_, inner) => constant(inner),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program;
    use std::fmt::Write;

    /// Goes from state to state round a loop, or through the same questions once.
    fn machine(states: usize, has_loop: bool, next: &dyn Fn(usize) -> String) -> Program {
        let mut text = String::from(
            "program ptr 8 entry main
             site n0: nondet i32 \"__VERIFIER_nondet_int\"
             proc p0 main() entry l0 exit l1 {
               local v0 at: i32
               local v1 n: i32
               l0:
                 e0: at := 0i32 -> l2\n",
        );
        let back = if has_loop { 2 } else { 1 };
        for state in 0..states {
            let (here, found) = (2 + 2 * state, 3 + 2 * state);
            let other = if state + 1 < states { here + 2 } else { 1 };
            let edge = 1 + 3 * state;
            let op = next(state);
            writeln!(
                text,
                "l{here}:
                   e{edge}: assume at == {state}i32 -> l{found}
                   e{}: assume at != {state}i32 -> l{other}
                 l{found}:
                   e{}: {op} -> l{back}",
                edge + 1,
                edge + 2
            )
            .expect("text should be written");
        }
        text.push_str("l1:\n}");
        program(&text)
    }

    #[test]
    fn a_machine_gives_its_variable_constants_and_asks_for_them_in_a_loop() {
        let constant = |state: usize| format!("at := {}i32", state + 1);
        let input = |_| "havoc at n0".to_owned();
        assert!(has_many(&machine(STATES, true, &constant)));
        assert!(!has_many(&machine(STATES - 1, true, &constant)));
        assert!(!has_many(&machine(STATES, false, &constant)));
        assert!(!has_many(&machine(STATES, true, &input)));
    }
}
