//! Claims: conditions that are checked where they are claimed to hold.
//!
//! # Invariants
//! - A claim whose evaluation is undefined does not hold: every step that may be undefined is
//!   checked, and leads to the claim's error location. So a claim cuts off no run.
//! - A claim that is not checked in a procedure leaves no verdict for runs that reach it.

use super::procedure::Lowering;
use cfront::claim::{Claim, ClaimKind};
use program::ir::{Op, Property, Violation};

impl<'a> Lowering<'_, 'a> {
    /// Whether something is claimed of the function.
    pub(super) fn is_claimed(&self) -> bool {
        self.body.is_some_and(|body| !body.claims.is_empty())
    }

    /// Checks what is claimed of the statement that starts at a byte.
    pub(super) fn claims(&mut self, at: u32, kind: ClaimKind) {
        if self.cx.automaton.is_some() {
            return self.assume_claims(at, kind);
        }
        let all: &'a [Claim] = self.body.map_or(&[], |body| &body.claims);
        for (number, claim) in all.iter().enumerate() {
            if claim.at == at && claim.kind == kind {
                self.checked.insert(number);
                self.claim(claim);
            }
        }
    }

    /// A claim about a place that is no step of the procedure is not known to hold.
    pub(super) fn refuse_unchecked(&mut self) {
        let all: &'a [Claim] = self.body.map_or(&[], |body| &body.claims);
        let left = (0..all.len()).find(|number| !self.checked.contains(number));
        if let Some(number) = left {
            let entry = self.procedure.entry;
            let rest = self.split(entry);
            let what = "an invariant at a place where none can be checked";
            let span = all[number].condition.span;
            self.edge(entry, rest, Op::Unsupported(what.into()), span);
        }
    }

    fn claim(&mut self, claim: &'a Claim) {
        let span = claim.condition.span;
        let holds = self.location(span);
        self.claim = Some(span);
        let message = "the invariant does not hold".to_owned();
        let fails = self.error(Property::Invariant, message, span);
        self.branch(&claim.condition, holds, fails);
        self.claim = None;
        self.cur = holds;
    }

    /// Whether violations of a property are looked for here.
    pub(super) fn checks(&self, property: Property) -> bool {
        self.claim.is_some() || self.cx.checks(property)
    }

    /// A violation as it counts here: inside a claim, the claim does not hold.
    pub(super) fn as_claimed(&self, violation: Violation) -> Violation {
        match self.claim {
            Some(span) if violation.property != Property::Invariant => Violation {
                property: Property::Invariant,
                message: format!("the invariant is undefined: {}", violation.message),
                span,
            },
            Some(_) | None => violation,
        }
    }
}
