//! Calls of library functions that the IR has, or that an expression can stand for.

use super::external::External;
use super::procedure::Lowering;
use crate::expr::{BinaryOp, Expr, Type, UnaryOp};
use crate::ir::*;
use base::Span;
use cfront::ast::{CastKind, Expr as CExpr, ExprKind};

/// Where output goes.
pub(super) enum Stream {
    /// To the standard output.
    Out,
    /// Elsewhere.
    Other,
}

impl<'a> Lowering<'_, 'a> {
    /// A call of the same function in the IR.
    pub(super) fn same(
        &mut self,
        library: Library,
        args: &[Expr],
        call: &External<'a>,
    ) -> Option<Expr> {
        let span = call.span;
        let signature = library.signature(&self.cx.program);
        if args.len() < signature.params.len()
            || !signature.variadic && args.len() > signature.params.len()
        {
            self.unsupported(format!("`{}` with these arguments", call.name), span);
            return self.nothing(call);
        }
        let (fixed, further) = args.split_at(signature.params.len());
        let mut converted = Vec::new();
        for (value, &to) in fixed.iter().zip(&signature.params) {
            let from = self.ty(value);
            converted.push(self.converted(value.clone(), from, to));
        }
        if matches!(
            library,
            Library::Malloc | Library::Calloc | Library::Realloc
        ) {
            self.cx.assume(format!("`{}` never fails", library.name()));
        }
        self.check_library(library, &mut converted, span);
        let varargs = match (&call.varargs, signature.variadic) {
            (_, false) => None,
            (Some(varargs), true) => Some(varargs.clone()),
            (None, true) => Some(self.pass_further(further, span)),
        };
        self.library_call(library, converted, varargs, call)
    }

    pub(super) fn library_call(
        &mut self,
        library: Library,
        args: Vec<Expr>,
        varargs: Option<Expr>,
        call: &External<'a>,
    ) -> Option<Expr> {
        let ret = library.signature(&self.cx.program).ret;
        let result = match ret {
            Some(ty) if call.want => Some(self.temp(ty, call.span)),
            _ => None,
        };
        let op = Op::Call(Call {
            result,
            callee: Callee::Library(library),
            args,
            varargs,
        });
        let edge = self.emit(op, call.span);
        match result {
            Some(temp) => {
                let value = self.filled(temp, edge);
                self.external_result(call, value)
            }
            None => self.nothing(call),
        }
    }

    /// Checks what a library function will touch, where that is asked for and can be said.
    pub(super) fn check_library(&mut self, library: Library, args: &mut [Expr], span: Span) {
        let frees = matches!(library, Library::Free | Library::Realloc);
        if frees && self.cx.checks(Property::Free) {
            args[0] = self.atom(args[0].clone(), span);
            let bad = Expr::not(Expr::Freeable(Box::new(args[0].clone())));
            let message = "invalid free: not the start of a living heap object".to_string();
            self.check_not(bad, Property::Free, message, span);
        }
        if !self.cx.checks(Property::Dereference) {
            return;
        }
        let (reads, writes): (&[usize], &[usize]) = match library {
            Library::Memset => (&[], &[0]),
            Library::Memcpy | Library::Memmove => (&[1], &[0]),
            Library::Memcmp => (&[0, 1], &[]),
            Library::Malloc
            | Library::Calloc
            | Library::Realloc
            | Library::Free
            | Library::Alloca
            | Library::Putchar => return,
            Library::Printf if self.prints_only_numbers(&args[0]) => return,
            // How far they go depends on bytes that no expression speaks of.
            Library::Strlen
            | Library::Strcmp
            | Library::Strncmp
            | Library::Strcpy
            | Library::Strncpy
            | Library::Strcat
            | Library::Strchr
            | Library::Printf
            | Library::Puts => {
                let what = format!("`{}` where every access is checked", library.name());
                self.unsupported(what, span);
                return;
            }
        };
        for arg in args.iter_mut() {
            *arg = self.atom(arg.clone(), span);
        }
        for &index in reads {
            self.check_range(&args[index], args[2].clone(), false, span);
        }
        for &index in writes {
            self.check_range(&args[index], args[2].clone(), true, span);
        }
    }

    /// Whether a format is a literal that reads and writes nothing through its arguments.
    fn prints_only_numbers(&self, format: &Expr) -> bool {
        let Expr::Object(object) = *format else {
            return false;
        };
        let object = &self.cx.program.objects[object];
        let bytes = &object.init.bytes;
        let conversions = bytes.split(|&byte| byte == b'%').skip(1);
        let letter = |text: &[u8]| {
            let mut letters = text.iter().filter(|byte| byte.is_ascii_alphabetic());
            letters.find(|byte| !b"hljztLq".contains(byte)).copied()
        };
        object.read_only
            && bytes.contains(&0)
            && conversions
                .map(letter)
                .all(|letter| !matches!(letter, Some(b's' | b'n' | b'S')))
    }

    pub(super) fn print_list(
        &mut self,
        format: &Expr,
        list: &Expr,
        call: &External<'a>,
    ) -> Option<Expr> {
        let rest = self.rest_of_list(list.clone(), call.span);
        let mut args = vec![format.clone()];
        self.check_library(Library::Printf, &mut args, call.span);
        self.library_call(Library::Printf, args, Some(rest), call)
    }

    /// Which stream an argument names.
    pub(super) fn stream(&self, call: &External<'a>, index: usize) -> Stream {
        let global = call.sources.get(index).and_then(global_of);
        match global {
            Some(global) if *self.cx.ast.globals[global].name == *"stdout" => Stream::Out,
            _ => Stream::Other,
        }
    }

    pub(super) fn absolute(&mut self, value: Expr, call: &External<'a>) -> Option<Expr> {
        let span = call.span;
        let ty = self.ty(&value);
        let value = self.atom(value, span);
        let Type::Int(int) = ty else {
            self.unsupported(format!("`{}` with these arguments", call.name), span);
            return self.nothing(call);
        };
        let negative = Expr::binary(BinaryOp::Lt, ty, value.clone(), Expr::int(int, 0));
        let kept = value.clone();
        let negated = |s: &mut Self| {
            if s.cx.checks(Property::Overflow) {
                s.negate(value, ty, span)
            } else {
                Expr::unary(UnaryOp::Neg, ty, value)
            }
        };
        let result = self.choose(negative, negated, |_| kept, span);
        self.external_result(call, result)
    }

    pub(super) fn int_atom(&mut self, value: Expr, span: Span) -> Expr {
        let from = self.ty(&value);
        let value = self.converted(value, from, Type::I32);
        self.atom(value, span)
    }
}

pub(super) fn in_range(byte: &Expr, (low, high): (u8, u8)) -> Expr {
    let test =
        |op, bound: u8| Expr::binary(op, Type::I32, byte.clone(), Expr::i32(i32::from(bound)));
    if low == high {
        return test(BinaryOp::Eq, low);
    }
    Expr::and(test(BinaryOp::Ge, low), test(BinaryOp::Le, high))
}

fn global_of(expr: &CExpr) -> Option<cfront::ast::GlobalId> {
    match &expr.kind {
        ExprKind::Global(global) => Some(*global),
        ExprKind::Cast {
            kind: CastKind::NoOp | CastKind::Pointer,
            operand,
            ..
        } => global_of(operand),
        _ => None,
    }
}
