//! Many small texts, each with gcc's verdict (`-std=gnu11`, version 12).
//!
//! A line of `verdicts.txt` is `+ text` if gcc takes it, `- text` if it does not, and `~ text` if
//! gcc takes it and we do not, because we cannot model it or because only `-fsyntax-only` is so
//! lenient.

mod common;

use cfront::types::DataModel;

#[test]
fn verdicts_are_gccs() {
    let mut wrong = Vec::new();
    for line in include_str!("verdicts.txt").lines() {
        let Some((verdict, text)) = line.split_once(' ') else {
            continue;
        };
        let (_, errors) = common::parse(text.as_bytes(), DataModel::Lp64);
        if errors.is_empty() != (verdict == "+") {
            wrong.push(format!("{verdict} {text}\n    {errors:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
