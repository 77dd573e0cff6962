//! The values in a failing condition, by their source names.
//!
//! A condition may be in a helper that receives the truth value of the real one, as in
//! `check(x == y)`: then the values of the call's arguments say more.

use super::names::Names;
use super::recorder::{Loads, Origin, Recorder};
use crate::answer::Note;
use crate::reporter::Reporter;
use encode::on_variables::OnVariables;
use exec::{Target, Value};
use program::ir::{Callee, EdgeId, Op, ProcId, VarId};
use std::collections::BTreeSet;

/// Made-up variables are looked through so many times.
const THROUGH: usize = 16;

impl Recorder<'_> {
    /// The values that the last edge read, as `x = 1, y = 2`; then, while these are all given by a
    /// call, those that the call's arguments read. A recursion is not followed any deeper.
    pub(super) fn operands(&self, reporter: &Reporter<'_>, names: &Names<'_>) -> Vec<Note> {
        let mut found = Vec::new();
        let Some(mut at) = self.condition() else {
            return found;
        };
        let (mut depth, mut loads) = (self.depth(), self.last_loads());
        let mut sites = BTreeSet::new();
        loop {
            let mut values = Vec::new();
            self.expand(at, loads, depth, THROUGH, &mut values);
            let (proc, edge, _) = at;
            let procedure = &self.program().procs[proc];
            let param = match &values[..] {
                [(Target::Var(var), _)] => procedure.params.iter().position(|param| param == var),
                _ => None,
            };
            let span = procedure.edges[edge].span;
            let param = param.map(|index| (index, procedure.params[index]));
            let values = values.into_iter();
            let values = values.map(|(target, value)| (names.target(target), names.value(value)));
            let values = values.filter(|(name, _)| !name.starts_with('$'));
            let values = values.map(|(name, value)| format!("{name} = {value}"));
            found.push(Note {
                text: values.collect::<Vec<_>>().join(", "),
                place: reporter.place(span),
            });
            match (param, self.call_site(depth)) {
                (Some((index, param)), Some((caller, edge))) if sites.insert((caller, edge)) => {
                    at = (caller, edge, Some(index));
                    loads = self
                        .origin_of(param, depth)
                        .map_or(loads, |origin| origin.loads);
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
        loads: Loads,
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
        for load in loads {
            if let Some(Origin { target, value, .. }) = self.origin(load)
                && matches!(target, Target::Object(..))
            {
                add(target, value);
            }
        }
        for origin in inner {
            self.expand(origin.edge, origin.loads, depth, through - 1, values);
        }
    }

    /// Whether a value was computed, not returned by a call or taken in.
    fn is_plain(&self, origin: &Origin) -> bool {
        let (proc, edge, _) = origin.edge;
        match &self.program().procs[proc].edges[edge].op {
            Op::Call(call) => matches!(call.callee, Callee::Library(_)),
            op => matches!(OnVariables::of(op), Some(OnVariables::Assign(..))),
        }
    }

    /// The value of a variable in an activation.
    fn value(&self, var: VarId, depth: usize) -> Option<Value> {
        let known = self.known(var, depth).1;
        let init = || self.program().vars[var].init.map(Value::Constant);
        known.or_else(init)
    }
}
