//! Builds programs: small methods on [`Program`] and [`Procedure`] that keep the edge lists
//! consistent.
//!
//! # Invariants
//! - Every edge is exactly once in the `out` list of its source; [`Procedure::add_edge`],
//!   [`Procedure::redirect`] and [`Procedure::retain`] maintain this.

use crate::expr::{Expr, Type};
use crate::ir::*;
use base::{Id, IdVec, Span};
use logic::IntType;
use std::sync::Arc;

impl Program {
    /// A program without anything; `entry` is the first procedure that will be added.
    pub fn new(pointer_bytes: u8) -> Self {
        Program {
            pointer_bytes,
            vars: IdVec::new(),
            objects: IdVec::new(),
            procs: IdVec::new(),
            entry: ProcId::from_index(0),
            sites: IdVec::new(),
            inlines: IdVec::new(),
            assumptions: Vec::new(),
        }
    }

    /// The type of differences and offsets of addresses.
    pub fn offset_type(&self) -> IntType {
        IntType::signed(self.pointer_bytes * 8)
    }

    /// The type of sizes.
    pub fn size_type(&self) -> IntType {
        IntType::unsigned(self.pointer_bytes * 8)
    }

    /// Whether it asks somewhere if every heap object can still be reached, which depends on the
    /// activations there are, or if none lives.
    pub fn asks_for_leaks(&self) -> bool {
        use Library::{Cleaned, Tracked};
        self.edges().any(|(_, _, edge)| match &edge.op {
            Op::Call(call) => matches!(call.callee, Callee::Library(Tracked | Cleaned)),
            _ => false,
        })
    }

    /// Adds a global variable with its initial value.
    pub fn add_global(
        &mut self,
        name: impl Into<Arc<str>>,
        init: crate::expr::Constant,
        span: Span,
    ) -> VarId {
        self.vars.push(Var {
            name: name.into(),
            ty: init.ty(),
            scope: Scope::Global,
            init: Some(init),
            span,
        })
    }

    /// Adds a variable of a procedure.
    pub fn add_local(
        &mut self,
        proc: ProcId,
        name: impl Into<Arc<str>>,
        ty: Type,
        span: Span,
    ) -> VarId {
        self.vars.push(Var {
            name: name.into(),
            ty,
            scope: Scope::Local(proc),
            init: None,
            span,
        })
    }

    /// Adds a source of non-determinism.
    pub fn add_site(
        &mut self,
        kind: SiteKind,
        ty: Type,
        name: impl Into<Arc<str>>,
        span: Span,
    ) -> SiteId {
        self.sites.push(Site {
            kind,
            ty,
            name: name.into(),
            span,
        })
    }

    /// Adds an assumption, unless it is there.
    pub fn assume(&mut self, assumption: impl Into<String>) {
        let assumption = assumption.into();
        if !self.assumptions.contains(&assumption) {
            self.assumptions.push(assumption);
        }
    }

    /// A location, if it is there.
    pub fn location(&self, proc: ProcId, location: LocationId) -> Option<&Location> {
        self.procs.get(proc)?.locations.get(location)
    }

    /// All edges, in order.
    pub fn edges(&self) -> impl Iterator<Item = (ProcId, EdgeId, &Edge)> {
        self.procs.iter_enumerated().flat_map(|(proc, procedure)| {
            let edges = procedure.edges.iter_enumerated();
            edges.map(move |(id, edge)| (proc, id, edge))
        })
    }

    /// All error locations, in order.
    pub fn error_locations(&self) -> impl Iterator<Item = (ProcId, LocationId, &Violation)> {
        self.procs.iter_enumerated().flat_map(|(proc, procedure)| {
            procedure
                .locations
                .iter_enumerated()
                .filter_map(move |(location, row)| Some((proc, location, row.error.as_ref()?)))
        })
    }
}

impl Procedure {
    /// A procedure with nothing but an entry and an exit.
    pub fn new(name: impl Into<Arc<str>>, ret: Option<Type>, span: Span) -> Self {
        let mut procedure = Procedure {
            name: name.into(),
            params: Vec::new(),
            varargs: None,
            ret,
            entry: LocationId::from_index(0),
            exit: LocationId::from_index(1),
            locations: IdVec::new(),
            edges: IdVec::new(),
            loops: Vec::new(),
            span,
        };
        procedure.entry = procedure.add_location(span);
        procedure.exit = procedure.add_location(span);
        procedure
    }

    /// Adds a location without edges.
    pub fn add_location(&mut self, span: Span) -> LocationId {
        self.locations.push(Location {
            out: Vec::new(),
            error: None,
            span,
        })
    }

    /// Adds an error location.
    pub fn add_error(&mut self, violation: Violation) -> LocationId {
        let span = violation.span;
        self.locations.push(Location {
            out: Vec::new(),
            error: Some(violation),
            span,
        })
    }

    /// Adds an edge, last of those that leave its source.
    pub fn add_edge(
        &mut self,
        source: LocationId,
        target: LocationId,
        op: Op,
        span: Span,
    ) -> EdgeId {
        let edge = self.edges.push(Edge {
            source,
            target,
            op,
            span,
            inlined: None,
        });
        self.locations[source].out.push(edge);
        edge
    }

    /// Adds the two edges of a branch on a condition: to `then` and to `otherwise`.
    pub fn add_branch(
        &mut self,
        source: LocationId,
        condition: Expr,
        then: LocationId,
        otherwise: LocationId,
        span: Span,
    ) -> (EdgeId, EdgeId) {
        let negated = Expr::not(condition.clone());
        (
            self.add_edge(source, then, Op::Assume(condition), span),
            self.add_edge(source, otherwise, Op::Assume(negated), span),
        )
    }

    /// Puts an op before all others.
    pub fn begin_with(&mut self, op: Op) {
        let before = self.add_location(self.span);
        self.add_edge(before, self.entry, op, self.span);
        self.entry = before;
    }

    /// Makes an edge lead elsewhere.
    pub fn redirect(&mut self, edge: EdgeId, target: LocationId) {
        self.edges[edge].target = target;
    }

    /// Takes the edges away that leave a location; they stay in the table, in no list, until
    /// [`retain`](Self::retain) drops them.
    pub fn detach(&mut self, location: LocationId) -> Vec<EdgeId> {
        std::mem::take(&mut self.locations[location].out)
    }

    /// Makes the edges that leave a location leave a new one, which nothing leads to yet.
    pub fn split(&mut self, at: LocationId, span: Span) -> LocationId {
        let rest = self.add_location(span);
        let out = self.detach(at);
        for &edge in &out {
            self.edges[edge].source = rest;
        }
        self.locations[rest].out = out;
        rest
    }

    /// The edges that lead to each location, in the order of their ids.
    pub fn incoming(&self) -> IdVec<LocationId, Vec<EdgeId>> {
        let mut incoming = IdVec::filled(Vec::new(), self.locations.len());
        for (id, edge) in self.edges.iter_enumerated() {
            incoming[edge.target].push(id);
        }
        incoming
    }

    /// The edges that leave each location, in the order of their ids; made without the locations'
    /// own lists.
    pub fn outgoing(&self) -> IdVec<LocationId, Vec<EdgeId>> {
        let mut outgoing = IdVec::filled(Vec::new(), self.locations.len());
        for (id, edge) in self.edges.iter_enumerated() {
            outgoing[edge.source].push(id);
        }
        outgoing
    }

    /// Where the edges of a location lead.
    pub fn successors(&self, location: LocationId) -> impl Iterator<Item = LocationId> {
        let out = self.locations[location].out.iter();
        out.map(|&edge| self.edges[edge].target)
    }

    /// The text of a location, else that of the first edge that leaves it.
    pub fn span_at(&self, location: LocationId) -> Span {
        let row = &self.locations[location];
        if row.span != Span::NONE {
            return row.span;
        }
        let first = row.out.first();
        first.map_or(Span::NONE, |&edge| self.edges[edge].span)
    }

    /// Whether it makes objects that die at its return.
    pub fn uses_alloca(&self) -> bool {
        let alloca = Callee::Library(Library::Alloca);
        let mut edges = self.edges.iter();
        edges.any(|edge| matches!(&edge.op, Op::Call(call) if call.callee == alloca))
    }

    /// The locations reachable from the entry.
    pub fn reachable(&self) -> IdVec<LocationId, bool> {
        self.reachable_from(self.entry)
    }

    /// The locations reachable from one, and itself.
    pub fn reachable_from(&self, start: LocationId) -> IdVec<LocationId, bool> {
        let mut seen = IdVec::filled(false, self.locations.len());
        let mut open = vec![start];
        seen[start] = true;
        while let Some(location) = open.pop() {
            for next in self.successors(location) {
                if !std::mem::replace(&mut seen[next], true) {
                    open.push(next);
                }
            }
        }
        seen
    }

    /// Drops the locations that are not kept (never entry or exit), the edges that touch them
    /// and the edges in no list. Returns where the others went.
    pub fn retain(&mut self, keep: &IdVec<LocationId, bool>) -> Moved {
        let mut moved = Moved {
            locations: IdVec::filled(None, self.locations.len()),
            edges: IdVec::filled(None, self.edges.len()),
        };
        let mut locations = IdVec::new();
        for (id, row) in self.locations.iter_enumerated() {
            if keep[id] || id == self.entry || id == self.exit {
                moved.locations[id] = Some(locations.push(Location {
                    out: Vec::new(),
                    ..row.clone()
                }));
            }
        }
        let mut edges: IdVec<EdgeId, Edge> = IdVec::new();
        for (id, edge) in self.edges.iter_enumerated() {
            let listed = self.locations[edge.source].out.contains(&id);
            let ends = (moved.locations[edge.source], moved.locations[edge.target]);
            if let (true, (Some(source), Some(target))) = (listed, ends) {
                moved.edges[id] = Some(edges.push(Edge {
                    source,
                    target,
                    ..edge.clone()
                }));
            }
        }
        for (id, row) in self.locations.iter_enumerated() {
            if let Some(location) = moved.locations[id] {
                let out = row.out.iter().filter_map(|&edge| moved.edges[edge]);
                locations[location].out = out.collect();
            }
        }
        let moved_to = |id: LocationId| moved.locations[id].expect("entry and exit should be kept");
        (self.entry, self.exit) = (moved_to(self.entry), moved_to(self.exit));
        (self.locations, self.edges) = (locations, edges);
        self.move_loops(&moved.locations);
        moved
    }

    /// Loops whose heads are gone go too; the others follow their heads.
    pub fn move_loops(&mut self, moved: &IdVec<LocationId, Option<LocationId>>) {
        self.loops.retain_mut(|row| {
            let head = moved[row.head];
            row.head = head.unwrap_or(row.head);
            head.is_some()
        });
    }
}

/// Where the locations and edges of a procedure went: the way back from a pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Moved {
    /// Old location to new; `None` where it is gone.
    pub locations: IdVec<LocationId, Option<LocationId>>,
    /// Old edge to new; `None` where it is gone.
    pub edges: IdVec<EdgeId, Option<EdgeId>>,
}

impl Call {
    /// A call without further arguments, of what allocates nothing.
    pub fn new(result: Option<VarId>, callee: Callee, args: Vec<Expr>) -> Self {
        Call {
            result,
            callee,
            args,
            varargs: None,
            contents: None,
        }
    }

    /// Whether it has the arguments and the result of a procedure: through a pointer, types have to
    /// agree.
    pub fn fits(&self, program: &Program, callee: ProcId) -> bool {
        let procedure = &program.procs[callee];
        let params = procedure.params.iter().map(|&var| program.vars[var].ty);
        let result = self.result.map(|var| program.vars[var].ty);
        params.eq(self.args.iter().map(|arg| arg.ty(program)))
            && procedure.varargs.is_some() == self.varargs.is_some()
            && (result.is_none() || result == procedure.ret)
    }
}

/// The expressions that an op evaluates, borrowed in whichever way.
macro_rules! evaluated {
    ($op:expr) => {
        match $op {
            Op::Skip | Op::Enter(_) | Op::Leave(_) | Op::Unsupported(_) => Vec::new(),
            Op::Assign(Place::Mem(_, address), value) => vec![address, value],
            Op::Assign(Place::Var(_), expr)
            | Op::Assume(expr)
            | Op::Havoc(Place::Mem(_, expr), _)
            | Op::Halt(Halt::Exit(expr)) => vec![expr],
            Op::Havoc(Place::Var(_), _) | Op::Halt(Halt::Abort | Halt::Undefined(_)) => Vec::new(),
            Op::Call(Call {
                callee: Callee::Pointer(pointer),
                args,
                varargs,
                ..
            }) => [pointer].into_iter().chain(args).chain(varargs).collect(),
            Op::Call(Call { args, varargs, .. }) => args.into_iter().chain(varargs).collect(),
            Op::Return(value) => value.into_iter().collect(),
        }
    };
}

/// The variable that an op writes, borrowed in whichever way.
macro_rules! written {
    ($op:expr) => {
        match $op {
            Op::Assign(Place::Var(var), _)
            | Op::Havoc(Place::Var(var), _)
            | Op::Call(Call {
                result: Some(var), ..
            }) => Some(var),
            Op::Assign(Place::Mem(..), _) | Op::Havoc(Place::Mem(..), _) | Op::Call(_) => None,
            Op::Skip | Op::Assume(_) | Op::Return(_) | Op::Halt(_) => None,
            Op::Enter(_) | Op::Leave(_) | Op::Unsupported(_) => None,
        }
    };
}

impl Op {
    /// The expressions it evaluates, in order (the address of a place, then the value).
    pub fn exprs(&self) -> Vec<&Expr> {
        evaluated!(self)
    }

    /// The expressions it evaluates, to change.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        evaluated!(self)
    }

    /// The same op with other expressions.
    pub fn with_exprs(&self, mut other: impl FnMut(&Expr) -> Expr) -> Op {
        let mut op = self.clone();
        for expr in op.exprs_mut() {
            *expr = other(expr);
        }
        op
    }

    /// The procedure it calls, by its name.
    pub fn callee(&self) -> Option<ProcId> {
        match self {
            Op::Call(call) => match call.callee {
                Callee::Proc(callee) => Some(callee),
                Callee::Pointer(_) | Callee::Library(_) => None,
            },
            _ => None,
        }
    }

    /// The type and the address of what it writes to memory, if it does so itself.
    pub fn stored(&self) -> Option<(Type, &Expr)> {
        match self {
            Op::Assign(Place::Mem(ty, address), _) | Op::Havoc(Place::Mem(ty, address), _) => {
                Some((*ty, address))
            }
            Op::Assign(Place::Var(_), _) | Op::Havoc(Place::Var(_), _) => None,
            Op::Skip | Op::Assume(_) | Op::Call(_) | Op::Return(_) | Op::Halt(_) => None,
            Op::Enter(_) | Op::Leave(_) | Op::Unsupported(_) => None,
        }
    }

    /// The expressions it evaluates besides the address of what it writes to memory.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        let addresses = usize::from(self.stored().is_some());
        self.exprs().into_iter().skip(addresses)
    }

    /// The variable it writes, if it writes one itself (a callee may write globals).
    pub fn written(&self) -> Option<VarId> {
        written!(self).copied()
    }

    /// The same, to change.
    pub fn written_mut(&mut self) -> Option<&mut VarId> {
        written!(self)
    }

    /// The variables it reads, with repetitions.
    pub fn read(&self) -> Vec<VarId> {
        self.exprs().into_iter().flat_map(Expr::vars).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retain_compacts_and_says_where_things_went() {
        let mut procedure = Procedure::new("f", None, Span::NONE);
        let (entry, exit) = (procedure.entry, procedure.exit);
        let dead = procedure.add_location(Span::NONE);
        let live = procedure.add_location(Span::NONE);
        let gone = procedure.add_edge(dead, live, Op::Skip, Span::NONE);
        let first = procedure.add_edge(entry, live, Op::Skip, Span::NONE);
        let last = procedure.add_edge(live, exit, Op::Return(None), Span::NONE);
        let moved = procedure.retain(&procedure.reachable());
        assert_eq!(procedure.locations.len(), 3);
        assert_eq!(moved.locations[dead], None);
        assert_eq!(moved.edges[gone], None);
        let (first, last) = (moved.edges[first].unwrap(), moved.edges[last].unwrap());
        assert_eq!(procedure.edges[first].target, procedure.edges[last].source);
        assert_eq!(procedure.incoming()[procedure.exit], [last]);
        assert_eq!(procedure.edges.len(), 2);
    }
}
