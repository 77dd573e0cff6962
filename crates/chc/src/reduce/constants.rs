//! Which constants an argument may meet: those that it is compared with or takes the value of, and
//! those of arguments whose value it may have, or that may have its.

use crate::groups::Groups;
use crate::solved::equal_terms;
use horn::{RelationId, System};
use logic::{Integer, Node, Sort, SymbolId, TermId, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// What may have the value of something else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Member {
    Argument(RelationId, usize),
    Symbol(SymbolId),
}

/// The constants of each integer argument that meets some.
pub(super) fn constants(system: &System) -> BTreeMap<(RelationId, usize), BTreeSet<Integer>> {
    let store = &system.store;
    let mut met = Met::default();
    for clause in system.clauses.iter() {
        for atom in clause.atoms() {
            for (place, &argument) in atom.arguments.iter().enumerate() {
                if store.sort(argument) == Sort::Int {
                    met.meet(
                        store,
                        Some(Member::Argument(atom.relation, place)),
                        argument,
                    );
                }
            }
        }
        for atom in store.below(&[clause.constraint]) {
            met.equality(store, atom);
        }
    }
    let mut of_group: BTreeMap<Member, BTreeSet<Integer>> = BTreeMap::new();
    for (member, constant) in std::mem::take(&mut met.constants) {
        let group = met.groups.root(member);
        of_group.entry(group).or_default().insert(constant);
    }
    let mut found = BTreeMap::new();
    for (relation, row) in system.relations.iter_enumerated() {
        for place in 0..row.sorts.len() {
            let group = met.groups.root(Member::Argument(relation, place));
            if let Some(constants) = of_group.get(&group) {
                found.insert((relation, place), constants.clone());
            }
        }
    }
    found
}

#[derive(Default)]
struct Met {
    groups: Groups<Member>,
    constants: Vec<(Member, Integer)>,
}

impl Met {
    /// Notes what meets in an equality: two symbols or choices, or one and a constant.
    fn equality(&mut self, store: &TermStore, equality: TermId) {
        if let Some([a, b]) = equal_terms(store, equality) {
            let member = self.meet(store, None, a);
            self.meet(store, member, b);
            return;
        }
        let Node::IsZero(sum) = store.node(equality) else {
            return;
        };
        let (constant, parts) = store.to_linear(*sum);
        if let [(term, factor)] = &parts[..]
            && factor.abs().is_one()
            && let Some(member) = self.meet(store, None, *term)
        {
            self.constants.push((member, -&(&constant * factor)));
        }
    }

    /// Notes that a member may have the value of a term, that is the values that it chooses from;
    /// gives the member, or one of these symbols.
    fn meet(&mut self, store: &TermStore, member: Option<Member>, term: TermId) -> Option<Member> {
        let mut members: Vec<Member> = member.into_iter().collect();
        let mut values = Vec::new();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match store.node(term) {
                Node::Symbol(symbol) => members.push(Member::Symbol(*symbol)),
                Node::Ite(_, then, otherwise) => open.extend([*then, *otherwise]),
                _ => values.extend(store.as_int(term).cloned()),
            }
        }
        let first = *members.first()?;
        self.groups.join(members);
        self.constants
            .extend(values.into_iter().map(|value| (first, value)));
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SourceMap;

    /// What the second argument may become is compared in the first; the third counts.
    #[test]
    fn constants_of_what_an_argument_may_become_are_its_own() {
        let text = "(set-logic HORN) (declare-fun p (Int Int Int) Bool)
            (assert (forall ((n Int)) (p 1 n 0)))
            (assert (forall ((s Int) (n Int) (c Int) (t Int) (b Bool))
              (=> (and (p s n c) (= t (ite b n 7))) (p t n (+ c 1)))))
            (assert (forall ((s Int) (n Int) (c Int)) (=> (and (p s n c) (= s 4)) false)))";
        let mut sources = SourceMap::new();
        let file = sources.add("p.smt2", text.as_bytes().to_vec());
        let file = file.expect("the text should fit");
        let system = horn::read(sources.file(file)).expect("the text should be clauses");
        let relation = system.relations.ids().next().expect("there is a relation");
        let found = constants(&system);
        let of = |place| -> Vec<i64> {
            let own = found.get(&(relation, place)).into_iter().flatten();
            own.filter_map(Integer::to_i64).collect()
        };
        assert_eq!(
            [of(0), of(1), of(2)],
            [vec![1, 4, 7], vec![1, 4, 7], vec![0]]
        );
    }
}
