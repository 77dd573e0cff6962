//! Replaces calls by copies of the bodies they call.
//!
//! Calls through pointers become direct ones first ([`pointer_calls`](super::pointer_calls)).
//! Callees come before callers, so one copy brings everything below it. Recursive procedures stay
//! calls, as do calls of large bodies and those that would make the program larger than the limit;
//! so do those that use `alloca`, whose objects die with the activation, unless nothing after the
//! call could tell (`main`, for one).
//!
//! A callee's locals become locals of the caller, one set for each call site. A new activation
//! should find them indeterminate: lowering emits an explicit `Havoc` of kind
//! [`SiteKind::Uninitialized`] where the lifetime of such a local starts, so nothing more is needed
//! here. The lifetimes of local objects start at the callee's own `Enter` and end at a `Leave`
//! inserted at each return.
//!
//! # Invariants
//! - Runs are the same, with the same inputs, except that an error location of an inlined procedure
//!   is reached as its copy in the caller: [`Origins`] says whose copy.

use super::callgraph::CallGraph;
use super::pointer_calls::{Directed, direct_calls};
use super::rename::Rename;
use crate::expr::{Expr, Type};
use crate::ir::*;
use crate::validate::check_invariants;
use base::{Id, IdVec, Span};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How much to inline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineLimit {
    /// How many edges the program may have after it.
    pub edges: usize,
    /// How many edges a body may have that is copied, with what was copied into it.
    pub body: usize,
}

/// A program that has no more edges with all calls inlined is not large.
const LARGE: usize = 6_000;
/// How many edges a small body has.
const SMALL_BODY: usize = 24;

impl Default for InlineLimit {
    fn default() -> Self {
        InlineLimit {
            edges: 200_000,
            body: usize::MAX,
        }
    }
}

impl InlineLimit {
    /// All calls, where the program does not get large by it, and else those of small bodies.
    pub fn of(program: &Program) -> Self {
        let direct = direct_calls(program);
        let program = &*direct.program;
        let graph = CallGraph::new(program);
        let mut sizes: IdVec<ProcId, usize> = IdVec::filled(0, program.procs.len());
        for proc in graph.order() {
            let edges = program.procs[proc].edges.iter();
            let callees = edges.filter_map(|edge| edge.op.callee());
            let copied = callees.filter(|&callee| !graph.recursive[callee]);
            let own = program.procs[proc].edges.len();
            sizes[proc] = copied.fold(own, |size, callee| size.saturating_add(sizes[callee]));
        }
        match sizes[program.entry] <= LARGE {
            true => InlineLimit::default(),
            false => InlineLimit {
                body: SMALL_BODY,
                ..InlineLimit::default()
            },
        }
    }
}

/// What each part of the new program is a copy of: the way back.
#[derive(Clone, PartialEq, Debug)]
pub struct Origins {
    /// Procedure and location of the old program; `None` for one inside the choice of a callee, the
    /// passing of arguments or a return.
    pub locations: IdVec<ProcId, IdVec<LocationId, Option<(ProcId, LocationId)>>>,
    /// Procedure and edge of the old program; for a step that chooses a callee, passes an argument,
    /// gives back the result or ends an object, the edge of the call or of the return.
    pub edges: IdVec<ProcId, IdVec<EdgeId, (ProcId, EdgeId)>>,
    /// Variable of the old program; `None` for one that holds a pointer to a callee, or a result that
    /// is not used.
    pub vars: IdVec<VarId, Option<VarId>>,
    /// Object of the old program.
    pub objects: IdVec<ObjectId, ObjectId>,
    /// The inlined call whose activation each copy belongs to; `None` where nothing was copied.
    pub calls: Calls,
}

/// The inlined calls that copies belong to.
#[derive(Clone, PartialEq, Debug)]
pub struct Calls {
    /// Of locations.
    pub locations: IdVec<ProcId, IdVec<LocationId, Option<InlineId>>>,
    /// Of variables.
    pub vars: IdVec<VarId, Option<InlineId>>,
    /// Of objects.
    pub objects: IdVec<ObjectId, Option<InlineId>>,
}

/// The program with calls inlined. Procedures that are no longer called are still there.
pub fn inline_calls(program: &Program, limit: InlineLimit) -> (Program, Origins) {
    let directed = direct_calls(program);
    let origins = origins(program, &directed);
    let program = &*directed.program;
    let graph = CallGraph::new(program);
    let reachable = graph.reachable(program);
    let total = program.procs.iter().map(|row| row.edges.len()).sum();
    let mut inliner = Inliner {
        program: program.clone(),
        origins,
        room: limit.edges.saturating_sub(total),
        most: limit.body,
    };
    for caller in graph.order().filter(|&proc| reachable[proc]) {
        // Edges that a copy adds have no calls that could still be inlined.
        for edge in program.procs[caller].edges.ids() {
            if let Op::Call(call) = &inliner.program.procs[caller].edges[edge].op
                && let Callee::Proc(callee) = call.callee
                && !graph.recursive[callee]
                && (!inliner.program.procs[callee].uses_alloca()
                    || ends_with(&inliner.program.procs[caller], edge))
            {
                inliner.inline(caller, edge, callee, call.clone());
            }
        }
    }
    check_invariants(&inliner.program, "inlining");
    (inliner.program, inliner.origins)
}

/// What each part of a program without calls through pointers is a copy of.
fn origins(old: &Program, directed: &Directed<'_>) -> Origins {
    let program = &*directed.program;
    let is_old = |proc: ProcId, id: LocationId| id.index() < old.procs[proc].locations.len();
    Origins {
        locations: (program.procs.iter_enumerated())
            .map(|(proc, row)| {
                let locations = row.locations.ids();
                locations
                    .map(|id| is_old(proc, id).then_some((proc, id)))
                    .collect()
            })
            .collect(),
        edges: (directed.edges.iter_enumerated())
            .map(|(proc, row)| row.iter().map(|&id| (proc, id)).collect())
            .collect(),
        vars: (program.vars.ids())
            .map(|id| (id.index() < old.vars.len()).then_some(id))
            .collect(),
        objects: program.objects.ids().collect(),
        calls: Calls {
            locations: (program.procs.iter())
                .map(|row| IdVec::filled(None, row.locations.len()))
                .collect(),
            vars: IdVec::filled(None, program.vars.len()),
            objects: IdVec::filled(None, program.objects.len()),
        },
    }
}

/// Whether after a call no memory is touched and nothing is called, this call included: what died
/// with the activation cannot be told from what lives on.
fn ends_with(caller: &Procedure, call: EdgeId) -> bool {
    let mut open = vec![caller.edges[call].target];
    let mut seen = BTreeSet::from_iter(open.clone());
    while let Some(at) = open.pop() {
        for &id in &caller.locations[at].out {
            let Edge { op, target, .. } = &caller.edges[id];
            let is_blind = match op {
                Op::Skip | Op::Assume(_) | Op::Return(_) | Op::Halt(_) => true,
                Op::Assign(place, _) | Op::Havoc(place, _) => matches!(place, Place::Var(_)),
                Op::Call(_) | Op::Enter(_) | Op::Leave(_) | Op::Unsupported(_) => false,
            };
            if !is_blind || op.exprs().into_iter().any(Expr::reads_memory) {
                return false;
            }
            if seen.insert(*target) {
                open.push(*target);
            }
        }
    }
    true
}

struct Inliner {
    program: Program,
    origins: Origins,
    /// How many edges may still be added.
    room: usize,
    /// How many edges a body may have that is copied.
    most: usize,
}

/// One call being inlined.
struct Site {
    caller: ProcId,
    /// Edges made for the call stand for this one of the old program.
    origin: (ProcId, EdgeId),
    span: Span,
    inline: InlineId,
}

impl Inliner {
    fn inline(&mut self, caller: ProcId, edge: EdgeId, callee: ProcId, call: Call) {
        let body = self.program.procs[callee].clone();
        let objects: Vec<ObjectId> = self.locals_of(callee).1;
        let returns = body
            .edges
            .iter()
            .filter(|edge| matches!(edge.op, Op::Return(_)))
            .count();
        let cost = body.edges.len() + body.params.len() + 1 + returns * objects.len();
        if cost > self.room || body.edges.len() > self.most {
            return;
        }
        self.room -= cost;
        let old = self.program.procs[caller].edges[edge].clone();
        let site = Site {
            caller,
            origin: self.origins.edges[caller][edge],
            span: old.span,
            inline: self.program.inlines.push(InlineSite {
                callee: body.name.clone(),
                span: old.span,
                parent: old.inlined,
            }),
        };
        let mut inlines: FxHashMap<InlineId, InlineId> = FxHashMap::default();
        let (vars, objects_map) = self.copy_locals(&site, &mut inlines, callee);
        let locations = self.copy_locations(&site, &mut inlines, callee, &body, old.target);
        self.pass_arguments(&site, edge, &call, &body, &vars, locations[body.entry]);
        let rename = Rename {
            var: &|var| vars.get(&var).copied().unwrap_or(var),
            object: &|object| objects_map.get(&object).copied().unwrap_or(object),
            proc: &|proc| proc,
        };
        let leaving: Vec<ObjectId> = objects.iter().map(|object| objects_map[object]).collect();
        for (id, old) in body.edges.iter_enumerated() {
            let mut op = old.op.clone();
            rename.op(&mut op);
            let (from, to) = (locations[old.source], locations[old.target]);
            let inline = self.copy_inline(&site, &mut inlines, old.inlined);
            let site = Site {
                origin: self.origins.edges[callee][id],
                span: old.span,
                inline,
                ..site
            };
            match op {
                Op::Return(value) => self.give_back(&site, &call, value, &leaving, from, to),
                op => drop(self.add_edge(&site, from, to, op)),
            }
        }
    }

    /// The variables and objects of a procedure.
    fn locals_of(&self, proc: ProcId) -> (Vec<VarId>, Vec<ObjectId>) {
        let local = Scope::Local(proc);
        let vars = self.program.vars.iter_enumerated();
        let objects = self.program.objects.iter_enumerated();
        (
            vars.filter(|(_, row)| row.scope == local)
                .map(|(id, _)| id)
                .collect(),
            objects
                .filter(|(_, row)| row.scope == local)
                .map(|(id, _)| id)
                .collect(),
        )
    }

    fn copy_locals(
        &mut self,
        site: &Site,
        inlines: &mut FxHashMap<InlineId, InlineId>,
        callee: ProcId,
    ) -> (FxHashMap<VarId, VarId>, FxHashMap<ObjectId, ObjectId>) {
        let (vars, objects) = self.locals_of(callee);
        let mut var_map = FxHashMap::default();
        for old in vars {
            let mut row = self.program.vars[old].clone();
            row.scope = Scope::Local(site.caller);
            var_map.insert(old, self.program.vars.push(row));
            self.origins.vars.push(self.origins.vars[old]);
            let call = self.copy_inline(site, inlines, self.origins.calls.vars[old]);
            self.origins.calls.vars.push(Some(call));
        }
        let mut object_map = FxHashMap::default();
        for old in objects {
            let mut row = self.program.objects[old].clone();
            row.scope = Scope::Local(site.caller);
            object_map.insert(old, self.program.objects.push(row));
            self.origins.objects.push(self.origins.objects[old]);
            let call = self.copy_inline(site, inlines, self.origins.calls.objects[old]);
            self.origins.calls.objects.push(Some(call));
        }
        (var_map, object_map)
    }

    /// Copies of all locations but the exit, for which stands where the call leads.
    fn copy_locations(
        &mut self,
        site: &Site,
        inlines: &mut FxHashMap<InlineId, InlineId>,
        callee: ProcId,
        body: &Procedure,
        target: LocationId,
    ) -> IdVec<LocationId, LocationId> {
        let mut map = IdVec::new();
        for (id, row) in body.locations.iter_enumerated() {
            if id == body.exit {
                map.push(target);
                continue;
            }
            let mut row = row.clone();
            row.out.clear();
            map.push(self.program.procs[site.caller].locations.push(row));
            let origin = self.origins.locations[callee][id];
            self.origins.locations[site.caller].push(origin);
            let call = self.copy_inline(site, inlines, self.origins.calls.locations[callee][id]);
            self.origins.calls.locations[site.caller].push(Some(call));
        }
        map
    }

    /// The call edge becomes the first of the steps that set the parameters.
    fn pass_arguments(
        &mut self,
        site: &Site,
        edge: EdgeId,
        call: &Call,
        body: &Procedure,
        vars: &FxHashMap<VarId, VarId>,
        entry: LocationId,
    ) {
        let mut steps: Vec<Op> = (body.params.iter().zip(&call.args))
            .map(|(param, arg)| Op::Assign(Place::Var(vars[param]), arg.clone()))
            .collect();
        if let Some(varargs) = body.varargs {
            let address = call.varargs.clone().unwrap_or(Expr::null());
            steps.push(Op::Assign(Place::Var(vars[&varargs]), address));
        }
        let first = &mut self.program.procs[site.caller].edges[edge];
        first.inlined = Some(site.inline);
        if steps.len() <= 1 {
            (first.op, first.target) = (steps.pop().unwrap_or(Op::Skip), entry);
            return;
        }
        first.op = steps.remove(0);
        let at = self.add_location(site);
        self.program.procs[site.caller].redirect(edge, at);
        self.add_steps(site, at, entry, steps);
    }

    /// Ops from one location to another, one after the other.
    fn add_steps(
        &mut self,
        site: &Site,
        mut at: LocationId,
        target: LocationId,
        mut steps: Vec<Op>,
    ) {
        let last = steps.pop().unwrap_or(Op::Skip);
        for op in steps {
            let next = self.add_location(site);
            self.add_edge(site, at, next, op);
            at = next;
        }
        self.add_edge(site, at, target, last);
    }

    /// A return: the result, then the ends of the objects, then on after the call.
    fn give_back(
        &mut self,
        site: &Site,
        call: &Call,
        value: Option<Expr>,
        leaving: &[ObjectId],
        at: LocationId,
        target: LocationId,
    ) {
        let mut steps = Vec::new();
        match (call.result, value) {
            (Some(result), Some(value)) => steps.push(Op::Assign(Place::Var(result), value)),
            // Evaluated all the same: it may be undefined.
            (None, Some(value)) if value.may_be_undefined_in(&self.program) => {
                let ty: Type = value.ty(&self.program);
                let unused = self
                    .program
                    .add_local(site.caller, "$unused", ty, site.span);
                self.origins.vars.push(None);
                self.origins.calls.vars.push(Some(site.inline));
                steps.push(Op::Assign(Place::Var(unused), value));
            }
            (_, _) => {}
        }
        steps.extend(leaving.iter().map(|&object| Op::Leave(object)));
        self.add_steps(site, at, target, steps);
    }

    /// The chain of calls of an edge in the callee, continued by the call.
    fn copy_inline(
        &mut self,
        site: &Site,
        copies: &mut FxHashMap<InlineId, InlineId>,
        inlined: Option<InlineId>,
    ) -> InlineId {
        let Some(old) = inlined else {
            return site.inline;
        };
        if let Some(copy) = copies.get(&old) {
            return *copy;
        }
        let row = self.program.inlines[old].clone();
        // As deep as calls nest in the text, which is little.
        let parent = Some(self.copy_inline(site, copies, row.parent));
        let copy = self.program.inlines.push(InlineSite { parent, ..row });
        copies.insert(old, copy);
        copy
    }

    fn add_location(&mut self, site: &Site) -> LocationId {
        self.origins.locations[site.caller].push(None);
        self.origins.calls.locations[site.caller].push(Some(site.inline));
        self.program.procs[site.caller].add_location(site.span)
    }

    fn add_edge(&mut self, site: &Site, from: LocationId, to: LocationId, op: Op) -> EdgeId {
        let procedure = &mut self.program.procs[site.caller];
        let edge = procedure.add_edge(from, to, op, site.span);
        procedure.edges[edge].inlined = Some(site.inline);
        self.origins.edges[site.caller].push(site.origin);
        edge
    }
}

#[cfg(test)]
mod tests;
