//! Makes ops maintain the variables of tracked cells, and read them.
//!
//! What an op reads from an array is first put into a variable, of which there is one for each
//! address expression; while that is unchanged, on all paths, it is not read again. So two reads of
//! one element are the same value even if the cell is not tracked.

use super::arrays::{hits, inside, is_allocation};
use super::{Array, ArrayPlace, Arrays, Tracked};
use crate::expr::{Expr, Type};
use crate::ir::*;
use crate::pass::common_reads::common_reads;
use crate::pass::scalarise::must_facts::{Facts, MustFacts};
use crate::pass::steps::Steps;
use base::{IdVec, Span};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Rewrites the entry procedure of the program.
pub(super) fn rewrite(
    arrays: &Arrays,
    tracked: &BTreeMap<Array, Vec<Tracked>>,
    program: &mut Program,
) {
    let proc = arrays.program.entry;
    let old = &arrays.program.procs[proc];
    let mut rewriting = Rewriting {
        arrays,
        tracked,
        old,
        proc,
        known: Vec::new(),
        numbers: FxHashMap::default(),
        ahead: IdVec::filled(Vec::new(), old.locations.len()),
    };
    rewriting.number_reads(program);
    let held = rewriting.held();
    for at in old.locations.ids() {
        rewriting.location(program, at, &held);
    }
}

/// An address whose element a variable may hold.
struct Known {
    array: Array,
    address: Expr,
    var: VarId,
}

/// Rewrites one procedure.
struct Rewriting<'a> {
    arrays: &'a Arrays,
    tracked: &'a BTreeMap<Array, Vec<Tracked>>,
    old: &'a Procedure,
    proc: ProcId,
    /// The addresses that are named without reading memory.
    known: Vec<Known>,
    numbers: FxHashMap<Expr, usize>,
    /// For each location: what all edges read that leave it, the inner reads first.
    ahead: IdVec<LocationId, Vec<Expr>>,
}

/// What stands for reads.
type Held = FxHashMap<Expr, VarId>;

impl<'a> Rewriting<'a> {
    /// The place of an address in an array with tracked cells.
    fn place<'e>(&self, address: &'e Expr) -> Option<ArrayPlace<'e>> {
        let place = ArrayPlace::of(address)?;
        self.tracked.contains_key(&place.array).then_some(place)
    }

    /// Says what is read ahead, and gives numbers to the addresses.
    fn number_reads(&mut self, program: &mut Program) {
        for (at, row) in self.old.locations.iter_enumerated() {
            let is_place = |address: &Expr| self.place(address).is_some();
            let common = common_reads(self.old, at, &is_place);
            for &id in &row.out {
                if let Some((_, address)) = self.old.edges[id].op.stored() {
                    self.number(program, address);
                }
            }
            for read in common {
                if let Expr::Load(_, address) = read {
                    self.number(program, address);
                }
                if !self.ahead[at].contains(read) {
                    self.ahead[at].push(read.clone());
                }
            }
        }
    }

    fn number(&mut self, program: &mut Program, address: &Expr) {
        let Some(place) = self.place(address) else {
            return;
        };
        if address.reads_memory() || self.numbers.contains_key(address) {
            return;
        }
        let ty = self.arrays.elements[&place.array];
        let name = format!("${}", self.arrays.name(place.array));
        let var = program.add_local(self.proc, name, ty, Span::NONE);
        self.numbers.insert(address.clone(), self.known.len());
        self.known.push(Known {
            array: place.array,
            address: address.clone(),
            var,
        });
    }

    /// Which variables hold the elements at their addresses, at each location.
    fn held(&self) -> MustFacts {
        let none = Facts::default();
        MustFacts::new(self.old, none, &|id, op, facts| {
            for read in &self.ahead[self.old.edges[id].source] {
                if let Expr::Load(_, address) = read
                    && let Some(&number) = self.numbers.get(address)
                {
                    facts.insert(number);
                }
            }
            let mut end = |ends: &dyn Fn(&Known) -> bool| {
                for (number, known) in self.known.iter().enumerate() {
                    if ends(known) {
                        facts.remove(number);
                    }
                }
            };
            if let Some(var) = op.written() {
                end(&|known| known.address.vars().contains(&var));
            }
            match op {
                Op::Assign(Place::Mem(_, address), _) | Op::Havoc(Place::Mem(_, address), _) => {
                    if let Some(place) = self.place(address) {
                        end(&|known| known.array == place.array);
                    }
                    if let Some(&number) = self.numbers.get(address) {
                        facts.insert(number);
                    }
                }
                Op::Enter(object) | Op::Leave(object) => {
                    end(&|known| known.array == Array::Object(*object));
                }
                Op::Call(call) => {
                    // A callee may change what an address is computed from.
                    let is_global =
                        |var: &VarId| self.arrays.program.vars[*var].scope == Scope::Global;
                    if !matches!(call.callee, Callee::Library(_)) {
                        end(&|known| known.address.vars().iter().any(is_global));
                    }
                }
                Op::Skip
                | Op::Assign(Place::Var(_), _)
                | Op::Havoc(Place::Var(_), _)
                | Op::Assume(_)
                | Op::Return(_)
                | Op::Halt(_)
                | Op::Unsupported(_) => {}
            }
        })
    }

    fn location(&self, program: &mut Program, at: LocationId, held: &MustFacts) {
        let out = self.old.locations[at].out.clone();
        let Some(mut steps) = Steps::before(program, self.proc, at) else {
            return;
        };
        let mut stand_for = Held::default();
        for read in &self.ahead[at] {
            let Expr::Load(ty, address) = read else {
                continue;
            };
            let var = match self.numbers.get(address) {
                Some(&number) if held.holds(at, number) => self.known[number].var,
                number => {
                    let var = match number {
                        Some(&number) => self.known[number].var,
                        None => steps.local("$read", *ty),
                    };
                    let address = self.expr(address, &stand_for, steps.program);
                    self.read(&mut steps, *ty, &address, var);
                    var
                }
            };
            stand_for.insert(read.clone(), var);
        }
        steps.go_on(&out);
        for edge in out {
            self.edge(program, edge, &stand_for);
        }
    }

    /// Puts the element at an address into a variable.
    fn read(&self, steps: &mut Steps<'_>, ty: Type, address: &Expr, var: VarId) {
        let place = ArrayPlace::of(address).expect("what is read should be a place");
        let bytes = self.arrays.bytes(place.array);
        let inside = inside(steps.program, &place, bytes);
        if !inside.is_bool(true) {
            steps.op(Op::Assume(inside));
        }
        let is_cell: Vec<(Expr, VarId)> = (self.tracked[&place.array].iter())
            .map(|cell| (hits(steps.program, &place, bytes, cell), cell.value))
            .collect();
        let done = steps.location();
        for (is_cell, value) in is_cell {
            let hit = steps.branch(is_cell);
            let read = Op::Assign(Place::Var(var), Expr::Var(value));
            steps.edge(hit, done, read);
        }
        let read = Op::Assign(Place::Var(var), Expr::load(ty, address.clone()));
        steps.edge(steps.at, done, read);
        steps.at = done;
    }

    /// An expression with reads replaced: by what stands for them, or by the choice of a cell.
    fn expr(&self, expr: &Expr, stand_for: &Held, program: &Program) -> Expr {
        if let Some(&var) = stand_for.get(expr) {
            return Expr::Var(var);
        }
        let new = expr.with_children(|part| self.expr(part, stand_for, program));
        let Expr::Load(_, address) = &new else {
            return new;
        };
        let Some(place) = self.place(address) else {
            return new;
        };
        let bytes = self.arrays.bytes(place.array);
        let cells = self.tracked[&place.array].iter().rev();
        cells.fold(new.clone(), |others, cell| {
            let is_cell = hits(program, &place, bytes, cell);
            Expr::select(is_cell, Expr::Var(cell.value), others)
        })
    }

    fn edge(&self, program: &mut Program, id: EdgeId, stand_for: &Held) {
        let old = &self.old.edges[id].op;
        let op = old.with_exprs(|expr| self.expr(expr, stand_for, program));
        let target = self.old.edges[id].target;
        let put = |program: &mut Program, op: Op| program.procs[self.proc].edges[id].op = op;
        if let Some((ty, raw)) = old.stored()
            && let Some(place) = self.place(raw)
        {
            let (_, address) = op.stored().expect("it should still store");
            let address = address.clone();
            let mut steps = Steps::after(program, self.proc, id);
            let var = match self.numbers.get(raw) {
                Some(&number) => self.known[number].var,
                None => steps.local("$value", ty),
            };
            self.store(&mut steps, ty, &address, place.array, var);
            steps.end(target);
            let first = match op {
                Op::Assign(_, value) => Op::Assign(Place::Var(var), value),
                Op::Havoc(_, site) => Op::Havoc(Place::Var(var), site),
                _ => unreachable!("only these should store"),
            };
            return put(program, first);
        }
        if let Some(array) = born(&op)
            && let Some(cells) = self.tracked.get(&array)
        {
            let call = match &op {
                Op::Call(call) => Some(call.clone()),
                _ => None,
            };
            let mut steps = Steps::after(program, self.proc, id);
            for cell in cells {
                let value = (self.arrays).initial(steps.program, array, cell, call.as_ref());
                steps.op(Op::Assign(Place::Var(cell.value), value));
            }
            steps.end(target);
        }
        put(program, op);
    }

    /// Stores a variable at an address, and into the cells that it hits.
    fn store(&self, steps: &mut Steps<'_>, ty: Type, address: &Expr, array: Array, var: VarId) {
        let place = ArrayPlace::of(address).expect("what is written should be a place");
        let bytes = self.arrays.bytes(array);
        let inside = inside(steps.program, &place, bytes);
        if !inside.is_bool(true) {
            steps.op(Op::Assume(inside));
        }
        steps.op(Op::Assign(Place::Mem(ty, address.clone()), Expr::Var(var)));
        for cell in &self.tracked[&array] {
            let done = steps.location();
            let hit = steps.branch(hits(steps.program, &place, bytes, cell));
            let set = Op::Assign(Place::Var(cell.value), Expr::Var(var));
            steps.edge(hit, done, set);
            steps.edge(steps.at, done, Op::Skip);
            steps.at = done;
        }
    }
}

/// The array that an op brings to life.
fn born(op: &Op) -> Option<Array> {
    match op {
        Op::Enter(object) => Some(Array::Object(*object)),
        Op::Call(call) if is_allocation(op) => call.result.map(Array::Allocated),
        _ => None,
    }
}
