//! The values in a failing condition, by the names that the source has for them.
//!
//! A condition may stand in a helper that is given the truth of the real one, as in
//! `check(x == y)`: then the values of the call's arguments say more.

use super::recorder::{Origin, Recorder};
use base::Span;
use exec::{Target, Value};
use program::ir::{Callee, EdgeId, Op, Place, ProcId, VarId};

/// Values that a line of the source speaks of.
#[derive(Clone, Debug)]
pub struct Operands {
    /// The condition or the call.
    pub span: Span,
    /// The values, in the order they are read.
    pub values: Vec<(Target, Value)>,
}

/// Made-up variables are looked through so many times.
const THROUGH: usize = 16;

impl Recorder<'_> {
    /// The values that the last edge read; then, while these are all given by a call, those that
    /// the call's arguments read.
    pub(super) fn operands(&self) -> Vec<Operands> {
        let mut found = Vec::new();
        let Some(mut at) = self.condition() else {
            return found;
        };
        let mut depth = self.depth();
        loop {
            let mut values = Vec::new();
            self.expand(at, depth, THROUGH, &mut values);
            let (proc, edge, _) = at;
            let procedure = &self.program().procs[proc];
            let param = match &values[..] {
                [(Target::Var(var), _)] => procedure.params.iter().position(|param| param == var),
                _ => None,
            };
            let span = procedure.edges[edge].span;
            found.push(Operands { span, values });
            match (param, self.call_site(depth)) {
                (Some(index), Some((caller, edge))) => {
                    at = (caller, edge, Some(index));
                    depth -= 1;
                }
                _ => return found,
            }
        }
    }

    /// Adds the values that an edge, or an argument of a call, reads.
    fn expand(
        &self,
        at: (ProcId, EdgeId, Option<usize>),
        depth: usize,
        through: usize,
        values: &mut Vec<(Target, Value)>,
    ) {
        let mut add = |target: Target, value: Value| {
            if !values.iter().any(|(known, _)| *known == target) {
                values.push((target, value));
            }
        };
        let mut inner = Vec::new();
        for var in self.reads(at) {
            if !self.program().vars[var].name.starts_with('$') {
                if let Some(value) = self.value(var, depth) {
                    add(Target::Var(var), value);
                }
            } else if let Some(origin) = self.origin_of(var, depth)
                && through > 0
                && self.is_plain(&origin)
            {
                inner.push(origin);
            }
        }
        for origin in inner {
            self.expand(origin.edge, depth, through - 1, values);
        }
    }

    /// Whether a value was computed, not returned by a call or taken in.
    fn is_plain(&self, origin: &Origin) -> bool {
        let (proc, edge, _) = origin.edge;
        match &self.program().procs[proc].edges[edge].op {
            Op::Assign(Place::Var(_), _) => true,
            Op::Call(call) => matches!(call.callee, Callee::Library(_)),
            Op::Assign(Place::Mem(..), _)
            | Op::Skip
            | Op::Assume(_)
            | Op::Havoc(..)
            | Op::Return(_)
            | Op::Halt(_)
            | Op::Enter(_)
            | Op::Leave(_)
            | Op::Unsupported(_) => false,
        }
    }

    /// The value of a variable in an activation.
    fn value(&self, var: VarId, depth: usize) -> Option<Value> {
        let known = self.known(var, depth).1;
        let init = || self.program().vars[var].init.map(Value::Constant);
        known.or_else(init)
    }
}
