//! The directives that remain after preprocessing: line markers and pragmas.

use crate::lex::Lexer;
use crate::token::{Pack, TokenKind};
use base::source::LineMarker;
use base::{Diagnostic, FileId, SourceMap};

/// Reads the directive whose `#` is where the lexer is, up to the end of its line.
pub(crate) fn directive(lexer: &mut Lexer<'_>, map: &mut SourceMap, file: FileId) {
    let start = lexer.at;
    let mark = if lexer.byte(start) == b'#' { 1 } else { 2 };
    let (line, end) = logical_line(lexer, start + mark);
    let words = words(&line);
    let first = words.first().map_or(&b""[..], |word| word);
    match first {
        b"" | b"ident" | b"sccs" | b"assert" | b"unassert" => lexer.at = end,
        b"line" => marker(lexer, map, file, &words[1..], end),
        b"pragma" => pragma(lexer, &words[1..], end),
        _ if first[0].is_ascii_digit() => marker(lexer, map, file, &words, end),
        _ => refuse(lexer, first, end),
    }
}

/// The rest of the line with splices and comments as a space, and where it ends.
fn logical_line(lexer: &mut Lexer<'_>, from: usize) -> (Vec<u8>, usize) {
    let start = lexer.at;
    let mut line = Vec::new();
    let mut quoted = false;
    lexer.at = from;
    loop {
        match lexer.byte(lexer.at) {
            b'\n' | 0 => break,
            b'\\' => match lexer.splice(lexer.at) {
                Some(after) => lexer.at = after,
                None => {
                    line.push(b'\\');
                    lexer.at += 1;
                    if quoted && lexer.byte(lexer.at) == b'"' {
                        line.push(b'"');
                        lexer.at += 1;
                    }
                }
            },
            b'/' if !quoted && lexer.comment() => line.push(b' '),
            byte => {
                quoted ^= byte == b'"';
                line.push(byte);
                lexer.at += 1;
            }
        }
    }
    let end = lexer.at;
    lexer.at = start;
    (line, end)
}

/// Names, numbers, strings and single marks.
fn words(line: &[u8]) -> Vec<&[u8]> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let mut words = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let start = at;
        at += 1;
        match line[start] {
            byte if byte.is_ascii_whitespace() || byte == 0x0b => continue,
            b'"' => {
                while at < line.len() && line[at] != b'"' {
                    at += if line[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(line.len());
            }
            byte if is_word(byte) => {
                while at < line.len() && is_word(line[at]) {
                    at += 1;
                }
            }
            _ => {}
        }
        words.push(&line[start..at]);
    }
    words
}

/// `# 12 "file" 1 3` or `#line 12 "file"`.
fn marker(lexer: &mut Lexer<'_>, map: &mut SourceMap, file: FileId, words: &[&[u8]], end: usize) {
    let start = lexer.at;
    lexer.at = end;
    let number = words.first().and_then(|word| number(word));
    let name = words.get(1).map(|word| unquote(word));
    let (Some(line), Some(name)) = (number, name.map_or(Some(None), |name| name.map(Some))) else {
        return lexer.error(start, end, "this line marker is malformed");
    };
    let here = lexer.span(start, start);
    let system = match name {
        Some(_) => words[2..].iter().any(|flag| *flag == b"3"),
        None => map.is_system(here),
    };
    let name = match name {
        Some(name) => name.into(),
        None => match map.presumed(here) {
            Some(position) => position.file,
            None => map.file(file).name.clone(),
        },
    };
    let next = map.physical(lexer.span(end, end));
    let marker = LineMarker {
        // Positions count lines from 1, markers from 0: this is the line after the directive.
        first_line: next.map_or(0, |position| position.line),
        file: name,
        line,
        system,
    };
    map.add_marker(file, marker);
}

/// A line number, held within what gcc accepts so that sums of two fit 32 bits.
fn number(word: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(word).ok()?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse().unwrap_or(u32::MAX).min(i32::MAX as u32))
}

fn unquote(word: &[u8]) -> Option<String> {
    let inner = word.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let mut name = Vec::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        let octal = inner.get(at + 1..at + 4).and_then(octal);
        match (inner[at], octal) {
            (b'\\', Some(byte)) => {
                name.push(byte);
                at += 4;
            }
            (b'\\', None) => {
                name.extend(inner.get(at + 1));
                at += 2;
            }
            (byte, _) => {
                name.push(byte);
                at += 1;
            }
        }
    }
    Some(String::from_utf8_lossy(&name).into_owned())
}

fn octal(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()
}

fn pragma(lexer: &mut Lexer<'_>, words: &[&[u8]], end: usize) {
    let start = lexer.at;
    match words {
        [b"pack", rest @ ..] => match pack(rest) {
            Ok(pack) => lexer.push(TokenKind::PragmaPack(pack), end),
            Err(message) => {
                lexer.error(start, end, message);
                lexer.at = end;
            }
        },
        // These change how objects lie in memory or how symbols are named: not to be skipped.
        [
            name @ (b"scalar_storage_order" | b"ms_struct" | b"redefine_extname"),
            ..,
        ] => {
            let name = String::from_utf8_lossy(name).into_owned();
            lexer.error(start, end, format!("`#pragma {name}` is not supported"));
            lexer.at = end;
        }
        _ => lexer.at = end,
    }
}

fn pack(words: &[&[u8]]) -> Result<Pack, &'static str> {
    let alignment = |word: &[u8]| match word {
        b"1" => Ok(1),
        b"2" => Ok(2),
        b"4" => Ok(4),
        b"8" => Ok(8),
        b"16" => Ok(16),
        _ => Err("the alignment of `#pragma pack` should be 1, 2, 4, 8 or 16"),
    };
    match words {
        [b"(", b")"] | [b"(", b"0", b")"] => Ok(Pack::Reset),
        [b"(", b"push", b")"] => Ok(Pack::Push(None)),
        [b"(", b"pop", b")"] => Ok(Pack::Pop),
        [b"(", b"push", b",", n, b")"] if n[0].is_ascii_digit() => {
            Ok(Pack::Push(Some(alignment(n)?)))
        }
        [b"(", b"push" | b"pop", b",", ..] => Err("named `#pragma pack` is not supported"),
        [b"(", n, b")"] => Ok(Pack::Set(alignment(n)?)),
        _ => Err("this `#pragma pack` is malformed"),
    }
}

/// A directive that preprocessing should have removed.
fn refuse(lexer: &mut Lexer<'_>, name: &[u8], end: usize) {
    let span = lexer.span(lexer.at, end);
    lexer.at = end;
    if std::mem::replace(&mut lexer.refused_directive, true) {
        return;
    }
    let name = String::from_utf8_lossy(name);
    let message = format!("`#{name}` in a text that should be preprocessed");
    lexer.diagnostics.push(
        Diagnostic::error(span, message)
            .help("give the file the ending `.c`, or run it through `cc -E`"),
    );
}
