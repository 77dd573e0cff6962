//! Hash-consed terms over bit-vectors.
//!
//! These are separate from the terms of [`term`](crate::term): a query is either in integers or in
//! bit-vectors, so neither side has to know the other's operations. A Boolean is a bit-vector of
//! one bit. The semantics of the operations is SMT-LIB's `QF_BV` ([`meaning`]);
//! [`evaluate`](BitStore::evaluate) follows it, and [`smtlib`] prints it.
//!
//! Constructors simplify where it is cheap: constants are folded, neutral operands dropped, and an
//! operation with a constant on a *table*, a choice among few constants, is done on each of them.
//! Tables keep loop counters and pointer targets constant where paths join.
//!
//! # Invariants
//! - The parts of a term have smaller ids than the term.
//! - A width is 1 to 128; a constant has no bits above its width.
//! - The conjunction of two Booleans keeps the order of its operands: the left one may be the guard
//!   of a path and the right one its extension.

mod evaluate;
pub mod float;
mod known;
pub mod meaning;
pub mod smtlib;
mod table;
#[cfg(test)]
mod tests;

use base::{IdVec, define_id, named_enum};
use float::{FloatBinary, FloatType, FloatUnary};
use meaning::{compare, mask, operate, signed};
use rustc_hash::FxHashMap;

define_id! {
    /// A term of a store of bit-vectors.
    BitId = "b";
}

/// The widest bit-vector.
pub const WIDEST: u8 = 128;

/// The outermost step of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BitNode {
    /// A constant.
    Const(u128),
    /// A free symbol, by its number.
    Symbol(u32),
    /// All bits turned.
    Not(BitId),
    /// An operation on two operands of the term's width.
    Binary(BitOp, BitId, BitId),
    /// The truth of a comparison of two operands of one width.
    Compare(BitComparison, BitId, BitId),
    /// The bits from this one on, as many as the term has.
    Extract(u8, BitId),
    /// Zeros in front.
    ZeroExtend(BitId),
    /// Copies of the sign in front.
    SignExtend(BitId),
    /// The bits of the first in front of those of the second.
    Concat(BitId, BitId),
    /// The second if the first (one bit) is set, else the third.
    Ite(BitId, BitId, BitId),
    /// An operation on one floating-point number, of this format, or to it from an integer.
    FloatUnary(FloatUnary, FloatType, BitId),
    /// An operation on two floating-point numbers of a format.
    FloatBinary(FloatBinary, FloatType, BitId, BitId),
}

named_enum! {
    /// Operations on two operands, named as in SMT-LIB.
    #[allow(missing_docs, reason = "the names are SMT-LIB's")]
    pub enum BitOp {
        Add = "bvadd",
        Sub = "bvsub",
        Mul = "bvmul",
        UDiv = "bvudiv",
        URem = "bvurem",
        SDiv = "bvsdiv",
        SRem = "bvsrem",
        And = "bvand",
        Or = "bvor",
        Xor = "bvxor",
        Shl = "bvshl",
        LShr = "bvlshr",
        AShr = "bvashr",
    }

    /// Comparisons, named as in SMT-LIB.
    #[allow(missing_docs, reason = "the names are SMT-LIB's")]
    pub enum BitComparison {
        Eq = "=",
        ULt = "bvult",
        ULe = "bvule",
        SLt = "bvslt",
        SLe = "bvsle",
    }
}

/// Owns terms.
#[derive(Clone, Debug)]
pub struct BitStore {
    nodes: IdVec<BitId, BitNode>,
    widths: IdVec<BitId, u8>,
    /// How many constants a table chooses among; 0 for what is not a table.
    tables: IdVec<BitId, u8>,
    /// How many of the lowest bits are surely zero.
    zeros: IdVec<BitId, u8>,
    /// How many bits may be set, counted from the lowest one on; those above are surely zero.
    used: IdVec<BitId, u8>,
    ids: FxHashMap<(BitNode, u8), BitId>,
    /// What two choices by one condition are, one in front of the other: they may share much.
    joined: FxHashMap<(BitId, BitId), BitId>,
    symbols: u32,
    has_floats: bool,
}

impl Default for BitStore {
    fn default() -> Self {
        BitStore::new()
    }
}

impl BitStore {
    /// False and true, which every store has.
    pub const FALSE: BitId = BitId(0);
    /// See [`FALSE`](Self::FALSE).
    pub const TRUE: BitId = BitId(1);

    /// A store with the two truth values.
    pub fn new() -> Self {
        let mut store = BitStore {
            nodes: IdVec::new(),
            widths: IdVec::new(),
            tables: IdVec::new(),
            zeros: IdVec::new(),
            used: IdVec::new(),
            ids: FxHashMap::default(),
            joined: FxHashMap::default(),
            symbols: 0,
            has_floats: false,
        };
        let [no, yes] = [0, 1].map(|value| store.constant(1, value));
        debug_assert!(no == Self::FALSE && yes == Self::TRUE);
        store
    }

    /// The outermost step of a term.
    pub fn node(&self, term: BitId) -> BitNode {
        self.nodes[term]
    }

    /// Its width.
    pub fn width(&self, term: BitId) -> u8 {
        self.widths[term]
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none; never, as the truth values are there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The constant, if the term is one.
    pub fn as_constant(&self, term: BitId) -> Option<u128> {
        match self.node(term) {
            BitNode::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The terms a term is made of.
    pub fn parts(&self, term: BitId) -> impl Iterator<Item = BitId> + use<> {
        let parts: [Option<BitId>; 3] = match self.node(term) {
            BitNode::Const(_) | BitNode::Symbol(_) => [None; 3],
            BitNode::Not(a)
            | BitNode::Extract(_, a)
            | BitNode::ZeroExtend(a)
            | BitNode::SignExtend(a)
            | BitNode::FloatUnary(_, _, a) => [Some(a), None, None],
            BitNode::Binary(_, a, b)
            | BitNode::Compare(_, a, b)
            | BitNode::Concat(a, b)
            | BitNode::FloatBinary(_, _, a, b) => [Some(a), Some(b), None],
            BitNode::Ite(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        parts.into_iter().flatten()
    }

    fn intern(&mut self, node: BitNode, width: u8) -> BitId {
        debug_assert!((1..=WIDEST).contains(&width), "a width should be 1 to 128");
        if let Some(&id) = self.ids.get(&(node, width)) {
            return id;
        }
        let size = self.table_of(node);
        let zeros = self.zeros_of(node, width);
        let used = self.used_of(node, width);
        let id = self.nodes.push(node);
        self.widths.push(width);
        self.zeros.push(zeros);
        self.used.push(used);
        self.tables.push(size);
        self.ids.insert((node, width), id);
        id
    }

    /// A constant; bits above the width do not count.
    pub fn constant(&mut self, width: u8, value: u128) -> BitId {
        self.intern(BitNode::Const(value & mask(width)), width)
    }

    /// A truth value.
    pub fn bool(&self, value: bool) -> BitId {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// A new symbol.
    pub fn fresh(&mut self, width: u8) -> BitId {
        let number = self.reserve(1);
        self.symbol(number, width)
    }

    /// Numbers for so many symbols, one after the other: the first of them. No term is made.
    pub fn reserve(&mut self, count: u32) -> u32 {
        self.symbols += count;
        self.symbols - count
    }

    /// The symbol of a number that was reserved; of one width always.
    pub fn symbol(&mut self, number: u32, width: u8) -> BitId {
        debug_assert!(
            number < self.symbols,
            "a symbol should have a number of its own"
        );
        self.intern(BitNode::Symbol(number), width)
    }

    /// All bits turned; the negation of a truth value.
    pub fn not(&mut self, a: BitId) -> BitId {
        let width = self.width(a);
        match self.node(a) {
            BitNode::Const(value) => self.constant(width, !value),
            BitNode::Not(inner) => inner,
            _ if self.is_table(a) => self.on_table(a, &mut |store, leaf| store.not(leaf)),
            _ => self.intern(BitNode::Not(a), width),
        }
    }

    /// Both hold, for truth values.
    pub fn and(&mut self, a: BitId, b: BitId) -> BitId {
        self.binary(BitOp::And, a, b)
    }

    /// One of them holds, for truth values.
    pub fn or(&mut self, a: BitId, b: BitId) -> BitId {
        self.binary(BitOp::Or, a, b)
    }

    /// The first implies the second, for truth values.
    pub fn implies(&mut self, a: BitId, b: BitId) -> BitId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// An operation on two operands of one width.
    pub fn binary(&mut self, op: BitOp, a: BitId, b: BitId) -> BitId {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "operands should have one width");
        if let (Some(a), Some(b)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(width, operate(op, width, a, b));
        }
        if let Some(result) = self.neutral(op, a, b) {
            return result;
        }
        if self.is_table(a) && self.as_constant(b).is_some() {
            return self.on_table(a, &mut |store, leaf| store.binary(op, leaf, b));
        }
        if self.is_table(b) && self.as_constant(a).is_some() {
            return self.on_table(b, &mut |store, leaf| store.binary(op, a, leaf));
        }
        if let Some(result) = self.reassociated(op, a, b) {
            return result;
        }
        // Guards of paths are conjunctions whose order tells how they came about.
        let is_ordered = width > 1 && is_commutative(op) && b < a;
        let (a, b) = if is_ordered { (b, a) } else { (a, b) };
        self.intern(BitNode::Binary(op, a, b), width)
    }

    /// The result where one operand is neutral or decides alone, or where both are the same.
    fn neutral(&mut self, op: BitOp, a: BitId, b: BitId) -> Option<BitId> {
        use BitOp::*;
        let width = self.width(a);
        let (left, right) = (self.as_constant(a), self.as_constant(b));
        let (zero, ones) = (Some(0), Some(mask(width)));
        match op {
            Add | Or | Xor if left == zero => return Some(b),
            Add | Sub | Or | Xor | Shl | LShr | AShr if right == zero => return Some(a),
            Mul | And if left == zero => return Some(a),
            Mul | And if right == zero => return Some(b),
            Shl | LShr if left == zero => return Some(a),
            Mul if left == Some(1) => return Some(b),
            Mul | UDiv if right == Some(1) => return Some(a),
            And if left == ones => return Some(b),
            And if right == ones => return Some(a),
            Or if left == ones => return Some(a),
            Or if right == ones => return Some(b),
            Xor if left == ones => return Some(self.not(b)),
            Xor if right == ones => return Some(self.not(a)),
            And | Or if a == b => return Some(a),
            Sub | Xor if a == b => return Some(self.constant(width, 0)),
            _ => {}
        }
        let is_opposite = self.node(a) == BitNode::Not(b) || self.node(b) == BitNode::Not(a);
        match op {
            And if is_opposite => Some(self.constant(width, 0)),
            Or if is_opposite => Some(self.constant(width, u128::MAX)),
            _ => None,
        }
    }

    /// `(x + k) + l` and `(x + k) - l` as `x + m`, so that counters and addresses stay short.
    fn reassociated(&mut self, op: BitOp, a: BitId, b: BitId) -> Option<BitId> {
        let width = self.width(a);
        let by = match (op, self.as_constant(a), self.as_constant(b)) {
            (BitOp::Add, None, Some(by)) => by,
            (BitOp::Sub, None, Some(by)) => by.wrapping_neg() & mask(width),
            (BitOp::Add, Some(_), None) => return self.reassociated(op, b, a),
            _ => return None,
        };
        if let BitNode::Binary(BitOp::Add, x, y) = self.node(a) {
            let (rest, first) = match (self.as_constant(x), self.as_constant(y)) {
                (Some(first), None) => (y, first),
                (None, Some(first)) => (x, first),
                _ => return None,
            };
            let sum = self.constant(width, first.wrapping_add(by));
            return Some(self.binary(BitOp::Add, rest, sum));
        }
        (op == BitOp::Sub).then(|| {
            let by = self.constant(width, by);
            self.binary(BitOp::Add, a, by)
        })
    }

    /// A comparison of two operands of one width.
    pub fn compare(&mut self, comparison: BitComparison, a: BitId, b: BitId) -> BitId {
        use BitComparison::*;
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "operands should have one width");
        if let (Some(a), Some(b)) = (self.as_constant(a), self.as_constant(b)) {
            return self.bool(compare(comparison, width, a, b));
        }
        if a == b {
            return self.bool(matches!(comparison, Eq | ULe | SLe));
        }
        if let Some(known) = self.by_range(comparison, a, b) {
            return known;
        }
        match (comparison, self.as_constant(a), self.as_constant(b)) {
            (ULt, _, Some(0)) => return Self::FALSE,
            (ULe, Some(0), _) => return Self::TRUE,
            (Eq, Some(_), None) => return self.compare(Eq, b, a),
            (Eq, None, Some(value)) if width == 1 => {
                return if value == 1 { a } else { self.not(a) };
            }
            (Eq, None, Some(value)) => {
                if let Some(result) = self.equal_to(a, value) {
                    return result;
                }
            }
            _ => {}
        }
        if self.is_table(a) && self.as_constant(b).is_some() {
            return self.on_table(a, &mut |store, leaf| store.compare(comparison, leaf, b));
        }
        if self.is_table(b) && self.as_constant(a).is_some() {
            return self.on_table(b, &mut |store, leaf| store.compare(comparison, a, leaf));
        }
        let (a, b) = if comparison == Eq && b < a {
            (b, a)
        } else {
            (a, b)
        };
        self.intern(BitNode::Compare(comparison, a, b), 1)
    }

    /// Equality with a constant, where the other side shows more of it.
    fn equal_to(&mut self, a: BitId, value: u128) -> Option<BitId> {
        let inner_fits = |store: &Self, inner: BitId| value <= mask(store.width(inner));
        match self.node(a) {
            BitNode::ZeroExtend(inner) if inner_fits(self, inner) => {
                let width = self.width(inner);
                let value = self.constant(width, value);
                Some(self.equal(inner, value))
            }
            BitNode::ZeroExtend(_) => Some(Self::FALSE),
            // One of the branches is settled, so no term is doubled.
            BitNode::Ite(condition, then, otherwise) => {
                let (yes, no) = (self.as_constant(then), self.as_constant(otherwise));
                if yes.is_none() && no.is_none() {
                    return None;
                }
                let value = self.constant(self.width(a), value);
                let (then, otherwise) = (self.equal(then, value), self.equal(otherwise, value));
                Some(self.ite(condition, then, otherwise))
            }
            _ => None,
        }
    }

    /// The negation of an equality.
    pub fn differ(&mut self, a: BitId, b: BitId) -> BitId {
        let same = self.equal(a, b);
        self.not(same)
    }

    /// `a & !b` of conditions.
    pub fn and_not(&mut self, a: BitId, b: BitId) -> BitId {
        let not = self.not(b);
        self.and(a, not)
    }

    /// Equality.
    pub fn equal(&mut self, a: BitId, b: BitId) -> BitId {
        self.compare(BitComparison::Eq, a, b)
    }

    /// Some bits: `width` of them from the bit `low` on.
    pub fn extract(&mut self, low: u8, width: u8, a: BitId) -> BitId {
        let from = self.width(a);
        debug_assert!(u16::from(low) + u16::from(width) <= u16::from(from));
        if width == from {
            return a;
        }
        if low >= self.used[a] {
            return self.constant(width, 0);
        }
        match self.node(a) {
            BitNode::Const(value) => self.constant(width, value >> low),
            BitNode::Extract(below, inner) => self.extract(low + below, width, inner),
            BitNode::ZeroExtend(inner) | BitNode::SignExtend(inner)
                if low + width <= self.width(inner) =>
            {
                self.extract(low, width, inner)
            }
            BitNode::ZeroExtend(inner) if low >= self.width(inner) => self.constant(width, 0),
            BitNode::Concat(_, bottom) if low + width <= self.width(bottom) => {
                self.extract(low, width, bottom)
            }
            BitNode::Concat(top, bottom) if low >= self.width(bottom) => {
                self.extract(low - self.width(bottom), width, top)
            }
            _ if self.is_table(a) => {
                self.on_table(a, &mut |store, leaf| store.extract(low, width, leaf))
            }
            _ => self.intern(BitNode::Extract(low, a), width),
        }
    }

    /// Zeros in front, or bits cut off, up to a width.
    pub fn zero_extend(&mut self, width: u8, a: BitId) -> BitId {
        let from = self.width(a);
        match self.node(a) {
            _ if width <= from => self.extract(0, width, a),
            BitNode::Const(value) => self.constant(width, value),
            BitNode::ZeroExtend(inner) => self.zero_extend(width, inner),
            _ if self.is_table(a) => {
                self.on_table(a, &mut |store, leaf| store.zero_extend(width, leaf))
            }
            _ => self.intern(BitNode::ZeroExtend(a), width),
        }
    }

    /// Copies of the sign in front, or bits cut off, up to a width.
    pub fn sign_extend(&mut self, width: u8, a: BitId) -> BitId {
        let from = self.width(a);
        match self.node(a) {
            _ if width <= from => self.extract(0, width, a),
            BitNode::Const(value) => {
                let value = signed(from, value) as u128;
                self.constant(width, value)
            }
            BitNode::SignExtend(inner) => self.sign_extend(width, inner),
            // The sign is one of its zeros.
            BitNode::ZeroExtend(inner) => self.zero_extend(width, inner),
            _ if self.is_table(a) => {
                self.on_table(a, &mut |store, leaf| store.sign_extend(width, leaf))
            }
            _ => self.intern(BitNode::SignExtend(a), width),
        }
    }

    /// The bits of the first in front of those of the second.
    pub fn concat(&mut self, top: BitId, bottom: BitId) -> BitId {
        let (above, below) = (self.width(top), self.width(bottom));
        let width = above + below;
        match (self.node(top), self.node(bottom)) {
            (BitNode::Const(a), BitNode::Const(b)) => self.constant(width, a << below | b),
            (BitNode::Const(0), _) => self.zero_extend(width, bottom),
            // Neighbours that belong together.
            (BitNode::Extract(high, a), BitNode::Extract(low, b))
                if a == b && high == low + below =>
            {
                self.extract(low, width, a)
            }
            (BitNode::Extract(high, a), _) if a == bottom && high == below => {
                self.extract(0, width, a)
            }
            (BitNode::Ite(c, a, b), BitNode::Ite(d, e, f)) if c == d => {
                if let Some(&joined) = self.joined.get(&(top, bottom)) {
                    return joined;
                }
                let (then, otherwise) = (self.concat(a, e), self.concat(b, f));
                let joined = self.ite(c, then, otherwise);
                self.joined.insert((top, bottom), joined);
                joined
            }
            (_, BitNode::Concat(middle, last)) => {
                let first = self.concat(top, middle);
                // Only where it helps, else this would continue forever.
                match self.node(first) {
                    BitNode::Concat(a, b) if a == top && b == middle => {
                        self.intern(BitNode::Concat(top, bottom), width)
                    }
                    _ => self.concat(first, last),
                }
            }
            _ => self.intern(BitNode::Concat(top, bottom), width),
        }
    }

    /// `then` if the condition is set, else `otherwise`.
    pub fn ite(&mut self, condition: BitId, then: BitId, otherwise: BitId) -> BitId {
        let width = self.width(then);
        debug_assert_eq!(
            width,
            self.width(otherwise),
            "branches should have one width"
        );
        match self.node(condition) {
            BitNode::Const(1) => return then,
            BitNode::Const(_) => return otherwise,
            BitNode::Not(inner) => return self.ite(inner, otherwise, then),
            _ if then == otherwise => return then,
            _ => {}
        }
        if width == 1
            && let Some(result) = self.truth_ite(condition, then, otherwise)
        {
            return result;
        }
        // What is asked again below is known there.
        let then = match self.node(then) {
            BitNode::Ite(inner, yes, _) if inner == condition => yes,
            _ => then,
        };
        let otherwise = match self.node(otherwise) {
            BitNode::Ite(inner, _, no) if inner == condition => no,
            BitNode::Ite(inner, yes, no) if yes == then => {
                let either = self.or(condition, inner);
                return self.ite(either, then, no);
            }
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        self.intern(BitNode::Ite(condition, then, otherwise), width)
    }

    /// A choice of truth values one of which is known.
    fn truth_ite(&mut self, condition: BitId, then: BitId, otherwise: BitId) -> Option<BitId> {
        let negated = self.not(condition);
        Some(
            match (self.as_constant(then), self.as_constant(otherwise)) {
                (Some(1), _) => self.or(condition, otherwise),
                (Some(_), _) => self.and(negated, otherwise),
                (None, Some(1)) => self.or(negated, then),
                (None, Some(_)) => self.and(condition, then),
                (None, None) => return None,
            },
        )
    }
}

fn is_commutative(op: BitOp) -> bool {
    use BitOp::*;
    match op {
        Add | Mul | And | Or | Xor => true,
        Sub | UDiv | URem | SDiv | SRem | Shl | LShr | AShr => false,
    }
}
