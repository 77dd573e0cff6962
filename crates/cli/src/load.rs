//! From the command line to a program, with the warnings on standard error.

use crate::args::{FailingChoice, ModelChoice, SourceArgs};
use crate::console::Console;
use base::place::Places;
use base::{Diagnostics, SourceMap};
use cfront::ast::Ast;
use cfront::types::DataModel;
use input::property::Selection;
use input::task::{self, Asked, TaskFile};
use input::{FailingAllocations, Failure, Loaded, Request};

/// Reads the flags, and the task definition if one is given.
pub(crate) fn request(args: &SourceArgs) -> Result<Request, Failure> {
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
        devices: args.mmio.clone(),
        failing: match args.failing_alloc {
            FailingChoice::None => FailingAllocations::None,
            FailingChoice::Realloc => FailingAllocations::Realloc,
            FailingChoice::All => FailingAllocations::All,
        },
    })
}

/// The property of a task definition: `unreach-call` if it is there, else the first.
fn task_property(definition: &TaskFile) -> Result<Selection, Failure> {
    let chosen = definition
        .property("unreach-call")
        .or(definition.properties.first());
    let words: Vec<String> = chosen.map(Asked::word).into_iter().collect();
    Selection::parse(&words)
}

/// The syntax tree of the program.
pub(crate) fn parse(args: &SourceArgs, console: &Console) -> Result<Ast, Failure> {
    let request = request(args)?;
    show_remarks(&request, console);
    let (sources, ast, warnings) = request.parse()?;
    show_warnings(&sources, &warnings, console);
    Ok(ast)
}

/// Everything up to the program.
pub(crate) fn load(args: &SourceArgs, console: &Console) -> Result<Loaded, Failure> {
    load_request(request(args)?, console)
}

/// Everything behind the flags.
pub(crate) fn load_request(request: Request, console: &Console) -> Result<Loaded, Failure> {
    show_remarks(&request, console);
    let (loaded, warnings) = input::load(request)?;
    show_warnings(&loaded.sources, &warnings, console);
    Ok(loaded)
}

fn show_remarks(request: &Request, console: &Console) {
    let remarks = request.selection.remarks.iter();
    for remark in remarks.filter(|_| !console.quiet) {
        console.remark(&format!("note: {remark}\n"));
    }
}

fn show_warnings(sources: &SourceMap, warnings: &Diagnostics, console: &Console) {
    if !console.quiet {
        let render = console.render();
        console.remark(&render.diagnostics(&Places::new(sources), warnings, true));
    }
}
