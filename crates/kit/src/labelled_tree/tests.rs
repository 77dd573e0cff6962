//! Cover, uncover, refine and expand on small trees of one loop.

use super::*;
use base::{Budget, Id};
use encode::EncodingPrecision;
use program::ir::VarId;

fn twos() -> Program {
    program::testing::parse(&testkit::texts::twos("x == 7i32", "x != 7i32"))
}

const HEAD: usize = 2;
const ERROR: usize = 6;

/// Every location is a cut point.
fn edges() -> EncodingPrecision {
    EncodingPrecision {
        each_edge: true,
        ..EncodingPrecision::default()
    }
}

/// A tree of the loop, and what it is about.
struct Fixture<'p> {
    ctx: Context<'p>,
    cuts: CutGraph,
    tree: LabelledTree<'p>,
}

impl<'p> Fixture<'p> {
    fn new(program: &'p Program) -> Self {
        Fixture::with(program, &EncodingPrecision::default())
    }

    fn with(program: &'p Program, precision: &EncodingPrecision) -> Self {
        let mut ctx = Context::new(program, &Budget::unlimited());
        let cuts = CutGraph::new(&mut ctx, program.entry, precision);
        let tree = LabelledTree::new(&mut ctx, &cuts, None);
        Fixture { ctx, cuts, tree }
    }

    /// The child of a vertex at a location; the vertex is expanded for it.
    fn child(&mut self, vertex: VertexId, at: usize) -> VertexId {
        self.tree.expand(&self.ctx, &self.cuts, vertex);
        let children = &self.tree.unwinding.vertex(vertex).children;
        let here = |id: &&VertexId| self.tree.unwinding.vertex(**id).at.index() == at;
        *children.iter().find(here).expect("a child there")
    }

    /// The heads after no iteration, after one, and so on.
    fn heads<const N: usize>(&mut self) -> [VertexId; N] {
        let mut at = self.tree.unwinding.root();
        [(); N].map(|()| {
            at = self.child(at, HEAD);
            at
        })
    }

    /// `low <= x`, or `x <= high`.
    fn at_least(&mut self, low: i64) -> TermId {
        let (x, low) = (
            self.ctx.before(VarId::from_index(1)),
            self.ctx.store.int(low),
        );
        self.ctx.store.le(low, x)
    }

    fn at_most(&mut self, high: i64) -> TermId {
        let (x, high) = (
            self.ctx.before(VarId::from_index(1)),
            self.ctx.store.int(high),
        );
        self.ctx.store.le(x, high)
    }

    fn refine(&mut self, vertex: VertexId, label: TermId) {
        self.tree.refine(&mut self.ctx, &[vertex], &[label]);
    }

    fn try_cover(&mut self, vertex: VertexId) -> bool {
        self.tree.try_cover(&mut self.ctx, &self.cuts, vertex)
    }

    fn is_covered(&self, vertex: VertexId) -> bool {
        self.tree.unwinding.is_covered(vertex)
    }
}

#[test]
fn a_label_that_iterations_keep_covers_and_one_that_they_break_does_not() {
    let program = twos();
    let mut kept = Fixture::new(&program);
    let [first, second] = kept.heads();
    let least = kept.at_least(0);
    kept.refine(first, least);
    assert!(kept.try_cover(second) && kept.is_covered(second));
    // The label was carried over the iteration.
    let label = kept.tree.label(&mut kept.ctx, second);
    assert!(kept.ctx.entails(label, least));

    let mut broken = Fixture::new(&program);
    let [first, second] = broken.heads();
    let most = broken.at_most(0);
    broken.refine(first, most);
    assert!(!broken.try_cover(second) && !broken.is_covered(second));
}

#[test]
fn what_a_forced_cover_shows_may_cover_a_vertex_on_the_way() {
    let program = twos();
    let mut fixture = Fixture::new(&program);
    let [first, second, third] = fixture.heads();
    let (least, most) = (fixture.at_least(0), fixture.at_most(100));
    fixture.refine(first, least);
    // Not kept, so that the second head does not cover the third.
    fixture.refine(second, most);
    assert!(fixture.try_cover(third));
    assert!(fixture.is_covered(second) && !fixture.is_covered(third));
    assert!(!fixture.tree.unwinding.is_active(third));
}

#[test]
fn a_stronger_coverer_keeps_what_implies_it_and_opens_the_rest_again() {
    let program = twos();
    let mut fixture = Fixture::new(&program);
    let [first, second] = fixture.heads();
    let least = fixture.at_least(0);
    fixture.refine(first, least);
    assert!(fixture.try_cover(second));
    fixture.tree.frontier.clear();
    // Implied by what is known about the covered vertex.
    let weaker = fixture.at_least(-5);
    fixture.refine(first, weaker);
    assert!(fixture.is_covered(second) && fixture.tree.frontier.is_empty());
    let most = fixture.at_most(0);
    fixture.refine(first, most);
    assert!(!fixture.is_covered(second));
    assert_eq!(fixture.tree.next_open(), Some(second));
}

#[test]
fn refining_adds_conjuncts_and_nothing_that_is_plain() {
    let program = twos();
    let mut fixture = Fixture::new(&program);
    let [first] = fixture.heads();
    let (least, most) = (fixture.at_least(0), fixture.at_most(8));
    let both = fixture.ctx.store.and(&[least, most]);
    let top = fixture.ctx.store.bool(true);
    let root = fixture.tree.unwinding.root();
    let (ctx, path) = (&mut fixture.ctx, [root, first]);
    fixture.tree.refine(ctx, &path, &[top, both]);
    let label = |id| &fixture.tree.unwinding.vertex(id).label;
    assert!(label(root).is_empty());
    assert_eq!(label(first).len(), 2);
    assert!(label(first).contains(&least) && label(first).contains(&most));
}

#[test]
fn a_path_that_is_not_feasible_gets_labels_that_lead_to_false() {
    let program = twos();
    let mut fixture = Fixture::new(&program);
    let [_, second] = fixture.heads();
    let error = fixture.child(second, ERROR);
    assert!(fixture.tree.is_failing(&fixture.cuts, error));
    let Fixture { ctx, cuts, tree } = &mut fixture;
    tree.go_to(ctx, cuts, error);
    let top = ctx.store.bool(true);
    let PathCheck::DeadEnd(labels) = tree.check(ctx, top) else {
        panic!("two is not seven");
    };
    let path = tree.unwinding.path(error);
    assert_eq!(labels.len(), path.len());
    tree.refine(ctx, &path, &labels);
    // At the error nothing is left, and the head excludes seven.
    let (at_error, at_head) = (tree.label(ctx, error), tree.label(ctx, second));
    assert_eq!(ctx.store.as_bool(at_error), Some(false));
    let (x, seven) = (ctx.before(VarId::from_index(1)), ctx.store.int(7i64));
    let is_seven = ctx.store.eq(x, seven);
    let excluded = ctx.store.not(is_seven);
    assert!(ctx.entails(at_head, excluded));
}

#[test]
fn a_path_that_is_feasible_has_a_model() {
    let program = twos();
    let mut fixture = Fixture::new(&program);
    let [_, second] = fixture.heads();
    let Fixture { ctx, cuts, tree } = &mut fixture;
    tree.go_to(ctx, cuts, second);
    let (x, two) = (
        tree.paths.symbol(2, VarId::from_index(1)),
        ctx.store.int(2i64),
    );
    let x = ctx.store.of_symbol(x);
    let is_two = ctx.store.eq(x, two);
    assert!(matches!(tree.check(ctx, is_two), PathCheck::Reached(_)));
    let other = ctx.store.not(is_two);
    assert!(matches!(tree.check(ctx, other), PathCheck::DeadEnd(_)));
}

#[test]
fn an_inner_vertex_whose_label_has_become_strong_enough_is_covered() {
    let program = twos();
    let mut fixture = Fixture::new(&program);
    let [first, second, third] = fixture.heads();
    let least = fixture.at_least(0);
    fixture.refine(first, least);
    let Fixture { ctx, cuts, tree } = &mut fixture;
    tree.cover_path(ctx, cuts, &[second]);
    assert!(!tree.unwinding.is_covered(second), "nothing is known of it");
    tree.refine(ctx, &[second], &[least]);
    tree.cover_path(ctx, cuts, &[second]);
    assert!(tree.unwinding.is_covered(second) && !tree.unwinding.is_active(third));
}

#[test]
fn expanding_marks_ends_and_puts_failing_children_first() {
    let program = twos();
    let mut fixture = Fixture::new(&program);
    let [first] = fixture.heads();
    fixture.tree.frontier.clear();
    let error = fixture.child(first, ERROR);
    assert_eq!(fixture.tree.next_open(), Some(error));
    let exit = program.procs[program.entry].exit;
    let rows = fixture.tree.unwinding.vertices();
    let ends = rows.filter(|(_, row)| row.at == exit);
    assert!(ends.into_iter().all(|(_, row)| row.fate == Fate::DeadEnd));
    assert!(fixture.tree.undecided().is_none());
}

#[test]
fn the_label_of_a_head_is_that_of_one_of_its_vertices() {
    let program = twos();
    let mut fixture = Fixture::new(&program);
    let [first, second] = fixture.heads();
    let (low, high) = (fixture.at_most(0), fixture.at_least(2));
    fixture.refine(first, low);
    fixture.refine(second, high);
    let Fixture { ctx, cuts, tree } = &mut fixture;
    let labels = tree.labels(ctx, cuts, |ctx, _| ctx.store.bool(true));
    let either = ctx.store.or(&[low, high]);
    assert_eq!(labels.values().copied().collect::<Vec<_>>(), [either]);
}

#[test]
fn what_stands_behind_a_call_is_undecided() {
    let program = program::testing::parse(
        r#"program ptr 8 entry main
        proc p0 other() entry l0 exit l1 {
          l0:
            e0: return -> l1
          l1:
        }
        proc p1 main() entry l0 exit l1 {
          l0:
            e0: call other() -> l2
          l2:
            e1: return -> l1
          l1:
        }"#,
    );
    let mut fixture = Fixture::new(&program);
    let root = fixture.tree.unwinding.root();
    fixture.tree.expand(&fixture.ctx, &fixture.cuts, root);
    let (_, reason) = fixture.tree.undecided().expect("a reason");
    assert!(
        reason.message.contains("a call of `other`"),
        "{}",
        reason.message
    );
}

/// Two ways from `l3` to `l6`, on which `x` grows by two or by four.
fn two_ways() -> Program {
    program::testing::parse_main(
        "n: i32, x: i32",
        r#"
          l0:
            e0: x := 0i32 -> l2
          l2:
            e1: havoc n n0 -> l3
          l3:
            e2: assume n > 0i32 -> l4
            e3: assume n <= 0i32 -> l5
          l4:
            e4: x := x + 2i32 -> l6
          l5:
            e5: x := x + 4i32 -> l6
          l6:
            e6: assume x == 7i32 -> l7
            e7: assume x != 7i32 -> l1
          l7: error assertion "x""#,
    )
}

#[test]
fn the_newest_leaf_is_next_if_that_is_asked_for_and_errors_before_others() {
    let program = twos();
    for (order, from) in [(Order::Oldest, 0), (Order::Newest, 1)] {
        let mut tree = Fixture::new(&program);
        tree.tree.order = order;
        let heads: [VertexId; 3] = tree.heads();
        let error = tree.child(heads[from], ERROR);
        assert_eq!(tree.tree.next_open(), Some(error), "{order:?}");
    }
}

#[test]
fn a_cover_is_forced_from_the_nearest_common_ancestor() {
    let program = two_ways();
    for is_known in [true, false] {
        let mut tree = Fixture::with(&program, &edges());
        let mut fork = tree.tree.unwinding.root();
        for at in [2, 3] {
            fork = tree.child(fork, at);
        }
        let [one, other] = [4, 5].map(|at| {
            let way = tree.child(fork, at);
            tree.child(way, 6)
        });
        let least = tree.at_least(0);
        tree.refine(one, least);
        if is_known {
            tree.refine(fork, least);
        }
        assert_eq!(tree.tree.unwinding.common_ancestor(one, other), fork);
        let closed = tree.tree.close(&mut tree.ctx, &tree.cuts, other);
        assert_eq!((closed, tree.is_covered(other)), (is_known, is_known));
        let counts = tree.ctx.budget.counters().all();
        let held = counts.get("forced_covers_held").copied();
        assert_eq!(counts["forced_covers_tried"], 1);
        assert_eq!(held, is_known.then_some(1));
        // Where the ways part nothing is covered: only one path leads there.
        let way = tree.tree.unwinding.vertex(fork).children[1];
        assert!(!tree.tree.close(&mut tree.ctx, &tree.cuts, way));
    }
}

#[test]
fn what_is_labelled_false_is_a_dead_end_with_all_below_it() {
    let program = twos();
    let mut tree = Fixture::new(&program);
    let [first, second, third, fourth] = tree.heads();
    assert!(tree.try_cover(fourth));
    tree.tree.frontier.clear();
    let never = tree.ctx.store.bool(false);
    tree.refine(second, never);
    assert_eq!(tree.tree.unwinding.vertex(second).fate, Fate::DeadEnd);
    assert!(!tree.tree.unwinding.is_active(third));
    assert!(tree.tree.unwinding.is_active(first));
    assert_eq!(tree.tree.next_open(), None);
    // It is not opened again: no run comes there, whatever is known about what follows.
    tree.tree.reopen(&tree.ctx, &tree.cuts);
    assert_eq!(tree.tree.unwinding.vertex(second).fate, Fate::DeadEnd);
}
