//! Which heap objects are nodes: those reached only through pointers, field by field.
//!
//! Pointers that may be equal, and pointers in the fields of what they point to, are of one *kind*
//! (Steensgaard's analysis, with fields).
//!
//! # Invariants
//! - All uses of a pointer of a kind are in the entry procedure. It is null, the result of an
//!   allocation of the kind, or another pointer of the kind; it is dereferenced, copied, freed,
//!   compared for equality and checked for validity, and does not escape otherwise.
//! - Every allocation of a kind has the same size, a constant. Accesses are to fields that do not
//!   overlap, each of one type.
//! - A pointer is set before it is read, in variables and in fields.
//! - If nodes are freed, two pointers are not compared with each other: an address may be reused.

use crate::expr::{BinaryOp, Constant, Expr, Type};
use crate::ir::*;
use crate::pass::callgraph::CallGraph;
use crate::pass::liveness::Liveness;
use logic::IntValue;
use std::collections::{BTreeMap, BTreeSet};

/// A kind of node.
#[derive(Clone, Debug, Default)]
pub(super) struct Kind {
    /// Bytes of a node; zero if nothing allocates any, and all pointers are null.
    pub(super) size: u64,
    /// The fields that are accessed, by their offsets.
    pub(super) fields: BTreeMap<u64, Type>,
    /// The kinds that pointers in fields are of.
    pub(super) targets: BTreeMap<u64, usize>,
    /// Whether nodes are freed.
    pub(super) freed: bool,
    /// Whether it is asked if nodes are valid.
    pub(super) asked: bool,
}

/// The kinds of nodes of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    pub(super) kinds: Vec<Kind>,
    pub(super) of: BTreeMap<VarId, usize>,
}

/// An address in a node: of a kind, at an offset, from the start that a pointer has.
pub(super) struct NodePlace<'e> {
    pub(super) kind: usize,
    pub(super) offset: u64,
    pub(super) pointer: &'e Expr,
}

impl Kinds {
    /// The kinds of nodes of a program.
    pub(super) fn find(program: &Program) -> Kinds {
        let graph = CallGraph::new(program);
        let reachable = graph.reachable(program);
        let entry = program.entry;
        if !graph.callers[entry].is_empty() {
            return Kinds::default();
        }
        let mut survey = Survey::new(program);
        for (proc, _, edge) in program.edges().filter(|(proc, ..)| reachable[*proc]) {
            match proc == entry {
                true => survey.op(&edge.op),
                false => survey.refuse_all(&edge.op),
            }
        }
        let live = Liveness::new(program);
        for var in live.live_at(entry, program.procs[entry].entry).iter() {
            if program.vars[var].scope != Scope::Global {
                survey.refuse_var(var);
            }
        }
        let mut kinds = survey.kinds();
        while let Some(kind) = kinds.read_before_set(&program.procs[entry]) {
            kinds.drop_with(kind);
        }
        kinds
    }

    /// The kinds that there are pointers to, in variables or in fields.
    pub(super) fn used(&self) -> BTreeSet<usize> {
        let mut used: BTreeSet<usize> = BTreeSet::new();
        let mut open: Vec<usize> = self.of.values().copied().collect();
        while let Some(kind) = open.pop() {
            if used.insert(kind) {
                open.extend(self.kinds[kind].targets.values());
            }
        }
        used
    }

    /// What a pointer, by its text, points to.
    pub(super) fn of(&self, pointer: &Expr) -> Option<usize> {
        match pointer {
            Expr::Var(var) => self.of.get(var).copied(),
            Expr::Load(Type::Ptr, address) => {
                let place = self.place(address)?;
                self.kinds[place.kind].targets.get(&place.offset).copied()
            }
            Expr::Select(_, then, otherwise) => self.of(then).or_else(|| self.of(otherwise)),
            _ => None,
        }
    }

    /// An address as one in a node.
    pub(super) fn place<'e>(&self, address: &'e Expr) -> Option<NodePlace<'e>> {
        let (pointer, offset) = pointer_and_offset(address)?;
        let kind = self.of(pointer)?;
        Some(NodePlace {
            kind,
            offset,
            pointer,
        })
    }

    /// What an op allocates: the kind, and whether it is zero.
    pub(super) fn allocated(&self, op: &Op) -> Option<(usize, bool)> {
        let (var, _, is_zero) = allocation(op)?;
        Some((*self.of.get(&var)?, is_zero))
    }

    /// A kind of which a node may come to have a pointer that is read before it is set.
    fn read_before_set(&self, procedure: &Procedure) -> Option<usize> {
        for edge in procedure.edges.iter() {
            if let Some((kind, false)) = self.allocated(&edge.op) {
                let mut pointers = self.kinds[kind].targets.keys();
                if !pointers.all(|&offset| self.is_set_first(procedure, edge, offset)) {
                    return Some(kind);
                }
            }
        }
        None
    }

    /// Whether, on all paths from an allocation, a field of the new node is set before that field is
    /// read in any, and before the variable that has its address has another. The address of a new
    /// node is not null.
    pub(super) fn is_set_first(
        &self,
        procedure: &Procedure,
        allocation: &Edge,
        offset: u64,
    ) -> bool {
        let (Some((kind, _)), Some(var)) =
            (self.allocated(&allocation.op), allocation.op.written())
        else {
            return false;
        };
        let mut seen = BTreeSet::from([allocation.target]);
        let mut open = vec![allocation.target];
        while let Some(at) = open.pop() {
            for &id in &procedure.locations[at].out {
                let edge = &procedure.edges[id];
                if is_null(&edge.op, var) {
                    continue;
                }
                let mut exprs = edge.op.exprs().into_iter();
                if exprs.any(|expr| self.reads(expr, kind, offset))
                    || edge.op.written() == Some(var)
                {
                    return false;
                }
                if !self.sets(&edge.op, var, offset) && seen.insert(edge.target) {
                    open.push(edge.target);
                }
            }
        }
        true
    }

    fn reads(&self, expr: &Expr, kind: usize, offset: u64) -> bool {
        expr.any(&|part| match part {
            Expr::Load(_, address) => {
                let place = self.place(address);
                place.is_some_and(|place| (place.kind, place.offset) == (kind, offset))
            }
            _ => false,
        })
    }

    /// Whether an op sets a field of the node whose address a variable has.
    fn sets(&self, op: &Op, var: VarId, offset: u64) -> bool {
        let place = op.stored().and_then(|(_, address)| self.place(address));
        place.is_some_and(|place| *place.pointer == Expr::Var(var) && place.offset == offset)
    }

    /// Drops a kind, and all that have pointers to it or that it has pointers to.
    fn drop_with(&mut self, kind: usize) {
        let mut dropped = BTreeSet::from([kind]);
        loop {
            let before = dropped.len();
            for (number, row) in self.kinds.iter().enumerate() {
                let mut near = row.targets.values().copied().chain([number]);
                if near.any(|kind| dropped.contains(&kind)) {
                    dropped.insert(number);
                    dropped.extend(row.targets.values());
                }
            }
            if dropped.len() == before {
                break;
            }
        }
        self.of.retain(|_, kind| !dropped.contains(kind));
        for kind in dropped {
            self.kinds[kind] = Kind::default();
        }
    }
}

/// Whether an op says that a pointer is null.
fn is_null(op: &Op, var: VarId) -> bool {
    let pair = |left: &Expr, right: &Expr| *left == Expr::Var(var) && *right == Expr::null();
    match op {
        Op::Assume(Expr::Binary(BinaryOp::Eq, Type::Ptr, left, right)) => {
            pair(left, right) || pair(right, left)
        }
        _ => false,
    }
}

/// The variable that an op gives the address of a new heap object of a fixed size, the size, and
/// whether the object is zero.
fn allocation(op: &Op) -> Option<(VarId, u64, bool)> {
    let Op::Call(call) = op else {
        return None;
    };
    let number = |arg: &Expr| arg.integer().and_then(IntValue::to_u64);
    match (&call.callee, &call.args[..]) {
        (Callee::Library(Library::Malloc), [size]) => Some((call.result?, number(size)?, false)),
        (Callee::Library(Library::Calloc), [count, size]) => {
            let size = number(count)?.checked_mul(number(size)?)?;
            Some((call.result?, size, true))
        }
        _ => None,
    }
}

/// An address as a pointer, moved by a constant that is not negative.
fn pointer_and_offset(address: &Expr) -> Option<(&Expr, u64)> {
    match address {
        Expr::Offset(base, by) => {
            let (pointer, offset) = pointer_and_offset(base)?;
            let by = by.integer()?.to_i128()? as i64;
            Some((pointer, offset.checked_add_signed(by)?))
        }
        Expr::Var(_) | Expr::Load(..) | Expr::Select(..) => Some((address, 0)),
        _ => None,
    }
}

/// Whether an address is that of a field in what a variable points to.
pub(super) fn is_field(address: &Expr) -> bool {
    let start = pointer_and_offset(address);
    start.is_some_and(|(pointer, _)| matches!(pointer, Expr::Var(_)) && pointer != address)
}

/// What is known about one kind while the program is looked at.
#[derive(Clone, Default)]
struct KindFacts {
    kind: Kind,
    size: Option<u64>,
    is_refused: bool,
    is_compared: bool,
}

/// Looks at every use of every pointer. Kinds are joined as pointers turn out to be of one.
struct Survey<'p> {
    program: &'p Program,
    /// The kind that each is part of now.
    joined: Vec<usize>,
    found: Vec<KindFacts>,
    of: BTreeMap<VarId, usize>,
}

impl<'p> Survey<'p> {
    fn new(program: &'p Program) -> Survey<'p> {
        Survey {
            program,
            joined: Vec::new(),
            found: Vec::new(),
            of: BTreeMap::new(),
        }
    }

    fn new_kind(&mut self) -> usize {
        self.joined.push(self.joined.len());
        self.found.push(KindFacts::default());
        self.joined.len() - 1
    }

    fn now(&self, mut kind: usize) -> usize {
        while self.joined[kind] != kind {
            kind = self.joined[kind];
        }
        kind
    }

    fn found(&mut self, kind: usize) -> &mut KindFacts {
        let now = self.now(kind);
        &mut self.found[now]
    }

    fn of_var(&mut self, var: VarId) -> usize {
        if let Some(&kind) = self.of.get(&var) {
            return kind;
        }
        let kind = self.new_kind();
        self.of.insert(var, kind);
        kind
    }

    fn refuse(&mut self, kind: usize) {
        self.found(kind).is_refused = true;
    }

    fn refuse_var(&mut self, var: VarId) {
        if self.program.vars[var].ty == Type::Ptr {
            let kind = self.of_var(var);
            self.refuse(kind);
        }
    }

    /// An op of another procedure: whatever it names is refused.
    fn refuse_all(&mut self, op: &Op) {
        let vars = op.read().into_iter().chain(op.written());
        vars.for_each(|var| self.refuse_var(var));
    }

    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.now(left), self.now(right));
        if left == right {
            return;
        }
        self.joined[right] = left;
        let other = std::mem::take(&mut self.found[right]);
        let found = &mut self.found[left];
        found.is_refused |= other.is_refused;
        found.is_compared |= other.is_compared;
        found.kind.freed |= other.kind.freed;
        found.kind.asked |= other.kind.asked;
        let targets: Vec<_> = other.kind.targets.into_iter().collect();
        if let Some(size) = other.size {
            self.allocate(left, size);
        }
        for (offset, ty) in other.kind.fields {
            self.field(left, offset, ty);
        }
        for (offset, kind) in targets {
            // Joining others may have made this part of another.
            let mine = *self.found(left).kind.targets.entry(offset).or_insert(kind);
            self.join(mine, kind);
        }
    }

    fn allocate(&mut self, kind: usize, size: u64) {
        let found = self.found(kind);
        found.is_refused |= found.size.is_some_and(|known| known != size);
        found.size = Some(size);
    }

    fn field(&mut self, kind: usize, offset: u64, ty: Type) {
        let found = self.found(kind);
        let known = *found.kind.fields.entry(offset).or_insert(ty);
        found.is_refused |= known != ty;
    }

    /// The kind that the pointer at an offset is of.
    fn target(&mut self, kind: usize, offset: u64) -> usize {
        if let Some(&target) = self.found(kind).kind.targets.get(&offset) {
            return target;
        }
        let target = self.new_kind();
        self.found(kind).kind.targets.insert(offset, target);
        target
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Assign(Place::Var(var), value) if self.program.vars[*var].ty == Type::Ptr => {
                let kind = self.of_var(*var);
                self.flow(Some(kind), value);
            }
            Op::Assign(Place::Mem(Type::Ptr, address), value) => {
                let kind = self.access(Type::Ptr, address);
                self.flow(kind, value);
            }
            Op::Assign(Place::Mem(ty, address), value) => {
                self.access(*ty, address);
                self.expr(value);
            }
            Op::Havoc(Place::Mem(ty, address), _) => {
                if let Some(kind) = self.access(*ty, address) {
                    self.refuse(kind);
                }
            }
            Op::Havoc(Place::Var(var), _) => self.refuse_var(*var),
            Op::Call(call) => self.call(op, call),
            Op::Skip
            | Op::Assign(Place::Var(_), _)
            | Op::Assume(_)
            | Op::Return(_)
            | Op::Halt(_)
            | Op::Enter(_)
            | Op::Leave(_)
            | Op::Unsupported(_) => op.exprs().into_iter().for_each(|expr| self.expr(expr)),
        }
    }

    fn call(&mut self, op: &Op, call: &Call) {
        if let Some((var, size, _)) = allocation(op) {
            let kind = self.of_var(var);
            return self.allocate(kind, size);
        }
        if let (Callee::Library(Library::Free), [pointer]) = (&call.callee, &call.args[..])
            && let Some((kind, 0)) = self.start(pointer)
        {
            self.found(kind).kind.freed = true;
            return;
        }
        op.exprs().into_iter().for_each(|expr| self.expr(expr));
        if let Some(var) = call.result {
            self.refuse_var(var);
        }
    }

    /// A pointer that goes into one of a kind, or where it is not followed.
    fn flow(&mut self, into: Option<usize>, pointer: &Expr) {
        match (pointer, into) {
            (Expr::Const(Constant::Null), _) => {}
            (Expr::Select(condition, then, otherwise), _) => {
                self.expr(condition);
                self.flow(into, then);
                self.flow(into, otherwise);
            }
            (Expr::Var(_) | Expr::Load(..), _) => match (self.kind(pointer), into) {
                (Some(kind), Some(into)) => self.join(into, kind),
                (Some(kind), None) | (None, Some(kind)) => self.refuse(kind),
                (None, None) => {}
            },
            (_, _) => {
                if let Some(into) = into {
                    self.refuse(into);
                }
                pointer.children().for_each(|child| self.expr(child));
            }
        }
    }

    /// The kind that a variable or a field is of.
    fn kind(&mut self, pointer: &Expr) -> Option<usize> {
        match pointer {
            Expr::Var(var) => Some(self.of_var(*var)),
            Expr::Load(ty, address) => self.access(*ty, address),
            _ => None,
        }
    }

    /// The kind that an address starts from, and the offset.
    fn start(&mut self, address: &Expr) -> Option<(usize, u64)> {
        let (pointer, offset) = pointer_and_offset(address)?;
        Some((self.kind(pointer)?, offset))
    }

    /// An access; the kind that a pointer there is of.
    fn access(&mut self, ty: Type, address: &Expr) -> Option<usize> {
        let Some((kind, offset)) = self.start(address) else {
            self.other_address(address);
            return None;
        };
        self.field(kind, offset, ty);
        (ty == Type::Ptr).then(|| self.target(kind, offset))
    }

    /// An address that is none in a node.
    fn other_address(&mut self, address: &Expr) {
        match address {
            Expr::Object(_) | Expr::Proc(_) | Expr::Const(_) => {}
            Expr::Offset(base, by) => {
                self.other_address(base);
                self.expr(by);
            }
            _ => self.flow(None, address),
        }
    }

    /// An expression whose value, if it is a pointer, is not followed.
    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Load(ty, address) => {
                if let Some(kind) = self.access(*ty, address) {
                    self.refuse(kind);
                }
            }
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, Type::Ptr, left, right) => {
                let kind = self.new_kind();
                self.flow(Some(kind), left);
                self.flow(Some(kind), right);
                let is_null = |side: &Expr| *side == Expr::null();
                self.found(kind).is_compared |= !is_null(left) && !is_null(right);
            }
            Expr::Valid(address, size, _) if size.constant().is_some() => {
                match self.start(address) {
                    Some((kind, _)) => self.found(kind).kind.asked = true,
                    None => self.other_address(address),
                }
            }
            Expr::Freeable(pointer) => match self.start(pointer) {
                Some((kind, 0)) => self.found(kind).kind.asked = true,
                Some((kind, _)) => self.refuse(kind),
                None => self.other_address(pointer),
            },
            Expr::Var(var) => self.refuse_var(*var),
            Expr::Const(_)
            | Expr::Object(_)
            | Expr::Proc(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Offset(..)
            | Expr::Cast(..)
            | Expr::Select(..)
            | Expr::Overflows(..)
            | Expr::Valid(..) => expr.children().for_each(|child| self.expr(child)),
        }
    }

    /// The kinds that are left, with numbers of their own.
    fn kinds(self) -> Kinds {
        let bytes = |ty: Type| ty.bytes(self.program.pointer_bytes);
        let mut kinds = Kinds::default();
        let mut refused = Vec::new();
        for (number, found) in self.found.iter().enumerate() {
            let mut kind = found.kind.clone();
            kind.size = found.size.unwrap_or(0);
            for target in kind.targets.values_mut() {
                *target = self.now(*target);
            }
            let mut end = 0;
            let mut overlaps = false;
            for (&offset, &ty) in &kind.fields {
                overlaps |= offset < end;
                end = offset.saturating_add(bytes(ty));
            }
            if found.is_refused
                || overlaps
                || end > kind.size && found.size.is_some()
                || kind.freed && found.is_compared
            {
                refused.push(number);
            }
            kinds.kinds.push(kind);
        }
        for (&var, &kind) in &self.of {
            kinds.of.insert(var, self.now(kind));
        }
        refused.into_iter().for_each(|kind| kinds.drop_with(kind));
        kinds
    }
}
