//! Which arrays can have tracked cells.
//!
//! # Invariants
//! - All uses of such an array are in the entry procedure, and its address does not escape: it is
//!   read, written, freed, checked for validity, and compared with null.
//! - Every access is of one type, and at a multiple of the element size from the start.
//! - The entry procedure is entered once.

use super::{INDEX, Tracked, WIDE, wide};
use crate::expr::{BinaryOp, Constant, Expr, Type};
use crate::ir::*;
use crate::pass::callgraph::CallGraph;
use crate::pass::inline::InlineLimit;
use crate::pass::inlined;
use crate::pass::nodes::numbered;
use crate::pass::scalarise::object_offset::{Congruence, displaced};
use crate::pass::scalarise::resolve::resolve_places;
use base::IdVec;
use logic::{IntType, IntValue};
use std::collections::{BTreeMap, BTreeSet};

/// The cells of a global that are not zero are told apart if they are no more than this.
const MOST_VALUES: usize = 32;

/// An array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Array {
    /// An object.
    Object(ObjectId),
    /// What one call allocated; the variable holds its address and is set there only.
    Allocated(VarId),
}

/// An address in an array: `array + constant + moving`.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayPlace<'e> {
    /// The array.
    pub array: Array,
    /// Bytes from its start.
    pub constant: i128,
    /// Further bytes, that are not constants.
    pub moving: Vec<&'e Expr>,
}

/// The arrays of a program that can have tracked cells.
#[derive(Clone, Debug)]
pub struct Arrays {
    /// The program, with copies of pointers to arrays replaced by these.
    pub program: Program,
    /// The arrays and the types of their elements.
    pub elements: BTreeMap<Array, Type>,
}

impl<'e> ArrayPlace<'e> {
    /// An address as such, if it starts at an object or a variable.
    pub fn of(address: &'e Expr) -> Option<ArrayPlace<'e>> {
        let (base, constant, moving) = displaced(address)?;
        let array = match base {
            Expr::Object(object) => Array::Object(*object),
            Expr::Var(var) => Array::Allocated(*var),
            _ => return None,
        };
        Some(ArrayPlace {
            array,
            constant,
            moving,
        })
    }
}

impl Arrays {
    /// The arrays of a program with calls inlined, small objects as variables, and lists and trees as
    /// arrays.
    pub fn inlined(program: &Program, limit: InlineLimit) -> Arrays {
        let inlined = inlined(program, limit);
        Arrays::new(&numbered(&inlined, u64::MAX).unwrap_or(inlined))
    }

    /// The arrays of a program.
    pub fn new(program: &Program) -> Arrays {
        let graph = CallGraph::new(program);
        let reachable = graph.reachable(program);
        let allocated = allocated(program, &reachable);
        let program = resolve_places(program, &reachable, &|value| {
            let place = ArrayPlace::of(value);
            place.is_some_and(|place| match place.array {
                Array::Object(_) => true,
                Array::Allocated(var) => allocated.contains(&var),
            })
        });
        let mut survey = Survey {
            program: &program,
            elements: BTreeMap::new(),
            refused: BTreeSet::new(),
        };
        survey.look(&reachable, &allocated);
        let mut elements = match graph.callers[program.entry].is_empty() {
            true => survey.elements,
            false => BTreeMap::new(),
        };
        elements.retain(|array, _| !survey.refused.contains(array));
        Arrays { program, elements }
    }

    /// The array that an address is in, if it can have tracked cells.
    pub fn place<'e>(&self, address: &'e Expr) -> Option<ArrayPlace<'e>> {
        let place = ArrayPlace::of(address)?;
        self.elements.contains_key(&place.array).then_some(place)
    }

    /// An array's name.
    pub fn name(&self, array: Array) -> &str {
        match array {
            Array::Object(object) => &self.program.objects[object].name,
            Array::Allocated(var) => &self.program.vars[var].name,
        }
    }

    /// Bytes of an element.
    pub fn bytes(&self, array: Array) -> u64 {
        self.elements[&array].bytes(self.program.pointer_bytes)
    }

    /// What a cell holds when its array comes to life; with the call that allocates it.
    pub(super) fn initial(
        &self,
        program: &Program,
        array: Array,
        cell: &Tracked,
        call: Option<&Call>,
    ) -> Expr {
        let ty = self.elements[&array];
        let (base, end) = match array {
            Array::Object(object) => {
                if let Some(values) = self.values(object) {
                    return values.into_iter().fold(
                        Expr::Const(ty.zero()),
                        |others, (number, value)| {
                            let this = Expr::int(WIDE, i128::from(number));
                            let is_this = Expr::arith(BinaryOp::Eq, WIDE, number_of(cell), this);
                            Expr::select(is_this, Expr::Const(value), others)
                        },
                    );
                }
                let size = i128::from(program.objects[object].size);
                (Expr::Object(object), Expr::int(WIDE, size))
            }
            Array::Allocated(var) => match call {
                Some(call) if call.callee == Callee::Library(Library::Calloc) => {
                    return Expr::Const(ty.zero());
                }
                Some(call) => {
                    let size = &call.args[0];
                    let size = Expr::cast(size.ty(program), Type::Int(WIDE), size.clone());
                    (Expr::Var(var), size)
                }
                None => return Expr::Const(ty.zero()),
            },
        };
        // The bytes are indeterminate, or too many to tell: whatever is said about reads of memory.
        let bytes = Expr::int(WIDE, i128::from(self.bytes(array)));
        let offset = Expr::arith(BinaryOp::Mul, WIDE, number_of(cell), bytes.clone());
        let last = Expr::arith(BinaryOp::Sub, WIDE, end, bytes);
        let zero = Expr::int(WIDE, 0);
        let inside = Expr::and(
            Expr::arith(BinaryOp::Ge, WIDE, offset.clone(), zero),
            Expr::arith(BinaryOp::Le, WIDE, offset.clone(), last),
        );
        let by = Expr::cast(Type::Int(WIDE), Type::Int(program.offset_type()), offset);
        let read = Expr::load(ty, Expr::offset(base, by));
        Expr::select(inside, read, Expr::Const(ty.zero()))
    }

    /// The elements of a global object that are not zero at first, if they are few.
    fn values(&self, object: ObjectId) -> Option<Vec<(u64, Constant)>> {
        let row = &self.program.objects[object];
        if row.scope != Scope::Global {
            return None;
        }
        let array = Array::Object(object);
        let (ty, bytes) = (self.elements[&array], self.bytes(array));
        let mut values = Vec::new();
        for (number, chunk) in (0_u64..).zip(row.init.bytes.chunks(bytes as usize)) {
            if chunk.iter().all(|&byte| byte == 0) {
                continue;
            }
            let bits = chunk.iter().rev();
            let bits = bits.fold(0, |bits, &byte| bits << 8 | u128::from(byte));
            let value = match ty {
                Type::Int(ty) => Constant::Int(IntValue::from_bits(ty, bits)),
                Type::Bool | Type::Float(_) | Type::Ptr => return None,
            };
            values.push((number, value));
            if values.len() > MOST_VALUES {
                return None;
            }
        }
        Some(values)
    }
}

/// The number of a cell in its array.
pub(super) fn number_of(cell: &Tracked) -> Expr {
    let shift = Expr::int(WIDE, i128::from(cell.shift));
    Expr::arith(BinaryOp::Add, WIDE, wide(cell.index), shift)
}

/// When an access hits a cell.
pub(super) fn hits(program: &Program, place: &ArrayPlace<'_>, bytes: u64, cell: &Tracked) -> Expr {
    let bytes = i128::from(bytes);
    let element = match place.moving[..] {
        [part] if place.constant % bytes == 0 => number(program, part, bytes),
        _ => None,
    };
    let Some((element, ty)) = element else {
        let offset = offset(program, place);
        let cell = Expr::arith(BinaryOp::Mul, WIDE, number_of(cell), Expr::int(WIDE, bytes));
        return Expr::arith(BinaryOp::Eq, WIDE, offset, cell);
    };
    let shift = i128::from(cell.shift) - place.constant / bytes;
    if shift == 0 && ty.bits <= INDEX.bits {
        let element = Expr::cast(Type::Int(ty), Type::Int(INDEX), element.clone());
        return Expr::arith(BinaryOp::Eq, INDEX, element, Expr::Var(cell.index));
    }
    let element = Expr::cast(Type::Int(ty), Type::Int(WIDE), element.clone());
    let shift = Expr::int(WIDE, shift);
    let cell = Expr::arith(BinaryOp::Add, WIDE, wide(cell.index), shift);
    Expr::arith(BinaryOp::Eq, WIDE, element, cell)
}

/// The signed number that an offset is the so-manyfold of, where it is defined.
fn number<'e>(program: &Program, offset: &'e Expr, bytes: i128) -> Option<(&'e Expr, IntType)> {
    let is_bytes = |expr: &Expr| expr.integer().and_then(IntValue::to_i128) == Some(bytes);
    match offset {
        Expr::Binary(BinaryOp::Mul, Type::Int(ty), left, right) if ty.signed => {
            match (is_bytes(right), is_bytes(left)) {
                (true, _) => Some((&**left, *ty)),
                (_, true) => Some((&**right, *ty)),
                (false, false) => None,
            }
        }
        _ if bytes == 1 => {
            let ty = offset.ty(program).int()?;
            ty.signed.then_some((offset, ty))
        }
        _ => None,
    }
}

/// The offset of a place from the start of its array.
fn offset(program: &Program, place: &ArrayPlace<'_>) -> Expr {
    let start = Expr::int(WIDE, place.constant);
    place.moving.iter().fold(start, |sum, part| {
        let part = Expr::cast(part.ty(program), Type::Int(WIDE), (*part).clone());
        Expr::arith(BinaryOp::Add, WIDE, sum, part)
    })
}

/// What holds of the offset of every defined access.
pub(super) fn inside(program: &Program, place: &ArrayPlace<'_>, bytes: u64) -> Expr {
    let bytes = i128::from(bytes);
    let last = match place.array {
        Array::Object(object) => Some(i128::from(program.objects[object].size) - bytes),
        Array::Allocated(_) => None,
    };
    let element = match place.moving[..] {
        [part] if place.constant == 0 => number(program, part, bytes),
        _ => None,
    };
    let (value, ty, last) = match element {
        Some((element, ty)) => (element.clone(), ty, last.map(|last| last.div_euclid(bytes))),
        None => (offset(program, place), WIDE, last),
    };
    let low = Expr::arith(BinaryOp::Ge, ty, value.clone(), Expr::int(ty, 0));
    match last {
        Some(last) if Some(last) < ty.max().to_i128() => {
            let high = Expr::arith(BinaryOp::Le, ty, value, Expr::int(ty, last));
            Expr::and(low, high)
        }
        Some(_) | None => low,
    }
}

/// The pointers that one edge sets, in the entry procedure, to what it allocates.
fn allocated(program: &Program, reachable: &IdVec<ProcId, bool>) -> BTreeSet<VarId> {
    let mut writers: BTreeMap<VarId, usize> = BTreeMap::new();
    let mut allocated = BTreeSet::new();
    for (proc, _, edge) in program.edges().filter(|(proc, ..)| reachable[*proc]) {
        let Some(var) = edge.op.written() else {
            continue;
        };
        *writers.entry(var).or_default() += 1;
        if proc == program.entry && is_allocation(&edge.op) {
            allocated.insert(var);
        }
    }
    allocated.retain(|var| writers[var] == 1);
    allocated
}

/// Whether an op allocates what its result is the address of.
pub(super) fn is_allocation(op: &Op) -> bool {
    use Library::{Alloca, Calloc, Malloc};
    let Op::Call(call) = op else {
        return false;
    };
    match call.callee {
        Callee::Library(Malloc | Calloc | Alloca) => {
            // The size is looked at once more after the call.
            let read: Vec<VarId> = call.args.iter().flat_map(Expr::vars).collect();
            call.result.is_some_and(|result| !read.contains(&result))
                && !call.args.iter().any(Expr::reads_memory)
        }
        Callee::Library(_) | Callee::Proc(_) | Callee::Pointer(_) => false,
    }
}

/// Looks at every use of every object and every pointer.
struct Survey<'p> {
    program: &'p Program,
    elements: BTreeMap<Array, Type>,
    refused: BTreeSet<Array>,
}

impl Survey<'_> {
    fn look(&mut self, reachable: &IdVec<ProcId, bool>, allocated: &BTreeSet<VarId>) {
        for (object, row) in self.program.objects.iter_enumerated() {
            for (_, address) in &row.init.addresses {
                self.refused.insert(Array::Object(object));
                if let AddressBase::Object(target) = address.base {
                    self.refused.insert(Array::Object(target));
                }
            }
        }
        let edges = self.program.edges();
        for (proc, _, edge) in edges.filter(|(proc, ..)| reachable[*proc]) {
            match proc == self.program.entry {
                true => self.op(&edge.op),
                false => (edge.op.exprs().into_iter()).for_each(|expr| self.escape(expr)),
            }
        }
        self.elements.retain(|array, _| match array {
            Array::Object(_) => true,
            Array::Allocated(var) => allocated.contains(var),
        });
    }

    /// All that is named here is refused.
    fn escape(&mut self, expr: &Expr) {
        expr.visit(&mut |part| match part {
            Expr::Object(object) => drop(self.refused.insert(Array::Object(*object))),
            Expr::Var(var) => drop(self.refused.insert(Array::Allocated(*var))),
            _ => {}
        });
    }

    fn op(&mut self, op: &Op) {
        if let Some((ty, address)) = op.stored() {
            self.access(ty, address);
        }
        let is_free = matches!(op, Op::Call(call) if call.callee == Callee::Library(Library::Free));
        op.values().for_each(|value| match is_free {
            true => self.address(value),
            false => self.expr(value),
        });
    }

    fn expr(&mut self, expr: &Expr) {
        use BinaryOp::{Eq, Ne};
        match expr {
            Expr::Load(ty, address) => self.access(*ty, address),
            Expr::Valid(address, bytes, _) => {
                self.address(address);
                self.expr(bytes);
            }
            Expr::Freeable(address) => self.address(address),
            Expr::Binary(Eq | Ne, Type::Ptr, left, right) if **right == Expr::null() => {
                self.address(left);
            }
            Expr::Binary(Eq | Ne, Type::Ptr, left, right) if **left == Expr::null() => {
                self.address(right);
            }
            Expr::Object(_) | Expr::Var(_) => self.escape(expr),
            _ => expr.children().for_each(|child| self.expr(child)),
        }
    }

    /// An address that is only looked at.
    fn address(&mut self, address: &Expr) {
        match ArrayPlace::of(address) {
            Some(place) => place.moving.iter().for_each(|part| self.expr(part)),
            None => self.expr(address),
        }
    }

    fn access(&mut self, ty: Type, address: &Expr) {
        self.address(address);
        let Some(place) = ArrayPlace::of(address) else {
            return;
        };
        let bytes = ty.bytes(self.program.pointer_bytes);
        let is_whole = place.constant % i128::from(bytes) == 0
            && (place.moving.iter())
                .all(|part| Congruence::of(self.program, part).is_multiple(bytes));
        // What is read in only one case of a choice is not read ahead.
        let is_chosen = place
            .moving
            .iter()
            .any(|part| part.any(&|part| matches!(part, Expr::Select(..)) && part.reads_memory()));
        let known = *self.elements.entry(place.array).or_insert(ty);
        if !matches!(ty, Type::Int(_)) || known != ty || !is_whole || is_chosen {
            self.refused.insert(place.array);
        }
    }
}
