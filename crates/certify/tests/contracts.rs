//! Contracts: labels at the exits of procedures, shown at returns and assumed after calls.

mod common;

use base::{Budget, Id, Rng};
use certify::{Inductive, ProofError};
use common::{Kept, program, proof_of};
use logic::Sort;
use program::ir::{LocationId, ProcId, Program};
use std::collections::{BTreeMap, BTreeSet};

type Label<'t> = (usize, usize, &'t str);

/// A proof with contracts, in which `$result` is the value that procedure 1 or above returns: `r1`
/// and so on.
fn with_contracts(
    program: &Program,
    labels: &[Label<'_>],
    ghosts: &[(usize, Kept<'_>)],
    contracts: &[Label<'_>],
) -> Inductive {
    let mut proof = proof_of(program, labels, ghosts);
    for (proc, row) in program.procs.iter_enumerated() {
        if row.ret.is_some() {
            let name = format!("r{}", proc.index());
            let symbol = proof.store.new_symbol(&name, Sort::Int);
            proof.results.insert(proc, symbol);
        }
    }
    for &(proc, at, label) in contracts {
        let term = logic::read::term(&mut proof.store, label)
            .unwrap_or_else(|why| panic!("{label}: {why:?}"));
        let place = (ProcId::from_index(proc), LocationId::from_index(at));
        proof.labels.insert(place, term);
    }
    proof
}

fn check(program: &Program, proof: &Inductive) -> Result<(), ProofError> {
    proof.check(program, &Budget::unlimited())
}

#[track_caller]
fn accepted(program: &Program, proof: &Inductive) {
    assert_eq!(check(program, proof), Ok(()));
}

#[track_caller]
fn rejected(program: &Program, proof: &Inductive) {
    match check(program, proof) {
        Err(ProofError::NotInductive(_)) => {}
        other => panic!("{other:?}"),
    }
}

/// `even` and `odd` call each other on one less, and count their calls in `g`.
const EVEN_ODD: &str = r#"program ptr 8 entry main
    site n0: nondet i32 "int"
    global v0 g: i32 = 0i32
    global v1 h: i32 = 7i32
    proc p0 main() entry l0 exit l1 {
      local v2 x: i32
      local v3 y: i32
      l0:
        e0: havoc x n0 -> l2
      l2:
        e1: assume x >= 0i32 -> l3
        e2: assume x < 0i32 -> l8
      l3:
        e3: y := call even(x) -> l4
      l4:
        e4: assume (y == 1i32) & (x % 2i32 != 0i32) -> l5
        e5: assume !((y == 1i32) & (x % 2i32 != 0i32)) -> l6
      l5: error assertion "an odd number is even"
      l6:
        e6: assume (h == 7i32) & (g >= 0i32) -> l8
        e7: assume !((h == 7i32) & (g >= 0i32)) -> l7
      l7: error assertion "h == 7 && g >= 0"
      l8:
        e8: return -> l1
      l1:
    }
    proc p1 even(v4 n: i32) -> i32 entry l0 exit l1 {
      local v5 a: i32
      l0:
        e0: assume n == 0i32 -> l2
        e1: assume n != 0i32 -> l3
      l2:
        e2: return 1i32 -> l1
      l3:
        e3: g := g + 1i32 -> l4
      l4:
        e4: a := call odd(n - 1i32) -> l5
      l5:
        e5: return a -> l1
      l1:
    }
    proc p2 odd(v6 m: i32) -> i32 entry l0 exit l1 {
      local v7 b: i32
      l0:
        e0: assume m == 0i32 -> l2
        e1: assume m != 0i32 -> l3
      l2:
        e2: return 0i32 -> l1
      l3:
        e3: b := call even(m - 1i32) -> l4
      l4:
        e4: return b -> l1
      l1:
    }"#;

const GHOSTS: [(usize, Kept<'static>); 3] = [
    (1, ("n0", "n", &[])),
    (1, ("g1", "g", &[])),
    (2, ("m0", "m", &[])),
];
const EVEN: &str = "(and (>= r1 0) (<= r1 1) (= (mod n0 2) (- 1 r1)) (>= g 0))";
const ODD: &str = "(and (>= r2 0) (<= r2 1) (= (mod m0 2) r2) (>= g 0))";
const ENTRIES: [Label<'static>; 2] = [
    (1, 0, "(and (>= g 0) (= n0 n))"),
    (2, 0, "(and (>= g 0) (= m0 m))"),
];

fn even_odd(entries: &[Label<'_>], even: &str, odd: &str) -> (Program, Inductive) {
    let program = program(EVEN_ODD);
    let contracts = [(1, 1, even), (2, 1, odd)];
    let proof = with_contracts(&program, entries, &GHOSTS, &contracts);
    (program, proof)
}

#[test]
fn mutual_recursion_is_checked_by_induction() {
    let (program, proof) = even_odd(&ENTRIES, EVEN, ODD);
    accepted(&program, &proof);
    // What the two leave alone needs no contract.
    let found = check(&program, &with_contracts(&program, &[], &GHOSTS, &[]));
    assert!(
        matches!(found, Err(ProofError::NotInductive(_))),
        "{found:?}"
    );
}

#[test]
fn tampered_contracts_are_refused() {
    let mut refused = 0;
    let tampered = [
        (EVEN.replace("(- 1 r1)", "r1"), ODD.to_owned()),
        (EVEN.replace("(<= r1 1)", "(<= r1 0)"), ODD.to_owned()),
        (EVEN.replace("(>= g 0)", "(> g 0)"), ODD.to_owned()),
        (EVEN.to_owned(), ODD.replace("(mod m0 2)", "(mod m0 4)")),
        (EVEN.to_owned(), "true".to_owned()),
        ("true".to_owned(), ODD.to_owned()),
        ("false".to_owned(), "true".to_owned()),
        // The global is written: it is not what it was at the entry.
        (format!("(and {EVEN} (= g g1))"), ODD.to_owned()),
    ];
    for (even, odd) in tampered {
        let (program, proof) = even_odd(&ENTRIES, &even, &odd);
        rejected(&program, &proof);
        refused += 1;
    }
    // Both together claim what neither shows.
    let (program, proof) = even_odd(&ENTRIES, "(= r1 5)", "(= r2 5)");
    rejected(&program, &proof);
    // A procedure that never returned would not fail; these do return.
    let (program, proof) = even_odd(&ENTRIES, "false", "false");
    rejected(&program, &proof);
    assert_eq!(refused, 8);
}

#[test]
fn entry_labels_are_shown_without_the_contract() {
    // The contract says that the call does not return; that must not prove its own precondition.
    let text = r#"program ptr 8 entry main
        proc p0 main() entry l0 exit l1 {
          l0:
            e0: call f(0i32) -> l2
          l2:
            e1: return -> l1
          l1:
        }
        proc p1 f(v0 n: i32) entry l0 exit l1 {
          l0:
            e0: assume n > 0i32 -> l2
            e1: assume n <= 0i32 -> l3
          l2:
            e2: skip -> l2
          l3: error assertion "n > 0"
          l1:
        }"#;
    let program = program(text);
    let labels = [(1, 0, "(> n 0)"), (1, 2, "true")];
    let proof = with_contracts(&program, &labels, &[], &[(1, 1, "false")]);
    rejected(&program, &proof);
    let safe = common::program(&text.replace("call f(0i32)", "call f(1i32)"));
    let proof = with_contracts(&safe, &labels, &[], &[(1, 1, "false")]);
    accepted(&safe, &proof);
}

#[test]
fn contracts_speak_of_their_own_frame() {
    let (program, _) = even_odd(&[], "true", "true");
    let malformed = |ghosts: &[(usize, Kept<'_>)], at: usize, contract: &str| {
        let proof = with_contracts(&program, &[], ghosts, &[(1, at, contract)]);
        match check(&program, &proof) {
            Err(ProofError::Malformed(_)) => {}
            other => panic!("{contract}: {other:?}"),
        }
    };
    // Locals and ghosts of another procedure, the result of another, and a result before the exit.
    malformed(&GHOSTS, 1, "(= r1 x)");
    malformed(&GHOSTS, 1, "(= r1 m0)");
    malformed(&GHOSTS, 1, "(= r2 0)");
    malformed(&GHOSTS, 4, "(= r1 0)");
    // A procedure that returns nothing has no result.
    let mut proof = with_contracts(&program, &[], &GHOSTS, &[]);
    let symbol = proof.store.new_symbol("nothing", Sort::Int);
    proof.results.insert(program.entry, symbol);
    let found = check(&program, &proof);
    assert!(matches!(found, Err(ProofError::Malformed(_))), "{found:?}");
}

#[test]
fn what_a_ghost_has_become_is_not_what_it_was() {
    // The ghost counts calls: at the exit it is one more than at the entry.
    let program = program(EVEN_ODD);
    let counting = [(1, ("c", "n", &[(4, "(+ c 1)")][..]))];
    let labels = [(1, 0, "true"), (2, 0, "true")];
    let contracts = [(1, 1, "(or (= c 0) (>= r1 0) (< r1 0))"), (2, 1, "true")];
    let proof = with_contracts(&program, &labels, &counting, &contracts);
    // It is the error after the call that is not excluded.
    rejected(&program, &proof);
    // The caller must not take it for the argument: then the first error could not be reached.
    let lie = "(or (not (= c 1)) (= (mod c 2) 0))";
    let proof = with_contracts(&program, &labels, &counting, &[(1, 1, lie), (2, 1, "true")]);
    rejected(&program, &proof);
}

/// A recursive procedure on few values, and what it does.
struct Table {
    modulus: i64,
    step: i64,
    base: i64,
    add: i64,
    factor: i64,
}

impl Table {
    fn random(rng: &mut Rng) -> Table {
        Table {
            modulus: 3 + rng.below(4) as i64,
            step: 1 + rng.below(2) as i64,
            base: 1 + rng.below(3) as i64,
            add: rng.below(4) as i64,
            factor: 1 + rng.below(3) as i64,
        }
    }

    fn text(&self, start: i64, wanted: i64) -> String {
        let Table {
            modulus,
            step,
            base,
            add,
            factor,
        } = self;
        format!(
            r#"program ptr 8 entry main
            global v0 g: i32 = 0i32
            proc p0 main() entry l0 exit l1 {{
              local v1 x: i32
              l0:
                e0: x := call f({start}i32) -> l2
              l2:
                e1: assume x == {wanted}i32 -> l3
                e2: assume x != {wanted}i32 -> l4
              l3:
                e3: return -> l1
              l4: error assertion "x"
              l1:
            }}
            proc p1 f(v2 n: i32) -> i32 entry l0 exit l1 {{
              local v3 m: i32
              l0:
                e0: assume n <= {base}i32 -> l2
                e1: assume n > {base}i32 -> l3
              l2:
                e2: return {add}i32 -> l1
              l3:
                e3: m := call f(n - {step}i32) -> l4
              l4:
                e4: g := (g + 1i32) % {modulus}i32 -> l5
              l5:
                e5: return ((m * {factor}i32) + n) % {modulus}i32 -> l1
              l1:
            }}"#
        )
    }

    /// The result of a call with an argument and a value of `g`, and what it leaves in `g`.
    /// Notes what all calls below it were entered with and left.
    fn call(&self, n: i64, g: i64, seen: &mut BTreeMap<(i64, i64), (i64, i64)>) -> (i64, i64) {
        let left = if n <= self.base {
            (self.add, g)
        } else {
            let (m, g) = self.call(n - self.step, g, seen);
            ((m * self.factor + n) % self.modulus, (g + 1) % self.modulus)
        };
        seen.insert((n, g), left);
        left
    }
}

/// Contracts that are exactly what the calls of a run do are accepted; with one call less they are
/// not, and neither where the assertion fails.
#[test]
fn exactly_the_calls_of_the_run() {
    let (mut safe, mut less, mut failing) = (0, 0, 0);
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let table = Table::random(&mut rng);
        let start = 2 + rng.below(4) as i64;
        let mut seen = BTreeMap::new();
        let (result, _) = table.call(start, 0, &mut seen);
        let label = |rows: &BTreeMap<(i64, i64), (i64, i64)>| {
            let entry: BTreeSet<String> = (rows.keys())
                .map(|(n, g)| format!("(and (= n {n}) (= g {g}) (= n0 n) (= g0 g))"))
                .collect();
            let exit: BTreeSet<String> = (rows.iter())
                .map(|((n, g), (r, after))| {
                    format!("(and (= n0 {n}) (= g0 {g}) (= r1 {r}) (= g {after}))")
                })
                .collect();
            let any = |rows: BTreeSet<String>| {
                let rows: Vec<String> = rows.into_iter().collect();
                format!("(or false {})", rows.join(" "))
            };
            (any(entry), any(exit))
        };
        let ghosts = [(1, ("n0", "n", &[][..])), (1, ("g0", "g", &[][..]))];
        let proof = |program: &Program, entry: &str, exit: &str| {
            with_contracts(program, &[(1, 0, entry)], &ghosts, &[(1, 1, exit)])
        };
        let right = program(&table.text(start, result));
        let (entry, exit) = label(&seen);
        accepted(&right, &proof(&right, &entry, &exit));
        safe += 1;
        let keys: Vec<(i64, i64)> = seen.keys().copied().collect();
        for _ in 0..3 {
            let mut fewer = seen.clone();
            fewer.remove(&rng.pick(&keys));
            let (few_entries, few_exits) = label(&fewer);
            rejected(&right, &proof(&right, &few_entries, &exit));
            rejected(&right, &proof(&right, &entry, &few_exits));
            less += 2;
        }
        let wrong = program(&table.text(start, result + 1));
        rejected(&wrong, &proof(&wrong, &entry, &exit));
        failing += 1;
    }
    assert_eq!((safe, less, failing), (40, 240, 40));
}
