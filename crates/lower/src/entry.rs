//! What happens before and after the entry function: globals, arguments, the exit status.

use super::Context;
use super::params::lower_function;
use super::procedure::Lowering;
use super::types::Shape;
use base::Span;
use cfront::ast::visit::any_in_block;
use cfront::ast::{Ast, ExprKind, FunctionId};
use cfront::types::TypeId;
use logic::IntType;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::*;
use std::sync::Arc;

/// The longest argument of a program that we think of.
const LONGEST: u32 = u16::MAX as u32;

/// Makes the procedure that a run starts with, and everything it reaches.
pub(super) fn lower_entry(cx: &mut Context<'_>, entry: FunctionId) {
    let span = cx.ast.functions[entry].span;
    let start = cx.declare_proc("$start".into(), span);
    cx.program.entry = start;
    cx.declare_handlers(span);
    let main = cx.proc_of(entry);
    let ast = cx.ast;
    let constructors: Vec<(FunctionId, ProcId)> = match *ast.functions[entry].name == *"main" {
        true => cx.constructors(),
        false => Vec::new(),
    };
    let mut lowering = Lowering::new(cx, start, None);
    for unmodelled in &ast.unmodelled {
        lowering.unsupported(unmodelled.what.clone(), unmodelled.span);
    }
    lowering.reach_everything();
    for (function, proc) in constructors {
        lowering.run_constructor(function, proc);
    }
    lowering.run_entry(entry, main, span);
    // The arguments may have needed something new.
    lowering.finish();
    super::no_value::settle(cx);
}

impl Context<'_> {
    /// The functions that run before `main`, in the order of the text.
    fn constructors(&mut self) -> Vec<(FunctionId, ProcId)> {
        let rows = self.ast.functions.iter_enumerated();
        let rows = rows.filter(|(_, row)| row.constructor && row.body.is_some());
        rows.map(|(id, _)| (id, self.proc_of(id))).collect()
    }
}

impl Lowering<'_, '_> {
    /// Calls a function before `main`.
    fn run_constructor(&mut self, function: FunctionId, proc: ProcId) {
        let span = self.cx.ast.functions[function].span;
        let interface = self.cx.interface(function);
        let is_plain = self.cx.program.procs[proc].ret.is_none()
            && self.cx.shape(interface.ret) == Shape::Void
            && interface.params.is_empty();
        if !is_plain {
            return self.unsupported("a constructor with arguments or a value", span);
        }
        let call = Call {
            varargs: interface.variadic.then(Expr::null),
            ..Call::new(None, Callee::Proc(proc), Vec::new())
        };
        self.emit(Op::Call(call), span);
    }

    /// Lowers functions and initial values until nothing refers to a new one.
    fn reach_everything(&mut self) {
        loop {
            if let Some(function) = self.cx.open_functions.pop_front() {
                lower_function(self.cx, function);
            } else if let Some(global) = self.cx.open_globals.pop_front() {
                self.initialize_global(global);
            } else {
                return;
            }
        }
    }

    fn run_entry(&mut self, entry: FunctionId, main: ProcId, span: Span) {
        let interface = self.cx.interface(entry);
        let mut args = Vec::new();
        if self.cx.shape(interface.ret) == Shape::Memory {
            args.push(self.scratch_of("$returned", interface.ret, span));
        }
        let is_main = *self.cx.ast.functions[entry].name == *"main";
        let mut count = Expr::i32(0);
        for (index, &ty) in interface.params.iter().enumerate() {
            let arg = match (is_main, index, self.cx.scalar(ty)) {
                (true, 0, Some(Type::Int(ty))) => {
                    count = self.argument_count(entry, ty);
                    count.clone()
                }
                (true, 1 | 2, Some(Type::Ptr)) if !is_used(self.cx.ast, entry, index) => {
                    Expr::null()
                }
                (true, 1, Some(Type::Ptr)) => self.argument_vector(count.clone(), span),
                (true, 2, Some(Type::Ptr)) => {
                    self.unsupported_value("the environment given to `main`", Type::Ptr, span)
                }
                _ => self.any_argument(entry, index, ty),
            };
            args.push(arg);
        }
        let returned = self.cx.program.procs[main].ret;
        let result = returned.map(|ty| (self.temp(ty, span), ty));
        let place = result.map(|(temp, _)| temp);
        let call = Call {
            varargs: interface.variadic.then(Expr::null),
            ..Call::new(place, Callee::Proc(main), args)
        };
        self.emit(Op::Call(call), span);
        let status = match result {
            Some((temp, Type::Int(_) | Type::Bool)) => self.converted(Expr::Var(temp), Type::I32),
            Some((_, Type::Float(_) | Type::Ptr)) | None => Expr::i32(0),
        };
        match is_main {
            true => self.exit_with(status, span),
            false => self.end_run(Halt::Exit(status), span),
        }
    }

    /// `argc`: any number that is not negative.
    fn argument_count(&mut self, entry: FunctionId, ty: IntType) -> Expr {
        let (name, span) = self.cx.parameter(entry, 0, "$argument");
        self.cx
            .assume(format!("`{name}` of `main` is any number from 0"));
        let count = self.input(SiteKind::Argument, Type::Int(ty), name, span);
        let is_natural = Expr::arith(BinaryOp::Ge, ty, count.clone(), Expr::int(ty, 0));
        self.assume_holds(is_natural, span);
        count
    }

    /// `argv`: as many texts of any length and bytes, and a null address.
    fn argument_vector(&mut self, count: Expr, span: Span) -> Expr {
        self.cx.assume(format!(
            "each argument of the program is any text of at most {LONGEST} bytes"
        ));
        let (size, offset) = (
            self.cx.program.size_type(),
            Type::Int(self.cx.program.offset_type()),
        );
        let word = i128::from(self.cx.program.pointer_bytes);
        let factor = self.cx.offset_const(word as i64);
        let scaled = |index: Expr| {
            let index = Expr::cast(Type::I32, offset, index);
            Expr::binary(BinaryOp::Mul, offset, index, factor.clone())
        };
        let end = scaled(count.clone());
        let bytes = Expr::cast(offset, Type::Int(size), end.clone());
        let bytes = Expr::arith(BinaryOp::Add, size, bytes, Expr::int(size, word));
        let vector = self.library_value(Library::Alloca, vec![bytes], span);
        self.for_each_below((count, IntType::I32), span, |s, index| {
            let text = s.argument_text(span);
            let slot = Expr::offset(vector.clone(), scaled(index));
            s.emit(Op::Assign(Place::Mem(Type::Ptr, slot), text), span);
        });
        let last = Expr::offset(vector.clone(), end);
        self.emit(Op::Assign(Place::Mem(Type::Ptr, last), Expr::null()), span);
        vector
    }

    /// A text of any length and bytes.
    fn argument_text(&mut self, span: Span) -> Expr {
        let (size, offset) = (
            self.cx.program.size_type(),
            Type::Int(self.cx.program.offset_type()),
        );
        let name: Arc<str> = "argv".into();
        let length = Type::Int(IntType::unsigned(16));
        let length = self.input(SiteKind::Argument, length, name.clone(), span);
        let length = Expr::cast(self.ty(&length), Type::Int(size), length);
        let length = self.save(length, span);
        let bytes = Expr::arith(BinaryOp::Add, size, length.clone(), Expr::int(size, 1));
        let text = self.library_value(Library::Alloca, vec![bytes], span);
        let char = Type::Int(IntType::signed(8));
        let at =
            |index: Expr| Expr::offset(text.clone(), Expr::cast(Type::Int(size), offset, index));
        self.for_each_below((length.clone(), size), span, |s, index| {
            let byte = s.input(SiteKind::Argument, char, name, span);
            // Only the last byte is zero.
            let one = Expr::int(IntType::signed(8), 1);
            let byte = Expr::select(Expr::truth(char, byte.clone()), byte, one);
            s.emit(Op::Assign(Place::Mem(char, at(index)), byte), span);
        });
        let zero = Expr::int(IntType::signed(8), 0);
        self.emit(Op::Assign(Place::Mem(char, at(length)), zero), span);
        text
    }

    /// Any argument of a type: for a pointer, the address of one object of any value.
    fn any_argument(&mut self, entry: FunctionId, index: usize, ty: TypeId) -> Expr {
        let ast = self.cx.ast;
        let row = &ast.functions[entry];
        let (name, span) = self.cx.parameter(entry, index, "$argument");
        match self.cx.shape(ty) {
            Shape::Scalar(Type::Ptr) => {
                let target = self.cx.pointee(ty).unwrap_or(ty);
                if self.cx.size(target).is_none() {
                    let what = format!("`{name}`: an argument of this type");
                    return self.unsupported_value(what, Type::Ptr, span);
                }
                let mut leaves = Vec::new();
                let plain = self.cx.leaves(target, 0, &mut leaves).is_some();
                let pointers = leaves.iter().any(|&(_, ty)| ty == Type::Ptr);
                if !plain || pointers || self.cx.shape(target) == Shape::Function {
                    let what =
                        format!("`{name}`: an argument that points to pointers or to too much");
                    return self.unsupported_value(what, Type::Ptr, span);
                }
                self.cx.assume(format!(
                    "`{name}` of `{}` points to one object of any value",
                    row.name
                ));
                let object = self.scratch_of("$pointee", target, span);
                self.havoc_object(object.clone(), target, SiteKind::Argument, name, span);
                object
            }
            Shape::Scalar(ty) => self.input(SiteKind::Argument, ty, name, span),
            Shape::Memory => {
                let object = self.scratch_of("$argument", ty, span);
                self.havoc_object(object.clone(), ty, SiteKind::Argument, name, span);
                object
            }
            Shape::Void | Shape::Function => {
                self.unsupported_value("an argument of this type", Type::Ptr, span)
            }
        }
    }
}

/// Whether the body of a function names a parameter.
fn is_used(ast: &Ast, function: FunctionId, index: usize) -> bool {
    let Some(body) = &ast.functions[function].body else {
        return true;
    };
    let param = body.params[index];
    any_in_block(&body.block, |expr| match expr.kind {
        ExprKind::Local(local) => local == param,
        _ => false,
    })
}
