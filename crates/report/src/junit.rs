//! An answer as a JUnit XML file: a test case for each property, for CI.
//!
//! A violated property fails. Where there is no verdict, or another property is violated first, a
//! property is skipped; where a bug of ours is in the way, it is an error.

use crate::findings::Findings;
use crate::markup::escape;
use std::fmt::Write;

/// The file as text.
pub fn text(findings: &Findings) -> String {
    let mut cases = String::new();
    let (mut failures, mut errors, mut skipped) = (0, 0, 0);
    for property in &findings.properties {
        let place = findings.spot.as_ref().map_or_else(String::new, |spot| {
            let file = escape(&spot.file);
            format!(" file=\"{file}\" line=\"{}\"", spot.line)
        });
        let _ = write!(
            cases,
            "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"{place}>",
            escape(&findings.files.join(" ")),
            escape(property),
            findings.seconds
        );
        let is_violated = findings.violated.as_ref() == Some(property);
        let message = escape(&findings.message);
        match findings.verdict.as_str() {
            "safe" => {}
            "unsafe" if is_violated => {
                failures += 1;
                let text = escape(&findings.text);
                let _ = write!(
                    cases,
                    "\n      <failure message=\"{message}\" type=\"{}\">{text}</failure>\n    ",
                    escape(property)
                );
            }
            "unsafe" => {
                skipped += 1;
                let text = "another property is violated, which ended the search";
                let _ = write!(cases, "\n      <skipped message=\"{text}\"/>\n    ");
            }
            _ if findings.is_internal => {
                errors += 1;
                let text = escape(&findings.text);
                let _ = write!(
                    cases,
                    "\n      <error message=\"{message}\" type=\"internal\">{text}</error>\n    "
                );
            }
            _ => {
                skipped += 1;
                let _ = write!(cases, "\n      <skipped message=\"{message}\"/>\n    ");
            }
        }
        cases.push_str("</testcase>\n");
    }
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" \
         time=\"{:.3}\"",
        findings.properties.len(),
        findings.seconds
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cairn\" {counts}>\n  \
         <testsuite name=\"cairn check {}\" {counts}>\n{cases}    <system-out>{}</system-out>\n  \
         </testsuite>\n</testsuites>\n",
        escape(&findings.files.join(" ")),
        escape(&findings.text)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_property_is_a_case() {
        let findings = Findings {
            verdict: "unsafe".to_owned(),
            message: "x < 0".to_owned(),
            properties: vec!["no-overflow".to_owned(), "shift".to_owned()],
            violated: Some("shift".to_owned()),
            files: vec!["a.c".to_owned()],
            ..Findings::default()
        };
        let xml = text(&findings);
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
