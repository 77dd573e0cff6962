//! What a program does, by running it on all its inputs.
//!
//! The program is compiled with sanitizers whose reports come to the driver (`truth.c`), which ends
//! the run there and goes on with the next inputs, all in one process.

use crate::process;
use crate::syntax::{Danger, Kind, Program, WIDTH};
use crate::types::Model;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const DRIVER: &str = include_str!("truth.c");
/// The driver bounds its own work; these are for a machine with much else to do.
const COMPILE_LIMIT: Duration = Duration::from_secs(60);
const RUN_LIMIT: Duration = Duration::from_secs(30);

/// A compiler, and the driver compiled for each data model that it has.
pub(crate) struct Compiler {
    folder: PathBuf,
    models: Vec<Model>,
}

/// All runs of a program.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Truth {
    /// How many inputs there are.
    pub(crate) runs: usize,
    events: Vec<Event>,
    /// The states that probes saw.
    pub(crate) states: Vec<State>,
    dangers: Vec<Danger>,
}

/// Undefined behaviour in a statement.
#[derive(Clone, PartialEq, Debug)]
struct Event {
    kind: String,
    statement: usize,
}

/// What a probe saw, and in how many runs.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct State {
    pub(crate) probe: usize,
    pub(crate) runs: usize,
    pub(crate) values: [i64; WIDTH],
}

/// Whether some run violates a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Violated {
    Yes,
    No,
    /// It depends on an order that C leaves open, or on what the sanitizers cannot tell apart.
    Open,
}

/// What the compiler warns of where it folds constants whose result is undefined: the sanitizers do
/// not see those.
const FOLDED: [&str; 4] = [
    "integer overflow in expression",
    "division by zero",
    "shift count",
    "[-Wshift-",
];

impl Compiler {
    /// Compiles the driver; `None` if there is no compiler with sanitizers.
    pub(crate) fn new(folder: &Path) -> Result<Option<Compiler>, String> {
        let source = folder.join("truth.c");
        std::fs::write(&source, DRIVER).map_err(|error| error.to_string())?;
        let mut compiler = Compiler {
            folder: folder.to_owned(),
            models: Vec::new(),
        };
        for model in Model::ALL {
            let mut gcc = Command::new("gcc");
            gcc.args([model.flag(), "-O1", "-w", "-c", "-o"])
                .arg(compiler.driver(model))
                .arg(&source);
            let Ok(done) = process::run(&mut gcc, COMPILE_LIMIT) else {
                return Ok(None);
            };
            if done.code == Some(0) && compiler.links(model)? {
                compiler.models.push(model);
            }
        }
        Ok((!compiler.models.is_empty()).then_some(compiler))
    }

    /// The data models that can be run.
    pub(crate) fn models(&self) -> &[Model] {
        &self.models
    }

    fn driver(&self, model: Model) -> PathBuf {
        self.folder.join(format!("truth-{}.o", model.name()))
    }

    /// Whether the libraries are there too.
    fn links(&self, model: Model) -> Result<bool, String> {
        let nothing = "int truth_main(void) { return 0; }\n";
        let binary = self.folder.join(format!("probe-{}", model.name()));
        Ok(self.compile(nothing, model, &binary)?.is_ok())
    }

    /// Compiles a program; `Ok(Err(…))` says why that cannot be done.
    fn compile(
        &self,
        text: &str,
        model: Model,
        binary: &Path,
    ) -> Result<Result<(), String>, String> {
        let source = binary.with_extension("truth.c");
        let object = binary.with_extension("o");
        std::fs::write(&source, text).map_err(|error| error.to_string())?;
        let mut compile = Command::new("gcc");
        compile
            .args([model.flag(), "-std=gnu11", "-O0"])
            .args(["-fsanitize=undefined,address,bounds-strict", "-c", "-o"])
            .args([&object, &source]);
        // Without the library for undefined behaviour, whose place the driver takes.
        let mut link = Command::new("gcc");
        link.args([model.flag(), "-fsanitize=address", "-o"]).args([
            binary,
            &object,
            &self.driver(model),
        ]);
        for command in [&mut compile, &mut link] {
            let done = process::run(command, COMPILE_LIMIT)?;
            if done.code != Some(0) || FOLDED.iter().any(|word| done.stderr.contains(word)) {
                return Ok(Err(done.stderr));
            }
        }
        for file in [source, object] {
            std::fs::remove_file(file).map_err(|error| error.to_string())?;
        }
        Ok(Ok(()))
    }

    /// All runs of a program; `None` if there are too many, one does not end, or it is no C.
    pub(crate) fn runs(
        &self,
        program: &Program,
        model: Model,
        stem: &Path,
    ) -> Result<Option<Truth>, String> {
        self.runs_with(program, model, stem, &BTreeMap::new(), &[])
    }

    /// The same with conditions at loops, and on one list of inputs unless that is empty.
    pub(crate) fn runs_with(
        &self,
        program: &Program,
        model: Model,
        stem: &Path,
        invariants: &BTreeMap<usize, String>,
        inputs: &[i64],
    ) -> Result<Option<Truth>, String> {
        let written = program.for_compiler(invariants);
        let binary = stem.with_extension("exe");
        if self.compile(&written.text, model, &binary)?.is_err() {
            return Ok(None);
        }
        let mut command = Command::new(&binary);
        command.args(inputs.iter().map(i64::to_string));
        let done = process::run(&mut command, RUN_LIMIT)?;
        std::fs::remove_file(&binary).map_err(|error| error.to_string())?;
        if done.code != Some(0) {
            return Ok(None);
        }
        Ok(read(&done.stdout, written.dangers))
    }
}

impl Truth {
    /// Whether some run has undefined behaviour of a kind.
    pub(crate) fn violates(&self, kind: Kind) -> Violated {
        let mut answer = Violated::No;
        for event in &self.events {
            let danger = self.dangers[event.statement];
            let is_kind = event.kind == kind.name();
            if is_kind && danger.is_certain(kind) {
                return Violated::Yes;
            }
            let is_known = Kind::ALL.iter().any(|kind| event.kind == kind.name());
            if is_kind || !is_known || danger.may_be(kind) && !self.is_certain(event) {
                answer = Violated::Open;
            }
        }
        answer
    }

    fn is_certain(&self, event: &Event) -> bool {
        let danger = self.dangers[event.statement];
        let kind = Kind::ALL.into_iter().find(|kind| event.kind == kind.name());
        kind.is_some_and(|kind| danger.is_certain(kind))
    }

    /// Whether a condition at a loop fails in some run.
    pub(crate) fn refutes_invariant(&self) -> bool {
        self.events.iter().any(|event| event.kind == "invariant")
    }

    /// Whether no run has undefined behaviour.
    pub(crate) fn is_defined(&self) -> bool {
        self.events.is_empty()
    }
}

/// Reads what the driver prints; `None` if it gave up.
fn read(text: &str, dangers: Vec<Danger>) -> Option<Truth> {
    let mut truth = Truth {
        runs: 0,
        events: Vec::new(),
        states: Vec::new(),
        dangers,
    };
    for line in text.lines() {
        let mut words = line.split(' ');
        match words.next()? {
            "N" => truth.runs = words.next()?.parse().ok()?,
            "E" => truth.events.push(Event {
                kind: words.next()?.to_owned(),
                statement: words.next()?.parse().ok()?,
            }),
            "P" => {
                let mut state = State {
                    probe: words.next()?.parse().ok()?,
                    runs: words.next()?.parse().ok()?,
                    values: [0; WIDTH],
                };
                for (value, word) in state.values.iter_mut().zip(words) {
                    *value = word.parse().ok()?;
                }
                truth.states.push(state);
            }
            _ => return None,
        }
    }
    (truth.runs > 0).then_some(truth)
}
