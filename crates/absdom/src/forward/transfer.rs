//! What an op does to an element.

use super::element::{Domain, Element};
use program::expr::{Expr, Type};
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
            let mut written = VarSet::new(program.vars.len());
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
        let mut through_pointer = VarSet::new(program.vars.len());
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

/// The element after an op, related to the variables of `pack` where the op writes one; `None` if
/// no defined run goes on.
pub(super) fn transfer(
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
        Op::Halt(Halt::Unreachable) => return None,
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
