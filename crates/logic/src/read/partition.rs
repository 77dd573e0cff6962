//! The arguments of `get-interpolants`.
//!
//! As in SMTInterpol: a name is a part, and its children are all earlier parts that have no parent
//! yet; a list is a branch of its own, which ends in its root; `(and A B)` is one part.

use super::forest::ExprId;
use super::term::Reader;
use super::{Part, Partition, Read};
use std::sync::Arc;

/// A branch whose end is not reached.
#[derive(Default)]
struct Branch<'f> {
    list: Option<ExprId>,
    rest: std::slice::Iter<'f, ExprId>,
    /// The parts in it that have no parent.
    roots: Vec<usize>,
    /// Whether its last member so far is a part and not a branch.
    ends_in_part: bool,
}

impl<'t> Reader<'_, 't> {
    /// The parts that the arguments name, and how they hang together.
    pub(super) fn partition(&mut self, expr: ExprId, arguments: &[ExprId]) -> Read<Partition> {
        let forest = self.forest;
        let mut parts: Vec<Part> = Vec::new();
        let mut parents: Vec<usize> = Vec::new();
        let mut open = vec![Branch {
            rest: arguments.iter(),
            ..Branch::default()
        }];
        while let Some(branch) = open.last_mut() {
            let Some(&member) = branch.rest.next() else {
                let done = open.pop().expect("there is a branch");
                if !done.ends_in_part {
                    let message = "a branch should end in the name of its root";
                    return Err(self.refuse(done.list.unwrap_or(expr), message));
                }
                if let Some(outer) = open.last_mut() {
                    outer.roots.extend(done.roots);
                    outer.ends_in_part = false;
                }
                continue;
            };
            match forest.list(member) {
                Some(list) if !self.is_conjunction(list) => open.push(Branch {
                    list: Some(member),
                    rest: list.iter(),
                    ..Branch::default()
                }),
                Some(_) | None => {
                    let part = parts.len();
                    for root in branch.roots.drain(..) {
                        parents[root] = part;
                    }
                    branch.roots.push(part);
                    branch.ends_in_part = true;
                    parts.push(self.part(member)?);
                    parents.push(0);
                }
            }
        }
        if parts.len() < 2 {
            return Err(self.refuse(expr, "expected the names of two parts or more"));
        }
        parents.pop();
        self.expect_once(expr, &parts)?;
        Ok(Partition { parts, parents })
    }

    fn is_conjunction(&self, list: &[ExprId]) -> bool {
        let head = list.first().and_then(|&head| self.forest.name(head));
        head == Some("and") && list.len() > 1
    }

    fn part(&mut self, expr: ExprId) -> Read<Part> {
        let forest = self.forest;
        let members: &[ExprId] = match forest.list(expr) {
            Some(list) => &list[1..],
            None => &[expr],
        };
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut formulas = Vec::new();
        for &member in members {
            let name = self.expect_name(member)?;
            let Some(&formula) = self.assertions.get(name) else {
                let mut refusal = self.refuse(member, format!("no assertion is named `{name}`"));
                let help = format!("name one, as in `(assert (! formula :named {name}))`");
                refusal.help = Some(help);
                return Err(refusal);
            };
            names.push(name.into());
            formulas.push(formula);
        }
        let formula = self.store.and(&formulas);
        Ok(Part { names, formula })
    }

    /// No assertion may be in two parts: its symbols would be shared for no reason.
    fn expect_once(&self, expr: ExprId, parts: &[Part]) -> Read<()> {
        let mut names: Vec<&Arc<str>> = parts.iter().flat_map(|part| &part.names).collect();
        names.sort();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                let name = pair[0];
                Err(self.refuse(expr, format!("the assertion `{name}` stands in two parts")))
            }
            None => Ok(()),
        }
    }
}
