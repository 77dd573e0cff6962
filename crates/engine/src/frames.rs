//! A solver that stands at the end of a path: one frame for each block.
//!
//! Going from one path to another keeps the frames of their common beginning, so a question about
//! the next path costs what is new in it.
//!
//! # Invariants
//! - The first frame says what holds where a run starts; the block at index `i` of the path is the
//!   step at position `i + 1` of the path formula, and the state after it is at cut `i + 2`.

use crate::path_formula::{self, PathEncoder, PathFormula};
use base::Budget;
use logic::{Node, SymbolId, TermId};
use program::ir::{EdgeId, Program, VarId};
use program::pass::blocks::{BlockId, Step};
use program::pass::transition::{State, TransitionFormula};
use smt::{Answer, Model, Solver};
use summary::{Kit, Nest};

/// A solver with a path asserted.
pub struct Frames<'e> {
    encoder: PathEncoder<'e>,
    formula: PathFormula,
    start: TransitionFormula,
    blocks: Vec<BlockId>,
    solver: Solver,
}

impl<'e> Frames<'e> {
    /// At the start.
    pub fn new(program: &'e Program, state: &'e State, kit: &mut Kit, nest: &Nest) -> Self {
        let entry = program.procs[nest.proc].entry;
        let start = path_formula::initial(program, &mut kit.store, state, nest.live(entry));
        let mut frames = Frames {
            encoder: PathEncoder::new(program, state),
            formula: PathFormula::default(),
            start,
            blocks: Vec::new(),
            solver: Solver::new(),
        };
        let start = frames.start.clone();
        frames.push(kit, &start);
        frames
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
        let term = self.encoder.quantified_at(symbol, index + 1)?;
        match kit.store.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }
}
