//! `cairn dump summary`: what loops do in any number of iterations, and from where an error can be
//! reached, in readable form.

use crate::forward_invariants::{function, place, span};
use absdom::{Invariants, Options};
use base::{Budget, SourceMap, Span};
use encode::blocks::BlockEffect;
use encode::reduce::prepare::prepare;
use encode::{Context, EncodingPrecision};
use interpolate::eliminate;
use logic::infix;
use logic::{Node, SymbolId, TermId, TermStore};
use program::expr::Type;
use program::ir::{LocationId, Program, VarId};
use program::pass::inline::InlineLimit;
use program::pass::loops::LoopId;
use rustc_hash::FxHashMap;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use summary::{Level, LoopNestSummaries, Star, ToError};
use witness::invariants::simple::conjuncts;

/// The time for the summaries, and for making one of them shorter.
const TIME: Duration = Duration::from_secs(20);
const SHORTEN: Duration = Duration::from_secs(2);

/// What is known about a loop.
pub(crate) struct LoopSummary {
    /// Where its head stands, and in which function.
    pub(crate) span: Span,
    pub(crate) function: String,
    head: LocationId,
    level: &'static str,
    /// Whether the loop does no less than the facts say.
    pub(crate) exact: bool,
    /// What the facts mention.
    pub(crate) intro: &'static str,
    /// Whether they are fit for people.
    pub(crate) is_short: bool,
    pub(crate) facts: Facts,
}

/// A formula in words: what always holds, and cases one of which does.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) always: Vec<String>,
    pub(crate) cases: Vec<Vec<String>>,
}

/// The summaries of the loops of the entry procedure, or of those on a line, and of the paths from
/// its entry to an error.
pub fn print(program: &Program, sources: &SourceMap, line: Option<u32>) -> String {
    let budget = Budget::unlimited().with_timeout(TIME);
    let program = prepare(program, InlineLimit::of(program), false);
    with_nest(&program, &budget, |ctx, nest| {
        let is_asked = |span| {
            let at = sources.presumed(span).map(|place| place.line);
            line.is_none() || at == line
        };
        let summaries = loops(ctx, nest, &is_asked).into_iter();
        let mut out: String = summaries.map(|summary| summary.text(sources)).collect();
        if line.is_none() {
            let entry = program.procs[program.entry].entry;
            let mut to_error = ToError::new(nest, Level::Phases);
            let formula = to_error.from(ctx, nest, entry, true);
            out.push_str(&of_entry(ctx, formula));
        }
        let mut blocks = nest.cuts.graph.blocks.iter();
        if blocks.any(|block| matches!(block.step, BlockEffect::OutsideEncoding(_))) {
            out.push_str("As long as nothing wraps around; what wraps counts as an error here.\n");
        }
        out
    })
}

/// The summaries of all loops of the entry procedure, as far as a budget allows.
pub(crate) fn of_program(program: &Program, budget: &Budget) -> Vec<LoopSummary> {
    let program = prepare(program, InlineLimit::of(program), false);
    with_nest(&program, budget, |ctx, nest| loops(ctx, nest, &|_| true))
}

fn with_nest<T>(
    program: &Program,
    budget: &Budget,
    work: impl FnOnce(&mut Context, &mut LoopNestSummaries) -> T,
) -> T {
    let invariants = Invariants::new(program, program.entry, &Options::default(), budget);
    let mut ctx = Context::new(program, budget);
    let mut nest = LoopNestSummaries::new(
        &mut ctx,
        program.entry,
        invariants,
        &EncodingPrecision::default(),
    );
    work(&mut ctx, &mut nest)
}

fn loops(
    ctx: &mut Context,
    nest: &mut LoopNestSummaries,
    is_asked: &dyn Fn(Span) -> bool,
) -> Vec<LoopSummary> {
    let mut summaries = Vec::new();
    for id in nest.cuts.loops.loops.ids().collect::<Vec<LoopId>>() {
        let head = nest.cuts.loops.loops[id].head;
        let span = span(ctx.program, nest.cuts.proc, head);
        if !is_asked(span) {
            continue;
        }
        let star = nest.star(ctx, id, Level::Phases);
        let (intro, is_short, facts) = of_loop(ctx, nest, id, &star);
        summaries.push(LoopSummary {
            span,
            function: function(ctx.program, nest.cuts.proc, head).to_string(),
            head,
            level: star.level.name(),
            exact: star.exact,
            intro,
            is_short,
            facts,
        });
    }
    summaries
}

impl LoopSummary {
    fn text(&self, sources: &SourceMap) -> String {
        let place = place(sources, self.span);
        let exact = if self.exact { ", exact" } else { "" };
        format!(
            "{}, {place}loop head {}, level {}{exact}:\n  {}\n{}",
            self.function,
            self.head,
            self.level,
            self.intro,
            self.facts.text("    ")
        )
    }
}

impl Facts {
    fn text(&self, indent: &str) -> String {
        let mut text = String::new();
        text.extend(self.always.iter().map(|fact| format!("{indent}{fact}\n")));
        for (number, case) in self.cases.iter().enumerate() {
            let word = if number == 0 { "either" } else { "or" };
            text.push_str(&format!("{indent}{word}\n"));
            text.extend(case.iter().map(|fact| format!("{indent}  {fact}\n")));
        }
        text
    }
}

/// What a loop does, besides what the invariants say about the state before.
fn of_loop(
    ctx: &mut Context,
    nest: &LoopNestSummaries,
    id: LoopId,
    star: &Star,
) -> (&'static str, bool, Facts) {
    if star.step.map.is_empty() {
        return ("changes nothing that matters", true, Facts::default());
    }
    let mut parts = vec![star.step.guard];
    let mut after: BTreeMap<VarId, SymbolId> = BTreeMap::new();
    for (&var, &term) in &star.step.map {
        let row = &ctx.program.vars[var];
        let symbol = ctx
            .store
            .new_symbol(&format!("{}'", row.name), row.ty.sort());
        let primed = ctx.store.of_symbol(symbol);
        parts.push(ctx.store.eq(primed, term));
        after.insert(var, symbol);
    }
    let formula = ctx.store.and(&parts);
    let mut known = vec![nest.invariant(ctx, nest.cuts.loops.loops[id].head)];
    for (&var, &symbol) in &after {
        known.extend(in_type(ctx, var, symbol));
    }
    if let Some(count) = star.count {
        let (one, count) = (ctx.store.int(1i64), ctx.store.of_symbol(count));
        known.push(ctx.store.le(one, count));
    }
    let primed = |(&var, &symbol)| (symbol, format!("{}'", ctx.program.vars[var].name));
    let mut names: BTreeMap<SymbolId, String> = after.iter().map(primed).collect();
    names.extend(star.count.map(|count| (count, "k".to_owned())));
    let (formula, is_short) = shortened(ctx, formula, &names, &known);
    // No iteration changes nothing: that need not be spelled out.
    let intro = match (star.count.is_some(), is_short) {
        (true, true) => "no iteration, or k >= 1 iterations with",
        (true, false) => "no iteration, or k >= 1 iterations with (raw)",
        (false, true) => "any number of iterations:",
        (false, false) => "any number of iterations: (raw)",
    };
    (intro, is_short, facts(ctx, formula, &names))
}

/// That the value of a variable is one of its type.
fn in_type(ctx: &mut Context, var: VarId, symbol: SymbolId) -> Option<TermId> {
    let Type::Int(ty) = ctx.program.vars[var].ty else {
        return None;
    };
    let value = ctx.store.of_symbol(symbol);
    let (low, high) = (ctx.store.int(ty.min()), ctx.store.int(ty.max()));
    let parts = [ctx.store.le(low, value), ctx.store.le(value, high)];
    Some(ctx.store.and(&parts))
}

/// From which states at the entry an error can be reached.
fn of_entry(ctx: &mut Context, formula: TermId) -> String {
    let (formula, is_short) = shortened(ctx, formula, &BTreeMap::new(), &[]);
    match ctx.store.as_bool(formula) {
        Some(true) => "from the start: an error may be reached\n".to_owned(),
        Some(false) => "from the start: no error can be reached\n".to_owned(),
        None if is_short => {
            let rest = facts(ctx, formula, &BTreeMap::new()).text("  ");
            format!("from the start: an error can be reached only if\n{rest}")
        }
        None => "from the start: an error may be reached, on conditions without a short form\n"
            .to_owned(),
    }
}

/// A formula without quantified symbols but those with names, and without what follows from what is
/// known; whether the first could be done in time.
fn shortened(
    ctx: &mut Context,
    formula: TermId,
    names: &BTreeMap<SymbolId, String>,
    known: &[TermId],
) -> (TermId, bool) {
    let formula = ctx.store.simplify(formula);
    let symbols = ctx.store.symbols_of(&[formula]).into_iter();
    let quantified: BTreeSet<SymbolId> = symbols
        .filter(|symbol| ctx.state.var(*symbol).is_none() && !names.contains_key(symbol))
        .collect();
    let mut solver = Solver::new();
    for &fact in known {
        solver.assert(&ctx.store, fact);
    }
    let budget = Budget::unlimited().with_timeout(SHORTEN);
    let short = eliminate(&mut solver, &mut ctx.store, formula, &quantified, &budget);
    let (formula, is_short) = match short {
        Ok(short) => (ctx.store.simplify(short), true),
        Err(_) => (formula, false),
    };
    let budget = Budget::unlimited().with_timeout(SHORTEN);
    let (store, ranges) = (&mut ctx.store, BTreeMap::new());
    let parts = conjuncts(&mut solver, store, formula, &ranges, &budget);
    (store.and(&parts), is_short)
}

/// A formula in words.
fn facts(ctx: &mut Context, formula: TermId, names: &BTreeMap<SymbolId, String>) -> Facts {
    let mut shown = TermStore::new();
    let mut memo = FxHashMap::default();
    let mut wanted = BTreeSet::new();
    for symbol in ctx.store.symbols_of(&[formula]) {
        let row = ctx.store.symbol(symbol).clone();
        let name = match (ctx.state.var(symbol), names.get(&symbol)) {
            (Some(var), _) => ctx.program.vars[var].name.to_string(),
            (None, Some(name)) => name.clone(),
            // Where it comes from; several are told apart by numbers.
            (None, None) => row.name.split('!').next().unwrap_or_default().to_owned(),
        };
        let term = shown.fresh(&name, row.sort);
        if names.contains_key(&symbol) && name != "k" {
            wanted.insert(term);
        }
        memo.insert(ctx.store.of_symbol(symbol), term);
    }
    let formula = shown.copy(&ctx.store, formula, &mut memo);
    let is_wanted = |term: TermId| wanted.contains(&term);
    let words = |part: &TermId| infix(&shown, *part, &is_wanted);
    let mut facts = Facts::default();
    for part in shown.conjuncts(formula) {
        match shown.node(part) {
            Node::Or(parts) if facts.cases.is_empty() => {
                let case = |case: &TermId| shown.conjuncts(*case).iter().map(words).collect();
                facts.cases = parts.iter().map(case).collect();
            }
            _ => facts.always.push(words(&part)),
        }
    }
    facts
}
