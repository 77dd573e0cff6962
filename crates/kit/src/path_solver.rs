//! A solver positioned at the end of a path: one frame for each block.
//!
//! Moving from one path to another keeps the frames of their common prefix, so a query about the
//! next path costs only what is new in it.
//!
//! # Invariants
//! - The first frame says what holds where a run starts; the block at index `i` of the path is the
//!   step at position `i + 1` of the path formula, and the state after it is at cut `i + 2`.

use crate::path_formula::{self, PathEncoder, PathFormula};
use base::Budget;
use encode::blocks::BlockId;
use encode::transition::TransitionFormula;
use encode::{Context, CutGraph};
use logic::{Node, SymbolId, TermId};
use program::ir::{EdgeId, VarId};
use smt::{Model, Solver};

/// The effort of one query about a path.
const EACH: u64 = 5_000_000;

/// A budget for one query about a path.
pub fn limited(budget: &Budget) -> Budget {
    budget.clone().with_effort(EACH)
}

/// Runs a closure with a context whose queries have little effort each.
pub fn asking<T>(ctx: &mut Context, ask: impl FnOnce(&mut Context) -> T) -> T {
    within(ctx, limited(&ctx.budget), ask)
}

/// Runs a closure with a context that has another budget.
pub(crate) fn within<T>(
    ctx: &mut Context,
    budget: Budget,
    ask: impl FnOnce(&mut Context) -> T,
) -> T {
    let whole = std::mem::replace(&mut ctx.budget, budget);
    let answer = ask(ctx);
    ctx.budget = whole;
    answer
}

/// A model of some formulas, with the effort of one query.
pub fn limited_model(ctx: &mut Context, formulas: &[TermId]) -> Result<Option<Model>, String> {
    asking(ctx, |ctx| ctx.model(formulas))
}

/// A solver with a path asserted.
pub struct PathSolver<'e> {
    encoder: PathEncoder<'e>,
    formula: PathFormula,
    blocks: Vec<BlockId>,
    solver: Solver,
}

impl<'e> PathSolver<'e> {
    /// At the start.
    pub fn new(ctx: &mut Context<'e>, cuts: &CutGraph) -> Self {
        let program = ctx.program;
        let entry = program.procs[cuts.proc].entry;
        let start = path_formula::initial(program, &mut ctx.store, &ctx.state, cuts.live(entry));
        let mut paths = PathSolver {
            encoder: PathEncoder::new(program, &ctx.state),
            formula: PathFormula::default(),
            blocks: Vec::new(),
            solver: Solver::new(),
        };
        paths.push(ctx, &start);
        paths
    }

    fn push(&mut self, ctx: &mut Context, step: &TransitionFormula) {
        self.encoder.push(&mut ctx.store, &mut self.formula, step);
        let part = self.formula.parts()[self.formula.parts().len() - 1];
        self.solver.push();
        self.solver.assert(&ctx.store, part);
    }

    /// Moves to the end of a path, all of whose blocks have formulas.
    pub fn go_to(&mut self, ctx: &mut Context, cuts: &CutGraph, path: &[BlockId]) {
        let common = std::iter::zip(&self.blocks, path)
            .take_while(|(a, b)| a == b)
            .count();
        for _ in common..self.blocks.len() {
            self.solver.pop();
        }
        self.blocks.truncate(common);
        self.formula.truncate(common + 1);
        for &block in &path[common..] {
            let Some(step) = cuts.block(block).step.formula() else {
                unreachable!("a path should consist of formulas");
            };
            self.push(ctx, step);
            self.blocks.push(block);
        }
    }

    /// The blocks of the current path.
    pub fn blocks(&self) -> &[BlockId] {
        &self.blocks
    }

    /// The formulas of the start and of the blocks, in order.
    pub fn parts(&self) -> &[TermId] {
        self.formula.parts()
    }

    /// Whether a formula is satisfiable at the end of the path, with a model.
    pub fn model(&mut self, ctx: &Context, last: TermId) -> Result<Option<Model>, String> {
        (self.solver).model_of(&ctx.store, &[last], &limited(&ctx.budget))
    }

    /// The symbol of a variable after some blocks of the path.
    pub fn symbol(&self, depth: usize, var: VarId) -> SymbolId {
        self.encoder.symbol_at(&self.formula, depth + 1, var)
    }

    /// A formula over the state, after some blocks of the path.
    pub fn at(&self, ctx: &mut Context, depth: usize, formula: TermId) -> TermId {
        self.encoder
            .at_cut(&mut ctx.store, &self.formula, depth + 1, formula)
    }

    /// A formula after some blocks of the path, over the state.
    pub fn to_state(&self, ctx: &mut Context, depth: usize, formula: TermId) -> Option<TermId> {
        self.encoder
            .to_state(&mut ctx.store, &self.formula, depth + 1, formula)
    }

    /// The symbol of the input taken by an edge in the block at some index of the path.
    pub fn input(
        &self,
        ctx: &Context,
        cuts: &CutGraph,
        index: usize,
        edge: EdgeId,
    ) -> Option<SymbolId> {
        let source = cuts.graph.blocks[*self.blocks.get(index)?].source;
        let symbol = *cuts.graph.inputs.get(&(source, edge))?;
        let term = self.formula.quantified_at(symbol, index + 1)?;
        match ctx.store.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use encode::EncodingPrecision;
    use encode::blocks::BlockEffect;
    use logic::TermValue;
    use program::ir::{LocationId, Program};

    const TEXT: &str = r#"
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
          l6: error assertion "x""#;

    /// The block from one location to another.
    fn block(cuts: &CutGraph, from: usize, to: usize) -> BlockId {
        let (from, to) = (LocationId::from_index(from), LocationId::from_index(to));
        let blocks = &cuts.graph.blocks;
        let ids = cuts.graph.outgoing[from].iter().copied();
        let mut ids = ids.filter(|&id| blocks[id].target == to);
        ids.find(|&id| matches!(blocks[id].step, BlockEffect::Formula(_)))
            .expect("a block")
    }

    fn solver(program: &Program) -> (Context<'_>, CutGraph, PathSolver<'_>) {
        let mut ctx = Context::new(program, &Budget::unlimited());
        let cuts = CutGraph::new(&mut ctx, program.entry, &EncodingPrecision::default());
        let paths = PathSolver::new(&mut ctx, &cuts);
        (ctx, cuts, paths)
    }

    #[test]
    fn stands_at_the_end_of_one_path_after_another() {
        let program = program::testing::parse_main("n: i32, x: i32", TEXT);
        let (mut ctx, cuts, mut paths) = solver(&program);
        let top = ctx.store.bool(true);
        let (enter, around, leave) = (block(&cuts, 0, 2), block(&cuts, 2, 2), block(&cuts, 2, 6));
        let (x, input) = (VarId::from_index(1), EdgeId::from_index(1));

        // Without an iteration `x` is 5, which is not an error.
        paths.go_to(&mut ctx, &cuts, &[enter, leave]);
        assert!(matches!(paths.model(&ctx, top), Ok(None)));
        // After one it is the input.
        paths.go_to(&mut ctx, &cuts, &[enter, around, leave]);
        assert_eq!(paths.parts().len(), 4);
        let found = paths.model(&ctx, top).expect("an answer");
        let model = found.expect("one iteration is enough");
        let taken = paths.input(&ctx, &cuts, 1, input).expect("an input");
        assert_eq!(model.value(&ctx.store, taken), TermValue::Int(40i64.into()));
        // Inputs can only grow, so after 41 there is no way back: a question of the last state.
        paths.go_to(&mut ctx, &cuts, &[enter, around, around]);
        let first = paths.parts()[..3].to_vec();
        let after_one = ctx.store.of_symbol(paths.symbol(2, x));
        let after_two = ctx.store.of_symbol(paths.symbol(3, x));
        assert_ne!(after_one, after_two);
        let falls = ctx.store.le(after_two, after_one);
        assert!(matches!(paths.model(&ctx, falls), Ok(None)));
        // Shorter again: what was asserted beyond is gone.
        paths.go_to(&mut ctx, &cuts, &[enter, around]);
        assert_eq!(paths.parts(), &first[..]);
        assert!(matches!(paths.model(&ctx, top), Ok(Some(_))));
    }

    #[test]
    fn formulas_go_to_a_depth_and_back() {
        let program = program::testing::parse_main("n: i32, x: i32", TEXT);
        let (mut ctx, cuts, mut paths) = solver(&program);
        let (enter, around) = (block(&cuts, 0, 2), block(&cuts, 2, 2));
        paths.go_to(&mut ctx, &cuts, &[enter, around]);
        let (x, five) = (ctx.before(VarId::from_index(1)), ctx.store.int(5i64));
        let label = ctx.store.le(x, five);
        let moved = [1, 2].map(|depth| paths.at(&mut ctx, depth, label));
        assert_ne!(moved[0], moved[1]);
        for (depth, formula) in [1, 2].into_iter().zip(moved) {
            assert_eq!(paths.to_state(&mut ctx, depth, formula), Some(label));
        }
        // What holds after one block is nothing about the state after two.
        assert_eq!(paths.to_state(&mut ctx, 2, moved[0]), None);
    }
}
