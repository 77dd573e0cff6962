//! Pointers to few objects: each is replaced by two numbers, and each use by a choice.
//!
//! A followed pointer (`pointers` says which) becomes the number of the object that it points to, 0
//! for null, and the offset into it. A read through it is a choice among the objects that it may
//! point to; a store has a branch for each of them; elsewhere there is no defined run, so before
//! both it is assumed to point to one. Two pointers are equal if the numbers are. After this all
//! accesses name their object, and the analysis of objects (`layout`) decides about the rest.
//!
//! A local object whose address is passed to a procedure that is still called is *shared*: its
//! variables are globals. That is done only for an object whose owner is activated once in a run.
//!
//! # Paper
//! [henzinger2004abstractions], section 6: the choices are those of its constraints, one for each
//! possible alias, and what a procedure does to the cells that its parameters reach is expressed
//! over these cells and their values at its entry. We differ in that points-to sets bound the
//! aliases beforehand, where the paper uses types.
//!
//! # Invariants
//! - A pointer is replaced only if everything that it may point to, and everything that an access
//!   through it may touch, becomes variables.
//! - Offsets are so wide that no run reaches their bounds: one that is outside its object ends a
//!   run, or is found invalid, where it is used and not before.

mod numbers;

use self::numbers::with_choices;
use super::layout::{Elements, layouts};
use super::must_facts::{Facts, MustFacts};
use super::pointers::Pointers;
use crate::expr::Expr;
use crate::ir::*;
use crate::pass::callgraph::CallGraph;
use base::{Id, IdVec};
use std::collections::{BTreeMap, BTreeSet};

/// A program with choices for pointers, and which of its objects become variables.
pub(super) struct Chosen {
    pub(super) program: Program,
    pub(super) layouts: BTreeMap<ObjectId, Elements>,
    /// What is alive, in the procedures that are reachable.
    pub(super) alive: IdVec<ProcId, Option<MustFacts>>,
    /// Local objects that other procedures reach.
    pub(super) shared: BTreeSet<ObjectId>,
}

/// Puts choices in place of pointers where that makes variables of all that they point to.
pub(super) fn choose(program: &Program, reachable: &IdVec<ProcId, bool>) -> Chosen {
    let mut refused = BTreeSet::new();
    loop {
        let pointers = Pointers::find(program, reachable, &refused);
        let result = match pointers.is_empty() {
            true => program.clone(),
            false => with_choices(program, reachable, &pointers),
        };
        let shared = shared(&result, reachable);
        let alive = alive(&result, reachable, &shared);
        let layouts = layouts(&result, &alive);
        let before = refused.len();
        let is_variables = |object: &ObjectId| layouts.contains_key(object);
        for (var, targets) in pointers.iter() {
            if !targets.objects.iter().all(is_variables) {
                refused.insert(var);
            }
        }
        for (_, _, edge) in program.edges().filter(|(proc, ..)| reachable[*proc]) {
            refused.extend(pointers.in_memory(program, &edge.op, &is_variables));
        }
        if refused.len() == before {
            return Chosen {
                program: result,
                layouts,
                alive,
                shared,
            };
        }
    }
}

/// The local objects that are in procedures that do not own them.
fn shared(program: &Program, reachable: &IdVec<ProcId, bool>) -> BTreeSet<ObjectId> {
    let mut shared = BTreeSet::new();
    for (proc, _, edge) in program.edges().filter(|(proc, ..)| reachable[*proc]) {
        for expr in edge.op.exprs() {
            expr.visit(&mut |part| {
                if let Expr::Object(object) = part
                    && !matches!(program.objects[*object].scope, Scope::Global)
                    && program.objects[*object].scope != Scope::Local(proc)
                {
                    shared.insert(*object);
                }
            });
        }
    }
    shared
}

/// What is alive in each procedure that is reachable. A shared object is so in a procedure that no
/// call leads to but those of its owner that it lives through.
fn alive(
    program: &Program,
    reachable: &IdVec<ProcId, bool>,
    shared: &BTreeSet<ObjectId>,
) -> IdVec<ProcId, Option<MustFacts>> {
    let analyse = |around: &IdVec<ProcId, Facts>| {
        let procs = program.procs.iter_enumerated();
        let alive = procs.map(|(id, procedure)| {
            let facts = || MustFacts::alive(program, procedure, &around[id]);
            reachable[id].then(facts)
        });
        alive.collect::<IdVec<ProcId, Option<MustFacts>>>()
    };
    let mut around = IdVec::filled(Facts::default(), program.procs.len());
    let alive = analyse(&around);
    if shared.is_empty() {
        return alive;
    }
    let taken = CallGraph::new(program).address_taken;
    for &object in shared {
        let Scope::Local(owner) = program.objects[object].scope else {
            continue;
        };
        let lives = |proc: ProcId, at: LocationId| {
            let alive = alive[owner].as_ref();
            proc == owner && alive.is_some_and(|alive| alive.holds(at, object.index()))
        };
        let mut outside = IdVec::filled(false, program.procs.len());
        let mut open = vec![program.entry];
        while let Some(proc) = open.pop() {
            if std::mem::replace(&mut outside[proc], true) {
                continue;
            }
            for edge in program.procs[proc].edges.iter() {
                let Op::Call(call) = &edge.op else { continue };
                match call.callee {
                    _ if lives(proc, edge.source) => {}
                    Callee::Proc(callee) => open.push(callee),
                    Callee::Pointer(_) => open.extend(&taken),
                    Callee::Library(_) => {}
                }
            }
        }
        for (proc, _) in outside.iter_enumerated().filter(|(_, outside)| !**outside) {
            around[proc].insert(object.index());
        }
    }
    analyse(&around)
}
