//! Calls of functions without a body: those we know, and those we do not.

use super::ctype::Hidden;
use super::libcall::{Stream, in_range};
use super::library::{self, Known};
use super::procedure::Lowering;
use super::types::Shape;
use base::Span;
use cfront::ast::{CastKind, Expr as CExpr, ExprKind, FunctionId};
use cfront::types::TypeId;
use logic::IntType;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::*;
use std::sync::Arc;

/// A call of a function without a body.
pub(super) struct External<'a> {
    pub(super) name: Arc<str>,
    /// The arguments, evaluated: scalars of their own types, addresses of what lives in memory.
    pub(super) args: Vec<Expr>,
    /// As they are written; empty in a stub.
    pub(super) sources: &'a [CExpr],
    /// In a stub, where the further arguments are.
    pub(super) varargs: Option<Expr>,
    /// What it is declared to return.
    pub(super) ret: TypeId,
    pub(super) want: bool,
    pub(super) span: Span,
}

impl External<'_> {
    /// The place of the call, without its arguments and its value.
    pub(super) fn unwanted(&self) -> Self {
        External {
            name: self.name.clone(),
            args: Vec::new(),
            sources: &[],
            varargs: None,
            ret: self.ret,
            want: false,
            span: self.span,
        }
    }
}

impl<'a> Lowering<'_, 'a> {
    /// Whether a function has its own meaning here, whatever its body: calling it is the error.
    pub(super) fn is_overridden(&self, function: FunctionId) -> bool {
        let name = &*self.cx.ast.functions[function].name;
        matches!(name, "reach_error" | "__VERIFIER_error") && self.cx.checks(Property::Assertion)
    }

    /// A call of a function without a body (or one whose body does not count).
    pub(super) fn call_external(
        &mut self,
        function: FunctionId,
        args: &'a [CExpr],
        ret: TypeId,
        want: bool,
        span: Span,
    ) -> Option<Expr> {
        let row = &self.cx.ast.functions[function];
        let known = library::known(self.cx.ast, function);
        // What these are called with says only where they stand.
        let evaluated = !matches!(known, Some(Known::ReachError | Known::AssertFail(_)));
        let values = match evaluated {
            true => self.external_arguments(args, span),
            false => Vec::new(),
        };
        let call = External {
            name: row.name.clone(),
            args: values,
            sources: args,
            varargs: None,
            ret,
            want,
            span,
        };
        let result = self.external(known, call, function);
        if row.noreturn {
            self.halt_undefined(UndefinedKind::NoReturn, span);
        }
        result
    }

    fn external_arguments(&mut self, args: &'a [CExpr], span: Span) -> Vec<Expr> {
        self.in_turn(args, span, |s, arg| match s.cx.shape(arg.ty.ty) {
            Shape::Scalar(_) => s.value(arg),
            // It is not copied: it will not be written to.
            Shape::Memory => s.memory_value(arg),
            Shape::Void | Shape::Function => {
                s.effect(arg);
                Expr::i32(0)
            }
        })
    }

    /// A procedure for a function without a body whose address is taken.
    pub(super) fn stub(&mut self, function: FunctionId, params: Vec<VarId>) {
        let ast = self.cx.ast;
        let row = &ast.functions[function];
        let ret = self.cx.interface(function).ret;
        let call = External {
            name: row.name.clone(),
            args: params.into_iter().map(Expr::Var).collect(),
            sources: &[],
            varargs: self.procedure.varargs.map(Expr::Var),
            ret,
            want: true,
            span: row.span,
        };
        let result = self.external(library::known(ast, function), call, function);
        if row.noreturn {
            self.halt_undefined(UndefinedKind::NoReturn, row.span);
        }
        match (self.procedure.ret, result) {
            (Some(_), Some(value)) => self.leave_with(Some(value), row.span),
            (Some(ty), None) => self.leave_with(Some(Expr::Const(ty.zero())), row.span),
            (None, _) => self.leave_with(None, row.span),
        }
    }

    fn external(
        &mut self,
        known: Option<Known>,
        call: External<'a>,
        function: FunctionId,
    ) -> Option<Expr> {
        let Some(known) = known else {
            return self.unknown(call, function);
        };
        let (span, name) = (call.span, call.name.clone());
        if known == Known::HavocObject && call.sources.first().is_some_and(names_an_object) {
            return self.unknown(call, function);
        }
        match (known, call.args.as_slice()) {
            (Known::Nondet, _) => self.nondet(&call),
            (Known::NondetBool, _) => {
                let value = self.input(SiteKind::Nondet, Type::Bool, name, span);
                self.external_result(&call, value)
            }
            (Known::NondetMemory, [to, count]) => {
                let bytes = (SiteKind::Nondet, &name);
                self.fill(to.clone(), count.clone(), bytes, span);
                None
            }
            (Known::ReachError, _) => {
                self.fail(
                    format!("{name}() is called"),
                    self.cx.checks(Property::Assertion),
                    span,
                );
                self.nothing(&call)
            }
            (Known::AssertFail(message), _) => {
                let counts = self.cx.options.assert_is_error && self.cx.checks(Property::Assertion);
                // Not all C libraries have the text in the same place.
                let is_last = call.sources.len() == 4 && &*name == "__assert";
                let message = message.map(|at| if is_last { 3 } else { at });
                let text = self.message(&call, message);
                self.fail(format!("assertion failed{text}"), counts, span);
                self.nothing(&call)
            }
            (Known::Assert(message), [condition, ..]) => {
                self.assert(condition.clone(), message, &call);
                self.nothing(&call)
            }
            (Known::AssertNot, [condition]) => {
                let wrong = Expr::truth(self.ty(condition), condition.clone());
                self.assert(Expr::not(wrong), None, &call);
                self.nothing(&call)
            }
            (Known::AssertIf, [given, condition]) => {
                let given = Expr::truth(self.ty(given), given.clone());
                let holds = Expr::truth(self.ty(condition), condition.clone());
                self.assert(Expr::or(Expr::not(given), holds), None, &call);
                self.nothing(&call)
            }
            (Known::Assume, [condition]) => {
                self.assume(condition.clone(), span);
                self.nothing(&call)
            }
            (Known::Valid { write }, [address, size]) => {
                self.valid_intrinsic(address.clone(), size.clone(), write, &call)
            }
            (Known::Allocate, [size, zero]) => self.allocate(size, zero, &call, function),
            (Known::Abort, _) => {
                self.end_run(Halt::Abort, span);
                self.nothing(&call)
            }
            (Known::Exit | Known::ExitNow, [status]) => {
                let status = self.converted(status.clone(), Type::I32);
                match known {
                    Known::Exit => self.exit_with(status, span),
                    _ => self.end_run(Halt::Exit(status), span),
                }
                self.nothing(&call)
            }
            (Known::AtExit, [handler]) => self.register_handler(handler, &call),
            (Known::Sort, _) => self.sort(&call),
            (Known::Search, _) => self.search(&call),
            (Known::Same(Library::Math(math, format)), args) => {
                self.math(math, format, args, &call)
            }
            (Known::Same(library), args) if self.is_called_in_c(library) => {
                self.call_written(library.name(), args, &call)
            }
            (Known::Same(library), args) => self.same(library, args, &call),
            (Known::Written(name), args) => self.call_written(name, args, &call),
            (Known::WrittenMath(name), args) => match self.cx.uses_errno() {
                true => {
                    let what = format!("`{name}` where `errno` is looked at");
                    self.unsupported(what, span);
                    self.nothing(&call)
                }
                false => self.call_written(name, args, &call),
            },
            (Known::ComplexPart(name), [_]) => self.complex_function(name, &call),
            (Known::Strtok, [text, set]) => {
                let rest = Expr::Object(self.cx.hidden_object(Hidden::Token));
                self.call_written("strtok_r", &[text.clone(), set.clone(), rest], &call)
            }
            (Known::Divided(name), [x, y]) if self.is_pair_of(call.ret, [x, y]) => {
                let record = self.scratch_of("$divided", call.ret, span);
                let args = [x.clone(), y.clone(), record.clone()];
                let unwanted = call.unwanted();
                self.call_written(name, &args, &unwanted);
                Some(record)
            }
            (Known::Strtol(name), [text, end, base]) => {
                let errno = self.cx.errno().unwrap_or(Expr::null());
                let args = [text.clone(), end.clone(), base.clone(), errno];
                self.call_written(name, &args, &call)
            }
            (Known::AnyNumber, _) => {
                let value = self.input(SiteKind::Outside, Type::I32, name, span);
                self.external_result(&call, value)
            }
            (Known::ToInt(math), [number]) => self.rounded(math, number, &call),
            (Known::ZeroBytes, [to, count]) => {
                let args = [to.clone(), Expr::i32(0), count.clone()];
                self.same(Library::Memset, &args, &call)
            }
            (Known::Fprintf, [_, rest @ ..]) if !rest.is_empty() => match self.stream(&call, 0) {
                Stream::Out => self.same(Library::Printf, rest, &call),
                Stream::Other if self.check_printed(&rest[0], &rest[1..], &call) => {
                    self.any_result(&call)
                }
                Stream::Other => self.ignored(&call),
            },
            (Known::PrintList(library), args) => self.print_list(library, args, &call),
            (Known::Vfprintf, [_, _, _]) => match self.stream(&call, 0) {
                Stream::Out => self.print_list(Library::Printf, &call.args[1..], &call),
                Stream::Other => self.ignored(&call),
            },
            (Known::Putc, [byte, _]) => match self.stream(&call, 1) {
                Stream::Out => self.same(Library::Putchar, std::slice::from_ref(byte), &call),
                Stream::Other => self.any_result(&call),
            },
            (Known::Fputs, [text, _]) => match self.stream(&call, 1) {
                Stream::Out => {
                    let format = self.cx.constant_bytes("$format", b"%s\0".to_vec(), 1);
                    let args = [Expr::Object(format), text.clone()];
                    self.same(Library::Printf, &args, &call)
                }
                Stream::Other => {
                    self.check_text(text, &call);
                    self.any_result(&call)
                }
            },
            (Known::Abs, [value]) => self.absolute(value.clone(), &call),
            (Known::Rand, _) => {
                let ty = IntType::unsigned(31);
                let value = self.input(SiteKind::External, Type::Int(ty), name.clone(), span);
                self.cx
                    .assume(format!("`{name}` returns any value from 0 to 2147483647"));
                self.external_result(&call, value)
            }
            (Known::Getchar, _) => {
                let int = IntType::signed(9);
                // A driver cannot take the place of one that has a stream.
                let kind = match call.args.is_empty() {
                    true => SiteKind::External,
                    false => SiteKind::Outside,
                };
                let value = self.input(kind, Type::Int(int), name.clone(), span);
                self.cx.assume(format!("`{name}` returns any byte, or -1"));
                let is_end = Expr::arith(BinaryOp::Lt, int, value.clone(), Expr::int(int, 0));
                let value = Expr::cast(Type::Int(int), Type::I32, value);
                let value = Expr::select(is_end, Expr::i32(-1), value);
                self.external_result(&call, value)
            }
            (Known::Fgets, [to, size, _]) => self.fgets(to, size, &call),
            (Known::Read, [_, to, count]) => self.read_bytes(to, count, &call),
            (Known::Fread, [to, size, count, _]) => self.fread(to, size, count, &call),
            (Known::Scanf(format), args) if args.len() > format => self.scanf(format, &call),
            (Known::Time, [address]) => self.time(address, &call),
            (Known::Clock(at, parts), args) if args.len() > at => self.clock(at, parts, &call),
            (Known::Any(returns), _) => self.any_of(returns, &call),
            (Known::Opened, _) => self.opened(&call),
            (Known::NullOrMore, _) => self.null_or_more(&call),
            (Known::Locale, [_, locale]) => self.locale(locale.clone(), &call),
            (Known::SetRounding, [mode]) => {
                let mode = self.int_atom(mode.clone(), span);
                self.set_rounding(mode, &call)
            }
            (Known::ToNearest, _) => self.external_result(&call, Expr::i32(0)),
            (Known::InRanges(ranges), [byte]) => {
                let byte = self.int_atom(byte.clone(), span);
                let tests = ranges.iter().map(|&range| in_range(&byte, range));
                let test = tests.fold(Expr::bool(false), Expr::or);
                self.external_result(&call, test)
            }
            (Known::Shifted(range, by), [byte]) => {
                let byte = self.int_atom(byte.clone(), span);
                let moved = Expr::binary(BinaryOp::Add, Type::I32, byte.clone(), Expr::i32(by));
                let value = Expr::select(in_range(&byte, range), moved, byte);
                self.external_result(&call, value)
            }
            (Known::Hidden(hidden), _) => self.hidden(hidden, &call),
            (Known::Nothing, _) => {
                self.discard_arguments(&call);
                self.nothing(&call)
            }
            (Known::Unsupported(reason), _) => {
                self.unsupported(format!("`{name}`: {reason}"), span);
                self.nothing(&call)
            }
            (_, _) => self.other_arguments(&call),
        }
    }

    /// Whether a type has room for just two values like these, in memory.
    fn is_pair_of(&self, ty: TypeId, values: [&Expr; 2]) -> bool {
        let bytes = |value| self.ty(value).bytes(self.cx.program.pointer_bytes);
        let size = values.map(bytes).iter().sum();
        self.cx.shape(ty) == Shape::Memory && self.cx.size(ty) == Some(size)
    }

    /// The result converted to what the function is declared to return.
    pub(super) fn external_result(&mut self, call: &External<'a>, value: Expr) -> Option<Expr> {
        if !call.want {
            self.discard(value, call.span);
            return None;
        }
        match self.cx.shape(call.ret) {
            Shape::Scalar(to) => Some(self.converted(value, to)),
            Shape::Memory | Shape::Void | Shape::Function => self.nothing(call),
        }
    }

    /// A result of the right kind where its value does not matter.
    pub(super) fn nothing(&mut self, call: &External<'a>) -> Option<Expr> {
        if !call.want {
            return None;
        }
        match self.cx.shape(call.ret) {
            Shape::Scalar(ty) => Some(Expr::Const(ty.zero())),
            Shape::Memory => {
                let what = format!("`{}` returns a record", call.name);
                Some(self.unsupported_value(what, Type::Ptr, call.span))
            }
            Shape::Void | Shape::Function => None,
        }
    }

    /// A function that we know, called with other arguments than we know it by.
    pub(super) fn other_arguments(&mut self, call: &External<'a>) -> Option<Expr> {
        self.unsupported(format!("`{}` with these arguments", call.name), call.span);
        self.nothing(call)
    }

    /// The arguments are evaluated, the result is any. It may read through the arguments.
    pub(super) fn ignored(&mut self, call: &External<'a>) -> Option<Expr> {
        if self.cx.checks(Property::Dereference) {
            let what = format!("`{}` where every access is checked", call.name);
            self.unsupported(what, call.span);
        }
        self.any_result(call)
    }

    /// The arguments are evaluated, for nothing but that, and the result is any.
    fn any_result(&mut self, call: &External<'a>) -> Option<Expr> {
        self.discard_arguments(call);
        match self.cx.shape(call.ret) {
            Shape::Scalar(ty) if call.want => {
                let value = self.input(SiteKind::Outside, ty, call.name.clone(), call.span);
                Some(value)
            }
            _ => self.nothing(call),
        }
    }

    /// The arguments are evaluated, for nothing but that.
    pub(super) fn discard_arguments(&mut self, call: &External<'a>) {
        for arg in &call.args {
            self.discard(arg.clone(), call.span);
        }
    }

    /// A new input.
    pub(super) fn input(&mut self, kind: SiteKind, ty: Type, name: Arc<str>, span: Span) -> Expr {
        let temp = self.temp(ty, span);
        let site = self.cx.program.add_site(kind, ty, name, span);
        let edge = self.emit(Op::Havoc(Place::Var(temp), site), span);
        self.filled(temp, edge)
    }
}

/// Whether an expression is the address of a whole variable, or an array that is one.
fn names_an_object(expr: &CExpr) -> bool {
    let inner = match &expr.kind {
        ExprKind::AddressOf(inner) | ExprKind::Cast(CastKind::ArrayDecay, inner, _) => inner,
        ExprKind::Cast(CastKind::NoOp | CastKind::Pointer, operand, _) => {
            return names_an_object(operand);
        }
        _ => return false,
    };
    matches!(inner.kind, ExprKind::Local(_) | ExprKind::Global(_))
}
