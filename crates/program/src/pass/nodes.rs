//! Lists and trees on the heap, as numbers and arrays.
//!
//! Nodes of a kind ([`kinds`]) are numbered in the order in which they are allocated, from one; a
//! pointer to a node becomes its number, null zero, and each field an array over the numbers. A
//! node never gets the number of another, even if that was freed. So a program with lists becomes
//! one with arrays, whose cells can be tracked ([`cells`](super::cells)).
//!
//! What holds for pointers by their kind is asserted where one is read from a field: it is null or
//! the number of a node that was allocated. If a field is set only once, in a new node, to a
//! pointer that existed before, its numbers are less than that of the node: such nodes form no
//! cycle. A node that is dereferenced is not null.
//!
//! Proofs may be about the result, so this is trusted: `docs/decisions/0030`.
//!
//! # Invariants
//! - Variables, objects, sites, locations and edges of the old program keep their ids; pointers to
//!   nodes become integers. A run that was at an old location with no op half done is there now.
//! - Defined runs stay, with the same inputs except for those of indeterminate fields, as long as
//!   there are numbers. Undefined runs may continue.
//! - There are numbers for all nodes that fit into the address space. If nodes are freed, a run may
//!   allocate more than that, one after the other: with 64-bit addresses that takes longer than any
//!   run; with fewer bits such nodes are left as they are.

mod kinds;
#[cfg(test)]
mod tests;

use crate::expr::{BinaryOp, Constant, Expr, Type};
use crate::ir::*;
use crate::pass::callgraph::CallGraph;
use crate::pass::common_reads::common_reads;
use crate::pass::scalarise::must_facts::{Facts, MustFacts};
use crate::pass::scalarise::resolve::resolve_places;
use crate::pass::steps::Steps;
use crate::validate::check_invariants;
use base::Span;
use kinds::{Kind, Kinds, is_field};
use logic::{IntType, IntValue};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Says whether a node is alive.
const FLAG: IntType = IntType::unsigned(8);

/// The program with nodes as numbers, no more of a kind than there may be; none if it has no nodes.
pub fn numbered(program: &Program, most: u64) -> Option<Program> {
    if program.asks_for_leaks() {
        return None;
    }
    let graph = CallGraph::new(program);
    let reachable = graph.reachable(program);
    let program = &resolve_places(program, &reachable, &is_field);
    let kinds = Kinds::find(program);
    let mut result = program.clone();
    let mut arrays: BTreeMap<usize, Arrays> = BTreeMap::new();
    let used = kinds.used();
    if !used.iter().any(|&kind| kinds.kinds[kind].size > 0) {
        return None;
    }
    for kind in used {
        let most = largest(program, &kinds.kinds[kind])?.min(most);
        arrays.insert(kind, Arrays::new(&mut result, &kinds.kinds[kind], most));
    }
    let numbering = Numbering {
        old: &program.procs[program.entry],
        proc: program.entry,
        number: program.offset_type(),
        descending: descending(&program.procs[program.entry], &kinds),
        kinds,
        arrays,
    };
    numbering.rewrite(&mut result);
    check_invariants(&result, "numbering nodes");
    Some(result)
}

/// How many numbers there are for nodes of a kind, if that is enough: offsets in the arrays must fit
/// their type.
fn largest(program: &Program, kind: &Kind) -> Option<u64> {
    let bytes = |ty: &Type| ty.bytes(program.pointer_bytes);
    let widest = kind.fields.values().map(bytes).max().unwrap_or(1);
    let is_enough = kind.size == 0 || 2 * widest <= kind.size;
    let is_enough = is_enough && (!kind.freed || program.pointer_bytes == 8);
    let half = 1_u64 << (u32::from(program.pointer_bytes) * 8 - 1);
    is_enough.then_some(half / widest)
}

/// The fields whose pointers lead to nodes with lower numbers.
fn descending(procedure: &Procedure, kinds: &Kinds) -> BTreeSet<(usize, u64)> {
    // The allocations of which the node is the newest, and no pointer was set since.
    let edges: Vec<EdgeId> = (procedure.edges.iter_enumerated())
        .filter(|(_, edge)| kinds.allocated(&edge.op).is_some())
        .map(|(id, _)| id)
        .collect();
    let new = MustFacts::new(procedure, Facts::default(), &|id, op, facts| {
        if op.written().is_some_and(|var| kinds.of.contains_key(&var)) {
            *facts = Facts::default();
        }
        if let Some(fact) = edges.iter().position(|&edge| edge == id) {
            facts.insert(fact);
        }
    });
    let mut result = BTreeSet::new();
    for kind in kinds.used() {
        let targets = kinds.kinds[kind].targets.iter();
        let own = targets.filter(|(_, target)| **target == kind);
        result.extend(own.map(|(&offset, _)| (kind, offset)));
    }
    for edge in procedure.edges.iter() {
        let Op::Assign(Place::Mem(Type::Ptr, address), value) = &edge.op else {
            continue;
        };
        let Some(place) = kinds.place(address) else {
            continue;
        };
        let is_new = edges.iter().enumerate().any(|(fact, &id)| {
            let var = procedure.edges[id].op.written();
            let is_this = var.is_some_and(|var| *place.pointer == Expr::Var(var));
            let is_other = match value {
                Expr::Var(value) => Some(*value) != var,
                _ => false,
            };
            is_this && is_other && new.holds(edge.source, fact)
        });
        if !is_new && *value != Expr::null() {
            result.remove(&(place.kind, place.offset));
        }
    }
    result
}

/// What stands for the nodes of a kind.
struct Arrays {
    /// The number of the node that was allocated last.
    last: VarId,
    most: u64,
    fields: BTreeMap<u64, ObjectId>,
    /// Which are alive, where that is asked and may change.
    alive: Option<ObjectId>,
}

impl Arrays {
    fn new(program: &mut Program, kind: &Kind, most: u64) -> Arrays {
        let (entry, number) = (program.entry, program.offset_type());
        let last = program.add_local(entry, "$nodes", Type::Int(number), Span::NONE);
        let mut array = |name: String, ty: Type| {
            let bytes = ty.bytes(program.pointer_bytes);
            program.objects.push(Object {
                name: name.into(),
                size: most.saturating_mul(bytes),
                align: bytes,
                scope: Scope::Global,
                read_only: false,
                init: ObjectInit::default(),
                contents: None,
                span: Span::NONE,
            })
        };
        let fields = kind.fields.iter();
        Arrays {
            last,
            most,
            fields: fields
                .map(|(&offset, &ty)| (offset, array(format!("$node+{offset}"), ty)))
                .collect(),
            alive: (kind.freed && kind.asked).then(|| array("$alive".to_owned(), Type::Int(FLAG))),
        }
    }
}

struct Numbering<'p> {
    old: &'p Procedure,
    proc: ProcId,
    /// The type of numbers.
    number: IntType,
    kinds: Kinds,
    arrays: BTreeMap<usize, Arrays>,
    descending: BTreeSet<(usize, u64)>,
}

/// What stands for pointers that were read.
type Held = FxHashMap<Expr, VarId>;

impl Numbering<'_> {
    fn rewrite(&self, program: &mut Program) {
        for &var in self.kinds.of.keys() {
            let row = &mut program.vars[var];
            row.ty = Type::Int(self.number);
            row.init = row.init.map(|_| self.zero());
        }
        for at in self.old.locations.ids() {
            self.location(program, at);
        }
        let entry = &mut program.procs[self.proc];
        for arrays in self.arrays.values() {
            let none = Op::Assign(Place::Var(arrays.last), Expr::Const(self.zero()));
            entry.begin_with(none);
        }
    }

    fn zero(&self) -> Constant {
        Constant::Int(IntValue::wrap(self.number, 0))
    }

    /// Reads, before the ops of a location, the pointers that all of them surely read.
    fn location(&self, program: &mut Program, at: LocationId) {
        let out = self.old.locations[at].out.clone();
        let Some(mut steps) = Steps::before(program, self.proc, at) else {
            return;
        };
        let is_place = |address: &Expr| self.kinds.place(address).is_some();
        let mut held = Held::default();
        let mut not_null: Vec<Expr> = Vec::new();
        for read in common_reads(self.old, at, &is_place) {
            let Expr::Load(_, address) = read else {
                continue;
            };
            let node = self.follow(&mut steps, address, &held, &mut not_null);
            if let Some((kind, offset, node)) = node
                && !held.contains_key(read)
                && let Some(target) = self.kinds.kinds[kind].targets.get(&offset)
            {
                let var = steps.local("$node", Type::Int(self.number));
                let value = self.read(address, &held);
                steps.op(Op::Assign(Place::Var(var), value));
                let last = Expr::Var(self.arrays[target].last);
                let is_node = Expr::arith(BinaryOp::Le, self.number, Expr::Var(var), last);
                let range = Expr::and(self.arith(BinaryOp::Ge, Expr::Var(var), 0), is_node);
                steps.op(Op::Assume(range));
                if self.descending.contains(&(kind, offset)) {
                    let less = Expr::arith(BinaryOp::Lt, self.number, Expr::Var(var), node);
                    steps.op(Op::Assume(less));
                }
                held.insert(read.clone(), var);
            }
        }
        if let [id] = out[..]
            && let Some((_, address)) = self.old.edges[id].op.stored()
        {
            self.follow(&mut steps, address, &held, &mut not_null);
        }
        steps.go_on(&out);
        for edge in out {
            self.edge(program, edge, &held);
        }
    }

    /// Says that what an address is in is a node; the kind, the offset and the number of the node.
    fn follow(
        &self,
        steps: &mut Steps<'_>,
        address: &Expr,
        held: &Held,
        not_null: &mut Vec<Expr>,
    ) -> Option<(usize, u64, Expr)> {
        let place = self.kinds.place(address)?;
        let node = self.node(place.pointer, held);
        if !not_null.contains(&node) {
            steps.op(Op::Assume(self.arith(BinaryOp::Ge, node.clone(), 1)));
            not_null.push(node.clone());
        }
        Some((place.kind, place.offset, node))
    }

    /// An operation on a number and a constant.
    fn arith(&self, op: BinaryOp, left: Expr, right: i128) -> Expr {
        Expr::arith(op, self.number, left, Expr::int(self.number, right))
    }

    fn edge(&self, program: &mut Program, id: EdgeId, held: &Held) {
        let old = &self.old.edges[id].op;
        if let Some((kind, is_zero)) = self.kinds.allocated(old) {
            return self.allocate(program, id, kind, is_zero);
        }
        let new = match old {
            Op::Call(call)
                if call.callee == Callee::Library(Library::Free)
                    && self.kinds.of(&call.args[0]).is_some() =>
            {
                self.free(&call.args[0], held)
            }
            Op::Assign(Place::Var(var), value) if self.kinds.of.contains_key(var) => {
                Op::Assign(Place::Var(*var), self.node(value, held))
            }
            Op::Assign(Place::Mem(ty, address), value)
                if let Some(element) = self.element(address, held) =>
            {
                let (ty, value) = match ty {
                    Type::Ptr => (Type::Int(self.number), self.node(value, held)),
                    _ => (*ty, self.expr(value, held)),
                };
                Op::Assign(Place::Mem(ty, element), value)
            }
            Op::Havoc(Place::Mem(ty, address), site)
                if let Some(element) = self.element(address, held) =>
            {
                Op::Havoc(Place::Mem(*ty, element), *site)
            }
            _ => old.with_exprs(|expr| self.expr(expr, held)),
        };
        program.procs[self.proc].edges[id].op = new;
    }

    /// The next number, and what its fields are at first.
    fn allocate(&self, program: &mut Program, id: EdgeId, kind: usize, is_zero: bool) {
        let (arrays, edge) = (&self.arrays[&kind], &self.old.edges[id]);
        let var = edge.op.written();
        let var = var.expect("an allocation should have a result");
        let last = Expr::Var(arrays.last);
        let is_left = self.arith(BinaryOp::Lt, last.clone(), i128::from(arrays.most) - 1);
        program.procs[self.proc].edges[id].op = Op::Assume(is_left);
        let mut steps = Steps::after(program, self.proc, id);
        let next = self.arith(BinaryOp::Add, last.clone(), 1);
        steps.op(Op::Assign(Place::Var(arrays.last), next));
        steps.op(Op::Assign(Place::Var(var), last));
        for (&offset, &ty) in &self.kinds.kinds[kind].fields {
            if !is_zero && !self.kinds.is_set_first(self.old, edge, offset) {
                let name = "indeterminate";
                let site = (steps.program).add_site(SiteKind::Outside, ty, name, Span::NONE);
                let element = self.at(arrays.fields[&offset], ty, Expr::Var(var));
                steps.op(Op::Havoc(Place::Mem(ty, element), site));
            }
        }
        if let Some(alive) = arrays.alive {
            steps.op(self.set_alive(alive, Expr::Var(var), 1));
        }
        steps.end(edge.target);
    }

    fn free(&self, pointer: &Expr, held: &Held) -> Op {
        let kind = self.kinds.of(pointer);
        let kind = kind.expect("what is freed should be a node");
        match self.arrays[&kind].alive {
            Some(alive) => self.set_alive(alive, self.node(pointer, held), 0),
            None => Op::Skip,
        }
    }

    /// Says whether a node is alive.
    fn set_alive(&self, alive: ObjectId, node: Expr, flag: i128) -> Op {
        let place = Place::Mem(Type::Int(FLAG), self.at(alive, Type::Int(FLAG), node));
        Op::Assign(place, Expr::int(FLAG, flag))
    }

    /// The address of an element of an array.
    fn at(&self, array: ObjectId, ty: Type, number: Expr) -> Expr {
        let bytes = i128::from(ty.bytes(self.number.bits / 8));
        let bytes = Expr::int(self.number, bytes);
        let by = Expr::arith(BinaryOp::Mul, self.number, number, bytes);
        Expr::offset(Expr::Object(array), by)
    }

    /// What an address in a node becomes.
    fn element(&self, address: &Expr, held: &Held) -> Option<Expr> {
        let place = self.kinds.place(address)?;
        let ty = self.kinds.kinds[place.kind].fields[&place.offset];
        let array = self.arrays[&place.kind].fields[&place.offset];
        Some(self.at(array, ty, self.node(place.pointer, held)))
    }

    /// The number that is read at an address in a node.
    fn read(&self, address: &Expr, held: &Held) -> Expr {
        let element = self.element(address, held);
        let element = element.expect("what is read should be in a node");
        Expr::load(Type::Int(self.number), element)
    }

    /// The number of the node that a pointer points to.
    fn node(&self, pointer: &Expr, held: &Held) -> Expr {
        match pointer {
            Expr::Const(_) => Expr::Const(self.zero()),
            Expr::Load(_, address) => match held.get(pointer) {
                Some(&var) => Expr::Var(var),
                None => self.read(address, held),
            },
            Expr::Select(condition, then, otherwise) => Expr::select(
                self.expr(condition, held),
                self.node(then, held),
                self.node(otherwise, held),
            ),
            pointer => pointer.clone(),
        }
    }

    /// An expression whose value is not a pointer to a node.
    fn expr(&self, expr: &Expr, held: &Held) -> Expr {
        match expr {
            Expr::Load(ty, address) if let Some(element) = self.element(address, held) => {
                Expr::load(*ty, element)
            }
            Expr::Binary(op, Type::Ptr, left, right)
                if self.kinds.of(left).is_some() || self.kinds.of(right).is_some() =>
            {
                let (left, right) = (self.node(left, held), self.node(right, held));
                Expr::arith(*op, self.number, left, right)
            }
            Expr::Valid(address, size, _) if let Some(place) = self.kinds.place(address) => {
                let kind = &self.kinds.kinds[place.kind];
                let size = size.integer().and_then(IntValue::to_i128);
                let end = size.map(|size| size + i128::from(place.offset));
                let fits = end.is_some_and(|end| end <= i128::from(kind.size));
                let node = self.node(place.pointer, held);
                let is_node = self.arith(BinaryOp::Ge, node.clone(), 1);
                let is_valid = Expr::and(is_node, self.is_alive(place.kind, node));
                Expr::and(Expr::bool(fits), is_valid)
            }
            Expr::Freeable(pointer) if let Some(kind) = self.kinds.of(pointer) => {
                let node = self.node(pointer, held);
                let is_null = self.arith(BinaryOp::Eq, node.clone(), 0);
                Expr::or(is_null, self.is_alive(kind, node))
            }
            _ => expr.with_children(|part| self.expr(part, held)),
        }
    }

    /// Whether a node that is not null is alive.
    fn is_alive(&self, kind: usize, node: Expr) -> Expr {
        match self.arrays[&kind].alive {
            Some(alive) => {
                let flag = Expr::load(Type::Int(FLAG), self.at(alive, Type::Int(FLAG), node));
                Expr::arith(BinaryOp::Ne, FLAG, flag, Expr::int(FLAG, 0))
            }
            None => Expr::bool(true),
        }
    }
}
