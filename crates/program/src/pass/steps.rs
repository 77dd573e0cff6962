//! Steps that a transformation adds to a procedure, one after the other.

use crate::expr::{Expr, Type};
use crate::ir::*;
use base::Span;

/// Steps that are added one after the other.
pub(in crate::pass) struct Steps<'p> {
    pub(in crate::pass) program: &'p mut Program,
    proc: ProcId,
    /// Where the next step starts.
    pub(in crate::pass) at: LocationId,
    span: Span,
    inlined: Option<InlineId>,
}

impl<'p> Steps<'p> {
    fn new(program: &'p mut Program, proc: ProcId, at: LocationId, edge: &Edge) -> Self {
        let (span, inlined) = (edge.span, edge.inlined);
        Steps {
            program,
            proc,
            at,
            span,
            inlined,
        }
    }

    /// Steps in front of the edges that leave a location, if there are any; they are put after the
    /// steps by [`go_on`](Self::go_on).
    pub(in crate::pass) fn before(
        program: &'p mut Program,
        proc: ProcId,
        at: LocationId,
    ) -> Option<Self> {
        let procedure = &mut program.procs[proc];
        let first = *procedure.locations[at].out.first()?;
        let edge = procedure.edges[first].clone();
        procedure.detach(at);
        Some(Steps::new(program, proc, at, &edge))
    }

    /// Continues with edges that left the location in front of the steps.
    pub(in crate::pass) fn go_on(self, out: &[EdgeId]) {
        let procedure = &mut self.program.procs[self.proc];
        for &edge in out {
            procedure.edges[edge].source = self.at;
        }
        procedure.locations[self.at].out = out.to_vec();
    }

    /// Steps between an edge and its target.
    pub(in crate::pass) fn after(program: &'p mut Program, proc: ProcId, id: EdgeId) -> Self {
        let procedure = &mut program.procs[proc];
        let edge = procedure.edges[id].clone();
        let at = procedure.add_location(edge.span);
        procedure.redirect(id, at);
        Steps::new(program, proc, at, &edge)
    }

    pub(in crate::pass) fn local(&mut self, name: &str, ty: Type) -> VarId {
        self.program.add_local(self.proc, name, ty, self.span)
    }

    pub(in crate::pass) fn location(&mut self) -> LocationId {
        self.program.procs[self.proc].add_location(self.span)
    }

    pub(in crate::pass) fn edge(&mut self, source: LocationId, target: LocationId, op: Op) {
        let procedure = &mut self.program.procs[self.proc];
        let edge = procedure.add_edge(source, target, op, self.span);
        procedure.edges[edge].inlined = self.inlined;
    }

    pub(in crate::pass) fn op(&mut self, op: Op) {
        let next = self.location();
        self.edge(self.at, next, op);
        self.at = next;
    }

    /// Continues where a condition does not hold; returns where it does.
    pub(in crate::pass) fn branch(&mut self, condition: Expr) -> LocationId {
        let (hit, next) = (self.location(), self.location());
        self.edge(self.at, hit, Op::Assume(condition.clone()));
        self.edge(self.at, next, Op::Assume(Expr::not(condition)));
        self.at = next;
        hit
    }

    pub(in crate::pass) fn end(self, target: LocationId) {
        let Steps { at, .. } = self;
        { self }.edge(at, target, Op::Skip);
    }
}
