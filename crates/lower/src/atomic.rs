//! `__sync_…` and `__atomic_…` builtins.
//!
//! Threads are not modelled: what starts one is refused, so an atomic operation is one that nothing
//! comes between, whatever order it asks for. A weak exchange fails only where the values differ, as
//! on machines that have the exchange as an instruction.

use super::lvalue::Lvalue;
use super::procedure::Lowering;
use base::Span;
use cfront::ast::Expr as CExpr;
use cfront::types::{IntKind, Qualifiers};
use logic::IntType;
use program::expr::{BinaryOp, Expr, Type, UnaryOp};

/// What an operation does with the value in memory.
#[derive(Clone, Copy)]
enum Change {
    /// The operator, then perhaps a complement (`nand`).
    Operate(BinaryOp, bool),
    /// Puts another value in its place.
    Exchange,
}

/// The operations `fetch_and_add` and so on, by the word that names them.
const OPERATIONS: &[(&str, Change)] = &[
    ("add", Change::Operate(BinaryOp::Add, false)),
    ("sub", Change::Operate(BinaryOp::Sub, false)),
    ("and", Change::Operate(BinaryOp::And, false)),
    ("or", Change::Operate(BinaryOp::Or, false)),
    ("xor", Change::Operate(BinaryOp::Xor, false)),
    ("nand", Change::Operate(BinaryOp::And, true)),
];

impl<'a> Lowering<'_, 'a> {
    /// An atomic operation, of type `result`; nothing if it is not modelled.
    pub(super) fn atomic(
        &mut self,
        name: &str,
        args: &'a [CExpr],
        result: Type,
        span: Span,
    ) -> Option<Expr> {
        let nothing = Some(Expr::Const(result.zero()));
        if matches!(
            name,
            "__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence"
        ) {
            for arg in args {
                self.effect(arg);
            }
            return nothing;
        }
        let target = self.cx.ast.types.pointee(args.first()?.ty.ty)?;
        let is_flag = matches!(name, "__atomic_test_and_set" | "__atomic_clear");
        if target.quals.contains(Qualifiers::VOLATILE) {
            return None;
        }
        let scalar = match self.cx.scalar(target.ty) {
            Some(scalar) => scalar,
            None if is_flag => Type::Bool,
            None => return None,
        };
        let values = self.in_turn(args, span, |s, arg| s.value(arg));
        let values: Vec<Expr> = values.into_iter().map(|v| self.atom(v, span)).collect();
        let at = |index: usize| Some(Lvalue::at(values.get(index)?.clone(), target.ty));
        let given = |index: usize| values.get(index).cloned();
        // What is only stored, and where.
        let stored = match name {
            "__atomic_load" => Some((self.read(at(0)?, span), at(1)?)),
            "__atomic_store_n" => Some((self.converted(given(1)?, scalar), at(0)?)),
            "__atomic_store" => Some((self.read(at(1)?, span), at(0)?)),
            "__sync_lock_release" => Some((Expr::Const(scalar.zero()), at(0)?)),
            "__atomic_exchange" => {
                let new = self.read(at(1)?, span);
                let old = self.exchanged(Change::Exchange, at(0)?, new, scalar, false, span)?;
                Some((old, at(2)?))
            }
            _ => None,
        };
        if let Some((value, place)) = stored {
            self.store(place, value, false, span);
            return nothing;
        }
        let value = match name {
            "__atomic_load_n" => self.read(at(0)?, span),
            "__atomic_test_and_set" | "__atomic_clear" => {
                return self.flag(values.first()?.clone(), name, result, span);
            }
            "__sync_lock_test_and_set" | "__atomic_exchange_n" => {
                self.exchanged(Change::Exchange, at(0)?, given(1)?, scalar, false, span)?
            }
            "__sync_val_compare_and_swap" | "__sync_bool_compare_and_swap" => {
                let compared = (given(1)?, given(2)?);
                let (old, same) = self.compare_and_swap(at(0)?, compared, scalar, span)?;
                match name.contains("val") {
                    true => old,
                    false => same,
                }
            }
            "__atomic_compare_exchange_n" | "__atomic_compare_exchange" => {
                let expected = self.read(at(1)?, span);
                let new = match name.ends_with("_n") {
                    true => given(2)?,
                    false => self.read(at(2)?, span),
                };
                let (old, same) = self.compare_and_swap(at(0)?, (expected, new), scalar, span)?;
                let expected = self.read(at(1)?, span);
                let kept = Expr::select(same.clone(), expected, old);
                self.store(at(1)?, kept, false, span);
                same
            }
            _ => {
                let (change, new) = operation(name)?;
                self.exchanged(change, at(0)?, given(1)?, scalar, new, span)?
            }
        };
        Some(self.converted(value, result))
    }

    /// Changes what is in memory and gives the old value, or the new one. Sums wrap, also signed
    /// ones.
    fn exchanged(
        &mut self,
        change: Change,
        place: Lvalue,
        operand: Expr,
        scalar: Type,
        gives_new: bool,
        span: Span,
    ) -> Option<Expr> {
        let old = self.read(place.clone(), span);
        let old = self.save(old, span);
        let new = match (change, scalar) {
            (Change::Exchange, _) => self.converted(operand, scalar),
            (Change::Operate(op, complement), Type::Int(int)) => {
                let unsigned = Type::Int(IntType::unsigned(int.bits));
                let operand = self.converted(operand, unsigned);
                let left = self.converted(old.clone(), unsigned);
                let value = Expr::binary(op, unsigned, left, operand);
                let value = match complement {
                    true => Expr::unary(UnaryOp::Not, unsigned, value),
                    false => value,
                };
                self.converted(value, scalar)
            }
            (Change::Operate(..), Type::Bool | Type::Float(_) | Type::Ptr) => return None,
        };
        let new = self.save(new, span);
        self.store(place, new.clone(), false, span);
        Some(if gives_new { new } else { old })
    }

    /// Puts a value in memory if there is an expected one: what was there, and whether it was that.
    fn compare_and_swap(
        &mut self,
        place: Lvalue,
        (expected, new): (Expr, Expr),
        scalar: Type,
        span: Span,
    ) -> Option<(Expr, Expr)> {
        if matches!(scalar, Type::Float(_)) {
            return None;
        }
        let expected = self.converted(expected, scalar);
        let new = self.converted(new, scalar);
        let new = self.save(new, span);
        let old = self.read(place.clone(), span);
        let old = self.save(old, span);
        let same = Expr::binary(BinaryOp::Eq, scalar, old.clone(), expected);
        let same = self.save(same, span);
        let value = Expr::select(same.clone(), new, old.clone());
        self.store(place, value, false, span);
        Some((old, same))
    }

    /// `__atomic_test_and_set` and `__atomic_clear`, which work on one byte.
    fn flag(&mut self, address: Expr, name: &str, result: Type, span: Span) -> Option<Expr> {
        let byte = self.cx.ast.types.int_kind(IntKind::UChar);
        let place = Lvalue::at(address, byte);
        let byte = self.cx.scalar(byte)?;
        if name == "__atomic_clear" {
            self.store(place, Expr::Const(byte.zero()), false, span);
            return Some(Expr::Const(result.zero()));
        }
        let one = self.converted(Expr::i32(1), byte);
        let old = self.exchanged(Change::Exchange, place, one, byte, false, span)?;
        let was_set = Expr::truth(byte, old);
        Some(self.converted(was_set, result))
    }
}

/// `fetch_and_op`, `op_and_fetch`, `fetch_op`, `op_fetch`: the change, and whether the new value is
/// given.
fn operation(name: &str) -> Option<(Change, bool)> {
    let words = name
        .strip_prefix("__sync_")
        .or(name.strip_prefix("__atomic_"))?;
    let gives_new = words.ends_with("_fetch");
    let word = match gives_new {
        true => words.strip_suffix("_fetch")?,
        false => words.strip_prefix("fetch_")?,
    };
    let word = word.strip_prefix("and_").unwrap_or(word);
    let word = word.strip_suffix("_and").unwrap_or(word);
    let found = OPERATIONS.iter().find(|(known, _)| *known == word);
    found.map(|&(_, change)| (change, gives_new))
}
