//! C programs of a folder, ready to walk through: read, lowered, inlined and sliced.

use base::{Diagnostics, SourceMap};
use cfront::preprocess::{self, Preprocess};
use cfront::types::DataModel;
use encode::reduce::constants::propagate_constants;
use encode::reduce::dead::Removal;
use encode::reduce::prepare::prepare;
use encode::reduce::slice::slice;
use encode::reduce::unreachable::remove_unreachable;
use program::ir::Program;
use program::pass::inline::{InlineLimit, inline_calls};
use std::path::{Path, PathBuf};

/// A C file and the sizes it is meant for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Source {
    /// The C file.
    pub(crate) file: PathBuf,
    ilp32: bool,
}

/// The input files of all task definitions below a folder, in order.
pub(crate) fn collect(folder: &Path) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder);
        let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "yml") {
                sources.extend(source_of(&path)?);
            }
        }
    }
    sources.sort();
    Ok(sources)
}

/// The only input file of a task definition; those with several are left out.
fn source_of(task: &Path) -> Result<Option<Source>, String> {
    let text = std::fs::read_to_string(task).map_err(|error| error.to_string())?;
    let field = |key: &str| {
        let line = text.lines().find(|line| line.trim().starts_with(key))?;
        let value = line.trim().strip_prefix(key)?.trim();
        Some(value.trim_matches(|c| c == '\'' || c == '"').to_owned())
    };
    let Some(name) = field("input_files:").filter(|name| !name.is_empty()) else {
        return Ok(None);
    };
    let source = Source {
        file: task.with_file_name(name),
        ilp32: field("data_model:").is_some_and(|model| model == "ILP32"),
    };
    Ok(source.file.is_file().then_some(source))
}

/// Reads a program and prepares it as an engine that looks for failing assertions would.
pub(crate) fn load(source: &Source) -> Result<Program, String> {
    let program = lowered(source)?;
    let removal = Removal {
        undefined: false,
        inputs: false,
    };
    let (program, _) = inline_calls(&program, InlineLimit::default());
    let (program, _) = propagate_constants(&program);
    let (program, _) = remove_unreachable(&program);
    Ok(slice(&program, removal))
}

/// Reads a program and prepares it as an engine that proves would.
pub(crate) fn prepared(source: &Source) -> Result<Program, String> {
    let program = lowered(source)?;
    Ok(prepare(&program, InlineLimit::default(), false))
}

fn lowered(source: &Source) -> Result<Program, String> {
    let model = if source.ilp32 {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    };
    let options = Preprocess {
        include_dirs: Vec::new(),
        defines: Vec::new(),
        undefines: Vec::new(),
        model,
    };
    let text = preprocess::load(&source.file, &options)?;
    let mut sources = SourceMap::new();
    let file = sources
        .add(&source.file.to_string_lossy(), text)
        .ok_or("the file is too large")?;
    let mut diagnostics = Diagnostics::new();
    let options = cfront::Options { model };
    let ast = cfront::parse(&mut sources, &[file], &options, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err("the C text has errors".into());
    }
    // As `unreach-call` has it.
    let marked = |name: &str| matches!(name, "reach_error" | "__VERIFIER_error");
    let options = lower::Options {
        assert_is_error: !ast.functions.iter().any(|function| marked(&function.name)),
        ..lower::Options::default()
    };
    lower::lower(&ast, &options, &mut diagnostics)
        .filter(|_| !diagnostics.has_errors())
        .ok_or_else(|| "the program could not be lowered".into())
}
