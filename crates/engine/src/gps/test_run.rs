//! Tests: runs of the machine along a path of blocks and beyond its end.
//!
//! Inputs on the path come from a model of it, inputs beyond it from whoever chooses them. The
//! machine runs as fast as it can; what is kept of the run is the blocks it went through first.
//!
//! # Invariants
//! - Same script, same choices, same test.

use base::{Budget, IdVec};
use encode::blocks::{BlockId, Step};
use exec::inputs::SiteInputs;
use exec::value::Values;
use exec::{End, Inputs, Limits, Machine, Run, Target, Value, Watch};
use logic::{IntValue, TermValue};
use program::expr::{Constant, Type};
use program::ir::{EdgeId, LocationId, ProcId, Scope, SiteId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use summary::LoopNestSummaries;

/// Who says which inputs a test takes.
pub(super) trait Script {
    /// How many blocks the path has.
    fn len(&self) -> usize;
    /// The input at an edge of a block of the path.
    fn along(&mut self, block: usize, edge: EdgeId) -> Option<TermValue>;
    /// Whether it wants to know the values at cut points beyond the path.
    fn asks(&self) -> bool;
    /// The input at an edge beyond the path; none if the test shall end. `stay` is new when the
    /// cut point was come to since the last question.
    fn beyond(&mut self, stay: &Stay<'_>, edge: EdgeId) -> Option<TermValue>;
}

/// Where a test stands: at a cut point, or behind it.
#[derive(Clone, Copy)]
pub(super) struct Stay<'s> {
    /// The cut point.
    pub(super) at: LocationId,
    /// The values of the variables when it was come to.
    pub(super) values: &'s Values,
    /// How many heads of loops the test was at before it.
    pub(super) turns: u64,
    /// Whether this is the first question there.
    pub(super) is_new: bool,
}

/// A test that was run.
pub(super) struct Test {
    /// The blocks it went through, the first ones only.
    pub(super) blocks: Vec<BlockId>,
    /// How it went.
    pub(super) run: Run,
}

/// Runs tests of one program, and sees in them the blocks of a procedure.
pub(super) struct Tester<'p> {
    machine: &'p Machine<'p>,
    proc: ProcId,
    is_cut: IdVec<LocationId, bool>,
    /// The block between two cut points, but for those without formulas: these are one edge each.
    between: FxHashMap<(LocationId, LocationId), BlockId>,
    opaque: FxHashMap<EdgeId, BlockId>,
    heads: BTreeSet<LocationId>,
}

impl<'p> Tester<'p> {
    pub(super) fn new(machine: &'p Machine<'p>, nest: &LoopNestSummaries) -> Self {
        let mut between = FxHashMap::default();
        let mut opaque = FxHashMap::default();
        for (id, block) in nest.cuts.graph.blocks.iter_enumerated() {
            match block.step {
                Step::Formula(_) => {
                    between.insert((block.source, block.target), id);
                }
                Step::Opaque(edge) => {
                    opaque.insert(edge, id);
                }
                Step::OutsideEncoding(_) => {}
            }
        }
        Tester {
            machine,
            proc: nest.cuts.proc,
            is_cut: nest.cuts.graph.is_cut.clone(),
            between,
            opaque,
            heads: nest.cuts.loops.loops.iter().map(|row| row.head).collect(),
        }
    }

    /// Runs a test and keeps up to `kept` blocks.
    pub(super) fn run(
        &self,
        script: &mut dyn Script,
        kept: usize,
        limits: &Limits,
        budget: &Budget,
    ) -> Test {
        let record = RefCell::new(Record::new(self, script, kept));
        let mut inputs = Source(&record);
        let mut watch = Watcher(&record);
        let run = self
            .machine
            .run_watched(&mut inputs, limits, budget, &mut watch);
        let mut record = record.into_inner();
        if let End::Violated(proc, at) = run.end
            && proc == self.proc
        {
            record.arrive(at);
        }
        Test {
            blocks: record.blocks,
            run,
        }
    }

    /// Runs on given inputs and zeros after them, with nobody watching.
    pub(super) fn run_on(
        &self,
        inputs: &[(SiteId, Constant)],
        limits: &Limits,
        budget: &Budget,
    ) -> Run {
        let mut inputs = SiteInputs::new(self.machine.program(), inputs);
        self.machine.run(&mut inputs, limits, budget)
    }
}

/// What is kept of a run while it goes on.
struct Record<'r> {
    tester: &'r Tester<'r>,
    script: &'r mut dyn Script,
    values: Values,
    blocks: Vec<BlockId>,
    kept: usize,
    /// How many blocks were gone through.
    passed: usize,
    turns: u64,
    edge: Option<EdgeId>,
    /// The last cut point, and the values there, if anybody may ask for them.
    last: Option<LocationId>,
    there: Values,
    is_new: bool,
}

impl<'r> Record<'r> {
    fn new(tester: &'r Tester<'r>, script: &'r mut dyn Script, kept: usize) -> Self {
        let vars = tester.machine.program().vars.iter();
        let start = vars.map(|var| match var.scope {
            Scope::Global => var.init,
            Scope::Local(_) => None,
        });
        Record {
            tester,
            script,
            values: start.collect(),
            blocks: Vec::new(),
            kept,
            passed: 0,
            turns: 0,
            edge: None,
            last: None,
            there: IdVec::new(),
            is_new: true,
        }
    }

    /// A cut point was come to.
    fn arrive(&mut self, at: LocationId) {
        if let Some(last) = self.last {
            let opaque = self.edge.and_then(|edge| self.tester.opaque.get(&edge));
            let block = opaque.or_else(|| self.tester.between.get(&(last, at)));
            self.passed += 1;
            self.turns += u64::from(self.tester.heads.contains(&last));
            match block {
                Some(&block) if self.blocks.len() < self.kept => self.blocks.push(block),
                // Behind what no block describes nothing is kept.
                Some(_) | None => self.kept = 0,
            }
        }
        self.last = Some(at);
        self.is_new = true;
        if self.passed >= self.script.len() && self.script.asks() {
            self.there.clone_from(&self.values);
        }
    }

    fn input(&mut self) -> Option<TermValue> {
        let (edge, at) = (self.edge?, self.last?);
        if self.passed < self.script.len() {
            return self.script.along(self.passed, edge);
        }
        let stay = Stay {
            at,
            values: &self.there,
            turns: self.turns,
            is_new: std::mem::take(&mut self.is_new),
        };
        self.script.beyond(&stay, edge)
    }
}

struct Watcher<'w, 'r>(&'w RefCell<Record<'r>>);

impl Watch for Watcher<'_, '_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        let mut record = self.0.borrow_mut();
        let tester = record.tester;
        if proc != tester.proc {
            return;
        }
        let source = tester.machine.program().procs[proc].edges[edge].source;
        if tester.is_cut[source] {
            record.arrive(source);
        }
        record.edge = Some(edge);
    }

    fn wrote(&mut self, target: Target, value: Value) {
        if let Target::Var(var) = target {
            self.0.borrow_mut().values[var] = match value {
                Value::Constant(value) => Some(value),
                Value::Address(..) | Value::Proc(_) | Value::Wild(_) => None,
            };
        }
    }
}

struct Source<'w, 'r>(&'w RefCell<Record<'r>>);

impl Inputs for Source<'_, '_> {
    fn next(&mut self, _: SiteId, ty: Type) -> Option<Constant> {
        let value = self.0.borrow_mut().input()?;
        Some(constant(ty, &value))
    }
}

/// A value of a model as one of a type. Of what has no numbers in formulas any will do.
fn constant(ty: Type, value: &TermValue) -> Constant {
    match (ty, value) {
        (Type::Bool, TermValue::Bool(value)) => Constant::Bool(*value),
        (Type::Int(ty), TermValue::Int(value)) => {
            let number = value.to_i128().unwrap_or_default();
            Constant::Int(IntValue::wrap(ty, number))
        }
        (Type::Bool | Type::Int(_) | Type::Float(_) | Type::Ptr, _) => ty.zero(),
    }
}
