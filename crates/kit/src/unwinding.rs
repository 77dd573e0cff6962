//! The unwinding: a tree of paths over the blocks of a procedure, with labels and covers.
//!
//! A vertex stands for the path of blocks from the root to it. Its label is a set of conjuncts. A
//! vertex may be covered by another at the same location whose label its own implies: then nothing
//! below it needs to be explored.
//!
//! # Paper
//! [mcmillan2006lazy] for the tree, [fang2025software], definition 2, for dead ends. Coverers need
//! not be ancestors: it is enough that they are older and have no covered ancestor.
//!
//! # Invariants
//! - A coverer is older than what it covers, is at the same location, and is *active*: neither it
//!   nor an ancestor is covered.
//! - Only an expanded vertex has children; if it has become a dead end, nothing below it is active.
//! - Properties of labels (they follow from those of their ancestors, and coverers' labels from
//!   those they cover) are maintained by the caller that strengthens them; this module knows no
//!   solver.

use base::{Id, IdVec, define_id};
use certify::Reason;
use encode::Renewed;
use encode::blocks::BlockId;
use logic::TermId;
use program::ir::LocationId;
use std::collections::{BTreeMap, BTreeSet};

define_id! {
    /// A vertex of an unwinding.
    VertexId = "u";
}

/// A vertex.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Its location.
    pub at: LocationId,
    /// The vertex before it, and the block from there; none for the root.
    pub parent: Option<(VertexId, BlockId)>,
    /// How many blocks from the root.
    pub depth: usize,
    /// One for each block that leaves its location, once it is expanded.
    pub children: Vec<VertexId>,
    /// Its label: a conjunction.
    pub label: BTreeSet<TermId>,
    /// Its fate.
    pub fate: Fate,
    coverer: Option<VertexId>,
    covered: BTreeSet<VertexId>,
}

/// The fate of a vertex.
#[derive(Clone, PartialEq, Debug)]
pub enum Fate {
    /// It has not been explored yet.
    Open,
    /// It has children.
    Expanded,
    /// No error is reachable from its label.
    DeadEnd,
    /// It cannot be decided, and why.
    Undecided(Box<Reason>),
    /// Its path contains a block that has been re-encoded.
    Removed,
}

/// A tree of paths.
#[derive(Clone, Debug)]
pub struct Unwinding {
    vertices: IdVec<VertexId, Vertex>,
    /// The vertices of each location, oldest first.
    by_location: BTreeMap<LocationId, Vec<VertexId>>,
}

impl Unwinding {
    /// The root alone.
    pub fn new(entry: LocationId) -> Unwinding {
        let mut unwinding = Unwinding {
            vertices: IdVec::new(),
            by_location: BTreeMap::new(),
        };
        unwinding.add(entry, None);
        unwinding
    }

    /// The root.
    pub fn root(&self) -> VertexId {
        VertexId::from_index(0)
    }

    /// A vertex.
    pub fn vertex(&self, id: VertexId) -> &Vertex {
        &self.vertices[id]
    }

    /// All vertices, oldest first.
    pub fn vertices(&self) -> impl Iterator<Item = (VertexId, &Vertex)> {
        self.vertices.iter_enumerated()
    }

    /// How many vertices there are.
    pub fn count(&self) -> usize {
        self.vertices.len()
    }

    /// About how many bytes it occupies.
    pub fn bytes(&self) -> usize {
        let conjuncts: usize = self.vertices.iter().map(|row| row.label.len()).sum();
        self.vertices.len() * (std::mem::size_of::<Vertex>() + 64) + conjuncts * 32
    }

    /// Gives a vertex its children, one for each block and the location it leads to; does nothing
    /// if it has them.
    pub fn expand(&mut self, id: VertexId, blocks: &[(BlockId, LocationId)]) -> Vec<VertexId> {
        if self.vertices[id].fate == Fate::Expanded {
            return Vec::new();
        }
        debug_assert_eq!(self.vertices[id].fate, Fate::Open);
        self.vertices[id].fate = Fate::Expanded;
        let add = |&(block, target): &(BlockId, LocationId)| self.add(target, Some((id, block)));
        let children: Vec<VertexId> = blocks.iter().map(add).collect();
        self.vertices[id].children = children.clone();
        children
    }

    /// Adds a child over a block to a vertex that has its children.
    pub fn add_child(&mut self, id: VertexId, block: BlockId, target: LocationId) -> VertexId {
        debug_assert_eq!(self.vertices[id].fate, Fate::Expanded);
        let child = self.add(target, Some((id, block)));
        self.vertices[id].children.push(child);
        child
    }

    /// Removes all children of a vertex over a block, and their subtrees. Returns what was removed,
    /// and the open leaves that lost their cover.
    pub fn prune(&mut self, id: VertexId, block: BlockId) -> (Vec<VertexId>, Vec<VertexId>) {
        let behind = |child: &VertexId| self.vertices[*child].parent == Some((id, block));
        let (gone, kept): (Vec<_>, Vec<_>) = (self.vertices[id].children)
            .iter()
            .partition(|child| behind(child));
        self.vertices[id].children = kept;
        let mut removed = gone;
        let mut next = 0;
        while let Some(&child) = removed.get(next) {
            next += 1;
            removed.append(&mut self.vertices[child].children);
        }
        let mut open = Vec::new();
        for &id in &removed {
            open.extend(self.vertices[id].covered.iter().copied());
            self.loosen(id);
            self.vertices[id].fate = Fate::Removed;
        }
        open.retain(|&id| self.vertices[id].fate == Fate::Open && self.is_active(id));
        self.check_invariants();
        (removed, open)
    }

    fn add(&mut self, at: LocationId, parent: Option<(VertexId, BlockId)>) -> VertexId {
        let depth = parent.map_or(0, |(parent, _)| self.vertices[parent].depth + 1);
        let id = self.vertices.push(Vertex {
            at,
            parent,
            depth,
            children: Vec::new(),
            label: BTreeSet::new(),
            fate: Fate::Open,
            coverer: None,
            covered: BTreeSet::new(),
        });
        self.by_location.entry(at).or_default().push(id);
        id
    }

    /// Sets the fate of a vertex that has no children.
    pub fn mark_leaf(&mut self, id: VertexId, fate: Fate) {
        debug_assert!(self.vertices[id].children.is_empty());
        self.vertices[id].fate = fate;
    }

    /// Whether no vertex will be added below this one.
    pub fn is_closed(&self, id: VertexId) -> bool {
        match self.vertices[id].fate {
            Fate::Open | Fate::Expanded => false,
            Fate::DeadEnd | Fate::Undecided(_) | Fate::Removed => true,
        }
    }

    /// The child of a vertex over a block.
    pub fn child(&self, id: VertexId, block: BlockId) -> Option<VertexId> {
        let mut children = self.vertices[id].children.iter().copied();
        children.find(|&child| self.vertices[child].parent == Some((id, block)))
    }

    /// The vertex and its ancestors, upwards.
    pub fn upwards(&self, id: VertexId) -> impl Iterator<Item = VertexId> + '_ {
        std::iter::successors(Some(id), |&id| Some(self.vertices[id].parent?.0))
    }

    /// The vertices from the root to a vertex.
    pub fn path(&self, id: VertexId) -> Vec<VertexId> {
        let mut path: Vec<VertexId> = self.upwards(id).collect();
        path.reverse();
        path
    }

    /// The blocks from the root to a vertex.
    pub fn blocks(&self, id: VertexId) -> Vec<BlockId> {
        let upwards = self.upwards(id);
        let blocks = upwards.filter_map(|id| Some(self.vertices[id].parent?.1));
        let mut blocks: Vec<BlockId> = blocks.collect();
        blocks.reverse();
        blocks
    }

    /// Whether neither the vertex nor an ancestor is covered, no ancestor is a dead end, and it was
    /// not removed.
    pub fn is_active(&self, id: VertexId) -> bool {
        let is_live = |above: VertexId| {
            let row = &self.vertices[above];
            row.coverer.is_none() && (above == id || row.fate != Fate::DeadEnd)
        };
        self.vertices[id].fate != Fate::Removed && self.upwards(id).all(is_live)
    }

    /// The vertices that are active, oldest first.
    pub fn active(&self) -> impl Iterator<Item = VertexId> + '_ {
        self.vertices.ids().filter(|&id| self.is_active(id))
    }

    /// Whether the vertex itself is covered.
    pub fn is_covered(&self, id: VertexId) -> bool {
        self.vertices[id].coverer.is_some()
    }

    /// How many vertices are covered.
    pub fn covers(&self) -> usize {
        let covered = self.vertices.iter().filter(|row| row.coverer.is_some());
        covered.count()
    }

    /// Older vertices at the same location, nearest first.
    pub fn older(&self, id: VertexId) -> impl Iterator<Item = VertexId> + '_ {
        let all = &self.by_location[&self.vertices[id].at];
        let before = all.partition_point(|&other| other < id);
        all[..before].iter().rev().copied()
    }

    /// The nearest common ancestor of two vertices (possibly one of them).
    pub fn common_ancestor(&self, one: VertexId, other: VertexId) -> VertexId {
        let (mut one, mut other) = (one, other);
        while one != other {
            // The deeper of both is not it, and neither of two that are equally deep.
            let [deep, high] = [one, other].map(|id| self.vertices[id].depth);
            if deep >= high {
                one = self.vertices[one].parent.map_or(one, |(above, _)| above);
            }
            if high >= deep {
                other = self.vertices[other]
                    .parent
                    .map_or(other, |(above, _)| above);
            }
        }
        one
    }

    /// Ancestors at the same location, nearest first.
    pub fn ancestors_here(&self, id: VertexId) -> impl Iterator<Item = VertexId> + '_ {
        let at = self.vertices[id].at;
        self.upwards(id)
            .skip(1)
            .filter(move |&above| self.vertices[above].at == at)
    }

    /// Adds a conjunct to a label; returns the vertices that this one covers, if the conjunct is
    /// new.
    pub fn strengthen(&mut self, id: VertexId, conjunct: TermId) -> Vec<VertexId> {
        let vertex = &mut self.vertices[id];
        if vertex.label.insert(conjunct) {
            vertex.covered.iter().copied().collect()
        } else {
            Vec::new()
        }
    }

    /// Covers a vertex. Its descendants no longer cover anything; returns the open leaves that must
    /// be explored because of that.
    pub fn cover(&mut self, id: VertexId, coverer: VertexId) -> Vec<VertexId> {
        debug_assert!(coverer < id && self.vertices[coverer].at == self.vertices[id].at);
        debug_assert!(self.is_active(coverer));
        self.vertices[id].coverer = Some(coverer);
        self.vertices[coverer].covered.insert(id);
        self.uncover_by(self.below(id))
    }

    /// Makes a vertex a dead end, whether it has children or not. Its descendants no longer cover
    /// anything; returns the open leaves that must be explored because of that.
    pub fn end(&mut self, id: VertexId) -> Vec<VertexId> {
        let mut below = self.below(id);
        self.vertices[id].fate = Fate::DeadEnd;
        below.retain(|&below| below != id);
        self.uncover_by(below)
    }

    /// Uncovers what some vertices cover; returns the open leaves at and below it.
    fn uncover_by(&mut self, coverers: Vec<VertexId>) -> Vec<VertexId> {
        let lost = coverers.into_iter();
        let lost: Vec<VertexId> = lost
            .flat_map(|id| self.vertices[id].covered.clone())
            .collect();
        let open = lost.into_iter().flat_map(|covered| self.uncover(covered));
        let open = open.collect();
        self.check_invariants();
        open
    }

    /// Uncovers a vertex; returns the open leaves at and below it.
    pub fn uncover(&mut self, id: VertexId) -> Vec<VertexId> {
        if let Some(coverer) = self.vertices[id].coverer.take() {
            self.vertices[coverer].covered.remove(&id);
        }
        let open = |&id: &VertexId| self.vertices[id].fate == Fate::Open;
        self.below(id).into_iter().filter(open).collect()
    }

    /// Reopens a leaf.
    pub fn reopen(&mut self, id: VertexId) {
        debug_assert!(self.is_closed(id));
        self.vertices[id].fate = Fate::Open;
    }

    /// Adapts to a refined graph: subtrees below rebuilt blocks are removed, and the vertex where
    /// such a block starts is a leaf again. Returns what was removed.
    pub fn renew(&mut self, renewed: &Renewed) -> Vec<VertexId> {
        let mut removed = Vec::new();
        for id in self.vertices.ids() {
            let Some((parent, block)) = self.vertices[id].parent else {
                continue;
            };
            if self.vertices[id].fate == Fate::Removed {
                continue;
            }
            match renewed.blocks[block] {
                Some(block) if self.vertices[parent].fate != Fate::Removed => {
                    self.vertices[id].parent = Some((parent, block));
                }
                Some(_) | None => {
                    self.remove(id);
                    removed.push(id);
                }
            }
        }
        self.check_invariants();
        removed
    }

    /// Removes the covers by and of a vertex.
    fn loosen(&mut self, id: VertexId) {
        for covered in std::mem::take(&mut self.vertices[id].covered) {
            self.vertices[covered].coverer = None;
        }
        if let Some(coverer) = self.vertices[id].coverer.take() {
            self.vertices[coverer].covered.remove(&id);
        }
    }

    fn remove(&mut self, id: VertexId) {
        self.loosen(id);
        self.vertices[id].fate = Fate::Removed;
        self.vertices[id].children.clear();
        let Some((parent, _)) = self.vertices[id].parent else {
            return;
        };
        let parent = &mut self.vertices[parent];
        parent.children.clear();
        if parent.fate == Fate::Expanded {
            parent.fate = Fate::Open;
        }
    }

    /// A vertex and its descendants, except those below covered ones.
    fn below(&self, id: VertexId) -> Vec<VertexId> {
        let mut found = vec![id];
        let mut next = 0;
        while let Some(&id) = found.get(next) {
            next += 1;
            let children = self.vertices[id].children.iter();
            found.extend(children.filter(|&&child| !self.is_covered(child)));
        }
        found
    }

    /// Checks the invariants of this module, in debug builds.
    fn check_invariants(&self) {
        if !cfg!(debug_assertions) {
            return;
        }
        for (id, row) in self.vertices.iter_enumerated() {
            let may_have = matches!(row.fate, Fate::Expanded | Fate::DeadEnd);
            assert!(row.children.is_empty() || may_have);
            for &child in &row.children {
                assert_eq!(
                    self.vertices[child].parent.map(|(parent, _)| parent),
                    Some(id)
                );
            }
            if let Some(coverer) = row.coverer {
                assert!(coverer < id && self.vertices[coverer].at == row.at);
                assert!(self.vertices[coverer].covered.contains(&id));
                assert!(
                    self.is_active(coverer) || !self.is_active_above(id),
                    "the coverer of {id} should be active"
                );
            }
        }
    }

    fn is_active_above(&self, id: VertexId) -> bool {
        let parent = self.vertices[id].parent;
        parent.is_none_or(|(parent, _)| self.is_active(parent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(index: usize) -> LocationId {
        LocationId::from_index(index)
    }

    fn block(index: usize) -> BlockId {
        BlockId::from_index(index)
    }

    /// A chain of a loop at location 1: the root, then head after head, each with an exit.
    fn chain(iterations: usize) -> (Unwinding, Vec<VertexId>) {
        let mut unwinding = Unwinding::new(at(0));
        let mut heads = unwinding.expand(unwinding.root(), &[(block(0), at(1))]);
        for _ in 1..iterations {
            let head = heads[heads.len() - 1];
            let children = unwinding.expand(head, &[(block(1), at(1)), (block(2), at(2))]);
            heads.push(children[0]);
        }
        (unwinding, heads)
    }

    #[test]
    fn paths_and_relatives() {
        let (unwinding, heads) = chain(3);
        assert_eq!(unwinding.blocks(heads[2]), [block(0), block(1), block(1)]);
        assert_eq!(
            unwinding.path(heads[1]),
            [unwinding.root(), heads[0], heads[1]]
        );
        let ancestors: Vec<_> = unwinding.ancestors_here(heads[2]).collect();
        assert_eq!(ancestors, [heads[1], heads[0]]);
        assert_eq!(unwinding.older(heads[1]).collect::<Vec<_>>(), [heads[0]]);
        let exit = unwinding.vertex(heads[0]).children[1];
        assert_eq!(unwinding.common_ancestor(heads[2], heads[0]), heads[0]);
        assert_eq!(unwinding.common_ancestor(exit, heads[2]), heads[0]);
        assert_eq!(unwinding.common_ancestor(exit, exit), exit);
        assert_eq!(unwinding.child(heads[0], block(1)), Some(heads[1]));
        assert_eq!(unwinding.child(heads[2], block(1)), None);
    }

    #[test]
    fn what_is_below_a_cover_is_not_active_and_comes_back() {
        let (mut unwinding, heads) = chain(4);
        assert!(unwinding.cover(heads[1], heads[0]).is_empty());
        assert!(!unwinding.is_active(heads[3]) && unwinding.is_active(heads[0]));
        let open = unwinding.uncover(heads[1]);
        // The last head, and the exits of the two before it.
        assert_eq!(open.len(), 3);
        assert!(unwinding.is_active(heads[3]));
    }

    #[test]
    fn a_cover_takes_the_covers_below_it_away() {
        let (mut unwinding, heads) = chain(4);
        unwinding.cover(heads[3], heads[2]);
        let open = unwinding.cover(heads[1], heads[0]);
        assert_eq!(open, [heads[3]]);
        assert!(!unwinding.is_covered(heads[3]));
        assert_eq!(unwinding.covers(), 1);
    }

    #[test]
    fn nothing_below_a_dead_end_is_active() {
        let (mut unwinding, heads) = chain(4);
        unwinding.cover(heads[3], heads[2]);
        assert_eq!(unwinding.end(heads[1]), [heads[3]]);
        assert!(unwinding.is_active(heads[1]) && !unwinding.is_active(heads[2]));
        assert!(!unwinding.is_covered(heads[3]));
        // The root, two heads and the exit of the first.
        assert_eq!(unwinding.active().count(), 4);
    }

    #[test]
    fn what_is_behind_a_block_is_removed_and_its_covers_open_again() {
        let (mut unwinding, heads) = chain(4);
        let exit = unwinding.vertex(heads[0]).children[1];
        unwinding.cover(heads[3], heads[2]);
        let (removed, open) = unwinding.prune(heads[2], block(1));
        assert_eq!((removed, open), (vec![heads[3]], vec![]));
        let again = unwinding.add_child(heads[2], block(1), at(1));
        unwinding.cover(again, heads[0]);
        // Another way to the head, covered by one that goes.
        let other = unwinding.add_child(heads[0], block(3), at(1));
        unwinding.cover(other, heads[1]);
        let (removed, open) = unwinding.prune(heads[0], block(1));
        assert!(removed.contains(&heads[1]) && removed.contains(&again));
        assert_eq!(open, [other]);
        assert_eq!(unwinding.vertex(heads[0]).children, [exit, other]);
        assert_eq!(unwinding.covers(), 0);
    }

    #[test]
    fn only_new_conjuncts_concern_what_is_covered() {
        let (mut unwinding, heads) = chain(2);
        unwinding.cover(heads[1], heads[0]);
        let conjunct = TermId::from_index(7);
        assert_eq!(unwinding.strengthen(heads[0], conjunct), [heads[1]]);
        assert!(unwinding.strengthen(heads[0], conjunct).is_empty());
    }

    #[test]
    fn what_is_described_anew_is_removed_and_the_rest_stays() {
        let (mut unwinding, heads) = chain(4);
        let exit = unwinding.vertex(heads[0]).children[1];
        unwinding.mark_leaf(exit, Fate::DeadEnd);
        unwinding.cover(heads[3], heads[0]);
        // The blocks from the head are new; the one from the root is number 5 now.
        let mut blocks = IdVec::filled(None, 3);
        blocks[block(0)] = Some(block(5));
        let renewed = Renewed {
            blocks,
            sources: [at(1)].into(),
        };
        let removed = unwinding.renew(&renewed);
        assert_eq!(removed.len(), unwinding.count() - 2);
        assert!(removed.contains(&heads[1]) && removed.contains(&exit));
        assert_eq!(unwinding.vertex(heads[0]).fate, Fate::Open);
        assert_eq!(unwinding.blocks(heads[0]), [block(5)]);
        assert_eq!((unwinding.covers(), unwinding.active().count()), (0, 2));
        // The head can be expanded again, over other blocks.
        let children = unwinding.expand(heads[0], &[(block(7), at(1))]);
        assert_eq!(unwinding.blocks(children[0]), [block(5), block(7)]);
        assert_eq!(unwinding.older(children[0]).last(), Some(heads[0]));
    }
}
