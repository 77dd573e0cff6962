//! Large blocks say what the machine does: every segment of a run between two cut points satisfies
//! the formula of its block, and, where the formula is exact and takes no input, no other result
//! does.

#[path = "../../exec/tests/common/mod.rs"]
mod common;

use base::{Budget, IdVec};
use common::{PerSite, c_programs, on_large_stack};
use encode::blocks::{Block, BlockEffect, BlockGraph};
use encode::transition::{State, TransitionFormula};
use exec::{Limits, Machine, Target, Value, Watch};
use logic::{Integer, Node, Sort, SymbolId, TermId, TermStore};
use program::expr::{Constant, Expr, Type};
use program::fold;
use program::ir::{EdgeId, Op, ProcId, Program, VarId};
use program::pass::inline::{InlineLimit, inline_calls};
use program::pass::liveness::Liveness;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use testkit::random;

type Values = IdVec<VarId, Option<Constant>>;

/// The edges of one procedure in a run, each with the state before it.
struct Recorder<'p> {
    program: &'p Program,
    proc: ProcId,
    now: Values,
    steps: Vec<(EdgeId, Values)>,
}

impl Watch for Recorder<'_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        if proc == self.proc && self.steps.len() < 400 {
            self.steps.push((edge, self.now.clone()));
        }
    }

    fn wrote(&mut self, target: Target, value: Value) {
        if let (Target::Var(var), Value::Constant(value)) = (target, value) {
            let known = matches!(self.program.vars[var].ty, Type::Bool | Type::Int(_));
            self.now[var] = known.then_some(value);
        }
    }
}

fn record(program: &Program, seed: u64) -> Vec<(EdgeId, Values)> {
    let start = program.vars.iter().map(|var| {
        let known = matches!(var.ty, Type::Bool | Type::Int(_));
        var.init.filter(|_| known)
    });
    let mut recorder = Recorder {
        program,
        proc: program.entry,
        now: start.collect(),
        steps: Vec::new(),
    };
    let limits = Limits {
        steps: 2000,
        memory: 1 << 20,
        depth: 20,
    };
    let mut inputs = PerSite::new(program, seed);
    let machine = Machine::new(program);
    machine.run_watched(&mut inputs, &limits, &Budget::unlimited(), &mut recorder);
    recorder.steps
}

/// Looks for values of the symbols that make all constraints true, trying some integers.
struct Search<'s> {
    store: &'s mut TermStore,
    candidates: Vec<Integer>,
    /// How many choices may still be made.
    left: usize,
}

impl Search<'_> {
    /// `None` if it gave up.
    fn solve(&mut self, mut open: Vec<TermId>) -> Option<bool> {
        loop {
            open = self.flatten(open)?;
            if open
                .iter()
                .any(|&term| self.store.as_bool(term) == Some(false))
            {
                return Some(false);
            }
            let Some((symbol, value)) = open.iter().find_map(|&term| self.forced(term)) else {
                break;
            };
            open = self.replace(&open, symbol, value);
        }
        if open.is_empty() {
            return Some(true);
        }
        self.left = self.left.checked_sub(1)?;
        let choice = open
            .iter()
            .copied()
            .find(|&term| matches!(self.store.node(term), Node::Or(_)));
        if let Some(choice) = choice {
            for member in self.store.parts(choice) {
                let mut rest: Vec<TermId> = open.iter().copied().filter(|&t| t != choice).collect();
                rest.push(member);
                if self.solve(rest)? {
                    return Some(true);
                }
            }
            return Some(false);
        }
        self.guess(&open)
    }

    /// Tries values for one symbol.
    fn guess(&mut self, open: &[TermId]) -> Option<bool> {
        let symbol = *self.store.symbols_of(open).first()?;
        let mut values = Vec::new();
        match self.store.symbol(symbol).sort {
            Sort::Bool => {
                values.push(self.store.bool(true));
                values.push(self.store.bool(false));
            }
            Sort::Int => {
                for candidate in self.candidates.clone() {
                    values.push(self.store.int(candidate));
                }
            }
            Sort::Real | Sort::Array => unreachable!("programs should have no such symbols"),
        }
        for value in values {
            let rest = self.replace(open, symbol, value);
            if self.solve(rest)? {
                return Some(true);
            }
        }
        // Other integers might do.
        None
    }

    fn flatten(&mut self, terms: Vec<TermId>) -> Option<Vec<TermId>> {
        let all = self.store.and(&terms);
        Some(match self.store.node(all) {
            Node::Bool(true) => Vec::new(),
            Node::And(parts) => parts.to_vec(),
            _ => vec![all],
        })
    }

    /// The symbol that a constraint determines, and its value.
    fn forced(&mut self, term: TermId) -> Option<(SymbolId, TermId)> {
        match self.store.node(term).clone() {
            Node::Symbol(symbol) => Some((symbol, self.store.bool(true))),
            Node::Not(inner) => match self.store.node(inner) {
                Node::Symbol(symbol) => {
                    let symbol = *symbol;
                    Some((symbol, self.store.bool(false)))
                }
                _ => None,
            },
            Node::IsZero(sum) => match &self.store.to_linear(sum) {
                (constant, parts) if parts.len() == 1 && parts[0].1 == Integer::ONE => {
                    let Node::Symbol(symbol) = *self.store.node(parts[0].0) else {
                        return None;
                    };
                    let value = -constant;
                    Some((symbol, self.store.int(value)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn replace(&mut self, terms: &[TermId], symbol: SymbolId, value: TermId) -> Vec<TermId> {
        let map = FxHashMap::from_iter([(symbol, value)]);
        self.store.substitute_all(terms, &map)
    }
}

/// The values of everything evaluated along some edges.
fn evaluated(program: &Program, proc: ProcId, steps: &[(EdgeId, Values)]) -> Vec<Integer> {
    let mut found: BTreeSet<Integer> = [0i64, 1, -1].map(Integer::from).into();
    for (edge, values) in steps {
        for value in values.iter().flatten() {
            if let Constant::Int(value) = value {
                found.insert(Integer::from(*value));
            }
        }
        for expr in program.procs[proc].edges[*edge].op.exprs() {
            expr.visit(&mut |part| {
                let mut part = part.clone();
                part.visit_mut(&mut |leaf| {
                    if let Expr::Var(var) = leaf
                        && let Some(value) = values[*var]
                    {
                        *leaf = Expr::Const(value);
                    }
                });
                if let Some(Constant::Int(value)) = fold::simplify(part.clone()).constant() {
                    found.insert(Integer::from(value));
                }
            });
        }
    }
    found.into_iter().collect()
}

#[derive(Default, Debug)]
struct Tally {
    accepted: usize,
    rejected: usize,
    gave_up: usize,
    merged: usize,
}

struct Check<'c> {
    program: &'c Program,
    store: &'c mut TermStore,
    state: &'c State,
    tally: &'c mut Tally,
}

impl Check<'_> {
    /// The constraints of a formula between two states, on the variables in `vars`.
    fn constraints(
        &mut self,
        formula: &TransitionFormula,
        before: &Values,
        after: &[(VarId, TermId)],
    ) -> Vec<TermId> {
        let mut terms = vec![formula.guard];
        for &(var, value) in after {
            let term = formula.value(self.store, self.state, var);
            terms.push(self.store.eq(term, value));
        }
        let mut known = FxHashMap::default();
        for (var, value) in before.iter_enumerated() {
            if let Some(value) = value {
                known.insert(self.state.symbol(var), self.value(*value));
            }
        }
        self.store.substitute_all(&terms, &known)
    }

    fn value(&mut self, value: Constant) -> TermId {
        match value {
            Constant::Bool(value) => self.store.bool(value),
            Constant::Int(value) => self.store.int(value),
            Constant::Float(..) | Constant::Null => unreachable!("only integers are recorded"),
        }
    }

    fn stretch(
        &mut self,
        block: &Block,
        live: &[VarId],
        steps: &[(EdgeId, Values)],
        end: &Values,
        seed: u64,
    ) {
        let BlockEffect::Formula(formula) = &block.step else {
            return;
        };
        let before = &steps[0].1;
        let mut after = Vec::new();
        for &var in live {
            if let Some(value) = end[var] {
                after.push((var, self.value(value)));
            }
        }
        let proc = self.program.entry;
        let candidates = evaluated(self.program, proc, steps);
        let constraints = self.constraints(formula, before, &after);
        let mut search = Search {
            store: self.store,
            candidates: candidates.clone(),
            left: 300,
        };
        match search.solve(constraints) {
            Some(true) => self.tally.accepted += 1,
            None => self.tally.gave_up += 1,
            Some(false) => panic!(
                "seed {seed}: {block:?}\n{}",
                self.store.smtlib(formula.guard)
            ),
        }
        self.tally.merged += usize::from(block.edges.len() > steps.len());
        let edges = &self.program.procs[proc].edges;
        let takes_input = |&edge: &EdgeId| matches!(edges[edge].op, Op::Havoc(..));
        if !formula.exact || block.edges.iter().any(takes_input) {
            return;
        }
        // What no record has may decide.
        let mut formulas: Vec<TermId> = formula.map.values().copied().collect();
        formulas.push(formula.guard);
        let symbols = self.store.symbols_of(&formulas);
        let mut vars = self.program.vars.iter_enumerated();
        if vars.any(|(var, row)| row.ty == Type::Ptr && symbols.contains(&self.state.symbol(var))) {
            return;
        }
        // Another value of one variable is not a result.
        for index in 0..after.len() {
            let (var, value) = after[index];
            let other = match self.program.vars[var].ty {
                Type::Bool => self.store.not(value),
                _ => {
                    let one = self.store.int(1i64);
                    self.store.add(value, one)
                }
            };
            let mut wrong = after.clone();
            wrong[index].1 = other;
            let constraints = self.constraints(formula, before, &wrong);
            let mut search = Search {
                store: self.store,
                candidates: candidates.clone(),
                left: 300,
            };
            match search.solve(constraints) {
                Some(false) => self.tally.rejected += 1,
                None => self.tally.gave_up += 1,
                Some(true) => panic!("seed {seed}: {var} may change: {block:?}"),
            }
        }
    }
}

/// Every segment of some runs of a program, after inlining.
fn check_program(program: &Program, seeds: std::ops::Range<u64>, tally: &mut Tally) {
    let (program, _) = inline_calls(
        program,
        InlineLimit {
            edges: 2000,
            ..InlineLimit::default()
        },
    );
    let entry = program.entry;
    let mut store = TermStore::new();
    let state = State::new(&program, &mut store);
    let liveness = Liveness::new(&program);
    let graph = BlockGraph::new(&program, entry, &mut store, &state, &liveness, None);
    let edges = &program.procs[entry].edges;
    for seed in seeds {
        let steps = record(&program, seed);
        let mut start = 0;
        for at in 1..steps.len() {
            let here = edges[steps[at].0].source;
            if !graph.is_cut[here] {
                continue;
            }
            let taken: Vec<EdgeId> = steps[start..at].iter().map(|(edge, _)| *edge).collect();
            let source = edges[taken[0]].source;
            let block = (graph.outgoing[source].iter().map(|&id| &graph.blocks[id]))
                .find(|block| {
                    block.target == here && taken.iter().all(|edge| block.edges.contains(edge))
                })
                .unwrap_or_else(|| panic!("seed {seed}: no block for {taken:?}"));
            let live: Vec<VarId> = liveness.live_at(entry, here).iter().collect();
            let mut check = Check {
                program: &program,
                store: &mut store,
                state: &state,
                tally,
            };
            check.stretch(block, &live, &steps[start..at], &steps[at].1, seed);
            start = at;
        }
    }
}

#[test]
fn random_runs_satisfy_the_formulas_of_their_blocks() {
    let mut tally = Tally::default();
    for seed in 0..300 {
        let program = random::program(seed, 10 + seed as usize % 30);
        check_program(&program, seed * 10..seed * 10 + 2, &mut tally);
    }
    assert!(
        tally.accepted > 1000 && tally.rejected > 200 && tally.merged > 60,
        "{tally:?}"
    );
    assert!(
        tally.gave_up * 10 < tally.accepted + tally.rejected,
        "{tally:?}"
    );
}

#[test]
fn runs_of_c_programs_satisfy_the_formulas_of_their_blocks() {
    on_large_stack(|| {
        let mut tally = Tally::default();
        for (_, program) in c_programs() {
            check_program(&program, 0..2, &mut tally);
        }
        assert!(
            tally.accepted > 1000 && tally.rejected > 200 && tally.merged > 60,
            "{tally:?}"
        );
        assert!(
            tally.gave_up * 10 < tally.accepted + tally.rejected,
            "{tally:?}"
        );
    });
}
