//! The state of a run, and the effect of calls, returns and inputs on it.

use crate::bytecode::{Code, Pc, PointerCall, ProcCode, STATUS};
use crate::library::Output;
use crate::memory::Memory;
use crate::value::{constant_slots, fit};
use crate::wide_ops::{Registers, put};
use crate::{End, Inputs, Limits, Undefined, UndefinedKind};
use base::{Budget, Exhausted, Id};
use logic::{IntType, IntValue};
use program::expr::{Constant, Type};
use program::ir::{EdgeId, ProcId, SiteId};
use std::ops::Range;

/// Words between two looks at the budget.
const SLICE: u64 = 1 << 20;
const BYTE: IntType = IntType::unsigned(8);
/// What an input taken costs in bytes, for the limit.
const INPUT_BYTES: u64 = 64;

/// Sees what happens in code that was compiled to be seen.
pub(crate) trait Observer {
    /// An edge is about to be executed.
    fn mark(&mut self, _proc: ProcId, _edge: EdgeId) {}
    /// An assignment was made, by its number in [`Code::assigned`].
    fn assigned(&mut self, _code: &Code, _index: u32, _regs: &Registers, _memory: &Memory) {}
    /// Bytes at an address are about to be read.
    fn read(&mut self, _address: u64, _bytes: u64) {}
    /// Bytes at an address change, or their object dies.
    fn changed(&mut self, _address: u64, _bytes: u64) {}
}

/// Sees nothing.
pub(crate) struct NoObserver;

impl Observer for NoObserver {}

/// An activation.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// Where it returns to.
    pub(crate) back: Pc,
    /// Where its value goes.
    pub(crate) result: u16,
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
    /// By site, how many zero bytes of objects come after the last one among the inputs.
    zeros: Vec<u64>,
    pub(crate) output: Output,
    pub(crate) steps: u64,
    limits: Limits,
    pub(crate) source: &'c mut dyn Inputs,
    /// Whether the source says what objects have that come to life without a value.
    pub(crate) has_contents: bool,
    pub(crate) observer: &'c mut dyn Observer,
    /// How often each branch went to its first and second target; empty if they are not counted.
    pub(crate) counts: &'c mut [[u32; 2]],
    /// Once stopped: at which word, and why.
    pub(crate) stop: Option<(usize, End)>,
    /// Once stopped by undefined behaviour: the word and the instruction in it.
    pub(crate) failed: Option<(usize, usize)>,
}

impl<'c> State<'c> {
    /// The state at the start of a run.
    pub(crate) fn new(
        code: &'c Code,
        limits: &Limits,
        source: &'c mut dyn Inputs,
        observer: &'c mut dyn Observer,
    ) -> Result<Self, End> {
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
            zeros: vec![0; code.site_types.len()],
            output: Output::default(),
            steps: 0,
            limits: limits.clone(),
            has_contents: source.contents().is_some(),
            source,
            observer,
            counts: &mut [],
            stop: None,
            failed: None,
        })
    }

    /// The steps that may be made before the next look at the limits.
    pub(crate) fn refuel(&mut self, budget: &Budget) -> Result<u64, End> {
        match budget.check() {
            Ok(()) => {}
            Err(Exhausted::Time) => return Err(End::limit("time")),
            Err(Exhausted::Effort) => return Err(End::limit("effort")),
            Err(Exhausted::Memory) => return Err(End::limit("memory of the process")),
            Err(Exhausted::Cancelled) => return Err(End::limit("cancelled")),
        }
        let left = self.limits.steps.saturating_sub(self.steps);
        if left == 0 {
            return Err(End::limit(&format!("{} steps", self.limits.steps)));
        }
        let slice = left.min(SLICE);
        self.steps += slice;
        Ok(slice)
    }

    /// Starts an activation of a procedure whose slots are free, if there is room for its frame.
    #[inline(always)]
    pub(crate) fn call_again(&mut self, back: Pc, result: u16) -> bool {
        let depth = self.frames.len();
        let has_room = depth < self.limits.depth && depth < self.frames.capacity();
        if has_room {
            self.frames.push(Frame {
                back,
                result,
                saved: None,
            });
        }
        has_room
    }

    /// Starts an activation.
    #[inline(always)]
    pub(crate) fn call(&mut self, back: Pc, result: u16, saved: Option<ProcId>) -> Result<(), End> {
        if self.frames.len() >= self.limits.depth {
            return Err(self.too_deep());
        }
        self.frames.push(Frame {
            back,
            result,
            saved,
        });
        Ok(())
    }

    #[cold]
    fn too_deep(&self) -> End {
        End::limit(&format!("{} activations", self.limits.depth))
    }

    /// The slots of activations below the topmost ones.
    pub(crate) fn saved(&self) -> &[u64] {
        &self.saved
    }

    /// Calls a procedure that may be active: its slots are saved and set to the arguments.
    pub(crate) fn call_saved(
        &mut self,
        regs: &mut Registers,
        proc: ProcId,
        args: u16,
        result: u16,
        back: Pc,
    ) -> Result<Pc, End> {
        let code = self.code;
        let callee = &code.procs[proc.index()];
        self.call(back, result, Some(proc))?;
        self.saved.extend_from_slice(&regs[callee.near()]);
        self.saved.extend_from_slice(&self.far[callee.far()]);
        let bytes = 8 * self.saved.len() as u64;
        if bytes.saturating_add(self.memory.live()) > self.limits.memory {
            return Err(End::limit("memory: the saved activations"));
        }
        let args = args as usize..args as usize + callee.param_slots as usize;
        regs.copy_within(args, callee.base as usize);
        for &(_, reg) in &callee.objects {
            regs[reg as usize] = 0;
        }
        Ok(callee.entry)
    }

    /// Ends an activation if no slots were saved for it.
    #[inline(always)]
    pub(crate) fn leave_unsaved(&mut self) -> Option<Frame> {
        self.frames.pop_if(|frame| frame.saved.is_none())
    }

    /// Ends an activation.
    #[inline(always)]
    pub(crate) fn leave(&mut self, regs: &mut Registers) -> Frame {
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
        for slots in [&mut self.far[callee.far()], &mut regs[callee.near()]] {
            let start = self.saved.len() - slots.len();
            slots.copy_from_slice(&self.saved[start..]);
            self.saved.truncate(start);
        }
    }

    pub(crate) fn call_pointer(
        &mut self,
        regs: &mut Registers,
        index: u32,
        back: Pc,
    ) -> Result<Pc, End> {
        let call = &self.code.pointer_calls[index as usize];
        let address = regs[call.address as usize];
        let invalid =
            |message: String| End::from(Undefined::new(UndefinedKind::InvalidCall, message));
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

    pub(crate) fn leave_all(&mut self, regs: &mut Registers, proc: ProcId) {
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

    pub(crate) fn input(
        &mut self,
        regs: &mut Registers,
        target: u16,
        site: SiteId,
    ) -> Result<(), End> {
        let ty = self.code.site_types[site.index()];
        let bytes = INPUT_BYTES * self.inputs.len() as u64;
        if bytes.saturating_add(self.memory.live()) > self.limits.memory {
            return Err(End::limit("memory: the inputs"));
        }
        let value = self.source.next(site, ty).ok_or(End::OutOfInputs)?;
        let value = fit(value, ty);
        self.inputs.push((site, value));
        put(regs, target, ty, constant_slots(value));
        Ok(())
    }
}

impl State<'_> {
    /// A new object gets the bytes that the source has for it, from a range of its offsets on: what
    /// lies before is kept. What a source says is among the inputs of the run, so that they repeat
    /// it; zeros at the end are not said.
    #[inline]
    pub(crate) fn fill(
        &mut self,
        site: Option<SiteId>,
        address: u64,
        at: Range<u64>,
    ) -> Result<(), End> {
        let (Some(site), true) = (site, self.has_contents) else {
            return Ok(());
        };
        let contents = self.source.contents();
        let bytes = contents.map_or_else(Vec::new, |contents| contents.bytes(site, at.end));
        match bytes.iter().rposition(|&byte| byte != 0) {
            Some(last) => self.fill_with(site, &bytes[..=last], address, at),
            None => {
                self.zeros[site.index()] += at.end;
                Ok(())
            }
        }
    }

    #[cold]
    fn fill_with(
        &mut self,
        site: SiteId,
        bytes: &[u8],
        address: u64,
        at: Range<u64>,
    ) -> Result<(), End> {
        let bytes = &bytes[..bytes.len().min(at.end as usize)];
        let count = bytes.len() as u64;
        let skipped = std::mem::replace(&mut self.zeros[site.index()], at.end - count);
        let said = skipped.saturating_add(count);
        let taken = INPUT_BYTES.saturating_mul(said.saturating_add(self.inputs.len() as u64));
        if taken.saturating_add(self.memory.live()) > self.limits.memory {
            return Err(End::limit("memory: the inputs"));
        }
        let zeros = std::iter::repeat_n(&0, skipped as usize);
        for &byte in zeros.chain(bytes) {
            let value = IntValue::from_bits(BYTE, byte.into());
            self.inputs.push((site, Constant::Int(value)));
        }
        let set = bytes.get(at.start as usize..).unwrap_or_default();
        let target = self.memory.bytes_mut(address + at.start, set.len() as u64);
        let target = target.expect("a new object should be there to write");
        target.copy_from_slice(set);
        Ok(())
    }
}

fn signatures(call: &PointerCall, callee: &ProcCode) -> String {
    let list = |types: &[Type], more: bool| {
        let mut names: Vec<String> = types.iter().map(ToString::to_string).collect();
        if more {
            names.push("...".to_owned());
        }
        names.join(", ")
    };
    let ret = |ty: Option<Type>| ty.map_or_else(|| "nothing".to_owned(), |ty| ty.to_string());
    format!(
        "called with ({}), takes ({}) and returns {}",
        list(&call.types, call.varargs.is_some()),
        list(&callee.params, callee.variadic),
        ret(callee.ret)
    )
}
