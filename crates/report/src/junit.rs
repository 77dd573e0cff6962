//! An answer as a JUnit XML file, for CI: a test case for each property, or for each error location
//! if each was decided separately.
//!
//! A violated property fails. If there is no verdict, another property is violated first, or no run
//! reaches the assertion, it is skipped; if an internal error is the reason, it is an error.

use crate::answer::{Answer, Finding};
use crate::markup::escape;
use crate::place::Place;
use std::borrow::Cow;
use std::fmt::Write;

/// The file as text; `report` is the answer for people.
pub fn text(answer: &Answer, report: &str) -> String {
    let mut cases = String::new();
    let (mut failures, mut errors, mut skipped) = (0, 0, 0);
    let report = escape(report);
    let (files, seconds) = (escape(&answer.subject.files.join(" ")), answer.cost.seconds);
    let goals = answer.goals.iter().map(|goal| {
        let place = goal.place.as_ref();
        let place = place.map_or_else(|| goal.function.clone(), Place::shown);
        let name = format!("{place}: {}", goal.message);
        (name, Cow::Owned(goal.answer(answer)), true)
    });
    // A property that another one keeps from being decided is a case as well.
    let violated = answer.violated();
    let properties = answer.checked().into_iter().map(|property| {
        let is_it = violated.is_none_or(|violated| violated == property);
        (property.to_owned(), Cow::Borrowed(answer), is_it)
    });
    let rows: Vec<(String, Cow<'_, Answer>, bool)> = match answer.goals.is_empty() {
        false => goals.collect(),
        true => properties.collect(),
    };
    for (name, row, is_meant) in &rows {
        let message = escape(&row.sentence());
        let mut skip = |why: &str| {
            skipped += 1;
            format!("<skipped message=\"{why}\"/>")
        };
        let outcome = match row.finding {
            Finding::Nothing if row.verdict == "unreachable" => skip(&message),
            Finding::Nothing => String::new(),
            Finding::Violation(..) if *is_meant => {
                failures += 1;
                let property = row.violated().unwrap_or_default();
                format!("<failure message=\"{message}\" type=\"{property}\">{report}</failure>")
            }
            Finding::Violation(..) => skip("another property is violated, which ended the search"),
            Finding::Unknown(_) if row.is_internal() => {
                errors += 1;
                format!("<error message=\"{message}\" type=\"internal\">{report}</error>")
            }
            Finding::Unknown(_) => skip(&message),
        };
        let outcome = match outcome.is_empty() {
            true => outcome,
            false => format!("\n      {outcome}\n    "),
        };
        let place = row.place.as_ref().map_or_else(String::new, |place| {
            let file = escape(place.name());
            format!(" file=\"{file}\" line=\"{}\"", place.line())
        });
        let _ = writeln!(
            cases,
            "    <testcase classname=\"{files}\" name=\"{}\" \
             time=\"{seconds:.3}\"{place}>{outcome}</testcase>",
            escape(name)
        );
    }
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" \
         time=\"{seconds:.3}\"",
        rows.len(),
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cairn\" {counts}>\n  \
         <testsuite name=\"cairn check {files}\" {counts}>\n{cases}    \
         <system-out>{report}</system-out>\n  </testsuite>\n</testsuites>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Subject;
    use program::ir::Property;

    #[test]
    fn each_property_is_a_case() {
        let answer = Answer {
            message: "x < 0".to_owned(),
            finding: Finding::Violation(Property::Shift, String::new()),
            subject: Subject {
                properties: vec!["no-overflow", "shift"],
                files: vec!["a.c".to_owned()],
                ..Subject::default()
            },
            ..Answer::default()
        };
        let xml = text(&answer, "");
        assert!(
            xml.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""),
            "{xml}"
        );
        assert!(
            xml.contains("<failure message=\"x &lt; 0\" type=\"shift\">"),
            "{xml}"
        );
    }
}
