//! Gas: a variable that bounds the total number of loop iterations.
//!
//! Every loop head consumes one unit, and without gas a run ends there. A summary of the program
//! with gas relates the progress of the other variables to the gas consumed, so a test that has as
//! little gas as the summary allows must make progress in every iteration. The program with gas is
//! summarised and never run; it plays no part in proofs.
//!
//! # Paper
//! [fang2025software], section 5.3. There the whole search works on the program with gas; here only
//! the choice of inputs does.
//!
//! # Invariants
//! - Locations, edges and variables of the old program keep their ids.

use logic::IntType;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::{LocationId, Op, Place, Program, VarId};
use program::pass::loops::LoopNest;

/// The type of gas: wide enough for any run that ends in time.
const GAS: IntType = IntType::I64;

/// The program with gas, and the variable that it is.
pub(super) fn with_gas(program: &Program) -> (Program, VarId) {
    let mut result = program.clone();
    let proc = program.entry;
    let gas = result.add_local(proc, "$gas", Type::Int(GAS), base::Span::NONE);
    let procedure = &mut result.procs[proc];
    let nest = LoopNest::new(procedure);
    let heads: Vec<LocationId> = nest.loops.iter().map(|row| row.head).collect();
    for head in heads {
        let span = procedure.locations[head].span;
        let (paying, paid) = (procedure.add_location(span), procedure.split(head, span));
        let empty = procedure.add_location(span);
        procedure.add_branch(head, binary(BinaryOp::Gt, gas, 0), paying, empty, span);
        let less = Op::Assign(Place::Var(gas), binary(BinaryOp::Sub, gas, 1));
        procedure.add_edge(paying, paid, less, span);
    }
    (result, gas)
}

/// An operation on gas and a number.
fn binary(op: BinaryOp, gas: VarId, number: i128) -> Expr {
    let (gas, number) = (Expr::Var(gas), Expr::int(GAS, number));
    Expr::Binary(op, Type::Int(GAS), Box::new(gas), Box::new(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;

    #[test]
    fn every_iteration_takes_one_unit() {
        let program = crate::testing::program(&testkit::texts::counting_to_ten(10));
        let (with, gas) = with_gas(&program);
        assert_eq!(gas.index(), program.vars.len());
        let head = LocationId::from_index(2);
        let procedure = &with.procs[with.entry];
        let [paying, _] = procedure.locations[head].out[..] else {
            panic!("the head should branch on the gas");
        };
        let paying = procedure.edges[paying].target;
        let [taking] = procedure.locations[paying].out[..] else {
            panic!("one unit should be taken");
        };
        assert_eq!(procedure.edges[taking].op.written(), Some(gas));
        let paid = procedure.edges[taking].target;
        let old = &program.procs[program.entry].locations[head].out;
        assert_eq!(&procedure.locations[paid].out, old);
        assert!(LoopNest::new(procedure).is_head(head));
    }
}
