//! Properties as error locations: the branches that lead there.
//!
//! A property that is not checked leaves no edge: the machine detects the undefined behaviour
//! itself.

use super::constant_address;
use super::procedure::Lowering;
use base::Span;
use logic::IntType;
use program::expr::{BinaryOp, Constant, Expr, Type, UnaryOp};
use program::ir::{Address, AddressBase, LocationId, Property, Violation};

impl Lowering<'_, '_> {
    /// An error location.
    pub(super) fn error(
        &mut self,
        property: Property,
        message: impl Into<String>,
        span: Span,
    ) -> LocationId {
        self.reached.push(false);
        let violation = self.as_claimed(Violation {
            property,
            message: message.into(),
            span,
        });
        self.procedure.add_error(violation)
    }

    /// Reaches an error location if the condition holds, and continues otherwise.
    pub(super) fn check_not(
        &mut self,
        bad: Expr,
        property: Property,
        message: impl Into<String>,
        span: Span,
    ) {
        if bad.is_bool(false) {
            return;
        }
        let error = self.error(property, message, span);
        let next = self.location(span);
        self.branch_to(bad, error, next, span);
        self.cur = next;
    }

    /// An arithmetic operation, with the checks that are asked for.
    pub(super) fn arith(
        &mut self,
        op: BinaryOp,
        ty: Type,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Expr {
        let Type::Int(int) = ty else {
            return match ty {
                Type::Float(_) | Type::Bool => Expr::binary(op, ty, left, right),
                Type::Int(_) | Type::Ptr => {
                    self.unsupported_value("arithmetic on addresses", ty, span)
                }
            };
        };
        let zero =
            matches!(op, BinaryOp::Div | BinaryOp::Rem) && self.checks(Property::DivisionByZero);
        let amount = matches!(op, BinaryOp::Shl | BinaryOp::Shr) && self.checks(Property::Shift);
        let overflow = int.signed && overflow_name(op).is_some() && self.checks(Property::Overflow);
        if !(zero || amount || overflow) {
            return Expr::binary(op, ty, left, right);
        }
        let mark = self.mark();
        let right = self.atom(right, span);
        let left = self.protect(left, mark, span);
        let left = if overflow {
            self.atom(left, span)
        } else {
            left
        };
        if zero {
            let bad = Expr::binary(BinaryOp::Eq, ty, right.clone(), Expr::int(int, 0));
            self.check_not(bad, Property::DivisionByZero, "division by zero", span);
        }
        if amount {
            let bad = self.bad_amount(int, &right);
            let message = "the amount of a shift is out of range";
            self.check_not(bad, Property::Shift, message, span);
        }
        if let (true, Some(name)) = (overflow, overflow_name(op)) {
            let bad = Expr::overflows(op, int, left.clone(), right.clone());
            let message = format!("signed overflow in {name}");
            self.check_not(bad, Property::Overflow, message, span);
        }
        Expr::binary(op, ty, left, right)
    }

    fn bad_amount(&self, int: IntType, amount: &Expr) -> Expr {
        let ty = self.ty(amount);
        let Type::Int(of) = ty else {
            return Expr::bool(false);
        };
        let width = Expr::int(of, i128::from(int.bits));
        let large = Expr::binary(BinaryOp::Ge, ty, amount.clone(), width);
        if !of.signed {
            return large;
        }
        let negative = Expr::binary(BinaryOp::Lt, ty, amount.clone(), Expr::int(of, 0));
        Expr::or(negative, large)
    }

    /// `-value`
    pub(super) fn negate(&mut self, value: Expr, ty: Type, span: Span) -> Expr {
        match ty {
            Type::Int(int) if int.signed && self.checks(Property::Overflow) => {
                let value = self.atom(value, span);
                let zero = Expr::int(int, 0);
                let bad = Expr::overflows(BinaryOp::Sub, int, zero, value.clone());
                let message = "signed overflow in negation";
                self.check_not(bad, Property::Overflow, message, span);
                Expr::unary(UnaryOp::Neg, ty, value)
            }
            Type::Int(_) | Type::Float(_) => Expr::unary(UnaryOp::Neg, ty, value),
            Type::Bool | Type::Ptr => self.unsupported_value("negation of an address", ty, span),
        }
    }

    /// An address about to be read or written, checked where that is asked for.
    pub(super) fn checked_address(
        &mut self,
        address: Expr,
        bytes: u64,
        write: bool,
        span: Span,
    ) -> Expr {
        if !self.checks(Property::Dereference) || self.is_inside(&address, bytes, write) {
            return address;
        }
        let address = self.atom(address, span);
        self.check_access(&address, bytes, write, span);
        address
    }

    /// Checks an access, where that is asked for.
    pub(super) fn check_access(&mut self, address: &Expr, bytes: u64, write: bool, span: Span) {
        let bytes = self.cx.size_const(bytes);
        self.check_range(address, bytes, write, span);
    }

    /// Checks an access of a number of bytes (an unsigned integer of pointer width).
    pub(super) fn check_range(&mut self, address: &Expr, bytes: Expr, write: bool, span: Span) {
        if !self.checks(Property::Dereference) {
            return;
        }
        if let Some(Constant::Int(count)) = bytes.constant()
            && let Some(count) = count.to_u64()
            && self.is_inside(address, count, write)
        {
            return;
        }
        let valid = Expr::Valid(Box::new(address.clone()), Box::new(bytes), write);
        let what = if write { "write" } else { "read" };
        let message = format!("invalid {what}: the address is not inside a living object");
        self.check_not(Expr::not(valid), Property::Dereference, message, span);
    }

    /// Whether an access is plainly inside an object that is named directly, and so alive.
    pub(super) fn is_inside(&self, address: &Expr, bytes: u64, write: bool) -> bool {
        let Some(Address {
            base: AddressBase::Object(object),
            offset,
        }) = constant_address(address)
        else {
            return false;
        };
        let row = &self.cx.program.objects[object];
        let end = u64::try_from(offset).ok();
        let end = end.and_then(|offset| offset.checked_add(bytes));
        end.is_some_and(|end| end <= row.size) && !(write && row.read_only)
    }
}

/// What to call an operation that can overflow.
fn overflow_name(op: BinaryOp) -> Option<&'static str> {
    use BinaryOp::*;
    match op {
        Add => Some("addition"),
        Sub => Some("subtraction"),
        Mul => Some("multiplication"),
        Div => Some("division"),
        Rem => Some("remainder"),
        Shl => Some("a left shift"),
        And | Or | Xor | Shr | Eq | Ne | Lt | Le | Gt | Ge | PtrDiff => None,
    }
}
