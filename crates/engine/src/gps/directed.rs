//! The oracle of a directed test: a model along a path, then what the guide says.

use super::guide::{Choice, Guide, Summaries};
use base::Budget;
use kit::path_inputs::BlockInputs;
use kit::test_runner::{CutPointVisit, InputOracle, ZERO};
use logic::{Integer, TermValue};
use program::ir::EdgeId;

/// Inputs from a model of a path, and beyond it from a guide.
pub(super) struct Directed<'d, 'p> {
    /// The inputs of each block of the path.
    pub(super) path: Vec<BlockInputs>,
    /// Without a guide all inputs beyond the path are zero.
    pub(super) guide: Option<(&'d mut Guide, &'d mut Summaries<'p>)>,
    /// How often the guide may still be queried.
    pub(super) questions: usize,
    /// Its budget.
    pub(super) asking: &'d Budget,
    /// The gas of the first choice, and how many iterations the test had made by then.
    pub(super) gas: Option<(Integer, u64)>,
    pub(super) choice: Option<Choice>,
}

impl InputOracle for Directed<'_, '_> {
    fn path_len(&self) -> usize {
        self.path.len()
    }

    fn prefix_input(&mut self, block: usize, edge: EdgeId) -> Option<TermValue> {
        let value = self.path[block].get(&edge).cloned();
        Some(value.unwrap_or(ZERO))
    }

    fn asks(&self) -> bool {
        self.guide.is_some()
    }

    fn suffix_input(&mut self, visit: &CutPointVisit<'_>, edge: EdgeId) -> Option<TermValue> {
        let Some((guide, summaries)) = &mut self.guide else {
            return Some(ZERO);
        };
        if visit.is_new {
            self.questions = self.questions.checked_sub(1)?;
            self.asking.check().ok()?;
            let iterations = |since: u64| Integer::from((visit.iterations - since) as i64);
            let left = self
                .gas
                .as_ref()
                .map(|(gas, since)| gas - &iterations(*since));
            let choice = guide.choose(
                summaries,
                visit.at,
                visit.values,
                left.as_ref(),
                self.asking,
            );
            self.choice = match choice {
                Ok(Some(choice)) => Some(choice),
                // No input leads to an error from here.
                Ok(None) => return None,
                Err(_) => None,
            };
            if self.gas.is_none() {
                let gas = self.choice.as_ref().and_then(|choice| choice.gas.clone());
                self.gas = gas.map(|gas| (gas, visit.iterations));
            }
        }
        let choice = self.choice.as_ref();
        let value = choice.and_then(|choice| summaries.input(choice, edge));
        Some(value.unwrap_or(ZERO))
    }
}
