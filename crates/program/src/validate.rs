//! What a well-formed program is, and every way in which one is not.
//!
//! # Rules
//! Program: pointers have 4 or 8 bytes; the entry is a procedure without parameters; every id is in
//! its table; an inlined call's parent came before it.
//!
//! Variables and objects: integer types have 1 to 128 bits, whole bytes in memory; a global has an
//! initial value of its type, a local has none; an alignment is a power of two; initial bytes and
//! addresses fit the object, and the addresses are of globals and procedures.
//!
//! Procedures: parameters are distinct locals of its own; entry and exit differ; an edge stands
//! exactly once in the list of its source and in no other; only `Return` edges lead to the exit,
//! and they lead nowhere else; no edge leaves the exit, an error location or the target of a
//! `Halt`; the exit is not an error location; a location with an incoming edge and none outgoing is
//! the exit, an error location or the target of `Halt`s and `Unsupported`s; a location has at most
//! one outgoing edge, or two that assume a condition and its negation (not under
//! [`Shape::Merged`]). The head of a loop statement is a location, and what its names mean is
//! global or the procedure's own.
//!
//! Ops and expressions: typed as `expr` says; variables and objects are global or the procedure's
//! own; only local objects are entered and left; a call has the arguments and the result that its
//! callee has; a site's type is that of the place it fills; a return has a value exactly where the
//! procedure does.

use crate::expr::{Expr, Type};
use crate::fold;
use crate::ir::*;
use crate::library::Signature;
use crate::typing::{step_is_typed, step_name};
use base::{IdVec, Span};
use logic::IntType;

/// One broken rule and where.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// In which procedure.
    pub proc: Option<ProcId>,
    /// At which location of it.
    pub location: Option<LocationId>,
    /// At which edge of it.
    pub edge: Option<EdgeId>,
    /// The source text there.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(proc) = self.proc {
            write!(f, "{proc} ")?;
        }
        if let Some(location) = self.location {
            write!(f, "{location} ")?;
        }
        if let Some(edge) = self.edge {
            write!(f, "{edge} ")?;
        }
        f.write_str(&self.message)
    }
}

/// Which edges may leave a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One, or two that assume a condition and its negation.
    Branching,
    /// Any number: some pass merged or removed edges.
    Merged,
}

/// Every broken rule, in the order of the program.
pub fn validate(program: &Program) -> Vec<Problem> {
    validate_shape(program, Shape::Branching)
}

/// Every broken rule, given which edges may leave a location.
pub fn validate_shape(program: &Program, shape: Shape) -> Vec<Problem> {
    let mut validator = Validator {
        program,
        shape,
        at: Problem {
            proc: None,
            location: None,
            edge: None,
            span: Span::NONE,
            message: String::new(),
        },
        problems: Vec::new(),
    };
    if !matches!(program.pointer_bytes, 4 | 8) {
        validator.problem("pointers should have 4 or 8 bytes");
        return validator.problems;
    }
    validator.tables();
    for (id, procedure) in program.procs.iter_enumerated() {
        validator.at.proc = Some(id);
        validator.procedure(id, procedure);
        validator.at.proc = None;
    }
    validator.problems
}

/// In debug builds, panics unless the program is well-formed; `what` made it.
pub fn check_invariants(program: &Program, what: &str) {
    if cfg!(debug_assertions) {
        let problems = validate(program);
        let list: Vec<String> = problems.iter().map(Problem::to_string).collect();
        assert!(
            list.is_empty(),
            "{what} should give a valid program:\n{}",
            list.join("\n")
        );
    }
}

struct Validator<'p> {
    program: &'p Program,
    shape: Shape,
    /// The place we are at; its message is empty.
    at: Problem,
    problems: Vec<Problem>,
}

impl Validator<'_> {
    fn problem(&mut self, message: impl Into<String>) {
        self.problems.push(Problem {
            message: message.into(),
            ..self.at.clone()
        });
    }

    fn require(&mut self, rule: bool, message: impl Into<String>) {
        if !rule {
            self.problem(message);
        }
    }

    fn tables(&mut self) {
        let program = self.program;
        match program.procs.get(program.entry) {
            None => self.problem("there should be an entry procedure"),
            Some(entry) => self.require(
                entry.params.is_empty() && entry.varargs.is_none(),
                "the entry procedure should have no parameters",
            ),
        }
        for (id, var) in program.vars.iter_enumerated() {
            self.at.span = var.span;
            self.int_width(var.ty);
            match (var.scope, var.init) {
                (Scope::Global, Some(init)) => {
                    self.require(
                        init.ty() == var.ty,
                        format!("{id} has an initial value of type {}", init.ty()),
                    );
                }
                (Scope::Global, None) => self.problem(format!("{id} has no initial value")),
                (Scope::Local(proc), init) => {
                    self.require(init.is_none(), format!("local {id} has an initial value"));
                    self.proc_in_range(proc);
                }
            }
        }
        for (id, object) in program.objects.iter_enumerated() {
            self.at.span = object.span;
            self.object(id, object);
        }
        for (id, inline) in program.inlines.iter_enumerated() {
            self.at.span = inline.span;
            let grows = inline.parent.is_none_or(|parent| parent < id);
            self.require(grows, format!("the parent of {id} should come before it"));
        }
        for site in program.sites.iter() {
            self.at.span = site.span;
            self.int_width(site.ty);
        }
        self.at.span = Span::NONE;
    }

    fn object(&mut self, id: ObjectId, object: &Object) {
        let aligned = object.align.is_power_of_two();
        self.require(aligned, format!("{id} is aligned to {}", object.align));
        let fits = object.init.bytes.len() as u64 <= object.size;
        self.require(fits, format!("{id} has more initial bytes than bytes"));
        if let Scope::Local(proc) = object.scope {
            self.proc_in_range(proc);
            let plain = object.init == ObjectInit::default();
            self.require(plain, format!("local {id} has initial bytes"));
        }
        if let Some(site) = object.contents {
            let local = matches!(object.scope, Scope::Local(_));
            self.require(local, format!("global {id} has indeterminate contents"));
            self.contents(site);
        }
        for (offset, address) in &object.init.addresses {
            let end = offset.checked_add(u64::from(self.program.pointer_bytes));
            let fits = end.is_some_and(|end| end <= object.size);
            self.require(fits, format!("an address in {id} does not fit at {offset}"));
            match address.base {
                AddressBase::Proc(proc) => self.proc_in_range(proc),
                AddressBase::Object(target) => {
                    let scope = self.program.objects.get(target).map(|target| target.scope);
                    self.require(
                        scope == Some(Scope::Global),
                        format!("an address in {id} is of no global object"),
                    );
                }
            }
        }
    }

    fn proc_in_range(&mut self, proc: ProcId) {
        let known = self.program.procs.get(proc).is_some();
        self.require(known, format!("there is no procedure {proc}"));
    }

    fn int_width(&mut self, ty: Type) {
        if let Type::Int(IntType { bits, .. }) = ty {
            let known = (1..=128).contains(&bits);
            self.require(known, format!("an integer has {bits} bits"));
        }
    }

    fn memory_type(&mut self, ty: Type) {
        self.int_width(ty);
        if let Type::Int(int) = ty {
            self.require(
                int.bits % 8 == 0,
                format!("{ty} in memory is not whole bytes"),
            );
        }
    }

    fn procedure(&mut self, id: ProcId, procedure: &Procedure) {
        self.at.span = procedure.span;
        let mut seen = Vec::new();
        for &param in procedure.params.iter().chain(&procedure.varargs) {
            let scope = self.program.vars.get(param).map(|var| var.scope);
            self.require(
                scope == Some(Scope::Local(id)) && !seen.contains(&param),
                format!("parameter {param} should be a local of its own"),
            );
            seen.push(param);
        }
        if let Some(var) = procedure.varargs.and_then(|var| self.program.vars.get(var)) {
            self.require(var.ty == Type::Ptr, "varargs should be a pointer");
        }
        let ends = [procedure.entry, procedure.exit];
        if ends
            .iter()
            .any(|&end| procedure.locations.get(end).is_none())
        {
            self.problem("entry and exit should be locations");
            return;
        }
        self.require(ends[0] != ends[1], "entry and exit should differ");
        for row in &procedure.loops {
            self.loop_statement(id, procedure, row);
        }
        if self.graph(procedure) {
            self.locations(procedure);
        }
        for (edge_id, edge) in procedure.edges.iter_enumerated() {
            self.at.edge = Some(edge_id);
            self.at.span = edge.span;
            self.op(id, procedure, edge);
        }
        self.at.edge = None;
    }

    fn loop_statement(&mut self, id: ProcId, procedure: &Procedure, row: &LoopStatement) {
        let head = row.head;
        let is_there = procedure.locations.get(head).is_some();
        self.require(is_there, format!("there is no head {head} of a loop"));
        for (name, meaning) in &row.names {
            let scope = match *meaning {
                Meaning::Var(var) => self.program.vars.get(var).map(|var| var.scope),
                Meaning::Object(object) => self.program.objects.get(object).map(|row| row.scope),
                Meaning::Other => continue,
            };
            let is_visible = scope == Some(Scope::Global) || scope == Some(Scope::Local(id));
            self.require(is_visible, format!("`{name}` should be its own or global"));
        }
    }

    /// Whether ends and lists agree, so that the rest can be looked at.
    fn graph(&mut self, procedure: &Procedure) -> bool {
        let before = self.problems.len();
        let mut listed: IdVec<EdgeId, u32> = IdVec::filled(0, procedure.edges.len());
        for (location, row) in procedure.locations.iter_enumerated() {
            self.at.location = Some(location);
            for &out in &row.out {
                match procedure.edges.get(out) {
                    None => self.problem(format!("there is no edge {out}")),
                    Some(edge) => {
                        listed[out] += 1;
                        self.require(edge.source == location, format!("{out} leaves elsewhere"));
                    }
                }
            }
        }
        self.at.location = None;
        for (id, edge) in procedure.edges.iter_enumerated() {
            self.at.edge = Some(id);
            self.at.span = edge.span;
            self.require(
                listed[id] == 1,
                "should stand once in the list of its source",
            );
            let known = procedure.locations.get(edge.source).is_some()
                && procedure.locations.get(edge.target).is_some();
            self.require(known, "should join two locations");
            if let Some(inline) = edge.inlined {
                let known = self.program.inlines.get(inline).is_some();
                self.require(known, format!("there is no inlined call {inline}"));
            }
        }
        self.at.edge = None;
        before == self.problems.len()
    }

    fn locations(&mut self, procedure: &Procedure) {
        let incoming = procedure.incoming();
        for (location, row) in procedure.locations.iter_enumerated() {
            self.at.location = Some(location);
            self.at.span = row.span;
            let ops = || {
                incoming[location]
                    .iter()
                    .map(|&edge| &procedure.edges[edge].op)
            };
            let is_exit = location == procedure.exit;
            let returns = |op: &Op| matches!(op, Op::Return(_));
            self.require(
                ops().all(|op| returns(op) == is_exit),
                "returns and nothing else should lead to the exit",
            );
            self.require(
                !is_exit || row.error.is_none(),
                "the exit is an error location",
            );
            let halts = ops().any(|op| matches!(op, Op::Halt(_)));
            let ends = is_exit || row.error.is_some() || halts;
            self.require(
                !ends || row.out.is_empty(),
                "an edge leaves where a run ends",
            );
            if row.out.is_empty() && !ends {
                self.require(
                    ops().all(|op| matches!(op, Op::Unsupported(_))),
                    "runs get stuck here",
                );
            }
            if self.shape == Shape::Branching {
                self.require(
                    is_branching(procedure, row),
                    "should have one edge, or two that assume opposites",
                );
            }
        }
        self.at.location = None;
    }

    fn op(&mut self, proc: ProcId, procedure: &Procedure, edge: &Edge) {
        match &edge.op {
            Op::Skip | Op::Halt(Halt::Abort | Halt::Undefined(_)) | Op::Unsupported(_) => {}
            Op::Assign(place, value) => {
                let to = self.place(proc, place);
                self.expect_expr(proc, value, to, "the value");
            }
            Op::Assume(condition) => {
                self.expect_expr(proc, condition, Some(Type::Bool), "the condition");
            }
            Op::Havoc(place, site) => {
                let to = self.place(proc, place);
                match self.program.sites.get(*site) {
                    None => self.problem(format!("there is no site {site}")),
                    Some(site) => {
                        self.require(
                            to.is_none_or(|to| to == site.ty),
                            "the site has another type than the place",
                        );
                        let fits = site.kind != SiteKind::Contents;
                        self.require(fits, "the site is one of bytes of an object");
                    }
                }
            }
            Op::Call(call) => self.call(proc, call),
            Op::Return(value) => match (value, procedure.ret) {
                (None, None) => {}
                (Some(value), Some(ty)) => {
                    self.expect_expr(proc, value, Some(ty), "the value returned");
                }
                (Some(_), None) | (None, Some(_)) => {
                    self.problem("a return should have a value where the procedure has one");
                }
            },
            Op::Halt(Halt::Exit(status)) => {
                self.expect_expr(proc, status, Some(Type::I32), "the status");
            }
            Op::Enter(object) | Op::Leave(object) => {
                let scope = self.program.objects.get(*object).map(|object| object.scope);
                self.require(
                    scope == Some(Scope::Local(proc)),
                    format!("{object} is no local object"),
                );
            }
        }
    }

    /// Where the bytes of a new object come from.
    fn contents(&mut self, site: SiteId) {
        let byte = Type::Int(IntType::unsigned(8));
        let row = self.program.sites.get(site);
        let fits = row.is_some_and(|row| row.kind == SiteKind::Contents && row.ty == byte);
        self.require(
            fits,
            format!("{site} should be a site of bytes of an object"),
        );
    }

    fn place(&mut self, proc: ProcId, place: &Place) -> Option<Type> {
        match place {
            Place::Var(var) => self.var(proc, *var),
            Place::Mem(ty, address) => {
                self.memory_type(*ty);
                self.expect_expr(proc, address, Some(Type::Ptr), "the address");
                Some(*ty)
            }
        }
    }

    fn var(&mut self, proc: ProcId, var: VarId) -> Option<Type> {
        let Some(row) = self.program.vars.get(var) else {
            self.problem(format!("there is no variable {var}"));
            return None;
        };
        let visible = row.scope == Scope::Global || row.scope == Scope::Local(proc);
        self.require(visible, format!("{var} belongs to another procedure"));
        Some(row.ty)
    }

    fn call(&mut self, proc: ProcId, call: &Call) {
        let signature = match &call.callee {
            Callee::Proc(callee) => {
                self.proc_in_range(*callee);
                self.program.procs.get(*callee).and_then(|callee| {
                    let params = callee.params.iter();
                    let tys = params.map(|&param| self.program.vars.get(param).map(|row| row.ty));
                    tys.collect::<Option<Vec<Type>>>().map(|params| Signature {
                        params,
                        variadic: callee.varargs.is_some(),
                        ret: callee.ret,
                    })
                })
            }
            Callee::Pointer(pointer) => {
                self.expect_expr(proc, pointer, Some(Type::Ptr), "the callee");
                None
            }
            Callee::Library(library) => Some(library.signature(self.program)),
        };
        let tys: Vec<Option<Type>> = call.args.iter().map(|arg| self.expr(proc, arg)).collect();
        if let Some(varargs) = &call.varargs {
            self.expect_expr(proc, varargs, Some(Type::Ptr), "varargs");
        }
        if let Some(site) = call.contents {
            use Library::{Alloca, Malloc, Realloc};
            let allocates = matches!(call.callee, Callee::Library(Malloc | Realloc | Alloca));
            self.require(allocates, "the callee makes no object without a value");
            self.contents(site);
        }
        let result = call.result.and_then(|result| self.var(proc, result));
        let Some(signature) = signature else {
            return;
        };
        let count = signature.params.len();
        self.require(
            tys.len() == count,
            format!("the call should have {count} arguments"),
        );
        for (index, (got, want)) in tys.iter().zip(&signature.params).enumerate() {
            let same = got.is_none_or(|got| got == *want);
            self.require(same, format!("argument {index} should have type {want}"));
        }
        let plain = signature.variadic || call.varargs.is_none();
        self.require(plain, "the callee takes no further arguments");
        if call.result.is_some() {
            let same = result.is_none() || result == signature.ret;
            self.require(same, "the result should have the type returned");
        }
    }

    fn expect_expr(&mut self, proc: ProcId, expr: &Expr, want: Option<Type>, what: &str) {
        let got = self.expr(proc, expr);
        if let (Some(got), Some(want)) = (got, want) {
            self.require(got == want, format!("{what} has type {got}, not {want}"));
        }
    }

    /// The type of an expression, unless it is hopeless.
    fn expr(&mut self, proc: ProcId, expr: &Expr) -> Option<Type> {
        use Expr::*;
        let tys: Vec<Option<Type>> = expr
            .children()
            .map(|child| self.expr(proc, child))
            .collect();
        match expr {
            Var(var) => return self.var(proc, *var),
            Object(object) => {
                let scope = self.program.objects.get(*object).map(|object| object.scope);
                self.require(
                    matches!(scope, Some(Scope::Global)) || scope == Some(Scope::Local(proc)),
                    format!("{object} is not visible here"),
                );
            }
            Proc(target) => self.proc_in_range(*target),
            Load(ty, _) => self.memory_type(*ty),
            Cast(ty, _) => self.int_width(*ty),
            Const(_) | Unary(..) | Binary(..) | Offset(..) | Select(..) | Overflows(..)
            | Valid(..) | Freeable(_) => {}
        }
        let tys: Vec<Type> = tys.into_iter().collect::<Option<_>>()?;
        let fine = step_is_typed(self.program, expr, &tys);
        let shown: Vec<String> = tys.iter().map(Type::to_string).collect();
        let name = step_name(expr);
        self.require(
            fine,
            format!("{name} on operands of type {}", shown.join(", ")),
        );
        if let Select(..) = expr {
            return tys.get(1).copied();
        }
        Some(expr.ty(self.program))
    }
}

/// Whether the edges that leave a location are as the invariant has it.
fn is_branching(procedure: &Procedure, row: &Location) -> bool {
    let op = |index: usize| &procedure.edges[row.out[index]].op;
    match row.out.len() {
        0 | 1 => true,
        2 => match (op(0), op(1)) {
            (Op::Assume(a), Op::Assume(b)) => are_opposites(a, b),
            _ => false,
        },
        _ => false,
    }
}

/// Whether one condition is the negation of the other, as far as its text says.
fn are_opposites(a: &Expr, b: &Expr) -> bool {
    let not = |expr: &Expr| Expr::not(fold::simplify(expr.clone()));
    not(a) == fold::simplify(b.clone()) || not(b) == fold::simplify(a.clone())
}

#[cfg(test)]
mod tests;
