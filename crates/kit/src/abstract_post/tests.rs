//! Posts over small blocks, and the queries made for them.

use super::*;
use base::{Budget, Id};
use encode::EncodingPrecision;
use program::ir::VarId;

/// In each iteration an input says whether a lock and its key are both taken or both given back.
const TEXT: &str = r#"
      l0:
        e0: lock := 0i32 -> l2
      l2:
        e1: havoc input n0 -> l3
      l3:
        e2: assume input == 0i32 -> l4
        e3: assume input == 1i32 -> l5
        e4: assume lock == other + key -> l6
      l4:
        e5: lock := 0i32 -> l7
      l7:
        e6: key := 0i32 -> l2
      l5:
        e7: lock := 1i32 -> l8
      l8:
        e8: key := 1i32 -> l2
      l6: error assertion "lock""#;

struct Example<'p> {
    ctx: Context<'p>,
    cuts: CutGraph,
    /// From the head of the loop to it.
    around: BlockId,
    /// That the lock, the key and the other are zero.
    zero: [TermId; 3],
}

fn with_example(test: impl FnOnce(Example<'_>, AbstractPost)) {
    let program = program::testing::parse_main("lock: i32, key: i32, other: i32, input: i32", TEXT);
    let mut ctx = Context::new(&program, &Budget::unlimited());
    let cuts = CutGraph::new(&mut ctx, program.entry, &EncodingPrecision::default());
    let head = LocationId::from_index(2);
    let mut around = cuts.graph.outgoing[head].iter().copied();
    let is_around = |id: &BlockId| {
        let row = cuts.block(*id);
        row.target == head && !row.step.leads_nowhere()
    };
    let around = around.find(is_around).expect("a block");
    let zero = [0, 1, 2].map(|index| {
        let var = ctx.before(VarId::from_index(index));
        let zero = ctx.store.int(0i64);
        ctx.store.eq(var, zero)
    });
    let example = Example {
        ctx,
        cuts,
        around,
        zero,
    };
    test(example, AbstractPost::default());
}

fn tracked(predicates: &[TermId], abstraction: Abstraction) -> Tracked {
    Tracked {
        predicates: predicates.to_vec(),
        abstraction,
    }
}

#[test]
fn a_cartesian_post_is_one_state_and_a_boolean_one_says_all() {
    with_example(|mut example, mut posts| {
        let (ctx, cuts) = (&mut example.ctx, &example.cuts);
        let [lock, key, other] = example.zero;
        let from = Cube::from([lock, other]);
        let cartesian = tracked(&[lock, key, other], Abstraction::Cartesian);
        let post = posts.post(ctx, cuts, example.around, &from, &cartesian);
        assert_eq!(post, [Cube::from([other])]);
        let boolean = tracked(&[lock, key, other], Abstraction::Boolean);
        let post = posts.post(ctx, cuts, example.around, &from, &boolean);
        let (not_lock, not_key) = (ctx.store.not(lock), ctx.store.not(key));
        let mut expected = vec![
            Cube::from([lock, key, other]),
            Cube::from([not_lock, not_key, other]),
        ];
        let mut post = post;
        post.sort();
        expected.sort();
        assert_eq!(post, expected);
    });
}

#[test]
fn what_was_asked_before_is_known() {
    with_example(|mut example, mut posts| {
        let (ctx, cuts) = (&mut example.ctx, &example.cuts);
        let [lock, key, other] = example.zero;
        let from = Cube::from([lock]);
        let tracked = tracked(&[lock, other], Abstraction::Cartesian);
        let first = posts.post(ctx, cuts, example.around, &from, &tracked);
        assert_eq!((posts.asked.posts, posts.asked.posts_known), (1, 0));
        let again = posts.post(ctx, cuts, example.around, &from, &tracked);
        assert_eq!(first, again);
        assert_eq!((posts.asked.posts, posts.asked.posts_known), (2, 1));
        // Models of a state are models of a weaker one.
        let before = posts.asked;
        posts.post(ctx, cuts, example.around, &Cube::new(), &tracked);
        let known = posts.asked.literals_known - before.literals_known;
        assert_eq!(known, posts.asked.literals - before.literals);
        // What a core excludes is excluded from every state that has it.
        let not_key = ctx.store.not(key);
        let never = Cube::from([ctx.store.bool(false)]);
        assert!(
            posts
                .post(ctx, cuts, example.around, &never, &tracked)
                .is_empty()
        );
        let stronger = Cube::from([ctx.store.bool(false), not_key]);
        let before = posts.asked.literals_known;
        assert!(
            posts
                .post(ctx, cuts, example.around, &stronger, &tracked)
                .is_empty()
        );
        assert_eq!(posts.asked.literals_known, before + 1);
    });
}

#[test]
fn what_may_hold_or_not_is_left_out() {
    let [p, q, r] = [1, 2, 3].map(TermId::from_index);
    let choices = [
        [(p, true), (q, true), (r, true)],
        [(p, true), (q, false), (r, true)],
        [(p, true), (q, true), (r, false)],
        [(p, true), (q, false), (r, false)],
        [(p, false), (q, true), (r, true)],
    ];
    let choices = choices.map(BTreeMap::from);
    let merged = merged(choices.into(), &[p, q, r]);
    // All of it, and no overlap that a later choice would need.
    let holds = |choice: &BTreeMap<TermId, bool>, values: [bool; 3]| {
        let all = [p, q, r].into_iter().zip(values);
        all.into_iter()
            .all(|(row, value)| choice.get(&row).is_none_or(|&wanted| wanted == value))
    };
    for bits in 0..8u8 {
        let values = [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0];
        let expected = values[0] || values[1] && values[2];
        let is_in = merged.iter().any(|choice| holds(choice, values));
        assert_eq!(is_in, expected, "{values:?}");
    }
    assert!(merged.len() < 4, "{merged:?}");
}
