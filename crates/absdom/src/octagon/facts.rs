//! The non-redundant constraints of an octagon.

use super::{Form, NONE, Octagon, plus};

impl Octagon {
    /// The constraints that do not follow from bounds of single variables or from others in the
    /// list: equalities first, each variable with the first of its class, then the bounds.
    pub(crate) fn facts(&self) -> Vec<(Form, Form, i128, bool)> {
        let form = |number: usize| Form {
            var: self.vars[number / 2],
            negative: number % 2 == 1,
        };
        let size = self.size();
        let mut facts = Vec::new();
        // A form is led by the first form that it is equal to, up to a constant.
        let mut leads = vec![true; size];
        let fixed = |at: usize| plus(self.at(at, at ^ 1), self.at(at ^ 1, at)) == 0;
        for (row, is_leader) in leads.iter_mut().enumerate() {
            if fixed(row) {
                *is_leader = false;
                continue;
            }
            let equal = |&column: &usize| {
                !fixed(column) && plus(self.at(row, column), self.at(column, row)) == 0
            };
            // Forms of one variable cannot be equal to each other unless it is fixed.
            if let Some(leader) = (0..row - row % 2).find(equal) {
                *is_leader = false;
                if row % 2 == 0 {
                    let bound = i128::from(self.at(row, leader));
                    facts.push((form(row), form(leader ^ 1), bound, true));
                }
            }
        }
        for row in 0..size {
            for column in 0..size {
                let bound = self.at(row, column);
                // The coherent twin stands for both.
                let twin = (column ^ 1, row ^ 1);
                if row / 2 == column / 2 || !leads[row] || !leads[column] || twin < (row, column) {
                    continue;
                }
                let unary = plus(self.at(row, row ^ 1), self.at(column ^ 1, column));
                let follows = bound == NONE
                    || (unary != NONE && unary.div_euclid(2) <= bound)
                    || (0..size).any(|via| {
                        let other = leads[via] && via / 2 != row / 2 && via / 2 != column / 2;
                        other && plus(self.at(row, via), self.at(via, column)) <= bound
                    });
                if !follows {
                    facts.push((form(row), form(column ^ 1), i128::from(bound), false));
                }
            }
        }
        facts
    }
}
