//! Blocks of known graphs, and their shape on random ones.

use super::*;
use base::Id;
use program::testing::{main_text, parse};
use testkit::random;

const LOOP: &str = r#"
  l0:
    e0: x := 0i32 -> l2
  l2:
    e1: u := 0u8 -> l3
  l3:
    e2: assume x < 10i32 -> l4
    e3: assume x >= 10i32 -> l8
  l4:
    e4: havoc t n0 -> l5
  l5:
    e5: assume t > 0i32 -> l6
    e6: assume t <= 0i32 -> l7
  l6:
    e7: u := u + 200u8 -> l7
  l7:
    e8: x := x + 1i32 -> l3
  l8:
    e9: assume u == 3u8 -> l9
    e10: assume u != 3u8 -> l10
  l9: error assertion "no"
  l10:
    e11: return -> l1"#;

fn graph(text: &str) -> (Program, TermStore, BlockGraph) {
    let program = parse(text);
    let mut store = TermStore::new();
    let state = State::new(&program, &mut store);
    let liveness = Liveness::new(&program);
    let entry = program.entry;
    let graph = BlockGraph::new(&program, entry, &mut store, &state, &liveness, None);
    (program, store, graph)
}

#[test]
fn a_loop_is_one_block_with_its_branches_merged() {
    let (_, store, graph) = graph(&main_text("x: i32, u: u8, t: i32", LOOP));
    let shown: Vec<String> = (graph.blocks.iter())
        .map(|block| format!("{} {} {:?}", block.source, block.target, block.edges))
        .collect();
    let expected = [
        "l0 l3 [e0, e1]",
        "l3 l3 [e2, e4, e6, e5, e7, e8]",
        "l3 l9 [e3, e9]",
        "l3 l10 [e3, e10]",
        "l10 l1 [e11]",
    ];
    assert_eq!(shown, expected);
    let formula = |index: usize| match &graph.blocks[BlockId::from_index(index)].step {
        BlockEffect::Formula(formula) => formula,
        BlockEffect::Opaque(_) | BlockEffect::OutsideEncoding(_) | BlockEffect::CalleeFails(_) => {
            panic!("it should have a formula")
        }
    };
    assert!(
        graph
            .blocks
            .iter()
            .take(4)
            .all(|block| matches!(block.step, BlockEffect::Formula(_)))
    );
    assert_eq!(
        graph.blocks[BlockId::from_index(4)].step,
        BlockEffect::Opaque(EdgeId::from_index(11))
    );
    let (x, u) = (VarId::from_index(0), VarId::from_index(1));
    assert_eq!(store.smtlib(formula(0).map[&x]), "0");
    assert_eq!(store.smtlib(formula(1).map[&x]), "(+ x 1)");
    // One branch leaves `u`, the other adds to it modulo 256.
    let guard = store.smtlib(formula(1).guard);
    assert!(guard.contains("(mod (+ u 200) 256)"), "{guard}");
    assert!(store.smtlib(formula(1).map[&u]).starts_with("u!"));
    assert_eq!(
        store.smtlib(formula(2).guard),
        "(and (<= (+ (* (- 1) x) 10) 0) (= (+ u (- 3)) 0))"
    );
    assert!(formula(1).exact);
}

#[test]
fn every_edge_between_cut_points_is_in_a_block() {
    for seed in 0..100 {
        let program = random::program(seed, 25);
        let mut store = TermStore::new();
        let state = State::new(&program, &mut store);
        let liveness = Liveness::new(&program);
        for proc in program.procs.ids() {
            let graph = BlockGraph::new(&program, proc, &mut store, &state, &liveness, None);
            let procedure = &program.procs[proc];
            for block in graph.blocks.iter() {
                assert!(graph.is_cut[block.source] && graph.is_cut[block.target]);
                // The edges are a graph from the source to the target.
                let mut seen = vec![block.source];
                for &edge in &block.edges {
                    let edge = &procedure.edges[edge];
                    assert!(seen.contains(&edge.source), "seed {seed}");
                    seen.push(edge.target);
                }
                assert!(seen.contains(&block.target));
            }
        }
    }
}
