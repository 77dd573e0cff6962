//! Random programs on tiny types with the sets of reachable states as labels.

mod common;

use base::{Budget, Id, Rng, Span};
use certify::{Inductive, ProofError};
use common::empty;
use common::explore::{State, explore};
use logic::{IntType, TermId};
use program::expr::{BinaryOp, Constant, Expr, Type, UnaryOp};
use program::ir::*;
use std::collections::BTreeMap;

const TYPES: [Type; 3] = [
    Type::Bool,
    Type::Int(IntType::unsigned(2)),
    Type::Int(IntType::signed(2)),
];

/// More than these programs have.
const MOST: usize = 100_000;

/// `main` with random edges between a few locations, one of them an error location.
fn random_program(rng: &mut Rng) -> Program {
    let mut program = Program::new(8);
    program.sites.push(Site {
        kind: SiteKind::Nondet,
        ty: TYPES[1],
        name: "n".into(),
        span: Span::NONE,
    });
    let main = program.procs.push(Procedure::new("main", None, Span::NONE));
    program.entry = main;
    program.add_global("b", Constant::Bool(rng.chance(50)), Span::NONE);
    program.add_global("u", TYPES[1].zero(), Span::NONE);
    program.add_global("s", TYPES[2].zero(), Span::NONE);
    program.add_local(main, "w", TYPES[1], Span::NONE);
    let vars: Vec<(VarId, Type)> = program
        .vars
        .iter_enumerated()
        .map(|(id, row)| (id, row.ty))
        .collect();
    let procedure = &mut program.procs[main];
    let count = 3 + rng.below(4);
    while procedure.locations.len() < count + 2 {
        procedure.add_location(Span::NONE);
    }
    let places: Vec<LocationId> = procedure.locations.ids().collect();
    let error = places[count + 1];
    procedure.locations[error].error = Some(Violation {
        property: Property::Assertion,
        message: "reached".to_owned(),
        span: Span::NONE,
    });
    let exit = procedure.exit;
    for &from in places.iter().filter(|&&at| at != error && at != exit) {
        let inner: Vec<LocationId> = (places.iter().copied())
            .filter(|&at| at != exit && at != error)
            .collect();
        let target = |rng: &mut Rng| match rng.below(6) {
            0 => error,
            _ => rng.pick(&inner),
        };
        if rng.chance(50) {
            let condition = expr(rng, &vars, Type::Bool, 2);
            let to = target(rng);
            procedure.add_edge(from, to, Op::Assume(condition.clone()), Span::NONE);
            let to = target(rng);
            let negated = Expr::Unary(UnaryOp::Not, Type::Bool, Box::new(condition));
            procedure.add_edge(from, to, Op::Assume(negated), Span::NONE);
        } else if rng.chance(15) {
            procedure.add_edge(from, exit, Op::Return(None), Span::NONE);
        } else {
            let (var, ty) = rng.pick(&vars);
            let op = if ty == TYPES[1] && rng.chance(20) {
                Op::Havoc(Place::Var(var), SiteId::from_index(0))
            } else {
                Op::Assign(Place::Var(var), expr(rng, &vars, ty, 2))
            };
            let to = target(rng);
            procedure.add_edge(from, to, op, Span::NONE);
        }
    }
    program
}

fn expr(rng: &mut Rng, vars: &[(VarId, Type)], ty: Type, depth: usize) -> Expr {
    use BinaryOp::*;
    if depth == 0 || rng.chance(20) {
        if rng.chance(40) {
            return Expr::Const(testkit::random::constant(rng, ty));
        }
        let fitting: Vec<VarId> = vars
            .iter()
            .filter(|var| var.1 == ty)
            .map(|var| var.0)
            .collect();
        return Expr::Var(rng.pick(&fitting));
    }
    let mut sub = |ty| Box::new(expr(rng, vars, ty, depth - 1));
    if ty == Type::Bool {
        let (a, b, u, v, s, t) = (
            sub(ty),
            sub(ty),
            sub(TYPES[1]),
            sub(TYPES[1]),
            sub(TYPES[2]),
            sub(TYPES[2]),
        );
        let op = rng.pick(&[Eq, Ne, Lt, Le]);
        return match rng.below(4) {
            0 => Expr::Binary(rng.pick(&[And, Or, Xor, Eq]), ty, a, b),
            1 => Expr::Binary(op, TYPES[1], u, v),
            2 => Expr::Binary(op, TYPES[2], s, t),
            _ => Expr::Overflows(rng.pick(&[Add, Sub, Mul]), IntType::signed(2), s, t),
        };
    }
    let (a, b, c) = (sub(ty), sub(ty), sub(Type::Bool));
    let other = sub(if ty == TYPES[1] { TYPES[2] } else { TYPES[1] });
    match rng.below(6) {
        0 => Expr::Select(c, a, b),
        1 => Expr::Cast(ty, other),
        2 => Expr::Cast(ty, c),
        3 => Expr::Unary(rng.pick(&[UnaryOp::Neg, UnaryOp::Not]), ty, a),
        _ => {
            let ops = [Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr];
            Expr::Binary(rng.pick(&ops), ty, a, b)
        }
    }
}

/// That the variables have these values.
fn formula(proof: &mut Inductive, state: &State) -> TermId {
    let mut all = Vec::new();
    for (&symbol, &value) in proof.vars.iter().zip(&state.vars) {
        let term = proof.store.of_symbol(symbol);
        let value = match value {
            Constant::Bool(value) => proof.store.bool(value),
            Constant::Int(value) => proof.store.int(value),
            Constant::Float(..) | Constant::Null => panic!("not of these types"),
        };
        all.push(proof.store.eq(term, value));
    }
    proof.store.and(&all)
}

/// A proof whose labels are the sets of states, at some locations.
fn exact(
    program: &Program,
    states: &BTreeMap<LocationId, Vec<State>>,
    labelled: &dyn Fn(LocationId) -> bool,
) -> Inductive {
    let mut proof = empty(program);
    for at in program.procs[program.entry]
        .locations
        .ids()
        .filter(|&at| labelled(at))
    {
        let states = states.get(&at).map_or(&[][..], |states| states);
        let all: Vec<TermId> = states
            .iter()
            .map(|state| formula(&mut proof, state))
            .collect();
        let label = proof.store.or(&all);
        proof.labels.insert((program.entry, at), label);
    }
    proof
}

#[test]
fn exactly_the_reachable_states() {
    let (mut safe, mut unsafe_ones) = (0, 0);
    for seed in 0..80 {
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng);
        assert_eq!(program::validate::validate(&program), [], "seed {seed}");
        let main = &program.procs[program.entry];
        let mut states: BTreeMap<LocationId, Vec<State>> = BTreeMap::new();
        for (at, state) in explore(&program, &empty(&program), MOST) {
            states.entry(at).or_default().push(state);
        }
        let is_safe = states.keys().all(|&at| main.locations[at].error.is_none());
        let check = |proof: &Inductive| proof.check(&program, &Budget::unlimited());
        let proof = exact(&program, &states, &|_| true);
        if !is_safe {
            unsafe_ones += 1;
            assert!(
                matches!(check(&proof), Err(ProofError::NotInductive(_))),
                "seed {seed}"
            );
            continue;
        }
        safe += 1;
        assert_eq!(check(&proof), Ok(()), "seed {seed}");
        // Some labels only: paths continue through the others.
        let some: Vec<bool> = main.locations.ids().map(|_| rng.chance(40)).collect();
        let proof = exact(&program, &states, &|at| some[at.index()]);
        let with_some = check(&proof);
        assert!(
            matches!(with_some, Ok(()) | Err(ProofError::NotInductive(_))),
            "seed {seed}"
        );
        // Any state less, and a run leaves the labels.
        for _ in 0..4 {
            let mut fewer = states.clone();
            let keys: Vec<LocationId> = fewer.keys().copied().collect();
            let at = rng.pick(&keys);
            let row = fewer.entry(at).or_default();
            row.remove(rng.below(row.len()));
            for labelled in [vec![true; main.locations.len()], some.clone()] {
                if labelled[at.index()] {
                    let proof = exact(&program, &fewer, &|at| labelled[at.index()]);
                    assert!(
                        matches!(check(&proof), Err(ProofError::NotInductive(_))),
                        "seed {seed}"
                    );
                }
            }
        }
    }
    assert!(safe > 20 && unsafe_ones > 20, "{safe} {unsafe_ones}");
}
