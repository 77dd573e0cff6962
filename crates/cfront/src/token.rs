//! Tokens, and the table of names.
//!
//! # Invariants
//! - A literal's spelling is the bytes of its span, line splices included.
//! - The first symbols of every [`Interner`] are the keywords, so telling a keyword from a name is
//!   one comparison.

use base::{Id, IdVec, Span, define_id, named_enum};
use rustc_hash::FxHashMap;
use std::sync::Arc;

define_id! {
    /// An interned name.
    Symbol = "sym";
}

/// A piece of C text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its location.
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// The end of the text; always the last token.
    Eof,
    /// A name.
    Ident(Symbol),
    /// A reserved word.
    Keyword(Keyword),
    /// An integer constant.
    Int,
    /// A floating constant.
    Float,
    /// A character constant.
    Char,
    /// One string literal; adjacent ones are joined by the parser.
    String,
    /// Punctuation.
    Punct(Punct),
    /// `#pragma pack(…)`.
    PragmaPack(Pack),
}

/// What a `#pragma pack` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pack {
    /// `pack(n)`: no member is aligned to more than `n` bytes.
    Set(u8),
    /// `pack(push)` or `pack(push, n)`.
    Push(Option<u8>),
    /// `pack(pop)`.
    Pop,
    /// `pack()`: natural alignment again.
    Reset,
}

/// Names, each stored once.
#[derive(Clone, Debug)]
pub struct Interner {
    texts: IdVec<Symbol, Arc<str>>,
    symbols: FxHashMap<Arc<[u8]>, Symbol>,
}

impl Default for Interner {
    fn default() -> Self {
        Interner::new()
    }
}

impl Interner {
    /// The keywords only.
    pub fn new() -> Self {
        let mut interner = Interner {
            texts: IdVec::new(),
            symbols: FxHashMap::default(),
        };
        for (spelling, _) in KEYWORDS {
            interner.intern(spelling);
        }
        debug_assert_eq!(interner.texts.len(), KEYWORDS.len());
        interner
    }

    /// The symbol of a name.
    pub fn intern(&mut self, text: &str) -> Symbol {
        match self.symbols.get(text.as_bytes()) {
            Some(&symbol) => symbol,
            None => self.insert(text),
        }
    }

    /// The symbol of a name given as bytes; `None` if they are not UTF-8.
    pub(crate) fn intern_bytes(&mut self, text: &[u8]) -> Option<Symbol> {
        match self.symbols.get(text) {
            Some(&symbol) => Some(symbol),
            None => Some(self.insert(std::str::from_utf8(text).ok()?)),
        }
    }

    fn insert(&mut self, text: &str) -> Symbol {
        let text: Arc<str> = text.into();
        let symbol = self.texts.push(text.clone());
        self.symbols.insert(text.into(), symbol);
        symbol
    }

    /// The name of a symbol.
    pub fn text(&self, symbol: Symbol) -> &Arc<str> {
        &self.texts[symbol]
    }

    /// The keyword that a symbol spells, if it does.
    pub fn keyword(symbol: Symbol) -> Option<Keyword> {
        KEYWORDS.get(symbol.index()).map(|&(_, keyword)| keyword)
    }
}

/// Defines the keywords: each variant with all its spellings.
macro_rules! keywords {
    ($($name:ident: $($spelling:literal)+;)+) => {
        /// A reserved word; GNU's spellings of one word are one keyword.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "the names are C's")]
        pub enum Keyword { $($name,)+ }

        const KEYWORDS: &[(&str, Keyword)] = &[$($(($spelling, Keyword::$name),)+)+];

        impl Keyword {
            /// Its usual spelling.
            pub fn text(self) -> &'static str {
                match self { $(Keyword::$name => [$($spelling,)+][0],)+ }
            }
        }
    };
}

keywords! {
    Auto: "auto";
    Break: "break";
    Case: "case";
    Char: "char";
    Const: "const" "__const" "__const__";
    Continue: "continue";
    Default: "default";
    Do: "do";
    Double: "double";
    Else: "else";
    Enum: "enum";
    Extern: "extern";
    Float: "float";
    For: "for";
    Goto: "goto";
    If: "if";
    Inline: "inline" "__inline" "__inline__";
    Int: "int";
    Long: "long";
    Register: "register";
    Restrict: "restrict" "__restrict" "__restrict__";
    Return: "return";
    Short: "short";
    Signed: "signed" "__signed" "__signed__";
    Sizeof: "sizeof";
    Static: "static";
    Struct: "struct";
    Switch: "switch";
    Typedef: "typedef";
    Union: "union";
    Unsigned: "unsigned";
    Void: "void";
    Volatile: "volatile" "__volatile" "__volatile__";
    While: "while";
    Alignas: "_Alignas";
    Alignof: "_Alignof" "__alignof__" "__alignof";
    Asm: "asm" "__asm__" "__asm";
    Atomic: "_Atomic";
    Attribute: "__attribute__" "__attribute";
    AutoType: "__auto_type";
    Bool: "_Bool";
    BuiltinChooseExpr: "__builtin_choose_expr";
    BuiltinOffsetof: "__builtin_offsetof";
    BuiltinTypesCompatible: "__builtin_types_compatible_p";
    BuiltinVaArg: "__builtin_va_arg";
    Complex: "_Complex" "__complex__" "__complex";
    Extension: "__extension__";
    Float128: "_Float128" "__float128";
    Float32: "_Float32";
    Float32x: "_Float32x";
    Float64: "_Float64";
    Float64x: "_Float64x";
    FuncName: "__func__" "__FUNCTION__" "__PRETTY_FUNCTION__";
    Generic: "_Generic";
    Imag: "__imag__" "__imag";
    Int128: "__int128";
    LocalLabel: "__label__";
    Noreturn: "_Noreturn";
    Real: "__real__" "__real";
    StaticAssert: "_Static_assert";
    ThreadLocal: "_Thread_local" "__thread";
    Typeof: "typeof" "__typeof__" "__typeof";
}

named_enum! {
    /// A C23 word that means something where no declaration of that name is in scope.
    #[allow(missing_docs, reason = "the names are C's")]
    pub enum Word {
        Bool = "bool",
        True = "true",
        False = "false",
        Nullptr = "nullptr",
        StaticAssert = "static_assert",
        Alignas = "alignas",
        Alignof = "alignof",
        Constexpr = "constexpr",
        ThreadLocal = "thread_local",
        TypeofUnqual = "typeof_unqual",
    }

    /// Punctuation, named as it is usually spelt; digraphs are the mark they stand for.
    #[allow(missing_docs, reason = "the names say it")]
    pub enum Punct {
        LParen = "(",
        RParen = ")",
        LBracket = "[",
        RBracket = "]",
        LBrace = "{",
        RBrace = "}",
        Dot = ".",
        Arrow = "->",
        PlusPlus = "++",
        MinusMinus = "--",
        Amp = "&",
        Star = "*",
        Plus = "+",
        Minus = "-",
        Tilde = "~",
        Bang = "!",
        Slash = "/",
        Percent = "%",
        Shl = "<<",
        Shr = ">>",
        Lt = "<",
        Gt = ">",
        Le = "<=",
        Ge = ">=",
        EqEq = "==",
        BangEq = "!=",
        Caret = "^",
        Pipe = "|",
        AmpAmp = "&&",
        PipePipe = "||",
        Question = "?",
        Colon = ":",
        Semi = ";",
        Ellipsis = "...",
        Assign = "=",
        StarAssign = "*=",
        SlashAssign = "/=",
        PercentAssign = "%=",
        PlusAssign = "+=",
        MinusAssign = "-=",
        ShlAssign = "<<=",
        ShrAssign = ">>=",
        AmpAssign = "&=",
        CaretAssign = "^=",
        PipeAssign = "|=",
        Comma = ",",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_come_first_and_names_are_shared() {
        let mut interner = Interner::new();
        let inline = interner.intern("__inline__");
        assert_eq!(Interner::keyword(inline), Some(Keyword::Inline));
        let names: Vec<Symbol> = (0..10_000)
            .map(|n| interner.intern(&format!("name{n}")))
            .collect();
        for (n, &symbol) in names.iter().enumerate() {
            assert_eq!(&**interner.text(symbol), format!("name{n}"));
            assert_eq!(interner.intern(&format!("name{n}")), symbol);
            assert_eq!(Interner::keyword(symbol), None);
        }
    }
}
