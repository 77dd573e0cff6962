//! A program made ready for engines that prove, and the way back for what they find.
//!
//! Calls are inlined, what no error depends on is gone, and loops are entered at their heads. A
//! proof speaks of the program with its calls inlined, so labels go back to the locations that
//! those here are copies of; inputs keep their sites, so a trace needs no way back.

use crate::path_formula;
use absdom::Options;
use base::{Budget, IdVec};
use certify::{Inductive, Proof, Reason, ReasonKind};
use logic::TermId;
use program::ir::{LocationId, ProcId, Program};
use program::pass::inline::InlineLimit;
use program::pass::prepare::prepare;
use program::pass::split::split_entries;
use std::collections::BTreeMap;
use summary::{Kit, Nest};

/// A program made ready, and where its locations come from.
pub struct Prepared {
    /// The program.
    pub program: Program,
    origins: IdVec<LocationId, LocationId>,
    limit: InlineLimit,
}

impl Prepared {
    /// Makes a program ready.
    pub fn new(program: &Program) -> Prepared {
        let limit = InlineLimit::default();
        let program = prepare(program, limit);
        let (program, origins) = split_entries(&program, program.entry);
        Prepared {
            program,
            origins,
            limit,
        }
    }

    /// Labels for loop heads as a proof, not checked yet.
    pub fn proof(
        &self,
        kit: Kit,
        labels: BTreeMap<LocationId, TermId>,
    ) -> Result<Proof, Box<Reason>> {
        let vars = self.program.vars.ids();
        let mut proof = Inductive {
            inlined: Some(self.limit),
            vars: vars.map(|var| kit.state.symbol(var)).collect(),
            ghosts: Vec::new(),
            labels: BTreeMap::new(),
            store: kit.store,
        };
        proof.labels = self.unsplit(&mut proof, &labels)?;
        Ok(Proof::Inductive(Box::new(proof)))
    }

    /// The labels for the locations of which those here are copies: one or the other holds. If
    /// the head of a loop is a copy of what is no head elsewhere, too little is known.
    fn unsplit(
        &self,
        proof: &mut Inductive,
        labels: &BTreeMap<LocationId, TermId>,
    ) -> Result<BTreeMap<(ProcId, LocationId), TermId>, Box<Reason>> {
        let proc = self.program.entry;
        let mut unsplit = BTreeMap::new();
        for (&at, &label) in labels {
            let entry = unsplit.entry((proc, self.origins[at])).or_insert(label);
            *entry = proof.store.or(&[*entry, label]);
        }
        let procedure = &self.program.procs[proc];
        let reachable = procedure.reachable();
        for (at, &origin) in self.origins.iter_enumerated() {
            let is_known = unsplit.contains_key(&(proc, origin));
            if reachable[at] && is_known && !labels.contains_key(&at) {
                let message = "a loop with several entries has no label for one of them";
                let span = procedure.locations[at].span;
                return Err(Box::new(Reason::new(ReasonKind::GaveUp, message).at(span)));
            }
        }
        Ok(unsplit)
    }
}

/// What holds where a run starts: the globals have their initial values.
pub fn initial(kit: &mut Kit, nest: &Nest) -> TermId {
    let program = kit.program;
    let entry = program.procs[nest.proc].entry;
    let step = path_formula::initial(program, &mut kit.store, &kit.state, nest.live(entry));
    let mut parts = vec![step.guard];
    for (&var, &value) in &step.map {
        let term = kit.before(var);
        parts.push(kit.store.eq(term, value));
    }
    kit.store.and(&parts)
}

/// The ways to analyse a program forwards that are worth a try. Labels rest on the invariants.
/// What the analysis knows by cases need not all be in its formulas, and then the labels do not
/// hold; without cases it is.
pub fn analyses() -> [Options; 2] {
    let options = Options::default();
    let joined = Options {
        cases: 1,
        ..options.clone()
    };
    [options, joined]
}

/// Part of what is left of a budget.
pub fn part(budget: &Budget, share: f64) -> Budget {
    match budget.remaining() {
        Some(time) => budget.clone().with_timeout(time.mul_f64(share)),
        None => budget.clone(),
    }
}
