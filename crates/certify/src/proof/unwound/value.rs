//! Evaluation of expressions in a state.
//!
//! Evaluation records under which condition the expression is defined (`defined`), and what it
//! could not describe (an open question). What could not be described may be any value, which does
//! no harm as long as no run gets there.

use super::arith;
use super::explore::Unwinder;
use super::state::{NULL, OBJECT_BITS, State, Value, WILD};
use base::Id;
use logic::{BitComparison, BitId, BitOp, BitStore, IntType};
use program::expr::{BinaryOp, Constant, Expr, Type, UnaryOp};
use program::ir::{ProcId, Scope};

impl Unwinder<'_> {
    /// The value of an expression, on the paths where `under` holds.
    pub(super) fn expr(&mut self, state: &State, expr: &Expr, under: BitId) -> Value {
        match expr {
            Expr::Const(constant) => self.constant(*constant),
            Expr::Var(var) => {
                let ty = self.program.vars[*var].ty;
                let vars = match self.program.vars[*var].scope {
                    Scope::Global => &state.globals,
                    Scope::Local(_) => &state.frame().vars,
                };
                vars[self.slots[*var]].unwrap_or_else(|| self.any(ty))
            }
            Expr::Object(object) => {
                let number = match self.program.objects[*object].scope {
                    Scope::Global => Some(self.global_objects[object]),
                    Scope::Local(_) => state.frame().objects.get(object).copied(),
                };
                match number {
                    Some(number) => Value::Address(number, self.offset(0)),
                    None => self.wild(),
                }
            }
            Expr::Proc(proc) => self.procedure(*proc),
            Expr::Load(ty, address) => {
                let (object, offset) = self.address(state, address, under);
                self.load(state, *ty, object, offset, under)
            }
            Expr::Unary(op, ty, operand) => {
                let operand = self.expr(state, operand, under);
                self.unary(*op, *ty, operand, under)
            }
            Expr::Binary(op, ty, left, right) => {
                let a = self.expr(state, left, under);
                let b = self.expr(state, right, under);
                let amount = right.ty(self.program);
                self.binary(state, *op, *ty, (a, b), amount, under)
            }
            Expr::Offset(base, by) => {
                let (object, offset) = self.address(state, base, under);
                let by = self.bits(state, by, under);
                Value::Address(object, self.store.binary(BitOp::Add, offset, by))
            }
            Expr::Cast(to, operand) => {
                let from = operand.ty(self.program);
                let operand = self.expr(state, operand, under);
                self.cast(from, *to, operand, under)
            }
            Expr::Select(condition, then, otherwise) => {
                let condition = self.bits(state, condition, under);
                let not = self.store.not(condition);
                let yes = self.store.and(under, condition);
                let no = self.store.and(under, not);
                match (yes, no) {
                    (_, BitStore::FALSE) => self.expr(state, then, under),
                    (BitStore::FALSE, _) => self.expr(state, otherwise, under),
                    _ => {
                        let then = self.expr(state, then, yes);
                        let otherwise = self.expr(state, otherwise, no);
                        self.merging(condition).value(then, otherwise)
                    }
                }
            }
            Expr::Overflows(op, ty, left, right) => {
                let amount = right.ty(self.program).int().unwrap_or(*ty);
                let a = self.bits(state, left, under);
                let b = self.bits(state, right, under);
                match arith::binary(&mut self.store, *op, *ty, (a, b), amount) {
                    // Where it is undefined for another reason, this is false.
                    Some(computed) => {
                        Value::Bits(self.store.and(computed.sound, computed.overflows))
                    }
                    None => self.open_value("a product of more than 64 bits", Type::Bool, under),
                }
            }
            Expr::Valid(address, bytes, write) => {
                let (object, offset) = self.address(state, address, under);
                let bytes = self.bits(state, bytes, under);
                Value::Bits(self.valid(state, (object, offset), bytes, *write, under))
            }
            Expr::Freeable(address) => {
                let (object, offset) = self.address(state, address, under);
                Value::Bits(self.freeable(state, object, offset, under))
            }
        }
    }

    /// The bits of an expression that is no address.
    pub(super) fn bits(&mut self, state: &State, expr: &Expr, under: BitId) -> BitId {
        self.expr(state, expr, under).bits()
    }

    /// Object and offset of an expression that is an address.
    pub(super) fn address(&mut self, state: &State, expr: &Expr, under: BitId) -> (BitId, BitId) {
        self.expr(state, expr, under).address()
    }

    /// An offset in bytes.
    pub(super) fn offset(&mut self, bytes: u64) -> BitId {
        let width = self.pointer_bits();
        self.store.constant(width, u128::from(bytes))
    }

    /// The number of an object as a term.
    pub(super) fn number(&mut self, number: u32) -> BitId {
        self.store.constant(OBJECT_BITS, u128::from(number))
    }

    fn wild(&mut self) -> Value {
        Value::Address(self.number(WILD), self.offset(0))
    }

    fn procedure(&mut self, proc: ProcId) -> Value {
        let number = super::memory::FIRST_PROC + proc.index() as u32;
        Value::Address(self.number(number), self.offset(0))
    }

    /// Any value of a type.
    pub(super) fn any(&mut self, ty: Type) -> Value {
        match self.width(ty) {
            Some(width) => Value::Bits(self.store.fresh(width)),
            None => self.wild(),
        }
    }

    /// Bits of a value of a type; none for an address.
    pub(super) fn width(&self, ty: Type) -> Option<u8> {
        match ty {
            Type::Bool => Some(1),
            Type::Int(ty) => Some(ty.bits),
            Type::Float(format) => Some(format.bits()),
            Type::Ptr => None,
        }
    }

    /// A constant.
    pub(super) fn constant(&mut self, constant: Constant) -> Value {
        match constant {
            Constant::Bool(value) => Value::Bits(self.store.bool(value)),
            Constant::Int(value) => Value::Bits(self.store.constant(value.ty().bits, value.bits())),
            Constant::Float(format, bits) => {
                Value::Bits(self.store.constant(format.bits(), bits.into()))
            }
            Constant::Null => Value::Address(self.number(NULL), self.offset(0)),
        }
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, operand: Value, under: BitId) -> Value {
        let Value::Bits(a) = operand else {
            return self.open_value("an operation on an address", ty, under);
        };
        let width = self.store.width(a);
        let zero = self.store.constant(width, 0);
        let value = match (op, ty) {
            (UnaryOp::Not, _) => self.store.not(a),
            (UnaryOp::Neg, Type::Float(_)) => {
                let sign = self.store.constant(width, 1 << (width - 1));
                self.store.binary(BitOp::Xor, a, sign)
            }
            (UnaryOp::Neg, _) => {
                if let Some(int) = ty.int().filter(|int| int.signed) {
                    let least = self.store.constant(width, 1 << (width - 1));
                    let is_least = self.store.equal(a, least);
                    self.no_overflow(int, is_least, under);
                }
                self.store.binary(BitOp::Sub, zero, a)
            }
            (UnaryOp::Popcount, _) => self.popcount(a),
            (UnaryOp::Clz | UnaryOp::Ctz, _) => {
                let is_zero = self.store.equal(a, zero);
                self.undefined_if(is_zero, under);
                self.zeros(a, op == UnaryOp::Clz)
            }
            (UnaryOp::Bswap, _) if width.is_multiple_of(8) => {
                let bytes = (0..width / 8).map(|byte| self.store.extract(byte * 8, 8, a));
                let bytes: Vec<BitId> = bytes.collect();
                let (first, rest) = bytes.split_first().expect("there should be a byte");
                (rest.iter()).fold(*first, |top, &byte| self.store.concat(top, byte))
            }
            (UnaryOp::Bswap, _) => return self.open_value("an odd number of bytes", ty, under),
        };
        Value::Bits(value)
    }

    fn popcount(&mut self, a: BitId) -> BitId {
        let width = self.store.width(a);
        let mut sum = self.store.constant(width, 0);
        for bit in 0..width {
            let bit = self.store.extract(bit, 1, a);
            let bit = self.store.zero_extend(width, bit);
            sum = self.store.binary(BitOp::Add, sum, bit);
        }
        sum
    }

    /// How many zeros there are in front of the first one that is set, or behind the last one.
    fn zeros(&mut self, a: BitId, leading: bool) -> BitId {
        let width = self.store.width(a);
        let mut count = self.store.constant(width, u128::from(width));
        // The bit that is looked at last decides.
        for place in 0..width {
            let bit = if leading { place } else { width - 1 - place };
            let zeros = if leading { width - 1 - bit } else { bit };
            let set = self.store.extract(bit, 1, a);
            let zeros = self.store.constant(width, u128::from(zeros));
            count = self.store.ite(set, zeros, count);
        }
        count
    }

    fn binary(
        &mut self,
        state: &State,
        op: BinaryOp,
        ty: Type,
        (a, b): (Value, Value),
        amount: Type,
        under: BitId,
    ) -> Value {
        match (ty, a, b) {
            (Type::Ptr, Value::Address(a, at), Value::Address(b, to)) => {
                self.of_addresses(state, op, (a, at), (b, to), under)
            }
            (Type::Bool, Value::Bits(a), Value::Bits(b)) => {
                let value = match op {
                    BinaryOp::And => self.store.and(a, b),
                    BinaryOp::Or => self.store.or(a, b),
                    BinaryOp::Xor => self.store.binary(BitOp::Xor, a, b),
                    _ => match arith::comparison(&mut self.store, op, false, a, b) {
                        Some(value) => value,
                        None => return self.open_value("arithmetic on truth values", ty, under),
                    },
                };
                Value::Bits(value)
            }
            (Type::Int(int), Value::Bits(a), Value::Bits(b)) => {
                if let Some(holds) = arith::comparison(&mut self.store, op, int.signed, a, b) {
                    return Value::Bits(holds);
                }
                let amount = amount.int().unwrap_or(int);
                match arith::binary(&mut self.store, op, int, (a, b), amount) {
                    Some(computed) => {
                        let not_sound = self.store.not(computed.sound);
                        self.undefined_if(not_sound, under);
                        if int.signed {
                            self.no_overflow(int, computed.overflows, under);
                        }
                        Value::Bits(computed.value)
                    }
                    None => self.open_value("a product of more than 64 bits", ty, under),
                }
            }
            (Type::Float(format), Value::Bits(a), Value::Bits(b)) => {
                match self.float_binary(op, format, (a, b)) {
                    Some(value) => Value::Bits(value),
                    None => self.open_value("floating-point arithmetic", ty, under),
                }
            }
            _ => unreachable!("operands should have the type of their operation"),
        }
    }

    fn of_addresses(
        &mut self,
        state: &State,
        op: BinaryOp,
        (a, at): (BitId, BitId),
        (b, to): (BitId, BitId),
        under: BitId,
    ) -> Value {
        use BinaryOp::*;
        self.no_wild(a, under);
        self.no_wild(b, under);
        let same = self.store.equal(a, b);
        let differ = self.store.not(same);
        match op {
            Eq | Ne => {
                self.no_sharing(a, b, under);
                self.no_meeting(state, (a, at), (b, to), under);
                let equal_offsets = self.store.equal(at, to);
                let equal = self.store.and(same, equal_offsets);
                Value::Bits(match op {
                    Eq => equal,
                    _ => self.store.not(equal),
                })
            }
            PtrDiff => {
                // Undefined, but every compiler has some number for it: a proof should not rest on
                // that no run gets here.
                self.open_if("a difference of addresses of two objects", differ, under);
                Value::Bits(self.store.binary(BitOp::Sub, at, to))
            }
            Lt | Le | Gt | Ge => {
                self.open_if("a comparison of addresses of two objects", differ, under);
                let holds = arith::comparison(&mut self.store, op, true, at, to);
                Value::Bits(holds.expect("it should be a comparison"))
            }
            Add | Sub | Mul | Div | Rem | And | Or | Xor | Shl | Shr => {
                self.open_value("arithmetic on addresses", Type::Ptr, under)
            }
        }
    }

    fn cast(&mut self, from: Type, to: Type, value: Value, under: BitId) -> Value {
        match (from, to, value) {
            _ if from == to => value,
            (Type::Bool, Type::Int(int), Value::Bits(a)) => {
                Value::Bits(self.store.zero_extend(int.bits, a))
            }
            (Type::Int(from), Type::Int(int), Value::Bits(a)) => {
                Value::Bits(arith::convert(&mut self.store, from, int, a))
            }
            (Type::Int(_), Type::Bool, Value::Bits(a)) => {
                let zero = self.store.constant(self.store.width(a), 0);
                let is_zero = self.store.equal(a, zero);
                Value::Bits(self.store.not(is_zero))
            }
            (Type::Ptr, Type::Int(int), Value::Address(object, offset)) => {
                // The null address is zero; where others are is not known.
                let is_null = self.is_number(object, NULL);
                let is_some = self.store.not(is_null);
                self.open_if("an address as a number", is_some, under);
                let from = IntType::unsigned(self.pointer_bits());
                Value::Bits(arith::convert(&mut self.store, from, int, offset))
            }
            (Type::Int(_) | Type::Bool, Type::Ptr, Value::Bits(a)) => {
                let zero = self.store.constant(self.store.width(a), 0);
                let is_other = self.store.differ(a, zero);
                self.open_if("a number as an address", is_other, under);
                self.constant(Constant::Null)
            }
            (_, _, Value::Bits(a)) => match self.float_cast(from, to, a, under) {
                Some(value) => Value::Bits(value),
                None => self.open_value("a conversion of floating-point numbers", to, under),
            },
            (_, _, Value::Address(..)) => self.open_value("a conversion of an address", to, under),
        }
    }

    /// Notes that there is no run where a condition does not hold.
    pub(super) fn defined_if(&mut self, condition: BitId, under: BitId) {
        let fails = self.store.not(condition);
        self.undefined_if(fails, under);
    }

    /// Notes that there is no run where a condition holds.
    pub(super) fn undefined_if(&mut self, condition: BitId, under: BitId) {
        let fails = self.store.and(under, condition);
        self.defined = self.store.and_not(self.defined, fails);
    }

    /// A signed result that does not fit is undefined. Numbers of 128 bits may stand for unbounded
    /// ones ([`program::pass::unbounded`]), of which we do not know what becomes of them there.
    fn no_overflow(&mut self, ty: IntType, overflows: BitId, under: BitId) {
        if ty.bits == 128 {
            self.open_if("a result of more than 128 bits", overflows, under);
        } else {
            self.undefined_if(overflows, under);
        }
    }

    /// Notes that something is not described, and takes any value for it.
    pub(super) fn open_value(&mut self, what: &str, ty: Type, under: BitId) -> Value {
        self.open(what, under);
        self.any(ty)
    }

    /// Whether the first is at most the second, without signs.
    pub(super) fn at_most(&mut self, a: BitId, b: BitId) -> BitId {
        self.store.compare(BitComparison::ULe, a, b)
    }
}
