//! Proof obligations: cubes to be shown unreachable, the lowest frames first.

use base::{IdVec, define_id};
use horn::{ClauseId, RelationId};
use logic::TermId;
use std::collections::BTreeSet;

define_id! {
    /// An obligation.
    ObligationId = "o";
}

/// A cube of which each state leads to false.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    /// None for false itself.
    pub(super) relation: Option<RelationId>,
    /// Literals over the parameters of the relation.
    pub(super) cube: Vec<TermId>,
    /// The frame that it is to be kept out of.
    pub(super) level: usize,
    /// The obligation that a clause leads to from here.
    pub(super) after: Option<(ObligationId, ClauseId)>,
}

/// The obligations of one query.
pub(super) struct Obligations {
    pub(super) all: IdVec<ObligationId, Obligation>,
    open: BTreeSet<(usize, ObligationId)>,
}

impl Obligations {
    /// False is to be kept out of a frame.
    pub(super) fn of_query(level: usize) -> Obligations {
        let mut obligations = Obligations {
            all: IdVec::new(),
            open: BTreeSet::new(),
        };
        obligations.push(Obligation {
            relation: None,
            cube: Vec::new(),
            level,
            after: None,
        });
        obligations
    }

    /// An open one of the lowest frame; it stays open.
    pub(super) fn next(&self) -> Option<ObligationId> {
        self.open.first().map(|&(_, id)| id)
    }

    /// Adds a cube of the frame below an obligation, which a clause leads to.
    pub(super) fn add(
        &mut self,
        to: ObligationId,
        clause: ClauseId,
        relation: RelationId,
        cube: Vec<TermId>,
    ) {
        self.push(Obligation {
            relation: Some(relation),
            cube,
            level: self.all[to].level - 1,
            after: Some((to, clause)),
        });
    }

    /// An obligation is fulfilled below a level: it is open for that one, or done if that is above
    /// a top.
    pub(super) fn raise(&mut self, id: ObligationId, level: usize, top: usize) {
        let row = &mut self.all[id];
        self.open.remove(&(row.level, id));
        if level <= top {
            row.level = level;
            self.open.insert((level, id));
        }
    }

    fn push(&mut self, obligation: Obligation) {
        let level = obligation.level;
        let id = self.all.push(obligation);
        self.open.insert((level, id));
    }
}
