//! A solver that stands at the end of a path: one frame for each block.
//!
//! Going from one path to another keeps the paths of their common beginning, so a question about
//! the next path costs what is new in it.
//!
//! # Invariants
//! - The first frame says what holds where a run starts; the block at index `i` of the path is the
//!   step at position `i + 1` of the path formula, and the state after it is at cut `i + 2`.

use crate::path_formula::{self, PathEncoder, PathFormula};
use base::Budget;
use encode::blocks::{BlockId, Step};
use encode::transition::{State, TransitionFormula};
use logic::{Node, SymbolId, TermId};
use program::ir::{EdgeId, Program, VarId};
use smt::{Answer, Model, Solver};
use summary::{Kit, Nest};

/// A solver with a path asserted.
pub struct PathSolver<'e> {
    encoder: PathEncoder<'e>,
    formula: PathFormula,
    start: TransitionFormula,
    blocks: Vec<BlockId>,
    solver: Solver,
}

impl<'e> PathSolver<'e> {
    /// At the start.
    pub fn new(program: &'e Program, state: &'e State, kit: &mut Kit, nest: &Nest) -> Self {
        let entry = program.procs[nest.proc].entry;
        let start = path_formula::initial(program, &mut kit.store, state, nest.live(entry));
        let mut paths = PathSolver {
            encoder: PathEncoder::new(program, state),
            formula: PathFormula::default(),
            start,
            blocks: Vec::new(),
            solver: Solver::new(),
        };
        let start = paths.start.clone();
        paths.push(kit, &start);
        paths
    }

    fn push(&mut self, kit: &mut Kit, step: &TransitionFormula) {
        self.encoder.push(&mut kit.store, &mut self.formula, step);
        let part = self.formula.parts()[self.formula.parts().len() - 1];
        self.solver.push();
        self.solver.assert(&kit.store, part);
    }

    /// Goes to the end of a path, all of whose blocks have formulas.
    pub fn go_to(&mut self, kit: &mut Kit, nest: &Nest, path: &[BlockId]) {
        let common = std::iter::zip(&self.blocks, path)
            .take_while(|(a, b)| a == b)
            .count();
        for _ in common..self.blocks.len() {
            self.solver.pop();
        }
        self.blocks.truncate(common);
        self.formula.truncate(common + 1);
        for &block in &path[common..] {
            let (Step::Formula(step) | Step::Escape(step)) = &nest.graph.blocks[block].step else {
                unreachable!("a path should consist of formulas");
            };
            self.push(kit, step);
            self.blocks.push(block);
        }
    }

    /// The formulas of the start and of the blocks, in order.
    pub fn parts(&self) -> &[TermId] {
        self.formula.parts()
    }

    /// Whether a formula can hold at the end of the path, and how.
    pub fn model(
        &mut self,
        kit: &Kit,
        last: TermId,
        budget: &Budget,
    ) -> Result<Option<Model>, String> {
        self.solver.push();
        self.solver.assert(&kit.store, last);
        let answer = self.solver.check(&kit.store, &[], budget);
        let model = self.solver.model().cloned();
        self.solver.pop();
        match answer {
            Answer::Unsat => Ok(None),
            Answer::Sat => model.map(Some).ok_or("a model cannot be read".to_owned()),
            Answer::Unknown(why) => Err(why),
        }
    }

    /// The symbol of a variable after some blocks of the path.
    pub fn symbol(&self, depth: usize, var: VarId) -> SymbolId {
        self.encoder.symbol_at(&self.formula, depth + 1, var)
    }

    /// A formula over the state, after some blocks of the path.
    pub fn at(&self, kit: &mut Kit, depth: usize, formula: TermId) -> TermId {
        self.encoder
            .at_cut(&mut kit.store, &self.formula, depth + 1, formula)
    }

    /// A formula after some blocks of the path, over the state.
    pub fn to_state(&self, kit: &mut Kit, depth: usize, formula: TermId) -> Option<TermId> {
        self.encoder
            .to_state(&mut kit.store, &self.formula, depth + 1, formula)
    }

    /// The symbol of what an edge in the block at some index of the path takes as input.
    pub fn input(&self, kit: &Kit, nest: &Nest, index: usize, edge: EdgeId) -> Option<SymbolId> {
        let source = nest.graph.blocks[*self.blocks.get(index)?].source;
        let symbol = *nest.graph.inputs.get(&(source, edge))?;
        let term = self.formula.quantified_at(symbol, index + 1)?;
        match kit.store.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use absdom::{Invariants, Options};
    use base::Id;
    use logic::TermValue;
    use program::ir::LocationId;
    use summary::Detail;

    const TEXT: &str = r#"program ptr 8 entry main
        site n0: nondet i32 "__VERIFIER_nondet_int"
        proc p0 main() entry l0 exit l1 {
          local v0 n: i32
          local v1 x: i32
          l0:
            e0: x := 5i32 -> l2
          l2:
            e1: havoc n n0 -> l3
          l3:
            e2: assume n > x -> l4
            e3: assume n <= x -> l5
          l4:
            e4: x := n -> l2
          l5:
            e5: assume x == 40i32 -> l6
            e6: assume x != 40i32 -> l1
          l6: error assertion "x"
          l1:
        }"#;

    /// The block from one location to another.
    fn block(nest: &Nest, from: usize, to: usize) -> BlockId {
        let (from, to) = (LocationId::from_index(from), LocationId::from_index(to));
        let blocks = &nest.graph.blocks;
        let ids = nest.graph.outgoing[from].iter().copied();
        let mut ids = ids.filter(|&id| blocks[id].target == to);
        ids.find(|&id| matches!(blocks[id].step, Step::Formula(_)))
            .expect("a block")
    }

    #[test]
    fn stands_at_the_end_of_one_path_after_another() {
        let program = program::testing::parse(TEXT);
        let budget = Budget::unlimited();
        let mut kit = Kit::new(&program, &budget);
        let options = Options::default();
        let invariants = Invariants::new(&program, program.entry, &options, &budget);
        let nest = Nest::new(&mut kit, program.entry, invariants, &Detail::default());
        let state = kit.state.clone();
        let mut paths = PathSolver::new(&program, &state, &mut kit, &nest);
        let top = kit.store.bool(true);
        let (enter, around, leave) = (block(&nest, 0, 2), block(&nest, 2, 2), block(&nest, 2, 6));
        let (x, input) = (VarId::from_index(1), EdgeId::from_index(1));

        // Without an iteration `x` is 5, which is no error.
        paths.go_to(&mut kit, &nest, &[enter, leave]);
        assert!(matches!(paths.model(&kit, top, &budget), Ok(None)));
        // After one it is the input.
        paths.go_to(&mut kit, &nest, &[enter, around, leave]);
        assert_eq!(paths.parts().len(), 4);
        let found = paths.model(&kit, top, &budget).expect("an answer");
        let model = found.expect("one iteration is enough");
        let taken = paths.input(&kit, &nest, 1, input).expect("an input");
        assert_eq!(model.value(&kit.store, taken), TermValue::Int(40i64.into()));
        // Inputs can only grow, so after 41 there is no way back: a question of the last state.
        paths.go_to(&mut kit, &nest, &[enter, around, around]);
        let first = paths.parts()[..3].to_vec();
        let after_one = kit.store.of_symbol(paths.symbol(2, x));
        let after_two = kit.store.of_symbol(paths.symbol(3, x));
        assert_ne!(after_one, after_two);
        let falls = kit.store.le(after_two, after_one);
        assert!(matches!(paths.model(&kit, falls, &budget), Ok(None)));
        // Shorter again: what was asserted beyond is gone.
        paths.go_to(&mut kit, &nest, &[enter, around]);
        assert_eq!(paths.parts(), &first[..]);
        assert!(matches!(paths.model(&kit, top, &budget), Ok(Some(_))));
    }

    #[test]
    fn formulas_go_to_a_depth_and_back() {
        let program = program::testing::parse(TEXT);
        let budget = Budget::unlimited();
        let mut kit = Kit::new(&program, &budget);
        let options = Options::default();
        let invariants = Invariants::new(&program, program.entry, &options, &budget);
        let nest = Nest::new(&mut kit, program.entry, invariants, &Detail::default());
        let state = kit.state.clone();
        let mut paths = PathSolver::new(&program, &state, &mut kit, &nest);
        let (enter, around) = (block(&nest, 0, 2), block(&nest, 2, 2));
        paths.go_to(&mut kit, &nest, &[enter, around]);
        let (x, five) = (kit.before(VarId::from_index(1)), kit.store.int(5i64));
        let label = kit.store.le(x, five);
        let moved = [1, 2].map(|depth| paths.at(&mut kit, depth, label));
        assert_ne!(moved[0], moved[1]);
        for (depth, formula) in [1, 2].into_iter().zip(moved) {
            assert_eq!(paths.to_state(&mut kit, depth, formula), Some(label));
        }
        // What holds after one block is nothing about the state after two.
        assert_eq!(paths.to_state(&mut kit, 2, moved[0]), None);
    }
}
