//! Proofs by distinguished cells: those that hold are believed, others are not, whatever they say
//! about cells and choices.

mod common;

use base::{Budget, Id};
use certify::{Outcome, Proof, ProofError, Rewriting, Rewritten, Verdict, judge};
use common::{program, proof};
use program::ir::{LocationId, ObjectId, Program, VarId};
use program::pass::cells::{Array, Arrays, Cell, Cells, Linear};
use program::pass::inline::InlineLimit;
use program::pass::inlined;
use std::collections::BTreeMap;

/// A loop that fills an array up to an element, and one that looks at a hundred.
fn filled(up_to: usize) -> Program {
    program(&format!(
        r#"program ptr 8 entry main
proc p0 main() entry l0 exit l1 {{
  local v0 i: i64
  local v1 j: i64
  object o0 a: 400 align 4
  l0:
    e0: enter a -> l2
  l2:
    e1: i := 0i64 -> l3
  l3:
    e2: assume i < {up_to}i64 -> l4
    e3: assume i >= {up_to}i64 -> l6
  l4:
    e4: i32[&a ++ i * 4i64] := 7i32 -> l5
  l5:
    e5: i := i + 1i64 -> l3
  l6:
    e6: j := 0i64 -> l7
  l7:
    e7: assume j < 100i64 -> l8
    e8: assume j >= 100i64 -> l10
  l8:
    e9: assume i32[&a ++ j * 4i64] == 7i32 -> l9
    e10: assume i32[&a ++ j * 4i64] != 7i32 -> l11
  l9:
    e11: j := j + 1i64 -> l7
  l10:
    e12: return -> l1
  l11: error assertion "seven"
  l1:
}}
"#
    ))
}

const FILLING: &str = "(and (<= 0 i) (<= 0 |$k0|) (or (<= i |$k0|) (= |$a[k0]| 7)))";
const LOOKING: &str = "(and (<= 0 j) (<= 0 |$k0|) (or (<= 100 |$k0|) (= |$a[k0]| 7)))";

/// The cell at the index, which is a variable where the error is.
fn cells(choice: Option<Linear>) -> Cells {
    let choice = choice.map(|linear| (LocationId::from_index(11), vec![(0, linear)]));
    Cells {
        indices: 1,
        cells: vec![Cell {
            array: Array::Object(ObjectId::from_index(0)),
            index: 0,
            shift: 0,
        }],
        choices: choice.into_iter().collect(),
    }
}

fn variable(number: usize, constant: i64) -> Option<Linear> {
    Some(Linear {
        terms: BTreeMap::from([(VarId::from_index(number), 1)]),
        constant,
    })
}

fn with_cells(program: &Program, cells: &Cells) -> Program {
    let arrays = Arrays::new(&inlined(program, InlineLimit::default()));
    arrays.with_cells(cells).expect("the cells should be right")
}

fn by_cells(program: &Program, cells: Cells, labels: &[(usize, &str)]) -> Proof {
    let proof = proof(&with_cells(program, &cells), labels, &[]);
    Proof::Rewritten(Box::new(Rewritten {
        inlined: InlineLimit::default(),
        rewriting: Rewriting::Cells(cells),
        proof: Proof::Inductive(Box::new(proof)),
    }))
}

fn check(program: &Program, proof: &Proof) -> Result<(), ProofError> {
    proof.check(program, &Budget::unlimited())
}

#[track_caller]
fn rejected(program: &Program, cells: Cells, labels: &[(usize, &str)]) {
    let proof = by_cells(program, cells, labels);
    match check(program, &proof) {
        Err(ProofError::NotInductive(_)) => {}
        other => panic!("{other:?}"),
    }
    let verdict = judge(program, Outcome::Safe(proof), &Budget::unlimited());
    assert!(matches!(verdict, Verdict::Unknown(_)));
}

#[test]
fn what_holds_of_one_cell_holds_of_all() {
    let program = filled(100);
    let proof = by_cells(
        &program,
        cells(variable(1, 0)),
        &[(3, FILLING), (7, LOOKING)],
    );
    assert_eq!(check(&program, &proof), Ok(()));
    let verdict = judge(&program, Outcome::Safe(proof), &Budget::unlimited());
    assert!(matches!(verdict, Verdict::Safe(_)));
}

#[test]
fn labels_must_be_inductive() {
    let program = filled(100);
    let right = cells(variable(1, 0));
    rejected(&program, right.clone(), &[(3, FILLING), (7, "true")]);
    rejected(&program, right.clone(), &[(3, "true"), (7, LOOKING)]);
    let stronger = FILLING.replace("(<= i |$k0|)", "(< i |$k0|)");
    rejected(&program, right.clone(), &[(3, &stronger), (7, LOOKING)]);
    let other = FILLING.replace('7', "8");
    rejected(&program, right, &[(3, &other), (7, LOOKING)]);
}

#[test]
fn a_choice_must_be_of_what_is_read() {
    let program = filled(100);
    let labels = [(3, FILLING), (7, LOOKING)];
    rejected(&program, cells(None), &labels);
    rejected(&program, cells(variable(0, 0)), &labels);
    rejected(&program, cells(variable(1, 1)), &labels);
    rejected(&program, cells(Some(Linear::constant(5))), &labels);
    let mut shifted = cells(variable(1, 0));
    shifted.cells[0].shift = 1;
    let labels = labels.map(|(at, label)| (at, label.replace("[k0]", "[k0+1]")));
    let labels: Vec<_> = labels.iter().map(|(at, label)| (*at, &label[..])).collect();
    rejected(&program, shifted, &labels);
}

#[test]
fn no_choice_hides_an_error() {
    let program = filled(99);
    let choices = [
        None,
        variable(0, 0),
        variable(1, 0),
        variable(1, -1),
        variable(1, 1),
        Some(Linear::constant(0)),
        Some(Linear::constant(99)),
        Some(Linear::constant(-1)),
    ];
    for choice in choices {
        let labels = [(3, FILLING), (7, LOOKING)];
        rejected(&program, cells(choice.clone()), &labels);
        rejected(&program, cells(choice), &[(3, FILLING), (7, FILLING)]);
    }
}

#[test]
fn a_proof_is_of_its_cells() {
    let program = filled(100);
    let right = cells(variable(1, 0));
    let tracked = with_cells(&program, &right);
    let labels = proof(&tracked, &[(3, FILLING), (7, LOOKING)], &[]);
    let labels = Proof::Inductive(Box::new(labels));
    let checked = labels.checked(&tracked, &Budget::unlimited());
    let checked = checked.expect("the labels should hold");
    let limit = InlineLimit::default();
    let lifted = checked
        .clone()
        .of_rewritten(&program, limit, Rewriting::Cells(right.clone()));
    assert!(lifted.is_ok_and(|proof| proof.is_of(&program)));
    let lifted = checked
        .clone()
        .of_rewritten(&program, limit, Rewriting::Cells(cells(None)));
    assert!(matches!(lifted, Err(ProofError::Malformed(_))));
    let lifted = checked.of_rewritten(&filled(99), limit, Rewriting::Cells(right));
    assert!(matches!(lifted, Err(ProofError::Malformed(_))));
}

#[test]
fn what_makes_no_sense_is_malformed() {
    let program = filled(100);
    let mut wrong = cells(variable(1, 0));
    let proof = by_cells(&program, wrong.clone(), &[]);
    let Proof::Rewritten(mut proof) = proof else {
        panic!("it should be one by cells");
    };
    wrong.cells[0].array = Array::Object(ObjectId::from_index(1));
    proof.rewriting = Rewriting::Cells(wrong);
    assert!(matches!(
        check(&program, &Proof::Rewritten(proof)),
        Err(ProofError::Malformed(_))
    ));
}
