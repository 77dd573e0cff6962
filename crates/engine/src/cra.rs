//! Proving by summaries alone.
//!
//! Summarises every loop, with more and more effort as long as the summary of the whole program
//! admits an error. When it admits none any more, labels for the loop heads are read off the
//! summaries; without labels there is no proof.
//!
//! # Paper
//! [farzan2015compositional]; the baseline of [fang2025software], Table 2. There the summary is
//! the answer. Here it is the way to a proof that can be checked.

mod labels;

use crate::{Engine, Task};
use absdom::{Invariants, Options};
use base::{Budget, Event, IdVec};
use certify::{Inductive, Outcome, Proof, Reason, ReasonKind};
use logic::TermId;
use program::ir::{EdgeId, LocationId, ProcId, Program};
use program::pass::inline::InlineLimit;
use program::pass::prepare::prepare;
use program::pass::split::split_entries;
use std::collections::{BTreeMap, BTreeSet};
use summary::{Kit, Level, Nest, Style, ToError, reversed};

/// The engine.
pub struct Cra;

impl Engine for Cra {
    fn name(&self) -> &'static str {
        "cra"
    }

    fn summary(&self) -> &'static str {
        "proves by summaries of loops"
    }

    fn papers(&self) -> &'static [&'static str] {
        &["farzan2015compositional", "fang2025software"]
    }

    fn finds_violations(&self) -> bool {
        false
    }

    fn run(&self, task: &Task, budget: &Budget) -> Outcome {
        if let Some(proof) = crate::graph::proof(&task.program) {
            return Outcome::Safe(proof);
        }
        let limit = InlineLimit::default();
        let program = prepare(&task.program, limit);
        let (program, origins) = split_entries(&program, program.entry);
        let options = Options::default();
        let joined = Options {
            cases: 1,
            ..options.clone()
        };
        // Labels rest on the invariants. What the analysis knows by cases need not all be in its
        // formulas, and then the labels do not hold; without cases it is.
        let mut refused = None;
        for options in [options, joined] {
            let invariants = Invariants::new(&program, program.entry, &options, budget);
            let proof = prove(&program, &invariants, task.summary, budget);
            let proof = proof.and_then(|mut proof| {
                proof.inlined = Some(limit);
                proof.labels = unsplit(&program, &mut proof, &origins)?;
                Ok(Proof::Inductive(Box::new(proof)))
            });
            match proof {
                Ok(proof) if proof.check(&task.program, budget).is_ok() => {
                    return Outcome::Safe(proof);
                }
                Ok(proof) => refused = Some(proof),
                Err(reason) => return refused.map_or(Outcome::Unknown(reason), Outcome::Safe),
            }
        }
        // A proof that does not hold is a bug of ours, and is to be seen as one.
        Outcome::Safe(refused.expect("there should have been a proof, if not a good one"))
    }
}

/// The labels for the locations of which those of the proof are copies: one or the other holds.
/// If the head of a loop is a copy of what is no head elsewhere, too little is known.
fn unsplit(
    program: &Program,
    proof: &mut Inductive,
    origins: &IdVec<LocationId, LocationId>,
) -> Result<BTreeMap<(ProcId, LocationId), TermId>, Reason> {
    let mut labels = BTreeMap::new();
    for (&(proc, at), &label) in &proof.labels {
        let entry = labels.entry((proc, origins[at])).or_insert(label);
        *entry = proof.store.or(&[*entry, label]);
    }
    let procedure = &program.procs[program.entry];
    let reachable = procedure.reachable();
    for (at, &origin) in origins.iter_enumerated() {
        let is_known = |at| labels.contains_key(&(program.entry, at));
        let has_label = proof.labels.contains_key(&(program.entry, at));
        if reachable[at] && is_known(origin) && !has_label {
            let message = "a loop with several entries has no label for one of them";
            let span = procedure.locations[at].span;
            return Err(Reason::new(ReasonKind::GaveUp, message).at(span));
        }
    }
    Ok(labels)
}

/// A proof, or why there is none.
fn prove(
    program: &Program,
    invariants: &Invariants,
    style: Style,
    budget: &Budget,
) -> Result<Inductive, Reason> {
    let proc = program.entry;
    // What wraps counts as an error, but on edges where that seems to happen: most programs are
    // meant not to, and it is easier.
    let mut wrapping = BTreeSet::new();
    loop {
        let mut kit = Kit::new(program, &part(budget));
        let wraps = |edge: EdgeId| wrapping.contains(&edge);
        let nest = Nest::new(&mut kit, proc, invariants.clone(), &wraps);
        match by_summaries(kit, nest, style) {
            Ok(proof) => return Ok(proof),
            Err(Failure { wraps, .. }) if !wraps.is_subset(&wrapping) && budget.check().is_ok() => {
                wrapping.extend(wraps);
            }
            Err(failure) => return Err(failure.reason),
        }
    }
}

/// Part of what is left of the budget.
fn part(budget: &Budget) -> Budget {
    match budget.remaining() {
        Some(time) => budget.clone().with_timeout(time * 2 / 3),
        None => budget.clone(),
    }
}

/// Why there is no proof.
struct Failure {
    reason: Reason,
    /// Edges on which something may wrap, though that is not described.
    wraps: BTreeSet<EdgeId>,
}

/// A proof from summaries, with more and more effort.
fn by_summaries(mut kit: Kit, mut nest: Nest, style: Style) -> Result<Inductive, Failure> {
    let initial = initial(&mut kit, &nest);
    let entry = kit.program.procs[nest.proc].entry;
    let mut why = String::new();
    let mut wraps = BTreeSet::new();
    let levels = match style {
        Style::Cairn => &Level::ALL[..],
        Style::Paper => &[Level::Phases],
    };
    for &level in levels {
        if let Err(limit) = kit.budget.check() {
            let message = "the budget ended before the summaries were strong enough";
            let reason = Reason::new(limit.into(), message);
            return Err(Failure { reason, wraps });
        }
        let phase = format!("summarising loops: {}", level.name());
        kit.budget.report(Event::Phase(phase));
        let mut to_error = ToError::new(&nest, level);
        let summary = match style {
            Style::Cairn => to_error.from(&mut kit, &mut nest, entry, true),
            Style::Paper => reversed::to_error(&mut kit, &nest, entry, level),
        };
        match kit.model(&[initial, summary]) {
            Ok(None) => {
                kit.budget
                    .report(Event::Phase("finding invariants".to_owned()));
                match labels::labels(&mut kit, &mut nest, &mut to_error, initial, level) {
                    Ok(labels) => return Ok(proof(kit, &nest, labels)),
                    Err(reason) => why = reason,
                }
            }
            Ok(Some(model)) => {
                why = "the summary of the program admits an error".to_owned();
                wraps = to_error.wrapping(&kit, &model);
            }
            Err(reason) => why = reason,
        }
    }
    let message = format!("summaries alone do not prove it: {why}");
    let reason = Reason::new(ReasonKind::GaveUp, message);
    let reason = with_loops(&kit, &nest, reason);
    Err(Failure { reason, wraps })
}

/// A reason with the loops whose summaries allow more than they do.
fn with_loops(kit: &Kit, nest: &Nest, reason: Reason) -> Reason {
    let procedure = &kit.program.procs[nest.proc];
    let mut reason = reason;
    for id in nest.loops.loops.ids() {
        if nest.known_star(id).is_some_and(|star| !star.exact) {
            let span = procedure.locations[nest.loops.loops[id].head].span;
            reason = reason.note(span, "the summary of this loop is not exact");
        }
    }
    reason
}

/// What holds where a run starts: the globals have their initial values.
fn initial(kit: &mut Kit, nest: &Nest) -> TermId {
    let program = kit.program;
    let entry = program.procs[nest.proc].entry;
    let step = crate::path_formula::initial(
        program,
        &mut kit.store,
        &kit.state,
        program::pass::encode::IntModel::Machine,
        nest.live(entry),
    );
    let mut parts = vec![step.guard];
    for (&var, &value) in &step.map {
        let term = kit.before(var);
        parts.push(kit.store.eq(term, value));
    }
    kit.store.and(&parts)
}

/// The labels as a proof.
fn proof(kit: Kit, nest: &Nest, labels: labels::Labels) -> Inductive {
    let vars = kit.program.vars.ids();
    Inductive {
        inlined: None,
        vars: vars.map(|var| kit.state.symbol(var)).collect(),
        ghosts: Vec::new(),
        labels: labels
            .into_iter()
            .map(|(at, label)| ((nest.proc, at), label))
            .collect::<BTreeMap<_, _>>(),
        store: kit.store,
    }
}
