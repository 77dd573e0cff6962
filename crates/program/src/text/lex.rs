//! Splits the text form into lines of tokens, and walks over one line.

use super::names::{is_name_char, parse_id};
use crate::expr::{FloatType, Type};
use base::{Id, IdVec};
use logic::IntType;

/// A token and where it is in the text.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) lo: usize,
    pub(super) hi: usize,
}

/// What a token is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind<'t> {
    /// A word, a name or an id.
    Word(&'t str),
    /// A number and the type or whatever is right after it.
    Number(&'t str, &'t str),
    /// A string, its escapes resolved.
    Text(String),
    /// `#` and hexadecimal digits.
    Bits(u64),
    /// Anything else.
    Symbol(&'static str),
}

/// A mistake in the text and where.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fault {
    pub(super) lo: usize,
    pub(super) hi: usize,
    pub(super) message: String,
}

pub(super) type Read<T> = Result<T, Fault>;

/// Longer ones first.
const SYMBOLS: [&str; 34] = [
    "...", ":=", "->", "++", "--", "<<", ">>", "==", "!=", "<=", ">=", "(", ")", "[", "]", "{",
    "}", ",", ":", "?", "&", "|", "^", "+", "-", "*", "/", "%", "<", ">", "!", "~", "=", ".",
];

/// The tokens of one line.
pub(super) fn tokens(text: &str, base: usize) -> Read<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c == ';' {
            break;
        }
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (kind, len) = token(&text[at..]).map_err(|message| Fault {
            lo: base + at,
            hi: base + at + c.len_utf8(),
            message,
        })?;
        tokens.push(Token {
            kind,
            lo: base + at,
            hi: base + at + len,
        });
        at += len;
    }
    Ok(tokens)
}

/// The token that a text starts with, and its length.
fn token(text: &str) -> Result<(Kind<'_>, usize), String> {
    let first = text.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() {
        let number = number_len(text);
        let suffix = text[number..].find(|c| !is_name_char(c));
        let end = suffix.map_or(text.len(), |len| number + len);
        return Ok((Kind::Number(&text[..number], &text[number..end]), end));
    }
    if is_name_char(first) {
        let len = word_len(text);
        return Ok((Kind::Word(&text[..len]), len));
    }
    if first == '"' {
        return string(text);
    }
    if let Some(rest) = text.strip_prefix('#') {
        let len = rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
        let bits = u64::from_str_radix(&rest[..len], 16);
        return match bits {
            Ok(bits) => Ok((Kind::Bits(bits), len + 1)),
            Err(_) => Err("`#` should be followed by 1 to 16 hexadecimal digits".into()),
        };
    }
    match SYMBOLS.into_iter().find(|symbol| text.starts_with(symbol)) {
        Some(symbol) => Ok((Kind::Symbol(symbol), symbol.len())),
        None => Err(format!("unknown character {first:?}")),
    }
}

/// Names may contain a point between two of their characters.
fn word_len(text: &str) -> usize {
    let mut len = 0;
    loop {
        len += text[len..]
            .find(|c| !is_name_char(c))
            .unwrap_or(text.len() - len);
        let mut next = text[len..].chars();
        if !(next.next() == Some('.') && next.next().is_some_and(is_name_char)) {
            return len;
        }
        len += 1;
    }
}

/// Digits, perhaps a fraction, perhaps an exponent.
fn number_len(text: &str) -> usize {
    let digits = |at: usize| {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut len = digits(0);
    if text[len..].starts_with('.') && digits(len + 1) > 0 {
        len += 1 + digits(len + 1);
    }
    if text[len..].starts_with('e') {
        let sign = usize::from(text[len + 1..].starts_with(['-', '+']));
        let exponent = digits(len + 1 + sign);
        if exponent > 0 {
            len += 1 + sign + exponent;
        }
    }
    len
}

fn string(text: &str) -> Result<(Kind<'_>, usize), String> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((Kind::Text(value), at + 1)),
            '\\' => value.push(match chars.next() {
                Some((_, 'n')) => '\n',
                Some((_, 't')) => '\t',
                Some((_, c @ ('"' | '\\'))) => c,
                Some((_, 'u')) => {
                    let digits = chars.by_ref().skip_while(|(_, c)| *c == '{');
                    let code: String = digits.map(|(_, c)| c).take_while(|c| *c != '}').collect();
                    let code = u32::from_str_radix(&code, 16).ok();
                    code.and_then(char::from_u32)
                        .ok_or("unknown character code")?
                }
                Some(_) | None => return Err("unknown escape in a string".into()),
            }),
            c => value.push(c),
        }
    }
    Err("the string does not end on its line".into())
}

/// The type of that name.
pub(super) fn type_named(name: &str) -> Option<Type> {
    match name {
        "bool" => return Some(Type::Bool),
        "ptr" => return Some(Type::Ptr),
        "f32" => return Some(Type::Float(FloatType::F32)),
        "f64" => return Some(Type::Float(FloatType::F64)),
        _ => {}
    }
    let signed = name.starts_with('i');
    let digits = name.strip_prefix(['i', 'u'])?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    let bits: u8 = digits.parse().ok()?;
    (plain && (1..=128).contains(&bits)).then_some(Type::Int(IntType { bits, signed }))
}

/// Walks over the tokens of one line.
#[derive(Clone)]
pub(super) struct Cursor<'l, 't> {
    tokens: &'l [Token<'t>],
    /// Where the line ends in the text.
    end: usize,
}

impl<'l, 't> Cursor<'l, 't> {
    pub(super) fn new(tokens: &'l [Token<'t>]) -> Self {
        Cursor {
            tokens,
            end: tokens.last().map_or(0, |token| token.hi),
        }
    }

    pub(super) fn peek(&self) -> Option<&'l Kind<'t>> {
        self.tokens.first().map(|token| &token.kind)
    }

    pub(super) fn next(&mut self) -> Option<&'l Kind<'t>> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(&first.kind)
    }

    /// A mistake at the next token.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        let (lo, hi) = match self.tokens.first() {
            Some(token) => (token.lo, token.hi),
            None => (self.end, self.end),
        };
        Fault {
            lo,
            hi,
            message: message.into(),
        }
    }

    /// Takes the symbol if it is next.
    pub(super) fn symbol(&mut self, symbol: &'static str) -> bool {
        self.take(&Kind::Symbol(symbol))
    }

    /// Takes the word if it is next.
    pub(super) fn keyword(&mut self, word: &str) -> bool {
        self.take(&Kind::Word(word))
    }

    fn take(&mut self, kind: &Kind<'_>) -> bool {
        let found = self.peek() == Some(kind);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &'static str) -> Read<()> {
        if self.symbol(symbol) {
            return Ok(());
        }
        Err(self.fault(format!("expected `{symbol}`")))
    }

    pub(super) fn expect_keyword(&mut self, word: &str) -> Read<()> {
        if self.keyword(word) {
            return Ok(());
        }
        Err(self.fault(format!("expected `{word}`")))
    }

    pub(super) fn word(&mut self, what: &str) -> Read<&'t str> {
        let Some(Kind::Word(word)) = self.peek() else {
            return Err(self.fault(format!("expected {what}")));
        };
        self.next();
        Ok(word)
    }

    /// What a word stands for, which should be something.
    pub(super) fn known<T>(
        &mut self,
        what: &str,
        of: impl FnOnce(&'t str) -> Option<T>,
    ) -> Read<T> {
        let kind = what.strip_prefix("an ").or(what.strip_prefix("a "));
        let unknown = self.fault(format!("there is no such {}", kind.unwrap_or(what)));
        of(self.word(what)?).ok_or(unknown)
    }

    pub(super) fn text(&mut self) -> Read<&'l str> {
        let Some(Kind::Text(text)) = self.peek() else {
            return Err(self.fault("expected a string"));
        };
        self.next();
        Ok(text)
    }

    /// A number without a type.
    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Read<T> {
        let parsed = match self.peek() {
            Some(Kind::Number(digits, "")) => digits.parse().ok(),
            _ => None,
        };
        let fault = self.fault("expected a number");
        self.next();
        parsed.ok_or(fault)
    }

    pub(super) fn ty(&mut self) -> Read<Type> {
        self.known("a type", type_named)
    }

    /// An id with its letter.
    pub(super) fn id<I: Id>(&mut self, letter: char, what: &str) -> Read<I> {
        let expected = self.fault(format!("expected {what}"));
        parse_id(letter, self.word(what)?).ok_or(expected)
    }

    /// The id of a row that is there.
    pub(super) fn row<I: Id, T>(
        &mut self,
        letter: char,
        what: &str,
        rows: &IdVec<I, T>,
    ) -> Read<I> {
        let row = |word: &str| parse_id(letter, word).filter(|&id| rows.get(id).is_some());
        self.known(what, row)
    }

    pub(super) fn finish(&self) -> Read<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.fault("expected the end of the line")),
        }
    }
}
