//! `cairn dump unwinding`: the tree of paths that a search built, as text or for Graphviz.

use crate::args::Format;
use base::Budget;
use engine::{Engine, Journal, Options, Task};
use input::Loaded;
use report::Reporter;
use report::answer::Vertex;
use std::fmt::Write;
use std::sync::Arc;

/// Searches, and shows the last unwinding.
pub(crate) fn print(
    loaded: &Loaded,
    engine: &dyn Engine,
    options: Options,
    budget: &Budget,
    format: Format,
) -> String {
    let journal = Arc::new(Journal::default());
    let task = Task {
        journal: Some(Arc::clone(&journal)),
        options,
        ..Task::new(loaded.program.clone())
    };
    // The unwinding is asked for, not what comes of it.
    let _ = engine.run(&task, budget);
    let log = Reporter::new(loaded, false).search_log(&journal.take());
    match format {
        Format::Text => text(&log.vertices),
        Format::Dot => dot(&log.vertices),
    }
}

/// One line a vertex, indented by its depth.
fn text(vertices: &[Vertex]) -> String {
    if vertices.len() <= 1 {
        return "no unwinding: summaries or the graph alone decided\n".to_owned();
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); vertices.len()];
    for (id, vertex) in vertices.iter().enumerate() {
        if let Some(parent) = vertex.parent {
            children[parent].push(id);
        }
    }
    let mut out = String::new();
    let mut open = vec![(0, 0)];
    while let Some((id, depth)) = open.pop() {
        let vertex = &vertices[id];
        let _ = writeln!(
            out,
            "{:indent$}{}: {}",
            "",
            name(id, vertex),
            label(vertex),
            indent = 2 * depth
        );
        let below = children[id].iter().rev();
        open.extend(below.map(|&child| (child, depth + 1)));
    }
    out
}

fn dot(vertices: &[Vertex]) -> String {
    let mut out = "digraph unwinding {\n  node [shape=box, fontname=monospace];\n".to_owned();
    for (id, vertex) in vertices.iter().enumerate() {
        let text = format!("{}\n{}", name(id, vertex), label(vertex));
        let text = text.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "  u{id} [label=\"{}\"];", text.replace('\n', "\\n"));
        if let Some(parent) = vertex.parent {
            let _ = writeln!(out, "  u{parent} -> u{id};");
        }
        if let Some(coverer) = vertex.coverer {
            let _ = writeln!(
                out,
                "  u{id} -> u{coverer} [style=dashed, constraint=false];"
            );
        }
    }
    out.push_str("}\n");
    out
}

/// `u3 loop at line 9, open`.
fn name(id: usize, vertex: &Vertex) -> String {
    let fate = match (vertex.fate, vertex.coverer) {
        ("expanded", _) => String::new(),
        (_, Some(coverer)) => format!(", covered by u{coverer}"),
        ("stuck", None) => format!(", stuck ({})", vertex.remark),
        (fate, None) => format!(", {fate}"),
    };
    format!("u{id} {}{fate}", vertex.stands_at())
}

fn label(vertex: &Vertex) -> String {
    match vertex.label.is_empty() {
        true => "true".to_owned(),
        false => vertex.label.join(" and "),
    }
}
