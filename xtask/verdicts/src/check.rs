//! One question to `cairn`, and whether its answer and its evidence are right.

use crate::assertion::{Assertion, Claim};
use crate::process::{self, Finished};
use crate::syntax::{Asserted, Kind, Program, Written};
use crate::tamper;
use crate::truth::{Compiler, Truth, Violated};
use crate::types::Model;
use base::Rng;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What a child may use; more than any small program needs.
const MEMORY_MB: u64 = 6000;
/// How long after its limit a child is stopped: long, so that overruns are measured.
const GRACE: Duration = Duration::from_secs(30);
/// More than this over the limit is an overrun.
const OVERRUN: Duration = Duration::from_secs(1);

/// What is asked of a program.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Question {
    /// Whether an assertion holds.
    Assertion {
        assertion: Assertion,
        /// By `reach_error` rather than by `assert`.
        by_call: bool,
    },
    /// Whether no run has undefined behaviour of a kind.
    Undefined { kind: Kind, is_violated: bool },
}

/// A question to an engine, and what else is done.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Check {
    pub(crate) question: Question,
    pub(crate) engine: String,
    pub(crate) model: Model,
    /// Compile and run what fails.
    pub(crate) confirm: bool,
    /// Validate the witness.
    pub(crate) witness: bool,
    /// Change the witness so that it is false, and validate that.
    pub(crate) tamper: bool,
    /// Where the choices of a tampering start from.
    pub(crate) seed: u64,
}

/// A mistake of `cairn`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Flaw {
    /// The other verdict is right.
    Wrong,
    /// A proof that does not hold, a panic, a refused program.
    Internal,
    /// A violation that the compiled program does not have, or a witness that is not confirmed.
    Unconfirmed,
    /// A false witness that is confirmed.
    Tampered,
}

impl Flaw {
    /// All of them.
    pub const ALL: [Flaw; 4] = [
        Flaw::Wrong,
        Flaw::Internal,
        Flaw::Unconfirmed,
        Flaw::Tampered,
    ];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Flaw::Wrong => "wrong",
            Flaw::Internal => "internal",
            Flaw::Unconfirmed => "unconfirmed",
            Flaw::Tampered => "tampered-confirmed",
        }
    }
}

/// How a check went.
#[derive(Clone, Default, Debug)]
pub(crate) struct Outcome {
    /// The verdict's word.
    pub(crate) verdict: String,
    /// Why there is none.
    pub(crate) reason: String,
    pub(crate) flaws: Vec<(Flaw, String)>,
    /// How long past its limit it ended.
    pub(crate) overrun: Option<Duration>,
    pub(crate) is_confirmed: bool,
    pub(crate) is_validated: bool,
    pub(crate) is_tampered: bool,
    /// Why a witness was neither confirmed nor rejected.
    pub(crate) undecided_witness: Option<String>,
}

/// Where and with what checks run.
#[derive(Clone, Copy)]
pub(crate) struct Bench<'a> {
    pub(crate) cairn: &'a Path,
    pub(crate) compiler: &'a Compiler,
    pub(crate) timeout: Duration,
    /// Whether violations are compiled by clang.
    pub(crate) by_clang: bool,
}

impl Check {
    pub(crate) fn expects_violation(&self) -> bool {
        match &self.question {
            Question::Assertion { assertion, .. } => assertion.fails,
            Question::Undefined { is_violated, .. } => *is_violated,
        }
    }

    /// As `--property` has it.
    pub(crate) fn property(&self) -> &'static str {
        match &self.question {
            Question::Assertion { by_call: true, .. } => "unreach-call",
            Question::Assertion { .. } => "assert",
            Question::Undefined { kind, .. } => kind.property(),
        }
    }

    /// The program with the question in it.
    pub(crate) fn written(&self, program: &Program) -> Written {
        match &self.question {
            Question::Undefined { .. } => program.for_cairn(None),
            Question::Assertion { assertion, by_call } => {
                let condition = assertion.claim.text(&program.probes[assertion.probe]);
                program.for_cairn(Some(Asserted {
                    probe: assertion.probe,
                    condition: &condition,
                    by_call: *by_call,
                }))
            }
        }
    }

    /// Whether runs violate what is asked; `None` if that is open.
    pub(crate) fn is_violated(&self, program: &Program, truth: &Truth) -> Option<bool> {
        match &self.question {
            Question::Assertion { assertion, .. } => Some(is_refuted(
                program,
                truth,
                assertion.probe,
                &assertion.claim,
            )),
            Question::Undefined { kind, .. } => match truth.violates(*kind) {
                Violated::Yes => Some(true),
                Violated::No => Some(false),
                Violated::Open => None,
            },
        }
    }

    /// Asks, and checks the answer.
    pub(crate) fn run(
        &self,
        bench: &Bench<'_>,
        program: &Program,
        stem: &Path,
    ) -> Result<Outcome, String> {
        let written = self.written(program);
        let source = stem.with_extension("c");
        let witness = stem.with_extension("yml");
        std::fs::write(&source, &written.text).map_err(|error| error.to_string())?;
        let mut command = self.command(bench, "check");
        command.args(["--engine", &self.engine]);
        if self.confirm {
            command.arg("--confirm");
        }
        if self.witness || self.tamper {
            command.arg("--witness").arg(&witness);
        }
        command.arg(&source);
        let done = process::run(&mut command, bench.timeout + GRACE)?;
        let mut outcome = self.judged(&done);
        let over = done.time.saturating_sub(bench.timeout);
        if over > OVERRUN && !self.confirm {
            outcome.overrun = Some(over);
        }
        let answer: Value = serde_json::from_str(&done.stdout).unwrap_or_default();
        if outcome.flaws.is_empty() && witness.is_file() {
            if self.witness {
                self.validate(bench, &source, &witness, &mut outcome)?;
            }
            if self.tamper {
                let context = tamper::Context {
                    check: self,
                    bench,
                    program,
                    written: &written,
                    stem,
                };
                let mut rng = Rng::new(self.seed);
                if let Some(changed) = tamper::changed(&context, &witness, &answer, &mut rng)? {
                    self.validate_false(bench, &source, &changed, &mut outcome)?;
                }
            }
        }
        for file in [source, witness] {
            // The witness is there only for a verdict.
            let _ = std::fs::remove_file(file);
        }
        Ok(outcome)
    }

    fn command(&self, bench: &Bench<'_>, name: &str) -> Command {
        // The sanitizers of what is compiled for a confirmation want address space without end.
        let mut command = match self.confirm {
            true => Command::new(bench.cairn),
            false => process::within_memory(bench.cairn, MEMORY_MB),
        };
        if bench.by_clang {
            command.env("CC", "clang");
        }
        let seconds = bench.timeout.as_secs_f64().to_string();
        command
            .args([name, "--quiet", "--json", "--timeout", &seconds])
            .args(["--data-model", self.model.name()])
            .args(["--property", self.property()]);
        command
    }

    fn judged(&self, done: &Finished) -> Outcome {
        let mut outcome = Outcome::default();
        if done.timed_out {
            outcome.verdict = "unknown".to_owned();
            outcome.reason = "stopped from outside".to_owned();
            return outcome;
        }
        let answer: Value = match serde_json::from_str(&done.stdout) {
            Ok(answer) => answer,
            Err(_) => {
                let said = done.stderr.lines().next().unwrap_or_default();
                let what = format!("no answer, exit code {:?}: {said}", done.code);
                outcome.flaws.push((Flaw::Internal, what));
                return outcome;
            }
        };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        outcome.verdict = text(&answer["verdict"]);
        let (kind, message) = (
            text(&answer["reason"]["kind"]),
            text(&answer["reason"]["message"]),
        );
        let is_right = match outcome.verdict.as_str() {
            "safe" => !self.expects_violation(),
            "unsafe" => self.expects_violation(),
            _ => true,
        };
        if !is_right {
            let what = format!("it said {}", outcome.verdict);
            outcome.flaws.push((Flaw::Wrong, what));
            return outcome;
        }
        match outcome.verdict.as_str() {
            "safe" => {}
            "unsafe" if self.confirm => {
                outcome.is_confirmed = answer["confirmed"]["result"] == "reproduced";
                if !outcome.is_confirmed {
                    let what = text(&answer["confirmed"]["message"]);
                    outcome
                        .flaws
                        .push((Flaw::Unconfirmed, format!("compiled: {what}")));
                }
            }
            "unsafe" => {}
            "unknown" => {
                let all = answer["reason"].to_string();
                if kind == "internal" || all.contains("does not hold") {
                    outcome.flaws.push((Flaw::Internal, message.clone()));
                }
                outcome.reason = format!("{kind}: {message}");
            }
            _ => {
                let what = answer["errors"].to_string();
                outcome.flaws.push((Flaw::Internal, what));
            }
        }
        if done.stderr.contains("panicked") {
            let what = done.stderr.lines().next().unwrap_or_default();
            outcome.flaws.push((Flaw::Internal, what.to_owned()));
        }
        outcome
    }

    fn validate(
        &self,
        bench: &Bench<'_>,
        source: &Path,
        witness: &Path,
        outcome: &mut Outcome,
    ) -> Result<(), String> {
        let (result, message) = self.validated(bench, source, witness)?;
        match result.as_str() {
            "confirmed" => outcome.is_validated = true,
            // Finding the labels between the invariants may take longer than finding them all.
            "unknown" if outcome.verdict == "safe" => outcome.undecided_witness = Some(message),
            _ => {
                let what = format!("witness {result}: {message}");
                outcome.flaws.push((Flaw::Unconfirmed, what));
            }
        }
        Ok(())
    }

    fn validate_false(
        &self,
        bench: &Bench<'_>,
        source: &Path,
        changed: &tamper::Changed,
        outcome: &mut Outcome,
    ) -> Result<(), String> {
        let (result, _) = self.validated(bench, source, &changed.witness)?;
        outcome.is_tampered = true;
        if result == "confirmed" {
            outcome.flaws.push((Flaw::Tampered, changed.what.clone()));
        }
        let _ = std::fs::remove_file(&changed.witness);
        Ok(())
    }

    fn validated(
        &self,
        bench: &Bench<'_>,
        source: &Path,
        witness: &Path,
    ) -> Result<(String, String), String> {
        let mut command = self.command(bench, "validate");
        command.args([source, witness]);
        let done = process::run(&mut command, bench.timeout + GRACE)?;
        if done.timed_out {
            return Ok(("unknown".to_owned(), "stopped from outside".to_owned()));
        }
        let answer: Value = serde_json::from_str(&done.stdout).unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let result = text(&answer["witness"]["result"]);
        if result.is_empty() {
            let said = done.stderr.lines().next().unwrap_or_default();
            let what = format!("exit code {:?}: {said}", done.code);
            return Ok(("unreadable".to_owned(), what));
        }
        Ok((result, text(&answer["witness"]["message"])))
    }
}

/// Whether some state of a probe violates a claim.
pub(crate) fn is_refuted(program: &Program, truth: &Truth, probe: usize, claim: &Claim) -> bool {
    let seen = &program.probes[probe];
    let states = truth.states.iter().filter(|state| state.probe == probe);
    states
        .map(|state| {
            let values = seen.iter().zip(state.values);
            values.map(|(seen, bits)| seen.ty.value(bits)).collect()
        })
        .any(|values: Vec<i128>| !claim.holds(&values))
}

/// A name for the files of a check.
pub(crate) fn stem(folder: &Path, program: usize, check: usize, model: Model) -> PathBuf {
    folder.join(format!("{program:05}-{check:02}-{}", model.name()))
}
