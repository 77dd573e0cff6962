//! Reads the declarations, locations and edges of the text form, one line each.

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
            return Err(before.fault("pointers have 4 or 8 bytes"));
        }
        cursor.expect_keyword("entry")?;
        self.entry = Some(cursor.clone());
        cursor.word("a procedure")?;
        Ok(())
    }

    /// `v0 x "name": i32 = 5i32`.
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
        // Without names: what they stand for is not yet in the program.
        let exprs = ExprReader {
            names: &NameTable::default(),
            ..self.exprs(None)
        };
        let has_init = cursor.symbol("=");
        let init = has_init.then(|| exprs.constant(cursor)).transpose()?;
        let var = Var {
            name,
            ty,
            scope,
            init,
            span: line,
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
        let has_contents = cursor.keyword("contents");
        let contents = has_contents.then(|| cursor.id('n', "a site")).transpose()?;
        let mut init = ObjectInit::default();
        if cursor.symbol("=") {
            let here = cursor.clone();
            let Some(bytes) = hex(cursor.text()?) else {
                return Err(here.fault("expected pairs of hexadecimal digits"));
            };
            init.bytes = bytes;
        }
        self.later.push(Later::Addresses(id, cursor.clone()));
        let object = Object {
            name,
            size,
            align,
            scope: proc.map_or(Scope::Global, Scope::Local),
            read_only,
            init,
            contents,
            span: line,
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
                let base = exprs.address(cursor)?;
                let negative = cursor.symbol("-");
                let mut offset = 0;
                if negative || cursor.symbol("+") {
                    let here = cursor.clone();
                    let size: i128 = cursor.number()?;
                    let Ok(value) = i64::try_from(if negative { -size } else { size }) else {
                        return Err(here.fault("the offset is too large"));
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
        self.program.objects[id].init.addresses = addresses;
        cursor.finish()
    }

    pub(super) fn site(&mut self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<()> {
        let before = cursor.clone();
        let id: SiteId = cursor.id('n', "the id of a site")?;
        cursor.expect(":")?;
        let site = Site {
            kind: cursor.known("a kind of site", SiteKind::of_name)?,
            ty: cursor.ty()?,
            name: cursor.text()?.into(),
            span: line,
        };
        unique(&before, self.sites.insert(id, site))
    }

    pub(super) fn inline(&mut self, cursor: &mut Cursor<'l, 't>, line: Span) -> Read<()> {
        let before = cursor.clone();
        let id: InlineId = cursor.id('i', "the id of an inlined call")?;
        cursor.expect(":")?;
        let inline = InlineSite {
            callee: cursor.text()?.into(),
            parent: match cursor.keyword("in") {
                true => Some(cursor.id('i', "the id of an inlined call")?),
                false => None,
            },
            span: line,
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
        cursor.expect("{")?;
        unique(&before, self.procs.insert(id, procedure))
    }

    /// `loop l3: "i" = i, "t"`.
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
                let exprs = self.exprs(Some(proc));
                meaning =
                    cursor.known("a variable or object", |name| match exprs.lookup(name) {
                        Some(Entity::Var(var)) => Some(Meaning::Var(var)),
                        Some(Entity::Object(object)) => Some(Meaning::Object(object)),
                        Some(Entity::Proc(_)) | None => None,
                    })?;
            }
            names.push((name, meaning));
            if !cursor.symbol(",") {
                break;
            }
        }
        let Some(procedure) = self.procs.get_mut(&proc) else {
            return Err(before.fault("a loop should stand in a procedure"));
        };
        procedure.loops.push(LoopStatement {
            head,
            names,
            keyword: line,
        });
        Ok(())
    }

    /// `l3: error assertion "message"`.
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
            error = Some(Violation {
                property: cursor.known("a property", Property::of_name)?,
                message: cursor.text()?.into(),
                span: line,
            });
        }
        let location = Location {
            out: Vec::new(),
            error,
            span: line,
        };
        let rows = self.locations.entry(proc).or_default();
        unique(&before, rows.insert(id, location))
    }

    /// `e5: op -> l3 via i0`.
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
        let target = cursor.row('l', "a location", &self.program.procs[proc].locations)?;
        let inlined = match cursor.keyword("via") {
            true => Some(cursor.row('i', "an inlined call", &self.program.inlines)?),
            false => None,
        };
        cursor.finish()?;
        let edge = Edge {
            source,
            target,
            op,
            span: line,
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
            return Err(before.fault("this word cannot be a name"));
        }
        if self.names.insert((owner, used), entity).is_some() {
            return Err(before.fault("there is another thing of that name"));
        }
        match cursor.peek() {
            Some(Kind::Text(name)) => {
                cursor.next();
                Ok(name.as_str().into())
            }
            _ => Ok(used.into()),
        }
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
