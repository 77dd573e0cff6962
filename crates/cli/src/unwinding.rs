//! `cairn dump unwinding`: the tree of paths that a search built, as text or for Graphviz.

use crate::args::Format;
use crate::walkthrough::{Fate, Vertex, Walkthrough, walkthrough};
use base::{Budget, Id};
use engine::{Engine, Journal, Task};
use input::Loaded;
use kit::journal::Kind;
use kit::unwinding::VertexId;
use std::fmt::Write;
use std::sync::Arc;

/// Searches, and shows the last unwinding.
pub(crate) fn print(
    loaded: &Loaded,
    engine: &dyn Engine,
    budget: &Budget,
    format: Format,
) -> String {
    let journal = Arc::new(Journal::new());
    let task = Task {
        program: loaded.program.clone(),
        seed: 0,
        summary: summary::Style::Cairn,
        journal: Some(Arc::clone(&journal)),
    };
    // The unwinding is asked for, not what comes of it.
    let _ = engine.run(&task, budget);
    let walkthrough = walkthrough(&loaded.program, &loaded.sources, &journal.take());
    match format {
        Format::Text => text(loaded, &walkthrough),
        Format::Dot => dot(loaded, &walkthrough),
    }
}

/// One line a vertex, indented by its depth.
fn text(loaded: &Loaded, walkthrough: &Walkthrough) -> String {
    let vertices = &walkthrough.vertices;
    if vertices.len() <= 1 {
        return "no unwinding: summaries or the graph alone decided\n".to_owned();
    }
    let mut children: Vec<Vec<VertexId>> = vec![Vec::new(); vertices.len()];
    for (id, vertex) in vertices.iter_enumerated() {
        if let Some(parent) = vertex.parent {
            children[parent.index()].push(id);
        }
    }
    let mut out = String::new();
    let mut open = vec![(VertexId::from_index(0), 0)];
    while let Some((id, depth)) = open.pop() {
        let vertex = &vertices[id];
        let _ = writeln!(
            out,
            "{:indent$}{id} {}{}: {}",
            "",
            stands_at(loaded, vertex),
            fate(&vertex.fate),
            label(vertex),
            indent = 2 * depth
        );
        let below = children[id.index()].iter().rev();
        open.extend(below.map(|&child| (child, depth + 1)));
    }
    out
}

fn dot(loaded: &Loaded, walkthrough: &Walkthrough) -> String {
    let mut out = "digraph unwinding {\n  node [shape=box, fontname=monospace];\n".to_owned();
    for (id, vertex) in walkthrough.vertices.iter_enumerated() {
        let text = format!(
            "{id} {}{}\n{}",
            stands_at(loaded, vertex),
            fate(&vertex.fate),
            label(vertex)
        );
        let text = text.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "  {id} [label=\"{}\"];", text.replace('\n', "\\n"));
        if let Some(parent) = vertex.parent {
            let _ = writeln!(out, "  {parent} -> {id};");
        }
        if let Fate::Covered(coverer) = vertex.fate {
            let _ = writeln!(out, "  {id} -> {coverer} [style=dashed, constraint=false];");
        }
    }
    out.push_str("}\n");
    out
}

fn stands_at(loaded: &Loaded, vertex: &Vertex) -> String {
    let word = match vertex.kind {
        Kind::Head => "loop",
        Kind::Error => "error",
        Kind::Wrap => "wrapping",
        Kind::End => "end",
        Kind::Other if vertex.parent.is_none() => "start",
        Kind::Other => "cut",
    };
    match loaded.sources.presumed(vertex.span) {
        Some(position) => format!("{word} at line {}", position.line),
        None => word.to_owned(),
    }
}

fn fate(fate: &Fate) -> String {
    match fate {
        Fate::Open => ", open".to_owned(),
        Fate::Expanded => String::new(),
        Fate::DeadEnd => ", dead end".to_owned(),
        Fate::Covered(coverer) => format!(", covered by {coverer}"),
        Fate::Undecided(why) => format!(", stuck ({why})"),
    }
}

fn label(vertex: &Vertex) -> String {
    match vertex.label.is_empty() {
        true => "true".to_owned(),
        false => vertex.label.join(" and "),
    }
}
