//! A report as a single self-contained HTML file: no network, no fonts, no other files.
//!
//! The page is fixed; what differs between reports is the embedded [`Answer`] as JSON, which the
//! page's script renders. Source texts are hostile: no text of a program may become markup or
//! script, neither here nor there.
//!
//! # Invariants
//! - There is no `<` between the tags of the data, so nothing in it ends them.
//! - The page's content security policy forbids every request, and every script but its own.

use crate::Answer;
use crate::markup::escape;

const PAGE: &str = include_str!("../assets/page.html");
const STYLE: &[&str] = &[
    include_str!("../assets/style.css"),
    include_str!("../assets/panels.css"),
];
/// In this order they are one script.
const SCRIPTS: &[&str] = &[
    include_str!("../assets/base.js"),
    include_str!("../assets/header.js"),
    include_str!("../assets/source.js"),
    include_str!("../assets/trace.js"),
    include_str!("../assets/tree.js"),
    include_str!("../assets/unwinding.js"),
    include_str!("../assets/camera.js"),
    include_str!("../assets/drawing.js"),
    include_str!("../assets/minimap.js"),
    include_str!("../assets/pointers.js"),
    include_str!("../assets/details.js"),
    include_str!("../assets/tables.js"),
    include_str!("../assets/main.js"),
];

/// The whole page.
pub fn page(answer: &Answer) -> String {
    let title = format!("{}: {}", answer.verdict, subject(answer));
    let script = format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.join("\n"));
    let parts = [
        ("{title}", escape(&title)),
        ("{style}", STYLE.join("\n")),
        ("{verdict}", escape(answer.verdict)),
        ("{headline}", escape(&answer.headline)),
        ("{command}", escape(&answer.command)),
        ("{data}", data(answer)),
        ("{script}", script),
    ];
    fill(PAGE, &parts)
}

/// What the report is about: the first file's name without its folders.
fn subject(answer: &Answer) -> &str {
    let name = answer.files.first().map_or("", |file| &file.name);
    name.rsplit('/').next().unwrap_or(name)
}

/// Puts texts into their places, which come in this order, once each.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    for (place, part) in parts {
        let (before, after) = rest
            .split_once(place)
            .expect("the page should have a place for every part");
        text.push_str(before);
        text.push_str(part);
        rest = after;
    }
    text + rest
}

/// The report as JSON that can be inside a script element. `<` occurs only in strings.
fn data(answer: &Answer) -> String {
    let json = serde_json::to_string(answer).expect("plain structs should serialise");
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::SourceFile;

    /// What a program's text may try to do to the page.
    const HOSTILE: &str = "</script><img src=x onerror=alert(1)> <!-- \u{2028} & {data} {script}";

    fn hostile() -> Answer {
        Answer {
            verdict: "unsafe",
            headline: HOSTILE.to_owned(),
            command: HOSTILE.to_owned(),
            files: vec![SourceFile {
                name: HOSTILE.to_owned(),
                lines: vec![HOSTILE.to_owned()],
            }],
            ..Answer::default()
        }
    }

    #[test]
    fn hostile_text_is_no_markup() {
        let page = page(&hostile());
        assert!(!page.contains("<img src=x"));
        let (_, rest) = page.split_once("id=\"data\"").unwrap();
        let (data, _) = rest.split_once("</script>").unwrap();
        let (_, json) = data.split_once('>').unwrap();
        assert!(!json.contains(['<', '\u{2028}']));
        let value: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(value["files"][0]["lines"][0], HOSTILE);
        assert_eq!(value["headline"], HOSTILE);
    }

    #[test]
    fn the_page_names_no_other_place() {
        let page = page(&Answer::default());
        for word in ["http:", "https:", "@import", "url(", "innerHTML", "eval("] {
            assert!(!page.contains(word), "the page has `{word}`");
        }
    }

    #[test]
    fn parts_are_not_searched_for_places() {
        let parts = [("{a}", "{b}".to_owned()), ("{b}", "x".to_owned())];
        assert_eq!(fill("1{a}2{b}3", &parts), "1{b}2x3");
    }
}
