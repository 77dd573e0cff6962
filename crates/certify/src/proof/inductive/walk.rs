//! Along the paths from one label to the next: the states that they lead to.
//!
//! Locations are processed in topological order. A state has a literal that is true if a run
//! reaches it, and the values that have changed since the label. Where paths join, a new symbol
//! stands for a value on which they differ, and equals that of each path whose literal is true: no
//! path is enumerated.
//!
//! # Invariants
//! - A run along the paths makes true the literals of exactly its own edges.

use super::graph::{Calls, Cuts, goes_on};
use super::imported_proof::{ImportedGhost, Slot};
use super::obligation_context::{ObligationContext, Values};
use super::states::State;
use super::value::Evaluation;
use logic::{Sort, TermId};
use program::expr::Expr;
use program::ir::*;
use std::collections::BTreeMap;

/// An obligation.
pub(super) struct Obligation {
    /// Where it is to hold.
    pub(super) at: LocationId,
    /// The last edge of a path.
    pub(super) edge: Option<EdgeId>,
    /// The guard under which it is to hold.
    pub(super) reach: TermId,
    /// The conjuncts to show, each with its text in the proof.
    pub(super) claims: Vec<Claim>,
}

/// A formula to show.
pub(super) struct Claim {
    pub(super) formula: TermId,
    pub(super) text: Text,
}

/// The text of a claim.
#[derive(Clone, Copy)]
pub(super) enum Text {
    /// As a formula over the state.
    Formula(TermId),
    Words(&'static str),
}

/// A walk through one procedure's paths.
pub(super) struct Walk<'w, 's> {
    pub(super) context: &'w mut ObligationContext<'s>,
    pub(super) ghosts: &'w [ImportedGhost],
    pub(super) labels: &'w BTreeMap<(ProcId, LocationId), TermId>,
    pub(super) calls: &'w Calls,
    pub(super) proc: ProcId,
    pub(super) obligations: Vec<Obligation>,
}

impl Walk<'_, '_> {
    /// The state at the start of a procedure's activation, its ghosts set; of the program's, if
    /// `globals` is set, with the globals' initial values.
    pub(super) fn initial(&mut self, globals: bool) -> State {
        let mut values = Values::new();
        if globals {
            for (id, var) in self.context.program.vars.iter_enumerated() {
                if var.scope == Scope::Global
                    && let Some(init) = var.init
                    && let Some(value) = self.context.constant(init)
                {
                    values.insert(Slot::Var(id), value);
                }
            }
        }
        for (place, ghost) in self.ghosts.iter().enumerate() {
            if ghost.proc == self.proc {
                let value = self.context.in_state(&values, ghost.initial);
                values.insert(Slot::Ghost(place), value);
            }
        }
        let reach = self.context.store.bool(true);
        State { reach, values }
    }

    /// Walks through a region and records the obligations.
    pub(super) fn region(&mut self, cuts: &Cuts<'_>, source: LocationId, start: State) {
        let procedure = &self.context.program.procs[self.proc];
        let mut incoming: BTreeMap<LocationId, Vec<(EdgeId, State)>> = BTreeMap::new();
        let order = cuts.region(source);
        let live = self.live(cuts, &order);
        for at in order {
            let state = if at == source {
                start.clone()
            } else {
                let states = incoming.remove(&at).unwrap_or_default();
                let states = states.into_iter().map(|(_, state)| state).collect();
                self.context.merge(states, &live[&at])
            };
            if self.context.store.as_bool(state.reach) == Some(false) {
                // Unreachable: it must not blur the states merged at its successors.
                continue;
            }
            let is_branch = cuts.out(at).len() > 1;
            for &edge in cuts.out(at) {
                if let Some(mut next) = self.edge(edge, &state) {
                    if is_branch && next.reach == state.reach {
                        next.reach = self.context.store.fresh("$taken", Sort::Bool);
                        self.context.fact_if(next.reach, state.reach);
                    }
                    let target = procedure.edges[edge].target;
                    incoming.entry(target).or_default().push((edge, next));
                }
            }
        }
        for (target, states) in incoming {
            for (edge, state) in states {
                self.arrive(target, Some(edge), &state);
            }
        }
    }

    /// A state reaches a cut location.
    pub(super) fn arrive(&mut self, at: LocationId, edge: Option<EdgeId>, state: &State) {
        let never = "the error location is not reached";
        if let Some(claims) = self.claims_at((self.proc, at), &state.values, never) {
            self.obligations.push(Obligation {
                at,
                edge,
                reach: state.reach,
                claims,
            });
        }
    }

    /// What has to be shown where some values reach a location, if anything.
    pub(super) fn claims_at(
        &mut self,
        (proc, at): (ProcId, LocationId),
        values: &Values,
        never: &'static str,
    ) -> Option<Vec<Claim>> {
        if self.context.program.procs[proc].locations[at]
            .error
            .is_some()
        {
            return Some(self.never(never));
        }
        let &label = self.labels.get(&(proc, at))?;
        let parts = self.context.store.conjuncts(label).into_iter();
        let claim = |part| Claim {
            formula: self.context.in_state(values, part),
            text: Text::Formula(part),
        };
        Some(parts.map(claim).collect())
    }

    /// Claims have to be shown before an edge.
    pub(super) fn oblige(&mut self, id: EdgeId, reach: TermId, claims: Vec<Claim>) {
        self.obligations.push(Obligation {
            at: self.context.program.procs[self.proc].edges[id].source,
            edge: Some(id),
            reach,
            claims,
        });
    }

    pub(super) fn never(&mut self, words: &'static str) -> Vec<Claim> {
        vec![Claim {
            formula: self.context.store.bool(false),
            text: Text::Words(words),
        }]
    }

    /// The state after an edge, if a run can continue there.
    fn edge(&mut self, id: EdgeId, before: &State) -> Option<State> {
        use Op::*;
        let edge = &self.context.program.procs[self.proc].edges[id];
        if let Unsupported(_) = edge.op {
            let claims = self.never("the unsupported op is not reached");
            self.oblige(id, before.reach, claims);
        }
        if !goes_on(&edge.op) {
            return None;
        }
        let mut state = match &edge.op {
            Assign(place, value) => self.assign(place, value, before),
            Assume(condition) => self.evaluate(before, |evaluation| {
                let condition = evaluation.value(condition);
                evaluation.assume(condition);
            }),
            Havoc(Place::Var(var), _) => {
                let mut state = before.clone();
                self.forget(*var, &mut state);
                state
            }
            Call(call) => self.call(id, call, before),
            Return(Some(value)) => {
                let mut term = None;
                let mut state = self.evaluate(before, |evaluation| {
                    term = Some(evaluation.value(value));
                });
                let slot = Slot::Result(self.proc);
                state.values.extend(term.map(|term| (slot, term)));
                state
            }
            Havoc(Place::Mem(ty, address), _) => {
                self.evaluate(before, |evaluation| evaluation.access(*ty, address))
            }
            Return(None) | Skip | Enter(_) | Leave(_) | Halt(_) | Unsupported(_) => before.clone(),
        };
        if self.context.store.as_bool(state.reach) == Some(false) {
            return None;
        }
        self.update_ghosts(id, before, &mut state);
        Some(state)
    }

    fn assign(&mut self, place: &Place, value: &Expr, before: &State) -> State {
        let mut term = None;
        let mut state = self.evaluate(before, |evaluation| {
            if let Place::Mem(ty, address) = place {
                evaluation.access(*ty, address);
            }
            term = Some(evaluation.value(value));
        });
        if let (Place::Var(var), Some(term)) = (place, term) {
            state.values.insert(Slot::Var(*var), term);
        }
        state
    }

    /// A variable may have any value of its type.
    pub(super) fn forget(&mut self, var: VarId, state: &mut State) {
        let row = &self.context.program.vars[var];
        let value = self.context.any(&row.name, row.ty);
        state.values.insert(Slot::Var(var), value);
    }

    /// A state after something is evaluated, if that is defined.
    pub(super) fn evaluate(
        &mut self,
        before: &State,
        what: impl FnOnce(&mut Evaluation<'_, '_>),
    ) -> State {
        let mut evaluation = Evaluation::new(self.context, &before.values, before.reach);
        what(&mut evaluation);
        let assumed = evaluation.finish();
        State {
            reach: self.context.literal(before.reach, &assumed),
            values: before.values.clone(),
        }
    }

    /// The ghosts' new values: over the variables after the edge and the ghosts before it.
    fn update_ghosts(&mut self, edge: EdgeId, before: &State, state: &mut State) {
        let mut new = Vec::new();
        for (place, ghost) in self.ghosts.iter().enumerate() {
            if ghost.proc == self.proc
                && let Some(&update) = ghost.updates.get(&edge)
            {
                let value = self.context.with(update, &mut |context, slot| match slot {
                    Slot::Var(_) | Slot::Result(_) => context.read(&state.values, slot),
                    Slot::Ghost(_) => context.read(&before.values, slot),
                });
                new.push((Slot::Ghost(place), value));
            }
        }
        state.values.extend(new);
    }
}
