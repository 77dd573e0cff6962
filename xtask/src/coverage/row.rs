//! What becomes of the goals of a task, as a line of a table, and the sums of a set.

use serde_json::Value;
use std::fmt::Write;

use super::gcov::{Seen, base_name};

/// The columns of a file of rows.
pub(super) const HEAD: &str = "set,task,goals,covered,reached,unreachable,tests,compared,equal,claimed only,wrong,seconds,why\n";

/// What becomes of the goals of a task.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Row {
    pub(super) set: String,
    pub(super) task: String,
    pub(super) goals: usize,
    pub(super) covered: usize,
    /// On the machine, by no test that a compiled program repeats.
    pub(super) reached: usize,
    pub(super) unreachable: usize,
    pub(super) tests: usize,
    /// The lines that both speak of.
    pub(super) compared: usize,
    /// Those on which both agree.
    pub(super) equal: usize,
    /// Claimed as covered, not seen by gcov.
    pub(super) unseen: Vec<u64>,
    /// Seen by gcov, claimed as unreachable.
    pub(super) wrong: Vec<u64>,
    pub(super) seconds: f64,
    /// Why the task does not count; empty if it does.
    pub(super) why: String,
}

impl Row {
    /// Holds the claims of a suite against what gcov saw.
    pub(super) fn compare(&mut self, suite: &Value, seen: &Seen) {
        self.tests = suite["tests"].as_array().map_or(0, Vec::len);
        for goal in suite["goals"].as_array().into_iter().flatten() {
            let state = goal["state"].as_str().unwrap_or_default();
            self.goals += 1;
            self.covered += usize::from(state == "covered");
            self.reached += usize::from(state == "reached");
            self.unreachable += usize::from(state == "unreachable");
            let line = goal["line"].as_u64().unwrap_or_default();
            let file = base_name(goal["file"].as_str().unwrap_or_default());
            let Some(&count) = seen.lines.get(&(file, line)) else {
                continue;
            };
            match (state, count > 0) {
                ("covered", false) => self.unseen.push(line),
                ("unreachable", true) => self.wrong.push(line),
                ("covered", true) | ("unreachable", false) => self.equal += 1,
                _ => {}
            }
        }
        self.compared = self.equal + self.unseen.len() + self.wrong.len();
    }

    pub(super) fn settled(&self) -> usize {
        self.covered + self.reached + self.unreachable
    }

    /// For a person, if there is anything to say.
    pub(super) fn remarks(&self) -> String {
        let mut text = String::new();
        if !self.why.is_empty() {
            let _ = write!(text, "; not counted: {}", self.why);
        }
        if !self.unseen.is_empty() {
            let _ = write!(text, "; covered, but not for gcov: {:?}", self.unseen);
        }
        if !self.wrong.is_empty() {
            let _ = write!(
                text,
                "; WRONG: seen, but called unreachable: {:?}",
                self.wrong
            );
        }
        text
    }

    /// As a line of a file.
    pub(super) fn line(&self) -> String {
        let list = |lines: &[u64]| {
            let words: Vec<String> = lines.iter().map(u64::to_string).collect();
            words.join(" ")
        };
        let why = self.why.replace(['\n', '\r'], " ");
        format!(
            "{},{},{},{},{},{},{},{},{},{},{},{:.1},{why}\n",
            self.set,
            self.task,
            self.goals,
            self.covered,
            self.reached,
            self.unreachable,
            self.tests,
            self.compared,
            self.equal,
            list(&self.unseen),
            list(&self.wrong),
            self.seconds,
        )
    }

    /// What a line of a file says.
    pub(super) fn read(line: &str) -> Option<Row> {
        let mut words = line.splitn(13, ',');
        let mut word = || words.next();
        let list = |text: &str| {
            let words = text.split_whitespace().map(|word| word.parse().ok());
            words.collect::<Option<Vec<u64>>>()
        };
        Some(Row {
            set: word()?.to_owned(),
            task: word()?.to_owned(),
            goals: word()?.parse().ok()?,
            covered: word()?.parse().ok()?,
            reached: word()?.parse().ok()?,
            unreachable: word()?.parse().ok()?,
            tests: word()?.parse().ok()?,
            compared: word()?.parse().ok()?,
            equal: word()?.parse().ok()?,
            unseen: list(word()?)?,
            wrong: list(word()?)?,
            seconds: word()?.parse().ok()?,
            why: word()?.to_owned(),
        })
    }
}

/// The sums of each set and of all, as text.
pub(super) fn table(rows: &[Row]) -> String {
    let head = [
        "set",
        "tasks",
        "counted",
        "goals",
        "covered",
        "reached",
        "unreachable",
        "open",
        "settled %",
        "tests",
        "lines compared",
        "equal",
        "claimed only",
        "wrong",
        "seconds",
    ];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    let mut sets: Vec<&str> = rows.iter().map(|row| &*row.set).collect();
    sets.sort_unstable();
    sets.dedup();
    for set in sets {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.set == set).collect();
        cells.push(sums(set, &rows));
    }
    cells.push(sums("total", &rows.iter().collect::<Vec<_>>()));
    crate::table::aligned(&cells)
}

fn sums(name: &str, rows: &[&Row]) -> Vec<String> {
    let sum = |of: fn(&Row) -> usize| rows.iter().map(|row| of(row)).sum::<usize>();
    let (goals, settled) = (sum(|row| row.goals), sum(Row::settled));
    let percent = 100.0 * settled as f64 / goals.max(1) as f64;
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    let mut cells = vec![name.to_owned(), rows.len().to_string()];
    let counted = sum(|row| usize::from(row.why.is_empty()));
    let counts = [
        counted,
        goals,
        sum(|row| row.covered),
        sum(|row| row.reached),
        sum(|row| row.unreachable),
        goals - settled,
    ];
    cells.extend(counts.map(|count| count.to_string()));
    cells.push(format!("{percent:.1}"));
    let counts = [
        sum(|row| row.tests),
        sum(|row| row.compared),
        sum(|row| row.equal),
        sum(|row| row.unseen.len()),
        sum(|row| row.wrong.len()),
    ];
    cells.extend(counts.map(|count| count.to_string()));
    cells.push(format!("{seconds:.0}"));
    cells
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    #[test]
    fn claims_are_held_against_what_was_seen() {
        let goal = |line: u64, state: &str, test: Option<u64>| json!({"state": state, "line": line, "file": "x/a.c", "test": test});
        let suite = json!({
            "tests": [{}, {}],
            "goals": [
                goal(1, "covered", Some(1)),
                goal(2, "covered", Some(1)),
                goal(3, "reached", Some(2)),
                goal(4, "unreachable", None),
                goal(5, "unreachable", None),
                goal(6, "open", None),
                goal(7, "covered", Some(1)),
            ],
        });
        let count = |line: u64| u64::from(matches!(line, 1 | 5 | 6));
        let lines = (1..=6).map(|line| (("a.c".to_owned(), line), count(line)));
        let seen = Seen {
            lines: lines.collect::<BTreeMap<_, _>>(),
        };
        let mut row = Row::default();
        row.compare(&suite, &seen);
        assert_eq!(
            (row.goals, row.covered, row.reached, row.unreachable),
            (7, 3, 1, 2)
        );
        assert_eq!((row.tests, row.compared, row.equal), (2, 4, 2));
        assert_eq!((&row.unseen[..], &row.wrong[..]), (&[2][..], &[5][..]));
        row.why = "gcc: a, b\nc".into();
        let read = Row::read(row.line().trim_end()).unwrap();
        assert_eq!(read.why, "gcc: a, b c");
        assert_eq!(
            Row {
                why: row.why.clone(),
                ..read
            },
            row
        );
        assert!(table(&[row]).lines().last().unwrap().starts_with("total"));
    }
}
