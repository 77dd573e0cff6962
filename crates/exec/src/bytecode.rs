//! The instructions of the machine and the compiled form of a program.
//!
//! Registers are 64-bit slots with absolute numbers. Globals, the locals of every procedure,
//! constants and temporaries each have their own, so an instruction never adds a frame base. This
//! works because a procedure that cannot be active twice owns its slots for good, and a recursive
//! one saves them when it is called and restores them when it returns.
//!
//! # Invariants
//! - A value of up to 64 bits fills one slot, extended by the signedness of its type; a wider
//!   integer fills two, low half first, extended to 128 bits. A `Bool` is 0 or 1, a float its bits.
//! - An instruction writes its destination last, and only if it did not fail: the operands of a
//!   failed one can still be read to say why.

use crate::End;
use crate::code_word::Word;
use crate::layout::Layout;
use crate::straight_line::Kind;
use logic::IntType;
use program::expr::{BinaryOp, Type, UnaryOp};
use program::ir::{EdgeId, Library, ObjectId, ProcId, SiteId, VarId};
use std::ops::Range;

/// A slot of the near register file.
pub(crate) type Reg = u16;
/// A position in the code.
pub(crate) type Pc = u32;
/// Slots of the near register file: what a [`Reg`] can name, so that no access is out of range.
pub(crate) const NEAR: usize = 1 << 16;
/// Registers from here on are temporaries.
pub(crate) const FIRST_TEMP: usize = NEAR - 4096;
/// Where the entry procedure's value goes.
pub(crate) const STATUS: Reg = 0;
/// Where values go that are not used; two slots.
pub(crate) const SCRATCH: Reg = 1;
/// The first register that is free to give away.
pub(crate) const FIRST_FREE: usize = 3;

/// An instruction: destination first, then operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inst {
    /// One that goes on to the next, with its three registers.
    Straight(Kind, [Reg; 3]),
    MovWide(Reg, Reg),
    GetFar(Reg, u32),
    SetFar(u32, Reg),

    Jump(Pc),
    /// To the first target if it holds, else to the second.
    BrEq(Reg, Reg, Pc, Pc),
    BrLtS(Reg, Reg, Pc, Pc),
    BrLtU(Reg, Reg, Pc, Pc),

    /// Calls the code there; the value goes to the register. The arguments are in place.
    Call(Pc, Reg),
    /// Saves the locals of the procedure, moves the arguments from the register on, calls.
    CallSaved(ProcId, Reg, Reg),
    /// A call by address, by its number in [`Code::pointer_calls`].
    CallPointer(u32),
    Return(Reg),
    ReturnWide(Reg),
    ReturnNothing,
    /// Ends the local objects of the procedure.
    LeaveAll(ProcId),
    /// Makes a local object; its address goes to the register.
    Enter(ObjectId, Reg),
    /// Ends the local object at the address in the register, if there is one.
    Leave(ObjectId, Reg),

    Input(Reg, SiteId),
    /// By its number in [`Code::slow`].
    Slow(u32),
    /// By its number in [`Code::library_calls`].
    Library(u32),
    /// Ends the run, by the number in [`Code::ends`].
    End(u32),
    Exit(Reg),

    /// Only when recording: the edge is about to be executed.
    Mark(EdgeId),
    /// Only when recording: the edge has assigned what [`Code::assigned`] says.
    MarkAssigned(u32),
    /// Only when tracing: bytes at an address are about to be read, so many.
    MarkRead(Reg, Reg),
    /// Only when tracing: the library call of that number is about to be made, or done.
    MarkLibrary(u32, bool),
}

impl Inst {
    /// The targets of a jump or branch, to change.
    pub(crate) fn targets_mut(&mut self) -> impl Iterator<Item = &mut Pc> {
        let (yes, no) = match self {
            Inst::Jump(to) => (Some(to), None),
            Inst::BrEq(_, _, yes, no) | Inst::BrLtS(_, _, yes, no) | Inst::BrLtU(_, _, yes, no) => {
                (Some(yes), Some(no))
            }
            _ => (None, None),
        };
        yes.into_iter().chain(no)
    }
}

/// An operation that is too rare for an instruction of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slow {
    /// On integers of any width. The third type is the second operand's: of a shift, the amount's.
    Binary(BinaryOp, IntType, IntType, [Reg; 3]),
    Overflows(BinaryOp, IntType, IntType, [Reg; 3]),
    Unary(UnaryOp, IntType, [Reg; 2]),
    Float32(BinaryOp, [Reg; 3]),
    FloatNeg(program::expr::FloatType, [Reg; 2]),
    Cast {
        from: Type,
        to: Type,
        regs: [Reg; 2],
    },
    /// Of any type, at register plus displacement.
    Load(Type, [Reg; 2], i16),
    Store(Type, [Reg; 2], i16),
    PointerDifference([Reg; 3]),
    /// Stops unless the addresses can be put in order.
    PointerOrder([Reg; 2]),
    Valid {
        write: bool,
        regs: [Reg; 3],
    },
    Freeable([Reg; 2]),
}

/// A call of a library function.
#[derive(Clone, Debug)]
pub(crate) struct LibraryCall {
    pub(crate) function: Library,
    pub(crate) result: Reg,
    pub(crate) args: Vec<Reg>,
    pub(crate) varargs: Option<Reg>,
    pub(crate) contents: Option<SiteId>,
    /// Who calls.
    pub(crate) proc: ProcId,
}

/// A call by address.
#[derive(Clone, Debug)]
pub(crate) struct PointerCall {
    pub(crate) address: Reg,
    /// The arguments, one after the other from here.
    pub(crate) args: Reg,
    pub(crate) types: Vec<Type>,
    /// Where the address of the further arguments is.
    pub(crate) varargs: Option<Reg>,
    pub(crate) result: Reg,
    pub(crate) result_type: Option<Type>,
}

/// What the machine knows of a procedure.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcCode {
    pub(crate) entry: Pc,
    /// Its near slots: parameters first, in order, then `varargs`.
    pub(crate) base: Reg,
    pub(crate) slots: u16,
    pub(crate) param_slots: u16,
    pub(crate) far_base: u32,
    pub(crate) far_slots: u32,
    pub(crate) params: Vec<Type>,
    pub(crate) variadic: bool,
    pub(crate) ret: Option<Type>,
    /// Whether two activations may live at a time.
    pub(crate) recursive: bool,
    /// Whether its address is taken: only then a call by address may reach it.
    pub(crate) address_taken: bool,
    /// The registers that hold the addresses of its local objects, 0 while one is dead.
    pub(crate) objects: Vec<(ObjectId, Reg)>,
}

impl ProcCode {
    /// Its near slots.
    pub(crate) fn near(&self) -> Range<usize> {
        let base = usize::from(self.base);
        base..base + usize::from(self.slots)
    }

    /// Its far slots.
    pub(crate) fn far(&self) -> Range<usize> {
        let base = self.far_base as usize;
        base..base + self.far_slots as usize
    }
}

/// What a [`Inst::MarkAssigned`] mentions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assigned {
    pub(crate) place: AssignedPlace,
    pub(crate) ty: Type,
    /// The register that holds the value.
    pub(crate) value: Reg,
}

/// Where a recorded value was put.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AssignedPlace {
    Var(VarId),
    /// The address is in the register.
    Mem(Reg),
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) insts: Vec<Inst>,
    /// For each instruction the edge it belongs to.
    pub(crate) edges: Vec<(ProcId, EdgeId)>,
    /// For each instruction, if it branches between two edges, the number of that branch from 1.
    pub(crate) branches: Vec<u32>,
    /// The edges of each branch, the one taken when the comparison holds first; entry 0 has none.
    pub(crate) branch_edges: Vec<[Option<(ProcId, EdgeId)>; 2]>,
    /// What is executed, made of the instructions; see [`crate::superinstructions`].
    pub(crate) words: Vec<Word>,
    /// For each word its first instruction.
    pub(crate) origins: Vec<u32>,
    /// Initial values of the near slots; the rest is zero.
    pub(crate) near: Vec<u64>,
    /// Initial values of the far slots.
    pub(crate) far: Vec<u64>,
    pub(crate) procs: Vec<ProcCode>,
    pub(crate) slow: Vec<Slow>,
    pub(crate) library_calls: Vec<LibraryCall>,
    pub(crate) pointer_calls: Vec<PointerCall>,
    pub(crate) ends: Vec<End>,
    pub(crate) assigned: Vec<Assigned>,
    /// By object: the register with its address, for locals.
    pub(crate) object_regs: Vec<Reg>,
    pub(crate) layout: Layout,
    /// By site, the type of its values.
    pub(crate) site_types: Vec<Type>,
    /// Where a run starts, and where it returns to.
    pub(crate) start: Pc,
    pub(crate) finish: Pc,
}

/// How many slots a value takes.
pub(crate) fn slots_of(ty: Type) -> u16 {
    match ty {
        Type::Int(int) if int.bits > 64 => 2,
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Ptr => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_small() {
        assert_eq!(std::mem::size_of::<Inst>(), 16);
    }
}
