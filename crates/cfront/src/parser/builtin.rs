//! Builtins: those with special semantics, those that are library functions under another name, and
//! those we only know by name.

use super::convert::Context;
use super::library::NORETURN;
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Builtin, Expr, ExprKind};
use crate::token::Punct;
use crate::types::{FloatKind, Type, TypeId};
use base::Span;
use std::sync::Arc;

/// Builtins on numbers: what they are, and their names with their signatures (see `library`).
const NUMERIC: &[(Builtin, &str)] = &[
    (Builtin::Expect, "expect:lll expect_with_probability:llld"),
    (Builtin::Unreachable, "unreachable:v"),
    (Builtin::Trap, "trap:v"),
    (Builtin::Popcount, "popcount:iu popcountl:im popcountll:iM"),
    (Builtin::Clz, "clz:iu clzl:im clzll:iM"),
    (Builtin::Ctz, "ctz:iu ctzl:im ctzll:iM"),
    (Builtin::Ffs, "ffs:ii ffsl:il ffsll:iL"),
    (Builtin::Parity, "parity:iu parityl:im parityll:iM"),
    (
        Builtin::Bswap,
        "bswap16:hh bswap32:uu bswap64:MM bswap128:qq",
    ),
];

/// The same of those that we do not model.
const UNMODELLED: &str = "__builtin_clrsb:ii __builtin_clrsbl:il __builtin_clrsbll:iL __builtin_frame_address:pu \
    __builtin_return_address:pu __builtin_extract_return_addr:pp __builtin_setjmp:ip \
    __builtin_longjmp:vpi __builtin_isinf_sign:iD __builtin_isinf:iD __builtin_isnan:iD \
    __builtin_isfinite:iD __builtin_isnormal:iD __builtin_signbit:iD __builtin_signbitf:if \
    __builtin_signbitl:iD __builtin_fpclassify:iiiiiiD __builtin_isunordered:iDD \
    __builtin_islessgreater:iDD __builtin_powi:ddi __builtin_powif:ffi __builtin_powil:DDi";

/// `__sync_…` and `__atomic_…` operations, which we do not model, by what they give.
const ATOMIC: &[(Gives, &str)] = &[
    (
        Gives::Pointee,
        "__sync_fetch_and_add __sync_fetch_and_sub __sync_fetch_and_or __sync_fetch_and_and \
         __sync_fetch_and_xor __sync_fetch_and_nand __sync_add_and_fetch __sync_sub_and_fetch \
         __sync_or_and_fetch __sync_and_and_fetch __sync_xor_and_fetch __sync_nand_and_fetch \
         __sync_val_compare_and_swap __sync_lock_test_and_set __atomic_load_n \
         __atomic_exchange_n __atomic_fetch_add __atomic_fetch_sub __atomic_fetch_and \
         __atomic_fetch_or __atomic_fetch_xor __atomic_fetch_nand __atomic_add_fetch \
         __atomic_sub_fetch __atomic_and_fetch __atomic_or_fetch __atomic_xor_fetch \
         __atomic_nand_fetch",
    ),
    (
        Gives::Bool,
        "__sync_bool_compare_and_swap __atomic_compare_exchange_n __atomic_compare_exchange \
         __atomic_test_and_set __atomic_always_lock_free __atomic_is_lock_free",
    ),
    (
        Gives::Void,
        "__sync_lock_release __sync_synchronize __atomic_load __atomic_store_n __atomic_store \
         __atomic_exchange __atomic_clear __atomic_thread_fence __atomic_signal_fence",
    ),
];

/// The type of an atomic operation's value.
#[derive(Clone, Copy)]
enum Gives {
    /// What the first argument points to.
    Pointee,
    Bool,
    Void,
}

impl Parser<'_> {
    /// A builtin whose name was just consumed; nothing if there is none of that name.
    pub(super) fn builtin(&mut self, text: &Arc<str>, start: Span) -> Parsed<Option<Expr>> {
        if let Some((name, gives)) = atomic(text)
            && self.at(Punct::LParen)
        {
            return self.atomic_builtin(name, gives, start).map(Some);
        }
        if let Some(op) = checked_op(text)
            && self.at(Punct::LParen)
            && !self.is_declared(text)
        {
            return self.checked_operation(op, start).map(Some);
        }
        let Some(name) = text.strip_prefix("__builtin_") else {
            return Ok(None);
        };
        if !self.at(Punct::LParen) {
            return Ok(self.library_call(name, start));
        }
        if let Some((builtin, signature)) = numeric(name, text) {
            return self.numeric_builtin(builtin, signature, start).map(Some);
        }
        if let Some(op) = overflow_op(name) {
            return self.overflow_builtin(op, name, start).map(Some);
        }
        let special = match name {
            "va_start" | "c23_va_start" => self.list_builtin(Builtin::VaStart, start)?,
            "va_end" => self.list_builtin(Builtin::VaEnd, start)?,
            "va_copy" => self.list_builtin(Builtin::VaCopy, start)?,
            "constant_p" => self.constant_p(start)?,
            "object_size" | "dynamic_object_size" => self.object_size(start)?,
            "prefetch" => self.prefetch(start)?,
            "assume_aligned" => self.assume_aligned(start)?,
            "classify_type" => self.classify_type(start)?,
            "alloca_with_align" | "alloca_with_align_and_max" => self.alloca_with_align(start)?,
            "isgreater" => self.float_comparison(BinaryOp::Gt, start)?,
            "isgreaterequal" => self.float_comparison(BinaryOp::Ge, start)?,
            "isless" => self.float_comparison(BinaryOp::Lt, start)?,
            "islessequal" => self.float_comparison(BinaryOp::Le, start)?,
            _ => {
                if let Some(expr) = self.float_builtin(name, start)? {
                    return Ok(Some(expr));
                }
                return Ok(self.library_call(name, start));
            }
        };
        Ok(Some(special))
    }

    /// `__builtin_f` for a library function `f`.
    fn library_call(&mut self, name: &str, span: Span) -> Option<Expr> {
        let ty = self.library_type(name)?;
        let symbol = self.names.intern(name);
        let id = self.declare_silently(symbol, ty, span, false);
        self.functions[id].noreturn |= NORETURN.contains(&name);
        // A declaration in the text may have the better type.
        let ty = match self.unit_links.get(&symbol) {
            Some(link) if self.types.is_function(link.ty.ty) => link.ty.ty,
            _ => ty,
        };
        Some(Expr::new(ExprKind::Function(id), ty, span))
    }

    /// The arguments of a builtin, checked for number, and the span of the whole.
    fn builtin_arguments(
        &mut self,
        counts: std::ops::RangeInclusive<usize>,
        start: Span,
    ) -> Parsed<(Vec<Expr>, Span)> {
        let (args, close) = self.arguments()?;
        let span = start.to(close);
        if !counts.contains(&args.len()) {
            let given = args.len();
            let message = format!("wrong number of arguments for a builtin: {given}");
            return Err(self.error(span, message));
        }
        self.height += 2;
        Ok((args, span))
    }

    /// The same for so many arguments.
    fn fixed_arguments<const N: usize>(&mut self, start: Span) -> Parsed<([Expr; N], Span)> {
        let (args, span) = self.builtin_arguments(N..=N, start)?;
        let args = args.try_into().expect("so many arguments should be there");
        Ok((args, span))
    }

    /// A builtin with arguments that fit it.
    pub(super) fn builtin_node(
        &self,
        builtin: Builtin,
        args: Vec<Expr>,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        Expr::new(ExprKind::Builtin { builtin, args }, ty, span)
    }

    fn numeric_builtin(&mut self, builtin: Builtin, signature: &str, start: Span) -> Parsed<Expr> {
        let ty = self.signature(signature);
        let Some(function) = self.types.function(ty).cloned() else {
            return Ok(self.broken(start));
        };
        let count = function.params.len();
        let (args, span) = self.builtin_arguments(count..=count, start)?;
        let args = args.into_iter().zip(&function.params).enumerate();
        let converted = args.map(|(index, (arg, &param))| {
            self.assigned(arg, param, &Context::Argument(index + 1, None))
        });
        let converted: Vec<Expr> = converted.collect();
        if converted.iter().any(|arg| self.is_error(arg.ty.ty)) {
            return Ok(self.broken(span));
        }
        Ok(self.builtin_node(builtin, converted, function.ret.ty, span))
    }

    fn atomic_builtin(&mut self, name: &'static str, gives: Gives, start: Span) -> Parsed<Expr> {
        let (args, span) = self.builtin_arguments(0..=6, start)?;
        let args: Vec<Expr> = args.into_iter().map(|arg| self.value(arg)).collect();
        if args.iter().any(|arg| self.is_error(arg.ty.ty)) {
            return Ok(self.broken(span));
        }
        let ty = match gives {
            Gives::Void => self.types.void(),
            Gives::Bool => self.types.bool(),
            Gives::Pointee => match args.first().and_then(|arg| self.types.pointee(arg.ty.ty)) {
                Some(to) => to.ty,
                None => {
                    return Ok(self.refused(span, format!("'{name}' needs a pointer")));
                }
            },
        };
        Ok(self.builtin_node(Builtin::Unmodelled(name), args, ty, span))
    }

    fn overflow_builtin(&mut self, op: Overflow, name: &str, start: Span) -> Parsed<Expr> {
        let ([a, b, third], span) = self.fixed_arguments(start)?;
        let (mut a, mut b) = (self.promoted(a), self.promoted(b));
        // The third operand of `…_p` is of the type that is asked about.
        let third = self.value(third);
        if [&a, &b, &third].iter().any(|arg| self.is_error(arg.ty.ty)) {
            return Ok(self.broken(span));
        }
        if let Some(letter) = op.letter {
            let ty = self.signature(&format!("{letter}"));
            let ty = self.types.function(ty).map_or(self.error, |f| f.ret.ty);
            (a, b) = (self.implicit(a, ty), self.implicit(b, ty));
        }
        let integers = self.types.is_integer(a.ty.ty) && self.types.is_integer(b.ty.ty);
        let target = match op.is_asked {
            true => Some(third.ty),
            false => self.types.pointee(third.ty.ty),
        };
        let fits = target.is_some_and(|to| self.types.kind_of(to.ty).is_some());
        if !integers || !fits {
            let message = format!("'__builtin_{name}' needs two integers and a pointer to one");
            return Ok(self.refused(span, message));
        }
        let ty = self.types.bool();
        Ok(self.builtin_node(op.builtin, vec![a, b, third], ty, span))
    }

    /// CBMC's operations on two numbers of their common type: whether the exact result does not fit
    /// it, or the number in it that is nearest to that.
    fn checked_operation(&mut self, op: Builtin, start: Span) -> Parsed<Expr> {
        let ([a, b], span) = self.fixed_arguments(start)?;
        let (a, b) = (self.value(a), self.value(b));
        if !self.types.is_integer(a.ty.ty) || !self.types.is_integer(b.ty.ty) {
            return Ok(self.refused(span, "this operation needs two integers"));
        }
        let (a, b, ty) = self.balanced(a, b);
        if matches!(op, Builtin::SaturatingAdd | Builtin::SaturatingSub) {
            return Ok(self.builtin_node(op, vec![a, b], ty, span));
        }
        let zero = self.constant_of(ty, 0, span);
        let bool = self.types.bool();
        Ok(self.builtin_node(op, vec![a, b, zero], bool, span))
    }

    /// Whether the program declares a name.
    fn is_declared(&mut self, text: &Arc<str>) -> bool {
        let name = self.names.intern(text);
        self.unit_links.contains_key(&name)
    }

    /// `va_start`, `va_end` and `va_copy`.
    fn list_builtin(&mut self, builtin: Builtin, start: Span) -> Parsed<Expr> {
        let counts = match builtin {
            Builtin::VaCopy => 2..=2,
            Builtin::VaStart => 1..=2,
            _ => 1..=1,
        };
        let (args, span) = self.builtin_arguments(counts, start)?;
        let lists = if builtin == Builtin::VaCopy { 2 } else { 1 };
        for arg in &args[..lists] {
            self.check_list(arg);
        }
        if builtin == Builtin::VaStart {
            let variadic = self.function.as_ref().is_some_and(|state| {
                self.types
                    .function(state.ty)
                    .is_some_and(|function| function.variadic)
            });
            if !variadic {
                self.error(
                    span,
                    "'va_start' in a function with a fixed number of arguments",
                );
            }
        }
        let ty = self.types.void();
        Ok(self.builtin_node(builtin, args, ty, span))
    }

    fn check_list(&mut self, list: &Expr) {
        if self.is_error(list.ty.ty) || matches!(self.types.get(list.ty.ty), Type::VaList) {
            return;
        }
        let shown = self.show(list.ty);
        self.error(list.span, format!("'{shown}' is not a 'va_list'"));
    }

    /// `__builtin_va_arg(list, type)`
    pub(super) fn va_arg(&mut self) -> Parsed<Expr> {
        let start = self.advance().span;
        let open = self.expect(Punct::LParen, "after 'va_arg'")?;
        let list = self.assignment_expression()?;
        self.expect(Punct::Comma, "after the list")?;
        let ty = self.type_name()?;
        let close = self.close(Punct::RParen, open, "'va_arg'")?;
        let span = start.to(close);
        self.check_list(&list);
        if self.is_error(ty.ty) || self.is_error(list.ty.ty) {
            return Ok(self.broken(span));
        }
        if !self.types.is_complete(ty.ty) {
            return Ok(self.refused_type(span, "'va_arg' of the incomplete type", ty));
        }
        self.height += 1;
        Ok(Expr::new(ExprKind::VaArg(Box::new(list)), ty.ty, span))
    }

    /// `__builtin_types_compatible_p(type, type)`
    pub(super) fn types_compatible(&mut self) -> Parsed<Expr> {
        let start = self.advance().span;
        let open = self.expect(Punct::LParen, "here")?;
        let a = self.unevaluated(Self::type_name)?;
        self.expect(Punct::Comma, "after the type")?;
        let b = self.unevaluated(Self::type_name)?;
        let close = self.close(Punct::RParen, open, "the builtin")?;
        let same = self.types.compatible(a.ty, b.ty);
        Ok(self.int_constant(i128::from(same), start.to(close)))
    }

    /// `__builtin_choose_expr(constant, a, b)`
    pub(super) fn choose_expression(&mut self) -> Parsed<Expr> {
        let start = self.advance().span;
        let open = self.expect(Punct::LParen, "here")?;
        let choice = self.constant_expression("choice")?;
        self.expect(Punct::Comma, "after the choice")?;
        let first = self.assignment_expression()?;
        let height = self.height;
        self.expect(Punct::Comma, "after the first expression")?;
        let second = self.assignment_expression()?;
        let close = self.close(Punct::RParen, open, "the builtin")?;
        let span = start.to(close);
        let chosen = match choice {
            None => return Ok(self.broken(span)),
            Some(value) if value.is_zero() => second,
            Some(_) => {
                self.height = height;
                first
            }
        };
        Ok(Expr { span, ..chosen })
    }

    /// `__builtin_constant_p(x)`: whether we see that it is.
    fn constant_p(&mut self, start: Span) -> Parsed<Expr> {
        let ([arg], span) = self.unevaluated(|parser| parser.fixed_arguments(start))?;
        let scalar = self.types.is_arithmetic(arg.ty.ty) && !self.is_error(arg.ty.ty);
        let constant = matches!(arg.kind, ExprKind::String(_))
            || scalar && crate::fold::constant(&self.types, &arg).is_ok();
        self.height = 1;
        Ok(self.int_constant(i128::from(constant), span))
    }

    /// `__builtin_object_size(p, kind)`: not known.
    fn object_size(&mut self, start: Span) -> Parsed<Expr> {
        let ([_, kind], span) = self.unevaluated(|parser| parser.fixed_arguments(start))?;
        let kind = self.fold_integer(&kind);
        let least = kind.is_some_and(|kind| kind.bits() & 2 != 0);
        self.height = 1;
        let size_t = self.types.size_t();
        Ok(self.constant_of(size_t, if least { 0 } else { -1 }, span))
    }

    /// `__builtin_prefetch(p, …)`: only its arguments' effects.
    fn prefetch(&mut self, start: Span) -> Parsed<Expr> {
        let (mut args, span) = self.builtin_arguments(1..=3, start)?;
        let void = self.types.void();
        Ok(self.explicit_cast(void.into(), args.swap_remove(0), span))
    }

    fn assume_aligned(&mut self, start: Span) -> Parsed<Expr> {
        let (mut args, _) = self.builtin_arguments(2..=3, start)?;
        let target = self.types.void_pointer();
        let context = Context::Argument(1, None);
        let value = self.assigned(args.swap_remove(0), target.into(), &context);
        Ok(self.as_value(value))
    }

    /// gcc's numbers for classes of types.
    fn classify_type(&mut self, start: Span) -> Parsed<Expr> {
        let ([arg], span) = self.unevaluated(|parser| parser.fixed_arguments(start))?;
        let arg = self.value(arg);
        let class = match self.types.get(arg.ty.ty) {
            Type::Void => 0,
            Type::Bool | Type::Int(_) | Type::Enum(_) => 1,
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) | Type::VaList => 5,
            Type::Float(_) => 8,
            Type::Complex(_) => 9,
            Type::Record(_) if self.types.is_union(arg.ty.ty) => 13,
            Type::Record(_) => 12,
        };
        self.height = 1;
        Ok(self.int_constant(class, span))
    }

    fn alloca_with_align(&mut self, start: Span) -> Parsed<Expr> {
        let (mut args, span) = self.builtin_arguments(2..=3, start)?;
        args.truncate(1);
        match self.library_call("alloca", start) {
            Some(callee) => Ok(self.call_with(callee, args, span)),
            None => Ok(self.broken(span)),
        }
    }

    /// `isless(a, b)` and so on: comparisons that raise no exception.
    fn float_comparison(&mut self, op: BinaryOp, start: Span) -> Parsed<Expr> {
        let ([a, b], span) = self.fixed_arguments(start)?;
        let result = self.binary(op, a, b);
        Ok(Expr { span, ..result })
    }

    /// Infinities and quiet NaNs.
    fn float_builtin(&mut self, name: &str, start: Span) -> Parsed<Option<Expr>> {
        let (base, kind) = match name.as_bytes() {
            [.., b'f', b'1', b'2', b'8'] => (&name[..name.len() - 4], FloatKind::Float128),
            _ if matches!(name, "inf" | "huge_val" | "nan") => (name, FloatKind::Double),
            [.., b'f'] => (&name[..name.len() - 1], FloatKind::Float),
            [.., b'l'] => (&name[..name.len() - 1], FloatKind::LongDouble),
            _ => return Ok(None),
        };
        let (value, counts) = match base {
            "inf" | "huge_val" => (f64::INFINITY, 0..=0),
            "nan" => (f64::NAN, 1..=1),
            _ => return Ok(None),
        };
        let (_, span) = self.builtin_arguments(counts, start)?;
        self.height = 1;
        Ok(Some(Expr::new(
            ExprKind::Float(value),
            self.types.float_kind(kind),
            span,
        )))
    }
}

/// The builtin on numbers of that name, without and with its prefix, and its signature.
fn numeric(name: &str, whole: &str) -> Option<(Builtin, &'static str)> {
    let found = |names: &'static str, name: &str| {
        let mut names = names
            .split_whitespace()
            .filter_map(|row| row.split_once(':'));
        names.find(|(known, _)| *known == name)
    };
    let modelled = (NUMERIC.iter()).find_map(|&(builtin, names)| {
        found(names, name).map(|(_, signature)| (builtin, signature))
    });
    modelled.or_else(|| {
        let (name, signature) = found(UNMODELLED, whole)?;
        Some((Builtin::Unmodelled(name), signature))
    })
}

fn atomic(name: &str) -> Option<(&'static str, Gives)> {
    ATOMIC.iter().find_map(|&(gives, names)| {
        let name = names.split_whitespace().find(|known| *known == name)?;
        Some((name, gives))
    })
}

/// A checked operation; a letter if its operands have one type only.
struct Overflow {
    builtin: Builtin,
    letter: Option<char>,
    /// Whether only the question is asked, and nothing stored.
    is_asked: bool,
}

/// CBMC's checked operations.
fn checked_op(name: &str) -> Option<Builtin> {
    Some(match name {
        "__CPROVER_overflow_plus" => Builtin::AddOverflow,
        "__CPROVER_overflow_minus" => Builtin::SubOverflow,
        "__CPROVER_overflow_mult" => Builtin::MulOverflow,
        "__CPROVER_saturating_plus" => Builtin::SaturatingAdd,
        "__CPROVER_saturating_minus" => Builtin::SaturatingSub,
        _ => return None,
    })
}

/// `add_overflow`, `smull_overflow` and so on.
fn overflow_op(name: &str) -> Option<Overflow> {
    let (stem, is_asked) = match name.strip_suffix("_overflow_p") {
        Some(stem) => (stem, true),
        None => (name.strip_suffix("_overflow")?, false),
    };
    let plain = |stem: &str| match stem {
        "add" => Some(Builtin::AddOverflow),
        "sub" => Some(Builtin::SubOverflow),
        "mul" => Some(Builtin::MulOverflow),
        _ => None,
    };
    let (builtin, letter) = match plain(stem) {
        Some(builtin) => (builtin, None),
        None if is_asked => return None,
        None => {
            let letters = match stem.as_bytes().first()? {
                b's' => ['i', 'l', 'L'],
                b'u' => ['u', 'm', 'M'],
                _ => return None,
            };
            let index = match stem.get(4..)? {
                "" => 0,
                "l" => 1,
                "ll" => 2,
                _ => return None,
            };
            (plain(&stem[1..4])?, Some(letters[index]))
        }
    };
    Some(Overflow {
        builtin,
        letter,
        is_asked,
    })
}
