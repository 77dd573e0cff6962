//! The effect of one iteration, along the path that it takes from the current state.

use super::finder::Finder;
use certify::replay::interpret::{Interpreter, Leaps};
use encode::Substitution;
use encode::on_variables::OnVariables;
use logic::{Node, TermId};
use program::ir::{Op, VarId};
use program::pass::loops::{LoopId, LoopNest};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Longer iterations are not looked at.
const STEPS: usize = 2000;

/// The values of variables after something, over those before it. The others stay.
pub(super) type Effect = BTreeMap<VarId, TermId>;

impl<'p> Finder<'p> {
    /// What the next iteration does; loops inside make theirs by lemmas where there are some. A
    /// choice between two values is the one that is made in the state at hand.
    pub(super) fn effect(
        &mut self,
        nest: &LoopNest,
        id: LoopId,
        start: &Interpreter<'p>,
    ) -> Option<Effect> {
        let procedure = &self.program.procs[self.program.entry];
        let mut run = start.clone();
        let mut effect = Effect::new();
        for step in 0..STEPS {
            if step > 0 {
                if run.at() == nest.loops[id].head {
                    return Some(effect);
                }
                if !nest.contains(id, run.at()) {
                    return None;
                }
                if nest.is_head(run.at())
                    && let Some(leapt) = run.leap(&Leaps::new(&self.known)).ok()?
                {
                    self.apply_lemma(leapt.lemma, &mut effect, start);
                }
            }
            let edge = run.step().ok()?;
            self.apply_op(&procedure.edges[edge].op, &mut effect, start)?;
        }
        None
    }

    fn apply_op(&mut self, op: &Op, effect: &mut Effect, start: &Interpreter<'p>) -> Option<()> {
        match OnVariables::of(op)? {
            OnVariables::Skip | OnVariables::Assume(_) => {}
            OnVariables::Assign(var, value) => {
                let (value, _) = self.encode(value)?;
                let map = self.renaming(effect);
                let value = self.known.store.substitute(value, &map);
                effect.insert(var, self.decided(value, start));
            }
            OnVariables::Havoc(var, _) => {
                effect.insert(var, self.any(var));
            }
        }
        Some(())
    }

    fn apply_lemma(&mut self, place: usize, effect: &mut Effect, start: &Interpreter<'p>) {
        let map = self.renaming(effect);
        for (var, value) in self.after_lemma(place) {
            let value = self.known.store.substitute(value, &map);
            effect.insert(var, self.decided(value, start));
        }
    }

    /// The values after all iterations of a lemma.
    pub(super) fn after_lemma(&mut self, place: usize) -> Effect {
        let lemma = self.known.lemmas[place].clone();
        let all = FxHashMap::from_iter([(self.known.iteration, lemma.iterations)]);
        let store = &mut self.known.store;
        let forms = lemma.closed_form.into_iter();
        let mut effect: Effect = forms
            .map(|(var, form)| (var, store.substitute(form, &all)))
            .collect();
        effect.extend(lemma.forgotten.into_iter().map(|var| (var, self.any(var))));
        effect
    }

    /// A value of which nothing is known.
    fn any(&mut self, var: VarId) -> TermId {
        let row = &self.program.vars[var];
        self.known.store.fresh(&row.name, row.ty.sort())
    }

    /// An effect as a substitution.
    pub(super) fn renaming(&self, effect: &Effect) -> Substitution {
        self.state.substitution(effect)
    }

    /// A term with every choice made as in a state.
    fn decided(&mut self, term: TermId, start: &Interpreter<'p>) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for part in self.known.store.below(&[term]) {
            let choice = match *self.known.store.node(part) {
                Node::Ite(condition, then, otherwise) => (self.truth(condition, start, None))
                    .map(|truth| if truth { then } else { otherwise }),
                _ => None,
            };
            let new = match choice {
                Some(choice) => done[&choice],
                None => self.known.store.with_parts(part, &done),
            };
            done.insert(part, new);
        }
        done[&term]
    }
}
