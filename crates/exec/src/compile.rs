//! From control-flow automata to bytecode.
//!
//! Each procedure is laid out from its entry on, edge after edge. A location with two assumed
//! edges becomes one branch. When the code comes back to a branching location that was laid out
//! before (the head of a loop), the branch is repeated there with the assignments before it, so
//! that an iteration costs one branch and no jump.

use crate::bytecode::{
    Assigned, AssignedPlace, Code, FIRST_FREE, FIRST_TEMP, Inst, LibraryCall, PointerCall,
    ProcCode, Reg, SCRATCH, STATUS, Stop, slots_of,
};
use crate::fuse::fuse;
use crate::layout::Layout;
use crate::value::constant_slots;
use crate::{End, Undefined, UndefinedKind};
use base::{Id, IdVec};
use program::expr::{BinaryOp, Expr, Type, UnaryOp};
use program::ir::{
    Call, Callee, EdgeId, Halt, Library, LocationId, Op, Place, ProcId, Procedure, Program, Scope,
    VarId,
};
use program::pass::callgraph::CallGraph;
use rustc_hash::FxHashMap;

/// Near slots kept free for constants.
const FOR_CONSTANTS: usize = 1 << 13;
/// Repeating assignments and a branch costs code; what has more parts than this is jumped to.
const REPEATED: usize = 16;

/// What the code tells while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Nothing.
    Plain,
    /// Every edge, and what it assigns.
    Marked,
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

    /// Gives every variable its slots: parameters and addresses of objects always near, the rest
    /// as long as there is room.
    fn assign_slots(&mut self) {
        let program = self.program;
        let graph = CallGraph::new(program);
        let mut locals: Vec<Vec<VarId>> = vec![Vec::new(); program.procs.len()];
        let mut objects = vec![Vec::new(); program.procs.len()];
        let mut fixed = 0;
        for (id, object) in program.objects.iter_enumerated() {
            if let Scope::Local(proc) = object.scope {
                objects[proc.index()].push(id);
                fixed += 1;
            }
        }
        for procedure in program.procs.iter() {
            fixed += 2 * (procedure.params.len() + 1);
        }
        // Without this room nothing works; the run will say so.
        let room = (FIRST_TEMP - FOR_CONSTANTS).checked_sub(fixed);
        let mut room = room.unwrap_or_else(|| {
            self.too_deep = true;
            0
        });
        for (id, var) in program.vars.iter_enumerated() {
            match var.scope {
                Scope::Global => {
                    let slots = var.init.map_or([0; 2], constant_slots);
                    self.vars[id] = self.new_slot(slots, slots_of(var.ty), &mut room);
                }
                Scope::Local(proc) => locals[proc.index()].push(id),
            }
        }
        for (proc, procedure) in program.procs.iter_enumerated() {
            let index = proc.index();
            let first = procedure.params.iter().chain(&procedure.varargs);
            let mut row = ProcCode {
                base: self.next_near as Reg,
                far_base: self.code.far.len() as u32,
                params: procedure
                    .params
                    .iter()
                    .map(|&param| program.vars[param].ty)
                    .collect(),
                variadic: procedure.varargs.is_some(),
                ret: procedure.ret,
                recursive: graph.recursive[proc],
                address_taken: graph.address_taken.contains(&proc),
                ..ProcCode::default()
            };
            for &param in first.clone() {
                self.vars[param] = self.new_slot([0; 2], slots_of(program.vars[param].ty), &mut 2);
            }
            row.param_slots = (self.next_near - row.base as usize) as u16;
            for &object in &objects[index] {
                let Slot::Near(reg) = self.new_slot([0; 2], 1, &mut 1) else {
                    unreachable!("there should be room for one slot");
                };
                self.code.object_regs[object.index()] = reg;
                row.objects.push((object, reg));
            }
            let params: Vec<VarId> = first.copied().collect();
            for &local in locals[index].iter().filter(|var| !params.contains(var)) {
                let slots = slots_of(program.vars[local].ty);
                self.vars[local] = self.new_slot([0; 2], slots, &mut room);
            }
            row.slots = (self.next_near - row.base as usize) as u16;
            row.far_slots = self.code.far.len() as u32 - row.far_base;
            self.code.procs.push(row);
        }
    }

    /// One or two new slots with initial values: near while there is room.
    fn new_slot(&mut self, values: [u64; 2], count: u16, room: &mut usize) -> Slot {
        let values = &values[..count as usize];
        let near = *room >= values.len() && self.next_near + values.len() <= FIRST_TEMP;
        if near {
            *room -= values.len();
            let slot = Slot::Near(self.next_near as Reg);
            self.next_near += values.len();
            self.code.near.resize(self.next_near, 0);
            let start = self.next_near - values.len();
            self.code.near[start..].copy_from_slice(values);
            slot
        } else {
            let slot = Slot::Far(self.code.far.len() as u32);
            self.code.far.extend(values);
            slot
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
        let place = |label: &u32| {
            labels[*label as usize].expect("every label that is used should be placed")
        };
        for inst in &mut self.code.insts {
            match inst {
                Inst::Jump(to) => *to = place(to),
                Inst::BrEq(_, _, yes, no)
                | Inst::BrLtS(_, _, yes, no)
                | Inst::BrLtU(_, _, yes, no) => {
                    *yes = place(yes);
                    *no = place(no);
                }
                _ => {}
            }
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
        let end = |to: &mut u32| {
            for _ in 0..16 {
                match insts[*to as usize] {
                    Inst::Jump(next) => *to = next,
                    _ => break,
                }
            }
        };
        for inst in &mut self.code.insts {
            match inst {
                Inst::Jump(to) => end(to),
                Inst::BrEq(_, _, yes, no)
                | Inst::BrLtS(_, _, yes, no)
                | Inst::BrLtU(_, _, yes, no) => {
                    end(yes);
                    end(no);
                }
                _ => {}
            }
        }
    }

    fn procedure(&mut self, proc: ProcId) {
        let procedure = &self.program.procs[proc];
        self.proc = proc;
        self.edge = EdgeId::from_index(0);
        self.location_labels = vec![None; procedure.locations.len()];
        self.code.procs[proc.index()].entry = self.pc();
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

    /// Where the code goes on after an edge, unless it ends there.
    fn after(&mut self, procedure: &Procedure, edge: EdgeId) -> Option<LocationId> {
        let target = procedure.edges[edge].target;
        if procedure.locations[target].error.is_some() {
            let violated = Stop::violated(self.proc, target);
            self.end(violated);
            return None;
        }
        Some(target)
    }

    /// Goes to a location that was laid out before: by a jump, or by repeating what is there if
    /// that is a few assignments and a branch.
    fn go_back(&mut self, procedure: &'p Procedure, location: LocationId) {
        let tail = if self.mode == Mode::Marked {
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
            compiler.mode != Mode::Marked
                && matches!(edge.op, Op::Assume(_))
                && procedure.locations[edge.target].error.is_none()
        };
        let mut labels = Vec::with_capacity(out.len());
        for &edge in out {
            labels.push(if plain(self, edge) {
                self.label_of(procedure.edges[edge].target)
            } else {
                self.new_label()
            });
        }
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

    /// The code behind a label that an edge of a branch leads to.
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

    /// Lays out what an edge does; says whether the code goes on after it.
    fn op(&mut self, procedure: &Procedure, op: &'p Op) -> bool {
        match op {
            Op::Skip => true,
            Op::Assign(Place::Var(var), value) => {
                self.assign_var(*var, |compiler, target| compiler.into(value, target));
                true
            }
            Op::Assign(Place::Mem(ty, address), value) => {
                self.store(*ty, address, |compiler| compiler.operand(value));
                true
            }
            Op::Assume(_) => unreachable!("an assumed edge should be laid out as a branch"),
            Op::Havoc(Place::Var(var), site) => {
                self.assign_var(*var, |compiler, target| {
                    compiler.emit(Inst::Input(target, *site));
                });
                true
            }
            Op::Havoc(Place::Mem(ty, address), site) => {
                self.store(*ty, address, |compiler| {
                    let value = compiler.new_temp(slots_of(*ty));
                    compiler.emit(Inst::Input(value, *site));
                    value
                });
                true
            }
            Op::Call(call) => {
                self.call(call);
                true
            }
            Op::Return(value) => {
                self.return_op(procedure, value.as_ref());
                false
            }
            Op::Halt(Halt::Abort) => {
                self.end(End::Aborted);
                false
            }
            Op::Halt(Halt::Exit(status)) => {
                let status = self.operand(status);
                self.emit(Inst::Exit(status));
                false
            }
            Op::Halt(Halt::Unreachable) => {
                self.end(End::Undefined(Undefined {
                    kind: UndefinedKind::Unreachable,
                    message: "what is declared unreachable was reached".to_owned(),
                }));
                false
            }
            Op::Enter(object) => {
                self.emit(Inst::Enter(*object));
                true
            }
            Op::Leave(object) => {
                self.emit(Inst::Leave(*object));
                true
            }
            Op::Unsupported(what) => {
                self.unsupported(what);
                false
            }
        }
    }

    fn return_op(&mut self, procedure: &Procedure, value: Option<&Expr>) {
        let has_alloca = procedure.edges.iter().any(|edge| {
            matches!(&edge.op, Op::Call(call) if call.callee == Callee::Library(Library::Alloca))
        });
        let leaves = has_alloca || !self.code.procs[self.proc.index()].objects.is_empty();
        let value = value.map(|value| {
            let slots = slots_of(value.ty(self.program));
            let reg = if leaves {
                // The value may be the address of an object that dies here.
                let reg = self.new_temp(slots);
                self.into(value, reg);
                reg
            } else {
                self.operand(value)
            };
            (reg, slots)
        });
        if leaves {
            self.emit(Inst::LeaveAll(self.proc));
        }
        self.emit(match value {
            None => Inst::ReturnNothing,
            Some((value, 1)) => Inst::Return(value),
            Some((value, _)) => Inst::ReturnWide(value),
        });
    }

    fn call(&mut self, call: &Call) {
        match &call.callee {
            Callee::Proc(proc) => self.call_proc(*proc, call),
            Callee::Pointer(pointer) => self.call_pointer(pointer, call),
            Callee::Library(function) => {
                let args = call.args.iter().map(|arg| self.operand(arg)).collect();
                let varargs = call.varargs.as_ref().map(|arg| self.operand(arg));
                self.with_result(call.result, |compiler, result| {
                    let index = compiler.code.library_calls.len() as u32;
                    compiler.code.library_calls.push(LibraryCall {
                        function: *function,
                        result,
                        args,
                        varargs,
                    });
                    compiler.emit(Inst::Library(index));
                });
            }
        }
    }

    fn call_proc(&mut self, proc: ProcId, call: &Call) {
        let callee = &self.code.procs[proc.index()];
        if callee.recursive {
            let args = self.arguments(call);
            self.with_result(call.result, |compiler, result| {
                compiler.emit(Inst::CallSaved(proc, args, result));
            });
            return;
        }
        // The callee is not active, so its parameters can be set where they are.
        let procedure = &self.program.procs[proc];
        let params = procedure.params.iter().zip(&call.args);
        let further = procedure.varargs.iter().zip(&call.varargs);
        for (&param, arg) in params.chain(further) {
            if let Slot::Near(target) = self.vars[param] {
                let mark = self.temp;
                self.into(arg, target);
                self.temp = mark;
            }
        }
        self.with_result(call.result, |compiler, result| {
            compiler.emit(Inst::Call(proc.index() as u32, result));
        });
    }

    fn call_pointer(&mut self, pointer: &Expr, call: &Call) {
        let address = self.operand(pointer);
        let args = self.arguments(call);
        let types: Vec<Type> = call.args.iter().map(|arg| arg.ty(self.program)).collect();
        let fixed: u16 = types.iter().map(|&ty| slots_of(ty)).sum();
        self.with_result(call.result, |compiler, result| {
            let index = compiler.code.pointer_calls.len() as u32;
            compiler.code.pointer_calls.push(PointerCall {
                address,
                args,
                types,
                varargs: call.varargs.is_some().then_some(args + fixed),
                result,
                result_type: call.result.map(|var| compiler.program.vars[var].ty),
            });
            compiler.emit(Inst::CallPointer(index));
        });
    }

    /// Evaluates the arguments into temporaries that follow each other.
    fn arguments(&mut self, call: &Call) -> Reg {
        let all = || call.args.iter().chain(&call.varargs);
        let total = all().map(|arg| slots_of(arg.ty(self.program))).sum();
        let first = self.new_temp(total);
        let mut at = first;
        for arg in all() {
            let mark = self.temp;
            self.into(arg, at);
            self.temp = mark;
            at += slots_of(arg.ty(self.program));
        }
        first
    }

    fn with_result(&mut self, result: Option<VarId>, emit: impl FnOnce(&mut Self, Reg)) {
        match result {
            Some(var) => self.assign_var(var, emit),
            None => emit(self, SCRATCH),
        }
    }

    /// Lets `compute` put a value into a variable's register, or near it.
    fn assign_var(&mut self, var: VarId, compute: impl FnOnce(&mut Self, Reg)) {
        let ty = self.program.vars[var].ty;
        let value = match self.vars[var] {
            Slot::Near(reg) => {
                compute(self, reg);
                reg
            }
            Slot::Far(far) => {
                let reg = self.new_temp(slots_of(ty));
                compute(self, reg);
                for half in 0..slots_of(ty) {
                    self.emit(Inst::SetFar(far + u32::from(half), reg + half));
                }
                reg
            }
        };
        self.mark_assigned(AssignedPlace::Var(var), ty, value);
    }

    /// Stores what `value` evaluates to.
    fn store(&mut self, ty: Type, address: &Expr, value: impl FnOnce(&mut Self) -> Reg) {
        if self.mode == Mode::Marked {
            let address = self.operand(address);
            let value = value(self);
            self.store_at(ty, (address, 0), value);
            self.mark_assigned(AssignedPlace::Mem(address), ty, value);
        } else if let Some((base, index)) = self.indexed(ty, address) {
            let value = value(self);
            self.store_indexed(ty, base, index, value);
        } else {
            let address = self.address(address);
            let value = value(self);
            self.store_at(ty, address, value);
        }
    }

    fn mark_assigned(&mut self, place: AssignedPlace, ty: Type, value: Reg) {
        if self.mode == Mode::Marked {
            let index = self.code.assigned.len() as u32;
            self.code.assigned.push(Assigned { place, ty, value });
            self.emit(Inst::MarkAssigned(index));
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
        if self.mode == Mode::Marked {
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
        match self.location_labels[location.index()] {
            Some(label) => label,
            None => {
                let label = self.new_label();
                self.location_labels[location.index()] = Some(label);
                label
            }
        }
    }

    /// The slot of a variable.
    pub(crate) fn slot(&self, var: VarId) -> Slot {
        self.vars[var]
    }

    /// The slot of a constant of one or two slots.
    pub(crate) fn constant_slot(&mut self, values: [u64; 2], count: u16) -> Slot {
        let key = (values, count);
        if let Some(&slot) = self.constants.get(&key) {
            return slot;
        }
        let slot = self.new_slot(values, count, &mut 2);
        self.constants.insert(key, slot);
        slot
    }
}

/// The condition of the first edge, if the second assumes its negation.
fn condition_of_pair(procedure: &Procedure, yes: EdgeId, no: EdgeId) -> Option<&Expr> {
    let (Op::Assume(a), Op::Assume(b)) = (&procedure.edges[yes].op, &procedure.edges[no].op) else {
        return None;
    };
    let opposite = match (a, b) {
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
