//! Constructs that have no formula, by name.

use base::Span;
use certify::Reason;
use encode::CutGraph;
use encode::blocks::{Block, BlockEffect};
use program::ir::{Callee, Op, ProcId, Program};

/// Why nothing is known after a block of a procedure, if that is so.
pub fn opaque(program: &Program, proc: ProcId, block: &Block) -> Option<Reason> {
    let BlockEffect::Opaque(edge) = block.step else {
        return None;
    };
    let op = &program.procs[proc].edges[edge].op;
    let what = in_words(program, op).unwrap_or_else(|| match op {
        Op::Call(_) => "a call of a library function".to_owned(),
        _ => "a statement".to_owned(),
    });
    Some(on_a_path(&what, block.span))
}

/// Why nothing is known after a construct.
pub fn on_a_path(what: &str, span: Span) -> Reason {
    let message = format!("a path goes through {what}, for which there is no formula");
    Reason::unsupported(message).at(span)
}

/// What an op does that has no formula, whatever the precision.
pub fn in_words(program: &Program, op: &Op) -> Option<String> {
    match op {
        Op::Call(call) => match call.callee {
            Callee::Proc(proc) => Some(format!("a call of `{}`", program.procs[proc].name)),
            Callee::Pointer(_) => Some("a call through a pointer".to_owned()),
            Callee::Library(_) => None,
        },
        Op::Unsupported(what) => Some(what.to_string()),
        _ => None,
    }
}

/// The first of the blocks of a procedure that have no formula.
pub fn first_opaque(program: &Program, cuts: &CutGraph) -> Option<Reason> {
    let mut blocks = cuts.order.iter().flat_map(|&at| cuts.blocks_from(at));
    blocks.find_map(|block| opaque(program, cuts.proc, block))
}
