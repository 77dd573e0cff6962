//! What a campaign found, counted.

use crate::check::Flaw;
use crate::truth::Skipped;
use crate::{Row, Tried};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// The counts of a campaign.
#[derive(Clone, Default, Debug)]
pub struct Report {
    models: usize,
    models_of_both: usize,
    programs: usize,
    skipped: usize,
    disagreements: usize,
    checks: usize,
    decided: usize,
    flaws: BTreeMap<Flaw, Vec<String>>,
    confirmed: usize,
    validated: usize,
    tampered: usize,
    overruns: Vec<Duration>,
    /// Decided and undecided, by what is counted and its name.
    split: BTreeMap<(&'static str, String), (usize, usize)>,
    reasons: BTreeMap<String, usize>,
    witness_reasons: BTreeMap<String, usize>,
}

impl Report {
    pub(crate) fn new(models: usize, models_of_both: usize) -> Report {
        Report {
            models,
            models_of_both,
            ..Report::default()
        }
    }

    pub(crate) fn add(&mut self, tried: Tried) {
        self.programs += 1;
        for rows in tried {
            match rows {
                Err(Skipped::NotEnumerated) => self.skipped += 1,
                Err(Skipped::Disagreement) => self.disagreements += 1,
                Ok(rows) => {
                    for row in rows {
                        self.row(&row);
                    }
                }
            }
        }
    }

    fn row(&mut self, row: &Row) {
        let (check, outcome) = (&row.check, &row.outcome);
        self.checks += 1;
        let is_decided = outcome.verdict == "safe" || outcome.verdict == "unsafe";
        self.decided += usize::from(is_decided);
        let truth = if check.expects_violation() {
            "unsafe"
        } else {
            "safe"
        };
        for (what, name) in [
            ("theme", row.theme),
            ("engine", &check.engine),
            ("property", check.property()),
            ("model", check.model.name()),
            ("truth", truth),
        ] {
            let counts = self.split.entry((what, name.to_owned())).or_default();
            match is_decided {
                true => counts.0 += 1,
                false => counts.1 += 1,
            }
        }
        if !is_decided {
            *self.reasons.entry(general(&outcome.reason)).or_default() += 1;
        }
        for (flaw, what) in &outcome.flaws {
            let line = format!(
                "{} {} {} {}: {what}",
                check.property(),
                check.engine,
                check.model.name(),
                truth
            );
            self.flaws.entry(*flaw).or_default().push(line);
        }
        self.confirmed += usize::from(outcome.is_confirmed);
        self.validated += usize::from(outcome.is_validated);
        self.tampered += usize::from(outcome.is_tampered);
        self.overruns.extend(outcome.overrun);
        if let Some(why) = &outcome.undecided_witness {
            *self.witness_reasons.entry(general(why)).or_default() += 1;
        }
    }

    /// How many checks there were.
    pub fn checks(&self) -> usize {
        self.checks
    }

    /// How many of them got a verdict.
    pub fn decided(&self) -> usize {
        self.decided
    }

    /// How many data models the compiler has.
    pub fn models(&self) -> usize {
        self.models
    }

    /// For how many of them a second compiler is there.
    pub fn models_of_both(&self) -> usize {
        self.models_of_both
    }

    /// How many mistakes of a kind there are.
    pub fn count(&self, flaw: Flaw) -> usize {
        self.flaws.get(&flaw).map_or(0, Vec::len)
    }

    /// Whether there is no mistake.
    pub fn is_clean(&self) -> bool {
        self.flaws.is_empty()
    }

    /// The main counts on a line.
    pub fn line(&self) -> String {
        let mut text = format!("{} decided", self.decided);
        for flaw in Flaw::ALL {
            let _ = write!(text, ", {} {}", self.count(flaw), flaw.name());
        }
        text
    }

    /// Everything, for a person.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (flaw, lines) in &self.flaws {
            for line in lines {
                let _ = writeln!(text, "{}: {line}", flaw.name());
            }
        }
        let _ = writeln!(
            text,
            "{} programs ({} not enumerated, {} on which the compilers disagree), {} checks: {}",
            self.programs,
            self.skipped,
            self.disagreements,
            self.checks,
            self.line()
        );
        let most = self.overruns.iter().max().copied().unwrap_or_default();
        let _ = writeln!(
            text,
            "violations compiled and reproduced: {}, witnesses confirmed: {}, false witnesses \
             tried: {}, more than a second over the limit: {} (most: {most:.1?})",
            self.confirmed,
            self.validated,
            self.tampered,
            self.overruns.len()
        );
        for ((what, name), (decided, undecided)) in &self.split {
            let all = decided + undecided;
            let _ = writeln!(text, "{what:9} {name:18} {decided:6} of {all:6} decided");
        }
        for (title, reasons) in [
            ("undecided", &self.reasons),
            ("safe witness undecided", &self.witness_reasons),
        ] {
            let mut sorted: Vec<(&String, &usize)> = reasons.iter().collect();
            sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            for (reason, count) in sorted {
                let _ = writeln!(text, "{title} {count:6}: {reason}");
            }
        }
        text
    }
}

/// A reason without its names and numbers, so that equal ones are counted together.
fn general(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or_default();
    let mut text = String::new();
    let mut in_quotes = false;
    for c in line.chars() {
        match c {
            '`' => {
                in_quotes = !in_quotes;
                text.push('`');
            }
            _ if in_quotes => {}
            _ if c.is_ascii_digit() => {
                if !text.ends_with('#') {
                    text.push('#');
                }
            }
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_that_differ_in_names_are_one() {
        assert_eq!(
            general("gave-up: `a.b` after 12 steps"),
            "gave-up: `` after # steps"
        );
    }
}
