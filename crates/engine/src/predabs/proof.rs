//! The proof: abstract states of trees without open leaves.
//!
//! A label of the program's entry is the disjunction of the abstract states there. For a procedure
//! it says for each abstract state in which it is called: if the entry values satisfy it, one of
//! the states of that tree holds.

use super::search::{Search, TreeId};
use certify::{Outcome, Reason};
use encode::Substitution;
use kit::Context;
use kit::prepared::ProcedureLabels;
use logic::TermId;
use program::ir::{LocationId, ProcId};
use std::collections::BTreeMap;

impl Search<'_> {
    /// No leaf is open any more: the abstract states are a proof, if no path was left undecided.
    pub(super) fn complete(mut self) -> Outcome {
        let ids: Vec<TreeId> = self.entered().into_keys().collect();
        if let Some(reason) = self.undecided(&ids) {
            return Outcome::Unknown(reason);
        }
        let mut procedures: BTreeMap<ProcId, ProcedureLabels> = BTreeMap::new();
        let mut entry = BTreeMap::new();
        for id in ids {
            let labels = self.labels(id);
            if id == self.main() {
                entry = labels;
                continue;
            }
            let (proc, start) = (self.trees[id].proc, self.start(id));
            let exit = self.exit(id);
            let store = &mut self.ctx.store;
            let row = procedures.entry(proc).or_insert_with(|| ProcedureLabels {
                entry: Some(store.bool(false)),
                ..ProcedureLabels::default()
            });
            row.entry = row.entry.map(|entry| store.or(&[entry, start]));
            let mut add = |label: &mut Option<TermId>, states: TermId| {
                let here = store.implies(start, states);
                let all = label.map_or(here, |label| store.and(&[label, here]));
                *label = Some(all);
            };
            if self.prepared.frames[&proc].returns {
                add(&mut row.exit, exit);
            }
            for (at, states) in labels {
                let mut label = row.heads.get(&at).copied();
                add(&mut label, states);
                row.heads.extend(label.map(|label| (at, label)));
            }
        }
        self.add_entries(&mut procedures);
        self.add_others(&mut procedures);
        match self
            .prepared
            .proof_by_contracts(self.ctx, entry, &procedures)
        {
            Ok(proof) => Outcome::Safe(proof),
            Err(reason) => Outcome::Unknown(*reason),
        }
    }

    fn undecided(&self, ids: &[TreeId]) -> Option<Reason> {
        let mut reasons = ids.iter().filter_map(|&id| self.trees[id].tree.undecided());
        reasons.next().map(|(_, reason)| reason.clone())
    }

    /// In a procedure it holds everywhere that it was entered in one of the states it is called in.
    fn add_entries(&mut self, procedures: &mut BTreeMap<ProcId, ProcedureLabels>) {
        let store = &mut self.ctx.store;
        for row in procedures.values_mut() {
            let Some(entry) = row.entry else { continue };
            for label in row.heads.values_mut() {
                *label = store.and(&[*label, entry]);
            }
        }
    }

    /// Procedures that no call enters.
    fn add_others(&mut self, procedures: &mut BTreeMap<ProcId, ProcedureLabels>) {
        let never = self.ctx.store.bool(false);
        for (&proc, frame) in &self.prepared.frames {
            let heads = self.bodies[&proc].nest.cuts.heads();
            procedures.entry(proc).or_insert_with(|| ProcedureLabels {
                entry: Some(never),
                exit: frame.returns.then_some(never),
                heads: heads.map(|at| (at, never)).collect(),
            });
        }
    }

    /// For each head of a loop, that one of the states of a tree holds there.
    fn labels(&mut self, id: TreeId) -> BTreeMap<LocationId, TermId> {
        let row = &self.trees[id];
        let nest = &self.bodies[&row.proc].nest;
        let known = |ctx: &mut Context, at| nest.invariant(ctx, at);
        row.tree.labels(&mut self.ctx, &nest.cuts, known)
    }

    /// The state in which a tree is entered, over entry values.
    fn start(&mut self, id: TreeId) -> TermId {
        let row = &self.trees[id];
        let (ctx, root) = (&mut self.ctx, row.tree.unwinding.root());
        let label = row.tree.label(ctx, root);
        let entered = ctx.frames[&row.proc].entry_values.clone();
        let copies = entered.into_iter();
        let map: Substitution = copies
            .map(|(var, copy)| (ctx.state.symbol(var), ctx.before(copy)))
            .collect();
        ctx.store.substitute(label, &map)
    }

    /// That one of the states of a tree at its exits holds.
    fn exit(&mut self, id: TreeId) -> TermId {
        let row = &self.trees[id];
        let exits = row.exits.iter();
        let exits: Vec<TermId> = exits
            .map(|&vertex| row.tree.label(&mut self.ctx, vertex))
            .collect();
        self.ctx.store.or(&exits)
    }
}
