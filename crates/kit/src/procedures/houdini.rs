//! The greatest inductive subset of a set of candidates.

use super::{Facts, Procedures, at_entry};
use crate::holding::{Claim, holding};
use crate::path_solver::{asking, limited_model};
use encode::Context;
use logic::TermId;
use program::ir::ProcId;
use smt::Answer;
use std::collections::{BTreeMap, BTreeSet};
use summary::{OpenCall, ProcedureBody};

/// Candidates, and what is left of them.
pub(super) type Candidates = BTreeMap<ProcId, Facts>;

impl Procedures {
    /// Keeps of the candidates what can be shown, and finds out which procedures reach no error
    /// then.
    pub(super) fn establish(&mut self, ctx: &mut Context, mut candidates: Candidates) {
        let mut open: BTreeSet<ProcId> = self.facts.keys().copied().collect();
        while let Some(proc) = open.pop_first() {
            if ctx.budget.check().is_err() {
                return;
            }
            let weaker = self.with_body(ctx, proc, |ctx, body| {
                self.weaken(ctx, proc, body, &mut candidates)
            });
            for weaker in weaker {
                // Those rest on it that call it, and itself.
                open.insert(weaker);
                let callers = self.graph.callers[weaker].iter();
                open.extend(callers.filter(|caller| self.facts.contains_key(caller)));
            }
        }
        self.facts = candidates;
        self.find_safe(ctx);
    }

    /// Drops what the body of a procedure does not show: what it ensures, and what its callees
    /// require. Gives the procedures of which less is known now.
    fn weaken(
        &self,
        ctx: &mut Context,
        proc: ProcId,
        body: &ProcedureBody,
        candidates: &mut Candidates,
    ) -> BTreeSet<ProcId> {
        let mut weaker = BTreeSet::new();
        ctx.solver.push();
        self.assume(ctx, proc, body, candidates);
        if let Some(returns) = &body.returns {
            let ensures = &mut candidates.entry(proc).or_default().ensures;
            let claims = ensures.iter();
            let claims = claims.map(|&fact| (fact, ctx.after(returns, fact)));
            let claims = claims.collect();
            let kept = shown(ctx, returns.guard, claims);
            if kept.len() < ensures.len() {
                weaker.insert(proc);
            }
            *ensures = kept;
        }
        for call in &body.calls {
            let callee = call.site.callee;
            let requires = &mut candidates.entry(callee).or_default().requires;
            let claims = requires.iter();
            let claims = claims.map(|&fact| (fact, call.at_site(ctx, fact)));
            let claims = claims.collect();
            let made = call.made(ctx);
            let kept = shown(ctx, made, claims);
            if kept.len() < requires.len() {
                weaker.insert(callee);
            }
            *requires = kept;
        }
        ctx.solver.pop();
        weaker
    }

    /// Asks something about a body whose calls do what is known about them.
    fn assuming(
        &self,
        ctx: &mut Context,
        proc: ProcId,
        ask: impl Fn(&mut Context, &ProcedureBody) -> bool,
    ) -> bool {
        self.with_body(ctx, proc, |ctx, body| {
            ctx.solver.push();
            self.assume(ctx, proc, body, &self.facts);
            let answer = ask(ctx, body);
            ctx.solver.pop();
            answer
        })
    }

    /// Tells the solver what holds in a body: where it starts, and after its calls.
    fn assume(
        &self,
        ctx: &mut Context,
        proc: ProcId,
        body: &ProcedureBody,
        candidates: &Candidates,
    ) {
        let ensured = |callee| Some(&candidates[&callee].ensures);
        let mut known = self.known(ctx, proc, body, ensured);
        let required = candidates[&proc].requires.iter();
        known.extend(required.map(|&fact| at_entry(ctx, proc, fact)));
        for fact in known {
            ctx.solver.assert(&ctx.store, fact);
        }
    }

    /// What holds in a body, if its calls ensure what is said about them.
    pub(super) fn known<'f>(
        &self,
        ctx: &mut Context,
        proc: ProcId,
        body: &ProcedureBody,
        ensures: impl Fn(ProcId) -> Option<&'f BTreeSet<TermId>>,
    ) -> Vec<TermId> {
        let mut known = vec![body.entry];
        if proc == self.entry {
            known.push(self.initial);
        }
        for call in &body.calls {
            for &fact in ensures(call.site.callee).into_iter().flatten() {
                let fact = call.at_site(ctx, fact);
                known.push(ctx.store.implies(call.taken, fact));
            }
        }
        known
    }

    /// Finds the procedures that reach no error, nor call one that may.
    fn find_safe(&mut self, ctx: &mut Context) {
        let fails_never = |proc: &ProcId| {
            let is_excluded =
                |ctx: &mut Context, body: &ProcedureBody| is_excluded(ctx, body.fails);
            !self.may_fail.contains(proc) || self.assuming(ctx, *proc, is_excluded)
        };
        let mut safe: BTreeSet<ProcId> = self.facts.keys().copied().filter(fails_never).collect();
        loop {
            let is_failing = |proc: &ProcId| {
                let mut callees = self.graph.callees[*proc].iter();
                let is_safe =
                    |callee: &ProcId| safe.contains(callee) || !self.facts.contains_key(callee);
                if callees.all(is_safe) {
                    return false;
                }
                let is_never_made = |ctx: &mut Context, call: &OpenCall| {
                    let made = call.made(ctx);
                    is_excluded(ctx, made)
                };
                !self.assuming(ctx, *proc, |ctx, body| {
                    let mut calls = body.calls.iter();
                    calls.all(|call| safe.contains(&call.site.callee) || is_never_made(ctx, call))
                })
            };
            let failing: Vec<ProcId> = safe.iter().copied().filter(is_failing).collect();
            if failing.is_empty() {
                break;
            }
            safe.retain(|proc| !failing.contains(proc));
        }
        self.safe = safe;
    }
}

/// Whether something cannot be, by what the solver was told.
fn is_excluded(ctx: &mut Context, formula: TermId) -> bool {
    asking(ctx, |ctx| ctx.check(&[formula])) == Answer::Unsat
}

/// Those facts whose claims are shown to hold under a guard.
fn shown(ctx: &mut Context, guard: TermId, claims: Vec<Claim>) -> BTreeSet<TermId> {
    match holding(ctx, &[guard], claims, limited_model) {
        Ok(facts) => facts.into_iter().collect(),
        // One by one: some may be easier.
        Err(open) => {
            let is_shown = |(fact, claim): Claim| {
                let broken = ctx.store.not(claim);
                let formula = ctx.store.and(&[guard, broken]);
                is_excluded(ctx, formula).then_some(fact)
            };
            open.into_iter().filter_map(is_shown).collect()
        }
    }
}
