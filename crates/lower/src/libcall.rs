//! Calls of library functions that the IR has, or that an expression can represent.

use super::external::External;
use super::procedure::Lowering;
use base::Span;
use cfront::ast::{CastKind, Expr as CExpr, ExprKind};
use program::expr::{BinaryOp, Constant, Expr, FloatType, Type, UnaryOp};
use program::ir::*;
use program::math::Math;

/// The error of a function on numbers that has no value there, as Linux numbers it.
const EDOM: i32 = 33;

/// Where output goes.
pub(super) enum Stream {
    /// To the standard output.
    Out,
    /// Elsewhere.
    Other,
}

impl<'a> Lowering<'_, 'a> {
    /// Whether a function of the IR is called as it is written in C: there its accesses are checked
    /// one by one, which no expression before a call could do. What takes a number apart is always
    /// called so, since formulas follow it there.
    pub(super) fn is_called_in_c(&self, library: Library) -> bool {
        use Library::*;
        if matches!(library, Frexp(_) | Modf(_)) {
            return true;
        }
        let is_on_texts = matches!(
            library,
            Strlen | Strcmp | Strncmp | Strcpy | Strncpy | Strcat | Strchr
        );
        is_on_texts && self.cx.checks(Property::Dereference)
    }

    /// A call of the same function in the IR.
    pub(super) fn same(
        &mut self,
        library: Library,
        args: &[Expr],
        call: &External<'a>,
    ) -> Option<Expr> {
        use Library::*;
        let span = call.span;
        let signature = library.signature(&self.cx.program);
        if args.len() < signature.params.len()
            || !signature.variadic && args.len() > signature.params.len()
        {
            return self.other_arguments(call);
        }
        let (fixed, further) = args.split_at(signature.params.len());
        let converted = fixed.iter().zip(&signature.params);
        let mut converted: Vec<Expr> = converted
            .map(|(value, &to)| self.converted(value.clone(), to))
            .collect();
        if matches!(library, Malloc | Calloc | Realloc) {
            return self.allocation(library, converted, call);
        }
        if matches!(library, Printf | Puts | Putchar) && call.want {
            self.cx
                .assume(format!("`{}` prints everything", library.name()));
        }
        let is_checked = match (library, converted.as_slice()) {
            (Printf, [format]) => self.check_printed(format, further, call),
            (Puts, [text]) => {
                self.check_text(text, call);
                true
            }
            _ => false,
        };
        if !is_checked {
            self.check_library(library, &mut converted, span);
        }
        let varargs = match (&call.varargs, signature.variadic) {
            (_, false) => None,
            (Some(varargs), true) => Some(varargs.clone()),
            (None, true) => Some(self.pass_further(further, span)),
        };
        self.library_call(library, converted, varargs, call)
    }

    /// A function on numbers: its value where they are constant.
    pub(super) fn math(
        &mut self,
        math: Math,
        format: FloatType,
        args: &[Expr],
        call: &External<'a>,
    ) -> Option<Expr> {
        let ty = Type::Float(format);
        let plain = args.iter().all(|arg| self.ty(arg) != Type::Ptr);
        if args.len() != math.operands() || !plain {
            return self.other_arguments(call);
        }
        let args = args.iter().map(|arg| {
            let arg = self.converted(arg.clone(), ty);
            self.atom(arg, call.span)
        });
        let args: Vec<Expr> = args.collect();
        self.domain_error(math, format, &args, call);
        let bits = args.iter().map(|arg| match arg.constant() {
            Some(Constant::Float(_, bits)) => Some(bits),
            _ => None,
        });
        match bits.collect::<Option<Vec<u64>>>() {
            Some(bits) => self.external_result(call, Expr::Const(math.apply(format, &bits))),
            None => self.same(Library::Math(math, format), &args, call),
        }
    }

    /// Sets `errno` where a function on numbers has no value, if the program looks at it.
    fn domain_error(&mut self, math: Math, format: FloatType, args: &[Expr], call: &External<'a>) {
        let Some(errno) = self.cx.errno() else {
            return;
        };
        let ty = Type::Float(format);
        let zero = Expr::Const(ty.zero());
        let is_wrong = match (math, args) {
            (Math::Sqrt, [x]) => Expr::binary(BinaryOp::Lt, ty, x.clone(), zero),
            (Math::Fmod | Math::Remainder | Math::Fdim | Math::Fma, _) => {
                let what = format!("`{}` where `errno` is looked at", call.name);
                return self.unsupported(what, call.span);
            }
            _ => return,
        };
        let old = Expr::load(Type::I32, errno.clone());
        let value = Expr::select(is_wrong, Expr::i32(EDOM), old);
        self.emit(Op::Assign(Place::Mem(Type::I32, errno), value), call.span);
    }

    /// A number rounded to an integer; undefined where that does not fit.
    pub(super) fn rounded(
        &mut self,
        math: Math,
        number: &Expr,
        call: &External<'a>,
    ) -> Option<Expr> {
        let Type::Float(format) = self.ty(number) else {
            return self.other_arguments(call);
        };
        let value = self.math_value(math, format, number.clone(), call.span);
        self.external_result(call, value)
    }

    /// The value of a function on one number, computed now where that is constant.
    pub(super) fn math_value(
        &mut self,
        math: Math,
        format: FloatType,
        number: Expr,
        span: Span,
    ) -> Expr {
        let number = self.atom(number, span);
        match number.constant() {
            Some(Constant::Float(_, bits)) => Expr::Const(math.apply(format, &[bits])),
            _ => self.library_value(Library::Math(math, format), vec![number], span),
        }
    }

    pub(super) fn library_call(
        &mut self,
        library: Library,
        args: Vec<Expr>,
        varargs: Option<Expr>,
        call: &External<'a>,
    ) -> Option<Expr> {
        let ret = library.signature(&self.cx.program).ret;
        self.call_instead(Callee::Library(library), args, varargs, ret, call)
    }

    /// A call of what stands for a function, which returns a value of that type.
    pub(super) fn call_instead(
        &mut self,
        callee: Callee,
        args: Vec<Expr>,
        varargs: Option<Expr>,
        ret: Option<Type>,
        call: &External<'a>,
    ) -> Option<Expr> {
        let result = ret.filter(|_| call.want);
        let result = result.map(|ty| self.temp(ty, call.span));
        let contents = match callee {
            // C does not set the bytes of what these make.
            Callee::Library(library @ (Library::Malloc | Library::Realloc | Library::Alloca)) => {
                Some(self.contents_site(library.name(), call.span))
            }
            Callee::Library(_) | Callee::Proc(_) | Callee::Pointer(_) => None,
        };
        let op = Op::Call(Call {
            result,
            callee,
            args,
            varargs,
            contents,
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
        use Library::*;
        let frees = matches!(library, Free | Realloc);
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
            Memset => (&[], &[0]),
            Memcpy | Memmove => (&[1], &[0]),
            Memcmp => (&[0, 1], &[]),
            Malloc | Calloc | Realloc | Free | Alloca | Math(..) | Putchar | Tracked | Cleaned => {
                return;
            }
            // How far they go depends on bytes that no expression speaks of.
            Strlen | Strcmp | Strncmp | Strcpy | Strncpy | Strcat | Strchr | Sprintf | Snprintf
            | Frexp(_) | Modf(_) | Printf | Puts => {
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

    /// A function that prints what is in a list, its last argument.
    pub(super) fn print_list(
        &mut self,
        library: Library,
        args: &[Expr],
        call: &External<'a>,
    ) -> Option<Expr> {
        let params = library.signature(&self.cx.program).params;
        let [fixed @ .., list] = args else {
            return self.other_arguments(call);
        };
        if fixed.len() != params.len() {
            return self.other_arguments(call);
        }
        let rest = self.load(Type::Ptr, list.clone(), call.span);
        let fixed = fixed.iter().zip(params);
        let mut args: Vec<Expr> = fixed
            .map(|(value, to)| self.converted(value.clone(), to))
            .collect();
        let is_checked = library == Library::Printf && self.check_printed(&args[0], &[], call);
        if !is_checked {
            self.check_library(library, &mut args, call.span);
        }
        self.library_call(library, args, Some(rest), call)
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
            return self.other_arguments(call);
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
        let value = self.converted(value, Type::I32);
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
        ExprKind::Cast(CastKind::NoOp | CastKind::Pointer, operand, _) => global_of(operand),
        _ => None,
    }
}
