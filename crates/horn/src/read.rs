//! Parses clauses.
//!
//! A formula is decomposed along its connectives: a disjunction of negated relations, of a formula
//! without relations, and of at most one relation is a clause. A conjunction in such a position
//! gives several clauses.
//!
//! # Invariants
//! - What is read is equivalent to what was written, or rejected with its position.

use crate::system::{Atom, Clause, RelationId, System};
use base::{Diagnostic, Id, SourceFile, Span};
use logic::read::{ClauseScript, Refusal};
use logic::term::Named;
use logic::{FunctionId, Node, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;

use crate::system::Relation;

/// How many clauses one formula may become.
const MOST: usize = 4096;

/// Reads a script: CHC-COMP's format, or rules and queries as in Z3.
pub fn read(file: &SourceFile) -> Result<System, Refusal> {
    let mut store = TermStore::new();
    let script = logic::read::clauses(&mut store, file)?;
    let mut system = System {
        store,
        ..System::default()
    };
    let mut reader = ClauseMaker::new(&mut system, &script);
    for &(span, formula) in &script.assertions {
        reader.add(span, vec![(formula, true)])?;
    }
    for &(span, formula) in &script.queries {
        reader.add(span, vec![(formula, false)])?;
    }
    debug_assert_eq!(system.flaw(), None, "what is read should be well-formed");
    Ok(system)
}

/// A formula, and whether it is meant as it is or negated.
type Signed = (TermId, bool);

struct ClauseMaker<'s> {
    system: &'s mut System,
    functions: FxHashMap<FunctionId, RelationId>,
    symbols: FxHashMap<SymbolId, RelationId>,
    /// Whether a term has a relation in it, by the numbers of the terms.
    has_relation: Vec<bool>,
}

impl<'s> ClauseMaker<'s> {
    fn new(system: &'s mut System, script: &ClauseScript) -> Self {
        let mut maker = ClauseMaker {
            system,
            functions: FxHashMap::default(),
            symbols: FxHashMap::default(),
            has_relation: Vec::new(),
        };
        for declared in &script.relations {
            let relation = maker.system.relations.push(Relation {
                name: declared.name.clone(),
                sorts: declared.sorts.clone(),
            });
            match declared.named {
                Named::Function(function) => maker.functions.insert(function, relation),
                Named::Symbol(symbol) => maker.symbols.insert(symbol, relation),
            };
        }
        maker
    }

    /// Adds the clauses that a disjunction is.
    fn add(&mut self, span: Span, disjunction: Vec<Signed>) -> Result<(), Refusal> {
        self.look_for_relations();
        let mut open = vec![(disjunction, Parts::default())];
        let mut made = 0;
        while let Some((mut rest, mut parts)) = open.pop() {
            let Some((term, sign)) = rest.pop() else {
                made += 1;
                if made > MOST {
                    let message = format!("this formula is more than {MOST} clauses");
                    return Err(refuse(span, message));
                }
                self.finish(span, parts)?;
                continue;
            };
            if !self.has_relation[term.index()] {
                parts.others.push((term, sign));
                open.push((rest, parts));
                continue;
            }
            match (self.system.store.node(term), sign) {
                (Node::Not(inner), _) => {
                    rest.push((*inner, !sign));
                    open.push((rest, parts));
                }
                (Node::Or(members), true) | (Node::And(members), false) => {
                    rest.extend(members.iter().rev().map(|&member| (member, sign)));
                    open.push((rest, parts));
                }
                (Node::And(members), true) | (Node::Or(members), false) => {
                    for &member in members.iter().rev() {
                        let mut rest = rest.clone();
                        rest.push((member, sign));
                        open.push((rest, parts.clone()));
                    }
                    if open.len() > MOST {
                        let message = format!("this formula is more than {MOST} clauses");
                        return Err(refuse(span, message));
                    }
                }
                _ => {
                    let Some(atom) = self.atom(term) else {
                        let message = "a relation stands where it is no part of a clause";
                        return Err(refuse(span, message));
                    };
                    match sign {
                        true => parts.heads.push(atom),
                        false => parts.body.push(atom),
                    }
                    open.push((rest, parts));
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, span: Span, parts: Parts) -> Result<(), Refusal> {
        let mut heads = parts.heads.into_iter();
        let head = heads.next();
        if heads.next().is_some() {
            let message = "this is no Horn clause: two relations are its head";
            return Err(refuse(span, message));
        }
        let store = &mut self.system.store;
        let mut constraint = Vec::new();
        for (term, sign) in parts.others {
            constraint.push(match sign {
                true => store.not(term),
                false => term,
            });
        }
        let constraint = store.and(&constraint);
        if store.as_bool(constraint) == Some(false) {
            return Ok(());
        }
        self.system.clauses.push(Clause {
            body: parts.body,
            constraint,
            head,
            span,
        });
        Ok(())
    }

    /// The relation that a term is, with arguments that have no relations in them.
    fn atom(&self, term: TermId) -> Option<Atom> {
        match self.system.store.node(term) {
            Node::Symbol(symbol) => Some(Atom {
                relation: *self.symbols.get(symbol)?,
                arguments: Vec::new(),
            }),
            Node::Apply(function, arguments) => {
                let nested = arguments.iter().any(|part| self.has_relation[part.index()]);
                let relation = *self.functions.get(function)?;
                let arguments = arguments.to_vec();
                (!nested).then_some(Atom {
                    relation,
                    arguments,
                })
            }
            _ => None,
        }
    }

    /// Fills the table for all terms that the store has by now. Parts come before what they make.
    fn look_for_relations(&mut self) {
        let store = &self.system.store;
        for at in self.has_relation.len()..store.len() {
            let term = TermId::from_index(at);
            let has = match store.node(term) {
                Node::Symbol(symbol) => self.symbols.contains_key(symbol),
                Node::Apply(..) => true,
                _ => (store.parts(term).iter()).any(|part| self.has_relation[part.index()]),
            };
            self.has_relation.push(has);
        }
    }
}

/// What a disjunction is made of.
#[derive(Clone, Default)]
struct Parts {
    body: Vec<Atom>,
    heads: Vec<Atom>,
    others: Vec<Signed>,
}

fn refuse(span: Span, message: impl Into<String>) -> Refusal {
    Box::new(Diagnostic::error(span, message))
}
