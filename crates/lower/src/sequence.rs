//! Unsequenced side effects: `i = i++ + i++`.
//!
//! C11 6.5p2: a side effect on a scalar that is unsequenced relative to another side effect on it,
//! or to a read of its value, is undefined. Only named variables count here, and only parts that
//! are evaluated whenever the whole is: everything else is evaluated from left to right.

use cfront::ast::visit::{Visitor, walk_decl, walk_expr, walk_initializer};
use cfront::ast::*;
use cfront::types::Qualifiers;
use rustc_hash::FxHashSet;

/// The expressions whose parts are in no order though they should be.
#[derive(Default)]
pub(super) struct Unsequenced {
    found: FxHashSet<*const Expr>,
}

impl Unsequenced {
    /// Looks at the whole tree.
    pub(super) fn of(ast: &Ast) -> Self {
        let mut all = Unsequenced::default();
        for init in ast.globals.iter().filter_map(|row| row.init.as_ref()) {
            walk_initializer(&mut all, init);
        }
        for body in ast.functions.iter().filter_map(|row| row.body.as_ref()) {
            all.block(&body.block);
        }
        all
    }

    /// Whether evaluating the expression is undefined.
    pub(super) fn contains(&self, expr: &Expr) -> bool {
        !self.found.is_empty() && self.found.contains(&std::ptr::from_ref(expr))
    }
}

impl Visitor for Unsequenced {
    /// At a full expression. Few have more than one effect, at their root: those are in order.
    fn expr(&mut self, expr: &Expr) {
        let mut look = Look::default();
        look.expr(expr);
        if look.effects > usize::from(is_effect(expr)) || look.blocks {
            self.effects(expr);
        }
    }
}

/// What an expression has inside.
#[derive(Default)]
struct Look {
    effects: usize,
    blocks: bool,
}

impl Visitor for Look {
    fn block(&mut self, _: &Block) {
        self.blocks = true;
    }

    fn expr(&mut self, expr: &Expr) {
        self.effects += usize::from(is_effect(expr));
        self.blocks |= matches!(expr.kind, ExprKind::CompoundLiteral(_));
        walk_expr(self, expr);
    }
}

fn is_effect(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Increment { .. } | ExprKind::Assign(..) | ExprKind::AssignOp { .. }
    )
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Local(LocalId),
    Global(GlobalId),
}

/// What the parts of an expression that are surely evaluated do with variables.
#[derive(Clone, Default)]
struct Effects {
    reads: Vec<Name>,
    writes: Vec<Name>,
    /// The writes that are not sequenced before the value of the expression.
    pending: Vec<Name>,
}

impl Effects {
    fn reading(name: Option<Name>) -> Effects {
        Effects {
            reads: name.into_iter().collect(),
            ..Effects::default()
        }
    }

    fn and(mut self, other: Effects) -> Effects {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.pending.extend(other.pending);
        self
    }

    fn settled(mut self) -> Effects {
        self.pending.clear();
        self
    }

    fn writing(mut self, name: Option<Name>) -> Effects {
        self.writes.extend(name);
        self.pending.extend(name);
        self
    }

    /// Whether the two, evaluated in no order, are in conflict.
    fn conflicts(&self, other: &Effects) -> bool {
        let touches = |a: &Effects, b: &Effects| {
            let mut writes = a.writes.iter();
            writes.any(|name| b.writes.contains(name) || b.reads.contains(name))
        };
        touches(self, other) || touches(other, self)
    }
}

impl Unsequenced {
    /// What evaluating an expression for its value does.
    fn effects(&mut self, expr: &Expr) -> Effects {
        use ExprKind::*;
        match &expr.kind {
            Int(_) | Float(_) | String(_) | Function(_) | LabelAddress(_) | SizeofVariable(_) => {
                Effects::default()
            }
            Global(_) | Local(_) => Effects::reading(name(expr)),
            AddressOf(inner)
            | Cast(CastKind::ArrayDecay | CastKind::FunctionDecay, inner, _)
            | Member { record: inner, .. } => self.place(inner),
            Deref(inner) | Unary(_, inner) | Cast(_, inner, _) | VaArg(inner) => {
                self.effects(inner)
            }
            Increment { target, .. } => self.place(target).writing(name(target)),
            Assign(target, value) => self.assign(expr, target, value, false),
            AssignOp { target, value, .. } => self.assign(expr, target, value, true),
            Binary(BinaryOp::Comma, left, right) => {
                let left = self.effects(left).settled();
                left.and(self.effects(right))
            }
            Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left, right) => {
                self.effects(right);
                self.effects(left).settled()
            }
            Binary(_, left, right) => {
                let parts = [self.effects(left), self.effects(right)];
                self.in_no_order(expr, parts.into())
            }
            Conditional {
                condition,
                then,
                otherwise,
            } => {
                for part in then.iter().chain([otherwise]) {
                    self.effects(part);
                }
                self.effects(condition).settled()
            }
            Call { callee, args } => {
                let parts = std::iter::once(&**callee).chain(args);
                let parts = parts.map(|part| self.effects(part)).collect();
                self.in_no_order(expr, parts).settled()
            }
            Builtin { args, .. } => {
                let parts = args.iter().map(|part| self.effects(part)).collect();
                self.in_no_order(expr, parts).settled()
            }
            CompoundLiteral(decl) => {
                walk_decl(self, decl);
                Effects::default()
            }
            Statement(block) => {
                self.block(block);
                Effects::default()
            }
        }
    }

    /// What finding a place does, without reading it.
    fn place(&mut self, expr: &Expr) -> Effects {
        match &expr.kind {
            ExprKind::Global(_) | ExprKind::Local(_) => Effects::default(),
            ExprKind::Member { record, .. } => self.place(record),
            _ => self.effects(expr),
        }
    }

    fn assign(&mut self, expr: &Expr, target: &Expr, value: &Expr, is_read: bool) -> Effects {
        let name = name(target);
        let (place, value) = (self.place(target), self.effects(value));
        let clashes = match is_read {
            true => &value.writes,
            false => &value.pending,
        };
        if name.is_some_and(|name| clashes.contains(&name)) {
            self.found.insert(std::ptr::from_ref(expr));
        }
        let all = self.in_no_order(expr, vec![place, value]);
        all.writing(name)
    }

    fn in_no_order(&mut self, expr: &Expr, parts: Vec<Effects>) -> Effects {
        let mut all = Effects::default();
        for part in parts {
            if all.conflicts(&part) {
                self.found.insert(std::ptr::from_ref(expr));
            }
            all = all.and(part);
        }
        all
    }
}

/// The variable that an expression is. Each access to a volatile or atomic one stands for itself.
fn name(expr: &Expr) -> Option<Name> {
    let other = Qualifiers::VOLATILE.union(Qualifiers::ATOMIC);
    if expr.ty.quals.0 & other.0 != 0 {
        return None;
    }
    match expr.kind {
        ExprKind::Local(local) => Some(Name::Local(local)),
        ExprKind::Global(global) => Some(Name::Global(global)),
        _ => None,
    }
}
