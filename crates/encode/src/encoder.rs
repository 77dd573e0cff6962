//! Expressions and ops as terms over the integers.
//!
//! Signed arithmetic is exact arithmetic: where overflow is undefined in C the term has the
//! unbounded result, so every defined run is covered. Other undefined operations, such as division
//! by zero, have any result. An encoder of [`defined`](Encoder::defined) runs asserts that nothing
//! of the kind happens. Arithmetic on unsigned types and conversions to a type wrap, by a remainder
//! modulo 2^w; none is created where the bounds of the operand show that nothing wraps. Division
//! and remainder by constants truncate as in C. Bit operations with constants are exact; other bit
//! operations, products of variables, addresses (except those of procedures, which have numbers)
//! and floating-point numbers become fresh symbols, bounded by their type, and make the encoding
//! *inexact*: an over-approximation.
//!
//! # Invariants
//! - The terms are correct for every state in which unsigned variables are in the range of their
//!   types ([`State::in_range`]); signed ones may have any value.
//! - Constraints on fresh symbols are always satisfiable, so a part that is not evaluated does no
//!   harm; those of a [`defined`](Encoder::defined) run apply only to parts that are evaluated.

mod int;

use super::transition::{State, in_type};
use logic::interval::Interval;
use logic::{IntType, Integer, Sort, SymbolId, TermId, TermStore};
use program::expr::{BinaryOp, Constant, Expr, Type, UnaryOp};
use program::ir::*;
use rustc_hash::FxHashMap;

/// Makes terms of expressions.
pub struct Encoder<'e> {
    pub(super) program: &'e Program,
    pub(super) store: &'e mut TermStore,
    state: &'e State,
    /// What is known about the fresh symbols.
    constraints: Vec<TermId>,
    /// Whether every term says exactly what its expression does.
    exact: bool,
    bounds: FxHashMap<TermId, Bounds>,
    known: &'e dyn Fn(VarId) -> Bounds,
    /// If set, what must be so for nothing to wrap, and wrapping is left out.
    ranges: Option<Vec<TermId>>,
    /// Whether everything that is evaluated is defined, since the run ends where it is not.
    defined: bool,
    /// The conditions of the selections around what is encoded: elsewhere it is not evaluated.
    under: Vec<TermId>,
}

/// The least and the greatest value of a term, where known.
pub type Bounds = (Option<Integer>, Option<Integer>);

/// Knows nothing of any variable but its type.
pub fn nothing_known(_: VarId) -> Bounds {
    (None, None)
}

impl<'e> Encoder<'e> {
    /// An encoder of expressions read in a state.
    pub fn new(program: &'e Program, store: &'e mut TermStore, state: &'e State) -> Self {
        Encoder {
            program,
            store,
            state,
            constraints: Vec::new(),
            exact: true,
            bounds: FxHashMap::default(),
            known: &nothing_known,
            ranges: None,
            defined: false,
            under: Vec::new(),
        }
    }

    /// This encoder, for runs that continue: signed results are in the range of their types,
    /// divisors are not zero, shifts lose nothing and move by less than the width.
    pub fn defined(mut self) -> Self {
        self.defined = true;
        self
    }

    /// This encoder, for runs in which nothing wraps: [`ranges`](Self::ranges) says which.
    pub fn without_wrapping(mut self) -> Self {
        self.ranges = Some(Vec::new());
        self
    }

    /// This encoder, at some precision.
    pub fn precise(self, wraps: bool, defined: bool) -> Self {
        let encoder = if wraps { self } else { self.without_wrapping() };
        if defined { encoder.defined() } else { encoder }
    }

    /// What must hold for nothing that was encoded to wrap.
    pub fn ranges(&mut self) -> TermId {
        let ranges = self.ranges.as_deref().unwrap_or_default();
        self.store.and(ranges)
    }

    /// This encoder, for states in which the variables are within bounds: nothing wraps that
    /// cannot wrap there, and a variable that can have one value only stands for that.
    pub fn knowing(mut self, known: &'e dyn Fn(VarId) -> Bounds) -> Self {
        self.known = known;
        self
    }

    /// The constraints on the fresh symbols made, and whether all was exact.
    pub fn finish(self) -> (TermId, bool) {
        let (constraints, exact, _) = self.finish_in();
        (constraints, exact)
    }

    /// The same, with the store.
    pub(super) fn finish_in(self) -> (TermId, bool, &'e mut TermStore) {
        let constraints = self.store.and(&self.constraints);
        (constraints, self.exact, self.store)
    }

    /// An expression; a `Bool` becomes a truth value, everything else an integer. Floating-point
    /// numbers and addresses stand for themselves: only copies and tests for equality mean much.
    pub fn expr(&mut self, expr: &Expr) -> TermId {
        use Expr::*;
        match expr {
            Const(constant) => self.constant(*constant),
            Var(var) => match (self.known)(*var) {
                (Some(low), Some(high)) if low == high => match self.program.vars[*var].ty {
                    Type::Bool => self.store.bool(!low.is_zero()),
                    Type::Int(_) | Type::Float(_) | Type::Ptr => self.store.int(low),
                },
                _ => {
                    let symbol = self.state.symbol(*var);
                    self.store.of_symbol(symbol)
                }
            },
            Cast(to, operand) => self.cast(*to, operand),
            Select(condition, then, otherwise) => {
                let condition = self.expr(condition);
                let negated = self.store.not(condition);
                let then = self.only_if(condition, then);
                let otherwise = self.only_if(negated, otherwise);
                self.store.ite(condition, then, otherwise)
            }
            Unary(op, ty, operand) => self.unary(*op, *ty, operand),
            Binary(op, ty, left, right) => self.binary(expr, *op, *ty, left, right),
            Overflows(op, ty, left, right) => self.overflows(*op, *ty, left, right),
            Load(ty, address) => {
                self.access(*ty, address);
                self.unknown(*ty)
            }
            Proc(proc) => self.store.int(proc.address_number()),
            Object(_) | Offset(..) | Valid { .. } | Freeable(_) => {
                expr.children().for_each(|part| self.pass(part));
                self.unknown(expr.ty(self.program))
            }
        }
    }

    /// An expression that is evaluated under a condition only.
    fn only_if(&mut self, condition: TermId, expr: &Expr) -> TermId {
        self.under.push(condition);
        let term = self.expr(expr);
        self.under.pop();
        term
    }

    /// Says of a run that continues what holds where the present part is evaluated.
    pub(super) fn assume(&mut self, fact: TermId) {
        if self.defined {
            let under = self.store.and(&self.under);
            let fact = self.store.implies(under, fact);
            self.constraints.push(fact);
        }
    }

    /// Evaluates an expression for nothing but what a run that continues must not have met in it.
    pub(super) fn pass(&mut self, expr: &Expr) {
        if self.defined {
            self.expr(expr);
        }
    }

    /// What a run that continues says about an address that it reads or writes a value at: it is
    /// not null, and inside its object where that can be seen.
    pub(super) fn access(&mut self, ty: Type, address: &Expr) {
        if !self.defined {
            return;
        }
        let zero = self.store.int(0i64);
        let (object, offset) = match address {
            Expr::Object(object) => (Some(*object), zero),
            Expr::Offset(base, bytes) => match **base {
                Expr::Object(object) => (Some(object), self.expr(bytes)),
                _ => (None, self.expr(address)),
            },
            _ => (None, self.expr(address)),
        };
        let Some(object) = object else {
            let is_some = self.store.ne(offset, zero);
            return self.assume(is_some);
        };
        let size = i128::from(self.program.objects[object].size);
        let last = size - i128::from(ty.bytes(self.program.pointer_bytes));
        let last = self.store.int(last);
        let inside = [self.store.le(zero, offset), self.store.le(offset, last)];
        inside.into_iter().for_each(|bound| self.assume(bound));
    }

    /// Any value of a type: a fresh symbol in its range. What it stands for is up to the caller.
    pub fn any_value(&mut self, name: &str, ty: Type) -> TermId {
        match ty {
            Type::Bool => self.store.fresh(name, Sort::Bool),
            Type::Float(_) | Type::Ptr => self.store.fresh(name, Sort::Int),
            Type::Int(int) => {
                let term = self.store.fresh(name, Sort::Int);
                self.constraints.extend(in_type(self.store, term, int));
                let bounds = (Some(int.min().into()), Some(int.max().into()));
                self.bounds.insert(term, bounds);
                term
            }
        }
    }

    /// A value that we do not describe. The widest integers may stand for all of them
    /// (`super::unbounded`), so their range is nothing to rely on.
    pub(super) fn unknown(&mut self, ty: Type) -> TermId {
        self.exact = false;
        if ty == Type::Int(IntType::signed(128)) {
            return self.store.fresh("$any", Sort::Int);
        }
        self.any_value("$any", ty)
    }

    fn constant(&mut self, constant: Constant) -> TermId {
        match constant {
            Constant::Bool(value) => self.store.bool(value),
            Constant::Int(value) => self.store.int(value),
            Constant::Null => self.store.int(0i64),
            Constant::Float(..) => self.unknown(constant.ty()),
        }
    }

    fn cast(&mut self, to: Type, operand: &Expr) -> TermId {
        let from = operand.ty(self.program);
        match (from, to) {
            (Type::Bool, Type::Int(_)) => {
                let condition = self.expr(operand);
                let (one, zero) = (self.store.int(1i64), self.store.int(0i64));
                self.store.ite(condition, one, zero)
            }
            (Type::Int(from), Type::Int(to)) => {
                let term = self.expr(operand);
                // A wider signed type holds every value; also an overflown one, as it comes.
                if from.signed && to.signed && from.bits <= to.bits {
                    return term;
                }
                self.wrap(term, to)
            }
            (from, to) if from == to => self.expr(operand),
            (_, to) => {
                self.pass(operand);
                self.unknown(to)
            }
        }
    }

    /// The value of the type that is equal modulo 2^w.
    pub(super) fn wrap(&mut self, term: TermId, ty: IntType) -> TermId {
        let (min, max) = (Integer::from(ty.min()), Integer::from(ty.max()));
        let (low, high) = self.bounds_of(term);
        let fits = low.is_some_and(|low| low >= min) && high.is_some_and(|high| high <= max);
        if fits {
            return term;
        }
        if self.ranges.is_some() {
            let range = in_type(self.store, term, ty);
            self.ranges.iter_mut().for_each(|all| all.extend(range));
            return term;
        }
        let modulus = Integer::power_of_two(u32::from(ty.bits));
        let base = self.store.int(min);
        let shifted = self.store.sub(term, base);
        let rest = self.store.modulo(shifted, &modulus);
        self.store.add(rest, base)
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, operand: &Expr) -> TermId {
        match (op, ty) {
            (UnaryOp::Not, Type::Bool) => {
                let term = self.expr(operand);
                self.store.not(term)
            }
            (UnaryOp::Neg, Type::Int(int)) => {
                let term = self.expr(operand);
                let negated = self.store.neg(term);
                self.arith(negated, int)
            }
            (UnaryOp::Not, Type::Int(int)) => {
                let term = self.expr(operand);
                let ones = if int.signed {
                    Integer::from(-1i64)
                } else {
                    int.max().into()
                };
                let ones = self.store.int(ones);
                self.store.sub(ones, term)
            }
            (UnaryOp::Clz | UnaryOp::Ctz, Type::Int(_)) => {
                let term = self.expr(operand);
                let zero = self.store.int(0i64);
                let is_some = self.store.ne(term, zero);
                self.assume(is_some);
                self.unknown(ty)
            }
            (UnaryOp::Neg | UnaryOp::Not, Type::Float(_) | Type::Ptr | Type::Bool)
            | (UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Bswap, _) => {
                self.pass(operand);
                self.unknown(ty)
            }
        }
    }

    /// The result of arithmetic in a type: wrapped, or exact where overflow is undefined.
    pub(super) fn arith(&mut self, term: TermId, ty: IntType) -> TermId {
        if !ty.signed {
            return self.wrap(term, ty);
        }
        // The widest integers may stand for all of them.
        if self.defined && ty != IntType::signed(128) {
            let range = in_type(self.store, term, ty);
            range.into_iter().for_each(|bound| self.assume(bound));
        }
        term
    }

    fn binary(&mut self, expr: &Expr, op: BinaryOp, ty: Type, left: &Expr, right: &Expr) -> TermId {
        match ty {
            Type::Bool => {
                let (a, b) = (self.expr(left), self.expr(right));
                self.bool_binary(op, a, b)
            }
            Type::Int(int) if op.is_comparison() => {
                let (a, b) = (self.expr(left), self.expr(right));
                debug_assert!(int.bits > 0);
                self.compare(op, a, b)
            }
            Type::Int(int) => {
                let (a, b) = (self.expr(left), self.expr(right));
                self.int_binary(op, int, a, b)
            }
            Type::Ptr if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                let (a, b) = (self.expr(left), self.expr(right));
                self.compare(op, a, b)
            }
            Type::Float(_) | Type::Ptr => {
                self.pass(left);
                self.pass(right);
                self.unknown(expr.ty(self.program))
            }
        }
    }

    fn bool_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        use BinaryOp::*;
        match op {
            And => self.store.and(&[a, b]),
            Or => self.store.or(&[a, b]),
            Eq => self.store.eq(a, b),
            Xor | Ne => self.store.ne(a, b),
            Add | Sub | Mul | Div | Rem | Shl | Shr | Lt | Le | Gt | Ge | PtrDiff => {
                unreachable!("a valid program should have no such operation")
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        use BinaryOp::*;
        match op {
            Eq => self.store.eq(a, b),
            Ne => self.store.ne(a, b),
            Lt => self.store.lt(a, b),
            Le => self.store.le(a, b),
            Gt => self.store.lt(b, a),
            Ge => self.store.le(b, a),
            Add | Sub | Mul | Div | Rem | And | Or | Xor | Shl | Shr | PtrDiff => {
                unreachable!("only comparisons should come here")
            }
        }
    }

    /// The bounds of an integer term.
    pub(super) fn bounds_of(&mut self, term: TermId) -> Bounds {
        for part in self.store.below(&[term]) {
            if self.store.sort(part) == Sort::Int && !self.bounds.contains_key(&part) {
                let bounds = self.bounds_of_step(part);
                self.bounds.insert(part, bounds);
            }
        }
        self.bounds[&term].clone()
    }

    /// What is known about a variable, and otherwise what its type says.
    fn bounds_of_symbol(&self, symbol: SymbolId) -> Bounds {
        let Some(var) = self.state.var(symbol) else {
            return (None, None);
        };
        let (low, high) = (self.known)(var);
        match self.program.vars[var].ty {
            Type::Int(ty) if !ty.signed => (
                low.or_else(|| Some(ty.min().into())),
                high.or_else(|| Some(ty.max().into())),
            ),
            _ => (low, high),
        }
    }

    fn bounds_of_step(&self, term: TermId) -> Bounds {
        if let logic::Node::Symbol(symbol) = self.store.node(term) {
            return self.bounds_of_symbol(*symbol);
        }
        let of = |part: TermId| {
            let (low, high) = self.bounds[&part].clone();
            Interval { low, high }
        };
        let Interval { low, high } = self.store.interval(term, of);
        (low, high)
    }
}
