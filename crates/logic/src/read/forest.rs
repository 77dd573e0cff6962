//! Text as nested lists, with positions.

use super::{Read, Refusal};
use base::{Diagnostic, IdVec, Span, define_id};

define_id! {
    /// A list or an atom.
    ExprId = "e";
}

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A list; its members are a range of the table of members.
    List {
        first: u32,
        count: u32,
    },
    Symbol,
    /// A symbol between bars.
    Quoted,
    Keyword,
    Numeral,
    Decimal,
    /// `#x1f` or `#b01`.
    Bits,
    Text,
}

#[derive(Clone, Copy, Debug)]
struct Expr {
    lo: u32,
    hi: u32,
    kind: Kind,
}

/// All expressions of a text.
pub(super) struct Forest<'t> {
    text: &'t str,
    base: u32,
    exprs: IdVec<ExprId, Expr>,
    members: Vec<ExprId>,
    roots: Vec<ExprId>,
}

impl<'t> Forest<'t> {
    /// Reads a text whose first byte has the offset `base`.
    pub(super) fn read(text: &'t [u8], base: u32) -> Read<Forest<'t>> {
        let text = std::str::from_utf8(text).map_err(|error| {
            let at = base + error.valid_up_to() as u32;
            let span = Span { lo: at, hi: at + 1 };
            Box::new(Diagnostic::error(span, "the text is not UTF-8"))
        })?;
        let mut forest = Forest {
            text,
            base,
            exprs: IdVec::new(),
            members: Vec::new(),
            roots: Vec::new(),
        };
        forest.fill()?;
        Ok(forest)
    }

    fn fill(&mut self) -> Read<()> {
        // The lists that are open, each with where it starts and what is in it so far.
        let mut open: Vec<(usize, Vec<ExprId>)> = Vec::new();
        let mut at = 0;
        while let Some(&byte) = self.text.as_bytes().get(at) {
            let done = match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0c => {
                    at += 1;
                    continue;
                }
                b';' => {
                    at = self.find(at, b'\n').unwrap_or(self.text.len());
                    continue;
                }
                b'(' => {
                    open.push((at, Vec::new()));
                    at += 1;
                    continue;
                }
                b')' => {
                    let Some((start, members)) = open.pop() else {
                        return Err(self.refuse_at(at, at + 1, "this `)` closes nothing"));
                    };
                    at += 1;
                    let (first, count) = (self.members.len() as u32, members.len() as u32);
                    self.members.extend(members);
                    self.add(start, at, Kind::List { first, count })
                }
                _ => {
                    let (end, kind) = self.atom(at)?;
                    let atom = self.add(at, end, kind);
                    at = end;
                    atom
                }
            };
            match open.last_mut() {
                Some((_, members)) => members.push(done),
                None => self.roots.push(done),
            }
        }
        match open.first() {
            Some((start, _)) => Err(self.refuse_at(*start, start + 1, "this `(` is never closed")),
            None => Ok(()),
        }
    }

    fn add(&mut self, lo: usize, hi: usize, kind: Kind) -> ExprId {
        self.exprs.push(Expr {
            lo: lo as u32,
            hi: hi as u32,
            kind,
        })
    }

    fn find(&self, from: usize, byte: u8) -> Option<usize> {
        let rest = &self.text.as_bytes()[from..];
        rest.iter().position(|&b| b == byte).map(|at| from + at)
    }

    /// The end and the kind of the atom that starts here.
    fn atom(&self, at: usize) -> Read<(usize, Kind)> {
        let bytes = self.text.as_bytes();
        match bytes[at] {
            b'|' => match self.find(at + 1, b'|') {
                Some(end) => Ok((end + 1, Kind::Quoted)),
                None => Err(self.refuse_at(at, at + 1, "this name has no closing bar")),
            },
            b'"' => self.string(at),
            first => {
                let is_plain = |byte: u8| is_plain(byte) || (byte == b':' || byte == b'#');
                let rest = bytes[at..].iter().position(|&byte| !is_plain(byte));
                let end = rest.map_or(bytes.len(), |length| at + length);
                let kind = atom_kind(first, &self.text[at..end]);
                kind.map(|kind| (end, kind)).ok_or_else(|| {
                    let end = end.max(at + 1);
                    let end = (end..).find(|&end| self.text.is_char_boundary(end));
                    self.refuse_at(at, end.unwrap_or(at + 1), "this is no number and no name")
                })
            }
        }
    }

    /// A string; two quotes in it stand for one.
    fn string(&self, at: usize) -> Read<(usize, Kind)> {
        let mut end = at + 1;
        while let Some(quote) = self.find(end, b'"') {
            if self.text.as_bytes().get(quote + 1) != Some(&b'"') {
                return Ok((quote + 1, Kind::Text));
            }
            end = quote + 2;
        }
        Err(self.refuse_at(at, at + 1, "this string has no closing quote"))
    }

    /// The expressions that are in no list.
    pub(super) fn roots(&self) -> &[ExprId] {
        &self.roots
    }

    pub(super) fn kind(&self, expr: ExprId) -> Kind {
        self.exprs[expr].kind
    }

    /// The members of a list; `None` for an atom.
    pub(super) fn list(&self, expr: ExprId) -> Option<&[ExprId]> {
        match self.kind(expr) {
            Kind::List { first, count } => {
                Some(&self.members[first as usize..(first + count) as usize])
            }
            _ => None,
        }
    }

    /// The text of an expression.
    pub(super) fn text(&self, expr: ExprId) -> &'t str {
        let Expr { lo, hi, .. } = self.exprs[expr];
        &self.text[lo as usize..hi as usize]
    }

    /// A name, without its bars; `None` if it is something else.
    pub(super) fn name(&self, expr: ExprId) -> Option<&'t str> {
        match self.kind(expr) {
            Kind::Symbol => Some(self.text(expr)),
            Kind::Quoted => Some(self.text(expr).trim_matches('|')),
            _ => None,
        }
    }

    /// A word of the language, which has no bars.
    pub(super) fn word(&self, expr: ExprId) -> Option<&'t str> {
        (self.kind(expr) == Kind::Symbol).then(|| self.text(expr))
    }

    pub(super) fn span(&self, expr: ExprId) -> Span {
        let Expr { lo, hi, .. } = self.exprs[expr];
        Span {
            lo: self.base + lo,
            hi: self.base + hi,
        }
    }

    /// The end of the text.
    pub(super) fn end(&self) -> Span {
        let at = self.base + self.text.len() as u32;
        Span { lo: at, hi: at }
    }

    fn refuse_at(&self, lo: usize, hi: usize, message: &str) -> Refusal {
        let span = Span {
            lo: self.base + lo as u32,
            hi: self.base + hi as u32,
        };
        self.refuse(span, message)
    }

    pub(super) fn refuse(&self, span: Span, message: impl Into<String>) -> Refusal {
        Box::new(Diagnostic::error(span, message))
    }
}

/// Whether a byte can be in a symbol without bars.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

fn atom_kind(first: u8, text: &str) -> Option<Kind> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match first {
        b'0'..=b'9' => {
            if digits(text) {
                return Some(Kind::Numeral);
            }
            let (whole, part) = text.split_once('.')?;
            (digits(whole) && digits(part)).then_some(Kind::Decimal)
        }
        b'#' => text
            .get(1..2)
            .filter(|&base| base == "x" || base == "b")
            .map(|_| Kind::Bits),
        b':' => (text.len() > 1 && text.bytes().skip(1).all(is_plain)).then_some(Kind::Keyword),
        _ => (!text.is_empty() && text.bytes().all(is_plain)).then_some(Kind::Symbol),
    }
}
