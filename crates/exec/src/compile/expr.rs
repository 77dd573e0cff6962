//! Expressions to bytecode.
//!
//! # Invariants
//! - A register that holds a variable is never written while the expression is evaluated: the
//!   last instruction alone writes the target, so `x = (x + 1) * x` works in place.

use super::{Compiler, Label, Mode, Slot};
use crate::bytecode::{Inst, NEAR, Reg, Slow, slots_of};
use crate::straight_line::Kind;
use crate::value::{constant_slots, int_slots};
use base::Id;
use logic::{IntType, IntValue};
use program::expr::{BinaryOp, Constant, Expr, FloatType, Type, UnaryOp};
use program::ir::{EdgeId, Scope};

impl Compiler<'_> {
    /// The register that holds an expression's value: its own, or a new temporary.
    pub(crate) fn operand(&mut self, expr: &Expr) -> Reg {
        use Expr::*;
        match expr {
            Const(constant) => self.constant(*constant),
            Var(var) => self.near(self.slot(*var), slots_of(self.program.vars[*var].ty)),
            Object(object) => match self.program.objects[*object].scope {
                Scope::Global => self.number(self.code.layout.addresses[object.index()]),
                Scope::Local(_) => self.code.object_regs[object.index()],
            },
            Proc(proc) => self.number(self.code.layout.proc_address(*proc)),
            Cast(to, inner) if self.cast_is_free(inner.ty(self.program), *to) => {
                self.operand(inner)
            }
            Cast(..) | Load(..) | Unary(..) | Binary(..) | Offset(..) | Select(..)
            | Overflows(..) | Valid(..) | Freeable(_) => {
                if let Some(address) = self.fixed_address(expr) {
                    return self.number(address);
                }
                let target = self.new_temp(slots_of(expr.ty(self.program)));
                let mark = self.temp;
                self.into(expr, target);
                self.temp = mark;
                target
            }
        }
    }

    /// Evaluates an expression into a register.
    pub(crate) fn into(&mut self, expr: &Expr, d: Reg) {
        match expr {
            Expr::Const(_) | Expr::Var(_) | Expr::Object(_) | Expr::Proc(_) => {
                let value = self.operand(expr);
                self.mov(d, value, slots_of(expr.ty(self.program)));
            }
            Expr::Load(ty, address) => self.load(*ty, address, d),
            Expr::Unary(op, ty, operand) => self.unary(*op, *ty, operand, d),
            Expr::Binary(op, ty, left, right) => self.binary(*op, *ty, left, right, d),
            Expr::Offset(base, by) => {
                let base = self.operand(base);
                let by = self.operand(by);
                let add = match self.code.layout.wide {
                    true => Kind::AddU64,
                    false => Kind::AddU32,
                };
                self.straight(add, [d, base, by]);
            }
            Expr::Cast(to, inner) => self.cast(*to, inner, d),
            Expr::Select(condition, then, otherwise) => {
                let [yes, no, end] = [(); 3].map(|()| self.new_label());
                self.condition(condition, yes, no, None);
                for (label, value) in [(yes, then), (no, otherwise)] {
                    self.place(label);
                    self.into(value, d);
                    if label == yes {
                        self.emit(Inst::Jump(end));
                    }
                }
                self.place(end);
            }
            Expr::Overflows(op, ty, left, right) => {
                let amount = self.int_type(right);
                let a = self.operand(left);
                let b = self.operand(right);
                match overflows_at_width(*op, *ty) {
                    Some(kind) => self.straight(kind, [d, a, b]),
                    None => self.slow(Slow::Overflows(*op, *ty, amount, [d, a, b])),
                }
            }
            Expr::Valid(address, bytes, write) => {
                let a = self.operand(address);
                let b = self.operand(bytes);
                self.mark_read(a, b);
                self.slow(Slow::Valid {
                    write: *write,
                    regs: [d, a, b],
                });
            }
            Expr::Freeable(address) => {
                let a = self.operand(address);
                let one = self.number(1);
                self.mark_read(a, one);
                self.slow(Slow::Freeable([d, a]));
            }
        }
    }

    /// Goes to one label if a condition holds, else to the other. `edges` are those it chooses
    /// between, if it does.
    pub(crate) fn condition(
        &mut self,
        expr: &Expr,
        yes: Label,
        no: Label,
        edges: Option<[EdgeId; 2]>,
    ) {
        let turned = edges.map(|[yes, no]| [no, yes]);
        match expr {
            Expr::Unary(UnaryOp::Not, Type::Bool, inner) => self.condition(inner, no, yes, turned),
            Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), Type::Int(_), left, right)
                if is_zero(right)
                    && let Some(inner) = self.cast_bool(left) =>
            {
                match op {
                    BinaryOp::Ne => self.condition(inner, yes, no, edges),
                    _ => self.condition(inner, no, yes, turned),
                }
            }
            Expr::Binary(op, ty, left, right)
                if op.is_comparison() && slots_of(*ty) == 1 && !matches!(ty, Type::Float(_)) =>
            {
                let a = self.operand(left);
                let b = self.operand(right);
                self.can_be_ordered(*op, *ty, [a, b]);
                let signed = matches!(ty, Type::Int(int) if int.signed);
                let less = if signed { Inst::BrLtS } else { Inst::BrLtU };
                let (inst, edges) = match op {
                    BinaryOp::Eq => (Inst::BrEq(a, b, yes, no), edges),
                    BinaryOp::Ne => (Inst::BrEq(a, b, no, yes), turned),
                    BinaryOp::Lt => (less(a, b, yes, no), edges),
                    BinaryOp::Ge => (less(a, b, no, yes), turned),
                    BinaryOp::Gt => (less(b, a, yes, no), edges),
                    _ => (less(b, a, no, yes), turned),
                };
                self.emit_branch(inst, edges);
            }
            _ => {
                let value = self.operand(expr);
                let zero = self.number(0);
                self.emit_branch(Inst::BrEq(value, zero, no, yes), turned);
            }
        }
    }

    /// A register and a displacement whose sum is the address.
    pub(crate) fn address(&mut self, expr: &Expr) -> (Reg, i16) {
        if let Some(address) = self.fixed_address(expr) {
            return (self.number(address), 0);
        }
        if let Expr::Offset(base, by) = expr
            && let Some(by) = by.integer().and_then(IntValue::to_i128)
            && let Ok(by) = i16::try_from(by)
        {
            let (at, inner) = self.address(base);
            if let Some(sum) = inner.checked_add(by) {
                return (at, sum);
            }
        }
        (self.operand(expr), 0)
    }

    /// The value of an address that is known before the run.
    fn fixed_address(&self, expr: &Expr) -> Option<u64> {
        match expr {
            Expr::Object(object) if self.program.objects[*object].scope == Scope::Global => {
                Some(self.code.layout.addresses[object.index()])
            }
            Expr::Offset(base, by) => {
                let base = self.fixed_address(base)?;
                let sum = base.wrapping_add(int_slots(by.integer()?)[0]);
                Some(self.code.layout.wrap(sum))
            }
            _ => None,
        }
    }

    /// The registers of an address that is a base and an index times the size of the type.
    pub(crate) fn indexed(&mut self, ty: Type, address: &Expr) -> Option<(Reg, Reg)> {
        let size = ty.bytes(self.program.pointer_bytes);
        let (Expr::Offset(base, by), true) = (address, matches!(size, 1 | 2 | 4 | 8)) else {
            return None;
        };
        let index = match &**by {
            bytes if size == 1 && bytes.constant().is_none() => bytes,
            // With 32-bit pointers the product is checked in another width.
            Expr::Binary(BinaryOp::Mul, Type::Int(IntType::I64), left, right) => {
                match (left.constant(), right.constant()) {
                    (_, Some(Constant::Int(factor))) if factor.to_u64() == Some(size) => left,
                    (Some(Constant::Int(factor)), _) if factor.to_u64() == Some(size) => right,
                    _ => return None,
                }
            }
            _ => return None,
        };
        let base = self.operand(base);
        let index = self.operand(index);
        Some((base, index))
    }

    pub(crate) fn store_at(&mut self, ty: Type, (at, displacement): (Reg, i16), value: Reg) {
        match self.store_kinds(ty) {
            Some((kind, _)) => self.straight(kind, [at, value, displacement as Reg]),
            None => self.slow(Slow::Store(ty, [at, value], displacement)),
        }
    }

    pub(crate) fn store_indexed(&mut self, ty: Type, base: Reg, index: Reg, value: Reg) {
        let (_, kind) = self
            .store_kinds(ty)
            .expect("what is indexed should have an instruction");
        self.straight(kind, [base, value, index]);
    }

    /// The instructions that store a type, at a displacement and at an index.
    fn store_kinds(&self, ty: Type) -> Option<(Kind, Kind)> {
        match ty.bytes(self.program.pointer_bytes) {
            1 => Some((Kind::Store8, Kind::Store8At)),
            2 => Some((Kind::Store16, Kind::Store16At)),
            4 => Some((Kind::Store32, Kind::Store32At)),
            8 => Some((Kind::Store64, Kind::Store64At)),
            _ => None,
        }
    }

    fn load(&mut self, ty: Type, address: &Expr, d: Reg) {
        let signed = matches!(ty, Type::Int(int) if int.signed);
        let whole = !matches!(ty, Type::Int(int) if int.bits % 8 != 0) && ty != Type::Bool;
        let fast = match ty.bytes(self.program.pointer_bytes) {
            _ if !whole => None,
            1 if signed => Some((Kind::Load8S, Kind::Load8SAt)),
            1 => Some((Kind::Load8U, Kind::Load8UAt)),
            2 if signed => Some((Kind::Load16S, Kind::Load16SAt)),
            2 => Some((Kind::Load16U, Kind::Load16UAt)),
            4 if signed => Some((Kind::Load32S, Kind::Load32SAt)),
            4 => Some((Kind::Load32U, Kind::Load32UAt)),
            8 => Some((Kind::Load64, Kind::Load64At)),
            _ => None,
        };
        if let Some((_, kind)) = fast
            && self.mode != Mode::Traced
            && let Some((base, index)) = self.indexed(ty, address)
        {
            return self.straight(kind, [d, base, index]);
        }
        let (at, displacement) = if self.mode == Mode::Traced {
            let at = self.operand(address);
            let bytes = self.number(ty.bytes(self.program.pointer_bytes));
            self.mark_read(at, bytes);
            (at, 0)
        } else {
            self.address(address)
        };
        match fast {
            Some((kind, _)) => self.straight(kind, [d, at, displacement as Reg]),
            None => self.slow(Slow::Load(ty, [d, at], displacement)),
        }
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, operand: &Expr, d: Reg) {
        let a = self.operand(operand);
        match (op, ty) {
            (UnaryOp::Not, Type::Bool) => {
                let one = self.number(1);
                self.straight(Kind::Xor, [d, a, one]);
            }
            (UnaryOp::Neg, Type::Float(format)) => self.slow(Slow::FloatNeg(format, [d, a])),
            (UnaryOp::Neg, Type::Int(IntType::I32)) => self.straight(Kind::NegI32, [d, a, a]),
            (UnaryOp::Neg, Type::Int(IntType::I64)) => self.straight(Kind::NegI64, [d, a, a]),
            (UnaryOp::Neg, Type::Int(int))
                if !int.signed
                    && let Some(sub) = Kind::of_arithmetic(BinaryOp::Sub, int) =>
            {
                let zero = self.number(0);
                self.straight(sub, [d, zero, a]);
            }
            (UnaryOp::Not, Type::Int(int)) if int.bits <= 64 && int.signed => {
                self.straight(Kind::Not, [d, a, a]);
            }
            (UnaryOp::Not, Type::Int(int)) if int.bits <= 64 => {
                let mask = self.number(int.mask() as u64);
                self.straight(Kind::Xor, [d, a, mask]);
            }
            (_, Type::Int(int)) => self.slow(Slow::Unary(op, int, [d, a])),
            (_, Type::Bool | Type::Float(_) | Type::Ptr) => {
                self.unsupported("an operator on this type");
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, left: &Expr, right: &Expr, d: Reg) {
        let [a, b] = [left, right].map(|operand| self.operand(self.uncast(op, ty, operand)));
        match ty {
            Type::Float(FloatType::F64) => self.binary_f64(op, d, a, b),
            Type::Float(FloatType::F32) => self.slow(Slow::Float32(op, [d, a, b])),
            Type::Ptr if op == BinaryOp::PtrDiff => {
                self.slow(Slow::PointerDifference([d, a, b]));
            }
            Type::Bool => self.binary_int(op, IntType::unsigned(1), right, [d, a, b]),
            Type::Ptr => {
                self.can_be_ordered(op, ty, [a, b]);
                let int = self.program.size_type();
                self.binary_int(op, int, right, [d, a, b]);
            }
            Type::Int(int) => self.binary_int(op, int, right, [d, a, b]),
        }
    }

    /// An operand without a cast that an operation does not see: one that wraps at 32 bits looks at
    /// no others.
    fn uncast<'e>(&self, op: BinaryOp, ty: Type, operand: &'e Expr) -> &'e Expr {
        let wraps = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
            && ty == Type::Int(IntType::unsigned(32));
        match operand {
            Expr::Cast(to, inner) if wraps && *to == ty => match inner.ty(self.program) {
                Type::Int(int) if int.bits <= 64 => inner,
                Type::Int(_) | Type::Bool | Type::Float(_) | Type::Ptr => operand,
            },
            _ => operand,
        }
    }

    /// Stops before an order between addresses that have none.
    fn can_be_ordered(&mut self, op: BinaryOp, ty: Type, operands: [Reg; 2]) {
        if ty == Type::Ptr && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.slow(Slow::PointerOrder(operands));
        }
    }

    fn binary_int(&mut self, op: BinaryOp, ty: IntType, right: &Expr, [d, a, b]: [Reg; 3]) {
        let amount = match right.ty(self.program) {
            Type::Int(int) => int,
            Type::Bool | Type::Float(_) | Type::Ptr => ty,
        };
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if ty.bits > 64 || shift && amount.bits > 64 {
            self.slow(Slow::Binary(op, ty, amount, [d, a, b]));
        } else if let Some(kind) = any_width(op, ty.signed) {
            match op {
                BinaryOp::Gt | BinaryOp::Ge => self.straight(kind, [d, b, a]),
                _ => self.straight(kind, [d, a, b]),
            }
        } else if let Some(kind) = Kind::of_arithmetic(op, ty) {
            self.straight(kind, [d, a, b]);
        } else {
            self.slow(Slow::Binary(op, ty, amount, [d, a, b]));
        }
    }

    fn binary_f64(&mut self, op: BinaryOp, d: Reg, a: Reg, b: Reg) {
        use BinaryOp::*;
        let (kind, regs) = match op {
            Add => (Kind::AddF64, [d, a, b]),
            Sub => (Kind::SubF64, [d, a, b]),
            Mul => (Kind::MulF64, [d, a, b]),
            Div => (Kind::DivF64, [d, a, b]),
            Eq | Ne => (Kind::EqF64, [d, a, b]),
            Lt => (Kind::LtF64, [d, a, b]),
            Le => (Kind::LeF64, [d, a, b]),
            Gt => (Kind::LtF64, [d, b, a]),
            Ge => (Kind::LeF64, [d, b, a]),
            Rem | And | Or | Xor | Shl | Shr | PtrDiff => {
                return self.unsupported("an operator on floating-point numbers");
            }
        };
        self.straight(kind, regs);
        if op == Ne {
            let one = self.number(1);
            self.straight(Kind::Xor, [d, d, one]);
        }
    }

    fn cast(&mut self, to: Type, inner: &Expr, d: Reg) {
        let from = inner.ty(self.program);
        let a = self.operand(inner);
        if self.cast_is_free(from, to) {
            return self.mov(d, a, slots_of(to));
        }
        let kind = match (self.as_int(from), self.as_int(to)) {
            (Some(from), Some(to)) if from.bits <= 64 => match (to.bits, to.signed) {
                (8, true) => Some(Kind::Sext8),
                (16, true) => Some(Kind::Sext16),
                (32, true) => Some(Kind::Sext32),
                (8, false) => Some(Kind::Zext8),
                (16, false) => Some(Kind::Zext16),
                (32, false) => Some(Kind::Zext32),
                _ => None,
            },
            _ => None,
        };
        match kind {
            Some(kind) => self.straight(kind, [d, a, a]),
            None => self.slow(Slow::Cast {
                from,
                to,
                regs: [d, a],
            }),
        }
    }

    /// Whether a value in its slot is also the converted one.
    fn cast_is_free(&self, from: Type, to: Type) -> bool {
        if from == to {
            return true;
        }
        let (Some(from), Some(to)) = (self.as_int(from), self.as_int(to)) else {
            return false;
        };
        from.bits <= 64
            && to.bits <= 64
            && (to.bits == 64
                || from.signed == to.signed && to.bits >= from.bits
                || to.signed && to.bits > from.bits)
    }

    /// An integer type with the same slots.
    fn as_int(&self, ty: Type) -> Option<IntType> {
        match ty {
            Type::Bool => Some(IntType::unsigned(1)),
            Type::Int(int) => Some(int),
            Type::Ptr => Some(self.program.size_type()),
            Type::Float(_) => None,
        }
    }

    fn int_type(&self, expr: &Expr) -> IntType {
        match expr.ty(self.program) {
            Type::Int(int) => int,
            Type::Bool | Type::Float(_) | Type::Ptr => IntType::unsigned(64),
        }
    }

    /// The truth value that an expression makes an integer of.
    fn cast_bool<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match expr {
            Expr::Cast(Type::Int(_), inner) if inner.ty(self.program) == Type::Bool => Some(inner),
            _ => None,
        }
    }

    fn mov(&mut self, d: Reg, a: Reg, slots: u16) {
        if d != a {
            match slots {
                1 => self.straight(Kind::Mov, [d, a, a]),
                _ => self.emit(Inst::MovWide(d, a)),
            }
        }
    }

    /// So many bytes at an address are about to be read or asked about; both are registers.
    fn mark_read(&mut self, address: Reg, bytes: Reg) {
        if self.mode == Mode::Traced {
            self.emit(Inst::MarkRead(address, bytes));
        }
    }

    fn straight(&mut self, kind: Kind, regs: [Reg; 3]) {
        self.emit(Inst::Straight(kind, regs));
    }

    fn slow(&mut self, slow: Slow) {
        let index = self.code.slow.len() as u32;
        self.code.slow.push(slow);
        self.emit(Inst::Slow(index));
    }

    fn constant(&mut self, constant: Constant) -> Reg {
        let count = slots_of(constant.ty());
        let slot = self.constant_slot(constant_slots(constant), count);
        self.near(slot, count)
    }

    /// The register of a one-slot constant.
    pub(crate) fn number(&mut self, value: u64) -> Reg {
        let slot = self.constant_slot([value, 0], 1);
        self.near(slot, 1)
    }

    /// The registers of a slot, or new ones with what it holds.
    fn near(&mut self, slot: Slot, slots: u16) -> Reg {
        let far = match slot {
            Slot::Near(reg) => return reg,
            Slot::Far(far) => far,
        };
        let reg = self.new_temp(slots);
        for half in 0..slots {
            self.emit(Inst::GetFar(reg + half, far + u32::from(half)));
        }
        reg
    }

    /// New temporaries that follow each other.
    pub(crate) fn new_temp(&mut self, slots: u16) -> Reg {
        if self.temp + slots as usize > NEAR {
            self.too_deep = true;
            self.temp = crate::bytecode::FIRST_TEMP;
        }
        let reg = self.temp as Reg;
        self.temp += slots as usize;
        reg
    }
}

fn is_zero(expr: &Expr) -> bool {
    expr.integer().is_some_and(IntValue::is_zero)
}

/// Instructions that ask for an overflow.
fn overflows_at_width(op: BinaryOp, ty: IntType) -> Option<Kind> {
    match (op, ty) {
        (BinaryOp::Add, IntType::I32) => Some(Kind::OverflowsAddI32),
        (BinaryOp::Sub, IntType::I32) => Some(Kind::OverflowsSubI32),
        (BinaryOp::Mul, IntType::I32) => Some(Kind::OverflowsMulI32),
        (BinaryOp::Add, IntType::I64) => Some(Kind::OverflowsAddI64),
        (BinaryOp::Sub, IntType::I64) => Some(Kind::OverflowsSubI64),
        (BinaryOp::Mul, IntType::I64) => Some(Kind::OverflowsMulI64),
        _ => None,
    }
}

/// Instructions that work on any width up to 64 bits.
fn any_width(op: BinaryOp, signed: bool) -> Option<Kind> {
    use BinaryOp::*;
    Some(match op {
        And => Kind::And,
        Or => Kind::Or,
        Xor => Kind::Xor,
        Eq => Kind::Eq,
        Ne => Kind::Ne,
        Lt | Gt if signed => Kind::LtS,
        Lt | Gt => Kind::LtU,
        Le | Ge if signed => Kind::LeS,
        Le | Ge => Kind::LeU,
        Add | Sub | Mul | Div | Rem | Shl | Shr | PtrDiff => return None,
    })
}
