//! Which procedures' addresses a pointer may hold.
//!
//! One set for each variable and for each procedure's return value, flow-insensitively. Memory is
//! not analysed, nor are sums of addresses: what is read there, or comes from a number, may be any
//! procedure whose address is taken.
//!
//! Besides these, a pointer may hold the address of a function that the program does not contain:
//! one from an input, a number converted to an address, or what is read through such a pointer.
//! (Bytes from an input are no such address: what they may lawfully hold was taken in the program.)
//! Calling an uninitialised local is undefined in C; it counts among these, since other tools
//! follow such a call, and the machine knows it only as null.

use crate::expr::{Constant, Expr, Type};
use crate::ir::*;
use base::IdVec;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a pointer may hold.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Targets {
    /// Any procedure whose address is taken.
    any: bool,
    /// These.
    procs: BTreeSet<ProcId>,
    /// A function that is not of the program; where it comes from, in words.
    pub(super) unknown: Option<Arc<str>>,
}

impl Targets {
    /// Whether it may hold the address of this one.
    pub(super) fn may_be(&self, proc: ProcId) -> bool {
        self.any || self.procs.contains(&proc)
    }

    fn any() -> Targets {
        Targets {
            any: true,
            ..Targets::default()
        }
    }

    fn from(source: impl Into<Arc<str>>) -> Targets {
        Targets {
            unknown: Some(source.into()),
            ..Targets::any()
        }
    }

    fn joined(mut self, other: &Targets) -> Targets {
        self.join(other);
        self
    }

    /// Adds what another may hold; whether that is new.
    fn join(&mut self, other: &Targets) -> bool {
        let before = (self.any, self.procs.len(), self.unknown.clone());
        self.any |= other.any;
        self.procs.extend(&other.procs);
        // Of several sources the first by name.
        let sources = self.unknown.iter().chain(&other.unknown);
        self.unknown = sources.min().cloned();
        before != (self.any, self.procs.len(), self.unknown.clone())
    }
}

/// What variables may hold.
pub(super) struct PointerTargets {
    vars: IdVec<VarId, Targets>,
    /// What procedures may return.
    returned: IdVec<ProcId, Targets>,
    /// What is stored anywhere in memory: of this only the unknown functions are kept.
    memory: Targets,
}

/// Finds what each variable may hold.
pub(super) fn find_targets(program: &Program, address_taken: &BTreeSet<ProcId>) -> PointerTargets {
    let mut found = PointerTargets {
        vars: IdVec::filled(Targets::default(), program.vars.len()),
        returned: IdVec::filled(Targets::default(), program.procs.len()),
        memory: Targets::any(),
    };
    let mut changed = true;
    while changed {
        changed = false;
        for (proc, _, edge) in program.edges() {
            changed |= found.step(program, address_taken, proc, &edge.op);
        }
    }
    found
}

impl PointerTargets {
    /// What an address may be.
    pub(super) fn of(&self, program: &Program, address: &Expr) -> Targets {
        match address {
            Expr::Proc(proc) => Targets {
                procs: BTreeSet::from([*proc]),
                ..Targets::default()
            },
            Expr::Const(_) | Expr::Object(_) => Targets::default(),
            Expr::Var(var) => self.vars[*var].clone(),
            Expr::Load(_, address) => {
                let through = self.of(program, address).unknown;
                let through = Targets {
                    unknown: through,
                    ..Targets::any()
                };
                through.joined(&self.memory)
            }
            Expr::Offset(address, _) => self.of(program, address).joined(&Targets::any()),
            Expr::Select(_, then, otherwise) => {
                (self.of(program, then)).joined(&self.of(program, otherwise))
            }
            Expr::Cast(_, operand) => match operand.ty(program) {
                Type::Ptr => self.of(program, operand),
                Type::Bool | Type::Int(_) | Type::Float(_) => Targets::from("a number"),
            },
            // No addresses.
            Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Overflows(..)
            | Expr::Valid(..)
            | Expr::Freeable(_) => Targets::any(),
        }
    }

    /// Follows one op; whether something is new.
    fn step(
        &mut self,
        program: &Program,
        address_taken: &BTreeSet<ProcId>,
        proc: ProcId,
        op: &Op,
    ) -> bool {
        let is_address = |expr: &Expr| expr.ty(program) == Type::Ptr;
        match op {
            Op::Assign(Place::Var(var), value) => self.assign(program, *var, value),
            Op::Assign(Place::Mem(Type::Ptr, _), value) => {
                let stored = self.of(program, value);
                self.memory.join(&stored)
            }
            Op::Havoc(place, site) => {
                let site = &program.sites[*site];
                if site.ty != Type::Ptr {
                    return false;
                }
                let name = &site.name;
                let input = match site.kind {
                    SiteKind::Uninitialized => Targets {
                        any: false,
                        ..Targets::from(format!("`{name}`, which is not initialised"))
                    },
                    SiteKind::Nondet
                    | SiteKind::External
                    | SiteKind::Contents
                    | SiteKind::Argument
                    | SiteKind::Failure
                    | SiteKind::Outside
                    | SiteKind::Choice
                    | SiteKind::Cell => Targets::from(format!("`{name}`")),
                };
                match place {
                    Place::Var(var) => self.vars[*var].join(&input),
                    Place::Mem(..) => self.memory.join(&input),
                }
            }
            Op::Call(call) => self.call(program, address_taken, call),
            Op::Return(Some(value)) if is_address(value) => {
                let value = self.of(program, value);
                self.returned[proc].join(&value)
            }
            Op::Assign(Place::Mem(..), _)
            | Op::Return(_)
            | Op::Skip
            | Op::Assume(_)
            | Op::Halt(_)
            | Op::Enter(_)
            | Op::Leave(_)
            | Op::Unsupported(_) => false,
        }
    }

    fn assign(&mut self, program: &Program, var: VarId, value: &Expr) -> bool {
        if program.vars[var].ty != Type::Ptr || matches!(value, Expr::Const(Constant::Null)) {
            return false;
        }
        let value = self.of(program, value);
        self.vars[var].join(&value)
    }

    fn call(&mut self, program: &Program, address_taken: &BTreeSet<ProcId>, call: &Call) -> bool {
        let callees = match &call.callee {
            Callee::Proc(callee) => vec![*callee],
            Callee::Pointer(_) => (address_taken.iter().copied())
                .filter(|&callee| call.fits(program, callee))
                .collect(),
            Callee::Library(_) => return self.library(program, call),
        };
        let mut changed = false;
        for callee in callees {
            let procedure = &program.procs[callee];
            let further = procedure.varargs.iter().zip(&call.varargs);
            for (&param, arg) in procedure.params.iter().zip(&call.args).chain(further) {
                changed |= self.assign(program, param, arg);
            }
            if let Some(result) = call.result
                && program.vars[result].ty == Type::Ptr
            {
                let returned = self.returned[callee].clone();
                changed |= self.vars[result].join(&returned);
            }
        }
        changed
    }
    /// A library function returns an address that it got, or that of an object, and may copy what it
    /// finds there.
    fn library(&mut self, program: &Program, call: &Call) -> bool {
        let mut changed = false;
        for arg in call.args.iter().chain(&call.varargs) {
            if arg.ty(program) == Type::Ptr {
                let given = self.of(program, arg);
                changed |= self.memory.join(&given);
                if let Some(result) = call.result {
                    changed |= self.vars[result].join(&given);
                }
            }
        }
        changed
    }
}
