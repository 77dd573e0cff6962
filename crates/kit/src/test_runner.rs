//! Tests: runs of the machine along a path of blocks and beyond its end.
//!
//! Inputs on the path come from a model of it, inputs beyond it from the engine's oracle. The
//! machine runs at full speed; of the run, only the first blocks it traverses are recorded.
//!
//! # Invariants
//! - Same oracle, same answers, same test.

use crate::path_inputs::BlockInputs;
use base::{Budget, IdVec};
use certify::Trace;
use encode::CutGraph;
use encode::blocks::{BlockEffect, BlockId};
use exec::inputs::SiteInputs;
use exec::value::Values;
use exec::{End, Inputs, Limits, Machine, Run, Target, Value, Watch};
use logic::{IntType, IntValue, Integer, TermValue};
use program::expr::{Constant, Type};
use program::ir::{EdgeId, LocationId, ProcId, Scope, SiteId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Supplies the inputs of a test.
pub trait InputOracle {
    /// How many blocks the path has.
    fn path_len(&self) -> usize;
    /// The input at an edge of a block of the path.
    fn prefix_input(&mut self, block: usize, edge: EdgeId) -> Option<TermValue>;
    /// Whether it needs the values at cut points beyond the path.
    fn asks(&self) -> bool;
    /// The input at an edge beyond the path; none to end the test. `visit` is new if the cut point
    /// was reached since the last query.
    fn suffix_input(&mut self, visit: &CutPointVisit<'_>, edge: EdgeId) -> Option<TermValue>;
}

/// The position of a test: at a cut point, or after it.
#[derive(Clone, Copy)]
pub struct CutPointVisit<'s> {
    /// The cut point.
    pub at: LocationId,
    /// The values of the variables when it was reached.
    pub values: &'s Values,
    /// How many loop heads the test visited before it.
    pub iterations: u64,
    /// Whether this is the first query there.
    pub is_new: bool,
}

/// The inputs of a model along a path, and zeros after it.
pub struct ModelInputs {
    /// The inputs of each block of the path.
    pub prefix: Vec<BlockInputs>,
}

impl InputOracle for ModelInputs {
    fn path_len(&self) -> usize {
        self.prefix.len()
    }

    fn prefix_input(&mut self, block: usize, edge: EdgeId) -> Option<TermValue> {
        Some(self.prefix[block].get(&edge).cloned().unwrap_or(ZERO))
    }

    fn asks(&self) -> bool {
        false
    }

    fn suffix_input(&mut self, _: &CutPointVisit<'_>, _: EdgeId) -> Option<TermValue> {
        Some(ZERO)
    }
}

/// The input used where it does not matter.
pub const ZERO: TermValue = TermValue::Int(Integer::ZERO);

/// A test that was run.
pub struct Test {
    /// The blocks it traversed, the first ones only.
    pub blocks: Vec<BlockId>,
    /// The run itself.
    pub run: Run,
}

/// Runs tests of one program, and maps them to the blocks of a procedure.
pub struct TestRunner<'p> {
    machine: &'p Machine<'p>,
    proc: ProcId,
    is_cut: IdVec<LocationId, bool>,
    /// The block between two cut points, except those without formulas: these are single edges.
    between: FxHashMap<(LocationId, LocationId), BlockId>,
    opaque: FxHashMap<EdgeId, BlockId>,
    heads: BTreeSet<LocationId>,
}

impl<'p> TestRunner<'p> {
    /// A runner for tests on a machine, which maps them to the blocks of a graph.
    pub fn new(machine: &'p Machine<'p>, cuts: &CutGraph) -> Self {
        let mut between = FxHashMap::default();
        let mut opaque = FxHashMap::default();
        for (id, block) in cuts.graph.blocks.iter_enumerated() {
            match block.step {
                BlockEffect::Formula(_) => {
                    between.insert((block.source, block.target), id);
                }
                BlockEffect::Opaque(edge) => {
                    opaque.insert(edge, id);
                }
                BlockEffect::OutsideEncoding(_) | BlockEffect::CalleeFails(_) => {}
            }
        }
        TestRunner {
            machine,
            proc: cuts.proc,
            is_cut: cuts.graph.is_cut.clone(),
            between,
            opaque,
            heads: cuts.heads().collect(),
        }
    }

    /// Runs a test and keeps up to `kept` blocks.
    pub fn run(
        &self,
        oracle: &mut dyn InputOracle,
        kept: usize,
        limits: &Limits,
        budget: &Budget,
    ) -> Test {
        let record = RefCell::new(Record::new(self, oracle, kept));
        let (mut inputs, mut watch) = (Running(&record), Running(&record));
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

    /// Runs on given inputs and zeros after them, and records nothing.
    pub fn run_on(&self, inputs: &[(SiteId, Constant)], limits: &Limits, budget: &Budget) -> Run {
        let mut inputs = SiteInputs::new(self.machine.program(), inputs);
        self.machine.run(&mut inputs, limits, budget)
    }
}

/// The trace of the machine's program on inputs, if they lead to an error; otherwise how the run
/// ends.
pub fn replay(
    machine: &Machine<'_>,
    inputs: &[(SiteId, Constant)],
    budget: &Budget,
) -> Result<Trace, Box<Run>> {
    let mut source = SiteInputs::new(machine.program(), inputs);
    let run = machine.run(&mut source, &certify::replay::REPLAY_LIMITS, budget);
    match run.end {
        End::Violated(proc, at) => Ok(Trace::new(inputs.to_vec(), (proc, at))),
        _ => Err(Box::new(run)),
    }
}

/// The limits of a test with a given number of steps.
pub fn test_limits(steps: u64) -> Limits {
    Limits {
        steps,
        memory: 256 << 20,
        depth: 100_000,
    }
}

/// What is recorded while a run is in progress.
struct Record<'r> {
    runner: &'r TestRunner<'r>,
    oracle: &'r mut dyn InputOracle,
    values: Values,
    blocks: Vec<BlockId>,
    kept: usize,
    /// How many blocks were traversed.
    passed: usize,
    iterations: u64,
    edge: Option<EdgeId>,
    /// The last cut point, and the values there, if the oracle may ask for them.
    last: Option<LocationId>,
    there: Values,
    is_new: bool,
}

impl<'r> Record<'r> {
    fn new(runner: &'r TestRunner<'r>, oracle: &'r mut dyn InputOracle, kept: usize) -> Self {
        let vars = runner.machine.program().vars.iter();
        let start = vars.map(|var| match var.scope {
            Scope::Global => var.init,
            Scope::Local(_) => None,
        });
        Record {
            runner,
            oracle,
            values: start.collect(),
            blocks: Vec::new(),
            kept,
            passed: 0,
            iterations: 0,
            edge: None,
            last: None,
            there: IdVec::new(),
            is_new: true,
        }
    }

    /// A cut point was reached.
    fn arrive(&mut self, at: LocationId) {
        if let Some(last) = self.last {
            let opaque = self.edge.and_then(|edge| self.runner.opaque.get(&edge));
            let block = opaque.or_else(|| self.runner.between.get(&(last, at)));
            self.passed += 1;
            self.iterations += u64::from(self.runner.heads.contains(&last));
            match block {
                Some(&block) if self.blocks.len() < self.kept => self.blocks.push(block),
                // Behind what no block describes nothing is kept.
                Some(_) | None => self.kept = 0,
            }
        }
        self.last = Some(at);
        self.is_new = true;
        if self.passed >= self.oracle.path_len() && self.oracle.asks() {
            self.there.clone_from(&self.values);
        }
    }

    fn input(&mut self) -> Option<TermValue> {
        let (edge, at) = (self.edge?, self.last?);
        if self.passed < self.oracle.path_len() {
            return self.oracle.prefix_input(self.passed, edge);
        }
        let visit = CutPointVisit {
            at,
            values: &self.there,
            iterations: self.iterations,
            is_new: std::mem::take(&mut self.is_new),
        };
        self.oracle.suffix_input(&visit, edge)
    }
}

/// A run in progress: it takes inputs and is watched.
struct Running<'w, 'r>(&'w RefCell<Record<'r>>);

impl Watch for Running<'_, '_> {
    fn edge(&mut self, proc: ProcId, edge: EdgeId) {
        let mut record = self.0.borrow_mut();
        let runner = record.runner;
        if proc != runner.proc {
            return;
        }
        let source = runner.machine.program().procs[proc].edges[edge].source;
        if runner.is_cut[source] {
            record.arrive(source);
        }
        record.edge = Some(edge);
    }

    fn wrote(&mut self, target: Target, value: Value) {
        if let Target::Var(var) = target {
            self.0.borrow_mut().values[var] = match value {
                Value::Constant(value) => Some(value),
                // As formulas know it.
                Value::Proc(proc) => {
                    let number = i128::from(proc.address_number());
                    Some(Constant::Int(IntValue::wrap(IntType::I64, number)))
                }
                Value::Address(..) | Value::Wild(_) => None,
            };
        }
    }
}

impl Inputs for Running<'_, '_> {
    fn next(&mut self, _: SiteId, ty: Type) -> Option<Constant> {
        let value = self.0.borrow_mut().input()?;
        Some(constant(ty, &value))
    }
}

/// A model's value converted to a type. If the type has no numbers in formulas, any value will do.
pub fn constant(ty: Type, value: &TermValue) -> Constant {
    match (ty, value) {
        (Type::Bool, TermValue::Bool(value)) => Constant::Bool(*value),
        (Type::Int(ty), TermValue::Int(value)) => {
            let number = value.to_i128().unwrap_or_default();
            Constant::Int(IntValue::wrap(ty, number))
        }
        (Type::Bool | Type::Int(_) | Type::Float(_) | Type::Ptr, _) => ty.zero(),
    }
}
