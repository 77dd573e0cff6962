//! What a program does, by running it on all its inputs.
//!
//! The program is compiled with sanitizers whose reports come to the driver (`truth.c`), which ends
//! the run there and goes on with the next inputs, all in one process.
//!
//! Gcc rewrites some arithmetic before its sanitizer sees it: of `2147483647 + (x + 13)` it makes one
//! addition, and computes `g *= 3LL - g` in the narrower type. Clang checks each operation as it is
//! written. So where there is a clang, it compiles the program too, and both compilations make every
//! run: it is undefined if either says so, and if they do different things before, there is no truth.

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
    /// The data models for which clang is there as well.
    second: Vec<Model>,
}

/// Why the runs of a program are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Skipped {
    /// There are too many, one does not end, or it is no C.
    NotEnumerated,
    /// The compilers do different things where neither reports undefined behaviour.
    Disagreement,
}

/// By whom a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Gcc,
    Clang,
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
            second: Vec::new(),
        };
        for model in Model::ALL {
            let mut gcc = Command::new("gcc");
            gcc.args([model.flag(), "-O1", "-w", "-c", "-o"])
                .arg(compiler.driver(model))
                .arg(&source);
            let Ok(done) = process::run(&mut gcc, COMPILE_LIMIT) else {
                return Ok(None);
            };
            if done.code == Some(0) && compiler.links(model, &[By::Gcc])? {
                compiler.models.push(model);
                if compiler.links(model, &[By::Gcc, By::Clang])? {
                    compiler.second.push(model);
                }
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

    /// The data models for which there are two compilers.
    pub(crate) fn models_of_both(&self) -> &[Model] {
        &self.second
    }

    /// Whether the libraries are there too.
    fn links(&self, model: Model, by: &[By]) -> Result<bool, String> {
        let nothing = "int truth_main(void) { return 0; }\n";
        let binary = self.folder.join(format!("probe-{}", model.name()));
        Ok(self.compile(nothing, model, by, &binary)?.is_ok())
    }

    /// Compiles a program; `Ok(Err(…))` says why that cannot be done.
    fn compile(
        &self,
        text: &str,
        model: Model,
        by: &[By],
        binary: &Path,
    ) -> Result<Result<(), String>, String> {
        let source = binary.with_extension("truth.c");
        std::fs::write(&source, text).map_err(|error| error.to_string())?;
        // Without the library for undefined behaviour, whose place the driver takes. Both compilers
        // call the same functions, so that one library for addresses does.
        let mut link = Command::new("gcc");
        link.args([model.flag(), "-fsanitize=address", "-o"])
            .args([binary, &self.driver(model)]);
        let mut files = vec![source.clone()];
        let mut commands = Vec::new();
        for by in by {
            let object = binary.with_extension(format!("{}.o", by.name()));
            let mut compile = Command::new(by.name());
            compile
                .args([model.flag(), "-std=gnu11", "-O0"])
                .args(by.flags())
                .args(["-c", "-o"])
                .args([&object, &source]);
            commands.push(compile);
            link.arg(&object);
            files.push(object);
        }
        commands.push(link);
        let mut outcome = Ok(());
        for mut command in commands {
            outcome = match process::run(&mut command, COMPILE_LIMIT) {
                Ok(done) if done.code != Some(0) => Err(done.stderr),
                Ok(done) if FOLDED.iter().any(|word| done.stderr.contains(word)) => {
                    Err(done.stderr)
                }
                Ok(_) => continue,
                Err(error) => Err(error),
            };
            break;
        }
        for file in files {
            // After a failure there is no object.
            let _ = std::fs::remove_file(file);
        }
        Ok(outcome)
    }

    /// All runs of a program.
    pub(crate) fn runs(
        &self,
        program: &Program,
        model: Model,
        stem: &Path,
    ) -> Result<Result<Truth, Skipped>, String> {
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
    ) -> Result<Result<Truth, Skipped>, String> {
        let written = program.for_compiler(invariants);
        let binary = stem.with_extension("exe");
        let by: &[By] = match self.second.contains(&model) {
            true => &[By::Gcc, By::Clang],
            false => &[By::Gcc],
        };
        if self.compile(&written.text, model, by, &binary)?.is_err() {
            return Ok(Err(Skipped::NotEnumerated));
        }
        let mut command = Command::new(&binary);
        command.args(inputs.iter().map(i64::to_string));
        let done = process::run(&mut command, RUN_LIMIT)?;
        std::fs::remove_file(&binary).map_err(|error| error.to_string())?;
        if done.code != Some(0) {
            return Ok(Err(Skipped::NotEnumerated));
        }
        Ok(read(&done.stdout, written.dangers))
    }
}

impl By {
    fn name(self) -> &'static str {
        match self {
            By::Gcc => "gcc",
            By::Clang => "clang",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            By::Gcc => &["-fsanitize=undefined,address,bounds-strict"],
            By::Clang => &[
                "-w",
                "-fsanitize=undefined,address",
                "-fno-sanitize=function",
                "-Dtruth_main=truth_second",
            ],
        }
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

/// Reads what the driver prints.
fn read(text: &str, dangers: Vec<Danger>) -> Result<Truth, Skipped> {
    if text.lines().any(|line| line == "G disagreement") {
        return Err(Skipped::Disagreement);
    }
    parsed(text, dangers).ok_or(Skipped::NotEnumerated)
}

/// The runs; `None` if the driver gave up.
fn parsed(text: &str, dangers: Vec<Danger>) -> Option<Truth> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Scratch;
    use crate::syntax::{Stmt, Text};

    fn compiler(scratch: &Scratch) -> Option<Compiler> {
        Compiler::new(scratch.path()).expect("the folder should be there")
    }

    /// The driver on two compilations that differ: here both are gcc's, of different functions.
    fn driven(compiler: &Compiler, first: &str, second: &str) -> Result<Truth, Skipped> {
        let model = compiler.models()[0];
        let text = format!(
            "void truth_at(int); long long truth_pick(long long, long long);\n\
             void truth_probe(int, long long, long long, long long, long long);\n\
             int truth_main(void) {{ int x = truth_pick(0, 3); truth_at(0); {first} return 0; }}\n\
             int truth_second(void) {{ int x = truth_pick(0, 3); truth_at(0); {second} return 0; }}\n"
        );
        let binary = compiler.folder.join("both");
        let compiled = compiler.compile(&text, model, &[By::Gcc], &binary);
        assert_eq!(compiled, Ok(Ok(())));
        let done = process::run(&mut Command::new(&binary), RUN_LIMIT).expect("it should run");
        read(&done.stdout, vec![Danger::default()])
    }

    #[test]
    fn a_run_ends_where_either_compilation_says_so() {
        let scratch = Scratch::new("either").expect("there should be a temporary folder");
        let Some(compiler) = compiler(&scratch) else {
            return;
        };
        let seen = "truth_probe(0, x, 0, 0, 0);";
        let checked = "truth_probe(0, x, 0, 0, 0); x = x + 2147483645;";
        let later = format!("{checked} truth_at(1); truth_pick(0, 9); truth_probe(1, 7, 0, 0, 0);");
        let longer = format!("{seen} truth_at(1); truth_pick(0, 9); truth_probe(1, 7, 0, 0, 0);");
        for (name, first, second, runs) in [
            ("first", checked, seen, 4),
            ("second", seen, checked, 4),
            ("neither", seen, seen, 4),
            // With 3 the sum overflows, and there is no second input.
            ("shorter", &*later, &*longer, 31),
            ("longer", &*longer, &*later, 31),
        ] {
            let truth = driven(&compiler, first, second).expect("the compilations should agree");
            assert_eq!(truth.runs, runs, "{name}");
            let undefined = usize::from(name != "neither");
            assert_eq!(truth.events.len(), undefined, "{name}: {:?}", truth.events);
            let behind = truth.states.iter().find(|state| state.probe == 1);
            assert_eq!(behind.map(|state| state.runs), (runs > 4).then_some(30));
        }
    }

    #[test]
    fn compilations_that_do_different_things_are_no_truth() {
        let scratch = Scratch::new("different").expect("there should be a temporary folder");
        let Some(compiler) = compiler(&scratch) else {
            return;
        };
        let seen = "truth_probe(0, x, 0, 0, 0);";
        for second in [
            "truth_probe(0, x == 3 ? 9 : x, 0, 0, 0);",
            "truth_probe(0, x, 0, 0, 0); truth_at(1);",
            "",
        ] {
            let truth = driven(&compiler, seen, second);
            assert_eq!(truth, Err(Skipped::Disagreement), "{second}");
        }
    }

    /// What gcc adds up or narrows before its sanitizer sees it, clang reports.
    #[test]
    fn operations_are_checked_as_they_are_written() {
        let scratch = Scratch::new("as-written").expect("there should be a temporary folder");
        let Some(compiler) = compiler(&scratch) else {
            return;
        };
        let danger = Danger::of(Kind::Overflow);
        for text in [
            "int x = 0; int y = (2147483647 + (x + 13));",
            "unsigned g = 6; for (int i = 0; i < 9; i++) g *= (3LL - g);",
        ] {
            let program = Program {
                types: Vec::new(),
                globals: Vec::new(),
                functions: Vec::new(),
                main: vec![Stmt::Plain(Text {
                    text: text.to_owned(),
                    danger,
                })],
                probes: Vec::new(),
            };
            for &model in compiler.models_of_both() {
                let stem = scratch.path().join("program");
                let truth = compiler.runs(&program, model, &stem);
                let truth = truth.expect("it should compile").expect("it should run");
                assert_eq!(truth.violates(Kind::Overflow), Violated::Yes, "{text}");
            }
        }
    }
}
