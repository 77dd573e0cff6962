//! `cairn dump`: shows an intermediate stage.

use crate::args::{DumpArgs, Format, PassChoice, Stage};
use crate::console::Console;
use crate::engines;
use crate::exit;
use crate::load;
use crate::unwinding;
use base::{Budget, Diagnostic};
use chc::of_program::{Calls, clauses};
use encode::blocks_smt::smtlib;
use encode::reduce::constants::propagate_constants;
use encode::reduce::dead::{Removal, remove_dead};
use encode::reduce::slice::slice;
use encode::reduce::unreachable::remove_unreachable;
use input::{Failure, Loaded};
use kit::cells::with_cells;
use kit::products::with_tracked_products;
use kit::rewritten::RewrittenProgram;
use program::ir::Program;
use program::pass::inline::{InlineLimit, inline_calls};
use program::pass::pointer_calls::direct_calls;
use program::pass::scalarise::scalarise;
use program::text::Spans;
use report::{forward_invariants, loops};

/// Runs the command and returns its exit code.
pub(crate) fn run(args: &DumpArgs, console: &Console, budget: &Budget) -> Result<u8, Failure> {
    let text = match (args.stage, args.format) {
        (Stage::Ast, Format::Text) => cfront::print::print(&load::parse(&args.source, console)?),
        (Stage::Ast, Format::Dot) => return Err(only_text("the syntax tree")),
        (Stage::Smt, Format::Dot) => return Err(only_text("the blocks")),
        (Stage::Invariants, Format::Dot) => return Err(only_text("invariants")),
        (Stage::Summary, Format::Dot) => return Err(only_text("summaries")),
        (Stage::Horn, Format::Dot) => return Err(only_text("Horn clauses")),
        (Stage::Smt | Stage::Invariants | Stage::Summary | Stage::Horn, Format::Text)
        | (Stage::Unwinding | Stage::Cfa, _) => {
            let mut loaded = load::load(&args.source, console)?;
            for &pass in &args.passes {
                loaded.program = apply(pass, &loaded.program);
            }
            of_program(args, &loaded, budget)?
        }
    };
    match &args.output {
        None => console.answer(text.as_bytes())?,
        Some(path) => {
            std::fs::write(path, text).map_err(|error| Failure::io("cannot write", path, &error))?
        }
    }
    Ok(exit::SAFE)
}

fn only_text(what: &str) -> Failure {
    Failure::new(format!("{what} can only be shown as text"))
}

/// A stage after the lowering.
fn of_program(args: &DumpArgs, loaded: &Loaded, budget: &Budget) -> Result<String, Failure> {
    let Loaded {
        program, sources, ..
    } = loaded;
    Ok(match args.stage {
        Stage::Ast => String::new(),
        Stage::Smt => smtlib(program, Some(sources)),
        Stage::Invariants => {
            let inlined = apply(PassChoice::Inline, program);
            forward_invariants::print(&inlined, sources, args.all)
        }
        Stage::Summary => loops::print(program, sources, args.location),
        Stage::Unwinding => {
            let options = args.options.options();
            let engine = engines::find_able(&args.engine, &options)?;
            unwinding::print(loaded, engine, options, budget, args.format)
        }
        Stage::Horn => horn_clauses(args, loaded, budget)?,
        Stage::Cfa => match args.format {
            Format::Text => program::text::print(program, Spans::Comments(sources)),
            Format::Dot => program::dot::program(program, Some(sources)),
        },
    })
}

/// The program as Horn clauses; what these cannot say is the person's to change.
fn horn_clauses(args: &DumpArgs, loaded: &Loaded, budget: &Budget) -> Result<String, Failure> {
    let calls = match args.procedures {
        true => Calls::Related,
        false => Calls::Inlined,
    };
    let system = clauses(&loaded.program, calls, budget).map_err(|refusal| {
        let diagnostic = Diagnostic::error(refusal.span, refusal.message.clone());
        Failure::in_source(loaded.sources.clone(), diagnostic)
    })?;
    Ok(system.smtlib())
}

fn apply(pass: PassChoice, program: &Program) -> Program {
    // What an engine that looks for assertion failures would do.
    let removal = Removal {
        undefined: false,
        inputs: false,
    };
    match pass {
        PassChoice::Direct => direct_calls(program).program.into_owned(),
        PassChoice::Inline => inline_calls(program, InlineLimit::of(program)).0,
        PassChoice::Scalarise => scalarise(program),
        PassChoice::Cells => rewritten(program, with_cells),
        PassChoice::Products => rewritten(program, with_tracked_products),
        PassChoice::Fold => propagate_constants(program).0,
        PassChoice::Unreachable => remove_unreachable(program).0,
        PassChoice::Dead => remove_dead(program, removal),
        PassChoice::Slice => slice(program, removal),
    }
}

/// The program as a trusted pass rewrites it, or as it is where that has nothing to do.
fn rewritten(program: &Program, rewrite: fn(&Program) -> Option<RewrittenProgram>) -> Program {
    rewrite(program).map_or_else(|| program.clone(), |rewritten| rewritten.program)
}
