//! Splits preprocessed text into tokens.
//!
//! Comments and line splices disappear (but ghost code in them does not), line markers go to the
//! source map, `#pragma pack` becomes a token and other pragmas are skipped.
//!
//! # Invariants
//! - The last token is [`TokenKind::Eof`] and no other is.
//! - Tokens are in text order and do not overlap.

#[cfg(test)]
mod tests;

use crate::annotation::{self, Annotation};
use crate::directive;
use crate::token::{Interner, Punct, Token, TokenKind};
use base::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The tokens of a text.
pub fn lex(
    map: &mut SourceMap,
    file: FileId,
    interner: &mut Interner,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let text = map.file(file).text.clone();
    let base = map.file(file).base;
    let mut lexer = Lexer {
        text: &text,
        base,
        at: 0,
        tokens: Vec::with_capacity(text.len() / 4 + 1),
        interner,
        diagnostics,
        scratch: Vec::new(),
        ghost_end: None,
        ignored_claim: false,
        refused_directive: false,
    };
    if text.contains(&0) {
        let at = text.iter().take_while(|&&byte| byte != 0).count();
        lexer.not_text(at);
    } else {
        lexer.run(map, file);
    }
    lexer.at = text.len();
    lexer.push(TokenKind::Eof, text.len());
    lexer.tokens
}

/// Where in the text we are. Outside its bounds the text reads as 0, which never is in it.
pub(crate) struct Lexer<'a> {
    pub(crate) text: &'a [u8],
    base: u32,
    pub(crate) at: usize,
    tokens: Vec<Token>,
    interner: &'a mut Interner,
    pub(crate) diagnostics: &'a mut Diagnostics,
    scratch: Vec<u8>,
    /// Where the comment ends whose ghost code is being read, if it has an end of its own.
    ghost_end: Option<usize>,
    /// Whether it has been said that annotations are comments; once is enough.
    ignored_claim: bool,
    /// Whether a directive such as `#include` has been refused; once is enough.
    pub(crate) refused_directive: bool,
}

/// Classes of bytes.
const SPACE: u8 = 1;
const NEWLINE: u8 = 2;
const NAME: u8 = 4;
const DIGIT: u8 = 8;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\x0b' | b'\x0c' | b'\r' => SPACE,
            b'\n' => NEWLINE,
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80..=0xff => NAME,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> u8 {
    CLASSES[byte as usize]
}

impl Lexer<'_> {
    fn run(&mut self, map: &mut SourceMap, file: FileId) {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        // A `#` is a directive where only space comes before it on its line.
        let mut line_start = true;
        loop {
            let byte = self.byte(self.at);
            let start = self.at;
            match byte {
                b'\n' => {
                    line_start = true;
                    self.at += 1;
                    continue;
                }
                b' ' | b'\t' | b'\x0b' | b'\x0c' | b'\r' => {
                    self.at += 1;
                    while class(self.byte(self.at)) == SPACE {
                        self.at += 1;
                    }
                    continue;
                }
                b'L' | b'u' | b'U' if self.prefixed_quote() => {}
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80..=0xff => self.name(),
                b'0'..=b'9' => self.number(),
                b'.' if class(self.byte(self.next(start))) == DIGIT => self.number(),
                b'"' | b'\'' => self.quoted(start),
                b'/' if self.ghost_code() || self.comment() => continue,
                b'*' if self.ghost_end == Some(start) => {
                    self.ghost_end = None;
                    self.at += 2;
                    continue;
                }
                b'\\' => {
                    if let Some(after) = self.splice(start) {
                        self.at = after;
                        continue;
                    }
                    match self.byte(start + 1) {
                        b'u' | b'U' => self.name(),
                        _ => self.stray(),
                    }
                }
                b'#' if line_start => {
                    directive::directive(self, map, file);
                    continue;
                }
                b'%' if line_start && self.byte(self.next(start)) == b':' => {
                    directive::directive(self, map, file);
                    continue;
                }
                0 => {
                    // There is no NUL in the text: this is the end.
                    return;
                }
                _ => self.punct(),
            }
            if self.at == usize::MAX {
                return;
            }
            line_start = false;
        }
    }

    /// The byte at a position; 0 past the end.
    pub(crate) fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// The position of the next byte, splices skipped.
    fn next(&self, at: usize) -> usize {
        let mut at = at + 1;
        while self.byte(at) == b'\\' {
            match self.splice(at) {
                Some(after) => at = after,
                None => break,
            }
        }
        at
    }

    /// Whether a line splice starts here, and where it ends. As gcc, we allow space between the
    /// backslash and the end of the line.
    pub(crate) fn splice(&self, at: usize) -> Option<usize> {
        splice(self.text, at)
    }

    pub(crate) fn span(&self, lo: usize, hi: usize) -> Span {
        Span {
            lo: self.base + lo as u32,
            hi: self.base + hi as u32,
        }
    }

    /// Adds the token from where we are to `end`, and goes there.
    pub(crate) fn push(&mut self, kind: TokenKind, end: usize) {
        let span = self.span(self.at, end);
        self.tokens.push(Token { kind, span });
        self.at = end;
    }

    pub(crate) fn error(&mut self, lo: usize, hi: usize, message: impl Into<String>) {
        let span = self.span(lo, hi);
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    /// Says once that this is no C, and gives up.
    fn not_text(&mut self, at: usize) {
        let diagnostic = Diagnostic::error(
            self.span(at, at + 1),
            format!("not a C text: byte {at} is {:#04x}", self.byte(at)),
        );
        self.diagnostics
            .push(diagnostic.help("binary files and UTF-16 are not accepted"));
        self.at = usize::MAX;
    }

    fn stray(&mut self) {
        let byte = self.byte(self.at);
        if byte < b' ' || byte == 0x7f {
            return self.not_text(self.at);
        }
        self.error(
            self.at,
            self.at + 1,
            format!("stray `{}` in the program", char::from(byte)),
        );
        self.at += 1;
    }

    fn name(&mut self) {
        let mut end = self.at;
        while class(self.byte(end)) & (NAME | DIGIT) != 0 {
            end += 1;
        }
        if self.byte(end) == b'\\' && self.name_goes_on(end) {
            return self.odd_name();
        }
        self.push_name(&self.text[self.at..end], end);
    }

    fn push_name(&mut self, name: &[u8], end: usize) {
        match self.interner.intern_bytes(name) {
            Some(symbol) => {
                let keyword = Interner::keyword(symbol).map(TokenKind::Keyword);
                self.push(keyword.unwrap_or(TokenKind::Ident(symbol)), end);
            }
            None => {
                self.error(self.at, end, "this name is not valid UTF-8");
                self.at = end;
            }
        }
    }

    fn name_goes_on(&self, at: usize) -> bool {
        self.splice(at).is_some() || matches!(self.byte(at + 1), b'u' | b'U')
    }

    /// A name with splices or universal character names in it.
    fn odd_name(&mut self) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        let mut end = self.at;
        loop {
            let byte = self.byte(end);
            if class(byte) & (NAME | DIGIT) != 0 {
                scratch.push(byte);
                end += 1;
            } else if byte != b'\\' {
                break;
            } else if let Some(after) = self.splice(end) {
                end = after;
            } else if let Some((character, after)) = self.universal(end) {
                let mut buffer = [0; 4];
                scratch.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
                end = after;
            } else {
                break;
            }
        }
        if end == self.at {
            self.scratch = scratch;
            return self.stray();
        }
        self.push_name(&scratch, end);
        self.scratch = scratch;
    }

    /// `\u1234` or `\U00012345` of a character that may be in a name.
    fn universal(&self, at: usize) -> Option<(char, usize)> {
        let digits = match self.byte(at + 1) {
            b'u' => 4,
            b'U' => 8,
            _ => return None,
        };
        let hex = self.text.get(at + 2..at + 2 + digits)?;
        let mut code = 0;
        for &digit in hex {
            code = code << 4 | char::from(digit).to_digit(16)?;
        }
        let character = char::from_u32(code)?;
        (code >= 0xa0).then_some((character, at + 2 + digits))
    }

    /// A preprocessing number; what it means is found out later.
    fn number(&mut self) {
        let start = self.at;
        let mut end = self.at;
        let mut float = false;
        let mut exponent = false;
        let hex = self.byte(start) == b'0' && matches!(self.byte(start + 1), b'x' | b'X');
        loop {
            let byte = self.byte(end);
            match byte {
                b'.' => float = true,
                b'e' | b'E' => {
                    exponent = true;
                    float |= !hex;
                }
                b'p' | b'P' => {
                    exponent = true;
                    float |= hex;
                }
                b'+' | b'-' if exponent => {}
                b'\'' if class(self.byte(end + 1)) & (NAME | DIGIT) != 0 => {}
                b'\\' => match self.splice(end) {
                    Some(after) => {
                        end = after;
                        continue;
                    }
                    None => break,
                },
                _ if class(byte) & (NAME | DIGIT) != 0 => {}
                _ => break,
            }
            exponent &= matches!(byte, b'e' | b'E' | b'p' | b'P');
            end += 1;
        }
        let kind = if float {
            TokenKind::Float
        } else {
            TokenKind::Int
        };
        self.push(kind, end);
    }

    /// A literal with a prefix, if one starts here.
    fn prefixed_quote(&mut self) -> bool {
        let mut quote = self.next(self.at);
        if self.byte(self.at) == b'u' && self.byte(quote) == b'8' {
            quote = self.next(quote);
        }
        let found = matches!(self.byte(quote), b'"' | b'\'');
        if found {
            self.quoted(quote);
        }
        found
    }

    /// A string or character whose quote is at `quote`; the token starts where we are.
    fn quoted(&mut self, quote: usize) {
        let mark = self.byte(quote);
        let kind = if mark == b'"' {
            TokenKind::String
        } else {
            TokenKind::Char
        };
        let mut end = quote + 1;
        loop {
            match self.byte(end) {
                b'\\' => end = self.splice(end).unwrap_or(end + 2),
                b'\n' | 0 => {
                    end = end.min(self.text.len());
                    let mark = char::from(mark);
                    self.error(self.at, end, format!("no closing `{mark}` on this line"));
                    break;
                }
                byte if byte == mark => {
                    end += 1;
                    break;
                }
                _ => end += 1,
            }
        }
        self.push(kind, end);
    }

    /// Goes into a comment with ghost code, if one starts here.
    fn ghost_code(&mut self) -> bool {
        let start = self.at;
        let Some(comment) = self.text.get(start + 2..) else {
            return false;
        };
        let is_line = match self.byte(start + 1) {
            b'/' => true,
            b'*' => false,
            _ => return false,
        };
        match annotation::annotation(comment) {
            None => false,
            Some(Annotation::Claim) => {
                if !std::mem::replace(&mut self.ignored_claim, true) {
                    let message = "annotations are comments here: nothing is checked of them";
                    let span = self.span(start, start + 3);
                    self.diagnostics.push(Diagnostic::warning(span, message));
                }
                false
            }
            Some(Annotation::Ghost(skipped)) => {
                let close = comment.windows(2).position(|pair| pair == b"*/");
                match (is_line, close) {
                    (true, _) => {}
                    (false, Some(close)) => self.ghost_end = Some(start + 2 + close),
                    // It is never closed, which `comment` says.
                    (false, None) => return false,
                }
                self.at = start + 2 + skipped;
                true
            }
        }
    }

    /// Skips a comment, if one starts here.
    pub(crate) fn comment(&mut self) -> bool {
        let start = self.at;
        let second = self.next(start);
        match self.byte(second) {
            b'/' => {
                let mut at = second + 1;
                loop {
                    match self.byte(at) {
                        b'\\' => at = self.splice(at).unwrap_or(at + 1),
                        b'\n' => break,
                        0 if at >= self.text.len() => break,
                        _ => at += 1,
                    }
                }
                self.at = at;
            }
            b'*' => {
                let mut at = second + 1;
                loop {
                    match self.byte(at) {
                        b'*' if self.byte(self.next(at)) == b'/' => {
                            self.at = self.next(at) + 1;
                            break;
                        }
                        0 if at >= self.text.len() => {
                            self.error(start, second + 1, "this comment is never closed");
                            self.at = self.text.len();
                            break;
                        }
                        _ => at += 1,
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// The longest mark that is here.
    fn punct(&mut self) {
        let second = self.next(self.at);
        let places = [self.at, second, self.next(second)];
        let bytes = places.map(|at| self.byte(at));
        let mark = |len: usize| Some((*MARKS.get(&bytes[..len])?, places[len - 1]));
        match (1..=3).rev().find_map(mark) {
            Some((punct, last)) => self.push(TokenKind::Punct(punct), last + 1),
            None => self.stray(),
        }
    }
}

/// Marks by their bytes; digraphs are the mark they stand for.
static MARKS: LazyLock<FxHashMap<&[u8], Punct>> = LazyLock::new(|| {
    let digraphs = [
        ("<:", Punct::LBracket),
        (":>", Punct::RBracket),
        ("<%", Punct::LBrace),
        ("%>", Punct::RBrace),
    ];
    let marks = Punct::ALL.iter().map(|&punct| (punct.name(), punct));
    let marks = marks.chain(digraphs);
    marks
        .map(|(text, punct)| (text.as_bytes(), punct))
        .collect()
});

/// Whether a line splice starts at a position, and where it ends.
pub(crate) fn splice(text: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    while class(text.get(end).copied().unwrap_or(0)) == SPACE {
        end += 1;
    }
    (text.get(end) == Some(&b'\n')).then_some(end + 1)
}
