//! Conditional constant propagation and folding.
//!
//! Constants are propagated forward over each procedure, from location to location: the live
//! variables and their values, kept only where paths join. An edge whose condition is false there
//! is not followed. Then every expression gets the constants of its location and is simplified; a
//! condition that holds becomes [`Op::Skip`], and an infeasible branch is cut.
//!
//! A global that nothing writes is its initial value everywhere. The others have their initial
//! values at the start of the entry procedure; a call may change them.
//!
//! # Paper
//! The conditional propagation of [wegman1991constant], over a map per join point instead of SSA
//! names.
//!
//! # Invariants
//! - Runs are the same, with the same undefined behaviour: undefined operations are not folded, and
//!   an operand that may be undefined is not dropped.

use base::IdVec;
use program::build::Moved;
use program::expr::{BinaryOp, Constant, Expr, Type};
use program::fold;
use program::ir::*;
use program::pass::VarSet;
use program::pass::callgraph::CallGraph;
use program::pass::liveness::Liveness;
use program::pass::loops::{positions, reverse_postorder};
use program::validate::check_invariants;
use std::collections::{BTreeMap, BTreeSet};

/// The variables that are constant at a location.
type Known = BTreeMap<VarId, Constant>;

/// The program with constants in place, and for each procedure where its edges went.
pub fn propagate_constants(program: &Program) -> (Program, IdVec<ProcId, Moved>) {
    let mut result = program.clone();
    let written = written_globals(program);
    let inits = program.vars.iter_enumerated();
    let inits: Known = inits
        .filter_map(|(id, var)| Some((id, var.init?)))
        .collect();
    let (changing, fixed) = inits.into_iter().partition(|(id, _)| written.contains(id));
    let graph = CallGraph::new(program);
    let liveness = Liveness::new(program);
    let mut all_moved = IdVec::new();
    for (proc, procedure) in program.procs.iter_enumerated() {
        let is_start = proc == program.entry && graph.callers[proc].is_empty();
        let start = if is_start {
            Known::clone(&changing)
        } else {
            Known::new()
        };
        let flow = Flow {
            procedure,
            fixed: &fixed,
            written: &written,
            live: &|at| liveness.live_at(proc, at),
            meets: meeting_points(procedure),
        };
        let known = flow.analyse(start);
        let ops = flow.rewritten(&known);
        let procedure = &mut result.procs[proc];
        for (edge, op) in ops {
            procedure.edges[edge].op = op;
        }
        cut_branches(procedure);
        let everything = IdVec::filled(true, procedure.locations.len());
        all_moved.push(procedure.retain(&everything));
    }
    check_invariants(&result, "constant propagation");
    (result, all_moved)
}

/// The globals that some op may write.
fn written_globals(program: &Program) -> BTreeSet<VarId> {
    let edges = program
        .procs
        .iter()
        .flat_map(|procedure| procedure.edges.iter());
    let written = edges.filter_map(|edge| edge.op.written());
    written
        .filter(|&var| program.vars[var].scope == Scope::Global)
        .collect()
}

/// Where what is known is kept: the entry and where paths meet. Between, it is carried along.
fn meeting_points(procedure: &Procedure) -> IdVec<LocationId, bool> {
    let incoming = procedure.incoming();
    let meets = |at: LocationId| at == procedure.entry || incoming[at].len() > 1;
    procedure.locations.ids().map(meets).collect()
}

/// The data flow of one procedure.
struct Flow<'f> {
    procedure: &'f Procedure,
    /// Globals that nothing writes.
    fixed: &'f Known,
    /// Globals that a call may write.
    written: &'f BTreeSet<VarId>,
    live: &'f dyn Fn(LocationId) -> &'f VarSet,
    meets: IdVec<LocationId, bool>,
}

impl Flow<'_> {
    /// What is constant at each meeting point; `None` where no run gets to.
    fn analyse(&self, start: Known) -> IdVec<LocationId, Option<Known>> {
        let procedure = self.procedure;
        let mut known: IdVec<LocationId, Option<Known>> =
            IdVec::filled(None, procedure.locations.len());
        known[procedure.entry] = Some(start);
        let order = reverse_postorder(procedure);
        let position = positions(procedure, &order);
        let mut open = BTreeSet::from([0]);
        while let Some(index) = open.pop_first() {
            let Some(state) = known[order[index]].clone() else {
                continue;
            };
            self.walk(
                order[index],
                state,
                &mut |_, _| {},
                &mut |at, mut arrived| {
                    // What is dead there would only be carried along.
                    let live = (self.live)(at);
                    arrived.retain(|var, _| live.contains(*var));
                    if merge(&mut known[at], arrived) {
                        open.insert(position[at]);
                    }
                },
            );
        }
        known
    }

    /// The ops of the edges that can be taken, with the constants in place.
    fn rewritten(&self, known: &IdVec<LocationId, Option<Known>>) -> Vec<(EdgeId, Op)> {
        let mut ops = Vec::new();
        for (at, state) in known.iter_enumerated() {
            let Some(state) = state else {
                continue;
            };
            let mut see = |at: LocationId, state: &Known| {
                for &edge in &self.procedure.locations[at].out {
                    let op = &self.procedure.edges[edge].op;
                    let op = op.with_exprs(|expr| self.with_constants(expr, state));
                    ops.push((edge, op));
                }
            };
            self.walk(at, state.clone(), &mut see, &mut |_, _| {});
        }
        ops
    }

    /// Goes from a meeting point to the next ones, with what is known on the way.
    fn walk(
        &self,
        start: LocationId,
        state: Known,
        see: &mut dyn FnMut(LocationId, &Known),
        arrive: &mut dyn FnMut(LocationId, Known),
    ) {
        let mut open = vec![(start, state)];
        while let Some((at, state)) = open.pop() {
            see(at, &state);
            let mut state = Some(state);
            let out = &self.procedure.locations[at].out;
            for (index, &edge) in out.iter().enumerate() {
                let edge = &self.procedure.edges[edge];
                let last = index + 1 == out.len();
                let before = if last { state.take() } else { state.clone() };
                let Some(after) = before.and_then(|before| self.step(&edge.op, before)) else {
                    continue;
                };
                if self.meets[edge.target] {
                    arrive(edge.target, after);
                } else {
                    open.push((edge.target, after));
                }
            }
        }
    }

    /// What is constant after an op; `None` if no run continues.
    fn step(&self, op: &Op, mut known: Known) -> Option<Known> {
        match op {
            Op::Skip | Op::Enter(_) | Op::Leave(_) | Op::Unsupported(_) | Op::Return(_) => {}
            Op::Assign(Place::Mem(..), _) | Op::Havoc(Place::Mem(..), _) => {}
            Op::Assign(Place::Var(var), value) => {
                match self.with_constants(value, &known).constant() {
                    Some(constant) => known.insert(*var, constant),
                    None => known.remove(var),
                };
            }
            Op::Havoc(Place::Var(var), _) => {
                known.remove(var);
            }
            Op::Assume(condition) => {
                let condition = self.with_constants(condition, &known);
                if condition.is_bool(false) {
                    return None;
                }
                learn(&condition, &mut known);
            }
            Op::Call(call) => {
                match call.callee {
                    Callee::Proc(_) | Callee::Pointer(_) => {
                        known.retain(|var, _| !self.written.contains(var));
                    }
                    Callee::Library(_) => {}
                }
                if let Some(result) = call.result {
                    known.remove(&result);
                }
            }
            Op::Halt(_) => return None,
        }
        Some(known)
    }

    /// The expression with the constants in place, simplified.
    fn with_constants(&self, expr: &Expr, known: &Known) -> Expr {
        let mut expr = expr.clone();
        expr.visit_mut(&mut |part| {
            if let Expr::Var(var) = part
                && let Some(constant) = known.get(var).or_else(|| self.fixed.get(var))
            {
                *part = Expr::Const(*constant);
            }
        });
        fold::simplify(expr)
    }
}

/// What a condition that holds says: equalities of variables with integers and truth values.
/// (Equal floating-point numbers may differ in their sign.)
fn learn(condition: &Expr, known: &mut Known) {
    match condition {
        Expr::Binary(BinaryOp::And, Type::Bool, left, right) => {
            learn(left, known);
            learn(right, known);
        }
        Expr::Binary(BinaryOp::Eq, Type::Int(_) | Type::Bool, left, right) => {
            match (&**left, &**right) {
                (Expr::Var(var), Expr::Const(value)) | (Expr::Const(value), Expr::Var(var)) => {
                    known.insert(*var, *value);
                }
                _ => {}
            }
        }
        Expr::Var(var) => drop(known.insert(*var, Constant::Bool(true))),
        _ => {
            if let Expr::Unary(program::expr::UnaryOp::Not, Type::Bool, inner) = condition
                && let Expr::Var(var) = **inner
            {
                known.insert(var, Constant::Bool(false));
            }
        }
    }
}

/// Keeps what both say; whether that changed anything.
fn merge(old: &mut Option<Known>, new: Known) -> bool {
    match old {
        None => {
            *old = Some(new);
            true
        }
        Some(old) => {
            let before = old.len();
            old.retain(|var, value| new.get(var) == Some(value));
            old.len() < before
        }
    }
}

/// Makes conditions that hold `Skip`, and cuts branches that cannot be taken.
fn cut_branches(procedure: &mut Procedure) {
    let holds = |procedure: &Procedure, id: EdgeId| match &procedure.edges[id].op {
        Op::Assume(Expr::Const(Constant::Bool(value))) => Some(*value),
        _ => None,
    };
    for location in procedure.locations.ids() {
        let mut out = procedure.locations[location].out.clone();
        // A single edge that blocks stays: its location may not lose its last edge.
        if out.iter().any(|&id| holds(procedure, id) != Some(false)) {
            out.retain(|&id| holds(procedure, id) != Some(false));
        }
        for &id in &out {
            if holds(procedure, id) == Some(true) {
                procedure.edges[id].op = Op::Skip;
            }
        }
        procedure.locations[location].out = out;
    }
}

#[cfg(test)]
mod tests;
