//! From the command line to a program: files, task definition, properties, front end, lowering.

use crate::args::{ModelChoice, SourceArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::property::{self, AssertRule, Selection};
use crate::stages;
use base::place::Places;
use base::{Diagnostics, FileId, SourceMap, Span};
use bench::task::{self, TaskFile};
use cfront::ast::{Ast, Function};
use cfront::claim::{ClaimKind, ClaimText};
use cfront::preprocess::Preprocess;
use cfront::types::DataModel;
use lower::automaton::Automaton;
use program::ir::{Program, Property};
use program::validate::{Shape, validate_shape};
use std::path::{Path, PathBuf};

/// What the command line asks for, before any C is read.
#[derive(Debug)]
pub(crate) struct Request {
    /// The C files.
    pub(crate) files: Vec<PathBuf>,
    /// The sizes.
    pub(crate) model: DataModel,
    /// Where to start.
    pub(crate) entry: String,
    /// What to look for.
    pub(crate) selection: Selection,
    /// Where headers are looked for.
    pub(crate) include: Vec<PathBuf>,
    /// Macros, as given to `-D`.
    pub(crate) define: Vec<String>,
}

/// A program ready to be decided or run.
pub(crate) struct Loaded {
    pub(crate) request: Request,
    pub(crate) sources: SourceMap,
    pub(crate) program: Program,
    /// Unless the program was read as automata.
    pub(crate) ast: Option<Ast>,
}

/// The name of a data model.
pub(crate) fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    }
}

impl Request {
    /// Reads the flags, and the task definition if one is given.
    pub(crate) fn new(args: &SourceArgs) -> Result<Self, Failure> {
        let tasks = args.files.iter().filter(|file| task::is_task_file(file));
        let definition = match (tasks.count(), args.files.len()) {
            (0, _) => None,
            (1, 1) => Some(task::read(&args.files[0])?),
            _ => {
                return Err(Failure::new(
                    "a task definition (.yml) must be the only file given",
                ));
            }
        };
        let flag = match (args.data_model, args.ilp32, args.lp64) {
            (Some(ModelChoice::Ilp32), ..) | (None, true, _) => Some(DataModel::Ilp32),
            (Some(ModelChoice::Lp64), ..) | (None, false, true) => Some(DataModel::Lp64),
            (None, false, false) => None,
        };
        let selection = match &definition {
            Some(definition) if args.property.is_empty() => task_property(definition)?,
            Some(_) | None => Selection::parse(&args.property)?,
        };
        let from_task = definition.as_ref().and_then(|definition| definition.model);
        Ok(Request {
            model: flag.or(from_task).unwrap_or_default(),
            entry: args
                .entry
                .clone()
                .or_else(|| selection.entry.clone())
                .unwrap_or_else(|| "main".to_owned()),
            files: definition.map_or_else(|| args.files.clone(), |definition| definition.files),
            selection,
            include: args.include.clone(),
            define: args.define.clone(),
        })
    }

    /// Reads and parses the C files. Warnings go to standard error.
    pub(crate) fn parse(&self, console: &Console) -> Result<(SourceMap, Ast), Failure> {
        for remark in self.selection.remarks.iter().filter(|_| !console.quiet) {
            console.remark(&format!("note: {remark}\n"));
        }
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
            let read = stages::read(&options, file, &mut sources);
            files.push(read.map_err(|message| unreadable(&message))?);
        }
        let ast = stages::parse(&mut sources, &files, self.model, &[], &mut diagnostics);
        finish(console, &sources, diagnostics)?;
        Ok((sources, ast))
    }
}

/// Everything up to the program.
pub(crate) fn load(args: &SourceArgs, console: &Console) -> Result<Loaded, Failure> {
    load_request(Request::new(args)?, console)
}

/// Everything behind the flags.
pub(crate) fn load_request(mut request: Request, console: &Console) -> Result<Loaded, Failure> {
    if let [file] = &request.files[..]
        && file.extension().is_some_and(|ending| ending == "cfa")
    {
        let file = file.clone();
        return read_back(request, &file, console);
    }
    let (sources, ast) = request.parse(console)?;
    let (assert_is_error, assumption) = assert_rule(&request.selection, &ast);
    let mut diagnostics = Diagnostics::new();
    let lowered = stages::lower(&ast, &request, assert_is_error, None, &mut diagnostics);
    finish(console, &sources, diagnostics)?;
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
    Ok(Loaded {
        request,
        sources,
        program,
        ast: Some(ast),
    })
}

/// What is claimed of places of a program.
#[derive(Default)]
pub(crate) struct Claims {
    /// The number of the claim, where, when, and what.
    rows: Vec<(usize, u32, ClaimKind, String)>,
}

impl Claims {
    /// Adds that claim `index` is about what starts at a byte.
    pub(crate) fn add(&mut self, index: usize, at: u32, kind: ClaimKind, text: &str) {
        self.rows.push((index, at, kind, text.to_owned()));
    }

    /// The number of the claim in whose text a span lies, in the source map with the claims.
    pub(crate) fn index_of(&self, sources: &SourceMap, span: Span) -> Option<usize> {
        let file = sources.file_of(span)?;
        let before = sources.files().count() - self.rows.len();
        let added = sources.files().skip(before);
        let mut rows = added.zip(&self.rows);
        let row = rows.find(|((_, known), _)| known.base == file.base);
        row.map(|(_, row)| row.0)
    }
}

/// The program with checks of what is claimed of it, or beside an automaton that assumes it. If a
/// claim cannot be read: which, and why.
pub(crate) fn with_claims(
    loaded: &Loaded,
    ast: &Ast,
    claims: &Claims,
    automaton: Option<&Automaton>,
) -> Result<(Program, SourceMap), (Option<usize>, String)> {
    let mut sources = SourceMap::new();
    let mut add = |name: &str, text: Vec<u8>| {
        let file = sources.add(name, text);
        file.ok_or_else(|| (None, "the files are too large together".to_owned()))
    };
    let mut files = Vec::new();
    for (_, file) in loaded.sources.files() {
        files.push(add(&file.name, file.text.to_vec())?);
    }
    let mut texts = Vec::new();
    for (_, at, kind, text) in &claims.rows {
        let file = add("invariant", text.clone().into_bytes())?;
        texts.push(ClaimText {
            at: *at,
            kind: *kind,
            file,
        });
    }
    let mut diagnostics = Diagnostics::new();
    let model = loaded.request.model;
    let claimed = stages::parse(&mut sources, &files, model, &texts, &mut diagnostics);
    let is_error = |row: &&base::Diagnostic| row.severity == base::Severity::Error;
    if let Some(error) = diagnostics.iter().find(is_error) {
        let index = claims.index_of(&sources, error.span);
        return Err((index, format!("cannot be read: {}", error.message)));
    }
    let (assert_is_error, _) = assert_rule(&loaded.request.selection, ast);
    let request = &loaded.request;
    let lowered = stages::lower(
        &claimed,
        request,
        assert_is_error,
        automaton,
        &mut diagnostics,
    );
    let lowered = lowered.ok_or_else(|| (None, "the program could not be lowered".to_owned()))?;
    Ok((lowered, sources))
}

/// A program in text form, as `cairn dump cfa` prints it.
fn read_back(request: Request, file: &Path, console: &Console) -> Result<Loaded, Failure> {
    let text = std::fs::read(file)
        .map_err(|error| Failure::new(format!("cannot read `{}`: {error}", file.display())))?;
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let id = sources
        .add(&file.to_string_lossy(), text)
        .ok_or_else(|| Failure::new("the file is too large"))?;
    let program = program::text::read(&sources, id, &mut diagnostics);
    finish(console, &sources, diagnostics)?;
    let program = program.ok_or_else(|| Failure::new("the program could not be read"))?;
    if let Some(problem) = validate_shape(&program, Shape::Merged).first() {
        return Err(Failure::new(format!(
            "`{}` is not a well-formed program: {problem}",
            file.display()
        )));
    }
    Ok(Loaded {
        request,
        sources,
        program,
        ast: None,
    })
}

/// Errors become a failure; warnings are shown.
fn finish(console: &Console, sources: &SourceMap, diagnostics: Diagnostics) -> Result<(), Failure> {
    if diagnostics.has_errors() {
        return Err(Failure::Source {
            sources: Box::new(sources.clone()),
            diagnostics,
        });
    }
    if !console.quiet {
        let text = console
            .render()
            .diagnostics(&Places::new(sources), &diagnostics, true);
        console.remark(&text);
    }
    Ok(())
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

/// The property of a task definition: `unreach-call` if it is there, else the first.
fn task_property(definition: &TaskFile) -> Result<Selection, Failure> {
    let chosen = definition
        .property("unreach-call")
        .or(definition.properties.first());
    match chosen {
        Some(asked) => Selection::parse(&[asked.word()]),
        None => Ok(Selection::standard()),
    }
}

/// The first line says what is wrong, the rest is what the preprocessor said.
fn unreadable(message: &str) -> Failure {
    match message.split_once('\n') {
        Some((first, rest)) => Failure::new(first).note(rest),
        None => Failure::new(message),
    }
}

/// The names of the properties that are checked.
pub(crate) fn property_names(selection: &Selection) -> Vec<&'static str> {
    selection
        .properties
        .iter()
        .map(|&property| property::name(property))
        .collect()
}
