//! The automaton of one procedure under construction.
//!
//! Expressions are pure, so a value that was computed before a side effect of a later sibling must
//! be saved if the effect can change it. Whether there is such an effect is known only once the
//! sibling has been lowered; the saving edge is then inserted *before* it ([`Lowering::protect`]).
//! The same technique decides whether `c ? a : b` needs branches ([`Lowering::choose`]): only if
//! lowering `a` or `b` emitted edges.
//!
//! # Invariants
//! - `cur` has no outgoing edge. After a jump it is a new location that nothing leads to.
//! - Loop heads, labels, and places where jumps start are locations of their own, so that an edge
//!   inserted at a [`Mark`] is executed exactly when the marked value is needed.

use super::scope::{Jump, LoopFrame, ScopeId, ScopeRow, SwitchFrame};
use super::{Context, Storage, new_object};
use base::{Id, IdVec, Span};
use cfront::ast::{Body, Expr as CExpr, FunctionId, LabelId, LocalId};
use cfront::claim::ClaimKind;
use cfront::types::TypeId;
use logic::IntType;
use program::expr::{BinaryOp, Expr, Type};
use program::ir::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A point in the evaluation: what was computed here holds until an effect after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    at: LocationId,
    clock: u32,
}

/// One procedure under construction.
pub(super) struct Lowering<'c, 'a> {
    pub(super) cx: &'c mut Context<'a>,
    pub(super) proc: ProcId,
    pub(super) procedure: Procedure,
    /// Where the next edge starts.
    pub(super) cur: LocationId,
    /// The locations that the entry may reach, as far as we know by now.
    pub(super) reached: IdVec<LocationId, bool>,
    /// The function and its definition; none for made-up procedures.
    pub(super) function: Option<FunctionId>,
    pub(super) body: Option<&'a Body>,
    /// The C type it returns.
    pub(super) returns: Option<TypeId>,
    /// Where a record that it returns goes: a parameter that holds an address.
    pub(super) result_pointer: Option<VarId>,
    /// Where each local is, once it has been declared.
    pub(super) locals: IdVec<LocalId, Option<Storage>>,
    pub(super) scopes: IdVec<ScopeId, ScopeRow>,
    pub(super) scope: ScopeId,
    pub(super) jumps: Vec<Jump>,
    pub(super) labels: IdVec<LabelId, Option<(LocationId, Option<ScopeId>)>>,
    pub(super) loops: Vec<LoopFrame>,
    /// The initial values of pointers that keep them.
    pub(super) origins: BTreeMap<LocalId, &'a CExpr>,
    /// The pointer, by its text, that is computed for an access.
    pub(super) accessed: Option<Span>,
    /// The text of the claim that is being lowered.
    pub(super) claim: Option<Span>,
    /// The claims that have been lowered, by their number.
    pub(super) checked: BTreeSet<usize>,
    /// Where the loops of the source start.
    heads: Vec<LocationId>,
    pub(super) switches: Vec<SwitchFrame>,
    /// Objects for values in passing; they live as long as the activation.
    pub(super) scratch: Vec<ObjectId>,
    /// Nesting of the expression being lowered.
    pub(super) depth: u32,
    /// The temporary written last, by which edges, if nothing came after.
    last_temp: Option<(VarId, [EdgeId; 2], LocationId)>,
    clock: u32,
    last_memory: u32,
    last_call: u32,
    last_write: FxHashMap<VarId, u32>,
}

impl<'c, 'a> Lowering<'c, 'a> {
    /// An empty procedure; `proc` is declared already.
    pub(super) fn new(cx: &'c mut Context<'a>, proc: ProcId, function: Option<FunctionId>) -> Self {
        let procedure = cx.program.procs[proc].clone();
        let ast = cx.ast;
        let body = function.and_then(|function| ast.functions[function].body.as_ref());
        let mut reached = IdVec::filled(false, procedure.locations.len());
        reached[procedure.entry] = true;
        let mut scopes = IdVec::new();
        let scope = scopes.push(ScopeRow::new(None, 0, procedure.entry));
        Lowering {
            cur: procedure.entry,
            reached,
            cx,
            proc,
            function,
            body,
            returns: None,
            result_pointer: None,
            locals: IdVec::filled(None, body.map_or(0, |body| body.locals.len())),
            scopes,
            scope,
            jumps: Vec::new(),
            labels: IdVec::filled(None, body.map_or(0, |body| body.labels.len())),
            loops: Vec::new(),
            origins: BTreeMap::new(),
            accessed: None,
            claim: None,
            checked: BTreeSet::new(),
            heads: Vec::new(),
            switches: Vec::new(),
            scratch: Vec::new(),
            depth: 0,
            last_temp: None,
            clock: 0,
            last_memory: 0,
            last_call: 0,
            last_write: FxHashMap::default(),
            procedure,
        }
    }

    /// Puts the finished automaton into the program.
    pub(super) fn finish(mut self) {
        self.resolve_jumps();
        self.refuse_unchecked();
        let scratch = std::mem::take(&mut self.scratch);
        self.enter_at(self.procedure.entry, &scratch);
        super::tidy::tidy(&mut self.procedure, &self.heads);
        self.cx.program.procs[self.proc] = self.procedure;
    }

    /// Bits of a pointer.
    pub(super) fn pointer_bits(&self) -> u8 {
        self.cx.program.pointer_bytes * 8
    }

    /// A new location, not yet connected.
    pub(super) fn location(&mut self, span: Span) -> LocationId {
        self.reached.push(false);
        self.procedure.add_location(span)
    }

    /// Adds an edge.
    pub(super) fn edge(
        &mut self,
        source: LocationId,
        target: LocationId,
        op: Op,
        span: Span,
    ) -> EdgeId {
        self.reached[target] |= self.reached[source];
        self.procedure.add_edge(source, target, op, span)
    }

    /// Adds the two edges of a branch.
    fn fork(
        &mut self,
        source: LocationId,
        condition: Expr,
        (then, otherwise): (LocationId, LocationId),
        span: Span,
    ) {
        let reached = self.reached[source];
        self.reached[then] |= reached;
        self.reached[otherwise] |= reached;
        self.procedure
            .add_branch(source, condition, then, otherwise, span);
    }

    /// Adds an edge and goes on behind it.
    pub(super) fn emit(&mut self, op: Op, span: Span) -> EdgeId {
        self.note(&op);
        let next = self.location(span);
        let edge = self.edge(self.cur, next, op, span);
        self.cur = next;
        edge
    }

    /// Adds an edge that ends the run or the procedure; what follows is not reached from here.
    pub(super) fn emit_last(&mut self, op: Op, span: Span) {
        self.emit(op, span);
        self.cur = self.location(span);
    }

    /// The run ends here: going on is undefined.
    pub(super) fn halt_undefined(&mut self, kind: UndefinedKind, span: Span) {
        self.emit_last(Op::Halt(Halt::Undefined(kind)), span);
    }

    /// Goes on at `target`; what follows is not reached from here.
    pub(super) fn link(&mut self, target: LocationId, span: Span) {
        self.edge(self.cur, target, Op::Skip, span);
        self.cur = self.location(span);
    }

    /// Goes on at a location that others may come to as well.
    pub(super) fn go_on_at(&mut self, target: LocationId, span: Span) {
        self.edge(self.cur, target, Op::Skip, span);
        self.cur = target;
    }

    /// Ends what comes before at a new location that nothing else stands at.
    pub(super) fn fresh(&mut self, span: Span) -> LocationId {
        self.emit(Op::Skip, span);
        self.cur
    }

    /// Starts a loop here.
    pub(super) fn loop_head(&mut self, span: Span) -> LocationId {
        let head = self.fresh(span);
        self.heads.push(head);
        self.loop_statement(head, span);
        self.claims(span.lo, ClaimKind::Loop);
        head
    }

    /// Notes a loop statement, for people and witnesses.
    fn loop_statement(&mut self, head: LocationId, span: Span) {
        let scopes = self.body.map_or(&[][..], |body| &body.loops[..]);
        let Ok(at) = scopes.binary_search_by_key(&span.lo, |scope| scope.keyword.lo) else {
            return;
        };
        let names = scopes[at].names.iter().map(|(name, meaning)| {
            let storage = match *meaning {
                cfront::ast::Meaning::Local(local) => self.locals[local].as_ref(),
                cfront::ast::Meaning::Global(global) => self.cx.globals[global].as_ref(),
                cfront::ast::Meaning::Other => None,
            };
            let meaning = match storage {
                Some(Storage::Var(var)) => Meaning::Var(*var),
                Some(Storage::Object(object)) => Meaning::Object(*object),
                Some(Storage::Indirect(_) | Storage::Unsupported(_)) | None => Meaning::Other,
            };
            (name.clone(), meaning)
        });
        self.procedure.loops.push(LoopStatement {
            head,
            names: names.collect(),
            keyword: scopes[at].keyword,
        });
    }

    /// Branches on a condition; `cur` is left without meaning until it is set.
    pub(super) fn branch_to(
        &mut self,
        condition: Expr,
        then: LocationId,
        otherwise: LocationId,
        span: Span,
    ) {
        if condition.is_bool(true) {
            self.link(then, span);
        } else if condition.is_bool(false) {
            self.link(otherwise, span);
        } else {
            self.fork(self.cur, condition, (then, otherwise), span);
            self.cur = self.location(span);
        }
    }

    /// Does something only where a condition holds.
    pub(super) fn when(&mut self, condition: Expr, span: Span, then: impl FnOnce(&mut Self)) {
        let (inside, next) = (self.location(span), self.location(span));
        self.branch_to(condition, inside, next, span);
        self.cur = inside;
        then(self);
        self.go_on_at(next, span);
    }

    /// Does something for every number below a count of its type.
    pub(super) fn for_each_below(
        &mut self,
        (count, ty): (Expr, IntType),
        span: Span,
        body: impl FnOnce(&mut Self, Expr),
    ) {
        let index = self.temp(Type::Int(ty), span);
        self.emit(Op::Assign(Place::Var(index), Expr::int(ty, 0)), span);
        let head = self.loop_head(span);
        let (inside, behind) = (self.location(span), self.location(span));
        let more = Expr::arith(BinaryOp::Lt, ty, Expr::Var(index), count);
        self.branch_to(more, inside, behind, span);
        self.cur = inside;
        body(self, Expr::Var(index));
        let next = Expr::arith(BinaryOp::Add, ty, Expr::Var(index), Expr::int(ty, 1));
        self.emit(Op::Assign(Place::Var(index), next), span);
        self.link(head, span);
        self.cur = behind;
    }

    /// A call of a library function with arguments of its types.
    pub(super) fn call_library(
        &mut self,
        result: Option<VarId>,
        library: Library,
        args: Vec<Expr>,
        span: Span,
    ) -> EdgeId {
        let call = Call::new(result, Callee::Library(library), args);
        self.emit(Op::Call(call), span)
    }

    /// The value of such a call.
    pub(super) fn library_value(&mut self, library: Library, args: Vec<Expr>, span: Span) -> Expr {
        let ty = library.signature(&self.cx.program).ret;
        let temp = self.temp(ty.unwrap_or(Type::I32), span);
        self.call_library(Some(temp), library, args, span);
        Expr::Var(temp)
    }

    /// Something that we do not model.
    pub(super) fn unsupported(&mut self, what: impl Into<std::sync::Arc<str>>, span: Span) {
        self.emit(Op::Unsupported(what.into()), span);
    }

    /// A value of the type after something unsupported.
    pub(super) fn unsupported_value(
        &mut self,
        what: impl Into<std::sync::Arc<str>>,
        ty: Type,
        span: Span,
    ) -> Expr {
        self.unsupported(what, span);
        Expr::Const(ty.zero())
    }

    /// A new variable.
    pub(super) fn temp(&mut self, ty: Type, span: Span) -> VarId {
        self.cx.program.add_local(self.proc, "$t", ty, span)
    }

    /// An object for a value in passing. Each place in the source has its own.
    pub(super) fn scratch_object(&mut self, name: &str, size: u64, align: u64, span: Span) -> Expr {
        let object = new_object(name, (size, align), Scope::Local(self.proc), span);
        let object = self.cx.program.objects.push(object);
        self.scratch.push(object);
        Expr::Object(object)
    }

    /// The same for a value of a C type.
    pub(super) fn scratch_of(&mut self, name: &str, ty: TypeId, span: Span) -> Expr {
        let (size, align) = (self.size_or_zero(ty), self.cx.align(ty));
        self.scratch_object(name, size, align, span)
    }

    /// The type of an expression.
    pub(super) fn ty(&self, expr: &Expr) -> Type {
        expr.ty(&self.cx.program)
    }

    /// Here and now.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            at: self.cur,
            clock: self.clock,
        }
    }

    /// A value computed at `mark`, made to keep what it was.
    pub(super) fn protect(&mut self, value: Expr, mark: Mark, span: Span) -> Expr {
        if self.clock == mark.clock || !self.changed(&value, mark.clock) {
            return value;
        }
        let ty = self.ty(&value);
        let temp = self.temp(ty, span);
        let rest = self.split(mark.at);
        let op = Op::Assign(Place::Var(temp), value);
        self.edge(mark.at, rest, op, span);
        Expr::Var(temp)
    }

    /// The values of some things in turn, each made to keep what it was.
    pub(super) fn in_turn<T>(
        &mut self,
        things: impl IntoIterator<Item = T>,
        span: Span,
        value_of: impl Fn(&mut Self, T) -> Expr,
    ) -> Vec<Expr> {
        let mut values: Vec<(Expr, Mark)> = Vec::new();
        for thing in things {
            let value = value_of(self, thing);
            values.push((value, self.mark()));
        }
        let values = values.into_iter();
        let values = values.map(|(value, mark)| self.protect(value, mark, span));
        values.collect()
    }

    /// The value in a variable or constant, so that it can be used several times.
    pub(super) fn atom(&mut self, value: Expr, span: Span) -> Expr {
        use Expr::*;
        match value {
            Const(_) | Var(_) | Object(_) | Proc(_) => value,
            Offset(ref base, ref offset)
                if matches!(**base, Object(_)) && offset.constant().is_some() =>
            {
                value
            }
            Load(..) | Unary(..) | Binary(..) | Offset(..) | Cast(..) | Select(..)
            | Overflows(..) | Valid(..) | Freeable(_) => self.save(value, span),
        }
    }

    /// The value in a new variable.
    pub(super) fn save(&mut self, value: Expr, span: Span) -> Expr {
        let ty = self.ty(&value);
        let temp = self.temp(ty, span);
        self.emit(Op::Assign(Place::Var(temp), value), span);
        Expr::Var(temp)
    }

    /// A value that is not used; where computing it could be undefined it still is computed.
    pub(super) fn discard(&mut self, value: Expr, span: Span) {
        let undefined = value.any(&|part| {
            !matches!(part, Expr::Offset(..)) && program::fold::step_may_be_undefined(part)
        });
        if undefined {
            self.save(value, span);
        }
    }

    /// The temporary that a call or an input has just filled.
    pub(super) fn filled(&mut self, temp: VarId, edge: EdgeId) -> Expr {
        self.filled_both_ways(temp, [edge; 2])
    }

    /// The temporary that the last edges of two ways have just filled.
    pub(super) fn filled_both_ways(&mut self, temp: VarId, edges: [EdgeId; 2]) -> Expr {
        self.last_temp = Some((temp, edges, self.cur));
        Expr::Var(temp)
    }

    /// `var := value`; a temporary filled just now is replaced by the variable itself.
    pub(super) fn assign_var(&mut self, var: VarId, value: Expr, span: Span) {
        if let (Some((temp, edges, at)), Expr::Var(read)) = (self.last_temp.take(), &value)
            && temp == *read
            && at == self.cur
            && self.cx.program.vars[temp].ty == self.cx.program.vars[var].ty
        {
            for edge in edges {
                let row = &mut self.procedure.edges[edge];
                let written = row.op.written_mut();
                *written.expect("a temporary should be written here") = var;
                row.span = span;
            }
            self.clock += 1;
            self.last_write.insert(var, self.clock);
            if self.cx.program.vars.next_id().index() == temp.index() + 1 {
                self.cx.program.vars.pop();
            }
            return;
        }
        self.emit(Op::Assign(Place::Var(var), value), span);
    }

    /// `condition ? then : otherwise`: an expression where both are pure, else branches that fill
    /// a temporary.
    pub(super) fn choose(
        &mut self,
        condition: Expr,
        then: impl FnOnce(&mut Self) -> Expr,
        otherwise: impl FnOnce(&mut Self) -> Expr,
        span: Span,
    ) -> Expr {
        if condition.is_bool(true) {
            return then(self);
        }
        if condition.is_bool(false) {
            return otherwise(self);
        }
        let fork = self.cur;
        let yes = then(self);
        let yes_end = self.cur;
        let yes_start;
        if yes_end == fork {
            let no = otherwise(self);
            if self.cur == fork {
                return Expr::select(condition, yes, no);
            }
            yes_start = self.location(span);
            let no_start = self.split(fork);
            self.fork(fork, condition, (yes_start, no_start), span);
            let no_end = self.cur;
            return self.join((yes_start, yes), (no_end, no), span);
        }
        yes_start = self.split(fork);
        let no_start = self.location(span);
        self.fork(fork, condition, (yes_start, no_start), span);
        self.cur = no_start;
        let no = otherwise(self);
        let no_end = self.cur;
        self.join((yes_end, yes), (no_end, no), span)
    }

    /// Two ends with a value each become one with the value in a temporary.
    fn join(&mut self, yes: (LocationId, Expr), no: (LocationId, Expr), span: Span) -> Expr {
        let ty = self.ty(&yes.1);
        let temp = self.temp(ty, span);
        let join = self.location(span);
        let mut fill = |(end, value)| {
            let op = Op::Assign(Place::Var(temp), value);
            self.edge(end, join, op, span)
        };
        let edges = [fill(yes), fill(no)];
        self.clock += 1;
        self.last_write.insert(temp, self.clock);
        self.cur = join;
        self.last_temp = Some((temp, edges, join));
        Expr::Var(temp)
    }

    /// Moves the edges that leave a location to a new one, and returns that.
    pub(super) fn split(&mut self, at: LocationId) -> LocationId {
        let span = self.procedure.locations[at].span;
        let rest = self.procedure.split(at, span);
        self.reached.push(self.reached[at]);
        if self.cur == at {
            self.cur = rest;
        }
        rest
    }

    /// Objects come to life at a location, before anything else that happens there.
    pub(super) fn enter_at(&mut self, at: LocationId, objects: &[ObjectId]) {
        for &object in objects.iter().rev() {
            let rest = self.split(at);
            let span = self.cx.program.objects[object].span;
            self.edge(at, rest, Op::Enter(object), span);
        }
    }

    /// Whether an effect since `clock` may have changed the value.
    fn changed(&self, value: &Expr, clock: u32) -> bool {
        use Expr::*;
        value.any(&|part| match part {
            Var(var) => {
                let written = self.last_write.get(var).is_some_and(|&at| at > clock);
                let global = self.cx.program.vars[*var].scope == Scope::Global;
                written || global && self.last_call > clock
            }
            Load(..) | Valid { .. } | Freeable(_) => self.last_memory > clock,
            Const(_) | Object(_) | Proc(_) | Unary(..) | Binary(..) | Offset(..) | Cast(..)
            | Select(..) | Overflows(..) => false,
        })
    }

    /// Keeps the clocks of effects.
    fn note(&mut self, op: &Op) {
        let (memory, call) = match op {
            Op::Skip | Op::Assume(_) | Op::Return(_) | Op::Halt(_) | Op::Unsupported(_) => return,
            Op::Assign(Place::Var(_), _) | Op::Havoc(Place::Var(_), _) => (false, false),
            Op::Assign(Place::Mem(..), _)
            | Op::Havoc(Place::Mem(..), _)
            | Op::Enter(_)
            | Op::Leave(_) => (true, false),
            Op::Call(call) => (true, !matches!(call.callee, Callee::Library(_))),
        };
        self.clock += 1;
        if memory {
            self.last_memory = self.clock;
        }
        if call {
            self.last_call = self.clock;
        }
        if let Some(var) = op.written() {
            self.last_write.insert(var, self.clock);
        }
    }
}
