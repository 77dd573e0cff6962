//! Labels as a proof: those of the loop heads, and contracts of procedures.
//!
//! A negative summary of a procedure's entry says which exit states are impossible; its negation is
//! the contract. At a loop head in the procedure a proof must say, in terms of the entry values,
//! that what the summary excludes is excluded there too. The exit state is eliminated from that,
//! since labels of a proof have no quantifiers.
//!
//! # Invariants
//! - Only labels without a time to live are used.

use super::Rest;
use super::calls::Aim;
use super::search::Search;
use base::IdVec;
use certify::Reason;
use encode::Substitution;
use encode::frames::Frame;
use interpolate::eliminate::eliminate;
use kit::path_solver::limited;
use kit::prepared::{Prepared, ProcedureLabels};
use logic::{SymbolId, TermId};
use program::ir::{LocationId, ProcId};
use std::collections::{BTreeMap, BTreeSet};

impl Search<'_> {
    /// The labels as a proof, not checked yet.
    pub(super) fn prove(mut self, prepared: &Prepared) -> Rest {
        let entry = self.ctx.program.entry;
        let labels = match self.invariants.take() {
            Some(invariants) => invariants,
            None => self.labels_of_heads(entry),
        };
        let mut procedures = BTreeMap::new();
        for (proc, frame) in prepared.frames.clone() {
            match self.procedure_labels(proc, &frame) {
                Ok(labels) => procedures.insert(proc, labels),
                Err(why) => {
                    let message = format!("a loop beside calls has no label: {why}");
                    return Rest::Open(Reason::gave_up(message));
                }
            };
        }
        match prepared.proof_by_contracts(self.ctx, labels, &procedures) {
            Ok(proof) => Rest::Excluded(Box::new(proof)),
            Err(reason) => Rest::Open(*reason),
        }
    }

    /// Labels everything, since no goal is open.
    pub(super) fn label_all(&mut self) {
        self.label_others(Aim::Goal, &IdVec::filled(false, self.graph.out.len()));
    }

    /// What holds at the heads of a procedure's loops whatever the time to live.
    fn labels_of_heads(&mut self, proc: ProcId) -> BTreeMap<LocationId, TermId> {
        let heads = self.graph.loops[&proc].loops.iter().map(|row| row.head);
        let heads: Vec<LocationId> = heads.collect();
        let liveness = self.ctx.liveness();
        let mut labels = BTreeMap::new();
        for head in heads {
            let cases = self.timeless((self.graph.point(proc, head), Aim::Goal));
            let ctx = &mut self.ctx;
            let live = liveness.live_at(proc, head).iter();
            let ranges = ctx.in_range(live);
            let label = ctx.store.or(&cases);
            labels.insert(head, ctx.store.and(&[label, ranges]));
        }
        labels
    }

    /// What a proof says about a procedure that is called.
    fn procedure_labels(&mut self, proc: ProcId, frame: &Frame) -> Result<ProcedureLabels, String> {
        let callable = &self.graph.callables[&proc];
        let (entry, left) = (callable.entry, callable.left.clone());
        let goal = self.timeless((entry, Aim::Goal));
        let goal = self.over_entry_values(proc, frame, &goal);
        let found: Vec<_> = frame.found().collect();
        let ctx = &mut self.ctx;
        let found = ctx.in_range(found);
        let requires = ctx.store.and(&[goal, found]);
        let excluded = self.timeless((entry, Aim::Exit));
        let excluded = self.over_entry_values(proc, frame, &excluded);
        let at_exit: Substitution = left
            .iter()
            .map(|(&var, &symbol)| (symbol, self.ctx.before(var)))
            .collect();
        let ensures = self.ctx.store.not(excluded);
        let ensures = self.ctx.store.substitute(ensures, &at_exit);
        let vars: Vec<_> = left.keys().copied().collect();
        let ctx = &mut self.ctx;
        let ranges = ctx.in_range(vars);
        let mut heads = self.labels_of_heads(proc);
        for (&head, label) in &mut heads {
            let kept = self.keeps_contract(proc, head, excluded)?;
            *label = self.ctx.store.and(&[*label, kept, found]);
        }
        Ok(ProcedureLabels {
            entry: Some(requires),
            exit: frame
                .returns
                .then(|| self.ctx.store.and(&[ensures, ranges])),
            heads,
        })
    }

    /// Cases of the label of a procedure's entry, over its entry values; those that mention
    /// something else are left out.
    fn over_entry_values(&mut self, proc: ProcId, frame: &Frame, cases: &[TermId]) -> TermId {
        let ctx = &mut self.ctx;
        let entered = frame.entry_values.iter();
        let map = entered.map(|(&var, &copy)| (ctx.state.symbol(var), ctx.before(copy)));
        let map: Substitution = map.collect();
        let found: BTreeSet<_> = frame.found().collect();
        let left = &self.graph.callables[&proc].left;
        let mut kept = Vec::new();
        for &case in cases {
            let case = ctx.store.substitute(case, &map);
            let mut symbols = ctx.store.symbols_of(&[case]).into_iter();
            let is_spoken = symbols.all(|symbol| match ctx.state.var(symbol) {
                Some(var) => found.contains(&var),
                None => left.values().any(|&it| it == symbol),
            });
            if is_spoken {
                kept.push(case);
            }
        }
        ctx.store.or(&kept)
    }

    /// That whatever is excluded at the exit, of the entry values, is so of the state at a head too.
    fn keeps_contract(
        &mut self,
        proc: ProcId,
        head: LocationId,
        excluded: TermId,
    ) -> Result<TermId, String> {
        let label = self.timeless((self.graph.point(proc, head), Aim::Exit));
        let ctx = &mut self.ctx;
        let label = ctx.store.or(&label);
        let callable = &self.graph.callables[&proc];
        let ranges = callable.in_range(ctx);
        let outside = ctx.store.not(label);
        let broken = ctx.store.and(&[excluded, outside, ranges]);
        let left: BTreeSet<SymbolId> = callable.left.values().copied().collect();
        let budget = limited(&ctx.budget);
        let broken = eliminate(&mut ctx.solver, &mut ctx.store, broken, &left, &budget)?;
        Ok(ctx.store.not(broken))
    }
}
