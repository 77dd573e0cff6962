//! Substitutes variables, objects and procedures in an op.

use crate::expr::Expr;
use crate::ir::*;

/// What stands for what.
pub struct Rename<'r> {
    /// The variable in place of one.
    pub var: &'r dyn Fn(VarId) -> VarId,
    /// The object in place of one.
    pub object: &'r dyn Fn(ObjectId) -> ObjectId,
    /// The procedure in place of one.
    pub proc: &'r dyn Fn(ProcId) -> ProcId,
}

impl Rename<'_> {
    /// In an expression.
    pub fn expr(&self, expr: &mut Expr) {
        use Expr::*;
        expr.visit_mut(&mut |part| match part {
            Var(var) => *var = (self.var)(*var),
            Object(object) => *object = (self.object)(*object),
            Proc(proc) => *proc = (self.proc)(*proc),
            Const(_) | Load(..) | Unary(..) | Binary(..) | Offset(..) | Cast(..) | Select(..)
            | Overflows(..) | Valid(..) | Freeable(_) => {}
        });
    }

    /// In an op.
    pub fn op(&self, op: &mut Op) {
        for expr in op.exprs_mut() {
            self.expr(expr);
        }
        if let Some(var) = op.written_mut() {
            *var = (self.var)(*var);
        }
        match op {
            Op::Call(call) => {
                if let Callee::Proc(proc) = &mut call.callee {
                    *proc = (self.proc)(*proc);
                }
            }
            Op::Enter(object) | Op::Leave(object) => *object = (self.object)(*object),
            Op::Assign(..) | Op::Havoc(..) | Op::Skip | Op::Assume(_) => {}
            Op::Return(_) | Op::Halt(_) | Op::Unsupported(_) => {}
        }
    }
}
