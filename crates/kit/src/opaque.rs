//! Constructs that have no formula, by name.

use certify::Reason;
use encode::CutGraph;
use encode::blocks::{Block, BlockEffect};
use program::ir::{Callee, Op, ProcId, Program};

/// Why nothing is known after a block of a procedure, if that is so.
pub fn opaque(program: &Program, proc: ProcId, block: &Block) -> Option<Reason> {
    let BlockEffect::Opaque(edge) = block.step else {
        return None;
    };
    let what = match &program.procs[proc].edges[edge].op {
        Op::Call(call) => match call.callee {
            Callee::Proc(proc) => format!("a call of `{}`", program.procs[proc].name),
            Callee::Pointer(_) => "a call through a pointer".to_owned(),
            Callee::Library(_) => "a call of a library function".to_owned(),
        },
        Op::Unsupported(what) => what.to_string(),
        _ => "a statement".to_owned(),
    };
    let message = format!("a path goes through {what}, for which there is no formula");
    Some(Reason::unsupported(message).at(block.span))
}

/// The first of the blocks of a procedure that have no formula.
pub fn first_opaque(program: &Program, cuts: &CutGraph) -> Option<Reason> {
    let mut blocks = cuts.order.iter().flat_map(|&at| cuts.blocks_from(at));
    blocks.find_map(|block| opaque(program, cuts.proc, block))
}
