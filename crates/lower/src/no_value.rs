//! Calls that return without the value they should have.
//!
//! Reaching the end of a function that returns a value is allowed as long as the caller does not
//! use it (C11 6.9.1p12). So what that means is known only when all calls are: if every caller uses
//! the value the run ends in the callee, if none does nothing happens, and otherwise a global flag
//! tells the caller.
//!
//! # Invariants
//! - The flag is set only between the end of the callee and the step after the call.

use super::Context;
use base::Span;
use program::expr::{Constant, Expr};
use program::ir::*;
use program::pass::callgraph::address_taken;
use std::collections::BTreeSet;

/// Ends the runs that use a value which is not there.
pub(super) fn settle(cx: &mut Context<'_>) {
    let sites = std::mem::take(&mut cx.no_value);
    let program = &mut cx.program;
    let taken = address_taken(program);
    let mut flagged = BTreeSet::new();
    for proc in program.procs.ids() {
        if ends(&program.procs[proc], &sites).is_empty() {
            continue;
        }
        match uses(program, proc, taken.contains(&proc)) {
            Uses { used: false, .. } => {}
            Uses { unused: false, .. } => end_there(&mut program.procs[proc], &sites),
            Uses { .. } => {
                flagged.insert(proc);
            }
        }
    }
    if flagged.is_empty() {
        return;
    }
    let by_pointer = !flagged.is_disjoint(&taken);
    let flag = program.add_global("$no_value", Constant::Bool(false), Span::NONE);
    for &proc in &flagged {
        set_flag(&mut program.procs[proc], &sites, flag);
    }
    for procedure in program.procs.iter_mut() {
        look_at_flag(procedure, &flagged, by_pointer, flag);
    }
}

/// What the callers of a procedure do with its value.
#[derive(Clone, Copy, Default)]
struct Uses {
    used: bool,
    unused: bool,
}

fn uses(program: &Program, proc: ProcId, is_taken: bool) -> Uses {
    let mut uses = Uses::default();
    let callers = program.procs.iter_enumerated();
    // No caller uses what the entry returns.
    for (_, caller) in callers.filter(|&(id, _)| id != program.entry) {
        for edge in caller.edges.iter() {
            if let Op::Call(call) = &edge.op
                && reaches(&call.callee, |callee| callee == proc, is_taken)
            {
                uses.used |= call.result.is_some();
                uses.unused |= call.result.is_none();
            }
        }
    }
    uses
}

fn reaches(callee: &Callee, named: impl Fn(ProcId) -> bool, by_pointer: bool) -> bool {
    match callee {
        Callee::Proc(proc) => named(*proc),
        Callee::Pointer(_) => by_pointer,
        Callee::Library(_) => false,
    }
}

/// The edges that make up a value for want of one.
fn ends(procedure: &Procedure, sites: &BTreeSet<SiteId>) -> Vec<EdgeId> {
    let edges = procedure.edges.iter_enumerated();
    edges
        .filter(|(_, edge)| matches!(&edge.op, Op::Havoc(_, site) if sites.contains(site)))
        .map(|(id, _)| id)
        .collect()
}

fn end_there(procedure: &mut Procedure, sites: &BTreeSet<SiteId>) {
    for edge in ends(procedure, sites) {
        let end = procedure.add_location(procedure.edges[edge].span);
        procedure.redirect(edge, end);
        procedure.edges[edge].op = Op::Halt(Halt::Undefined(UndefinedKind::NoValue));
    }
    let reachable = procedure.reachable();
    procedure.retain(&reachable);
}

fn set_flag(procedure: &mut Procedure, sites: &BTreeSet<SiteId>, flag: VarId) {
    for edge in ends(procedure, sites) {
        let Edge { target, span, .. } = procedure.edges[edge];
        let between = procedure.add_location(span);
        procedure.redirect(edge, between);
        let op = Op::Assign(Place::Var(flag), Expr::bool(true));
        procedure.add_edge(between, target, op, span);
    }
}

/// Behind each call that may have set the flag: a value that is used must be there, and one that
/// is not used leaves no trace.
fn look_at_flag(
    procedure: &mut Procedure,
    flagged: &BTreeSet<ProcId>,
    by_pointer: bool,
    flag: VarId,
) {
    for edge in procedure.edges.ids() {
        let Edge { target, span, .. } = procedure.edges[edge];
        let Op::Call(call) = &procedure.edges[edge].op else {
            continue;
        };
        if !reaches(&call.callee, |callee| flagged.contains(&callee), by_pointer) {
            continue;
        }
        let is_used = call.result.is_some();
        let behind = procedure.add_location(span);
        procedure.redirect(edge, behind);
        if is_used {
            let (bad, end) = (procedure.add_location(span), procedure.add_location(span));
            procedure.add_branch(behind, Expr::Var(flag), bad, target, span);
            let op = Op::Halt(Halt::Undefined(UndefinedKind::NoValue));
            procedure.add_edge(bad, end, op, span);
        } else {
            let op = Op::Assign(Place::Var(flag), Expr::bool(false));
            procedure.add_edge(behind, target, op, span);
        }
    }
}
