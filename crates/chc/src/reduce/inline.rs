//! Inlining: replaces uses of a relation by its clauses.

use super::{Origin, Reduced, Stage};
use horn::{Atom, Clause, RelationId};
use logic::{Node, SymbolId, TermId, TermStore};
use rustc_hash::FxHashMap;

/// How many clauses more there may be for one relation less.
const GROWTH: usize = 4;

impl Reduced<'_> {
    /// Inlines relations that are not recursive, one after the other, as long as the clauses do not
    /// become many more.
    pub(super) fn inline(&mut self) {
        while let Some(relation) = self.candidate() {
            match self.stages.last_mut() {
                // Those that were inlined right before can be found again together.
                Some(Stage::Inlined(_, relations)) => relations.push(relation),
                _ => {
                    let before = Box::new(self.system.clone());
                    self.stages.push(Stage::Inlined(before, vec![relation]));
                }
            }
            self.inline_relation(relation);
        }
    }

    /// A relation that is worth inlining.
    fn candidate(&self) -> Option<RelationId> {
        let system = &self.system;
        let mut best: Option<(usize, RelationId)> = None;
        for relation in system.relations.ids() {
            let made: Vec<&Clause> = system
                .clauses_of(relation)
                .map(|id| &system.clauses[id])
                .collect();
            let is_used = |clause: &Clause| {
                clause
                    .body
                    .iter()
                    .filter(|atom| atom.relation == relation)
                    .count()
            };
            let uses: Vec<usize> = (system.clauses.iter().map(is_used)).collect();
            if made.is_empty() || made.iter().any(|clause| is_used(clause) > 0) {
                continue;
            }
            let most = uses.iter().copied().max().unwrap_or(0);
            // A clause that uses it twice becomes one for each pair.
            if most == 0 || (most > 1 && made.len() > 1) || most > 2 {
                continue;
            }
            let used = uses.iter().filter(|&&count| count > 0).count();
            let (after, before) = (made.len() * used, made.len() + used);
            let atoms = made
                .iter()
                .map(|clause| clause.body.len())
                .max()
                .unwrap_or(0);
            let is_wide = atoms > 1 && used > 1;
            if after <= before + GROWTH && !is_wide && best.is_none_or(|(least, _)| after < least) {
                best = Some((after, relation));
            }
        }
        best.map(|(_, relation)| relation)
    }

    fn inline_relation(&mut self, relation: RelationId) {
        let made: Vec<(Clause, Origin)> = (self.system.clauses_of(relation))
            .map(|id| (self.system.clauses[id].clone(), self.origins[id].clone()))
            .collect();
        let mut rows = Vec::new();
        for (id, clause) in self.system.clauses.clone().iter_enumerated() {
            if clause
                .head
                .as_ref()
                .is_some_and(|head| head.relation == relation)
            {
                continue;
            }
            let mut open = vec![(clause.clone(), self.origins[id].clone())];
            while let Some((clause, origin)) = open.pop() {
                let at = clause
                    .body
                    .iter()
                    .position(|atom| atom.relation == relation);
                let Some(at) = at else {
                    if self.system.store.as_bool(clause.constraint) != Some(false) {
                        rows.push((clause, origin));
                    }
                    continue;
                };
                for (other, from) in made.iter().rev() {
                    let new = self.resolved(&clause, at, other);
                    let count = other.body.len();
                    let mut origin = origin.clone();
                    let mut from = from.clone();
                    // The relations of the clause that comes in are where the one was.
                    from.renumber(&|place| place + at);
                    let mark = usize::MAX;
                    origin.renumber(&|place| match place {
                        place if place == at => mark,
                        place if place > at => place + count - 1,
                        place => place,
                    });
                    origin.put(mark, &from);
                    open.push((new, origin));
                }
            }
        }
        self.put_clauses(rows);
    }

    /// A clause with another in place of a relation of its body.
    fn resolved(&mut self, clause: &Clause, at: usize, other: &Clause) -> Clause {
        let store = &mut self.system.store;
        let used = &clause.body[at].arguments;
        let head = other.head.as_ref().map_or(&[][..], |head| &head.arguments);
        let (mut map, equal) = matched(store, head, used);
        for symbol in other.variables(store) {
            map.entry(symbol)
                .or_insert_with(|| store.fresh_like(symbol));
        }
        let mut parts = vec![clause.constraint, store.substitute(other.constraint, &map)];
        for (argument, value) in equal {
            let argument = store.substitute(argument, &map);
            parts.push(store.eq(argument, value));
        }
        let renamed = |store: &mut TermStore, atom: &Atom| Atom {
            relation: atom.relation,
            arguments: store.substitute_all(&atom.arguments, &map),
        };
        let mut body = clause.body[..at].to_vec();
        body.extend(other.body.iter().map(|atom| renamed(store, atom)));
        body.extend_from_slice(&clause.body[at + 1..]);
        Clause {
            body,
            constraint: store.and(&parts),
            head: clause.head.clone(),
            span: clause.span,
        }
    }
}

/// Values for the symbols among some arguments, and the arguments that are no symbols, or not for
/// the first time, with their values.
pub(crate) fn matched<V: Copy>(
    store: &TermStore,
    arguments: &[TermId],
    values: &[V],
) -> (FxHashMap<SymbolId, V>, Vec<(TermId, V)>) {
    let mut map: FxHashMap<SymbolId, V> = FxHashMap::default();
    let mut equal: Vec<(TermId, V)> = Vec::new();
    for (&argument, &value) in arguments.iter().zip(values) {
        match store.node(argument) {
            Node::Symbol(symbol) if !map.contains_key(symbol) => {
                map.insert(*symbol, value);
            }
            _ => equal.push((argument, value)),
        }
    }
    (map, equal)
}
