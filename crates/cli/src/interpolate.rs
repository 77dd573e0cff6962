//! `cairn interpolate`: interpolants of the formulas in an SMT-LIB file.
//!
//! Exit codes: 0 if every query has interpolants, 1 if the parts of a query are consistent, 3 if
//! a query has no answer and none is consistent.

mod answer;
mod document;

use crate::args::{InterpolateArgs, LayerChoice};
use crate::console::Console;
use crate::exit;
use crate::query_log;
use answer::Answer;
use base::{Budget, FileId, SourceMap};
use input::Failure;
use interpolate::{Flaw, Interpolation, Interpolator, Layers, verify};
use logic::read::{self, Action, Command, Part, Partition};
use logic::{TermId, TermStore};
use prover::{Problem, Shape};
use report::markup::one_line;
use smt::Solver;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Instant;

/// Runs the command and returns its exit code.
pub(crate) fn run(
    args: &InterpolateArgs,
    console: &Console,
    budget: &Budget,
) -> Result<u8, Failure> {
    let start = Instant::now();
    let (sources, file) = read_file(&args.file)?;
    let mut store = TermStore::new();
    let commands = match read::script(&mut store, sources.file(file)) {
        Ok(commands) => commands,
        Err(refusal) => return Err(Failure::in_source(sources, *refusal)),
    };
    let commands = with_query(commands)?;
    let log = query_log::open(args.log_smt.as_deref())?;
    if let Some(log) = &log {
        log.clone().install();
    }
    console.enter("interpolating");
    let mut session = Session {
        args,
        console,
        store,
        budget: budget.clone(),
        interpolator: Interpolator::new(layers(&args.layers)),
        solver: Solver::new(),
        answers: Vec::new(),
    };
    for command in commands {
        if !session.obey(command.action)? {
            break;
        }
    }
    query_log::close(log, console);
    if args.json {
        let text = document::text(args, &session.store, &session.answers, start.elapsed());
        console.answer(text.as_bytes())?;
    }
    Ok(exit_code(&session.answers))
}

fn read_file(path: &Path) -> Result<(SourceMap, FileId), Failure> {
    let name = path.display();
    let text = std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::new(format!("no file `{name}`")),
        _ => Failure::new(format!("cannot read `{name}`: {error}")),
    })?;
    let mut sources = SourceMap::new();
    let file = sources.add(&path.to_string_lossy(), text);
    let file = file.ok_or_else(|| Failure::new(format!("`{name}` is too large")))?;
    Ok((sources, file))
}

/// The commands; where none asks for interpolants, the assertions are a sequence.
fn with_query(mut commands: Vec<Command>) -> Result<Vec<Command>, Failure> {
    let asks = |command: &Command| matches!(command.action, Action::GetInterpolants(_));
    if commands.iter().any(asks) {
        return Ok(commands);
    }
    let mut parts = Vec::new();
    for command in &commands {
        match &command.action {
            Action::Assert { formula, name } => {
                let number = || format!("{}", parts.len() + 1).into();
                parts.push(Part {
                    names: vec![name.clone().unwrap_or_else(number)],
                    formula: *formula,
                });
            }
            // Which assertions would be meant?
            Action::Push(_) | Action::Pop(_) => {
                parts.clear();
                break;
            }
            Action::CheckSat
            | Action::GetModel
            | Action::GetInterpolants(_)
            | Action::Echo(_)
            | Action::Exit => {}
        }
    }
    if parts.len() < 2 {
        let help = "name assertions by `(! formula :named A)`, then `(get-interpolants A B)`";
        return Err(Failure::new("the file asks for no interpolants").help(help));
    }
    commands.retain(|command| command.action != Action::Exit);
    commands.push(Command {
        span: base::Span::NONE,
        action: Action::GetInterpolants(Partition {
            parents: (1..parts.len()).collect(),
            parts,
        }),
    });
    Ok(commands)
}

fn layers(chosen: &[LayerChoice]) -> Layers {
    let has = |layer: LayerChoice| chosen.is_empty() || chosen.contains(&layer);
    Layers {
        proof: has(LayerChoice::Proof),
        core: has(LayerChoice::Core),
        cubes: has(LayerChoice::Cubes),
        generalise: has(LayerChoice::Generalise),
    }
}

fn exit_code(answers: &[Answer]) -> u8 {
    let any = |is: fn(&Interpolation) -> bool| answers.iter().any(|answer| is(&answer.outcome));
    if any(|outcome| matches!(outcome, Interpolation::Consistent(_))) {
        return exit::UNSAFE;
    }
    let unchecked = answers.iter().any(|answer| answer.unchecked.is_some());
    if unchecked || any(|outcome| matches!(outcome, Interpolation::Unknown(_))) {
        return exit::UNKNOWN;
    }
    exit::SAFE
}

/// The commands of a file at work.
struct Session<'a> {
    args: &'a InterpolateArgs,
    console: &'a Console,
    store: TermStore,
    budget: Budget,
    interpolator: Interpolator,
    solver: Solver,
    answers: Vec<Answer>,
}

impl Session<'_> {
    /// Does what a command asks for; false at the end.
    fn obey(&mut self, action: Action) -> Result<bool, Failure> {
        match action {
            Action::Assert { formula, .. } => self.solver.assert(&self.store, formula),
            Action::Push(count) => (0..count).for_each(|_| self.solver.push()),
            Action::Pop(count) => (0..count).for_each(|_| self.solver.pop()),
            Action::CheckSat => self.check_sat()?,
            Action::GetModel => self.get_model()?,
            Action::Echo(text) => self.say(&format!("{text}\n"))?,
            Action::GetInterpolants(partition) => {
                let answer = self.answer(partition)?;
                let text = answer.text(&self.store, self.console);
                self.say(&text)?;
                self.answers.push(answer);
            }
            Action::Exit => return Ok(false),
        }
        Ok(true)
    }

    /// Writes to standard output, unless a document is to come there.
    fn say(&self, text: &str) -> Result<(), Failure> {
        match self.args.json {
            true => Ok(()),
            false => self.console.answer(text.as_bytes()),
        }
    }

    fn check_sat(&mut self) -> Result<(), Failure> {
        let text = match self.solver.check(&self.store, &[], &self.budget) {
            smt::Answer::Sat => "sat\n".to_owned(),
            smt::Answer::Unsat => "unsat\n".to_owned(),
            smt::Answer::Unknown(reason) => format!("unknown\n; {}\n", one_line(&reason)),
        };
        self.say(&text)
    }

    fn get_model(&mut self) -> Result<(), Failure> {
        let asserted = self.solver.asserted().to_vec();
        let text = match self.solver.model() {
            Some(model) => answer::model_text(&self.store, &asserted, model),
            None => "; there is no model\n".to_owned(),
        };
        self.say(&text)
    }

    fn answer(&mut self, partition: Partition) -> Result<Answer, Failure> {
        let shape = Shape::tree(&partition.parents).expect("a partition should be a tree");
        let parts: Vec<TermId> = partition.parts.iter().map(|part| part.formula).collect();
        let store = &mut self.store;
        let problem = shape.of(&parts);
        let mut outcome = (self.interpolator).interpolate(store, problem, &self.budget);
        if let Interpolation::Interpolants(found) = &mut outcome {
            found.iter_mut().for_each(|it| *it = store.simplify(*it));
        }
        let mut answer = Answer {
            partition,
            outcome,
            checked: false,
            unchecked: None,
            derivations: Vec::new(),
            underived: false,
        };
        if self.args.check {
            self.check(&mut answer, problem)?;
        }
        if self.args.explain {
            self.explain(&mut answer, &shape);
        }
        Ok(answer)
    }

    /// Proves the interpolants by a solver of its own.
    fn check(&mut self, answer: &mut Answer, problem: Problem<'_>) -> Result<(), Failure> {
        let Interpolation::Interpolants(interpolants) = &answer.outcome else {
            return Ok(());
        };
        match verify(&mut self.store, problem, interpolants, &self.budget) {
            Ok(()) => answer.checked = true,
            Err(flaw @ Flaw::Unknown { .. }) => answer.unchecked = Some(flaw.to_string()),
            Err(flaw) => {
                let message = format!("internal error: wrong interpolants: {flaw}");
                return Err(Failure::new(message).help(exit::PLEASE_REPORT));
            }
        }
        Ok(())
    }

    /// The derivation of each interpolant, if the prover has one.
    fn explain(&mut self, answer: &mut Answer, shape: &Shape) {
        let Interpolation::Interpolants(interpolants) = &answer.outcome else {
            return;
        };
        let Some(refutation) = self.interpolator.refutation() else {
            answer.underived = true;
            return;
        };
        for cut in 0..interpolants.len() {
            let text = refutation.explain(&mut self.store, shape, cut);
            answer.derivations.push(text);
        }
    }
}
