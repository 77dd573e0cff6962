//! Candidates from hulls: the effect of calls of small depth, as linear facts.
//!
//! A recursive procedure is assumed to make no calls at first, then calls that do what the hull of
//! the last attempt says. What holds at all depths is usually among the facts of the first ones;
//! the greatest inductive subset says which they are.

use super::houdini::Candidates;
use super::{Procedures, all, at_entry};
use absdom::row::{Kind, Row};
use absdom::symbolic::{Abstraction, Congruence, Limits};
use encode::Context;
use logic::{Integer, Node, Sort, TermId};
use program::ir::{ProcId, VarId};
use std::collections::{BTreeMap, BTreeSet};
use summary::{OpenCall, ProcedureBody};

/// With more terms than this no convex hull is looked for.
const MOST_TERMS: usize = 10;
/// How many conditions at the entry are told apart.
const MOST_CASES: usize = 4;
/// How many values of an argument are few.
const FEW: i64 = 6;
/// The effort of one hull.
const EACH: u64 = 4_000_000;

/// How closely calls are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HullEffort {
    /// Calls of small depth.
    Little,
    /// Deeper ones, and each value of an argument by itself that has few.
    Great,
}

impl HullEffort {
    fn depth(self) -> usize {
        match self {
            HullEffort::Little => 3,
            HullEffort::Great => 8,
        }
    }
}

impl Procedures {
    /// What is known, and candidates for all procedures, callees first.
    pub(super) fn hulls(&self, ctx: &mut Context, effort: HullEffort) -> Candidates {
        let mut candidates = self.facts.clone();
        for component in &self.components {
            self.component(ctx, component, effort, &mut candidates);
        }
        for &caller in self.facts.keys() {
            for (callee, hull) in self.call_hulls(ctx, caller) {
                let facts = hull.facts(ctx);
                let callee = candidates.entry(callee).or_default();
                callee.requires.extend(facts);
            }
        }
        candidates
    }

    /// What the calls in a procedure give to those callees whose context matters.
    fn call_hulls(&self, ctx: &mut Context, caller: ProcId) -> Vec<(ProcId, Hull)> {
        let mut callees = self.graph.callees[caller].iter();
        if !callees.any(|&callee| self.needs_context(callee)) {
            return Vec::new();
        }
        let hull = |ctx: &mut Context, body: &ProcedureBody, call: &OpenCall| {
            let vars: Vec<VarId> = ctx.frames[&call.site.callee].found().collect();
            let value = |ctx: &mut Context, var| {
                let term = ctx.before(var);
                call.at_site(ctx, term)
            };
            let mut known = self.known(ctx, caller, body, |_| None);
            known.push(call.made(ctx));
            let formula = ctx.store.and(&known);
            Hull::new(ctx, formula, &vars, true, value)
        };
        self.with_body(ctx, caller, |ctx, body| {
            let calls = body.calls.iter();
            let calls = calls.filter(|call| self.needs_context(call.site.callee));
            let hulls = calls.map(|call| {
                let hull = ctx.scratch(|ctx| hull(ctx, body, call));
                (call.site.callee, hull)
            });
            hulls.collect()
        })
    }

    /// Whether it matters how a procedure is called: what it does is not known by its body alone,
    /// or it may fail.
    fn needs_context(&self, proc: ProcId) -> bool {
        self.graph.recursive[proc] || self.may_fail.contains(&proc)
    }

    /// Candidates for procedures that call each other.
    fn component(
        &self,
        ctx: &mut Context,
        component: &[ProcId],
        effort: HullEffort,
        candidates: &mut Candidates,
    ) {
        let is_recursive = component.iter().any(|&proc| self.graph.recursive[proc]);
        let depth = if is_recursive { effort.depth() } else { 1 };
        let mut cases: BTreeMap<ProcId, Vec<TermId>> = BTreeMap::new();
        for &proc in component.iter().filter(|&&proc| proc != self.entry) {
            let mut told_apart = match is_recursive || effort == HullEffort::Great {
                true => self.cases(ctx, proc),
                false => Vec::new(),
            };
            if effort == HullEffort::Great {
                told_apart.extend(self.values(ctx, proc));
            }
            cases.insert(proc, told_apart);
        }
        let never = ctx.store.bool(false);
        let callees = component.iter();
        let callees = callees.flat_map(|&proc| self.graph.callees[proc].iter().copied());
        let callees = callees.filter(|callee| self.facts.contains_key(callee));
        let mut now: BTreeMap<ProcId, BTreeSet<TermId>> = BTreeMap::new();
        for callee in callees {
            let facts = match component.contains(&callee) {
                true => [never].into(),
                false => candidates[&callee].ensures.clone(),
            };
            now.insert(callee, facts);
        }
        for _ in 0..depth {
            let mut next = now.clone();
            for &proc in component.iter().filter(|&&proc| proc != self.entry) {
                if ctx.budget.check().is_err() {
                    return;
                }
                let facts = self.exit_hull(ctx, proc, &cases[&proc], &now);
                let row = candidates.entry(proc).or_default();
                row.ensures
                    .extend(facts.iter().copied().filter(|&fact| fact != never));
                next.insert(proc, facts);
            }
            if next == now {
                break;
            }
            now = next;
        }
    }

    /// That an entry value is one of few, by what is known to hold at all calls.
    fn values(&self, ctx: &mut Context, proc: ProcId) -> Vec<TermId> {
        let vars: Vec<VarId> = ctx.frames[&proc].entry_values.values().copied().collect();
        let vars = vars.into_iter().filter(|&var| is_number(ctx, var));
        let vars: Vec<VarId> = vars.collect();
        let terms: Vec<TermId> = vars.iter().map(|&var| ctx.before(var)).collect();
        let known = all(ctx, &self.facts[&proc].requires);
        let budget = ctx.budget.clone().with_effort(EACH);
        let (store, solver) = (&mut ctx.store, &mut ctx.solver);
        let ranges = Abstraction::new(store, solver, known, &budget).bounds(&terms);
        let mut cases = Vec::new();
        for (var, range) in vars.into_iter().zip(ranges.unwrap_or_default()) {
            let (Some(mut value), Some(high)) = (range.low, range.high) else {
                continue;
            };
            if &high - &value > Integer::from(FEW) {
                continue;
            }
            while value <= high {
                let (term, number) = (ctx.before(var), ctx.store.int(value.clone()));
                cases.push(ctx.store.eq(term, number));
                value = &value + &Integer::ONE;
            }
        }
        cases
    }

    /// What a call of a procedure does at most, if its calls do what is said about them: facts over
    /// the state at its exit, and some that hold only where a condition on its entry does.
    fn exit_hull(
        &self,
        ctx: &mut Context,
        proc: ProcId,
        cases: &[TermId],
        calls: &BTreeMap<ProcId, BTreeSet<TermId>>,
    ) -> BTreeSet<TermId> {
        let is_recursive = self.graph.recursive[proc];
        let hulls = self.with_body(ctx, proc, |ctx, body| {
            let returns = body.returns.as_ref()?;
            let frame = &ctx.frames[&proc];
            let vars: Vec<VarId> = frame.found().chain(frame.left()).collect();
            let value = |ctx: &mut Context, var| returns.value(&mut ctx.store, &ctx.state, var);
            let mut known = self.known(ctx, proc, body, |callee| calls.get(&callee));
            known.push(returns.guard);
            let formula = ctx.store.and(&known);
            let whole = Hull::new(ctx, formula, &vars, is_recursive, value);
            let of_cases: Vec<Hull> = (cases.iter())
                .map(|&case| {
                    let condition = at_entry(ctx, proc, case);
                    let formula = ctx.store.and(&[formula, condition]);
                    Hull::new(ctx, formula, &vars, is_recursive, value)
                })
                .collect();
            Some((whole, of_cases))
        });
        let Some((whole, of_cases)) = hulls else {
            return [ctx.store.bool(false)].into();
        };
        let mut facts = whole.facts(ctx);
        for (&case, hull) in cases.iter().zip(of_cases) {
            for fact in hull.facts(ctx) {
                facts.insert(ctx.store.implies(case, fact));
            }
        }
        facts
    }

    /// Conditions on the entry values that decide which way is taken, and their opposites.
    fn cases(&self, ctx: &mut Context, proc: ProcId) -> Vec<TermId> {
        let frame = ctx.frames[&proc].clone();
        let body = &self.bodies[&proc];
        let guards = body.calls.iter().map(|call| call.reach.guard);
        let guards: Vec<TermId> = guards
            .chain(body.returns.iter().map(|row| row.guard))
            .collect();
        let all = ctx.store.and(&guards);
        let mut cases = Vec::new();
        for atom in ctx.store.atoms(all) {
            let symbols = ctx.store.symbols_of(&[atom]);
            let mut map = rustc_hash::FxHashMap::default();
            let is_entry = symbols.iter().all(|&symbol| {
                let var = ctx.state.var(symbol);
                let copy = var.and_then(|var| frame.entry_values.get(&var));
                if let Some(&copy) = copy {
                    map.insert(symbol, ctx.store.of_symbol(ctx.state.symbol(copy)));
                }
                copy.is_some() || var.is_some_and(|var| frame.read.contains(&var))
            });
            if is_entry && !symbols.is_empty() && cases.len() < 2 * MOST_CASES {
                let case = ctx.store.substitute(atom, &map);
                cases.extend([case, ctx.store.not(case)]);
            }
        }
        cases
    }
}

/// Whether a variable has numbers for values.
fn is_number(ctx: &mut Context, var: VarId) -> bool {
    let term = ctx.before(var);
    ctx.store.sort(term) == Sort::Int
}

/// Linear facts and congruences of the values that variables have in the models of a formula; one of
/// them is a contradiction if there is no model. They outlive the terms of that formula.
struct Hull {
    vars: Vec<VarId>,
    rows: Vec<Row>,
    congruences: Vec<Congruence>,
}

impl Hull {
    /// With `redundant` also facts that follow from others: they may hold where those do not.
    fn new(
        ctx: &mut Context,
        formula: TermId,
        vars: &[VarId],
        redundant: bool,
        mut value: impl FnMut(&mut Context, VarId) -> TermId,
    ) -> Self {
        let vars: Vec<VarId> = (vars.iter().copied())
            .filter(|&var| is_number(ctx, var))
            .collect();
        let terms: Vec<TermId> = vars.iter().map(|&var| value(ctx, var)).collect();
        let has_remainders = ctx.store.below(&[formula]).iter().any(|&part| {
            let node = ctx.store.node(part);
            matches!(node, Node::Mod(..) | Node::Div(..) | Node::Divides(..))
        });
        let budget = ctx.budget.clone().with_effort(EACH);
        let mut abstraction = Abstraction::new(&mut ctx.store, &mut ctx.solver, formula, &budget);
        let mut rows = abstraction.affine_hull(&terms);
        let is_empty = rows.iter().any(|row| row.is_contradiction());
        let mut congruences = Vec::new();
        if !is_empty {
            if redundant || has_remainders {
                congruences = abstraction.lattice(&terms);
            }
            if terms.len() <= MOST_TERMS {
                let hull = abstraction.convex_hull(&terms, Limits::default());
                rows.extend(hull.rows().iter().cloned());
            }
            if redundant || terms.len() > MOST_TERMS {
                rows.extend(abstraction.octagon_bounds(&terms));
            }
        }
        if redundant {
            // Half of an equality may hold where the whole does not.
            let equalities = rows.iter().filter(|row| row.kind == Kind::Equality);
            rows.extend(equalities.flat_map(Row::halves).collect::<Vec<_>>());
        }
        Hull {
            vars,
            rows,
            congruences,
        }
    }

    /// What it says, over the variables.
    fn facts(&self, ctx: &mut Context) -> BTreeSet<TermId> {
        let own: Vec<TermId> = self.vars.iter().map(|&var| ctx.before(var)).collect();
        let store = &mut ctx.store;
        let mut facts: Vec<TermId> = (self.rows.iter())
            .map(|row| row.to_term(store, &own))
            .collect();
        facts.extend(self.congruences.iter().map(|row| row.to_term(store, &own)));
        let facts = facts.into_iter();
        facts.flat_map(|fact| store.conjuncts(fact)).collect()
    }
}
