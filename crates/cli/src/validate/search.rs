//! Runs that follow a witness which leaves something open: an engine looks for one.
//!
//! # Invariants
//! - `Rejected` rests on a checked proof that no run follows the witness to its target, or on the
//!   target's being no place where what is checked can fail.

use super::violation::Target;
use super::{Answer, Scene};
use crate::limits::CHECKING_GRACE;
use crate::load;
use crate::stages;
use base::{Diagnostics, Severity, SourceMap, Span};
use certify::{Replayed, Trace, Verdict};
use cfront::ast::visit::{Visitor, walk_expr};
use cfront::ast::{Ast, BinaryOp, CastKind, Expr, ExprKind};
use engine::{Task, accelerate};
use program::ir::{LocationId, ProcId, Program, Property, Site};
use witness::format::Segment;
use witness::product::{self, Texts};

/// Looks for a run through all segments to the target.
pub(super) fn search(scene: &Scene<'_>, segments: &[Segment], target: &Target<'_>) -> Answer {
    let product = match Product::new(scene, segments, target) {
        Ok(product) => product,
        Err(why) => return Answer::Unknown(format!("the witness cannot be followed: {why}")),
    };
    if !product.has_target {
        return scene.rejected(format!(
            "nothing that violates the property stands at the target, line {}",
            target.location.line
        ));
    }
    let task = Task {
        program: product.program.clone(),
        seed: 0,
        summary: summary::Style::Cairn,
        journal: None,
    };
    let checking = || scene.budget.extended(CHECKING_GRACE);
    match engine::decide(scene.engine, &task, scene.budget, checking) {
        Verdict::Safe(_) if product.ends_runs => Answer::Unknown(
            "no run follows the witness to its target, but its assumptions may be undefined"
                .to_owned(),
        ),
        Verdict::Safe(_) => scene
            .rejected("no run follows the witness to its target; the proof was checked".to_owned()),
        Verdict::Unsafe(replayed) => product.confirm(scene, &replayed),
        Verdict::Unknown(reason) => {
            Answer::Unknown(format!("no run was found: {}", reason.message))
        }
    }
}

/// The program beside the witness.
struct Product {
    program: Program,
    sources: SourceMap,
    texts: Texts,
    has_target: bool,
    /// Whether an assumption of the witness may be undefined, so that runs end in it.
    ends_runs: bool,
}

impl Product {
    fn new(scene: &Scene<'_>, segments: &[Segment], target: &Target<'_>) -> Result<Self, String> {
        let loaded = scene.loaded;
        let ast = loaded.ast.as_ref().ok_or("the program is no C text")?;
        let texts = product::texts(ast, &loaded.sources, segments)?;
        let mut sources = SourceMap::new();
        let mut files = Vec::new();
        for (name, text) in &texts.files {
            let id = sources.add(name, text.clone());
            files.push(id.ok_or("the texts are too large")?);
        }
        let mut diagnostics = Diagnostics::new();
        let request = &loaded.request;
        let ast = stages::parse(&mut sources, &files, request.model, &[], &mut diagnostics);
        let (assert_is_error, _) = load::assert_rule(&request.selection, &ast);
        let program = if diagnostics.has_errors() {
            None
        } else {
            stages::lower(&ast, request, assert_is_error, &mut diagnostics)
        };
        let error = diagnostics
            .iter()
            .find(|diagnostic| diagnostic.severity == Severity::Error);
        if let Some(error) = error {
            return Err(format!("an expression in it is none: {}", error.message));
        }
        let mut program = program.ok_or("the program could not be lowered")?;
        let is_inserted = |span| texts.is_inserted(&sources, span);
        let ends_runs = may_be_undefined(&ast, &request.entry, is_inserted);
        let passed = segments.len() as u32 - 1;
        let has_target = product::gate(&mut program, passed, |span| {
            let back = texts.back(&sources, &loaded.sources, span);
            !is_inserted(span) && back.is_some_and(|span| target.is_at(span))
        });
        Ok(Product {
            program,
            sources,
            texts,
            has_target,
            ends_runs,
        })
    }

    /// Replays a run of the product on the program itself.
    fn confirm(&self, scene: &Scene<'_>, replayed: &Replayed) -> Answer {
        let loaded = scene.loaded;
        let back = |span: Span| self.texts.back(&self.sources, &loaded.sources, span);
        let mut inputs = Vec::new();
        for &(site, value) in &replayed.run.inputs {
            let row = &self.program.sites[site];
            let is_like = |other: &Site| {
                other.kind == row.kind && other.name == row.name && other.ty == row.ty
            };
            // One place may take several inputs, as a call of `scanf` does: they keep their order.
            let alike = self.program.sites.iter_enumerated();
            let alike = alike.filter(|(_, other)| other.span == row.span && is_like(other));
            let rank = alike.take_while(|(other, _)| *other != site).count();
            let place = back(row.span);
            let mut own = loaded.program.sites.iter_enumerated().filter(|(_, own)| {
                is_like(own) && place.is_some_and(|place| place.lo == own.span.lo)
            });
            if let Some((own, _)) = own.nth(rank) {
                inputs.push((own, value));
            }
        }
        let place = back(replayed.violation.span);
        let errors = errors(&loaded.program);
        for (proc, location, span) in errors {
            if place.is_none_or(|place| place.lo != span.lo) {
                continue;
            }
            let budget = scene.budget.extended(CHECKING_GRACE);
            let error = (proc, location);
            let trace = match replayed.leaps.is_empty() {
                true => Some(Trace {
                    inputs: inputs.clone(),
                    error,
                    lemmas: None,
                }),
                // Lemmas speak of one program only, so they are looked for again.
                false => accelerate::run(&loaded.program, &inputs, &budget)
                    .filter(|trace| trace.error == error),
            };
            if let Some(trace) = trace
                && certify::replay(&loaded.program, &trace, &budget).is_ok()
            {
                return Answer::Confirmed(
                    "a run that follows the witness to its target was found and replayed"
                        .to_owned(),
                );
            }
        }
        Answer::Unknown("a run was found, but the program itself does not make it".to_owned())
    }
}

/// Whether undefined behaviour may be met at a place: what a property asks for, and what none does.
fn may_be_undefined(ast: &Ast, entry: &str, is_place: impl Fn(Span) -> bool) -> bool {
    let mut unasked = Unasked {
        ast,
        is_place: &is_place,
        is_met: false,
    };
    for row in ast.functions.iter() {
        if let Some(body) = &row.body {
            unasked.block(&body.block);
        }
    }
    if unasked.is_met {
        return true;
    }
    let undefined = [
        Property::Overflow,
        Property::DivisionByZero,
        Property::Shift,
        Property::Dereference,
    ];
    let options = lower::Options {
        entry: entry.to_owned(),
        properties: undefined.into(),
        assert_is_error: false,
    };
    let lowered = lower::lower(ast, &options, &mut Diagnostics::new());
    lowered.is_none_or(|program| errors(&program).iter().any(|row| is_place(row.2)))
}

/// Looks for operations at a place that may be undefined without a property that asks for it.
struct Unasked<'a> {
    ast: &'a Ast,
    is_place: &'a dyn Fn(Span) -> bool,
    is_met: bool,
}

impl Visitor for Unasked<'_> {
    fn expr(&mut self, expr: &Expr) {
        let is_pointer = |expr: &Expr| self.ast.types.is_pointer(expr.ty.ty);
        let is_such = match &expr.kind {
            ExprKind::Cast { kind, .. } => *kind == CastKind::FloatToInt,
            // The order of pointers, and pointers that move; an access by one is asked for.
            ExprKind::Binary(op, left, right) => {
                let is_order = matches!(
                    op,
                    BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge
                );
                let moves = matches!(
                    op,
                    BinaryOp::PointerAdd | BinaryOp::PointerSub | BinaryOp::PointerDiff
                );
                moves || is_order && (is_pointer(left) || is_pointer(right))
            }
            _ => false,
        };
        self.is_met |= is_such && (self.is_place)(expr.span);
        match &expr.kind {
            ExprKind::Deref(pointer) => walk_expr(self, pointer),
            _ => walk_expr(self, expr),
        }
    }
}

/// The error locations of a program and their places.
pub(super) fn errors(program: &Program) -> Vec<(ProcId, LocationId, Span)> {
    let mut errors = Vec::new();
    for (proc, procedure) in program.procs.iter_enumerated() {
        for (location, row) in procedure.locations.iter_enumerated() {
            if let Some(violation) = &row.error {
                errors.push((proc, location, violation.span));
            }
        }
    }
    errors
}
