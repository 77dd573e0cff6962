//! The rule Learn: a label for a step, from why the state behind it is blocked.

use super::graph::{StepId, StepKind};
use super::search::Search;
use encode::transition::TransitionFormula;
use kit::Context;
use kit::interpolants::interpolants;
use kit::path_solver::limited;
use logic::TermId;
use prover::Shape;
use smt::Answer;

/// Why a step has no label.
pub(super) enum NoLabel {
    /// It is not blocked: it was described more closely since it was taken.
    NotBlocked,
    /// There is none to be found, and why.
    Unknown(String),
}

impl Search<'_> {
    /// A label that blocks a step in the present state: `by` is what blocks the state behind it, none
    /// if there is no such state.
    pub(super) fn label_of(&mut self, step: StepId, by: Option<TermId>) -> Result<TermId, NoLabel> {
        let row = &self.graph.steps[step];
        let ctx = &mut self.ctx;
        let (guard, after) = match &row.kind {
            StepKind::Formula(formula) => {
                let tau = self.states.tau;
                let after = by.map(|by| before(ctx, formula, tau, row.decrements, by));
                (formula.guard, after)
            }
            StepKind::Escape(guard, _) => match guard {
                Some(guard) => (*guard, None),
                None => return Ok(ctx.store.bool(true)),
            },
            StepKind::Opaque(what, _) => {
                return Err(NoLabel::Unknown(format!("nothing is known of {what}")));
            }
        };
        let Some(after) = after else {
            return self.label_against(guard, None);
        };
        let after = ctx.store.simplify(after);
        let mut labels = Vec::new();
        for part in ctx.store.conjuncts(after) {
            labels.push(self.label_against(guard, Some(part))?);
        }
        let label = self.ctx.store.and(&labels);
        Ok(self.ctx.store.simplify(label))
    }

    /// A label that holds in the present state, and where the condition of a step implies what must
    /// hold before the step, or is false if nothing is asked for.
    fn label_against(&mut self, guard: TermId, part: Option<TermId>) -> Result<TermId, NoLabel> {
        let ctx = &mut self.ctx;
        let outside = match part {
            Some(part) => ctx.store.not(part),
            None => ctx.store.bool(true),
        };
        let excluded = ctx.store.and(&[guard, outside]);
        let vars = ctx.store.symbols_of(&[excluded]).into_iter();
        let vars: Vec<_> = vars.filter_map(|symbol| ctx.state.var(symbol)).collect();
        let ranges = (ctx.state).in_range(ctx.program, &mut ctx.store, vars.into_iter());
        let excluded = ctx.store.and(&[ranges, excluded]);
        if super::check(ctx, &[excluded]) == Answer::Unsat {
            return Ok(ctx.store.bool(true));
        }
        match self.simple_label(guard, part) {
            Some(label) => Ok(label),
            None => self.interpolant(excluded),
        }
    }

    /// A label that need not be searched for: where the condition of the step cannot hold, that it
    /// does not; where what must hold does so whatever the condition, just that.
    fn simple_label(&mut self, guard: TermId, part: Option<TermId>) -> Option<TermId> {
        let label = match part {
            None if self.ctx.store.is_literal(guard) => self.ctx.store.not(guard),
            None => return None,
            Some(part) => part,
        };
        if !self.is_of_state(label) {
            return None;
        }
        let value = self.states.value(&mut self.ctx, label);
        let outside = self.ctx.store.not(value);
        let blocks = matches!(self.states.model(&mut self.ctx, outside), Ok(None));
        blocks.then_some(label)
    }

    /// A formula over the state that holds at the end of the path and excludes another.
    fn interpolant(&mut self, excluded: TermId) -> Result<TermId, NoLabel> {
        let ctx = &mut self.ctx;
        let symbols = ctx.store.symbols_of(&[excluded]);
        let known = self.states.known(ctx, symbols);
        let known = core(ctx, &known, excluded)?;
        let known = ctx.store.and(&known);
        let budget = limited(&ctx.budget);
        let shape = Shape::sequence(2);
        let parts = [known, excluded];
        let found = interpolants(
            &mut self.interpolator,
            &mut ctx.store,
            &parts,
            &shape,
            &budget,
        )
        .map_err(NoLabel::Unknown)?;
        let label = self.ctx.store.simplify(found[0]);
        match self.is_of_state(label) {
            true => Ok(label),
            false => Err(NoLabel::Unknown(
                "an interpolant is not about the state".to_owned(),
            )),
        }
    }

    /// Whether a formula speaks of the state and the time to live only.
    fn is_of_state(&self, formula: TermId) -> bool {
        let mut symbols = self.ctx.store.symbols_of(&[formula]).into_iter();
        symbols.all(|symbol| symbol == self.states.tau || self.ctx.state.var(symbol).is_some())
    }
}

/// A formula about the state behind a step, of the state before it.
pub(super) fn before(
    ctx: &mut Context,
    formula: &TransitionFormula,
    tau: logic::SymbolId,
    decrements: bool,
    label: TermId,
) -> TermId {
    let mut map = ctx.renaming(formula);
    if decrements {
        let (time, one) = (ctx.store.of_symbol(tau), ctx.store.int(1i64));
        map.insert(tau, ctx.store.sub(time, one));
    }
    ctx.store.substitute(label, &map)
}

/// Conjuncts that exclude a formula, few of them.
fn core(ctx: &mut Context, known: &[TermId], excluded: TermId) -> Result<Vec<TermId>, NoLabel> {
    let budget = limited(&ctx.budget);
    ctx.solver.push();
    ctx.solver.assert(&ctx.store, excluded);
    let answer = ctx.solver.check(&ctx.store, known, &budget);
    let core = ctx.solver.core().to_vec();
    ctx.solver.pop();
    match answer {
        Answer::Unsat => Ok(core),
        Answer::Sat => Err(NoLabel::NotBlocked),
        Answer::Unknown(why) => Err(NoLabel::Unknown(why)),
    }
}
