//! The three checks of an interpolant, by a solver state of its own.

use crate::{Answer, Solver};
use base::Budget;
use logic::{TermId, TermStore};
use prover::Shape;
use std::fmt;

/// What is wrong with interpolants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// There are not as many as cuts.
    Count,
    /// One speaks of a symbol that both sides of its cut do not share.
    NotShared {
        /// The cut.
        cut: usize,
        /// The symbol's name.
        name: String,
    },
    /// A part and the interpolants below it do not imply the interpolant above it; for the last
    /// part, they are not inconsistent.
    NotImplied {
        /// The part.
        part: usize,
    },
    /// The solver did not say.
    Unknown {
        /// The part.
        part: usize,
        /// Why not.
        reason: String,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Count => write!(
                f,
                "there should be one interpolant for each part but the last"
            ),
            Flaw::NotShared { cut, name } => {
                write!(
                    f,
                    "interpolant {cut} speaks of `{name}`, which is not shared"
                )
            }
            Flaw::NotImplied { part } => {
                write!(f, "the step over part {part} does not hold")
            }
            Flaw::Unknown { part, reason } => {
                write!(
                    f,
                    "the step over part {part} could not be checked: {reason}"
                )
            }
        }
    }
}

/// Checks that each interpolant speaks only of what both sides of its cut share, that it follows
/// from its part and the interpolants right below, and that those of the last part contradict it.
pub fn verify(
    store: &mut TermStore,
    parts: &[TermId],
    shape: &Shape,
    interpolants: &[TermId],
    budget: &Budget,
) -> Result<(), Flaw> {
    if interpolants.len() + 1 != parts.len() || parts.len() != shape.len() {
        return Err(Flaw::Count);
    }
    for (cut, &interpolant) in interpolants.iter().enumerate() {
        shared(store, parts, shape, cut, interpolant)?;
    }
    let mut solver = Solver::new().without_recall();
    for (part, &formula) in parts.iter().enumerate() {
        let mut premises: Vec<TermId> = vec![formula];
        premises.extend(shape.children(part).map(|child| interpolants[child]));
        if let Some(&interpolant) = interpolants.get(part) {
            premises.push(store.not(interpolant));
        }
        solver.push();
        for premise in premises {
            solver.assert(store, premise);
        }
        let answer = solver.check(store, &[], budget);
        solver.pop();
        match answer {
            Answer::Unsat => {}
            Answer::Sat => return Err(Flaw::NotImplied { part }),
            Answer::Unknown(reason) => return Err(Flaw::Unknown { part, reason }),
        }
    }
    Ok(())
}

/// Whether an interpolant's symbols and functions occur on both sides of its cut.
fn shared(
    store: &TermStore,
    parts: &[TermId],
    shape: &Shape,
    cut: usize,
    interpolant: TermId,
) -> Result<(), Flaw> {
    let side = |inner: bool| {
        let chosen = (0..parts.len()).filter(|&part| shape.is_inside(cut, part) == inner);
        chosen.map(|part| parts[part]).collect::<Vec<TermId>>()
    };
    let sides = [side(true), side(false)];
    let not_shared = |name: &str| Flaw::NotShared {
        cut,
        name: name.to_owned(),
    };
    for symbol in store.symbols_of(&[interpolant]) {
        if !sides
            .iter()
            .all(|side| store.symbols_of(side).contains(&symbol))
        {
            return Err(not_shared(&store.symbol(symbol).name));
        }
    }
    for function in store.functions_of(&[interpolant]) {
        if !sides
            .iter()
            .all(|side| store.functions_of(side).contains(&function))
        {
            return Err(not_shared(&store.function(function).name));
        }
    }
    Ok(())
}
