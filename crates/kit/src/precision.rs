//! The loop that refines the precision of the encoding.
//!
//! Arithmetic is described as simply as it can be. An attempt that meets a path on which that is
//! too simple ends, and the next one describes what it met.

use encode::blocks::{BlockId, Step};
use encode::{CutGraph, EncodingPrecision};
use exec::{End, Run};

/// Attempts, each with what the last one needed; the last result, once nothing new is needed.
pub fn refine_encoding<T, E>(
    precision: &mut EncodingPrecision,
    mut attempt: impl FnMut(&EncodingPrecision) -> Result<T, E>,
    needed: impl Fn(&E) -> &EncodingPrecision,
) -> Result<T, E> {
    loop {
        match attempt(precision) {
            Err(failure) if precision.extend(needed(&failure)) => {}
            result => return result,
        }
    }
}

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
pub fn needed_by_run(
    cuts: &CutGraph,
    run: &Run,
    precision: &EncodingPrecision,
) -> Option<EncodingPrecision> {
    let (End::Undefined(_), Some((proc, edge))) = (&run.end, run.at) else {
        return None;
    };
    let is_new = proc == cuts.proc && !precision.defined.contains(&edge);
    is_new.then(|| EncodingPrecision {
        defined: [edge].into(),
        ..EncodingPrecision::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use program::ir::EdgeId;

    /// An attempt that needs one edge after another, up to a number of them.
    fn decide(most: usize) -> (usize, Result<(), EncodingPrecision>) {
        let mut attempts = 0;
        let attempt = |precision: &EncodingPrecision| {
            attempts += 1;
            match precision.wraps.len() {
                known if known == most => Err(EncodingPrecision::default()),
                3 => Ok(()),
                known => Err(EncodingPrecision {
                    wraps: [EdgeId::from_index(known)].into(),
                    ..EncodingPrecision::default()
                }),
            }
        };
        let mut precision = EncodingPrecision::default();
        let result = refine_encoding(&mut precision, attempt, |needed| needed);
        (attempts, result)
    }

    #[test]
    fn attempts_end_with_an_answer_or_when_nothing_new_is_needed() {
        assert_eq!(decide(4), (4, Ok(())));
        assert_eq!(decide(2), (3, Err(EncodingPrecision::default())));
    }
}
