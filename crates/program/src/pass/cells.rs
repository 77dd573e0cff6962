//! Distinguished cells: what is proved about one arbitrary cell of an array holds for all.
//!
//! The program gets *indices* `k`, chosen at its start and fixed from then on, and for each tracked
//! cell `A[k + shift]` a variable that always holds the cell's value. A store into the array also
//! sets the variable where it hits the cell; a read takes the variable's value where it hits, and
//! reads memory elsewhere. So formulas that know nothing about memory know everything about these
//! cells, and nothing about the others.
//!
//! An error location counts only where the indices have the values of a linear expression over the
//! variables there, the *choice* of that location. That loses no error: for a run that reaches one,
//! take the values there; with these as indices the run is one of the new program. (An index is
//! never negative nor over 64 bits, so a choice that is counts whatever the index is.) For this it
//! does not matter which cells and which choices are taken: good ones make a proof possible.
//!
//! Proofs may be about the result, so this is trusted: `docs/decisions/0027`.
//!
//! # Invariants
//! - Variables, objects, sites, locations and edges of the old program keep their ids; new ones
//!   come after them. A run that was at an old location with no op half done is there now.
//! - Defined runs stay, whatever the indices are, with the same inputs, up to an error location;
//!   and including it where the indices are the values of its choice. Undefined runs may continue:
//!   a read that hits does not check whether the array is still alive.

mod arrays;
mod rewrite;
#[cfg(test)]
mod tests;

pub use arrays::{Array, ArrayPlace, Arrays};

use crate::expr::{BinaryOp, Expr, Type};
use crate::ir::*;
use crate::validate::check_invariants;
use base::Span;
use logic::IntType;
use std::collections::BTreeMap;

/// The type of an index.
const INDEX: IntType = IntType::signed(64);
/// Holds all that is computed of indices.
const WIDE: IntType = IntType::signed(128);
/// Coefficients and constants are no larger, so that nothing computed of them leaves [`WIDE`].
const LARGEST: i64 = 1 << 40;
/// No more terms are in a choice.
const MOST_TERMS: usize = 16;

/// Which cells are tracked, and which of them an error is about.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cells {
    /// How many indices there are.
    pub indices: usize,
    /// The cells.
    pub cells: Vec<Cell>,
    /// For error locations of the entry procedure: what indices have to be there.
    pub choices: BTreeMap<LocationId, Vec<(usize, Linear)>>,
}

/// A tracked cell: of an array, at an index and a fixed number of elements after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// The array.
    pub array: Array,
    /// Which index.
    pub index: usize,
    /// Elements from there.
    pub shift: i64,
}

/// A linear expression over integer variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Linear {
    /// Coefficients, not zero, and their variables.
    pub terms: BTreeMap<VarId, i64>,
    /// What is added.
    pub constant: i64,
}

/// A tracked cell in the new program.
struct Tracked {
    shift: i64,
    index: VarId,
    value: VarId,
}

impl Arrays {
    /// The program with cells tracked; an error says why it cannot be done.
    pub fn with_cells(&self, cells: &Cells) -> Result<Program, String> {
        let mut program = self.program.clone();
        let proc = program.entry;
        let indices: Vec<VarId> = (0..cells.indices)
            .map(|number| {
                let name = format!("$k{number}");
                program.add_local(proc, name, Type::Int(INDEX), Span::NONE)
            })
            .collect();
        let mut tracked: BTreeMap<Array, Vec<Tracked>> = BTreeMap::new();
        for cell in &cells.cells {
            let ty = self.elements.get(&cell.array);
            let &ty = ty.ok_or("a cell is of no array that can be tracked")?;
            let index = *indices.get(cell.index).ok_or("a cell has no index")?;
            if cell.shift.abs() > LARGEST {
                return Err("a cell is too far from its index".to_owned());
            }
            let shift = match cell.shift {
                0 => String::new(),
                shift => format!("{shift:+}"),
            };
            let name = format!("${}[k{}{shift}]", self.name(cell.array), cell.index);
            let value = program.add_local(proc, name, ty, Span::NONE);
            tracked.entry(cell.array).or_default().push(Tracked {
                shift: cell.shift,
                index,
                value,
            });
        }
        rewrite::rewrite(self, &tracked, &mut program);
        for (&at, choice) in &cells.choices {
            count_where(&mut program, at, choice, &indices)?;
        }
        start(self, &tracked, &mut program, &indices);
        check_invariants(&program, "tracking cells");
        Ok(program)
    }
}

/// Lets runs reach an error location only where indices are what was chosen.
fn count_where(
    program: &mut Program,
    at: LocationId,
    choice: &[(usize, Linear)],
    indices: &[VarId],
) -> Result<(), String> {
    let proc = program.entry;
    let row = program.procs[proc].locations.get(at);
    let span = row.filter(|row| row.error.is_some()).map(|row| row.span);
    let span = span.ok_or("a choice stands at no error location")?;
    let mut condition = Expr::bool(true);
    for (index, linear) in choice {
        let &index = indices.get(*index).ok_or("a choice is of no index")?;
        let (value, may_be_larger) = linear.value(program, proc)?;
        let compared = |op, value: &Expr, with| Expr::arith(op, WIDE, value.clone(), with);
        let mut counts = Expr::or(
            compared(BinaryOp::Eq, &value, wide(index)),
            compared(BinaryOp::Lt, &value, Expr::int(WIDE, 0)),
        );
        if may_be_larger {
            let most = Expr::int(WIDE, i128::from(i64::MAX));
            counts = Expr::or(counts, compared(BinaryOp::Gt, &value, most));
        }
        condition = Expr::and(condition, counts);
    }
    let procedure = &mut program.procs[proc];
    let before = procedure.add_location(span);
    for edge in procedure.incoming()[at].clone() {
        procedure.redirect(edge, before);
    }
    procedure.add_edge(before, at, Op::Assume(condition), span);
    Ok(())
}

/// Chooses the indices before all else, and sets the cells of global objects.
fn start(
    arrays: &Arrays,
    tracked: &BTreeMap<Array, Vec<Tracked>>,
    program: &mut Program,
    indices: &[VarId],
) {
    let mut ops = Vec::new();
    for &index in indices {
        let name = program.vars[index].name.clone();
        let site = program.add_site(SiteKind::Cell, Type::Int(INDEX), name, Span::NONE);
        ops.push(Op::Havoc(Place::Var(index), site));
        let zero = Expr::int(INDEX, 0);
        let is_number = Expr::arith(BinaryOp::Ge, INDEX, Expr::Var(index), zero);
        ops.push(Op::Assume(is_number));
    }
    for (&array, cells) in tracked {
        if let Array::Object(object) = array
            && program.objects[object].scope == Scope::Global
        {
            for cell in cells {
                let value = arrays.initial(program, array, cell, None);
                ops.push(Op::Assign(Place::Var(cell.value), value));
            }
        }
    }
    let entry = &mut program.procs[arrays.program.entry];
    for op in ops.into_iter().rev() {
        entry.begin_with(op);
    }
}

fn wide(var: VarId) -> Expr {
    Expr::Cast(Type::Int(WIDE), Box::new(Expr::Var(var)))
}

impl Linear {
    /// A number.
    pub fn constant(constant: i64) -> Linear {
        Linear {
            terms: BTreeMap::new(),
            constant,
        }
    }

    /// Its value as an expression that is always defined, and whether it may be larger than any
    /// index.
    fn value(&self, program: &Program, proc: ProcId) -> Result<(Expr, bool), String> {
        let is_small = |number: i64| (-LARGEST..=LARGEST).contains(&number);
        let coefficients = self.terms.values().chain([&self.constant]);
        if self.terms.len() > MOST_TERMS || !{ coefficients }.all(|&number| is_small(number)) {
            return Err("a choice is too large".to_owned());
        }
        let mut highest = i128::from(self.constant);
        let mut sum = Expr::int(WIDE, highest);
        for (&var, &coefficient) in &self.terms {
            let row = program.vars.get(var);
            let row = row.filter(|row| [Scope::Global, Scope::Local(proc)].contains(&row.scope));
            let ty = row.and_then(|row| row.ty.int());
            let ty = ty.filter(|ty| ty.bits <= 64);
            let ty = ty.ok_or("a choice is of no variable that can be read")?;
            let (coefficient, ends) = (i128::from(coefficient), [ty.min(), ty.max()]);
            let ends = ends.map(|end| end.to_i128().map_or(i128::MAX, |end| end * coefficient));
            highest = highest.saturating_add(ends[0].max(ends[1]));
            let part = Expr::arith(BinaryOp::Mul, WIDE, wide(var), Expr::int(WIDE, coefficient));
            sum = Expr::arith(BinaryOp::Add, WIDE, sum, part);
        }
        Ok((sum, highest > i128::from(i64::MAX)))
    }
}
