//! Z3's solver for Horn clauses.

use super::build::{Declaration, Name};
use super::context::{Ast, Context, Counted, Error, text};
use super::effort::{Lent, guarded};
use super::engine::{Engine, count_of};
use super::read::{ground_value, name_of};
use super::term::{TermReader, forall, parts};
use crate::spacer::{SpacerDefinition, SpacerFact};
use base::Budget;
use logic::{Node, TermId, TermStore};
use rustc_hash::FxHashMap;
use std::ffi::CStr;
use std::rc::Rc;
use z3_sys::*;

/// Z3 counts for a unit of effort: between 1 and 20 of them take as long as one elsewhere.
const COUNTS_OF_A_UNIT: u64 = 4;

/// Spacer's names of what is counted, and ours.
const COUNTED: [(&CStr, &str); 2] = [
    (c"SPACER max query lvl", "spacer level"),
    (c"SPACER num queries", "spacer queries"),
];

/// What the solver says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reached {
    /// The query can be derived.
    Yes,
    /// It cannot.
    No,
    /// It does not know; its reason.
    Unknown(String),
}

/// A solver of clauses.
pub(crate) struct Fixedpoint {
    fixedpoint: Counted<Z3_fixedpoint>,
}

impl Fixedpoint {
    /// A solver without clauses, with switches, that stops where the budget's effort ends.
    pub(crate) fn new(
        context: &Rc<Context>,
        switches: &[(&CStr, bool)],
        budget: &Budget,
    ) -> Result<Self, Error> {
        let raw = context.raw();
        // SAFETY: the context is alive; names and parameters live in it.
        unsafe {
            let fixedpoint = Counted::new(context, Z3_mk_fixedpoint(raw))?;
            let params = Counted::new(context, Z3_mk_params(raw))?;
            let symbol = |name: &CStr| context.made(Z3_mk_string_symbol(raw, name.as_ptr()));
            Z3_params_set_symbol(raw, params.raw(), symbol(c"engine")?, symbol(c"spacer")?);
            for (name, value) in switches {
                Z3_params_set_bool(raw, params.raw(), symbol(name)?, *value);
            }
            if let Some(left) = budget.effort_left() {
                let counts = left.saturating_mul(COUNTS_OF_A_UNIT);
                let limit = counts.try_into().unwrap_or(u32::MAX);
                Z3_params_set_uint(raw, params.raw(), symbol(c"rlimit")?, limit);
            }
            Z3_fixedpoint_set_params(raw, fixedpoint.raw(), params.raw());
            context.done()?;
            Ok(Fixedpoint { fixedpoint })
        }
    }

    fn context(&self) -> &Rc<Context> {
        self.fixedpoint.context()
    }

    /// Makes a relation known.
    pub(crate) fn register(&self, relation: &Declaration) -> Result<(), Error> {
        let raw = self.context().raw();
        // SAFETY: the declaration is held and lives in the context.
        unsafe { Z3_fixedpoint_register_relation(raw, self.fixedpoint.raw(), relation.raw()) };
        self.context().done()
    }

    /// Adds a clause.
    pub(crate) fn add(&self, rule: &Ast) -> Result<(), Error> {
        let raw = self.context().raw();
        // SAFETY: the rule is held and lives in the context; it needs no name.
        unsafe { Z3_fixedpoint_add_rule(raw, self.fixedpoint.raw(), rule.raw(), None) };
        self.context().done()
    }

    /// Whether a fact can be derived.
    pub(crate) fn query(&self, fact: &Ast, budget: &Budget) -> Result<Reached, Error> {
        if let Err(exhausted) = budget.check() {
            return Ok(Reached::Unknown(exhausted.describe().into()));
        }
        let (context, fixedpoint) = (self.context().raw(), self.fixedpoint.raw());
        let lent = Lent::new((context, fixedpoint, fact.raw()));
        let call = move || {
            let (context, fixedpoint, fact) = lent.take();
            // SAFETY: the caller waits, or gives the context up with all that lives in it.
            unsafe { Z3_fixedpoint_query(context, fixedpoint, fact) }
        };
        // SAFETY: this call is made for another thread than the one that solves.
        let interrupt = || unsafe { Z3_interrupt(context) };
        let answer = match guarded(self.context(), budget, interrupt, call) {
            Ok(answer) => answer,
            Err(why) => return Ok(Reached::Unknown(why)),
        };
        // A context counts for all that is in it.
        Engine::with_unit(self.context(), COUNTS_OF_A_UNIT)?.charge(budget)?;
        self.count(budget)?;
        Ok(match answer {
            Z3_L_TRUE => Reached::Yes,
            Z3_L_FALSE => Reached::No,
            _ => Reached::Unknown(match (budget.check(), self.context().error()) {
                (Err(exhausted), _) => exhausted.describe().into(),
                (Ok(()), Some(error)) => error,
                // SAFETY: the text is copied before the next call.
                (Ok(()), None) => {
                    text(unsafe { Z3_fixedpoint_get_reason_unknown(context, fixedpoint) })
                }
            }),
        })
    }

    /// Notes how far the solver went, and how many goals made subgoals.
    fn count(&self, budget: &Budget) -> Result<(), Error> {
        // SAFETY: the solver is alive; the statistics are held while they are read.
        let statistics = unsafe {
            let raw = self.context().raw();
            let statistics = Z3_fixedpoint_get_statistics(raw, self.fixedpoint.raw());
            Counted::new(self.context(), statistics)?
        };
        for (name, own) in COUNTED {
            if let Some(count) = count_of(&statistics, name) {
                budget.counters().raise(own, count.into());
            }
        }
        Ok(())
    }

    fn answer(&self) -> Result<Ast, Error> {
        let raw = self.context().raw();
        // SAFETY: the solver is alive.
        let answer = unsafe { Z3_fixedpoint_get_answer(raw, self.fixedpoint.raw()) };
        Counted::new(self.context(), answer)
    }

    /// After [`Reached::No`]: what the relations are, as far as it says. The symbols are new.
    pub(crate) fn model(&self, store: &mut TermStore) -> Result<Vec<SpacerDefinition>, Error> {
        let context = self.context();
        let mut open = vec![self.answer()?];
        let mut defined = Vec::new();
        while let Some(next) = open.pop() {
            let (sorts, body) = match forall(context, &next)? {
                Some((sorts, body)) => (sorts, body),
                None => (Vec::new(), next),
            };
            let (kind, members) = parts(context, &body)?;
            if kind == DeclKind::And && sorts.is_empty() {
                open.extend(members);
                continue;
            }
            let fresh = sorts.into_iter().map(|sort| store.fresh("x", sort));
            let bound: Vec<TermId> = fresh.collect();
            let (head, value) = match (kind, &members[..]) {
                (DeclKind::Eq | DeclKind::Iff, [head, value]) => (head, Some(value)),
                (DeclKind::Not, [head]) => (head, None),
                (DeclKind::True, []) => continue,
                _ => (&body, None),
            };
            let Some(relation) = relation_of(context, head)? else {
                continue;
            };
            let mut reader = TermReader::new(context, store, bound.clone());
            let parameters = (parts(context, head)?.1.iter())
                .map(|argument| reader.term(argument))
                .collect::<Result<Vec<_>, _>>()?;
            let (body, universals) = match value {
                Some(value) => TermReader::new(context, store, bound).formula(value)?,
                None => (store.bool(kind != DeclKind::Not), Vec::new()),
            };
            let is_symbol = |&term: &TermId| matches!(store.node(term), Node::Symbol(_));
            if !parameters.iter().all(is_symbol) {
                return Err("a relation of the model is not defined by its parameters".into());
            }
            defined.push(SpacerDefinition {
                relation,
                parameters,
                universals,
                body,
            });
        }
        Ok(defined)
    }

    /// After [`Reached::Yes`]: facts, each after those that it comes from, the query last.
    pub(crate) fn derivation(&self) -> Result<Vec<SpacerFact>, Error> {
        let context = self.context();
        let mut facts: Vec<SpacerFact> = Vec::new();
        // The facts that a node of the proof stands for: its own, or those of its premises.
        let mut known: FxHashMap<Z3_ast, Vec<usize>> = FxHashMap::default();
        let root = self.answer()?;
        let mut open = vec![root.clone()];
        while let Some(next) = open.last().cloned() {
            if known.contains_key(&next.raw()) {
                open.pop();
                continue;
            }
            let (kind, mut members) = parts(context, &next)?;
            let Some(conclusion) = members.pop() else {
                return Err("a proof without a conclusion".into());
            };
            if kind == DeclKind::PrAsserted {
                known.insert(next.raw(), Vec::new());
                continue;
            }
            let waiting = open.len();
            let unknown = members
                .iter()
                .filter(|part| !known.contains_key(&part.raw()));
            open.extend(unknown.cloned());
            if open.len() > waiting {
                continue;
            }
            let mut premises: Vec<usize> = Vec::new();
            for member in &members {
                premises.extend(&known[&member.raw()]);
            }
            let stands_for = match (kind, relation_of(context, &conclusion)?) {
                (DeclKind::PrHyperResolve, Some(relation)) => {
                    let arguments = parts(context, &conclusion)?.1;
                    let values = arguments.iter().map(|value| ground_value(context, value));
                    facts.push(SpacerFact {
                        relation,
                        values: values.collect::<Result<_, _>>()?,
                        premises,
                    });
                    vec![facts.len() - 1]
                }
                _ => premises,
            };
            known.insert(next.raw(), stands_for);
        }
        Ok(facts)
    }
}

/// The number of the relation that a fact is about, if it is one of ours.
fn relation_of(context: &Rc<Context>, fact: &Ast) -> Result<Option<usize>, Error> {
    let raw = context.raw();
    // SAFETY: the fact is held.
    let decl = unsafe {
        if Z3_get_ast_kind(raw, fact.raw()) != AstKind::App {
            return Ok(None);
        }
        let app = context.made(Z3_to_app(raw, fact.raw()))?;
        context.made(Z3_get_app_decl(raw, app))?
    };
    Ok(match name_of(context, decl)? {
        Some(Name::Function(relation)) => Some(relation),
        Some(Name::Symbol(_) | Name::Mark(_)) | None => None,
    })
}
