//! The answer of a finished child, and whether it came within its limits.

use super::child::{Ended, Limits};
use super::row::{Answer, Status};
use crate::memory::MEGABYTE;
use base::Exhausted;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;

/// What we read of the document that `cairn check --json` prints.
#[derive(Deserialize)]
struct Document {
    verdict: String,
    reason: Option<Reason>,
    #[serde(default)]
    errors: Vec<Message>,
    #[serde(default)]
    stats: Stats,
}

#[derive(Deserialize, Default)]
struct Stats {
    #[serde(default)]
    counters: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Reason {
    kind: String,
    message: String,
}

#[derive(Deserialize)]
struct Message {
    message: String,
}

/// The verdict, or what there is instead and why.
pub(super) fn of(limits: &Limits, ended: &Ended) -> (Option<Answer>, Status, String) {
    let over = over_limit(limits, ended);
    let Ok(document) = serde_json::from_slice::<Document>(&ended.stdout) else {
        let (status, reason) = over.unwrap_or_else(|| (Status::Error, crash(ended)));
        return (None, status, reason);
    };
    if let Some(verdict) = Answer::of_name(&document.verdict) {
        return match over {
            None => (Some(verdict), Status::Unrated, String::new()),
            Some((status, reason)) => {
                let late = format!("{reason}; then it answered `{}`", verdict.name());
                (None, status, late)
            }
        };
    }
    let said = match (document.reason, document.errors.into_iter().next()) {
        (Some(reason), _) => {
            let status = match reason.kind.as_str() {
                "timeout" => Status::Timeout,
                "memory" => Status::Memory,
                "internal" => Status::Error,
                _ => over.map_or(Status::Unknown, |(status, _)| status),
            };
            (status, reason.message)
        }
        (None, Some(error)) => (Status::Error, error.message),
        (None, None) => (Status::Error, "no reason is given".to_owned()),
    };
    (None, said.0, said.1)
}

/// What the engine counted, whatever came of it.
pub(super) fn counters(ended: &Ended) -> BTreeMap<String, u64> {
    let document = serde_json::from_slice::<Document>(&ended.stdout);
    document.map_or_else(|_| BTreeMap::new(), |document| document.stats.counters)
}

/// The limit that the child went over, if it did.
fn over_limit(limits: &Limits, ended: &Ended) -> Option<(Status, String)> {
    let usage = &ended.usage;
    if ended.killed == Some(Exhausted::Time) || usage.cpu.max(usage.wall) > limits.time {
        let seconds = limits.time.as_secs_f64();
        return Some((Status::Timeout, format!("more than {seconds} s")));
    }
    let refused = ended.status.signal().is_some() && allocation_failed(&ended.stderr);
    if ended.killed == Some(Exhausted::Memory)
        || refused
        || usage.memory > limits.memory.saturating_mul(MEGABYTE)
    {
        return Some((Status::Memory, format!("more than {} MB", limits.memory)));
    }
    None
}

/// What Rust and the C++ library say before they give up for want of memory.
fn allocation_failed(stderr: &[u8]) -> bool {
    let text = String::from_utf8_lossy(stderr);
    ["memory allocation of", "std::bad_alloc"]
        .iter()
        .any(|words| text.contains(words))
}

/// How a child ended that said nothing on standard output.
fn crash(ended: &Ended) -> String {
    let stderr = String::from_utf8_lossy(&ended.stderr);
    let last = stderr.lines().last().unwrap_or_default();
    match ended.status.signal() {
        Some(signal) => format!("ended by signal {signal} {last}"),
        None => format!("no answer could be read {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::child::Usage;
    use crate::plan::Task;
    use crate::row::Row;
    use std::process::ExitStatus;
    use std::time::Duration;

    const LIMITS: Limits = Limits {
        time: Duration::from_secs(10),
        memory: 100,
    };

    fn ended(stdout: &str, seconds: u64, megabytes: u64) -> Ended {
        Ended {
            killed: None,
            status: ExitStatus::from_raw(if stdout.is_empty() { 11 } else { 0 }),
            stdout: stdout.into(),
            stderr: b"noise\nthe end".to_vec(),
            usage: Usage {
                cpu: Duration::from_secs(seconds),
                wall: Duration::from_secs(seconds),
                memory: megabytes * MEGABYTE,
            },
        }
    }

    fn task(expected: Option<bool>) -> Task {
        Task {
            set: "set".to_owned(),
            file: "set/x.c".into(),
            property: "unreach-call".to_owned(),
            expected,
        }
    }

    #[test]
    fn what_counts_as_what() {
        let unknown = |kind: &str| {
            format!(r#"{{"verdict":"unknown","reason":{{"kind":"{kind}","message":"a\n b"}}}}"#)
        };
        let safe = r#"{"verdict":"safe","stats":{"counters":{"covers":3}}}"#;
        let error = r#"{"verdict":"error","errors":[{"message":"no"}]}"#;
        let cases = [
            (safe, 1, 10, Some(true), Status::Correct, ""),
            (safe, 1, 10, Some(false), Status::Wrong, ""),
            (safe, 1, 10, None, Status::Unrated, ""),
            (
                safe,
                11,
                10,
                Some(false),
                Status::Timeout,
                "more than 10 s; then it answered `safe`",
            ),
            (
                safe,
                1,
                101,
                Some(true),
                Status::Memory,
                "more than 100 MB; then it answered `safe`",
            ),
            (
                &unknown("gave-up"),
                1,
                10,
                Some(true),
                Status::Unknown,
                "a b",
            ),
            (&unknown("timeout"), 9, 10, None, Status::Timeout, "a b"),
            (&unknown("cancelled"), 11, 10, None, Status::Timeout, "a b"),
            (&unknown("memory"), 1, 99, None, Status::Memory, "a b"),
            (&unknown("internal"), 1, 10, None, Status::Error, "a b"),
            (error, 1, 10, Some(true), Status::Error, "no"),
            (
                "",
                1,
                10,
                Some(true),
                Status::Error,
                "ended by signal 11 the end",
            ),
            ("", 11, 10, Some(true), Status::Timeout, "more than 10 s"),
            (
                "nonsense",
                1,
                10,
                None,
                Status::Error,
                "no answer could be read the end",
            ),
        ];
        for (stdout, seconds, megabytes, expected, status, reason) in cases {
            let ended = ended(stdout, seconds, megabytes);
            let row = Row::of(&task(expected), "cra", &LIMITS, &ended);
            assert_eq!(
                (row.status, row.reason.as_str()),
                (status, reason),
                "{stdout}"
            );
            assert_eq!(row.verdict.is_some(), row.status <= Status::Unrated);
            let covers = row.counters.get("covers");
            assert_eq!(covers, (stdout == safe).then_some(&3));
        }
    }
}
