//! Trace formulas: a path through several procedure activations, cut so that each interpolant is
//! over one activation.
//!
//! Every activation has symbols of its own. The state at the entry of a call that returns has
//! symbols, too; that these are the caller's values is asserted at its return. So inside it an
//! interpolant knows nothing about the caller, only how values relate to those at the entry; after
//! it, its effect is one step. A call that never returns is different: it may use what the caller
//! knows, and the caller's own variables no longer matter.
//!
//! # Paper
//! [henzinger2004abstractions], section 5.2 and figure 8: the constraints of a body before and
//! after a point are its two sides, those of the calling context are on the far side. One tree
//! interpolant provides all these cuts, and those of one trace are consistent with each other.
//!
//! # Invariants
//! - The parts of an activation that returns are below its return, and those of the caller before
//!   the call beside them.

use crate::path_formula::initial;
use base::Budget;
use encode::Substitution;
use encode::contract::CallSite;
use encode::transition::TransitionFormula;
use encode::{Context, CutGraph};
use interpolate::{Interpolator, Layers};
use logic::{Node, SymbolId, TermId};
use program::ir::{ProcId, Scope, VarId};
use prover::Shape;
use rustc_hash::FxHashMap;
use smt::{Answer, Model};
use std::collections::BTreeMap;

/// A step of a trace.
#[derive(Clone, Copy)]
pub enum TraceStep<'t> {
    /// A block in the current activation.
    Block(&'t TransitionFormula),
    /// A call that does not return in this trace.
    Enter(&'t CallSite),
    /// A call that returns later.
    Call(&'t CallSite),
    /// The return from the last call that has not returned.
    Return,
}

/// A trace as constraints.
pub struct TraceFormula {
    parts: Vec<Part>,
    activations: Vec<Activation>,
    /// The activations that have not ended, the current one last.
    open: Vec<usize>,
}

/// The constraints of one step.
struct Part {
    formula: TermId,
    /// Its parent part.
    parent: Option<usize>,
    /// The symbols of the state after it, where they differ.
    names: Substitution,
    /// The inputs of the block.
    quantified: Substitution,
}

/// One activation of a procedure.
struct Activation {
    proc: ProcId,
    /// The call that it is in, if it returns.
    call: Option<CallSite>,
    /// The symbols of variables now.
    now: BTreeMap<VarId, TermId>,
    /// Its entry values, if it returns: separate symbols.
    found: BTreeMap<VarId, TermId>,
    /// Further constraints of its first part.
    start: Vec<TermId>,
    /// Its last part.
    last: Option<usize>,
}

impl TraceFormula {
    /// The formula of a trace from the start of a program, one part for each step except for calls
    /// that return, and one before all.
    pub fn new(ctx: &mut Context, entry: &CutGraph, steps: &[TraceStep<'_>]) -> Self {
        let program = ctx.program;
        let live = entry.live(program.procs[entry.proc].entry);
        let start = initial(program, &mut ctx.store, &ctx.state, live);
        let mut trace = TraceFormula {
            parts: Vec::new(),
            activations: vec![Activation::new(entry.proc, None)],
            open: vec![0],
        };
        trace.block(ctx, &start);
        for step in steps {
            match *step {
                TraceStep::Block(step) => trace.block(ctx, step),
                TraceStep::Enter(site) => trace.enter(ctx, site),
                TraceStep::Call(site) => trace.call(ctx, site),
                TraceStep::Return => trace.leave(ctx),
            }
        }
        trace
    }

    /// Whether the trace is feasible according to its formulas, with a model.
    pub fn model(&self, ctx: &mut Context, budget: &Budget) -> Result<Option<Model>, String> {
        let mut solver = smt::Solver::new();
        for part in &self.parts {
            solver.assert(&ctx.store, part.formula);
        }
        match solver.check(&ctx.store, &[], budget) {
            Answer::Unsat => Ok(None),
            Answer::Sat => {
                let model = solver.model().cloned();
                model.map(Some).ok_or("a model cannot be read".to_owned())
            }
            Answer::Unknown(why) => Err(why),
        }
    }

    /// What holds after each part of an infeasible trace, except the last: interpolants over the
    /// state of the activation there. One that mentions anything else is dropped.
    pub fn interpolants(
        &self,
        ctx: &mut Context,
        budget: &Budget,
    ) -> Result<Vec<Option<TermId>>, String> {
        let formulas: Vec<TermId> = self.parts.iter().map(|part| part.formula).collect();
        let count = self.parts.len() - 1;
        let parents = self.parts[..count].iter();
        let parents: Option<Vec<usize>> = parents.map(|part| part.parent).collect();
        let shape = parents.and_then(|parents| Shape::tree(&parents));
        let shape = shape.ok_or("the parts of a trace are no tree")?;
        let mut interpolator = Interpolator::new(Layers::ALL);
        let found = interpolator.interpolate(&mut ctx.store, shape.of(&formulas), budget);
        let rows = found.found()?.into_iter().zip(&self.parts);
        Ok(rows
            .map(|(interpolant, part)| {
                let symbols = ctx.store.symbols_of(&[interpolant]);
                let mut symbols = symbols.iter();
                let is_known = symbols.all(|symbol| part.names.contains_key(symbol));
                is_known.then(|| ctx.store.substitute(interpolant, &part.names))
            })
            .collect())
    }

    /// The symbol, in a part, of an input of a block.
    pub fn input(&self, ctx: &Context, part: usize, input: SymbolId) -> Option<SymbolId> {
        let term = *self.parts.get(part)?.quantified.get(&input)?;
        match ctx.store.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }

    /// A block of the current activation.
    fn block(&mut self, ctx: &mut Context, step: &TransitionFormula) {
        let mut constraints = Vec::new();
        let (terms, quantified) = self.terms(ctx, &step.terms(), &mut constraints);
        constraints.push(terms[terms.len() - 1]);
        for (&var, &term) in step.map.keys().zip(&terms) {
            let new = self.write(ctx, var);
            constraints.push(ctx.store.eq(new, term));
        }
        self.push(ctx, &constraints, quantified);
    }

    /// A call that returns. A variable whose entry value is kept has a symbol for that and another
    /// for its current value, so that interpolants relate the two.
    fn call(&mut self, ctx: &mut Context, site: &CallSite) {
        let callee = Activation::new(site.callee, Some(site.clone()));
        self.open.push(self.activations.len());
        self.activations.push(callee);
        let kept: Vec<VarId> = ctx.frames[&site.callee]
            .entry_values
            .keys()
            .copied()
            .collect();
        let mut constraints = Vec::new();
        for var in kept {
            let found = self.value(ctx, var, &mut constraints);
            let now = self.write(ctx, var);
            constraints.push(ctx.store.eq(now, found));
        }
        self.running_mut().start = constraints;
    }

    /// A call that does not return: the callee continues from the caller's state.
    fn enter(&mut self, ctx: &mut Context, site: &CallSite) {
        let mut constraints = Vec::new();
        let args = self.args(ctx, site, &mut constraints);
        let last = self.running().last;
        let globals = self.running().now.iter();
        let globals = globals.filter(|(var, _)| is_global(ctx, **var));
        let globals = globals.map(|(&var, &term)| (var, term)).collect();
        self.open.push(self.activations.len());
        self.activations.push(Activation {
            now: globals,
            last,
            ..Activation::new(site.callee, None)
        });
        for (param, value) in args {
            let new = self.write(ctx, param);
            constraints.push(ctx.store.eq(new, value));
        }
        self.push(ctx, &constraints, FxHashMap::default());
    }

    /// The return from the current activation.
    fn leave(&mut self, ctx: &mut Context) {
        let callee = self.open.pop().expect("an activation should be open");
        let site = self.activations[callee].call.clone();
        let site = site.expect("an activation that returns should have its call");
        let mut constraints = Vec::new();
        let args = self.args(ctx, &site, &mut constraints);
        for (var, found) in self.activations[callee].found.clone() {
            let value = match args.get(&var) {
                Some(&value) => value,
                None if is_global(ctx, var) => self.value(ctx, var, &mut constraints),
                None => continue,
            };
            constraints.push(ctx.store.eq(found, value));
        }
        let row = &self.activations[callee];
        let written = row
            .now
            .iter()
            .filter(|(var, term)| is_global(ctx, **var) && row.found.get(*var) != Some(*term));
        let written: Vec<(VarId, TermId)> = written.map(|(&var, &term)| (var, term)).collect();
        let result = ctx.frames[&site.callee].result;
        let result = result.and_then(|var| self.activations[callee].now.get(&var).copied());
        for (var, term) in written {
            self.running_mut().now.insert(var, term);
        }
        if let Some(var) = site.result {
            let new = self.write(ctx, var);
            match result {
                Some(result) => constraints.push(ctx.store.eq(new, result)),
                None => self.range(ctx, var, new, &mut constraints),
            }
        }
        let inner = self.activations[callee].last;
        let part = self.push(ctx, &constraints, FxHashMap::default());
        if let Some(inner) = inner {
            self.parts[inner].parent = Some(part);
        }
    }

    /// The arguments of a call, by the callee's parameters, and the condition that they are
    /// defined.
    fn args(
        &mut self,
        ctx: &mut Context,
        site: &CallSite,
        constraints: &mut Vec<TermId>,
    ) -> BTreeMap<VarId, TermId> {
        let entered = ctx.frames[&site.callee].entry_values.clone();
        let params = ctx.program.procs[site.callee].params.clone();
        let (mut kept, mut roots) = (Vec::new(), vec![site.guard]);
        for param in params {
            if let Some(copy) = entered.get(&param) {
                kept.push(param);
                roots.push(site.entered[copy]);
            }
        }
        let (terms, _) = self.terms(ctx, &roots, constraints);
        constraints.push(terms[0]);
        kept.into_iter().zip(terms.into_iter().skip(1)).collect()
    }

    /// Terms over the state, in the activation that runs; what is not a variable has new symbols.
    fn terms(
        &mut self,
        ctx: &mut Context,
        roots: &[TermId],
        constraints: &mut Vec<TermId>,
    ) -> (Vec<TermId>, Substitution) {
        let mut map = FxHashMap::default();
        let mut quantified = FxHashMap::default();
        for symbol in ctx.store.symbols_of(roots) {
            let term = match ctx.state.var(symbol) {
                Some(var) => self.value(ctx, var, constraints),
                None => {
                    let term = ctx.store.fresh_like(symbol);
                    quantified.insert(symbol, term);
                    term
                }
            };
            map.insert(symbol, term);
        }
        (ctx.store.substitute_all(roots, &map), quantified)
    }

    /// The symbol of a variable now; it was found at the entry if it has none yet.
    fn value(&mut self, ctx: &mut Context, var: VarId, constraints: &mut Vec<TermId>) -> TermId {
        if let Some(&term) = self.running().now.get(&var) {
            return term;
        }
        let new = self.write(ctx, var);
        self.range(ctx, var, new, constraints);
        self.running_mut().found.insert(var, new);
        new
    }

    /// That a value is in the range of a variable's type.
    fn range(&self, ctx: &mut Context, var: VarId, value: TermId, constraints: &mut Vec<TermId>) {
        let range = ctx.in_range([var]);
        let map = FxHashMap::from_iter([(ctx.state.symbol(var), value)]);
        constraints.push(ctx.store.substitute(range, &map));
    }

    /// A new symbol for a variable.
    fn write(&mut self, ctx: &mut Context, var: VarId) -> TermId {
        let new = ctx.store.fresh_like(ctx.state.symbol(var));
        self.running_mut().now.insert(var, new);
        new
    }

    /// Adds a part to the current activation.
    fn push(
        &mut self,
        ctx: &mut Context,
        constraints: &[TermId],
        quantified: Substitution,
    ) -> usize {
        let part = self.parts.len();
        let mut all = std::mem::take(&mut self.running_mut().start);
        all.extend(constraints);
        let formula = ctx.store.and(&all);
        let last = self.running_mut().last.replace(part);
        if let Some(last) = last {
            self.parts[last].parent = Some(part);
        }
        let names = self.names(ctx);
        self.parts.push(Part {
            formula,
            parent: None,
            names,
            quantified,
        });
        part
    }

    /// What the symbols of the activation that runs stand for: the locals that keep what was found at
    /// the entry, and variables as they are now.
    fn names(&self, ctx: &mut Context) -> Substitution {
        let running = self.running();
        let mut names = FxHashMap::default();
        let mut name = |ctx: &mut Context, term: TermId, var: VarId| {
            if let Node::Symbol(symbol) = *ctx.store.node(term) {
                names.insert(symbol, ctx.before(var));
            }
        };
        for (&var, &term) in &running.now {
            name(ctx, term, var);
        }
        if let Some(frame) = ctx.frames.get(&running.proc).cloned() {
            for (var, &found) in &running.found {
                if let Some(&copy) = frame.entry_values.get(var) {
                    name(ctx, found, copy);
                }
            }
        }
        names
    }

    fn running(&self) -> &Activation {
        let last = self.open.last();
        &self.activations[*last.expect("an activation should be open")]
    }

    fn running_mut(&mut self) -> &mut Activation {
        let last = self.open.last();
        &mut self.activations[*last.expect("an activation should be open")]
    }
}

impl Activation {
    fn new(proc: ProcId, call: Option<CallSite>) -> Self {
        Activation {
            proc,
            call,
            now: BTreeMap::new(),
            found: BTreeMap::new(),
            start: Vec::new(),
            last: None,
        }
    }
}

fn is_global(ctx: &Context, var: VarId) -> bool {
    ctx.program.vars[var].scope == Scope::Global
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepared::Prepared;
    use encode::{Contract, EncodingPrecision};
    use logic::infix;
    use program::pass::inline::InlineLimit;

    /// `main` calls `inc` and wants a sum that it never gets; `inc` counts its calls.
    const TEXT: &str = r#"program ptr 8 entry main
        global v0 calls: i32 = 0i32
        site n0: nondet i32 "__VERIFIER_nondet_int"
        proc p0 main() entry l0 exit l1 {
          local v1 a: i32
          local v2 b: i32
          l0:
            e0: havoc a n0 -> l2
          l2:
            e1: b := call inc(a) -> l3
          l3:
            e2: assume b - calls != a -> l4
            e3: assume b - calls == a -> l5
          l4: error assertion "b"
          l5:
            e4: return -> l1
          l1:
        }
        proc p1 inc(v3 x: i32) -> i32 entry l0 exit l1 {
          l0:
            e0: calls := calls + 1i32 -> l2
          l2:
            e1: assume x == 7i32 -> l3
            e2: assume x != 7i32 -> l4
          l3: error assertion "x"
          l4:
            e3: return x + 1i32 -> l1
          l1:
        }"#;

    /// The graphs of `main` and `inc`, and what a test does with them.
    fn with_graphs(test: impl FnOnce(&mut Context, &CutGraph, &CutGraph)) {
        let program = program::testing::parse(TEXT);
        let prepared = Prepared::inlining(&program, InlineLimit { edges: 0, body: 0 }, true);
        let mut ctx = prepared.context(&Budget::unlimited());
        let anything = Contract {
            ensures: ctx.store.bool(true),
            requires: ctx.store.bool(true),
        };
        let procs = prepared.frames.keys();
        let precision = EncodingPrecision {
            contracts: procs.map(|&proc| (proc, anything.clone())).collect(),
            ..EncodingPrecision::default()
        };
        let main = CutGraph::new(&mut ctx, prepared.program.entry, &precision);
        let inc = prepared.frames.keys().next().expect("a procedure");
        let inc = CutGraph::new(&mut ctx, *inc, &precision);
        test(&mut ctx, &main, &inc);
    }

    /// The block from the entry, or from elsewhere, that leads to an error, or to none; no call.
    fn step(ctx: &Context, cuts: &CutGraph, is_first: bool, fails: bool) -> TransitionFormula {
        let entry = ctx.program.procs[cuts.proc].entry;
        let mut blocks = cuts.graph.blocks.iter().filter(|block| {
            let is_call = cuts.graph.calls.contains_key(&block.edges[0]);
            let is_from = (block.source == entry) == is_first;
            !is_call && is_from && cuts.errors.contains(&block.target) == fails
        });
        let found = blocks.find_map(|block| block.step.continuing());
        found.expect("a block").clone()
    }

    fn names(ctx: &Context, found: &[Option<TermId>]) -> Vec<String> {
        let shown = |row: &Option<TermId>| {
            row.map_or_else(String::new, |term| infix(&ctx.store, term, &|_| false))
        };
        found.iter().map(shown).collect()
    }

    #[test]
    fn inside_of_a_call_that_returns_interpolants_relate_to_the_entry() {
        with_graphs(|ctx, main, inc| {
            let site = main.graph.calls.values().next().expect("a call").clone();
            let steps = [
                step(ctx, main, true, false),
                step(ctx, inc, true, false),
                step(ctx, main, false, true),
            ];
            let trace = [
                TraceStep::Block(&steps[0]),
                TraceStep::Call(&site),
                TraceStep::Block(&steps[1]),
                TraceStep::Return,
                TraceStep::Block(&steps[2]),
            ];
            let formula = TraceFormula::new(ctx, main, &trace);
            let budget = Budget::unlimited();
            assert_eq!(formula.model(ctx, &budget), Ok(None));
            let found = formula.interpolants(ctx, &budget).expect("interpolants");
            // After the start, the block before the call, that of `inc`, and the return.
            assert_eq!(found.len(), 4);
            let names = names(ctx, &found);
            let words = |text: &str| -> Vec<String> {
                let words = text.split(|c: char| !(c.is_alphanumeric() || "$._".contains(c)));
                words.map(str::to_owned).collect()
            };
            assert!(
                names[2].contains("$result") && names[2].contains("$entry"),
                "{names:?}"
            );
            let inner = words(&names[2]);
            assert!(
                !inner.iter().any(|word| word == "a" || word == "b"),
                "{names:?}"
            );
            let outer = words(&names[3]);
            assert!(!outer.iter().any(|word| word.starts_with('$')), "{names:?}");
        });
    }

    #[test]
    fn a_call_that_does_not_return_knows_its_caller() {
        with_graphs(|ctx, main, inc| {
            let site = main.graph.calls.values().next().expect("a call").clone();
            let steps = [step(ctx, main, true, false), step(ctx, inc, true, true)];
            let trace = [
                TraceStep::Block(&steps[0]),
                TraceStep::Enter(&site),
                TraceStep::Block(&steps[1]),
            ];
            let formula = TraceFormula::new(ctx, main, &trace);
            let model = formula.model(ctx, &Budget::unlimited()).expect("an answer");
            let model = model.expect("the input may be seven");
            let inputs = main.graph.inputs.values();
            let input = inputs
                .copied()
                .find_map(|input| formula.input(ctx, 1, input));
            let input = input.expect("an input of the first block");
            assert_eq!(
                model.value(&ctx.store, input),
                logic::TermValue::Int(7i64.into())
            );
        });
    }
}
