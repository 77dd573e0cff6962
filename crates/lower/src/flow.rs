//! `switch` and computed `goto`.

use super::ctype::Hidden;
use super::procedure::Lowering;
use super::scope::{JumpTarget, LoopFrame, SwitchFrame};
use base::{Id, Span};
use cfront::ast::{Case, Expr as CExpr, LabelId, Stmt};
use logic::IntValue;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::*;

impl<'a> Lowering<'_, 'a> {
    /// `switch`: the value once, then one test per case in order, `default` last.
    pub(super) fn switch_stmt(
        &mut self,
        value: &'a CExpr,
        cases: &'a [Case],
        body: &'a Stmt,
        span: Span,
    ) {
        let tested = self.value(value);
        let tested = if tested.reads_memory() || cases.len() > 1 && is_large(&tested) {
            self.save(tested, value.span)
        } else {
            tested
        };
        self.has_switched(&tested, cases, value.span);
        let dispatch = self.fresh(value.span);
        let end = self.location(super::stmt::last(span));
        let cases_at = cases.iter().map(|case| (self.location(case.span), None));
        let cases_at = cases_at.collect();
        self.switches.push(SwitchFrame { cases: cases_at });
        self.loops.push(LoopFrame {
            scope: self.scope,
            break_to: end,
            continue_to: None,
        });
        self.cur = self.location(span);
        self.stmt(body);
        self.link(end, span);
        self.loops.pop();
        let frame = self
            .switches
            .pop()
            .expect("the switch should still be open");
        self.cur = dispatch;
        self.dispatch(&tested, cases, &frame, value.span);
        self.go_on_at(end, span);
    }

    /// The tests of a switch, which are made at its condition, as compilers do: a label alone does
    /// nothing. Leaves `cur` where no case applies.
    fn dispatch(&mut self, tested: &Expr, cases: &'a [Case], frame: &SwitchFrame, span: Span) {
        let mut default = None;
        for (case, &(location, scope)) in cases.iter().zip(&frame.cases) {
            let target = JumpTarget::Location(location, scope.unwrap_or(self.scope));
            let Some((low, high)) = case.range else {
                default = Some((target, case.span));
                continue;
            };
            let ty = self.ty(tested);
            let condition = in_range(tested, ty, low, high);
            let (yes, no) = (self.location(case.span), self.location(span));
            self.branch_to(condition, yes, no, span);
            self.jump_from(yes, target, case.span);
            self.cur = no;
        }
        if let Some((target, span)) = default {
            self.jump(target, span);
        }
    }

    /// `goto *address`: one test per label whose address is taken; another address is undefined.
    pub(super) fn computed_goto(&mut self, address: &'a CExpr, span: Span) {
        let value = self.value(address);
        let value = self.atom(value, address.span);
        let body = self.body.expect("a goto should be in a function");
        let taken = body.labels.iter_enumerated();
        for (label, _) in taken.filter(|(_, label)| label.address_taken) {
            self.label_location(label);
            let here = self.label_address(label);
            let condition = Expr::binary(BinaryOp::Eq, Type::Ptr, value.clone(), here);
            let (yes, no) = (self.location(span), self.location(span));
            self.branch_to(condition, yes, no, span);
            self.jump_from(yes, JumpTarget::Label(label), span);
            self.cur = no;
        }
        self.halt_undefined(UndefinedKind::Unreachable, span);
    }

    /// The address of a label: that of its byte in a hidden object, so that formulas know it.
    pub(super) fn label_address(&mut self, label: LabelId) -> Expr {
        let labels = self.cx.hidden_object(Hidden::Labels);
        let index = self.cx.offset_const(label.index() as i64);
        Expr::offset(Expr::Object(labels), index)
    }
}

fn is_large(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Var(_) => false,
        Expr::Cast(_, operand) => is_large(operand),
        _ => true,
    }
}

pub(super) fn in_range(tested: &Expr, ty: Type, low: IntValue, high: IntValue) -> Expr {
    let Type::Int(int) = ty else {
        return Expr::bool(false);
    };
    let test = |op, bound: IntValue| {
        let bound = Expr::Const(program::expr::Constant::Int(bound.convert(int)));
        Expr::binary(op, ty, tested.clone(), bound)
    };
    if low == high {
        return test(BinaryOp::Eq, low);
    }
    if low.convert(int).compare(high.convert(int)).is_gt() {
        return Expr::bool(false);
    }
    Expr::and(test(BinaryOp::Ge, low), test(BinaryOp::Le, high))
}
