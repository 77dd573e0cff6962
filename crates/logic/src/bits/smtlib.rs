//! Bit-vectors as SMT-LIB text, one definition a term, so that the text is as long as the terms are
//! many. A term of one bit is written as a truth value.

use super::{BitComparison, BitId, BitNode, BitOp, BitStore};
use base::Id;
use std::fmt::Write;

impl BitStore {
    /// The commands that declare the symbols of some truth values, assert them and ask.
    pub fn smtlib_query(&self, formulas: &[BitId]) -> String {
        let mut out = String::new();
        for term in self.below(formulas) {
            let (name, sort) = (name(term), self.sort(term));
            match self.node(term) {
                BitNode::Symbol(_) => {
                    let _ = writeln!(out, "(declare-const {name} {sort})");
                }
                _ => {
                    let body = self.body(term);
                    let _ = writeln!(out, "(define-fun {name} () {sort} {body})");
                }
            }
        }
        for &formula in formulas {
            let _ = writeln!(out, "(assert {})", name(formula));
        }
        out.push_str("(check-sat)\n");
        out
    }

    fn sort(&self, term: BitId) -> String {
        match self.width(term) {
            1 => "Bool".to_owned(),
            width => format!("(_ BitVec {width})"),
        }
    }

    /// A part where a bit-vector is needed.
    fn vector(&self, term: BitId) -> String {
        match self.width(term) {
            1 => format!("(ite {} #b1 #b0)", name(term)),
            _ => name(term),
        }
    }

    fn body(&self, term: BitId) -> String {
        let width = self.width(term);
        match self.node(term) {
            BitNode::Symbol(_) => name(term),
            BitNode::Const(value) if width == 1 => (value == 1).to_string(),
            BitNode::Const(value) => format!("(_ bv{value} {width})"),
            BitNode::Not(a) if width == 1 => format!("(not {})", name(a)),
            BitNode::Not(a) => format!("(bvnot {})", name(a)),
            BitNode::Binary(op, a, b) => match truth_operator(op) {
                Some(operator) if width == 1 => format!("({operator} {} {})", name(a), name(b)),
                _ if width == 1 => {
                    let (a, b) = (self.vector(a), self.vector(b));
                    format!("(= ({} {a} {b}) #b1)", op.name())
                }
                _ => format!("({} {} {})", op.name(), name(a), name(b)),
            },
            BitNode::Compare(BitComparison::Eq, a, b) => format!("(= {} {})", name(a), name(b)),
            BitNode::Compare(comparison, a, b) => {
                let (a, b) = (self.vector(a), self.vector(b));
                format!("({} {a} {b})", comparison.name())
            }
            BitNode::Extract(low, a) => {
                let bits = format!("((_ extract {} {low}) {})", low + width - 1, name(a));
                if width == 1 {
                    format!("(= {bits} #b1)")
                } else {
                    bits
                }
            }
            BitNode::ZeroExtend(a) => {
                let by = width - self.width(a);
                format!("((_ zero_extend {by}) {})", self.vector(a))
            }
            BitNode::SignExtend(a) => {
                let by = width - self.width(a);
                format!("((_ sign_extend {by}) {})", self.vector(a))
            }
            BitNode::Concat(a, b) => format!("(concat {} {})", self.vector(a), self.vector(b)),
            BitNode::Ite(condition, then, otherwise) => {
                format!(
                    "(ite {} {} {})",
                    name(condition),
                    name(then),
                    name(otherwise)
                )
            }
        }
    }
}

fn name(term: BitId) -> String {
    format!("t{}", term.index())
}

/// SMT-LIB's operator on truth values, if there is one.
fn truth_operator(op: BitOp) -> Option<&'static str> {
    use BitOp::*;
    match op {
        And => Some("and"),
        Or => Some("or"),
        Xor => Some("xor"),
        Add | Sub | Mul | UDiv | URem | SDiv | SRem | Shl | LShr | AShr => None,
    }
}
