//! Tokens to the typed tree, in one pass: parsing and typing happen together, as C's grammar needs
//! to know which names are types.
//!
//! A syntax error is reported where it is found and propagates up as [`Reported`] to the next
//! statement or declaration, which skips to a point where parsing can resume. An ill-typed
//! expression is reported and gets the type [`Parser::error`], which silences everything built on
//! it.
//!
//! # Invariants
//! - Every loop over tokens consumes one in each iteration or stops.
//! - Recursion passes through [`Parser::nested`], which bounds it.

mod asm;
mod attribute;
mod builtin;
mod call;
mod claim;
mod complex;
mod convert;
mod decl;
mod declarator;
mod designator;
mod diagnose;
mod enumeration;
mod expr;
mod function;
mod initializer;
mod library;
mod link;
mod local;
mod operator;
mod params;
mod pointer;
mod postfix;
mod primary;
mod put;
mod record;
mod region;
mod scope;
mod sink;
mod sizeof;
mod specifier;
mod stmt;
mod switch;
#[cfg(test)]
mod tests;
mod type_name;
mod typing;
mod unmodelled;

use crate::ast::{Ast, Expr, FunctionId, Global, GlobalId, LocalId, StringId, StringLiteral};
use crate::claim::{ClaimKind, ClaimText};
use crate::token::{Interner, Keyword, Pack, Punct, Symbol, Token, TokenKind, Word};
use crate::types::{RecordId, Type, TypeId, Types};
use crate::{Options, lex};
use base::{Diagnostics, FileId, Id, IdVec, SourceMap, Span};
use function::FunctionState;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Entity, Names, Tag};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How deeply brackets, blocks and declarators may nest.
const MAX_NESTING: u32 = 2000;
/// How high the tree of an expression may grow; a walk over the tree recurses as deeply.
const MAX_HEIGHT: u32 = 10_000;

/// The error has been reported; the caller only finds its way back.
#[derive(Clone, Copy, Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// Parses and links translation units. The tree is meaningful only without errors.
pub(crate) fn parse(
    map: &mut SourceMap,
    files: &[FileId],
    options: &Options,
    claims: &[ClaimText],
    diagnostics: &mut Diagnostics,
) -> Ast {
    let mut names = Interner::new();
    let words = Words::new(&mut names);
    let units: Vec<Vec<Token>> = files
        .iter()
        .map(|&file| lex::lex(map, file, &mut names, diagnostics))
        .collect();
    let mut pending: BTreeMap<_, Vec<claim::Pending>> = BTreeMap::new();
    for (number, claim) in claims.iter().enumerate() {
        let tokens = lex::lex(map, claim.file, &mut names, diagnostics);
        let (file, tokens) = (claim.file, split_packs(tokens).0);
        let place = pending.entry((claim.at, claim.kind)).or_default();
        place.push(claim::Pending {
            number,
            file,
            tokens,
        });
    }
    let mut parser = Parser::new(map, names, words, options, diagnostics);
    parser.pending = pending;
    for (&file, tokens) in files.iter().zip(units) {
        parser.unit(file, tokens);
    }
    let ast = parser.finish();
    if cfg!(debug_assertions) && !diagnostics.has_errors() {
        let broken = crate::check::check(&ast);
        let broken = broken
            .first()
            .map(|(promise, span)| (promise, map.physical(*span)));
        assert!(
            broken.is_none(),
            "the tree should keep its promises: {broken:?}"
        );
    }
    ast
}

/// Words that are names until C23. They are interned first, in their order, so that a comparison
/// of numbers finds them.
#[derive(Clone, Copy, Debug)]
struct Words {
    first: usize,
}

impl Words {
    fn new(names: &mut Interner) -> Self {
        let words = Word::ALL.iter();
        let ids: Vec<usize> = words
            .map(|word| names.intern(word.name()).index())
            .collect();
        Words { first: ids[0] }
    }

    fn get(self, symbol: Symbol) -> Option<Word> {
        let position = symbol.index().wrapping_sub(self.first);
        Word::ALL.get(position).copied()
    }
}

/// Positions in the fields of a record and of the anonymous records inside it.
type MemberPath = smallvec::SmallVec<[usize; 2]>;

/// The state of parsing.
struct Parser<'a> {
    map: &'a SourceMap,
    names: Interner,
    words: Words,
    diagnostics: &'a mut Diagnostics,
    /// The place of the last error: a second one there is an echo.
    last_error: Option<u32>,

    // The program so far.
    types: Types,
    globals: IdVec<GlobalId, Global>,
    functions: IdVec<FunctionId, crate::ast::Function>,
    strings: IdVec<StringId, StringLiteral>,
    string_ids: FxHashMap<StringLiteral, StringId>,
    /// The field of a complete record that a member name leads to: itself, or the anonymous
    /// record that contains it.
    members: FxHashMap<(RecordId, Symbol), usize>,
    /// The members of each complete record, for those that contain it anonymously.
    member_lists: FxHashMap<RecordId, Vec<Symbol>>,
    /// Records with a `const` member, at any depth.
    const_records: FxHashSet<RecordId>,
    /// Unions whose members' values can be passed for them.
    transparent: FxHashSet<RecordId>,
    /// External names of all units.
    links: FxHashMap<Symbol, link::Linked>,
    /// Functions whose body may be replaced by an external definition.
    inline_bodies: FxHashSet<FunctionId>,
    /// Functions that another one stands for, with its name.
    aliases: Vec<(FunctionId, Symbol, Span)>,
    /// Functions with a name for the assembler.
    asm_names: Vec<(FunctionId, Symbol)>,
    /// What stands at file scope and is not modelled.
    unmodelled: Vec<crate::ast::Unmodelled>,
    /// The type of what could not be typed.
    error: TypeId,

    // The unit.
    text: Arc<[u8]>,
    base: u32,
    tokens: Vec<Token>,
    position: usize,
    /// `#pragma pack` limits: from which token on which one holds.
    packs: Vec<(usize, Option<u64>)>,
    ordinary: Names<Entity>,
    tags: Names<Tag>,
    /// Names with linkage of this unit, also those declared in blocks.
    unit_links: FxHashMap<Symbol, link::UnitLink>,
    /// Tentative definitions of this unit.
    tentative: Vec<GlobalId>,

    // Where we are.
    function: Option<FunctionState>,
    /// Parameter lists that are open.
    prototypes: Vec<params::Prototype>,
    /// Lengths of variable arrays not yet placed in the tree.
    lengths: Vec<(LocalId, Expr)>,
    /// The value of `__auto_type`, read before its name is declared.
    auto_value: Option<Expr>,
    nesting: u32,
    /// The height of the expression parsed last.
    height: u32,
    /// The highest expression of the statement expression we are in.
    tallest: u32,
    /// Hidden objects so far, to name them apart.
    hidden: u32,
    /// Claims about places that have not been met yet.
    pending: BTreeMap<(u32, ClaimKind), Vec<claim::Pending>>,
}

impl<'a> Parser<'a> {
    fn new(
        map: &'a SourceMap,
        names: Interner,
        words: Words,
        options: &Options,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        let mut types = Types::new(options.model);
        let record = types.records.push(crate::types::Record {
            tag: None,
            is_union: false,
            span: Span::NONE,
            body: Some(crate::types::RecordBody {
                fields: Vec::new(),
                size: 0,
                align: 1,
            }),
        });
        let error = types.intern(Type::Record(record));
        Parser {
            map,
            names,
            words,
            diagnostics,
            last_error: None,
            types,
            globals: IdVec::new(),
            functions: IdVec::new(),
            strings: IdVec::new(),
            string_ids: FxHashMap::default(),
            members: FxHashMap::default(),
            member_lists: FxHashMap::default(),
            const_records: FxHashSet::default(),
            transparent: FxHashSet::default(),
            links: FxHashMap::default(),
            inline_bodies: FxHashSet::default(),
            aliases: Vec::new(),
            asm_names: Vec::new(),
            unmodelled: Vec::new(),
            error,
            text: Arc::from([]),
            base: 0,
            tokens: Vec::new(),
            position: 0,
            packs: Vec::new(),
            ordinary: Names::new(),
            tags: Names::new(),
            unit_links: FxHashMap::default(),
            tentative: Vec::new(),
            function: None,
            prototypes: Vec::new(),
            lengths: Vec::new(),
            auto_value: None,
            nesting: 0,
            height: 0,
            tallest: 0,
            hidden: 0,
            pending: BTreeMap::new(),
        }
    }

    /// Parses one translation unit.
    fn unit(&mut self, file: FileId, tokens: Vec<Token>) {
        let source = self.map.file(file);
        self.text = source.text.clone();
        self.base = source.base;
        (self.tokens, self.packs) = split_packs(tokens);
        self.position = 0;
        self.ordinary = Names::new();
        self.tags = Names::new();
        self.unit_links.clear();
        self.predeclare();
        while self.peek() != TokenKind::Eof {
            let start = self.position;
            if self.external_declaration().is_err() {
                self.recover_declaration(start);
            }
        }
        self.finish_unit();
    }

    /// The names that gcc, and model checkers among them, know without a declaration.
    fn predeclare(&mut self) {
        let list = [
            ("__builtin_va_list", Type::VaList),
            ("__int128_t", Type::Int(crate::types::IntKind::Int128)),
            ("__uint128_t", Type::Int(crate::types::IntKind::UInt128)),
            ("__CPROVER_size_t", Type::Int(self.types.size_kind())),
            ("__CPROVER_ssize_t", Type::Int(self.types.ptrdiff_kind())),
            ("__CPROVER_bool", Type::Bool),
        ];
        for (text, ty) in list {
            let name = self.names.intern(text);
            let ty = self.types.intern(ty);
            self.ordinary
                .insert(name, Entity::Typedef(ty.into(), None), Span::NONE);
        }
    }

    fn finish(mut self) -> Ast {
        self.resolve_aliases();
        Ast {
            types: self.types,
            globals: self.globals,
            functions: self.functions,
            strings: self.strings,
            unmodelled: self.unmodelled,
        }
    }

    // Tokens.

    fn peek(&self) -> TokenKind {
        self.tokens[self.position].kind
    }

    /// The token `ahead` places on.
    fn peek_at(&self, ahead: usize) -> TokenKind {
        self.tokens
            .get(self.position + ahead)
            .map_or(TokenKind::Eof, |token| token.kind)
    }

    /// Where the next token stands.
    fn span(&self) -> Span {
        self.tokens[self.position].span
    }

    /// Where the last token consumed stands.
    fn last_span(&self) -> Span {
        match self.position.checked_sub(1) {
            Some(last) => self.tokens[last].span,
            None => self.span(),
        }
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.position];
        if token.kind != TokenKind::Eof {
            self.position += 1;
        }
        token
    }

    fn at(&self, punct: Punct) -> bool {
        self.peek() == TokenKind::Punct(punct)
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek() == TokenKind::Keyword(keyword)
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.position += 1;
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.position += 1;
        }
        found
    }

    /// Consumes a mark or reports that it is missing after `what`.
    fn expect(&mut self, punct: Punct, what: &str) -> Parsed<Span> {
        if self.at(punct) {
            return Ok(self.advance().span);
        }
        Err(self.missing(punct, what))
    }

    /// Consumes a name or reports that there is none.
    fn expect_name(&mut self, what: &str) -> Parsed<(Symbol, Span)> {
        let TokenKind::Ident(name) = self.peek() else {
            return Err(self.unexpected(what));
        };
        Ok((name, self.advance().span))
    }

    /// The bytes of a token of this unit.
    fn spelling(&self, span: Span) -> &[u8] {
        &self.text[(span.lo - self.base) as usize..(span.hi - self.base) as usize]
    }

    /// The meaning of a C23 word, unless a declaration gives it another.
    fn word(&self, name: Symbol) -> Option<Word> {
        let word = self.words.get(name)?;
        self.ordinary.get(name).is_none().then_some(word)
    }

    // Bounds.

    /// Runs `inner` one level deeper, or reports that we are too deep.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            return Err(self.error(self.span(), "nested too deeply"));
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    /// Records the height of an expression that was just built.
    fn grow(&mut self, height: u32, span: Span) -> Parsed<()> {
        if height > MAX_HEIGHT {
            return Err(self.error(span, "expression is nested too deeply"));
        }
        self.height = height;
        self.tallest = self.tallest.max(height);
        Ok(())
    }

    /// The limit on alignment that `#pragma pack` sets here.
    fn pack_limit(&self) -> Option<u64> {
        let after = self
            .packs
            .partition_point(|&(from, _)| from <= self.position);
        after.checked_sub(1).and_then(|index| self.packs[index].1)
    }

    /// Opens a scope of names.
    fn open_scope(&mut self) {
        self.ordinary.enter();
        self.tags.enter();
    }

    /// Closes it.
    fn close_scope(&mut self) {
        self.ordinary.leave();
        self.tags.leave();
    }
}

/// Takes the `#pragma pack` lines out of the text and says where each limit holds from.
fn split_packs(mut tokens: Vec<Token>) -> (Vec<Token>, Vec<(usize, Option<u64>)>) {
    let (mut packs, mut stack) = (Vec::new(), Vec::new());
    let (mut current, mut kept) = (None, 0);
    tokens.retain(|token| {
        let TokenKind::PragmaPack(pack) = token.kind else {
            kept += 1;
            return true;
        };
        match pack {
            Pack::Set(limit) => current = Some(u64::from(limit)),
            Pack::Push(limit) => {
                stack.push(current);
                if let Some(limit) = limit {
                    current = Some(u64::from(limit));
                }
            }
            Pack::Pop => current = stack.pop().unwrap_or(None),
            Pack::Reset => current = None,
        }
        packs.push((kept, current));
        false
    });
    (tokens, packs)
}
