//! What a path needs to be described more precisely.
//!
//! Arithmetic is described as simply as it can be. A search that meets a path on which that is too
//! simple describes what it met, in place (`CutGraph::refine`, [`crate::labelled_tree`]), and goes on.

use encode::blocks::{BlockId, Step};
use encode::{CutGraph, EncodingPrecision};
use exec::{End, Run};

/// What must be described for a path that a block leads out of the encoding, if it does.
pub fn needed_by_block(cuts: &CutGraph, block: BlockId) -> Option<EncodingPrecision> {
    let block = cuts.block(block);
    let is_outside = matches!(block.step, Step::OutsideEncoding(_));
    is_outside.then(|| EncodingPrecision {
        wraps: block.edges.iter().copied().collect(),
        ..EncodingPrecision::default()
    })
}

/// What must be described for a run that left its path, if something undefined ended it where that
/// is not described yet.
pub fn needed_by_run(cuts: &CutGraph, run: &Run) -> Option<EncodingPrecision> {
    let (End::Undefined(_), Some((proc, edge))) = (&run.end, run.at) else {
        return None;
    };
    let is_new = proc == cuts.proc && !cuts.precision.defined.contains(&edge);
    is_new.then(|| EncodingPrecision {
        defined: [edge].into(),
        ..EncodingPrecision::default()
    })
}
