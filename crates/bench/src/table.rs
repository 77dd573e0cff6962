//! The tables of a run, as Markdown.
//!
//! # Paper
//! [fang2025software], Tables 2 and 3: the first table has their rows and columns, one pair of
//! columns per engine. The second has what they leave out, the third the engines' counters.

use super::folder::Settings;
use super::row::Status::*;
use super::row::{Answer, Row};
use super::tally::Tally;
use crate::memory::MEGABYTE;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// The tables and what they were measured with.
pub fn markdown(rows: &[Row], settings: &Settings) -> String {
    let sets = in_order(rows.iter().map(|row| row.set.as_str()));
    let engines = in_order(rows.iter().map(|row| row.engine.as_str()));
    let mut text = String::new();
    overview(&mut text, rows, &sets, &engines);
    details(&mut text, rows, &sets, &engines);
    counts(&mut text, rows, &sets, &engines);
    wrong(&mut text, rows);
    let _ = write!(
        text,
        "\ncairn {}, property {}, limits {} s (clock and processor) and {} MB a task",
        settings.cairn, settings.property, settings.timeout_s, settings.memory_mb
    );
    if !settings.flags.is_empty() {
        let _ = write!(text, ", flags `{}`", settings.flags.join(" "));
    }
    text + ".\n"
}

/// Each text once, in the order of first occurrence.
fn in_order<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut found: Vec<&str> = Vec::new();
    for text in texts {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// The paper's table: sets, their safe and unsafe tasks, the sum, and the kinds of failures.
fn overview(text: &mut String, rows: &[Row], sets: &[&str], engines: &[&str]) {
    let mut header = vec!["set".to_owned(), "tasks".to_owned()];
    for engine in engines {
        header.extend([format!("{engine} correct"), format!("{engine} CPU s")]);
    }
    head(text, &header, 1);
    let mut group = |name: String, belongs: &dyn Fn(&Row) -> bool| {
        let of = |engine: &str| -> Tally {
            let chosen = |row: &&Row| row.engine == engine && belongs(row);
            rows.iter().filter(chosen).collect()
        };
        let tallies: Vec<Tally> = engines.iter().map(|engine| of(engine)).collect();
        let tasks = tallies.iter().map(|tally| tally.tasks).max().unwrap_or(0);
        if tasks > 0 {
            let mut cells = vec![name, tasks.to_string()];
            for tally in &tallies {
                cells.extend([tally.count(Correct).to_string(), seconds(tally.cpu)]);
            }
            line(text, &cells);
        }
        tallies
    };
    for set in sets {
        group(format!("**{}**", escape(set)), &|row| row.set == *set);
        for answer in [Answer::Safe, Answer::Unsafe] {
            group(answer.name().to_owned(), &|row| {
                row.set == *set && row.expected == Some(answer)
            });
        }
    }
    let all = group("**total**".to_owned(), &|_| true);
    let mut cells = vec!["failures T/M/U/E".to_owned(), String::new()];
    for tally in &all {
        let failures = [Timeout, Memory, Unknown, Error];
        let failures = failures.map(|status| tally.count(status).to_string());
        cells.extend([failures.join("/"), String::new()]);
    }
    line(text, &cells);
    text.push_str("\nFailures: time, memory, unknown, error.\n\n");
}

const DETAILS: [&str; 15] = [
    "set",
    "engine",
    "tasks",
    "safe",
    "unsafe",
    "unrated",
    "wrong",
    "unknown",
    "timeouts",
    "out of memory",
    "errors",
    "CPU s",
    "median s",
    "> 1 s",
    "max MB",
];

/// All numbers of every set and engine.
fn details(text: &mut String, rows: &[Row], sets: &[&str], engines: &[&str]) {
    head(text, &DETAILS.map(str::to_owned), 2);
    for set in sets {
        for engine in engines {
            let belongs = |row: &&Row| row.set == *set && row.engine == *engine;
            let tally: Tally = rows.iter().filter(belongs).collect();
            if tally.tasks > 0 {
                numbers(text, &escape(set), engine, &tally);
            }
        }
    }
    if sets.len() > 1 {
        for engine in engines {
            let tally = rows.iter().filter(|row| row.engine == *engine).collect();
            numbers(text, "**total**", engine, &tally);
        }
    }
}

fn numbers(text: &mut String, set: &str, engine: &str, tally: &Tally) {
    let mut cells = vec![set.to_owned(), engine.to_owned()];
    let is_unsafe = tally.count(Correct) - tally.safe;
    cells.extend([tally.tasks, tally.safe, is_unsafe].map(|count| count.to_string()));
    let others = [Unrated, Wrong, Unknown, Timeout, Memory, Error];
    cells.extend(others.map(|status| tally.count(status).to_string()));
    cells.extend([
        seconds(tally.cpu),
        format!("{:.3}", tally.median().as_secs_f64()),
        tally.longer_than(Duration::from_secs(1)).to_string(),
        tally.memory.div_ceil(MEGABYTE).to_string(),
    ]);
    line(text, &cells);
}

/// What engines counted: the median and the most of the tasks of a set; nothing if none counts.
fn counts(text: &mut String, rows: &[Row], sets: &[&str], engines: &[&str]) {
    let names: BTreeSet<&str> = { rows.iter() }
        .flat_map(|row| row.counters.keys().map(String::as_str))
        .collect();
    if names.is_empty() {
        return;
    }
    text.push('\n');
    let header = ["set", "engine"].into_iter().chain(names.iter().copied());
    head(text, &header.map(str::to_owned).collect::<Vec<_>>(), 2);
    for set in sets {
        for engine in engines {
            let belongs = |row: &&Row| row.set == *set && row.engine == *engine;
            let rows: Vec<&Row> = rows.iter().filter(belongs).collect();
            let mut cells = vec![escape(set), (*engine).to_owned()];
            cells.extend(names.iter().map(|name| median_and_most(&rows, name)));
            if rows.iter().any(|row| !row.counters.is_empty()) {
                line(text, &cells);
            }
        }
    }
    text.push_str("\nCounts of an engine: median, most.\n");
}

fn median_and_most(rows: &[&Row], name: &str) -> String {
    let counts = rows.iter().filter_map(|row| row.counters.get(name));
    let mut counts: Vec<u64> = counts.copied().collect();
    counts.sort_unstable();
    match counts.last() {
        Some(most) => format!("{}, {most}", counts[(counts.len() - 1) / 2]),
        None => String::new(),
    }
}

/// The wrong verdicts, by name.
fn wrong(text: &mut String, rows: &[Row]) {
    let wrong = rows.iter().filter(|row| row.status == Wrong);
    for row in wrong {
        let said = row.verdict.map_or("", Answer::name);
        let _ = write!(
            text,
            "\n**Wrong:** {} says `{said}` of `{}`.\n",
            row.engine, row.task
        );
    }
}

/// The first lines of a table: the first `words` columns are text, the others numbers.
fn head(text: &mut String, cells: &[String], words: usize) {
    line(text, cells);
    let rules: Vec<String> = (0..cells.len())
        .map(|column| if column < words { "---" } else { "---:" }.to_owned())
        .collect();
    line(text, &rules);
}

fn line(text: &mut String, cells: &[String]) {
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

fn seconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64())
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::child::Usage;
    use crate::row::Status;
    use std::collections::BTreeMap;

    fn row(task: &str, engine: &str, status: Status, millis: u64) -> Row {
        Row {
            set: "loops".to_owned(),
            task: task.to_owned(),
            engine: engine.to_owned(),
            expected: Some(Answer::Safe),
            verdict: (status <= Status::Unrated).then_some(Answer::Safe),
            status,
            usage: Usage {
                cpu: Duration::from_millis(millis),
                wall: Duration::from_millis(millis),
                memory: 12 * MEGABYTE,
            },
            counters: BTreeMap::new(),
            reason: String::new(),
        }
    }

    #[test]
    fn one_set_two_engines() {
        let rows = [
            row("a.c", "gps", Status::Correct, 100),
            row("a.c", "cra", Status::Unknown, 300),
            row("b.c", "gps", Status::Correct, 2000),
            row("b.c", "cra", Status::Timeout, 9000),
        ];
        let settings = Settings {
            cairn: "1".to_owned(),
            property: "unreach-call".to_owned(),
            timeout_s: 9.0,
            memory_mb: 100,
            flags: vec!["--seed".to_owned(), "1".to_owned()],
        };
        let expected = "\
| set | tasks | gps correct | gps CPU s | cra correct | cra CPU s |
| --- | ---: | ---: | ---: | ---: | ---: |
| **loops** | 2 | 2 | 2.1 | 0 | 9.3 |
| safe | 2 | 2 | 2.1 | 0 | 9.3 |
| **total** | 2 | 2 | 2.1 | 0 | 9.3 |
| failures T/M/U/E |  | 0/0/0/0 |  | 1/0/1/0 |  |

Failures: time, memory, unknown, error.

| set | engine | tasks | safe | unsafe | unrated | wrong | unknown | timeouts | out of memory | errors | CPU s | median s | > 1 s | max MB |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| loops | gps | 2 | 2 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 2.1 | 1.050 | 1 | 12 |
| loops | cra | 2 | 0 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 9.3 | 4.650 | 1 | 0 |

cairn 1, property unreach-call, limits 9 s (clock and processor) and 100 MB a task, flags `--seed 1`.
";
        assert_eq!(markdown(&rows, &settings), expected);
    }

    #[test]
    fn what_engines_count() {
        let counting = |task: &str, covers: u64| {
            let mut row = row(task, "impact", Status::Correct, 1);
            row.counters.insert("covers".to_owned(), covers);
            row
        };
        let rows = [
            counting("a.c", 9),
            counting("b.c", 2),
            counting("c.c", 4),
            row("d.c", "impact", Status::Error, 1),
            row("a.c", "cra", Status::Correct, 1),
        ];
        let mut text = String::new();
        counts(&mut text, &rows, &["loops"], &["cra", "impact"]);
        let expected = "
| set | engine | covers |
| --- | --- | ---: |
| loops | impact | 4, 9 |

Counts of an engine: median, most.
";
        assert_eq!(text, expected);
        text.clear();
        counts(&mut text, &rows[4..], &["loops"], &["cra"]);
        assert_eq!(text, "");
    }
}
