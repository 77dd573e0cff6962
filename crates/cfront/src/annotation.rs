//! ACSL, the annotations of Frama-C and Ultimate in comments that start with `@`.
//!
//! Ghost code is C that only annotations need: if the program's own assertions name ghost variables
//! it has to be read. Everything else is about unbounded integers and logic that C does not have,
//! so it stays a comment, with a warning.

/// What an annotation starts with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Annotation {
    /// `ghost`: C follows, so many bytes on.
    Ghost(usize),
    /// Something that others would check.
    Claim,
}

/// The words of ACSL that start what others check.
const CLAIMS: [&[u8]; 7] = [
    b"assert",
    b"check",
    b"requires",
    b"ensures",
    b"assigns",
    b"loop",
    b"invariant",
];

/// The annotation in a comment, given the text after its `//` or `/*`.
pub(crate) fn annotation(comment: &[u8]) -> Option<Annotation> {
    let rest = comment.strip_prefix(b"@")?;
    let space = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'@'))
        .count();
    let letters = rest[space..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\\'))
        .count();
    let word = &rest[space..space + letters];
    if word == b"ghost" {
        return Some(Annotation::Ghost(1 + space + letters));
    }
    CLAIMS.contains(&word).then_some(Annotation::Claim)
}

/// Whether a text may have annotations, so that its comments must be kept.
pub(crate) fn may_be_in(text: &[u8]) -> bool {
    let starts = |window: &[u8]| matches!(window, b"//@" | b"/*@");
    text.windows(3).any(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words_tell() {
        let cases: [(&[u8], Option<Annotation>); 8] = [
            (b"@ ghost int g;", Some(Annotation::Ghost(7))),
            (b"@ghost g++;", Some(Annotation::Ghost(6))),
            (b"@ assert x > 0;", Some(Annotation::Claim)),
            (b"@\n  @ requires x;", Some(Annotation::Claim)),
            (b"@ghosts", None),
            (b"@null@*/", None),
            (b"@", None),
            (b" ghost", None),
        ];
        for (text, expected) in cases {
            assert_eq!(annotation(text), expected, "{}", text.escape_ascii());
        }
        assert!(may_be_in(b"x //@ y") && may_be_in(b"/*@") && !may_be_in(b"// @ /* @ a@b"));
    }
}
