//! Reads the declarations, locations and edges of the text form, a line each.

use super::lex::{Cursor, Kind, Read};
use super::read::{Later, Reader};
use super::read_expr::{Entity, ExprReader, NameTable};
use crate::ir::*;
use base::{IdVec, Span};
use std::sync::Arc;

impl<'l, 't> Reader<'l, 't> {
    pub(super) fn header(&mut self, cursor: &mut Cursor<'l, 't>) -> Read<()> {
        cursor.expect_keyword("ptr")?;
        let before = cursor.clone();
        self.program.pointer_bytes = cursor.number()?;
        if !matches!(self.program.pointer_bytes, 4 | 8) {
            return Cursor::fault_before(&before, "pointers have 4 or 8 bytes");
        }
        cursor.expect_keyword("entry")?;
        self.entry = Some(cursor.clone());
        cursor.word("a procedure")?;
        self.raw = cursor.keyword("spans");
        Ok(())
    }

    /// `v0 x "name": i32 = 5i32 @1..2`.
    pub(super) fn var(
        &mut self,
        cursor: &mut Cursor<'l, 't>,
        scope: Scope,
        line: Span,
    ) -> Read<VarId> {
        let before = cursor.clone();
        let id: VarId = cursor.id('v', "the id of a variable")?;
        let owner = match scope {
            Scope::Global => None,
            Scope::Local(proc) => Some(proc),
        };
        let name = self.declare(cursor, owner, Entity::Var(id))?;
        cursor.expect(":")?;
        let ty = cursor.ty()?;
        let init = if cursor.symbol("=") {
            let exprs = ExprReader {
                program: &self.program,
                names: &NameTable::default(),
                proc: None,
            };
            Some(exprs.constant(cursor)?)
        } else {
            None
        };
        let span = self.span(cursor, line)?;
        let var = Var {
            name,
            ty,
            scope,
            init,
            span,
        };
        unique(&before, self.vars.insert(id, var))?;
        Ok(id)
    }

    pub(super) fn object(
        &mut self,
        cursor: &mut Cursor<'l, 't>,
        proc: Option<ProcId>,
        line: Span,
    ) -> Read<()> {
        let before = cursor.clone();
        let id: ObjectId = cursor.id('o', "the id of an object")?;
        let name = self.declare(cursor, proc, Entity::Object(id))?;
        cursor.expect(":")?;
        let size = cursor.number()?;
        cursor.expect_keyword("align")?;
        let align = cursor.number()?;
        let read_only = cursor.keyword("readonly");
        let mut init = ObjectInit::default();
        if cursor.symbol("=") {
            let here = cursor.clone();
            let Some(bytes) = hex(cursor.text()?) else {
                return Cursor::fault_before(&here, "expected pairs of hexadecimal digits");
            };
            init.bytes = bytes;
        }
        self.later.push(Later::Addresses(id, cursor.clone()));
        // The addresses name things not yet declared; the span stands behind them.
        let mut ahead = cursor.clone();
        while !matches!(ahead.peek(), None | Some(Kind::Symbol("@"))) {
            ahead.next();
        }
        let span = self.span(&mut ahead, line)?;
        let object = Object {
            name,
            size,
            align,
            scope: proc.map_or(Scope::Global, Scope::Local),
            read_only,
            init,
            span,
        };
        unique(&before, self.objects.insert(id, object))
    }

    /// `[8: &f + 4, 16: &tab]`.
    pub(super) fn addresses(&mut self, id: ObjectId, cursor: &mut Cursor<'l, 't>) -> Read<()> {
        let exprs = self.exprs(None);
        let mut addresses = Vec::new();
        if cursor.symbol("[") {
            loop {
                let at: u64 = cursor.number()?;
                cursor.expect(":")?;
                cursor.expect("&")?;
                let before = cursor.clone();
                let base = match exprs.lookup(cursor.word("a name")?) {
                    Some(Entity::Object(object)) => AddressBase::Object(object),
                    Some(Entity::Proc(proc)) => AddressBase::Proc(proc),
                    Some(Entity::Var(_)) | None => {
                        return Cursor::fault_before(
                            &before,
                            "there is no such object or procedure",
                        );
                    }
                };
                let negative = cursor.symbol("-");
                let mut offset = 0;
                if negative || cursor.symbol("+") {
                    let here = cursor.clone();
                    let size: i128 = cursor.number()?;
                    let Ok(value) = i64::try_from(if negative { -size } else { size }) else {
                        return Cursor::fault_before(&here, "the offset is too large");
                    };
                    offset = value;
                }
                addresses.push((at, Address { base, offset }));
                if !cursor.symbol(",") {
                    break;
                }
            }
            cursor.expect("]")?;
        }
        self.span(cursor, Span::NONE)?;
        self.program.objects[id].init.addresses = addresses;
        cursor.finish()
    }

    pub(super) fn site(&mut self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<()> {
        let before = cursor.clone();
        let id: SiteId = cursor.id('n', "the id of a site")?;
        cursor.expect(":")?;
        let here = cursor.clone();
        let word = cursor.word("a kind of site")?;
        let Some(kind) = SiteKind::of_name(word) else {
            return Cursor::fault_before(&here, "there is no such kind of site");
        };
        let site = Site {
            kind,
            ty: cursor.ty()?,
            name: cursor.text()?.into(),
            span: self.span(cursor, line)?,
        };
        unique(&before, self.sites.insert(id, site))
    }

    pub(super) fn inline(&mut self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<()> {
        let before = cursor.clone();
        let id: InlineId = cursor.id('i', "the id of an inlined call")?;
        cursor.expect(":")?;
        let inline = InlineSite {
            callee: cursor.text()?.into(),
            parent: if cursor.keyword("in") {
                Some(cursor.id('i', "the id of an inlined call")?)
            } else {
                None
            },
            span: self.span(cursor, line)?,
        };
        unique(&before, self.inlines.insert(id, inline))
    }

    /// `proc p0 main(v1 a: i32, ...v2 rest: ptr) -> i32 entry l0 exit l1 {`.
    pub(super) fn procedure(&mut self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<()> {
        let before = cursor.clone();
        let id: ProcId = cursor.id('p', "the id of a procedure")?;
        // So that its lines find it even if the rest of this one is wrong.
        (self.proc, self.location) = (Some(id), None);
        let name = self.declare(cursor, None, Entity::Proc(id))?;
        let mut procedure = Procedure::new(name, None, line);
        (procedure.locations, procedure.edges) = (IdVec::new(), IdVec::new());
        cursor.expect("(")?;
        if !cursor.symbol(")") {
            loop {
                let variadic = cursor.symbol("...");
                let var = self.var(cursor, Scope::Local(id), line)?;
                if variadic {
                    procedure.varargs = Some(var);
                    break;
                }
                procedure.params.push(var);
                if !cursor.symbol(",") {
                    break;
                }
            }
            cursor.expect(")")?;
        }
        if cursor.symbol("->") {
            procedure.ret = Some(cursor.ty()?);
        }
        cursor.expect_keyword("entry")?;
        procedure.entry = cursor.id('l', "a location")?;
        cursor.expect_keyword("exit")?;
        procedure.exit = cursor.id('l', "a location")?;
        procedure.span = self.span(cursor, line)?;
        cursor.expect("{")?;
        unique(&before, self.procs.insert(id, procedure))
    }

    /// `loop l3: "i" = i, "t" @1..2`.
    pub(super) fn loop_statement(
        &mut self,
        cursor: &mut Cursor<'l, 't>,
        proc: ProcId,
        line: Span,
    ) -> Read<()> {
        let before = cursor.clone();
        let head = cursor.id('l', "a location")?;
        cursor.expect(":")?;
        let mut names: Vec<(Arc<str>, Meaning)> = Vec::new();
        while matches!(cursor.peek(), Some(Kind::Text(_))) {
            let name = cursor.text()?.into();
            let mut meaning = Meaning::Other;
            if cursor.symbol("=") {
                let here = cursor.clone();
                meaning = match self.exprs(Some(proc)).lookup(cursor.word("a name")?) {
                    Some(Entity::Var(var)) => Meaning::Var(var),
                    Some(Entity::Object(object)) => Meaning::Object(object),
                    Some(Entity::Proc(_)) | None => {
                        let message = "there is no such variable or object";
                        return Cursor::fault_before(&here, message);
                    }
                };
            }
            names.push((name, meaning));
            if !cursor.symbol(",") {
                break;
            }
        }
        let keyword = self.span(cursor, line)?;
        let Some(procedure) = self.procs.get_mut(&proc) else {
            return Cursor::fault_before(&before, "a loop should stand in a procedure");
        };
        procedure.loops.push(LoopStatement {
            head,
            names,
            keyword,
        });
        Ok(())
    }

    /// `l3: error assertion "message" @1..2 @3..4`.
    pub(super) fn location(
        &mut self,
        cursor: &mut Cursor<'l, 't>,
        proc: ProcId,
        line: Span,
    ) -> Read<()> {
        let before = cursor.clone();
        let id: LocationId = cursor.id('l', "a location")?;
        self.location = Some(id);
        cursor.expect(":")?;
        let mut error = None;
        if cursor.keyword("error") {
            let here = cursor.clone();
            let word = cursor.word("a property")?;
            let Some(property) = Property::of_name(word) else {
                return Cursor::fault_before(&here, "there is no such property");
            };
            error = Some(Violation {
                property,
                message: cursor.text()?.into(),
                span: self.span(cursor, line)?,
            });
        }
        let location = Location {
            out: Vec::new(),
            error,
            span: self.span(cursor, line)?,
        };
        let rows = self.locations.entry(proc).or_default();
        unique(&before, rows.insert(id, location))
    }

    /// `e5: op -> l3 via i0 @1..2`.
    pub(super) fn edge(
        &self,
        proc: ProcId,
        source: LocationId,
        cursor: &mut Cursor<'l, 't>,
        line: Span,
    ) -> Read<(EdgeId, Edge)> {
        let id = cursor.id('e', "an edge")?;
        cursor.expect(":")?;
        let op = self.exprs(Some(proc)).op(cursor)?;
        cursor.expect("->")?;
        let before = cursor.clone();
        let target = cursor.id('l', "a location")?;
        if self.program.procs[proc].locations.get(target).is_none() {
            return Cursor::fault_before(&before, "there is no such location");
        }
        let mut inlined = None;
        if cursor.keyword("via") {
            let before = cursor.clone();
            let inline = cursor.id('i', "an inlined call")?;
            if self.program.inlines.get(inline).is_none() {
                return Cursor::fault_before(&before, "there is no such inlined call");
            }
            inlined = Some(inline);
        }
        let span = self.span(cursor, line)?;
        cursor.finish()?;
        let edge = Edge {
            source,
            target,
            op,
            span,
            inlined,
        };
        Ok((id, edge))
    }

    pub(super) fn exprs(&self, proc: Option<ProcId>) -> ExprReader<'_, 't> {
        ExprReader {
            program: &self.program,
            names: &self.names,
            proc,
        }
    }

    /// The name used, and perhaps the one in the source; returns the latter.
    pub(super) fn declare(
        &mut self,
        cursor: &mut Cursor<'l, 't>,
        owner: Option<ProcId>,
        entity: Entity,
    ) -> Read<Arc<str>> {
        let before = cursor.clone();
        let used = cursor.word("a name")?;
        if super::names::is_word(used) {
            return Cursor::fault_before(&before, "this word cannot be a name");
        }
        if self.names.insert((owner, used), entity).is_some() {
            return Cursor::fault_before(&before, "there is another thing of that name");
        }
        match cursor.peek() {
            Some(Kind::Text(name)) => {
                cursor.next();
                Ok(name.as_str().into())
            }
            _ => Ok(used.into()),
        }
    }

    /// A span if one stands here, else what its absence means.
    pub(super) fn span(&self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<Span> {
        let before = cursor.clone();
        if !cursor.symbol("@") {
            return Ok(if self.raw { Span::NONE } else { line });
        }
        let lo = cursor.number()?;
        cursor.expect("..")?;
        let hi = cursor.number()?;
        if lo > hi {
            return Cursor::fault_before(&before, "the span ends before it starts");
        }
        Ok(if self.raw { Span { lo, hi } } else { line })
    }
}

fn unique<T>(before: &Cursor<'_, '_>, old: Option<T>) -> Read<()> {
    match old {
        None => Ok(()),
        Some(_) => Err(before.fault("there is another thing of that id")),
    }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = (0..text.len()).step_by(2);
    pairs
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok())
        .collect()
}
