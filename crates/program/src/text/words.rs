//! The words and signs of the text form, shared by printer and reader.

use crate::expr::BinaryOp;
use crate::ir::{Property, SiteKind};

pub(super) const UNARY: u8 = 8;
pub(super) const PRIMARY: u8 = 9;

/// How strongly an operator binds.
pub(super) fn op_level(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Eq | Ne | Lt | Le | Gt | Ge => 1,
        Or => 2,
        Xor => 3,
        And => 4,
        Shl | Shr => 5,
        Add | Sub | PtrDiff => 6,
        Mul | Div | Rem => 7,
    }
}

/// All binary operators.
pub(super) const OPS: [BinaryOp; 17] = {
    use BinaryOp::*;
    [
        Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge, PtrDiff,
    ]
};

pub(super) fn op_text(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Rem => "%",
        And => "&",
        Or => "|",
        Xor => "^",
        Shl => "<<",
        Shr => ">>",
        Eq => "==",
        Ne => "!=",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        PtrDiff => "--",
    }
}

pub(super) const PROPERTIES: [Property; 7] = [
    Property::Assertion,
    Property::Overflow,
    Property::DivisionByZero,
    Property::Shift,
    Property::Dereference,
    Property::Free,
    Property::Invariant,
];

pub(super) fn property(property: Property) -> &'static str {
    match property {
        Property::Assertion => "assertion",
        Property::Overflow => "overflow",
        Property::DivisionByZero => "division",
        Property::Shift => "shift",
        Property::Dereference => "dereference",
        Property::Free => "free",
        Property::Invariant => "invariant",
    }
}

pub(super) const SITE_KINDS: [SiteKind; 6] = [
    SiteKind::Nondet,
    SiteKind::External,
    SiteKind::Uninitialized,
    SiteKind::Argument,
    SiteKind::Outside,
    SiteKind::Choice,
];

pub(super) fn site_kind(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Nondet => "nondet",
        SiteKind::External => "external",
        SiteKind::Uninitialized => "uninitialized",
        SiteKind::Argument => "argument",
        SiteKind::Outside => "outside",
        SiteKind::Choice => "choice",
    }
}
