//! Ops to bytecode.

use super::{Compiler, Mode, Slot};
use crate::bytecode::{
    Assigned, AssignedPlace, FIRST_TEMP, Inst, LibraryCall, PointerCall, Reg, SCRATCH, slots_of,
};
use crate::{End, Undefined};
use base::Id;
use program::expr::{Expr, Type};
use program::ir::{Call, Callee, Halt, Op, Place, ProcId, Procedure, VarId};

impl<'p> Compiler<'p> {
    /// Lays out what an edge does; says whether the code continues after it.
    pub(super) fn op(&mut self, procedure: &Procedure, op: &'p Op) -> bool {
        match op {
            Op::Skip => {}
            Op::Assign(Place::Var(var), value) => {
                self.assign_var(*var, |compiler, target| compiler.into(value, target));
            }
            Op::Assign(Place::Mem(ty, address), value) => {
                self.store(*ty, address, |compiler| compiler.operand(value));
            }
            Op::Assume(_) => unreachable!("an assumed edge should be laid out as a branch"),
            Op::Havoc(Place::Var(var), site) => {
                self.assign_var(*var, |compiler, target| {
                    compiler.emit(Inst::Input(target, *site));
                });
            }
            Op::Havoc(Place::Mem(ty, address), site) => {
                self.store(*ty, address, |compiler| {
                    let value = compiler.new_temp(slots_of(*ty));
                    compiler.emit(Inst::Input(value, *site));
                    value
                });
            }
            Op::Call(call) => self.call(call),
            Op::Return(value) => self.return_op(procedure, value.as_ref()),
            Op::Halt(Halt::Abort) => self.end(End::Aborted),
            Op::Halt(Halt::Exit(status)) => {
                let status = self.operand(status);
                self.emit(Inst::Exit(status));
            }
            Op::Halt(Halt::Undefined(kind)) => {
                self.end(End::Undefined(Undefined::plain(*kind)));
            }
            Op::Enter(object) => {
                let address = self.code.object_regs[object.index()];
                self.emit(Inst::Enter(*object, address));
            }
            Op::Leave(object) => {
                let address = self.code.object_regs[object.index()];
                self.emit(Inst::Leave(*object, address));
            }
            Op::Unsupported(what) => self.unsupported(what),
        }
        !matches!(op, Op::Return(_) | Op::Halt(_) | Op::Unsupported(_))
    }

    fn return_op(&mut self, procedure: &Procedure, value: Option<&Expr>) {
        let leaves =
            procedure.uses_alloca() || !self.code.procs[self.proc.index()].objects.is_empty();
        let value = value.map(|value| {
            let slots = slots_of(value.ty(self.program));
            let reg = if leaves {
                // The value may be the address of an object that dies here.
                let reg = self.new_temp(slots);
                self.into(value, reg);
                reg
            } else {
                self.operand(value)
            };
            (reg, slots)
        });
        if leaves {
            self.emit(Inst::LeaveAll(self.proc));
        }
        self.emit(match value {
            None => Inst::ReturnNothing,
            Some((value, 1)) => Inst::Return(value),
            Some((value, _)) => Inst::ReturnWide(value),
        });
    }

    fn call(&mut self, call: &Call) {
        match &call.callee {
            Callee::Proc(proc) => self.call_proc(*proc, call),
            Callee::Pointer(pointer) => self.call_pointer(pointer, call),
            Callee::Library(function) => {
                let args = call.args.iter().map(|arg| self.library_argument(arg));
                let args = args.collect();
                let varargs = call.varargs.as_ref().map(|arg| self.operand(arg));
                self.with_result(call.result, |compiler, result| {
                    let index = compiler.code.library_calls.len() as u32;
                    compiler.code.library_calls.push(LibraryCall {
                        function: *function,
                        result,
                        args,
                        varargs,
                        contents: call.contents,
                        proc: compiler.proc,
                    });
                    compiler.mark_library(index, false);
                    compiler.emit(Inst::Library(index));
                    compiler.mark_library(index, true);
                });
            }
        }
    }

    fn call_proc(&mut self, proc: ProcId, call: &Call) {
        let callee = &self.code.procs[proc.index()];
        if callee.recursive {
            let args = self.arguments(call);
            self.with_result(call.result, |compiler, result| {
                compiler.emit(Inst::CallSaved(proc, args, result));
            });
            return;
        }
        // The callee is not active, so its parameters can be set where they are.
        let procedure = &self.program.procs[proc];
        let params = procedure.params.iter().zip(&call.args);
        let further = procedure.varargs.iter().zip(&call.varargs);
        for (&param, arg) in params.chain(further) {
            if let Slot::Near(target) = self.vars[param] {
                let mark = self.temp;
                self.into(arg, target);
                self.temp = mark;
            }
        }
        self.with_result(call.result, |compiler, result| {
            compiler.emit(Inst::Call(proc.index() as u32, result));
        });
    }

    fn call_pointer(&mut self, pointer: &Expr, call: &Call) {
        let address = self.operand(pointer);
        let args = self.arguments(call);
        let types: Vec<Type> = call.args.iter().map(|arg| arg.ty(self.program)).collect();
        let fixed: u16 = types.iter().map(|&ty| slots_of(ty)).sum();
        self.with_result(call.result, |compiler, result| {
            let index = compiler.code.pointer_calls.len() as u32;
            compiler.code.pointer_calls.push(PointerCall {
                address,
                args,
                types,
                varargs: call.varargs.is_some().then_some(args + fixed),
                result,
                result_type: call.result.map(|var| compiler.program.vars[var].ty),
            });
            compiler.emit(Inst::CallPointer(index));
        });
    }

    /// Evaluates the arguments into temporaries that follow each other.
    fn arguments(&mut self, call: &Call) -> Reg {
        let all = || call.args.iter().chain(&call.varargs);
        let total = all().map(|arg| slots_of(arg.ty(self.program))).sum();
        let first = self.new_temp(total);
        let mut at = first;
        for arg in all() {
            let mark = self.temp;
            self.into(arg, at);
            self.temp = mark;
            at += slots_of(arg.ty(self.program));
        }
        first
    }

    fn with_result(&mut self, result: Option<VarId>, emit: impl FnOnce(&mut Self, Reg)) {
        match result {
            Some(var) => self.assign_var(var, emit),
            None => emit(self, SCRATCH),
        }
    }

    /// Lets `compute` put a value into a variable's register, or near it.
    fn assign_var(&mut self, var: VarId, compute: impl FnOnce(&mut Self, Reg)) {
        let ty = self.program.vars[var].ty;
        let value = match self.vars[var] {
            Slot::Near(reg) => {
                compute(self, reg);
                reg
            }
            Slot::Far(far) => {
                let reg = self.new_temp(slots_of(ty));
                compute(self, reg);
                for half in 0..slots_of(ty) {
                    self.emit(Inst::SetFar(far + u32::from(half), reg + half));
                }
                reg
            }
        };
        self.mark_assigned(AssignedPlace::Var(var), ty, value);
    }

    /// Stores what `value` evaluates to.
    fn store(&mut self, ty: Type, address: &Expr, value: impl FnOnce(&mut Self) -> Reg) {
        if self.is_marked() {
            let address = self.operand(address);
            let value = value(self);
            self.store_at(ty, (address, 0), value);
            self.mark_assigned(AssignedPlace::Mem(address), ty, value);
        } else if let Some((base, index)) = self.indexed(ty, address) {
            let value = value(self);
            self.store_indexed(ty, base, index, value);
        } else {
            let address = self.address(address);
            let value = value(self);
            self.store_at(ty, address, value);
        }
    }

    fn mark_assigned(&mut self, place: AssignedPlace, ty: Type, value: Reg) {
        if self.is_marked() {
            let index = self.code.assigned.len() as u32;
            self.code.assigned.push(Assigned { place, ty, value });
            self.emit(Inst::MarkAssigned(index));
        }
    }

    /// At the start of a procedure: its arguments are values that were assigned.
    pub(super) fn mark_arguments(&mut self, procedure: &Procedure) {
        if self.mode != Mode::Traced {
            return;
        }
        for &param in procedure.params.iter().chain(&procedure.varargs) {
            self.temp = FIRST_TEMP;
            let value = self.operand(&Expr::Var(param));
            self.mark_assigned(
                AssignedPlace::Var(param),
                self.program.vars[param].ty,
                value,
            );
        }
    }

    /// An argument of a library function; one that is looked at again after the call must not be
    /// where the result goes.
    fn library_argument(&mut self, arg: &Expr) -> Reg {
        if self.mode != Mode::Traced {
            return self.operand(arg);
        }
        let reg = self.new_temp(slots_of(arg.ty(self.program)));
        let mark = self.temp;
        self.into(arg, reg);
        self.temp = mark;
        reg
    }

    fn mark_library(&mut self, index: u32, is_done: bool) {
        if self.mode == Mode::Traced {
            self.emit(Inst::MarkLibrary(index, is_done));
        }
    }
}
