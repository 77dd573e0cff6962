//! Proofs that hold, changed in one place: each is rejected, or still holds in every state that
//! runs come to.

mod common;

use base::{Budget, Id};
use certify::{Inductive, ProofError};
use common::explore::counterexample;
use common::{Kept, count_down, program, proof, two_counters};
use logic::{Node, Sort, SymbolId, TermId};
use program::ir::{EdgeId, LocationId, ProcId, Program};
use rustc_hash::FxHashMap;

/// So many states are looked at.
const MOST: usize = 1000;

/// Programs with proofs that hold.
fn originals() -> Vec<(Program, Inductive)> {
    let count = program(&testkit::texts::counting_to_ten(10));
    let counted = proof(
        &count,
        &[(2, "(and (<= 0 i) (<= i 10))"), (4, "(= i 10)")],
        &[],
    );
    let k: Kept<'_> = ("k", "0", &[(6, "(+ k 1)")]);
    let signed = two_counters("i8", "0i8", "0i8", "x + x + x == y + y");
    let linear = "(and (= x (* 2 k)) (= y (* 3 k)) (>= k 0))";
    let linear = proof(&signed, &[(3, linear)], &[k]);
    let unsigned = two_counters("u8", "0u8", "0u8", "x % 2u8 == 0u8");
    let wrapped = "(and (= (mod (- x (* 2 k)) 256) 0) (= (mod (- y (* 3 k)) 256) 0) (>= k 0))";
    let wrapped = proof(&unsigned, &[(3, wrapped)], &[k]);
    let down = count_down();
    let entered: Kept<'_> = ("i0", "0", &[(2, "i")]);
    let counter: Kept<'_> = ("k", "0", &[(2, "0"), (6, "(+ k 1)")]);
    let label = "(and (= (+ i k) i0) (= s k) (>= k 0) (= i0 n))";
    let kept = proof(&down, &[(4, label), (7, "(= s n)")], &[entered, counter]);
    vec![
        (count, counted),
        (signed, linear),
        (unsigned, wrapped),
        (down, kept),
    ]
}

/// What became of the mutants.
#[derive(Default, Debug)]
struct Tally {
    rejected: usize,
    accepted: usize,
}

impl Tally {
    /// Checks a mutant: it is rejected, or nothing that runs do breaks it.
    fn look_at(&mut self, program: &Program, mutant: &Inductive, what: &str) {
        match mutant.check(program, &Budget::unlimited()) {
            Ok(()) => {
                let broken = counterexample(program, mutant, MOST);
                assert_eq!(broken, None, "{what}");
                self.accepted += 1;
            }
            Err(ProofError::NotInductive(_)) => self.rejected += 1,
            Err(other) => panic!("{what}: {other}"),
        }
    }
}

/// The other formulas that an atom is turned into.
fn variants(proof: &mut Inductive, atom: TermId) -> Vec<TermId> {
    let store = &mut proof.store;
    let (zero, one, minus) = (store.int(0i64), store.int(1i64), store.int(-1i64));
    let mut all = vec![store.not(atom), store.bool(true), store.bool(false)];
    match store.node(atom).clone() {
        Node::AtMostZero(sum) => {
            for step in [one, minus] {
                let moved = store.add(sum, step);
                all.push(store.le(moved, zero));
            }
        }
        Node::IsZero(sum) => {
            for step in [one, minus] {
                let moved = store.add(sum, step);
                all.push(store.eq(moved, zero));
            }
            all.push(store.le(sum, zero));
        }
        Node::Divides(divisor, sum) => {
            let moved = store.add(sum, one);
            all.push(store.divides(&divisor, moved));
            all.push(store.divides(&(&divisor + &divisor), sum));
        }
        _ => {}
    }
    all
}

#[test]
fn one_atom_changed() {
    let mut tally = Tally::default();
    for (program, original) in originals() {
        assert_eq!(original.check(&program, &Budget::unlimited()), Ok(()));
        assert_eq!(counterexample(&program, &original, MOST), None);
        for (&place, &label) in &original.labels {
            let below = original.store.below(&[label]);
            let is_atom = |&&term: &&TermId| {
                original.store.sort(term) == Sort::Bool
                    && !matches!(
                        original.store.node(term),
                        Node::And(_) | Node::Or(_) | Node::Not(_)
                    )
            };
            for &atom in below.iter().filter(is_atom) {
                let mut mutant = original.clone();
                for variant in variants(&mut mutant, atom) {
                    let map: FxHashMap<TermId, TermId> = [(atom, variant)].into_iter().collect();
                    let changed = mutant.store.replace_all(&[label], &map)[0];
                    mutant.labels.insert(place, changed);
                    let what = format!("{place:?}: {}", mutant.store.readable(changed));
                    tally.look_at(&program, &mutant, &what);
                    let budget = Budget::unlimited();
                    let whole = mutant.check(&program, &budget);
                    let near = mutant.check_label(&program, place, &budget);
                    assert_eq!(near.is_ok(), whole.is_ok(), "{what}");
                }
            }
        }
    }
    // Most of what is said there is needed.
    assert!(tally.rejected > 3 * tally.accepted, "{tally:?}");
}

#[test]
fn one_ghost_changed() {
    let mut tally = Tally::default();
    for (program, original) in originals() {
        for (place, ghost) in original.ghosts.iter().enumerate() {
            for step in [-1i64, 1] {
                let mut mutant = original.clone();
                let by = mutant.store.int(step);
                mutant.ghosts[place].initial = mutant.store.add(ghost.initial, by);
                tally.look_at(&program, &mutant, "another initial value");
                for (&edge, &update) in &ghost.updates {
                    let mut mutant = original.clone();
                    let by = mutant.store.int(step);
                    let moved = mutant.store.add(update, by);
                    mutant.ghosts[place].updates.insert(edge, moved);
                    tally.look_at(&program, &mutant, "another update");
                }
            }
            for &edge in ghost.updates.keys() {
                let mut mutant = original.clone();
                let update = mutant.ghosts[place].updates.remove(&edge);
                tally.look_at(&program, &mutant, "an update less");
                for other in program.procs[program.entry].edges.ids() {
                    let mut moved = mutant.clone();
                    moved.ghosts[place]
                        .updates
                        .extend(update.map(|update| (other, update)));
                    tally.look_at(&program, &moved, "an update elsewhere");
                }
            }
        }
    }
    assert!(tally.rejected > tally.accepted, "{tally:?}");
}

#[test]
fn one_label_less() {
    for (program, original) in originals() {
        for place in original.labels.keys() {
            let mut mutant = original.clone();
            mutant.labels.remove(place);
            Tally::default().look_at(&program, &mutant, "a label less");
        }
        let mut none = original.clone();
        none.labels.clear();
        let found = none.check(&program, &Budget::unlimited());
        assert!(matches!(found, Err(ProofError::NotInductive(_))));
    }
}

/// The program changes, the proof does not.
#[test]
fn one_edge_redirected() {
    let mut tally = Tally::default();
    for (program, original) in originals() {
        let main = program.entry;
        for edge in program.procs[main].edges.ids() {
            for to in program.procs[main].locations.ids() {
                let mut other = program.clone();
                other.procs[main].edges[edge].target = to;
                let what = format!("{edge} -> {to}");
                tally.look_at(&other, &original, &what);
            }
        }
    }
    // Many ways out of a loop lead to its end all the same.
    assert!(tally.rejected > 100, "{tally:?}");
}

/// Proofs that are none are refused, not met with a panic.
#[test]
fn malformed_proofs() {
    let (program, original) = originals().swap_remove(3);
    let main = program.entry;
    let place = (main, LocationId::from_index(4));
    let refuse = |change: &dyn Fn(&mut Inductive)| {
        let mut mutant = original.clone();
        change(&mut mutant);
        match mutant.check(&program, &Budget::unlimited()) {
            Err(error @ (ProofError::Malformed(_) | ProofError::NoSuchLocation(..))) => {
                error.to_string()
            }
            other => panic!("{other:?}"),
        }
    };
    refuse(&|proof| {
        let label = proof.labels[&place];
        proof
            .labels
            .insert((main, LocationId::from_index(99)), label);
    });
    refuse(&|proof| {
        let label = proof.labels[&place];
        proof.labels.insert((ProcId::from_index(7), place.1), label);
    });
    refuse(&|proof| {
        proof.labels.insert(place, TermId::from_index(1 << 20));
    });
    refuse(&|proof| {
        let number = proof.store.int(3i64);
        proof.labels.insert(place, number);
    });
    let unknown = refuse(&|proof| {
        let symbol = proof.store.fresh("other", Sort::Bool);
        proof.labels.insert(place, symbol);
    });
    assert!(unknown.contains("`other`"), "{unknown}");
    refuse(&|proof| {
        proof.vars.pop();
    });
    refuse(&|proof| {
        let first = proof.vars.ids().next().unwrap();
        let last = proof.vars.ids().next_back().unwrap();
        proof.vars[last] = proof.vars[first];
    });
    refuse(&|proof| {
        let first = proof.vars.ids().next().unwrap();
        proof.vars[first] = SymbolId::from_index(1 << 20);
    });
    refuse(&|proof| {
        let first = proof.vars.ids().next().unwrap();
        proof.vars[first] = proof.store.new_symbol("n", Sort::Bool);
    });
    refuse(&|proof| proof.ghosts[0].symbol = proof.ghosts[1].symbol);
    refuse(&|proof| proof.ghosts[0].proc = ProcId::from_index(5));
    refuse(&|proof| proof.ghosts[0].initial = TermId::from_index(1 << 20));
    refuse(&|proof| proof.ghosts[0].initial = proof.store.bool(true));
    refuse(&|proof| proof.ghosts[0].initial = proof.store.real(1i64));
    refuse(&|proof| {
        let other = proof.ghosts[1].symbol;
        proof.ghosts[0].initial = proof.store.of_symbol(other);
    });
    refuse(&|proof| {
        let zero = proof.store.int(0i64);
        proof.ghosts[0].updates.insert(EdgeId::from_index(77), zero);
    });
    refuse(&|proof| {
        let function = proof.store.new_function("f", &[Sort::Int], Sort::Bool);
        let zero = proof.store.int(0i64);
        let claim = proof.store.apply(function, &[zero]);
        proof.labels.insert(place, claim);
    });
}
