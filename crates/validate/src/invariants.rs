//! Correctness witnesses: every invariant becomes a check at its location, and the program with
//! these checks is decided.
//!
//! # Invariants
//! - `confirmed` means that a proof of the program with all the invariants in it was checked; they
//!   can neither hide a violation nor end a run ([`cfront::claim`], `lower`).

use crate::{Validation, Validity};
use base::place::Places;
use base::{SourceMap, Span};
use certify::{Outcome, Replayed, Verdict, judge};
use cfront::ast::Ast;
use cfront::claim::ClaimKind;
use engine::{Task, claimed};
use input::{Claims, property, with_claims};
use program::ir::Property;
use program::values;
use std::panic::{AssertUnwindSafe, catch_unwind};
use witness::format::{C_EXPRESSION, Invariant, InvariantKind, Location};
use witness::position::Positions;

/// How much of the effort the claims get as they are, in percent.
const FIRST: u64 = 40;
/// Inputs of a run that are named in a message.
const SHOWN: usize = 6;

/// Checks a set of invariants.
pub(crate) fn check(validation: &Validation<'_>, invariants: &[Invariant]) -> Validity {
    let loaded = validation.loaded;
    let Some(ast) = &loaded.ast else {
        return Validity::Unknown("invariants are checked in C programs only".to_owned());
    };
    let sites = Sites::new(ast, &loaded.sources);
    let mut claims = Claims::default();
    for (index, invariant) in invariants.iter().enumerate() {
        if invariant.format != C_EXPRESSION {
            let why = format!("is written as {}, which is not read", invariant.format);
            return Validity::Unknown(about(invariant, &why));
        }
        let kind = match invariant.kind {
            InvariantKind::Loop => ClaimKind::Loop,
            InvariantKind::Location => ClaimKind::Statement,
        };
        match sites.find(invariant) {
            Ok(places) => {
                for at in places {
                    claims.add(index, at, kind, &invariant.value);
                }
            }
            Err(why) => return Validity::Rejected(about(invariant, &why)),
        }
    }
    let (program, sources) = match with_claims(loaded, ast, &claims, None) {
        Ok(claimed) => claimed,
        Err((Some(index), why)) => return Validity::Rejected(about(&invariants[index], &why)),
        Err((None, why)) => return Validity::Unknown(why),
    };
    let task = Task::new(program);
    let verdict = decide(validation, &task);
    let unchecked = loaded.request.selection.unchecked.first();
    match (verdict, unchecked) {
        (Verdict::Safe(_), Some(name)) => Validity::Unknown(format!(
            "the invariants hold, but {name} is not checked yet"
        )),
        (Verdict::Safe(_), None) => Validity::Confirmed(confirmed(invariants.len())),
        (Verdict::Unsafe(replayed), _) => rejected(invariants, &claims, &task, &sources, &replayed),
        (Verdict::Unknown(reason), _) => Validity::Unknown(format!(
            "whether the invariants hold and the program is safe is not known: {}",
            reason.message
        )),
    }
}

/// The claims may be a proof as they are. If not, the engine decides.
fn decide(validation: &Validation<'_>, task: &Task) -> Verdict {
    let budget = validation.budget.share(FIRST);
    let proof = catch_unwind(AssertUnwindSafe(|| claimed::proof(&task.program, &budget)));
    if let Ok(Some(proof)) = proof
        && let safe @ Verdict::Safe(_) =
            judge(&task.program, Outcome::Proved(proof), validation.budget)
    {
        return safe;
    }
    validation.decide(task)
}

fn confirmed(count: usize) -> String {
    let what = match count {
        0 => "there is no invariant".to_owned(),
        1 => "the invariant holds".to_owned(),
        count => format!("all {count} invariants hold"),
    };
    format!("{what}, and no violation can be reached; the proof was checked")
}

/// A run shows that the witness is wrong.
fn rejected(
    invariants: &[Invariant],
    claims: &Claims,
    task: &Task,
    sources: &SourceMap,
    replayed: &Replayed,
) -> Validity {
    let violation = &replayed.violation;
    let inputs = inputs(task, replayed);
    if violation.property == Property::Invariant
        && let Some(index) = claims.index_of(sources, violation.span)
    {
        let why = violation.message.strip_prefix("the invariant ");
        let why = why.unwrap_or(&violation.message);
        return Validity::Rejected(about(&invariants[index], &format!("{why}{inputs}")));
    }
    let place = Places::new(sources).position(violation.span);
    let place = place.map_or_else(String::new, |place| {
        format!("{}:{}: ", place.file, place.line)
    });
    Validity::Rejected(format!(
        "the program is unsafe ({}): {place}{}{inputs}",
        property::name(violation.property),
        violation.message
    ))
}

/// What the failing run took in.
fn inputs(task: &Task, replayed: &Replayed) -> String {
    let all = &replayed.run.inputs;
    if all.is_empty() {
        return String::new();
    }
    let shown = all.iter().take(SHOWN).map(|&(site, value)| {
        let name = &task.program.sites[site].name;
        format!("{name} = {}", values::show(value))
    });
    let more = if all.len() > SHOWN { ", ..." } else { "" };
    let shown: Vec<String> = shown.collect();
    format!(", with the inputs {}{more}", shown.join(", "))
}

fn about(invariant: &Invariant, why: &str) -> String {
    let Location {
        file_name, line, ..
    } = &invariant.location;
    let value = &invariant.value;
    format!("the invariant `{value}` at {file_name}:{line} {why}")
}

/// Where invariants can stand.
struct Sites<'a> {
    loops: Vec<Site<'a>>,
    statements: Vec<Site<'a>>,
}

struct Site<'a> {
    at: u32,
    function: &'a str,
    location: Location,
}

impl<'a> Sites<'a> {
    fn new(ast: &'a Ast, sources: &SourceMap) -> Self {
        let positions = Positions::new(sources);
        let mut sites = Sites {
            loops: Vec::new(),
            statements: Vec::new(),
        };
        for function in ast.functions.iter() {
            let Some(body) = &function.body else { continue };
            let site = |&span: &Span| {
                Some(Site {
                    at: span.lo,
                    function: &function.name,
                    location: positions.start(span, None)?,
                })
            };
            let keywords = body.loops.iter().map(|row| &row.keyword);
            sites.loops.extend(keywords.filter_map(site));
            sites.statements.extend(body.places.iter().filter_map(site));
        }
        sites
    }

    /// The places that an invariant names: several only if a text is in several units.
    fn find(&self, invariant: &Invariant) -> Result<Vec<u32>, String> {
        let (all, what) = match invariant.kind {
            InvariantKind::Loop => (&self.loops, "loop"),
            InvariantKind::Location => (&self.statements, "statement"),
        };
        let asked = &invariant.location;
        let on_line = |site: &&Site<'_>| {
            site.location.file_name == asked.file_name && site.location.line == asked.line
        };
        let found: Vec<&Site<'_>> = all.iter().filter(on_line).collect();
        if found.is_empty() {
            return Err(format!("is about no {what}: none starts on that line"));
        }
        let is_of = |site: &&Site<'_>| {
            let function = asked.function.as_deref();
            function.is_none_or(|function| function == site.function)
        };
        let found: Vec<&Site<'_>> = found.into_iter().filter(is_of).collect();
        let columns: Vec<u32> = found
            .iter()
            .filter_map(|site| site.location.column)
            .collect();
        let column = match (asked.column, &columns[..]) {
            (_, []) => return Err(format!("is about no {what} of the function it names")),
            (None, _) => columns.iter().min().copied(),
            (Some(column), _) if columns.contains(&column) => Some(column),
            // Where macros are expanded, columns move; there is no doubt which loop is meant.
            (Some(_), [only]) if invariant.kind == InvariantKind::Loop => Some(*only),
            (Some(column), _) => {
                return Err(format!(
                    "is about no {what}: none starts in column {column}"
                ));
            }
        };
        let found = found.iter().filter(|site| site.location.column == column);
        Ok(found.map(|site| site.at).collect())
    }
}
