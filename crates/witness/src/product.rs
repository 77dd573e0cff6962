//! A program that runs beside a violation witness.
//!
//! The text gets a counter of the segments that have been passed, and at each place that a
//! waypoint names a step that moves it. Where the target is reached with all segments passed, and
//! nowhere else, the program fails. So the runs to an error are those that follow the witness, and
//! an engine can look for one, or prove that there is none.
//!
//! # Invariants
//! - What is inserted reads the program's variables and writes none of them, and a call has the
//!   type and value that it had.
//! - Every waypoint has a place in the text, or there is no product.

mod find;
mod gate;
mod pure;

pub use crate::edit::Texts;
pub use gate::gate;

use crate::constraint::{Comparison, Constraint, Number};
use crate::driver::scalar;
use crate::edit::{Edits, Order};
use crate::follow::is_at;
use crate::format::{Branch, Segment, Waypoint, WaypointKind};
use crate::position::Positions;
use base::{SourceMap, Span};
use cfront::ast::Ast;
use cfront::types::{IntKind, Type as CType, TypeId, Types};
use find::{Call, Decision, DecisionKind, Places, Statement};
use logic::IntType;
use pure::is_pure;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The counter of segments.
pub const COUNTER: &str = "cairn_segment";
/// Segments that a product may have: each is a step for the engine.
const MOST: usize = 300;

/// The texts of the product. The error says what cannot be followed.
pub fn texts(ast: &Ast, sources: &SourceMap, segments: &[Segment]) -> Result<Texts, String> {
    if segments.len() > MOST {
        return Err(format!(
            "it has {} segments, and a search can follow {MOST}",
            segments.len()
        ));
    }
    let places = Places::new(ast, sources);
    let positions = Positions::new(sources);
    let mut product = Product {
        ast,
        sources,
        places: &places,
        positions: &positions,
        entries: BTreeMap::new(),
        returns: BTreeMap::new(),
        decisions: BTreeMap::new(),
        statements: BTreeMap::new(),
        edits: Edits::new(sources),
    };
    for (index, segment) in segments.iter().enumerate() {
        for waypoint in &segment.avoid {
            product.waypoint(index, waypoint, true)?;
        }
        if segment.follow.kind != WaypointKind::Target {
            product.waypoint(index, &segment.follow, false)?;
        }
    }
    product.finish()
}

/// What happens at a place, for each segment that names it: condition and step.
type Steps = Vec<(bool, String)>;

struct Product<'a> {
    ast: &'a Ast,
    sources: &'a SourceMap,
    places: &'a Places<'a>,
    positions: &'a Positions<'a>,
    /// Calls that are entered, and that return.
    entries: BTreeMap<usize, Steps>,
    returns: BTreeMap<usize, Steps>,
    decisions: BTreeMap<usize, Steps>,
    statements: BTreeMap<usize, Steps>,
    edits: Edits<'a>,
}

impl Product<'_> {
    fn waypoint(&mut self, index: usize, waypoint: &Waypoint, avoid: bool) -> Result<(), String> {
        let location = &waypoint.location;
        let here = format!("line {}", location.line);
        match &waypoint.kind {
            WaypointKind::Target => {}
            WaypointKind::FunctionReturn(constraint) => {
                let at = self
                    .call(waypoint)
                    .ok_or(format!("no call ends at {here}"))?;
                let ty = self.places.calls[at].ty;
                let condition = match constraint {
                    None => "1".to_owned(),
                    Some(text) => {
                        let constraint = Constraint::parse(text).ok_or(format!(
                            "{here}: `{text}` compares no result with a constant"
                        ))?;
                        self.comparison(&constraint, ty)
                            .ok_or(format!("{here}: `{text}` does not fit what is returned"))?
                    }
                };
                let steps = self.returns.entry(at).or_default();
                steps.push(step(index, &condition, avoid));
            }
            WaypointKind::FunctionEnter => {
                let at = self
                    .call(waypoint)
                    .ok_or(format!("no call ends at {here}"))?;
                if !self.places.calls[at].is_plain {
                    return Err(format!("{here}: the arguments of the call have calls"));
                }
                let steps = self.entries.entry(at).or_default();
                steps.push(step(index, "1", avoid));
            }
            WaypointKind::Branching(branch) => {
                let at = self
                    .decision(waypoint)
                    .ok_or(format!("nothing branches at {here}"))?;
                let condition = self
                    .way(&self.places.decisions[at], branch)
                    .ok_or(format!("{here}: the branching does not go `{branch}`"))?;
                let steps = self.decisions.entry(at).or_default();
                steps.push(step(index, &condition, avoid));
            }
            WaypointKind::Assumption(expression) => {
                if !is_pure(expression) {
                    return Err(format!(
                        "{here}: `{expression}` is no expression without effects"
                    ));
                }
                let at = self
                    .places
                    .statements
                    .iter()
                    .position(|statement| {
                        let mut starts = statement.at.iter();
                        starts.any(|&start| self.is_at_start(waypoint, start))
                    })
                    .ok_or(format!("no statement starts at {here}"))?;
                let steps = self.statements.entry(at).or_default();
                steps.push(step(index, &format!("({expression})"), avoid));
            }
        }
        Ok(())
    }

    fn is_at_start(&self, waypoint: &Waypoint, span: Span) -> bool {
        let place = self.positions.start(span, None);
        place.is_some_and(|place| is_at(&waypoint.location, &place))
    }

    /// The call whose `)` a waypoint names; the leftmost one on a line without columns.
    fn call(&self, waypoint: &Waypoint) -> Option<usize> {
        let calls = self.places.calls.iter().enumerate();
        calls
            .filter(|(_, call)| {
                let place = self.positions.end(call.span, None);
                place.is_some_and(|place| is_at(&waypoint.location, &place))
            })
            .min_by_key(|(_, call)| call.span.hi)
            .map(|(at, _)| at)
    }

    fn decision(&self, waypoint: &Waypoint) -> Option<usize> {
        let decisions = self.places.decisions.iter().enumerate();
        decisions
            .filter(|(_, decision)| {
                let mut places = decision.at.iter();
                places.any(|&lo| self.is_at_start(waypoint, Span { lo, hi: lo + 1 }))
            })
            .min_by_key(|(_, decision)| decision.at.iter().min().copied())
            .map(|(at, _)| at)
    }

    /// When what a call returns meets a constraint, in C. Numbers compare as numbers do, without
    /// C's conversions.
    fn comparison(&self, constraint: &Constraint, ty: TypeId) -> Option<String> {
        let op = constraint.op.symbol();
        let types = &self.ast.types;
        match (types.get(ty), constraint.number) {
            (CType::Pointer(_), Number::Int(0)) => {
                let is_known = matches!(constraint.op, Comparison::Equal | Comparison::Differs);
                is_known.then(|| format!("result {op} 0"))
            }
            (CType::Float(_), number) => {
                let value = crate::driver::float(number.to_f64()?);
                Some(format!("result {op} {value}"))
            }
            (CType::Bool | CType::Int(_) | CType::Enum(_), Number::Int(value)) => {
                let held = match types.get(ty) {
                    CType::Int(kind) => types.int_type(*kind),
                    CType::Enum(id) => types.int_type(types.enums[*id].underlying?),
                    _ => IntType::unsigned(8),
                };
                if held.bits > 64 {
                    return None;
                }
                let unsigned_long = held == IntType::unsigned(64);
                if unsigned_long && value >= 0 {
                    let value = u64::try_from(value).ok()?;
                    return Some(format!("(unsigned long long)result {op} {value}ULL"));
                }
                let value = i64::try_from(value).ok()?;
                if unsigned_long {
                    let truth = matches!(
                        constraint.op,
                        Comparison::Differs | Comparison::Greater | Comparison::AtLeast
                    );
                    return Some(u8::from(truth).to_string());
                }
                let value = if value < 0 {
                    format!("(-{}LL - 1)", -(value + 1))
                } else {
                    format!("{value}LL")
                };
                Some(format!("(long long)result {op} {value}"))
            }
            _ => None,
        }
    }

    /// When a branching goes a way, in C, of the value that decides.
    fn way(&self, decision: &Decision, branch: &Branch) -> Option<String> {
        match (&decision.kind, branch) {
            (DecisionKind::Condition, Branch::Condition(true)) => Some("result".to_owned()),
            (DecisionKind::Condition, Branch::Condition(false)) => Some("!result".to_owned()),
            (DecisionKind::Switch { ty, .. }, Branch::Case(value)) => {
                let constraint = Constraint {
                    op: Comparison::Equal,
                    number: Number::Int(*value),
                };
                self.comparison(&constraint, *ty)
            }
            (DecisionKind::Switch { ty, cases }, Branch::Default) => {
                let mut parts = vec!["1".to_owned()];
                for (low, high) in cases {
                    let bound = |op, number| {
                        let number = Number::Int(number);
                        self.comparison(&Constraint { op, number }, *ty)
                    };
                    let above = bound(Comparison::AtLeast, *low)?;
                    let below = bound(Comparison::AtMost, *high)?;
                    parts.push(format!("!({above} && {below})"));
                }
                Some(parts.join(" && "))
            }
            _ => None,
        }
    }

    /// Wraps the calls and conditions, and writes the functions that do so.
    fn finish(mut self) -> Result<Texts, String> {
        let mut head = format!("unsigned {COUNTER}; extern void abort(void); ");
        let first = self.sources.files().next().map(|(_, file)| file.base);
        for (at, steps) in &self.entries {
            let name = format!("cairn_entry_{at}");
            let _ = write!(head, "static void {name}(void) {{ {} }} ", chain(steps));
            let span = self.places.calls[*at].span;
            self.edits
                .insert(span.lo, Order::Call, format!("({name}(), "));
            self.edits.insert(span.hi, Order::AfterCall, ")".to_owned());
        }
        for (at, steps) in &self.returns {
            let Call { span, ty, .. } = self.places.calls[*at];
            let name = format!("cairn_return_{at}");
            let (open, close) = if *self.ast.types.get(ty) == CType::Void {
                let _ = write!(head, "static void {name}(void) {{ {} }} ", chain(steps));
                ("(".to_owned(), format!(", {name}())"))
            } else {
                let holder = holder(&self.ast.types, ty).ok_or("a call returns no number")?;
                watcher(&mut head, &name, holder, steps);
                // The head of the text knows no types of the program.
                let call = String::from_utf8_lossy(self.sources.snippet(span));
                let open = format!("((__typeof__({call})){name}(");
                (open, "))".to_owned())
            };
            self.edits.insert(span.lo, Order::Call, open);
            self.edits.insert(span.hi, Order::AfterCall, close);
        }
        for (at, steps) in &self.decisions {
            let name = format!("cairn_branch_{at}");
            let decision = &self.places.decisions[*at];
            let (ty, open, close) = match &decision.kind {
                DecisionKind::Condition => ("int", format!("{name}(("), ") != 0)"),
                DecisionKind::Switch { ty, .. } => {
                    let ty = scalar(&self.ast.types, *ty).ok_or("a switch over no number")?;
                    (ty, format!("{name}("), ")")
                }
            };
            watcher(&mut head, &name, ty, steps);
            let Span { lo, hi } = decision.value;
            self.edits.insert(lo, Order::Branch, open);
            self.edits.insert(hi, Order::AfterBranch, close.to_owned());
        }
        for (at, steps) in &self.statements {
            let Statement { span, in_block, .. } = self.places.statements[*at];
            let text = chain(steps);
            if in_block {
                self.edits.insert(span.lo, Order::Statement, text + " ");
                continue;
            }
            let end = find::end(self.sources, span).ok_or("a statement has no end")?;
            let open = format!("{{ {text} ");
            self.edits.insert(span.lo, Order::Statement, open);
            let order = Order::AfterStatement;
            self.edits.insert(end, order, " }".to_owned());
        }
        Ok(self.edits.apply(|file| {
            let defines = first == Some(file.base);
            let linkage = if defines { "" } else { "extern " };
            format!("{linkage}{head}")
        }))
    }
}

/// What a waypoint does when it is passed: the run ends, or the counter moves.
fn step(index: usize, condition: &str, avoid: bool) -> (bool, String) {
    let action = if avoid {
        "abort();".to_owned()
    } else {
        format!("{COUNTER} = {}u;", index + 1)
    };
    let text = format!("if ({COUNTER} == {index}u && ({condition})) {action}");
    (avoid, text)
}

/// A type that holds all values of a scalar.
fn holder(types: &Types, ty: TypeId) -> Option<&'static str> {
    match types.get(ty) {
        CType::Enum(id) => types.enums[*id].underlying.map(IntKind::text),
        CType::Pointer(_) => Some("const volatile void *"),
        _ => scalar(types, ty),
    }
}

/// A function that sees a value pass.
fn watcher(head: &mut String, name: &str, ty: &str, steps: &Steps) {
    let text = chain(steps);
    let _ = write!(
        head,
        "static {ty} {name}({ty} result) {{ {text} return result; }} "
    );
}

/// One event passes at most one waypoint, and what is to be avoided comes first.
fn chain(steps: &Steps) -> String {
    let avoid = steps.iter().filter(|(avoid, _)| *avoid);
    let follow = steps.iter().filter(|(avoid, _)| !avoid);
    let texts: Vec<&str> = avoid.chain(follow).map(|(_, text)| text.as_str()).collect();
    texts.join(" else ")
}
