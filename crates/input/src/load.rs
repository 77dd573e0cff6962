//! From a request to a program: files, front end, lowering.

use crate::Failure;
use crate::property::{AssertRule, Selection};
use base::{Diagnostics, FileId, SourceMap};
use cfront::ast::{Ast, Function};
use cfront::preprocess::{self, Preprocess};
use cfront::types::DataModel;
use lower::FailingAllocations;
use lower::automaton::Automaton;
use program::ir::{Program, Property};
use program::validate::{Shape, validate_shape};
use std::path::{Path, PathBuf};

/// What is asked for, before any C is read.
#[derive(Debug)]
pub struct Request {
    /// The C files.
    pub files: Vec<PathBuf>,
    /// The sizes.
    pub model: DataModel,
    /// Where to start.
    pub entry: String,
    /// What to look for.
    pub selection: Selection,
    /// Where headers are looked for.
    pub include: Vec<PathBuf>,
    /// Macros, as given to `-D`.
    pub define: Vec<String>,
    /// Addresses of devices.
    pub devices: Vec<std::ops::Range<u64>>,
    /// Which allocations may fail.
    pub failing: FailingAllocations,
}

/// A program ready to be decided or run.
#[allow(missing_docs, reason = "the names say it")]
pub struct Loaded {
    pub request: Request,
    pub sources: SourceMap,
    pub program: Program,
    /// Unless the program was read as automata.
    pub ast: Option<Ast>,
}

/// The name of a data model.
pub fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    }
}

/// The data model of a name.
pub fn model_named(name: &str) -> Option<DataModel> {
    let mut models = [DataModel::Ilp32, DataModel::Lp64].into_iter();
    models.find(|&model| model_name(model) == name)
}

impl Request {
    /// Reads and parses the C files; the diagnostics are warnings.
    pub fn parse(&self) -> Result<(SourceMap, Ast, Diagnostics), Failure> {
        let mut sources = SourceMap::new();
        let mut diagnostics = Diagnostics::new();
        let mut files: Vec<FileId> = Vec::new();
        let options = Preprocess {
            include_dirs: self.include.clone(),
            defines: self.define.clone(),
            undefines: Vec::new(),
            model: self.model,
        };
        for file in &self.files {
            let read = read(&options, file, &mut sources);
            files.push(read.map_err(|message| unreadable(&message))?);
        }
        let options = cfront::Options { model: self.model };
        let ast = cfront::parse_with_claims(&mut sources, &files, &options, &[], &mut diagnostics);
        let diagnostics = without_errors(&sources, diagnostics)?;
        Ok((sources, ast, diagnostics))
    }

    /// Lowers to the program, beside the automaton of a witness if there is one.
    pub(crate) fn lower(
        &self,
        ast: &Ast,
        assert_is_error: bool,
        automaton: Option<&Automaton>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Program> {
        let options = lower::Options {
            entry: self.entry.clone(),
            properties: self.selection.properties.iter().copied().collect(),
            assert_is_error,
            devices: self.devices.clone(),
            failing: self.failing,
        };
        lower::lower_beside(ast, &options, automaton, diagnostics)
    }
}

/// Everything up to the program; the diagnostics are warnings.
pub fn load(mut request: Request) -> Result<(Loaded, Diagnostics), Failure> {
    if let [file] = &request.files[..]
        && file.extension().is_some_and(|ending| ending == "cfa")
    {
        let file = file.clone();
        return read_back(request, &file);
    }
    let (sources, ast, mut diagnostics) = request.parse()?;
    let (assert_is_error, assumption) = assert_rule(&request.selection, &ast);
    let lowered = request.lower(&ast, assert_is_error, None, &mut diagnostics);
    let diagnostics = without_errors(&sources, diagnostics)?;
    let mut program = lowered.ok_or_else(|| Failure::new("the program could not be lowered"))?;
    program.assumptions.extend(assumption);
    let has_assert = |function: &Function| function.name.contains("assert");
    if !names_error(&ast) && assert_is_error || !ast.functions.iter().any(has_assert) {
        // Then the two mean the same, and others know only this one.
        let names = &mut request.selection.names;
        if names.contains(&"assert") && !names.contains(&"unreach-call") {
            names.push("unreach-call");
        }
        names.retain(|&name| name != "assert");
    }
    let loaded = Loaded {
        request,
        sources,
        program,
        ast: Some(ast),
    };
    Ok((loaded, diagnostics))
}

/// Reads one C file, through the preprocessor where it needs it.
fn read(options: &Preprocess, path: &Path, sources: &mut SourceMap) -> Result<FileId, String> {
    let text = preprocess::load(path, options)?;
    if text.contains(&0) {
        return Err(format!("`{}` is not a text file", path.display()));
    }
    sources
        .add(&path.to_string_lossy(), text)
        .ok_or_else(|| "the files are too large together".to_owned())
}

/// A program in text form, as `cairn dump cfa` prints it.
fn read_back(request: Request, file: &Path) -> Result<(Loaded, Diagnostics), Failure> {
    let text = std::fs::read(file).map_err(|error| Failure::io("cannot read", file, &error))?;
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let id = sources
        .add(&file.to_string_lossy(), text)
        .ok_or_else(|| Failure::new("the file is too large"))?;
    let program = program::text::read(&sources, id, &mut diagnostics);
    let diagnostics = without_errors(&sources, diagnostics)?;
    let program = program.ok_or_else(|| Failure::new("the program could not be read"))?;
    if let Some(problem) = validate_shape(&program, Shape::Merged).first() {
        return Err(Failure::new(format!(
            "`{}` is not a well-formed program: {problem}",
            file.display()
        )));
    }
    let loaded = Loaded {
        request,
        sources,
        program,
        ast: None,
    };
    Ok((loaded, diagnostics))
}

/// Errors become a failure; what is left are warnings.
fn without_errors(sources: &SourceMap, diagnostics: Diagnostics) -> Result<Diagnostics, Failure> {
    if diagnostics.has_errors() {
        return Err(Failure::Source {
            sources: Box::new(sources.clone()),
            diagnostics,
        });
    }
    Ok(diagnostics)
}

/// Whether failing `assert`s are violations, and what that takes for granted.
pub(crate) fn assert_rule(selection: &Selection, ast: &Ast) -> (bool, Option<String>) {
    if !selection.properties.contains(&Property::Assertion) {
        return (false, None);
    }
    match selection.asserts {
        AssertRule::Both => (true, None),
        AssertRule::ReachError => {
            let named = names_error(ast);
            let assumption = "the program names no `reach_error`, so failing `assert`s count as \
                              calls of it";
            (!named, (!named).then(|| assumption.to_owned()))
        }
    }
}

/// Whether the program names a function whose call is the error.
fn names_error(ast: &Ast) -> bool {
    ast.functions
        .iter()
        .any(|function| matches!(&*function.name, "reach_error" | "__VERIFIER_error"))
}

/// The first line says what is wrong, the rest is what the preprocessor said.
fn unreadable(message: &str) -> Failure {
    match message.split_once('\n') {
        Some((first, rest)) => Failure::new(first).note(rest),
        None => Failure::new(message),
    }
}
