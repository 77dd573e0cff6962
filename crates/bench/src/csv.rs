//! Rows as comma-separated values.
//!
//! # Invariants
//! - What [`line`] writes, [`read`] reads back; a line that was cut short is left out.

use super::child::Usage;
use super::row::{Answer, Row, Status};
use crate::memory::MEGABYTE;
use std::time::Duration;

/// The first line.
pub(crate) const HEADER: &str =
    "set,task,engine,expected,verdict,status,cpu_s,wall_s,memory_mb,reason\n";

/// The line of a row.
pub(crate) fn line(row: &Row) -> String {
    let word = |answer: Option<Answer>| answer.map_or("", Answer::name).to_owned();
    let fields = [
        quoted(&row.set),
        quoted(&row.task),
        quoted(&row.engine),
        word(row.expected),
        word(row.verdict),
        row.status.name().to_owned(),
        format!("{:.3}", row.usage.cpu.as_secs_f64()),
        format!("{:.3}", row.usage.wall.as_secs_f64()),
        format!("{:.1}", row.usage.memory as f64 / MEGABYTE as f64),
        quoted(&row.reason),
    ];
    fields.join(",") + "\n"
}

/// The rows of a text; none if its first line is not ours.
pub(crate) fn read(text: &str) -> Option<Vec<Row>> {
    let rest = text.strip_prefix(HEADER)?;
    // The last line counts only with its end.
    let complete = rest.rfind('\n').map_or("", |end| &rest[..=end]);
    Some(complete.lines().filter_map(row).collect())
}

fn row(line: &str) -> Option<Row> {
    let fields = fields(line);
    let [
        set,
        task,
        engine,
        expected,
        verdict,
        status,
        cpu,
        wall,
        memory,
        reason,
    ] = &fields[..]
    else {
        return None;
    };
    let seconds = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
    let megabytes: f64 = memory.parse().ok()?;
    Some(Row {
        set: set.clone(),
        task: task.clone(),
        engine: engine.clone(),
        expected: Answer::named(expected),
        verdict: Answer::named(verdict),
        status: Status::named(status)?,
        usage: Usage {
            cpu: seconds(cpu)?,
            wall: seconds(wall)?,
            memory: (megabytes * MEGABYTE as f64).round() as u64,
        },
        reason: reason.clone(),
    })
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let last = fields.last_mut().expect("there should be a field");
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                last.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => last.push(c),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_back() {
        let row = Row {
            set: "a, b".to_owned(),
            task: "a, b/\"x\".c".to_owned(),
            engine: "cra".to_owned(),
            expected: Some(Answer::Unsafe),
            verdict: None,
            status: Status::Timeout,
            usage: Usage {
                cpu: Duration::from_millis(1234),
                wall: Duration::from_millis(2001),
                memory: 12_300_000,
            },
            reason: "no violation in 7 runs, 'so far'".to_owned(),
        };
        let text = HEADER.to_owned() + &line(&row) + &line(&row);
        assert_eq!(read(&text), Some(vec![row.clone(), row.clone()]));
        let cut = &text[..text.len() - 1];
        assert_eq!(read(cut), Some(vec![row]));
        assert_eq!(read(HEADER), Some(Vec::new()));
        assert_eq!(read("file,status\n"), None);
    }
}
