//! Declaration specifiers and type names.

use super::attribute::Attributes;
use super::{Entity, Parsed, Parser, Word};
use crate::token::{Keyword, Punct, Symbol, TokenKind};
use crate::types::{DataModel, FloatKind, IntKind, QualType, Qualifiers, Type};
use base::Span;

/// What a declaration says about storage and linkage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Storage {
    /// Nothing.
    Plain,
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// What comes before the declarators.
#[derive(Clone, Debug)]
pub(super) struct Specifiers {
    /// The type.
    pub(super) ty: QualType,
    /// The storage class.
    pub(super) storage: Storage,
    /// `_Thread_local`
    pub(super) thread: bool,
    /// `inline`
    pub(super) inline: bool,
    /// `__auto_type`: the initialiser gives the type.
    pub(super) auto_type: bool,
    /// Whether a type was written at all.
    pub(super) typed: bool,
    /// Attributes, `_Noreturn` and `_Alignas` included.
    pub(super) attributes: Attributes,
    /// The alignment that the declaration of the type's name gave it, weaker or stricter.
    pub(super) type_align: Option<u64>,
    /// Whether it declares a tag or enumeration constants, and needs no declarator.
    pub(super) declares: bool,
    /// Whether the `;` after a record's body is missing, which has been reported.
    pub(super) ended: bool,
    /// From the first to the last word.
    pub(super) span: Span,
}

/// The arithmetic words, counted.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Words {
    base: Option<Base>,
    long: u8,
    short: bool,
    signed: bool,
    unsigned: bool,
    complex: bool,
    /// Whether a word other than `long` stands twice.
    repeated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Void,
    Bool,
    Char,
    Int,
    Int128,
    Float(FloatKind),
}

impl Words {
    fn is_empty(&self) -> bool {
        *self == Words::default()
    }

    /// The type the words spell, or why they spell none.
    fn resolve(&self) -> Option<Type> {
        let plain = self.long == 0 && !self.short && !self.signed && !self.unsigned;
        let clash = self.signed && self.unsigned || self.short && self.long > 0;
        if clash || self.long > 2 || self.repeated {
            return None;
        }
        if self.complex {
            return match self.base {
                None | Some(Base::Float(FloatKind::Double)) if self.long == 0 && plain => {
                    Some(Type::Complex(FloatKind::Double))
                }
                None | Some(Base::Float(FloatKind::Double)) if self.long == 1 => {
                    Some(Type::Complex(FloatKind::LongDouble))
                }
                Some(Base::Float(kind)) if plain => Some(Type::Complex(kind)),
                _ => None,
            };
        }
        let int = |signed, unsigned| Some(Type::Int(if self.unsigned { unsigned } else { signed }));
        match self.base {
            Some(Base::Void) if plain => Some(Type::Void),
            Some(Base::Bool) if plain => Some(Type::Bool),
            Some(Base::Float(FloatKind::Double)) if self.long == 1 => {
                let bare = !self.signed && !self.unsigned;
                bare.then_some(Type::Float(FloatKind::LongDouble))
            }
            Some(Base::Float(kind)) if plain => Some(Type::Float(kind)),
            Some(Base::Char) if self.long == 0 && !self.short => {
                if self.signed {
                    Some(Type::Int(IntKind::SChar))
                } else {
                    int(IntKind::Char, IntKind::UChar)
                }
            }
            Some(Base::Int128) if self.long == 0 && !self.short => {
                int(IntKind::Int128, IntKind::UInt128)
            }
            None | Some(Base::Int) => match (self.short, self.long) {
                (true, _) => int(IntKind::Short, IntKind::UShort),
                (false, 0) => int(IntKind::Int, IntKind::UInt),
                (false, 1) => int(IntKind::Long, IntKind::ULong),
                (false, _) => int(IntKind::LongLong, IntKind::ULongLong),
            },
            _ => None,
        }
    }
}

/// What is being collected.
struct Collector {
    result: Specifiers,
    words: Words,
    /// A type that is not spelt by arithmetic words.
    other: Option<QualType>,
    quals: Qualifiers,
    align: Option<u64>,
}

impl Parser<'_> {
    /// Whether the next token starts a declaration.
    pub(super) fn starts_declaration(&self) -> bool {
        use Keyword::*;
        match self.peek() {
            TokenKind::Keyword(keyword) => match keyword {
                Typedef | Extern | Static | Auto | Register | Inline | Noreturn | ThreadLocal
                | Alignas | StaticAssert | AutoType => true,
                _ => starts_type(keyword),
            },
            TokenKind::Ident(name) => {
                self.is_typedef(name)
                    || matches!(
                        self.word(name),
                        Some(
                            Word::Bool
                                | Word::StaticAssert
                                | Word::Alignas
                                | Word::Constexpr
                                | Word::ThreadLocal
                                | Word::TypeofUnqual
                        )
                    )
            }
            _ => false,
        }
    }

    /// Whether the next token starts a type name.
    pub(super) fn starts_type_name(&self) -> bool {
        self.starts_type_name_at(0)
    }

    /// Whether the token `ahead` places on starts a type name.
    pub(super) fn starts_type_name_at(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            // `__extension__` before an expression is not a type; before a type it is.
            TokenKind::Keyword(Keyword::Extension) => self.starts_type_name_at(ahead + 1),
            TokenKind::Keyword(keyword) => starts_type(keyword),
            TokenKind::Ident(name) => {
                self.is_typedef(name)
                    || matches!(self.word(name), Some(Word::Bool | Word::TypeofUnqual))
            }
            _ => false,
        }
    }

    /// Whether a name stands for a type here.
    pub(super) fn is_typedef(&self, name: Symbol) -> bool {
        self.ordinary
            .get(name)
            .is_some_and(|entry| matches!(entry.entity, Entity::Typedef(..)))
    }

    /// Declaration specifiers.
    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let start = self.span();
        let mut collector = Collector {
            result: Specifiers {
                ty: self.error.into(),
                storage: Storage::Plain,
                thread: false,
                inline: false,
                auto_type: false,
                typed: false,
                attributes: Attributes::default(),
                type_align: None,
                declares: false,
                ended: false,
                span: start,
            },
            words: Words::default(),
            other: None,
            quals: Qualifiers::NONE,
            align: None,
        };
        while self.specifier(&mut collector)? {}
        let end = self.last_span();
        let mut result = collector.result;
        if end.hi > start.lo {
            result.span = start.to(end);
        }
        result.typed = collector.other.is_some() || !collector.words.is_empty() || result.auto_type;
        let base = match collector.other {
            Some(ty) => ty,
            None => self.spelt_type(&collector.words, &result, start),
        };
        result.attributes.align = result.attributes.align.max(collector.align);
        result.ty = QualType {
            ty: base.ty,
            quals: base.quals.union(collector.quals),
        };
        if collector.quals.contains(Qualifiers::RESTRICT)
            && !self.types.is_pointer(self.types.element_of(base.ty))
            && !self.is_error(base.ty)
        {
            self.error(result.span, "'restrict' on something else than a pointer");
        }
        if let Some((mode, span)) = result.attributes.mode.take() {
            result.ty.ty = self.apply_mode(result.ty.ty, mode, span);
        }
        Ok(result)
    }

    fn spelt_type(&mut self, words: &Words, result: &Specifiers, start: Span) -> QualType {
        match words.resolve() {
            Some(ty) => self.types.intern(ty).into(),
            None => {
                let span = result.span.to(start);
                self.error(span, "these words together name no type");
                self.error.into()
            }
        }
    }

    /// One specifier; false if there is none.
    fn specifier(&mut self, collector: &mut Collector) -> Parsed<bool> {
        if collector.result.declares && self.after_body() && self.at_second_type() {
            self.missing(Punct::Semi, "after the definition of the type");
            collector.result.ended = true;
            return Ok(false);
        }
        match self.peek() {
            TokenKind::Keyword(keyword) => self.keyword_specifier(collector, keyword),
            TokenKind::Ident(name) => self.name_specifier(collector, name),
            TokenKind::Punct(Punct::LBracket) if self.at_standard_attribute() => {
                self.attributes_into(&mut collector.result.attributes)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn keyword_specifier(&mut self, collector: &mut Collector, keyword: Keyword) -> Parsed<bool> {
        let words = &mut collector.words;
        let mut base = None;
        match keyword {
            Keyword::Typedef => return self.storage(collector, Storage::Typedef),
            Keyword::Extern => return self.storage(collector, Storage::Extern),
            Keyword::Static => return self.storage(collector, Storage::Static),
            Keyword::Auto => return self.storage(collector, Storage::Auto),
            Keyword::Register => return self.storage(collector, Storage::Register),
            Keyword::ThreadLocal => collector.result.thread = true,
            Keyword::Inline => collector.result.inline = true,
            Keyword::Noreturn => collector.result.attributes.noreturn = true,
            Keyword::Extension => {}
            Keyword::Const | Keyword::Volatile | Keyword::Restrict => {
                collector.quals = collector.quals.union(qualifier(keyword));
            }
            Keyword::Atomic => return self.atomic(collector),
            Keyword::Attribute => {
                self.attributes_into(&mut collector.result.attributes)?;
                return Ok(true);
            }
            Keyword::Alignas => {
                collector.align = collector.align.max(self.alignas()?);
                return Ok(true);
            }
            Keyword::Struct | Keyword::Union | Keyword::Enum | Keyword::Typeof => {
                return self.other_type(collector, keyword);
            }
            Keyword::AutoType => collector.result.auto_type = true,
            Keyword::Long => words.long = words.long.saturating_add(1),
            Keyword::Short => words.repeated |= std::mem::replace(&mut words.short, true),
            Keyword::Signed => words.repeated |= std::mem::replace(&mut words.signed, true),
            Keyword::Unsigned => words.repeated |= std::mem::replace(&mut words.unsigned, true),
            Keyword::Complex => words.complex = true,
            _ => match base_of(keyword) {
                None => return Ok(false),
                found => base = found,
            },
        }
        let span = self.advance().span;
        if base == Some(Base::Int128) && self.types.model == DataModel::Ilp32 {
            self.warn(
                span,
                "compilers for the 32-bit data model have no '__int128'",
            );
        }
        let other = collector.other.is_some();
        let clashes = match base {
            Some(_) => other || collector.words.base.is_some(),
            None => other && !collector.words.is_empty(),
        };
        if clashes {
            self.two_types(collector, span);
        } else if base.is_some() {
            collector.words.base = base;
        }
        Ok(true)
    }

    fn two_types(&mut self, collector: &mut Collector, span: Span) {
        self.error(span, "two or more data types in declaration specifiers");
        collector.other = Some(self.error.into());
        collector.words = Words::default();
    }

    fn storage(&mut self, collector: &mut Collector, storage: Storage) -> Parsed<bool> {
        let span = self.advance().span;
        let result = &mut collector.result;
        if result.storage == storage {
            self.error(span, "duplicate storage class");
        } else if result.storage != Storage::Plain {
            self.error(span, "multiple storage classes in declaration specifiers");
        } else {
            result.storage = storage;
        }
        Ok(true)
    }

    /// `_Atomic` or `_Atomic(type)`.
    fn atomic(&mut self, collector: &mut Collector) -> Parsed<bool> {
        self.advance();
        collector.quals = collector.quals.union(Qualifiers::ATOMIC);
        if self.at(Punct::LParen) {
            let open = self.advance().span;
            let ty = self.type_name()?;
            self.close(Punct::RParen, open, "'_Atomic'")?;
            collector.other = Some(ty);
        }
        Ok(true)
    }

    /// A record, an enumeration or `typeof`.
    fn other_type(&mut self, collector: &mut Collector, keyword: Keyword) -> Parsed<bool> {
        let span = self.span();
        let taken = collector.other.is_some() || !collector.words.is_empty();
        let ty = match keyword {
            Keyword::Typeof => self.typeof_specifier(false)?,
            Keyword::Enum => {
                collector.result.declares = true;
                self.enum_specifier()?.into()
            }
            _ => {
                let (ty, declares) = self.record_specifier()?;
                collector.result.declares |= declares;
                ty.into()
            }
        };
        if taken {
            self.two_types(collector, span);
        } else {
            collector.other = Some(ty);
        }
        Ok(true)
    }

    /// A type name, a C23 word, or a misspelt type.
    fn name_specifier(&mut self, collector: &mut Collector, name: Symbol) -> Parsed<bool> {
        let typed = collector.other.is_some() || !collector.words.is_empty();
        match self.word(name) {
            // `int thread_local;` names a variable, as it did before C23.
            Some(Word::Constexpr | Word::ThreadLocal) if typed => return Ok(false),
            Some(Word::Constexpr) => collector.quals = collector.quals.union(Qualifiers::CONST),
            Some(Word::ThreadLocal) => collector.result.thread = true,
            Some(Word::Alignas) if self.peek_at(1) == TokenKind::Punct(Punct::LParen) => {
                collector.align = collector.align.max(self.alignas()?);
                return Ok(true);
            }
            _ if typed || collector.result.auto_type => return Ok(false),
            Some(Word::Bool) => collector.words.base = Some(Base::Bool),
            Some(Word::TypeofUnqual) => {
                collector.other = Some(self.typeof_specifier(true)?);
                return Ok(true);
            }
            _ => {
                if let Some(entry) = self.ordinary.get(name)
                    && let Entity::Typedef(ty, align) = entry.entity
                {
                    collector.other = Some(ty);
                    collector.result.type_align = align;
                } else if self.looks_like_type(name) {
                    self.unknown_type(name);
                    collector.other = Some(self.error.into());
                } else {
                    return Ok(false);
                }
            }
        }
        self.advance();
        Ok(true)
    }

    /// The type that was written in front of declarators, or `int` with a warning.
    pub(super) fn base_type(
        &mut self,
        specifiers: &Specifiers,
        span: Span,
        what: &str,
    ) -> QualType {
        let mut base = specifiers.ty;
        if !specifiers.typed {
            self.warn(span, format!("type defaults to 'int' in {what}"));
            base.ty = self.types.int();
        }
        base
    }
}

/// The base type that a keyword names.
fn base_of(keyword: Keyword) -> Option<Base> {
    Some(match keyword {
        Keyword::Void => Base::Void,
        Keyword::Bool => Base::Bool,
        Keyword::Char => Base::Char,
        Keyword::Int => Base::Int,
        Keyword::Int128 => Base::Int128,
        Keyword::Float | Keyword::Float32 => Base::Float(FloatKind::Float),
        Keyword::Double | Keyword::Float64 | Keyword::Float32x => Base::Float(FloatKind::Double),
        Keyword::Float64x => Base::Float(FloatKind::LongDouble),
        Keyword::Float128 => Base::Float(FloatKind::Float128),
        _ => return None,
    })
}

pub(super) fn qualifier(keyword: Keyword) -> Qualifiers {
    match keyword {
        Keyword::Const => Qualifiers::CONST,
        Keyword::Volatile => Qualifiers::VOLATILE,
        Keyword::Restrict => Qualifiers::RESTRICT,
        Keyword::Atomic => Qualifiers::ATOMIC,
        _ => Qualifiers::NONE,
    }
}

/// The types people misspell.
pub(super) const TYPES: &[Keyword] = {
    use Keyword::*;
    &[
        Void, Char, Short, Int, Long, Float, Double, Signed, Unsigned, Struct, Union, Enum, Const,
        Static, Extern, Typedef, Return,
    ]
};

pub(super) fn starts_type(keyword: Keyword) -> bool {
    use Keyword::*;
    match keyword {
        Short | Long | Signed | Unsigned | Complex | Struct | Union | Enum | Typeof | Const
        | Volatile | Restrict | Atomic | Attribute => true,
        _ => base_of(keyword).is_some(),
    }
}
