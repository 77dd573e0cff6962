//! `cairn dump`: shows a stage of the work.

use crate::args::{DumpArgs, Format, PassChoice, Stage};
use crate::console::Console;
use crate::engines;
use crate::exit;
use crate::failure::Failure;
use crate::invariants;
use crate::load::{self, Loaded, Request};
use crate::stages;
use crate::summaries;
use crate::unwinding;
use base::Budget;

/// Runs the command and gives its exit code.
pub(crate) fn run(args: &DumpArgs, console: &Console, budget: &Budget) -> Result<u8, Failure> {
    let text = match (args.stage, args.format) {
        (Stage::Ast, Format::Text) => {
            let (_, ast) = Request::new(&args.source)?.parse(console)?;
            stages::print_ast(&ast)
        }
        (Stage::Ast, Format::Dot) => {
            return Err(Failure::new("the syntax tree can only be shown as text"));
        }
        (Stage::Smt, Format::Dot) => {
            return Err(Failure::new("the blocks can only be shown as text"));
        }
        (Stage::Smt, Format::Text) => {
            let loaded = transformed(args, console)?;
            stages::print_smt(&loaded.program, &loaded.sources)
        }
        (Stage::Invariants, Format::Dot) => {
            return Err(Failure::new("invariants can only be shown as text"));
        }
        (Stage::Invariants, Format::Text) => {
            let loaded = transformed(args, console)?;
            let inlined = stages::apply(PassChoice::Inline, &loaded.program);
            invariants::print(&inlined, &loaded.sources, args.all)
        }
        (Stage::Summary, Format::Dot) => {
            return Err(Failure::new("summaries can only be shown as text"));
        }
        (Stage::Summary, Format::Text) => {
            let loaded = transformed(args, console)?;
            summaries::print(&loaded.program, &loaded.sources, args.location)
        }
        (Stage::Unwinding, format) => {
            let loaded = transformed(args, console)?;
            let engine = engines::find(&args.engine)?;
            unwinding::print(&loaded, engine, budget, format)
        }
        (Stage::Cfa, format) => {
            let loaded = transformed(args, console)?;
            match format {
                Format::Text => stages::print_cfa(&loaded.program, &loaded.sources),
                Format::Dot => stages::print_dot(&loaded.program, &loaded.sources),
            }
        }
    };
    match &args.output {
        None => console.answer(text.as_bytes())?,
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Failure::new(format!("cannot write `{}`: {error}", path.display())))?,
    }
    Ok(exit::SAFE)
}

/// The program after the passes asked for.
fn transformed(args: &DumpArgs, console: &Console) -> Result<Loaded, Failure> {
    let mut loaded = load::load(&args.source, console)?;
    for &pass in &args.passes {
        loaded.program = stages::apply(pass, &loaded.program);
    }
    Ok(loaded)
}
