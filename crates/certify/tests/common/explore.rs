//! The states that runs of `main` alone come to, one by one.

use base::Id;
use certify::Inductive;
use logic::{IntValue, SymbolId, TermId, TermValue};
use program::expr::{Constant, Expr, Type};
use program::fold;
use program::ir::{LocationId, Op, Place, Program, VarId};
use std::collections::{HashMap, HashSet, VecDeque};

/// The values of the variables, and of the ghosts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    pub(crate) vars: Vec<Constant>,
    ghosts: Vec<TermValue>,
}

/// Some or all states that runs come to, in the order in which they are found.
pub(crate) fn explore(
    program: &Program,
    proof: &Inductive,
    most: usize,
) -> Vec<(LocationId, State)> {
    let procedure = &program.procs[program.entry];
    let mut starts = vec![Vec::new()];
    for var in program.vars.iter() {
        let values = var
            .init
            .map_or_else(|| values_of(var.ty), |init| vec![init]);
        starts = extended(&starts, &values);
    }
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut frontier = VecDeque::new();
    for vars in starts {
        let state = with_ghosts(program, proof, vars);
        frontier.push_back((procedure.entry, state));
    }
    while let Some((at, state)) = frontier.pop_front() {
        if found.len() >= most || !seen.insert((at, state.clone())) {
            continue;
        }
        found.push((at, state.clone()));
        if procedure.locations[at].error.is_some() {
            continue;
        }
        for (id, edge) in procedure.edges.iter_enumerated() {
            if edge.source != at {
                continue;
            }
            for vars in after(&edge.op, &state.vars) {
                let mut next = State {
                    vars,
                    ghosts: state.ghosts.clone(),
                };
                for (place, ghost) in proof.ghosts.iter().enumerate() {
                    if let Some(&update) = ghost.updates.get(&id) {
                        let now = State {
                            vars: next.vars.clone(),
                            ghosts: state.ghosts.clone(),
                        };
                        next.ghosts[place] = evaluate(proof, &now, update);
                    }
                }
                frontier.push_back((edge.target, next));
            }
        }
    }
    found
}

/// A state that breaks what an accepted proof says: one outside of a label, or at an error.
pub(crate) fn counterexample(
    program: &Program,
    proof: &Inductive,
    most: usize,
) -> Option<(LocationId, State)> {
    let main = program.entry;
    let breaks = |(at, state): &(LocationId, State)| {
        let label = proof.labels.get(&(main, *at));
        let holds =
            label.is_none_or(|&label| evaluate(proof, state, label) == TermValue::Bool(true));
        !holds || program.procs[main].locations[*at].error.is_some()
    };
    explore(program, proof, most).into_iter().find(breaks)
}

/// All values of a type if they are few, else some.
pub(crate) fn values_of(ty: Type) -> Vec<Constant> {
    match ty {
        Type::Bool => vec![Constant::Bool(false), Constant::Bool(true)],
        Type::Int(ty) if ty.bits <= 3 => (0..=ty.mask())
            .map(|bits| Constant::Int(IntValue::from_bits(ty, bits)))
            .collect(),
        Type::Int(int) => vec![
            Constant::Int(IntValue::wrap(int, 0)),
            Constant::Int(IntValue::wrap(int, 3)),
            Constant::Int(int.max()),
        ],
        Type::Float(_) | Type::Ptr => vec![ty.zero()],
    }
}

fn extended(starts: &[Vec<Constant>], values: &[Constant]) -> Vec<Vec<Constant>> {
    let mut all = Vec::new();
    for start in starts {
        for &value in values {
            all.push([&start[..], &[value]].concat());
        }
    }
    all
}

/// The values after an op; none where it blocks or is undefined.
fn after(op: &Op, vars: &[Constant]) -> Vec<Vec<Constant>> {
    let with = |var: &VarId, value| {
        let mut vars = vars.to_vec();
        vars[var.index()] = value;
        vars
    };
    match op {
        Op::Skip => vec![vars.to_vec()],
        Op::Assign(Place::Var(var), value) => {
            let value = evaluated(value, vars);
            value.map(|value| with(var, value)).into_iter().collect()
        }
        Op::Assume(condition) => {
            let holds = evaluated(condition, vars) == Some(Constant::Bool(true));
            holds.then(|| vars.to_vec()).into_iter().collect()
        }
        Op::Havoc(Place::Var(var), _) => {
            let values = values_of(vars[var.index()].ty()).into_iter();
            values.map(|value| with(var, value)).collect()
        }
        Op::Return(_) => vec![vars.to_vec()],
        Op::Halt(_) => Vec::new(),
        other => panic!("{other:?} is not explored"),
    }
}

fn evaluated(expr: &Expr, vars: &[Constant]) -> Option<Constant> {
    let mut expr = expr.clone();
    expr.visit_mut(&mut |part| {
        if let Expr::Var(var) = part {
            *part = Expr::Const(vars[var.index()]);
        }
    });
    fold::simplify(expr).constant()
}

fn with_ghosts(program: &Program, proof: &Inductive, vars: Vec<Constant>) -> State {
    assert_eq!(program.vars.len(), vars.len());
    let start = State {
        vars: vars.clone(),
        ghosts: Vec::new(),
    };
    let ghosts = proof.ghosts.iter();
    let ghosts = ghosts.map(|ghost| evaluate(proof, &start, ghost.initial));
    State {
        ghosts: ghosts.collect(),
        vars,
    }
}

fn evaluate(proof: &Inductive, state: &State, term: TermId) -> TermValue {
    let vars = proof.vars.iter().zip(&state.vars).map(|(&symbol, &value)| {
        let value = match value {
            Constant::Bool(value) => TermValue::Bool(value),
            Constant::Int(value) => TermValue::Int(value.into()),
            Constant::Float(..) | Constant::Null => TermValue::Int(0i64.into()),
        };
        (symbol, value)
    });
    let ghosts = proof.ghosts.iter().zip(&state.ghosts);
    let ghosts = ghosts.map(|(ghost, value)| (ghost.symbol, value.clone()));
    let values: HashMap<SymbolId, TermValue> = vars.chain(ghosts).collect();
    let value = proof
        .store
        .evaluate(term, &|symbol| values.get(&symbol).cloned());
    value.expect("all symbols should have values")
}
