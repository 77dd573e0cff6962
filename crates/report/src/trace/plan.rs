//! What a recorder needs to know about each edge, computed once before the run.

use super::control::joins;
use base::{IdVec, SourceMap, Span};
use program::expr::Expr;
use program::ir::{Callee, EdgeId, LocationId, Op, Procedure, VarId};
use program::pass::loops::LoopNest;
use std::collections::BTreeMap;

/// What does not change during a run: of each procedure.
pub(super) struct Plan {
    pub(super) edges: IdVec<EdgeId, EdgePlan>,
    pub(super) joins: IdVec<LocationId, Option<LocationId>>,
    pub(super) nest: LoopNest,
    pub(super) locals: Vec<VarId>,
}

pub(super) struct EdgePlan {
    /// Which line it is on, numbered from 1; 0 for none that is shown.
    pub(super) line: u32,
    /// What it reads; of a call, what its callee reads.
    pub(super) reads: Vec<VarId>,
    /// Of a call, what its arguments read.
    pub(super) args: Vec<Vec<VarId>>,
    pub(super) kind: EdgeKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EdgeKind {
    Branch,
    Call,
    Return,
    Other,
}

impl Plan {
    /// Of a procedure. Lines are numbered as they are met.
    pub(super) fn new(
        procedure: &Procedure,
        sources: &SourceMap,
        numbers: &mut BTreeMap<(std::sync::Arc<str>, u32), u32>,
    ) -> Self {
        let hidden = procedure.name.starts_with('$');
        let mut line = |op: &Op, span: Span| {
            // Births and deaths of objects are no steps that a person sees.
            let silent = matches!(op, Op::Enter(_) | Op::Leave(_) | Op::Skip);
            if silent || hidden || sources.is_system(span) {
                return 0;
            }
            let Some(position) = sources.presumed(span) else {
                return 0;
            };
            let next = numbers.len() as u32 + 1;
            *numbers
                .entry((position.file, position.line))
                .or_insert(next)
        };
        let mut edges = IdVec::new();
        for edge in procedure.edges.iter() {
            let is_branch = procedure.locations[edge.source].out.len() > 1;
            let (kind, reads, args) = EdgePlan::of(&edge.op, is_branch);
            edges.push(EdgePlan {
                line: line(&edge.op, edge.span),
                reads,
                args,
                kind,
            });
        }
        Plan {
            edges,
            joins: joins(procedure),
            nest: LoopNest::new(procedure),
            locals: Vec::new(),
        }
    }
}

impl EdgePlan {
    fn of(op: &Op, is_branch: bool) -> (EdgeKind, Vec<VarId>, Vec<Vec<VarId>>) {
        let kind = match op {
            Op::Call(call) => {
                let callee = match &call.callee {
                    Callee::Library(_) => return (EdgeKind::Other, op.read(), Vec::new()),
                    Callee::Proc(_) => Vec::new(),
                    Callee::Pointer(pointer) => pointer.vars(),
                };
                let args = call.args.iter().chain(&call.varargs);
                return (EdgeKind::Call, callee, args.map(Expr::vars).collect());
            }
            Op::Assume(_) if is_branch => EdgeKind::Branch,
            Op::Return(_) => EdgeKind::Return,
            Op::Skip | Op::Assign(..) | Op::Assume(_) | Op::Havoc(..) => EdgeKind::Other,
            Op::Halt(_) | Op::Enter(_) | Op::Leave(_) | Op::Unsupported(_) => EdgeKind::Other,
        };
        (kind, op.read(), Vec::new())
    }
}
