//! The transfer function of an op.

use super::element::{Domain, Element};
use crate::value::Value;
use program::expr::{BinaryOp, Expr, Type, UnaryOp};
use program::ir::*;
use program::pass::VarSet;
use program::pass::callgraph::CallGraph;

/// The globals that each procedure, or whom it calls, may write.
pub(super) struct Effects {
    writes: Vec<VarSet>,
    /// What a call through a pointer may write.
    through_pointer: VarSet,
}

impl Effects {
    pub(super) fn new(program: &Program) -> Self {
        let graph = CallGraph::new(program);
        let own = |procedure: &Procedure| {
            let mut written = VarSet::default();
            let vars = procedure.edges.iter().filter_map(|edge| edge.op.written());
            written.extend(vars.filter(|&var| program.vars[var].scope == Scope::Global));
            written
        };
        let mut writes: Vec<VarSet> = program.procs.iter().map(own).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for proc in graph.order() {
                for &callee in &graph.callees[proc] {
                    let more = writes[base::Id::index(callee)].clone();
                    changed |= writes[base::Id::index(proc)].union(&more);
                }
            }
        }
        let mut through_pointer = VarSet::default();
        for &proc in &graph.address_taken {
            through_pointer.union(&writes[base::Id::index(proc)]);
        }
        Effects {
            writes,
            through_pointer,
        }
    }

    /// What a call may write besides its result.
    fn of(&self, callee: &Callee) -> Option<&VarSet> {
        match callee {
            Callee::Proc(proc) => self.writes.get(base::Id::index(*proc)),
            Callee::Pointer(_) => Some(&self.through_pointer),
            Callee::Library(_) => None,
        }
    }
}

/// The element after an op, related to the variables of `pack` where the op writes one, in cases
/// where the op distinguishes some; none if no defined run continues.
pub(super) fn transfer(
    domain: &Domain,
    effects: &Effects,
    op: &Op,
    element: &Element,
    pack: &[VarId],
) -> Vec<Element> {
    let assumed = |condition: &Expr, truth: bool| {
        let mut case = element.clone();
        case.assume(domain, condition, truth)?;
        case.propagate(domain)?;
        Some(case)
    };
    let single = || Vec::from_iter(single(domain, effects, op, element, pack));
    match op {
        Op::Assume(condition) => {
            let parts = disjuncts(condition).into_iter();
            let cases = parts.filter_map(|(part, truth)| assumed(part, truth));
            cases.collect()
        }
        Op::Assign(Place::Var(var), Expr::Select(condition, then, otherwise))
            if domain.is_tracked(*var) =>
        {
            let cases = [(true, then), (false, otherwise)].into_iter();
            let cases = cases.filter_map(|(truth, value)| {
                let mut case = assumed(condition, truth)?;
                assign(domain, &mut case, *var, value, pack)?;
                Some(case)
            });
            cases.collect()
        }
        Op::Assign(Place::Var(var), value) if domain.is_tracked(*var) => {
            let Some(condition) = truth_value(domain, value) else {
                return single();
            };
            let cases = [true, false].into_iter().filter_map(|truth| {
                let mut case = assumed(condition, truth)?;
                case.forget(domain, *var);
                case.meet(domain, *var, &Value::point(i128::from(truth)))?;
                Some(case)
            });
            cases.collect()
        }
        _ => single(),
    }
}

/// The ways in which a condition can hold, a few of them.
fn disjuncts(condition: &Expr) -> Vec<(&Expr, bool)> {
    const MOST: usize = 4;
    let mut done = Vec::new();
    let mut open = vec![(condition, true)];
    while let Some((part, truth)) = open.pop() {
        match part {
            Expr::Unary(UnaryOp::Not, Type::Bool, inner) => open.push((inner, !truth)),
            Expr::Binary(op, Type::Bool, left, right)
                if done.len() + open.len() + 2 <= MOST
                    && *op == if truth { BinaryOp::Or } else { BinaryOp::And } =>
            {
                open.push((right, truth));
                open.push((left, truth));
            }
            _ => done.push((part, truth)),
        }
    }
    done
}

/// The condition that a value is 0 or 1 by.
fn truth_value<'e>(domain: &Domain, value: &'e Expr) -> Option<&'e Expr> {
    match value {
        Expr::Cast(_, inner) if inner.ty(domain.program) == Type::Bool => Some(inner),
        Expr::Unary(..) | Expr::Binary(..) | Expr::Select(..)
            if value.ty(domain.program) == Type::Bool =>
        {
            Some(value)
        }
        _ => None,
    }
}

/// The element after an op that distinguishes no cases.
fn single(
    domain: &Domain,
    effects: &Effects,
    op: &Op,
    element: &Element,
    pack: &[VarId],
) -> Option<Element> {
    let mut element = element.clone();
    match op {
        Op::Skip | Op::Enter(_) | Op::Leave(_) | Op::Return(_) | Op::Havoc(Place::Mem(..), _) => {}
        Op::Assign(Place::Var(var), value) => assign(domain, &mut element, *var, value, pack)?,
        Op::Assign(Place::Mem(..), value) => {
            element.evaluate(domain, value)?;
        }
        Op::Assume(condition) => {
            element.assume(domain, condition, true)?;
            element.propagate(domain)?;
        }
        Op::Havoc(Place::Var(var), _) => element.forget(domain, *var),
        Op::Call(call) => {
            if let Some(written) = effects.of(&call.callee) {
                written.iter().for_each(|var| element.forget(domain, var));
            }
            if let Some(var) = call.result {
                element.forget(domain, var);
            }
        }
        Op::Halt(Halt::Undefined(_)) => return None,
        Op::Halt(Halt::Abort | Halt::Exit(_)) => {}
        Op::Unsupported(_) => element = Element::top(domain, pack),
    }
    Some(element)
}

fn assign(
    domain: &Domain,
    element: &mut Element,
    var: VarId,
    value: &Expr,
    pack: &[VarId],
) -> Option<()> {
    if !domain.is_tracked(var) {
        return Some(());
    }
    let result = element.evaluate(domain, value)?;
    if pack.contains(&var) {
        element.relate_also(domain, var);
    }
    match domain.program.vars[var].ty {
        Type::Int(_) => element.assign(domain, var, &result),
        Type::Bool | Type::Float(_) | Type::Ptr => {
            element.forget(domain, var);
            element.meet(domain, var, &result.value)
        }
    }
}
