//! Scopes: the lifetimes of local objects, and the effect of jumps between scopes.
//!
//! The lifetimes of a block's objects start at its start, before anything else, and end on every
//! way out. How many a block has is known only at its end, and a jump may go forward, so both are
//! resolved late: the first when the block is closed, jumps when the procedure is done.

use super::Storage;
use super::procedure::Lowering;
use base::{Span, define_id};
use cfront::ast::{LabelId, LocalId};
use logic::IntType;
use program::expr::Type;
use program::ir::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

define_id! {
    /// A scope of the procedure under construction.
    ScopeId = "s";
}

/// A scope.
pub(super) struct ScopeRow {
    parent: Option<ScopeId>,
    depth: u32,
    /// Where it starts.
    entry: LocationId,
    /// The objects that live in it.
    objects: Vec<ObjectId>,
    /// The variables declared in it, and where: any value if a jump skips the declaration.
    vars: Vec<(VarId, Span)>,
}

impl ScopeRow {
    /// A scope that starts at a location, inside another one; that of the whole procedure is in none.
    pub(super) fn new(parent: Option<ScopeId>, depth: u32, entry: LocationId) -> Self {
        ScopeRow {
            parent,
            depth,
            entry,
            objects: Vec::new(),
            vars: Vec::new(),
        }
    }
}

/// A jump from one scope to another.
pub(super) struct Jump {
    from: (LocationId, ScopeId),
    to: JumpTarget,
    span: Span,
}

/// Where a jump leads.
#[derive(Clone, Copy)]
pub(super) enum JumpTarget {
    /// To a location.
    Location(LocationId, ScopeId),
    /// To a label, which may come later.
    Label(LabelId),
}

/// An enclosing loop, or a switch for its `break`.
pub(super) struct LoopFrame {
    pub(super) scope: ScopeId,
    pub(super) break_to: LocationId,
    /// None for a switch.
    pub(super) continue_to: Option<LocationId>,
}

/// An enclosing switch.
pub(super) struct SwitchFrame {
    /// The location of each case, and its scope once the case has been met.
    pub(super) cases: Vec<(LocationId, Option<ScopeId>)>,
}

impl Lowering<'_, '_> {
    /// Starts a scope here.
    pub(super) fn open_scope(&mut self) {
        let depth = self.scopes[self.scope].depth + 1;
        let row = ScopeRow::new(Some(self.scope), depth, self.cur);
        self.scope = self.scopes.push(row);
    }

    /// Ends the innermost scope here.
    pub(super) fn close_scope(&mut self, span: Span) {
        let row = &self.scopes[self.scope];
        let (entry, parent) = (row.entry, row.parent);
        let objects = row.objects.clone();
        self.enter_at(entry, &objects);
        for &object in objects.iter().rev() {
            self.emit(Op::Leave(object), span);
        }
        self.scope = parent.expect("the outermost scope should not be closed");
    }

    /// Whether objects live in the innermost scope.
    pub(super) fn scope_has_objects(&self) -> bool {
        !self.scopes[self.scope].objects.is_empty()
    }

    /// Makes the outermost scope's objects live; they die with the activation.
    pub(super) fn close_root(&mut self) {
        let row = &self.scopes[self.scope];
        let (entry, objects) = (row.entry, row.objects.clone());
        self.enter_at(entry, &objects);
    }

    /// A new object of the innermost scope.
    pub(super) fn scoped_object(&mut self, mut object: Object) -> ObjectId {
        // What has no name in the source is written before it is read.
        if !object.name.starts_with('$') {
            object.contents = Some(self.contents_site(object.name.clone(), object.span));
        }
        let object = self.cx.program.objects.push(object);
        self.scopes[self.scope].objects.push(object);
        object
    }

    /// Jumps to a location of another scope; what follows is not reached from here.
    pub(super) fn jump(&mut self, to: JumpTarget, span: Span) {
        let from = self.fresh(span);
        if let JumpTarget::Location(to, _) = to {
            self.reached[to] |= self.reached[from];
        }
        self.jump_from(from, to, span);
        self.cur = self.location(span);
    }

    /// A jump that starts at a location of its own in the innermost scope.
    pub(super) fn jump_from(&mut self, from: LocationId, to: JumpTarget, span: Span) {
        self.jumps.push(Jump {
            from: (from, self.scope),
            to,
            span,
        });
    }

    /// Whether the entry may reach this place, as far as we know by now. A jump into a loop reaches
    /// its head and what comes behind it after these have been passed.
    pub(super) fn is_reached_by_now(&mut self) -> bool {
        if self.reached[self.cur] {
            return true;
        }
        let jumps = self.jumps.iter().filter_map(|jump| match jump.to {
            JumpTarget::Location(to, _) => Some((jump.from.0, to)),
            JumpTarget::Label(_) => None,
        });
        let jumps: FxHashMap<LocationId, LocationId> = jumps.collect();
        let reached = self.reached.ids().filter(|&at| self.reached[at]);
        let mut open: Vec<LocationId> = reached.collect();
        while let Some(location) = open.pop() {
            let jumped = jumps.get(&location).copied();
            for next in self.procedure.successors(location).chain(jumped) {
                if !std::mem::replace(&mut self.reached[next], true) {
                    open.push(next);
                }
            }
        }
        self.reached[self.cur]
    }

    /// The location of a label, which may come later.
    pub(super) fn label_location(&mut self, label: LabelId) -> LocationId {
        if let Some((location, _)) = self.labels[label] {
            return location;
        }
        let span = self.body.map_or(Span::NONE, |body| body.labels[label].span);
        let location = self.location(span);
        self.labels[label] = Some((location, None));
        location
    }

    /// Declares a local that lives in a variable. If its indeterminate value may be read, it gets
    /// any value here.
    pub(super) fn declare_var(&mut self, var: VarId, span: Span, indeterminate: bool) {
        self.scopes[self.scope].vars.push((var, span));
        if indeterminate {
            let op = self.indeterminate(var, span);
            self.emit(op, span);
        }
    }

    /// Where the bytes of an object come from that is made without a value.
    pub(super) fn contents_site(&mut self, name: impl Into<Arc<str>>, span: Span) -> SiteId {
        let byte = Type::Int(IntType::unsigned(8));
        (self.cx.program).add_site(SiteKind::Contents, byte, name, span)
    }

    /// A variable gets any value, for want of one.
    fn indeterminate(&mut self, var: VarId, span: Span) -> Op {
        let row = &self.cx.program.vars[var];
        let (name, ty) = (row.name.clone(), row.ty);
        let site = self
            .cx
            .program
            .add_site(SiteKind::Uninitialized, ty, name, span);
        Op::Havoc(Place::Var(var), site)
    }

    /// Writes out what each jump leaves and enters.
    pub(super) fn resolve_jumps(&mut self) {
        for jump in std::mem::take(&mut self.jumps) {
            let (to, scope) = match jump.to {
                JumpTarget::Location(location, scope) => (location, scope),
                JumpTarget::Label(label) => match self.labels[label] {
                    Some((location, Some(scope))) => (location, scope),
                    // The parser refuses a label that stands nowhere.
                    Some((_, None)) | None => {
                        self.cur = jump.from.0;
                        self.emit(Op::Unsupported("a label without a place".into()), jump.span);
                        continue;
                    }
                },
            };
            self.cur = jump.from.0;
            let ops = self.crossings(jump.from.1, scope);
            for op in ops {
                self.emit(op, jump.span);
            }
            self.link(to, jump.span);
        }
    }

    /// What dies and what comes to life on the way from one scope to another.
    fn crossings(&mut self, mut from: ScopeId, mut to: ScopeId) -> Vec<Op> {
        let (mut ops, mut entered) = (Vec::new(), Vec::new());
        while from != to {
            if self.scopes[from].depth >= self.scopes[to].depth {
                let row = &self.scopes[from];
                ops.extend(row.objects.iter().rev().map(|&object| Op::Leave(object)));
                from = row.parent.expect("two scopes should have one around both");
            } else {
                entered.push(to);
                to = self.scopes[to]
                    .parent
                    .expect("two scopes should have one around both");
            }
        }
        for scope in entered.into_iter().rev() {
            let row = &self.scopes[scope];
            ops.extend(row.objects.iter().map(|&object| Op::Enter(object)));
            for (var, span) in row.vars.clone() {
                ops.push(self.indeterminate(var, span));
            }
        }
        ops
    }

    /// Where a local is; one that was not declared yet is declared here.
    pub(super) fn local(&mut self, local: LocalId) -> Storage {
        match &self.locals[local] {
            Some(storage) => storage.clone(),
            None => self.bind(local),
        }
    }
}
