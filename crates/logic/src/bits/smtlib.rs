//! Bit-vectors as SMT-LIB text, one definition per term, so that the text is linear in the number
//! of terms. A term of one bit is written as a Boolean.

use super::float::{FloatType, FloatUnary};
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
                // SMT-LIB has no bits of a number, but the number of bits.
                BitNode::FloatUnary(op, ty, _)
                    if !matches!(op, FloatUnary::ToSigned | FloatUnary::ToUnsigned) =>
                {
                    let number = of_number(&name, op.result(ty), &self.body(term));
                    let _ = writeln!(out, "{number}");
                }
                BitNode::FloatBinary(op, ty, ..) if !op.is_comparison() => {
                    let _ = writeln!(out, "{}", of_number(&name, ty, &self.body(term)));
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
            BitNode::FloatUnary(op, ty, a) => float_unary(op, ty, width, &name(a)),
            BitNode::FloatBinary(op, ty, a, b) => {
                let [a, b] = [a, b].map(|bits| number(ty, &name(bits)));
                match op.is_comparison() {
                    true => format!("({} {a} {b})", op.name()),
                    false => format!("({} RNE {a} {b})", op.name()),
                }
            }
        }
    }
}

/// The number that bits of a format are.
fn number(ty: FloatType, bits: &str) -> String {
    let (exponent, significand) = ty.shape();
    format!("((_ to_fp {exponent} {significand}) {bits})")
}

/// Bits declared as those of a number.
fn of_number(name: &str, ty: FloatType, value: &str) -> String {
    let (width, nan) = (ty.bits(), ty.nan());
    let own = number(ty, name);
    format!(
        "(declare-const {name} (_ BitVec {width}))\n\
         (assert (let ((r {value})) (ite (fp.isNaN r) (= {name} (_ bv{nan} {width})) (= {own} r))))"
    )
}

fn float_unary(op: FloatUnary, ty: FloatType, width: u8, bits: &str) -> String {
    use FloatUnary::*;
    let a = number(ty, bits);
    let whole = |mode: &str| format!("(fp.roundToIntegral {mode} {a})");
    let (exponent, significand) = op.result(ty).shape();
    match op {
        Sqrt => format!("(fp.sqrt RNE {a})"),
        Floor => whole("RTN"),
        Ceil => whole("RTP"),
        Trunc => whole("RTZ"),
        Round => whole("RNA"),
        Rint => whole("RNE"),
        Resize => format!("((_ to_fp {exponent} {significand}) RNE {a})"),
        FromSigned => format!("((_ to_fp {exponent} {significand}) RNE {bits})"),
        FromUnsigned => format!("((_ to_fp_unsigned {exponent} {significand}) RNE {bits})"),
        ToSigned | ToUnsigned => format!("((_ {} {width}) RTZ {a})", op.name()),
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
