//! An answer as a JUnit XML file: a test case for each property, for CI.
//!
//! A violated property fails. Where there is no verdict, or another property is violated first, a
//! property is skipped; where a bug of ours is in the way, it is an error.

use crate::answer::{Answer, Finding};
use crate::markup::escape;
use std::fmt::Write;

/// The file as text; `report` is the answer for people.
pub fn text(answer: &Answer, report: &str) -> String {
    let mut cases = String::new();
    let (mut failures, mut errors, mut skipped) = (0, 0, 0);
    let (message, report) = (escape(&answer.sentence()), escape(report));
    let (files, seconds) = (escape(&answer.subject.files.join(" ")), answer.cost.seconds);
    let place = answer.place.as_ref().map_or_else(String::new, |place| {
        let file = escape(place.name());
        format!(" file=\"{file}\" line=\"{}\"", place.line())
    });
    let properties = answer.checked();
    for &property in &properties {
        let outcome = match answer.finding {
            Finding::Nothing => String::new(),
            Finding::Violation(..) if answer.violated() == Some(property) => {
                failures += 1;
                format!("<failure message=\"{message}\" type=\"{property}\">{report}</failure>")
            }
            Finding::Violation(..) => {
                skipped += 1;
                let text = "another property is violated, which ended the search";
                format!("<skipped message=\"{text}\"/>")
            }
            Finding::Unknown(_) if answer.is_internal() => {
                errors += 1;
                format!("<error message=\"{message}\" type=\"internal\">{report}</error>")
            }
            Finding::Unknown(_) => {
                skipped += 1;
                format!("<skipped message=\"{message}\"/>")
            }
        };
        let outcome = match outcome.is_empty() {
            true => outcome,
            false => format!("\n      {outcome}\n    "),
        };
        let _ = writeln!(
            cases,
            "    <testcase classname=\"{files}\" name=\"{property}\" \
             time=\"{seconds:.3}\"{place}>{outcome}</testcase>"
        );
    }
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" \
         time=\"{seconds:.3}\"",
        properties.len(),
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
