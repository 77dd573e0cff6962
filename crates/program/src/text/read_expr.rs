//! Reads expressions and ops of the text form.
//!
//! Nothing is simplified on the way, so that a printed program reads back as it was.

use super::lex::{Cursor, Kind, Read, type_named};
use super::words::op_level;
use crate::expr::{BinaryOp, Constant, Expr, FloatType, Type, UnaryOp};
use crate::ir::*;
use logic::{IntType, IntValue};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Entity {
    Var(VarId),
    Object(ObjectId),
    Proc(ProcId),
}

/// The names seen from each procedure, and from nowhere.
pub(super) type NameTable<'t> = FxHashMap<(Option<ProcId>, &'t str), Entity>;

/// How deep an expression may be, so that walking it does not exhaust the stack.
const DEPTH: usize = 1000;
/// How deep parentheses may nest.
const NESTING: usize = 200;

/// Reads the expressions of one procedure.
pub(super) struct ExprReader<'r, 't> {
    pub(super) program: &'r Program,
    pub(super) names: &'r NameTable<'t>,
    pub(super) proc: Option<ProcId>,
}

impl<'t> ExprReader<'_, 't> {
    pub(super) fn op(&self, cursor: &mut Cursor<'_, 't>) -> Read<Op> {
        let before = cursor.clone();
        let Some(Kind::Word(word)) = cursor.next() else {
            return Err(before.fault("expected an op"));
        };
        Ok(match *word {
            "skip" => Op::Skip,
            "assume" => Op::Assume(self.expr(cursor)?),
            "havoc" => {
                let place = self.place(cursor)?;
                Op::Havoc(place, cursor.row('n', "a site", &self.program.sites)?)
            }
            "call" | "library" => Op::Call(self.call(cursor, word, None)?),
            "return" if matches!(cursor.peek(), Some(Kind::Symbol("->"))) => Op::Return(None),
            "return" => Op::Return(Some(self.expr(cursor)?)),
            "abort" => Op::Halt(Halt::Abort),
            "undefined" => {
                let kind = cursor.known("a kind of undefined behaviour", UndefinedKind::of_name)?;
                Op::Halt(Halt::Undefined(kind))
            }
            "exit" => Op::Halt(Halt::Exit(self.expr(cursor)?)),
            "enter" => Op::Enter(self.object(cursor)?),
            "leave" => Op::Leave(self.object(cursor)?),
            "unsupported" => Op::Unsupported(Arc::from(cursor.text()?)),
            _ => {
                *cursor = before;
                self.assignment(cursor)?
            }
        })
    }

    fn assignment(&self, cursor: &mut Cursor<'_, 't>) -> Read<Op> {
        let before = cursor.clone();
        let place = self.place(cursor)?;
        cursor.expect(":=")?;
        for word in ["call", "library"] {
            if cursor.keyword(word) {
                return match place {
                    Place::Var(var) => Ok(Op::Call(self.call(cursor, word, Some(var))?)),
                    Place::Mem(..) => Err(before.fault("a result goes to a variable only")),
                };
            }
        }
        Ok(Op::Assign(place, self.expr(cursor)?))
    }

    fn place(&self, cursor: &mut Cursor<'_, 't>) -> Read<Place> {
        let before = cursor.clone();
        let word = cursor.word("a variable or an address")?;
        if let Some(ty) = type_named(word) {
            cursor.expect("[")?;
            let address = self.expr(cursor)?;
            cursor.expect("]")?;
            return Ok(Place::Mem(ty, address));
        }
        match self.lookup(word) {
            Some(Entity::Var(var)) => Ok(Place::Var(var)),
            _ => Err(before.fault("there is no such variable")),
        }
    }

    fn call(&self, cursor: &mut Cursor<'_, 't>, word: &str, result: Option<VarId>) -> Read<Call> {
        let callee = if cursor.symbol("*") {
            cursor.expect("(")?;
            let pointer = self.expr(cursor)?;
            cursor.expect(")")?;
            Callee::Pointer(pointer)
        } else {
            cursor.known("a procedure", |name| match (word, self.lookup(name)) {
                ("library", _) => Library::by_name(name).map(Callee::Library),
                (_, Some(Entity::Proc(proc))) => Some(Callee::Proc(proc)),
                _ => None,
            })?
        };
        let mut call = Call::new(result, callee, Vec::new());
        cursor.expect("(")?;
        if !cursor.symbol(")") {
            self.arguments(cursor, &mut call)?;
        }
        if cursor.keyword("contents") {
            call.contents = Some(cursor.row('n', "a site", &self.program.sites)?);
        }
        Ok(call)
    }

    fn arguments(&self, cursor: &mut Cursor<'_, 't>, call: &mut Call) -> Read<()> {
        loop {
            if cursor.symbol("...") {
                call.varargs = Some(self.expr(cursor)?);
                break;
            }
            call.args.push(self.expr(cursor)?);
            if !cursor.symbol(",") {
                break;
            }
        }
        cursor.expect(")")
    }

    fn object(&self, cursor: &mut Cursor<'_, 't>) -> Read<ObjectId> {
        cursor.known("an object", |name| match self.lookup(name) {
            Some(Entity::Object(object)) => Some(object),
            Some(Entity::Var(_) | Entity::Proc(_)) | None => None,
        })
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Entity> {
        let local = self
            .proc
            .and_then(|proc| self.names.get(&(Some(proc), name)));
        local.or_else(|| self.names.get(&(None, name))).copied()
    }

    /// The address of a name after `&`.
    pub(super) fn address(&self, cursor: &mut Cursor<'_, 't>) -> Read<AddressBase> {
        cursor.known("an object or procedure", |name| match self.lookup(name) {
            Some(Entity::Object(object)) => Some(AddressBase::Object(object)),
            Some(Entity::Proc(proc)) => Some(AddressBase::Proc(proc)),
            Some(Entity::Var(_)) | None => None,
        })
    }

    /// An expression.
    pub(super) fn expr(&self, cursor: &mut Cursor<'_, 't>) -> Read<Expr> {
        Ok(self.select(cursor, 0)?.0)
    }

    /// An expression and its depth.
    fn select(&self, cursor: &mut Cursor<'_, 't>, nesting: usize) -> Read<(Expr, usize)> {
        if nesting > NESTING {
            return Err(cursor.fault("the expression is nested too deeply"));
        }
        let (condition, a) = self.infix(cursor, 1, nesting)?;
        if !cursor.symbol("?") {
            return Ok((condition, a));
        }
        let (then, b) = self.infix(cursor, 1, nesting + 1)?;
        cursor.expect(":")?;
        let (otherwise, c) = self.infix(cursor, 1, nesting + 1)?;
        let expr = Expr::Select(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok((expr, 1 + a.max(b).max(c)))
    }

    /// Operators that bind at least as strongly as `level`.
    fn infix(&self, cursor: &mut Cursor<'_, 't>, level: u8, nesting: usize) -> Read<(Expr, usize)> {
        let (mut left, mut depth) = self.prefix(cursor, nesting)?;
        let mut highest = u8::MAX;
        while let Some(Kind::Symbol(symbol)) = cursor.peek() {
            let op = BinaryOp::of_name(symbol);
            let own = match op {
                Some(op) => op_level(op),
                None if *symbol == "++" => op_level(BinaryOp::Add),
                None => break,
            };
            if own < level || own > highest {
                break;
            }
            // Comparisons do not chain.
            highest = if own == op_level(BinaryOp::Eq) {
                own - 1
            } else {
                own
            };
            cursor.next();
            let (right, right_depth) = self.infix(cursor, own + 1, nesting + 1)?;
            depth = 1 + depth.max(right_depth);
            if depth > DEPTH {
                return Err(cursor.fault("the expression is too deep"));
            }
            let (a, b) = (Box::new(left), Box::new(right));
            left = match op {
                Some(op) => {
                    let ty = a.ty(self.program);
                    Expr::Binary(op, ty, a, b)
                }
                None => Expr::Offset(a, b),
            };
        }
        Ok((left, depth))
    }

    fn prefix(&self, cursor: &mut Cursor<'_, 't>, nesting: usize) -> Read<(Expr, usize)> {
        if nesting > NESTING {
            return Err(cursor.fault("the expression is nested too deeply"));
        }
        let before = cursor.clone();
        let op = match cursor.next() {
            Some(Kind::Symbol("-")) => UnaryOp::Neg,
            Some(Kind::Symbol("!" | "~")) => UnaryOp::Not,
            Some(Kind::Symbol("(")) => {
                let inner = self.select(cursor, nesting + 1)?;
                cursor.expect(")")?;
                return Ok(inner);
            }
            Some(Kind::Symbol("&")) => {
                let address = match self.address(cursor)? {
                    AddressBase::Object(object) => Expr::Object(object),
                    AddressBase::Proc(proc) => Expr::Proc(proc),
                };
                return Ok((address, 1));
            }
            Some(Kind::Number(digits, suffix)) => {
                let constant = number(digits, suffix, false);
                return constant.map(|c| (Expr::Const(c), 1)).ok_or_else(|| {
                    before.fault("a number should have a type that holds it, as in `5i32`")
                });
            }
            Some(Kind::Word(word)) => return self.word(cursor, &before, word, nesting),
            Some(Kind::Symbol(_) | Kind::Text(_) | Kind::Bits(_)) | None => {
                return Err(before.fault("expected an expression"));
            }
        };
        if op == UnaryOp::Neg
            && let Some(Kind::Number(digits, suffix)) = cursor.peek()
        {
            let Some(constant) = number(digits, suffix, true) else {
                return Err(before.fault("the number does not fit its type"));
            };
            cursor.next();
            return Ok((Expr::Const(constant), 1));
        }
        let (operand, depth) = self.prefix(cursor, nesting + 1)?;
        let ty = operand.ty(self.program);
        Ok((Expr::Unary(op, ty, Box::new(operand)), depth + 1))
    }

    fn word(
        &self,
        cursor: &mut Cursor<'_, 't>,
        before: &Cursor<'_, 't>,
        word: &str,
        nesting: usize,
    ) -> Read<(Expr, usize)> {
        if let Some(ty) = type_named(word) {
            if let (Type::Float(float), Some(Kind::Bits(bits))) = (ty, cursor.peek()) {
                cursor.next();
                return Ok((Expr::Const(Constant::Float(float, *bits)), 1));
            }
            let is_load = cursor.symbol("[");
            if !is_load {
                cursor.expect("(")?;
            }
            let (operand, depth) = self.select(cursor, nesting + 1)?;
            cursor.expect(if is_load { "]" } else { ")" })?;
            let operand = Box::new(operand);
            let expr = if is_load {
                Expr::Load(ty, operand)
            } else {
                Expr::Cast(ty, operand)
            };
            return Ok((expr, depth + 1));
        }
        let unary = match word {
            "true" | "false" => return Ok((Expr::bool(word == "true"), 1)),
            "null" => return Ok((Expr::null(), 1)),
            "overflows" | "valid" | "writable" | "freeable" => None,
            name => match (UnaryOp::of_name(name), self.lookup(name)) {
                (Some(op), _) => Some(op),
                (None, Some(Entity::Var(var))) => return Ok((Expr::Var(var), 1)),
                (None, Some(Entity::Object(_) | Entity::Proc(_)) | None) => {
                    return Err(before.fault("there is no such variable"));
                }
            },
        };
        cursor.expect("(")?;
        let (operand, mut depth) = self.select(cursor, nesting + 1)?;
        let expr = match (unary, word) {
            (Some(op), _) => Expr::Unary(op, operand.ty(self.program), Box::new(operand)),
            (None, "overflows") => match operand {
                Expr::Binary(op, Type::Int(ty), left, right) => {
                    Expr::Overflows(op, ty, left, right)
                }
                _ => return Err(before.fault("expected an operation on integers")),
            },
            (None, "freeable") => Expr::Freeable(Box::new(operand)),
            (None, _) => {
                cursor.expect(",")?;
                let (bytes, bytes_depth) = self.select(cursor, nesting + 1)?;
                depth = depth.max(bytes_depth);
                Expr::Valid(Box::new(operand), Box::new(bytes), word == "writable")
            }
        };
        cursor.expect(")")?;
        Ok((expr, depth + 1))
    }

    /// A constant: the initial value of a global.
    pub(super) fn constant(&self, cursor: &mut Cursor<'_, 't>) -> Read<Constant> {
        let before = cursor.clone();
        match self.prefix(cursor, 0)?.0 {
            Expr::Const(constant) => Ok(constant),
            _ => Err(before.fault("expected a constant")),
        }
    }
}

/// The constant written as a number with its type, if it fits.
fn number(digits: &str, suffix: &str, negative: bool) -> Option<Constant> {
    let sign = if negative { "-" } else { "" };
    match type_named(suffix)? {
        Type::Int(ty) => int(ty, digits.parse().ok()?, negative),
        Type::Float(FloatType::F32) => {
            let value: f32 = format!("{sign}{digits}").parse().ok()?;
            let bits = u64::from(value.to_bits());
            value
                .is_finite()
                .then_some(Constant::Float(FloatType::F32, bits))
        }
        Type::Float(FloatType::F64) => {
            let value: f64 = format!("{sign}{digits}").parse().ok()?;
            value
                .is_finite()
                .then_some(Constant::Float(FloatType::F64, value.to_bits()))
        }
        Type::Bool | Type::Ptr => None,
    }
}

fn int(ty: IntType, magnitude: u128, negative: bool) -> Option<Constant> {
    let limit = match (negative, ty.signed) {
        (false, _) => ty.max().bits(),
        (true, true) => ty.min().bits(),
        (true, false) => 0,
    };
    let bits = if negative {
        magnitude.wrapping_neg()
    } else {
        magnitude
    };
    (magnitude <= limit).then(|| Constant::Int(IntValue::from_bits(ty, bits)))
}
