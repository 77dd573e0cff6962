//! What additional encoding precision a path needs.
//!
//! Arithmetic is encoded as simply as possible. A search that finds a path for which that is too
//! coarse refines the encoding in place (`CutGraph::refine`, [`crate::labelled_tree`]) and
//! continues.

use encode::blocks::{BlockEffect, BlockId};
use encode::{CutGraph, EncodingPrecision};
use exec::{End, Run};

/// What must be encoded for a path if a block leads out of the encoding.
pub fn needed_by_block(cuts: &CutGraph, block: BlockId) -> Option<EncodingPrecision> {
    let block = cuts.block(block);
    let is_outside = matches!(block.step, BlockEffect::OutsideEncoding(_));
    is_outside.then(|| EncodingPrecision::wrapping_on(block.edges.iter().copied()))
}

/// What must be encoded for a run that left its path, if undefined behaviour that is not encoded
/// yet ended it.
pub fn needed_by_run(cuts: &CutGraph, run: &Run) -> Option<EncodingPrecision> {
    let (End::Undefined(_), Some((proc, edge))) = (&run.end, run.at) else {
        return None;
    };
    let is_new = proc == cuts.proc && !cuts.precision.defined.contains(&edge);
    is_new.then(|| EncodingPrecision::defined_on(edge))
}
