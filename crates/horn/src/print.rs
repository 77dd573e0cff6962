//! Prints clauses in CHC-COMP's format.

use crate::system::{Atom, Clause, System};
use logic::{Sort, SymbolId};
use std::collections::BTreeSet;
use std::fmt::Write;

impl System {
    /// The whole system as an SMT-LIB script.
    pub fn smtlib(&self) -> String {
        let mut out = String::from("(set-logic HORN)\n");
        for relation in self.relations.iter() {
            let sorts = sorts(&relation.sorts);
            let name = quoted(&relation.name);
            let _ = writeln!(out, "(declare-fun {name} ({sorts}) Bool)");
        }
        for clause in self.clauses.iter() {
            let _ = writeln!(out, "(assert {})", self.clause_text(clause));
        }
        out.push_str("(check-sat)\n");
        out
    }

    /// A clause.
    pub fn clause_text(&self, clause: &Clause) -> String {
        let mut body: Vec<String> = clause
            .body
            .iter()
            .map(|atom| self.atom_text(atom))
            .collect();
        if self.store.as_bool(clause.constraint) != Some(true) || body.is_empty() {
            body.push(self.store.smtlib(clause.constraint));
        }
        let head = match &clause.head {
            Some(head) => self.atom_text(head),
            None => "false".into(),
        };
        let implication = format!("(=> (and {}) {head})", body.join(" "));
        let variables = self.variables_text(&clause.variables(&self.store));
        match variables.is_empty() {
            true => implication,
            false => format!("(forall ({variables}) {implication})"),
        }
    }

    /// A relation of some arguments.
    pub fn atom_text(&self, atom: &Atom) -> String {
        let name = quoted(&self.relations[atom.relation].name);
        if atom.arguments.is_empty() {
            return name;
        }
        let arguments: Vec<String> = atom
            .arguments
            .iter()
            .map(|&term| self.store.smtlib(term))
            .collect();
        format!("({name} {})", arguments.join(" "))
    }

    fn variables_text(&self, symbols: &BTreeSet<SymbolId>) -> String {
        let texts: Vec<String> = symbols
            .iter()
            .map(|&symbol| {
                let (name, sort) = (
                    self.store.smtlib_name(symbol),
                    self.store.symbol(symbol).sort,
                );
                format!("({name} {sort})")
            })
            .collect();
        texts.join(" ")
    }
}

/// Sorts with spaces between.
pub(crate) fn sorts(sorts: &[Sort]) -> String {
    let texts: Vec<String> = sorts.iter().map(Sort::to_string).collect();
    texts.join(" ")
}

/// A name as SMT-LIB writes it.
pub(crate) fn quoted(name: &str) -> String {
    logic::smtlib::quoted(name)
}
