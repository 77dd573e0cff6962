//! Whether a text can be evaluated in parentheses without changing a program.
//!
//! # Invariants
//! - A text that passes has no assignment, call, comment or line end, and its parentheses match: in
//!   parentheses it is an expression without effects, or no C at all.

/// What begins a comment, changes a variable, or is another spelling of such a character.
const REFUSED: [&str; 12] = [
    "//", "/*", "++", "--", "<<=", ">>=", "<%", "%>", "<:", ":>", "%:", "??",
];
/// Comparisons: no other `=` is allowed.
const COMPARISONS: [&str; 4] = ["==", "!=", "<=", ">="];

/// Whether an expression has no effect, as far as its text shows. Some that have none are refused.
pub(super) fn is_pure(text: &str) -> bool {
    let Some(text) = without_characters(text) else {
        return false;
    };
    let is_refused = REFUSED.iter().any(|refused| text.contains(refused));
    // What the product adds is not the program's.
    if is_refused || text.contains("cairn_") {
        return false;
    }
    let compared = COMPARISONS
        .iter()
        .fold(text.clone(), |text, symbol| text.replace(symbol, " "));
    let is_known = |byte: u8| {
        let is_plain = byte.is_ascii_graphic() || byte == b' ';
        is_plain && !b"=;{}#\"\\@$`".contains(&byte)
    };
    compared.bytes().all(is_known) && !calls(&text) && is_balanced(&text)
}

/// The text with a number for every character constant; `None` if a quote opens none.
fn without_characters(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, quoted)) = rest.split_once('\'') {
        let constant = quoted.strip_prefix('\\').unwrap_or(quoted);
        let mut chars = constant.chars();
        let is_letter = chars
            .next()
            .is_some_and(|c| c.is_ascii_graphic() || c == ' ');
        let is_empty = quoted.starts_with('\'');
        rest = chars.as_str().strip_prefix('\'')?;
        if !is_letter || is_empty {
            return None;
        }
        out.push_str(before);
        out.push('0');
    }
    out.push_str(rest);
    Some(out)
}

/// Whether parentheses stand behind a name, which is a call, or behind others, which is the call of
/// a pointer.
fn calls(text: &str) -> bool {
    let mut before = b' ';
    for byte in text.bytes().filter(|byte| *byte != b' ') {
        let is_callee = before.is_ascii_alphanumeric() || matches!(before, b'_' | b')' | b']');
        if byte == b'(' && is_callee {
            return true;
        }
        before = byte;
    }
    false
}

/// Whether each parenthesis and bracket closes the last one that is open.
fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    for byte in text.bytes() {
        let matches = match byte {
            b'(' | b'[' => {
                open.push(byte);
                true
            }
            b')' => open.pop() == Some(b'('),
            b']' => open.pop() == Some(b'['),
            _ => true,
        };
        if !matches {
            return false;
        }
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_seen() {
        for text in [
            "x == 1",
            "(a <= b) && !(c != 0)",
            "p[3] - -x",
            "a >> 2 == 1",
            "'a' < c",
            "c == '(' || c == '\\''",
            "a ? b : (int)c",
            "&x == p",
        ] {
            assert!(is_pure(text), "{text}");
        }
        for text in [
            "x = 1",
            "x <<= 1",
            "x += 1",
            "f(x)",
            "f (x)",
            "f\t(x)",
            "x++",
            "--x",
            "1; x",
            "p[0](1)",
            "a == (b = 2)",
            "1))) //",
            "1 /* ",
            "1)) || ((1",
            "(a[1)]",
            "((a)",
            "a\n",
            "a \\",
            "c == '",
            "c == '' '",
            "c == 'ab'",
            "cairn_segment == 0",
        ] {
            assert!(!is_pure(text), "{text}");
        }
    }
}
