//! A state of a program in which values may be unknown, and its steps.

use super::library::call_library;
use super::memory::{Kind, Memory, Object};
use super::value::{Base, Pointer, Value};
use super::{Stop, lost};
use base::{Id, IdVec, Span};
use logic::{IntType, IntValue};
use program::expr::{Constant, Expr, Type};
use program::ir::*;

/// Activations on the stack.
const DEEPEST: usize = 10_000;
/// What an activation takes besides its locals, in values.
const FRAME: usize = 4;

/// Where variables and global objects stand in a state, and where paths join.
pub(super) struct Layout<'p> {
    pub(super) program: &'p Program,
    /// The place of a variable among the globals or the locals of its procedure.
    slots: IdVec<VarId, u32>,
    is_global: IdVec<VarId, bool>,
    /// By procedure, how many locals it has.
    locals: IdVec<ProcId, u32>,
    globals: u32,
    /// By object, the place of a global one among the first objects of a run.
    objects: IdVec<ObjectId, Option<u32>>,
    joins: IdVec<ProcId, Vec<bool>>,
}

impl<'p> Layout<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut layout = Layout {
            program,
            slots: IdVec::new(),
            is_global: IdVec::new(),
            locals: IdVec::filled(0, program.procs.len()),
            globals: 0,
            objects: IdVec::new(),
            joins: program.procs.iter().map(joins).collect(),
        };
        for var in program.vars.iter() {
            let count = match var.scope {
                Scope::Global => &mut layout.globals,
                Scope::Local(proc) => &mut layout.locals[proc],
            };
            layout.slots.push(*count);
            layout.is_global.push(var.scope == Scope::Global);
            *count += 1;
        }
        let mut globals = 0;
        for object in program.objects.iter() {
            let place = match object.scope {
                Scope::Global => {
                    globals += 1;
                    Some(globals - 1)
                }
                Scope::Local(_) => None,
            };
            layout.objects.push(place);
        }
        layout
    }

    /// Whether more than one edge leads there.
    pub(super) fn is_join(&self, (proc, location): (ProcId, LocationId)) -> bool {
        self.joins[proc][location.index()]
    }
}

fn joins(procedure: &Procedure) -> Vec<bool> {
    let mut incoming = vec![0u32; procedure.locations.len()];
    for edge in procedure.edges.iter() {
        incoming[edge.target.index()] += 1;
    }
    incoming.into_iter().map(|count| count > 1).collect()
}

/// Whether an object is a string or compound literal, or may be one: names of our own start so.
fn is_literal(object: &program::ir::Object) -> bool {
    object.read_only || object.name.starts_with('$')
}

/// An activation of a procedure.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Frame {
    proc: ProcId,
    at: LocationId,
    locals: Vec<Value>,
    /// Its local objects that live.
    objects: Vec<(ObjectId, Object)>,
    allocas: Vec<Object>,
    /// Where the caller wants the value.
    result: Option<VarId>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct State {
    globals: Vec<Value>,
    frames: Vec<Frame>,
    /// Locals of all activations, and a little for each of these.
    values: usize,
    pub(super) memory: Memory,
    /// The global objects.
    statics: Vec<Object>,
}

/// What a step does to a run.
pub(super) enum StepOutcome {
    /// It was made; so many bytes were touched besides.
    Done(u64),
    /// The run is over.
    Ended,
    /// An input of this site is wanted: see [`State::input`].
    Input(SiteId),
    /// It may go along each of these edges: see [`State::take`].
    Guess(Vec<EdgeId>),
}

impl State {
    /// The state at the start of a run.
    pub(super) fn new(layout: &Layout<'_>) -> Result<State, Stop> {
        let mut memory = Memory::new(layout.program.pointer_bytes);
        let pointer = memory.pointer_type();
        let mut state = State {
            globals: vec![Value::Unknown; layout.globals as usize],
            frames: Vec::new(),
            values: 0,
            statics: Vec::new(),
            memory: Memory::new(layout.program.pointer_bytes),
        };
        for (id, var) in layout.program.vars.iter_enumerated() {
            if let (Scope::Global, Some(init)) = (var.scope, var.init) {
                state.globals[layout.slots[id] as usize] = Value::of(init, pointer);
            }
        }
        let global = || {
            let objects = layout.program.objects.iter();
            objects.filter(|object| object.scope == Scope::Global)
        };
        for object in global() {
            let new = memory.create(Kind::Declared, object.size, true)?;
            state.statics.push(new);
        }
        for (object, &number) in global().zip(&state.statics) {
            let at = Pointer::to(number);
            let init = &object.init;
            let Some(whole) = memory.part(at, init.bytes.len() as u64, true) else {
                return lost("a global with more initial bytes than it has");
            };
            memory.fill(whole, |index| Some(init.bytes[index]));
            for &(offset, address) in &init.addresses {
                let value = state.constant_address(layout, address)?;
                let at = at.moved(offset as i64);
                let width = u64::from(layout.program.pointer_bytes);
                match at.and_then(|at| memory.part(at, width, true)) {
                    Some(part) => memory.store(part, value),
                    None => return lost("an address outside of a global"),
                }
            }
            if object.read_only {
                memory.protect(number);
            }
            if is_literal(object) {
                memory.set_literal(number);
            }
        }
        state.memory = memory;
        state.enter(layout, layout.program.entry, Vec::new(), None)?;
        Ok(state)
    }

    fn constant_address(&self, layout: &Layout<'_>, address: Address) -> Result<Value, Stop> {
        let base = match address.base {
            AddressBase::Object(object) => match layout.objects[object] {
                Some(place) => Base::Object(self.statics[place as usize]),
                None => return lost("a constant address of a local"),
            },
            AddressBase::Proc(proc) => Base::Proc(proc),
        };
        let pointer = Pointer { base, offset: 0 };
        let moved = pointer.moved(address.offset);
        Ok(moved.map_or(Value::Unknown, Value::Address))
    }

    /// What it takes to copy or compare it, about, in bytes.
    pub(super) fn size(&self) -> u64 {
        let values = (self.globals.len() + self.values) as u64;
        self.memory.size() + values * size_of::<Value>() as u64
    }

    /// Where it is.
    pub(super) fn at(&self) -> (ProcId, LocationId) {
        let frame = self.top();
        (frame.proc, frame.at)
    }

    /// The source text of what comes next.
    pub(super) fn span(&self, layout: &Layout<'_>) -> Span {
        let (proc, at) = self.at();
        let procedure = &layout.program.procs[proc];
        let next = procedure.locations[at].out.first();
        next.map_or(Span::NONE, |&edge| procedure.edges[edge].span)
    }

    fn top(&self) -> &Frame {
        self.frames.last().expect("a run should have an activation")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.frames
            .last_mut()
            .expect("a run should have an activation")
    }

    /// Makes a step, unless something has to be chosen.
    pub(super) fn step(&mut self, layout: &Layout<'_>) -> Result<StepOutcome, Stop> {
        let (proc, at) = self.at();
        let procedure = &layout.program.procs[proc];
        let out = &procedure.locations[at].out;
        if let [edge] = out[..] {
            let op = &procedure.edges[edge].op;
            if !matches!(op, Op::Assume(_)) {
                return self.execute(layout, edge);
            }
        }
        let mut ways = Vec::new();
        let mut is_sure = true;
        for &id in out {
            match &procedure.edges[id].op {
                Op::Assume(condition) => match self.value(layout, condition)? {
                    Value::Bool(false) => {}
                    Value::Bool(true) => ways.push(id),
                    _ => {
                        is_sure = false;
                        ways.push(id);
                    }
                },
                // A choice of the program that is no input.
                _ => return lost("a location with several edges that are no conditions"),
            }
        }
        match ways[..] {
            [] => Ok(StepOutcome::Ended),
            [edge] if is_sure => {
                self.take(layout, edge);
                Ok(StepOutcome::Done(0))
            }
            _ => Ok(StepOutcome::Guess(ways)),
        }
    }

    /// Goes along an edge.
    pub(super) fn take(&mut self, layout: &Layout<'_>, edge: EdgeId) {
        let frame = self.top_mut();
        frame.at = layout.program.procs[frame.proc].edges[edge].target;
    }

    fn execute(&mut self, layout: &Layout<'_>, edge: EdgeId) -> Result<StepOutcome, Stop> {
        let proc = self.top().proc;
        let mut touched = 0;
        match &layout.program.procs[proc].edges[edge].op {
            Op::Skip => {}
            Op::Assume(_) => unreachable!("a condition should be a way to go"),
            Op::Assign(Place::Var(var), value) => {
                let value = self.value(layout, value)?;
                self.set(layout, *var, value);
            }
            Op::Assign(Place::Mem(ty, address), value) => {
                let address = self.value(layout, address)?;
                let value = self.value(layout, value)?;
                self.store(*ty, address, value)?;
            }
            Op::Havoc(_, site) => return Ok(StepOutcome::Input(*site)),
            Op::Call(call) => match self.call(layout, call)? {
                Some(cost) => touched = cost,
                None => return Ok(StepOutcome::Done(0)),
            },
            Op::Return(value) => {
                let value = match value {
                    Some(value) => self.value(layout, value)?,
                    None => Value::Unknown,
                };
                return Ok(self.leave(layout, value));
            }
            Op::Halt(_) => return Ok(StepOutcome::Ended),
            Op::Enter(object) => {
                self.end_object(*object);
                let size = layout.program.objects[*object].size;
                let new = self.memory.create(Kind::Declared, size, false)?;
                if is_literal(&layout.program.objects[*object]) {
                    self.memory.set_literal(new);
                }
                self.top_mut().objects.push((*object, new));
                touched = size;
            }
            Op::Leave(object) => self.end_object(*object),
            Op::Unsupported(what) => return lost(&**what),
        }
        self.take(layout, edge);
        Ok(StepOutcome::Done(touched))
    }

    /// Takes an input at the edge that comes next: a value, or any.
    pub(super) fn input(
        &mut self,
        layout: &Layout<'_>,
        site: SiteId,
        value: Option<Constant>,
    ) -> Result<(), Stop> {
        let (proc, at) = self.at();
        let procedure = &layout.program.procs[proc];
        let value = value.map_or(Value::Unknown, |value| {
            Value::of(value, self.memory.pointer_type())
        });
        for &edge in &procedure.locations[at].out {
            if let Op::Havoc(place, other) = &procedure.edges[edge].op
                && *other == site
            {
                match place {
                    Place::Var(var) => self.set(layout, *var, value),
                    Place::Mem(ty, address) => {
                        let address = self.value(layout, address)?;
                        self.store(*ty, address, value)?;
                    }
                }
                self.take(layout, edge);
                return Ok(());
            }
        }
        lost("an input that is not there")
    }

    fn end_object(&mut self, object: ObjectId) {
        let objects = &mut self.top_mut().objects;
        if let Some(place) = objects.iter().position(|&(other, _)| other == object) {
            let (_, number) = objects.remove(place);
            self.memory.kill(number);
        }
    }

    fn set(&mut self, layout: &Layout<'_>, var: VarId, value: Value) {
        let slot = layout.slots[var] as usize;
        match layout.is_global[var] {
            true => self.globals[slot] = value,
            false => self.top_mut().locals[slot] = value,
        }
    }

    fn store(&mut self, ty: Type, address: Value, value: Value) -> Result<(), Stop> {
        let at = self.target(address)?;
        let count = ty.bytes(self.memory.pointer_type().bits / 8);
        let part = self.memory.part(at, count, true).ok_or(Stop::Undefined)?;
        self.memory.store(part, value);
        Ok(())
    }

    /// Where an address that is written through points to.
    pub(super) fn target(&self, address: Value) -> Result<Pointer, Stop> {
        match address {
            Value::Address(at) => Ok(at),
            Value::Int(null) if null.is_zero() => Err(Stop::Undefined),
            Value::Int(_) => lost("an access to an address that is a number"),
            Value::Unknown | Value::Bool(_) | Value::Signed { .. } | Value::Float(..) => {
                lost("an access to an address that is not known")
            }
        }
    }

    /// Calls; nothing if the next step is the callee's, else the bytes touched.
    fn call(&mut self, layout: &Layout<'_>, call: &Call) -> Result<Option<u64>, Stop> {
        let values = call.args.iter().chain(&call.varargs);
        let args: Result<Vec<Value>, Stop> = values.map(|arg| self.value(layout, arg)).collect();
        let args = args?;
        let callee = match &call.callee {
            Callee::Proc(proc) => *proc,
            Callee::Pointer(pointer) => {
                let callee = self.callee(layout, pointer)?;
                if !call.fits(layout.program, callee) {
                    return Err(Stop::Undefined);
                }
                callee
            }
            Callee::Library(Library::Tracked) => {
                if let Some(var) = call.result {
                    let value = self.tracked(layout);
                    self.set(layout, var, value);
                }
                return Ok(Some(self.memory.size()));
            }
            Callee::Library(function) => {
                let done = call_library(self, *function, &args)?;
                if done.dies_with_caller {
                    let Value::Address(Pointer {
                        base: Base::Object(object),
                        ..
                    }) = done.value
                    else {
                        return lost("an object that is not there");
                    };
                    self.top_mut().allocas.push(object);
                }
                if let Some(var) = call.result {
                    self.set(layout, var, done.value);
                }
                return Ok(Some(done.touched));
            }
        };
        self.enter(layout, callee, args, call.result)?;
        Ok(None)
    }

    /// Whether every living heap object can be reached: one where that is certain, else not known.
    /// Only variables that the source has count, since others may still hold what they are no longer
    /// needed for.
    fn tracked(&self, layout: &Layout<'_>) -> Value {
        let mut roots = Vec::new();
        for (var, row) in layout.program.vars.iter_enumerated() {
            if row.name.starts_with('$') {
                continue;
            }
            let slot = layout.slots[var] as usize;
            match row.scope {
                Scope::Global => roots.push(self.globals[slot]),
                Scope::Local(proc) => {
                    let frames = self.frames.iter().filter(|frame| frame.proc == proc);
                    roots.extend(frames.map(|frame| frame.locals[slot]));
                }
            }
        }
        let roots = roots.into_iter().filter_map(|value| match value {
            Value::Address(at) => Some(at),
            _ => None,
        });
        match self.memory.all_heap_is_reached(roots.collect()) {
            true => Value::Int(IntValue::wrap(IntType::I32, 1)),
            false => Value::Unknown,
        }
    }

    fn callee(&self, layout: &Layout<'_>, pointer: &Expr) -> Result<ProcId, Stop> {
        match self.value(layout, pointer)? {
            Value::Address(Pointer {
                base: Base::Proc(proc),
                offset: 0,
            }) => Ok(proc),
            Value::Address(_) => Err(Stop::Undefined),
            Value::Int(null) if null.is_zero() => Err(Stop::Undefined),
            Value::Int(_)
            | Value::Unknown
            | Value::Bool(_)
            | Value::Signed { .. }
            | Value::Float(..) => lost("a call of an address that is not known"),
        }
    }

    fn enter(
        &mut self,
        layout: &Layout<'_>,
        proc: ProcId,
        args: Vec<Value>,
        result: Option<VarId>,
    ) -> Result<(), Stop> {
        if self.frames.len() >= DEEPEST {
            return lost(format!("more than {DEEPEST} activations"));
        }
        let procedure = &layout.program.procs[proc];
        let mut frame = Frame {
            proc,
            at: procedure.entry,
            locals: vec![Value::Unknown; layout.locals[proc] as usize],
            objects: Vec::new(),
            allocas: Vec::new(),
            result,
        };
        let params = procedure.params.iter().chain(&procedure.varargs);
        for (&param, value) in params.zip(args) {
            frame.locals[layout.slots[param] as usize] = value;
        }
        self.values += frame.locals.len() + FRAME;
        self.frames.push(frame);
        Ok(())
    }

    fn leave(&mut self, layout: &Layout<'_>, value: Value) -> StepOutcome {
        let frame = self.frames.pop().expect("a run should have an activation");
        self.values -= frame.locals.len() + FRAME;
        for object in frame.objects.iter().map(|row| row.1).chain(frame.allocas) {
            self.memory.kill(object);
        }
        if self.frames.is_empty() {
            self.frames.push(Frame {
                objects: Vec::new(),
                allocas: Vec::new(),
                ..frame
            });
            return StepOutcome::Ended;
        }
        if let Some(var) = frame.result {
            self.set(layout, var, value);
        }
        // The call was the only edge.
        let (proc, at) = self.at();
        let edge = layout.program.procs[proc].locations[at].out[0];
        self.take(layout, edge);
        StepOutcome::Done(0)
    }

    pub(super) fn get(&self, layout: &Layout<'_>, var: VarId) -> Value {
        let slot = layout.slots[var] as usize;
        match layout.is_global[var] {
            true => self.globals[slot],
            false => self.top().locals[slot],
        }
    }

    pub(super) fn object(&self, layout: &Layout<'_>, object: ObjectId) -> Result<Object, Stop> {
        if let Some(place) = layout.objects[object] {
            return Ok(self.statics[place as usize]);
        }
        let mut objects = self.top().objects.iter();
        match objects.find(|(other, _)| *other == object) {
            Some(&(_, number)) => Ok(number),
            None => lost("the address of a local that is dead"),
        }
    }
}
