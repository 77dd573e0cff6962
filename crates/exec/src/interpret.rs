//! The interpreter's loop.
//!
//! # Invariants
//! - Nothing is recorded on the way: where a run is, is found from the position in the code.

use crate::bytecode::{Code, FIRST_TEMP, Inst, NEAR, Pc, STATUS, Stop};
use crate::explain::explain;
use crate::library::{Output, call_library};
use crate::memory::Memory;
use crate::slow::{Registers, execute, put};
use crate::value::{constant_slots, fit};
use crate::{End, Inputs, Limits, Undefined, UndefinedKind};
use base::{Budget, Exhausted, Id};
use program::expr::Constant;
use program::ir::{EdgeId, ProcId, SiteId};

/// Steps between two looks at the budget.
const SLICE: u64 = 1 << 20;
/// What an input taken costs in bytes, for the limit.
const INPUT_BYTES: u64 = 64;

/// Sees what happens; calls that do nothing cost nothing.
pub(crate) trait Observer {
    /// Whether it wants to see branches.
    const BRANCHES: bool = false;
    /// A branch was taken, by its number in [`Code::branch_edges`].
    fn branch(&mut self, _branch: u32, _holds: bool) {}
    /// An edge is about to be executed.
    fn mark(&mut self, _proc: ProcId, _edge: EdgeId, _depth: usize) {}
    /// An assignment was made, by its number in [`Code::assigned`].
    fn assigned(&mut self, _code: &Code, _index: u32, _regs: &Registers, _memory: &Memory) {}
}

/// Sees nothing.
pub(crate) struct Nobody;

impl Observer for Nobody {}

/// An activation.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// Where it returns to.
    pub(crate) back: Pc,
    /// Where its value goes.
    result: u16,
    /// The procedure whose slots were saved for it, if any were.
    saved: Option<ProcId>,
}

/// The state of a run besides its near registers.
pub(crate) struct State<'c> {
    pub(crate) code: &'c Code,
    pub(crate) memory: Memory<'c>,
    pub(crate) far: Vec<u64>,
    pub(crate) frames: Vec<Frame>,
    /// Slots of activations below the topmost ones.
    saved: Vec<u64>,
    /// Objects of `alloca`, with the depth of the activation they die with.
    pub(crate) allocas: Vec<(usize, u64)>,
    pub(crate) inputs: Vec<(SiteId, Constant)>,
    pub(crate) output: Output,
    pub(crate) steps: u64,
    limits: Limits,
}

impl<'c> State<'c> {
    /// The state at the start of a run.
    pub(crate) fn new(code: &'c Code, limits: &Limits) -> Result<Self, Stop> {
        Ok(State {
            code,
            memory: Memory::new(&code.layout, limits.memory)?,
            far: code.far.clone(),
            frames: vec![Frame {
                back: code.finish,
                result: STATUS,
                saved: None,
            }],
            saved: Vec::new(),
            allocas: Vec::new(),
            inputs: Vec::new(),
            output: Output::default(),
            steps: 0,
            limits: limits.clone(),
        })
    }

    /// The steps that may be made before the next look at the limits.
    fn refuel(&mut self, budget: &Budget) -> Result<u64, Stop> {
        match budget.check() {
            Ok(()) => {}
            Err(Exhausted::Time) => return Err(Stop::limit("time")),
            Err(Exhausted::Cancelled) => return Err(Stop::limit("cancelled")),
        }
        let left = self.limits.steps.saturating_sub(self.steps);
        if left == 0 {
            return Err(Stop::limit(&format!("{} steps", self.limits.steps)));
        }
        let slice = left.min(SLICE);
        self.steps += slice;
        Ok(slice)
    }

    #[inline]
    fn call(&mut self, back: Pc, result: u16, saved: Option<ProcId>) -> Result<(), Stop> {
        if self.frames.len() >= self.limits.depth {
            return Err(Stop::limit(&format!("{} activations", self.limits.depth)));
        }
        self.frames.push(Frame {
            back,
            result,
            saved,
        });
        Ok(())
    }

    /// Calls a procedure that may be active: its slots are saved and set to the arguments.
    fn call_saved(
        &mut self,
        regs: &mut Registers,
        proc: ProcId,
        args: u16,
        result: u16,
        back: Pc,
    ) -> Result<Pc, Stop> {
        let code = self.code;
        let callee = &code.procs[proc.index()];
        self.call(back, result, Some(proc))?;
        let near = callee.base as usize..callee.base as usize + callee.slots as usize;
        self.saved.extend_from_slice(&regs[near]);
        let far = callee.far_base as usize..(callee.far_base + callee.far_slots) as usize;
        self.saved.extend_from_slice(&self.far[far]);
        let bytes = 8 * self.saved.len() as u64;
        if bytes.saturating_add(self.memory.live()) > self.limits.memory {
            return Err(Stop::limit("memory: the saved activations"));
        }
        let args = args as usize..args as usize + callee.param_slots as usize;
        regs.copy_within(args, callee.base as usize);
        for &(_, reg) in &callee.objects {
            regs[reg as usize] = 0;
        }
        Ok(callee.entry)
    }

    /// Ends an activation: the value is in the first slots of `value`.
    #[inline]
    fn leave(&mut self, regs: &mut Registers) -> Frame {
        let frame = self
            .frames
            .pop()
            .expect("the code that is returned to should not return");
        if let Some(proc) = frame.saved {
            self.restore(regs, proc);
        }
        frame
    }

    fn restore(&mut self, regs: &mut Registers, proc: ProcId) {
        let callee = &self.code.procs[proc.index()];
        let far = callee.far_base as usize..(callee.far_base + callee.far_slots) as usize;
        let start = self.saved.len() - far.len();
        self.far[far].copy_from_slice(&self.saved[start..]);
        self.saved.truncate(start);
        let near = callee.base as usize..callee.base as usize + callee.slots as usize;
        let start = self.saved.len() - near.len();
        regs[near].copy_from_slice(&self.saved[start..]);
        self.saved.truncate(start);
    }

    fn call_pointer(&mut self, regs: &mut Registers, index: u32, back: Pc) -> Result<Pc, Stop> {
        let call = &self.code.pointer_calls[index as usize];
        let address = regs[call.address as usize];
        let invalid = |message: String| {
            Stop::from(Undefined {
                kind: UndefinedKind::InvalidCall,
                message,
            })
        };
        if address == 0 {
            return Err(invalid("call through a null pointer".to_owned()));
        }
        let proc = self
            .code
            .layout
            .proc_at(address, self.code.procs.len())
            .filter(|proc| self.code.procs[proc.index()].address_taken)
            .ok_or_else(|| {
                invalid(format!(
                    "call of the address {address:#x}, where no function is"
                ))
            })?;
        let callee = &self.code.procs[proc.index()];
        let fits = callee.params == call.types
            && callee.variadic == call.varargs.is_some()
            && (call.result_type.is_none() || call.result_type == callee.ret);
        if !fits {
            return Err(invalid(format!(
                "call through a pointer of another type than the function's: {}",
                signatures(call, callee)
            )));
        }
        if callee.recursive {
            return self.call_saved(regs, proc, call.args, call.result, back);
        }
        self.call(back, call.result, None)?;
        let args = call.args as usize..call.args as usize + callee.param_slots as usize;
        regs.copy_within(args, callee.base as usize);
        Ok(callee.entry)
    }

    fn leave_all(&mut self, regs: &mut Registers, proc: ProcId) {
        for &(object, reg) in &self.code.procs[proc.index()].objects {
            let address = std::mem::take(&mut regs[reg as usize]);
            if address != 0 {
                self.memory.leave(object, address);
            }
        }
        while let Some(&(depth, address)) = self.allocas.last()
            && depth == self.frames.len()
        {
            self.memory.leave_stack(address);
            self.allocas.pop();
        }
    }

    fn input(
        &mut self,
        regs: &mut Registers,
        target: u16,
        site: SiteId,
        inputs: &mut dyn Inputs,
    ) -> Result<(), Stop> {
        let ty = self.code.site_types[site.index()];
        let bytes = INPUT_BYTES * self.inputs.len() as u64;
        if bytes.saturating_add(self.memory.live()) > self.limits.memory {
            return Err(Stop::limit("memory: the inputs"));
        }
        let value = inputs.next(site, ty).ok_or(Stop::End(End::OutOfInputs))?;
        let value = fit(value, ty);
        self.inputs.push((site, value));
        put(regs, target, ty, constant_slots(value));
        Ok(())
    }
}

fn signatures(call: &crate::bytecode::PointerCall, callee: &crate::bytecode::ProcCode) -> String {
    let list = |types: &[program::expr::Type], more: bool| {
        let mut names: Vec<String> = types.iter().map(ToString::to_string).collect();
        if more {
            names.push("...".to_owned());
        }
        names.join(", ")
    };
    let ret = |ty: Option<program::expr::Type>| {
        ty.map_or_else(|| "nothing".to_owned(), |ty| ty.to_string())
    };
    format!(
        "called with ({}), takes ({}) and returns {}",
        list(&call.types, call.varargs.is_some()),
        list(&callee.params, callee.variadic),
        ret(callee.ret)
    )
}

/// Fresh near registers for a run.
pub(crate) fn registers(code: &Code) -> Box<Registers> {
    let mut regs: Box<[u64]> = vec![0; NEAR].into_boxed_slice();
    debug_assert!(code.near.len() <= FIRST_TEMP);
    regs[..code.near.len()].copy_from_slice(&code.near);
    regs.try_into()
        .expect("the register file should have its size")
}

/// Runs until something stops it; returns why and at which instruction.
pub(crate) fn run<O: Observer>(
    state: &mut State<'_>,
    registers: &mut Registers,
    inputs: &mut dyn Inputs,
    budget: &Budget,
    observer: &mut O,
) -> (End, Pc) {
    let code = state.code;
    let mut pc = code.start as usize;
    let stop = steps(state, registers, inputs, budget, observer, &mut pc);
    let at = pc - 1;
    let end = match stop {
        Stop::End(end) => end,
        Stop::Failed => End::Undefined(explain(
            code.insts[at],
            registers,
            &state.memory,
            code.layout.wide,
        )),
    };
    (end, at as Pc)
}

/// The loop. On return `pc` is one past the instruction that stopped it.
fn steps<O: Observer>(
    state: &mut State<'_>,
    regs: &mut Registers,
    inputs: &mut dyn Inputs,
    budget: &Budget,
    observer: &mut O,
    last: &mut usize,
) -> Stop {
    let code = state.code;
    let insts = &code.insts[..];
    let mut pc = *last;
    let mut fuel = 0u64;
    let mask = if code.layout.wide {
        u64::MAX
    } else {
        0xffff_ffff
    };

    // Each macro is one shape of instruction.
    macro_rules! get {
        ($reg:expr) => {
            regs[$reg as usize]
        };
    }
    macro_rules! wrapping {
        ($d:expr, $value:expr) => {
            regs[$d as usize] = $value as u64
        };
    }
    // A value of a signed type is extended by its sign.
    macro_rules! checked {
        ($d:expr, $value:expr) => {
            match $value {
                Some(value) => regs[$d as usize] = i64::from(value) as u64,
                None => break Stop::Failed,
            }
        };
    }
    macro_rules! checked_unsigned {
        ($d:expr, $value:expr) => {
            match $value {
                Some(value) => regs[$d as usize] = u64::from(value),
                None => break Stop::Failed,
            }
        };
    }
    macro_rules! float {
        ($d:expr, $a:expr, $op:tt, $b:expr) => {
            regs[$d as usize] = (f64::from_bits(get!($a)) $op f64::from_bits(get!($b))).to_bits()
        };
    }
    macro_rules! float_compare {
        ($d:expr, $a:expr, $op:tt, $b:expr) => {
            regs[$d as usize] = u64::from(f64::from_bits(get!($a)) $op f64::from_bits(get!($b)))
        };
    }
    macro_rules! load {
        ($d:expr, $at:expr, $by:expr, $ty:ty, $wide:ty) => {
            match state
                .memory
                .read(get!($at).wrapping_add_signed(i64::from($by)) & mask)
            {
                Some(bytes) => regs[$d as usize] = <$ty>::from_le_bytes(bytes) as $wide as u64,
                None => break Stop::Failed,
            }
        };
    }
    macro_rules! store {
        ($at:expr, $value:expr, $by:expr, $ty:ty) => {
            match state.memory.write(
                get!($at).wrapping_add_signed(i64::from($by)) & mask,
                (get!($value) as $ty).to_le_bytes(),
            ) {
                Some(()) => {}
                None => break Stop::Failed,
            }
        };
    }
    macro_rules! attempt {
        ($result:expr) => {
            match $result {
                Ok(value) => value,
                Err(stop) => break stop.into(),
            }
        };
    }
    macro_rules! step {
        () => {
            if fuel == 0 {
                fuel = attempt!(state.refuel(budget));
            }
            fuel -= 1;
        };
    }
    macro_rules! branch {
        ($holds:expr, $yes:expr, $no:expr) => {{
            step!();
            let holds = $holds;
            if O::BRANCHES {
                observer.branch(code.branches[pc - 1], holds);
            }
            pc = if holds { $yes } else { $no } as usize;
        }};
    }

    let stop = loop {
        let inst = insts[pc];
        pc += 1;
        match inst {
            Inst::Mov(d, a) => regs[d as usize] = get!(a),
            Inst::MovWide(d, a) => {
                let slots = crate::slow::get(regs, a);
                regs[d as usize] = slots[0];
                regs[d.wrapping_add(1) as usize] = slots[1];
            }
            Inst::GetFar(d, far) => regs[d as usize] = state.far[far as usize],
            Inst::SetFar(far, a) => state.far[far as usize] = get!(a),

            Inst::AddI32(d, a, b) => checked!(d, (get!(a) as i32).checked_add(get!(b) as i32)),
            Inst::AddU32(d, a, b) => wrapping!(d, (get!(a) as u32).wrapping_add(get!(b) as u32)),
            Inst::AddI64(d, a, b) => checked!(d, (get!(a) as i64).checked_add(get!(b) as i64)),
            Inst::AddU64(d, a, b) => wrapping!(d, get!(a).wrapping_add(get!(b))),
            Inst::SubI32(d, a, b) => checked!(d, (get!(a) as i32).checked_sub(get!(b) as i32)),
            Inst::SubU32(d, a, b) => wrapping!(d, (get!(a) as u32).wrapping_sub(get!(b) as u32)),
            Inst::SubI64(d, a, b) => checked!(d, (get!(a) as i64).checked_sub(get!(b) as i64)),
            Inst::SubU64(d, a, b) => wrapping!(d, get!(a).wrapping_sub(get!(b))),
            Inst::MulI32(d, a, b) => checked!(d, (get!(a) as i32).checked_mul(get!(b) as i32)),
            Inst::MulU32(d, a, b) => wrapping!(d, (get!(a) as u32).wrapping_mul(get!(b) as u32)),
            Inst::MulI64(d, a, b) => checked!(d, (get!(a) as i64).checked_mul(get!(b) as i64)),
            Inst::MulU64(d, a, b) => wrapping!(d, get!(a).wrapping_mul(get!(b))),
            Inst::DivI32(d, a, b) => checked!(d, (get!(a) as i32).checked_div(get!(b) as i32)),
            Inst::DivU32(d, a, b) => {
                checked_unsigned!(d, (get!(a) as u32).checked_div(get!(b) as u32))
            }
            Inst::DivI64(d, a, b) => checked!(d, (get!(a) as i64).checked_div(get!(b) as i64)),
            Inst::DivU64(d, a, b) => checked_unsigned!(d, get!(a).checked_div(get!(b))),
            Inst::RemI32(d, a, b) => checked!(d, (get!(a) as i32).checked_rem(get!(b) as i32)),
            Inst::RemU32(d, a, b) => {
                checked_unsigned!(d, (get!(a) as u32).checked_rem(get!(b) as u32))
            }
            Inst::RemI64(d, a, b) => checked!(d, (get!(a) as i64).checked_rem(get!(b) as i64)),
            Inst::RemU64(d, a, b) => checked_unsigned!(d, get!(a).checked_rem(get!(b))),
            Inst::ShlI32(d, a, b) => {
                let (value, by) = (get!(a) as i64, get!(b));
                // A non-negative value of 31 bits moved by 31 at most fits in 64 bits.
                if by >= 32 || value < 0 || (value << by) > i64::from(i32::MAX) {
                    break Stop::Failed;
                }
                regs[d as usize] = (value << by) as u64;
            }
            Inst::ShlU32(d, a, b) => {
                let by = get!(b);
                if by >= 32 {
                    break Stop::Failed;
                }
                regs[d as usize] = u64::from((get!(a) as u32) << by);
            }
            Inst::ShlI64(d, a, b) => {
                let (value, by) = (get!(a) as i64, get!(b));
                if by >= 64 || value < 0 || (value << by) >> by != value || (value << by) < 0 {
                    break Stop::Failed;
                }
                regs[d as usize] = (value << by) as u64;
            }
            Inst::ShlU64(d, a, b) => {
                let by = get!(b);
                if by >= 64 {
                    break Stop::Failed;
                }
                regs[d as usize] = get!(a) << by;
            }
            Inst::ShrI32(d, a, b) => {
                let by = get!(b);
                if by >= 32 {
                    break Stop::Failed;
                }
                regs[d as usize] = (get!(a) as i64 >> by) as u64;
            }
            Inst::ShrU32(d, a, b) => {
                let by = get!(b);
                if by >= 32 {
                    break Stop::Failed;
                }
                regs[d as usize] = get!(a) >> by;
            }
            Inst::ShrI64(d, a, b) => {
                let by = get!(b);
                if by >= 64 {
                    break Stop::Failed;
                }
                regs[d as usize] = (get!(a) as i64 >> by) as u64;
            }
            Inst::ShrU64(d, a, b) => {
                let by = get!(b);
                if by >= 64 {
                    break Stop::Failed;
                }
                regs[d as usize] = get!(a) >> by;
            }
            Inst::NegI32(d, a) => checked!(d, (get!(a) as i32).checked_neg()),
            Inst::NegI64(d, a) => checked!(d, (get!(a) as i64).checked_neg()),
            Inst::And(d, a, b) => regs[d as usize] = get!(a) & get!(b),
            Inst::Or(d, a, b) => regs[d as usize] = get!(a) | get!(b),
            Inst::Xor(d, a, b) => regs[d as usize] = get!(a) ^ get!(b),
            Inst::Not(d, a) => regs[d as usize] = !get!(a),

            Inst::Eq(d, a, b) => regs[d as usize] = u64::from(get!(a) == get!(b)),
            Inst::Ne(d, a, b) => regs[d as usize] = u64::from(get!(a) != get!(b)),
            Inst::LtS(d, a, b) => {
                regs[d as usize] = u64::from((get!(a) as i64) < get!(b) as i64);
            }
            Inst::LeS(d, a, b) => {
                regs[d as usize] = u64::from(get!(a) as i64 <= get!(b) as i64);
            }
            Inst::LtU(d, a, b) => regs[d as usize] = u64::from(get!(a) < get!(b)),
            Inst::LeU(d, a, b) => regs[d as usize] = u64::from(get!(a) <= get!(b)),

            Inst::Sext8(d, a) => regs[d as usize] = get!(a) as i8 as u64,
            Inst::Sext16(d, a) => regs[d as usize] = get!(a) as i16 as u64,
            Inst::Sext32(d, a) => regs[d as usize] = get!(a) as i32 as u64,
            Inst::Zext8(d, a) => regs[d as usize] = get!(a) & 0xff,
            Inst::Zext16(d, a) => regs[d as usize] = get!(a) & 0xffff,
            Inst::Zext32(d, a) => regs[d as usize] = get!(a) & 0xffff_ffff,

            Inst::AddF64(d, a, b) => float!(d, a, +, b),
            Inst::SubF64(d, a, b) => float!(d, a, -, b),
            Inst::MulF64(d, a, b) => float!(d, a, *, b),
            Inst::DivF64(d, a, b) => float!(d, a, /, b),
            Inst::EqF64(d, a, b) => float_compare!(d, a, ==, b),
            Inst::LtF64(d, a, b) => float_compare!(d, a, <, b),
            Inst::LeF64(d, a, b) => float_compare!(d, a, <=, b),

            Inst::Load8S(d, at, by) => load!(d, at, by, i8, i64),
            Inst::Load8U(d, at, by) => load!(d, at, by, u8, u64),
            Inst::Load16S(d, at, by) => load!(d, at, by, i16, i64),
            Inst::Load16U(d, at, by) => load!(d, at, by, u16, u64),
            Inst::Load32S(d, at, by) => load!(d, at, by, i32, i64),
            Inst::Load32U(d, at, by) => load!(d, at, by, u32, u64),
            Inst::Load64(d, at, by) => load!(d, at, by, u64, u64),
            Inst::Store8(at, value, by) => store!(at, value, by, u8),
            Inst::Store16(at, value, by) => store!(at, value, by, u16),
            Inst::Store32(at, value, by) => store!(at, value, by, u32),
            Inst::Store64(at, value, by) => store!(at, value, by, u64),

            Inst::Jump(to) => pc = to as usize,
            Inst::JumpBack(to) => {
                step!();
                pc = to as usize;
            }
            Inst::BrEq(a, b, yes, no) => branch!(get!(a) == get!(b), yes, no),
            Inst::BrLtS(a, b, yes, no) => branch!((get!(a) as i64) < get!(b) as i64, yes, no),
            Inst::BrLtU(a, b, yes, no) => branch!(get!(a) < get!(b), yes, no),

            Inst::Call(to, result) => {
                step!();
                attempt!(state.call(pc as Pc, result, None));
                pc = to as usize;
            }
            Inst::CallSaved(proc, args, result) => {
                step!();
                pc = attempt!(state.call_saved(regs, proc, args, result, pc as Pc)) as usize;
            }
            Inst::CallPointer(index) => {
                step!();
                pc = attempt!(state.call_pointer(regs, index, pc as Pc)) as usize;
            }
            Inst::Return(value) => {
                let value = get!(value);
                let frame = state.leave(regs);
                regs[frame.result as usize] = value;
                pc = frame.back as usize;
            }
            Inst::ReturnWide(value) => {
                let slots = crate::slow::get(regs, value);
                let frame = state.leave(regs);
                regs[frame.result as usize] = slots[0];
                regs[frame.result.wrapping_add(1) as usize] = slots[1];
                pc = frame.back as usize;
            }
            Inst::ReturnNothing => pc = state.leave(regs).back as usize,
            Inst::LeaveAll(proc) => state.leave_all(regs, proc),
            Inst::Enter(object) => {
                let reg = code.object_regs[object.index()] as usize;
                if regs[reg] != 0 {
                    state.memory.leave(object, regs[reg]);
                }
                let size = code.layout.objects[object.index()].0;
                regs[reg] = attempt!(state.memory.enter(object, size));
            }
            Inst::Leave(object) => {
                let reg = code.object_regs[object.index()] as usize;
                let address = std::mem::take(&mut regs[reg]);
                if address != 0 {
                    state.memory.leave(object, address);
                }
            }

            Inst::Input(target, site) => attempt!(state.input(regs, target, site, inputs)),
            Inst::Slow(index) => {
                let slow = &code.slow[index as usize];
                attempt!(execute(slow, regs, &mut state.memory, &code.layout));
            }
            Inst::Library(index) => {
                let call = &code.library_calls[index as usize];
                attempt!(call_library(call, regs, state));
            }
            Inst::End(index) => break Stop::End(code.ends[index as usize].clone()),
            Inst::Exit(status) => break Stop::End(End::Exited(get!(status) as i32)),

            Inst::Mark(edge) => {
                observer.mark(code.edges[pc - 1].0, edge, state.frames.len());
            }
            Inst::MarkAssigned(index) => observer.assigned(code, index, regs, &state.memory),
        }
    };
    state.steps -= fuel;
    *last = pc;
    stop
}
