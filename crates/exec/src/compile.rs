//! From control-flow automata to bytecode.
//!
//! Each procedure is laid out from its entry, edge by edge. A location with two assumed edges
//! becomes one branch. When the code returns to a branching location that was laid out before (a
//! loop head), the branch is duplicated there with the assignments before it, so that an iteration
//! costs one branch and no jump.

mod expr;
mod op;
mod slots;

use crate::End;
use crate::bytecode::{Code, FIRST_FREE, FIRST_TEMP, Inst, Reg, SCRATCH, STATUS};
use crate::layout::Layout;
use crate::superinstructions::fuse;
use base::{Id, IdVec};
use program::expr::{BinaryOp, Expr, Type, UnaryOp};
use program::ir::{EdgeId, LocationId, Op, Place, ProcId, Procedure, Program, VarId};
use rustc_hash::FxHashMap;

/// Repeating assignments and a branch costs code; what has more parts than this is jumped to.
const REPEATED: usize = 16;

/// What the code tells while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Nothing.
    Plain,
    /// Every edge, and what it assigns.
    Marked,
    /// Also what is read, what arguments are, and what library functions do to memory.
    Traced,
    /// How often each edge of each branch is taken.
    Counted,
}

/// Compiles a program.
pub(crate) fn compile(program: &Program, mode: Mode) -> Code {
    let mut compiler = Compiler::new(program, mode);
    compiler.assign_slots();
    compiler.start();
    for proc in program.procs.ids() {
        compiler.procedure(proc);
    }
    compiler.finish()
}

/// Where a value lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    Near(Reg),
    Far(u32),
}

/// A place in the code that is not known yet.
pub(crate) type Label = u32;

/// The compiler's state.
pub(crate) struct Compiler<'p> {
    pub(crate) program: &'p Program,
    pub(crate) code: Code,
    mode: Mode,
    vars: IdVec<VarId, Slot>,
    constants: FxHashMap<([u64; 2], u16), Slot>,
    next_near: usize,
    /// Targets are labels until the end; here is where each stands.
    labels: Vec<Option<u32>>,
    /// The next free temporary.
    pub(crate) temp: usize,
    /// Set when an expression needs more temporaries than there are.
    pub(crate) too_deep: bool,
    proc: ProcId,
    edge: EdgeId,
    /// Of the procedure at hand: the label of each location that has one.
    location_labels: Vec<Option<Label>>,
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, mode: Mode) -> Self {
        let layout = Layout::new(program);
        Compiler {
            program,
            code: Code {
                layout,
                branch_edges: vec![[None; 2]],
                site_types: program.sites.iter().map(|site| site.ty).collect(),
                object_regs: vec![0; program.objects.len()],
                ..Code::default()
            },
            mode,
            vars: IdVec::filled(Slot::Near(SCRATCH), program.vars.len()),
            constants: FxHashMap::default(),
            next_near: FIRST_FREE,
            labels: Vec::new(),
            temp: FIRST_TEMP,
            too_deep: false,
            proc: program.entry,
            edge: EdgeId::from_index(0),
            location_labels: Vec::new(),
        }
    }

    /// The code before every procedure: what the run returns to.
    fn start(&mut self) {
        self.code.finish = self.pc();
        if self.too_deep {
            self.unsupported("a program of this size");
            return;
        }
        self.emit(Inst::Exit(STATUS));
    }

    /// Puts positions for labels, and makes words.
    fn finish(mut self) -> Code {
        let labels = std::mem::take(&mut self.labels);
        for target in self.code.insts.iter_mut().flat_map(Inst::targets_mut) {
            let place = labels[*target as usize];
            *target = place.expect("every label that is used should be placed");
        }
        self.thread_jumps();
        // Calls name their procedure until all entries are known.
        let procs = std::mem::take(&mut self.code.procs);
        for inst in &mut self.code.insts {
            if let Inst::Call(to, _) = inst {
                *to = procs[*to as usize].entry;
            }
        }
        self.code.start = procs[self.program.entry.index()].entry;
        self.code.procs = procs;
        if self.too_deep {
            self.code.start = self.code.finish;
        }
        fuse(&mut self.code, self.mode == Mode::Counted);
        self.code
    }

    /// Lets jumps lead where they end up.
    fn thread_jumps(&mut self) {
        let insts = self.code.insts.clone();
        for target in self.code.insts.iter_mut().flat_map(Inst::targets_mut) {
            for _ in 0..16 {
                match insts[*target as usize] {
                    Inst::Jump(next) => *target = next,
                    _ => break,
                }
            }
        }
    }

    fn procedure(&mut self, proc: ProcId) {
        let procedure = &self.program.procs[proc];
        self.proc = proc;
        self.edge = EdgeId::from_index(0);
        self.location_labels = vec![None; procedure.locations.len()];
        self.code.procs[proc.index()].entry = self.pc();
        self.mark_arguments(procedure);
        let mut open = vec![procedure.entry];
        let mut done = vec![false; procedure.locations.len()];
        while let Some(location) = open.pop() {
            if !done[location.index()] {
                self.stretch(procedure, location, &mut done, &mut open);
            }
        }
    }

    /// Lays out edges from a location on until the code branches, ends or meets code.
    fn stretch(
        &mut self,
        procedure: &'p Procedure,
        mut location: LocationId,
        done: &mut [bool],
        open: &mut Vec<LocationId>,
    ) {
        loop {
            if std::mem::replace(&mut done[location.index()], true) {
                self.go_back(procedure, location);
                return;
            }
            let label = self.label_of(location);
            self.place(label);
            let out = &procedure.locations[location].out;
            let next = match out[..] {
                [] => {
                    self.end(End::Blocked);
                    return;
                }
                [edge] if !matches!(procedure.edges[edge].op, Op::Assume(_)) => {
                    self.begin_edge(edge);
                    self.op(procedure, &procedure.edges[edge].op)
                        .then_some(edge)
                }
                [..] => {
                    self.branch(procedure, out, open);
                    return;
                }
            };
            let Some(edge) = next else { return };
            match self.after(procedure, edge) {
                Some(target) => location = target,
                None => return,
            }
        }
    }

    /// Where the code continues after an edge, unless it ends there.
    fn after(&mut self, procedure: &Procedure, edge: EdgeId) -> Option<LocationId> {
        let target = procedure.edges[edge].target;
        if procedure.locations[target].error.is_some() {
            self.end(End::Violated(self.proc, target));
            return None;
        }
        Some(target)
    }

    /// Goes to a location that was laid out before: by a jump, or by repeating what is there if
    /// that is a few assignments and a branch.
    fn go_back(&mut self, procedure: &'p Procedure, location: LocationId) {
        let tail = if self.is_marked() {
            None
        } else {
            self.short_tail(procedure, location)
        };
        let Some((edges, [yes, no], condition)) = tail else {
            let label = self.label_of(location);
            self.emit(Inst::Jump(label));
            return;
        };
        for edge in edges {
            self.begin_edge(edge);
            self.op(procedure, &procedure.edges[edge].op);
        }
        self.begin_edge(yes);
        let targets = [yes, no].map(|edge| self.label_of(procedure.edges[edge].target));
        self.condition(condition, targets[0], targets[1], Some([yes, no]));
    }

    /// The assignments from a location to a branch, and the branch, if all that is short.
    fn short_tail(
        &self,
        procedure: &'p Procedure,
        mut location: LocationId,
    ) -> Option<(Vec<EdgeId>, [EdgeId; 2], &'p Expr)> {
        let mut edges = Vec::new();
        let mut left = REPEATED;
        loop {
            match procedure.locations[location].out[..] {
                [edge] => {
                    let cost = match &procedure.edges[edge].op {
                        Op::Skip => 1,
                        Op::Assign(Place::Var(_), value) => 1 + size(value),
                        _ => return None,
                    };
                    left = left.checked_sub(cost)?;
                    edges.push(edge);
                    location = procedure.edges[edge].target;
                    if procedure.locations[location].error.is_some() {
                        return None;
                    }
                }
                [yes, no] => {
                    let condition = condition_of_pair(procedure, yes, no)?;
                    left.checked_sub(size(condition))?;
                    let known = [yes, no].iter().all(|&edge| {
                        let target = procedure.edges[edge].target;
                        procedure.locations[target].error.is_none()
                            && self.location_labels[target.index()].is_some()
                    });
                    return known.then_some((edges, [yes, no], condition));
                }
                _ => return None,
            }
        }
    }

    /// A location with several edges, or with one that is assumed.
    fn branch(&mut self, procedure: &'p Procedure, out: &[EdgeId], open: &mut Vec<LocationId>) {
        // Without marks an assumed edge needs no code of its own.
        let plain = |compiler: &Self, edge: EdgeId| {
            let edge = &procedure.edges[edge];
            !compiler.is_marked()
                && matches!(edge.op, Op::Assume(_))
                && procedure.locations[edge.target].error.is_none()
        };
        let labels = out.iter().map(|&edge| match plain(self, edge) {
            true => self.label_of(procedure.edges[edge].target),
            false => self.new_label(),
        });
        let labels: Vec<Label> = labels.collect();
        self.choose(procedure, out, &labels);
        for (&edge, label) in out.iter().zip(labels).rev() {
            if plain(self, edge) {
                open.push(procedure.edges[edge].target);
            } else {
                self.branch_edge(procedure, edge, label, open);
            }
        }
    }

    /// Goes to the label of the first edge that can be taken.
    fn choose(&mut self, procedure: &'p Procedure, out: &[EdgeId], labels: &[Label]) {
        self.begin(out[0]);
        if let [yes, no] = *out
            && let Some(condition) = condition_of_pair(procedure, yes, no)
        {
            self.condition(condition, labels[0], labels[1], Some([yes, no]));
            return;
        }
        for (&edge, &label) in out.iter().zip(labels) {
            self.begin(edge);
            if let Op::Assume(condition) = &procedure.edges[edge].op {
                let next = self.new_label();
                self.condition(condition, label, next, None);
                self.place(next);
            } else {
                self.emit(Inst::Jump(label));
            }
        }
        self.end(End::Blocked);
    }

    /// The code after a label that an edge of a branch leads to.
    fn branch_edge(
        &mut self,
        procedure: &'p Procedure,
        edge: EdgeId,
        label: Label,
        open: &mut Vec<LocationId>,
    ) {
        let op = &procedure.edges[edge].op;
        self.place(label);
        self.begin_edge(edge);
        if !matches!(op, Op::Assume(_)) && !self.op(procedure, op) {
            return;
        }
        if let Some(target) = self.after(procedure, edge) {
            let location = self.label_of(target);
            self.emit(Inst::Jump(location));
            open.push(target);
        }
    }

    /// Whether the code tells what edges do.
    fn is_marked(&self) -> bool {
        match self.mode {
            Mode::Marked | Mode::Traced => true,
            Mode::Plain | Mode::Counted => false,
        }
    }

    /// Instructions from here on belong to the edge; temporaries are free again.
    fn begin(&mut self, edge: EdgeId) {
        self.edge = edge;
        self.temp = FIRST_TEMP;
    }

    /// The edge is really taken from here on.
    fn begin_edge(&mut self, edge: EdgeId) {
        self.begin(edge);
        if self.is_marked() {
            self.emit(Inst::Mark(edge));
        }
    }

    pub(crate) fn unsupported(&mut self, what: &str) {
        self.end(End::Unsupported(what.to_owned()));
    }

    fn end(&mut self, end: End) {
        let index = self.code.ends.len() as u32;
        self.code.ends.push(end);
        self.emit(Inst::End(index));
    }

    fn pc(&self) -> u32 {
        self.code.insts.len() as u32
    }

    pub(crate) fn emit(&mut self, inst: Inst) {
        self.code.insts.push(inst);
        self.code.edges.push((self.proc, self.edge));
        self.code.branches.push(0);
    }

    /// Emits a branch; `edges` are those it chooses between, if it does.
    pub(crate) fn emit_branch(&mut self, inst: Inst, edges: Option<[EdgeId; 2]>) {
        self.emit(inst);
        if let Some(edges) = edges {
            let proc = self.proc;
            let number = self.code.branch_edges.len() as u32;
            self.code
                .branch_edges
                .push(edges.map(|edge| Some((proc, edge))));
            if let Some(last) = self.code.branches.last_mut() {
                *last = number;
            }
        }
    }

    pub(crate) fn new_label(&mut self) -> Label {
        self.labels.push(None);
        self.labels.len() as Label - 1
    }

    pub(crate) fn place(&mut self, label: Label) {
        self.labels[label as usize] = Some(self.pc());
    }

    fn label_of(&mut self, location: LocationId) -> Label {
        if let Some(label) = self.location_labels[location.index()] {
            return label;
        }
        let label = self.new_label();
        self.location_labels[location.index()] = Some(label);
        label
    }

    /// The slot of a variable.
    pub(crate) fn slot(&self, var: VarId) -> Slot {
        self.vars[var]
    }
}

/// The condition of the first edge, if the second assumes its negation.
fn condition_of_pair(procedure: &Procedure, yes: EdgeId, no: EdgeId) -> Option<&Expr> {
    let (Op::Assume(a), Op::Assume(b)) = (&procedure.edges[yes].op, &procedure.edges[no].op) else {
        return None;
    };
    let opposite = match (a, b) {
        (Expr::Const(a), Expr::Const(b)) => a != b,
        (Expr::Unary(UnaryOp::Not, _, a), b) if **a == *b => true,
        (a, Expr::Unary(UnaryOp::Not, _, b)) if *a == **b => true,
        (Expr::Binary(op, ty, a1, a2), Expr::Binary(other, other_ty, b1, b2)) => {
            op.negated() == Some(*other)
                && ty == other_ty
                && (!matches!(ty, Type::Float(_)) || matches!(op, BinaryOp::Eq | BinaryOp::Ne))
                && a1 == b1
                && a2 == b2
        }
        _ => false,
    };
    opposite.then_some(a)
}

/// How many steps an expression has; stops counting when it is large.
fn size(expr: &Expr) -> usize {
    let mut count = 0;
    expr.visit(&mut |_| count += 1);
    count
}
