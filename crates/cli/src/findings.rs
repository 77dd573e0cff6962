//! An answer of `cairn check` for tools: what SARIF logs and JUnit files are made of.

use crate::check::exit_code;
use base::Span;
use base::place::Places;
use certify::{ReasonKind, Verdict};
use input::Loaded;
use input::property;
use program::values;
use report::findings::{Findings, FlowStep, Spot};
use report::model::Assigned;
use report::trace::{Line, Trace};
use std::time::Duration;

/// Steps of a flow at either end; viewers take no more than some thousands.
const STEPS: usize = 500;

/// All that tools are told; `text` is the report for people.
pub(crate) fn findings(
    verdict: &Verdict,
    loaded: &Loaded,
    trace: Option<&Trace>,
    text: String,
    elapsed: Duration,
) -> Findings {
    let finder = Finder {
        loaded,
        places: Places::new(&loaded.sources),
    };
    let files = loaded.request.files.iter();
    let folder = std::env::current_dir().unwrap_or_default();
    let mut findings = Findings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        verdict: verdict.name().to_owned(),
        exit_code: exit_code(verdict),
        properties: loaded
            .request
            .selection
            .property_names()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        assumptions: loaded.program.assumptions.clone(),
        files: files
            .map(|file| file.to_string_lossy().into_owned())
            .collect(),
        folder: folder.to_string_lossy().into_owned(),
        text,
        seconds: elapsed.as_secs_f64(),
        ..Findings::default()
    };
    match verdict {
        Verdict::Safe(_) => "no violation can be reached".clone_into(&mut findings.message),
        Verdict::Unsafe(replayed) => {
            let violation = &replayed.violation;
            let program = &loaded.program;
            findings.message = finder.with_inputs(&violation.message, &replayed.run.inputs);
            let violated = property::name(violation.property).to_owned();
            // A program that was dumped has the checks it was dumped with.
            if !findings.properties.contains(&violated) {
                findings.properties.push(violated.clone());
            }
            findings.violated = Some(violated);
            findings.spot = finder.spot(violation.span);
            findings.function = program.procs[replayed.error.0].name.to_string();
            let inputs = replayed.run.inputs.iter().map(|&(site, value)| {
                let site = &program.sites[site];
                let text = format!("input `{}` = {}", site.name, values::show(value));
                (text, finder.spot(site.span))
            });
            let leaps = replayed.leaps.iter().map(|leap| {
                let text = format!("{} turns of this loop are proved, not run", leap.turns);
                (text, finder.spot(leap.span))
            });
            findings.notes = inputs.chain(leaps).collect();
            if let Some(trace) = trace {
                findings.flow = finder.flow(trace, &violation.message, violation.span);
            }
        }
        Verdict::Unknown(reason) => {
            findings.message = format!("no verdict: {}", reason.message);
            findings.is_internal = reason.kind == ReasonKind::Internal;
            findings.spot = finder.spot(reason.span);
            let notes = reason.notes.iter();
            findings.notes = notes
                .map(|(note, span)| (note.clone(), finder.spot(*span)))
                .collect();
            findings.help = reason.help.clone();
        }
    }
    findings
}

struct Finder<'a> {
    loaded: &'a Loaded,
    places: Places<'a>,
}

impl Finder<'_> {
    fn spot(&self, span: Span) -> Option<Spot> {
        let place = self.places.of(span)?;
        let column = |at: usize| place.text[..at].chars().count() as u32 + 1;
        Some(Spot {
            file: place.position.file.to_string(),
            line: place.position.line,
            column: column(place.range.start),
            end: column(place.range.end),
            text: place.text.clone(),
        })
    }

    /// A message with the first few inputs.
    fn with_inputs(
        &self,
        message: &str,
        inputs: &[(program::ir::SiteId, program::expr::Constant)],
    ) -> String {
        const NAMED: usize = 5;
        if inputs.is_empty() {
            return message.to_owned();
        }
        let named = inputs.iter().take(NAMED).map(|&(site, value)| {
            let site = &self.loaded.program.sites[site];
            format!("{} = {}", site.name, values::show(value))
        });
        let named: Vec<String> = named.collect();
        let more = if inputs.len() > NAMED { ", ..." } else { "" };
        format!("{message} (inputs: {}{more})", named.join(", "))
    }

    /// The run step by step, without the lines that do not matter; the violation comes last.
    fn flow(&self, trace: &Trace, message: &str, span: Span) -> Vec<FlowStep> {
        let shown = trace.lines.iter();
        let shown = shown.filter(|line| line.matters || line.entered.is_some());
        let mut steps: Vec<FlowStep> = shown.filter_map(|line| self.step(line)).collect();
        if steps.len() > 2 * STEPS {
            steps.drain(STEPS..steps.len() - STEPS);
        }
        let depth = trace.lines.last().map_or(0, |line| line.depth);
        // What fails may be a part of the line that is the last step.
        let at = self.spot(span);
        if let (Some(at), Some(last)) = (&at, steps.last())
            && last.spot.line == at.line
            && last.spot.file == at.file
            && last.values.is_empty()
        {
            steps.pop();
        }
        steps.extend(at.map(|spot| FlowStep {
            spot,
            message: message.to_owned(),
            depth,
            matters: true,
            values: Vec::new(),
        }));
        steps
    }

    fn step(&self, line: &Line) -> Option<FlowStep> {
        let spot = self.spot(line.span)?;
        let list = |values: &[Assigned]| {
            let shown = values.iter().filter(|value| value.matters);
            let shown = shown.map(|value| format!("{} = {}", value.name, value.value));
            shown.collect::<Vec<_>>().join(", ")
        };
        let mut parts = Vec::new();
        if let Some(args) = &line.entered {
            let name = &self.loaded.program.procs[line.proc].name;
            parts.push(format!("{name}({}) is entered", list(args)));
        }
        if let Some(turn) = line.turn
            && turn.of > 1
        {
            parts.push(format!("turn {} of {}", turn.number, turn.of));
        }
        let values = list(&line.values);
        if !values.is_empty() {
            parts.push(values);
        }
        if parts.is_empty() {
            parts.push(format!("`{}`", spot.text.trim()));
        }
        let shown = line.values.iter().filter(|value| value.matters);
        Some(FlowStep {
            spot,
            message: parts.join("; "),
            depth: line.depth,
            matters: line.matters,
            values: shown
                .map(|value| (value.name.clone(), value.value.clone()))
                .collect(),
        })
    }
}
