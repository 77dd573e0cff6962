//! A refutation as readable text: every step with its rule and its formula on a cut.
//!
//! The rules are named as in the paper: HYP-A and HYP-B for clauses of the inner and the outer
//! parts, COMB for sums of inequalities, CONTRA for the clause that such a sum justifies, RES-A and
//! RES-B for resolution on inner and outer atoms. `#3` is the name of a subformula.

use crate::PartSet;
use crate::interpolant::{Reader, sum};
use crate::linear::Linear;
use crate::literal::{Atom, Literal};
use crate::proof::{Because, Rule, Step, StepId};
use crate::refute::Refutation;
use crate::shape::Shape;
use crate::simplex::Farkas;
use logic::{TermId, TermStore};
use rustc_hash::FxHashMap;

impl Refutation {
    /// The derivation of the interpolant for the cut above a part.
    pub fn explain(&self, store: &mut TermStore, shape: &Shape, cut: usize) -> String {
        let inside = PartSet::from_iter(shape.first_below(cut)..=cut);
        let mut reader = Reader {
            store,
            table: &self.table,
            inside: &inside,
        };
        let mut formulas: FxHashMap<StepId, TermId> = FxHashMap::default();
        let mut text = String::new();
        for id in self.proof.needed(self.root) {
            let step = &self.proof.steps()[id];
            let formula = reader.formula(step, &formulas);
            formulas.insert(id, formula);
            let clause = clause(&mut reader, &step.clause);
            let formula = reader.store.smtlib(formula);
            text += &format!("{id}: |- {clause}  [{formula}]\n");
            for line in lines(&mut reader, step) {
                text += &format!("    {line}\n");
            }
        }
        text
    }
}

/// The rules of a step, one a line.
fn lines(reader: &mut Reader<'_>, step: &Step) -> Vec<String> {
    let side = |is_inner: bool| if is_inner { "A" } else { "B" };
    match &step.rule {
        Rule::Hyp { part } => {
            let side = side(reader.inside.contains(*part));
            vec![format!("HYP-{side}: part {part}")]
        }
        Rule::Contra(because) => contradiction(reader, because),
        Rule::Res { first, others } => {
            let mut start = first.to_string();
            let lines = others.iter().map(|(atom, other)| {
                let side = side(reader.is_inner(*atom));
                let on = literal(reader, Literal::new(*atom, true));
                let start = std::mem::replace(&mut start, "it".to_owned());
                format!("RES-{side}: {start} with {other} on {on}")
            });
            lines.collect()
        }
    }
}

fn contradiction(reader: &mut Reader<'_>, because: &Because) -> Vec<String> {
    match because {
        Because::Farkas(farkas) => combination(reader, farkas, "<= 0"),
        Because::Lattice(farkas) => combination(reader, farkas, "= a whole number"),
        Because::Residue { multiples, bounds } => {
            let mut lines = combination(reader, multiples, "= a whole number but for one");
            let bounds: Vec<String> = bounds.iter().map(|&it| literal(reader, it)).collect();
            lines.push(format!("which excludes {}", bounds.join(" and ")));
            lines
        }
        Because::Sides => vec!["CONTRA: no place is left for a number".to_owned()],
        Because::Congruence(_) => vec!["CONTRA: equal arguments, different results".to_owned()],
    }
}

/// The inequalities that are added up, and what they give.
fn combination(reader: &mut Reader<'_>, farkas: &Farkas, relation: &str) -> Vec<String> {
    let added = farkas.iter();
    let added = added.map(|(it, by)| format!("{} * {}", by.abs(), literal(reader, *it)));
    let added = added.collect::<Vec<_>>().join(" + ");
    let (Linear { constant, .. }, _) = sum(reader.table, farkas.iter());
    vec![
        format!("COMB: {added} gives {constant} {relation}"),
        "CONTRA".to_owned(),
    ]
}

fn clause(reader: &mut Reader<'_>, clause: &[Literal]) -> String {
    if clause.is_empty() {
        return "false".to_owned();
    }
    let literals = clause.iter().map(|&it| literal(reader, it));
    literals.collect::<Vec<_>>().join(", ")
}

fn literal(reader: &mut Reader<'_>, literal: Literal) -> String {
    if let Atom::Name(number) = reader.table.atoms()[literal.atom()] {
        let sign = if literal.is_positive() { "" } else { "not " };
        return format!("{sign}#{number}");
    }
    let term = reader.literal(literal);
    reader.store.smtlib(term)
}
