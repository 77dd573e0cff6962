//! Texts between double quotes.

/// A text with quotes, backslashes and line ends as C writes them in a string, and `other` in the
/// place of a character for which it gives something.
pub fn escaped(text: &str, other: &dyn Fn(char) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c => match other(c) {
                Some(text) => out.push_str(&text),
                None => out.push(c),
            },
        }
    }
    out
}
