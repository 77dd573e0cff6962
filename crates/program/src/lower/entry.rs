//! What happens before and after the entry function: globals, arguments, the exit status.

use super::Context;
use super::params::lower_function;
use super::procedure::Lowering;
use super::types::Shape;
use crate::expr::{Expr, Type};
use crate::ir::*;
use base::Span;
use cfront::ast::FunctionId;
use cfront::types::TypeId;

/// Makes the procedure that a run starts with, and everything it reaches.
pub(super) fn lower_entry(cx: &mut Context<'_>, entry: FunctionId) {
    let span = cx.ast.functions[entry].span;
    let start = cx.declare_proc("$start".into(), span);
    cx.program.entry = start;
    let main = cx.proc_of(entry);
    let ast = cx.ast;
    let mut lowering = Lowering::new(cx, start, None);
    for unmodelled in &ast.unmodelled {
        lowering.unsupported(unmodelled.what.clone(), unmodelled.span);
    }
    lowering.reach_everything();
    lowering.run_entry(entry, main, span);
    // The arguments may have needed something new.
    lowering.finish();
    super::no_value::settle(cx);
}

impl Lowering<'_, '_> {
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
            let size = self.size_or_zero(interface.ret);
            let align = self.cx.align(interface.ret);
            args.push(self.scratch_object("$returned", size, align, span));
        }
        let is_main = *self.cx.ast.functions[entry].name == *"main";
        if is_main && !interface.params.is_empty() {
            self.cx
                .assume("`main` gets no arguments but the program's name".to_owned());
        }
        for (index, &ty) in interface.params.iter().enumerate() {
            let arg = match (is_main, index, self.cx.scalar(ty)) {
                (true, 0, Some(Type::Int(ty))) => Expr::int(ty, 1),
                (true, 1, Some(Type::Ptr)) => self.argument_vector(true),
                (true, 2, Some(Type::Ptr)) => self.argument_vector(false),
                _ => self.any_argument(entry, index, ty),
            };
            args.push(arg);
        }
        let returned = self.cx.program.procs[main].ret;
        let result = returned.map(|ty| (self.temp(ty, span), ty));
        let call = Call {
            result: result.map(|(temp, _)| temp),
            callee: Callee::Proc(main),
            args,
            varargs: interface.variadic.then(Expr::null),
        };
        self.emit(Op::Call(call), span);
        let status = match result {
            Some((temp, ty @ (Type::Int(_) | Type::Bool))) => {
                self.converted(Expr::Var(temp), ty, Type::I32)
            }
            Some((_, Type::Float(_) | Type::Ptr)) | None => Expr::i32(0),
        };
        self.emit_last(Op::Halt(Halt::Exit(status)), span);
    }

    /// `argv` with the program's name, or an empty `envp`; both end in a null address.
    fn argument_vector(&mut self, named: bool) -> Expr {
        let word = u64::from(self.cx.program.pointer_bytes);
        let mut init = ObjectInit::default();
        if named {
            let name = self.cx.constant_bytes("$program", b"program\0".to_vec(), 1);
            self.cx.program.objects[name].read_only = false;
            let address = Address {
                base: AddressBase::Object(name),
                offset: 0,
            };
            init.addresses.push((0, address));
        }
        let object = self.cx.program.objects.push(Object {
            name: if named { "$argv" } else { "$envp" }.into(),
            size: if named { 2 * word } else { word },
            align: word,
            scope: Scope::Global,
            read_only: false,
            init,
            span: Span::NONE,
        });
        Expr::Object(object)
    }

    /// Any argument of a type: for a pointer, the address of one object of any value.
    fn any_argument(&mut self, entry: FunctionId, index: usize, ty: TypeId) -> Expr {
        let ast = self.cx.ast;
        let row = &ast.functions[entry];
        let local = row
            .body
            .as_ref()
            .map(|body| &body.locals[body.params[index]]);
        let (name, span) = local.map_or(("$argument".into(), row.span), |local| {
            (local.name.clone(), local.span)
        });
        match self.cx.shape(ty) {
            Shape::Scalar(Type::Ptr) => {
                let target = self.cx.pointee(ty).unwrap_or(ty);
                let Some(size) = self.cx.size(target) else {
                    let what = format!("`{name}`: an argument of this type");
                    return self.unsupported_value(what, Type::Ptr, span);
                };
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
                let align = self.cx.align(target);
                let object = self.scratch_object("$pointee", size, align, span);
                self.havoc_object(object.clone(), target, SiteKind::Argument, name, span);
                object
            }
            Shape::Scalar(ty) => self.input(SiteKind::Argument, ty, name, span),
            Shape::Memory => {
                let size = self.size_or_zero(ty);
                let align = self.cx.align(ty);
                let object = self.scratch_object("$argument", size, align, span);
                self.havoc_object(object.clone(), ty, SiteKind::Argument, name, span);
                object
            }
            Shape::Void | Shape::Function => {
                self.unsupported_value("an argument of this type", Type::Ptr, span)
            }
        }
    }
}
