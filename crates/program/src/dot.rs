//! Programs as graphs, for Graphviz.
//!
//! Loop heads are double circles, error locations red, the exit a box. An edge shows its op and its
//! source line; edges that may lead to an error location are highlighted.

use crate::ir::*;
use crate::pass::loops::LoopNest;
use crate::text::Printer;
use base::SourceMap;
use std::fmt::Write;

/// A picture of the whole program, a box for each procedure.
pub fn program(program: &Program, sources: Option<&SourceMap>) -> String {
    let printer = Printer::new(program);
    let mut out = header("program");
    for proc in program.procs.ids() {
        let label = escape(&program.procs[proc].name);
        out.push_str(&format!("subgraph cluster_{proc} {{\nlabel=\"{label}\";\n"));
        body(&mut out, &printer, program, proc, sources)
            .expect("writing to a string should not fail");
        out.push_str("}\n");
    }
    out.push_str("}\n");
    out
}

fn header(name: &str) -> String {
    format!(
        "digraph \"{}\" {{\nnode [shape=circle, fontname=\"monospace\"];\n\
         edge [fontname=\"monospace\"];\n",
        escape(name)
    )
}

fn body(
    out: &mut String,
    printer: &Printer<'_>,
    program: &Program,
    proc: ProcId,
    sources: Option<&SourceMap>,
) -> std::fmt::Result {
    let procedure = &program.procs[proc];
    let nest = LoopNest::new(procedure);
    for (id, location) in procedure.locations.iter_enumerated() {
        let mut label = id.to_string();
        let mut style = String::new();
        if let Some(violation) = &location.error {
            label = format!("{label}\n{}", violation.message);
            style.push_str(", shape=octagon, style=filled, fillcolor=\"#ffb0b0\", color=red");
        } else if id == procedure.exit {
            style.push_str(", shape=box");
        } else if let Some(head) = nest.head_of(id) {
            style.push_str(", shape=doublecircle, style=filled, fillcolor=\"#d0e0ff\"");
            if nest.loops[head].irreducible {
                style.push_str(", color=orange");
            }
        } else if id == procedure.entry {
            style.push_str(", style=bold");
        }
        writeln!(out, "{proc}_{id} [label=\"{}\"{style}];", escape(&label))?;
    }
    for edge in procedure.edges.iter() {
        let line = sources.and_then(|sources| sources.presumed(edge.span));
        let mut label = printer.op(&edge.op);
        if let Some(at) = line {
            label = format!("{label}\n{}:{}", at.file, at.line);
        }
        let to_error = procedure.locations[edge.target].error.is_some();
        let style = if to_error { ", color=red" } else { "" };
        let (from, to) = (edge.source, edge.target);
        writeln!(
            out,
            "{proc}_{from} -> {proc}_{to} [label=\"{}\"{style}];",
            escape(&label)
        )?;
    }
    Ok(())
}

/// A string between DOT's quotes. A backslash starts an escape of its own there.
fn escape(text: &str) -> String {
    let other = |c: char| c.escape_default().to_string().replace('\\', "\\\\");
    base::escaped(text, &|c| c.is_control().then(|| other(c)))
}
