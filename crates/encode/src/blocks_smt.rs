//! Large blocks as SMT-LIB text, for reading and for trying a solver on them.
//!
//! Each block is a query of its own: is it feasible from any state at all? `x.next` is the value of
//! `x` after it.

use super::blocks::{BlockEffect, BlockGraph};
use super::transition::State;
use base::SourceMap;
use logic::{SymbolId, TermStore};
use program::ir::*;
use program::pass::liveness::Liveness;
use program::text::Printer;
use std::collections::BTreeMap;

/// The blocks of every procedure.
pub fn smtlib(program: &Program, sources: Option<&SourceMap>) -> String {
    let mut store = TermStore::new();
    let state = State::new(program, &mut store);
    let liveness = Liveness::new(program);
    let printer = Printer::new(program);
    let mut next: BTreeMap<VarId, SymbolId> = BTreeMap::new();
    let mut out = String::from("(set-logic QF_LIA)\n");
    for proc in program.procs.ids() {
        let graph = BlockGraph::new(program, proc, &mut store, &state, &liveness, None);
        out.push_str(&format!("\n; procedure {}\n", printer.names().procs[proc]));
        for (id, block) in graph.blocks.iter_enumerated() {
            let (source, target) = (block.source, block.target);
            let place = sources.and_then(|sources| sources.presumed(block.span));
            let line = place
                .map(|at| format!(", from line {}", at.line))
                .unwrap_or_default();
            let edges: Vec<String> = block.edges.iter().map(|edge| edge.to_string()).collect();
            let edges = edges.join(" ");
            out.push_str(&format!("; {id}: {source} to {target}{line}, {edges}\n"));
            match &block.step {
                BlockEffect::Opaque(edge) => {
                    // An op may hold any text, but no end of line: strings are quoted.
                    let op = printer.op(&program.procs[proc].edges[*edge].op);
                    out.push_str(&format!("; no formula: {op}\n"));
                }
                BlockEffect::Formula(formula)
                | BlockEffect::OutsideEncoding(formula)
                | BlockEffect::CalleeFails(formula) => {
                    for &var in formula.map.keys() {
                        next.entry(var).or_insert_with(|| {
                            let symbol = store.symbol(state.symbol(var)).clone();
                            store.new_symbol(&format!("{}.next", symbol.name), symbol.sort)
                        });
                    }
                    let step = formula.formula(&mut store, &|var| next[&var]);
                    let read = store.symbols_of(&[step]).into_iter();
                    let read: Vec<VarId> = read.filter_map(|symbol| state.var(symbol)).collect();
                    let range = state.in_range(program, &mut store, read.into_iter());
                    if !formula.exact {
                        out.push_str("; allows more than the program does\n");
                    }
                    let query = store.smtlib_query(&[range, step]);
                    out.push_str(&format!("(push 1)\n{query}(pop 1)\n"));
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::random;

    #[test]
    fn parentheses_match_and_commands_come_in_pairs() {
        for seed in 0..30 {
            let program = random::program(seed, 20);
            let text = smtlib(&program, None);
            let code: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
            let code = code.join("\n");
            assert_eq!(
                code.matches('(').count(),
                code.matches(')').count(),
                "seed {seed}"
            );
            let pushes = code.matches("(push 1)").count();
            assert_eq!(pushes, code.matches("(check-sat)").count());
            assert_eq!(pushes, code.matches("(pop 1)").count());
            assert!(pushes > 0);
        }
    }
}
