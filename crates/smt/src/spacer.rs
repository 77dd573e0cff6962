//! Z3's solver for Horn clauses, Spacer.
//!
//! Clauses are given as terms, relations as numbers. The answer is what Spacer claims: definitions
//! of the relations, or facts that derive the goal; no verdict rests on it.
//!
//! # Paper
//! [komuravelli2014smt], and [vediramanakrishnan2020global] for the setting
//! [`SpacerConfig::Global`]; both as implemented in Z3.

use crate::translate::Translator;
use crate::z3::build::{Declaration, Name, TermOperator, constant, for_all, operate};
use crate::z3::context::{Ast, Context, Error, PANIC, caught};
use crate::z3::fixedpoint::{Fixedpoint, Reached};
use base::{Budget, Id};
use logic::{Sort, TermId, TermStore, TermValue};
use std::ffi::CStr;

/// How Spacer goes about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpacerConfig {
    /// What Z3 does by itself.
    Default,
    /// With lemmas generalised over all of a relation.
    Global,
    /// With lemmas for all indices of arrays.
    Quantified,
}

/// Clauses as Spacer takes them; the goal is the relation whose number is that of relations.
#[derive(Clone, Debug, Default)]
pub struct SpacerProblem {
    /// The sorts of the arguments of each relation.
    pub relations: Vec<Vec<Sort>>,
    /// The clauses.
    pub rules: Vec<SpacerRule>,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct SpacerRule {
    /// The relations of the body, by number, with arguments.
    pub body: Vec<(usize, Vec<TermId>)>,
    /// The rest of the body.
    pub constraint: TermId,
    /// The head; none stands for the goal.
    pub head: Option<(usize, Vec<TermId>)>,
}

/// What Spacer claims.
#[derive(Clone, Debug)]
pub enum SpacerAnswer {
    /// The goal cannot be derived: what relations are, as far as it says.
    Model(Vec<SpacerDefinition>),
    /// Facts, each after those that it comes from; the last one is the goal, whose number is that
    /// of relations.
    Derived(Vec<SpacerFact>),
    /// Neither; and why.
    Unknown(String),
}

/// What a relation is: over symbols that are new in the store.
#[derive(Clone, Debug)]
pub struct SpacerDefinition {
    /// The number of the relation.
    pub relation: usize,
    /// Its parameters, symbols as terms.
    pub parameters: Vec<TermId>,
    /// Symbols, as terms, that range over all values.
    pub universals: Vec<TermId>,
    /// The formula.
    pub body: TermId,
}

/// A fact that was derived.
#[derive(Clone, Debug)]
pub struct SpacerFact {
    /// The number of the relation.
    pub relation: usize,
    /// The values of its arguments.
    pub values: Vec<TermValue>,
    /// The places of the facts that it comes from.
    pub premises: Vec<usize>,
}

/// Asks Spacer whether the goal can be derived. `rewrites` lets it rewrite the clauses first; then
/// a derivation may not be one of these clauses.
pub fn spacer(
    store: &mut TermStore,
    problem: &SpacerProblem,
    config: SpacerConfig,
    rewrites: bool,
    budget: &Budget,
) -> SpacerAnswer {
    let asked = caught(PANIC, || ask(store, problem, config, rewrites, budget));
    asked.unwrap_or_else(SpacerAnswer::Unknown)
}

fn ask(
    store: &mut TermStore,
    problem: &SpacerProblem,
    config: SpacerConfig,
    rewrites: bool,
    budget: &Budget,
) -> Result<SpacerAnswer, Error> {
    // What Spacer finds depends on what else is in its context: let it be the same every time.
    Context::retire_current();
    let context = Context::current()?;
    let fixedpoint = Fixedpoint::new(&context, &switches(config, rewrites), budget)?;
    let mut translator = Translator::new(&context);
    let mut relations = Vec::new();
    let goal = problem.relations.len();
    for (number, sorts) in problem.relations.iter().chain([&Vec::new()]).enumerate() {
        let name = Name::Function(number);
        relations.push(Declaration::new(&context, name, sorts, Sort::Bool)?);
    }
    for relation in &relations {
        fixedpoint.register(relation)?;
    }
    for rule in &problem.rules {
        let rule = rule_ast(store, &mut translator, &relations, rule)?;
        fixedpoint.add(&rule)?;
    }
    let query = relations[goal].apply(&[] as &[Ast])?;
    let answer = match fixedpoint.query(&query, budget)? {
        Reached::Unknown(why) => SpacerAnswer::Unknown(why),
        Reached::No => {
            let defined = fixedpoint.model(store)?.into_iter();
            SpacerAnswer::Model(defined.filter(|it| it.relation != goal).collect())
        }
        Reached::Yes if rewrites => SpacerAnswer::Derived(Vec::new()),
        Reached::Yes => SpacerAnswer::Derived(fixedpoint.derivation()?),
    };
    // An interrupt that came late would end the next call.
    context.retire();
    Ok(answer)
}

fn switches(config: SpacerConfig, rewrites: bool) -> Vec<(&'static CStr, bool)> {
    let mut switches: Vec<(&CStr, bool)> = match config {
        SpacerConfig::Default => Vec::new(),
        SpacerConfig::Global => vec![(c"spacer.global", true)],
        SpacerConfig::Quantified => vec![
            (c"spacer.q3.use_qgen", true),
            (c"spacer.ground_pobs", false),
            (c"spacer.mbqi", false),
        ],
    };
    if !rewrites {
        let rewriting = [
            c"xform.slice",
            c"xform.inline_linear",
            c"xform.inline_eager",
            c"xform.coi",
            c"xform.subsumption_checker",
        ];
        switches.extend(rewriting.map(|name| (name, false)));
    }
    switches
}

fn rule_ast(
    store: &TermStore,
    translator: &mut Translator,
    relations: &[Declaration],
    rule: &SpacerRule,
) -> Result<Ast, Error> {
    let context = Context::current()?;
    let mut terms = vec![rule.constraint];
    let mut atom = |translator: &mut Translator, relation: usize, arguments: &[TermId]| {
        terms.extend(arguments);
        let arguments = arguments.iter();
        let arguments = arguments.map(|&term| translator.translate(store, term));
        relations[relation].apply(&arguments.collect::<Result<Vec<_>, _>>()?)
    };
    let body = rule.body.iter();
    let body = body.map(|(relation, arguments)| atom(translator, *relation, arguments));
    let mut body: Vec<Ast> = body.collect::<Result<_, _>>()?;
    let goal = (relations.len() - 1, Vec::new());
    let (relation, arguments) = rule.head.as_ref().unwrap_or(&goal);
    let head = atom(translator, *relation, arguments)?;
    body.push(translator.translate(store, rule.constraint)?);
    let body = operate(&context, TermOperator::And, &body)?;
    let implication = operate(&context, TermOperator::Implies, &[&body, &head])?;
    let variables = (store.symbols_of(&terms).into_iter())
        .map(|symbol| {
            let sort = store.symbol(symbol).sort;
            constant(&context, Name::Symbol(symbol.index()), sort)
        })
        .collect::<Result<Vec<_>, _>>()?;
    for_all(&variables, &implication)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `p(0)`, `p(x) & x < 3 => p(x + 1)`, `p(x) & x > bound => goal`.
    fn counter(store: &mut TermStore, bound: i64) -> SpacerProblem {
        let x = store.fresh("x", Sort::Int);
        let [zero, one, three, bound] = [0, 1, 3, bound].map(|n: i64| store.int(n));
        let next = store.add(x, one);
        let p = |term| (0, vec![term]);
        let rules = [
            (None, store.bool(true), Some(zero)),
            (Some(x), store.lt(x, three), Some(next)),
            (Some(x), store.lt(bound, x), None),
        ];
        let rules = rules.map(|(body, constraint, head)| SpacerRule {
            body: body.map(p).into_iter().collect(),
            constraint,
            head: head.map(p),
        });
        SpacerProblem {
            relations: vec![vec![Sort::Int]],
            rules: rules.into(),
        }
    }

    #[test]
    fn answers_with_a_model_or_with_facts() {
        for config in [
            SpacerConfig::Default,
            SpacerConfig::Global,
            SpacerConfig::Quantified,
        ] {
            let mut store = TermStore::new();
            let problem = counter(&mut store, 3);
            let budget = Budget::unlimited();
            let answer = spacer(&mut store, &problem, config, false, &budget);
            let SpacerAnswer::Model(definitions) = answer else {
                panic!("{config:?}: {answer:?}");
            };
            assert_eq!(definitions.len(), 1, "{config:?}");
            let mut store = TermStore::new();
            let problem = counter(&mut store, 2);
            let answer = spacer(&mut store, &problem, config, false, &budget);
            let SpacerAnswer::Derived(facts) = answer else {
                panic!("{config:?}: {answer:?}");
            };
            let relations: Vec<usize> = facts.iter().map(|fact| fact.relation).collect();
            assert_eq!(relations, [0, 0, 0, 0, 1], "{config:?}");
        }
    }
}
