//! Rows as comma-separated values.
//!
//! # Invariants
//! - What [`line`] writes, [`read`] reads back; a truncated line is left out.

use super::child::Usage;
use super::row::{Answer, Row, Status};
use crate::memory::MEGABYTE;
use std::collections::BTreeMap;
use std::time::Duration;

/// The first line.
pub(crate) const HEADER: &str =
    "set,task,engine,expected,verdict,status,cpu_s,wall_s,memory_mb,counters,reason\n";

/// The line of a row.
pub(crate) fn line(row: &Row) -> String {
    let word = |answer: Option<Answer>| answer.map_or("", Answer::name);
    let fields = [
        &row.set,
        &row.task,
        &row.engine,
        word(row.expected),
        word(row.verdict),
        row.status.name(),
        &format!("{:.3}", row.usage.cpu.as_secs_f64()),
        &format!("{:.3}", row.usage.wall.as_secs_f64()),
        &format!("{:.1}", row.usage.memory as f64 / MEGABYTE as f64),
        &counters(&row.counters),
        &row.reason,
    ];
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(fields).ok();
    let line = written.and_then(|()| writer.into_inner().ok());
    let line = line.expect("memory should take a line");
    String::from_utf8(line).expect("texts should stay texts")
}

/// Counts as words `name=count`.
fn counters(counters: &BTreeMap<String, u64>) -> String {
    let word = |(name, count): (&String, &u64)| format!("{name}={count}");
    counters.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn read_counters(text: &str) -> Option<BTreeMap<String, u64>> {
    let mut counters = BTreeMap::new();
    for word in text.split_whitespace() {
        let (name, count) = word.split_once('=')?;
        counters.insert(name.to_owned(), count.parse().ok()?);
    }
    Some(counters)
}

/// The rows of a text; none if its first line is not ours.
pub(crate) fn read(text: &str) -> Option<Vec<Row>> {
    let rest = text.strip_prefix(HEADER)?;
    // The last line counts only with its end.
    let complete = rest.rfind('\n').map_or("", |end| &rest[..=end]);
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).flexible(true);
    let mut reader = reader.from_reader(complete.as_bytes());
    let records = reader.records().filter_map(Result::ok);
    Some(records.filter_map(|record| row(&record)).collect())
}

fn row(record: &csv::StringRecord) -> Option<Row> {
    let fields: Vec<&str> = record.iter().collect();
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
        counters,
        reason,
    ] = fields[..]
    else {
        return None;
    };
    let seconds = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
    let megabytes: f64 = memory.parse().ok()?;
    Some(Row {
        set: set.to_owned(),
        task: task.to_owned(),
        engine: engine.to_owned(),
        expected: Answer::of_name(expected),
        verdict: Answer::of_name(verdict),
        status: Status::of_name(status)?,
        usage: Usage {
            cpu: seconds(cpu)?,
            wall: seconds(wall)?,
            memory: (megabytes * MEGABYTE as f64).round() as u64,
        },
        counters: read_counters(counters)?,
        reason: reason.to_owned(),
    })
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
            counters: [("forced_covers".to_owned(), 12), ("vertices".to_owned(), 0)].into(),
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
