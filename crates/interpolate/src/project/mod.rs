//! Model-based projection: given a cube and a model, a cube without some symbols that implies that
//! values for them exist.
//!
//! Symbols inside functions and arrays are replaced by equal terms ([`replace`]), then reals are
//! eliminated ([`real`]), then integers. For these the literals become rows ([`row`]): comparisons
//! of sums with zero, and divisibilities. A quotient or remainder of a term with a symbol to be
//! eliminated gets a name for the quotient, bounded from both sides by that term, which is
//! eliminated like a symbol. Then the symbols are eliminated one by one, lossless ones first
//! ([`eliminate`]).
//!
//! # Invariants
//! - All rows hold in the model at any time, and imply that values of the variables eliminated so
//!   far exist with which the cube holds.

mod array;
mod bounds;
mod eliminate;
mod order;
mod real;
mod relaxed;
mod replace;
pub mod row;
#[cfg(test)]
mod tests;

use array::Extended;
use logic::sparse::Linear;
use logic::{
    Integer, Interpretation, Node, Sort, SymbolId, TermId, TermStore, TermValue, implicant,
};
pub use relaxed::relaxed;
pub use replace::solution;
use row::{Relation, Row};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Why there is no projection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stuck {
    /// The cube does not hold in the model, or the model has not all values.
    NotAModel,
    /// A symbol to be eliminated is part of this term, which is not arithmetic.
    Inside(TermId),
}

/// Literals without the symbols to eliminate that hold in the model and imply that values of these
/// symbols exist with which the cube holds.
///
/// The cube may have other conjuncts than literals: then it is an implicant of it that is projected.
pub fn project(
    store: &mut TermStore,
    cube: &[TermId],
    eliminate: &BTreeSet<SymbolId>,
    model: &dyn Interpretation,
) -> Result<Vec<TermId>, Stuck> {
    let whole = store.and(cube);
    let literals = implicant(store, whole, eliminate, model).ok_or(Stuck::NotAModel)?;
    let mut eliminate = eliminate.clone();
    let mut model = Extended {
        model,
        more: BTreeMap::new(),
    };
    let literals = replace::replace(store, literals, &mut eliminate, &mut model)?;
    let (eliminate, model) = (&eliminate, &model);
    let literals = without_reals(store, literals, eliminate, model)?;
    let occurring = occurring(store, &literals, eliminate);
    let (touched, mut kept): (Vec<TermId>, Vec<TermId>) = literals
        .into_iter()
        .partition(|literal| occurring.contains(literal));
    let mut projection = Projection::new(&occurring);
    projection.note_bounds(store, &kept);
    for literal in touched {
        projection.take(store, literal)?;
    }
    projection.name_quotients(store, model)?;
    projection.eliminate_all(store);
    for row in projection.rows {
        let literal = row.rekeyed(Var::term).to_term(store);
        if store.as_bool(literal).is_none() && !kept.contains(&literal) {
            kept.push(literal);
        }
    }
    Ok(kept)
}

/// The literals with the real symbols eliminated.
fn without_reals(
    store: &mut TermStore,
    literals: Vec<TermId>,
    eliminate: &BTreeSet<SymbolId>,
    model: &dyn Interpretation,
) -> Result<Vec<TermId>, Stuck> {
    let symbols = eliminate.iter().copied();
    let reals: BTreeSet<SymbolId> =
        (symbols.filter(|&symbol| store.symbol(symbol).sort == Sort::Real)).collect();
    let occurring = occurring(store, &literals, &reals);
    let (touched, mut kept): (Vec<TermId>, Vec<TermId>) = literals
        .into_iter()
        .partition(|literal| occurring.contains(literal));
    let terms: Vec<TermId> = reals
        .iter()
        .map(|&symbol| store.of_symbol(symbol))
        .collect();
    kept.extend(real::eliminate(store, &touched, &terms, model)?);
    kept.retain(|&literal| store.as_bool(literal).is_none());
    Ok(kept)
}

/// The terms that some of the symbols occur in.
fn occurring(
    store: &TermStore,
    literals: &[TermId],
    symbols: &BTreeSet<SymbolId>,
) -> FxHashSet<TermId> {
    let mut found = FxHashSet::default();
    for term in store.below(literals) {
        let occurs = match store.node(term) {
            Node::Symbol(symbol) => symbols.contains(symbol),
            _ => store.parts(term).iter().any(|part| found.contains(part)),
        };
        if occurs {
            found.insert(term);
        }
    }
    found
}

/// What a row is linear in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Var {
    /// A term that is not a sum.
    Term(TermId),
    /// A quotient that projection has named, to be eliminated.
    Quotient(usize),
}

impl Var {
    /// The term that a variable is.
    fn term(self) -> TermId {
        match self {
            Var::Term(term) => term,
            Var::Quotient(_) => unreachable!("a quotient should have been eliminated"),
        }
    }
}

/// A row over such variables.
type VarRow = Row<Var, Integer>;

/// The rows while variables are being eliminated from them.
struct Projection<'a> {
    /// The terms with a symbol to be eliminated.
    occurring: &'a FxHashSet<TermId>,
    rows: Vec<VarRow>,
    /// The values of the rows' variables in the model.
    values: BTreeMap<Var, Integer>,
    /// The variables still to be eliminated.
    open: BTreeSet<Var>,
    /// Constant bounds from literals that stay as they are.
    bounds: Vec<VarRow>,
    /// How many quotients have a name.
    quotients: usize,
}

impl<'a> Projection<'a> {
    fn new(occurring: &'a FxHashSet<TermId>) -> Self {
        Projection {
            occurring,
            rows: Vec::new(),
            values: BTreeMap::new(),
            open: BTreeSet::new(),
            bounds: Vec::new(),
            quotients: 0,
        }
    }

    fn note_bounds(&mut self, store: &TermStore, kept: &[TermId]) {
        let rows = kept
            .iter()
            .filter_map(|&literal| Row::of_literal(store, literal));
        let bounds = rows.filter(|row| row.sum.parts.len() == 1);
        self.bounds = bounds.map(|row| row.rekeyed(Var::Term)).collect();
    }

    /// Makes a row of a literal. A Boolean symbol just goes: the model says how to choose it.
    fn take(&mut self, store: &TermStore, literal: TermId) -> Result<(), Stuck> {
        let atom = match store.node(literal) {
            Node::Not(atom) => *atom,
            _ => literal,
        };
        if matches!(store.node(atom), Node::Symbol(_)) {
            return Ok(());
        }
        let row = Row::of_literal(store, literal).ok_or(Stuck::Inside(literal))?;
        self.rows.push(row.rekeyed(Var::Term));
        Ok(())
    }

    fn note_values(
        &mut self,
        store: &TermStore,
        row: &VarRow,
        model: &dyn Interpretation,
    ) -> Result<(), Stuck> {
        for var in row.sum.keys() {
            let Var::Term(term) = var else {
                continue;
            };
            if let Entry::Vacant(entry) = self.values.entry(var) {
                entry.insert(number(store, term, model)?);
            }
        }
        Ok(())
    }

    /// Names quotients until the variables to be eliminated occur in no other way than linearly.
    fn name_quotients(
        &mut self,
        store: &TermStore,
        model: &dyn Interpretation,
    ) -> Result<(), Stuck> {
        let mut names: FxHashMap<(TermId, Integer), Var> = FxHashMap::default();
        let mut at = 0;
        while at < self.rows.len() {
            let row = self.rows[at].clone();
            self.note_values(store, &row, model)?;
            let bad = row.sum.keys().find_map(|var| match var {
                Var::Term(term) if self.is_composed(store, term) => Some(term),
                Var::Term(_) | Var::Quotient(_) => None,
            });
            match bad {
                Some(term) => {
                    let sum = self.named(store, term, &mut names, model)?;
                    self.rows[at].substitute(Var::Term(term), &sum);
                }
                None => at += 1,
            }
        }
        let vars = self.rows.iter().flat_map(|row| row.sum.keys());
        let open = vars.filter(|var| match var {
            Var::Term(term) => self.occurring.contains(term),
            Var::Quotient(_) => true,
        });
        self.open = open.collect();
        Ok(())
    }

    /// Whether it has a symbol to be eliminated but is none.
    fn is_composed(&self, store: &TermStore, term: TermId) -> bool {
        self.occurring.contains(&term) && !matches!(store.node(term), Node::Symbol(_))
    }

    /// A quotient or remainder as a sum with a named quotient.
    fn named(
        &mut self,
        store: &TermStore,
        term: TermId,
        names: &mut FxHashMap<(TermId, Integer), Var>,
        model: &dyn Interpretation,
    ) -> Result<Linear<Var, Integer>, Stuck> {
        let (dividend, divisor) = match store.node(term) {
            Node::Div(dividend, divisor) | Node::Mod(dividend, divisor) => (*dividend, divisor),
            _ => return Err(Stuck::Inside(term)),
        };
        let key = (dividend, divisor.clone());
        let quotient = match names.get(&key) {
            Some(quotient) => *quotient,
            None => {
                let quotient = Var::Quotient(self.quotients);
                self.quotients += 1;
                let value = number(store, dividend, model)?.div_floor(divisor);
                self.values.insert(quotient, value);
                self.bound(store, dividend, divisor, quotient);
                names.insert(key, quotient);
                quotient
            }
        };
        let quotient = Linear::of_key(quotient);
        if !matches!(store.node(term), Node::Mod(..)) {
            return Ok(quotient);
        }
        let dividend = Row::of_term(store, dividend, Relation::IsZero);
        let mut rest = dividend.sum.rekeyed(Var::Term);
        rest.add_multiple(&-divisor, &quotient);
        Ok(rest)
    }

    /// Adds that the remainder is at least zero and below the divisor.
    fn bound(&mut self, store: &TermStore, dividend: TermId, divisor: &Integer, quotient: Var) {
        let rest = Row::of_term(store, dividend, Relation::AtMostZero);
        let mut rest = rest.rekeyed(Var::Term);
        rest.sum.add_multiple(&-divisor, &Linear::of_key(quotient));
        self.rows.push(rest.scale(&Integer::from(-1i64)));
        rest.sum.constant = &(&rest.sum.constant + &Integer::ONE) - divisor;
        self.rows.push(rest);
    }
}

fn number(store: &TermStore, term: TermId, model: &dyn Interpretation) -> Result<Integer, Stuck> {
    debug_assert_eq!(store.sort(term), Sort::Int);
    match store.evaluate_in(term, model) {
        Some(TermValue::Int(value)) => Ok(value),
        _ => Err(Stuck::NotAModel),
    }
}
