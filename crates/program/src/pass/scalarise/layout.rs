//! Which objects become variables, and how their bytes are divided into these.
//!
//! # Invariants
//! - The address of an object with a layout does not escape: the object is only read, written,
//!   copied as a whole range, filled with a byte and checked for validity.
//! - Every access names, whatever its offset, either bytes outside the object or exactly one of its
//!   elements, in its type.

use super::must_facts::MustFacts;
use super::object_offset::ObjectOffset;
use crate::expr::{Constant, Expr, Type};
use crate::ir::*;
use crate::pass::callgraph::CallGraph;
use base::{Id, IdVec};
use logic::IntValue;
use std::collections::BTreeMap;

/// More elements than this stay in memory.
const MOST: usize = 16;
/// An index that is read at an index, and so on: only this often.
const DEEPEST: usize = 2;

/// The elements of an object by their offsets.
pub(super) type Elements = BTreeMap<u64, Type>;

/// The elements of the objects that become variables; with what is alive in each procedure that a
/// run may get to.
pub(super) fn layouts(
    program: &Program,
    alive: &IdVec<ProcId, Option<MustFacts>>,
) -> BTreeMap<ObjectId, Elements> {
    let mut survey = Survey {
        program,
        elements: IdVec::filled(Some(Elements::new()), program.objects.len()),
        fills: Vec::new(),
        copies: Vec::new(),
    };
    // Addresses of procedures are put in at the program's entry, which must come but once.
    let is_entered_once = CallGraph::new(program).callers[program.entry].is_empty();
    for (object, row) in program.objects.iter_enumerated() {
        for (_, address) in &row.init.addresses {
            match address.base {
                AddressBase::Object(target) => {
                    survey.refuse(object);
                    survey.refuse(target);
                }
                AddressBase::Proc(_) if is_entered_once && address.offset == 0 => {}
                AddressBase::Proc(_) => survey.refuse(object),
            }
        }
    }
    for (proc, _, edge) in program.edges() {
        let Some(alive) = &alive[proc] else {
            continue;
        };
        survey.op(&edge.op);
        for expr in edge.op.exprs() {
            expr.visit(&mut |part| {
                if let Expr::Object(object) = part
                    && !alive.holds(edge.source, object.index())
                {
                    survey.refuse(*object);
                }
            });
        }
    }
    survey.finish()
}

/// A range of an object that a library function reads or writes.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    pub(super) object: ObjectId,
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Stretch {
    fn of(program: &Program, address: &Expr, bytes: &Expr) -> Option<Stretch> {
        let place = ObjectOffset::of(address)?;
        let start = u64::try_from(place.fixed()?).ok()?;
        let end = start.checked_add(bytes.integer()?.to_u64()?)?;
        let object = place.object;
        (end <= program.objects[object].size).then_some(Stretch { object, start, end })
    }

    fn contains(self, offset: u64) -> bool {
        (self.start..self.end).contains(&offset)
    }
}

/// What a library call does to objects, if it does no more.
pub(super) enum Bulk {
    /// Fills a range with a byte.
    Fill(Stretch, u8),
    /// Copies from the second range, of another object, to the first.
    Copy(Stretch, Stretch),
}

impl Bulk {
    pub(super) fn of(program: &Program, call: &Call) -> Option<Bulk> {
        let (Callee::Library(library), None) = (&call.callee, call.result) else {
            return None;
        };
        let [to, second, bytes] = &call.args[..] else {
            return None;
        };
        match library {
            Library::Memset => {
                let to = Stretch::of(program, to, bytes)?;
                Some(Bulk::Fill(to, second.integer()?.bits() as u8))
            }
            Library::Memcpy | Library::Memmove => {
                let to = Stretch::of(program, to, bytes)?;
                let from = Stretch::of(program, second, bytes)?;
                (to.object != from.object).then_some(Bulk::Copy(to, from))
            }
            _ => None,
        }
    }
}

/// Looks at every use of every object.
struct Survey<'p> {
    program: &'p Program,
    /// `None` for an object that stays in memory.
    elements: IdVec<ObjectId, Option<Elements>>,
    fills: Vec<(Stretch, u8)>,
    copies: Vec<(Stretch, Stretch)>,
}

impl Survey<'_> {
    fn refuse(&mut self, object: ObjectId) {
        self.elements[object] = None;
    }

    fn op(&mut self, op: &Op) {
        let bulk = match op {
            Op::Call(call) => Bulk::of(self.program, call),
            _ => None,
        };
        match bulk {
            Some(Bulk::Fill(to, byte)) => {
                self.written(to.object);
                self.fills.push((to, byte));
            }
            Some(Bulk::Copy(to, from)) => {
                self.written(to.object);
                self.copies.push((to, from));
            }
            None => {
                if let Some((ty, address)) = op.stored() {
                    self.access(ty, address, true);
                }
                op.values().for_each(|value| self.expr(value));
            }
        }
    }

    fn written(&mut self, object: ObjectId) {
        if self.program.objects[object].read_only {
            self.refuse(object);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Load(ty, address) => self.access(*ty, address, false),
            Expr::Valid(address, ..) if super::bounds_of(self.program, expr).is_some() => {
                let place =
                    ObjectOffset::of(address).expect("an address with bounds should be a place");
                place.parts().iter().for_each(|part| self.expr(part));
            }
            Expr::Object(object) => self.refuse(*object),
            _ => expr.children().for_each(|child| self.expr(child)),
        }
    }

    fn access(&mut self, ty: Type, address: &Expr, is_write: bool) {
        let Some(place) = ObjectOffset::of(address) else {
            return self.expr(address);
        };
        place.parts().iter().for_each(|part| self.expr(part));
        if is_write {
            self.written(place.object);
        }
        if place.parts().iter().any(|part| depth(part) >= DEEPEST) {
            return self.refuse(place.object);
        }
        let bytes = ty.bytes(self.program.pointer_bytes);
        let size = self.program.objects[place.object].size;
        if place.fixed().is_none() && size / bytes.max(1) > MOST as u64 * 16 {
            return self.refuse(place.object);
        }
        for offset in place.offsets(self.program, size, bytes) {
            self.add(place.object, offset, ty);
        }
    }

    /// Adds an element; whether it was not there.
    fn add(&mut self, object: ObjectId, offset: u64, ty: Type) -> bool {
        let Some(elements) = &mut self.elements[object] else {
            return false;
        };
        match elements.insert(offset, ty) {
            Some(known) if known == ty => return false,
            Some(_) => self.refuse(object),
            None if elements.len() > MOST => self.refuse(object),
            None => {}
        }
        true
    }

    /// What is left once elements were copied along and what does not fit was refused.
    fn finish(mut self) -> BTreeMap<ObjectId, Elements> {
        loop {
            let mut changed = false;
            for (to, from) in self.copies.clone() {
                changed |= self.link(to, from) | self.link(from, to);
            }
            for object in self.program.objects.ids() {
                if self.elements[object].is_some() && !self.fits(object) {
                    self.refuse(object);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let found = self.elements.iter_enumerated();
        let found = found.filter_map(|(object, elements)| Some((object, elements.clone()?)));
        found.filter(|(_, elements)| !elements.is_empty()).collect()
    }

    /// What one side of a copy is, the other is; whether that is new.
    fn link(&mut self, this: Stretch, other: Stretch) -> bool {
        match (&self.elements[this.object], &self.elements[other.object]) {
            (None, _) => false,
            (Some(_), None) => {
                self.refuse(this.object);
                true
            }
            (Some(_), Some(elements)) => {
                let inside: Vec<(u64, Type)> = (elements.iter())
                    .filter(|(offset, _)| other.contains(**offset))
                    .map(|(&offset, &ty)| (offset - other.start + this.start, ty))
                    .collect();
                let mut changed = false;
                for (offset, ty) in inside {
                    changed |= self.add(this.object, offset, ty);
                }
                changed
            }
        }
    }

    /// Whether the elements stand side by side, and ranges hold them whole.
    fn fits(&self, object: ObjectId) -> bool {
        let Some(elements) = &self.elements[object] else {
            return false;
        };
        let row = &self.program.objects[object];
        let mut end = 0;
        for (&offset, &ty) in elements {
            let after = offset + ty.bytes(self.program.pointer_bytes);
            if offset < end || after > row.size {
                return false;
            }
            if row.scope == Scope::Global && initial(self.program, object, offset, ty).is_none() {
                return false;
            }
            end = after;
            let whole = |stretch: &Stretch| {
                stretch.object != object
                    || (stretch.start <= offset && after <= stretch.end)
                    || after <= stretch.start
                    || stretch.end <= offset
            };
            let copied = self.copies.iter().flat_map(|(to, from)| [to, from]);
            let filled = self.fills.iter().map(|(to, _)| to);
            if !copied.chain(filled).all(whole) {
                return false;
            }
            let readable = |(to, byte): &(Stretch, u8)| {
                to.object != object
                    || !to.contains(offset)
                    || filled_with(self.program, ty, *byte).is_some()
            };
            if !self.fills.iter().all(readable) {
                return false;
            }
        }
        true
    }
}

/// How often an expression reads at an index that was read at an index, and so on.
fn depth(expr: &Expr) -> usize {
    let below = expr.children().map(depth).max().unwrap_or(0);
    below + usize::from(matches!(expr, Expr::Load(..)))
}

/// The initial value of an element of a global object.
#[derive(Clone, Copy)]
pub(super) enum Initial {
    Constant(Constant),
    /// The address of a procedure.
    Proc(ProcId),
}

/// The initial value of an element of a global object, if it is known.
pub(super) fn initial(
    program: &Program,
    object: ObjectId,
    offset: u64,
    ty: Type,
) -> Option<Initial> {
    let init = &program.objects[object].init;
    let width = ty.bytes(program.pointer_bytes);
    let pointer = u64::from(program.pointer_bytes);
    let stored = init.addresses.iter();
    let mut stored = stored.filter(|(at, _)| *at < offset + width && offset < at + pointer);
    if let Some((at, address)) = stored.next() {
        return match address.base {
            AddressBase::Proc(proc) if *at == offset && ty == Type::Ptr => {
                Some(Initial::Proc(proc))
            }
            AddressBase::Proc(_) | AddressBase::Object(_) => None,
        };
    }
    let bytes = &init.bytes;
    let byte = |at: u64| usize::try_from(at).ok().and_then(|at| bytes.get(at));
    let bytes: Vec<u8> = (offset..offset + width)
        .map(|at| byte(at).copied().unwrap_or(0))
        .collect();
    decode(ty, &bytes).map(Initial::Constant)
}

/// The value of an element whose bytes are all the same.
pub(super) fn filled_with(program: &Program, ty: Type, byte: u8) -> Option<Constant> {
    let width = ty.bytes(program.pointer_bytes) as usize;
    decode(ty, &vec![byte; width])
}

/// The value that bytes, least significant first, stand for; `None` for an address that is not
/// null and for a truth value that is neither 0 nor 1.
fn decode(ty: Type, bytes: &[u8]) -> Option<Constant> {
    let number = (bytes.iter().rev()).fold(0u128, |sum, &byte| sum << 8 | u128::from(byte));
    match ty {
        Type::Bool if number <= 1 => Some(Constant::Bool(number == 1)),
        Type::Int(ty) => Some(Constant::Int(IntValue::from_bits(ty, number))),
        Type::Float(ty) => Some(Constant::Float(ty, number as u64)),
        Type::Ptr if number == 0 => Some(Constant::Null),
        Type::Bool | Type::Ptr => None,
    }
}
