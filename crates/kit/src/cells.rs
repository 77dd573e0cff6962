//! Which array cells to track, and the way back from a program in which they are variables.
//!
//! The array reads before an error location, up to the head of the enclosing loop, say which cells
//! the error is about: `A[i]` and `A[i + 1]` become the cells at an index that equals `i` there,
//! and one after it. If there are none, an element that has the same index wherever it is accessed
//! may be what ends a loop. What is stored into a tracked cell comes from cells of other arrays, in
//! the same loop at an index that differs by a constant, or at one that runs in the opposite
//! direction: these are tracked too.
//!
//! Nothing rests on the choice: see [`program::pass::cells`].

use crate::rewritten::RewrittenProgram;
use certify::Rewriting;
use program::expr::{BinaryOp, Constant, Expr};
use program::ir::*;
use program::pass::cells::{Array, Arrays, Cell, Cells, Linear};
use program::pass::inline::InlineLimit;
use program::pass::loops::{LoopId, LoopNest};
use std::collections::{BTreeMap, BTreeSet};

/// The most indices chosen.
const MOST_INDICES: usize = 2;
/// The most cells tracked.
const MOST_CELLS: usize = 8;
/// The greatest distance of a cell from its index.
const FURTHEST: i64 = 3;
/// The most edges inspected before an error location.
const MOST_EDGES: usize = 300;

/// A program with distinguished cells, if it has arrays in loops that can have some.
pub fn with_cells(program: &Program) -> Option<RewrittenProgram> {
    if !has_arrays(program) {
        return None;
    }
    let limit = InlineLimit::of(program);
    let arrays = Arrays::inlined(program, limit);
    if arrays.elements.is_empty() {
        return None;
    }
    let cells = Chooser::new(&arrays)?.cells();
    if cells.cells.is_empty() {
        return None;
    }
    Some(RewrittenProgram {
        program: arrays.with_cells(&cells).ok()?,
        inlined: limit,
        rewriting: Rewriting::Cells(cells),
    })
}

/// Whether a program accesses memory at a non-constant offset, or allocates nodes: others are not
/// worth trying.
fn has_arrays(program: &Program) -> bool {
    use Library::{Calloc, Malloc};
    let is_index = |expr: &Expr| match expr {
        Expr::Offset(_, by) => by.constant().is_none(),
        _ => false,
    };
    let mut edges = program.procs.iter().flat_map(|row| row.edges.iter());
    edges.any(|edge| match &edge.op {
        Op::Call(call) if matches!(call.callee, Callee::Library(Malloc | Calloc)) => true,
        op => op.exprs().iter().any(|expr| expr.any(&is_index)),
    })
}

/// An access to an array, by the number of the element.
#[derive(Clone)]
struct Access {
    array: Array,
    element: Linear,
    is_store: bool,
}

struct Chooser<'a> {
    arrays: &'a Arrays,
    procedure: &'a Procedure,
    nest: LoopNest,
    /// The accesses in each loop, except for those in loops inside, and outside of all.
    accesses: BTreeMap<Option<LoopId>, Vec<Access>>,
}

impl<'a> Chooser<'a> {
    /// What there is to choose from, if there are loops that access arrays.
    fn new(arrays: &'a Arrays) -> Option<Chooser<'a>> {
        let procedure = &arrays.program.procs[arrays.program.entry];
        let mut chooser = Chooser {
            arrays,
            procedure,
            nest: LoopNest::new(procedure),
            accesses: BTreeMap::new(),
        };
        for edge in procedure.edges.iter() {
            let around = chooser.nest.innermost[edge.source];
            let found = chooser.of_op(&edge.op);
            chooser.accesses.entry(around).or_default().extend(found);
        }
        let mut loops = chooser.accesses.iter();
        let is_used = loops.any(|(around, found)| around.is_some() && !found.is_empty());
        is_used.then_some(chooser)
    }

    /// The accesses of an op whose elements are linear.
    fn of_op(&self, op: &Op) -> Vec<Access> {
        let mut found = Vec::new();
        let access = |address: &Expr, is_store: bool| {
            let place = self.arrays.place(address)?;
            let bytes = i64::try_from(self.arrays.bytes(place.array)).ok()?;
            let constant = Linear::constant(i64::try_from(place.constant).ok()?);
            let offset = (place.moving.iter()).try_fold(constant, |sum, part| {
                plus(&sum, &linear(&self.arrays.program, part)?, 1)
            })?;
            Some(Access {
                array: place.array,
                element: divided(&offset, bytes)?,
                is_store,
            })
        };
        if let Some((_, address)) = op.stored() {
            found.extend(access(address, true));
        }
        for expr in op.exprs() {
            expr.visit(&mut |part| {
                if let Expr::Load(_, address) = part {
                    found.extend(access(address, false));
                }
            });
        }
        found
    }

    fn cells(&self) -> Cells {
        let mut chosen = Cells::default();
        let mut cells: BTreeSet<Cell> = BTreeSet::new();
        for (at, row) in self.procedure.locations.iter_enumerated() {
            if row.error.is_none() {
                continue;
            }
            let mut bases: Vec<Linear> = Vec::new();
            let mut reads = self.before(at);
            for read in &reads {
                let same = |base: &Linear| base.terms == read.element.terms;
                match bases.iter().position(same) {
                    Some(place) => {
                        let least = bases[place].constant.min(read.element.constant);
                        bases[place].constant = least;
                    }
                    None if bases.len() < MOST_INDICES => bases.push(read.element.clone()),
                    None => {}
                }
            }
            if reads.is_empty() {
                reads = self.everywhere();
                let fixed = reads.iter().map(|access| access.element.clone());
                bases = fixed.take(1).collect();
            }
            for read in &reads {
                let same = |base: &Linear| base.terms == read.element.terms;
                if let Some(index) = bases.iter().position(same) {
                    let cell = Cell {
                        array: read.array,
                        index,
                        shift: read.element.constant - bases[index].constant,
                    };
                    add(&mut cells, cell);
                }
            }
            if !bases.is_empty() {
                chosen.indices = chosen.indices.max(bases.len());
                chosen
                    .choices
                    .insert(at, bases.into_iter().enumerate().collect());
            }
        }
        while let Some(cell) = self.source(&cells, &mut chosen) {
            if !add(&mut cells, cell) {
                break;
            }
        }
        chosen.cells = cells.into_iter().collect();
        chosen
    }

    /// The accesses to elements that are the same wherever they are made: the end of a list, say.
    fn everywhere(&self) -> Vec<Access> {
        let accesses = self.accesses.values().flatten();
        let is_inside = |at: LocationId| self.nest.innermost[at].is_some();
        let is_fixed = |access: &&Access| self.is_fixed(&access.element, is_inside);
        accesses.filter(is_fixed).cloned().collect()
    }

    /// Whether no edge from some locations changes a variable of an expression.
    fn is_fixed(&self, expr: &Linear, is_inside: impl Fn(LocationId) -> bool) -> bool {
        let edges = self.procedure.edges.iter();
        let mut written = edges.filter_map(|edge| Some((edge.op.written()?, edge.source)));
        !written.any(|(var, at)| expr.terms.contains_key(&var) && is_inside(at))
    }

    /// What is read of arrays before a location, up to the head of the loop around it.
    fn before(&self, at: LocationId) -> Vec<Access> {
        let incoming = self.procedure.incoming();
        let mut seen = BTreeSet::from([at]);
        let mut open = vec![at];
        let mut edges: Vec<EdgeId> = Vec::new();
        while let Some(at) = open.pop() {
            for &edge in &incoming[at] {
                let source = self.procedure.edges[edge].source;
                if edges.len() == MOST_EDGES {
                    break;
                }
                edges.push(edge);
                if !self.nest.is_head(source) && seen.insert(source) {
                    open.push(source);
                }
            }
        }
        edges.sort_unstable();
        let accesses = edges
            .iter()
            .flat_map(|&edge| self.of_op(&self.procedure.edges[edge].op));
        accesses.filter(|access| !access.is_store).collect()
    }

    /// A cell that is not tracked, though the content of a tracked one may come from there.
    fn source(&self, cells: &BTreeSet<Cell>, chosen: &mut Cells) -> Option<Cell> {
        for (&around, found) in &self.accesses {
            for store in found.iter().filter(|access| access.is_store) {
                for cell in cells.iter().filter(|cell| cell.array == store.array) {
                    for read in found.iter().filter(|access| !access.is_store) {
                        let source = match read.element.terms == store.element.terms {
                            true => Cell {
                                array: read.array,
                                index: cell.index,
                                shift: cell.shift + read.element.constant - store.element.constant,
                            },
                            false => match self.mirrored(around, *cell, store, read, chosen) {
                                Some(source) => source,
                                None => continue,
                            },
                        };
                        if source.shift.abs() <= FURTHEST && !cells.contains(&source) {
                            return Some(source);
                        }
                    }
                }
            }
        }
        None
    }

    /// The cell that is read where a store hits another, if the sum of the two numbers stays the same
    /// in the loop. It gets an index of its own.
    fn mirrored(
        &self,
        around: Option<LoopId>,
        cell: Cell,
        store: &Access,
        read: &Access,
        chosen: &mut Cells,
    ) -> Option<Cell> {
        let sum = plus(&store.element, &read.element, 1)?;
        let is_inside = |at: LocationId| around.is_none_or(|id| self.nest.contains(id, at));
        if chosen.indices >= MOST_INDICES || !self.is_fixed(&sum, is_inside) {
            return None;
        }
        for choice in chosen.choices.values_mut() {
            let base = choice.iter().find(|(index, _)| *index == cell.index);
            let other = base.and_then(|(_, base)| plus(&sum, base, -1));
            let other = other.and_then(|other| plus(&other, &Linear::constant(cell.shift), -1));
            choice.extend(other.map(|other| (chosen.indices, other)));
        }
        chosen.indices += 1;
        Some(Cell {
            array: read.array,
            index: chosen.indices - 1,
            shift: 0,
        })
    }
}

fn add(cells: &mut BTreeSet<Cell>, cell: Cell) -> bool {
    cells.len() < MOST_CELLS && cells.insert(cell)
}

/// An expression as a linear one, as if nothing wrapped.
fn linear(program: &Program, expr: &Expr) -> Option<Linear> {
    use BinaryOp::{Add, Mul, Sub};
    match expr {
        Expr::Const(Constant::Int(value)) => {
            Some(Linear::constant(i64::try_from(value.to_i128()?).ok()?))
        }
        Expr::Var(var) if program.vars[*var].ty.int().is_some() => Some(Linear {
            terms: BTreeMap::from([(*var, 1)]),
            constant: 0,
        }),
        Expr::Cast(_, operand) => linear(program, operand),
        Expr::Binary(op @ (Add | Sub), _, left, right) => {
            let sign = if *op == Add { 1 } else { -1 };
            plus(&linear(program, left)?, &linear(program, right)?, sign)
        }
        Expr::Binary(Mul, _, left, right) => {
            let (left, right) = (linear(program, left)?, linear(program, right)?);
            match (left.terms.is_empty(), right.terms.is_empty()) {
                (true, _) => plus(&Linear::default(), &right, left.constant),
                (_, true) => plus(&Linear::default(), &left, right.constant),
                (false, false) => None,
            }
        }
        _ => None,
    }
}

/// `left + factor * right`.
fn plus(left: &Linear, right: &Linear, factor: i64) -> Option<Linear> {
    let mut sum = left.clone();
    sum.constant = (sum.constant).checked_add(right.constant.checked_mul(factor)?)?;
    for (&var, &coefficient) in &right.terms {
        let term = sum.terms.entry(var).or_default();
        *term = term.checked_add(coefficient.checked_mul(factor)?)?;
    }
    sum.terms.retain(|_, coefficient| *coefficient != 0);
    Some(sum)
}

fn divided(linear: &Linear, by: i64) -> Option<Linear> {
    let mut numbers = linear.terms.values().chain([&linear.constant]);
    if numbers.any(|number| number % by != 0) {
        return None;
    }
    let terms = linear
        .terms
        .iter()
        .map(|(&var, &number)| (var, number / by));
    Some(Linear {
        terms: terms.collect(),
        constant: linear.constant / by,
    })
}
