//! The tests of a suite that are kept.

use super::TestCase;
use std::collections::BTreeSet;

/// A test with more inputs is long.
const LONG: usize = 1_000;

/// Tests that cover as much as some do, and few of them: the one that adds most comes first. Those that
/// a compiled program repeats come before those that none does. Long ones that others can replace are
/// left out before.
pub(super) fn fewest(mut tests: Vec<TestCase>) -> Vec<TestCase> {
    let mut long: Vec<usize> = (0..tests.len()).collect();
    long.retain(|&at| tests[at].inputs.len() > LONG);
    long.sort_by_key(|&at| std::cmp::Reverse(tests[at].inputs.len()));
    for at in long {
        let others = tests.iter().enumerate().filter(|&(other, row)| {
            other != at && (row.obstacle.is_none() || tests[at].obstacle.is_some())
        });
        let others: BTreeSet<usize> = others.flat_map(|(_, test)| test.covers.clone()).collect();
        if tests[at].covers.is_subset(&others) {
            tests[at].covers.clear();
        }
    }
    let mut kept: Vec<TestCase> = Vec::new();
    let mut covered = BTreeSet::new();
    loop {
        let added = |test: &TestCase| test.covers.difference(&covered).count();
        let adding = (0..tests.len()).filter(|&at| added(&tests[at]) > 0);
        let best = adding.max_by_key(|&at| {
            let test = &tests[at];
            (test.obstacle.is_none(), added(test), usize::MAX - at)
        });
        match best {
            Some(best) => {
                let test = tests.remove(best);
                covered.extend(&test.covers);
                kept.push(test);
            }
            None => return kept,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use exec::End;
    use program::expr::Constant;
    use program::ir::SiteId;

    fn test(length: usize, covers: &[usize]) -> TestCase {
        TestCase {
            inputs: vec![(SiteId::from_index(0), Constant::Bool(true)); length],
            covers: covers.iter().copied().collect(),
            end: End::Aborted,
            obstacle: None,
        }
    }

    fn lengths(tests: &[TestCase]) -> Vec<usize> {
        let kept = fewest(tests.to_vec());
        kept.iter().map(|test| test.inputs.len()).collect()
    }

    #[test]
    fn long_tests_are_left_out_where_others_do() {
        let tests = [
            test(LONG + 1, &[0, 1, 2]),
            test(1, &[0]),
            test(LONG + 2, &[2, 3]),
            test(2, &[1]),
            test(0, &[0]),
        ];
        assert_eq!(lengths(&tests), [LONG + 2, 1, 2]);
        assert_eq!(lengths(&tests[..3]), [LONG + 1, LONG + 2]);
    }

    #[test]
    fn tests_that_can_be_repeated_come_first() {
        let mut tests = [
            test(3, &[0, 1, 2, 3]),
            test(1, &[0, 1]),
            test(LONG + 1, &[2]),
        ];
        assert_eq!(lengths(&tests), [3]);
        tests[0].obstacle = Some("why".into());
        assert_eq!(lengths(&tests), [1, LONG + 1, 3]);
        tests[0].covers = BTreeSet::from([0, 2]);
        assert_eq!(lengths(&tests), [1, LONG + 1]);
    }
}
