//! Parameters and locals: which variable or object each becomes.

use super::procedure::Lowering;
use super::types::Shape;
use super::{Context, Storage, new_object};
use base::Span;
use cfront::ast::{FunctionId, Local, LocalId};
use cfront::types::{FunctionType, TypeId};
use program::expr::{Expr, Type};
use program::ir::*;
use std::sync::Arc;

/// What a call of a function looks like from outside.
pub(super) struct Interface {
    /// C types of the parameters.
    pub(super) params: Vec<TypeId>,
    /// What it returns.
    pub(super) ret: TypeId,
    /// Whether further arguments may follow.
    pub(super) variadic: bool,
}

impl<'a> Context<'a> {
    /// The interface of a function: of its definition, if it has one.
    pub(super) fn interface(&self, function: FunctionId) -> Interface {
        let row = &self.ast.functions[function];
        let ty = self
            .function_type(row.ty)
            .expect("a function should have a function type");
        let params = match &row.body {
            Some(body) => {
                let locals = body.params.iter().map(|&param| &body.locals[param]);
                locals.map(|local| local.ty.ty).collect()
            }
            None => ty.params.iter().map(|param| param.ty).collect(),
        };
        Interface {
            params,
            ret: ty.ret.ty,
            variadic: ty.variadic,
        }
    }

    /// The name of a parameter, or another where only a declaration has it, and where it stands.
    pub(super) fn parameter(
        &self,
        function: FunctionId,
        index: usize,
        unnamed: &str,
    ) -> (Arc<str>, Span) {
        let row = &self.ast.functions[function];
        let local = (row.body.as_ref()).map(|body| &body.locals[body.params[index]]);
        local.map_or((unnamed.into(), row.span), |local| {
            (local.name.clone(), local.span)
        })
    }

    /// The function type that a type is or points to.
    pub(super) fn function_type(&self, ty: TypeId) -> Option<&'a FunctionType> {
        let types = &self.ast.types;
        types.function(types.pointee(ty).map_or(ty, |target| target.ty))
    }

    /// The IR type that a parameter of a C type is passed as.
    pub(super) fn passed_as(&self, ty: TypeId) -> Type {
        match self.shape(ty) {
            Shape::Scalar(ty) => ty,
            // The address of a copy that the callee owns.
            Shape::Memory | Shape::Function | Shape::Void => Type::Ptr,
        }
    }
}

/// Gives the procedure of a function its parameters and result, so that calls can be made before
/// its body is lowered.
pub(super) fn declare_params(cx: &mut Context<'_>, function: FunctionId, proc: ProcId) {
    let interface = cx.interface(function);
    let ast = cx.ast;
    let row = &ast.functions[function];
    let mut params = Vec::new();
    let ret = match cx.shape(interface.ret) {
        Shape::Scalar(ty) => Some(ty),
        Shape::Memory => {
            params.push(cx.program.add_local(proc, "$result", Type::Ptr, row.span));
            None
        }
        Shape::Void | Shape::Function => None,
    };
    for (index, &ty) in interface.params.iter().enumerate() {
        let passed = cx.passed_as(ty);
        let (name, span) = cx.parameter(function, index, "$param");
        params.push(cx.program.add_local(proc, name, passed, span));
    }
    let varargs = interface
        .variadic
        .then(|| cx.program.add_local(proc, "$varargs", Type::Ptr, row.span));
    let procedure = &mut cx.program.procs[proc];
    procedure.params = params;
    procedure.varargs = varargs;
    procedure.ret = ret;
}

/// Lowers the body of a function, or makes what stands for one without a body.
pub(super) fn lower_function(cx: &mut Context<'_>, function: FunctionId) {
    let proc = cx.procs[function].expect("an open function should have a procedure");
    let ast = cx.ast;
    let ret = cx.interface(function).ret;
    let mut lowering = Lowering::new(cx, proc, Some(function));
    lowering.returns = Some(ret);
    let mut params = lowering.procedure.params.clone().into_iter();
    if lowering.cx.shape(ret) == Shape::Memory {
        lowering.result_pointer = params.next();
    }
    match &ast.functions[function].body {
        Some(body) if !lowering.is_overridden(function) => {
            for (&local, var) in body.params.iter().zip(params) {
                lowering.bind_param(local, var);
            }
            if let Some(unmodelled) = &body.unmodelled {
                lowering.unsupported(unmodelled.what.clone(), unmodelled.span);
            }
            lowering.stmts(&body.block.stmts);
            lowering.fall_off(super::stmt::last(body.block.span));
            lowering.close_root();
        }
        _ => lowering.stub(function, params.collect()),
    }
    lowering.finish();
}

impl<'a> Lowering<'_, 'a> {
    fn local_row(&self, local: LocalId) -> &'a Local {
        let body = self.body.expect("a local should be in a function");
        &body.locals[local]
    }

    pub(super) fn is_taken(&self, local: LocalId) -> bool {
        self.function
            .is_some_and(|function| self.cx.taken.locals[function][local])
    }

    /// Decides where a parameter is; `var` is what the caller sets.
    fn bind_param(&mut self, local: LocalId, var: VarId) {
        let row = self.local_row(local);
        let storage = match self.cx.shape(row.ty.ty) {
            Shape::Scalar(_) if !self.is_taken(local) => Storage::Var(var),
            Shape::Scalar(ty) => {
                let object = self.local_object(row);
                let place = Place::Mem(ty, Expr::Object(object));
                self.emit(Op::Assign(place, Expr::Var(var)), row.span);
                Storage::Object(object)
            }
            Shape::Memory => Storage::Indirect(var),
            Shape::Void | Shape::Function => Storage::Unsupported("this parameter".into()),
        };
        self.locals[local] = Some(storage);
    }

    /// Decides where a local is: it is declared here.
    pub(super) fn bind(&mut self, local: LocalId) -> Storage {
        if let Some(Storage::Object(_) | Storage::Var(_)) = &self.locals[local] {
            // A compound literal in a loop, or a declaration that is jumped back to.
            return self.local(local);
        }
        let row = self.local_row(local);
        let storage = match self.cx.shape(row.ty.ty) {
            Shape::Scalar(ty) if !self.is_taken(local) => {
                let name = match &*row.name {
                    "" => "$hidden".into(),
                    _ => row.name.clone(),
                };
                Storage::Var(self.cx.program.add_local(self.proc, name, ty, row.span))
            }
            Shape::Scalar(_) => Storage::Object(self.local_object(row)),
            Shape::Memory if self.cx.size(row.ty.ty).is_some() => {
                Storage::Object(self.local_object(row))
            }
            Shape::Memory => self.variable_array(local, row),
            Shape::Void | Shape::Function => {
                Storage::Unsupported(format!("`{}` of incomplete type", row.name).into())
            }
        };
        self.locals[local] = Some(storage.clone());
        storage
    }

    fn local_object(&mut self, row: &'a Local) -> ObjectId {
        let name: Arc<str> = match &*row.name {
            "" => "$literal".into(),
            _ => row.name.clone(),
        };
        let align = row.align.unwrap_or(1).max(self.cx.align(row.ty.ty));
        let layout = (self.size_or_zero(row.ty.ty), align);
        let object = new_object(name, layout, Scope::Local(self.proc), row.span);
        self.scoped_object(object)
    }

    /// A variable-length array: new bytes at each declaration, which die with the activation.
    fn variable_array(&mut self, local: LocalId, row: &'a Local) -> Storage {
        let pointer = match &self.locals[local] {
            Some(Storage::Indirect(var)) => *var,
            _ => {
                let name = row.name.clone();
                self.cx
                    .program
                    .add_local(self.proc, name, Type::Ptr, row.span)
            }
        };
        let size = self.size_of(row.ty.ty, row.span);
        self.call_library(Some(pointer), Library::Alloca, vec![size], row.span);
        Storage::Indirect(pointer)
    }
}
