//! Jumps that C forbids: into the scope of an object of variably modified type, and into a
//! statement expression.

use super::Parser;
use crate::ast::LabelId;
use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// Something a jump may leave but not enter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Barrier {
    /// Where it begins; no two begin at one place.
    start: Span,
    what: &'static str,
}

/// The jumps of a function and the barriers around both ends.
#[derive(Debug, Default)]
pub(super) struct Jumps {
    /// Barriers we are behind, the innermost last.
    open: Vec<Barrier>,
    /// How many were open when each open scope began.
    scopes: Vec<usize>,
    /// Where each `goto` stands.
    gotos: Vec<(LabelId, Span, Vec<Barrier>)>,
    /// Where labels behind barriers stand.
    labels: FxHashMap<LabelId, Vec<Barrier>>,
}

impl Jumps {
    pub(super) fn enter(&mut self) {
        self.scopes.push(self.open.len());
    }

    pub(super) fn leave(&mut self) {
        if let Some(open) = self.scopes.pop() {
            self.open.truncate(open);
        }
    }

    /// An object of variably modified type is declared.
    pub(super) fn declare(&mut self, start: Span) {
        let what = "the scope of a variable-length array";
        self.open.push(Barrier { start, what });
    }

    /// A statement expression begins.
    pub(super) fn statement_expression(&mut self, start: Span) {
        let what = "a statement expression";
        self.open.push(Barrier { start, what });
    }

    pub(super) fn goto(&mut self, label: LabelId, span: Span) {
        self.gotos.push((label, span, self.open.clone()));
    }

    pub(super) fn label(&mut self, label: LabelId) {
        if !self.open.is_empty() {
            self.labels.insert(label, self.open.clone());
        }
    }

    /// How many barriers we are behind.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The barrier between a switch, begun behind so many, and a case of it.
    pub(super) fn since(&self, depth: usize) -> Option<Barrier> {
        self.open.get(depth).copied()
    }
}

impl Parser<'_> {
    /// Reports the jumps of a function that enter what they may not.
    pub(super) fn check_jumps(&mut self, jumps: &Jumps) {
        for (label, span, from) in &jumps.gotos {
            let Some(behind) = jumps.labels.get(label) else {
                continue;
            };
            if let Some(&barrier) = behind.iter().find(|barrier| !from.contains(barrier)) {
                self.forbidden_jump(*span, barrier);
            }
        }
    }

    pub(super) fn forbidden_jump(&mut self, span: Span, barrier: Barrier) {
        let message = format!("this jumps into {}", barrier.what);
        let diagnostic = Diagnostic::error(span, message);
        self.report(diagnostic.note(barrier.start, "which begins here"));
    }
}
