//! Points-to analysis: which pointers hold the addresses of few objects only, and of which.
//!
//! A pointer is *followed* if everything assigned to it is null, the address of an object, a
//! followed pointer, one of these plus an offset, or a choice among them; and if its value flows
//! only into followed pointers, accesses, checks and comparisons. What it may hold is a set of
//! objects, flow-insensitively, and a number that divides all its offsets.
//!
//! # Invariants
//! - The number of an object in a followed pointer means one object, wherever it is read: when the
//!   lifetime of a local object starts again, no pointer that may hold its address is live, and
//!   none outlives the activation that owns it, unless that is the only one of a run.
//! - Two followed pointers are compared for equality only where that does not depend on what comes
//!   after an object's end.

use super::must_facts::{Facts, MustFacts};
use super::object_offset::Congruence;
use crate::expr::{BinaryOp, Constant, Expr, Type};
use crate::ir::*;
use crate::pass::callgraph::CallGraph;
use crate::pass::liveness::Liveness;
use base::{Id, IdVec};
use std::collections::{BTreeMap, BTreeSet};

/// A pointer to more objects than this is not followed.
const MOST: usize = 8;

/// What a pointer may hold besides null.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Targets {
    pub(super) objects: BTreeSet<ObjectId>,
    /// Divides all offsets; 0 if there is none but 0.
    pub(super) step: u64,
}

impl Targets {
    /// Adds what another may hold; whether that is new.
    fn join(&mut self, other: &Targets) -> bool {
        let before = (self.objects.len(), self.step);
        self.objects.extend(&other.objects);
        self.step = gcd(self.step, other.step);
        before != (self.objects.len(), self.step)
    }
}

/// The pointers that are followed.
#[derive(Default)]
pub(super) struct Pointers {
    of: BTreeMap<VarId, Targets>,
}

impl Pointers {
    /// Finds the pointers that are followed, in the procedures that are reachable and without some
    /// that are refused.
    pub(super) fn find(
        program: &Program,
        reachable: &IdVec<ProcId, bool>,
        refused: &BTreeSet<VarId>,
    ) -> Pointers {
        let graph = CallGraph::new(program);
        let mut finding = Finding {
            program,
            reachable,
            pointers: Pointers::default(),
            refused: refused.clone(),
        };
        finding.start(&graph);
        while !finding.pointers.of.is_empty() {
            while finding.survey() {}
            finding.hold();
            let before = finding.refused.len();
            finding.check_targets(&once(program, &graph));
            finding.check_lives();
            finding.check_comparisons();
            if finding.refused.len() == before {
                break;
            }
            finding.drop_refused();
        }
        let mut found = finding.pointers.of.values();
        match found.any(|targets| !targets.objects.is_empty()) {
            true => finding.pointers,
            false => Pointers::default(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (VarId, &Targets)> {
        self.of.iter().map(|(&var, targets)| (var, targets))
    }

    /// Whether all that an address may be is known.
    pub(super) fn is_known(&self, address: &Expr) -> bool {
        match address {
            Expr::Const(Constant::Null) | Expr::Object(_) => true,
            Expr::Var(var) => self.of.contains_key(var),
            Expr::Offset(base, _) => self.is_known(base),
            Expr::Select(_, then, otherwise) => self.is_known(then) && self.is_known(otherwise),
            _ => false,
        }
    }

    /// Whether an address, all of it known, depends on a pointer.
    pub(super) fn is_choice(&self, address: &Expr) -> bool {
        let depends = match address {
            Expr::Var(_) => true,
            Expr::Offset(base, _) => self.is_choice(base),
            Expr::Select(_, then, otherwise) => self.is_choice(then) || self.is_choice(otherwise),
            _ => false,
        };
        depends && self.is_known(address)
    }

    /// The pointers that stand, followed, in an access to an object that stays in memory.
    pub(super) fn in_memory(
        &self,
        program: &Program,
        op: &Op,
        is_variables: &dyn Fn(&ObjectId) -> bool,
    ) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut access = |address: &Expr| {
            let targets = self.targets(program, address);
            if self.is_choice(address) && !targets.objects.iter().all(is_variables) {
                let vars = address.vars().into_iter();
                found.extend(vars.filter(|var| self.of.contains_key(var)));
            }
        };
        if let Some((_, address)) = op.stored() {
            access(address);
        }
        for expr in op.exprs() {
            expr.visit(&mut |part| {
                if let Expr::Load(_, address) | Expr::Valid(address, ..) = part {
                    access(address);
                }
            });
        }
        found
    }

    /// What an address that is known may be.
    pub(super) fn targets(&self, program: &Program, address: &Expr) -> Targets {
        match address {
            Expr::Object(object) => Targets {
                objects: BTreeSet::from([*object]),
                step: 0,
            },
            Expr::Var(var) => self.of.get(var).cloned().unwrap_or_default(),
            Expr::Offset(base, by) => {
                let mut targets = self.targets(program, base);
                targets.step = gcd(targets.step, Congruence::of(program, by).divisor());
                targets
            }
            Expr::Select(_, then, otherwise) => {
                let mut targets = self.targets(program, then);
                targets.join(&self.targets(program, otherwise));
                targets
            }
            _ => Targets::default(),
        }
    }

    /// Whether a comparison is one of numbers: an address after the end of an object may be that of
    /// another one or not.
    pub(super) fn is_comparable(&self, program: &Program, op: BinaryOp, sides: [&Expr; 2]) -> bool {
        if !sides.iter().all(|side| self.is_known(side)) {
            return false;
        }
        let is_null = |side: &&Expr| **side == Expr::null();
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) || sides.iter().any(is_null) {
            return true;
        }
        let mut all = self.targets(program, sides[0]);
        all.join(&self.targets(program, sides[1]));
        all.objects.len() <= 1 || all.step == 0
    }
}

/// Whether at most one activation of a procedure is in a run.
fn once(program: &Program, graph: &CallGraph) -> IdVec<ProcId, bool> {
    let mut once = IdVec::filled(false, program.procs.len());
    let mut open = Vec::new();
    if graph.callers[program.entry].is_empty() {
        open.push(program.entry);
    }
    while let Some(proc) = open.pop() {
        once[proc] = true;
        // A callee with one caller is found here only.
        open.extend(graph.callees[proc].iter().filter(|&&callee| {
            graph.callers[callee].len() == 1
                && !graph.address_taken.contains(&callee)
                && is_called_once(&program.procs[proc], callee)
        }));
    }
    once
}

/// Whether an activation calls another procedure by one edge, and comes there but once.
fn is_called_once(caller: &Procedure, callee: ProcId) -> bool {
    let edges = caller.edges.iter();
    let calls: Vec<&Edge> = (edges)
        .filter(|edge| matches!(&edge.op, Op::Call(call) if call.callee == Callee::Proc(callee)))
        .collect();
    let [call] = calls[..] else { return false };
    !caller.reachable_from(call.target)[call.source]
}

/// Finds pointers to follow: all at first, and then those that nothing speaks against.
struct Finding<'p> {
    program: &'p Program,
    reachable: &'p IdVec<ProcId, bool>,
    pointers: Pointers,
    refused: BTreeSet<VarId>,
}

impl<'p> Finding<'p> {
    fn start(&mut self, graph: &CallGraph) {
        for (proc, procedure) in self.program.procs.iter_enumerated() {
            self.refused.extend(procedure.varargs);
            if graph.address_taken.contains(&proc) || proc == self.program.entry {
                self.refused.extend(&procedure.params);
            }
        }
        let mut used: BTreeSet<VarId> = BTreeSet::new();
        for (proc, edge) in self.ops() {
            used.extend(edge.op.written());
            used.extend(edge.op.read());
            used.extend(&self.program.procs[proc].params);
        }
        for var in used {
            let row = &self.program.vars[var];
            let is_known = row.scope != Scope::Global || row.init == Some(Constant::Null);
            if row.ty == Type::Ptr && is_known && !self.refused.contains(&var) {
                self.pointers.of.insert(var, Targets::default());
            }
        }
    }

    fn ops(&self) -> impl Iterator<Item = (ProcId, &'p Edge)> + use<'p> {
        let reachable = self.reachable;
        let edges = self.program.edges().filter(|(proc, ..)| reachable[*proc]);
        edges.map(|(proc, _, edge)| (proc, edge))
    }

    fn refuse(&mut self, var: VarId) {
        if self.pointers.of.contains_key(&var) {
            self.refused.insert(var);
        }
    }

    fn drop_refused(&mut self) -> bool {
        let (before, refused) = (self.pointers.of.len(), &self.refused);
        self.pointers.of.retain(|var, _| !refused.contains(var));
        self.pointers.of.len() < before
    }

    /// Refuses pointers whose values come from elsewhere or go there; whether there were any.
    fn survey(&mut self) -> bool {
        for (_, edge) in self.ops() {
            self.op(&edge.op);
        }
        self.drop_refused()
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Assign(Place::Var(var), value) => self.assign(*var, value),
            Op::Assign(Place::Mem(_, address), value) => {
                self.place(address);
                self.value(value);
            }
            Op::Havoc(Place::Mem(_, address), _) => self.place(address),
            Op::Havoc(Place::Var(var), _) => self.refuse(*var),
            Op::Call(call) => {
                call.result.iter().for_each(|&var| self.refuse(var));
                match &call.callee {
                    Callee::Proc(callee) => {
                        let params = &self.program.procs[*callee].params;
                        for (&param, arg) in params.iter().zip(&call.args) {
                            self.assign(param, arg);
                        }
                    }
                    Callee::Pointer(_) | Callee::Library(_) => {
                        call.args.iter().for_each(|arg| self.value(arg));
                    }
                }
                if let Callee::Pointer(pointer) = &call.callee {
                    self.value(pointer);
                }
                call.varargs.iter().for_each(|arg| self.value(arg));
            }
            Op::Skip
            | Op::Assume(_)
            | Op::Return(_)
            | Op::Halt(_)
            | Op::Enter(_)
            | Op::Leave(_)
            | Op::Unsupported(_) => op.exprs().into_iter().for_each(|expr| self.value(expr)),
        }
    }

    fn assign(&mut self, var: VarId, value: &Expr) {
        match self.pointers.of.contains_key(&var) {
            true if self.pointers.is_known(value) => self.address(value, true),
            true => {
                self.refuse(var);
                self.value(value);
            }
            false => self.value(value),
        }
    }

    /// An address at which memory is read, written or checked.
    fn place(&mut self, address: &Expr) {
        self.address(address, self.pointers.is_known(address));
    }

    /// A value that goes anywhere.
    fn value(&mut self, expr: &Expr) {
        match expr {
            Expr::Load(_, address) => self.place(address),
            Expr::Valid(address, bytes, _) => {
                self.place(address);
                self.value(bytes);
            }
            Expr::Binary(_, Type::Ptr, left, right) => {
                let is_known = self.pointers.is_known(left) && self.pointers.is_known(right);
                self.address(left, is_known);
                self.address(right, is_known);
            }
            Expr::Var(_) | Expr::Offset(..) => self.address(expr, false),
            _ => expr.children().for_each(|child| self.value(child)),
        }
    }

    /// An address, of known parts or one that goes elsewhere.
    fn address(&mut self, address: &Expr, is_known: bool) {
        match address {
            Expr::Var(var) if !is_known => self.refuse(*var),
            Expr::Var(_) => {}
            Expr::Offset(base, by) => {
                self.address(base, is_known);
                self.value(by);
            }
            Expr::Select(condition, then, otherwise) => {
                self.value(condition);
                self.address(then, is_known);
                self.address(otherwise, is_known);
            }
            _ => self.value(address),
        }
    }

    /// Finds what pointers may hold.
    fn hold(&mut self) {
        for targets in self.pointers.of.values_mut() {
            *targets = Targets::default();
        }
        let mut moves: Vec<(VarId, &Expr)> = Vec::new();
        for (_, edge) in self.ops() {
            match &edge.op {
                Op::Assign(Place::Var(var), value) => moves.push((*var, value)),
                Op::Call(Call {
                    callee: Callee::Proc(callee),
                    args,
                    ..
                }) => {
                    let params = self.program.procs[*callee].params.iter();
                    moves.extend(params.copied().zip(args));
                }
                _ => {}
            }
        }
        moves.retain(|(var, _)| self.pointers.of.contains_key(var));
        let mut changed = true;
        while changed {
            changed = false;
            for &(var, value) in &moves {
                let targets = self.pointers.targets(self.program, value);
                let known = self.pointers.of.get_mut(&var);
                changed |= known.is_some_and(|known| known.join(&targets));
            }
        }
    }

    /// Refuses pointers to many objects, and to objects of activations that they may outlive.
    fn check_targets(&mut self, once: &IdVec<ProcId, bool>) {
        for (var, targets) in self.pointers.iter() {
            let is_fine = |object: &ObjectId| {
                let row = &self.program.objects[*object];
                row.size > 0
                    && match row.scope {
                        Scope::Global => true,
                        Scope::Local(owner) => {
                            let is_param = self.program.procs[owner].params.contains(&var);
                            let is_own = self.program.vars[var].scope == row.scope && !is_param;
                            once[owner] || is_own
                        }
                    }
            };
            if targets.objects.len() > MOST || !targets.objects.iter().all(is_fine) {
                self.refused.insert(var);
            }
        }
    }

    /// Refuses pointers that may still be read when an object whose address they may hold comes to
    /// life again.
    fn check_lives(&mut self) {
        let mut holders: BTreeMap<ObjectId, Vec<VarId>> = BTreeMap::new();
        for (var, targets) in self.pointers.iter() {
            for &object in &targets.objects {
                holders.entry(object).or_default().push(var);
            }
        }
        let is_local = |object: &ObjectId| self.program.objects[*object].scope != Scope::Global;
        if !holders.keys().any(is_local) {
            return;
        }
        let liveness = Liveness::new(self.program);
        for (proc, procedure) in self.program.procs.iter_enumerated() {
            if !self.reachable[proc] {
                continue;
            }
            let all: Facts = self.program.objects.ids().map(Id::index).collect();
            let is_first = MustFacts::new(procedure, all, &|_, op, facts| {
                if let Op::Enter(object) = op {
                    facts.remove(object.index());
                }
            });
            for edge in procedure.edges.iter() {
                let Op::Enter(object) = edge.op else { continue };
                if is_first.holds(edge.source, object.index()) {
                    continue;
                }
                let live = liveness.live_at(proc, edge.target);
                let holders = holders.get(&object).into_iter().flatten();
                let stale = holders.filter(|var| live.contains(**var));
                self.refused.extend(stale);
            }
        }
    }

    fn check_comparisons(&mut self) {
        let mut refused = Vec::new();
        for (_, edge) in self.ops() {
            for expr in edge.op.exprs() {
                expr.visit(&mut |part| {
                    if let Expr::Binary(op, Type::Ptr, left, right) = part {
                        let sides: [&Expr; 2] = [left, right];
                        if !self.pointers.is_comparable(self.program, *op, sides) {
                            refused.extend(sides);
                        }
                    }
                });
            }
        }
        refused
            .into_iter()
            .for_each(|side| self.address(side, false));
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
